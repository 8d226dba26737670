/* The runner: nodes in file order over one block of activations (plan.h tells its layout). */
#include "nn/run.h"

#include <string.h>

#include "base/mem.h"
#include "nn/graph.h"
#include "nn/plan.h"

#define MAX_WIDTH_PX ((size_t)1 << 20)
/* Lines are taken in groups of about this many output columns, so that what one layer writes is
 * still in the second-level cache when the next one reads it. */
#define GROUP_COLUMNS 448

struct buffer {
    void *data;
    size_t bytes;
};

struct pl_runner {
    const struct pl_model *m;
    const struct pl_kernels *k;
    struct pl_arena arena;
    struct pl_nn_plan plan;
    size_t strip_channels; /* of the widest depthwise layer */
    struct buffer block;   /* plan.bytes * columns */
    struct buffer strip;   /* one line of a depthwise layer with its borders */
    struct buffer logits, first_step;
};

/* The lines that are being run: a slice of the batch. */
struct group {
    const struct pl_strip *lines;
    const size_t *first_step; /* of lines[0..n] */
    size_t n, columns;
    float *logits;
};

platen_status pl_runner_new(const struct pl_model *m, const struct pl_kernels *k,
                            struct pl_runner **ret, struct platen_error *err)
{
    pl_auto(runner) r = pl_alloc_zero(1, sizeof(*r));
    if (!r)
        return pl_fail_nomem(err, sizeof(*r), "a runner");
    pl_arena_init(&r->arena);
    r->m = m;
    r->k = k;
    if (!pl_nn_plan_make(m, &r->arena, &r->plan))
        return pl_fail_nomem(err, m->n_tensors * sizeof(*r->plan.place), "the plan of a model");
    for (size_t i = 0; i < m->n_nodes; i++)
        if (m->nodes[i].op == PL_NN_DWCONV)
            r->strip_channels = PL_MAX(r->strip_channels, m->tensors[m->nodes[i].input].channels);
    *ret = pl_steal(r);
    return PLATEN_OK;
}

void pl_runner_free(struct pl_runner *r)
{
    if (!r)
        return;
    pl_arena_done(&r->arena);
    pl_free(r->block.data);
    pl_free(r->strip.data);
    pl_free(r->logits.data);
    pl_free(r->first_step.data);
    pl_free(r);
}

/* First pixel of row y (-1 and the height are rows of padding) of tensor t, first blank included.
 */
static uint8_t *row_of(const struct pl_runner *r, const struct group *g, size_t t, int y)
{
    const struct pl_nn_place *p = &r->plan.place[t];
    return (uint8_t *)r->block.data + p->offset * g->columns +
           (size_t)(y + (p->padded ? 1 : 0)) * p->row * g->columns;
}

/* Output column where line i begins: a blank lies before each line. */
static size_t column_of(const struct group *g, size_t i)
{
    return g->first_step[i] - g->first_step[0] + i + 1;
}

static size_t steps_of(const struct group *g, size_t i)
{
    return g->first_step[i + 1] - g->first_step[i];
}

static void load_input(const struct pl_runner *r, const struct group *g)
{
    const struct pl_nn_place *p = &r->plan.place[0];
    const struct pl_nn_tensor *in = &r->m->tensors[0];
    memset((uint8_t *)r->block.data + p->offset * g->columns, in->zero,
           p->rows * p->row * g->columns);
    for (int y = 0; y < in->height; y++) {
        uint8_t *row = row_of(r, g, 0, y);
        for (size_t i = 0; i < g->n; i++)
            memcpy(row + column_of(g, i) * p->columns,
                   g->lines[i].px + (size_t)y * g->lines[i].stride_bytes,
                   (size_t)g->lines[i].width);
    }
}

/* Gives tensor t the zero point wherever a window may look beyond a line. */
static void blank_borders(const struct pl_runner *r, const struct group *g, size_t t)
{
    const struct pl_nn_place *p = &r->plan.place[t];
    const struct pl_nn_tensor *x = &r->m->tensors[t];
    memset(row_of(r, g, t, -1), x->zero, p->row * g->columns);
    memset(row_of(r, g, t, x->height), x->zero, p->row * g->columns);
    for (int y = 0; y < x->height; y++) {
        uint8_t *row = row_of(r, g, t, y);
        memset(row, x->zero, p->row);
        for (size_t i = 0; i < g->n; i++)
            memset(row + (column_of(g, i) + steps_of(g, i)) * p->row, x->zero, p->row);
    }
}

