/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bufpool.h"
#include "base/file.h"
#include "base/io_fault.h"
#include "base/map.h"
#include "base/records.h"
#include "base/geom.h"
#include "base/mem.h"
#include "base/poison.h"
#include "base/pool.h"
#include "base/text.h"
#include "tests/unit/parabola.h"
#include "tests/unit/resident.h"
#include "tests/unit/suite.h"

START_TEST(error_text_is_one_clean_line)
{
    struct platen_error err;
    ck_assert_int_eq(pl_fail(&err, PLATEN_ERR_FORMAT, "bad\n\x1b[31m name"), PLATEN_ERR_FORMAT);
    ck_assert_str_eq(err.text, "bad\\x0a\\x1b[31m name");
    char longest[600];
    memset(longest, 'a', sizeof(longest));
    memcpy(longest + 117, "\xC3\xA4", 2); /* the cuts would fall inside these characters */
    memcpy(longest + 480, "\xC3\xA4", 2);
    longest[599] = '\0';
    ck_assert_int_eq(pl_fail(&err, PLATEN_ERR_IO, "%s", longest), PLATEN_ERR_IO);
    ck_assert_uint_eq(strlen(err.text), 117 + 3 + 117);
}
END_TEST

START_TEST(arena_keeps_alignment_and_reuses)
{
    struct pl_arena a;
    pl_arena_init(&a);
    for (int round = 0; round < 3; round++) {
        uint64_t before = pl_mem_count();
        for (size_t i = 1; i < 3000; i++) {
            char *p = pl_arena_alloc(&a, i, 1);
            ck_assert_ptr_nonnull(p);
            ck_assert_uint_eq((uintptr_t)p % 16, 0);
            bool zero = true;
            for (size_t j = 0; j < i; j++)
                zero = zero && !p[j];
            ck_assert(zero);
            memset(p, 0xff, i);
        }
        /* many chunks, then one that is as large */
        if (round)
            ck_assert_uint_eq(pl_mem_count() - before, round == 1);
        pl_arena_reset(&a);
    }
    ck_assert_ptr_null(pl_arena_alloc(&a, SIZE_MAX, 2));
    ck_assert_uint_eq(a.refused_bytes, SIZE_MAX);
    pl_arena_done(&a);
}
END_TEST

/* What one large page needed does not stay with the small ones that follow it. */
START_TEST(arena_gives_back_what_a_large_page_took)
{
    enum { LARGE = 8 << 20, SMALL = 100 << 10 };
    struct pl_arena a;
    pl_arena_init(&a);
    char *large = pl_arena_alloc(&a, LARGE, 1);
    memset(large, 1, LARGE);
    pl_arena_trim(&a);
    ck_assert_uint_ge(resident(large, LARGE), LARGE - (16 << 10));
    uint64_t before = pl_mem_count();
    memset(pl_arena_alloc(&a, SMALL, 1), 1, SMALL);
    pl_arena_trim(&a);
    ck_assert_uint_le(resident(large, LARGE), 3 * SMALL);
    ck_assert_ptr_eq(pl_arena_alloc(&a, LARGE, 1), large);
    ck_assert_uint_eq(pl_mem_count(), before);
    pl_arena_done(&a);
}
END_TEST

/* What was in use before an arena went back to a mark is given back like the rest. */
START_TEST(arena_gives_back_what_lay_behind_a_mark)
{
    enum { LARGE = 8 << 20, SMALL = 256 << 10 };
    struct pl_arena a;
    pl_arena_init(&a);
    ck_assert_ptr_nonnull(pl_arena_alloc(&a, LARGE, 1));
    pl_arena_trim(&a);
    memset(pl_arena_alloc(&a, SMALL, 1), 1, SMALL);
    pl_arena_trim(&a);
    struct pl_arena_mark mark = pl_arena_mark(&a);
    char *large = pl_arena_alloc(&a, LARGE, 1);
    memset(large, 1, LARGE);
    pl_arena_rewind(&a, mark);
    memset(pl_arena_alloc(&a, SMALL, 1), 1, SMALL);
    pl_arena_trim(&a);
    ck_assert_uint_ge(resident(large, LARGE), LARGE - (16 << 10));
    memset(pl_arena_alloc(&a, SMALL, 1), 1, SMALL);
    pl_arena_trim(&a);
    ck_assert_uint_le(resident(large, LARGE), 3 * SMALL);
    pl_arena_done(&a);
}
END_TEST

