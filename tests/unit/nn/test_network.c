/* SPDX-License-Identifier: BSD-2-Clause */
/* Imported networks as files, and the arrays they are run on. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/model_bytes.h"
#include "tests/onnx_bytes.h"
#include "base/io_fault.h"
#include "base/mem.h"
#include "compile/graph_write.h"
#include "onnx/npy.h"
#include "onnx/onnx.h"
#include "onnx/onnx_network.h"
#include "nn/session.h"
#include "tests/best_kernels.h"
#include "tests/unit/suite.h"

enum { META, STRS, VALS, NODE, EDGE, ATTR, DATA };

static char path[] = "/tmp/platen-network-XXXXXX";

/* A graph with every kind of attribute: y = softmax of x times w, over the last axis, plus a
 * constant of the shape of x; z = the last state of a recurrent cell that has no weight. */
static void make_onnx(struct msg *ret)
{
    static const float w[] = {2, 3}, zero[1] = {0}, seven[] = {7};
    struct msg g = {.n = 0}, n, a;
    struct msg x = onnx_info("x", PL_F32), y = onnx_info("y", PL_F32), z = onnx_info("z", PL_F32);
    struct msg c = onnx_tensor("w", PL_F32, 1, (int64_t[]){2}, w, 8);
    struct msg c0 = onnx_tensor("r", PL_F32, 3, (int64_t[]){1, 1, 1}, zero, 4);
    struct msg value = onnx_tensor("", PL_F32, 1, (int64_t[]){1}, seven, 4);
    put_msg(&g, 11, &x);
    put_msg(&g, 12, &y);
    put_msg(&g, 12, &z);
    put_msg(&g, 5, &c);
    put_msg(&g, 5, &c0);
    n = onnx_node("mul", "Mul", "x w", "a");
    put_msg(&g, 1, &n);
    n = onnx_node("soft", "Softmax", "a", "b");
    a = onnx_attr_int("axis", -1);
    put_msg(&n, 5, &a);
    put_msg(&g, 1, &n);
    n = onnx_node("shape", "Shape", "x", "s");
    put_msg(&g, 1, &n);
    n = onnx_node("seven", "ConstantOfShape", "s", "k");
    a = (struct msg){.n = 0};
    put_text(&a, 1, "value");
    put_msg(&a, 5, &value);
    put_int(&a, 20, 4);
    put_msg(&n, 5, &a);
    put_msg(&g, 1, &n);
    n = onnx_node("add", "Add", "b k", "y");
    put_msg(&g, 1, &n);
    n = onnx_node("up", "Unsqueeze", "x", "u");
    a = onnx_attr_ints("axes", 2, (int64_t[]){1, 2});
    put_msg(&n, 5, &a);
    put_msg(&g, 1, &n);
    n = onnx_node("cell", "RNN", "u r r - - -", "- z");
    a = onnx_attr_text("direction", "reverse");
    put_msg(&n, 5, &a);
    a = (struct msg){.n = 0};
    put_text(&a, 1, "activations");
    put_text(&a, 9, "Affine");
    put_int(&a, 20, 8);
    put_msg(&n, 5, &a);
    a = (struct msg){.n = 0};
    put_text(&a, 1, "activation_beta");
    put_f32(&a, 7, 0.25f);
    put_int(&a, 20, 6);
    put_msg(&n, 5, &a);
    put_msg(&g, 1, &n);
    *ret = onnx_model(&g, 11);
}

/* Results for x = [0, 0]: a softmax of 1/2 and 1/2. */
static void check_results(const struct pl_ir *g)
{
    const float in[] = {0, 0};
    struct pl_tensor x = {.data = (void *)in};
    struct pl_session *s = NULL;
    struct platen_error err = {0};
    ck_assert(pl_tensor_shape(&x, PL_F32, 1, (int64_t[]){2}));
    ck_assert_int_eq(pl_session_new(g, best_kernels(), 1 << 16, &s, NULL), PLATEN_OK);
    ck_assert_msg(pl_session_run(s, &x, &err) == PLATEN_OK, "%s", err.text);
    const float *y = pl_session_output(s, 0)->data, *z = pl_session_output(s, 1)->data;
    ck_assert(y[0] == 7.5f && y[1] == 7.5f && z[0] == 0.25f);
    pl_session_free(s);
}

static struct pl_map file;
static struct bytes {
    _Alignas(64) uint8_t data[1 << 14];
    size_t n;
} good;

