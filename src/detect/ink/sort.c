/* SPDX-License-Identifier: BSD-2-Clause */
/* Heap sorts of numbers and of indices. */
#include "detect/ink/sort.h"

static void sift_double(double *v, size_t i, size_t n)
{
    double x = v[i];
    for (size_t c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && v[c + 1] > v[c])
            c++;
        if (v[c] <= x)
            break;
        v[i] = v[c];
    }
    v[i] = x;
}

void pl_sort_doubles(double *v, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        sift_double(v, i, n);
    for (size_t end = n; end > 1;) {
        double top = v[0];
        v[0] = v[--end];
        v[end] = top;
        sift_double(v, 0, end);
    }
}

static int above(const double *key, uint32_t a, uint32_t b)
{
    return key[a] > key[b] || (key[a] >= key[b] && a > b);
}

static void sift_index(uint32_t *v, size_t i, size_t n, const double *key)
{
    uint32_t x = v[i];
    for (size_t c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && above(key, v[c + 1], v[c]))
            c++;
        if (!above(key, v[c], x))
            break;
        v[i] = v[c];
    }
    v[i] = x;
}

void pl_sort_by_key(uint32_t *index, size_t n, const double *key)
{
    for (size_t i = n / 2; i-- > 0;)
        sift_index(index, i, n, key);
    for (size_t end = n; end > 1;) {
        uint32_t top = index[0];
        index[0] = index[--end];
        index[end] = top;
        sift_index(index, 0, end, key);
    }
}

double pl_median(double *v, size_t n)
{
    pl_sort_doubles(v, n);
    return n ? v[(n - 1) / 2] : 0;
}
