#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static void print(const char *fmt, va_list ap)
{
    fputs("platen: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
}

void message(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    print(fmt, ap);
    va_end(ap);
}

int fail_usage(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    print(fmt, ap);
    va_end(ap);
    return EXIT_USAGE;
}

void print_json_string(FILE *f, const char *s)
{
    fputc('"', f);
    for (; *s; s++) {
        if ((unsigned char)*s < 0x20)
            fprintf(f, "\\u%04x", (unsigned)*s);
        else
            fprintf(f, "%s%c", *s == '"' || *s == '\\' ? "\\" : "", *s);
    }
    fputc('"', f);
}

int print_described(platen_status s, char *text, const struct platen_error *err)
{
    if (s) {
        message("%s", err->text);
        return EXIT_USAGE;
    }
    fputs(text, stdout);
    platen_free(text);
    return EXIT_DONE;
}
