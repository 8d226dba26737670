/* SPDX-License-Identifier: BSD-2-Clause */
/* Command lines: what is refused is refused with a message, and options and operands are words of
 * the line. The first byte chooses the command; NUL parts the words. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/counted_messages.h"

#define MAX_WORDS 32

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

int fail_usage(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    count_message(fmt, ap);
    va_end(ap);
    return EXIT_USAGE;
}

static bool is_of(const char *value, char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (value >= words[i] && value <= words[i] + strlen(words[i]))
            return true;
    return false;
}

static void check_values(const struct arguments *a, char *const *words, int count)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (a->value[i] && (!a->given[i] || !is_of(a->value[i], words, count)))
            abort();
    for (int i = 0; i < a->n_operands; i++)
        if (!is_of(a->operands[i], words, count))
            abort();
}

/* What stands behind the options is refused with a message, too, and else in its range. */
static void read_values(const struct arguments *a)
{
    struct platen_options o = {.size = sizeof(o)};
    struct platen_pipeline *p = NULL;
    messages = 0;
    int status = read_job_options(a, &o);
    if (!status != !messages || o.threads < 0 || o.threads > 1024 || o.batch_max < 0 ||
        o.batch_max > 64)
        abort();
    if (a->given[OPTION_PIPELINE] || a->given[OPTION_PIPELINE_FILE])
        return;
    messages = 0;
    status = get_pipeline(a, &p);
    if (!status != !messages)
        abort();
    platen_pipeline_free(p);
}

static void try_line(unsigned command, char *line, size_t n)
{
    struct arguments a;
    char *words[MAX_WORDS], *in_order[MAX_WORDS];
    int count = 0;
    for (size_t at = 0; at < n && count < MAX_WORDS; at += strlen(line + at) + 1)
        words[count++] = line + at;
    memcpy(in_order, words, sizeof(words));
    messages = 0;
    bool ok = arguments_parse(&a, command, count, words);
    if (ok == (messages > 0) || a.n_operands > count)
        abort();
    if (!ok)
        return;
    check_values(&a, in_order, count);
    read_values(&a);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    char *line = n ? malloc(n) : NULL; /* the command's byte less, and a last NUL */
    if (!line)
        return 0;
    memcpy(line, data + 1, n - 1);
    line[n - 1] = '\0';
    try_line(1u << data[0] % 8, line, n);
    free(line);
    return 0;
}
