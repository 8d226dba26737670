#include "nn/plan.h"

/* Size of a tensor per output column, rounded so that every offset stays aligned. */
static size_t place_bytes(const struct pl_nn_place *p)
{
    return (p->rows * p->row + 63) & ~(size_t)63;
}

static void describe(const struct pl_model *m, struct pl_nn_plan *plan)
{
    int stride = m->tensors[m->n_tensors - 1].divisor;
    for (size_t t = 0; t < m->n_tensors; t++) {
        const struct pl_nn_tensor *x = &m->tensors[t];
        size_t columns = (size_t)(stride / x->divisor);
        plan->place[t] = (struct pl_nn_place){.row = columns * x->channels,
                                              .columns = columns,
                                              .rows = (size_t)x->height,
                                              .first = t ? t - 1 : 0};
    }
    for (size_t i = 0; i < m->n_nodes; i++) {
        const struct pl_nn_node *n = &m->nodes[i];
        struct pl_nn_place *in = &plan->place[n->input];
        in->last = i;
        if (n->residual != PL_NN_NONE)
            plan->place[n->residual].last = i;
        if (n->op == PL_NN_CONV && (n->pad_x || n->pad_top || n->pad_bottom) && !in->padded) {
            in->padded = true;
            in->rows += 2;
        }
    }
}

static bool clash(const struct pl_nn_place *a, const struct pl_nn_place *b, size_t at, size_t bytes)
{
    bool together = a->first <= b->last && b->first <= a->last;
    return together && at < b->offset + place_bytes(b) && b->offset < at + bytes;
}

/* Lowest offset where tensor t hits none of those in order[0..n). */
static size_t find_room(const struct pl_nn_plan *plan, size_t t, const size_t *order, size_t n)
{
    const struct pl_nn_place *p = &plan->place[t];
    size_t at = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < n; i++) {
            const struct pl_nn_place *q = &plan->place[order[i]];
            if (clash(p, q, at, place_bytes(p))) {
                at = q->offset + place_bytes(q);
                moved = true;
            }
        }
    }
    return at;
}

/* Largest first (as XNNPACK plans its workspace). */
bool pl_nn_plan_make(const struct pl_model *m, struct pl_arena *arena, struct pl_nn_plan *ret)
{
    size_t n = m->n_tensors - 1; /* the last one is the caller's */
    size_t *order = PL_NEW(arena, size_t, n);
    ret->place = PL_NEW(arena, struct pl_nn_place, m->n_tensors);
    ret->bytes = 0;
    if (!order || !ret->place)
        return false;
    describe(m, ret);
    for (size_t i = 0; i < n; i++) {
        size_t j = i;
        for (; j > 0 && place_bytes(&ret->place[order[j - 1]]) < place_bytes(&ret->place[i]); j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
    for (size_t i = 0; i < n; i++) {
        struct pl_nn_place *p = &ret->place[order[i]];
        p->offset = find_room(ret, order[i], order, i);
        ret->bytes = PL_MAX(ret->bytes, p->offset + place_bytes(p));
    }
    return true;
}
