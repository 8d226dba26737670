/* SPDX-License-Identifier: BSD-2-Clause */
/* Way up, script and skew of pages, in the words of tesseract's page segmentation modes 0 and 2. */
#ifndef PLATEN_CLI_TESSERACT_OSD_H
#define PLATEN_CLI_TESSERACT_OSD_H

#include <stdbool.h>
#include <stddef.h>

#include "platen.h"

struct tess_osd {
    int fd; /* the output, in which something may stand already */
    size_t pages;
    bool failed; /* to write, or a page had no letters */
};

/* For platen_options.page; the context is a struct tess_osd. */
void tess_osd_page(void *ctx, const struct platen_page *page);
void tess_skew_page(void *ctx, const struct platen_page *page);
/* Closes the output, unless it is standard output; false when something failed. */
bool tess_osd_end(struct tess_osd *o);

#endif
