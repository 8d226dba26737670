/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static void help_option(const struct option_info *o)
{
    char left[64];
    bool optional = o->metavar && o->metavar[0] == '[';
    snprintf(left, sizeof(left), "%s%c%s--%s%s%s%s", o->letter ? "-" : " ",
             o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
             o->metavar ? (optional ? "[=" : " ") : "", o->metavar ? o->metavar + optional : "",
             "");
    printf("  %-24s %s\n", left, o->help);
}

static void help_formats(void)
{
    struct platen_format f = {.size = sizeof(f)};
    printf("\nFormats\n");
    for (size_t i = 0; platen_format_at(i, &f); i++)
        printf("  %-24s %s\n", f.name, f.help);
}

void help_command(const struct command *c, const struct command *commands)
{
    printf("Usage: %s\n%s\n", c->synopsis, c->help);
    if (c == commands) {
        printf("\nOther commands\n");
        for (const struct command *other = commands + 1; other->name; other++)
            printf("  %-24s %s\n", other->name, other->help);
    }
    printf("\nOptions\n");
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].commands & c->id)
            help_option(&option_table[i]);
    if (c == commands)
        help_formats();
}
