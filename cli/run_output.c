/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/run_output.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

/* What stands under the names on which it depends how the output is written; 0 = nothing yet. */
struct run_places {
    mode_t output, input;
};

/* Finds what stands under a name. A failure is told: with a guess, output would go elsewhere. */
static int look_at(const char *path, mode_t *ret)
{
    struct stat st;
    *ret = 0;
    if (!stat(path, &st))
        *ret = st.st_mode;
    else if (errno != ENOENT && errno != ENOTDIR) {
        message("unable to read '%s': %s", path, strerror(errno));
        return EXIT_SOME_FAILED;
    }
    return EXIT_DONE;
}

static int look_at_places(const struct arguments *a, struct run_places *ret)
{
    const char *output = a->value[OPTION_OUTPUT];
    *ret = (struct run_places){0};
    const int status = output ? look_at(output, &ret->output) : EXIT_DONE;
    return status || a->n_operands != 1 ? status : look_at(a->operands[0], &ret->input);
}

/* Whether the path has the extension, in small or capital letters. */
static bool ends_in(const char *path, const char *extension)
{
    size_t n = strlen(path), k = strlen(extension);
    return n > k + 1 && path[n - k - 1] == '.' && !strcasecmp(path + n - k, extension);
}

/* Whether the path has one of the extensions, parted by blanks. */
static bool ends_in_any(const char *path, const char *extensions)
{
    char one[8] = "";
    for (int n = 0; sscanf(extensions, "%7s%n", one, &n) == 1; extensions += n)
        if (ends_in(path, one))
            return true;
    return false;
}

/* Other programs have the output's name behind that of the input: there it would be an input that
 * is missing, behind some that are read. What may be an input costs a message alone. */
static int look_at_last_operand(const struct arguments *a)
{
    const char *last = a->n_operands > 1 ? a->operands[a->n_operands - 1] : "";
    if (!access(last, F_OK))
        return EXIT_DONE;
    if (!strcmp(last, "stdout") || ends_in_any(last, "txt json hocr tsv html md csv"))
        return fail_usage("there is no '%s' to read; -o names what is written", last);
    if (a->n_operands == 2 && !a->given[OPTION_OUTPUT] && ends_in_any(last, "pdf png tif tiff"))
        message("there is no '%s' to read; if it is to be written, -o names it", last);
    return EXIT_DONE;
}

static bool find_format(const char *list, struct platen_format *ret)
{
    size_t n = strcspn(list, ",");
    for (size_t i = 0; platen_format_at(i, ret); i++)
        if (strlen(ret->name) == n && !memcmp(ret->name, list, n))
            return true;
    return false;
}

/* How long the ending is by which a name tells the format; 0 = it does not. */
static size_t ending_of(const char *path, const struct platen_format *f)
{
    static const char *const also[][2] = {
        {"tiff", "tiff"}, {"htm", "html"}, {"jsonl", "ndjson"}, {"markdown", "md"}};
    for (size_t i = 0; i < sizeof(also) / sizeof(*also); i++)
        if (!strcmp(f->name, also[i][1]) && ends_in(path, also[i][0]))
            return strlen(also[i][0]);
    return ends_in(path, f->extension) ? strlen(f->extension) : 0;
}

/* The format that the name tells: of several endings the longest, as layout.txt. */
static bool format_of_name(const char *path, struct platen_format *ret)
{
    struct platen_format f = {.size = sizeof(f)};
    size_t longest = 0;
    for (size_t i = 0; platen_format_at(i, &f); i++)
        if (ending_of(path, &f) > longest) {
            longest = ending_of(path, &f);
            *ret = f;
        }
    return longest;
}

/* What follows the first name of a list of formats; NULL = nothing does. */
static const char *behind_comma(const char *list)
{
    const char *comma = strchr(list, ',');
    return comma ? comma + 1 : NULL;
}

/* What the file of defaults asks for counts where the pipeline has its stages. */
static bool fits(const char *formats, const struct platen_pipeline *p)
{
    struct platen_format f = {.size = sizeof(f)};
    for (const char *list = formats; list; list = behind_comma(list))
        if (find_format(list, &f) && f.stages > platen_pipeline_stages(p))
            return false;
    return true;
}

