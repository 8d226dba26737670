/* SPDX-License-Identifier: BSD-2-Clause */
/* Warnings about pages that were read, and one summary of all. */
#ifndef PL_CLI_WARNINGS_H
#define PL_CLI_WARNINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "platen.h"

#define WARNINGS_NAMED 3
#define WARNINGS_TEXT 1600

struct warnings {
    size_t n;
    struct named_warning {
        char name[400];
        double share;
    } worst[WARNINGS_NAMED]; /* those of the largest shares, the largest first; as they came else */
    char only[800];          /* the text of the first one */
    size_t reason;           /* where in it stands what is behind the name */
    bool differ;             /* another one has another reason, or any has a share */
};

void warnings_add(struct warnings *all, const struct platen_warning *w);
/* "14 pages were read with warnings; the worst: 'a.png' (41 %), ...", "14 pages, as 'a.png':
 * reason" where all have the same, or the only one there is. */
void warnings_tell(const struct warnings *all, char ret[WARNINGS_TEXT]);

#endif
