/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/line_net.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "nn/executor.h"
#include "nn/operators.h"
#include "nn/session.h"

#define MAX_WIDTH_PX (1 << 20)
#define MAX_VALUE_BYTES ((size_t)1 << 30)
#define TRIAL_STEPS 16

struct net_strip {
    size_t offset; /* in px */
    int width, column;
};

struct pl_line_net {
    const struct pl_line_model *model;
    struct pl_line_calls *calls; /* or NULL */
    size_t most;                 /* strips of one call */
    const struct pl_network *network;
    const struct pl_kernels *kernels;
    /* The first runs strips that are joined; each runs one of those that are run together, and is
     * made at the first call that needs it. */
    struct pl_session *sessions[PL_SESSION_TOGETHER];
    bool joins;       /* the network takes several strips at once, beside each other */
    size_t together;  /* how many strips are run together where it does not */
    int most_columns; /* up to which strips are taken together */
    struct pl_tensor in[PL_SESSION_TOGETHER]; /* point into px, or the first beside */
    uint8_t *px;                              /* the strips, one after the other */
    uint8_t *beside; /* the strips beside each other; what is between them means nothing */
    size_t px_room, beside_room;
    struct net_strip strips[PL_LINE_MAX_STRIPS];
    size_t n;
    int columns; /* of the strips that wait, blanks between them included */
    int64_t ends[PL_LINE_MAX_STRIPS];
    struct pl_joints joints;
    const float *scores[PL_LINE_MAX_STRIPS];
};

/* Gives an input that many columns. */
static bool shape_input(const struct pl_line_net *l, struct pl_tensor *in, int columns)
{
    const int64_t dims[] = {1, 1, l->model->height, columns};
    return columns <= MAX_WIDTH_PX && pl_tensor_shape(in, PL_U8, 4, dims);
}

/* Returns whether two strips can be read at once, with a blank between them that is one step
 * wide. */
static platen_status try_joints(struct pl_line_net *l, struct platen_error *err)
{
    static char given;
    const int strip = TRIAL_STEPS * l->model->stride;
    const int64_t end = strip;
    const struct pl_joints two = {&end, 1, l->model->stride, 2 * strip + l->model->stride};
    if (!shape_input(l, l->in, (int)two.columns))
        return PLATEN_OK;
    l->in[0].data = &given;
    pl_session_join(l->sessions[0], &two);
    platen_status s = pl_session_prepare(l->sessions[0], l->in, err);
    l->joins = !s;
    pl_session_join(l->sessions[0], NULL);
    l->in[0].data = NULL;
    return s == PLATEN_ERR_NOMEM ? s : PLATEN_OK;
}

/* Makes the sessions below n that are not there. */
static platen_status make_sessions(struct pl_line_net *l, size_t n, struct platen_error *err)
{
    const struct pl_line_model *m = l->model;
    for (size_t i = 0; i < n; i++) {
        if (l->sessions[i])
            continue;
        platen_status s =
            pl_session_new(&l->network->g, l->kernels, MAX_VALUE_BYTES, &l->sessions[i], err);
        if (s)
            return s;
        pl_session_take_bytes(l->sessions[i], 0, m->input_scale, m->input_zero);
    }
    return PLATEN_OK;
}

platen_status pl_line_net_new(const struct pl_network *n, const struct pl_line_model *m,
                              const struct pl_kernels *k, struct pl_line_calls *calls,
                              struct pl_line_net **ret, struct platen_error *err)
{
    pl_auto(line_net) l = pl_alloc_zero(1, sizeof(*l));
    if (!l)
        return pl_fail_nomem(err, sizeof(*l), "a network of lines");
    l->model = m;
    l->network = n;
    l->kernels = k;
    l->calls = calls;
    l->most = calls ? calls->most : PL_LINE_MAX_STRIPS;
    l->most_columns = n->g.executor ? (int)n->g.executor->columns : PL_LINE_GROUP_PX;
    l->together = n->g.executor || !pl_session_gains_together(&n->g)
                      ? 1
                      : PL_MIN(l->most, (size_t)PL_SESSION_TOGETHER);
    platen_status s = make_sessions(l, 1, err);
    s = s ? s : try_joints(l, err);
    if (!s)
        *ret = pl_steal(l);
    return s;
}

void pl_line_net_free(struct pl_line_net *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < PL_SESSION_TOGETHER; i++)
        pl_session_free(l->sessions[i]);
    pl_free(l->px);
    pl_free(l->beside);
    pl_free(l);
}

int pl_line_net_columns(const struct pl_line_net *l)
{
    return l->most_columns;
}

void pl_line_net_reset(struct pl_line_net *l)
{
    l->n = 0;
    l->columns = 0;
}

bool pl_line_net_fits(const struct pl_line_net *l, int width)
{
    return !l->n || (l->n < (l->joins ? l->most : l->together) &&
                     l->columns + l->model->stride + width <= l->most_columns);
}

/* Makes room for n bytes and keeps those that are there. */
static bool grow_strips(struct pl_line_net *l, size_t n)
{
    size_t room = (size_t)1 << 14;
    while (room < n)
        room *= 2;
    if (n <= l->px_room)
        return true;
    uint8_t *px = pl_alloc(room, 1);
    if (px && l->px)
        memcpy(px, l->px, l->px_room);
    if (!px)
        return false;
    pl_free(l->px);
    l->px = px;
    l->px_room = room;
    return true;
}