static void load(void)
{
    static struct msg m;
    struct pl_network *n = NULL;
    struct platen_error err = {0};
    _Alignas(16) static uint8_t onnx[sizeof(m.b)];
    make_onnx(&m);
    memcpy(onnx, m.b, m.n);
    ck_assert_msg(pl_onnx_open_memory(onnx, m.n, &n, &err) == PLATEN_OK, "%s", err.text);
    check_results(&n->g);
    const struct pl_nn_meta meta[] = {{"name", "test"}};
    ck_assert_int_eq(pl_network_write(path, &n->g, meta, 1, NULL, NULL, NULL), PLATEN_OK);
    pl_network_free(n);
    ck_assert_int_eq(pl_map_open(path, sizeof(good.data), &file, NULL), PLATEN_OK);
    memcpy(good.data, file.data, file.size);
    good.n = file.size;
    pl_map_close(&file);
}

static platen_status open_bytes(const struct bytes *b, struct platen_error *err)
{
    struct pl_network *n = NULL;
    platen_status s = pl_onnx_open_memory(b->data, b->n, &n, err);
    ck_assert((s == PLATEN_OK) == (n != NULL));
    pl_network_free(n);
    return s;
}

START_TEST(there_and_back)
{
    struct pl_network *n = NULL;
    struct pl_str text = {0};
    ck_assert_int_eq(pl_network_open(path, &n, NULL), PLATEN_OK);
    check_results(&n->g);
    ck_assert_str_eq(pl_container_value(n->meta, n->n_meta, "name"), "test");
    for (size_t i = 0; i < n->g.n_values; i++) { /* used where they lie */
        const uint8_t *p = n->g.values[i].t.data;
        ck_assert(!p || (p > n->map.data && p < n->map.data + n->map.size));
        ck_assert_uint_eq((uintptr_t)p % 64, 0);
    }
    pl_network_describe(n, &text);
    ck_assert_ptr_nonnull(strstr(text.s, "opset 11, 7 nodes"));
    ck_assert_ptr_nonnull(strstr(text.s, "RNN                cell (u, r, r, -, -, -) -> -, z"));
    pl_str_done(&text);
    pl_network_free(n);
}
END_TEST

/* The checksums cover every byte: no single change gets through, and no shorter file. */
START_TEST(every_byte_counts)
{
    struct bytes *b = pl_alloc_aligned(sizeof(*b));
    for (size_t i = 0; i < good.n; i++) {
        *b = good;
        b->data[i] ^= (uint8_t)(1u << (i % 8));
        ck_assert_msg(open_bytes(b, NULL) != PLATEN_OK, "byte %zu", i);
    }
    for (size_t n = 0; n < good.n; n += 7) {
        *b = good;
        b->n = n;
        ck_assert(open_bytes(b, NULL) != PLATEN_OK);
    }
    pl_free(b);
}
END_TEST

static uint8_t *section(struct bytes *b, int i)
{
    return b->data + get_le(b->data + 64 + 32 * i + 8, 8);
}

/* With right checksums, and one field wrong. */
START_TEST(contradictions)
{
    static const struct {
        int section;
        size_t at;
        int bytes;
        uint64_t value;
        const char *words;
    } faults[] = {
        {VALS, 0, 4, 0xfffff, "value 0 is malformed"},        /* a name beyond the strings */
        {VALS, 4, 1, 3, "value 0 is malformed"},              /* an unknown kind */
        {VALS, 7, 1, 1, "value 0 is malformed"},              /* what must be 0 */
        {NODE, 4, 4, 1, "node 0 is malformed"},               /* an operator within a name */
        {NODE, 8, 4, 1000, "edges lie beyond their section"}, /* inputs */
        {NODE, 16, 4, 99, "node 0 is malformed"},             /* attributes */
        {EDGE, 0, 4, 0, "unknown opset"},
        {EDGE, 4, 4, 2, "input 1 is malformed"},
        {EDGE, 12, 4, 500, "edge 3 is no value"},
        {ATTR, 4, 4, 9, "attribute 0 is malformed"},
        {ATTR, 8, 4, 1, "attribute 0 is malformed"}, /* a number that is a list */
    };
    struct bytes *b = pl_alloc_aligned(sizeof(*b));
    struct platen_error err;
    *b = good;
    fix_checksums(b->data, b->n);
    ck_assert(!memcmp(b->data, good.data, good.n));
    for (size_t i = 0; i < PL_ARRAY_LEN(faults); i++) {
        *b = good;
        put_le(section(b, faults[i].section) + faults[i].at, faults[i].bytes, faults[i].value);
        fix_checksums(b->data, b->n);
        ck_assert_msg(open_bytes(b, &err) != PLATEN_OK, "fault %zu", i);
        ck_assert_msg(strstr(err.text, faults[i].words) != NULL, "fault %zu: %s", i, err.text);
    }
    pl_free(b);
}
END_TEST

