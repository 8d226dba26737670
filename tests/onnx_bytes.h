/* SPDX-License-Identifier: BSD-2-Clause */
/* ONNX files as bytes: a small writer of the protobuf wire format, for tests that need exactly this
 * file and not one that an exporter would write. */
#ifndef TESTS_ONNX_BYTES_H
#define TESTS_ONNX_BYTES_H

#include <stdint.h>
#include <string.h>

struct msg {
    uint8_t b[8192];
    size_t n;
};

static inline void put_varint(struct msg *m, uint64_t v)
{
    for (; v > 127; v >>= 7)
        m->b[m->n++] = (uint8_t)(v | 128);
    m->b[m->n++] = (uint8_t)v;
}

static inline void put_int(struct msg *m, int field, int64_t v)
{
    put_varint(m, (uint64_t)field << 3);
    put_varint(m, (uint64_t)v);
}

static inline void put_bytes(struct msg *m, int field, const void *p, size_t n)
{
    put_varint(m, (uint64_t)field << 3 | 2);
    put_varint(m, n);
    memcpy(m->b + m->n, p, n);
    m->n += n;
}

static inline void put_text(struct msg *m, int field, const char *s)
{
    put_bytes(m, field, s, strlen(s));
}

static inline void put_msg(struct msg *m, int field, const struct msg *inner)
{
    put_bytes(m, field, inner->b, inner->n);
}

static inline void put_f32(struct msg *m, int field, float v)
{
    put_varint(m, (uint64_t)field << 3 | 5);
    memcpy(m->b + m->n, &v, 4);
    m->n += 4;
}

/* TensorProto of raw data. */
static inline struct msg onnx_tensor(const char *name, int type, int rank, const int64_t *dims,
                                     const void *raw, size_t bytes)
{
    struct msg t = {.n = 0};
    for (int i = 0; i < rank; i++)
        put_int(&t, 1, dims[i]);
    put_int(&t, 2, type);
    put_text(&t, 8, name);
    put_bytes(&t, 9, raw, bytes);
    return t;
}

/* NodeProto; names parted by spaces, "-" is one left out. Attributes are added with put_msg(&n, 5).
 */
static inline struct msg onnx_node(const char *name, const char *op, const char *in,
                                   const char *out)
{
    struct msg n = {.n = 0};
    const char *lists[2] = {in, out};
    put_text(&n, 3, name);
    put_text(&n, 4, op);
    for (int i = 0; i < 2; i++)
        for (const char *p = lists[i]; *p; p += strcspn(p, " "), p += *p == ' ') {
            size_t k = strcspn(p, " ");
            put_bytes(&n, i + 1, p, k == 1 && *p == '-' ? 0 : k);
        }
    return n;
}

static inline struct msg onnx_attr_int(const char *name, int64_t v)
{
    struct msg a = {.n = 0};
    put_text(&a, 1, name);
    put_int(&a, 3, v);
    put_int(&a, 20, 2);
    return a;
}

static inline struct msg onnx_attr_ints(const char *name, int n, const int64_t *v)
{
    struct msg a = {.n = 0};
    put_text(&a, 1, name);
    for (int i = 0; i < n; i++)
        put_int(&a, 8, v[i]);
    put_int(&a, 20, 7);
    return a;
}

static inline struct msg onnx_attr_text(const char *name, const char *v)
{
    struct msg a = {.n = 0};
    put_text(&a, 1, name);
    put_text(&a, 4, v);
    put_int(&a, 20, 3);
    return a;
}

/* ValueInfoProto of a tensor whose sizes are not told. */
static inline struct msg onnx_info(const char *name, int type)
{
    struct msg t = {.n = 0}, tensor = {.n = 0}, info = {.n = 0};
    put_int(&tensor, 1, type);
    put_msg(&t, 1, &tensor);
    put_text(&info, 1, name);
    put_msg(&info, 2, &t);
    return info;
}

static inline struct msg onnx_model(const struct msg *graph, int opset)
{
    struct msg m = {.n = 0}, set = {.n = 0};
    put_int(&set, 2, opset);
    put_int(&m, 1, 8);
    put_msg(&m, 8, &set);
    put_msg(&m, 7, graph);
    return m;
}

#endif
