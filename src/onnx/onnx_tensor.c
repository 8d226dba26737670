/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads TensorProto, which has five fields in which numbers may stand. */
#include "onnx/onnx.h"

#include <string.h>

#include "base/byte_order.h"
#include "base/mem.h"
#include "base/text.h"

enum {
    DIMS = 1,
    TYPE = 2,
    FLOATS = 4,
    INT32S = 5,
    INT64S = 7,
    NAME = 8,
    RAW = 9,
    DOUBLES = 10,
    UINT64S = 11,
    EXTERNAL = 13,
    LOCATION = 14
};
enum { ENTRY_KEY = 1, ENTRY_VALUE = 2 };

/* The fields of a TensorProto, still packed. */
struct packed {
    struct pl_span message, raw;
    bool has_raw;
    uint32_t numbers; /* The field that holds numbers (FLOATS, ...); 0 when there is none. */
    uint64_t type;
    int rank;
    int64_t dims[PL_MAX_RANK];
    const char *name;
    bool is_beside;         /* The data is in the file `file`, from `offset` on. */
    const char *file;       /* NULL where that is not told */
    int64_t offset, length; /* length is -1 where it is not told */
};

platen_status pl_onnx_name(struct pl_span s, struct pl_arena *arena, const char **ret,
                           struct platen_error *err)
{
    if (!s.p)
        return pl_fail(err, PLATEN_ERR_FORMAT, "a name is no string");
    if (s.n > PL_IR_MAX_NAME_BYTES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "a name of more than %d bytes", PL_IR_MAX_NAME_BYTES);
    if (memchr(s.p, 0, s.n))
        return pl_fail(err, PLATEN_ERR_FORMAT, "a name holds a byte 0");
    *ret = pl_arena_strndup(arena, (const char *)s.p, s.n);
    return *ret ? PLATEN_OK : pl_fail_nomem(err, s.n, "a name");
}

static platen_status add_dims(struct packed *t, struct pl_field f, struct platen_error *err)
{
    uint64_t v;
    while (pl_pb_number(&f, 0, &v)) {
        if (t->rank == PL_MAX_RANK)
            return pl_fail(err, PLATEN_ERR_LIMIT, "tensor '%.60s' has more than %d dimensions",
                           t->name, PL_MAX_RANK);
        t->dims[t->rank++] = (int64_t)v;
    }
    return f.bytes.p ? PLATEN_OK : pl_fail(err, PLATEN_ERR_FORMAT, "malformed dimensions");
}

/* Reads an entry of external_data: key and value are strings. What is not known, as a checksum,
 * says nothing of where the data is. */
static platen_status read_entry(struct packed *t, struct pl_span m, struct pl_arena *arena,
                                struct platen_error *err)
{
    const char *key = "", *value = "";
    struct pl_field f;
    platen_status s = PLATEN_OK;
    while (!s && pl_pb_next(&m, &f))
        if (f.number == ENTRY_KEY || f.number == ENTRY_VALUE)
            s = pl_onnx_name(f.bytes, arena, f.number == ENTRY_KEY ? &key : &value, err);
    if (s || pl_pb_malformed(&m))
        return s ? s : pl_fail(err, PLATEN_ERR_FORMAT, "malformed place of data");
    int64_t *number = !strcmp(key, "offset")   ? &t->offset
                      : !strcmp(key, "length") ? &t->length
                                               : NULL;
    if (!strcmp(key, "location"))
        t->file = value;
    if (number && (!pl_parse_int64(value, strlen(value), number) || *number < 0))
        return pl_fail(err, PLATEN_ERR_FORMAT, "tensor '%.60s' has the %s '%.20s' of its data",
                       t->name, key, value);
    return PLATEN_OK;
}

static platen_status read_field(struct packed *t, const struct pl_field *f, struct pl_arena *arena,
                                struct platen_error *err)
{
    switch (f->number) {
    case DIMS:
        return add_dims(t, *f, err);
    case TYPE:
        t->type = f->value;
        return PLATEN_OK;
    case NAME:
        return pl_onnx_name(f->bytes, arena, &t->name, err);
    case RAW:
        t->raw = f->bytes;
        t->has_raw = f->wire == PL_WIRE_BYTES;
        return PLATEN_OK;
    case FLOATS:
    case INT32S:
    case INT64S:
    case DOUBLES:
    case UINT64S:
        t->numbers = f->number;
        return PLATEN_OK;
    case EXTERNAL:
        return read_entry(t, f->bytes, arena, err);
    case LOCATION:
        t->is_beside = f->value == 1;
        if (f->value > 1)
            return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                           "tensor '%.60s' has its data in a place of kind %llu", t->name,
                           (unsigned long long)f->value);
        return PLATEN_OK;
    default:
        return PLATEN_OK;
    }
}

/* Returns how many bytes a number has in that field (0 = varint), or -1 where the format does not
 * allow the type in it. */
static int wire_bytes(uint32_t numbers, int type)
{
    switch (numbers) {
    case FLOATS:
        return type == PL_F32 ? 4 : -1;
    case DOUBLES:
        return type == PL_F64 ? 8 : -1;
    case INT64S:
        return type == PL_I64 ? 0 : -1;
    case UINT64S:
        return type == PL_U64 || type == PL_U32 ? 0 : -1;
    default:
        return type == PL_I32 || type == PL_I16 || type == PL_I8 || type == PL_U16 ||
                       type == PL_U8 || type == PL_BOOL || type == PL_F16 || type == PL_BF16
                   ? 0
                   : -1;
    }
}

