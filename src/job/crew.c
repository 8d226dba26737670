/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/crew.h"

#include "base/mem.h"

static platen_status make_team(struct pl_crew *c, const struct pl_crew_kit *kit,
                               struct platen_error *err)
{
    c->team = pl_alloc_zero((size_t)c->n, sizeof(struct pl_recognizer *));
    if (!c->team)
        return pl_fail_nomem(err, (size_t)c->n * sizeof(*c->team), "the recognizers");
    platen_status s = PLATEN_OK;
    for (int i = 0; !s && i < c->n; i++)
        s = pl_recognizer_new(kit->model, kit->line, kit->kernels, kit->calls, kit->n_further,
                              &c->team[i], err);
    return s;
}

static platen_status open_net(const struct pl_crew_kit *kit, struct pl_detect_net *ret,
                              struct platen_error *err)
{
    if (!kit->detector)
        return PLATEN_OK;
    const struct pl_detect_op *op = pl_detect_op_of(kit->detect->info);
    if (op->open)
        return op->open(kit->detector, kit->kernels, kit->detect->args, &ret->imported, err);
    return pl_detector_new(kit->detector, kit->kernels, &ret->own, err);
}

platen_status pl_crew_init(struct pl_crew *c, const struct pl_crew_kit *kit, struct pl_pool *pool,
                           struct platen_error *err)
{
    *c = (struct pl_crew){.n = pl_pool_workers(pool)};
    c->workers = pl_alloc_zero((size_t)c->n, sizeof(*c->workers));
    c->batches = pl_alloc_zero((size_t)c->n, sizeof(*c->batches));
    if (!c->workers || !c->batches)
        return pl_fail_nomem(err, (size_t)c->n * sizeof(*c->workers), "the workers");
    platen_status s = kit->model ? make_team(c, kit, err) : PLATEN_OK;
    for (int i = 0; i < c->n; i++) {
        struct pl_page_worker *w = &c->workers[i];
        pl_page_worker_init(w);
        w->env =
            (struct pl_env){.k = kit->kernels, .bufs = kit->bufs, .pool = pl_pool_seat(pool, i)};
        pl_page_worker_bound(w, kit->max_pixels);
        w->clock.seat = w->env.pool;
        w->team = c->team;
        if (!s)
            s = open_net(kit, &w->net, err);
        if (!s)
            s = pl_batch_init(&c->batches[i], w, kit->rules, err);
    }
    return s;
}

/* The times of a stage, or with stage PLATEN_STAGES those of pages, over all workers. */
static struct platen_times times_of(const struct pl_crew *c, int stage)
{
    struct pl_times all = {0};
    for (int i = 0; i < c->n; i++) {
        const struct pl_page_worker *w = &c->workers[i];
        pl_times_merge(&all, stage < PLATEN_STAGES ? &w->clock.times[stage] : &w->clock.page_times);
    }
    return (struct platen_times){all.n, pl_times_rank(&all, 0.5), pl_times_rank(&all, 0.9),
                                 pl_times_rank(&all, 0.99)};
}

void pl_crew_summarize(const struct pl_crew *c, struct platen_summary *ret)
{
    if (!c->workers)
        return;
    for (int s = 0; s < PLATEN_STAGES; s++) {
        ret->times[s] = times_of(c, s);
        for (int i = 0; i < c->n; i++)
            ret->core_s[s] += c->workers[i].clock.core_s[s];
    }
    ret->page_times = times_of(c, PLATEN_STAGES);
}

void pl_crew_done(struct pl_crew *c)
{
    for (int i = 0; c->workers && i < c->n; i++)
        pl_page_worker_done(&c->workers[i]);
    for (int i = 0; c->batches && i < c->n; i++)
        pl_batch_free(&c->batches[i]);
    for (int i = 0; c->team && i < c->n; i++)
        pl_recognizer_free(c->team[i]);
    pl_free(c->workers);
    pl_free(c->batches);
    pl_free(c->team);
}
