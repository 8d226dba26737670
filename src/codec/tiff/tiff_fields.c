/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/tiff/tiff_fields.h"

#include "base/attr.h"

/* The number of `bytes` bytes at `at`; 0 behind the end of the file. */
static uint64_t get(const struct pl_tiff_file *f, uint64_t at, unsigned bytes)
{
    uint64_t v = 0;
    if (at > f->n || bytes > f->n - at)
        return 0;
    for (unsigned i = 0; i < bytes; i++)
        v |= (uint64_t)f->data[at + i] << 8 * (f->big_endian ? bytes - 1 - i : i);
    return v;
}

bool pl_tiff_begin(struct pl_tiff_file *f, const uint8_t *data, size_t n)
{
    *f = (struct pl_tiff_file){.data = data, .n = n, .big_endian = n && data[0] == 'M'};
    if (n < 8)
        return false;
    f->big_tiff = get(f, 2, 2) == 43;
    f->first = f->big_tiff ? get(f, 8, 8) : get(f, 4, 4);
    return !f->big_tiff || n >= 16;
}

unsigned pl_tiff_entry_bytes(const struct pl_tiff_file *f)
{
    return f->big_tiff ? 20 : 12;
}

bool pl_tiff_read_directory(const struct pl_tiff_file *f, uint64_t at,
                            struct pl_tiff_directory *ret)
{
    const unsigned head = f->big_tiff ? 8 : 2, link = f->big_tiff ? 8 : 4;
    if (!at || at > f->n || f->n - at < head)
        return false;
    ret->count = get(f, at, head);
    ret->entries = at + head;
    if (ret->count > (f->n - ret->entries) / pl_tiff_entry_bytes(f))
        return false;
    ret->end = ret->entries + ret->count * pl_tiff_entry_bytes(f);
    /* writers that leave out the last link are many */
    ret->next = get(f, ret->end, link);
    ret->end += PL_MIN((uint64_t)link, f->n - ret->end);
    return true;
}

unsigned pl_tiff_value_bytes(unsigned type)
{
    static const uint8_t bytes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
    return type < sizeof(bytes) ? bytes[type] : 0;
}

struct pl_tiff_field pl_tiff_read_field(const struct pl_tiff_file *f,
                                        const struct pl_tiff_directory *d, uint64_t i)
{
    const unsigned word = f->big_tiff ? 8 : 4;
    uint64_t at = d->entries + i * pl_tiff_entry_bytes(f), total;
    struct pl_tiff_field v = {.tag = (unsigned)get(f, at, 2),
                              .type = (unsigned)get(f, at + 2, 2),
                              .count = get(f, at + 4, word)};
    v.at = at + 4 + word;
    if (__builtin_mul_overflow(v.count, (uint64_t)pl_tiff_value_bytes(v.type), &total))
        v.count = 0;
    else if (total > word)
        v.at = get(f, v.at, word);
    return v;
}

uint64_t pl_tiff_value(const struct pl_tiff_file *f, const struct pl_tiff_field *v, uint64_t i)
{
    return get(f, v->at + i * pl_tiff_value_bytes(v->type), pl_tiff_value_bytes(v->type));
}

struct pl_tiff_field pl_tiff_find_field(const struct pl_tiff_file *f,
                                        const struct pl_tiff_directory *d, unsigned tag)
{
    for (uint64_t i = 0; i < d->count; i++) {
        struct pl_tiff_field v = pl_tiff_read_field(f, d, i);
        if (v.tag == tag)
            return v;
    }
    return (struct pl_tiff_field){0};
}

uint64_t pl_tiff_number(const struct pl_tiff_file *f, const struct pl_tiff_directory *d,
                        unsigned tag)
{
    const struct pl_tiff_field v = pl_tiff_find_field(f, d, tag);
    return v.count ? pl_tiff_value(f, &v, 0) : 0;
}
