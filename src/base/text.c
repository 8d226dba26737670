/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

static bool grow_text(struct pl_str *b, size_t more)
{
    size_t need;
    if (b->failed || !pl_add(b->len, more, &need) || !pl_add(need, 1, &need))
        return !(b->failed = true);
    if (need <= b->cap)
        return true;
    size_t cap = PL_MAX(need, PL_MAX(b->cap * 2, (size_t)256));
    char *s = pl_realloc(b->s, cap, 1);
    if (!s)
        return !(b->failed = true);
    b->s = s;
    b->cap = cap;
    return true;
}

void pl_str_add(struct pl_str *b, const char *s, size_t n)
{
    assert(s || !n);
    if (!grow_text(b, n))
        return;
    if (n)
        memcpy(b->s + b->len, s, n);
    b->len += n;
    b->s[b->len] = '\0';
}

char *pl_str_room(struct pl_str *b, size_t n)
{
    return grow_text(b, n) ? b->s + b->len : NULL;
}

void pl_str_puts(struct pl_str *b, const char *s)
{
    pl_str_add(b, s, strlen(s));
}

void pl_str_putc(struct pl_str *b, char c)
{
    pl_str_add(b, &c, 1);
}

void pl_str_printf(struct pl_str *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0 || !grow_text(b, (size_t)n))
        return;
    va_start(ap, fmt);
    vsnprintf(b->s + b->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    b->len += (size_t)n;
}

static void put_json(struct pl_str *b, const char *s, size_t n)
{
    while (n) {
        uint32_t c;
        size_t k = pl_utf8_get(s, n, &c);
        if (!k) {
            pl_str_puts(b, "\xEF\xBF\xBD");
            k = 1;
        } else if (c == '"' || c == '\\') {
            pl_str_putc(b, '\\');
            pl_str_putc(b, (char)c);
        } else if (c == '\n') {
            pl_str_puts(b, "\\n");
        } else if (c == '\t') {
            pl_str_puts(b, "\\t");
        } else if (c < 0x20 || c == 0x7f) {
            pl_str_printf(b, "\\u%04x", (unsigned)c);
        } else {
            pl_str_add(b, s, k);
        }
        s += k;
        n -= k;
    }
}

void pl_str_json(struct pl_str *b, const char *s, size_t n)
{
    pl_str_putc(b, '"');
    put_json(b, s, n);
    pl_str_putc(b, '"');
}

/* The reference that stands for c in XML, or NULL when c may stand for itself. */
static const char *xml_reference(uint32_t c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    default:
        return c < 0x20 || c == 0x7f || c == 0xfffe || c == 0xffff ? "\xEF\xBF\xBD" : NULL;
    }
}

void pl_str_xml(struct pl_str *b, const char *s, size_t n)
{
    while (n) {
        uint32_t c;
        size_t k = pl_utf8_get(s, n, &c);
        const char *reference = xml_reference(k ? c : 0);
        if (reference)
            pl_str_puts(b, reference);
        else
            pl_str_add(b, s, k);
        k = PL_MAX(k, (size_t)1);
        s += k;
        n -= k;
    }
}

/* The value of a hexadecimal digit, or -1. */
static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* The byte that the escape sequence at s stands for; -1 where there is none. */
static int escaped_byte(const char *s, size_t n)
{
    if (n < 4 || s[0] != '\\' || s[1] != 'x' || hex_value(s[2]) < 0 || hex_value(s[3]) < 0)
        return -1;
    return hex_value(s[2]) << 4 | hex_value(s[3]);
}

/* Moves the cursor of a terminal or starts a sequence that it obeys, ends a line, or turns the
 * direction of what follows (Unicode, UAX #9). */
static bool is_unseen(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static bool may_stand(uint32_t c, enum pl_name_form form)
{
    if (form == PL_NAME_PLAIN)
        return true;
    if (form != PL_NAME_XML)
        return !is_unseen(c);
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0x7f && c < 0xfffe) ||
           c > 0xffff;
}

