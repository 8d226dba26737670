/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/tiff/tiff_dirs.h"

#include <string.h>

#include "base/mem.h"
#include "codec/tiff/tiff_fields.h"

/* Fields of a directory among which its kind is looked for; real ones have fewer. */
#define MAX_FIELDS_OF_KIND 256u

/* Fields should be sorted; libtiff takes those that are not. */
static bool is_page(const struct pl_tiff_file *f, const struct pl_tiff_directory *d)
{
    for (uint64_t i = 0; i < PL_MIN(d->count, MAX_FIELDS_OF_KIND); i++) {
        struct pl_tiff_field v = pl_tiff_read_field(f, d, i);
        if (v.tag == PL_TIFF_SUBFILE && v.count)
            return !(pl_tiff_value(f, &v, 0) & (1 | 4));
        if (v.tag == PL_TIFF_OLD_SUBFILE && v.count)
            return pl_tiff_value(f, &v, 0) != 2;
    }
    return true;
}

/* How many of v[0..n) come before the chain repeats itself: v was followed for n steps without an
 * end. All of them when it does not. */
static int before_repeat(const uint64_t *v, int n)
{
    int period = 1, first = 0;
    while (period < n && v[n - 1 - period] != v[n - 1])
        period++;
    if (period == n)
        return n;
    while (v[first] != v[first + period])
        first++;
    return first + period;
}

/* Of the bytes of a file each can be of one directory only: where directories lie over each other,
 * a small file would have work for hours. */
static bool spend(uint64_t *left, uint64_t bytes)
{
    bool enough = bytes <= *left;
    *left -= enough ? bytes : 0;
    return enough;
}

/* Every directory of the chain, and how it ends. */
struct chain {
    uint64_t *v; /* room for one more */
    int n, cap;
    bool broken, ring; /* it leads out of the file; back */
};

static bool make_room(struct chain *c)
{
    if (c->n + 1 < c->cap)
        return true;
    int cap = PL_MAX(2 * c->cap, 64);
    uint64_t *v = pl_realloc(c->v, (size_t)cap, sizeof(*v));
    if (v) {
        c->v = v;
        c->cap = cap;
    }
    return v;
}

static platen_status follow(const struct pl_tiff_file *f, struct chain *c, struct platen_error *err)
{
    struct pl_tiff_directory d;
    uint64_t at = f->first;
    do {
        if (!make_room(c))
            return pl_fail_nomem(err, (size_t)c->cap * sizeof(*c->v), "the pages of a tiff");
        c->broken = !pl_tiff_read_directory(f, at, &d);
        if (c->broken)
            return PLATEN_OK;
        c->v[c->n++] = at;
        at = d.next;
    } while (at && c->n <= PL_TIFF_MAX_DIRECTORIES);
    if (c->n <= PL_TIFF_MAX_DIRECTORIES)
        return PLATEN_OK;
    int all = before_repeat(c->v, c->n);
    if (all == c->n)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d pages", PL_TIFF_MAX_DIRECTORIES);
    c->ring = true;
    c->n = all;
    return PLATEN_OK;
}

platen_status pl_tiff_find_pages(const uint8_t *data, size_t n, struct pl_tiff_pages *ret,
                                 struct platen_error *err)
{
    struct pl_tiff_file f;
    struct pl_tiff_directory d;
    struct chain c = {0};
    uint64_t left = n;
    *ret = (struct pl_tiff_pages){0};
    if (!pl_tiff_begin(&f, data, n))
        return pl_fail(err, PLATEN_ERR_FORMAT, "truncated at byte %zu of the tiff", n);
    platen_status s = follow(&f, &c, err);
    if (s) {
        pl_free(c.v);
        return s;
    }
    *ret = (struct pl_tiff_pages){.at = c.v, .ring = c.ring};
    for (int i = 0; i < c.n && pl_tiff_read_directory(&f, c.v[i], &d); i++) {
        if (!spend(&left, d.count * pl_tiff_entry_bytes(&f))) {
            c.broken = true;
            break;
        }
        if (is_page(&f, &d))
            c.v[ret->n++] = c.v[i];
    }
    if (c.broken || c.ring)
        c.v[ret->n++] = 0;
    return PLATEN_OK;
}

