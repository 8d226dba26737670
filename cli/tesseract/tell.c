/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/tesseract/tell.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/tesseract/request.h"

/* Callers refuse versions that lack what they need, and 5.4.0; the first line has just two words.
 */
#define TESSERACT_VERSION "5.5.0"

/* Those that `eng` was measured on (models/MODELS.md), and osd, which is no language. */
static const char *const languages[] = {"ces", "dan", "deu", "eng", "fin", "fra", "hun", "ita",
                                        "nld", "osd", "pol", "por", "spa", "swe", "tur"};

#define N_LANGUAGES (sizeof(languages) / sizeof(*languages))

void tess_tell_version(void)
{
    printf("tesseract " TESSERACT_VERSION "\n platen %s\n", platen_version());
}

void tess_tell_languages(void)
{
    printf("List of available languages in \"platen %s\" (%zu):\n", platen_version(), N_LANGUAGES);
    for (size_t i = 0; i < N_LANGUAGES; i++)
        puts(languages[i]);
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
         "  -l LANG[+LANG]        languages, of --list-langs\n"
         "  --psm NUM             what the picture is: 0 orientation only, 1 and 3 a page,\n"
         "                        2 skew only, 4 a column, 6 a block, 7 8 10 13 a line,\n"
         "                        5 9 11 12 as 3 (default 3)\n"
         "  --dpi VALUE           resolution, whatever the file tells\n"
         "  -c NAME=VALUE         a setting of --print-parameters\n"
         "  --user-words FILE     words to prefer, one a line\n"
         "  --loglevel LEVEL      ERROR, FATAL or OFF: only what fails\n"
         "  --oem NUM, --tessdata-dir DIR, --user-patterns FILE\n"
         "                        accepted, without effect\n"
         "\n"
         "Configurations: txt hocr tsv pdf alto page makebox osd quiet digits, or files.");
}

/* The index of languages[], or -1. */
static int find_language(const char *name, size_t n)
{
    for (size_t i = 0; i < N_LANGUAGES; i++)
        if (strlen(languages[i]) == n && !memcmp(languages[i], name, n))
            return (int)i;
    return -1;
}

bool tess_languages_check(const char *list, bool *ret_lm)
{
    bool any = false, english = false;
    for (const char *p = list; *p;) {
        const size_t n = strcspn(p, "+");
        const int i = find_language(p, n);
        if (i < 0)
            message("Failed loading language '%.*s'", (int)(n < 100 ? n : 100), p);
        any = any || i >= 0;
        english =
            english || (i >= 0 && (!strcmp(languages[i], "eng") || !strcmp(languages[i], "osd")));
        p += n + (p[n] == '+');
    }
    if (!any)
        message("Tesseract couldn't load any languages! See --list-langs");
    *ret_lm = english;
    return any;
}