uint8_t *pl_line_net_add(struct pl_line_net *l, int width)
{
    assert(width > 0 && width % l->model->stride == 0);
    assert(l->n < PL_LINE_MAX_STRIPS && pl_line_net_fits(l, width));
    const struct net_strip *before = l->n ? &l->strips[l->n - 1] : NULL;
    const size_t height = (size_t)l->model->height;
    struct net_strip s = {.width = width};
    if (before) {
        s.offset = before->offset + height * (size_t)before->width;
        s.column = l->columns + l->model->stride;
    }
    if (width > MAX_WIDTH_PX || !grow_strips(l, s.offset + height * (size_t)width))
        return NULL;
    l->strips[l->n++] = s;
    l->columns = s.column + width;
    return l->px + s.offset;
}

/* Copies the strips to their places beside each other. */
static platen_status join_strips(struct pl_line_net *l, struct platen_error *err)
{
    const size_t n = pl_tensor_count(l->in), columns = (size_t)l->columns;
    size_t room = (size_t)1 << 14;
    while (room < n)
        room *= 2;
    if (n > l->beside_room) {
        pl_free(l->beside);
        l->beside = pl_alloc_zero(room, 1);
        l->beside_room = l->beside ? room : 0;
        if (!l->beside)
            return pl_fail_nomem(err, room, "line strips");
    }
    for (size_t i = 0; i < l->n; i++) {
        const struct net_strip *s = &l->strips[i];
        for (size_t y = 0; y < (size_t)l->model->height; y++)
            memcpy(l->beside + y * columns + (size_t)s->column,
                   l->px + s->offset + y * (size_t)s->width, (size_t)s->width);
    }
    l->in[0].data = l->beside;
    return PLATEN_OK;
}

/* Points *ret to the scores that a session wrote for so many columns. */
static platen_status find_scores(const struct pl_line_net *l, const struct pl_session *session,
                                 int columns, const float **ret, struct platen_error *err)
{
    const struct pl_line_model *m = l->model;
    const size_t steps = (size_t)(columns / m->stride);
    const struct pl_tensor *t = pl_session_output(session, 0);
    if (t->type != PL_F32 || t->rank < 2 || t->dims[t->rank - 1] != (int64_t)m->n_classes ||
        pl_tensor_count(t) != steps * m->n_classes)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "the network gives no %zu scores for each of %zu steps: its metadata "
                       "'alphabet' or 'stride' do not fit",
                       m->n_classes, steps);
    *ret = t->data;
    return PLATEN_OK;
}

/* Reads the strips beside each other. */
static platen_status run_joined(struct pl_line_net *l, struct platen_error *err)
{
    const struct pl_line_model *m = l->model;
    const float *scores = NULL;
    if (!shape_input(l, l->in, l->columns))
        return pl_fail(err, PLATEN_ERR_LIMIT, "lines of %d columns", l->columns);
    l->in[0].data = l->px;
    platen_status s = l->n > 1 ? join_strips(l, err) : PLATEN_OK;
    for (size_t i = 0; i + 1 < l->n; i++)
        l->ends[i] = l->strips[i].column + l->strips[i].width;
    l->joints = (struct pl_joints){l->ends, l->n - 1, m->stride, l->columns};
    pl_session_join(l->sessions[0], l->n > 1 ? &l->joints : NULL);
    s = s ? s : pl_session_run(l->sessions[0], l->in, err);
    s = s ? s : find_scores(l, l->sessions[0], l->columns, &scores, err);
    for (size_t i = 0; i < l->n && !s; i++)
        l->scores[i] = scores + (size_t)(l->strips[i].column / m->stride) * m->n_classes;
    return s;
}

/* Reads each strip in a session of its own, all of them together. */
static platen_status run_together(struct pl_line_net *l, struct platen_error *err)
{
    const struct pl_tensor *in[PL_SESSION_TOGETHER];
    platen_status s = make_sessions(l, l->n, err);
    for (size_t i = 0; i < l->n && !s; i++) {
        if (!shape_input(l, &l->in[i], l->strips[i].width))
            return pl_fail(err, PLATEN_ERR_LIMIT, "lines of %d columns", l->strips[i].width);
        l->in[i].data = l->px + l->strips[i].offset;
        in[i] = &l->in[i];
    }
    s = s ? s : pl_session_run_together(l->sessions, in, l->n, err);
    for (size_t i = 0; i < l->n && !s; i++)
        s = find_scores(l, l->sessions[i], l->strips[i].width, &l->scores[i], err);
    return s;
}

static void count_call(const struct pl_line_net *l)
{
    if (!l->calls)
        return;
    atomic_fetch_add_explicit(&l->calls->n, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&l->calls->strips, l->n, memory_order_relaxed);
}

platen_status pl_line_net_run(struct pl_line_net *l, struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    if (l->n) {
        count_call(l);
        s = l->joins || l->n == 1 ? run_joined(l, err) : run_together(l, err);
    }
    pl_line_net_reset(l);
    return s;
}

struct pl_line_scores pl_line_net_scores(const struct pl_line_net *l, size_t i)
{
    assert(i < PL_LINE_MAX_STRIPS && l->scores[i]);
    return (struct pl_line_scores){l->scores[i], (size_t)(l->strips[i].width / l->model->stride)};
}

const uint8_t *pl_line_net_strip(const struct pl_line_net *l, size_t i)
{
    assert(i < PL_LINE_MAX_STRIPS);
    return l->px + l->strips[i].offset;
}
