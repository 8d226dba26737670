/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

struct bench_table {
    bool json, any;
};

/* A row at a time: the whole takes a while. */
static void print_row(void *ctx, const struct platen_bench_row *row)
{
    struct bench_table *t = ctx;
    if (!t->any && !t->json)
        printf("%-14s %-6s %-11s %12s %8s\n", "kernel", "size", "isa", "ns/element", "speedup");
    if (t->json)
        printf("%s\n  {\"kernel\": \"%s\", \"size\": \"%s\", \"isa\": \"%s\", \"ns\": %.4f, "
               "\"speedup\": %.3f}",
               t->any ? "," : "[", row->kernel, row->data, row->isa, row->ns, row->speedup);
    else
        printf("%-14s %-6s %-11s %12.4f %8.2f\n", row->kernel, row->data, row->isa, row->ns,
               row->speedup);
    t->any = true;
    fflush(stdout);
}

int cmd_bench(const struct arguments *a)
{
    struct platen_error err;
    struct bench_table t = {.json = a->given[OPTION_JSON]};
    if (!a->n_operands || strcmp(a->operands[0], "kernels"))
        return fail_usage("bench needs 'kernels'");
    if (platen_bench_kernels((const char *const *)(a->operands + 1), (size_t)a->n_operands - 1,
                             print_row, &t, &err))
        return fail_usage("%s", err.text);
    if (t.json)
        printf("\n]\n");
    return EXIT_DONE;
}
