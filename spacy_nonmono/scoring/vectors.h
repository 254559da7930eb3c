// Vectors of 16 floats: those of GCC and Clang, or a struct with as much of them as the kernels need.
#pragma once

#include "../compiler.h"

// On x86-64 Linux GCC compiles a function once for each instruction set and picks one when the program
// starts: a portable build would be bound to vectors of four.
#if defined(NONMONO_GNU) && defined(__x86_64__) && defined(__linux__) && !defined(__clang__)
#define NONMONO_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define NONMONO_CLONES
#endif

#ifdef NONMONO_GNU
#define NONMONO_INLINE inline __attribute__((always_inline))
#else
#define NONMONO_INLINE inline
#endif

namespace nonmono {

constexpr int WIDTH = 16;

#ifdef NONMONO_GNU

typedef float Vector __attribute__((vector_size(64), aligned(4), may_alias));

// max(a, b) in every lane. A macro: of a function GCC makes other machine code.
#define NONMONO_MAX(a, b) ((a) > (b) ? (a) : (b))

#else

struct Vector {
    float lanes[WIDTH];

    float operator[](int k) const { return lanes[k]; }
};

#define NONMONO_OPERATOR(sign) \
    inline Vector& operator sign##=(Vector& a, const Vector& b) { \
        for (int k = 0; k < WIDTH; ++k) a.lanes[k] sign##= b.lanes[k]; \
        return a; \
    } \
    inline Vector operator sign(Vector a, const Vector& b) { return a sign##= b; } \
    inline Vector operator sign(Vector a, float b) { \
        for (int k = 0; k < WIDTH; ++k) a.lanes[k] sign##= b; \
        return a; \
    }

NONMONO_OPERATOR(+)
NONMONO_OPERATOR(-)
NONMONO_OPERATOR(*)

inline Vector operator*(float a, const Vector& b) { return b * a; }

inline Vector max_lanes(Vector a, const Vector& b) {
    for (int k = 0; k < WIDTH; ++k) a.lanes[k] = a.lanes[k] > b.lanes[k] ? a.lanes[k] : b.lanes[k];
    return a;
}

#define NONMONO_MAX(a, b) max_lanes(a, b)

#endif

static NONMONO_INLINE float sum_lanes(Vector total) {
    float sum = 0;
    for (int k = 0; k < WIDTH; ++k) sum += total[k];
    return sum;
}

}  // namespace nonmono