START_TEST(arena_goes_back_to_a_mark)
{
    struct pl_arena a;
    pl_arena_init(&a);
    struct pl_arena_mark empty = pl_arena_mark(&a);
    for (int round = 0; round < 3; round++) {
        char *kept = pl_arena_strndup(&a, "kept", 4), *first = NULL;
        struct pl_arena_mark mark = pl_arena_mark(&a);
        uint64_t before = pl_mem_count();
        for (int again = 0; again < 3; again++) {
            char *p = PL_NEW(&a, char, 1000);
            first = first ? first : p;
            ck_assert_ptr_eq(p, first);
            for (int i = 0; i < 200; i++) /* over several chunks */
                memset(PL_NEW(&a, char, 1000), 0xff, 1000);
            pl_arena_rewind(&a, mark);
        }
        ck_assert_uint_le(pl_mem_count() - before, round ? 0 : 3);
        ck_assert_str_eq(kept, "kept");
        pl_arena_rewind(&a, empty);
    }
    pl_arena_done(&a);
}
END_TEST

#if PL_POISONS
/* Whether p[0..n) may be used, but neither the byte behind it. */
static bool ends_at(const char *p, size_t n)
{
    return !__asan_region_is_poisoned((void *)p, n) && __asan_address_is_poisoned(p + n);
}

/* AddressSanitizer sees what leaves an object, and what comes to it after its end. */
START_TEST(what_is_not_handed_out_is_poisoned)
{
    struct pl_arena a;
    pl_arena_init(&a);
    char *first = PL_NEW(&a, char, 13);
    struct pl_arena_mark mark = pl_arena_mark(&a);
    char *second = PL_NEW(&a, char, 16), *far = PL_NEW(&a, char, 1 << 20);
    ck_assert(ends_at(first, 13) && ends_at(second, 16) && ends_at(far, 1 << 20));
    ck_assert(__asan_address_is_poisoned(second - 1));
    pl_arena_rewind(&a, mark);
    ck_assert(ends_at(first, 13) && __asan_address_is_poisoned(second) &&
              __asan_address_is_poisoned(far));
    ck_assert_ptr_eq(PL_NEW(&a, char, 5), second);
    ck_assert(ends_at(second, 5));
    pl_arena_rewind(&a, (struct pl_arena_mark){0});
    first = PL_NEW(&a, char, 3); /* in one chunk now */
    pl_arena_reset(&a);
    ck_assert(__asan_address_is_poisoned(first));
    pl_arena_done(&a);
    pl_auto(bufpool) p = pl_bufpool_new();
    char *buf = pl_bufpool_get(p, 5000);
    ck_assert(ends_at(buf, 5000));
    pl_bufpool_put(p, buf, 5000);
    ck_assert(__asan_address_is_poisoned(buf + 100));
    ck_assert_ptr_eq(pl_bufpool_get(p, 6001), buf);
    ck_assert(ends_at(buf, 6001));
    pl_bufpool_put(p, buf, 6001);
}
END_TEST
#endif

START_TEST(bufpool_reuses_by_class)
{
    pl_auto(bufpool) p = pl_bufpool_new();
    void *a = pl_bufpool_get(p, 5000);
    ck_assert_uint_eq((uintptr_t)a % 64, 0);
    pl_bufpool_put(p, a, 5000);
    ck_assert_ptr_eq(pl_bufpool_get(p, 8192), a);
    pl_bufpool_put(p, a, 8192);
    struct pl_bufpool_stats s = pl_bufpool_stats(p);
    ck_assert_uint_eq(s.gets, 2);
    ck_assert_uint_eq(s.hits, 1);
    ck_assert_uint_eq(s.peak_bytes, 8192);
}
END_TEST

/* A huge buffer that nobody takes again leaves the pool; those in use stay. */
START_TEST(bufpool_forgets_what_is_not_used)
{
    pl_auto(bufpool) p = pl_bufpool_new();
    void *huge = pl_bufpool_get(p, 64 << 20), *small = pl_bufpool_get(p, 4096);
    pl_bufpool_put(p, huge, 64 << 20);
    pl_bufpool_put(p, small, 4096);
    ck_assert_uint_eq(pl_bufpool_stats(p).live_bytes, (64 << 20) + 4096);
    for (int i = 0; i < 100000; i++)
        pl_bufpool_put(p, pl_bufpool_get(p, 4096), 4096);
    struct pl_bufpool_stats s = pl_bufpool_stats(p);
    ck_assert_uint_eq(s.live_bytes, 4096);
    ck_assert_uint_eq(s.peak_bytes, (64 << 20) + 4096);
    ck_assert_uint_eq(s.hits, 100000);
}
END_TEST

/* What a larger page touched of a buffer is not kept resident by a smaller one; where they differ
 * by little, that would cost more than it saves. */
