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

size_t utf8_length(const char *s)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char c = (unsigned char)*s;
    size_t n = c < 0x80 ? 1 : c >> 5 == 6 ? 2 : c >> 4 == 14 ? 3 : c >> 3 == 30 ? 4 : 0;
    uint32_t v = n > 1 ? c & (0x7fu >> n) : c;
    for (size_t i = 1; i < n; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 0;
        v = v << 6 | ((unsigned char)s[i] & 0x3f);
    }
    return n && v >= least[n] && v <= 0x10ffff && v >> 11 != 0x1b ? n : 0;
}

void print_json_string(FILE *f, const char *s)
{
    fputc('"', f);
    for (size_t n; *s; s += n ? n : 1) {
        n = utf8_length(s);
        if (!n)
            fputs("\\ufffd", f);
        else if ((unsigned char)*s < 0x20)
            fprintf(f, "\\u%04x", (unsigned)*s);
        else
            fprintf(f, "%s%.*s", *s == '"' || *s == '\\' ? "\\" : "", (int)n, s);
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
