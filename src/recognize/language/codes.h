/* SPDX-License-Identifier: BSD-2-Clause */
/* The codes by which people name the languages that pages are told to be in. */
#ifndef PL_RECOGNIZE_CODES_H
#define PL_RECOGNIZE_CODES_H

#include <stddef.h>

#include "recognize/language/scripts.h"

/* Returns the tag of BCP 47 ("de") of a language by its code of ISO 639, of two letters or of three
 * ("de", "deu", "ger"); NULL where that is of none that platen tells. */
const char *pl_language_of_code(const char *code, size_t n);
/* Returns the script in which a language, a tag of BCP 47, is read. */
enum pl_script pl_script_of_language(const char *tag);

#endif
