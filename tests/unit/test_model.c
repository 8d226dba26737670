/* The model file: what opens, and that nothing else does. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../model_bytes.h"
#include "base/file.h"
#include "base/mem.h"
#include "nn/model.h"
#include "tests/unit/suite.h"

#define TINY PL_TEST_ROOT "/tests/data/model/tiny.platen"
#define SHIPPED PL_TEST_ROOT "/models/eng.platen"
#define MAPS PL_TEST_ROOT "/tests/data/model/maps.platen"

/* Offsets of platen-model.5, for tiny.platen. */
#define NODE_BYTES 96
enum { META, ALPH, TENS, NODE, DATA };

struct bytes {
    _Alignas(64) uint8_t data[1 << 16];
    size_t n;
};

static struct bytes tiny;

static void load_file(const char *path, struct bytes *b)
{
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    b->n = fread(b->data, 1, sizeof(b->data), f);
    fclose(f);
    ck_assert_uint_gt(b->n, 8000);
    ck_assert_uint_lt(b->n, sizeof(b->data));
}

static void load_tiny(void)
{
    load_file(TINY, &tiny);
}

static uint8_t *section(struct bytes *b, int i)
{
    return b->data + get_le(b->data + 64 + 32 * i + 8, 8);
}

static uint8_t *node(struct bytes *b, int i)
{
    return section(b, NODE) + NODE_BYTES * i;
}

static uint8_t *tensor(struct bytes *b, int i)
{
    return section(b, TENS) + 16 * i;
}

static platen_status open_bytes(const struct bytes *b, struct platen_error *err)
{
    struct pl_model *m = NULL;
    platen_status s = pl_model_open_memory(b->data, b->n, &m, err);
    ck_assert((s == PLATEN_OK) == (m != NULL));
    pl_model_free(m);
    return s;
}

START_TEST(crc_of_the_standard)
{
    struct pl_crc32c c;
    pl_crc32c_init(&c);
    uint8_t zeros[32] = {0}, ones[32], rising[32];
    memset(ones, 255, sizeof(ones));
    for (uint8_t i = 0; i < 32; i++)
        rising[i] = i;
    /* RFC 3720, B.4 */
    ck_assert_uint_eq(pl_crc32c(&c, 0, zeros, 32), 0x8a9136aa);
    ck_assert_uint_eq(pl_crc32c(&c, 0, ones, 32), 0x62a8ab43);
    ck_assert_uint_eq(pl_crc32c(&c, 0, rising, 32), 0x46dd794e);
    ck_assert_uint_eq(pl_crc32c(&c, 0, "123456789", 9), 0xe3069283);
    for (size_t cut = 0; cut <= 32; cut++) {
        uint32_t first = pl_crc32c(&c, 0, rising, cut);
        ck_assert_uint_eq(pl_crc32c(&c, first, rising + cut, 32 - cut), 0x46dd794e);
    }
}
END_TEST

START_TEST(opens_and_tells)
{
    struct platen_error err;
    struct pl_model *m = NULL;
    ck_assert_msg(pl_model_open(TINY, &m, &err) == PLATEN_OK, "%s", err.text);
    ck_assert_str_eq(pl_model_meta(m, "name"), "tiny");
    ck_assert_ptr_null(pl_model_meta(m, "nam"));
    const struct pl_line_model *line = pl_model_line(m);
    ck_assert_int_eq(line->height, 32);
    ck_assert_int_eq(line->stride, 4);
    ck_assert_int_eq(line->pad_left, 8);
    ck_assert_int_eq(line->pad_right, 8);
    ck_assert_uint_eq(line->input_zero, 48);
    ck_assert(line->input_scale == 1.0f / 160.0f);
    ck_assert_uint_eq(line->n_classes, 109);
    ck_assert_str_eq(line->alphabet[0], "");
    ck_assert_str_eq(line->alphabet[1], " ");
    ck_assert_str_eq(line->alphabet[1 + 'A' - ' '], "A");
    struct pl_str text = {0};
    pl_model_describe(m, &text);
    ck_assert_ptr_nonnull(strstr(text.s, "multiply-adds per line of 320 columns: 12131840\n"));
    ck_assert_ptr_nonnull(strstr(text.s, "parameters: 27885\n"));
    ck_assert_ptr_nonnull(strstr(text.s, "block.1.depthwise"));
    pl_str_done(&text);
    pl_model_free(m);
}
END_TEST

