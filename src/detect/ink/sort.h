/* SPDX-License-Identifier: BSD-2-Clause */
/* Heap sorts: no memory, no worst case, and the same order everywhere. */
#ifndef PL_DETECT_INK_SORT_H
#define PL_DETECT_INK_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Ascending. */
void pl_sort_doubles(double *v, size_t n);
/* Indices by ascending key[index], equal keys by index. */
void pl_sort_by_key(uint32_t *index, size_t n, const double *key);
/* Middle value (the lower of two); sorts v. 0 when n is 0. */
double pl_median(double *v, size_t n);

#endif
