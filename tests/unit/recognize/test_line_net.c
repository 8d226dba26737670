/* SPDX-License-Identifier: BSD-2-Clause */
/* Networks that read lines, and those of convolutions in general: equal to the definition, on every
 * ISA, whatever was read before. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/unit/recognize/bytes_reference.h"
#include "nn/session.h"
#include "recognize/line_net.h"
#include "recognize/recognize.h"
#include "tests/unit/suite.h"

#define TINY PL_TEST_ROOT "/tests/data/model/tiny.platen"
#define LINE PL_TEST_ROOT "/tests/data/model/tiny.line"
#define MAPS PL_TEST_ROOT "/tests/data/model/maps.platen"
#define SHIPPED PL_TEST_ROOT "/models/eng.platen"
#define HEIGHT 32
#define MAX_WIDTH 2048

static struct platen_error err;

/* A network and what reads with it. */
struct reader {
    struct pl_network *n;
    struct pl_line_model m;
    struct pl_kernels k;
    struct pl_line_net *net;
};

static void reader_init(struct reader *r, const char *path, enum pl_isa isa)
{
    *r = (struct reader){0};
    pl_kernels_init(&r->k, isa);
    ck_assert_msg(!pl_network_open(path, &r->n, &err), "%s", err.text);
    ck_assert_msg(!pl_line_model_read(r->n, &r->m, &err), "%s", err.text);
    ck_assert_int_eq(pl_line_net_new(r->n, &r->m, &r->k, NULL, &r->net, &err), PLATEN_OK);
}

static void reader_done(struct reader *r)
{
    pl_line_net_free(r->net);
    pl_line_model_done(&r->m);
    pl_network_free(r->n);
}

static uint32_t seed;

static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* A line of random strokes, or of noise: the extremes of every layer. */
static void draw(uint8_t *px, int width, uint32_t what)
{
    seed = what;
    bool noise = next_random() % 4 == 0;
    for (int i = 0; i < HEIGHT * width; i++)
        px[i] = (uint8_t)(noise || i / width % 3 ? next_random() : 48);
}

static void add_line(struct reader *r, int width, uint32_t what)
{
    uint8_t *px = pl_line_net_add(r->net, width);
    ck_assert_ptr_nonnull(px);
    draw(px, width, what);
}

static struct pl_line_scores read_line(struct reader *r, int width, uint32_t what)
{
    add_line(r, width, what);
    ck_assert_msg(!pl_line_net_run(r->net, &err), "%s", err.text);
    struct pl_line_scores s = pl_line_net_scores(r->net, 0);
    ck_assert_uint_eq(s.steps, (size_t)(width / r->m.stride));
    return s;
}

/* Line i of those that were run, against the definition. */
static void check_line(struct reader *r, size_t i, int width, uint32_t what)
{
    static uint8_t px[HEIGHT * MAX_WIDTH];
    const struct pl_line_scores got = pl_line_net_scores(r->net, i);
    draw(px, width, what);
    struct ref_value want = ref_run(&r->n->g, px, HEIGHT, width);
    ck_assert_int_eq(want.c, (int)r->m.n_classes);
    ck_assert_uint_eq(got.steps, (size_t)(width / r->m.stride));
    ck_assert_mem_eq(got.values, want.f, got.steps * r->m.n_classes * sizeof(float));
    free(want.f);
}

