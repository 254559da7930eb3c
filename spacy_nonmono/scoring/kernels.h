// The inner loops of the scorers.
#pragma once

#include <cstddef>
#include <cstring>

#include "../layers/vectors.h"

namespace nonmono {

using std::size_t;

// total[n] += row[n]
NONMONO_KERNEL(void, add_row, (float* total, const float* row, int n), (total, row, n)) {
    int k = 0;
    for (; k + WIDTH <= n; k += WIDTH) (Vector::load(total + k) + Vector::load(row + k)).store(total + k);
    for (; k < n; ++k) total[k] += row[k];
}

// total[n] += rows[0][n] + ... + rows[n_rows - 1][n], in that order. Four vectors of the total stay in
// registers while all rows are added to them.
NONMONO_KERNEL(
    void, add_rows, (float* total, const float* const* rows, int n_rows, int n), (total, rows, n_rows, n)
) {
    int k = 0;
    for (; k + 4 * WIDTH <= n; k += 4 * WIDTH) {
        float* block = total + k;
        Vector a = Vector::load(block), b = Vector::load(block + WIDTH);
        Vector c = Vector::load(block + 2 * WIDTH), d = Vector::load(block + 3 * WIDTH);
        for (int r = 0; r < n_rows; ++r) {
            const float* row = rows[r] + k;
            a = a + Vector::load(row);
            b = b + Vector::load(row + WIDTH);
            c = c + Vector::load(row + 2 * WIDTH);
            d = d + Vector::load(row + 3 * WIDTH);
        }
        a.store(block);
        b.store(block + WIDTH);
        c.store(block + 2 * WIDTH);
        d.store(block + 3 * WIDTH);
    }
    for (int r = 0; r < n_rows; ++r) {
        for (int j = k; j < n; ++j) total[j] += rows[r][j];
    }
}

// highest[n] = max(highest[n], row[n])
NONMONO_KERNEL(void, max_row, (float* highest, const float* row, int n), (highest, row, n)) {
    int k = 0;
    for (; k + WIDTH <= n; k += WIDTH) max(Vector::load(row + k), Vector::load(highest + k)).store(highest + k);
    for (; k < n; ++k) highest[k] = row[k] > highest[k] ? row[k] : highest[k];
}

// One state's scores[n_out] in V vectors of columns: bias + hidden . weights. units[n_units]: the hidden
// units that are not zero.
template <int V, class Vector>
NONMONO_INLINE void score_columns(
    const float* hidden, const int* units, int n_units, const float* weights, int width, const float* bias,
    float* scores, int n_out
) {
    Vector total[V];
    float all[V * WIDTH];
    for (int v = 0; v < V; ++v) total[v] = Vector::load(bias + v * WIDTH);
    for (int k = 0; k < n_units; ++k) {
        const int h = units[k];
        const float* row = weights + (size_t)h * width;
        const Vector unit = Vector::fill(hidden[h]);
        for (int v = 0; v < V; ++v) total[v] = total[v] + unit * Vector::load(row + v * WIDTH);
    }
    for (int v = 0; v < V; ++v) total[v].store(all + v * WIDTH);
    std::memcpy(scores, all, n_out * sizeof(float));
}

// One state's scores from column c on, in four vectors of columns at most.
template <class Vector>
NONMONO_INLINE void score_block(
    const float* hidden, const int* units, int n_units, const float* weights, int width, const float* bias,
    float* scores, int nO, int c
) {
    const int n_out = nO - c < 4 * WIDTH ? nO - c : 4 * WIDTH;
    const float *w = weights + c, *b = bias + c;
    float* out = scores + c;
    if (n_out > 3 * WIDTH) score_columns<4, Vector>(hidden, units, n_units, w, width, b, out, n_out);
    else if (n_out > 2 * WIDTH) score_columns<3, Vector>(hidden, units, n_units, w, width, b, out, n_out);
    else if (n_out > WIDTH) score_columns<2, Vector>(hidden, units, n_units, w, width, b, out, n_out);
    else score_columns<1, Vector>(hidden, units, n_units, w, width, b, out, n_out);
}

// scores[n, nO] = bias + hidden[n, nH] . weights, where many hidden units are zero. The weights [nH, width]
// and the bias [width] are padded: width is nO rounded up to a multiple of WIDTH. A BLAS would pack the
// weights anew in every call, which costs more than the product where few states are scored together.
// units[nH]: scratch.
NONMONO_KERNEL(void, score_sparse_rows, (
    const float* hidden, int n, int nH, const float* weights, int width, const float* bias, float* scores,
    int nO, int* units
), (hidden, n, nH, weights, width, bias, scores, nO, units)) {
    for (int s = 0; s < n; ++s) {
        const float* h = hidden + (size_t)s * nH;
        int n_units = 0;
        for (int k = 0; k < nH; ++k) {
            units[n_units] = k;
            n_units += h[k] != 0;
        }
        for (int c = 0; c < nO; c += 4 * WIDTH) {
            score_block<Vector>(h, units, n_units, weights, width, bias, scores + (size_t)s * nO, nO, c);
        }
    }
}

// products[n_rows] = rows[n_rows, n] . vector[n]
NONMONO_KERNEL(void, dot_rows, (
    const float* vector, const float* rows, int n_rows, int n, float* products
), (vector, rows, n_rows, n, products)) {
    for (int r = 0; r < n_rows; ++r) {
        const float* row = rows + (size_t)r * n;
        Vector total = Vector::fill(0);
        int k = 0;
        for (; k + WIDTH <= n; k += WIDTH) total = total + Vector::load(row + k) * Vector::load(vector + k);
        products[r] = sum_lanes(total);
        for (; k < n; ++k) products[r] += row[k] * vector[k];
    }
}

// total[n] += scale * row[n]
NONMONO_KERNEL(
    void, add_scaled, (float* total, const float* row, float scale, int n), (total, row, scale, n)
) {
    const Vector factor = Vector::fill(scale);
    int k = 0;
    for (; k + WIDTH <= n; k += WIDTH) {
        (Vector::load(total + k) + factor * Vector::load(row + k)).store(total + k);
    }
    for (; k < n; ++k) total[k] += scale * row[k];
}

}  // namespace nonmono
