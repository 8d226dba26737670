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
    uint64_t value;       /* The number of a varint; the bits of a field of 32 or 64 bits. */
    struct pl_span bytes; /* The message, string or packed numbers of a field of bytes. */
};

/* Takes the next field off m. Returns false at the end, and on malformed bytes, when it sets m->p
 * to NULL. */
PL_MUST_USE bool pl_pb_next(struct pl_span *m, struct pl_field *ret);
static inline bool pl_pb_malformed(const struct pl_span *m)
{
    return !m->p;
}

/* Takes one varint off s; returns false when it is cut short or longer than 64 bits. */
PL_MUST_USE bool pl_pb_varint(struct pl_span *s, uint64_t *ret);

/* Takes the next number off a field that may hold several, packed, or one; f is at first as
 * pl_pb_next() gave it. Numbers have 4 or 8 bytes each, of which the bits are returned, or are
 * varints where `bytes` is 0. Returns false at the end, and on malformed bytes, when it sets
 * f->bytes.p to NULL. */
PL_MUST_USE bool pl_pb_number(struct pl_field *f, size_t bytes, uint64_t *ret);

#endif