START_TEST(opens_the_shipped_model)
{
    struct platen_error err;
    struct pl_model *m = NULL;
    ck_assert_msg(pl_model_open(SHIPPED, &m, &err) == PLATEN_OK, "%s", err.text);
    ck_assert_str_eq(pl_model_meta(m, "name"), "eng");
    ck_assert_uint_eq(pl_model_line(m)->n_classes, 255);
    pl_model_free(m);
}
END_TEST

START_TEST(errors_name_the_file)
{
    struct platen_error err;
    struct pl_model *m = NULL;
    ck_assert_int_eq(pl_model_open("/nowhere/x.platen", &m, &err), PLATEN_ERR_IO);
    ck_assert_ptr_nonnull(strstr(err.text, "'/nowhere/x.platen': "));
    ck_assert_int_eq(pl_model_open(PL_TEST_ROOT "/meson.build", &m, &err), PLATEN_ERR_FORMAT);
    ck_assert_ptr_nonnull(strstr(err.text, "not a platen model file"));
    ck_assert_ptr_null(m);
}
END_TEST

START_TEST(refused_by_the_system)
{
    struct platen_error err;
    struct pl_model *m = NULL;
    pl_file_fail_at(1, EACCES);
    ck_assert_int_eq(pl_model_open(TINY, &m, &err), PLATEN_ERR_IO);
    pl_file_fail_at(0, 0);
    ck_assert_int_eq(err.os_errno, EACCES);
    ck_assert_ptr_null(m);
    /* a pipe cannot be mapped: the bytes are read */
    int fd[2];
    char name[64];
    load_tiny();
    ck_assert_int_eq(pipe(fd), 0);
    snprintf(name, sizeof(name), "/dev/fd/%d", fd[0]);
    ck_assert_int_eq(write(fd[1], tiny.data, tiny.n), (ssize_t)tiny.n);
    close(fd[1]);
    ck_assert_int_eq(pl_model_open(name, &m, &err), PLATEN_OK);
    ck_assert_str_eq(pl_model_meta(m, "name"), "tiny");
    pl_model_free(m);
    close(fd[0]);
}
END_TEST

START_TEST(every_flipped_byte_is_seen)
{
    static struct bytes b;
    struct platen_error err;
    load_tiny();
    b = tiny;
    ck_assert_int_eq(open_bytes(&b, &err), PLATEN_OK);
    size_t step = 1;
    for (size_t i = 0; i < b.n; i += step) {
        b.data[i] ^= (uint8_t)(1u << (i % 8));
        ck_assert_msg(open_bytes(&b, &err) != PLATEN_OK, "byte %zu", i);
        b.data[i] = tiny.data[i];
        step = i < 2400 ? 1 : 7; /* all of the records, every seventh of the weights */
    }
}
END_TEST

START_TEST(every_truncation_is_seen)
{
    static struct bytes b;
    struct platen_error err;
    load_tiny();
    b = tiny;
    for (b.n = 0; b.n < tiny.n; b.n += b.n < 2400 ? 1 : 61)
        ck_assert_msg(open_bytes(&b, &err) != PLATEN_OK, "length %zu", b.n);
    /* a shorter file whose header knows it */
    for (b.n = 64; b.n < tiny.n; b.n += 64) {
        memcpy(b.data, tiny.data, tiny.n);
        put_le(b.data + 16, 8, b.n);
        fix_checksums(b.data, b.n);
        ck_assert_msg(open_bytes(&b, &err) != PLATEN_OK, "length %zu", b.n);
    }
}
END_TEST

