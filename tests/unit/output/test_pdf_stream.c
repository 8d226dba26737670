/* SPDX-License-Identifier: BSD-2-Clause */
/* A document of pages that are made up here: its table of objects points at them. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/emit.h"
#include "output/pdf/pdf_font.h"
#include "tests/unit/suite.h"

static struct platen_error err;

/* What the emitter of a page gives: its picture, what that shares (or NULL) and its text, of some
 * bytes each. */
static void put_page(struct pl_stream *st, size_t image_bytes, const char *shared,
                     size_t text_bytes, struct pl_str *out)
{
    struct pl_str page = {0};
    struct pl_pdf_part part = {.image_bytes = image_bytes,
                               .shared_bytes = shared ? strlen(shared) : 0,
                               .text_bytes = text_bytes,
                               .width_pt = 100,
                               .box = {0, 0, 100, 200},
                               .height_pt = 200};
    pl_str_add(&page, (const char *)&part, sizeof(part));
    for (size_t i = 0; i < image_bytes; i++)
        pl_str_putc(&page, shared && i < 3 ? "<< "[i] : i + 1 < image_bytes ? 'i' : '\n');
    pl_str_puts(&page, shared ? shared : "");
    for (size_t i = 0; i < text_bytes; i++)
        pl_str_putc(&page, i + 1 < text_bytes ? 't' : '\n');
    ck_assert_int_eq(pl_stream_page(st, &page, out, &err), PLATEN_OK);
    pl_str_done(&page);
}

/* The bytes of object `number`, where the table says that it begins. */
static const char *object_at(const struct pl_str *out, const char *table, size_t number)
{
    char head[32];
    const char *entry = table + strlen("xref\n0 00\n") + 20 * number;
    unsigned long at = strtoul(entry, NULL, 10);
    int n = snprintf(head, sizeof(head), "%zu 0 obj\n", number);
    ck_assert_uint_lt(at, out->len);
    ck_assert_msg(!memcmp(out->s + at, head, (size_t)n), "object %zu is not at %lu: %.12s", number,
                  at, out->s + at);
    return out->s + at + n;
}

START_TEST(every_object_is_where_the_table_says)
{
    struct pl_stream st;
    struct pl_str out = {0};
    static const size_t first[] = {10, 13, 15}; /* of each page; the second has no picture */
    pl_stream_init(&st, pl_emitter_find("pdf", 3));
    put_page(&st, 7, NULL, 31, &out);
    put_page(&st, 0, NULL, 5, &out);
    put_page(&st, 1, NULL, 1, &out);
    ck_assert_int_eq(pl_stream_end(&st, &out, &err), PLATEN_OK);
    const char *start = memmem(out.s, out.len, "startxref\n", 10);
    ck_assert_ptr_nonnull(start);
    const char *table = out.s + strtoul(start + strlen("startxref\n"), NULL, 10);
    ck_assert_int_eq(strncmp(table, "xref\n0 18\n", 10), 0);
    for (size_t i = 1; i < 18; i++)
        object_at(&out, table, i);
    for (size_t page = 0; page < 3; page++) { /* text, page and picture of each, in this order */
        static const char image[] = "i\ni", text[] = "t\nt";
        ck_assert_ptr_nonnull(strchr(text, *object_at(&out, table, first[page])));
        const char *dictionary = object_at(&out, table, first[page] + 1);
        ck_assert_int_eq(strncmp(dictionary, "<< /Type /Page ", 15), 0);
        const char *end = strstr(dictionary, "endobj"), *picture = strstr(dictionary, "/XObject");
        ck_assert_int_eq(picture && picture < end, page != 1);
        if (page != 1)
            ck_assert_ptr_nonnull(strchr(image, *object_at(&out, table, first[page] + 2)));
    }
    ck_assert_ptr_nonnull(
        memmem(out.s, out.len, "/Contents 10 0 R /Resources << /Font << /f-0-0 4", 48));
    pl_stream_done(&st);
    pl_str_done(&out);
}
END_TEST

/* The dictionary of a picture names what it shares, which stands once while it is the same. */
START_TEST(what_pictures_share_stands_once)
{
    static const char *const shared[] = {"first\n", "first\n", "other\n"};
    static const size_t picture[] = {12, 16, 19}, names[] = {13, 13, 20};
    struct pl_stream st;
    struct pl_str out = {0};
    char want[64];
    pl_stream_init(&st, pl_emitter_find("pdf", 3));
    for (size_t i = 0; i < 3; i++)
        put_page(&st, 7, shared[i], 5, &out);
    ck_assert_int_eq(pl_stream_end(&st, &out, &err), PLATEN_OK);
    const char *table =
        out.s + strtoul((char *)memmem(out.s, out.len, "startxref\n", 10) + 10, NULL, 10);
    ck_assert_int_eq(strncmp(table, "xref\n0 21\n", 10), 0);
    for (size_t i = 1; i < 21; i++)
        object_at(&out, table, i);
    for (size_t i = 0; i < 3; i++) {
        snprintf(want, sizeof(want), "<< /DecodeParms << /JBIG2Globals %zu 0 R >> iii\nendobj\n",
                 names[i]);
        ck_assert_int_eq(strncmp(object_at(&out, table, picture[i]), want, strlen(want)), 0);
        snprintf(want, sizeof(want), "%sendobj\n", shared[i]);
        ck_assert_int_eq(strncmp(object_at(&out, table, names[i]), want, strlen(want)), 0);
    }
    pl_stream_done(&st);
    pl_str_done(&out);
}
END_TEST

static uint32_t get32(const char *p)
{
    uint32_t v = 0;
    for (int i = 0; i < 4; i++)
        v = v << 8 | (uint8_t)p[i];
    return v;
}

/* The sums and places that its directory tells, and the sum of the whole file. */
START_TEST(the_font_is_a_whole_file)
{
    struct pl_str font = {0};
    uint32_t sum = 0;
    pl_pdf_font_file(&font);
    ck_assert_uint_eq(font.len % 4, 0);
    for (size_t i = 0; i < font.len; i += 4)
        sum += get32(font.s + i);
    ck_assert_uint_eq(sum, 0xb1b0afba);
    for (size_t i = 0; i < 6; i++) {
        const char *entry = font.s + 12 + 16 * i;
        const uint32_t at = get32(entry + 8), n = get32(entry + 12);
        uint32_t table = 0;
        ck_assert_uint_le(at + n, font.len);
        for (size_t k = 0; k < n; k += 4)
            table += get32(font.s + at + k);
        if (!memcmp(entry, "head", 4))
            table -= get32(font.s + at + 8);
        ck_assert_msg(table == get32(entry + 4), "the sum of %.4s", entry);
    }
    pl_str_done(&font);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("pdf_stream");
    tcase_add_test(t, every_object_is_where_the_table_says);
    tcase_add_test(t, what_pictures_share_stands_once);
    tcase_add_test(t, the_font_is_a_whole_file);
    Suite *s = suite_create("pdf_stream");
    suite_add_tcase(s, t);
    return run_suite(s);
}