/* Unpacks numbers to elements: the element is the low bytes of each number, little-endian, as two's
 * complement or bit pattern. */
static platen_status unpack(const struct packed *t, struct pl_tensor *ret, struct platen_error *err)
{
    const size_t size = pl_dtype_bytes(ret->type), count = pl_tensor_count(ret);
    const int bytes = wire_bytes(t->numbers, ret->type);
    struct pl_span m = t->message;
    struct pl_field f;
    uint64_t v;
    size_t n = 0;
    uint8_t *dst = ret->data;
    while (pl_pb_next(&m, &f)) {
        if (f.number != t->numbers)
            continue;
        for (; pl_pb_number(&f, (size_t)bytes, &v); n++)
            if (n < count)
                memcpy(dst + n * size, &v, size);
        if (!f.bytes.p)
            return pl_fail(err, PLATEN_ERR_FORMAT, "tensor '%.60s' has malformed numbers", t->name);
    }
    if (n != count)
        return pl_fail(err, PLATEN_ERR_FORMAT, "tensor '%.60s' has %zu elements, its shape %zu",
                       t->name, n, count);
    return PLATEN_OK;
}

/* Returns whether the bytes of the file could hold the declared number of elements; each takes at
 * least one byte. */
static bool plausible(const struct packed *t, const struct pl_tensor *s)
{
    return pl_tensor_count(s) <= t->message.n;
}

/* Makes the bytes of another file those of the tensor. */
static platen_status find_beside(struct packed *t, const struct pl_tensor *ret,
                                 struct pl_beside *beside, struct pl_arena *arena,
                                 struct platen_error *err)
{
    const size_t bytes = pl_tensor_bytes(ret);
    if (!t->file || !beside)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "tensor '%.60s' has its data in another file, and %s", t->name,
                       t->file ? "the model is no file" : "does not say in which");
    if (t->has_raw || t->numbers)
        return pl_fail(err, PLATEN_ERR_FORMAT, "tensor '%.60s' has its data twice", t->name);
    if (t->length >= 0 && (uint64_t)t->length != bytes)
        return pl_fail(err, PLATEN_ERR_FORMAT, "tensor '%.60s' has not the data of its shape",
                       t->name);
    platen_status s =
        pl_beside_data(beside, t->file, (uint64_t)t->offset, bytes, arena, &t->raw.p, err);
    if (s)
        return pl_fail_prefix(err, s, "tensor '%.60s' has its data in '%.100s': ", t->name,
                              t->file);
    t->raw.n = bytes;
    t->has_raw = true;
    return PLATEN_OK;
}

static platen_status take_data(const struct packed *t, struct pl_arena *arena,
                               struct pl_tensor *ret, struct platen_error *err)
{
    const size_t bytes = pl_tensor_bytes(ret), size = pl_dtype_bytes(ret->type);
    if (t->has_raw && t->numbers)
        return pl_fail(err, PLATEN_ERR_FORMAT, "tensor '%.60s' has its data twice", t->name);
    if (t->has_raw ? t->raw.n != bytes : !plausible(t, ret))
        return pl_fail(err, PLATEN_ERR_FORMAT, "tensor '%.60s' has not the data of its shape",
                       t->name);
    if (t->has_raw && (uintptr_t)t->raw.p % size == 0) {
        ret->data = (void *)t->raw.p;
        return PLATEN_OK;
    }
    ret->data = pl_arena_alloc(arena, PL_MAX(bytes, 1), 1);
    if (!ret->data)
        return pl_fail_nomem(err, bytes, "a tensor");
    if (t->has_raw) {
        memcpy(ret->data, t->raw.p, bytes);
        return PLATEN_OK;
    }
    if (t->numbers && wire_bytes(t->numbers, ret->type) < 0)
        return pl_fail(err, PLATEN_ERR_FORMAT, "tensor '%.60s' keeps %s in the wrong field",
                       t->name, pl_dtype_name(ret->type));
    return unpack(t, ret, err);
}

platen_status pl_onnx_tensor(struct pl_span message, struct pl_beside *beside,
                             struct pl_arena *arena, struct pl_tensor *ret, const char **ret_name,
                             struct platen_error *err)
{
    struct packed t = {.message = message, .name = "", .length = -1};
    struct pl_span m = message;
    struct pl_field f;
    platen_status s = PLATEN_OK;
    while (!s && pl_pb_next(&m, &f))
        s = read_field(&t, &f, arena, err);
    if (s)
        return s;
    if (pl_pb_malformed(&m))
        return pl_fail(err, PLATEN_ERR_FORMAT, "malformed tensor '%.60s'", t.name);
    if (t.type > 255 || !pl_dtype_bytes((int)t.type))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "tensor '%.60s' has elements of type %llu",
                       t.name, (unsigned long long)t.type);
    *ret = (struct pl_tensor){0};
    if (!pl_tensor_shape(ret, (enum pl_dtype)t.type, t.rank, t.dims))
        return pl_fail(err, PLATEN_ERR_LIMIT, "tensor '%.60s' has a shape beyond the limits",
                       t.name);
    if (t.is_beside)
        s = find_beside(&t, ret, beside, arena, err);
    if (s)
        return s;
    if (ret_name)
        *ret_name = t.name;
    return take_data(&t, arena, ret, err);
}
