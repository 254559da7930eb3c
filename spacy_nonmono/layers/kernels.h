// The inner loops of the layers.
#pragma once

#include <cmath>
#include <cstddef>

#include "vectors.h"

namespace nonmono {

using std::size_t;

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
