/* SPDX-License-Identifier: BSD-2-Clause */
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

#define PL_RANGE(least_, most_) .least = (least_), .most = (most_)
#define PL_OF(member)                                                                              \
    .target = _Generic(((struct platen_options *)NULL)->member, bool                               \
                       : TARGET_FLAG, const char *                                                 \
                       : TARGET_TEXT, int                                                          \
                       : TARGET_INT, uint64_t                                                      \
                       : TARGET_UINT64, double                                                     \
                       : TARGET_DOUBLE),                                                           \
    .offset = offsetof(struct platen_options, member)
#define PL_RANGE_OF(member, least_, most_) PL_RANGE(least_, most_), PL_OF(member)
#define PL_ONE_RUN .one_run = true
#define PL_LIST(joint_) .joint = (joint_)

const struct option_info option_table[OPTION_COUNT] = {
#define PL_GROUP(...)
#define PL_OPTION(id, long_name, short_name, metavar_, commands_, group_, help_, ...)              \
    [OPTION_##id] = {.name = long_name,                                                            \
                     .letter = short_name,                                                         \
                     .metavar = metavar_,                                                          \
                     .commands = commands_,                                                        \
                     .group = GROUP_##group_,                                                      \
                     .help = help_,                                                                \
                     __VA_ARGS__},
#include "cli/options.def"
#undef PL_GROUP
#undef PL_OPTION
};

/* The words being read, and the command that they are for. */
struct words {
    struct arguments *a;
    unsigned command;
    char **argv;
    int argc, at;
};

int find_option(unsigned commands, const char *name, size_t n)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if ((option_table[i].commands & commands) && strlen(option_table[i].name) == n &&
            !memcmp(option_table[i].name, name, n))
            return i;
    return -1;
}

const char *nearest_option(unsigned commands, const char *name, size_t n)
{
    const char *nearest = NULL;
    size_t best = SIZE_MAX;
    for (int i = 0; i < OPTION_COUNT; i++)
        if ((option_table[i].commands & commands) &&
            is_nearer(option_table[i].name, name, n, &best))
            nearest = option_table[i].name;
    return nearest;
}

static bool fail_unknown(const struct words *w, const char *name, size_t n)
{
    const char *nearest = nearest_option(w->command, name, n);
    const char *instead = instead_of_option(name, n, 0);
    if (instead)
        message("unknown option '--%.*s': %s", (int)n, name, instead);
    else
        message("unknown option '--%.*s'%s%s%s", (int)n, name, nearest ? "; did you mean '--" : "",
                nearest ? nearest : "", nearest ? "'?" : "");
    return false;
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
    if (o->joint && w->a->given[id]) {
        message("option '--%s' is given twice; write %s%c%s", o->name, w->a->value[id], o->joint,
                value);
        return false;
    }
    w->a->given[id] = true;
    w->a->value[id] = value;
    return true;
}

static bool read_long(struct words *w, const char *word)
{
    size_t n = strcspn(word, "=");
    const char *value = word[n] ? word + n + 1 : NULL;
    int id = find_option(w->command, word, n);
    return id < 0 ? fail_unknown(w, word, n) : set(w, id, value);
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
    const char *whole = w->argv[w->at - 1];
    for (; *word; word++) {
        int id = find_letter(w->command, *word);
        if (id < 0) {
            const char *instead = access(whole, F_OK)
                                      ? instead_of_option(NULL, 0, *word)
                                      : "the name of a file that begins so stands behind '--'";
            message("unknown option '-%c'%s%s", *word, instead ? ": " : "", instead ? instead : "");
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