static struct pl_requant requant_of(const struct pl_model *m, const struct pl_nn_node *n)
{
    const struct pl_nn_tensor *out = &m->tensors[n->output];
    struct pl_requant q = {.zero = out->zero, .lo = n->relu ? out->zero : 0};
    if (n->residual != PL_NN_NONE) {
        const struct pl_nn_tensor *res = &m->tensors[n->residual];
        q.residual_step = res->channels;
        q.residual_zero = res->zero;
        q.residual_scale = res->scale / out->scale;
    }
    return q;
}

/* The call that computes output row 0 from output column `column` on; rows add to src. */
static struct pl_qgemm gemm_of(const struct pl_runner *r, const struct group *g,
                               const struct pl_nn_node *n, int y, size_t column, size_t columns)
{
    const struct pl_nn_place *in = &r->plan.place[n->input], *out = &r->plan.place[n->output];
    const struct pl_nn_tensor *x = &r->m->tensors[n->input], *z = &r->m->tensors[n->output];
    return (struct pl_qgemm){
        .src = row_of(r, g, n->input, y * n->stride_h - n->pad_top) + column * in->row -
               (size_t)n->pad_x * x->channels,
        .src_step = (size_t)n->stride_w * x->channels,
        .run_stride = in->row * g->columns,
        .runs = (size_t)n->kernel_h,
        .run_bytes = n->run_bytes,
        .n_px = columns * out->columns,
        .n_oc = z->channels,
        .weights = n->weights,
        .narrow = n->narrow,
        .bias = n->bias,
        .scale = n->scale,
        .dst_step = z->channels,
    };
}

/* Whole rows over all lines; what is computed for the blanks between them is overwritten or never
 * read. */
static void run_conv(const struct pl_runner *r, const struct group *g, const struct pl_nn_node *n)
{
    const struct pl_nn_place *out = &r->plan.place[n->output];
    struct pl_requant q = requant_of(r->m, n);
    for (int y = 0; y < r->m->tensors[n->output].height; y++) {
        struct pl_qgemm c = gemm_of(r, g, n, y, 1, g->columns - 2);
        if (n->residual != PL_NN_NONE)
            q.residual = row_of(r, g, n->residual, y) + r->plan.place[n->residual].row;
        r->k->qgemm_u8(row_of(r, g, n->output, y) + out->row, &c, &q);
    }
    if (out->padded)
        blank_borders(r, g, n->output);
}

/* The last layer: line by line, without the blanks. */
static void run_head(const struct pl_runner *r, const struct group *g, const struct pl_nn_node *n)
{
    float *dst = g->logits;
    for (size_t i = 0; i < g->n; i++)
        for (int y = 0; y < r->m->tensors[n->output].height; y++) {
            struct pl_qgemm c = gemm_of(r, g, n, y, column_of(g, i), steps_of(g, i));
            r->k->qgemm_f32(dst, &c);
            dst += steps_of(g, i) * c.n_oc;
        }
}

static void run_dwconv(const struct pl_runner *r, const struct group *g, const struct pl_nn_node *n)
{
    const struct pl_nn_tensor *x = &r->m->tensors[n->input];
    const size_t channels = x->channels, pad = (size_t)n->pad_x;
    const struct pl_requant q = requant_of(r->m, n);
    for (size_t i = 0; i < g->n; i++) {
        size_t at = column_of(g, i) * channels, steps = steps_of(g, i);
        uint8_t *strip = r->strip.data, *body = strip + pad * channels;
        memset(strip, x->zero, pad * channels);
        memcpy(body, row_of(r, g, n->input, 0) + at, steps * channels);
        memset(body + steps * channels, x->zero, (n->run_bytes - 1 - pad) * channels);
        struct pl_qdw d = {strip, steps, channels, n->run_bytes, n->weights, n->bias, n->scale};
        r->k->qdw_u8(row_of(r, g, n->output, 0) + at, &d, &q);
    }
    if (r->plan.place[n->output].padded)
        blank_borders(r, g, n->output);
}

