/* SPDX-License-Identifier: BSD-2-Clause */
/* The wire format of protocol buffers, read in place (protobuf.dev, "Encoding"). Nothing is
 * allocated or copied; a span points into the bytes that were given. */
#ifndef PL_ONNX_PB_H
#define PL_ONNX_PB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct pl_span {
    const uint8_t *p;
    size_t n;
};

enum pl_wire { PL_WIRE_VARINT = 0, PL_WIRE_64 = 1, PL_WIRE_BYTES = 2, PL_WIRE_32 = 5 };

/* One field of a message. */
struct pl_field {
    uint32_t number;
    enum pl_wire wire;
    uint64_t value;       /* of a varint, or the bits of a fixed one */
    struct pl_span bytes; /* of a length-delimited one: a message, a string, packed numbers */
};

/* Takes the next field off m. False at the end and on malformed bytes: then m->p is NULL. */
PL_MUST_USE bool pl_pb_next(struct pl_span *m, struct pl_field *ret);
static inline bool pl_pb_malformed(const struct pl_span *m)
{
    return !m->p;
}

/* Takes one varint off s; false when it is cut short or longer than 64 bits. */
PL_MUST_USE bool pl_pb_varint(struct pl_span *s, uint64_t *ret);

/* Numbers of a repeated field, which may come packed or one by one: takes the next one off the
 * field's bytes, or its only one. Start with f as pl_pb_next() gave it; false at the end, and on
 * malformed bytes with f->bytes.p NULL. The number is the bits of a fixed one of `bytes` 4 or 8, or
 * a varint for bytes 0. */
PL_MUST_USE bool pl_pb_number(struct pl_field *f, size_t bytes, uint64_t *ret);

#endif
