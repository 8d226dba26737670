/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "spec/spec.h"
#include "tests/unit/suite.h"

static struct platen_error err;
static size_t column;

static struct platen_pipeline *parse(const char *text)
{
    struct platen_pipeline *p = NULL;
    column = 999;
    return pl_spec_parse(text, strlen(text), &p, &column, &err) ? NULL : p;
}

static struct platen_pipeline *parse_json(const char *text)
{
    struct platen_pipeline *p = NULL;
    column = 999;
    return pl_spec_parse_json(text, strlen(text), &p, &column, &err) ? NULL : p;
}

static char *printed(struct platen_pipeline *p)
{
    char *text = NULL;
    ck_assert_msg(p != NULL, "%s", err.text);
    ck_assert_int_eq(platen_pipeline_print(p, &text, &err), PLATEN_OK);
    platen_pipeline_free(p);
    return text;
}

static void same(struct platen_pipeline *a, struct platen_pipeline *b)
{
    char *ta = printed(a), *tb = printed(b);
    ck_assert_str_eq(ta, tb);
    platen_free(ta);
    platen_free(tb);
}

START_TEST(text_names_steps_and_arguments)
{
    struct platen_pipeline *p = parse(" gray , sauvola : k = 0.25 |lines|\tctc\n");
    ck_assert_msg(p != NULL, "%s", err.text);
    ck_assert_int_eq(p->last, PLATEN_STAGE_RECOGNIZE);
    ck_assert_uint_eq(p->n_preprocess, 2);
    ck_assert_str_eq(p->steps[1].info->name, "sauvola");
    for (size_t i = 0; i < p->steps[1].info->n_params; i++) {
        const struct pl_param *param = &p->steps[1].info->params[i];
        double want = strcmp(param->name, "k") ? param->def : 0.25;
        ck_assert_double_eq(pl_arg_number(param, p->steps[1].args), want);
    }
    ck_assert_str_eq(pl_spec_step(p, PLATEN_STAGE_DETECT)->info->name, "lines");
    ck_assert_str_eq(pl_spec_step(p, PLATEN_STAGE_RECOGNIZE)->info->name, "ctc");
    platen_pipeline_free(p);

    p = parse("gray");
    ck_assert_int_eq(p->last, PLATEN_STAGE_PREPROCESS);
    ck_assert_ptr_null(pl_spec_step(p, PLATEN_STAGE_DETECT));
    platen_pipeline_free(p);
}
END_TEST

START_TEST(canonical_text_is_a_fixed_point)
{
    static const char *const texts[] = {"gray", "gray,sauvola:k=0.125 | lines", "@document",
                                        "@line", "invert:always,gray|lines|ctc"};
    for (size_t i = 0; i < PL_ARRAY_LEN(texts); i++) {
        char *once = printed(parse(texts[i])), *twice = printed(parse(once));
        ck_assert_str_eq(once, twice);
        platen_free(once);
        platen_free(twice);
    }
}
END_TEST

START_TEST(json_says_the_same)
{
    same(parse("gray,sauvola:k=0.25 | lines | ctc"),
         parse_json("{\"preprocess\": [\"gray\", {\"op\": \"sauvola\", \"k\": 0.25}],\n"
                    " \"detect\": \"lines\", \"recognize\": {\"op\": \"ctc\"}} \n"));
    same(parse("invert:auto"),
         parse_json("{\"preprocess\":[{\"mode\":\"auto\",\"op\":\"invert\"}]}"));
}
END_TEST

START_TEST(presets_parse_and_the_first_is_the_default)
{
    ck_assert_str_eq(pl_presets[0].name, "document");
    for (const struct pl_preset *preset = pl_presets; preset->name; preset++) {
        char name[64] = "@";
        strcat(name, preset->name);
        same(parse(name), parse(preset->text));
    }
}
END_TEST

