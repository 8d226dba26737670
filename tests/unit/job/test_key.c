/* SPDX-License-Identifier: BSD-2-Clause */
/* The key of a journal: whatever outputs depend on changes it, and nothing else does. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "job/earlier/key.h"
#include "nn/container.h"
#include "output/emitters.h"
#include "tests/unit/suite.h"

static struct platen_error err;
static char dir[32], recognizer[64], quick[64], language[64], detector[64], words[64];

static void put_file(const char *path, const char *text)
{
    ck_assert_msg(!pl_file_write(path, text, strlen(text), &err), "%s", err.text);
}

static void setup(void)
{
    strcpy(dir, "/tmp/platen-key-XXXXXX"); /* of each test, which may share a process */
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(recognizer, sizeof(recognizer), "%s/a.platen", dir);
    snprintf(quick, sizeof(quick), "%s/a.quick.platen", dir);
    snprintf(language, sizeof(language), "%s/a.lm.platen", dir);
    snprintf(detector, sizeof(detector), "%s/b.platen", dir);
    snprintf(words, sizeof(words), "%s/words", dir);
    put_file(recognizer, "lines");
    put_file(quick, "quick");
    put_file(language, "language");
    put_file(detector, "regions");
    put_file(words, "platen");
}

static void teardown(void)
{
    unlink(recognizer);
    unlink(quick);
    unlink(language);
    unlink(detector);
    unlink(words);
    ck_assert_int_eq(rmdir(dir), 0);
}

/* What a job is asked. */
struct wish {
    const char *pipeline;
    struct pl_plan plan;
    struct pl_key_models models;
    const char *pages; /* of --pages, or NULL */
    const char *words; /* the file in `pipeline` */
};

static struct wish usual(void)
{
    return (struct wish){
        .pipeline = "gray | lines | ctc",
        .plan = {.formats = {&pl_emit_txt}, .n_formats = 1, .load = {.max_pixels = 1000}},
        .models = {
            .recognizer = recognizer, .detector = detector, .quick = true, .language = true}};
}

static const char *key_of(const struct wish *w)
{
    static char keys[2][PL_KEY_BYTES];
    static int turn;
    char *key = keys[turn = !turn];
    char text[160];
    struct platen_pipeline *p = NULL;
    struct pl_plan plan = w->plan;
    snprintf(text, sizeof(text), w->words ? "%s:words=%s" : "%s", w->pipeline, w->words);
    ck_assert_msg(!platen_pipeline_parse(text, strlen(text), PLATEN_FORM_TEXT, &p, NULL, &err),
                  "%s", err.text);
    plan.pipeline = p;
    ck_assert_msg(!pl_key_make(&plan, &w->models, w->pages, key, &err), "%s", err.text);
    platen_pipeline_free(p);
    ck_assert_uint_eq(strlen(key), PL_KEY_BYTES - 1);
    return key;
}

START_TEST(what_is_asked_changes_the_key)
{
    struct wish before = usual(), w = before;
    ck_assert_str_eq(key_of(&before), key_of(&w));
    w.pipeline = "gray, deskew | lines | ctc";
    ck_assert_str_ne(key_of(&before), key_of(&w));
    w = before;
    w.plan.formats[0] = &pl_emit_json;
    ck_assert_str_ne(key_of(&before), key_of(&w));
    w = before;
    w.plan.formats[w.plan.n_formats++] = &pl_emit_json;
    ck_assert_str_ne(key_of(&before), key_of(&w));
    w = before;
    w.plan.load.max_pixels++;
    ck_assert_str_ne(key_of(&before), key_of(&w));
    w = before;
    w.plan.times = true;
    ck_assert_str_ne(key_of(&before), key_of(&w));
    w = before;
    w.pages = "2-3";
    ck_assert_str_ne(key_of(&before), key_of(&w));
    w = before;
    w.models.quick = false;
    ck_assert_str_ne(key_of(&before), key_of(&w));
    w = before;
    w.models.language = false;
    ck_assert_str_ne(key_of(&before), key_of(&w));
    w = before;
    w.models.detector = NULL;
    ck_assert_str_ne(key_of(&before), key_of(&w));
}
END_TEST

/* Files count by their bytes, whatever they are called. */
START_TEST(bytes_of_files_change_the_key)
{
    const char *const files[] = {recognizer, quick, language, detector, words};
    struct wish w = usual();
    w.words = words;
    for (size_t i = 0; i < PL_ARRAY_LEN(files); i++) {
        char before[PL_KEY_BYTES];
        strcpy(before, key_of(&w));
        put_file(files[i], "another");
        ck_assert_msg(strcmp(before, key_of(&w)), "%s", files[i]);
    }
    char before[PL_KEY_BYTES], moved[80];
    strcpy(before, key_of(&w));
    snprintf(moved, sizeof(moved), "%s/c.platen", dir);
    ck_assert_int_eq(rename(detector, moved), 0);
    w.models.detector = moved;
    ck_assert_str_eq(before, key_of(&w));
    ck_assert_int_eq(rename(moved, detector), 0);
    unlink(language);
    w = usual();
    struct platen_pipeline *p = NULL;
    char key[PL_KEY_BYTES];
    ck_assert_int_eq(
        platen_pipeline_parse(w.pipeline, strlen(w.pipeline), PLATEN_FORM_TEXT, &p, NULL, &err),
        PLATEN_OK);
    w.plan.pipeline = p;
    ck_assert_int_eq(pl_key_make(&w.plan, &w.models, NULL, key, &err), PLATEN_ERR_IO);
    platen_pipeline_free(p);
}
END_TEST

/* A model counts by the checksums at its beginning: reading all of it would take longer than
 * reading a page. */
START_TEST(checksums_of_models_change_the_key)
{
    const struct wish w = usual();
    char model[400] = {0}, before[PL_KEY_BYTES];
    memset(model, 'a', sizeof(model) - 1);
    put_file(recognizer, model);
    strcpy(before, key_of(&w));
    model[PL_CONTAINER_HEADER_BYTES + 8 * PL_CONTAINER_SECTION_BYTES] = 'b';
    put_file(recognizer, model);
    ck_assert_str_eq(before, key_of(&w));
    model[PL_CONTAINER_HEADER_BYTES + 7 * PL_CONTAINER_SECTION_BYTES + 4] = 'b';
    put_file(recognizer, model);
    ck_assert_str_ne(before, key_of(&w));
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("key");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, what_is_asked_changes_the_key);
    tcase_add_test(tc, bytes_of_files_change_the_key);
    tcase_add_test(tc, checksums_of_models_change_the_key);
    Suite *s = suite_create("key");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
