/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* The error of a function that takes files, and what to do where it got the name of a model. */
static void tell_failure(const char *model, const struct platen_error *err)
{
    struct platen_error ignored;
    char *text = NULL;
    message("%s", err->text);
    if (!access(model, F_OK) || strchr(model, '/') ||
        platen_model_describe(model, getenv("PLATEN_MODELS"), &text, &ignored))
        return;
    platen_free(text);
    message("'%s' is the name of a model, but its file is needed, which detect-features tells",
            model);
}

static int verify(const struct arguments *a, const char *path)
{
    struct platen_error err;
    (void)a;
    if (platen_model_verify(path, &err)) {
        tell_failure(path, &err);
        return EXIT_SOME_FAILED;
    }
    printf("%s: ok\n", path);
    return EXIT_DONE;
}

static void print_test(void *ctx, const char *test, enum platen_verdict v, const char *why)
{
    static const char *const names[] = {"passed", "failed", "unsupported"};
    ((size_t *)ctx)[v]++;
    printf("%s %s%s%s\n", names[v], test, v == PLATEN_PASSED ? "" : ": ",
           v == PLATEN_PASSED ? "" : why);
}

static struct platen_network_options network_options(const struct arguments *a)
{
    return (struct platen_network_options){.size = sizeof(struct platen_network_options),
                                           .passes = a->value[OPTION_PASSES],
                                           .isa = wanted_isa(a)};
}

static int onnx_tests(const struct arguments *a)
{
    size_t count[3] = {0};
    const struct platen_network_options o = network_options(a);
    int status = EXIT_DONE;
    for (int i = 1; i < a->n_operands; i++) {
        struct platen_error err;
        if (platen_model_onnx_test(a->operands[i], &o, print_test, count, &err)) {
            message("%s", err.text);
            status = EXIT_SOME_FAILED;
        }
    }
    printf("%zu passed, %zu failed, %zu unsupported\n", count[PLATEN_PASSED], count[PLATEN_FAILED],
           count[PLATEN_UNSUPPORTED]);
    return count[PLATEN_FAILED] ? EXIT_SOME_FAILED : status;
}

static int info(const struct arguments *a, const char *model)
{
    const struct platen_network_options o = network_options(a);
    struct platen_error err;
    char *text = NULL;
    platen_status s = a->given[OPTION_PLAN]
                          ? platen_model_plan(model, &o, a->value[OPTION_PLAN], &text, &err)
                          : platen_model_describe(model, getenv("PLATEN_MODELS"), &text, &err);
    if (s && a->given[OPTION_PLAN]) {
        tell_failure(model, &err);
        return EXIT_SOME_FAILED;
    }
    return print_described(s, text, &err) ? EXIT_SOME_FAILED : EXIT_DONE;
}

/* A number in [lo, hi] at an option; `otherwise` where it is not given. */
static bool read_number(const struct arguments *a, int id, double lo, double hi, double otherwise,
                        double *ret)
{
    char *end;
    *ret = otherwise;
    if (!a->given[id])
        return true;
    *ret = strtod(a->value[id], &end);
    return *a->value[id] && !*end && *ret >= lo && *ret <= hi;
}

/* The arrays of an option: its own value, and the operands from `first` on, which it moves. */
static const char *const *arrays_of(const struct arguments *a, int id, int first, size_t *ret_n)
{
    char **list = a->operands + first - 1;
    list[0] = (char *)a->value[id];
    *ret_n = (size_t)(a->n_operands - first + 1);
    return (const char *const *)list;
}

/* What --quantize and its companions say, and EXIT_DONE. */
static int read_quantize(const struct arguments *a, struct platen_quantize_options *q)
{
    static const char *const kinds[] = {"auto", "none", "int8", "fp16"};
    const char *kind = a->given[OPTION_QUANTIZE] ? a->value[OPTION_QUANTIZE] : "auto";
    int k = 0;
    while (k < 4 && strcmp(kind, kinds[k]))
        k++;
    if (k == 4)
        return fail_usage("--quantize knows auto, none, int8 and fp16, not '%s'", kind);
    *q = (struct platen_quantize_options){.size = sizeof(*q),
                                          .kind = (enum platen_quantize)k,
                                          .per_tensor = a->given[OPTION_PER_TENSOR],
                                          .narrow = a->given[OPTION_NARROW],
                                          .keep_float = a->value[OPTION_KEEP_FLOAT]};
    if (!read_number(a, OPTION_PERCENTILE, 50, 100, 0, &q->percentile))
        return fail_usage("--percentile is from 50 to 100");
    if (!read_number(a, OPTION_MIN_SQNR, 0.1, 1000, 0, &q->min_sqnr_db))
        return fail_usage("--min-sqnr is a number of dB");
    if (q->kind == PLATEN_QUANTIZE_NONE && a->given[OPTION_CALIBRATE])
        return fail_usage("--calibrate goes with --quantize int8 and fp16");
    return EXIT_DONE;
}