size_t pl_name_piece(const char *s, size_t n, enum pl_name_form form, char ret[PL_NAME_PIECE])
{
    uint32_t c;
    size_t k = pl_utf8_get(s, n, &c);
    bool stands = k && may_stand(c, form) && (form == PL_NAME_MESSAGE || escaped_byte(s, n) < 0);
    k = PL_MAX(k, (size_t)1);
    if (stands) {
        memcpy(ret, s, k);
        ret[k] = '\0';
        return k;
    }
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < k; i++) {
        const unsigned char byte = (unsigned char)s[i];
        memcpy(ret + 4 * i, (char[5]){'\\', 'x', digits[byte >> 4], digits[byte & 15], '\0'}, 5);
    }
    return k;
}

void pl_str_name(struct pl_str *b, const char *s, size_t n, enum pl_name_form form)
{
    char piece[PL_NAME_PIECE];
    for (size_t i = 0; i < n;) {
        i += pl_name_piece(s + i, n - i, form, piece);
        pl_str_puts(b, piece);
    }
}

void pl_str_json_name(struct pl_str *b, const char *s, size_t n)
{
    char piece[PL_NAME_PIECE];
    pl_str_putc(b, '"');
    for (size_t i = 0; i < n;) {
        i += pl_name_piece(s + i, n - i, PL_NAME_PLAIN, piece);
        put_json(b, piece, strlen(piece));
    }
    pl_str_putc(b, '"');
}

void pl_str_xml_name(struct pl_str *b, const char *s, size_t n)
{
    char piece[PL_NAME_PIECE];
    for (size_t i = 0; i < n;) {
        i += pl_name_piece(s + i, n - i, PL_NAME_XML, piece);
        pl_str_xml(b, piece, strlen(piece));
    }
}

size_t pl_name_restore(char *s)
{
    const size_t n = strlen(s);
    size_t to = 0;
    for (size_t i = 0; i < n;) {
        int byte = escaped_byte(s + i, n - i);
        s[to++] = byte > 0 ? (char)byte : s[i];
        i += byte > 0 ? 4 : 1;
    }
    s[to] = '\0';
    return to;
}

