/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/pdf/pdf_font.h"

#include <string.h>

#include "base/attr.h"

/* ---- the file: OpenType 1.9, tables as sequences of 16 bits ---- */

#define HIGH_LOW(x) (uint16_t)((uint32_t)(x) >> 16), (uint16_t)((x)&0xffff)
#define VERSION_1 HIGH_LOW(0x10000)

/* Glyph 0 has no contours; glyph 1 has no data at all. */
static const uint16_t glyf[] = {0, 0, 0, 0, 0, 0};
static const uint16_t loca[] = {0, sizeof(glyf) / 2, sizeof(glyf) / 2};
static const uint16_t head[] = {
    VERSION_1,
    VERSION_1,
    HIGH_LOW(0),          /* the sum of the file comes here */
    HIGH_LOW(0x5f0f3cf5), /* magic number */
    0,
    PL_PDF_EM, /* flags, units in an em */
    0,
    0,
    0,
    0, /* created */
    0,
    0,
    0,
    0, /* modified */
    0,
    (uint16_t)PL_PDF_DESCENT,
    PL_PDF_CHAR,
    PL_PDF_ASCENT, /* box of all glyphs */
    0,
    8,
    2,
    0,
    0, /* style, least pixels, direction, format of loca, format of glyf */
};
static const uint16_t hhea[] = {
    VERSION_1,
    PL_PDF_ASCENT,
    (uint16_t)PL_PDF_DESCENT,
    0, /* line gap */
    PL_PDF_CHAR,
    0,
    0,
    PL_PDF_CHAR, /* widest advance, side bearings, extent */
    1,
    0,
    0, /* an upright caret */
    0,
    0,
    0,
    0,
    0,
    1, /* reserved, format, entries of hmtx */
};
static const uint16_t hmtx[] = {PL_PDF_CHAR, 0, 0};
static const uint16_t maxp[] = {
    VERSION_1, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, /* two glyphs, one zone */
};

static const struct font_table {
    const char *tag;
    const uint16_t *v;
    size_t n;
} tables[] = {
    {"glyf", glyf, PL_ARRAY_LEN(glyf)}, {"head", head, PL_ARRAY_LEN(head)},
    {"hhea", hhea, PL_ARRAY_LEN(hhea)}, {"hmtx", hmtx, PL_ARRAY_LEN(hmtx)},
    {"loca", loca, PL_ARRAY_LEN(loca)}, {"maxp", maxp, PL_ARRAY_LEN(maxp)},
};

#define SUM_AT 8 /* in head */

static void put16(struct pl_str *out, unsigned v)
{
    pl_str_putc(out, (char)(v >> 8));
    pl_str_putc(out, (char)v);
}

static void put32(struct pl_str *out, uint32_t v)
{
    put16(out, v >> 16);
    put16(out, v & 0xffff);
}

static size_t padded_bytes(const struct font_table *t)
{
    return (2 * t->n + 3) / 4 * 4;
}

/* The sum of all 32 bits, the last of which may be padded by zeros. */
static uint32_t sum_table(const struct font_table *t)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < t->n; i++)
        sum += (uint32_t)t->v[i] << (i % 2 ? 0 : 16);
    return sum;
}

static void put_directory(struct pl_str *out)
{
    const unsigned n = PL_ARRAY_LEN(tables);
    size_t at = 12 + 16 * n;
    put32(out, 0x10000);
    put16(out, n);
    put16(out, 64); /* 16 times the power of two within n, its logarithm, and the rest */
    put16(out, 2);
    put16(out, 16 * n - 64);
    for (size_t i = 0; i < n; i++) {
        pl_str_add(out, tables[i].tag, 4);
        put32(out, sum_table(&tables[i]));
        put32(out, (uint32_t)at);
        put32(out, (uint32_t)(2 * tables[i].n));
        at += padded_bytes(&tables[i]);
    }
}

/* Puts the number into `head` that makes the sum of the file what it has to be. */
static void put_sum(struct pl_str *out, size_t start, size_t head_at)
{
    uint32_t sum = 0;
    for (size_t i = start; i < out->len; i++)
        sum += (uint32_t)(uint8_t)out->s[i] << (24 - 8 * ((i - start) % 4));
    sum = 0xb1b0afba - sum;
    for (size_t i = 0; i < 4; i++)
        out->s[head_at + SUM_AT + i] = (char)(sum >> (24 - 8 * i));
}

void pl_pdf_font_file(struct pl_str *out)
{
    const size_t start = out->len;
    size_t head_at = 0;
    put_directory(out);
    for (size_t i = 0; i < PL_ARRAY_LEN(tables); i++) {
        const size_t table_at = out->len;
        if (tables[i].v == head)
            head_at = table_at;
        for (size_t k = 0; k < tables[i].n; k++)
            put16(out, tables[i].v[k]);
        while ((out->len - table_at) % 4 && !out->failed)
            pl_str_putc(out, 0);
    }
    if (!out->failed)
        put_sum(out, start, head_at);
}

/* ---- the maps ---- */

void pl_pdf_font_glyphs(struct pl_str *out)
{
    for (size_t i = 0; i < 0x10000; i++)
        put16(out, 1);
}

/* One range over all first bytes, which ISO 32000-1 (9.10.3) does not foresee: the codes of 256
 * ranges are not kept by Ghostscript 10, and this one is by all readers. */
void pl_pdf_font_unicode(struct pl_str *out)
{
    pl_str_puts(out, "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
                     "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
                     "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
                     "1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n"
                     "1 beginbfrange\n<0000> <ffff> <0000>\nendbfrange\nendcmap\n"
                     "CMapName currentdict /CMap defineresource pop\nend\nend\n");
}
