/* SPDX-License-Identifier: BSD-2-Clause */
/* Attention without its matrix (Dao and others, FlashAttention, 2022): a tile of queries meets a
 * tile of keys at a time, and the sums of earlier tiles are scaled when a larger score comes.
 *
 * Queries lie side by side, keys and the numbers of a value below each other, in the scores as in
 * the sums: keys and values are packed once, and what the softmax leaves is the right side of the
 * product with the values as it lies. */
#include "nn/operators.h"

#include <float.h>
#include <string.h>

#include "nn/op/op_gemm.h"

#define TILE_QUERIES 48 /* whole tiles of sgemm */
#define TILE_KEYS 128   /* whole panels of it */

/* Stacks of matrices q [n, depth], k [depth, keys] and v [keys, width]. */
struct attention {
    struct pl_tensor outer; /* the stacks, broadcast */
    ptrdiff_t q_step[PL_MAX_RANK], k_step[PL_MAX_RANK], v_step[PL_MAX_RANK]; /* in matrices */
    ptrdiff_t mask_step[PL_MAX_RANK];                                        /* in elements */
    size_t n, depth, keys, width;
    float scale;
    bool masked;
};

/* Returns the outer axes of a stack of matrices. */
static struct pl_tensor stack_of(const struct pl_tensor *t)
{
    struct pl_tensor s = *t;
    s.rank -= 2;
    return s;
}

/* Sets *ret to the shape of a stack of m by n matrices with these outer axes. */
static platen_status with_matrix(const struct pl_call *c, const struct pl_tensor *outer, size_t m,
                                 size_t n, struct pl_tensor *ret)
{
    int64_t dims[PL_MAX_RANK + 2];
    memcpy(dims, outer->dims, sizeof(outer->dims));
    dims[outer->rank] = (int64_t)m;
    dims[outer->rank + 1] = (int64_t)n;
    *ret = (struct pl_tensor){0};
    if (outer->rank + 2 > PL_MAX_RANK || !pl_tensor_shape(ret, PL_F32, outer->rank + 2, dims))
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "a shape beyond the limits");
    return PLATEN_OK;
}

/* Checks that the mask, which is added to the scores, leaves their shape as it is. */
static platen_status read_mask(const struct pl_call *c, struct attention *a)
{
    const struct pl_tensor *mask = pl_in(c, 3);
    struct pl_tensor scores, sum;
    if (!mask)
        return PLATEN_OK;
    platen_status s = with_matrix(c, &a->outer, a->n, a->keys, &scores);
    s = s ? s : pl_call_broadcast(c, &scores, mask, &sum);
    if (!s && !pl_tensor_same_shape(&scores, &sum))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "the mask does not fit");
    if (!s)
        pl_broadcast_steps(mask, &scores, a->mask_step);
    a->masked = true;
    return s;
}

static platen_status read_attention(const struct pl_call *c, struct attention *a)
{
    const struct pl_tensor *q = pl_in(c, 0), *k = pl_in(c, 1), *v = pl_in(c, 2);
    struct pl_tensor stack[3], both;
    *a = (struct attention){.scale = pl_ir_float(c->node, "scale", 1)};
    if (pl_in(c, 4) && pl_tensor_count(pl_in(c, 4)) != 1)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the factor is more than one number");
    if (q->rank < 2 || k->rank < 2 || v->rank < 2 || q->dims[q->rank - 1] != k->dims[k->rank - 2] ||
        k->dims[k->rank - 1] != v->dims[v->rank - 2])
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the matrices do not fit");
    a->n = (size_t)q->dims[q->rank - 2];
    a->depth = (size_t)q->dims[q->rank - 1];
    a->keys = (size_t)k->dims[k->rank - 1];
    a->width = (size_t)v->dims[v->rank - 1];
    for (uint32_t i = 0; i < 3; i++)
        stack[i] = stack_of(pl_in(c, i));
    platen_status s = pl_call_broadcast(c, &stack[0], &stack[1], &both);
    s = s ? s : pl_call_broadcast(c, &both, &stack[2], &a->outer);
    if (s)
        return s;
    pl_broadcast_steps(&stack[0], &a->outer, a->q_step);
    pl_broadcast_steps(&stack[1], &a->outer, a->k_step);
    pl_broadcast_steps(&stack[2], &a->outer, a->v_step);
    return read_mask(c, a);
}

