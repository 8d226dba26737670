/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/records.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/io_fault.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/wait.h"

platen_status pl_records_open(struct pl_records *r, const char *path, char end,
                              struct platen_error *err)
{
    *r = (struct pl_records){.fd = STDIN_FILENO, .wake_fd = -1, .end = end};
    if (!strcmp(path, "-"))
        return PLATEN_OK;
    r->fd = pl_io_fails() ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    return r->fd < 0 ? pl_fail_errno(err, PLATEN_ERR_IO, "unable to open") : PLATEN_OK;
}

void pl_records_close(struct pl_records *r)
{
    if (r->fd > STDIN_FILENO)
        close(r->fd);
    pl_free(r->buf);
    *r = (struct pl_records){.fd = -1, .wake_fd = -1};
}

static enum pl_wait wait_for_bytes(const struct pl_records *r, int wait_ms)
{
    return r->wake_fd < 0 ? PL_WAIT_READY : pl_wait_for(r->fd, POLLIN, r->wake_fd, wait_ms);
}

/* *ret_any = false: nothing came in time. */
static platen_status read_more(struct pl_records *r, int wait_ms, bool *ret_any,
                               struct platen_error *err)
{
    if (r->at) { /* what is left of the record that has begun */
        memmove(r->buf, r->buf + r->at, r->len - r->at);
        r->len -= r->at;
        r->at = 0;
    }
    if (!r->buf) {
        r->buf = pl_alloc(PL_MAX_RECORD_BYTES, 1);
        if (!r->buf)
            return pl_fail_nomem(err, PL_MAX_RECORD_BYTES, "a list");
    }
    if (r->len == PL_MAX_RECORD_BYTES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "a name of more than %zu bytes", PL_MAX_RECORD_BYTES);
    for (;;) {
        enum pl_wait w = wait_for_bytes(r, wait_ms);
        *ret_any = w != PL_WAIT_TIME;
        if (w == PL_WAIT_TIME)
            return PLATEN_OK;
        if (w == PL_WAIT_WOKEN) {
            r->len = 0;
            r->eof = r->woken = true;
            return PLATEN_OK;
        }
        ssize_t n = pl_io_fails() ? -1 : read(r->fd, r->buf + r->len, PL_MAX_RECORD_BYTES - r->len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return pl_fail_errno(err, PLATEN_ERR_IO, "unable to read");
        r->len += (size_t)n;
        r->eof = n == 0;
        return PLATEN_OK;
    }
}

platen_status pl_records_next(struct pl_records *r, int wait_ms, const char **ret, size_t *ret_n,
                              struct platen_error *err)
{
    assert(wait_ms < 0 || r->wake_fd >= 0);
    assert(r->at <= r->len && r->len <= PL_MAX_RECORD_BYTES);
    size_t seen = 0; /* bytes of the record without its end */
    bool any = true;
    *ret = NULL;
    while (any) {
        const char *from = r->len > r->at ? r->buf + r->at : NULL;
        const char *stop = from ? memchr(from + seen, r->end, r->len - r->at - seen) : NULL;
        seen = r->len - r->at;
        if (stop || r->eof) {
            *ret_n = stop ? (size_t)(stop - from) : seen;
            *ret = stop || seen ? from : NULL;
            r->at += *ret_n + (stop != NULL);
            if (r->end == '\n' && *ret_n && from[*ret_n - 1] == '\r')
                --*ret_n;
            if (r->end == '\n' && *ret && !r->begun) {
                const size_t mark = pl_utf8_mark(*ret, *ret_n);
                *ret += mark;
                *ret_n -= mark;
            }
            r->begun = true;
            return PLATEN_OK;
        }
        platen_status s = read_more(r, wait_ms, &any, err);
        if (s)
            return s;
    }
    return PLATEN_OK;
}
