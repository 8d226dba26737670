/* SPDX-License-Identifier: BSD-2-Clause */
/* What a command line in the manner of tesseract asks for. */
#ifndef PLATEN_CLI_TESSERACT_REQUEST_H
#define PLATEN_CLI_TESSERACT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

/* The order is that in which tesseract writes them. */
enum tess_format {
    TESS_HOCR,
    TESS_ALTO,
    TESS_PAGE,
    TESS_TSV,
    TESS_PDF,
    TESS_BOX,
    TESS_TXT,
    TESS_FORMATS,
};

enum tess_task {
    TESS_READ,
    TESS_HELP,
    TESS_VERSION,
    TESS_LANGUAGES,
    TESS_SETTINGS,
};

#define TESS_MAX_IDLE 16
#define TESS_CONFIG_BYTES (1 << 16)

struct tess_request {
    enum tess_task task;
    const char *image, *base; /* "-" is standard input or output */
    bool formats[TESS_FORMATS];
    const char *languages;             /* "deu+eng"; NULL = not told */
    const char *words;                 /* a file, or NULL */
    const char *whitelist, *blacklist; /* or NULL */
    const char *separator;             /* of pages of text */
    int psm;                           /* 0..13 */
    int page;                          /* of each picture, from 1; 0 = all */
    double dpi;                        /* 0 = as the file tells */
    bool spaces, text_only, quiet;
    const char *idle[TESS_MAX_IDLE]; /* settings that change nothing here */
    size_t n_idle;
    char config[TESS_CONFIG_BYTES]; /* lines of configuration files */
    size_t config_bytes;
};

/* Reads argv[1..argc), to whose strings `r` points afterwards. False after a message. */
bool tess_request_parse(struct tess_request *r, int argc, char *const *argv);

/* Settings that change something by name, for --print-parameters; NULL behind the last. */
const char *tess_setting_name(size_t i);

#endif
