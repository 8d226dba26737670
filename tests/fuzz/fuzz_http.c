/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests, as libmicrohttpd gives them to the server: each is answered, or makes room for a
 * picture and takes it from its body, from that of a form, too; and a refusal is JSON, whatever it
 * repeats. Of first bytes that can begin a request, fewer can.
 *
 * The first line is the method and the path; each further line an argument ("?format=txt"), or a
 * header ("Content-Length: 5"). The body follows an empty line, and is handed over in pieces; of a
 * form each piece is one of a field, whose first byte says which. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/serve/exchange.h"

#define MAX_LINES 32
#define MAX_BODY 4096
#define PIECE 50

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The request that the functions of libmicrohttpd below tell about. */
static struct {
    char *names[MAX_LINES], *values[MAX_LINES]; /* a value is NULL where an argument has none */
    enum MHD_ValueKind kinds[MAX_LINES];
    int n;
} request;

const char *MHD_lookup_connection_value(struct MHD_Connection *connection, enum MHD_ValueKind kind,
                                        const char *key)
{
    (void)connection;
    for (int i = 0; i < request.n; i++)
        if (request.kinds[i] == kind && !strcasecmp(request.names[i], key))
            return request.values[i];
    return NULL;
}

int MHD_get_connection_values(struct MHD_Connection *connection, enum MHD_ValueKind kind,
                              MHD_KeyValueIterator iterator, void *ctx)
{
    int n = 0;
    (void)connection;
    for (int i = 0; i < request.n; i++) {
        if (request.kinds[i] != kind)
            continue;
        n++;
        if (iterator && iterator(ctx, kind, request.names[i], request.values[i]) != MHD_YES)
            break;
    }
    return n;
}

int MHD_get_connection_values_n(struct MHD_Connection *connection, enum MHD_ValueKind kind,
                                MHD_KeyValueIteratorN iterator, void *ctx)
{
    (void)connection;
    for (int i = 0; i < request.n; i++)
        if (request.kinds[i] == kind)
            iterator(ctx, kind, request.names[i], strlen(request.names[i]), request.values[i],
                     request.values[i] ? strlen(request.values[i]) : 0);
    return request.n;
}

static struct MHD_PostProcessor {
    MHD_PostDataIterator on_field;
    void *ctx;
    uint64_t at;
} form;

struct MHD_PostProcessor *MHD_create_post_processor(struct MHD_Connection *connection, size_t bytes,
                                                    MHD_PostDataIterator on_field, void *ctx)
{
    const char *type = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Type");
    (void)bytes;
    form = (struct MHD_PostProcessor){.on_field = on_field, .ctx = ctx};
    return type && strstr(type, "boundary=") ? &form : NULL;
}

enum MHD_Result MHD_post_process(struct MHD_PostProcessor *p, const char *data, size_t n)
{
    static const char *const keys[] = {"file", "format", "name", "page", "another-field"};
    const unsigned char what = (unsigned char)*data;
    if (what & 128)
        p->at = 0;
    enum MHD_Result r = p->on_field(p->ctx, MHD_POSTDATA_KIND, keys[what % 5],
                                    what & 64 ? "a.png" : NULL, NULL, NULL, data + 1, p->at, n - 1);
    p->at += n - 1;
    return r;
}

enum MHD_Result MHD_destroy_post_processor(struct MHD_PostProcessor *p)
{
    return p->at % 2 ? MHD_NO : MHD_YES;
}

/* There is no other connection. */
bool take_place_of_slow(struct exchange *x)
{
    (void)x;
    return false;
}

static void add_line(char *line)
{
    bool argument = *line == '?';
    char *value = strchr(line, argument ? '=' : ':');
    if (request.n == MAX_LINES || (!argument && !value))
        return;
    if (value)
        *value++ = '\0';
    if (!argument)
        value += strspn(value, " \t");
    request.names[request.n] = line + argument;
    request.values[request.n] = value;
    request.kinds[request.n++] = argument ? MHD_GET_ARGUMENT_KIND : MHD_HEADER_KIND;
}

static void check(const struct exchange *x)
{
    if (!x->status) {
        if (!x->holds || !x->body || x->got < 1 || x->got > MAX_BODY || !x->format)
            abort();
        return;
    }
    if (x->status < MHD_HTTP_BAD_REQUEST &&
        (!x->media_type || strcmp(x->media_type, "application/json")))
        return; /* the start page, or the answer to a preflight */
    cJSON *text = cJSON_ParseWithLength(x->text, x->text_bytes);
    if (x->status < 200 || x->status > 599 || !cJSON_IsObject(text))
        abort();
    const cJSON *status = cJSON_GetObjectItemCaseSensitive(text, "status");
    if (x->status != MHD_HTTP_OK && x->status != MHD_HTTP_SERVICE_UNAVAILABLE &&
        status->valueint != (int)x->status)
        abort();
    cJSON_Delete(text);
}

static void try_body(struct exchange *x, const char *body)
{
    for (size_t n = strlen(body); n; body += PIECE, n -= PIECE) {
        take_body(x, body, n < PIECE ? n : PIECE);
        if (n < PIECE)
            break;
    }
    if (!x->status)
        end_body(x);
}

static void try_request(char *text, size_t choice)
{
    struct server_options o = {.queue = 1,
                               .max_body = MAX_BODY,
                               .stages = (int)(choice % 3) + 1,
                               .origins = choice & 8 ? "https://a.example" : NULL,
                               .token = choice & 16 ? "0123456789abcdef" : NULL};
    struct listener listener = {.is_local = choice & 32, .host = "127.0.0.9"};
    struct server s = {.o = &o, .most_holding = 1, .listener = &listener};
    struct exchange x = {.server = &s};
    char *rest = text, *body = strstr(text, "\n\n"), *line = strsep(&rest, "\n"),
         *url = strchr(line, ' ');
    request.n = 0;
    if (body) {
        *body = '\0';
        body += 2;
    }
    while (rest)
        add_line(strsep(&rest, "\n"));
    if (!url)
        return;
    *url++ = '\0';
    if (!strcmp(url, "/metrics")) /* asks the job, which is none of the head's business */
        return;
    if (check_head(&x))
        route_request(&x, url, line);
    if (!x.status)
        try_body(&x, body ? body : "");
    check(&x);
    release_body(&x);
    free(x.name);
    free(x.pages);
    free(x.lang);
    free(x.lm);
    free(x.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const char *bytes = (const char *)data;
    if (can_begin_request(bytes, n) && !can_begin_request(bytes, n / 2))
        abort();
    char *text = malloc(n + 1);
    if (!text)
        return 0;
    memcpy(text, data, n);
    text[n] = '\0';
    try_request(text, n);
    free(text);
    return 0;
}
