/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/warnings.h"

#include <stdio.h>
#include <string.h>

/* What stands behind the name in the text of a warning. */
static const char *reason_of(const struct platen_warning *w)
{
    const char *name = strstr(w->text, w->name);
    return name ? name + strlen(w->name) : w->text;
}

void warnings_add(struct warnings *all, const struct platen_warning *w)
{
    size_t kept = all->n < WARNINGS_NAMED ? all->n : WARNINGS_NAMED, at = kept;
    if (!all->n++) {
        snprintf(all->only, sizeof(all->only), "%s", w->text);
        const size_t reason = (size_t)(reason_of(w) - w->text);
        all->reason = reason < sizeof(all->only) ? reason : 0;
    }
    all->differ = all->differ || w->share > 0 || strcmp(reason_of(w), all->only + all->reason) != 0;
    while (at && all->worst[at - 1].share < w->share)
        at--;
    if (at == WARNINGS_NAMED)
        return;
    size_t behind = kept < WARNINGS_NAMED ? kept - at : WARNINGS_NAMED - 1 - at;
    memmove(&all->worst[at + 1], &all->worst[at], behind * sizeof(all->worst[0]));
    snprintf(all->worst[at].name, sizeof(all->worst[at].name), "%s", w->name);
    all->worst[at].share = w->share;
}

void warnings_tell(const struct warnings *all, char ret[WARNINGS_TEXT])
{
    if (all->n <= 1) {
        snprintf(ret, WARNINGS_TEXT, "%s", all->only);
        return;
    }
    if (!all->differ) {
        snprintf(ret, WARNINGS_TEXT, "%zu pages, as %s", all->n, all->only);
        return;
    }
    size_t named = all->n < WARNINGS_NAMED ? all->n : WARNINGS_NAMED;
    int len = snprintf(ret, WARNINGS_TEXT, "%zu pages were read with warnings%s", all->n,
                       named < all->n ? "; the worst:" : ":");
    for (size_t i = 0; i < named; i++) {
        const struct named_warning *w = &all->worst[i];
        len += snprintf(ret + len, WARNINGS_TEXT - (size_t)len, "%s %s", i ? "," : "", w->name);
        if (w->share > 0)
            len += snprintf(ret + len, WARNINGS_TEXT - (size_t)len, " (%.0f %%)", 100 * w->share);
    }
}