static const struct {
    const char *text, *message;
    size_t column;
} wrong[] = {
    {"", "pipeline, column 1: an operation is missing", 1},
    {"gray,", "pipeline, column 6: an operation is missing", 6},
    {"gray,,deskew", "pipeline, column 6: an operation is missing", 6},
    {"gray |", "pipeline, column 7: an operation is missing", 7},
    {"gray, deskw",
     "pipeline, column 7: unknown preprocess operation 'deskw'; did you mean 'deskew'?", 7},
    {"gray,xyzzy", "pipeline, column 6: unknown preprocess operation 'xyzzy'", 6},
    {"\xC3\xA4,gray", "pipeline, column 1: unknown preprocess operation '\xC3\xA4'", 1},
    {"gray | lnes", "pipeline, column 8: unknown detect operation 'lnes'; did you mean 'lines'?",
     8},
    {"lines",
     "pipeline, column 1: 'lines' belongs to the detect stage, not to preprocess "
     "(preprocess | detect | recognize)",
     1},
    {"gray | lines | ctc | ctc",
     "pipeline, column 20: more than three stages (preprocess | detect | recognize)", 20},
    {"gray | lines, lines", "pipeline, column 13: the detect stage has one operation", 13},
    {"sauvola:kk=1", "pipeline, column 9: sauvola has no parameter 'kk'; did you mean 'k'?", 9},
    {"sauvola:k=", "pipeline, column 11: a value is missing", 11},
    {"sauvola:k=x", "pipeline, column 11: 'k' of sauvola is a number, not 'x'", 11},
    {"sauvola:k=1e300", "pipeline, column 11: 'k' of sauvola: 9e15 is outside 0..1", 11},
    {"sauvola:k=0.1:k=0.2", "pipeline, column 15: 'k' of sauvola is given twice", 15},
    {"gray:1", "pipeline, column 6: gray takes no parameters", 6},
    {"@documnt", "pipeline, column 2: unknown preset 'documnt'; did you mean 'document'?", 2},
    {"@", "pipeline, column 2: unknown preset ''", 2},
};

START_TEST(wrong_text_names_the_column)
{
    ck_assert_ptr_null(parse(wrong[_i].text));
    ck_assert_str_eq(err.text, wrong[_i].message);
    ck_assert_uint_eq(column, wrong[_i].column);
}
END_TEST

static const struct {
    const char *text, *message;
    size_t column;
} wrong_json[] = {
    {"", "pipeline, line 1, column 1: not JSON", 1},
    {"{\"preprocess\": [}", "pipeline, line 1, column 17: not JSON", 17},
    {"{\"preprocess\": [\"gray\"]} x", "pipeline, line 1, column 26: not JSON", 26},
    {"{\n]", "pipeline, line 2, column 1: not JSON", 0},
    {"[]", "pipeline, JSON: the top must be an object", 0},
    {"{}", "pipeline, JSON: detect needs preprocess before it, and recognize needs detect", 0},
    {"{\"preprocess\":[\"gray\"],\"recognize\":\"ctc\"}",
     "pipeline, JSON: detect needs preprocess before it, and recognize needs detect", 0},
    {"{\"preproces\":[\"gray\"]}",
     "pipeline, JSON: unknown key 'preproces'; did you mean 'preprocess'?", 0},
    {"{\"preprocess\":[]}", "pipeline, preprocess: must be an array of operations, not empty", 0},
    {"{\"preprocess\":[\"gray\",7]}",
     "pipeline, preprocess[1]: an operation is \"name\" or {\"op\": \"name\", ...}", 0},
    {"{\"preprocess\":[{\"op\":\"sauvola\",\"k\":\"0.3\"}]}",
     "pipeline, preprocess[0]: 'k' of sauvola must be a number", 0},
    {"{\"preprocess\":[{\"op\":\"sauvola\",\"k\":0.1,\"k\":0.2}]}",
     "pipeline, preprocess[0]: 'k' of sauvola is given twice", 0},
    {"{\"preprocess\":[\"gray\"],\"preprocess\":[\"gray\"]}",
     "pipeline, JSON: 'preprocess' is given twice", 0},
    {"[[[[[[[[[[", "pipeline: nested deeper than 4 levels", 0},
};

START_TEST(wrong_json_names_the_place)
{
    ck_assert_ptr_null(parse_json(wrong_json[_i].text));
    ck_assert_str_eq(err.text, wrong_json[_i].message);
    ck_assert_uint_eq(column, wrong_json[_i].column);
}
END_TEST

