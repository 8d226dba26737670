/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/tiff_dirs.h"

#include <string.h>

#include "base/mem.h"

/* Fields of a directory among which its kind is looked for; real ones have fewer. */
#define MAX_FIELDS_OF_KIND 256u

enum {
    TAG_WIDTH = 256,
    TAG_HEIGHT = 257,
    TAG_SAMPLES = 277,
    TAG_SUBFILE = 254,     /* bit 0: a thumbnail, bit 2: a mask */
    TAG_OLD_SUBFILE = 255, /* 2: a thumbnail */
    TAG_STRIP_OFFSETS = 273,
    TAG_STRIP_BYTES = 279,
    TAG_TILE_OFFSETS = 324,
    TAG_TILE_BYTES = 325,
};

struct file {
    const uint8_t *data;
    size_t n;
    bool big_endian, big_tiff;
    uint64_t first;
};

/* One directory: its entries lie at `entries`, `count` of them. */
struct directory {
    uint64_t entries, count, next, end;
};

struct field {
    unsigned tag, type;
    uint64_t count, at; /* of its values */
};

/* The number of `bytes` bytes at `at`; 0 behind the end of the file. */
static uint64_t get(const struct file *f, uint64_t at, unsigned bytes)
{
    uint64_t v = 0;
    if (at > f->n || bytes > f->n - at)
        return 0;
    for (unsigned i = 0; i < bytes; i++)
        v |= (uint64_t)f->data[at + i] << 8 * (f->big_endian ? bytes - 1 - i : i);
    return v;
}

static bool open_file(struct file *f, const uint8_t *data, size_t n)
{
    *f = (struct file){.data = data, .n = n, .big_endian = n && data[0] == 'M'};
    if (n < 8)
        return false;
    f->big_tiff = get(f, 2, 2) == 43;
    f->first = f->big_tiff ? get(f, 8, 8) : get(f, 4, 4);
    return !f->big_tiff || n >= 16;
}

static unsigned entry_bytes(const struct file *f)
{
    return f->big_tiff ? 20 : 12;
}

/* False when it does not lie in the file. */
static bool read_directory(const struct file *f, uint64_t at, struct directory *ret)
{
    const unsigned head = f->big_tiff ? 8 : 2, link = f->big_tiff ? 8 : 4;
    if (!at || at > f->n || f->n - at < head)
        return false;
    ret->count = get(f, at, head);
    ret->entries = at + head;
    if (ret->count > (f->n - ret->entries) / entry_bytes(f))
        return false;
    ret->end = ret->entries + ret->count * entry_bytes(f);
    /* writers that leave out the last link are many */
    ret->next = get(f, ret->end, link);
    ret->end += PL_MIN((uint64_t)link, f->n - ret->end);
    return true;
}

static unsigned value_bytes(unsigned type)
{
    static const uint8_t bytes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
    return type < sizeof(bytes) ? bytes[type] : 0;
}

static struct field read_field(const struct file *f, const struct directory *d, uint64_t i)
{
    const unsigned word = f->big_tiff ? 8 : 4;
    uint64_t at = d->entries + i * entry_bytes(f), total;
    struct field v = {.tag = (unsigned)get(f, at, 2),
                      .type = (unsigned)get(f, at + 2, 2),
                      .count = get(f, at + 4, word)};
    v.at = at + 4 + word;
    if (__builtin_mul_overflow(v.count, (uint64_t)value_bytes(v.type), &total))
        v.count = 0;
    else if (total > word)
        v.at = get(f, v.at, word);
    return v;
}

static uint64_t value(const struct file *f, const struct field *v, uint64_t i)
{
    return get(f, v->at + i * value_bytes(v->type), value_bytes(v->type));
}