/* A field that must be refused though every checksum is right. */
struct patch {
    int section, record, field, bytes;
    uint64_t value;
    platen_status status;
};

static const struct patch patches[] = {
    /* sections: offset, size, reserved */
    {-1, 0, 72, 8, 257, PLATEN_ERR_FORMAT},
    {-1, 0, 80, 8, UINT64_MAX, PLATEN_ERR_FORMAT},
    {-1, 0, 80, 8, 63, PLATEN_ERR_FORMAT},
    {-1, 0, 88, 8, 1, PLATEN_ERR_FORMAT},
    {-1, 0, 64 + 32 * 4 + 8, 8, UINT64_MAX - 63, PLATEN_ERR_FORMAT},
    {-1, 0, 64 + 32 * 4 + 16, 8, 31680 - 64, PLATEN_ERR_FORMAT},
    {-1, 0, 64, 4, 0x4d544555, PLATEN_ERR_FORMAT},
    /* header: versions, sizes, flags, reserved */
    {-1, 0, 0, 1, 'p', PLATEN_ERR_FORMAT},
    {-1, 0, 8, 2, 2, PLATEN_ERR_UNSUPPORTED},
    {-1, 0, 10, 2, 1, PLATEN_ERR_UNSUPPORTED},
    {-1, 0, 12, 4, 128, PLATEN_ERR_FORMAT},
    {-1, 0, 16, 8, 64, PLATEN_ERR_FORMAT},
    {-1, 0, 24, 4, 6, PLATEN_ERR_FORMAT},
    {-1, 0, 28, 4, 1, PLATEN_ERR_FORMAT},
    {-1, 0, 40, 1, 1, PLATEN_ERR_FORMAT},
    /* metadata and alphabet */
    {META, 0, 0, 1, 'N', PLATEN_ERR_FORMAT},   /* no key */
    {META, 0, 3, 1, 'f', PLATEN_ERR_FORMAT},   /* "namf": a required key is missing */
    {META, 0, 4, 1, ' ', PLATEN_ERR_FORMAT},   /* no '=' */
    {META, 0, 5, 1, 0xff, PLATEN_ERR_FORMAT},  /* not UTF-8 */
    {META, 0, 5, 1, 1, PLATEN_ERR_FORMAT},     /* a control character */
    {META, 0, 63, 1, 'x', PLATEN_ERR_FORMAT},  /* no end of line */
    {META, 0, 51, 1, '-', PLATEN_ERR_FORMAT},  /* pad_left=- */
    {ALPH, 0, 0, 1, 'x', PLATEN_ERR_FORMAT},   /* the blank is not empty */
    {ALPH, 0, 1, 1, 0, PLATEN_ERR_FORMAT},     /* another one is */
    {ALPH, 0, 2, 1, 'x', PLATEN_ERR_FORMAT},   /* one symbol too few */
    {ALPH, 0, 1, 1, 0xc3, PLATEN_ERR_FORMAT},  /* not UTF-8 */
    {ALPH, 0, 237, 1, 'x', PLATEN_ERR_FORMAT}, /* the last one has no end */
    /* tensors: dtype, zero, height, divisor, reserved, channels, scale */
    {TENS, 1, 0, 1, 0, PLATEN_ERR_UNSUPPORTED},
    {TENS, 1, 0, 1, 3, PLATEN_ERR_UNSUPPORTED},
    {TENS, 1, 0, 1, 2, PLATEN_ERR_FORMAT},
    {TENS, 15, 0, 1, 1, PLATEN_ERR_FORMAT},
    {TENS, 15, 1, 1, 1, PLATEN_ERR_FORMAT},
    {TENS, 15, 12, 4, 0x3f800000, PLATEN_ERR_FORMAT},
    {TENS, 15, 8, 4, 110, PLATEN_ERR_FORMAT},
    {TENS, 15, 8, 4, 0, PLATEN_ERR_LIMIT},
    {TENS, 15, 8, 4, UINT32_MAX, PLATEN_ERR_LIMIT},
    {TENS, 1, 2, 2, 15, PLATEN_ERR_FORMAT},
    {TENS, 1, 2, 2, 0, PLATEN_ERR_LIMIT},
    {TENS, 1, 2, 2, 0xffff, PLATEN_ERR_LIMIT},
    {TENS, 1, 4, 2, 1, PLATEN_ERR_FORMAT},
    {TENS, 1, 4, 2, 0, PLATEN_ERR_LIMIT},
    {TENS, 1, 6, 2, 1, PLATEN_ERR_UNSUPPORTED},
    {TENS, 1, 8, 4, 24, PLATEN_ERR_FORMAT},
    {TENS, 1, 8, 4, 32, PLATEN_ERR_FORMAT},
    {TENS, 1, 8, 4, 1u << 31, PLATEN_ERR_LIMIT},
    {TENS, 0, 8, 4, 16, PLATEN_ERR_FORMAT},
    {TENS, 0, 4, 2, 2, PLATEN_ERR_FORMAT},
    {TENS, 1, 12, 4, 0, PLATEN_ERR_FORMAT},          /* zero */
    {TENS, 1, 12, 4, 0x7f800000, PLATEN_ERR_FORMAT}, /* infinite */
    {TENS, 1, 12, 4, 0x7fc00000, PLATEN_ERR_FORMAT}, /* not a number */
    {TENS, 1, 12, 4, 0xbf800000, PLATEN_ERR_FORMAT}, /* negative */
    {TENS, 1, 12, 4, 1, PLATEN_ERR_FORMAT},          /* subnormal */
    /* nodes: op, flags, input, output, residual, kernel, stride, pads, reserved, data, name */
    {NODE, 0, 0, 2, 0, PLATEN_ERR_UNSUPPORTED},
    {NODE, 0, 0, 2, 3, PLATEN_ERR_UNSUPPORTED},
    {NODE, 1, 0, 2, 2, PLATEN_ERR_UNSUPPORTED}, /* a depthwise layer 16 rows high */
    {NODE, 8, 0, 2, 1, PLATEN_ERR_UNSUPPORTED}, /* a convolution 7 wide */
    {NODE, 0, 2, 2, 2, PLATEN_ERR_UNSUPPORTED},
    {NODE, 14, 2, 2, 1, PLATEN_ERR_FORMAT}, /* the logits have no ReLU */
    {NODE, 1, 4, 4, 2, PLATEN_ERR_FORMAT},
    {NODE, 1, 4, 4, UINT32_MAX, PLATEN_ERR_FORMAT},
    {NODE, 1, 4, 4, 0, PLATEN_ERR_FORMAT},
    {NODE, 1, 8, 4, 1, PLATEN_ERR_FORMAT},
    {NODE, 10, 12, 4, 11, PLATEN_ERR_FORMAT},
    {NODE, 10, 12, 4, 7, PLATEN_ERR_FORMAT}, /* 2 rows and 16 channels do not fit */
    {NODE, 11, 12, 4, 8, PLATEN_ERR_FORMAT}, /* no residual after a depthwise layer */
    {NODE, 14, 12, 4, 8, PLATEN_ERR_FORMAT}, /* nor after the last one */
    {NODE, 0, 16, 2, 0, PLATEN_ERR_UNSUPPORTED},
    {NODE, 0, 16, 2, 4, PLATEN_ERR_UNSUPPORTED},
    {NODE, 0, 18, 2, 2, PLATEN_ERR_UNSUPPORTED},
    {NODE, 0, 20, 2, 0, PLATEN_ERR_UNSUPPORTED},
    {NODE, 0, 22, 2, 3, PLATEN_ERR_UNSUPPORTED},
    {NODE, 0, 24, 2, 2, PLATEN_ERR_UNSUPPORTED},
    {NODE, 0, 26, 2, 0xffff, PLATEN_ERR_UNSUPPORTED},
    {NODE, 0, 28, 2, 0, PLATEN_ERR_UNSUPPORTED},
    {NODE, 0, 22, 2, 1, PLATEN_ERR_FORMAT},
    {NODE, 0, 30, 2, 1, PLATEN_ERR_UNSUPPORTED},
    {NODE, 0, 32, 8, 64, PLATEN_ERR_FORMAT},
    {NODE, 3, 32, 8, UINT64_MAX, PLATEN_ERR_FORMAT},
    {NODE, 0, 40, 8, 0, PLATEN_ERR_FORMAT},
    {NODE, 0, 40, 8, UINT64_MAX, PLATEN_ERR_FORMAT},
    {NODE, 0, 48, 1, 0, PLATEN_ERR_FORMAT},
    {NODE, 0, 48, 1, 0x1b, PLATEN_ERR_FORMAT},
    {NODE, 0, 79, 1, 'x', PLATEN_ERR_FORMAT},
    {NODE, 0, 88, 8, 1, PLATEN_ERR_UNSUPPORTED},
    {NODE, 8, 18, 2, 6, PLATEN_ERR_UNSUPPORTED},
    {NODE, 8, 18, 2, 33, PLATEN_ERR_UNSUPPORTED},
    /* data of node 0, [1][3][1][16][4] weights: the fourth column of a run, biases, scales */
    {DATA, 0, 3, 1, 1, PLATEN_ERR_FORMAT},
    {DATA, 0, 192, 4, 0x7fffffff, PLATEN_ERR_FORMAT},
    {DATA, 0, 192, 4, 0x80000000, PLATEN_ERR_FORMAT},
    {DATA, 0, 256, 4, 0x7fc00000, PLATEN_ERR_FORMAT},
    {DATA, 0, 256 + 60, 4, 0, PLATEN_ERR_FORMAT},
};

