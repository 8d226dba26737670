/* SPDX-License-Identifier: BSD-2-Clause */
/* ONNX files whose tensors have their data in other files. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/onnx_bytes.h"
#include "onnx/onnx_network.h"
#include "tests/unit/suite.h"

static char folder[] = "/tmp/platen-beside-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const void *data, size_t n)
{
    FILE *f = fopen(in_folder(name), "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(data, 1, n, f), n);
    fclose(f);
}

static void put_entry(struct msg *t, const char *key, const char *value)
{
    struct msg e = {.n = 0};
    put_text(&e, 1, key);
    put_text(&e, 2, value);
    put_msg(t, 13, &e);
}

/* Two floats in another file; what is NULL is not told. */
static struct msg tensor(const char *name, const char *file, const char *offset, const char *length)
{
    struct msg t = {.n = 0};
    put_int(&t, 1, 2);
    put_int(&t, 2, 1);
    put_text(&t, 8, name);
    if (file)
        put_entry(&t, "location", file);
    if (offset)
        put_entry(&t, "offset", offset);
    if (length)
        put_entry(&t, "length", length);
    put_entry(&t, "checksum", "none");
    put_int(&t, 14, 1);
    return t;
}

/* Writes a graph that gives the sum of its input, a constant and an attribute. */
static void write_model(const char *name, const struct msg *constant, const struct msg *attribute)
{
    static struct msg g, m;
    struct msg x = onnx_info("x", 1), y = onnx_info("y", 1), n, a = {.n = 0};
    g = (struct msg){.n = 0};
    put_msg(&g, 5, constant);
    put_msg(&g, 11, &x);
    put_msg(&g, 12, &y);
    n = onnx_node("c", "Constant", "", "v");
    put_text(&a, 1, "value");
    put_msg(&a, 5, attribute);
    put_int(&a, 20, 4);
    put_msg(&n, 5, &a);
    put_msg(&g, 1, &n);
    n = onnx_node("s", "Sum", "x w v", "y");
    put_msg(&g, 1, &n);
    m = onnx_model(&g, 17);
    write_file(name, m.b, m.n);
}

/* Opens a model whose constant lies there; `words`, if any, is in the reason why that is refused.
 */
static void open_with(const char *model, const char *file, const char *offset, const char *length,
                      platen_status status, const char *words)
{
    const struct msg w = tensor("w", file, offset, length),
                     v = tensor("v", "./weights.bin", "4", NULL);
    struct pl_network *n = NULL;
    struct platen_error err = {0};
    write_model("m.onnx", &w, &v);
    const platen_status s = pl_onnx_open(in_folder(model), &n, &err);
    ck_assert_msg(s == status, "%s: status %d (%s)", words, s, err.text);
    ck_assert_msg(!words || strstr(err.text, words), "'%s' not in '%s'", words, err.text);
    if (!s) {
        const float *a = n->g.values[0].t.data, *b = n->g.nodes[0].attrs[0].v.t->data;
        ck_assert(a[0] == 3 && a[1] == 4 && b[0] == 2 && b[1] == 3);
        ck_assert_uint_eq(n->n_beside, 2);
    }
    pl_network_free(n);
}

static void begin(void)
{
    static const float four[] = {1, 2, 3, 4};
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    write_file("weights.bin", four, sizeof(four));
    ck_assert_int_eq(mkdir(in_folder("deep"), 0700), 0);
    write_file("deep/w", four + 1, 12);
    ck_assert_int_eq(symlink("weights.bin", in_folder("link")), 0);
    ck_assert_int_eq(symlink("/etc/passwd", in_folder("away")), 0);
    ck_assert_int_eq(mkfifo(in_folder("pipe"), 0600), 0);
}

static void end(void)
{
    static const char *const files[] = {"weights.bin", "deep/w", "deep/m.onnx", "deep", "link",
                                        "away",        "pipe",   "m.onnx",      ""};
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
        remove(in_folder(files[i]));
}

