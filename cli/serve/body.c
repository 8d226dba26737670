/* SPDX-License-Identifier: BSD-2-Clause */
/* The body of a request: the bytes of a picture, or a form that has it among its fields; of a
 * length that the head tells, or in chunks. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/serve/exchange.h"

#define FIRST_CHUNK_BYTES ((size_t)64 << 10) /* that are held for a body of unknown length */
#define FORM_HEAD_BYTES 8192                 /* of libmicrohttpd, for the head of a field */
#define MOST_FIELD_BYTES 4096

/* A form as it comes in. A field comes in pieces, and is complete when the next one begins. */
struct form {
    struct MHD_PostProcessor *parser;
    char key[16]; /* of the field that comes in; empty = none */
    char value[MOST_FIELD_BYTES];
    size_t n;
    char part[16]; /* the beginning of the key of the field or picture that came last */
    bool no_bytes; /* of it have come yet */
    bool has_picture;
};

/* Appends to the picture, which may become as long as `max_body`. */
static bool append(struct exchange *x, const char *data, size_t n)
{
    const size_t most = x->server->o->max_body;
    if (n > most - x->got) {
        refuse(x, MHD_HTTP_CONTENT_TOO_LARGE, "more bytes than the limit of %zu", most);
        return false;
    }
    if (n > x->room - x->got) {
        size_t room = x->room > most / 2 ? most : 2 * x->room;
        room = room < x->got + n ? x->got + n : room;
        char *body = realloc(x->body, room);
        if (!body) {
            refuse(x, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory");
            return false;
        }
        x->body = body;
        x->room = room;
    }
    memcpy(x->body + x->got, data, n);
    x->got += n;
    return true;
}

static void end_field(struct exchange *x)
{
    struct form *f = x->form;
    if (!*f->key)
        return;
    f->value[f->n] = '\0';
    take_parameter(x, f->key, f->value);
    *f->key = '\0';
}

static bool begin_picture(struct exchange *x, const char *filename)
{
    struct form *f = x->form;
    end_field(x);
    if (f->has_picture && !x->status)
        refuse(x, MHD_HTTP_BAD_REQUEST, "a form has one picture, and this one has more");
    f->has_picture = true;
    if (filename && *filename && !x->name)
        x->name = strdup(filename);
    return !x->status;
}

/* Whether a field or picture begins. libmicrohttpd may tell of one before its first byte is there,
 * and then once more with that byte. */
static bool is_new(struct form *f, const char *key, uint64_t at, size_t n)
{
    const bool same = f->no_bytes && !strncmp(f->part, key, sizeof(f->part) - 1);
    snprintf(f->part, sizeof(f->part), "%s", key);
    f->no_bytes = !at && !n;
    return !at && !same;
}

static bool take_field(struct exchange *x, const char *key, const char *data, bool begins, size_t n)
{
    struct form *f = x->form;
    if (begins) {
        end_field(x);
        snprintf(f->key, sizeof(f->key), "%s", key);
        f->n = 0;
    }
    if (n >= sizeof(f->value) - f->n)
        refuse(x, MHD_HTTP_BAD_REQUEST, "the field '%.40s' is too long", key);
    if (x->status)
        return false;
    memcpy(f->value + f->n, data, n);
    f->n += n;
    return true;
}

/* A field that is named `file`, or has the name of a file, is the picture. */
static enum MHD_Result on_field(void *ctx, enum MHD_ValueKind kind, const char *key,
                                const char *filename, const char *type, const char *coding,
                                const char *data, uint64_t at, size_t n)
{
    struct exchange *x = ctx;
    (void)kind;
    (void)type;
    (void)coding;
    const bool begins = is_new(x->form, key, at, n);
    if (filename || !strcmp(key, "file")) {
        if (begins && !begin_picture(x, filename))
            return MHD_NO;
        return append(x, data, n) ? MHD_YES : MHD_NO;
    }
    return take_field(x, key, data, begins, n) ? MHD_YES : MHD_NO;
}

static bool is_form(struct exchange *x)
{
    const char *type = request_header(x, MHD_HTTP_HEADER_CONTENT_TYPE);
    return type && !strncasecmp(type, "multipart/", 10);
}

static void open_form(struct exchange *x)
{
    x->form = calloc(1, sizeof(*x->form));
    if (!x->form) {
        refuse(x, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory");
        return;
    }
    x->form->parser = MHD_create_post_processor(x->connection, FORM_HEAD_BYTES, on_field, x);
    if (!x->form->parser)
        refuse(x, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE,
               "the body must be a picture, or a form of type multipart/form-data");
}

/* What the head says of the body's length: bytes to hold at first. */
static size_t read_length(struct exchange *x)
{
    const char *length = request_header(x, MHD_HTTP_HEADER_CONTENT_LENGTH),
               *coding = request_header(x, MHD_HTTP_HEADER_TRANSFER_ENCODING);
    unsigned long long n = FIRST_CHUNK_BYTES;
    size_t most = x->server->o->max_body;
    x->closes = coding && strcasecmp(coding, "chunked"); /* nobody knows where such a body ends */
    if (x->closes)
        refuse(x, MHD_HTTP_NOT_IMPLEMENTED, "the transfer coding '%.40s' is unknown", coding);
    else if (!coding && !length)
        refuse(x, MHD_HTTP_LENGTH_REQUIRED, "a Content-Length is needed, or chunks");
    else if (!coding && !strcmp(length, "0"))
        refuse(x, MHD_HTTP_BAD_REQUEST, "no picture");
    else if (!coding && !read_count(length, UINT64_MAX, &n))
        refuse(x, MHD_HTTP_BAD_REQUEST, "the Content-Length is no number");
    else if (!coding && n > most)
        refuse(x, MHD_HTTP_CONTENT_TOO_LARGE, "%llu bytes long, more than the limit of %zu", n,
               most);
    return n < most ? (size_t)n : most;
}

void begin_body(struct exchange *x)
{
    struct server *s = x->server;
    x->room = read_length(x);
    if (!x->status && s->holding >= s->most_holding && !take_place_of_slow(x))
        refuse(x, MHD_HTTP_TOO_MANY_REQUESTS, "%zu requests are in work or wait", s->holding);
    if (!x->status && is_form(x))
        open_form(x);
    else if (!x->status)
        settle_parameters(x);
    if (x->status)
        return;
    x->body = malloc(x->room);
    if (!x->body) {
        refuse(x, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory");
        return;
    }
    enter_queue(x);
}

void take_body(struct exchange *x, const char *data, size_t n)
{
    if (x->status)
        return; /* thrown away */
    if (!x->form)
        append(x, data, n);
    else if (MHD_post_process(x->form->parser, data, n) == MHD_NO && !x->status)
        refuse(x, MHD_HTTP_BAD_REQUEST, "the form is malformed");
}

void end_body(struct exchange *x)
{
    struct form *f = x->form;
    if (f) {
        bool whole = MHD_destroy_post_processor(f->parser) == MHD_YES;
        f->parser = NULL;
        if (!x->status && !whole)
            refuse(x, MHD_HTTP_BAD_REQUEST, "the form is cut off");
        if (!x->status)
            end_field(x);
        if (!x->status)
            settle_parameters(x);
    }
    if (!x->status && !x->got)
        refuse(x, MHD_HTTP_BAD_REQUEST,
               f ? "no picture: the form needs a field 'file' with one" : "no picture");
}

void release_body(struct exchange *x)
{
    if (x->form) {
        if (x->form->parser)
            MHD_destroy_post_processor(x->form->parser);
        free(x->form);
        x->form = NULL;
    }
    free(x->body);
    x->body = NULL;
}