START_TEST(wrong_fields_are_refused)
{
    static struct bytes b;
    static const int record_bytes[] = {0, 0, 16, NODE_BYTES, 0};
    const struct patch *p = &patches[_i];
    struct platen_error err;
    load_tiny();
    b = tiny;
    uint8_t *at =
        p->section < 0 ? b.data : section(&b, p->section) + record_bytes[p->section] * p->record;
    ck_assert_uint_ne(get_le(at + p->field, p->bytes), p->value);
    put_le(at + p->field, p->bytes, p->value);
    fix_checksums(b.data, b.n);
    ck_assert_msg(open_bytes(&b, &err) == p->status, "patch %d: %s", _i, err.text);
}
END_TEST

START_TEST(harmless_changes_open)
{
    static struct bytes b;
    struct platen_error err;
    load_tiny();
    b = tiny;
    section(&b, META)[5] = 'T';               /* name=Tiny */
    section(&b, DATA)[0] ^= 1;                /* a weight */
    put_le(section(&b, DATA) + 192, 4, 1000); /* a bias */
    put_le(tensor(&b, 1) + 12, 4, 0x3f800000);
    tensor(&b, 1)[1] = 3;
    put_le(node(&b, 10) + 12, 4, UINT32_MAX); /* block 0 without its residual */
    fix_checksums(b.data, b.n);
    ck_assert_msg(open_bytes(&b, &err) == PLATEN_OK, "%s", err.text);
}
END_TEST