/* Whether the network is to read lines. */
static bool is_reader(const struct arguments *a)
{
    return a->given[OPTION_KEYS] || (a->given[OPTION_AS] && !strcmp(a->value[OPTION_AS], "reader"));
}

/* What --keys and its companions say, and EXIT_DONE. */
static int read_reader(const struct arguments *a, struct platen_reader_options *r, double *min_conf)
{
    char *end = NULL;
    *r = (struct platen_reader_options){.size = sizeof(*r),
                                        .keys = a->value[OPTION_KEYS],
                                        .blank_last = a->given[OPTION_BLANK_LAST]};
    if (!is_reader(a) &&
        (a->given[OPTION_LEVELS] || a->given[OPTION_BLANK_LAST] || a->given[OPTION_MIN_CONF]))
        return fail_usage("--levels, --blank-last and --min-conf go with --keys and --as reader");
    if (!read_number(a, OPTION_MIN_CONF, 0, 1, 0, min_conf))
        return fail_usage("--min-conf is from 0 to 1");
    r->min_conf = a->given[OPTION_MIN_CONF] ? min_conf : NULL;
    if (!a->given[OPTION_LEVELS])
        return EXIT_DONE;
    r->mean = strtod(a->value[OPTION_LEVELS], &end);
    r->std = *end == '/' ? strtod(end + 1, &end) : 0;
    return *end || r->std <= 0 ? fail_usage("--levels is a mean and a deviation, as 0.5/0.5")
                               : EXIT_DONE;
}

/* What --as says, and EXIT_DONE. */
static int read_detector(const struct arguments *a, struct platen_detector_options *d)
{
    static const char name[] = "detector";
    const size_t n = sizeof(name) - 1;
    const bool given = a->given[OPTION_AS] && strcmp(a->value[OPTION_AS], "reader");
    const char *as = given ? a->value[OPTION_AS] : name;
    if (strncmp(as, name, n) || (as[n] && as[n] != ':'))
        return fail_usage("--as knows reader, detector, and detector:PARAMETER=VALUE..., not '%s'",
                          as);
    if (given && a->given[OPTION_KEYS])
        return fail_usage("--keys and --as detector do not go together");
    *d = (struct platen_detector_options){.size = sizeof(*d),
                                          .parameters = as[n] ? as + n + 1 : NULL};
    return EXIT_DONE;
}

static int import(const struct arguments *a)
{
    const struct platen_network_options o = network_options(a);
    const char *onnx = a->operands[1];
    struct platen_quantize_options q;
    struct platen_reader_options r;
    struct platen_detector_options d;
    struct platen_error err;
    char *log = NULL, *result = NULL;
    double min_conf;
    int status = read_quantize(a, &q);
    status = status ? status : read_reader(a, &r, &min_conf);
    status = status ? status : read_detector(a, &d);
    if (status)
        return status;
    if (a->n_operands != 2 && !a->given[OPTION_CALIBRATE])
        return fail_usage("model import needs one ONNX file");
    if (a->given[OPTION_CALIBRATE])
        q.calibrate = arrays_of(a, OPTION_CALIBRATE, 2, &q.n_calibrate);
    platen_status s =
        platen_model_import(onnx, a->value[OPTION_OUTPUT], &o, &q, is_reader(a) ? &r : NULL,
                            a->given[OPTION_AS] && !is_reader(a) ? &d : NULL,
                            a->given[OPTION_VERBOSE] ? &log : NULL, &result, &err);
    if (log)
        fputs(log, stderr);
    if (s)
        message("%s", err.text);
    else
        printf("%s: %s", a->value[OPTION_OUTPUT], result);
    platen_free(log);
    platen_free(result);
    return s ? EXIT_SOME_FAILED : EXIT_DONE;
}

