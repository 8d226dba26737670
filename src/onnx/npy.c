/* SPDX-License-Identifier: BSD-2-Clause */
#include "onnx/npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

static const struct {
    char code[4];
    enum pl_dtype type;
} codes[] = {
    {"<f4", PL_F32}, {"<f8", PL_F64}, {"<f2", PL_F16}, {"|i1", PL_I8},
    {"|u1", PL_U8},  {"<i2", PL_I16}, {"<u2", PL_U16}, {"<i4", PL_I32},
    {"<u4", PL_U32}, {"<i8", PL_I64}, {"<u8", PL_U64}, {"|b1", PL_BOOL},
};

/* Returns a pointer to the first character of the value of 'key' in a header {'key': value, ...}.
 */
static const char *find_key(const char *header, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof(quoted), "'%s':", key);
    const char *p = strstr(header, quoted);
    return p ? p + strlen(quoted) + strspn(p + strlen(quoted), " ") : NULL;
}

static bool read_shape(const char *p, int64_t *dims, int *rank)
{
    *rank = 0;
    if (*p++ != '(')
        return false;
    for (;;) {
        p += strspn(p, " ,");
        if (*p == ')')
            return true;
        size_t n = strspn(p, "0123456789");
        if (!n || *rank == PL_MAX_RANK || !pl_parse_int64(p, n, &dims[(*rank)++]))
            return false;
        p += n;
    }
}

static platen_status read_header(const char *header, struct pl_tensor *t, struct platen_error *err)
{
    const char *descr = find_key(header, "descr"), *order = find_key(header, "fortran_order");
    const char *shape = find_key(header, "shape");
    int64_t dims[PL_MAX_RANK];
    int rank;
    size_t i = 0;
    if (!descr || !order || !shape || *descr != '\'')
        return pl_fail(err, PLATEN_ERR_FORMAT, "malformed header of an array");
    while (i < PL_ARRAY_LEN(codes) && (strncmp(descr + 1, codes[i].code, 3) || descr[4] != '\''))
        i++;
    if (i == PL_ARRAY_LEN(codes))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "an array of %.8s", descr);
    if (strncmp(order, "False", 5))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "an array in Fortran order");
    if (!read_shape(shape, dims, &rank) || !pl_tensor_shape(t, codes[i].type, rank, dims))
        return pl_fail(err, PLATEN_ERR_LIMIT, "an array of more than %d axes or too many elements",
                       PL_MAX_RANK);
    return PLATEN_OK;
}

platen_status pl_npy_read(const uint8_t *data, size_t n, struct pl_tensor *t,
                          struct platen_error *err)
{
    char header[1024];
    if (n < 12 || memcmp(data, "\x93NUMPY", 6) || data[6] < 1 || data[6] > 3)
        return pl_fail(err, PLATEN_ERR_FORMAT, "no .npy file");
    const size_t start = data[6] == 1 ? 10 : 12;
    const size_t length = data[6] == 1 ? pl_le16(data + 8) : pl_le32(data + 8);
    if (length > n - start || length >= sizeof(header))
        return pl_fail(err, PLATEN_ERR_FORMAT, "malformed header of an array");
    memcpy(header, data + start, length);
    header[length] = '\0';
    *t = (struct pl_tensor){0};
    platen_status s = read_header(header, t, err);
    if (s)
        return s;
    const uint8_t *p = data + start + length;
    if (n - start - length != pl_tensor_bytes(t))
        return pl_fail(err, PLATEN_ERR_FORMAT, "the array has %zu bytes, its shape %zu",
                       n - start - length, pl_tensor_bytes(t));
    if ((uintptr_t)p % pl_dtype_bytes(t->type))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "the elements are not aligned");
    t->data = (void *)p;
    return PLATEN_OK;
}

static void put_header(struct pl_str *out, const struct pl_tensor *t)
{
    struct pl_str h = {0};
    size_t i = 0;
    while (i < PL_ARRAY_LEN(codes) - 1 && codes[i].type != t->type)
        i++;
    pl_str_printf(&h, "{'descr': '%s', 'fortran_order': False, 'shape': (", codes[i].code);
    for (int d = 0; d < t->rank; d++)
        pl_str_printf(&h, "%s%" PRId64 "%s", d ? " " : "", t->dims[d],
                      d == t->rank - 1 && d ? "" : ",");
    pl_str_puts(&h, "), }");
    while ((10 + h.len + 1) % 64 && !h.failed)
        pl_str_putc(&h, ' ');
    pl_str_putc(&h, '\n');
    pl_str_add(out, "\x93NUMPY\x01\x00", 8);
    pl_str_putc(out, (char)(h.len & 255));
    pl_str_putc(out, (char)(h.len >> 8));
    pl_str_add(out, h.failed ? "" : h.s, h.failed ? 0 : h.len);
    out->failed |= h.failed;
    pl_str_done(&h);
}

platen_status pl_npy_write(const char *path, const struct pl_tensor *t, struct platen_error *err)
{
    struct pl_str out = {0};
    struct pl_tensor wide = *t;
    const size_t count = pl_tensor_count(t);
    if (t->type == PL_BF16) {
        wide.type = PL_F32;
        wide.data = pl_alloc(count, sizeof(float));
        if (!wide.data)
            return pl_fail_nomem(err, count * sizeof(float), "an array");
        pl_tensor_cast_row(wide.data, PL_F32, t->data, t->type, count);
    }
    put_header(&out, &wide);
    pl_str_add(&out, wide.data, pl_tensor_bytes(&wide));
    platen_status s = out.failed ? pl_fail_nomem(err, pl_tensor_bytes(&wide), "an array")
                                 : pl_file_write(path, out.s, out.len, err);
    if (t->type == PL_BF16)
        pl_free(wide.data);
    pl_str_done(&out);
    return s;
}