/* Fields should be sorted; libtiff takes those that are not. */
static bool is_page(const struct file *f, const struct directory *d)
{
    for (uint64_t i = 0; i < PL_MIN(d->count, MAX_FIELDS_OF_KIND); i++) {
        struct field v = read_field(f, d, i);
        if (v.tag == TAG_SUBFILE && v.count)
            return !(value(f, &v, 0) & (1 | 4));
        if (v.tag == TAG_OLD_SUBFILE && v.count)
            return value(f, &v, 0) != 2;
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

static platen_status follow(const struct file *f, struct chain *c, struct platen_error *err)
{
    struct directory d;
    uint64_t at = f->first;
    do {
        if (!make_room(c))
            return pl_fail_nomem(err, (size_t)c->cap * sizeof(*c->v), "the pages of a tiff");
        c->broken = !read_directory(f, at, &d);
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
    struct file f;
    struct directory d;
    struct chain c = {0};
    uint64_t left = n;
    *ret = (struct pl_tiff_pages){0};
    if (!open_file(&f, data, n))
        return pl_fail(err, PLATEN_ERR_FORMAT, "truncated at byte %zu of the tiff", n);
    platen_status s = follow(&f, &c, err);
    if (s) {
        pl_free(c.v);
        return s;
    }
    *ret = (struct pl_tiff_pages){.at = c.v, .ring = c.ring};
    for (int i = 0; i < c.n && read_directory(&f, c.v[i], &d); i++) {
        if (!spend(&left, d.count * entry_bytes(&f))) {
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

/* Where the directory of a page lies. */
static platen_status find_page(const struct pl_source *src, uint64_t *ret, struct platen_error *err)
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

/* The first value of the first field of that tag, as libtiff takes it; 0 where there is none. */
static uint64_t number(const struct file *f, const struct directory *d, unsigned tag)
{
    for (uint64_t i = 0; i < d->count; i++) {
        struct field v = read_field(f, d, i);
        if (v.tag == tag)
            return v.count ? value(f, &v, 0) : 0;
    }
    return 0;
}

platen_status pl_tiff_probe(const struct pl_source *src, struct pl_image_info *ret,
                            struct platen_error *err)
{
    struct file f;
    struct directory d;
    uint64_t at, width, height;
    platen_status s = find_page(src, &at, err);
    if (s)
        return s;
    if (!open_file(&f, src->data, src->n) || !read_directory(&f, at, &d))
        return pl_fail(err, PLATEN_ERR_FORMAT, "damaged tiff: no such directory");
    width = number(&f, &d, TAG_WIDTH);
    height = number(&f, &d, TAG_HEIGHT);
    if (!width || !height || width > INT32_MAX || height > INT32_MAX)
        return pl_fail(err, PLATEN_ERR_FORMAT, "wrong size %llu x %llu in the tiff",
                       (unsigned long long)width, (unsigned long long)height);
    *ret = (struct pl_image_info){
        "tiff", (int)width, (int)height,
        (int)PL_CLAMP(number(&f, &d, TAG_SAMPLES), (uint64_t)1, (uint64_t)4)};
    return PLATEN_OK;
}

static bool is_one_of(unsigned tag, unsigned a, unsigned b)
{
    return tag == a || tag == b;
}

/* Behind the last byte that the directory names; UINT64_MAX when no bytes are left for it. */
static uint64_t end_of(const struct file *f, const struct directory *d, uint64_t *left)
{
    struct field offsets = {0}, bytes = {0};
    uint64_t end = d->end;
    if (!spend(left, d->count * entry_bytes(f)))
        return UINT64_MAX;
    for (uint64_t i = 0; i < d->count; i++) {
        struct field v = read_field(f, d, i);
        if (is_one_of(v.tag, TAG_STRIP_OFFSETS, TAG_TILE_OFFSETS))
            offsets = v;
        if (is_one_of(v.tag, TAG_STRIP_BYTES, TAG_TILE_BYTES))
            bytes = v;
        end = PL_MAX(end, v.at + v.count * value_bytes(v.type));
    }
    const uint64_t values = PL_MIN(offsets.count, bytes.count);
    if (!spend(left, values))
        return UINT64_MAX;
    for (uint64_t i = 0; i < values; i++)
        end = PL_MAX(end, value(f, &offsets, i) + value(f, &bytes, i));
    return end;
}

/* The end of the last directory, and of the values and picture data that directories name. */
size_t pl_tiff_end(const uint8_t *data, size_t n)
{
    struct file f;
    struct directory d;
    uint64_t end = 0, left = n, at;
    if (!open_file(&f, data, n))
        return n;
    at = f.first;
    for (int i = 0; at && i < PL_TIFF_MAX_DIRECTORIES; i++, at = d.next) {
        if (!read_directory(&f, at, &d))
            return n;
        end = PL_MAX(end, end_of(&f, &d, &left));
    }
    return end && end < n ? (size_t)end : n;
}