START_TEST(limits_hold)
{
    char text[6000];
    memset(text, ' ', sizeof(text));
    struct platen_pipeline *p = NULL;
    ck_assert_int_eq(pl_spec_parse(text, sizeof(text), &p, &column, &err), PLATEN_ERR_LIMIT);
    char *t = text;
    for (int i = 0; i < PL_SPEC_MAX_OPS; i++)
        t = stpcpy(t, i ? ",gray" : "gray");
    p = parse(text);
    ck_assert_msg(p != NULL, "%s", err.text);
    platen_pipeline_free(p);
    p = NULL;
    stpcpy(t, ",gray");
    ck_assert_int_eq(pl_spec_parse(text, strlen(text), &p, &column, &err), PLATEN_ERR_LIMIT);
    ck_assert_uint_eq(column, 5 * PL_SPEC_MAX_OPS + 1);
    ck_assert_ptr_null(p);
}
END_TEST

START_TEST(every_failed_allocation_is_reported)
{
    for (uint64_t n = 1;; n++) {
        struct platen_pipeline *p = NULL;
        pl_mem_fail_at(n, false);
        platen_status s = pl_spec_parse("gray,sauvola:k=0.2", 18, &p, &column, &err);
        pl_mem_fail_at(0, false);
        if (!s) {
            platen_pipeline_free(p);
            ck_assert_uint_gt(n, 1);
            break;
        }
        ck_assert_int_eq(s, PLATEN_ERR_NOMEM);
        ck_assert_uint_eq(column, 0);
        ck_assert_ptr_null(p);
    }
}
END_TEST

static size_t size_of(const struct pl_param *param)
{
    static const size_t sizes[] = {[PL_PARAM_NUMBER] = sizeof(double),
                                   [PL_PARAM_INT] = sizeof(int),
                                   [PL_PARAM_CHOICE] = sizeof(unsigned),
                                   [PL_PARAM_TEXT] = sizeof(char *)};
    return sizes[param->kind];
}

/* Every parameter of an operation lies in its struct, and no two share a byte. */
static void check_places(const struct pl_op_info *op)
{
    char used[256] = {0};
    ck_assert_uint_le(op->args_size, sizeof(used));
    ck_assert_int_eq(op->args_size > 0, op->n_params > 0);
    for (size_t i = 0; i < op->n_params; i++) {
        const struct pl_param *param = &op->params[i];
        size_t end = param->offset + size_of(param);
        ck_assert_msg(end <= op->args_size, "%s of %s", param->name, op->name);
        ck_assert_int_eq(param->kind == PL_PARAM_CHOICE, param->choices != NULL);
        for (size_t at = param->offset; at < end; at++)
            ck_assert_msg(!used[at]++, "%s of %s shares its place", param->name, op->name);
    }
}

START_TEST(arguments_have_places_of_their_own)
{
    for (unsigned s = PLATEN_STAGE_PREPROCESS; s <= PLATEN_STAGE_RECOGNIZE; s++)
        for (const struct pl_op_info *const *op = pl_spec_ops((enum platen_stage)s); *op; op++)
            check_places(*op);
}
END_TEST

START_TEST(operations_are_described)
{
    char *text = NULL;
    ck_assert_int_eq(platen_ops_describe(NULL, PLATEN_FORM_TEXT, &text, &err), PLATEN_OK);
    for (unsigned s = PLATEN_STAGE_PREPROCESS; s <= PLATEN_STAGE_RECOGNIZE; s++)
        for (const struct pl_op_info *const *op = pl_spec_ops((enum platen_stage)s); *op; op++) {
            ck_assert_ptr_nonnull(strstr(text, (*op)->name));
            ck_assert_ptr_nonnull(strstr(text, (*op)->help));
        }
    platen_free(text);
    ck_assert_int_eq(platen_ops_describe("nosuch", PLATEN_FORM_TEXT, &text, &err), PLATEN_ERR_ARG);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("spec");
    TCase *t = tcase_create("spec");
    tcase_add_test(t, text_names_steps_and_arguments);
    tcase_add_test(t, canonical_text_is_a_fixed_point);
    tcase_add_test(t, json_says_the_same);
    tcase_add_test(t, presets_parse_and_the_first_is_the_default);
    tcase_add_loop_test(t, wrong_text_names_the_column, 0, PL_ARRAY_LEN(wrong));
    tcase_add_loop_test(t, wrong_json_names_the_place, 0, PL_ARRAY_LEN(wrong_json));
    tcase_add_test(t, limits_hold);
    tcase_add_test(t, every_failed_allocation_is_reported);
    tcase_add_test(t, arguments_have_places_of_their_own);
    tcase_add_test(t, operations_are_described);
    suite_add_tcase(s, t);
    return run_suite(s);
}