START_TEST(bufpool_gives_tails_back)
{
    static const struct {
        size_t before, now;
        bool kept;
    } cases[] = {{8 << 20, 5 << 20, false},
                 {(4 << 20) + 600000, (4 << 20) + 200000, true},
                 {140000, 132000, true},
                 {8 << 20, 8 << 20, true}};
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        pl_auto(bufpool) p = pl_bufpool_new();
        char *a = pl_bufpool_get(p, cases[i].before);
        memset(a, 7, cases[i].before);
        pl_bufpool_put(p, a, cases[i].before);
        ck_assert_ptr_eq(pl_bufpool_get(p, cases[i].now), a);
        ck_assert_int_eq(a[cases[i].now - 1], 7); /* no byte before the end is lost */
        pl_unpoison(a, cases[i].before);          /* the next looks behind the end */
        ck_assert_int_eq(a[cases[i].before - 5000], cases[i].kept ? 7 : 0);
        pl_bufpool_put(p, a, cases[i].now);
    }
}
END_TEST

/* Pages of mixed size leave no set of buffers of each size behind. */
START_TEST(bufpool_holds_what_one_page_needs)
{
    pl_auto(bufpool) p = pl_bufpool_new();
    for (int i = 0; i < 50; i++) {
        size_t bytes = (size_t)131072 << i % 5;
        void *a = pl_bufpool_get(p, bytes), *b = pl_bufpool_get(p, bytes);
        pl_bufpool_put(p, a, bytes);
        pl_bufpool_put(p, b, bytes);
    }
    struct pl_bufpool_stats s = pl_bufpool_stats(p);
    ck_assert_uint_le(s.peak_bytes, (2 << 21) + (2 << 19)); /* the largest page, and a quarter */
}
END_TEST

/* Buffers of one page that takes some and puts others, again and again, all stay. */
START_TEST(bufpool_keeps_the_buffers_of_a_page)
{
    pl_auto(bufpool) p = pl_bufpool_new();
    for (int i = 0; i < 50; i++) {
        void *page = pl_bufpool_get(p, 1 << 20), *turned = pl_bufpool_get(p, 1 << 20);
        pl_bufpool_put(p, page, 1 << 20);
        void *ink = pl_bufpool_get(p, 1 << 17);
        pl_bufpool_put(p, turned, 1 << 20);
        void *line = pl_bufpool_get(p, 1 << 14);
        pl_bufpool_put(p, ink, 1 << 17);
        pl_bufpool_put(p, line, 1 << 14);
    }
    struct pl_bufpool_stats s = pl_bufpool_stats(p);
    ck_assert_uint_eq(s.gets - s.hits, 4);
}
END_TEST

static void count_one(void *ctx, int worker, size_t i)
{
    atomic_int *counts = ctx;
    ck_assert_int_ge(worker, 0);
    atomic_fetch_add(&counts[i], 1);
}

START_TEST(pool_runs_every_item_once)
{
    for (int threads = 1; threads <= 7; threads++) {
        struct platen_error err;
        pl_auto(pool) p = NULL;
        ck_assert_int_eq(pl_pool_new(threads, &p, &err), PLATEN_OK);
        for (size_t n = 0; n < 200; n += 13) {
            atomic_int counts[200] = {0};
            pl_pool_for(p, n, count_one, counts);
            for (size_t i = 0; i < 200; i++)
                ck_assert_int_eq(counts[i], i < n);
        }
    }
}
END_TEST

struct nest {
    struct pl_pool *pool;
    atomic_int counts[40], workers_seen;
};

/* Nobody goes on before every worker has come, however busy the machine is. */
static void count_inner(void *ctx, int worker, size_t i)
{
    struct nest *n = ctx;
    struct timespec t = {0, 100000};
    atomic_fetch_or(&n->workers_seen, 1 << worker);
    atomic_fetch_add(&n->counts[i], 1);
    while (atomic_load(&n->workers_seen) != (1 << pl_pool_workers(n->pool)) - 1)
        nanosleep(&t, NULL);
}

/* Only the first item has work in it: the workers of the others come and help. */
static void run_inner(void *ctx, int worker, size_t i)
{
    struct nest *n = ctx;
    if (i == 0)
        pl_pool_for(pl_pool_seat(n->pool, worker), 40, count_inner, n);
}

START_TEST(pool_helps_from_within)
{
    struct platen_error err;
    for (int threads = 1; threads <= 4; threads++) {
        struct nest n = {0};
        ck_assert_int_eq(pl_pool_new(threads, &n.pool, &err), PLATEN_OK);
        pl_pool_for(n.pool, 4, run_inner, &n);
        for (int i = 0; i < 40; i++)
            ck_assert_int_eq(n.counts[i], 1);
        ck_assert_int_eq(n.workers_seen, (1 << threads) - 1);
        pl_pool_free(n.pool);
    }
}
END_TEST

