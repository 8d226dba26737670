/* SPDX-License-Identifier: BSD-2-Clause */
/* Which pages of a file are wanted: "3-7,12,20-". */
#ifndef PL_FILES_PAGE_RANGES_H
#define PL_FILES_PAGE_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define PL_PAGE_RANGES 64 /* in one text */

struct pl_page_ranges {
    struct {
        int first, last; /* from 1, both of them wanted */
    } v[PL_PAGE_RANGES];
    size_t n; /* 0 = every page */
};

/* Numbers of pages from 1, "3", ranges of them, "3-7", and ranges without an end, "20-", parted by
 * commas. PLATEN_ERR_ARG; PLATEN_ERR_LIMIT beyond PL_PAGE_RANGES. */
PL_MUST_USE platen_status pl_page_ranges_parse(const char *text, struct pl_page_ranges *ret,
                                               struct platen_error *err);
bool pl_page_ranges_have(const struct pl_page_ranges *r, int page);

#endif
