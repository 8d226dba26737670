/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/pdf/pdf_info.h"

#include <ctype.h>
#include <string.h>

#include "output/pdf/pdf_stream.h"
#include "output/pdf/pdf_write.h"

static const char *find_kind(const struct pl_str *info, enum pl_pdf_info kind)
{
    const char *s = info->s, *end = s + info->len;
    while (info->len && s < end) {
        const char *stop = memchr(s, 0, (size_t)(end - s));
        if (!stop)
            break;
        if (*s == (char)kind)
            return s + 1;
        s = stop + 1;
    }
    return NULL;
}

static const char *find_text(const struct pl_str *info, enum pl_pdf_info kind)
{
    const char *text = find_kind(info, kind);
    return text && *text ? text : NULL;
}

bool pl_pdf_info_has(const struct pl_str *info, enum pl_pdf_info kind)
{
    return find_kind(info, kind);
}

const char *pl_pdf_info_language(const struct pl_str *info)
{
    const char *tag = find_text(info, PL_PDF_INFO_LANGUAGE);
    if (!tag || strlen(tag) >= PL_PDF_TAG || !isalpha((unsigned char)*tag))
        return NULL;
    for (const char *s = tag; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '-')
            return NULL;
    return tag;
}

/* ---- the date ---- */

/* A date of PDF (ISO 32000-1, 7.9.4), of which all but the year may be missing. */
struct info_date {
    int part[6];        /* year, month, day, hour, minute, second */
    char zone;          /* '+', '-', 'Z', or 0 where it is not told */
    int hours, minutes; /* of the zone */
};

/* Takes n digits at *s that are a number from `least` to `most`. */
static bool take_number(const char **s, int n, int least, int most, int *ret)
{
    int v = 0;
    for (int i = 0; i < n; i++) {
        if (!isdigit((unsigned char)(*s)[i]))
            return false;
        v = 10 * v + (*s)[i] - '0';
    }
    if (v < least || v > most)
        return false;
    *s += n;
    *ret = v;
    return true;
}

static bool read_zone(const char *s, struct info_date *d)
{
    if (!*s)
        return true;
    if (!strchr("+-Z", *s))
        return false;
    d->zone = *s++;
    if (d->zone == 'Z' || !*s)
        return true;
    if (!take_number(&s, 2, 0, 23, &d->hours))
        return false;
    s += *s == '\'';
    return !*s || take_number(&s, 2, 0, 59, &d->minutes);
}

static bool read_date(const char *s, struct info_date *ret)
{
    static const int digits[] = {4, 2, 2, 2, 2, 2}, least[] = {0, 1, 1, 0, 0, 0},
                     most[] = {9999, 12, 31, 23, 59, 59};
    *ret = (struct info_date){.part = {0, 1, 1, 0, 0, 0}};
    s += strncmp(s, "D:", 2) ? 0 : 2;
    for (int i = 0; i < 6 && (!i || isdigit((unsigned char)*s)); i++)
        if (!take_number(&s, digits[i], least[i], most[i], &ret->part[i]))
            return false;
    return read_zone(s, ret);
}

static bool find_date(const struct pl_str *info, struct info_date *ret)
{
    const char *text = find_text(info, PL_PDF_INFO_CREATED);
    return text && read_date(text, ret);
}

/* ---- the entries ---- */

static const struct {
    enum pl_pdf_info kind;
    const char *key, *begin, *end; /* in the dictionary; around the text in XMP */
} texts[] = {
    {PL_PDF_INFO_TITLE, "/Title", "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">",
     "</rdf:li></rdf:Alt></dc:title>\n"},
    {PL_PDF_INFO_AUTHOR, "/Author", "<dc:creator><rdf:Seq><rdf:li>",
     "</rdf:li></rdf:Seq></dc:creator>\n"},
    {PL_PDF_INFO_SUBJECT, "/Subject", "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">",
     "</rdf:li></rdf:Alt></dc:description>\n"},
    {PL_PDF_INFO_KEYWORDS, "/Keywords", "<pdf:Keywords>", "</pdf:Keywords>\n"},
};

void pl_pdf_info_put(const struct pl_str *info, struct pl_str *out)
{
    struct info_date d;
    for (size_t i = 0; i < PL_ARRAY_LEN(texts); i++) {
        const char *text = find_text(info, texts[i].kind);
        if (!text)
            continue;
        pl_str_printf(out, "%s <feff", texts[i].key);
        pl_pdf_put_utf16(out, text, strlen(text));
        pl_str_puts(out, "> ");
    }
    if (!find_date(info, &d))
        return;
    pl_str_printf(out, "/CreationDate (D:%04d%02d%02d%02d%02d%02d", d.part[0], d.part[1], d.part[2],
                  d.part[3], d.part[4], d.part[5]);
    if (d.zone)
        pl_str_putc(out, d.zone);
    if (d.zone && d.zone != 'Z')
        pl_str_printf(out, "%02d'%02d'", d.hours, d.minutes);
    pl_str_puts(out, ") ");
}

void pl_pdf_info_put_xmp(const struct pl_str *info, struct pl_str *out)
{
    struct info_date d;
    for (size_t i = 0; i < PL_ARRAY_LEN(texts); i++) {
        const char *text = find_text(info, texts[i].kind);
        if (!text)
            continue;
        pl_str_puts(out, texts[i].begin);
        pl_str_xml(out, text, strlen(text));
        pl_str_puts(out, texts[i].end);
    }
    if (!find_date(info, &d))
        return;
    pl_str_printf(out, "<xmp:CreateDate>%04d-%02d-%02dT%02d:%02d:%02d", d.part[0], d.part[1],
                  d.part[2], d.part[3], d.part[4], d.part[5]);
    if (d.zone)
        pl_str_putc(out, d.zone);
    if (d.zone && d.zone != 'Z')
        pl_str_printf(out, "%02d:%02d", d.hours, d.minutes);
    pl_str_puts(out, "</xmp:CreateDate>\n");
}