/* Every ISA of this machine against the definition, the lines alone and as many together as go. */
static void check_definition(const char *path, const int *widths, size_t n)
{
    for (unsigned isa = 0; isa < PL_ISA_COUNT; isa++) {
        struct reader r;
        size_t most = 1;
        if (!pl_isa_available((enum pl_isa)isa))
            continue;
        reader_init(&r, path, (enum pl_isa)isa);
        for (size_t i = 0, k; i < n; i = k) {
            for (k = i; k < n && pl_line_net_fits(r.net, widths[k]); k++)
                add_line(&r, widths[k], (uint32_t)k);
            most = PL_MAX(most, k - i);
            ck_assert_msg(!pl_line_net_run(r.net, &err), "%s", err.text);
            for (size_t at = i; at < k; at++)
                check_line(&r, at - i, widths[at], (uint32_t)at);
        }
        ck_assert_uint_gt(most, 1);
        for (size_t i = 0; i < n; i += 5) {
            read_line(&r, widths[i], (uint32_t)i);
            check_line(&r, 0, widths[i], (uint32_t)i);
        }
        reader_done(&r);
    }
}

START_TEST(equals_the_definition)
{
    /* steps below, at and above every tile of the kernels and half of it */
    static const int widths[] = {4,   8,   12,  16,  20,   24,  28, 32, 36,  40,
                                 44,  48,  52,  60,  64,   68,  92, 96, 100, 104,
                                 124, 132, 252, 380, 1200, 700, 4,  4,  8};
    check_definition(TINY, widths, PL_ARRAY_LEN(widths));
}
END_TEST

START_TEST(shipped_model_equals_the_definition)
{
    static const int widths[] = {56, 24};
    check_definition(SHIPPED, widths, PL_ARRAY_LEN(widths));
}
END_TEST

/* A network of pictures, whose result has its channels first. */
START_TEST(maps_equal_the_definition)
{
    static const int widths[] = {8, 16, 24, 128, 8, 264, 40};
    static uint8_t px[HEIGHT * MAX_WIDTH];
    static float floats[HEIGHT * MAX_WIDTH];
    struct pl_network *n = NULL;
    ck_assert_msg(!pl_network_open(MAPS, &n, &err), "%s", err.text);
    for (unsigned isa = 0; isa < PL_ISA_COUNT; isa++) {
        struct pl_kernels k;
        struct pl_session *s = NULL;
        if (!pl_isa_available((enum pl_isa)isa))
            continue;
        pl_kernels_init(&k, (enum pl_isa)isa);
        ck_assert_int_eq(pl_session_new(&n->g, &k, 1 << 26, &s, &err), PLATEN_OK);
        for (size_t i = 0; i < PL_ARRAY_LEN(widths); i++) {
            struct pl_tensor in = {.data = floats};
            draw(px, widths[i], (uint32_t)i);
            for (int p = 0; p < HEIGHT * widths[i]; p++)
                floats[p] = (float)px[p] * (1 / 255.0f);
            ck_assert(pl_tensor_shape(&in, PL_F32, 4, (int64_t[]){1, 1, HEIGHT, widths[i]}));
            ck_assert_msg(!pl_session_run(s, &in, &err), "%s", err.text);
            const struct pl_tensor *got = pl_session_output(s, 0);
            struct ref_value want = ref_run(&n->g, px, HEIGHT, widths[i]);
            ck_assert_int_eq(got->dims[1], want.c);
            ck_assert_int_eq(got->dims[2], want.h);
            ck_assert_int_eq(got->dims[3], want.w);
            for (int p = 0; p < want.h * want.w; p++)
                for (int c = 0; c < want.c; c++)
                    ck_assert(((float *)got->data)[c * want.h * want.w + p] ==
                              want.f[p * want.c + c]);
            free(want.f);
        }
        pl_session_free(s);
    }
    pl_network_free(n);
}
END_TEST

