/* SPDX-License-Identifier: BSD-2-Clause */
/* Two readings of a line, by models of different scripts. */
#ifndef PL_RECOGNIZE_FOREIGN_H
#define PL_RECOGNIZE_FOREIGN_H

#include "base/arena.h"
#include "base/status.h"
#include "page/result.h"

/* What the words of a reading say that are in scripts which the other one does not have: half of
 * their letters at least are. */
struct pl_foreign {
    size_t all, letters; /* letters of the reading; those of these words that are of the scripts */
    size_t certain; /* of the scripts, anywhere: those that look like no letter of another one */
    size_t chars;   /* of these words */
    float conf, other_conf; /* of them, and of what the other reading has in their places; the mean
                               by characters, 0 without any */
};

/* Compares a reading, doubted words among it, with another one; scripts are of enum pl_script. */
struct pl_foreign pl_foreign_compare(const struct pl_line *reading, const struct pl_line *other,
                                     unsigned scripts);
/* Takes words with letters of none of the scripts out of another reading, where they have as many
 * characters there, are read about as surely, and have letters that the model of `reading` does not
 * know, or that it took for letters of its scripts: a model of the Cyrillic script reads ü as a
 * letter of its own. New objects lie in `arena`. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_foreign_take_own(struct pl_arena *arena, unsigned scripts,
                                              const struct pl_line *other, struct pl_line *reading,
                                              struct platen_error *err);

#endif
