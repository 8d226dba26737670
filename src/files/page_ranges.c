/* SPDX-License-Identifier: BSD-2-Clause */
#include "files/page_ranges.h"

#include <limits.h>

/* Reads a page number at *s and moves *s behind it; 0 = there is none, or no file has that many
 * pages. */
static int read_number(const char **s)
{
    long v = 0;
    for (; **s >= '0' && **s <= '9'; (*s)++)
        v = v > INT_MAX ? v : 10 * v + (**s - '0');
    return v > INT_MAX ? 0 : (int)v;
}

static platen_status fail_text(const char *text, struct platen_error *err)
{
    return pl_fail(err, PLATEN_ERR_ARG, "pages must be numbers and ranges, as 3-7,12,20-, not '%s'",
                   text);
}

platen_status pl_page_ranges_parse(const char *text, struct pl_page_ranges *ret,
                                   struct platen_error *err)
{
    struct pl_page_ranges r = {.n = 0};
    const char *s = text;
    for (;; s++) {
        const int first = read_number(&s);
        int last = first;
        if (*s == '-') {
            s++;
            last = *s && *s != ',' ? read_number(&s) : INT_MAX;
        }
        if (first < 1 || last < first || (*s && *s != ','))
            return fail_text(text, err);
        if (r.n == PL_PAGE_RANGES)
            return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d ranges of pages", PL_PAGE_RANGES);
        r.v[r.n].first = first;
        r.v[r.n++].last = last;
        if (!*s)
            break;
    }
    *ret = r;
    return PLATEN_OK;
}

bool pl_page_ranges_have(const struct pl_page_ranges *r, int page)
{
    for (size_t i = 0; i < r->n; i++)
        if (page >= r->v[i].first && page <= r->v[i].last)
            return true;
    return !r->n;
}
