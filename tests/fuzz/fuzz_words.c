/* SPDX-License-Identifier: BSD-2-Clause */
/* Dictionaries: every word of what parses can be spelt and is complete. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "recognize/language/lexicon.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Spells the bytes of a line by code points, with what stands around it as parse() does. */
static void check(const struct pl_lexicon *l, const char *s, size_t n)
{
    struct pl_spelling spelling = pl_lexicon_start(l);
    while (n && strchr(" \t\r", *s))
        s++, n--;
    while (n && strchr(" \t\r", s[n - 1]))
        n--;
    if (!n)
        return;
    while (n) {
        char symbol[5] = "";
        size_t k = 1;
        while (k < n && ((unsigned char)s[k] & 0xc0) == 0x80)
            k++;
        memcpy(symbol, s, k);
        if (!pl_lexicon_spell(l, &spelling, symbol))
            abort();
        s += k;
        n -= k;
    }
    if (!spelling.word)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct pl_lexicon *l = NULL;
    struct platen_error err;
    char *text = malloc(n ? n : 1); /* its own block: reading beyond it is seen */
    if (!text)
        return 0;
    memcpy(text, data, n);
    if (!pl_lexicon_parse(text, n, &l, &err))
        for (const char *p = text + pl_utf8_mark(text, n), *end = text + n; p < end;) {
            const char *nl = memchr(p, '\n', (size_t)(end - p));
            check(l, p, (size_t)((nl ? nl : end) - p));
            p = nl ? nl + 1 : end;
        }
    pl_lexicon_free(l);
    free(text);
    return 0;
}
