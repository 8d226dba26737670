/* SPDX-License-Identifier: BSD-2-Clause */
/* Workers that read lines side by side. Nothing here waits for time to pass: each waits for what
 * the other one has done. */
#include <check.h>
#include <semaphore.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "recognize/batches.h"
#include "tests/unit/suite.h"

#define TINY PL_TEST_ROOT "/tests/data/model/tiny.platen"
#define WORKERS 2
#define SIDE 64

static struct platen_error err;

/* Two workers, and a further model to read with, which is the first one again. */
struct pair {
    struct pl_kernels k;
    struct pl_env env;
    struct pl_pool *pool;
    struct pl_network *network;
    struct pl_line_model model;
    struct pl_decoder *decoder;
    struct pl_further_models further;
    struct pl_decoding decoding;
    struct pl_recognizer *team[WORKERS];
    sem_t inside, done;
    platen_status status;
};

static platen_status open_further(void *ctx, size_t i, struct pl_reading_model *ret,
                                  struct platen_error *e)
{
    struct pair *p = ctx;
    (void)i, (void)e;
    *ret = (struct pl_reading_model){p->network, p->decoder};
    return PLATEN_OK;
}

static void setup_pair(struct pair *p)
{
    memset(p, 0, sizeof(*p));
    pl_kernels_init(&p->k, PL_ISA_SCALAR);
    ck_assert_int_eq(pl_pool_new(WORKERS, &p->pool, &err), PLATEN_OK);
    p->env =
        (struct pl_env){.k = &p->k, .bufs = pl_bufpool_new(), .pool = pl_pool_seat(p->pool, 1)};
    ck_assert_msg(!pl_network_open(TINY, &p->network, &err), "%s", err.text);
    ck_assert_msg(!pl_line_model_read(p->network, &p->model, &err), "%s", err.text);
    ck_assert_int_eq(pl_decoder_new(&p->model, &(struct pl_text_models){0},
                                    &(struct pl_decode_options){0}, &p->decoder, &err),
                     PLATEN_OK);
    p->further = (struct pl_further_models){.n = 1, .ctx = p, .open = open_further};
    p->decoding = (struct pl_decoding){p->decoder, &p->further};
    for (int i = 0; i < WORKERS; i++)
        ck_assert_int_eq(
            pl_recognizer_new(p->network, &p->model, &p->k, NULL, 1, &p->team[i], &err), PLATEN_OK);
    sem_init(&p->inside, 0, 0);
    sem_init(&p->done, 0, 0);
}

static void teardown_pair(struct pair *p)
{
    for (int i = 0; i < WORKERS; i++)
        pl_recognizer_free(p->team[i]);
    pl_decoder_free(p->decoder);
    pl_line_model_done(&p->model);
    pl_network_free(p->network);
    pl_pool_free(p->pool);
    pl_bufpool_free(p->env.bufs);
    sem_destroy(&p->inside);
    sem_destroy(&p->done);
}

/* Reads a page of one line with the further model, as worker 1. */
static platen_status read_page(struct pair *p)
{
    struct pl_line line = {.box = {8, 16, SIDE - 8, 48}, .base_y = 40, .ascent_px = 20};
    struct pl_block block = {.lines = &line, .n_lines = 1};
    struct pl_regions regions = {.blocks = &block, .n_blocks = 1};
    struct pl_reading page = {.regions = &regions, .env = {.k = &p->k, .bufs = p->env.bufs}};
    struct pl_batches b = {.team = p->team, .decoding = &p->decoding, .model = 1};
    struct pl_arena arena;
    pl_arena_init(&arena);
    b.lines.arena = &arena;
    platen_status s = pl_image_init(&p->env, SIDE, SIDE, PL_GRAY8, &page.turned[0], &err);
    for (int y = 0; y < SIDE && !s; y++)
        memset(pl_image_row(&page.turned[0], y), y > 24 && y < 40 ? 0 : 255, SIDE);
    if (!s && pl_batches_room(&b, 1)) {
        pl_batches_add(&b, &page, &line);
        pl_batches_run(&b, &p->env);
        s = page.status;
    }
    pl_reading_done(&page);
    pl_arena_done(&arena);
    return s;
}

/* Worker 0 is with something else for as long as worker 1 reads. */
static void work(void *ctx, int worker, size_t i)
{
    struct pair *p = ctx;
    (void)i;
    if (worker == 0) {
        sem_post(&p->inside);
        sem_wait(&p->done);
        return;
    }
    sem_wait(&p->inside);
    p->status = read_page(p);
    sem_post(&p->done);
}

/* Whether the recognizer for the further model is made only now. */
static bool makes_further(struct pair *p, int worker)
{
    const struct pl_reading_model m = {p->network, p->decoder};
    struct pl_recognizer *r = NULL;
    const uint64_t before = pl_mem_count();
    ck_assert_int_eq(pl_recognizer_further(p->team[worker], 0, &m, &r, &err), PLATEN_OK);
    return pl_mem_count() > before;
}

/* A worker reads with further recognizers that it has made itself. If it touched those of another
 * one, both could make one at the same time, and one would be lost. */
START_TEST(workers_make_their_own_further_recognizers)
{
    struct pair p;
    setup_pair(&p);
    pl_pool_for(p.pool, WORKERS, work, &p);
    ck_assert_msg(!p.status, "%s", err.text);
    ck_assert(!makes_further(&p, 1)); /* it was there */
    ck_assert(makes_further(&p, 0));
    teardown_pair(&p);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("all");
    tcase_add_test(tc, workers_make_their_own_further_recognizers);
    Suite *s = suite_create("team");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
