/* SPDX-License-Identifier: BSD-2-Clause */
/* `platen bench memory`: buffers of pictures from the pool and from malloc. */
#include "bench/bench.h"

#include "base/bufpool.h"
#include "base/mem.h"

#define N_BUFFERS 3 /* that are held at once, as by an operation between two pictures */
#define TOUCH_BYTES 4096

struct buffers {
    struct pl_bufpool *pool;
    size_t bytes;
};

enum { FROM_MALLOC, FROM_POOL };

static void *get(const struct buffers *b, size_t way)
{
    return way == FROM_POOL ? pl_bufpool_get(b->pool, b->bytes) : pl_alloc_aligned(b->bytes);
}

static void put(const struct buffers *b, size_t way, void *buf)
{
    if (way == FROM_POOL)
        pl_bufpool_put(b->pool, buf, b->bytes);
    else
        pl_free(buf);
}

/* Gets the buffers, writes to each of their memory pages, and gives them back. */
static platen_status use_buffers(void *ctx, size_t way, struct platen_error *err)
{
    const struct buffers *b = ctx;
    void *buf[N_BUFFERS];
    bool all = true;
    for (size_t i = 0; i < N_BUFFERS; i++) {
        buf[i] = get(b, way);
        all = all && buf[i];
        for (size_t at = 0; buf[i] && at < b->bytes; at += TOUCH_BYTES)
            ((volatile uint8_t *)buf[i])[at] = 1;
    }
    for (size_t i = 0; i < N_BUFFERS; i++)
        put(b, way, buf[i]);
    return all ? PLATEN_OK : pl_fail_nomem(err, N_BUFFERS * b->bytes, "buffers");
}

platen_status pl_bench_memory(const struct pl_bench_input *in, const struct pl_bench_reader *to,
                              struct platen_error *err)
{
    static const struct {
        const char *name;
        size_t bytes;
    } sizes[] = {{"64K", 64 << 10}, {"1M", 1 << 20}, {"8M", 8 << 20}};
    static const char *const ways[] = {"malloc", "pool"};
    pl_auto(bufpool) pool = pl_bufpool_new();
    platen_status s = PLATEN_OK;
    if (in->n)
        return pl_fail(err, PLATEN_ERR_ARG, "bench memory takes nothing, not '%.60s'",
                       in->names[0]);
    if (!pool)
        return pl_fail_nomem(err, sizeof(pool), "a pool");
    for (size_t i = 0; !s && i < PL_ARRAY_LEN(sizes); i++) {
        struct buffers b = {pool, sizes[i].bytes};
        struct pl_turns t = {.ways = PL_ARRAY_LEN(ways),
                             .rounds = PL_TURNS_MOST_ROUNDS,
                             .clock = CLOCK_THREAD_CPUTIME_ID,
                             .least_ns = 5e6};
        const struct pl_bench_case c = {"buffer", sizes[i].name, "us/buffer", ways,
                                        1e3 * N_BUFFERS};
        s = pl_bench_case(&c, &t, use_buffers, &b, to, err);
    }
    return s;
}
