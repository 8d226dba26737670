#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static int verify(const char *path)
{
    struct platen_error err;
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

static int onnx_tests(char **dirs, int n)
{
    size_t count[3] = {0};
    int status = EXIT_DONE;
    for (int i = 0; i < n; i++) {
        struct platen_error err;
        if (platen_model_onnx_test(dirs[i], print_test, count, &err)) {
            message("%s", err.text);
            status = EXIT_SOME_FAILED;
        }
    }
    printf("%zu passed, %zu failed, %zu unsupported\n", count[PLATEN_PASSED], count[PLATEN_FAILED],
           count[PLATEN_UNSUPPORTED]);
    return count[PLATEN_FAILED] ? EXIT_SOME_FAILED : status;
}

static int info(const char *model)
{
    struct platen_error err;
    char *text = NULL;
    platen_status s = platen_model_describe(model, getenv("PLATEN_MODELS"), &text, &err);
    return print_described(s, text, &err) ? EXIT_SOME_FAILED : EXIT_DONE;
}

int cmd_model(const struct arguments *a)
{
    const char *what = a->n_operands ? a->operands[0] : "";
    int (*each)(const char *) = !strcmp(what, "info")     ? info
                                : !strcmp(what, "verify") ? verify
                                                          : NULL;
    if (!each)
        return fail_usage("model needs 'info' or 'verify', and the model");
    if (a->n_operands < 2)
        return fail_usage("model %s needs a model", what);
    if (a->given[OPTION_ONNX_TEST] && each != verify)
        return fail_usage("--onnx-test belongs to model verify");
    if (a->given[OPTION_ONNX_TEST])
        return onnx_tests(a->operands + 1, a->n_operands - 1);
    int status = EXIT_DONE;
    for (int i = 1; i < a->n_operands; i++) {
        int s = each(a->operands[i]);
        status = s ? s : status;
    }
    return status;
}
