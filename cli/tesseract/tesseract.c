/* SPDX-License-Identifier: BSD-2-Clause */
/* platen with tesseract's command line, for programs that call tesseract. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/tesseract/read.h"
#include "cli/tesseract/tell.h"

static int answer(const struct tess_request *r)
{
    switch (r->task) {
    case TESS_READ:
        return tess_read(r);
    case TESS_HELP:
        tess_tell_help();
        break;
    case TESS_VERSION:
        tess_tell_version();
        break;
    case TESS_LANGUAGES:
        tess_tell_languages();
        break;
    case TESS_SETTINGS:
        tess_tell_settings();
        break;
    }
    return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static struct tess_request r;
    hold_standard_descriptors();
    keep_pictures_out_of_heaps();
    const int status = tess_request_parse(&r, argc, argv) ? answer(&r) : EXIT_FAILURE;
    return argc < 2 ? EXIT_FAILURE : status; /* tesseract without a word fails, too */
}
