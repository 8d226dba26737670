/* SPDX-License-Identifier: BSD-2-Clause */
/* What the program says of itself, in the words that its callers look for. */
#ifndef PLATEN_CLI_TESSERACT_TELL_H
#define PLATEN_CLI_TESSERACT_TELL_H

#include <stdbool.h>

/* Each writes to standard output what the option of that name prints: --help, --version,
 * --list-langs and --print-parameters. */
void tess_tell_help(void);
void tess_tell_version(void);
void tess_tell_languages(void);
void tess_tell_settings(void);

#define TESS_MAX_LANGUAGES 256

/* Checks "deu+script/Greek+xxx", and gives the languages that it stands for, "deu+ell", of
 * TESS_MAX_LANGUAGES bytes with the zero. Names that are not there are told; false when that is all
 * of them. */
bool tess_languages_check(const char *list, char *ret);

#endif