platen_status pl_tiff_find_page(const struct pl_source *src, uint64_t *ret,
                                struct platen_error *err)
{
    struct pl_tiff_pages pages;
    const int wanted = src->opt ? PL_MAX(src->opt->page, 1) : 1;
    if (src->opt && src->opt->page_at) {
        *ret = src->opt->page_at;
        return PLATEN_OK;
    }
    platen_status s = pl_tiff_find_pages(src->data, src->n, &pages, err);
    if (!s)
        *ret = wanted <= pages.n ? pages.at[wanted - 1] : 0;
    pl_free(pages.at);
    return s;
}

platen_status pl_tiff_probe(const struct pl_source *src, struct pl_image_info *ret,
                            struct platen_error *err)
{
    struct pl_tiff_file f;
    struct pl_tiff_directory d;
    uint64_t at, width, height;
    platen_status s = pl_tiff_find_page(src, &at, err);
    if (s)
        return s;
    if (!pl_tiff_begin(&f, src->data, src->n) || !pl_tiff_read_directory(&f, at, &d))
        return pl_fail(err, PLATEN_ERR_FORMAT, "damaged tiff: no such directory");
    width = pl_tiff_number(&f, &d, PL_TIFF_WIDTH);
    height = pl_tiff_number(&f, &d, PL_TIFF_HEIGHT);
    if (!width || !height || width > INT32_MAX || height > INT32_MAX)
        return pl_fail(err, PLATEN_ERR_FORMAT, "wrong size %llu x %llu in the tiff",
                       (unsigned long long)width, (unsigned long long)height);
    *ret = (struct pl_image_info){
        "tiff", (int)width, (int)height,
        (int)PL_CLAMP(pl_tiff_number(&f, &d, PL_TIFF_SAMPLES), (uint64_t)1, (uint64_t)4), 0};
    return PLATEN_OK;
}

static bool is_one_of(unsigned tag, unsigned a, unsigned b)
{
    return tag == a || tag == b;
}

/* Behind the last byte that the directory names; UINT64_MAX when no bytes are left for it. */
static uint64_t end_of(const struct pl_tiff_file *f, const struct pl_tiff_directory *d,
                       uint64_t *left)
{
    struct pl_tiff_field offsets = {0}, bytes = {0};
    uint64_t end = d->end;
    if (!spend(left, d->count * pl_tiff_entry_bytes(f)))
        return UINT64_MAX;
    for (uint64_t i = 0; i < d->count; i++) {
        struct pl_tiff_field v = pl_tiff_read_field(f, d, i);
        if (is_one_of(v.tag, PL_TIFF_STRIP_OFFSETS, PL_TIFF_TILE_OFFSETS))
            offsets = v;
        if (is_one_of(v.tag, PL_TIFF_STRIP_BYTES, PL_TIFF_TILE_BYTES))
            bytes = v;
        end = PL_MAX(end, v.at + v.count * pl_tiff_value_bytes(v.type));
    }
    const uint64_t values = PL_MIN(offsets.count, bytes.count);
    if (!spend(left, values))
        return UINT64_MAX;
    for (uint64_t i = 0; i < values; i++)
        end = PL_MAX(end, pl_tiff_value(f, &offsets, i) + pl_tiff_value(f, &bytes, i));
    return end;
}

/* The end of the last directory, and of the values and picture data that directories name. */
size_t pl_tiff_end(const uint8_t *data, size_t n)
{
    struct pl_tiff_file f;
    struct pl_tiff_directory d;
    uint64_t end = 0, left = n, at;
    if (!pl_tiff_begin(&f, data, n))
        return n;
    at = f.first;
    for (int i = 0; at && i < PL_TIFF_MAX_DIRECTORIES; i++, at = d.next) {
        if (!pl_tiff_read_directory(&f, at, &d))
            return n;
        end = PL_MAX(end, end_of(&f, &d, &left));
    }
    return end && end < n ? (size_t)end : n;
}