/* Item 0 has work, the others wait for its end and are woken by it. */
static void run_or_idle(void *ctx, int worker, size_t i)
{
    struct nest *n = ctx;
    struct pl_pool *seat = pl_pool_seat(n->pool, worker);
    if (i == 0) {
        pl_pool_for(seat, 40, count_inner, n);
        pl_pool_wake(seat);
    } else {
        pl_pool_idle(seat, 0, HUGE_VAL);
    }
}

START_TEST(pool_helps_while_it_waits)
{
    struct platen_error err;
    for (int threads = 1; threads <= 4; threads++) {
        struct nest n = {0};
        ck_assert_int_eq(pl_pool_new(threads, &n.pool, &err), PLATEN_OK);
        pl_pool_for(n.pool, (size_t)threads, run_or_idle, &n);
        for (int i = 0; i < 40; i++)
            ck_assert_int_eq(n.counts[i], 1);
        ck_assert_int_eq(n.workers_seen, (1 << threads) - 1);
        ck_assert_uint_eq(pl_pool_wakes(n.pool), 1);
        pl_pool_free(n.pool);
    }
}
END_TEST

static void trim_together(void *ctx, int worker, size_t i)
{
    atomic_int *there = ctx;
    (void)worker, (void)i;
    atomic_fetch_add(there, 1);
    while (atomic_load(there) < 4)
        ;
    pl_mem_trim();
}

/* No other test of this program trims: where AddressSanitizer has taken malloc()'s place, the four
 * threads find an allocator of the C library that nobody has used before. */
START_TEST(threads_trim_together)
{
    struct platen_error err;
    atomic_int there = 0;
    pl_auto(pool) p = NULL;
    ck_assert_int_eq(pl_pool_new(4, &p, &err), PLATEN_OK);
    pl_pool_for(p, 4, trim_together, &there);
    ck_assert_int_eq(there, 4);
}
END_TEST

START_TEST(numbers_do_not_depend_on_the_locale)
{
    static const struct {
        double x;
        int digits;
        const char *want;
    } t[] = {{0, 3, "0"},         {-0.0004, 3, "0"}, {1.5, 0, "2"},        {2.25, 2, "2.25"},
             {-12.5, 3, "-12.5"}, {0.05, 2, "0.05"}, {100, 2, "100"},      {1e18, 2, "9e15"},
             {NAN, 2, "0"},       {0.999, 2, "1"},   {3.0007, 4, "3.0007"}};
    for (size_t i = 0; i < PL_ARRAY_LEN(t); i++) {
        struct pl_str b = {0};
        pl_str_number(&b, t[i].x, t[i].digits);
        ck_assert_str_eq(b.s, t[i].want);
        pl_str_done(&b);
    }
    double d;
    ck_assert(pl_parse_double("-1.25e2", 7, &d) && d == -125);
    ck_assert(pl_parse_double(".5", 2, &d) && d == .5);
    for (const char *const *bad =
             (const char *const[]){"", ".", "1x", "inf", "0x1", "1e", "1e999", NULL};
         *bad; bad++)
        ck_assert(!pl_parse_double(*bad, strlen(*bad), &d));
    int64_t v;
    ck_assert(pl_parse_int64("-9223372036854775808", 20, &v) && v == INT64_MIN);
    ck_assert(!pl_parse_int64("9223372036854775808", 19, &v));
}
END_TEST

START_TEST(json_strings_are_valid)
{
    struct pl_str b = {0};
    const char in[] = "a\"\\\n\x01\xC3\xA9\xFF\xED\xA0\x80";
    pl_str_json(&b, in, sizeof(in) - 1);
    ck_assert_str_eq(
        b.s, "\"a\\\"\\\\\\n\\u0001\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    pl_str_done(&b);
}
END_TEST

START_TEST(str_xml_escapes)
{
    struct pl_str b = {0};
    const char in[] = "a<&>\"'\n\t\r\x01\x7f\xC3\xA9\xFF\xEF\xBF\xBF\xED\xA0\x80";
    pl_str_xml(&b, in, sizeof(in) - 1);
#define REPLACED "\xEF\xBF\xBD"
    ck_assert_str_eq(b.s, "a&lt;&amp;&gt;&quot;'&#10;&#9;&#13;" REPLACED REPLACED
                          "\xC3\xA9" REPLACED REPLACED REPLACED REPLACED REPLACED);
    pl_str_done(&b);
}
END_TEST

/* The encoder of RFC 3629, section 3. */
static size_t utf8_put(char out[4], uint32_t c)
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const uint32_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(lead[n] | c);
    return n;
}

