/* SPDX-License-Identifier: BSD-2-Clause */
/* Journals, and the records that are merged: what parses can be asked for every page that it names,
 * and comes out sorted. */
#include <stdlib.h>
#include <string.h>

#include "files/journal.h"
#include "files/merge_shards.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* By page, and within a page by part, where the paths are the same. */
static bool comes_before(const struct pl_record *a, const struct pl_record *b)
{
    return strcmp(a->path, b->path) || a->page < b->page ||
           (a->page == b->page && a->part < b->part);
}

static void check_merge(const char *data, size_t n)
{
    struct pl_merge m;
    struct platen_error err;
    pl_merge_init(&m);
    if (!pl_merge_read(&m, 0, data, n, &err)) {
        size_t read = m.n;
        pl_merge_settle(&m);
        if (m.n + m.repeated != read)
            abort();
        for (size_t i = 0; i < m.n; i++)
            if (m.v[i].at + m.v[i].bytes >= n || data[m.v[i].at + m.v[i].bytes] != '\n' ||
                (i && !comes_before(&m.v[i - 1], &m.v[i])))
                abort();
    }
    pl_merge_done(&m);
}

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
            struct pl_journal_page known = pl_journal_find(&j, &in, &state);
            if ((known.done || known.begun) && !j.n)
                abort();
        }
    }
    pl_journal_close(&j);
    check_merge((const char *)data, n);
    return 0;
}
