/* Journals: what parses can be asked for every page that it names. */
#include <stdlib.h>
#include <string.h>

#include "pipeline/journal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const stems[] = {"", "a", "x/b", "\xef\xbf\xbd"};
    struct pl_journal j = {.key = "k"};
    struct pl_input_state state = {.known = true, .size = 812, .mtime_ns = 5};
    struct platen_error err;
    size_t bytes = 0;
    pl_arena_init(&j.arena);
    if (!pl_journal_parse(&j, (const char *)data, n, &bytes, &err)) {
        if (bytes > n || (bytes && data[bytes - 1] != '\n') ||
            (bytes < n && memchr(data + bytes, '\n', n - bytes)))
            abort();
        for (size_t i = 0; i < sizeof(stems) / sizeof(*stems); i++) {
            struct pl_input in = {.stem = stems[i]};
            uint64_t output_bytes;
            bool known = pl_journal_has(&j, &in, &state, &output_bytes);
            if (known && !j.n)
                abort();
        }
    }
    pl_journal_close(&j);
    return 0;
}
