/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/tesseract/tell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/tesseract/request.h"

/* Callers refuse versions that lack what they need, and 5.4.0; the first line has just two words.
 */
#define TESSERACT_VERSION "5.5.0"

#define SCRIPTS "cyrillic-greek"

/* What tesseract calls a pack of all languages of one script; the folder may be left out. */
#define PACK "script/"

/* Those that models were measured on (models/MODELS.md), in the order of their names. */
static const struct language {
    const char *name;
    const char *model; /* that it needs beside eng; NULL = none */
    /* What is expected on the pages: the first one also of text that no one can tell. NULL = the
     * language itself; osd expects none. */
    const char *expected;
} languages[] = {
    {"afr", NULL, NULL},
    {"aze", NULL, NULL},
    {"bel", SCRIPTS, NULL},
    {"bre", NULL, NULL},
    {"bul", SCRIPTS, NULL},
    {"cat", NULL, NULL},
    {"ces", NULL, NULL},
    {"cym", NULL, NULL},
    {"dan", NULL, NULL},
    {"deu", NULL, NULL},
    {"ell", SCRIPTS, NULL},
    {"eng", NULL, NULL},
    {"epo", NULL, NULL},
    {"est", NULL, NULL},
    {"eus", NULL, NULL},
    {"fao", NULL, NULL},
    {"fil", NULL, NULL},
    {"fin", NULL, NULL},
    {"fra", NULL, NULL},
    {"fry", NULL, NULL},
    {"gla", NULL, NULL},
    {"gle", NULL, NULL},
    {"glg", NULL, NULL},
    {"hat", NULL, NULL},
    {"hrv", NULL, NULL},
    {"hun", NULL, NULL},
    {"ind", NULL, NULL},
    {"isl", NULL, NULL},
    {"ita", NULL, NULL},
    {"kmr", NULL, NULL},
    {"lat", NULL, NULL},
    {"lav", NULL, NULL},
    {"lit", NULL, NULL},
    {"ltz", NULL, NULL},
    {"mkd", SCRIPTS, NULL},
    {"mlt", NULL, NULL},
    {"nld", NULL, NULL},
    {"nor", NULL, NULL},
    {"oci", NULL, NULL},
    {"osd", NULL, ""},
    {"pol", NULL, NULL},
    {"por", NULL, NULL},
    {"ron", NULL, NULL},
    {"rus", SCRIPTS, NULL},
    {PACK "Cyrillic", SCRIPTS, "rus+bel+bul+mkd+srp+ukr"},
    {PACK "Greek", SCRIPTS, "ell"},
    {PACK "Latin", NULL,
     "eng+afr+aze+bre+cat+ces+cym+dan+deu+epo+est+eus+fao+fil+fin+fra+fry+gla+"
     "gle+glg+hat+hrv+hun+ind+isl+ita+kmr+lat+lav+lit+ltz+mlt+nld+nor+oci+pol+"
     "por+ron+slk+slv+spa+sqi+swa+swe+tur"},
    {PACK "Vietnamese", "latin", "vie"},
    {"slk", NULL, NULL},
    {"slv", NULL, NULL},
    {"spa", NULL, NULL},
    {"sqi", NULL, NULL},
    {"srp", SCRIPTS, NULL},
    {"swa", NULL, NULL},
    {"swe", NULL, NULL},
    {"tur", NULL, NULL},
    {"ukr", SCRIPTS, NULL},
    {"vie", "latin", NULL},
};

#define N_LANGUAGES (sizeof(languages) / sizeof(*languages))

static bool is_read(const struct language *l)
{
    char *text = NULL;
    struct platen_error err;
    const bool found =
        !l->model || !platen_model_describe(l->model, getenv("PLATEN_MODELS"), &text, &err);
    platen_free(text);
    return found;
}

void tess_tell_version(void)
{
    printf("tesseract " TESSERACT_VERSION "\n platen %s\n", platen_version());
}

void tess_tell_languages(void)
{
    const char *names[N_LANGUAGES];
    size_t n = 0;
    for (size_t i = 0; i < N_LANGUAGES; i++)
        if (is_read(&languages[i]))
            names[n++] = languages[i].name;
    printf("List of available languages in \"platen %s\" (%zu):\n", platen_version(), n);
    for (size_t i = 0; i < n; i++)
        puts(names[i]);
}

void tess_tell_settings(void)
{
    puts("Settings that change something:");
    for (size_t i = 0; tess_setting_name(i); i++)
        puts(tess_setting_name(i));
}

void tess_tell_help(void)
{
    puts("Usage:\n"
         "  tesseract --help | --version | --list-langs | --print-parameters\n"
         "  tesseract IMAGE|LIST|stdin OUTPUTBASE|stdout [OPTION...] [CONFIG...]\n"
         "\n"
         "Reads pages as platen does, and answers as tesseract does: platen-tesseract(1).\n"
         "\n"
         "Options:\n"
         "  -l LANG[+LANG]        languages and scripts, of --list-langs\n"
         "  --psm NUM             what the picture is: 0 orientation only, 1 and 3 a page,\n"
         "                        2 skew only, 4 a column, 6 a block, 7 8 10 13 a line,\n"
         "                        11 12 scattered text, 5 9 as 3 (default 3)\n"
         "  --dpi VALUE           resolution, whatever the file tells\n"
         "  -c NAME=VALUE         a setting of --print-parameters\n"
         "  --user-words FILE     words to prefer, one a line\n"
         "  --loglevel LEVEL      ERROR, FATAL or OFF: only what fails\n"
         "  --oem NUM, --tessdata-dir DIR, --user-patterns FILE\n"
         "                        accepted, without effect\n"
         "\n"
         "Configurations: txt hocr tsv pdf alto page makebox osd quiet digits, or files.");
}

static bool is_called(const char *name, const char *p, size_t n)
{
    return strlen(name) == n && !memcmp(name, p, n);
}

/* The language or pack of this name, where it is installed; NULL where not. */
static const struct language *find_language(const char *name, size_t n)
{
    for (size_t i = 0; i < N_LANGUAGES; i++) {
        const char *whole = languages[i].name, *slash = strchr(whole, '/');
        if (is_called(whole, name, n) || (slash && is_called(slash + 1, name, n)))
            return is_read(&languages[i]) ? &languages[i] : NULL;
    }
    return NULL;
}

bool tess_languages_check(const char *list, char *ret)
{
    bool any = false;
    size_t used = 0;
    *ret = '\0';
    for (const char *p = list; *p;) {
        const size_t n = strcspn(p, "+");
        const struct language *l = find_language(p, n);
        const char *codes = !l ? "" : l->expected ? l->expected : l->name;
        if (!l)
            message("Failed loading language '%.*s'", (int)(n < 100 ? n : 100), p);
        any = any || l;
        if (*codes && used + strlen(codes) + 2 < TESS_MAX_LANGUAGES)
            used += (size_t)sprintf(ret + used, "%s%s", used ? "+" : "", codes);
        p += n + (p[n] == '+');
    }
    if (!any)
        message("Tesseract couldn't load any languages! See --list-langs");
    return any;
}