/* The first and the last of the wide blocks, and their neighbours. */
START_TEST(wide_characters)
{
    static const uint32_t wide[] = {0x1100,  0x115F,  0x2E80,  0x3000, 0x303E, 0x3041, 0x30A2,
                                    0x4DBF,  0x4E00,  0x9FFF,  0xA4CF, 0xAC00, 0xD7A3, 0xF900,
                                    0xFAFF,  0xFE30,  0xFF01,  0xFF21, 0xFF60, 0xFFE0, 0xFFE6,
                                    0x1F200, 0x1F64F, 0x20000, 0x3FFFD};
    static const uint32_t narrow[] = {0,      'A',    0x7F,   0xE9,    0x416,   0x10FF,  0x1160,
                                      0x2E7F, 0x303F, 0x4DC0, 0xA4D0,  0xD7A4,  0xFB00,  0xFE70,
                                      0xFF61, 0xFF9F, 0xFFE7, 0x1F700, 0x3FFFE, 0x10FFFF};
    for (size_t i = 0; i < PL_ARRAY_LEN(wide); i++)
        ck_assert_msg(pl_is_wide(wide[i]), "%x", wide[i]);
    for (size_t i = 0; i < PL_ARRAY_LEN(narrow); i++)
        ck_assert_msg(!pl_is_wide(narrow[i]), "%x", narrow[i]);
}
END_TEST

START_TEST(utf8_round_trip)
{
    for (uint32_t c = 1; c < 0x110000; c += c < 0x3000 ? 1 : 97) {
        if (c >= 0xd800 && c < 0xe000)
            continue;
        char s[4];
        uint32_t back = 0;
        size_t n = utf8_put(s, c);
        ck_assert_uint_eq(pl_utf8_get(s, n, &back), n);
        ck_assert_uint_eq(back, c);
        ck_assert_uint_eq(n > 1 ? pl_utf8_get(s, n - 1, &back) : 0, 0);
    }
    uint32_t c;
    ck_assert_uint_eq(pl_utf8_get("\xC0\x80", 2, &c), 0);
    ck_assert_uint_eq(pl_utf8_get("\xF4\x90\x80\x80", 4, &c), 0);
}
END_TEST

/* A name may be longer than a message: the reason behind it stays, and characters stay whole. */
START_TEST(messages_keep_their_reason)
{
    char name[6000];
    struct platen_error err;
    for (size_t i = 0; i + 2 < sizeof(name); i += 2)
        memcpy(name + i, "\u00e9", 3);
    for (size_t n = 200; n < sizeof(name); n += 301) {
        char *end = name + sizeof(name) - 2 - (n & ~(size_t)1);
        errno = ENAMETOOLONG;
        ck_assert_int_eq(pl_fail_errno(&err, PLATEN_ERR_IO, "unable to write '%s'", end),
                         PLATEN_ERR_IO);
        ck_assert_int_eq(pl_fail_prefix(&err, PLATEN_ERR_IO, "unable to process '%s': ", end),
                         PLATEN_ERR_IO);
        const char reason[] = ": File name too long";
        size_t len = strlen(err.text);
        ck_assert_str_eq(err.text + len - strlen(reason), reason);
        ck_assert_int_eq(strncmp(err.text, "unable to process '\u00e9", 21), 0);
        ck_assert_int_eq(err.os_errno, ENAMETOOLONG);
        uint32_t c;
        for (size_t i = 0, k; i < len; i += k)
            ck_assert_uint_gt(k = pl_utf8_get(err.text + i, len - i, &c), 0);
    }
}
END_TEST

/* What two large pages took at once goes back within some hundred small ones, of 18 buffers each.
 */
START_TEST(buffers_of_large_pages_go_back_soon)
{
    const size_t large = (size_t)16 << 20, small = (size_t)256 << 10;
    struct pl_bufpool *p = pl_bufpool_new();
    void *a = pl_bufpool_get(p, large), *b = pl_bufpool_get(p, large);
    pl_bufpool_put(p, a, large);
    pl_bufpool_put(p, b, large);
    for (int i = 0; i < 300 * 18; i++)
        pl_bufpool_put(p, pl_bufpool_get(p, small), small);
    ck_assert_uint_lt(pl_bufpool_stats(p).live_bytes, large);
    pl_bufpool_free(p);
}
END_TEST

#define FILE_BYTES 20000 /* some pages of memory, and a part of one */

static void write_bytes(const char *path, size_t n)
{
    static uint8_t bytes[2 * FILE_BYTES];
    memset(bytes, 'x', sizeof(bytes));
    FILE *f = fopen(path, "r+");
    f = f ? f : fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

static size_t count_x(const struct pl_map *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->size; i++)
        n += m->data[i] == 'x';
    return n;
}

