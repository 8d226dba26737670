/* SPDX-License-Identifier: BSD-2-Clause */
/* A document of pages that are made up here: its table of objects points at them. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/emit.h"
#include "tests/unit/suite.h"

static struct platen_error err;

/* What the emitter of a page gives: its picture and its text, of some bytes each. */
static void put_page(struct pl_stream *st, size_t image_bytes, size_t text_bytes, unsigned font,
                     struct pl_str *out)
{
    struct pl_str page = {0};
    struct pl_pdf_part part = {image_bytes, text_bytes, 100, 200, {0}};
    part.fonts[font / 64] |= (uint64_t)1 << (font % 64);
    pl_str_add(&page, (const char *)&part, sizeof(part));
    for (size_t i = 0; i < image_bytes; i++)
        pl_str_putc(&page, i + 1 < image_bytes ? 'i' : '\n');
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
    pl_stream_init(&st, pl_emitter_find("pdf", 3));
    put_page(&st, 7, 31, 0, &out);
    put_page(&st, 100, 5, 3, &out);
    put_page(&st, 1, 1, 0, &out);
    ck_assert_int_eq(pl_stream_end(&st, &out, &err), PLATEN_OK);
    const char *start = strstr(out.s, "startxref\n");
    ck_assert_ptr_nonnull(start);
    const char *table = out.s + strtoul(start + strlen("startxref\n"), NULL, 10);
    ck_assert_int_eq(strncmp(table, "xref\n0 19\n", 10), 0); /* 5, 3 of each page, 2 of each font */
    for (size_t i = 1; i < 19; i++)
        object_at(&out, table, i);
    for (size_t page = 0; page < 3; page++) { /* picture, text and page of each, in this order */
        static const char image[] = "i\ni", text[] = "t\nt";
        ck_assert_ptr_nonnull(strchr(image, *object_at(&out, table, 6 + 3 * page)));
        ck_assert_ptr_nonnull(strchr(text, *object_at(&out, table, 7 + 3 * page)));
        ck_assert_int_eq(strncmp(object_at(&out, table, 8 + 3 * page), "<< /Type /Page ", 15), 0);
    }
    ck_assert_ptr_nonnull(
        strstr(out.s, "/Contents 10 0 R /Resources << /Font 3 0 R /XObject << /Im 9 0 R"));
    ck_assert_ptr_nonnull(strstr(out.s, "<< /F0 15 0 R /F3 17 0 R >>"));
    pl_stream_done(&st);
    pl_str_done(&out);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("pdf_stream");
    tcase_add_test(t, every_object_is_where_the_table_says);
    Suite *s = suite_create("pdf_stream");
    suite_add_tcase(s, t);
    return run_suite(s);
}