START_TEST(short_memory_and_disk)
{
    char out[64];
    int n = 0;
    snprintf(out, sizeof(out), "%s.copy", path);
    for (bool done = false; !done; n++) {
        struct pl_network *net = NULL;
        pl_mem_fail_at((uint64_t)n + 1, false);
        platen_status s = pl_onnx_open_memory(good.data, good.n, &net, NULL);
        s = s ? s : pl_network_write(out, &net->g, NULL, 0, NULL, NULL, NULL);
        done = !s;
        ck_assert(done || s == PLATEN_ERR_NOMEM);
        ck_assert(done || access(out, F_OK));
        pl_network_free(net);
    }
    pl_mem_fail_at(0, false);
    ck_assert_int_gt(n, 10);
    unlink(out);
    struct pl_network *net = NULL;
    ck_assert_int_eq(pl_network_open(path, &net, NULL), PLATEN_OK);
    pl_io_fail_at(1, ENOSPC);
    ck_assert_int_eq(pl_network_write(out, &net->g, NULL, 0, NULL, NULL, NULL), PLATEN_ERR_IO);
    pl_io_fail_at(0, 0);
    ck_assert(access(out, F_OK));
    pl_network_free(net);
}
END_TEST

static platen_status read_npy(const char *descr, size_t bytes, struct pl_tensor *t)
{
    _Alignas(64) static uint8_t b[512];
    size_t n = strlen(descr);
    memset(b, 0, sizeof(b));
    memcpy(b, "\x93NUMPY\x01\x00\x76\x00", 10);
    memset(b + 10, ' ', 118);
    memcpy(b + 10, descr, n);
    b[127] = '\n';
    b[128] = 1;
    return pl_npy_read(b, 128 + bytes, t, NULL);
}

START_TEST(arrays)
{
    struct pl_tensor t, back;
    ck_assert_int_eq(
        read_npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }", 24, &t), 0);
    ck_assert(t.type == PL_I32 && t.rank == 2 && t.dims[0] == 2 && t.dims[1] == 3);
    ck_assert_int_eq(pl_tensor_i64(&t, 0), 1);
    ck_assert_int_eq(read_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 8, &t), 0);
    ck_assert_int_eq(t.rank, 0);
    ck_assert_int_eq(read_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", 8, &t),
                     PLATEN_ERR_FORMAT);
    ck_assert_int_eq(read_npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", 8, &t),
                     PLATEN_ERR_UNSUPPORTED);
    ck_assert_int_eq(read_npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", 8, &t),
                     PLATEN_ERR_UNSUPPORTED);
    ck_assert_int_eq(read_npy("{'descr': '<f4', 'shape': (2,), }", 8, &t), PLATEN_ERR_FORMAT);
    ck_assert_int_eq(read_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (x,), }", 8, &t),
                     PLATEN_ERR_LIMIT);
    /* written as NumPy would: the data begins at a multiple of 64 */
    char out[64];
    const float v[] = {1, -2, 3};
    struct pl_map m;
    snprintf(out, sizeof(out), "%s.npy", path);
    t = (struct pl_tensor){.data = (void *)v};
    ck_assert(pl_tensor_shape(&t, PL_F32, 1, (int64_t[]){3}));
    ck_assert_int_eq(pl_npy_write(out, &t, NULL), PLATEN_OK);
    ck_assert_int_eq(pl_map_open(out, 1000, &m, NULL), PLATEN_OK);
    ck_assert_uint_eq(m.size, 64 * 2 + 12);
    ck_assert_ptr_nonnull(memmem(m.data, m.size, "'shape': (3,), }", 16));
    ck_assert_int_eq(pl_npy_read(m.data, m.size, &back, NULL), PLATEN_OK);
    ck_assert(pl_tensor_same_shape(&t, &back) && !memcmp(back.data, v, sizeof(v)));
    pl_map_close(&m);
    unlink(out);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("network");
    TCase *t = tcase_create("network");
    if (close(mkstemp(path)))
        return EXIT_FAILURE;
    tcase_add_unchecked_fixture(t, load, NULL);
    tcase_add_test(t, there_and_back);
    tcase_add_test(t, every_byte_counts);
    tcase_add_test(t, contradictions);
    tcase_add_test(t, short_memory_and_disk);
    tcase_add_test(t, arrays);
    suite_add_tcase(s, t);
    int status = run_suite(s);
    unlink(path);
    return status;
}
