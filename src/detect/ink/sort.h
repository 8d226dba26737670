/* SPDX-License-Identifier: BSD-2-Clause */
/* Heap sorts: they take no memory, have no bad case, and give the same order everywhere. */
#ifndef PL_DETECT_INK_SORT_H
#define PL_DETECT_INK_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts v[0..n) in ascending order. */
void pl_sort_doubles(double *v, size_t n);
/* Sorts indices by ascending key[index], and those with equal keys by index. */
void pl_sort_by_key(uint32_t *index, size_t n, const double *key);
/* Returns the middle value, the lower one of two, or 0 when n is 0. Sorts v. */
double pl_median(double *v, size_t n);

#endif