/* Alone, in any order, in any company: the same bytes. */
START_TEST(company_does_not_matter)
{
    static const int widths[] = {320, 64, 4, 800, 132, 320, 16, 2000, 28, 452};
    enum { N = PL_ARRAY_LEN(widths) };
    struct reader r;
    float *want[N];
    reader_init(&r, SHIPPED, pl_isa_best());
    for (size_t i = 0; i < N; i++) {
        struct reader alone;
        reader_init(&alone, SHIPPED, pl_isa_best());
        struct pl_line_scores s = read_line(&alone, widths[i], (uint32_t)i);
        want[i] = malloc(s.steps * r.m.n_classes * sizeof(float));
        memcpy(want[i], s.values, s.steps * r.m.n_classes * sizeof(float));
        reader_done(&alone);
    }
    for (uint32_t round = 0; round < 20; round++) {
        size_t which[64], n = 0;
        uint32_t rng = round, least = 1 + round % 12;
        for (;;) {
            rng = rng * 1664525u + 1013904223u;
            which[n] = (rng >> 8) % N;
            if (n == least || !pl_line_net_fits(r.net, widths[which[n]]))
                break;
            add_line(&r, widths[which[n]], (uint32_t)which[n]);
            n++;
        }
        ck_assert_msg(!pl_line_net_run(r.net, &err), "%s", err.text);
        for (size_t i = 0; i < n; i++) {
            struct pl_line_scores s = pl_line_net_scores(r.net, i);
            ck_assert_uint_eq(s.steps, (size_t)widths[which[i]] / 4);
            ck_assert_mem_eq(s.values, want[which[i]], s.steps * r.m.n_classes * sizeof(float));
        }
    }
    for (size_t i = 0; i < N; i++)
        free(want[i]);
    reader_done(&r);
}
END_TEST

START_TEST(every_isa_gives_the_same)
{
    static const int widths[] = {320, 640, 88};
    struct reader scalar, r;
    reader_init(&scalar, SHIPPED, PL_ISA_SCALAR);
    for (size_t i = 0; i < PL_ARRAY_LEN(widths); i++) {
        struct pl_line_scores want = read_line(&scalar, widths[i], 14 + (uint32_t)i);
        for (unsigned isa = 1; isa < PL_ISA_COUNT; isa++) {
            if (!pl_isa_available((enum pl_isa)isa))
                continue;
            reader_init(&r, SHIPPED, (enum pl_isa)isa);
            struct pl_line_scores got = read_line(&r, widths[i], 14 + (uint32_t)i);
            ck_assert_mem_eq(got.values, want.values, got.steps * r.m.n_classes * sizeof(float));
            reader_done(&r);
        }
    }
    reader_done(&scalar);
}
END_TEST

/* Against the floats that the network had before quantisation (make_tiny.py): the noise of int8 is
 * more than 20 dB below the logits. */