static int compare_networks(const struct arguments *a)
{
    const struct platen_network_options o = network_options(a);
    const char *model = a->operands[1];
    struct platen_error err;
    bool far = false;
    char *text = NULL;
    double bound;
    size_t n;
    if (!a->given[OPTION_INPUTS] || !a->given[OPTION_AGAINST])
        return fail_usage("--against goes with --inputs");
    if (!read_number(a, OPTION_MIN_SQNR, 0.1, 1000, 0, &bound))
        return fail_usage("--min-sqnr is a number of dB");
    const char *const *in = arrays_of(a, OPTION_INPUTS, 2, &n);
    platen_status s =
        platen_model_compare(model, a->value[OPTION_AGAINST], &o, in, n, bound, &text, &far, &err);
    return print_described(s, text, &err) || far ? EXIT_SOME_FAILED : EXIT_DONE;
}

static int model_run(const struct arguments *a)
{
    const struct platen_network_options o = network_options(a);
    struct platen_error err;
    platen_status s = platen_model_run(a->operands[1], &o, (const char *const *)a->operands + 2,
                                       (size_t)a->n_operands - 2, a->value[OPTION_OUTPUT], &err);
    if (s)
        tell_failure(a->operands[1], &err);
    return s ? EXIT_SOME_FAILED : EXIT_DONE;
}

static int each_model(const struct arguments *a,
                      int (*each)(const struct arguments *, const char *))
{
    int status = EXIT_DONE;
    for (int i = 1; i < a->n_operands; i++) {
        int s = each(a, a->operands[i]);
        status = s ? s : status;
    }
    return status;
}

/* The name of an option that was given and belongs to other commands of `model`, or NULL. */
static const char *misplaced(const struct arguments *a, const char *what)
{
    static const struct {
        enum option_id id;
        const char *commands;
    } homes[] = {
        {OPTION_ONNX_TEST, "verify"},  {OPTION_OUTPUT, "import run"},
        {OPTION_PLAN, "info"},         {OPTION_QUANTIZE, "import"},
        {OPTION_CALIBRATE, "import"},  {OPTION_PER_TENSOR, "import"},
        {OPTION_PERCENTILE, "import"}, {OPTION_KEEP_FLOAT, "import"},
        {OPTION_KEYS, "import"},       {OPTION_LEVELS, "import"},
        {OPTION_BLANK_LAST, "import"}, {OPTION_AGAINST, "verify"},
        {OPTION_INPUTS, "verify"},     {OPTION_MIN_SQNR, "verify import"},
        {OPTION_NARROW, "import"},     {OPTION_MIN_CONF, "import"},
        {OPTION_AS, "import"},
    };
    for (size_t i = 0; i < sizeof(homes) / sizeof(*homes); i++)
        if (a->given[homes[i].id] && !strstr(homes[i].commands, what))
            return option_table[homes[i].id].name;
    const bool graph = strcmp(what, "info") || a->given[OPTION_PLAN];
    return a->given[OPTION_PASSES] && !graph ? "passes" : NULL;
}

int cmd_model(const struct arguments *a)
{
    static const char *const names[] = {"info", "verify", "import", "run"};
    const char *what = a->n_operands ? a->operands[0] : "";
    size_t k = 0;
    while (k < 4 && strcmp(what, names[k]))
        k++;
    if (k == 4)
        return fail_usage("model needs 'info', 'verify', 'import' or 'run', and the model");
    if (a->n_operands < 2)
        return fail_usage("model %s needs a model", what);
    const char *wrong = misplaced(a, what);
    if (wrong)
        return fail_usage("--%s does not go with model %s", wrong, what);
    if (k >= 2 && !a->given[OPTION_OUTPUT])
        return fail_usage("model %s needs -o", what);
    if (k >= 2)
        return k == 2 ? import(a) : model_run(a);
    if (a->given[OPTION_ONNX_TEST])
        return onnx_tests(a);
    if (a->given[OPTION_AGAINST] || a->given[OPTION_INPUTS])
        return compare_networks(a);
    return each_model(a, k ? verify : info);
}