platen_status pl_infer_fused_attention(struct pl_call *c)
{
    struct attention a;
    struct pl_tensor y;
    platen_status s = read_attention(c, &a);
    s = s ? s : with_matrix(c, &a.outer, a.n, a.width, &y);
    return s ? s : pl_call_shape(c, 0, pl_in(c, 0)->type, y.rank, y.dims);
}

/* What one stack of matrices is computed with. */
struct attention_tile {
    const float *q, *mask; /* of its stack */
    float *y;
    float *k, *v;   /* packed: the keys, and the values of a tile of keys behind those of another */
    float *queries; /* [depth][TILE_QUERIES], times the scale */
    float *scores;  /* [TILE_KEYS][TILE_QUERIES] */
    float *sums;    /* [width][TILE_QUERIES]: of the keys so far, and of one tile of them */
    float *part;
    float top[TILE_QUERIES], sum[TILE_QUERIES];
};

/* The number of rows in whole panels. */
static size_t in_panels(size_t rows)
{
    return (rows + PL_SGEMM_ROWS - 1) / PL_SGEMM_ROWS * PL_SGEMM_ROWS;
}

static platen_status make_tile(struct pl_call *c, const struct attention *a,
                               struct attention_tile *t)
{
    t->k = pl_call_room(c, in_panels(a->keys) * a->depth, sizeof(float));
    t->v = pl_call_room(c, in_panels(a->width) * a->keys, sizeof(float));
    t->queries = pl_call_room(c, TILE_QUERIES * a->depth, sizeof(float));
    t->scores = pl_call_room(c, TILE_QUERIES * TILE_KEYS, sizeof(float));
    t->sums = pl_call_room(c, TILE_QUERIES * a->width, sizeof(float));
    t->part = pl_call_room(c, TILE_QUERIES * a->width, sizeof(float));
    return t->k && t->v && t->queries && t->scores && t->sums && t->part ? PLATEN_OK
                                                                         : PLATEN_ERR_NOMEM;
}

static void pack_keys(const struct attention *a, struct attention_tile *t, const float *k,
                      const float *v)
{
    const struct pl_gemm keys = {.k = a->depth, .a = k, .a_row = 1, .a_col = a->keys};
    pl_gemm_pack(t->k, &keys, 0, a->keys);
    for (size_t at = 0; at < a->keys; at += TILE_KEYS) {
        const struct pl_gemm values = {.k = PL_MIN(a->keys - at, (size_t)TILE_KEYS),
                                       .a = v + at * a->width,
                                       .a_row = 1,
                                       .a_col = a->width};
        pl_gemm_pack(t->v + at * in_panels(a->width), &values, 0, a->width);
    }
}

/* Adds what the mask has for these queries and keys to their scores. */
static void add_mask(const struct attention *a, struct attention_tile *t, size_t row, size_t rows,
                     size_t at, size_t n)
{
    const int last = a->outer.rank + 1;
    for (size_t i = 0; i < n; i++) {
        const float *m = t->mask + (ptrdiff_t)row * a->mask_step[last - 1] +
                         (ptrdiff_t)(at + i) * a->mask_step[last];
        for (size_t r = 0; r < rows; r++)
            t->scores[i * TILE_QUERIES + r] += m[(ptrdiff_t)r * a->mask_step[last - 1]];
    }
}