START_TEST(near_the_float_network)
{
    enum { WIDTH = 96, STEPS = WIDTH / 4, CLASSES = 255 };
    static uint8_t strip[HEIGHT * WIDTH];
    static float want[STEPS * CLASSES];
    struct reader r;
    FILE *f = fopen(LINE, "rb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fread(strip, 1, sizeof(strip), f), sizeof(strip));
    ck_assert_uint_eq(fread(want, 1, sizeof(want), f), sizeof(want));
    fclose(f);
    reader_init(&r, TINY, pl_isa_best());
    memcpy(pl_line_net_add(r.net, WIDTH), strip, sizeof(strip));
    ck_assert_int_eq(pl_line_net_run(r.net, &err), PLATEN_OK);
    const struct pl_line_scores got = pl_line_net_scores(r.net, 0);
    double power = 0, noise = 0;
    for (size_t i = 0; i < STEPS * CLASSES; i++) {
        double e = (double)got.values[i] - (double)want[i];
        power += (double)want[i] * (double)want[i];
        noise += e * e;
    }
    ck_assert_double_gt(power, 1);
    ck_assert_double_gt(10 * log10(power / noise), 20);
    reader_done(&r);
}
END_TEST

START_TEST(no_allocation_once_warm)
{
    static const int widths[] = {1200, 320, 320, 64, 640, 1600, 40};
    struct reader r;
    reader_init(&r, TINY, pl_isa_best());
    uint64_t before = 0;
    for (int round = 0; round < 3; round++) { /* the second one finds arenas of one chunk */
        before = round == 2 ? pl_mem_count() : 0;
        for (size_t i = 0; i < PL_ARRAY_LEN(widths); i++) {
            read_line(&r, widths[(i + 3) % PL_ARRAY_LEN(widths)], 15);
            for (size_t k = 0; k < 30 && pl_line_net_fits(r.net, widths[(i + k) % 7]); k++)
                add_line(&r, widths[(i + k) % 7], 15);
            ck_assert_int_eq(pl_line_net_run(r.net, &err), PLATEN_OK);
        }
    }
    read_line(&r, 444, 15); /* a width that was not there before */
    ck_assert_uint_eq(pl_mem_count(), before);
    reader_done(&r);
}
END_TEST

START_TEST(tells_what_it_reads)
{
    struct reader r;
    reader_init(&r, TINY, PL_ISA_SCALAR);
    ck_assert_int_eq(r.m.height, 32);
    ck_assert_int_eq(r.m.stride, 4);
    ck_assert_int_eq(r.m.pad_left, 8);
    ck_assert_int_eq(r.m.pad_right, 8);
    ck_assert_uint_eq(r.m.input_zero, 48);
    ck_assert(r.m.input_scale == 1.0f / 160.0f);
    ck_assert_uint_eq(r.m.n_classes, 255);
    ck_assert_str_eq(r.m.alphabet[0], "");
    ck_assert_str_eq(r.m.alphabet[1], " ");
    ck_assert_str_eq(r.m.alphabet[1 + 'A' - ' '], "A");
    ck_assert_str_eq(r.m.alphabet[96], "£");
    ck_assert_ptr_null(pl_line_net_add(r.net, (1 << 20) + 4));
    reader_done(&r);
}
END_TEST

/* A replacement character stands for the next symbol of several code points. */
START_TEST(symbols_of_several_code_points)
{
    static const struct {
        const char *symbols, *named;
    } lists[] = {{"fi \xD8\xA7\xD9\x8E", NULL},
                 {"fi", "too few"},
                 {"fi  x", "too few"},
                 {"a b c", "too many"}};
    struct pl_line_model m = {0};
    struct pl_network *n = NULL;
    ck_assert_int_eq(pl_network_open(TINY, &n, &err), PLATEN_OK);
    for (size_t i = 0; i < n->n_meta; i++) {
        if (!strcmp(n->meta[i].key, "alphabet"))
            n->meta[i].value = "x\xEF\xBF\xBDy\xEF\xBF\xBD";
        if (!strcmp(n->meta[i].key, "licence"))
            n->meta[i] = (struct pl_nn_meta){"symbols", lists[_i].symbols};
    }
    if (lists[_i].named) {
        ck_assert_int_eq(pl_line_model_read(n, &m, &err), PLATEN_ERR_FORMAT);
        ck_assert_msg(strstr(err.text, lists[_i].named) != NULL, "%s", err.text);
    } else {
        ck_assert_int_eq(pl_line_model_read(n, &m, &err), PLATEN_OK);
        ck_assert_uint_eq(m.n_classes, 5);
        ck_assert_str_eq(m.alphabet[2], "fi");
        ck_assert_str_eq(m.alphabet[3], "y");
        ck_assert_str_eq(m.alphabet[4], "\xD8\xA7\xD9\x8E");
    }
    pl_line_model_done(&m);
    pl_network_free(n);
}
END_TEST

/* A key of the metadata with another value; NULL takes it away. */
static const struct change {
    const char *key, *value;
    platen_status status, trial; /* of reading the metadata, and of a line */
    const char *named;
} changes[] = {
    {"alphabet", NULL, PLATEN_ERR_ARG, 0, "'alphabet'"},
    {"alphabet", "", PLATEN_ERR_ARG, 0, "'alphabet'"},
    {"alphabet", "abc", PLATEN_OK, PLATEN_ERR_ARG, "4 scores"},
    {"stride", NULL, PLATEN_ERR_FORMAT, 0, "'stride'"},
    {"stride", "0", PLATEN_ERR_FORMAT, 0, "'stride'"},
    {"stride", "4.5", PLATEN_ERR_FORMAT, 0, "'stride'"},
    {"stride", "8", PLATEN_OK, PLATEN_ERR_ARG, "'stride'"},
    {"pad_left", "-1", PLATEN_ERR_FORMAT, 0, "'pad_left'"},
    {"pad_right", "65", PLATEN_ERR_FORMAT, 0, "'pad_right'"},
    {"input_zero", "256", PLATEN_ERR_FORMAT, 0, "'input_zero'"},
    {"input_scale", "0", PLATEN_ERR_FORMAT, 0, "'input_scale'"},
    {"input_scale", "nan", PLATEN_ERR_FORMAT, 0, "'input_scale'"},
    {"licence", NULL, PLATEN_OK, PLATEN_OK, ""},
};

START_TEST(metadata_that_do_not_fit)
{
    const struct change *c = &changes[_i];
    struct pl_line_model m = {0};
    struct pl_network *n = NULL;
    struct pl_kernels k;
    pl_kernels_init(&k, pl_isa_best());
    err.text[0] = '\0';
    ck_assert_int_eq(pl_network_open(TINY, &n, &err), PLATEN_OK);
    for (size_t i = 0; i < n->n_meta; i++)
        if (!strcmp(n->meta[i].key, c->key))
            n->meta[i] = (struct pl_nn_meta){c->value ? c->key : "other", c->value ? c->value : ""};
    ck_assert_msg(pl_line_model_read(n, &m, &err) == c->status, "%s", err.text);
    if (!c->status)
        ck_assert_msg(pl_recognize_try(n, &m, &k, &err) == c->trial, "%s", err.text);
    ck_assert_msg(strstr(err.text, c->named) != NULL, "%s", err.text);
    pl_line_model_done(&m);
    pl_network_free(n);
}
END_TEST

/* A smaller network that goes with another one has the same strips and classes, and a bound. */
START_TEST(quick_networks_that_do_not_fit)
{
    static char swapped[2048]; /* the alphabet of the network, but for its first two */
    static const struct {
        const char *key, *value; /* of the metadata of the smaller one */
        platen_status status;
        const char *named;
    } cases[] = {{"licence", "", PLATEN_OK, ""},
                 {"sure", "1.5", PLATEN_ERR_FORMAT, "'sure'"},
                 {"stride", "8", PLATEN_ERR_FORMAT, "other lines"},
                 {"pad_left", "4", PLATEN_ERR_FORMAT, "other lines"},
                 {"input_zero", "47", PLATEN_ERR_FORMAT, "other lines"},
                 {"input_scale", "0.5", PLATEN_ERR_FORMAT, "other lines"},
                 {"alphabet", "ab", PLATEN_ERR_FORMAT, "alphabet"},
                 {"alphabet", swapped, PLATEN_ERR_FORMAT, "alphabet"}};
    struct pl_line_model m = {0};
    struct pl_network *whole = NULL, *quick = NULL;
    err.text[0] = '\0';
    ck_assert_int_eq(pl_network_open(TINY, &whole, &err), PLATEN_OK);
    ck_assert_int_eq(pl_network_open(TINY, &quick, &err), PLATEN_OK);
    ck_assert_int_eq(pl_line_model_read(whole, &m, &err), PLATEN_OK);
    snprintf(swapped, sizeof(swapped), "%s", pl_network_meta(whole, "alphabet"));
    swapped[0] = m.alphabet[2][0];
    swapped[1] = m.alphabet[1][0];
    ck_assert_int_eq(pl_line_model_add_quick(&m, quick, &err), PLATEN_ERR_FORMAT);
    ck_assert_msg(strstr(err.text, "'sure'") != NULL, "%s", err.text);
    ck_assert_ptr_null(m.quick);
    for (size_t i = 0; i < quick->n_meta; i++)
        if (!strcmp(quick->meta[i].key, "licence"))
            quick->meta[i] = (struct pl_nn_meta){"sure", "0.25"};
    err.text[0] = '\0';
    for (size_t i = 0; i < quick->n_meta; i++)
        if (!strcmp(quick->meta[i].key, cases[_i].key))
            quick->meta[i].value = cases[_i].value;
    ck_assert_int_eq(pl_line_model_add_quick(&m, quick, &err), cases[_i].status);
    ck_assert_msg(strstr(err.text, cases[_i].named) != NULL, "%s", err.text);
    ck_assert(cases[_i].status ? !m.quick : m.quick == quick && m.sure == 0.25f);
    pl_line_model_done(&m);
    pl_network_free(whole);
    pl_network_free(quick);
}
END_TEST

START_TEST(other_networks_read_no_lines)
{
    struct pl_network *n = NULL;
    struct pl_line_model m = {0};
    ck_assert_int_eq(pl_network_open(MAPS, &n, &err), PLATEN_OK);
    ck_assert_int_eq(pl_line_model_read(n, &m, &err), PLATEN_ERR_ARG);
    ck_assert_ptr_null(m.alphabet);
    pl_network_free(n);
}
END_TEST

START_TEST(short_of_memory)
{
    int failures = 0;
    struct pl_network *n = NULL;
    struct pl_kernels k;
    pl_kernels_init(&k, PL_ISA_SCALAR);
    ck_assert_int_eq(pl_network_open(TINY, &n, &err), PLATEN_OK);
    for (uint64_t at = 1; at < 100; at++, failures++) {
        struct pl_line_model m = {0};
        struct pl_line_net *net = NULL;
        uint8_t *px = NULL;
        pl_mem_fail_at(at, false);
        platen_status s = pl_line_model_read(n, &m, &err);
        s = s ? s : pl_line_net_new(n, &m, &k, NULL, &net, &err);
        for (int again = 0; again < 2 && !s; again++) {
            for (int i = 0; i < 12 && (px = pl_line_net_add(net, 64)); i++)
                draw(px, 64, 3);
            s = px ? pl_line_net_run(net, &err) : PLATEN_ERR_NOMEM;
        }
        pl_mem_fail_at(0, false);
        if (s && net) { /* it survives its failure */
            pl_line_net_reset(net);
            px = pl_line_net_add(net, 320);
            ck_assert_ptr_nonnull(px);
            draw(px, 320, 3);
            ck_assert_int_eq(pl_line_net_run(net, &err), PLATEN_OK);
        }
        pl_line_net_free(net);
        pl_line_model_done(&m);
        if (!s)
            break;
        ck_assert_int_eq(s, PLATEN_ERR_NOMEM);
    }
    ck_assert_int_gt(failures, 4);
    ck_assert_int_lt(failures, 40);
    pl_network_free(n);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("line_net");
    tcase_add_test(c, equals_the_definition);
    tcase_add_test(c, shipped_model_equals_the_definition);
    tcase_add_test(c, maps_equal_the_definition);
    tcase_add_test(c, company_does_not_matter);
    tcase_add_test(c, every_isa_gives_the_same);
    tcase_add_test(c, near_the_float_network);
    tcase_add_test(c, no_allocation_once_warm);
    tcase_add_test(c, tells_what_it_reads);
    tcase_add_loop_test(c, symbols_of_several_code_points, 0, 4);
    tcase_add_loop_test(c, metadata_that_do_not_fit, 0, PL_ARRAY_LEN(changes));
    tcase_add_loop_test(c, quick_networks_that_do_not_fit, 0, 8);
    tcase_add_test(c, other_networks_read_no_lines);
    tcase_add_test(c, short_of_memory);
    Suite *s = suite_create("line_net");
    suite_add_tcase(s, c);
    return run_suite(s);
}
