/* SPDX-License-Identifier: BSD-2-Clause */
/* The result of a page as structs, beside what format json says of it. */
#include <cjson/cJSON.h>
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/attr.h"
#include "base/text.h"
#include "platen.h"
#include "tests/unit/suite.h"

static struct platen_error err;

static struct platen_pipeline *parse(const char *spec)
{
    struct platen_pipeline *p = NULL;
    ck_assert_int_eq(platen_pipeline_parse(spec, strlen(spec), PLATEN_FORM_TEXT, &p, NULL, &err),
                     PLATEN_OK);
    return p;
}

static double number(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItem(o, key);
    return v && cJSON_IsNumber(v) ? v->valuedouble : 0;
}

static const char *text(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItem(o, key);
    return v ? cJSON_GetStringValue(v) : NULL;
}

static double element(const cJSON *array, int i)
{
    return cJSON_GetArrayItem(array, i)->valuedouble;
}

static void check_corners(const cJSON *b, struct platen_box box)
{
    const int got[] = {box.x0, box.y0, box.x1, box.y1};
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(got[i], (int)element(b, i));
}

static void check_box(const cJSON *o, struct platen_box box)
{
    check_corners(cJSON_GetObjectItem(o, "box"), box);
}

static void check_points(const cJSON *points, const struct platen_point *p, size_t n)
{
    ck_assert_int_eq(cJSON_GetArraySize(points), (int)n);
    for (size_t i = 0; i < n; i++) {
        const cJSON *q = cJSON_GetArrayItem(points, (int)i);
        ck_assert(fabs(element(q, 0) - p[i].x) < 0.006 && fabs(element(q, 1) - p[i].y) < 0.006);
    }
}

static void check_word(const cJSON *o, const struct platen_word *w)
{
    const cJSON *confs = cJSON_GetObjectItem(o, "char_conf");
    ck_assert_uint_eq(w->size, sizeof(*w));
    check_box(o, w->box);
    check_points(cJSON_GetObjectItem(o, "quad"), w->quad, 4);
    ck_assert_str_eq(w->text, text(o, "text"));
    ck_assert(fabs(w->conf - number(o, "conf")) < 6e-5);
    ck_assert_int_eq(cJSON_GetArraySize(confs), (int)w->n_chars);
    for (size_t i = 0; i < w->n_chars; i++)
        ck_assert(fabs((double)w->char_conf[i] - element(confs, (int)i)) < 6e-5);
}

static void check_line(const cJSON *o, const struct platen_line *l)
{
    const cJSON *words = cJSON_GetObjectItem(o, "words");
    ck_assert_uint_eq(l->size, sizeof(*l));
    check_box(o, l->box);
    check_points(cJSON_GetObjectItem(o, "baseline"), l->baseline, l->n_baseline);
    ck_assert_str_eq(l->text, text(o, "text") ? text(o, "text") : "");
    ck_assert(fabs(l->conf - number(o, "conf")) < 6e-5);
    ck_assert_int_eq(cJSON_GetArraySize(words), (int)l->n_words);
    for (size_t i = 0; i < l->n_words; i++)
        check_word(cJSON_GetArrayItem(words, (int)i), l->words[i]);
}

/* Rows are counted from 0, and lines of one row share pixel rows. */
static void check_rows(const struct platen_block *b)
{
    for (size_t i = 0; i < b->n_lines; i++) {
        const struct platen_line *l = b->lines[i], *before = i ? b->lines[i - 1] : NULL;
        ck_assert_int_eq(l->row, before ? before->row + (l->row != before->row) : 0);
        if (before && l->row == before->row)
            ck_assert_int_lt(l->box.y0, before->box.y1);
    }
}

/* Of a page that was not read, json has no texts. */
static void check_field(const cJSON *o, const struct platen_block *b)
{
    ck_assert_int_eq((int)number(o, "label_lines"), (int)b->n_label);
    ck_assert(!o == !b->label && !o == !b->value);
    if (!o)
        return;
    ck_assert_str_eq(b->label, text(o, "label") ? text(o, "label") : "");
    ck_assert_str_eq(b->value, text(o, "value") ? text(o, "value") : "");
}

