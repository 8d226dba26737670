/* SPDX-License-Identifier: BSD-2-Clause */
#include <stddef.h>
#include <string.h>

#include "cli/cli.h"

#define PL_RANGE(least_, most_) .least = (least_), .most = (most_)
#define PL_RANGE_OF(member, least_, most_)                                                         \
    PL_RANGE(least_, most_),                                                                       \
        .target = _Generic(((struct platen_options *)NULL)->member, int                            \
                           : TARGET_INT, uint64_t                                                  \
                           : TARGET_UINT64, double                                                 \
                           : TARGET_DOUBLE),                                                       \
        .offset = offsetof(struct platen_options, member)

const struct option_info option_table[OPTION_COUNT] = {
#define PL_OPTION(id, long_name, short_name, metavar_, commands_, help_, ...)                      \
    [OPTION_##id] = {.name = long_name,                                                            \
                     .letter = short_name,                                                         \
                     .metavar = metavar_,                                                          \
                     .commands = commands_,                                                        \
                     .help = help_,                                                                \
                     __VA_ARGS__},
#include "cli/options.def"
#undef PL_OPTION
};

/* The words being read, and the command that they are for. */
struct words {
    struct arguments *a;
    unsigned command;
    char **argv;
    int argc, at;
};

static size_t common_prefix(const char *a, const char *b, size_t n)
{
    size_t k = 0;
    while (k < n && a[k] && a[k] == b[k])
        k++;
    return k;
}

/* The known option that shares the longest beginning (at least half) with what was typed, or that
 * differs in one letter only. */
static const char *nearest(unsigned command, const char *name, size_t n)
{
    const char *best = NULL;
    size_t best_score = 0;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const char *candidate = option_table[i].name;
        if (!(option_table[i].commands & command))
            continue;
        size_t m = strlen(candidate), head = common_prefix(candidate, name, n), tail = 0;
        while (tail < m - head && tail < n - head && candidate[m - 1 - tail] == name[n - 1 - tail])
            tail++;
        size_t score = head + tail, longer = m > n ? m : n;
        if (score > best_score && 3 * score >= 2 * longer) {
            best = candidate;
            best_score = score;
        }
    }
    return best;
}

static bool fail_unknown(const struct words *w, const char *name, size_t n)
{
    const char *hint = nearest(w->command, name, n);
    message("unknown option '--%.*s'%s%s%s", (int)n, name, hint ? "; did you mean '--" : "",
            hint ? hint : "", hint ? "'?" : "");
    return false;
}

static bool has_optional_value(const struct option_info *o)
{
    return o->metavar && o->metavar[0] == '[';
}

/* `value` is what stood behind '=' or the letter, or NULL. */
static bool set(struct words *w, int id, const char *value)
{
    const struct option_info *o = &option_table[id];
    if (!o->metavar && value) {
        message("option '--%s' takes no value", o->name);
        return false;
    }
    if (o->metavar && !has_optional_value(o) && !value) {
        if (w->at == w->argc) {
            message("option '--%s' needs a value (%s)", o->name, o->metavar);
            return false;
        }
        value = w->argv[w->at++];
    }
    w->a->given[id] = true;
    w->a->value[id] = value;
    return true;
}

static bool read_long(struct words *w, const char *word)
{
    size_t n = strcspn(word, "=");
    const char *value = word[n] ? word + n + 1 : NULL;
    for (int i = 0; i < OPTION_COUNT; i++)
        if ((option_table[i].commands & w->command) && strlen(option_table[i].name) == n &&
            !memcmp(option_table[i].name, word, n))
            return set(w, i, value);
    return fail_unknown(w, word, n);
}

static int find_letter(unsigned command, char letter)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if ((option_table[i].commands & command) && option_table[i].letter == letter)
            return i;
    return -1;
}

/* "-j4", "-j 4", "-qv" */
static bool read_letters(struct words *w, const char *word)
{
    for (; *word; word++) {
        int id = find_letter(w->command, *word);
        if (id < 0) {
            message("unknown option '-%c'", *word);
            return false;
        }
        if (option_table[id].metavar && !has_optional_value(&option_table[id]))
            return set(w, id, word[1] ? word + 1 : NULL);
        if (!set(w, id, NULL))
            return false;
    }
    return true;
}

bool arguments_parse(struct arguments *a, unsigned command, int argc, char **argv)
{
    struct words w = {.a = a, .command = command, .argv = argv, .argc = argc};
    bool only_operands = false;
    *a = (struct arguments){.operands = argv};
    while (w.at < argc) {
        char *word = argv[w.at++];
        if (only_operands || word[0] != '-' || !word[1])
            argv[a->n_operands++] = word;
        else if (!strcmp(word, "--"))
            only_operands = true;
        else if (!(word[1] == '-' ? read_long(&w, word + 2) : read_letters(&w, word + 1)))
            return false;
    }
    return true;
}
