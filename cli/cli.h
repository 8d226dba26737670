/* SPDX-License-Identifier: BSD-2-Clause */
/* What the commands share. */
#ifndef PL_CLI_CLI_H
#define PL_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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
#define PL_GROUP(...)
#define PL_OPTION(id, ...) OPTION_##id,
#include "cli/options.def"
#undef PL_GROUP
#undef PL_OPTION
    OPTION_COUNT
};

/* Groups of options in the help. */
enum option_group {
#define PL_GROUP(id, title) GROUP_##id,
#define PL_OPTION(...)
#include "cli/options.def"
#undef PL_GROUP
#undef PL_OPTION
    GROUP_COUNT
};

/* The C type of the member of struct platen_options that gets what an option says: true where it is
 * given, its value, or that as a number. TARGET_NONE = no member does by itself. */
enum option_target {
    TARGET_NONE,
    TARGET_FLAG,
    TARGET_TEXT,
    TARGET_INT,
    TARGET_UINT64,
    TARGET_DOUBLE
};

struct option_info {
    const char *name;
    char letter; /* 0 = none */
    const char *metavar;
    unsigned commands;
    enum option_group group;
    const char *help;
    bool one_run;                   /* not for the file of defaults */
    char joint;                     /* parts the values of a list; 0 = it is none */
    unsigned long long least, most; /* of a number; most = 0: it is none */
    enum option_target target;
    size_t offset; /* of that member */
};

extern const struct option_info option_table[OPTION_COUNT];

/* Number of the option of that name among those of the commands, or -1. */
int find_option(unsigned commands, const char *name, size_t n);
/* Name of the option that is most like name[0..n), or NULL. */
const char *nearest_option(unsigned commands, const char *name, size_t n);
static inline bool has_optional_value(const struct option_info *o)
{
    return o->metavar && o->metavar[0] == '[';
}

/* A parsed command line, and what the file of defaults adds to it; strings are borrowed. */
struct arguments {
    bool given[OPTION_COUNT];
    bool configured[OPTION_COUNT];   /* given by the file of defaults alone */
    const char *value[OPTION_COUNT]; /* NULL when not given or without a value */
    char **operands;
    int n_operands;
};

/* Sorts argv[0..argc) into options of `command` and operands, which it moves to the front. False
 * after a message. */
bool arguments_parse(struct arguments *a, unsigned command, int argc, char **argv);

/* ---- config.c: the file of defaults, which every user may have ---- */

/* Adds what the file has for options that the command line does not give, unless that says
 * --no-config. False after a message. */
bool config_apply(struct arguments *a, unsigned command);
/* The same for the text of the file, in which it puts zero bytes. Each line has an option, with its
 * value behind '='; one that begins with # is a comment. */
bool config_take(struct arguments *a, unsigned command, char *text);
/* Tells in a message which options came from the file; none, if none did. */
void config_tell(const struct arguments *a);

/* ---- hints.c: what a word that is not known may have meant ---- */

/* Whether the candidate is like word[0..n), and more so than what was found before; *best begins as
 * SIZE_MAX. */
bool is_nearer(const char *candidate, const char *word, size_t n, size_t *best);
/* What there is in the place of an option that other programs have, or NULL: name[0..n), or its
 * letter. */
const char *instead_of_option(const char *name, size_t n, char letter);
/* What platen writes in the place of a file with that ending, or NULL. */
const char *instead_of_file(const char *path);

struct command {
    const char *name, *synopsis, *help; /* of the synopsis a line for each form */
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
/* The same of another pipeline in text form, beside the one that the options name. */
int get_further_pipeline(const struct arguments *a, const char *text, struct platen_pipeline **ret);
/* The value of the parameter `lm` of a pipeline for one of --lm. */
const char *lm_value(const char *text);
/* The instruction set that is asked for: by the command line, else the environment, else the file
 * of defaults; or NULL. */
const char *wanted_isa(const struct arguments *a);
/* Fills the members of *o that options.def names, and those for model, kernels and programs that
 * render. Prints a message and returns an exit status. */
int read_job_options(const struct arguments *a, struct platen_options *o);
/* Before there is a job: what --isolate says, or else `usual`. End it by end_isolation(). */
int begin_isolation(const struct arguments *a, const struct platen_options *o,
                    enum platen_isolation usual);
void end_isolation(void);
/* Before the job runs, when it has its inputs: what --sandbox says. `removes` as in
 * platen_sandbox_enter(). */
int enter_sandbox(const struct arguments *a, struct platen_job *job, const char *removes);
/* Reads a number of the option's range. Leaves *ret alone where the option is not given. */
int read_option_number(const struct arguments *a, enum option_id id, unsigned long long *ret);
/* A whole decimal number in 1..max. */
bool read_count(const char *text, unsigned long long max, unsigned long long *ret);

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
/* Bytes of the mark of byte order, which some editors put in front of a text, that s begins with;
 * s ends in a zero byte. */
static inline size_t utf8_mark(const char *s)
{
    return strncmp(s, "\xef\xbb\xbf", 3) ? 0 : 3;
}
/* Writes s as a JSON string, with U+FFFD for what is no UTF-8. */
void print_json_string(FILE *f, const char *s);
/* Prints a text that the library made and frees it; or the error. */
int print_described(platen_status s, char *text, const struct platen_error *err);

/* The figures of a run on stderr. */
void print_stats(const struct platen_summary *s, bool json);

#endif
