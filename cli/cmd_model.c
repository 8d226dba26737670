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
    int status = EXIT_DONE;
    for (int i = 1; i < a->n_operands; i++) {
        int s = each(a->operands[i]);
        status = s ? s : status;
    }
    return status;
}