static void check_block(const cJSON *o, const struct platen_block *b)
{
    static const char *const kinds[] = {"text",    "heading", "header", "footer",
                                        "caption", "table",   "code"};
    const cJSON *lines = cJSON_GetObjectItem(o, "lines");
    ck_assert_uint_eq(b->size, sizeof(*b));
    ck_assert_str_eq(kinds[b->kind], text(o, "kind"));
    ck_assert_int_eq(b->level, (int)number(o, "level"));
    ck_assert((b->kind == PLATEN_BLOCK_HEADING) == (b->level > 0));
    check_box(o, b->box);
    ck_assert_int_eq(cJSON_GetArraySize(lines), (int)b->n_lines);
    for (size_t i = 0; i < b->n_lines; i++)
        check_line(cJSON_GetArrayItem(lines, (int)i), b->lines[i]);
    check_rows(b);
    check_field(cJSON_GetObjectItem(o, "field"), b);
}

/* Words that were doubted follow the unread lines in json. */
static void check_leftover(const cJSON *o, const struct platen_page *page)
{
    const cJSON *boxes = cJSON_GetObjectItem(o, "boxes");
    const cJSON *unread = cJSON_GetObjectItem(o, "unread_boxes");
    ck_assert_int_eq(boxes ? cJSON_GetArraySize(boxes) : 0, (int)page->n_unexplained);
    for (size_t i = 0; i < page->n_unexplained; i++)
        check_corners(cJSON_GetArrayItem(boxes, (int)i), page->unexplained[i]);
    ck_assert_int_ge(unread ? cJSON_GetArraySize(unread) : 0, (int)page->n_unread);
    for (size_t i = 0; i < page->n_unread; i++)
        check_box(cJSON_GetArrayItem(unread, (int)i), page->unread[i]->box);
}

static void check_page(const cJSON *o, const struct platen_page *page)
{
    const cJSON *blocks = cJSON_GetObjectItem(o, "blocks");
    const cJSON *dpi = cJSON_GetObjectItem(o, "dpi");
    const char *upright = text(o, "upright");
    ck_assert_uint_eq(page->size, sizeof(*page));
    ck_assert_str_eq(page->path, text(o, "path"));
    ck_assert_int_eq(page->page, (int)number(o, "page"));
    ck_assert_int_eq(page->part, (int)number(o, "part"));
    ck_assert_int_eq(page->width, (int)number(o, "width"));
    ck_assert_int_eq(page->height, (int)number(o, "height"));
    ck_assert(fabs(page->dpi_x - (cJSON_IsArray(dpi) ? element(dpi, 0) : 0)) < 0.006);
    ck_assert(fabs(page->dpi_y - (cJSON_IsArray(dpi) ? element(dpi, 1) : 0)) < 0.006);
    ck_assert_int_eq(page->quarters * 90, (int)number(o, "turn"));
    ck_assert_int_eq(page->upright, !upright                   ? PLATEN_UPRIGHT_UNASKED
                                    : !strcmp(upright, "sure") ? PLATEN_UPRIGHT_SURE
                                                               : PLATEN_UPRIGHT_DOUBTFUL);
    ck_assert(fabs(page->angle_deg - number(o, "angle")) < 6e-4);
    ck_assert_int_eq(blocks ? cJSON_GetArraySize(blocks) : 0, (int)page->n_blocks);
    for (size_t i = 0; i < page->n_blocks; i++)
        check_block(cJSON_GetArrayItem(blocks, (int)i), page->blocks[i]);
    check_leftover(cJSON_GetObjectItem(o, "leftover"), page);
}

static const char *const pages[] = {
    PL_TEST_ROOT "/samples/pages/columns.png",
    PL_TEST_ROOT "/tests/data/lines/02-clean-sans.png",
    PL_TEST_ROOT "/samples/pages/form.png",
};

