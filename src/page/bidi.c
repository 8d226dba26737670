/* SPDX-License-Identifier: BSD-2-Clause */
#include "page/bidi.h"

#include <string.h>

#include "config.h"

bool pl_bidi_built(void)
{
    return PL_HAVE_BIDI;
}

bool pl_bidi_is_in(const char *text)
{
    uint32_t code = 0;
    for (size_t n = strlen(text), k; n && (k = pl_utf8_get(text, n, &code)) > 0; text += k, n -= k)
        if (pl_bidi_is_from_right(code))
            return true;
    return false;
}

#if PL_HAVE_BIDI
#include <assert.h>
#include <fribidi.h>

#include "base/mem.h"

/* All letters below are of scripts from left to right. */
#define FIRST_FROM_RIGHT 0x590

/* A line in the order of reading, and what the algorithm says of its characters. */
struct paragraph {
    FriBidiChar *text;
    FriBidiCharType *types;
    FriBidiBracketType *brackets;
    FriBidiLevel *levels;
    FriBidiStrIndex *map; /* from places on paper to characters */
};

static bool open_paragraph(struct paragraph *p, size_t n)
{
    p->text = pl_alloc(n, sizeof(*p->text));
    p->types = pl_alloc(n, sizeof(*p->types));
    p->brackets = pl_alloc(n, sizeof(*p->brackets));
    p->levels = pl_alloc(n, sizeof(*p->levels));
    p->map = pl_alloc(n, sizeof(*p->map));
    return p->text && p->types && p->brackets && p->levels && p->map;
}

static void close_paragraph(struct paragraph *p)
{
    pl_free(p->text);
    pl_free(p->types);
    pl_free(p->brackets);
    pl_free(p->levels);
    pl_free(p->map);
}

bool pl_bidi_is_from_right(uint32_t code)
{
    return code >= FIRST_FROM_RIGHT && FRIBIDI_IS_RTL(fribidi_get_bidi_type(code));
}

bool pl_bidi_from_right(const struct pl_bidi_char *line, size_t n)
{
    size_t right = 0, left = 0;
    for (size_t i = 0; i < n; i++) {
        const bool from_right = pl_bidi_is_from_right(line[i].code);
        right += from_right;
        left += !from_right && FRIBIDI_IS_STRONG(fribidi_get_bidi_type(line[i].code));
    }
    return right && right >= left;
}

static uint32_t mirrored(uint32_t code)
{
    FriBidiChar ret;
    return fribidi_get_mirror_char(code, &ret) ? ret : code;
}

/* Finds the levels of the text, and its order on paper. */
static bool arrange(struct paragraph *p, size_t n, bool from_right)
{
    const FriBidiStrIndex length = (FriBidiStrIndex)n;
    FriBidiParType direction = from_right ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR;
    fribidi_get_bidi_types(p->text, length, p->types);
    fribidi_get_bracket_types(p->text, length, p->types, p->brackets);
    for (size_t i = 0; i < n; i++)
        p->map[i] = (FriBidiStrIndex)i;
    return fribidi_get_par_embedding_levels_ex(p->types, p->brackets, length, &direction,
                                               p->levels) > 0 &&
           fribidi_reorder_line(0, p->types, length, 0, direction, p->levels, NULL, p->map) > 0;
}

/* From right to left the line is walked from its right end: then only what is read to the right in
 * it is the wrong way round, and arranging turns just that around, beside all of it. */
bool pl_bidi_read(struct pl_bidi_char *line, size_t n, bool from_right)
{
    struct paragraph p = {0};
    assert(n > 0 && n <= INT32_MAX);
    bool ok = open_paragraph(&p, n);
    for (size_t k = 0; ok && k < n; k++)
        p.text[k] = from_right ? mirrored(line[n - 1 - k].code) : line[k].code;
    ok = ok && arrange(&p, n, from_right);
    for (size_t i = 0; ok && i < n; i++) {
        const size_t k = (size_t)p.map[from_right ? n - 1 - i : i]; /* the i-th to be read */
        struct pl_bidi_char *c = &line[from_right ? n - 1 - k : k];
        c->place = i;
        if (FRIBIDI_LEVEL_IS_RTL(p.levels[k]))
            c->code = mirrored(c->code);
    }
    close_paragraph(&p);
    return ok;
}

/* Adds the characters of p as they stand on paper. Brackets keep the code with which they are read:
 * readers that turn a text around do not mirror it. */
static void put_arranged(const struct paragraph *p, size_t n, struct pl_str *out)
{
    char bytes[4];
    for (size_t i = 0; i < n; i++)
        pl_str_add(out, bytes, pl_utf8_put(bytes, p->text[p->map[i]]));
}

void pl_bidi_show(struct pl_str *out, const char *text)
{
    struct paragraph p = {0};
    size_t n = strlen(text), k = 0, used = 0;
    const bool turns = n <= INT32_MAX && pl_bidi_is_in(text) && open_paragraph(&p, n);
    for (size_t bytes; turns && used < n; used += bytes) {
        bytes = pl_utf8_get(text + used, n - used, &p.text[k++]);
        assert(bytes); /* symbols of a model are UTF-8 */
    }
    if (turns && arrange(&p, k, true))
        put_arranged(&p, k, out);
    else
        pl_str_add(out, text, n);
    close_paragraph(&p);
}

#else

/* Hebrew, Arabic and their neighbours, and the forms of their letters. */
bool pl_bidi_is_from_right(uint32_t code)
{
    return (code >= 0x590 && code < 0x900) || (code >= 0xfb1d && code < 0xfe00) ||
           (code >= 0xfe70 && code < 0xfeff) || (code >= 0x10800 && code < 0x11000) ||
           (code >= 0x1e800 && code < 0x1f000);
}

bool pl_bidi_from_right(const struct pl_bidi_char *line, size_t n)
{
    (void)line;
    (void)n;
    return false;
}

bool pl_bidi_read(struct pl_bidi_char *line, size_t n, bool from_right)
{
    (void)from_right;
    for (size_t i = 0; i < n; i++)
        line[i].place = i;
    return true;
}

void pl_bidi_show(struct pl_str *out, const char *text)
{
    pl_str_puts(out, text);
}

#endif
