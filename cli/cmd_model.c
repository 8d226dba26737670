#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static int verify(const struct arguments *a, const char *path)
{
    struct platen_error err;
    (void)a;
    if (platen_model_verify(path, &err)) {
        message("%s", err.text);
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
    return (struct platen_network_options){.passes = a->value[OPTION_PASSES],
                                           .isa = a->given[OPTION_ISA] ? a->value[OPTION_ISA]
                                                                       : getenv("PLATEN_ISA")};
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
    return print_described(s, text, &err) ? EXIT_SOME_FAILED : EXIT_DONE;
}

static platen_status import(const struct arguments *a, const struct platen_network_options *o,
                            struct platen_error *err)
{
    char *log = NULL;
    platen_status s = platen_model_import(a->operands[1], a->value[OPTION_OUTPUT], o,
                                          a->given[OPTION_VERBOSE] ? &log : NULL, err);
    if (!s && log)
        fputs(log, stderr);
    platen_free(log);
    return s;
}

/* import and run: one result, at -o. */
static int convert(const struct arguments *a, bool importing)
{
    const char *out = a->value[OPTION_OUTPUT];
    const struct platen_network_options o = network_options(a);
    struct platen_error err;
    if (!out)
        return fail_usage("model %s needs -o", a->operands[0]);
    if (importing && a->n_operands != 2)
        return fail_usage("model import needs one ONNX file");
    platen_status s =
        importing ? import(a, &o, &err)
                  : platen_model_run(a->operands[1], &o, (const char *const *)a->operands + 2,
                                     (size_t)a->n_operands - 2, out, &err);
    if (!s)
        return EXIT_DONE;
    message("%s", err.text);
    return EXIT_SOME_FAILED;
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
    if (a->given[OPTION_ONNX_TEST] && k != 1)
        return fail_usage("--onnx-test belongs to model verify");
    if (a->given[OPTION_OUTPUT] && k < 2)
        return fail_usage("model %s has no output", what);
    if (a->given[OPTION_PLAN] && k)
        return fail_usage("--plan belongs to model info");
    if (a->given[OPTION_PASSES] && k < 2 && !a->given[OPTION_PLAN] && !a->given[OPTION_ONNX_TEST])
        return fail_usage("--passes belongs to models that are imported or run");
    if (k >= 2)
        return convert(a, k == 2);
    if (a->given[OPTION_ONNX_TEST])
        return onnx_tests(a);
    return each_model(a, k ? verify : info);
}
