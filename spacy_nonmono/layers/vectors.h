// Vectors of 16 floats, put together of the processor's own, and kernels that are compiled once for each
// size of these: a portable build would be bound to vectors of four. Of vectors that are wider than the
// processor's GCC makes code that is ten times as slow.
#pragma once

#include "../compiler.h"

#ifdef NONMONO_GNU
#define NONMONO_INLINE inline __attribute__((always_inline))
#else
#define NONMONO_INLINE inline
#endif

#if defined(NONMONO_GNU) && defined(__x86_64__)
#define NONMONO_SIZES
#endif

// NONMONO_KERNEL(result, name, (parameters), (arguments)) {body} defines a function. `Vector` is a vector of
// 16 floats in the body.
#ifdef NONMONO_SIZES
#define NONMONO_KERNEL(result, name, parameters, arguments) \
    template <class Vector> NONMONO_INLINE result name##_body parameters; \
    inline result name##_4 parameters { return name##_body<Floats<16, 4>> arguments; } \
    __attribute__((target("avx2,fma"))) inline result name##_8 parameters { \
        return name##_body<Floats<16, 8>> arguments; \
    } \
    __attribute__((target("avx512f"))) inline result name##_16 parameters { \
        return name##_body<Floats<16, 16>> arguments; \
    } \
    inline result name parameters { \
        return LANES == 16 ? name##_16 arguments : LANES == 8 ? name##_8 arguments : name##_4 arguments; \
    } \
    template <class Vector> NONMONO_INLINE result name##_body parameters
#else
#define NONMONO_KERNEL(result, name, parameters, arguments) \
    template <class Vector> NONMONO_INLINE result name##_body parameters; \
    inline result name parameters { return name##_body<Floats<16, LANES>> arguments; } \
    template <class Vector> NONMONO_INLINE result name##_body parameters
#endif

namespace nonmono {

constexpr int WIDTH = 16;

// The floats of one of the processor's vectors
#ifdef NONMONO_SIZES
static const int LANES =
    __builtin_cpu_supports("avx512f") ? 16
    : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 8
    : 4;
#elif defined(NONMONO_GNU)
constexpr int LANES = 4;
#else
constexpr int LANES = 1;
#endif

template <int lanes> struct Native;
template <> struct Native<1> { typedef float Type; };
#ifdef NONMONO_GNU
#define NONMONO_NATIVE(lanes) \
    template <> struct Native<lanes> { \
        typedef float Type __attribute__((vector_size(4 * lanes), aligned(4), may_alias)); \
    };
NONMONO_NATIVE(4)
NONMONO_NATIVE(8)
NONMONO_NATIVE(16)
#endif

// n floats in vectors of `lanes`
template <int n, int lanes> struct Floats {
    typedef Floats<n / 2, lanes> Half;
    Half low, high;

    static NONMONO_INLINE Floats load(const float* from) { return {Half::load(from), Half::load(from + n / 2)}; }
    static NONMONO_INLINE Floats fill(float value) { return {Half::fill(value), Half::fill(value)}; }
    NONMONO_INLINE void store(float* to) const { low.store(to), high.store(to + n / 2); }
    NONMONO_INLINE float operator[](int k) const { return k < n / 2 ? low[k] : high[k - n / 2]; }

    friend NONMONO_INLINE Floats operator+(Floats a, Floats b) { return {a.low + b.low, a.high + b.high}; }
    friend NONMONO_INLINE Floats operator-(Floats a, Floats b) { return {a.low - b.low, a.high - b.high}; }
    friend NONMONO_INLINE Floats operator*(Floats a, Floats b) { return {a.low * b.low, a.high * b.high}; }
    friend NONMONO_INLINE Floats operator/(Floats a, Floats b) { return {a.low / b.low, a.high / b.high}; }
    friend NONMONO_INLINE Floats max(Floats a, Floats b) { return {max(a.low, b.low), max(a.high, b.high)}; }
    friend NONMONO_INLINE Floats min(Floats a, Floats b) { return {min(a.low, b.low), min(a.high, b.high)}; }
};

template <int n> struct Floats<n, n> {
    typedef typename Native<n>::Type Vector;
    Vector lanes;

    static NONMONO_INLINE Floats load(const float* from) { return {*(const Vector*)from}; }
    static NONMONO_INLINE Floats fill(float value) { return {value - Vector{}}; }
    NONMONO_INLINE void store(float* to) const { *(Vector*)to = lanes; }
    NONMONO_INLINE float operator[](int k) const { return ((const float*)&lanes)[k]; }

    friend NONMONO_INLINE Floats operator+(Floats a, Floats b) { return {a.lanes + b.lanes}; }
    friend NONMONO_INLINE Floats operator-(Floats a, Floats b) { return {a.lanes - b.lanes}; }
    friend NONMONO_INLINE Floats operator*(Floats a, Floats b) { return {a.lanes * b.lanes}; }
    friend NONMONO_INLINE Floats operator/(Floats a, Floats b) { return {a.lanes / b.lanes}; }
    friend NONMONO_INLINE Floats max(Floats a, Floats b) { return {a.lanes > b.lanes ? a.lanes : b.lanes}; }
    friend NONMONO_INLINE Floats min(Floats a, Floats b) { return {a.lanes < b.lanes ? a.lanes : b.lanes}; }
};

template <class Vector> NONMONO_INLINE float sum_lanes(Vector total) {
    float sum = 0;
    for (int k = 0; k < WIDTH; ++k) sum += total[k];
    return sum;
}

}  // namespace nonmono