START_TEST(a_mapped_file_may_become_shorter)
{
    char path[] = "/tmp/platen-test-XXXXXX";
    close(mkstemp(path));
    /* left of it: nothing, a part of a page, whole pages, all but the last byte */
    for (size_t i = 0; i < 4; i++) {
        const size_t left = (size_t[]){0, 5, 8192, FILE_BYTES - 1}[i];
        struct platen_error err;
        struct pl_map m, other;
        write_bytes(path, FILE_BYTES);
        ck_assert_int_eq(pl_map_open(path, 1 << 20, &m, &err), PLATEN_OK);
        ck_assert_int_eq(pl_map_open(path, 1 << 20, &other, &err), PLATEN_OK);
        ck_assert_int_eq(pl_map_check(&m, path, false, &err), PLATEN_OK);
        ck_assert_int_eq(truncate(path, (off_t)left), 0);
        ck_assert_uint_eq(count_x(&m), left);
        ck_assert_int_eq(pl_map_check(&m, path, false, &err), PLATEN_ERR_IO);
        ck_assert_str_eq(err.text, "truncated while it was read");
        write_bytes(path, FILE_BYTES); /* what was read is wrong all the same */
        ck_assert_int_eq(pl_map_check(&m, path, true, &err), PLATEN_ERR_IO);
        ck_assert_int_eq(pl_map_check(&other, path, true, &err), PLATEN_ERR_IO);
        pl_map_close(&m);
        pl_map_close(&other);
    }
    unlink(path);
}
END_TEST

/* The name of a file that was cut off tells nothing of it any more; the zeros were read. */
START_TEST(a_torn_file_may_have_lost_its_name)
{
    char path[] = "/tmp/platen-test-XXXXXX";
    struct platen_error err;
    struct pl_map m, unread;
    close(mkstemp(path));
    write_bytes(path, FILE_BYTES);
    ck_assert_int_eq(pl_map_open(path, 1 << 20, &m, &err), PLATEN_OK);
    ck_assert_int_eq(pl_map_open(path, 1 << 20, &unread, &err), PLATEN_OK);
    ck_assert_int_eq(truncate(path, 0), 0);
    ck_assert_uint_eq(count_x(&m), 0);
    unlink(path);
    ck_assert_int_eq(pl_map_check(&m, path, true, &err), PLATEN_ERR_IO);
    ck_assert_str_eq(err.text, "truncated while it was read");
    ck_assert_int_eq(pl_map_check(&unread, path, true, &err), PLATEN_OK);
    pl_map_close(&m);
    pl_map_close(&unread);
}
END_TEST

START_TEST(a_mapped_file_may_grow_or_be_replaced)
{
    char path[] = "/tmp/platen-test-XXXXXX", next[] = "/tmp/platen-test-XXXXXX";
    struct platen_error err;
    struct pl_map m, read;
    close(mkstemp(path));
    close(mkstemp(next));
    write_bytes(path, FILE_BYTES);
    ck_assert_int_eq(pl_map_open(path, 1 << 20, &m, &err), PLATEN_OK);
    ck_assert_int_eq(pl_map_read(path, 1 << 20, &read, &err), PLATEN_OK);
    write_bytes(path, 2 * FILE_BYTES);
    ck_assert_int_eq(pl_map_check(&m, path, true, &err), PLATEN_OK);
    ck_assert_int_eq(pl_map_check(&m, path, false, &err), PLATEN_ERR_IO);
    ck_assert_str_eq(err.text, "changed while it was read");
    ck_assert_int_eq(rename(next, path), 0);
    ck_assert_int_eq(pl_map_check(&m, path, false, &err), PLATEN_OK);
    ck_assert_uint_eq(count_x(&m), FILE_BYTES);
    pl_map_close(&m);
    ck_assert_int_eq(truncate(path, 0), 0);
    ck_assert_uint_eq(count_x(&read), FILE_BYTES); /* in memory nothing can happen to it */
    ck_assert_int_eq(pl_map_check(&read, path, false, &err), PLATEN_OK);
    pl_map_close(&read);
    unlink(path);
}
END_TEST

