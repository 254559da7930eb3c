// The inner loops of the neural scorer, on vectors of 16 floats. On x86-64 Linux GCC compiles them once
// for each instruction set and picks one when the program starts: a portable build would be bound to
// vectors of four.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define NONMONO_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define NONMONO_CLONES
#endif

namespace nonmono {

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

}  // namespace nonmono
