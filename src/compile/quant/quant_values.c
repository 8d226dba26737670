/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of values whose floats are there. */
#include "compile/quant/quant_convert.h"

platen_status pl_q_bytes_of(struct pl_q_graph *q, uint32_t value, bool channels_first, bool tight,
                            struct pl_q_value *ret)
{
    const struct pl_range *r = &q->ranges[value];
    const struct pl_q_value *have = &q->bytes[value];
    if (have->value != PL_IR_NONE && have->channels_first == channels_first &&
        (tight || have->stored % 16 == 0)) {
        *ret = *have;
        return PLATEN_OK;
    }
    struct pl_q_node m;
    struct pl_q_value v = {.s = pl_q_scale_for(q, value), .channels_first = channels_first};
    uint32_t out = PL_IR_NONE, from = value;
    v.channels = (size_t)r->dims[channels_first ? 1 : r->rank - 1];
    v.stored = tight && v.channels == 1   ? 1
               : tight && v.channels <= 4 ? 4
                                          : pl_q_stored(v.channels);
    platen_status s = pl_q_floats(q, value);
    s = s ? s : pl_q_unlimited(q, value, v.s, &from);
    s = s ? s : pl_q_new_bytes(q, value, v, &out);
    if (s)
        return s;
    pl_q_begin(&m, pl_ir_name(q->g, q->g->values[value].name, "quantize"), PL_OP_QuantizeLast);
    pl_q_in(&m, from);
    pl_q_set_int(&m, "channels_first", channels_first);
    pl_q_set_int(&m, "stored", (int64_t)v.stored);
    pl_q_set_result(&m, v.s);
    *ret = q->bytes[value];
    return pl_q_add(q, &m, out);
}