START_TEST(files_are_written_whole)
{
    char dir[] = "/tmp/platen-test-XXXXXX", path[64];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof(path), "%s/x/y.txt", dir);
    struct platen_error err;
    struct pl_map m;
    ck_assert_int_eq(pl_file_write(path, "old", 3, &err), PLATEN_OK);
    for (uint64_t n = 1;; n++) { /* fail each system call in turn: the old file must stay */
        pl_io_fail_at(n, 28 /* ENOSPC */);
        platen_status s = pl_file_write(path, "new!", 4, &err);
        pl_io_fail_at(0, 0);
        ck_assert_int_eq(pl_map_open(path, 100, &m, &err), PLATEN_OK);
        ck_assert_uint_eq(m.size, s ? 3 : 4);
        pl_map_close(&m);
        if (!s)
            break;
        ck_assert_int_eq(err.os_errno, 28);
    }
    ck_assert_int_eq(pl_map_open(path, 3, &m, &err), PLATEN_ERR_LIMIT);
    ck_assert_int_eq(pl_map_open(dir, 3, &m, &err), PLATEN_ERR_IO);
    char cmd[128];
    snprintf(cmd, sizeof(cmd), "test \"$(ls -A %s/x)\" = y.txt && rm -r %s", dir, dir);
    ck_assert_int_eq(system(cmd), 0);
}
END_TEST

/* A file system that knows no files without a name: the second call that can fail asks for one. */
START_TEST(files_without_a_name_are_not_needed)
{
    char dir[] = "/tmp/platen-test-XXXXXX", path[64], cmd[128];
    struct platen_error err;
    struct pl_map m;
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof(path), "%s/y.txt", dir);
    for (int round = 0; round < 2; round++) { /* a new file, then one in the place of another */
        pl_io_fail_at(2, EOPNOTSUPP);
        ck_assert_int_eq(pl_file_write(path, "new!", 4 - (size_t)round, &err), PLATEN_OK);
        pl_io_fail_at(0, 0);
        ck_assert_int_eq(pl_map_open(path, 100, &m, &err), PLATEN_OK);
        ck_assert_uint_eq(m.size, 4 - (size_t)round);
        pl_map_close(&m);
    }
    snprintf(cmd, sizeof(cmd), "test \"$(ls -A %s)\" = y.txt && rm -r %s", dir, dir);
    ck_assert_int_eq(system(cmd), 0);
}
END_TEST

/* What a pipe brings in pieces comes out as records; a missing end of the last one is fine, and a
 * mark of byte order in front does not count. */
START_TEST(records_are_read_as_they_come)
{
    static const char *const pieces[] = {"\xef\xbb\xbfon", "e\n\ntw", "o\nthree"};
    static const char *const want[] = {"one", "", "two", "three"};
    struct pl_records r = {.wake_fd = -1, .end = '\n'};
    struct platen_error err;
    const char *got;
    size_t n, next = 0;
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    r.fd = ends[0];
    for (size_t i = 0; i < PL_ARRAY_LEN(want); i++) {
        /* the first piece is no record yet */
        for (; next < PL_ARRAY_LEN(pieces) && next <= i + 1; next++)
            ck_assert_int_eq(write(ends[1], pieces[next], strlen(pieces[next])),
                             strlen(pieces[next]));
        if (i == PL_ARRAY_LEN(want) - 1)
            close(ends[1]);
        ck_assert_int_eq(pl_records_next(&r, -1, &got, &n, &err), PLATEN_OK);
        ck_assert_uint_eq(n, strlen(want[i]));
        ck_assert_mem_eq(got, want[i], n);
    }
    ck_assert_int_eq(pl_records_next(&r, -1, &got, &n, &err), PLATEN_OK);
    ck_assert_ptr_null(got);
    pl_records_close(&r);
}
END_TEST

START_TEST(records_have_a_limit_and_can_be_woken)
{
    struct pl_records r;
    struct platen_error err;
    const char *got;
    size_t n;
    int ends[2], wake[2];
    char dir[] = "/tmp/platen-test-XXXXXX", path[64];
    static char text[PL_MAX_RECORD_BYTES + 1];
    memset(text, 'x', sizeof(text) - 1);
    text[PL_MAX_RECORD_BYTES - 1] = '\0';
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof(path), "%s/names", dir);
    ck_assert_int_eq(pl_file_write(path, text, sizeof(text) - 1, &err), PLATEN_OK);
    ck_assert_int_eq(pl_records_open(&r, path, '\0', &err), PLATEN_OK);
    ck_assert_int_eq(pl_records_next(&r, -1, &got, &n, &err), PLATEN_OK);
    ck_assert_uint_eq(n, PL_MAX_RECORD_BYTES - 1);
    pl_records_close(&r);
    ck_assert_int_eq(pl_records_open(&r, path, '\n', &err), PLATEN_OK);
    ck_assert_int_eq(pl_records_next(&r, -1, &got, &n, &err), PLATEN_ERR_LIMIT);
    pl_records_close(&r);
    unlink(path);
    rmdir(dir);
    ck_assert_int_eq(pipe(ends) | pipe(wake), 0);
    r = (struct pl_records){.fd = ends[0], .wake_fd = wake[0], .end = '\n'};
    ck_assert_int_eq(write(wake[1], "", 1), 1);
    ck_assert_int_eq(pl_records_next(&r, -1, &got, &n, &err), PLATEN_OK);
    ck_assert_ptr_null(got);
    ck_assert(r.woken);
    pl_records_close(&r);
}
END_TEST

