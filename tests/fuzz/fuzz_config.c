/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of defaults: what is refused is refused with a message, and what is taken is an option of
 * the command with a value from the file. The first byte chooses the command. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/counted_messages.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

static void check(const struct arguments *a, unsigned command, const char *text, size_t n)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_info *o = &option_table[i];
        const char *v = a->value[i];
        if (a->given[i] != a->configured[i] || (v && !a->given[i]))
            abort();
        if (a->given[i] && (!(o->commands & command) || o->one_run || (v && !o->metavar)))
            abort();
        if (v && (v < text || v + strlen(v) > text + n || (!*v && !has_optional_value(o))))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    struct arguments a = {.operands = NULL};
    char *text = n ? malloc(n) : NULL; /* the byte of the command less, and a last NUL */
    if (!text)
        return 0;
    memcpy(text, data + 1, n - 1);
    text[n - 1] = '\0';
    const unsigned command = data[0] % 2 ? IN_RUN : IN_SERVE;
    messages = 0;
    if (config_take(&a, command, text) == (messages > 0))
        abort();
    check(&a, command, text, n);
    free(text);
    return 0;
}