static void run(const struct platen_pipeline *p, struct platen_options *o)
{
    struct platen_job *job = NULL;
    struct platen_summary sum = {.size = sizeof(sum)};
    o->threads = 2;
    o->models = PL_TEST_ROOT "/models";
    ck_assert_int_eq(platen_job_new(p, o, &job, &err), PLATEN_OK);
    for (size_t i = 0; i < PL_ARRAY_LEN(pages); i++)
        ck_assert_int_eq(platen_job_add(job, pages[i], &err), PLATEN_OK);
    ck_assert_int_eq(platen_job_run(job, &sum, &err), PLATEN_OK);
    ck_assert_uint_eq(sum.done, PL_ARRAY_LEN(pages));
    platen_job_free(job);
}

static platen_status add_bytes(void *ctx, const void *data, size_t n, struct platen_error *e)
{
    (void)e;
    pl_str_add(ctx, data, n);
    return PLATEN_OK;
}

struct expected {
    const char *at; /* records of ndjson that are left */
    size_t pages;
};

static void check_next(struct expected *want, const struct platen_page *page)
{
    cJSON *o = cJSON_ParseWithOpts(want->at, &want->at, false);
    ck_assert_ptr_nonnull(o);
    check_page(o, page);
    cJSON_Delete(o);
    want->pages++;
}

static void on_page(void *ctx, const struct platen_page *page)
{
    check_next(ctx, page);
}

static const char *const specs[] = {"gray", "gray,deskew | lines", "@document"};

/* _i: the pipeline. The pages of a job come in order, and their trees say what their json says. */
START_TEST(pages_of_a_job)
{
    struct platen_pipeline *p = parse(specs[_i]);
    struct pl_str json = {0};
    struct platen_options o;
    platen_options_init(&o, sizeof(o));
    o.ctx = &json;
    o.write = add_bytes;
    o.formats = "ndjson";
    run(p, &o);
    struct expected want = {.at = json.s};
    platen_options_init(&o, sizeof(o));
    o.ctx = &want;
    o.page = on_page;
    run(p, &o);
    ck_assert_uint_eq(want.pages, PL_ARRAY_LEN(pages));
    ck_assert_str_eq(want.at, "\n");
    o.formats = "txt";
    struct platen_job *job = NULL;
    ck_assert_int_eq(platen_job_new(p, &o, &job, &err), PLATEN_ERR_ARG);
    pl_str_done(&json);
    platen_pipeline_free(p);
}
END_TEST

/* Runs a job of requests for n pictures, the options of which are set in `pics`. */
static struct platen_summary answer_all(const char *spec, struct platen_picture *pics, size_t n)
{
    struct platen_pipeline *p = parse(spec);
    struct platen_job *job = NULL;
    struct platen_options o;
    struct platen_request *r[2] = {NULL};
    struct platen_summary sum = {.size = sizeof(sum)};
    platen_options_init(&o, sizeof(o));
    o.threads = 1;
    o.requests = true;
    ck_assert_int_eq(platen_job_new(p, &o, &job, &err), PLATEN_OK);
    for (size_t i = 0; i < n; i++)
        ck_assert_int_eq(platen_job_ask(job, &pics[i], &r[i], &err), PLATEN_OK);
    platen_job_close(job);
    ck_assert_int_eq(platen_job_run(job, &sum, &err), PLATEN_OK);
    for (size_t i = 0; i < n; i++)
        platen_request_free(r[i]);
    platen_job_free(job);
    platen_pipeline_free(p);
    return sum;
}

struct answers {
    struct pl_str json;
    size_t n;
};

static void on_answer(void *ctx, const struct platen_answer *a)
{
    struct answers *all = ctx;
    ck_assert_int_eq(a->status, PLATEN_OK);
    if (all->n++ == 0) {
        ck_assert_uint_eq(a->n_pages, 0);
        pl_str_add(&all->json, a->data, a->data_bytes);
        return;
    }
    struct expected want = {.at = all->json.s};
    ck_assert_ptr_null(a->data);
    ck_assert_uint_eq(a->n_pages, 2);
    for (size_t i = 0; i < a->n_pages; i++)
        check_next(&want, a->pages[i]);
}

