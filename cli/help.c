/* SPDX-License-Identifier: BSD-2-Clause */
/* The help of a command, for a terminal of 80 columns. The completions of shells read it. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

#define COLUMNS 80
#define LEFT 26 /* where the text of an entry begins */

/* Prints the words of a text from column `at` on; lines that follow begin at column `from`. */
static void print_words(const char *text, size_t at, size_t from)
{
    bool first = true;
    while (*text) {
        size_t n = strcspn(text, " ");
        if (!first && at + 1 + n > COLUMNS) {
            printf("\n%*s", (int)from, "");
            at = from;
        } else if (!first) {
            putchar(' ');
            at++;
        }
        at += (size_t)printf("%.*s", (int)n, text);
        text += n + strspn(text + n, " ");
        first = false;
    }
    putchar('\n');
}

static void print_entry(const char *left, const char *text)
{
    size_t at = (size_t)printf("  %s", left);
    if (at + 2 > LEFT) {
        putchar('\n');
        at = 0;
    }
    printf("%*s", (int)(LEFT - at), "");
    print_words(text, LEFT, LEFT);
}

static void print_option(const struct option_info *o)
{
    char left[64];
    const bool optional = has_optional_value(o);
    snprintf(left, sizeof(left), "%s%c%s--%s%s%s", o->letter ? "-" : " ",
             o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
             o->metavar ? (optional ? "[=" : " ") : "", o->metavar ? o->metavar + optional : "");
    print_entry(left, o->help);
}

static void print_options(unsigned command)
{
    static const char *const titles[] = {
#define PL_GROUP(id, title) [GROUP_##id] = title,
#define PL_OPTION(...)
#include "cli/options.def"
#undef PL_GROUP
#undef PL_OPTION
    };
    for (int g = 0; g < GROUP_COUNT; g++) {
        bool any = false;
        for (int i = 0; i < OPTION_COUNT; i++) {
            if (!(option_table[i].commands & command) || (int)option_table[i].group != g)
                continue;
            if (!any)
                printf("\n%s\n", titles[g]);
            any = true;
            print_option(&option_table[i]);
        }
    }
}

static void print_formats(void)
{
    struct platen_format f = {.size = sizeof(f)};
    printf("\nFormats\n");
    for (size_t i = 0; platen_format_at(i, &f); i++)
        print_entry(f.name, f.help);
}

/* Each line of the synopsis is a form of the command. */
static void print_usage(const char *synopsis)
{
    for (const char *head = "Usage: "; *synopsis; head = "       ") {
        int n = (int)strcspn(synopsis, "\n");
        printf("%s%.*s\n", head, n, synopsis);
        synopsis += n + (synopsis[n] == '\n');
    }
}

void help_command(const struct command *c, const struct command *commands)
{
    print_usage(c->synopsis);
    print_words(c->help, 0, 0);
    if (c == commands)
        printf("\nExamples\n"
               "  platen scan.png                        the text of a page\n"
               "  platen -f txt,json -o out/ scans/      two files for each page below scans/\n"
               "  platen -o book.pdf scans/              one searchable PDF\n");
    print_options(c->id);
    if (c != commands)
        return;
    print_formats();
    printf("\nCommands\n");
    for (const struct command *other = commands; other->name; other++)
        print_entry(other->name, other->help);
    printf("\n'platen help COMMAND' has the options of a command, 'man platen' the rest.\n");
}
