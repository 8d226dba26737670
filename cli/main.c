/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static int cmd_help(const struct arguments *a);

/* It ends with a NULL name; the first is the default. */
static const struct command commands[] = {
    {"run", "platen [run] [OPTION...] INPUT...",
     "read pages: files, directories, or - for one picture on stdin (the default command)", IN_RUN,
     cmd_run},
    {"ops", "platen ops [--json] [OPERATION]",
     "list operations, their parameters and defaults, and presets", IN_OPS, cmd_ops},
    {"detect-features", "platen detect-features [--json] [--isa NAME]",
     "show processor, kernels, cores, models and libraries", IN_FEATURES, cmd_features},
    {"bench", "platen bench kernels [--json] [KERNEL...]",
     "time kernels on one thread, beside their scalar bodies", IN_BENCH, cmd_bench},
    {"model",
     "platen model info|verify MODEL..., model verify --onnx-test DIR..., "
     "model verify M --against M.onnx --inputs NPY..., model import M.onnx -o M.platen, model run "
     "MODEL IN.npy... -o OUT.npy",
     "describe, check, import or run models; run ONNX backend tests", IN_MODEL, cmd_model},
    {"merge", "platen merge [--manifest FILE] [-o FILE] FILE.ndjson... | DIRECTORY",
     "join the ndjson files, or the journals, of shards; tell what failed or is missing", IN_MERGE,
     cmd_merge},
    {"serve", "platen serve [--listen ADDRESS:PORT | --socket PATH] [OPTION...]",
     "answer pictures that come over HTTP, on loopback or a Unix socket", IN_SERVE, cmd_serve},
    {"help", "platen help [COMMAND]", "print help", IN_HELP, cmd_help},
    {NULL, NULL, NULL, 0, NULL},
};

static const struct command *find_command(const char *name)
{
    for (const struct command *c = commands; c->name; c++)
        if (!strcmp(c->name, name))
            return c;
    return NULL;
}

static int cmd_help(const struct arguments *a)
{
    const struct command *c = a->n_operands ? find_command(a->operands[0]) : &commands[0];
    if (!c)
        return fail_usage("unknown command '%s'", a->operands[0]);
    help_command(c, commands);
    return EXIT_DONE;
}

/* Data that did not reach stdout must not look like success; a reader that left is no failure. */
static int close_stdout(int status)
{
    bool failed = ferror(stdout);
    if (fclose(stdout))
        failed = true;
    if (!failed || errno == EPIPE)
        return status;
    message("unable to write standard output: %s", strerror(errno));
    return status == EXIT_DONE ? EXIT_SOME_FAILED : status;
}

int main(int argc, char **argv)
{
    struct arguments a;
    hold_standard_descriptors();
    keep_pictures_out_of_heaps();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit is an error of write() */
    const struct command *c = argc > 1 ? find_command(argv[1]) : NULL;
    int skip = c ? 2 : 1;
    if (!c)
        c = &commands[0];
    if (!arguments_parse(&a, c->id, argc > skip ? argc - skip : 0, argv + skip)) {
        message("see 'platen help%s%s'", c == commands ? "" : " ", c == commands ? "" : c->name);
        return EXIT_USAGE;
    }
    int status = EXIT_DONE;
    if (a.given[OPTION_HELP])
        help_command(c, commands);
    else if (a.given[OPTION_VERSION])
        printf("platen %s\n", platen_version());
    else
        status = c->run(&a);
    return close_stdout(status);
}
