/* SPDX-License-Identifier: BSD-2-Clause */
/* Scripts of letters, and letters of several scripts that look the same (A in Latin, Cyrillic and
 * Greek). */
#ifndef PL_RECOGNIZE_SCRIPTS_H
#define PL_RECOGNIZE_SCRIPTS_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "page/result.h"

/* Bits, so that several go into one number. Digits, marks and blanks are of no script. */
enum pl_script {
    PL_SCRIPT_NONE = 0,
    PL_SCRIPT_LATIN = 1,
    PL_SCRIPT_CYRILLIC = 2,
    PL_SCRIPT_GREEK = 4,
    PL_SCRIPT_OTHER = 8, /* every other one */
};

enum pl_script pl_script_of(uint32_t code_point);

/* Letters of a text by their scripts, in the width of Latin ones: a wide letter is two. */
struct pl_script_count {
    size_t all, of; /* letters, and those of the scripts that were asked for */
    size_t certain; /* those that look like no letter of another script, too */
};
struct pl_script_count pl_script_count(const char *text, unsigned scripts);

/* Puts the letters of a text that look alike into one script, to `ret`, which has room for
 * 2 * strlen(text) + 1 bytes. Returns whether no letter is of another one then. */
bool pl_script_put(const char *text, enum pl_script script, char *ret);

/* Exchanges letters that look alike so that a word is in one script. The letters that only one
 * script has decide. Where a word has none, a code (a letter with figures behind it, or with one
 * capital behind a hyphen) is Latin where it can be; if it begins with a capital, the network
 * decides where it read the word in one script and surely, or as a Roman number; else the line's
 * other letters do, else the page's, of a word that begins with a small letter first those of such
 * words; else it is in the `usual` script, which may be NONE. A word with one Greek or Cyrillic
 * letter among letters of the page's script stays (MΩ). A page that has letters of one script alone
 * stays as it is. New texts lie in `arena`. PLATEN_ERR_NOMEM.
 */
PL_MUST_USE platen_status pl_scripts_settle(struct pl_arena *arena, enum pl_script usual,
                                            struct pl_regions *regions, struct platen_error *err);

#endif
