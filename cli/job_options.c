/* SPDX-License-Identifier: BSD-2-Clause */
/* Options that run and serve share: the pipeline, its model, threads and limits. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* ---- the pipeline ---- */

/* The wrong line of the text, cut to what fits, and a caret under the column (in characters). */
static void show_caret(const char *text, size_t n, size_t column)
{
    const size_t most = 70;
    size_t from = column > most - 10 ? column - (most - 10) : 0;
    fputs("  ", stderr);
    for (size_t i = 0, c = 0; i < n; i++) {
        c += ((unsigned char)text[i] & 0xc0) != 0x80;
        if (c > from && c <= from + most)
            fputc((unsigned char)text[i] < 0x20 ? ' ' : text[i], stderr);
    }
    fprintf(stderr, "\n  %*s^\n", (int)(column - from - 1), "");
}

static bool is_json(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && strchr(" \t\r\n", text[i]))
        i++;
    return i < n && text[i] == '{';
}

static int parse_pipeline(const char *text, size_t n, bool may_be_json,
                          struct platen_pipeline **ret)
{
    struct platen_error err;
    size_t column = 0;
    enum platen_form form = may_be_json && is_json(text, n) ? PLATEN_FORM_JSON : PLATEN_FORM_TEXT;
    if (!platen_pipeline_parse(text, n, form, ret, &column, &err))
        return EXIT_DONE;
    message("%s", err.text);
    if (column)
        show_caret(text, n, column);
    return EXIT_USAGE;
}

static int read_pipeline_file(const char *path, struct platen_pipeline **ret)
{
    static char text[65538]; /* one byte more than the longest that is allowed, and a zero */
    FILE *f = fopen(path, "rb");
    if (!f)
        return fail_usage("unable to open '%s': %s", path, strerror(errno));
    size_t n = fread(text, 1, sizeof(text) - 1, f);
    bool failed = ferror(f);
    fclose(f);
    if (failed)
        return fail_usage("unable to read '%s'", path);
    const size_t mark = utf8_mark(text);
    return parse_pipeline(text + mark, n - mark, true, ret);
}

static int parse_given(const struct arguments *a, struct platen_pipeline **ret)
{
    if (a->given[OPTION_PIPELINE] && a->given[OPTION_PIPELINE_FILE])
        return fail_usage("--pipeline and --pipeline-file exclude each other");
    if (a->given[OPTION_PIPELINE_FILE])
        return read_pipeline_file(a->value[OPTION_PIPELINE_FILE], ret);
    const char *text = a->given[OPTION_PIPELINE] ? a->value[OPTION_PIPELINE] : "@document";
    return parse_pipeline(text, strlen(text), false, ret);
}

/* ---- options ---- */

bool read_count(const char *text, unsigned long long max, unsigned long long *ret)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || v < 1 || v > max)
        return false;
    *ret = v;
    return true;
}

/* Place of the option's value among those that its metavar names, or -1 after a message. */
static int read_choice(const struct arguments *a, enum option_id id)
{
    const struct option_info *o = &option_table[id];
    const char *list = o->metavar + has_optional_value(o), *value = a->value[id];
    const size_t n = strcspn(list, "]"), k = strlen(value);
    int i = 0;
    for (const char *at = list; at < list + n; at += strcspn(at, "|]") + 1, i++)
        if (strcspn(at, "|]") == k && !memcmp(at, value, k))
            return i;
    message("--%s must be %.*s, not '%s'", o->name, (int)n, list, value);
    return -1;
}

/* "500M": bytes, with K, M, G or T for powers of 1024. */
static bool read_bytes(const char *text, unsigned long long *ret)
{
    char digits[24] = "";
    size_t n = strcspn(text, "KMGT");
    const char units[] = "KMGT", *unit = text[n] ? strchr(units, text[n]) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (n >= sizeof(digits) || (unit && text[n + 1]))
        return false;
    memcpy(digits, text, n);
    if (!read_count(digits, (1ull << 62) >> shift, ret))
        return false;
    *ret <<= shift;
    return true;
}

int read_option_number(const struct arguments *a, enum option_id id, unsigned long long *ret)
{
    const struct option_info *o = &option_table[id];
    const char *text = a->value[id];
    const bool bytes = !strcmp(o->metavar, "BYTES");
    unsigned long long v = 0;
    if (!a->given[id])
        return EXIT_DONE;
    bool ok = bytes ? read_bytes(text, &v) && v <= o->most
                    : (!o->least && !strcmp(text, "0")) || read_count(text, o->most, &v);
    if (ok) {
        *ret = v;
        return EXIT_DONE;
    }
    if (bytes)
        return fail_usage("--%s must be a number of bytes from %llu to %llu, as 64M, not '%s'",
                          o->name, o->least, o->most, text);
    return fail_usage("--%s must be a number from %llu to %llu, not '%s'", o->name, o->least,
                      o->most, text);
}

