// The inner loops of the scorers, on vectors of 16 floats.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>

#include "vectors.h"

namespace nonmono {

using std::size_t;

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

// highest[n] = max(highest[n], row[n])
NONMONO_CLONES inline void max_row(float* highest, const float* row, int n) {
    int k = 0;
    for (; k + WIDTH <= n; k += WIDTH) {
        const Vector here = *(const Vector*)(row + k), best = *(const Vector*)(highest + k);
        *(Vector*)(highest + k) = NONMONO_MAX(here, best);
    }
    for (; k < n; ++k) highest[k] = row[k] > highest[k] ? row[k] : highest[k];
}

// One state's scores[n_out] in V vectors of columns: bias + hidden . weights.
template <int V>
static NONMONO_INLINE void score_columns(
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

// products[n_rows] = rows[n_rows, n] . vector[n]
NONMONO_CLONES inline void dot_rows(
    const float* vector, const float* rows, int n_rows, int n, float* products
) {
    for (int r = 0; r < n_rows; ++r) {
        const float* row = rows + (size_t)r * n;
        Vector total = {};
        int k = 0;
        for (; k + WIDTH <= n; k += WIDTH) total += *(const Vector*)(row + k) * *(const Vector*)(vector + k);
        products[r] = sum_lanes(total);
        for (; k < n; ++k) products[r] += row[k] * vector[k];
    }
}

// total[n] += scale * row[n]
NONMONO_CLONES inline void add_scaled(float* total, const float* row, float scale, int n) {
    int k = 0;
    for (; k + WIDTH <= n; k += WIDTH) *(Vector*)(total + k) += scale * *(const Vector*)(row + k);
    for (; k < n; ++k) total[k] += scale * row[k];
}

// The sum of row[k]^2
NONMONO_CLONES inline float sum_of_squares(const float* row, size_t n) {
    Vector total = {};
    size_t k = 0;
    for (; k + WIDTH <= n; k += WIDTH) total += *(const Vector*)(row + k) * *(const Vector*)(row + k);
    float sum = sum_lanes(total);
    for (; k < n; ++k) sum += row[k] * row[k];
    return sum;
}

// A step of Adam (Kingma & Ba 2015) with a scaled gradient, the decay of the weights, and their average,
// which may be NULL. Rate, decay and follow are those of this step. The gradient is zero afterwards.
NONMONO_CLONES inline void adam_step(
    float* __restrict weights, float* __restrict gradient, float* __restrict mom1,
    float* __restrict mom2, float* __restrict average, size_t n, float scale, float beta1,
    float beta2, float eps, float rate, float decay, float follow
) {
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
NONMONO_CLONES inline void normalize_rows(
    const float* X, int n, int width, const float* gain, const float* bias, float* Y, float* hat, float* scale
) {
    for (int s = 0; s < n; ++s) {
        const float* x = X + (size_t)s * width;
        float* h = hat + (size_t)s * width;
        float* y = Y + (size_t)s * width;
        Vector total = {};
        int k = 0;
        for (; k + WIDTH <= width; k += WIDTH) total += *(const Vector*)(x + k);
        float sum = sum_lanes(total);
        for (; k < width; ++k) sum += x[k];
        const float mean = sum / width;
        total = Vector{};
        for (k = 0; k + WIDTH <= width; k += WIDTH) {
            const Vector distance = *(const Vector*)(x + k) - mean;
            total += distance * distance;
        }
        sum = sum_lanes(total);
        for (; k < width; ++k) sum += (x[k] - mean) * (x[k] - mean);
        scale[s] = 1.0f / std::sqrt(sum / width + 1e-8f);
        for (k = 0; k + WIDTH <= width; k += WIDTH) {
            *(Vector*)(h + k) = (*(const Vector*)(x + k) - mean) * scale[s];
            *(Vector*)(y + k) = *(const Vector*)(h + k) * *(const Vector*)(gain + k) + *(const Vector*)(bias + k);
        }
        for (; k < width; ++k) {
            h[k] = (x[k] - mean) * scale[s];
            y[k] = h[k] * gain[k] + bias[k];
        }
    }
}

// The backward pass of normalize_rows; the gradients of gain and bias are added to.
NONMONO_CLONES inline void normalize_rows_backward(
    const float* dY, const float* hat, const float* scale, int n, int width, const float* gain, float* dX,
    float* d_gain, float* d_bias
) {
    for (int s = 0; s < n; ++s) {
        const float* dy = dY + (size_t)s * width;
        const float* h = hat + (size_t)s * width;
        float* dx = dX + (size_t)s * width;
        Vector total = {}, total_hat = {};
        int k = 0;
        for (; k + WIDTH <= width; k += WIDTH) {
            const Vector gradient = *(const Vector*)(dy + k);
            const Vector there = *(const Vector*)(h + k);
            const Vector d = gradient * *(const Vector*)(gain + k);
            *(Vector*)(d_gain + k) += gradient * there;
            *(Vector*)(d_bias + k) += gradient;
            *(Vector*)(dx + k) = d;
            total += d;
            total_hat += d * there;
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
            Vector* d = (Vector*)(dx + k);
            *d = (*d - mean - *(const Vector*)(h + k) * mean_hat) * scale[s];
        }
        for (; k < width; ++k) dx[k] = (dx[k] - mean - h[k] * mean_hat) * scale[s];
    }
}

}  // namespace nonmono
