#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

static bool grow(struct pl_str *b, size_t more)
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
    if (!grow(b, n))
        return;
    if (n)
        memcpy(b->s + b->len, s, n);
    b->len += n;
    b->s[b->len] = '\0';
}

char *pl_str_room(struct pl_str *b, size_t n)
{
    return grow(b, n) ? b->s + b->len : NULL;
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
    if (n < 0 || !grow(b, (size_t)n))
        return;
    va_start(ap, fmt);
    vsnprintf(b->s + b->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    b->len += (size_t)n;
}

void pl_str_json(struct pl_str *b, const char *s, size_t n)
{
    pl_str_putc(b, '"');
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

void pl_str_number(struct pl_str *b, double x, int digits)
{
    static const double pow10[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
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

void pl_str_reserve(struct pl_str *b, size_t n)
{
    grow(b, n);
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
