/* SPDX-License-Identifier: BSD-2-Clause */
/* What a word that is not known may have meant. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

#define LONGEST 40 /* of words that are compared */

/* How many letters have to be added, left out, replaced or swapped with the next one to make
 * b[0..n) of `a` (optimal string alignment); SIZE_MAX where a word is too long. */
static size_t distance(const char *a, const char *b, size_t n)
{
    size_t rows[3][LONGEST + 1], m = strlen(a);
    if (m > LONGEST || n > LONGEST)
        return SIZE_MAX;
    for (size_t i = 0; i <= m; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t k = 1; k <= n; k++) {
            row[k] = i ? row[k - 1] + 1 : k;
            if (!i)
                continue;
            size_t replaced = above[k - 1] + (a[i - 1] != b[k - 1]);
            row[k] = above[k] + 1 < row[k] ? above[k] + 1 : row[k];
            row[k] = replaced < row[k] ? replaced : row[k];
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] &&
                second[k - 2] + 1 < row[k])
                row[k] = second[k - 2] + 1;
        }
    }
    return rows[m % 3][n];
}

bool is_nearer(const char *candidate, const char *word, size_t n, size_t *best)
{
    const size_t m = strlen(candidate), longer = m > n ? m : n;
    const size_t d = distance(candidate, word, n);
    if (d >= *best || 3 * d > longer)
        return false;
    *best = d;
    return true;
}

/* Options of other programs, and what there is here in their place. */
static const struct {
    const char *name;
    char letter;
    const char *instead;
} foreign[] = {
    {"language", 'l', "languages are found; --lang tells which are expected"},
    {"psm", 0,
     "the layout of a page is found by itself; -p @line takes a picture of a single line"},
    {"oem", 0, "there is one engine"},
    {"dpi", 0, "the size of the letters is measured on the page"},
    {"image-dpi", 0, "the size of the letters is measured on the page"},
    {"tessdata-dir", 0, "--model takes the file of a model"},
    {"user-words", 0, "--words FILE has words to prefer"},
    {"list-langs", 0, "'platen detect-features' lists the models"},
    {"print-parameters", 0, "'platen ops' lists the parameters of every operation"},
    {"config", 'c', "parameters stand in the pipeline: see 'platen ops' and -p"},
    {"deskew", 'd', "pages are straightened as it is"},
    {"rotate-pages", 'r', "pages are set upright as it is"},
    {"jobs", 0, "-j N sets the number of threads"},
    {"output-type", 0, "-f takes the format"},
    {"sidecar", 0, "-f pdf,txt -o DIR/ writes both"},
};

/* Endings of files that platen does not write, and what there is in their place. */
static const struct {
    const char *endings;
    const char *instead;
} foreign_files[] = {
    {" doc docx odt rtf epub ", "-f html is for word processors"},
    {" xls xlsx ods ", "-f csv is for spreadsheets"},
    {" jpg jpeg jp2 gif webp bmp pgm ppm pbm ", "pictures are written as png, pnm or tiff"},
    {" xml ", "there are .alto.xml and .page.xml"},
    {" gz tgz bz2 xz zst zip tar 7z ", "packing is left to gzip, tar and zip"},
};

const char *instead_of_file(const char *path)
{
    char ending[8];
    const char *dot = strrchr(path, '.');
    if (!dot || strlen(dot) > 5)
        return NULL;
    snprintf(ending, sizeof(ending), " %s ", dot + 1);
    for (char *c = ending; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    for (size_t i = 0; i < sizeof(foreign_files) / sizeof(*foreign_files); i++)
        if (strstr(foreign_files[i].endings, ending))
            return foreign_files[i].instead;
    return NULL;
}

const char *instead_of_option(const char *name, size_t n, char letter)
{
    for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
        if (letter ? foreign[i].letter == letter
                   : strlen(foreign[i].name) == n && !memcmp(foreign[i].name, name, n))
            return foreign[i].instead;
    return NULL;
}
