// The inner loops of the minimal gated recurrent unit (Feng et al. 2024).
#pragma once

#include "vectors.h"

namespace nonmono {

// The arrays of one direction. Row t belongs to word t; "before" is what the direction passes before.
struct RecurrenceC {
    int n;                 // words
    int units;             // a multiple of WIDTH
    int step;              // 1: from the first word to the last, -1: the other way
    const unsigned char* fresh;  // [n] nothing is remembered before word t
    float* gates;          // [n, 2 * units] candidate, update
    const float* bias;     // [2 * units] of the gates
    float* memory;         // [n, row] what is remembered after word t
    size_t row;
};

// The hyperbolic tangent, at most 7e-7 from the true one: a rational function that was fitted to it
// (least squares, the points weighted until the largest error was least).
template <class Vector> NONMONO_INLINE Vector tanh_of(Vector x) {
    x = max(min(x, Vector::fill(7.6f)), Vector::fill(-7.6f));
    const Vector y = x * x;
    Vector above = Vector::fill(1.1730793e-05f) * y + Vector::fill(2.9773379e-03f);
    above = (above * y + Vector::fill(1.2949443e-01f)) * y + Vector::fill(9.9999958e-01f);
    Vector below = Vector::fill(2.5595560e-07f) * y + Vector::fill(2.4249259e-04f);
    below = (below * y + Vector::fill(2.3921147e-02f)) * y + Vector::fill(4.6282619e-01f);
    return x * above / (below * y + Vector::fill(1));
}

template <class Vector> NONMONO_INLINE Vector sigmoid_of(Vector x) {
    const Vector half = Vector::fill(0.5f);
    return half + half * tanh_of(half * x);
}

// Word by word: memory = before + update * (candidate - before). The gates come as sums without their
// bias, and go as what was made of them. state[units]: what is remembered at first, and in the end.
NONMONO_KERNEL(void, recur, (const RecurrenceC* it, float* state), (it, state)) {
    const int units = it->units;
    for (int i = 0; i < it->n; ++i) {
        const size_t t = it->step > 0 ? i : it->n - 1 - i;
        float* gates = it->gates + 2 * t * units;
        for (int k = 0; k < units; k += WIDTH) {
            const Vector candidate = tanh_of(Vector::load(gates + k) + Vector::load(it->bias + k));
            const Vector update = sigmoid_of(Vector::load(gates + units + k) + Vector::load(it->bias + units + k));
            const Vector before = it->fresh[t] ? Vector::fill(0) : Vector::load(state + k);
            const Vector memory = before + update * (candidate - before);
            candidate.store(gates + k);
            update.store(gates + units + k);
            memory.store(state + k);
            memory.store(it->memory + t * it->row + k);
        }
    }
}

// The backward pass of `recur`. The gates, as it leaves them, become the gradients of their sums.
// state[units]: zeros. d_memory[n, row]: the gradient of what is remembered.
NONMONO_KERNEL(void, recur_backward, (const RecurrenceC* it, float* state, const float* d_memory),
               (it, state, d_memory)) {
    const int units = it->units;
    const Vector one = Vector::fill(1);
    for (int i = it->n - 1; i >= 0; --i) {
        const size_t t = it->step > 0 ? i : it->n - 1 - i;
        float* gates = it->gates + 2 * t * units;
        for (int k = 0; k < units; k += WIDTH) {
            const Vector candidate = Vector::load(gates + k);
            const Vector update = Vector::load(gates + units + k);
            const Vector before =
                it->fresh[t] ? Vector::fill(0) : Vector::load(it->memory + (t - it->step) * it->row + k);
            const Vector d = Vector::load(state + k) + Vector::load(d_memory + t * it->row + k);
            (d * update * (one - candidate * candidate)).store(gates + k);
            (d * (candidate - before) * update * (one - update)).store(gates + units + k);
            const Vector carried = it->fresh[t] ? Vector::fill(0) : d * (one - update);
            carried.store(state + k);
        }
    }
}

}  // namespace nonmono