/* Adds to the sums of `rows` queries from `row` on what the `n` keys from `at` on give. */
static void add_keys(const struct pl_call *c, const struct attention *a, struct attention_tile *t,
                     size_t row, size_t rows, size_t at, size_t n)
{
    const struct pl_sgemm scores = {.m = n,
                                    .n = rows,
                                    .k = a->depth,
                                    .a = t->k + at * a->depth,
                                    .b = t->queries,
                                    .b_step = TILE_QUERIES,
                                    .c = t->scores,
                                    .c_step = TILE_QUERIES};
    const struct pl_sgemm sums = {.m = a->width,
                                  .n = rows,
                                  .k = n,
                                  .a = t->v + at * in_panels(a->width),
                                  .b = t->scores,
                                  .b_step = TILE_QUERIES,
                                  .c = at ? t->part : t->sums,
                                  .c_step = TILE_QUERIES};
    float factor[TILE_QUERIES];
    c->kernels->sgemm(&scores);
    if (a->masked)
        add_mask(a, t, row, rows, at, n);
    c->kernels->softmax_columns(t->scores, TILE_QUERIES, n, rows, t->top, t->sum, factor);
    c->kernels->sgemm(&sums);
    for (size_t i = 0; i < a->width && at; i++)
        for (size_t r = 0; r < rows; r++) {
            float *s = &t->sums[i * TILE_QUERIES + r];
            *s = *s * factor[r] + t->part[i * TILE_QUERIES + r];
        }
}

/* Computes `rows` rows of one matrix of the stack, from `row` on. */
static void run_rows(const struct pl_call *c, const struct attention *a, struct attention_tile *t,
                     size_t row, size_t rows)
{
    pl_turn_words(t->queries, TILE_QUERIES, t->q + row * a->depth, a->depth, rows, a->depth);
    for (size_t i = 0; i < a->depth; i++)
        for (size_t r = 0; r < rows; r++)
            t->queries[i * TILE_QUERIES + r] *= a->scale;
    for (size_t r = 0; r < rows; r++) {
        t->top[r] = -FLT_MAX;
        t->sum[r] = 0;
    }
    for (size_t at = 0; at < a->keys; at += TILE_KEYS)
        add_keys(c, a, t, row, rows, at, PL_MIN(a->keys - at, (size_t)TILE_KEYS));
    for (size_t i = 0; i < a->width; i++)
        for (size_t r = 0; r < rows; r++)
            t->sums[i * TILE_QUERIES + r] = a->keys ? t->sums[i * TILE_QUERIES + r] / t->sum[r] : 0;
    pl_turn_words(t->y + row * a->width, a->width, t->sums, TILE_QUERIES, a->width, rows);
}

static platen_status attention_f32(struct pl_call *c)
{
    struct attention a;
    struct attention_tile t;
    int64_t at[PL_MAX_RANK] = {0};
    platen_status s = read_attention(c, &a);
    for (uint32_t i = 0; i < c->n_in && !s; i++)
        if (pl_in(c, i) && pl_in(c, i)->type != PL_F32)
            s = pl_call_unsupported_type(c, pl_in(c, i)->type);
    if (!s && pl_in(c, 4))
        a.scale *= *(const float *)pl_in(c, 4)->data;
    s = s ? s : make_tile(c, &a, &t);
    if (s || !pl_tensor_count(pl_out(c, 0)))
        return s;
    t.y = pl_out(c, 0)->data;
    do {
        ptrdiff_t q = 0, k = 0, v = 0, mask = 0;
        for (int i = 0; i < a.outer.rank; i++) {
            q += (ptrdiff_t)at[i] * a.q_step[i];
            k += (ptrdiff_t)at[i] * a.k_step[i];
            v += (ptrdiff_t)at[i] * a.v_step[i];
            mask += (ptrdiff_t)at[i] * a.mask_step[i];
        }
        t.q = (const float *)pl_in(c, 0)->data + (size_t)q * a.n * a.depth;
        pack_keys(&a, &t, (const float *)pl_in(c, 1)->data + (size_t)k * a.depth * a.keys,
                  (const float *)pl_in(c, 2)->data + (size_t)v * a.keys * a.width);
        t.mask = a.masked ? (const float *)pl_in(c, 3)->data + mask : NULL;
        for (size_t row = 0; row < a.n; row += TILE_QUERIES)
            run_rows(c, &a, &t, row, PL_MIN(a.n - row, (size_t)TILE_QUERIES));
        t.y += a.n * a.width;
    } while (pl_odometer(a.outer.rank, a.outer.dims, at));
    return PLATEN_OK;
}

platen_status pl_run_fused_attention(struct pl_call *c)
{
    return pl_call_as_f32(c, attention_f32);
}