static int choose_formats(const struct arguments *a, const struct run_places *at,
                          const struct platen_pipeline *p, const char **ret)
{
    struct platen_format f = {.size = sizeof(f)};
    const char *given = a->value[OPTION_FORMAT], *path = a->value[OPTION_OUTPUT];
    *ret = given && fits(given, p) ? given : platen_pipeline_format(p);
    if (given && !a->configured[OPTION_FORMAT]) {
        *ret = given;
    } else if (path && !S_ISDIR(at->output)) {
        const char *instead = instead_of_file(path);
        if (format_of_name(path, &f))
            *ret = f.name;
        else if (instead)
            return fail_usage("'%s' is of a kind that platen does not write: %s", path, instead);
    }
    return EXIT_DONE;
}

/* Whether one of the formats is one of `wanted`: lists parted by commas. */
static bool has_format(const char *formats, const char *wanted)
{
    for (const char *f = formats; f; f = behind_comma(f))
        for (const char *w = wanted; w; w = behind_comma(w))
            if (strcspn(f, ",") == strcspn(w, ",") && !strncmp(f, w, strcspn(w, ",")))
                return true;
    return false;
}

/* What an option asks for is in no output: it was meant for other formats, or beside another
 * option. What the file of defaults asks for counts where it can. */
static int look_for_idle_options(const struct arguments *a, const char *formats)
{
    static const struct {
        enum option_id id;
        const char *formats;    /* one of which it is about; or NULL */
        enum option_id another; /* else beside which it counts */
    } bound[] = {
        {OPTION_CLEAN_PDF, "pdf", 0},
        {OPTION_PDFA, "pdf", 0},
        {OPTION_PAGE_SIZE, "pdf", 0},
        {OPTION_MARGINS, "pdf", 0},
        {OPTION_ALIGN, NULL, OPTION_PAGE_SIZE},
        {OPTION_TIMES, "json,ndjson", 0},
        {OPTION_SLIM, "json,ndjson", 0},
        {OPTION_JOIN_LINES, "txt,md,html", 0},
        {OPTION_RETRY_FATAL, NULL, OPTION_RESUME},
        {OPTION_FRAME_CHANGE, NULL, OPTION_FRAMES},
    };
    for (size_t i = 0; i < sizeof(bound) / sizeof(*bound); i++) {
        const char *name = option_table[bound[i].id].name;
        if (!a->given[bound[i].id] || a->configured[bound[i].id])
            continue;
        if (bound[i].formats && !has_format(formats, bound[i].formats))
            return fail_usage("--%s is about format %s, and what is written is %s", name,
                              bound[i].formats, formats);
        if (!bound[i].formats && !a->given[bound[i].another])
            return fail_usage("--%s is about --%s, which is not given", name,
                              option_table[bound[i].another].name);
    }
    return EXIT_DONE;
}

/* PATH is a directory when it is one, ends in a slash, or several files must go there and it does
 * not look like a file of the format. */
static bool wants_directory(const struct arguments *a, const struct run_places *at,
                            const char *path, const char *formats)
{
    struct platen_format f = {.size = sizeof(f)};
    size_t n = strlen(path);
    const bool stream = at->output && !S_ISREG(at->output); /* a pipe or a device */
    if (strchr(formats, ',') || S_ISDIR(at->output) || (n && path[n - 1] == '/'))
        return true;
    if (stream || (find_format(formats, &f) && ending_of(path, &f)))
        return false;
    return a->given[OPTION_FILES_FROM] || a->n_operands != 1 || S_ISDIR(at->input);
}

/* Returns the name of a document without the ending of a format in which it is written, which it
 * gets in any case. */
static const char *without_ending(const char *name, const char *formats)
{
    static char stem[NAME_MAX + 1];
    struct platen_format f = {.size = sizeof(f)};
    for (const char *list = formats; list; list = behind_comma(list)) {
        const size_t n = find_format(list, &f) ? ending_of(name, &f) : 0;
        if (n && strlen(name) - n <= sizeof(stem)) {
            snprintf(stem, sizeof(stem), "%.*s", (int)(strlen(name) - n - 1), name);
            return stem;
        }
    }
    return name;
}

