// The inner loops of the scorers.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>

#include "vectors.h"

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

// One state's scores[n_out] in V vectors of columns: bias + hidden . weights.
template <int V, class Vector>
NONMONO_INLINE void score_columns(
    const float* hidden, int nH, const float* weights, int width, const float* bias, float* scores, int n_out
) {
    Vector total[V];
    float all[V * WIDTH];
    for (int v = 0; v < V; ++v) total[v] = Vector::load(bias + v * WIDTH);
    for (int h = 0; h < nH; ++h) {
        const float* row = weights + (size_t)h * width;
        const Vector unit = Vector::fill(hidden[h]);
        for (int v = 0; v < V; ++v) total[v] = total[v] + unit * Vector::load(row + v * WIDTH);
    }
    for (int v = 0; v < V; ++v) total[v].store(all + v * WIDTH);
    std::memcpy(scores, all, n_out * sizeof(float));
}

// scores[n, nO] = bias + hidden[n, nH] . weights. The weights [nH, width] and the bias [width] are padded:
// width is nO rounded up to a multiple of WIDTH. The weights of four vectors of columns stay in the cache
// for all states. A BLAS would pack the weights anew in every call, which costs more than the product
// where few states are scored together.
NONMONO_KERNEL(void, score_rows, (
    const float* hidden, int n, int nH, const float* weights, int width, const float* bias, float* scores,
    int nO
), (hidden, n, nH, weights, width, bias, scores, nO)) {
    for (int c = 0; c < nO; c += 4 * WIDTH) {
        const int n_out = nO - c < 4 * WIDTH ? nO - c : 4 * WIDTH;
        const float *w = weights + c, *b = bias + c;
        for (int s = 0; s < n; ++s) {
            const float* h = hidden + (size_t)s * nH;
            float* out = scores + (size_t)s * nO + c;
            if (n_out > 3 * WIDTH) score_columns<4, Vector>(h, nH, w, width, b, out, n_out);
            else if (n_out > 2 * WIDTH) score_columns<3, Vector>(h, nH, w, width, b, out, n_out);
            else if (n_out > WIDTH) score_columns<2, Vector>(h, nH, w, width, b, out, n_out);
            else score_columns<1, Vector>(h, nH, w, width, b, out, n_out);
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

// The sum of row[k]^2
NONMONO_KERNEL(float, sum_of_squares, (const float* row, size_t n), (row, n)) {
    Vector total = Vector::fill(0);
    size_t k = 0;
    for (; k + WIDTH <= n; k += WIDTH) total = total + Vector::load(row + k) * Vector::load(row + k);
    float sum = sum_lanes(total);
    for (; k < n; ++k) sum += row[k] * row[k];
    return sum;
}

// A step of Adam (Kingma & Ba 2015) with a scaled gradient, the decay of the weights, and their average,
// which may be NULL. Rate, decay and follow are those of this step. The gradient is zero afterwards.
NONMONO_KERNEL(void, adam_step, (
    float* __restrict weights, float* __restrict gradient, float* __restrict mom1, float* __restrict mom2,
    float* __restrict average, size_t n, float scale, float beta1, float beta2, float eps, float rate,
    float decay, float follow
), (weights, gradient, mom1, mom2, average, n, scale, beta1, beta2, eps, rate, decay, follow)) {
    for (size_t k = 0; k < n; ++k) {
        const float g = scale * gradient[k];
        mom1[k] = beta1 * mom1[k] + (1 - beta1) * g;
        mom2[k] = beta2 * mom2[k] + (1 - beta2) * g * g;
        const float moved = weights[k] - rate * mom1[k] / (std::sqrt(mom2[k]) + eps);
        weights[k] = moved - decay * moved;
        if (average) average[k] += follow * (weights[k] - average[k]);
        gradient[k] = 0;
    }
}

// Layer normalization of rows (Ba et al. 2016): hat[n, width] = (X - mean) * scale, Y = hat * gain + bias;
// scale[n] = 1 / the standard deviation.
NONMONO_KERNEL(void, normalize_rows, (
    const float* X, int n, int width, const float* gain, const float* bias, float* Y, float* hat,
    float* scale
), (X, n, width, gain, bias, Y, hat, scale)) {
    for (int s = 0; s < n; ++s) {
        const float* x = X + (size_t)s * width;
        float* h = hat + (size_t)s * width;
        float* y = Y + (size_t)s * width;
        Vector total = Vector::fill(0);
        int k = 0;
        for (; k + WIDTH <= width; k += WIDTH) total = total + Vector::load(x + k);
        float sum = sum_lanes(total);
        for (; k < width; ++k) sum += x[k];
        const float mean = sum / width;
        total = Vector::fill(0);
        for (k = 0; k + WIDTH <= width; k += WIDTH) {
            const Vector distance = Vector::load(x + k) - Vector::fill(mean);
            total = total + distance * distance;
        }
        sum = sum_lanes(total);
        for (; k < width; ++k) sum += (x[k] - mean) * (x[k] - mean);
        scale[s] = 1.0f / std::sqrt(sum / width + 1e-8f);
        for (k = 0; k + WIDTH <= width; k += WIDTH) {
            const Vector there = (Vector::load(x + k) - Vector::fill(mean)) * Vector::fill(scale[s]);
            there.store(h + k);
            (there * Vector::load(gain + k) + Vector::load(bias + k)).store(y + k);
        }
        for (; k < width; ++k) {
            h[k] = (x[k] - mean) * scale[s];
            y[k] = h[k] * gain[k] + bias[k];
        }
    }
}

// The backward pass of normalize_rows; the gradients of gain and bias are added to.
NONMONO_KERNEL(void, normalize_rows_backward, (
    const float* dY, const float* hat, const float* scale, int n, int width, const float* gain, float* dX,
    float* d_gain, float* d_bias
), (dY, hat, scale, n, width, gain, dX, d_gain, d_bias)) {
    for (int s = 0; s < n; ++s) {
        const float* dy = dY + (size_t)s * width;
        const float* h = hat + (size_t)s * width;
        float* dx = dX + (size_t)s * width;
        Vector total = Vector::fill(0), total_hat = Vector::fill(0);
        int k = 0;
        for (; k + WIDTH <= width; k += WIDTH) {
            const Vector gradient = Vector::load(dy + k), there = Vector::load(h + k);
            const Vector d = gradient * Vector::load(gain + k);
            (Vector::load(d_gain + k) + gradient * there).store(d_gain + k);
            (Vector::load(d_bias + k) + gradient).store(d_bias + k);
            d.store(dx + k);
            total = total + d;
            total_hat = total_hat + d * there;
        }
        float sum = sum_lanes(total), sum_hat = sum_lanes(total_hat);
        for (; k < width; ++k) {
            d_gain[k] += dy[k] * h[k];
            d_bias[k] += dy[k];
            dx[k] = dy[k] * gain[k];
            sum += dx[k];
            sum_hat += dx[k] * h[k];
        }
        const float mean = sum / width, mean_hat = sum_hat / width;
        for (k = 0; k + WIDTH <= width; k += WIDTH) {
            const Vector centred = Vector::load(dx + k) - Vector::fill(mean);
            const Vector along = Vector::load(h + k) * Vector::fill(mean_hat);
            ((centred - along) * Vector::fill(scale[s])).store(dx + k);
        }
        for (; k < width; ++k) dx[k] = (dx[k] - mean - h[k] * mean_hat) * scale[s];
    }
}

}  // namespace nonmono
