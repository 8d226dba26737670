/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/pdf_layers.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define MAX_LISTED 65536 /* layers */
#define MAX_ASKED 65536  /* for a page */
#define MAX_DEPTH 16     /* of conditions */

static int by_number(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

platen_status pl_pdf_layers_read(qpdf_data pdf, struct pl_pdf_layers *ret, struct platen_error *err)
{
    *ret = (struct pl_pdf_layers){.pdf = pdf};
    qpdf_oh all = pl_qpdf.oh_get_key_if_dict(pdf, pl_qpdf.get_root(pdf), "/OCProperties"),
            shown = pl_qpdf.oh_get_key_if_dict(pdf, all, "/D"),
            base = pl_qpdf.oh_get_key_if_dict(pdf, shown, "/BaseState");
    ret->base_hidden = pl_qpdf.oh_is_name_and_equals(pdf, base, "/OFF");
    qpdf_oh list = pl_qpdf.oh_get_key_if_dict(pdf, shown, ret->base_hidden ? "/ON" : "/OFF");
    const int n = pl_qpdf.oh_is_array(pdf, list) ? pl_qpdf.oh_get_array_n_items(pdf, list) : 0;
    if (n > MAX_LISTED)
        return pl_fail(err, PLATEN_ERR_LIMIT, "the pdf lists more than %d layers", MAX_LISTED);
    ret->listed = pl_alloc((size_t)n, sizeof(*ret->listed));
    if (!ret->listed)
        return pl_fail_nomem(err, (size_t)n * sizeof(*ret->listed), "the layers of a pdf");
    for (int i = 0; i < n; i++) {
        qpdf_oh layer = pl_qpdf.oh_get_array_item(pdf, list, i);
        ret->listed[ret->n++] = pl_qpdf.oh_get_object_id(pdf, layer);
        pl_qpdf.oh_release(pdf, layer);
    }
    qsort(ret->listed, ret->n, sizeof(*ret->listed), by_number);
    return PLATEN_OK;
}

void pl_pdf_layers_done(struct pl_pdf_layers *l)
{
    pl_free(l->listed);
    *l = (struct pl_pdf_layers){0};
}

static bool shows_layer(const struct pl_pdf_layers *l, qpdf_oh layer)
{
    const int object = pl_qpdf.oh_get_object_id(l->pdf, layer);
    const bool listed = bsearch(&object, l->listed, l->n, sizeof(object), by_number);
    return listed == l->base_hidden;
}

/* Whether an expression holds: a layer, or an array of an operator and its operands. */
static bool holds(struct pl_pdf_layers *l, qpdf_oh expression, int depth)
{
    qpdf_data pdf = l->pdf;
    if (!pl_qpdf.oh_is_array(pdf, expression))
        return shows_layer(l, expression);
    qpdf_oh op = pl_qpdf.oh_get_array_item(pdf, expression, 0);
    const bool any = pl_qpdf.oh_is_name_and_equals(pdf, op, "/Or"),
               none = pl_qpdf.oh_is_name_and_equals(pdf, op, "/Not");
    const int n = pl_qpdf.oh_get_array_n_items(pdf, expression);
    for (int i = 1; i < n && depth < MAX_DEPTH && l->n_asked < MAX_ASKED; i++, l->n_asked++)
        if (holds(l, pl_qpdf.oh_get_array_item(pdf, expression, i), depth + 1) != !(any || none))
            return any;
    return !any;
}

/* Whether the layers of a condition are as its policy has them: any or all, shown or hidden. */
static bool policy_holds(struct pl_pdf_layers *l, qpdf_oh condition)
{
    qpdf_data pdf = l->pdf;
    qpdf_oh layers = pl_qpdf.oh_get_key(pdf, condition, "/OCGs"),
            policy = pl_qpdf.oh_get_key(pdf, condition, "/P");
    if (pl_qpdf.oh_is_dictionary(pdf, layers))
        return shows_layer(l, layers) == !(pl_qpdf.oh_is_name_and_equals(pdf, policy, "/AnyOff") ||
                                           pl_qpdf.oh_is_name_and_equals(pdf, policy, "/AllOff"));
    const bool all_on = pl_qpdf.oh_is_name_and_equals(pdf, policy, "/AllOn"),
               all_off = pl_qpdf.oh_is_name_and_equals(pdf, policy, "/AllOff"),
               any_off = pl_qpdf.oh_is_name_and_equals(pdf, policy, "/AnyOff");
    const int n = pl_qpdf.oh_is_array(pdf, layers) ? pl_qpdf.oh_get_array_n_items(pdf, layers) : 0;
    int known = 0;
    for (int i = 0; i < n && l->n_asked < MAX_ASKED; i++, l->n_asked++) {
        qpdf_oh layer = pl_qpdf.oh_get_array_item(pdf, layers, i);
        if (!pl_qpdf.oh_is_dictionary(pdf, layer))
            continue;
        known++;
        const bool wanted = shows_layer(l, layer) == (all_on || (!all_off && !any_off));
        if (wanted != (all_on || all_off))
            return wanted;
    }
    return !known || all_on || all_off;
}

bool pl_pdf_layers_show(struct pl_pdf_layers *l, qpdf_oh content)
{
    qpdf_data pdf = l->pdf;
    if (l->n_asked >= MAX_ASKED || !pl_qpdf.oh_is_dictionary(pdf, content))
        return true;
    l->n_asked++;
    qpdf_oh kind = pl_qpdf.oh_get_key(pdf, content, "/Type"),
            expression = pl_qpdf.oh_get_key(pdf, content, "/VE");
    if (!pl_qpdf.oh_is_name_and_equals(pdf, kind, "/OCMD"))
        return shows_layer(l, content);
    return pl_qpdf.oh_is_array(pdf, expression) ? holds(l, expression, 0)
                                                : policy_holds(l, content);
}
