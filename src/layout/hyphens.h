/* SPDX-License-Identifier: BSD-2-Clause */
/* Hyphens at the ends of lines: those that are there since a line was full, and those of their
 * words. */
#ifndef PL_LAYOUT_HYPHENS_H
#define PL_LAYOUT_HYPHENS_H

#include "page/result.h"

struct pl_kernels;
struct pl_language;

/* What tells of a hyphen: the other words of its page, and what its language knows. */
struct pl_hyphens {
    const struct pl_regions *page;
    const struct pl_kernels *k;         /* may be NULL without a language */
    const struct pl_language *language; /* or NULL */
};

/* Returns how a line goes on from one that is no end of a paragraph. */
enum pl_join pl_hyphens_join(const struct pl_hyphens *h, const char *line, const char *next);

#endif
