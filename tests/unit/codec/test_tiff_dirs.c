/* SPDX-License-Identifier: BSD-2-Clause */
/* The chain of directories of a TIFF: what finding and reading a page looks at. */
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "codec/tiff/tiff_dirs.h"
#include "files/inputs.h"
#include "tests/unit/image_fixture.h"

/* Pages of 8 x 8 grey pixels, 64 bytes, each behind its directory. */
#define ENTRIES 8
#define DIRECTORY_BYTES (2 + 12 * ENTRIES + 4)
#define PAGE_BYTES (DIRECTORY_BYTES + 64)
#define FIRST 8

struct file {
    uint8_t *data;
    size_t n;
    bool big_endian;
};

static void put(const struct file *f, size_t at, unsigned bytes, uint32_t v)
{
    for (unsigned i = 0; i < bytes; i++)
        f->data[at + i] = (uint8_t)(v >> 8 * (f->big_endian ? bytes - 1 - i : i));
}

static size_t place(int page)
{
    return FIRST + (size_t)page * PAGE_BYTES;
}

static void put_entry(const struct file *f, size_t at, unsigned tag, unsigned type, uint32_t v)
{
    put(f, at, 2, tag);
    put(f, at + 2, 2, type);
    put(f, at + 4, 4, 1);
    put(f, at + 8, type == 3 ? 2 : 4, v);
}

/* Page i, from 0, is all of the grey level i mod 251. */
static struct file make(int pages, bool big_endian)
{
    static const unsigned tags[ENTRIES] = {254, 256, 257, 258, 259, 262, 273, 279};
    struct file f = {.n = place(pages), .big_endian = big_endian};
    f.data = calloc(f.n, 1);
    memcpy(f.data, big_endian ? "MM\0*" : "II*\0", 4);
    put(&f, 4, 4, FIRST);
    for (int i = 0; i < pages; i++) {
        size_t at = place(i);
        const uint32_t values[ENTRIES] = {0, 8, 8, 8, 1, 1, (uint32_t)at + DIRECTORY_BYTES, 64};
        put(&f, at, 2, ENTRIES);
        for (size_t k = 0; k < ENTRIES; k++)
            put_entry(&f, at + 2 + 12 * k, tags[k], tags[k] == 258 || tags[k] == 259 ? 3 : 4,
                      values[k]);
        put(&f, at + DIRECTORY_BYTES - 4, 4, i + 1 < pages ? (uint32_t)place(i + 1) : 0);
        memset(f.data + at + DIRECTORY_BYTES, i % 251, 64);
    }
    return f;
}

static void link_to(const struct file *f, int from, size_t to)
{
    put(f, place(from) + DIRECTORY_BYTES - 4, 4, (uint32_t)to);
}

static platen_status load_at(const struct file *f, int page, uint64_t at, struct pl_image *ret)
{
    struct pl_load_options opt = {.max_pixels = LIMIT, .page = page, .page_at = at};
    return pl_image_load(&env, f->data, f->n, &opt, ret, &err);
}

static void check_page(const struct file *f, int page, uint64_t at)
{
    struct pl_image im = {0};
    platen_status s = load_at(f, page, at, &im);
    ck_assert_msg(!s, "page %d: %s", page, err.text);
    ck_assert_int_eq(*pl_image_row(&im, 0), (page - 1) % 251);
    pl_image_done(&im);
}

/* Reading a page of a known place looks at no other directory: all of them are overwritten. So the
 * work of n pages is n times that of one. */
START_TEST(a_page_is_read_alone)
{
    const int n = PL_TIFF_MAX_DIRECTORIES;
    struct file f = make(n, _i), one = f;
    struct pl_pages pages;
    ck_assert_int_eq(pl_image_pages(f.data, f.n, &pages, &err), PLATEN_OK);
    ck_assert_int_eq(pages.n, n);
    one.data = malloc(f.n);
    memset(one.data, 0xaa, f.n);
    memcpy(one.data, f.data, FIRST);
    for (int page = 1; page <= n; page++) {
        size_t at = place(page - 1);
        ck_assert_uint_eq(pages.at[page - 1], at);
        memcpy(one.data + at, f.data + at, PAGE_BYTES);
        check_page(&one, page, at);
        memset(one.data + at, 0xaa, PAGE_BYTES);
    }
    free(one.data);
    free(f.data);
    pl_pages_done(&pages);
}
END_TEST

