/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of names: what is read from a socket in pieces are the pieces that a plain search for the
 * ends finds. The first byte says how records end and how long the pieces are. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/records.h"

#define MAX_BYTES 4096
#define MAX_PIECES 64 /* all of them lie in the socket before one is read */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The record at `at` without its end, and the first line without a mark of byte order; *at moves
 * behind it. False behind the last one. */
static bool find_record(const char *text, size_t n, char end, size_t *at, const char **ret,
                        size_t *ret_n)
{
    if (*at >= n)
        return false;
    const char *stop = memchr(text + *at, end, n - *at);
    size_t bytes = stop ? (size_t)(stop - text) - *at : n - *at;
    *ret = text + *at;
    *ret_n = bytes - (end == '\n' && bytes && text[*at + bytes - 1] == '\r');
    if (end == '\n' && !*at && *ret_n >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
        *ret += 3;
        *ret_n -= 3;
    }
    *at += bytes + 1;
    return true;
}

static void read_all(struct pl_records *r, const char *text, size_t n)
{
    struct platen_error err;
    const char *got, *want = NULL;
    size_t at = 0, got_bytes, want_bytes = 0;
    for (;;) {
        if (pl_records_next(r, -1, &got, &got_bytes, &err))
            abort();
        bool more = find_record(text, n, r->end, &at, &want, &want_bytes);
        if (more != (got != NULL))
            abort();
        if (!more)
            return;
        if (got_bytes != want_bytes || memcmp(got, want, got_bytes))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    int sides[2];
    if (n < 1 || n > MAX_BYTES || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sides))
        return 0;
    const char *text = (const char *)data + 1;
    size_t least = --n / MAX_PIECES + 1, piece = data[0] / 2 + least;
    for (size_t at = 0; at < n; at += piece)
        if (write(sides[1], text + at, n - at < piece ? n - at : piece) < 0)
            abort();
    close(sides[1]);
    struct pl_records r = {.fd = sides[0], .wake_fd = -1, .end = data[0] & 1 ? '\0' : '\n'};
    read_all(&r, text, n);
    pl_records_close(&r);
    return 0;
}