START_TEST(finds_data)
{
    open_with("m.onnx", "weights.bin", "8", "8", PLATEN_OK, NULL);
    open_with("m.onnx", "weights.bin", "8", NULL, PLATEN_OK, NULL);
    open_with("m.onnx", "deep/w", "4", "8", PLATEN_OK, NULL);
    open_with("m.onnx", "link", "8", "8", PLATEN_OK, NULL);
}
END_TEST

START_TEST(refuses_names)
{
    const platen_status no = PLATEN_ERR_UNSUPPORTED;
    open_with("m.onnx", "/etc/passwd", NULL, NULL, no,
              "tensor 'w' has its data in '/etc/passwd': that name leads out");
    open_with("m.onnx", "deep/../../x", NULL, NULL, no, "leads out of the model's folder");
    open_with("m.onnx", "..", NULL, NULL, no, "that name leads out of the model's folder");
    open_with("m.onnx", "", NULL, NULL, no, "that name leads out of the model's folder");
    open_with("m.onnx", "away", NULL, NULL, no, "a link leads out of the model's folder");
    open_with("m.onnx", "pipe", NULL, NULL, no, "it is not a regular file");
    open_with("m.onnx", "deep", NULL, NULL, no, "it is not a regular file");
    open_with("m.onnx", NULL, "0", NULL, no, "in another file, and does not say in which");
    open_with("m.onnx", "none.bin", NULL, NULL, PLATEN_ERR_IO,
              "in 'none.bin': unable to open it: No such file");
}
END_TEST

START_TEST(refuses_places)
{
    const platen_status bad = PLATEN_ERR_FORMAT;
    open_with("m.onnx", "weights.bin", "9", "8", bad, "it ends at 16 bytes, before 8 bytes at 9");
    open_with("m.onnx", "weights.bin", "9223372036854775807", NULL, bad, "it ends at 16 bytes");
    open_with("m.onnx", "weights.bin", "8", "4", bad, "has not the data of its shape");
    open_with("m.onnx", "weights.bin", "-8", NULL, bad, "has the offset '-8' of its data");
    open_with("m.onnx", "weights.bin", "8", "eight", bad, "has the length 'eight' of its data");
}
END_TEST

/* Caches of downloads have model and data behind links, in a folder of all files. */
START_TEST(follows_the_model)
{
    open_with("m.onnx", "weights.bin", "8", "8", PLATEN_OK, NULL);
    ck_assert_int_eq(symlink("../m.onnx", in_folder("deep/m.onnx")), 0);
    open_with("deep/m.onnx", "weights.bin", "8", "8", PLATEN_ERR_IO, "unable to open it");
    ck_assert_int_eq(symlink("../weights.bin", in_folder("deep/weights.bin")), 0);
    open_with("deep/m.onnx", "weights.bin", "8", "8", PLATEN_OK, NULL);
    remove(in_folder("deep/weights.bin"));
}
END_TEST

/* Bytes in memory have no folder. */
START_TEST(refuses_without_a_file)
{
    _Alignas(16) static uint8_t bytes[8192];
    const struct msg w = tensor("w", "weights.bin", "8", NULL);
    struct pl_network *n = NULL;
    struct platen_error err = {0};
    write_model("m.onnx", &w, &w);
    FILE *f = fopen(in_folder("m.onnx"), "rb");
    const size_t size = fread(bytes, 1, sizeof(bytes), f);
    fclose(f);
    ck_assert_int_eq(pl_onnx_open_memory(bytes, size, &n, &err), PLATEN_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.text, "in another file, and the model is no file"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("beside");
    TCase *t = tcase_create("beside");
    tcase_add_checked_fixture(t, begin, end);
    tcase_add_test(t, finds_data);
    tcase_add_test(t, refuses_names);
    tcase_add_test(t, refuses_places);
    tcase_add_test(t, follows_the_model);
    tcase_add_test(t, refuses_without_a_file);
    suite_add_tcase(s, t);
    return run_suite(s);
}