void pl_str_number(struct pl_str *b, double x, int digits)
{
    static const double pow10[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    assert(digits >= 0 && (size_t)digits < PL_ARRAY_LEN(pow10));
    /* through an integer: printf's %f writes the locale's decimal point */
    double scaled = nearbyint(fabs(x) * pow10[digits]);
    if (!(scaled < 9e15)) {
        pl_str_puts(b, x == x ? (x < 0 ? "-9e15" : "9e15") : "0");
        return;
    }
    uint64_t v = (uint64_t)scaled, unit = (uint64_t)pow10[digits];
    if (x < 0 && v)
        pl_str_putc(b, '-');
    pl_str_printf(b, "%llu", (unsigned long long)(v / unit));
    uint64_t frac = v % unit;
    if (!frac)
        return;
    for (; frac % 10 == 0; digits--)
        frac /= 10;
    pl_str_printf(b, ".%0*llu", digits, (unsigned long long)frac);
}

void pl_str_reset(struct pl_str *b)
{
    b->len = 0;
    b->failed = false;
    if (b->s)
        b->s[0] = '\0';
}

void pl_str_done(struct pl_str *b)
{
    pl_free(b->s);
    *b = (struct pl_str){0};
}

size_t pl_utf8_get(const char *s, size_t n, uint32_t *ret)
{
    assert(n > 0);
    const unsigned char *u = (const unsigned char *)s;
    if (u[0] < 0x80) {
        *ret = u[0];
        return 1;
    }
    size_t k = u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : 2;
    if (u[0] < 0xc2 || u[0] > 0xf4 || k > n)
        return 0;
    uint32_t c = u[0] & (0x7fu >> k);
    for (size_t i = 1; i < k; i++) {
        if ((u[i] & 0xc0) != 0x80)
            return 0;
        c = (c << 6) | (u[i] & 0x3f);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (c < least[k] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    *ret = c;
    return k;
}

size_t pl_utf8_put(char *p, uint32_t c)
{
    if (c < 0x80) {
        p[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        p[0] = (char)(0xc0 | c >> 6);
        p[1] = (char)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        p[0] = (char)(0xe0 | c >> 12);
        p[1] = (char)(0x80 | (c >> 6 & 63));
        p[2] = (char)(0x80 | (c & 63));
        return 3;
    }
    p[0] = (char)(0xf0 | c >> 18);
    p[1] = (char)(0x80 | (c >> 12 & 63));
    p[2] = (char)(0x80 | (c >> 6 & 63));
    p[3] = (char)(0x80 | (c & 63));
    return 4;
}

/* Latin-1, Latin Extended-A, the letters of Romanian with a comma, those of Vietnamese. */
static uint32_t small_latin(uint32_t c)
{
    if ((c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7))
        return c + 32;
    if (c == 0x178)
        return 0xff;
    bool even = (c >= 0x100 && c <= 0x137 && c != 0x130) || (c >= 0x14a && c <= 0x177) ||
                (c >= 0x218 && c <= 0x21b) || (c >= 0x1ea0 && c <= 0x1eff);
    bool odd = (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e);
    return (even && c % 2 == 0) || (odd && c % 2 == 1) ? c + 1 : c;
}

uint32_t pl_small_letter(uint32_t c)
{
    static const uint16_t accented[] = {0x3ac, 0, 0x3ad, 0x3ae, 0x3af, 0, 0x3cc, 0, 0x3cd, 0x3ce};
    if (c >= 0x386 && c <= 0x38f && accented[c - 0x386])
        return accented[c - 0x386];
    if (c >= 0x391 && c <= 0x3ab && c != 0x3a2)
        return c + 32;
    if (c >= 0x400 && c <= 0x42f)
        return c < 0x410 ? c + 80 : c + 32;
    return c == 0x490 ? 0x491 : small_latin(c);
}

bool pl_is_wide(uint32_t c)
{
    static const uint32_t range[][2] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x4DBF},
                                        {0x4E00, 0xA4CF},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},
                                        {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
                                        {0xFFE0, 0xFFE6},   {0x1F200, 0x1F2FF}, {0x1F300, 0x1F64F},
                                        {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
    size_t i = 0;
    while (i < PL_ARRAY_LEN(range) && c > range[i][1])
        i++;
    return i < PL_ARRAY_LEN(range) && c >= range[i][0];
}

size_t pl_utf8_mark(const char *s, size_t n)
{
    return n >= 3 && !memcmp(s, "\xef\xbb\xbf", 3) ? 3 : 0;
}

size_t pl_utf8_prefix(const char *s, size_t n, size_t max)
{
    if (n <= max)
        return n;
    size_t k = max;
    while (k > 0 && ((unsigned char)s[k] & 0xc0) == 0x80)
        k--;
    return max - k < 4 ? k : max;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool pl_parse_double(const char *s, size_t n, double *ret)
{
    size_t i = 0;
    bool neg = n && s[0] == '-';
    if (n && (s[0] == '-' || s[0] == '+'))
        i++;
    double v = 0, scale = 1;
    size_t digits = 0;
    for (; i < n && is_digit(s[i]); i++, digits++)
        v = v * 10 + (s[i] - '0');
    if (i < n && s[i] == '.')
        for (i++; i < n && is_digit(s[i]); i++, digits++) {
            v = v * 10 + (s[i] - '0');
            scale *= 10;
        }
    if (!digits)
        return false;
    v /= scale;
    if (i < n && (s[i] == 'e' || s[i] == 'E')) {
        int64_t e;
        if (!pl_parse_int64(s + i + 1, n - i - 1, &e) || e < -300 || e > 300)
            return false;
        v *= pow(10, (double)e);
        i = n;
    }
    if (i != n || !isfinite(v))
        return false;
    *ret = neg ? -v : v;
    return true;
}

bool pl_parse_int64(const char *s, size_t n, int64_t *ret)
{
    size_t i = 0;
    bool neg = n && s[0] == '-';
    if (n && (s[0] == '-' || s[0] == '+'))
        i++;
    if (i == n)
        return false;
    int64_t v = 0;
    for (; i < n; i++) {
        int d = s[i] - '0';
        if (!is_digit(s[i]) || __builtin_mul_overflow(v, 10, &v) ||
            (neg ? __builtin_sub_overflow(v, d, &v) : __builtin_add_overflow(v, d, &v)))
            return false;
    }
    *ret = v;
    return true;
}

size_t pl_edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t row[64];
    na = PL_MIN(na, (size_t)63);
    nb = PL_MIN(nb, (size_t)63);
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            best = PL_MIN(best, PL_MIN(row[j], row[j - 1]) + 1);
            row[j] = best;
        }
    }
    return row[nb];
}
