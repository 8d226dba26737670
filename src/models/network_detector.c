/* SPDX-License-Identifier: BSD-2-Clause */
#include "models/network_detector.h"

#include <stdio.h>
#include <string.h>

#include "base/sized.h"
#include "base/text.h"
#include "detect/lines.h"
#include "models/graft.h"
#include "nn/operators.h"
#include "spec/spec.h"

/* Farther outside of 0 to 1 than rounding takes a probability. Logits are, on paper without text.
 */
#define BEYOND 1e-3f

platen_status pl_detector_adapter_open(struct pl_detector_adapter *d,
                                       const struct platen_detector_options *o,
                                       struct platen_error *err)
{
    struct platen_detector_options own = {.parameters = NULL};
    struct pl_str text = {0};
    *d = (struct pl_detector_adapter){.logits = false};
    platen_status s = pl_sized_take(&own, sizeof(own), o, "platen_detector_options", err);
    if (!s && own.parameters && strchr(own.parameters, '|'))
        s = pl_fail(err, PLATEN_ERR_ARG, "'%.60s' is more than parameters", own.parameters);
    if (s)
        return s;
    pl_str_puts(&text, "gray | db:model=-");
    if (own.parameters)
        pl_str_printf(&text, ":%s", own.parameters);
    s = text.failed ? pl_fail_nomem(err, text.len, "parameters")
                    : pl_spec_parse(text.s, text.len, &d->pipeline, NULL, err);
    pl_str_done(&text);
    return s ? pl_fail_prefix(err, s, "a detector's parameters: ") : s;
}

void pl_detector_adapter_done(struct pl_detector_adapter *d)
{
    pl_spec_free(d->pipeline);
}

static void note_number(struct pl_detector_adapter *d, const char *key, double value)
{
    struct pl_detector_note *n = &d->notes[d->n_notes++];
    snprintf(n->key, sizeof(n->key), "db.%s", key);
    snprintf(n->value, sizeof(n->value), "%.9g", value);
}

static void note_channels(struct pl_detector_adapter *d, const char *key,
                          const float v[PL_DB_CHANNELS])
{
    struct pl_detector_note *n = &d->notes[d->n_notes++];
    snprintf(n->key, sizeof(n->key), "db.%s", key);
    snprintf(n->value, sizeof(n->value), "%.7g/%.7g/%.7g", (double)v[0], (double)v[1],
             (double)v[2]);
}

/* Settles the parameters as the operation does. */
static platen_status note_all(struct pl_detector_adapter *d, const struct pl_network *n,
                              const struct pl_db_args *args, struct platen_error *err)
{
    struct pl_db_options o;
    platen_status s = pl_db_settle(n, args, &o, err);
    if (s)
        return s;
    note_number(d, "threshold", o.rules.threshold);
    note_number(d, "score", o.rules.score);
    note_number(d, "unclip", o.rules.unclip);
    note_number(d, "side", o.side);
    note_channels(d, "mean", o.mean);
    note_channels(d, "std", o.std);
    return PLATEN_OK;
}

/* Whether a place of the map is no probability. */
static bool has_logits(const struct pl_db_map *m)
{
    for (size_t i = 0; i < (size_t)m->width * (size_t)m->height; i++)
        if (m->text[i] < -BEYOND || m->text[i] > 1 + BEYOND)
            return true;
    return false;
}

platen_status pl_detector_adapter_measure(struct pl_detector_adapter *d, const struct pl_network *n,
                                          const struct pl_kernels *k, struct platen_error *err)
{
    const struct pl_db_args *args = pl_spec_step(d->pipeline, PLATEN_STAGE_DETECT)->args;
    pl_auto(db_net) net = NULL;
    struct pl_db_map map;
    platen_status s = pl_detect_db.open(n, k, args, &net, err);
    s = s ? s : pl_db_net_try(net, &map, err);
    if (s)
        return s;
    d->logits = has_logits(&map);
    return note_all(d, n, args, err);
}

platen_status pl_detector_adapter_adapt(const struct pl_detector_adapter *d, struct pl_ir *g,
                                        struct platen_error *err)
{
    struct pl_graft a = {g, err, PLATEN_OK};
    g->n_outputs = 1;
    if (!d->logits)
        return PLATEN_OK;
    if (!pl_graft_room(g))
        return pl_fail_nomem(err, g->n_values * sizeof(*g->values), "a graph");
    g->outputs[0] = pl_graft_node(&a, "probability", PL_OP_Sigmoid, 1, (uint32_t[3]){g->outputs[0]},
                                  NULL, PL_IR_NONE);
    return a.s ? a.s : pl_ir_sort(g, err);
}
