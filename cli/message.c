/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

/* The character that s begins with; returns its bytes, 0 where they are no UTF-8. */
static size_t utf8_get(const char *s, uint32_t *ret)
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
    *ret = v;
    return n && v >= least[n] && v <= 0x10ffff && v >> 11 != 0x1b ? n : 0;
}

size_t utf8_length(const char *s)
{
    uint32_t ignored;
    return utf8_get(s, &ignored);
}

/* One message, with what it quotes. */
#define MESSAGE_BYTES (1 << 15)

/* Control characters, ends of lines and marks of direction: see platen.1, NAMES. */
static bool is_unseen(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static bool (*takes_messages)(void);

void ask_before_messages(bool (*f)(void))
{
    takes_messages = f;
}

/* Written in one piece, so that messages of several processes do not mix. What a terminal would
 * obey, and bytes that are no UTF-8, are escaped as in the texts of the library. */
__attribute__((format(printf, 1, 0))) static void print(const char *fmt, va_list ap)
{
    static const char head[] = "platen: ";
    char text[MESSAGE_BYTES], line[sizeof(head) + 4 * MESSAGE_BYTES];
    size_t len = sizeof(head) - 1;
    if (takes_messages && !takes_messages())
        return;
    vsnprintf(text, sizeof(text), fmt, ap);
    memcpy(line, head, len);
    for (const char *s = text; *s;) {
        uint32_t c;
        size_t n = utf8_get(s, &c), k = n ? n : 1;
        if (n && !is_unseen(c)) {
            memcpy(line + len, s, n);
            len += n;
        } else {
            for (size_t i = 0; i < k; i++)
                len += (size_t)sprintf(line + len, "\\x%02x", (unsigned)(unsigned char)s[i]);
        }
        s += k;
    }
    line[len++] = '\n';
    fwrite(line, 1, len, stderr);
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
