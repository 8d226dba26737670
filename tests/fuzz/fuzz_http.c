/* SPDX-License-Identifier: BSD-2-Clause */
/* Heads of requests, as libmicrohttpd gives them to the server: each is answered, or makes room for
 * a picture of the length that it names; and a refusal is JSON, whatever it repeats. Of first bytes
 * that can begin a request, fewer can.
 *
 * The first line is the method and the path; each further line an argument ("?format=txt"), or a
 * header ("Content-Length: 5"). */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/serve/exchange.h"

#define MAX_LINES 32
#define MAX_BODY 4096

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
        if (!x->holds || !x->body || x->length < 1 || x->length > MAX_BODY || !x->format)
            abort();
        return;
    }
    cJSON *text = cJSON_ParseWithLength(x->text, x->text_bytes);
    if (x->holds || x->status < 200 || x->status > 599 || !cJSON_IsObject(text))
        abort();
    const cJSON *status = cJSON_GetObjectItemCaseSensitive(text, "status");
    if (x->status != MHD_HTTP_OK && x->status != MHD_HTTP_SERVICE_UNAVAILABLE &&
        status->valueint != (int)x->status)
        abort();
    cJSON_Delete(text);
}

static void try_head(char *text, int stages)
{
    struct server_options o = {.queue = 1, .max_body = MAX_BODY, .stages = stages};
    struct listener listener = {.host = "127.0.0.9"};
    struct server s = {.o = &o, .most_holding = 1, .listener = &listener};
    struct exchange x = {.server = &s};
    char *rest = text, *line = strsep(&rest, "\n"), *url = strchr(line, ' ');
    request.n = 0;
    while (rest)
        add_line(strsep(&rest, "\n"));
    if (!url)
        return;
    *url++ = '\0';
    if (!strcmp(url, "/metrics")) /* asks the job, which is none of the head's business */
        return;
    if (check_head(&x))
        route_request(&x, url, line);
    check(&x);
    free(x.body);
    free(x.name);
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
    try_head(text, (int)(n % 3) + 1);
    free(text);
    return 0;
}
