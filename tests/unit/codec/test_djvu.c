/* SPDX-License-Identifier: BSD-2-Clause */
/* What platen reads of DjVu itself; tests/cli/cases/djvu.sh has ddjvu render pages. */
#include "tests/unit/image_fixture.h"

static void put_number(struct pl_str *s, unsigned v, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--)
        pl_str_putc(s, (char)(v >> 8 * i & 0xff));
}

#define PAGE_BYTES 30

/* A page without a picture. */
static void put_page(struct pl_str *s, int width, int height, int dpi, int flags)
{
    pl_str_puts(s, "FORM");
    put_number(s, PAGE_BYTES - 8, 4);
    pl_str_puts(s, "DJVUINFO");
    put_number(s, 10, 4);
    put_number(s, (unsigned)width, 2);
    put_number(s, (unsigned)height, 2);
    put_number(s, 24 << 8, 2);
    put_number(s, (unsigned)(dpi & 0xff) << 8 | (unsigned)dpi >> 8, 2);
    put_number(s, 22, 1);
    put_number(s, (unsigned)flags, 1);
}

static struct pl_str one_page(int width, int height, int flags)
{
    struct pl_str s = {0};
    pl_str_puts(&s, "AT&T");
    put_page(&s, width, height, 300, flags);
    return s;
}

#define LIST_BYTES 42 /* of a document of three parts, before the first of them */

/* Two pages, and between them what they share. */
static struct pl_str two_pages(void)
{
    struct pl_str s = {0};
    pl_str_puts(&s, "AT&TFORM");
    put_number(&s, LIST_BYTES - 12 + 2 * PAGE_BYTES + 12, 4);
    pl_str_puts(&s, "DJVMDIRM");
    put_number(&s, 18, 4);
    put_number(&s, 0x81, 1);
    put_number(&s, 3, 2);
    put_number(&s, LIST_BYTES, 4);
    put_number(&s, LIST_BYTES + PAGE_BYTES, 4);
    put_number(&s, LIST_BYTES + PAGE_BYTES + 12, 4);
    pl_str_puts(&s, "bzz");
    while (s.len < LIST_BYTES)
        pl_str_putc(&s, 0);
    put_page(&s, 40, 30, 300, 1);
    pl_str_puts(&s, "FORM");
    put_number(&s, 4, 4);
    pl_str_puts(&s, "DJVI");
    put_page(&s, 20, 50, 150, 1);
    return s;
}

static void check_size(const struct pl_str *s, const struct pl_load_options *opt, int width,
                       int height)
{
    struct pl_image_info info;
    ck_assert_msg(!pl_image_probe((uint8_t *)s->s, s->len, opt, &info, &err), "%s", err.text);
    ck_assert_str_eq(info.format, "djvu");
    ck_assert_msg(info.width == width && info.height == height, "%d x %d", info.width, info.height);
}

START_TEST(sizes_are_those_of_the_picture)
{
    static const bool aside[8] = {[5] = true, [6] = true};
    for (int flags = 0; flags < 8; flags++) {
        struct pl_str s = one_page(40, 30, flags);
        check_size(&s, NULL, aside[flags] ? 30 : 40, aside[flags] ? 40 : 30);
        pl_str_done(&s);
    }
}
END_TEST

START_TEST(pages_are_parts_that_are_pages)
{
    struct pl_str s = two_pages();
    struct pl_pages pages;
    ck_assert(!pl_image_pages((uint8_t *)s.s, s.len, &pages, &err));
    ck_assert_int_eq(pages.n, 2);
    ck_assert(pages.at[0] == LIST_BYTES && pages.at[1] == LIST_BYTES + PAGE_BYTES + 12);
    for (int placed = 0; placed < 2; placed++)
        for (int page = 1; page <= 2; page++) {
            const struct pl_load_options opt = {.page = page,
                                                .page_at = placed ? pages.at[page - 1] : 0};
            check_size(&s, &opt, page == 1 ? 40 : 20, page == 1 ? 30 : 50);
        }
    pl_pages_done(&pages);
    /* one that is not there may have been a page */
    ck_assert(!pl_image_pages((uint8_t *)s.s, LIST_BYTES + PAGE_BYTES, &pages, &err));
    ck_assert_int_eq(pages.n, 3);
    pl_pages_done(&pages);
    pl_str_done(&s);
}
END_TEST

static void check_message(const struct pl_str *s, int page, platen_status want, const char *part)
{
    const struct pl_load_options opt = {.max_pixels = LIMIT, .page = page};
    struct pl_image im;
    ck_assert_int_eq(pl_image_load(&env, (uint8_t *)s->s, s->len, &opt, &im, &err), want);
    ck_assert_msg(strstr(err.text, part), "'%s' lacks '%s'", err.text, part);
}

START_TEST(what_is_wrong_is_told)
{
    struct pl_str s = two_pages();
    check_message(&s, 0, PLATEN_ERR_UNSUPPORTED, "the djvu has 2 pages");
    check_message(&s, 2, PLATEN_ERR_UNSUPPORTED, "read where ddjvu is installed");
    check_message(&s, 3, PLATEN_ERR_FORMAT, "no page 3: the djvu has 2");
    s.s[LIST_BYTES + 12] = 'X';
    check_message(&s, 1, PLATEN_ERR_FORMAT, "does not tell its size");
    s.s[16] = 'X';
    check_message(&s, 1, PLATEN_ERR_FORMAT, "no list of its pages");
    s.s[16] = 'D';
    s.s[24] &= 0x7f;
    check_message(&s, 1, PLATEN_ERR_UNSUPPORTED, "files of their own");
    pl_str_done(&s);
    s = one_page(0, 30, 1);
    check_message(&s, 0, PLATEN_ERR_FORMAT, "a page of 0 x 30 pixels");
    pl_str_done(&s);
    s = one_page(60000, 60000, 1);
    check_message(&s, 0, PLATEN_ERR_LIMIT, "60000 x 60000 pixels exceed");
    pl_str_done(&s);
}
END_TEST

START_TEST(every_truncation_is_told)
{
    struct pl_str s = two_pages();
    for (size_t n = 16; n < LIST_BYTES; n++) {
        const struct pl_str cut = {.s = s.s, .len = n};
        check_message(&cut, 1, PLATEN_ERR_FORMAT, "djvu");
    }
    for (size_t n = LIST_BYTES; n < s.len; n++) {
        const struct pl_str cut = {.s = s.s, .len = n};
        const int last = n < LIST_BYTES + PAGE_BYTES + 12 ? 3 : 2;
        check_message(&cut, last, PLATEN_ERR_FORMAT, "truncated at byte");
    }
    pl_str_done(&s);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("djvu");
    tcase_add_test(tc, sizes_are_those_of_the_picture);
    tcase_add_test(tc, pages_are_parts_that_are_pages);
    tcase_add_test(tc, what_is_wrong_is_told);
    tcase_add_test(tc, every_truncation_is_told);
    return run_env_suite("djvu", tc);
}
