// The inner loops of the neural scorer, on vectors of 16 floats. On x86-64 Linux GCC compiles them once
// for each instruction set and picks one when the program starts: a portable build would be bound to
// vectors of four.
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define NONMONO_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define NONMONO_CLONES
#endif

namespace nonmono {

using std::size_t;

typedef float Vector __attribute__((vector_size(64), aligned(4), may_alias));
constexpr int WIDTH = 16;

// total[n] += row[n]
NONMONO_CLONES inline void add_row(float* total, const float* row, int n) {
    int k = 0;
    for (; k + WIDTH <= n; k += WIDTH) {
        *(Vector*)(total + k) += *(const Vector*)(row + k);
    }
    for (; k < n; ++k) total[k] += row[k];
}

// total[n] += rows[0][n] + ... + rows[n_rows - 1][n], in that order. Four vectors of the total stay in
// registers while all rows are added to them.
NONMONO_CLONES inline void add_rows(float* total, const float* const* rows, int n_rows, int n) {
    int k = 0;
    for (; k + 4 * WIDTH <= n; k += 4 * WIDTH) {
        Vector* block = (Vector*)(total + k);
        Vector a = block[0], b = block[1], c = block[2], d = block[3];
        for (int r = 0; r < n_rows; ++r) {
            const Vector* row = (const Vector*)(rows[r] + k);
            a += row[0];
            b += row[1];
            c += row[2];
            d += row[3];
        }
        block[0] = a;
        block[1] = b;
        block[2] = c;
        block[3] = d;
    }
    for (int r = 0; r < n_rows; ++r) {
        for (int j = k; j < n; ++j) total[j] += rows[r][j];
    }
}

// One state's scores[n_out] in V vectors of columns: bias + hidden . weights.
template <int V>
static inline __attribute__((always_inline)) void score_columns(
    const float* hidden, int nH, const float* weights, int width, const float* bias, float* scores, int n_out
) {
    Vector total[V];
    for (int v = 0; v < V; ++v) total[v] = *(const Vector*)(bias + v * WIDTH);
    for (int h = 0; h < nH; ++h) {
        const Vector* row = (const Vector*)(weights + (size_t)h * width);
        for (int v = 0; v < V; ++v) total[v] += hidden[h] * row[v];
    }
    std::memcpy(scores, total, n_out * sizeof(float));
}

// scores[n, nO] = bias + hidden[n, nH] . weights. The weights [nH, width] and the bias [width] are padded:
// width is nO rounded up to a multiple of WIDTH. The weights of four vectors of columns stay in the cache
// for all states. A BLAS would pack the weights anew in every call, which costs more than the product
// where few states are scored together.
NONMONO_CLONES inline void score_rows(
    const float* hidden, int n, int nH, const float* weights, int width, const float* bias, float* scores,
    int nO
) {
    for (int c = 0; c < nO; c += 4 * WIDTH) {
        const int n_out = nO - c < 4 * WIDTH ? nO - c : 4 * WIDTH;
        for (int s = 0; s < n; ++s) {
            const float* h = hidden + (size_t)s * nH;
            float* out = scores + (size_t)s * nO + c;
            if (n_out > 3 * WIDTH) score_columns<4>(h, nH, weights + c, width, bias + c, out, n_out);
            else if (n_out > 2 * WIDTH) score_columns<3>(h, nH, weights + c, width, bias + c, out, n_out);
            else if (n_out > WIDTH) score_columns<2>(h, nH, weights + c, width, bias + c, out, n_out);
            else score_columns<1>(h, nH, weights + c, width, bias + c, out, n_out);
        }
    }
}

}  // namespace nonmono