/* And a job knows the place of every page. */
START_TEST(inputs_know_the_place)
{
    char path[] = "/tmp/platen-tiff-XXXXXX";
    int fd = mkstemp(path);
    struct pl_inputs in;
    ck_assert_int_ge(fd, 0);
    close(fd);
    for (int n = 1; n < 4; n += 2) {
        struct file f = make(n, false);
        ck_assert_int_eq(pl_file_write(path, f.data, f.n, &err), PLATEN_OK);
        pl_inputs_init(&in);
        ck_assert_int_eq(pl_inputs_add(&in, path, false, &err), PLATEN_OK);
        ck_assert_int_eq(pl_inputs_split(&in, &err), PLATEN_OK);
        ck_assert_uint_eq(in.n, (size_t)n);
        for (int i = 0; i < n; i++)
            ck_assert_uint_eq(in.v[i].page_at, place(i));
        pl_inputs_done(&in);
        free(f.data);
    }
    unlink(path);
}
END_TEST

/* The header that is asked for is that of the page, not of the first directory. */
START_TEST(size_of_each_page)
{
    struct file f = make(3, _i);
    struct pl_image_info info;
    const int thumbnail = 0, large = 2;
    put_entry(&f, place(thumbnail) + 2, 254, 4, 1);
    put_entry(&f, place(thumbnail) + 2 + 12, 256, 4, 5);
    put_entry(&f, place(large) + 2 + 12, 256, 4, 5000);
    for (int page = 1; page <= 2; page++)
        for (int placed = 0; placed < 2; placed++) {
            const struct pl_load_options opt = {.page = page, .page_at = placed ? place(page) : 0};
            ck_assert(!pl_image_probe(f.data, f.n, &opt, &info, &err));
            ck_assert_int_eq(info.width, page == large ? 5000 : 8);
            ck_assert_int_eq(info.height, 8);
        }
    ck_assert(!pl_image_probe(f.data, f.n, NULL, &info, &err));
    ck_assert_int_eq(info.width, 8);
    free(f.data);
}
END_TEST

START_TEST(too_many_pages)
{
    struct file f = make(PL_TIFF_MAX_DIRECTORIES + 1, false);
    struct pl_pages pages;
    ck_assert_int_eq(pl_image_pages(f.data, f.n, &pages, &err), PLATEN_ERR_LIMIT);
    ck_assert_str_eq(err.text, "more than 10000 pages");
    free(f.data);
}
END_TEST

/* Rings of every length, entered at every place: the pages before the chain repeats are read, and
 * one more tells why there are no others. */
START_TEST(rings_are_told)
{
    for (int n = 1; n < 7; n++)
        for (int back = 0; back < n; back++) {
            struct file f = make(n, false);
            struct pl_image im = {0};
            struct pl_pages pages;
            link_to(&f, n - 1, place(back));
            ck_assert_int_eq(pl_image_pages(f.data, f.n, &pages, &err), PLATEN_OK);
            ck_assert_int_eq(pages.n, n + 1);
            for (int page = 1; page <= n; page++)
                check_page(&f, page, pages.at[page - 1]);
            for (int known = 0; known < 2; known++) {
                ck_assert_int_eq(load_at(&f, n + 1, known ? pages.at[n] : 0, &im),
                                 PLATEN_ERR_FORMAT);
                ck_assert_str_eq(err.text, "damaged tiff: its directories form a ring");
            }
            pl_pages_done(&pages);
            free(f.data);
        }
}
END_TEST

START_TEST(a_chain_that_leaves_the_file)
{
    struct file f = make(3, false);
    struct pl_image im = {0};
    struct pl_pages pages;
    link_to(&f, 1, f.n + 5);
    ck_assert_int_eq(pl_image_pages(f.data, f.n, &pages, &err), PLATEN_OK);
    ck_assert_int_eq(pages.n, 3);
    check_page(&f, 2, pages.at[1]);
    ck_assert_int_eq(load_at(&f, 3, pages.at[2], &im), PLATEN_ERR_FORMAT);
    ck_assert_str_eq(err.text, "damaged tiff: a directory, which tells where a picture is, lies "
                               "behind the end of the file: is it cut off?");
    pl_pages_done(&pages);
    free(f.data);
}
END_TEST

START_TEST(where_it_ends)
{
    for (int n = 1; n < 4; n++) {
        struct file f = make(n, n & 1);
        uint8_t *more = calloc(f.n + 100, 1);
        memcpy(more, f.data, f.n);
        ck_assert_uint_eq(pl_tiff_end(more, f.n + 100), f.n);
        for (size_t k = 0; k < f.n; k++)
            ck_assert_uint_le(pl_tiff_end(more, k), k);
        free(more);
        free(f.data);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("tiff_dirs");
    tcase_add_loop_test(tc, a_page_is_read_alone, 0, 2);
    tcase_add_test(tc, inputs_know_the_place);
    tcase_add_loop_test(tc, size_of_each_page, 0, 2);
    tcase_add_test(tc, too_many_pages);
    tcase_add_test(tc, rings_are_told);
    tcase_add_test(tc, a_chain_that_leaves_the_file);
    tcase_add_test(tc, where_it_ends);
    return run_env_suite("tiff_dirs", tc);
}
