/* SPDX-License-Identifier: BSD-2-Clause */
/* What the program says of itself, in the words that its callers look for. */
#ifndef PLATEN_CLI_TESSERACT_TELL_H
#define PLATEN_CLI_TESSERACT_TELL_H

#include <stdbool.h>

void tess_tell_help(void);
void tess_tell_version(void);
void tess_tell_languages(void);
void tess_tell_settings(void);

/* Checks "deu+eng". Languages that are not there are told; false when that is all of them. *ret_lm:
 * whether the language model helps: it knows English alone. */
bool tess_languages_check(const char *languages, bool *ret_lm);

#endif