START_TEST(curves_are_straight_between_points)
{
    const struct pl_curve c = parabola(100, 420, 0.01); /* points every 10 px, lowest at 260 */
    double least, most;
    ck_assert_double_eq_tol(pl_curve_at(&c, 260), -256, 1e-9);
    ck_assert_double_eq_tol(pl_curve_at(&c, 105), -15.5, 1e-9); /* between 0 and -31 */
    ck_assert_double_eq_tol(pl_curve_at(&c, 90), 31, 1e-9);     /* the first piece goes on */
    ck_assert_double_eq_tol(pl_curve_at(&c, 440), 62, 1e-9);
    pl_curve_range(&c, 0, 110, 400, &least, &most);
    ck_assert_double_eq_tol(least, -256, 1e-9);
    ck_assert_double_eq_tol(most, -31, 1e-9);
    pl_curve_range(&c, 10, 110, 120, &least, &most);
    ck_assert_double_eq_tol(least, 1100 - 31, 1e-9);
    ck_assert_double_eq_tol(most, 1200 - 60, 1e-9);
    pl_curve_range(NULL, -2, 10, 20, &least, &most);
    ck_assert(least == -40 && most == -20);
    struct pl_curve lopsided = c;
    lopsided.y[5] = 40;
    const struct pl_curve over = pl_curve_turn_over(&lopsided, 1000);
    for (int x = 0; x <= 1000; x += 50)
        ck_assert_double_eq_tol(pl_curve_at(&over, 1000 - x), -pl_curve_at(&lopsided, x), 1e-9);
}
END_TEST

START_TEST(affine_maps_chain_in_order)
{
    struct pl_affine twice = {2, 0, 1, 0, 2, -3}, turn = {0, -1, 10, 1, 0, 0};
    struct pl_affine both = pl_affine_chain(&twice, &turn);
    struct pl_point p = pl_affine_apply(&both, 3, 4); /* (7, 5), then (10 - 5, 7) */
    ck_assert_double_eq_tol(p.x, 5, 1e-9);
    ck_assert_double_eq_tol(p.y, 7, 1e-9);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("base");
    tcase_add_test(tc, error_text_is_one_clean_line);
    tcase_add_test(tc, arena_keeps_alignment_and_reuses);
    tcase_add_test(tc, arena_gives_back_what_a_large_page_took);
    tcase_add_test(tc, arena_gives_back_what_lay_behind_a_mark);
    tcase_add_test(tc, arena_goes_back_to_a_mark);
#if PL_POISONS
    tcase_add_test(tc, what_is_not_handed_out_is_poisoned);
#endif
    tcase_add_test(tc, bufpool_reuses_by_class);
    tcase_add_test(tc, bufpool_forgets_what_is_not_used);
    tcase_add_test(tc, bufpool_gives_tails_back);
    tcase_add_test(tc, bufpool_holds_what_one_page_needs);
    tcase_add_test(tc, bufpool_keeps_the_buffers_of_a_page);
    tcase_add_test(tc, pool_runs_every_item_once);
    tcase_add_test(tc, pool_helps_from_within);
    tcase_add_test(tc, pool_helps_while_it_waits);
    tcase_add_test(tc, threads_trim_together);
    tcase_add_test(tc, numbers_do_not_depend_on_the_locale);
    tcase_add_test(tc, json_strings_are_valid);
    tcase_add_test(tc, str_xml_escapes);
    tcase_add_test(tc, wide_characters);
    tcase_add_test(tc, utf8_round_trip);
    tcase_add_test(tc, messages_keep_their_reason);
    tcase_add_test(tc, buffers_of_large_pages_go_back_soon);
    tcase_add_test(tc, a_mapped_file_may_become_shorter);
    tcase_add_test(tc, a_torn_file_may_have_lost_its_name);
    tcase_add_test(tc, a_mapped_file_may_grow_or_be_replaced);
    tcase_add_test(tc, files_are_written_whole);
    tcase_add_test(tc, files_without_a_name_are_not_needed);
    tcase_add_test(tc, records_are_read_as_they_come);
    tcase_add_test(tc, records_have_a_limit_and_can_be_woken);
    tcase_add_test(tc, curves_are_straight_between_points);
    tcase_add_test(tc, affine_maps_chain_in_order);
    Suite *s = suite_create("base");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