/* A stream is one document of all inputs as it is. */
static int choose_document(const struct arguments *a, struct platen_options *o)
{
    const char *name = a->value[OPTION_JOIN];
    if (name && !o->output_dir)
        return fail_usage("--join=%s names a document in an output directory", name);
    if (a->given[OPTION_JOIN] && o->output_dir)
        o->join = name ? without_ending(name, o->formats) : "all";
    return EXIT_DONE;
}

/* Whether the name ends like a file of the format, be it by the last part of its extension alone,
 * as .png of .overlay.png. */
static bool is_named_like(const char *path, const struct platen_format *f)
{
    const char *dot = strrchr(f->extension, '.');
    return ending_of(path, f) || (dot && ends_in(path, dot + 1));
}

/* A name that tells a format is none of a directory, and what a document or a picture is called is
 * none of a text. */
static int check_name(const struct run_places *at, const char *path, const char *formats)
{
    struct platen_format named = {.size = sizeof(named)}, asked = {.size = sizeof(asked)};
    if (S_ISDIR(at->output) || !format_of_name(path, &named))
        return EXIT_DONE;
    if (strchr(formats, ','))
        return fail_usage("several formats need a directory, and '%s' is named like a file of one",
                          path);
    if (find_format(formats, &asked) && strcmp(asked.name, named.name) != 0 &&
        (asked.binary || named.binary) && !is_named_like(path, &asked))
        return fail_usage("'%s' is named like %s, and format %s is asked for", path, named.name,
                          asked.name);
    return EXIT_DONE;
}

static int choose_output(const struct arguments *a, const struct run_places *at,
                         struct platen_options *o)
{
    const char *path = a->given[OPTION_OUTPUT] ? a->value[OPTION_OUTPUT] : "-";
    struct platen_format f = {.size = sizeof(f)};
    if (!*path)
        return fail_usage("--output needs a name");
    if (check_name(at, path, o->formats))
        return EXIT_USAGE;
    if (!strcmp(path, "-")) {
        if (find_format(o->formats, &f) && f.binary && isatty(STDOUT_FILENO))
            return fail_usage("format '%s' is not for a terminal; name a file with -o", f.name);
    } else if (wants_directory(a, at, path, o->formats)) {
        o->output_dir = path;
    } else {
        o->output_file = path;
    }
    return choose_document(a, o);
}

/* Whether one of the formats is read again where it lies in a directory of inputs. */
static bool makes_inputs(const char *formats)
{
    struct platen_format f = {.size = sizeof(f)};
    for (const char *list = formats; list; list = behind_comma(list))
        if (find_format(list, &f) && f.binary)
            return true;
    return false;
}

/* PDFs and pictures that are written where the inputs lie are inputs of the next run. */
static void tell_of_mixing(const struct arguments *a, const struct platen_options *o)
{
    struct stat output, input;
    if (!o->output_dir || a->given[OPTION_QUIET] || !makes_inputs(o->formats) ||
        stat(o->output_dir, &output))
        return;
    for (int i = 0; i < a->n_operands; i++)
        if (!stat(a->operands[i], &input) && input.st_dev == output.st_dev &&
            input.st_ino == output.st_ino)
            message("'%s' is read and written: the next run there reads what this one writes",
                    a->operands[i]);
}

int choose_outputs(const struct arguments *a, const struct platen_pipeline *p,
                   struct platen_options *o)
{
    struct run_places at;
    int status = look_at_places(a, &at);
    if (!status)
        status = choose_formats(a, &at, p, &o->formats);
    if (!status)
        status = look_at_last_operand(a);
    if (!status && !o->manifest)
        status = look_for_idle_options(a, o->formats);
    if (!status)
        status = choose_output(a, &at, o);
    if (!status)
        tell_of_mixing(a, o);
    return status;
}
