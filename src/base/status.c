/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/status.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/system.h"
#include "base/text.h"

const char *platen_status_name(platen_status s)
{
    static const char *const names[] = {
        [PLATEN_OK] = "ok",
        [PLATEN_ERR_NOMEM] = "out of memory",
        [PLATEN_ERR_IO] = "input or output error",
        [PLATEN_ERR_FORMAT] = "malformed data",
        [PLATEN_ERR_UNSUPPORTED] = "unsupported",
        [PLATEN_ERR_LIMIT] = "limit exceeded",
        [PLATEN_ERR_ARG] = "invalid argument",
        [PLATEN_ERR_CANCELED] = "canceled",
        [PLATEN_ERR_INTERNAL] = "internal error",
    };
    return (size_t)s < PL_ARRAY_LEN(names) ? names[s] : "unknown status";
}

const char *platen_status_code(platen_status s)
{
    static const char *const codes[] = {
        [PLATEN_OK] = "ok",
        [PLATEN_ERR_NOMEM] = "memory",
        [PLATEN_ERR_IO] = "io",
        [PLATEN_ERR_FORMAT] = "malformed",
        [PLATEN_ERR_UNSUPPORTED] = "unsupported",
        [PLATEN_ERR_LIMIT] = "limit",
        [PLATEN_ERR_ARG] = "argument",
        [PLATEN_ERR_CANCELED] = "canceled",
        [PLATEN_ERR_INTERNAL] = "internal",
    };
    return (size_t)s < PL_ARRAY_LEN(codes) ? codes[s] : "unknown";
}

/* Of a text with names, before it is shortened, and of the reason behind it. */
#define WHOLE_BYTES 4800
#define REASON_BYTES 256

/* The message form of a text with names (base/text.h). */
static void make_plain(const char *text, char *ret)
{
    const size_t len = strlen(text);
    for (size_t i = 0; i < len;) {
        i += pl_name_piece(text + i, len - i, PL_NAME_MESSAGE, ret);
        ret += strlen(ret);
    }
    *ret = '\0';
}

/* Of a text that is too long the middle goes: what is wrong stands at its end. */
static void set_text(struct platen_error *err, const char *with_names)
{
    char text[4 * (WHOLE_BYTES + REASON_BYTES) + PL_NAME_PIECE];
    make_plain(with_names, text);
    static const char gap[] = "...";
    const size_t room = sizeof(err->text) - 1, half = (room - strlen(gap)) / 2;
    size_t len = strlen(text), n = pl_utf8_prefix(text, len, len > room ? half : room);
    memcpy(err->text, text, n);
    err->text[n] = '\0';
    if (len > room) {
        const char *end = text + len - half;
        while ((*end & 0xc0) == 0x80) /* within a character */
            end++;
        strcpy(err->text + n, gap);
        strcat(err->text, end);
    }
}

platen_status pl_fail(struct platen_error *err, platen_status code, const char *fmt, ...)
{
    assert(code != PLATEN_OK);
    if (err) {
        char text[WHOLE_BYTES];
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(text, sizeof(text), fmt, ap);
        va_end(ap);
        err->code = code;
        err->os_errno = 0;
        set_text(err, text);
    }
    return code;
}

platen_status pl_fail_errno(struct platen_error *err, platen_status code, const char *fmt, ...)
{
    int saved = errno;
    if (err) {
        char text[WHOLE_BYTES + REASON_BYTES];
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(text, WHOLE_BYTES, fmt, ap);
        va_end(ap);
        size_t n = strlen(text);
        const char *why = pl_system_error(saved);
        snprintf(text + n, sizeof(text) - n, ": %s", why ? why : "unknown error");
        err->code = code;
        err->os_errno = saved;
        set_text(err, text);
    }
    return code;
}

platen_status pl_fail_prefix(struct platen_error *err, platen_status code, const char *fmt, ...)
{
    if (err) {
        char text[WHOLE_BYTES + REASON_BYTES];
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(text, WHOLE_BYTES, fmt, ap);
        va_end(ap);
        size_t n = strlen(text);
        snprintf(text + n, sizeof(text) - n, "%s", err->text);
        set_text(err, text);
    }
    return code;
}

platen_status pl_fail_nomem(struct platen_error *err, size_t bytes, const char *what)
{
    return pl_fail(err, PLATEN_ERR_NOMEM, "out of memory (%zu bytes for %s)", bytes, what);
}

const char *pl_error_reason(const struct platen_error *err)
{
    const char *why = err->os_errno ? pl_system_error(err->os_errno) : NULL;
    return why ? why : err->text;
}

const char pl_need_end[] = "";

platen_status pl_need(const void *const *pointers, const char *function, const char *names,
                      struct platen_error *err)
{
    for (; *pointers != pl_need_end; pointers++) {
        const size_t n = strcspn(names, ",");
        if (!*pointers)
            return pl_fail(err, PLATEN_ERR_ARG, "%s: %.*s is NULL", function, (int)n, names);
        names += n + strspn(names + n, ", ");
    }
    return PLATEN_OK;
}
