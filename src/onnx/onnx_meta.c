/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the metadata of ONNX files. */
#include <string.h>

#include "onnx/onnx.h"

enum { MODEL_META = 14 };
enum { META_KEY = 1, META_VALUE = 2 };

/* Keys that are kept free for the notes of an import. */
#define SPARE_KEYS 16
#define SPARE_BYTES 4096

/* Reads a StringStringEntryProto; a field that is missing stays empty. False for malformed bytes.
 */
static bool read_entry(struct pl_span m, struct pl_span *key, struct pl_span *value)
{
    struct pl_field f;
    *key = *value = (struct pl_span){(const uint8_t *)"", 0};
    while (pl_pb_next(&m, &f))
        if (f.wire == PL_WIRE_BYTES && f.number == META_KEY)
            *key = f.bytes;
        else if (f.wire == PL_WIRE_BYTES && f.number == META_VALUE)
            *value = f.bytes;
    return !pl_pb_malformed(&m);
}

static size_t count_entries(struct pl_span m)
{
    struct pl_field f;
    size_t n = 0;
    while (pl_pb_next(&m, &f))
        n += f.number == MODEL_META && f.wire == PL_WIRE_BYTES;
    return n;
}

struct pl_span pl_onnx_meta_value(const void *data, size_t n, const char *key)
{
    struct pl_span m = {data, n}, found, value;
    struct pl_field f;
    while (pl_pb_next(&m, &f))
        if (f.number == MODEL_META && f.wire == PL_WIRE_BYTES &&
            read_entry(f.bytes, &found, &value) && found.n == strlen(key) &&
            !memcmp(found.p, key, found.n))
            return value;
    return (struct pl_span){NULL, 0};
}

platen_status pl_onnx_meta(const void *data, size_t n, struct pl_arena *arena,
                           struct pl_nn_meta **ret, size_t *ret_n, struct platen_error *err)
{
    struct pl_span m = {data, n}, key, value;
    struct pl_field f;
    size_t room = PL_CONTAINER_MAX_META_BYTES - SPARE_BYTES;
    const size_t most = PL_MIN(count_entries(m), (size_t)PL_CONTAINER_MAX_META_KEYS - SPARE_KEYS);
    struct pl_nn_meta *meta = PL_NEW(arena, struct pl_nn_meta, most);
    if (!meta)
        return pl_fail_nomem(err, most * sizeof(*meta), "the metadata");
    *ret = meta;
    *ret_n = 0;
    while (pl_pb_next(&m, &f) && *ret_n < most) {
        if (f.number != MODEL_META || f.wire != PL_WIRE_BYTES)
            continue;
        if (!read_entry(f.bytes, &key, &value))
            return pl_fail(err, PLATEN_ERR_FORMAT, "malformed metadata");
        const size_t bytes = key.n + value.n + 2;
        if (bytes > room ||
            !pl_container_is_meta((const char *)key.p, key.n, (const char *)value.p, value.n))
            continue;
        const char *k = pl_arena_strndup(arena, (const char *)key.p, key.n);
        const char *v = pl_arena_strndup(arena, (const char *)value.p, value.n);
        if (!k || !v)
            return pl_fail_nomem(err, bytes, "the metadata");
        if (pl_container_value(meta, *ret_n, k))
            continue;
        meta[(*ret_n)++] = (struct pl_nn_meta){k, v};
        room -= bytes;
    }
    return PLATEN_OK;
}
