/* SPDX-License-Identifier: BSD-2-Clause */
/* The file of defaults: platen.1, DEFAULTS. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

/* Its name, and its text, to which the values of options point. */
static struct {
    char path[PATH_MAX];
    char text[(1 << 16) + 1]; /* one byte more than the longest that is allowed */
} config;

/* The name that the XDG Base Directory Specification gives it. */
static bool find_path(void)
{
    const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int n = 0;
    if (base && *base == '/')
        n = snprintf(config.path, sizeof(config.path), "%s/platen/config", base);
    else if (home && *home == '/')
        n = snprintf(config.path, sizeof(config.path), "%s/.config/platen/config", home);
    return n > 0 && (size_t)n < sizeof(config.path);
}

static char *trim(char *s)
{
    s += strspn(s, " \t\r");
    size_t n = strlen(s);
    while (n && strchr(" \t\r", s[n - 1]))
        n--;
    s[n] = '\0';
    return s;
}

static bool fail_line(int line, const char *name, const char *why)
{
    message("'%s', line %d: '%s' %s", config.path, line, name, why);
    return false;
}

static bool fail_unknown(int line, const char *name)
{
    const char *nearest = nearest_option(IN_RUN | IN_SERVE, name, strlen(name));
    message("'%s', line %d: '%s' is no option of run or serve%s%s%s", config.path, line, name,
            nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return false;
}

static bool take_option(struct arguments *a, unsigned command, int line, const char *name,
                        const char *value)
{
    const int id = find_option(IN_RUN | IN_SERVE, name, strlen(name));
    const struct option_info *o = id < 0 ? NULL : &option_table[id];
    if (!o)
        return fail_unknown(line, name);
    if (o->one_run)
        return fail_line(line, name, "is about one run, and stands on the command line alone");
    if (!o->metavar && value)
        return fail_line(line, name, "takes no value");
    if (o->metavar && !(value && *value) && !(has_optional_value(o) && !value))
        return fail_line(line, name, "needs a value behind '='");
    if (value && !strncmp(value, "~/", 2))
        return fail_line(line, name, "takes its value as it stands, and ~ is no directory there");
    if ((o->commands & command) && (!a->given[id] || a->configured[id])) {
        a->given[id] = a->configured[id] = true;
        a->value[id] = value;
    }
    return true;
}

bool config_take(struct arguments *a, unsigned command, char *text)
{
    text += utf8_mark(text);
    for (int line = 1; text; line++) {
        char *next = strchr(text, '\n');
        if (next)
            *next++ = '\0';
        char *name = trim(text), *equals = strchr(name, '=');
        if (equals)
            *equals = '\0';
        if (*name != '#' && (*name || equals) &&
            !take_option(a, command, line, trim(name), equals ? trim(equals + 1) : NULL))
            return false;
        text = next;
    }
    return true;
}

/* Of two options that exclude each other the command line's wins. */
static void settle(struct arguments *a, enum option_id one, enum option_id other)
{
    const bool both =
        a->given[one] && a->given[other] && a->configured[one] != a->configured[other];
    const enum option_id loser = a->configured[one] ? one : other;
    if (!both)
        return;
    a->given[loser] = a->configured[loser] = false;
    a->value[loser] = NULL;
}

bool config_apply(struct arguments *a, unsigned command)
{
    struct stat st;
    if (a->given[OPTION_NO_CONFIG] || !find_path() || stat(config.path, &st))
        return true;
    FILE *f = S_ISREG(st.st_mode) ? fopen(config.path, "rb") : NULL;
    if (!f) {
        message("unable to open '%s': %s", config.path,
                S_ISREG(st.st_mode) ? strerror(errno) : "no regular file");
        return false;
    }
    size_t n = fread(config.text, 1, sizeof(config.text), f);
    const bool failed = ferror(f);
    fclose(f);
    if (failed || n == sizeof(config.text) || memchr(config.text, '\0', n)) {
        message("unable to read '%s': %s", config.path,
                failed                     ? strerror(errno)
                : n == sizeof(config.text) ? "longer than 64 KiB"
                                           : "it holds a zero byte");
        return false;
    }
    config.text[n] = '\0';
    if (!config_take(a, command, config.text))
        return false;
    settle(a, OPTION_PIPELINE, OPTION_PIPELINE_FILE);
    settle(a, OPTION_LISTEN, OPTION_SOCKET);
    return true;
}

void config_tell(const struct arguments *a)
{
    char names[1024] = "";
    size_t n = 0;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (a->configured[i])
            n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s", n ? ", " : "",
                                  option_table[i].name);
    if (n)
        message("defaults of '%s': %s", config.path, names);
}
