/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that are opened before a worker takes their input. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "files/ahead.h"
#include "files/source.h"
#include "tests/unit/suite.h"

#define N 12
#define BYTES 1000

static struct platen_error err;
static char dir[] = "/tmp/platen-test-ahead-XXXXXX";
static struct pl_input_source source;
static struct pl_ahead ahead;

static const char *path_of(size_t i)
{
    static char path[64];
    snprintf(path, sizeof(path), "%s/%02zu.pgm", dir, i);
    return path;
}

static void write_file(size_t i, size_t n)
{
    FILE *f = fopen(path_of(i), "wb");
    ck_assert_ptr_nonnull(f);
    for (size_t k = 0; k < n; k++)
        ck_assert_int_ne(fputc((int)('0' + i), f), EOF);
    ck_assert_int_eq(fclose(f), 0);
}

static void setup(void)
{
    strcpy(dir + sizeof(dir) - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    for (size_t i = 0; i < N; i++)
        write_file(i, BYTES);
    pl_source_init(&source);
    ck_assert_int_eq(pl_inputs_add(&source.settled, dir, false, &err), PLATEN_OK);
    ck_assert_uint_eq(source.settled.n, N);
}

static void teardown(void)
{
    pl_source_done(&source);
    for (size_t i = 0; i < N; i++)
        unlink(path_of(i));
    ck_assert_int_eq(rmdir(dir), 0);
}

/* Waits until the thread looked at all inputs before `next`, and has none in hand. */
static void wait_until(size_t next)
{
    for (bool there = false; !there;) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        pthread_mutex_lock(&ahead.lock);
        there = ahead.next >= next;
        for (size_t i = 0; i < PL_AHEAD_FILES; i++)
            there = there && (!ahead.files[i].number || ahead.files[i].tried);
        pthread_mutex_unlock(&ahead.lock);
    }
}

static size_t bytes_open(void)
{
    pthread_mutex_lock(&ahead.lock);
    const size_t bytes = ahead.bytes;
    pthread_mutex_unlock(&ahead.lock);
    return bytes;
}

/* Begins to open files ahead of what `source` gave. */
static void begin(size_t most_files, uint64_t most_bytes)
{
    ahead = (struct pl_ahead){.in = source.settled.v,
                              .n = source.settled.n,
                              .given = &source.given,
                              .most_files = most_files,
                              .file_bytes = 1 << 20,
                              .most_bytes = most_bytes};
    pl_ahead_begin(&ahead);
}

/* As a worker takes the next input. Returns whether its file was open. */
static bool take(void)
{
    const size_t i = source.given++;
    struct pl_map map;
    const struct pl_input_state now = pl_input_state_of(&source.settled.v[i]);
    pl_ahead_take(&ahead, i, &now, &map);
    const bool there = map.data;
    if (there)
        ck_assert(map.size == BYTES && map.data[BYTES - 1] == (uint8_t)('0' + i));
    pl_map_close(&map);
    return there;
}

START_TEST(each_file_is_given_to_its_page)
{
    begin(4, 1 << 20);
    wait_until(4);
    ck_assert_uint_eq(ahead.n_files, 4); /* and it waits, for that is the most */
    ck_assert_uint_eq(ahead.next, 4);
    for (size_t i = 0; i < N; i++) {
        wait_until(i + 1);
        ck_assert(take());
    }
    pl_ahead_end(&ahead);
    ck_assert_uint_eq(ahead.n_files, 0);
    ck_assert_uint_eq(ahead.bytes, 0);
}
END_TEST

/* What the threads have in hand is not counted yet: so many files may come on top. */
START_TEST(bytes_are_bounded)
{
    begin(64, 2 * BYTES + 1);
    wait_until(3);
    ck_assert_uint_le(ahead.next, 2 + PL_AHEAD_THREADS);
    ck_assert_uint_eq(ahead.bytes, ahead.next * BYTES);
    while (source.given < 2)
        ck_assert(take());
    wait_until(4);
    ck_assert_uint_le(bytes_open(), (2 + PL_AHEAD_THREADS) * BYTES);
    pl_ahead_end(&ahead); /* closes the rest */
}
END_TEST

START_TEST(what_is_not_read_is_not_opened)
{
    source.settled.v[0].done = true;
    source.settled.v[1].page = 2;
    source.settled.v[2].error = "no";
    begin(2, 1 << 20);
    wait_until(5);
    for (size_t i = 0; i < 5; i++)
        ck_assert_int_eq(take(), i > 2);
    pl_ahead_end(&ahead);
}
END_TEST

START_TEST(a_file_that_changed_is_opened_anew)
{
    begin(N, 1 << 20);
    wait_until(N);
    write_file(0, BYTES / 2);
    unlink(path_of(1));
    ck_assert(!take());
    ck_assert(!take());
    ck_assert(take());
    pl_ahead_end(&ahead);
}
END_TEST

/* Workers may be faster than the thread: they take what is not open, and it goes on behind them. */
START_TEST(workers_pass_it)
{
    source.given = N - 2;
    begin(4, 1 << 20);
    wait_until(N);
    ck_assert_uint_eq(ahead.n_files, 2);
    ck_assert(take() && take());
    pl_ahead_end(&ahead);
}
END_TEST

/* Nobody tells what was given: what is taken is passed. Of long files only a part is asked for. */
START_TEST(taking_passes)
{
    ahead = (struct pl_ahead){.in = source.settled.v,
                              .n = N,
                              .most_files = 2,
                              .file_bytes = BYTES / 4,
                              .most_bytes = 1 << 20};
    pl_ahead_begin(&ahead);
    wait_until(2);
    ck_assert_uint_eq(bytes_open(), 2 * (BYTES / 4));
    source.given = N - 1;
    take();
    wait_until(N);
    ck_assert_uint_eq(ahead.next, N);
    pl_ahead_end(&ahead);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ahead");
    TCase *c = tcase_create("files");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, each_file_is_given_to_its_page);
    tcase_add_test(c, bytes_are_bounded);
    tcase_add_test(c, what_is_not_read_is_not_opened);
    tcase_add_test(c, a_file_that_changed_is_opened_anew);
    tcase_add_test(c, workers_pass_it);
    tcase_add_test(c, taking_passes);
    suite_add_tcase(s, c);
    return run_suite(s);
}