/* A picture that becomes two pages has two trees. */
START_TEST(pages_of_a_picture_in_memory)
{
    enum { SIDE = 400 };
    static unsigned char page[SIDE * SIDE + 20];
    struct platen_picture pics[2];
    struct answers all = {.n = 0};
    const int head = snprintf((char *)page, 20, "P5 %d %d 255 ", SIDE, SIDE / 2);
    memset(page + head, 255, sizeof(page) - (size_t)head);
    for (int y = 40; y < 160; y++)
        for (int x = 30; x < SIDE - 30; x++)
            if ((x < 170 || x > 230) && y % 20 < 8 && x % 6 < 4)
                page[head + y * SIDE + x] = 0;
    for (int i = 0; i < 2; i++)
        pics[i] = (struct platen_picture){.size = sizeof(pics[i]),
                                          .data = page,
                                          .data_bytes = (size_t)head + SIDE * SIDE / 2,
                                          .format = i ? NULL : "ndjson",
                                          .ctx = &all,
                                          .answer = on_answer};
    ck_assert_uint_eq(answer_all("gray,split | lines", pics, 2).damaged, 0);
    ck_assert_uint_eq(all.n, 2);
    pl_str_done(&all.json);
}
END_TEST

static void on_damaged(void *ctx, const struct platen_answer *a)
{
    ck_assert_int_eq(a->status, PLATEN_OK);
    ck_assert_uint_eq(a->n_warnings, 1);
    const struct platen_warning *w = a->warnings;
    ck_assert_uint_eq(w->size, sizeof(*w));
    ck_assert_str_eq(w->name, "'cut.pgm'");
    ck_assert_ptr_nonnull(strstr(w->text, "'cut.pgm': "));
    ck_assert_ptr_nonnull(strstr(w->text, "60 of 80 rows were read"));
    ck_assert(fabs(w->share - 0.25) < 0.01);
    for (size_t i = 0; i < a->n_pages; i++) {
        ck_assert(a->pages[i]->damaged);
        ck_assert_ptr_nonnull(strstr(w->text, a->pages[i]->flaw));
    }
    ++*(int *)ctx;
}

/* What a picture lacks is told in every answer, and by its page. */
START_TEST(a_damaged_picture_in_memory)
{
    static char page[80 * 80 + 20];
    struct platen_picture pics[2];
    int answers = 0;
    const int head = snprintf(page, 20, "P5 80 80 255 ");
    for (int i = 0; i < 2; i++)
        pics[i] = (struct platen_picture){.size = sizeof(pics[i]),
                                          .data = page,
                                          .data_bytes = (size_t)head + 60 * 80,
                                          .name = "cut.pgm",
                                          .format = i ? NULL : "pnm",
                                          .ctx = &answers,
                                          .answer = on_damaged};
    ck_assert_uint_eq(answer_all("gray", pics, 2).damaged, 2);
    ck_assert_int_eq(answers, 2);
}
END_TEST

START_TEST(the_header_has_the_version_of_the_library)
{
    char version[32];
    snprintf(version, sizeof(version), "%d.%d.%d", PLATEN_VERSION_MAJOR, PLATEN_VERSION_MINOR,
             PLATEN_VERSION_PATCH);
    ck_assert_str_eq(version, platen_version());
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tree");
    TCase *t = tcase_create("tree");
    tcase_add_loop_test(t, pages_of_a_job, 0, PL_ARRAY_LEN(specs));
    tcase_add_test(t, pages_of_a_picture_in_memory);
    tcase_add_test(t, a_damaged_picture_in_memory);
    tcase_add_test(t, the_header_has_the_version_of_the_library);
    suite_add_tcase(s, t);
    return run_suite(s);
}
