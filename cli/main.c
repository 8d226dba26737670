/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static int cmd_help(const struct arguments *a);

/* It ends with a NULL name; the first is the default. */
static const struct command commands[] = {
    {"run", "platen [run] [OPTION...] INPUT...",
     "read pages: files, directories, or - for stdin (the default command)", IN_RUN, cmd_run},
    {"ops", "platen ops [--json] [OPERATION]",
     "list operations, their parameters and defaults, and presets", IN_OPS, cmd_ops},
    {"detect-features", "platen detect-features [--json] [--isa NAME]",
     "show processor, kernels, cores, models and libraries", IN_FEATURES, cmd_features},
    {"bench",
     "platen bench kernels [--json] [KERNEL...]\n"
     "platen bench memory [--json]\n"
     "platen bench threads|batching [--json] INPUT...\n"
     "platen bench models [--json] MODEL...\n"
     "platen bench quantizing [--json] FILE.onnx...",
     "time kernels, buffers, threads, batches, opening and quantizing of models", IN_BENCH,
     cmd_bench},
    {"model",
     "platen model info|verify MODEL...\n"
     "platen model info --plan SIZES MODEL...\n"
     "platen model verify --onnx-test DIR...\n"
     "platen model verify MODEL --against FILE --inputs NPY...\n"
     "platen model import FILE.onnx -o FILE.platen\n"
     "platen model run MODEL IN.npy... -o OUT.npy",
     "describe, check, import or run models; run ONNX backend tests", IN_MODEL, cmd_model},
    {"merge",
     "platen merge [--manifest FILE] [-o FILE] FILE.ndjson...\n"
     "platen merge [--manifest FILE] DIRECTORY",
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

/* A word in the place of a command that is no file, and like a command. */
static const char *misspelt(const char *word)
{
    const char *nearest = NULL;
    size_t best = SIZE_MAX;
    if (!strpbrk(word, "./") && *word != '-' && access(word, F_OK))
        for (const struct command *c = commands; c->name; c++)
            if (is_nearer(c->name, word, strlen(word), &best))
                nearest = c->name;
    return nearest;
}

static int fail_unknown(const char *word)
{
    const char *meant = misspelt(word);
    return meant ? fail_usage("unknown command '%s'; did you mean '%s'?", word, meant)
                 : fail_usage("unknown command '%s'", word);
}

static int cmd_help(const struct arguments *a)
{
    const struct command *c = a->n_operands ? find_command(a->operands[0]) : &commands[0];
    if (!c)
        return fail_unknown(a->operands[0]);
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

/* Runs the command of the words argv[0..argc). */
static int run_command(const struct command *c, int argc, char **argv)
{
    struct arguments a;
    if (!arguments_parse(&a, c->id, argc, argv))
        return fail_usage("see 'platen help%s%s'", c == commands ? "" : " ",
                          c == commands ? "" : c->name);
    if (a.given[OPTION_HELP]) {
        help_command(c, commands);
        return EXIT_DONE;
    }
    if (a.given[OPTION_VERSION]) {
        printf("platen %s\n", platen_version());
        return EXIT_DONE;
    }
    const char *first = a.n_operands ? a.operands[0] : "";
    if (c->id == IN_RUN && find_command(first) && access(first, F_OK))
        return fail_usage("the command '%s' stands in front of all options", first);
    if (c->id == IN_RUN && !config_apply(&a, IN_RUN)) /* serve reads it itself */
        return EXIT_USAGE;
    int status = c->run(&a);
    if (status == EXIT_USAGE)
        config_tell(&a);
    return status;
}

int main(int argc, char **argv)
{
    hold_standard_descriptors();
    keep_pictures_out_of_heaps();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit is an error of write() */
    const struct command *c = argc > 1 ? find_command(argv[1]) : NULL;
    const char *meant = argc > 1 && !c ? misspelt(argv[1]) : NULL;
    const int skip = argc > 1 ? 1 + (c != NULL) : argc;
    int status =
        meant ? fail_unknown(argv[1]) : run_command(c ? c : commands, argc - skip, argv + skip);
    return close_stdout(status);
}
