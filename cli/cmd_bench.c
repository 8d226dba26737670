/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"

struct bench_table {
    bool json, any;
};

static void print_json_row(const struct platen_bench_row *row, bool first)
{
    printf("%s\n  {\"subject\": \"%s\", \"data\": ", first ? "[" : ",", row->subject);
    print_json_string(stdout, row->data);
    printf(", \"way\": \"%s\", \"unit\": \"%s\", \"time\": %.4f, \"speedup\": %.3f", row->way,
           row->unit, row->time, row->speedup);
    if (row->by_hand > 0)
        printf(", \"by_hand\": %.3f", row->by_hand);
    printf("}");
}

static void print_text_row(const struct platen_bench_row *row, bool first)
{
    if (first)
        printf("%-14s %-8s %-14s %12s %-10s %8s %8s\n", "subject", "data", "way", "time", "unit",
               "speedup", "by hand");
    printf("%-14s %-8s %-14s %12.4f %-10s %8.2f", row->subject, row->data, row->way, row->time,
           row->unit, row->speedup);
    if (row->by_hand > 0)
        printf(" %8.2f", row->by_hand);
    printf("\n");
}

/* A row at a time: the whole takes a while. */
static void print_row(void *ctx, const struct platen_bench_row *row)
{
    struct bench_table *t = ctx;
    if (t->json)
        print_json_row(row, !t->any);
    else
        print_text_row(row, !t->any);
    t->any = true;
    fflush(stdout);
}

int cmd_bench(const struct arguments *a)
{
    struct platen_error err;
    struct bench_table t = {.json = a->given[OPTION_JSON]};
    if (!a->n_operands)
        return fail_usage("bench needs a subject, as 'kernels'");
    platen_status s =
        platen_bench(a->operands[0], (const char *const *)(a->operands + 1),
                     (size_t)a->n_operands - 1, getenv("PLATEN_MODELS"), print_row, &t, &err);
    if (s == PLATEN_ERR_ARG)
        return fail_usage("%s", err.text);
    if (s) {
        message("%s", err.text);
        return EXIT_SOME_FAILED;
    }
    if (t.json)
        printf("\n]\n");
    return EXIT_DONE;
}
