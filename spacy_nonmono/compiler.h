// What GCC and Clang have beyond C++17, and the same in plain C++ for the others. NONMONO_PLAIN makes any
// compiler take the plain one.
#pragma once

#include <cstdint>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(NONMONO_PLAIN)
#define NONMONO_GNU
#endif

// A macro: GCC may drop the call of a function that does nothing else
#ifdef NONMONO_GNU
#define NONMONO_PREFETCH(address) __builtin_prefetch(address)
#else
#define NONMONO_PREFETCH(address) ((void)(address))
#endif

namespace nonmono {

// The number of the lowest bit that is set; one must be.
inline int lowest_bit(std::uint64_t word) {
#ifdef NONMONO_GNU
    return __builtin_ctzll(word);
#else
    int k = 0;
    for (; !(word & 1); word >>= 1) ++k;
    return k;
#endif
}

}  // namespace nonmono