START_TEST(opens_a_detector)
{
    struct platen_error err;
    struct pl_model *m = NULL;
    ck_assert_msg(pl_model_open(MAPS, &m, &err) == PLATEN_OK, "%s", err.text);
    ck_assert_ptr_null(pl_model_line(m));
    ck_assert_ptr_null(pl_model_language(m));
    const struct pl_detector_model *d = pl_model_detector(m);
    ck_assert_int_eq(d->height, 32);
    ck_assert_int_eq(d->rows, 4);
    ck_assert_int_eq(d->stride, 8);
    ck_assert(d->input_scale == 1.0f / 255.0f);
    ck_assert_uint_eq(d->input_zero, 0);
    ck_assert_uint_eq(d->n_maps, 3);
    ck_assert_str_eq(d->map[0], "core.0.0");
    ck_assert_str_eq(d->map[2], "height");
    struct pl_str text = {0};
    pl_model_describe(m, &text);
    ck_assert_ptr_nonnull(strstr(text.s, "maps: core.0.0 core.1.0 height\n"));
    pl_str_done(&text);
    pl_model_free(m);
}
END_TEST

START_TEST(wrong_detectors_are_refused)
{
    static struct bytes whole, b;
    struct platen_error err;
    /* a name too few; an output of other height; a section of line recognizers */
    static const struct patch wrong[] = {{ALPH, 0, 8, 1, 'x', PLATEN_ERR_FORMAT},
                                         {ALPH, 0, 0, 1, 0, PLATEN_ERR_FORMAT},
                                         {TENS, 6, 2, 2, 5, PLATEN_ERR_FORMAT},
                                         {TENS, 0, 2, 2, 31, PLATEN_ERR_FORMAT},
                                         {-1, 0, 96, 4, 0x48504c41, PLATEN_ERR_FORMAT}};
    load_file(MAPS, &whole);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        const struct patch *p = &wrong[i];
        b = whole;
        uint8_t *at = p->section < 0 ? b.data : section(&b, p->section) + 16 * p->record;
        put_le(at + p->field, p->bytes, p->value);
        fix_checksums(b.data, b.n);
        ck_assert_msg(open_bytes(&b, &err) == p->status, "patch %zu: %s", i, err.text);
    }
}
END_TEST

