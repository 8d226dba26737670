/* SPDX-License-Identifier: BSD-2-Clause */
#include "image/components.h"

#include <assert.h>

#include "base/sets.h"

static size_t count_runs(const struct pl_bits *bits)
{
    size_t total = 0;
    for (int y = 0; y < bits->height; y++)
        total += pl_bits_count_runs(pl_bits_row(bits, y), (size_t)bits->bytes.width);
    return total;
}

/* Joins run `i` with the runs prev..prev_end-1 of the row above that touch it, corners counted;
 * returns the first of them that can touch a run further right. */
static size_t join_above(const struct pl_run *runs, uint32_t *parent, size_t i, size_t prev,
                         size_t prev_end)
{
    while (prev < prev_end && runs[prev].x1 < runs[i].x0)
        prev++;
    for (size_t p = prev; p < prev_end && runs[p].x0 <= runs[i].x1; p++) {
        pl_sets_join(parent, (uint32_t)p, (uint32_t)i);
        prev = p;
    }
    return prev;
}

static void scan(const struct pl_bits *bits, struct pl_run *runs, uint32_t *parent)
{
    size_t n = 0, above = 0;
    for (int y = 0; y < bits->height; y++) {
        size_t row = n, prev = above;
        n += pl_bits_runs(pl_bits_row(bits, y), (size_t)bits->bytes.width, y, runs + n);
        for (size_t i = row; i < n; i++) {
            parent[i] = (uint32_t)i;
            prev = join_above(runs, parent, i, prev, row);
        }
        above = row;
    }
}

/* Replaces parents, none of which has a larger index than its child, by component numbers in raster
 * order and returns how many there are. */
static size_t number_components(uint32_t *parent, size_t n_runs)
{
    uint32_t n = 0;
    for (size_t i = 0; i < n_runs; i++)
        parent[i] = parent[i] == i ? n++ : parent[parent[i]];
    return n;
}

static void measure(const struct pl_run *runs, const uint32_t *label, struct pl_components *c)
{
    for (size_t i = 0; i < c->n; i++)
        c->comps[i] = (struct pl_component){.box = {INT32_MAX, INT32_MAX, 0, 0}};
    for (size_t i = 0; i < c->n_runs; i++) {
        struct pl_component *o = &c->comps[label[i]];
        struct pl_run r = runs[i];
        o->box.x0 = PL_MIN(o->box.x0, r.x0);
        o->box.x1 = PL_MAX(o->box.x1, r.x1);
        o->box.y0 = PL_MIN(o->box.y0, r.y);
        o->box.y1 = r.y + 1;
        o->ink_px += (uint32_t)(r.x1 - r.x0);
        o->n_runs++;
    }
    uint32_t first = 0;
    for (size_t i = 0; i < c->n; i++) {
        c->comps[i].first_run = first;
        first += c->comps[i].n_runs;
        c->comps[i].n_runs = 0;
    }
    for (size_t i = 0; i < c->n_runs; i++) {
        struct pl_component *o = &c->comps[label[i]];
        c->runs[o->first_run + o->n_runs++] = runs[i];
    }
}

/* The numbered components of runs[] with their own copies of the runs. */
static platen_status collect_components(const struct pl_env *env, const struct pl_run *runs,
                                        const uint32_t *label, struct pl_components *c,
                                        struct platen_error *err)
{
    size_t comps_bytes = c->n * sizeof(*c->comps), runs_bytes = c->n_runs * sizeof(*c->runs);
    c->bufs = env->bufs;
    c->comps = pl_bufpool_get(env->bufs, comps_bytes);
    c->runs = pl_bufpool_get(env->bufs, runs_bytes);
    if (!c->comps || !c->runs) {
        pl_components_done(c);
        return pl_fail_nomem(err, comps_bytes + runs_bytes, "connected components");
    }
    measure(runs, label, c);
    return PLATEN_OK;
}

platen_status pl_components_of_bits(const struct pl_env *env, const struct pl_bits *bits,
                                    struct pl_components *ret, struct platen_error *err)
{
    struct pl_components c = {.n_runs = count_runs(bits)};
    if (c.n_runs > PL_COMPONENTS_MAX_RUNS)
        return pl_fail(err, PLATEN_ERR_LIMIT, "the page has %zu runs of ink, more than %zu",
                       c.n_runs, PL_COMPONENTS_MAX_RUNS);
    size_t runs_bytes = c.n_runs * sizeof(struct pl_run), label_bytes = c.n_runs * 4;
    pl_env_claim_scratch(env, 2 * (uint64_t)runs_bytes + label_bytes +
                                  c.n_runs * sizeof(struct pl_component));
    struct pl_run *runs = pl_bufpool_get(env->bufs, runs_bytes);
    uint32_t *label = pl_bufpool_get(env->bufs, label_bytes);
    platen_status s = PLATEN_OK;
    if (runs && label) {
        scan(bits, runs, label);
        c.n = number_components(label, c.n_runs);
        s = collect_components(env, runs, label, &c, err);
    } else {
        s = pl_fail_nomem(err, runs_bytes + label_bytes, "runs of ink");
    }
    pl_bufpool_put(env->bufs, runs, runs_bytes);
    pl_bufpool_put(env->bufs, label, label_bytes);
    if (!s)
        *ret = c;
    return s;
}

platen_status pl_components_find(const struct pl_env *env, const struct pl_image *im,
                                 struct pl_components *ret, struct platen_error *err)
{
    assert(im->format == PL_GRAY8);
    pl_auto_bits bits = {0};
    platen_status s = pl_bits_from_image(env, im, 127, &bits, err);
    return s ? s : pl_components_of_bits(env, &bits, ret, err);
}

void pl_components_done(struct pl_components *c)
{
    if (c->bufs) {
        pl_bufpool_put(c->bufs, c->comps, c->n * sizeof(*c->comps));
        pl_bufpool_put(c->bufs, c->runs, c->n_runs * sizeof(*c->runs));
    }
    *c = (struct pl_components){0};
}
