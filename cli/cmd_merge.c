/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/cli.h"

static platen_status write_stdout(void *ctx, const void *data, size_t n, struct platen_error *err)
{
    (void)ctx;
    if (fwrite(data, 1, n, stdout) == n)
        return PLATEN_OK;
    err->code = PLATEN_ERR_IO;
    snprintf(err->text, sizeof(err->text), "unable to write standard output");
    return PLATEN_ERR_IO;
}

static void on_problem(void *ctx, const char *text)
{
    (void)ctx;
    message("%s", text);
}

int cmd_merge(const struct arguments *a)
{
    struct platen_merge_summary sum = {.size = sizeof(sum)};
    struct platen_error err;
    const char *output = a->given[OPTION_OUTPUT] ? a->value[OPTION_OUTPUT] : "-";
    struct platen_merge_options o = {.size = sizeof(o), .write = write_stdout};
    o.manifest = a->value[OPTION_MANIFEST];
    o.output = output[0] == '-' && !output[1] ? NULL : output;
    o.problem = on_problem;
    if (!a->n_operands)
        return fail_usage("merge what? See 'platen help merge'");
    platen_status s =
        platen_merge((const char *const *)a->operands, (size_t)a->n_operands, &o, &sum, &err);
    if (s) {
        message("%s", err.text);
        return s == PLATEN_ERR_IO ? EXIT_SOME_FAILED : EXIT_USAGE;
    }
    bool whole = !sum.failed && !sum.missing && !sum.begun && !sum.malformed;
    if (!whole || !a->given[OPTION_QUIET])
        message("%zu pages: %zu done, %zu failed, %zu missing; %zu repeated, %zu lines malformed",
                sum.done + sum.failed + sum.missing + sum.begun, sum.done, sum.failed,
                sum.missing + sum.begun, sum.repeated, sum.malformed);
    return whole ? EXIT_DONE : EXIT_SOME_FAILED;
}