START_TEST(a_dead_tensor_is_refused)
{
    static struct bytes b;
    struct platen_error err;
    load_tiny();
    b = tiny;
    put_le(node(&b, 11) + 4, 4, 8); /* block 1 reads what block 0 read; 11 stays as a residual */
    fix_checksums(b.data, b.n);
    ck_assert_int_eq(open_bytes(&b, &err), PLATEN_OK);
    put_le(node(&b, 13) + 12, 4, UINT32_MAX);
    fix_checksums(b.data, b.n);
    ck_assert_int_eq(open_bytes(&b, &err), PLATEN_ERR_FORMAT);
}
END_TEST

START_TEST(short_of_memory)
{
    static struct bytes b;
    struct platen_error err;
    load_tiny();
    b = tiny;
    int failures = 0;
    for (uint64_t n = 1; n < 100; n++, failures++) {
        pl_mem_fail_at(n, true);
        platen_status s = open_bytes(&b, &err);
        pl_mem_fail_at(0, false);
        if (!s)
            break;
        ck_assert_int_eq(s, PLATEN_ERR_NOMEM);
    }
    ck_assert_int_gt(failures, 1);
    ck_assert_int_lt(failures, 20);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("model");
    TCase *c = tcase_create("model");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, crc_of_the_standard);
    tcase_add_test(c, opens_and_tells);
    tcase_add_test(c, opens_the_shipped_model);
    tcase_add_test(c, errors_name_the_file);
    tcase_add_test(c, refused_by_the_system);
    tcase_add_test(c, every_flipped_byte_is_seen);
    tcase_add_test(c, every_truncation_is_seen);
    tcase_add_loop_test(c, wrong_fields_are_refused, 0, sizeof(patches) / sizeof(*patches));
    tcase_add_test(c, harmless_changes_open);
    tcase_add_test(c, opens_a_detector);
    tcase_add_test(c, wrong_detectors_are_refused);
    tcase_add_test(c, a_dead_tensor_is_refused);
    tcase_add_test(c, short_of_memory);
    suite_add_tcase(s, c);
    return run_suite(s);
}
