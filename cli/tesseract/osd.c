/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/tesseract/osd.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* Callers turn pages above a threshold of their own, OCRmyPDF above 14. platen knows only whether
 * the letters told. */
#define SURE 25.0
#define DOUBTFUL 0.5
/* Of a page whose words are read with confidence 1. */
#define SCRIPT_SURE 10.0

/* The first page takes the place of what stood in a file. */
static void put(struct tess_osd *o, const char *text)
{
    const size_t n = strlen(text);
    if (!o->pages++ && o->fd != STDOUT_FILENO && ftruncate(o->fd, 0) &&
        lseek(o->fd, 0, SEEK_CUR) >= 0)
        o->failed = true; /* what cannot seek is a pipe or a device */
    if (write(o->fd, text, n) != (ssize_t)n) {
        message("unable to write the output");
        o->failed = true;
    }
}

/* The mean confidence of its words, and in *ret_n how many there are. */
static double mean_confidence(const struct platen_page *page, size_t *ret_n)
{
    double sum = 0;
    *ret_n = 0;
    for (size_t b = 0; b < page->n_blocks; b++)
        for (size_t i = 0; i < page->blocks[b]->n_lines; i++) {
            const struct platen_line *l = page->blocks[b]->lines[i];
            for (size_t w = 0; w < l->n_words; w++)
                sum += l->words[w]->conf;
            *ret_n += l->n_words;
        }
    return *ret_n ? sum / (double)*ret_n : 0;
}

/* The script of most letters, as tesseract calls it. The first byte of a letter in UTF-8 tells. */
static const char *script_of(const struct platen_page *page)
{
    enum { LATIN, GREEK, CYRILLIC, SCRIPTS };
    static const char *const names[SCRIPTS] = {"Latin", "Greek", "Cyrillic"};
    size_t n[SCRIPTS] = {0}, most = LATIN;
    for (size_t b = 0; b < page->n_blocks; b++)
        for (size_t i = 0; i < page->blocks[b]->n_lines; i++)
            for (const char *p = page->blocks[b]->lines[i]->text; *p; p++) {
                const unsigned char c = (unsigned char)*p;
                n[LATIN] += isalpha(c) || (c >= 0xc3 && c <= 0xc9) || c == 0xe1;
                n[GREEK] += c == 0xce || c == 0xcf;
                n[CYRILLIC] += c >= 0xd0 && c <= 0xd3;
            }
    for (size_t i = 0; i < SCRIPTS; i++)
        most = n[i] > n[most] ? i : most;
    return names[most];
}

void tess_osd_page(void *ctx, const struct platen_page *page)
{
    struct tess_osd *o = ctx;
    char text[256];
    size_t words;
    const int rotate = 90 * page->quarters;
    const double sure = SCRIPT_SURE * mean_confidence(page, &words);
    if (!words) {
        message("Too few characters. Skipping this page");
        o->failed = true;
        return;
    }
    snprintf(text, sizeof(text),
             "Page number: %zu\nOrientation in degrees: %d\nRotate: %d\n"
             "Orientation confidence: %.2f\nScript: %s\nScript confidence: %.2f\n",
             o->pages, (360 - rotate) % 360, rotate,
             page->upright == PLATEN_UPRIGHT_SURE ? SURE : DOUBTFUL, script_of(page), sure);
    put(o, text);
}

/* The angle is in radians, and negative where the text rises to the right. */
void tess_skew_page(void *ctx, const struct platen_page *page)
{
    char text[128];
    const double angle = -page->angle_deg * M_PI / 180;
    snprintf(text, sizeof(text),
             "Orientation: 0\nWritingDirection: 0\nTextlineOrder: 2\nDeskew angle: %.4f\n",
             angle == 0 ? 0.0 : angle);
    put(ctx, text);
}

bool tess_osd_end(struct tess_osd *o)
{
    if (o->fd != STDOUT_FILENO && close(o->fd))
        o->failed = true;
    return !o->failed;
}