/* Puts what is given into the members that the table names. */
static int fill_members(const struct arguments *a, struct platen_options *o)
{
    for (int id = 0; id < OPTION_COUNT; id++) {
        const struct option_info *info = &option_table[id];
        void *at = (char *)o + info->offset;
        unsigned long long v = 0;
        if (info->target == TARGET_NONE || !a->given[id])
            continue;
        if (info->most && read_option_number(a, (enum option_id)id, &v))
            return EXIT_USAGE;
        if (info->target == TARGET_FLAG)
            *(bool *)at = true;
        else if (info->target == TARGET_TEXT)
            *(const char **)at = a->value[id];
        else if (info->target == TARGET_INT)
            *(int *)at = (int)v;
        else if (info->target == TARGET_UINT64)
            *(uint64_t *)at = v;
        else
            *(double *)at = (double)v;
    }
    return EXIT_DONE;
}

static int read_level(const struct arguments *a, struct platen_options *o)
{
    int level = a->given[OPTION_OPT_LEVEL] ? read_choice(a, OPTION_OPT_LEVEL) : -1;
    if (level >= 0)
        o->opt_level = (enum platen_opt_level)level;
    return a->given[OPTION_OPT_LEVEL] && level < 0 ? EXIT_USAGE : EXIT_DONE;
}

const char *lm_value(const char *text)
{
    return strcmp(text, "off") ? text : "0";
}

/* Options that are parameters of operations. What is a default, or for one of several pipelines,
 * counts for those that have its place. */
static int set_parameters(const struct arguments *a, bool several, struct platen_pipeline *p)
{
    static const enum option_id ids[] = {OPTION_ORIENT, OPTION_LM,    OPTION_LANG,
                                         OPTION_CHARS,  OPTION_WORDS, OPTION_MIN_CONF};
    struct platen_error err;
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
        const char *value = a->value[ids[i]], *name = option_table[ids[i]].name;
        if (!a->given[ids[i]])
            continue;
        if (ids[i] == OPTION_LM)
            value = lm_value(value);
        platen_status s = platen_pipeline_set(p, name, value, &err);
        if (s && !(s == PLATEN_ERR_UNSUPPORTED && (several || a->configured[ids[i]])))
            return fail_usage("--%s: %s", name, err.text);
    }
    return EXIT_DONE;
}

int get_pipeline(const struct arguments *a, struct platen_pipeline **ret)
{
    int status = parse_given(a, ret);
    return status ? status : set_parameters(a, false, *ret);
}

int get_further_pipeline(const struct arguments *a, const char *text, struct platen_pipeline **ret)
{
    int status = parse_pipeline(text, strlen(text), false, ret);
    return status ? status : set_parameters(a, true, *ret);
}

const char *wanted_isa(const struct arguments *a)
{
    const char *given = a->value[OPTION_ISA], *set = getenv("PLATEN_ISA");
    return given && !(a->configured[OPTION_ISA] && set) ? given : set;
}

int read_job_options(const struct arguments *a, struct platen_options *o)
{
    o->isa = wanted_isa(a);
    o->models = getenv("PLATEN_MODELS");
    const char *renderer = a->given[OPTION_PDF_RENDERER] ? a->value[OPTION_PDF_RENDERER]
                           : o->requests                 ? "off"
                                                         : "auto";
    o->pdf_renderer = strcmp(renderer, "off") ? renderer : NULL;
    o->pdf_renderer_open = a->given[OPTION_SANDBOX] && !strcmp(a->value[OPTION_SANDBOX], "off");
    if (a->given[OPTION_PDF_TEXT]) {
        const int choice = read_choice(a, OPTION_PDF_TEXT);
        if (choice < 0)
            return EXIT_USAGE;
        o->pdf_text = (enum platen_pdf_text)(PLATEN_PDF_TEXT_SKIP + choice);
    }
    int status = read_level(a, o);
    return status ? status : fill_members(a, o);
}

int enter_sandbox(const struct arguments *a, struct platen_job *job, const char *removes)
{
    struct platen_error err;
    int mode = a->given[OPTION_SANDBOX] ? read_choice(a, OPTION_SANDBOX) : PLATEN_SANDBOX_AUTO;
    if (mode < 0)
        return EXIT_USAGE;
    platen_status s = platen_sandbox_enter(job, (enum platen_sandbox_mode)mode, removes, &err);
    if (!s)
        return EXIT_DONE;
    message("%s", err.text);
    return s == PLATEN_ERR_IO ? EXIT_SOME_FAILED : EXIT_USAGE;
}

int begin_isolation(const struct arguments *a, const struct platen_options *o,
                    enum platen_isolation usual)
{
    struct platen_error err;
    int what = !a->given[OPTION_ISOLATE]   ? (int)usual
               : !a->value[OPTION_ISOLATE] ? PLATEN_ISOLATE_ALL
                                           : read_choice(a, OPTION_ISOLATE);
    if (what < 0)
        return EXIT_USAGE;
    if (platen_isolate((enum platen_isolation)what, o->threads ? o->threads : platen_cores(), &err))
        return fail_usage("%s", err.text);
    return EXIT_DONE;
}

void end_isolation(void)
{
    struct platen_error err;
    if (platen_isolate(PLATEN_ISOLATE_NONE, 0, &err))
        message("%s", err.text);
}
