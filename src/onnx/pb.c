/* SPDX-License-Identifier: BSD-2-Clause */
#include "onnx/pb.h"

#include "base/byte_order.h"

bool pl_pb_varint(struct pl_span *s, uint64_t *ret)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 10 && i < s->n; i++) {
        uint8_t b = s->p[i];
        if (i == 9 && b > 1)
            return false;
        v |= (uint64_t)(b & 127) << (7 * i);
        if (b < 128) {
            s->p += i + 1;
            s->n -= i + 1;
            *ret = v;
            return true;
        }
    }
    return false;
}

static bool take_bytes(struct pl_span *s, size_t n, struct pl_span *ret)
{
    if (n > s->n)
        return false;
    *ret = (struct pl_span){s->p, n};
    s->p += n;
    s->n -= n;
    return true;
}

static bool read_field(struct pl_span *m, struct pl_field *f)
{
    uint64_t key, n;
    struct pl_span fixed;
    if (!pl_pb_varint(m, &key) || key >> 3 == 0 || key >> 3 > 0x1fffffff)
        return false;
    *f = (struct pl_field){.number = (uint32_t)(key >> 3), .wire = key & 7};
    switch (key & 7) {
    case PL_WIRE_VARINT:
        return pl_pb_varint(m, &f->value);
    case PL_WIRE_64:
        if (!take_bytes(m, 8, &fixed))
            return false;
        f->value = pl_le64(fixed.p);
        return true;
    case PL_WIRE_32:
        if (!take_bytes(m, 4, &fixed))
            return false;
        f->value = pl_le32(fixed.p);
        return true;
    case PL_WIRE_BYTES:
        return pl_pb_varint(m, &n) && n <= m->n && take_bytes(m, (size_t)n, &f->bytes);
    default: /* wire types 3 and 4 are groups, long out of use; 6 and 7 mean nothing */
        return false;
    }
}

bool pl_pb_next(struct pl_span *m, struct pl_field *ret)
{
    if (!m->p || !m->n)
        return false;
    if (read_field(m, ret))
        return true;
    *m = (struct pl_span){0};
    return false;
}

bool pl_pb_number(struct pl_field *f, size_t bytes, uint64_t *ret)
{
    const enum pl_wire single = bytes == 4 ? PL_WIRE_32 : bytes == 8 ? PL_WIRE_64 : PL_WIRE_VARINT;
    struct pl_span fixed;
    bool ok;
    if (f->wire == single) {
        *ret = f->value;
        f->wire = PL_WIRE_BYTES; /* the number is taken: the next call finds no bytes */
        f->bytes = (struct pl_span){(const uint8_t *)"", 0};
        return true;
    }
    if (f->wire != PL_WIRE_BYTES || !f->bytes.p || !f->bytes.n) {
        if (f->wire != PL_WIRE_BYTES)
            f->bytes.p = NULL;
        return false;
    }
    if (!bytes) {
        ok = pl_pb_varint(&f->bytes, ret);
    } else {
        ok = take_bytes(&f->bytes, bytes, &fixed);
        if (ok)
            *ret = bytes == 4 ? pl_le32(fixed.p) : pl_le64(fixed.p);
    }
    if (!ok)
        f->bytes = (struct pl_span){0};
    return ok;
}
