// The inner loops of the simple recurrent unit (Lei et al. 2018).
#pragma once

#include "vectors.h"

namespace nonmono {

// The arrays of one direction. Row t belongs to word t; "before" is what the direction passes before.
struct RecurrenceC {
    int n;                 // words
    int units;             // a multiple of WIDTH
    int step;              // 1: from the first word to the last, -1: the other way
    const unsigned char* fresh;  // [n] nothing is remembered before word t
    float* gates;          // [n, gates_row] candidate, update, reset [units each], and what else is in a row
    size_t gates_row;
    const float* bias;     // [3 * units] of the gates
    const float* skip;     // [n, skip_row] what passes the memory by
    size_t skip_row;
    float* memory;         // [n, units]
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

// Word by word: memory = before + update * (candidate - before), out = skip + reset * (memory - skip).
// The gates come as sums without their bias, and go as what was made of them. state[units]: what is
// remembered at first, and in the end.
NONMONO_KERNEL(void, recur, (const RecurrenceC* it, float* state, float* out, size_t out_row),
               (it, state, out, out_row)) {
    const int units = it->units;
    for (int i = 0; i < it->n; ++i) {
        const size_t t = it->step > 0 ? i : it->n - 1 - i;
        float* gates = it->gates + t * it->gates_row;
        for (int k = 0; k < units; k += WIDTH) {
            const Vector candidate = tanh_of(Vector::load(gates + k) + Vector::load(it->bias + k));
            const Vector update = sigmoid_of(Vector::load(gates + units + k) + Vector::load(it->bias + units + k));
            const Vector reset =
                sigmoid_of(Vector::load(gates + 2 * units + k) + Vector::load(it->bias + 2 * units + k));
            const Vector skip = Vector::load(it->skip + t * it->skip_row + k);
            const Vector before = it->fresh[t] ? Vector::fill(0) : Vector::load(state + k);
            const Vector memory = before + update * (candidate - before);
            candidate.store(gates + k);
            update.store(gates + units + k);
            reset.store(gates + 2 * units + k);
            memory.store(state + k);
            memory.store(it->memory + t * units + k);
            (skip + reset * (memory - skip)).store(out + t * out_row + k);
        }
    }
}

// The backward pass of `recur`. The gates, as it leaves them, become the gradients of their sums.
// state[units]: zeros. d_skip[n, d_skip_row] may take the place of skip.
NONMONO_KERNEL(void, recur_backward, (
    const RecurrenceC* it, float* state, const float* d_out, size_t out_row, float* d_skip, size_t d_skip_row
), (it, state, d_out, out_row, d_skip, d_skip_row)) {
    const int units = it->units;
    const Vector one = Vector::fill(1);
    for (int i = it->n - 1; i >= 0; --i) {
        const size_t t = it->step > 0 ? i : it->n - 1 - i;
        float* gates = it->gates + t * it->gates_row;
        for (int k = 0; k < units; k += WIDTH) {
            const Vector candidate = Vector::load(gates + k);
            const Vector update = Vector::load(gates + units + k);
            const Vector reset = Vector::load(gates + 2 * units + k);
            const Vector skip = Vector::load(it->skip + t * it->skip_row + k);
            const Vector memory = Vector::load(it->memory + t * units + k);
            const Vector before =
                it->fresh[t] ? Vector::fill(0) : Vector::load(it->memory + (t - it->step) * units + k);
            const Vector d = Vector::load(d_out + t * out_row + k);
            const Vector d_memory = Vector::load(state + k) + d * reset;
            (d_memory * update * (one - candidate * candidate)).store(gates + k);
            (d_memory * (candidate - before) * update * (one - update)).store(gates + units + k);
            (d * (memory - skip) * reset * (one - reset)).store(gates + 2 * units + k);
            (d * (one - reset)).store(d_skip + t * d_skip_row + k);
            const Vector carried = it->fresh[t] ? Vector::fill(0) : d_memory * (one - update);
            carried.store(state + k);
        }
    }
}

}  // namespace nonmono