static void run_group(const struct pl_runner *r, const struct group *g)
{
    load_input(r, g);
    for (size_t i = 0; i < r->m->n_nodes; i++) {
        const struct pl_nn_node *n = &r->m->nodes[i];
        if (n->op == PL_NN_DWCONV)
            run_dwconv(r, g, n);
        else if (r->m->tensors[n->output].is_f32)
            run_head(r, g, n);
        else
            run_conv(r, g, n);
    }
}

/* Makes room for n * size bytes; what was in b is lost when it has to grow. */
static bool reserve(struct buffer *b, size_t n, size_t size)
{
    size_t bytes;
    /* 64 more: a first layer reads up to 3 bytes beyond a row, with zero weights */
    if (!pl_mul(n, size, &bytes) || !pl_add(bytes, 64, &bytes))
        return false;
    if (bytes <= b->bytes)
        return true;
    bytes = PL_MAX(bytes, b->bytes + b->bytes / 2);
    pl_free(b->data);
    b->data = pl_alloc_aligned(bytes);
    b->bytes = b->data ? bytes : 0;
    return b->data != NULL;
}

static const struct pl_nn_tensor *logits_of(const struct pl_model *m)
{
    return &m->tensors[m->n_tensors - 1];
}

/* Of one step of a line, all its rows. */
static size_t floats_of(const struct pl_nn_tensor *logits)
{
    return logits->channels * (size_t)logits->height;
}

/* Fills r->first_step and checks the widths. */
static platen_status measure(struct pl_runner *r, const struct pl_strip *lines, size_t n_lines,
                             struct platen_error *err)
{
    const struct pl_nn_tensor *out = logits_of(r->m);
    if (n_lines > MAX_WIDTH_PX)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %zu lines in a batch", MAX_WIDTH_PX);
    if (!reserve(&r->first_step, n_lines + 1, sizeof(size_t)))
        return pl_fail_nomem(err, n_lines * sizeof(size_t), "a batch of lines");
    size_t steps = 0, *first_step = r->first_step.data;
    for (size_t i = 0; i < n_lines; i++) {
        first_step[i] = steps;
        if (lines[i].width <= 0 || lines[i].width % out->divisor)
            return pl_fail(err, PLATEN_ERR_ARG, "line %zu: width %d is no multiple of %d", i,
                           lines[i].width, out->divisor);
        steps += (size_t)(lines[i].width / out->divisor);
        if (steps * (size_t)out->divisor > MAX_WIDTH_PX)
            return pl_fail(err, PLATEN_ERR_LIMIT, "lines of more than %zu px in a batch",
                           MAX_WIDTH_PX);
    }
    first_step[n_lines] = steps;
    if (!reserve(&r->logits, steps * floats_of(out), sizeof(float)))
        return pl_fail_nomem(err, steps * floats_of(out) * sizeof(float), "logits");
    return PLATEN_OK;
}

/* As many lines from line i on as fill a group, at least one. */
static struct group next_group(const struct pl_runner *r, const struct pl_strip *lines,
                               size_t n_lines, size_t i)
{
    const size_t *first_step = r->first_step.data;
    float *logits = r->logits.data;
    struct group g = {&lines[i], &first_step[i], 0, 1,
                      logits + first_step[i] * floats_of(logits_of(r->m))};
    while (i + g.n < n_lines) {
        size_t more = steps_of(&g, g.n) + 1;
        if (g.n && g.columns + more > GROUP_COLUMNS)
            break;
        g.columns += more;
        g.n++;
    }
    return g;
}

platen_status pl_runner_run(struct pl_runner *r, const struct pl_strip *lines, size_t n_lines,
                            struct pl_logits *ret, struct platen_error *err)
{
    platen_status s = measure(r, lines, n_lines, err);
    for (size_t i = 0; i < n_lines && !s;) {
        struct group g = next_group(r, lines, n_lines, i);
        if (!reserve(&r->block, g.columns, r->plan.bytes) ||
            !reserve(&r->strip, g.columns + PL_QDW_MAX_TAPS, r->strip_channels))
            return pl_fail_nomem(err, g.columns * r->plan.bytes, "activations");
        run_group(r, &g);
        i += g.n;
    }
    const struct pl_nn_tensor *out = logits_of(r->m);
    if (!s)
        *ret = (struct pl_logits){r->logits.data, r->first_step.data, n_lines, out->channels,
                                  (size_t)out->height};
    return s;
}
