/* SPDX-License-Identifier: BSD-2-Clause */
/* What the commands share. */
#ifndef PL_CLI_CLI_H
#define PL_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "platen.h"

/* Exit statuses, as in platen.1. */
enum { EXIT_DONE = 0, EXIT_SOME_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/* The commands that an option belongs to. */
enum {
    IN_RUN = 1,
    IN_OPS = 2,
    IN_FEATURES = 4,
    IN_MODEL = 8,
    IN_BENCH = 16,
    IN_HELP = 32,
    IN_MERGE = 64,
    IN_SERVE = 128,
    IN_ALL = 255
};

enum option_id {
#define PL_OPTION(id, ...) OPTION_##id,
#include "cli/options.def"
#undef PL_OPTION
    OPTION_COUNT
};

/* The C type of the member of struct platen_options that a number goes to. */
enum option_target { TARGET_NONE, TARGET_INT, TARGET_UINT64, TARGET_DOUBLE };

struct option_info {
    const char *name;
    char letter; /* 0 = none */
    const char *metavar;
    unsigned commands;
    const char *help;
    unsigned long long least, most; /* of a number; most = 0: it is none */
    enum option_target target;
    size_t offset;
};

extern const struct option_info option_table[OPTION_COUNT];

/* A parsed command line; strings are those of argv. */
struct arguments {
    bool given[OPTION_COUNT];
    const char *value[OPTION_COUNT]; /* NULL when not given or without a value */
    char **operands;
    int n_operands;
};

/* Sorts argv[0..argc) into options of `command` and operands, which it moves to the front. False
 * after a message. */
bool arguments_parse(struct arguments *a, unsigned command, int argc, char **argv);

struct command {
    const char *name, *synopsis, *help;
    unsigned id;
    int (*run)(const struct arguments *a);
};

int cmd_run(const struct arguments *a);
int cmd_ops(const struct arguments *a);
int cmd_features(const struct arguments *a);
int cmd_bench(const struct arguments *a);
int cmd_model(const struct arguments *a);
int cmd_merge(const struct arguments *a);
int cmd_serve(const struct arguments *a);

/* Prints the help of one command. `commands` ends with a NULL name; the first is the default. */
void help_command(const struct command *c, const struct command *commands);

/* The pipeline that the options name, with its parameters; platen_pipeline_free() also after an
 * exit status that is not EXIT_DONE, before which a message was printed. */
int get_pipeline(const struct arguments *a, struct platen_pipeline **ret);
/* Model, threads, kernels and limits. */
int read_job_options(const struct arguments *a, struct platen_options *o);
/* Before there is a job: what --isolate says, or else `usual`. End it by end_isolation(). */
int begin_isolation(const struct arguments *a, const struct platen_options *o, bool usual);
void end_isolation(void);
/* Before the job runs, when it has its inputs: what --sandbox says. `removes` as in
 * platen_sandbox_enter(). */
int enter_sandbox(const struct arguments *a, struct platen_job *job, const char *removes);
/* Reads a number of the option's range. Leaves *ret alone where the option is not given. */
int read_option_number(const struct arguments *a, enum option_id id, unsigned long long *ret);
/* A whole decimal number in 1..max. */
bool read_count(const char *text, unsigned long long max, unsigned long long *ret);
/* "500M": bytes, with K, M, G or T for powers of 1024. */
bool read_bytes(const char *text, unsigned long long *ret);

/* Opens the descriptors 0, 1 and 2 that are closed, so that no other file gets their numbers: what
 * is meant for standard error would be written into it. Reading from 0 and writing to 1 and 2 fail
 * then, as on closed ones. The first thing in main(). */
void hold_standard_descriptors(void);
/* glibc raises the size from which blocks are maps of their own to the largest one that was freed:
 * pictures then come out of the heap of a thread, which they leave in pieces that fit no other
 * size. That took twice the memory on pages of mixed size. This sets the size, once for the
 * process. */
void keep_pictures_out_of_heaps(void);
/* "platen: " + the text on stderr. */
void message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* From now on a message is left out when `f`, which may wait for its reader, returns false. */
void ask_before_messages(bool (*f)(void));
/* The same, and EXIT_USAGE. */
int fail_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Bytes of the character that s begins with; 0 where they are no UTF-8. */
size_t utf8_length(const char *s);
/* Writes s as a JSON string, with U+FFFD for what is no UTF-8. */
void print_json_string(FILE *f, const char *s);
/* Prints a text that the library made and frees it; or the error. */
int print_described(platen_status s, char *text, const struct platen_error *err);

/* The figures of a run on stderr. */
void print_stats(const struct platen_summary *s, bool json);

#endif
