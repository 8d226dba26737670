/* SPDX-License-Identifier: BSD-2-Clause */
/* Einsum that is a product of matrices, or of as many pairs of them as there are other axes:
 * "bihk,bjhk->bhij" is a MatMul whose sides come turned. */
#include "compile/pass.h"

#include <ctype.h>
#include <string.h>

#define DOTS 256 /* labels of the axes of "...", counted from the last one */

/* The labels of the axes of a term. */
struct labels {
    int64_t n;
    int label[PL_MAX_RANK];
};

/* The terms of a product, and how the axes of its left and right side lie in what is read. */
struct product {
    struct labels in[2], out;
    int read[2]; /* the inputs that are left and right */
    int64_t perm[2][PL_MAX_RANK];
};

/* Returns the place of a label in a term; -1 where it is not there. */
static int64_t place_of(const struct labels *t, int label)
{
    for (int64_t i = 0; i < t->n; i++)
        if (t->label[i] == label)
            return i;
    return -1;
}

/* Reads a term up to a comma, an arrow or the end; "..." stands for `dots` axes, or, where that is
 * below 0, for those that letters leave of `rank`. False where an axis comes twice, or the number
 * of axes is not known. */
static bool read_term(const char **text, int64_t rank, int64_t dots, struct labels *t)
{
    const size_t length = strcspn(*text, ",-");
    int64_t letters = 0;
    for (size_t i = 0; i < length; i++)
        letters += isalpha((unsigned char)(*text)[i]) != 0;
    dots = dots < 0 ? rank - letters : dots;
    t->n = 0;
    for (size_t i = 0; i < length; i++) {
        const char *p = *text + i;
        const bool many = length - i >= 3 && !strncmp(p, "...", 3);
        const int64_t axes = many ? dots : 1;
        if (*p == ' ')
            continue;
        if ((!many && !isalpha((unsigned char)*p)) || axes < 0 || t->n + axes > PL_MAX_RANK)
            return false;
        for (int64_t k = 0; k < axes; k++) {
            const int label = many ? (int)(DOTS + axes - 1 - k) : *p;
            if (place_of(t, label) >= 0)
                return false;
            t->label[t->n++] = label;
        }
        i += many ? 2 : 0;
    }
    *text += length;
    return true;
}

static bool read_terms(const struct pl_ir_node *n, const struct pl_extent *known,
                       struct product *ret)
{
    const char *text = pl_ir_string(n, "equation", "");
    int64_t dots = 0;
    if (n->n_in != 2)
        return false;
    for (int k = 0; k < 2; k++) {
        if ((k && *text++ != ',') || !read_term(&text, known[n->in[k]].rank, -1, &ret->in[k]))
            return false;
        for (int64_t i = 0; i < ret->in[k].n; i++)
            dots = PL_MAX(dots, ret->in[k].label[i] - DOTS + 1);
    }
    if (strncmp(text, "->", 2))
        return false;
    text += 2;
    return read_term(&text, -1, dots, &ret->out) && !*text;
}

/* Finds where the axes of a matrix lie in what is read: the last ones of those that the result has
 * before its own matrices, then rows and columns. False where there are others. */
static bool find_axes(const struct labels *in, const struct labels *out, int row, int column,
                      int64_t *perm)
{
    const int64_t before = in->n - 2, lacking = out->n - in->n;
    if (before < 0 || lacking < 0)
        return false;
    for (int64_t i = 0; i < before; i++)
        perm[i] = place_of(in, out->label[lacking + i]);
    perm[before] = place_of(in, row);
    perm[before + 1] = place_of(in, column);
    for (int64_t i = 0; i < in->n; i++)
        if (perm[i] < 0)
            return false;
    return true;
}

/* Reads the equation; false where it is no product of matrices. */
static bool read_product(const struct pl_ir_node *n, const struct pl_extent *known,
                         struct product *p)
{
    if (!read_terms(n, known, p) || p->out.n < 2)
        return false;
    const int row = p->out.label[p->out.n - 2], column = p->out.label[p->out.n - 1];
    p->read[0] = place_of(&p->in[0], row) < 0;
    p->read[1] = !p->read[0];
    const struct labels *left = &p->in[p->read[0]], *right = &p->in[p->read[1]];
    int64_t k = 0;
    while (k < left->n && place_of(&p->out, left->label[k]) >= 0)
        k++;
    return k < left->n && find_axes(left, &p->out, row, left->label[k], p->perm[0]) &&
           find_axes(right, &p->out, left->label[k], column, p->perm[1]);
}

/* Adds a node that brings the axes of a value into an order. */
static platen_status add_turn(struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t from,
                              const int64_t *order, size_t rank, uint32_t *ret)
{
    struct pl_ir *g = r->g;
    const char *name = pl_ir_name(g, n->name, "turned");
    struct pl_attr *attr = PL_NEW(&g->arena, struct pl_attr, 1);
    int64_t *perm = PL_NEW(&g->arena, int64_t, rank);
    uint32_t *edges = PL_NEW(&g->arena, uint32_t, 2);
    if (!name || !attr || !perm || !edges)
        return pl_fail_nomem(r->err, sizeof(*attr), "a node");
    memcpy(perm, order, rank * sizeof(*perm));
    *attr =
        (struct pl_attr){.name = "perm", .kind = PL_ATTR_INTS, .n = (uint32_t)rank, .v.ints = perm};
    edges[0] = from;
    edges[1] = *ret = (uint32_t)g->n_values;
    struct pl_ir_node *turn = &g->nodes[g->n_nodes];
    *turn = (struct pl_ir_node){.name = name,
                                .op = pl_op_by_id(PL_OP_Transpose),
                                .n_in = 1,
                                .n_out = 1,
                                .n_attrs = 1,
                                .in = edges,
                                .out = edges + 1,
                                .attrs = attr};
    g->values[g->n_values] = (struct pl_ir_value){
        .name = name, .t.rank = PL_IR_UNWRITTEN, .writer = (uint32_t)g->n_nodes};
    r->n_reads[from]++;
    r->n_reads[g->n_values++] = 0;
    r->dead[g->n_nodes++] = false;
    return pl_rw_const(r, from) ? pl_rw_fold(r, turn) : PLATEN_OK;
}

static platen_status to_matmul(struct pl_rewrite *r, struct pl_ir_node *n, const struct product *p)
{
    uint32_t in[2];
    platen_status s = PLATEN_OK;
    for (int k = 0; k < 2 && !s; k++) {
        const int64_t *perm = p->perm[k], rank = p->in[p->read[k]].n;
        bool turned = false;
        for (int64_t i = 0; i < rank; i++)
            turned |= perm[i] != i;
        in[k] = n->in[p->read[k]];
        if (turned)
            s = add_turn(r, n, in[k], perm, (size_t)rank, &in[k]);
    }
    s = s ? s : pl_rw_set_input(r, n, 0, in[0]);
    s = s ? s : pl_rw_set_input(r, n, 1, in[1]);
    n->op = pl_op_by_id(PL_OP_MatMul);
    n->n_attrs = 0;
    r->changes++;
    return s;
}

platen_status pl_pass_einsum(struct pl_rewrite *r)
{
    const size_t n_nodes = r->g->n_nodes; /* The nodes behind these are new ones. */
    struct pl_extent *known;
    platen_status s = pl_rw_extents(r, &known);
    for (size_t i = 0; i < n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        struct product p;
        if (n && n->op->id == PL_OP_Einsum && read_product(n, known, &p))
            s = to_matmul(r, n, &p);
    }
    return s;
}
