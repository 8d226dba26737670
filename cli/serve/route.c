/* SPDX-License-Identifier: BSD-2-Clause */
/* The head of a request: where it goes, and whether its picture is taken. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/serve/exchange.h"

const char *request_header(struct exchange *x, const char *name)
{
    return MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, name);
}

static bool find_format(struct exchange *x, const char *name)
{
    struct platen_format f = {.size = sizeof(f)};
    for (size_t i = 0; platen_format_at(i, &f); i++)
        if (!strcmp(f.name, name)) {
            x->format = f.name;
            x->media_type = f.media_type;
            return f.stages <= x->server->o->stages;
        }
    return false;
}

static void refuse_format(struct exchange *x, const char *name)
{
    char names[256] = "";
    struct platen_format f = {.size = sizeof(f)};
    for (size_t i = 0; platen_format_at(i, &f); i++)
        if (f.stages <= x->server->o->stages)
            snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
                     *names ? ", " : "", f.name);
    refuse(x, MHD_HTTP_BAD_REQUEST, "this pipeline has no format '%.40s'; there are %s", name,
           names);
}

static enum MHD_Result read_argument(void *ctx, enum MHD_ValueKind kind, const char *key,
                                     const char *value)
{
    struct exchange *x = ctx;
    unsigned long long page;
    (void)kind;
    if (!strcmp(key, "format")) {
        if (!value || !find_format(x, value))
            refuse_format(x, value ? value : "");
    } else if (!strcmp(key, "name")) {
        free(x->name);
        x->name = strdup(value ? value : "");
        if (!x->name || !*x->name)
            refuse(x, MHD_HTTP_BAD_REQUEST, "name is empty");
    } else if (!strcmp(key, "page")) {
        if (!value || !read_count(value, 1000000, &page))
            refuse(x, MHD_HTTP_BAD_REQUEST, "page must be a number from 1");
        else
            x->page = (int)page;
    } else {
        refuse(x, MHD_HTTP_BAD_REQUEST,
               "parameter '%.40s' is unknown; there are format, name, page", key);
    }
    return x->status ? MHD_NO : MHD_YES;
}

/* The length of the picture from the head, before any of it is held. */
static void read_length(struct exchange *x)
{
    const char *length = request_header(x, MHD_HTTP_HEADER_CONTENT_LENGTH);
    const char *type = request_header(x, MHD_HTTP_HEADER_CONTENT_TYPE);
    unsigned long long n;
    size_t most = x->server->o->max_body;
    if (type && !strncasecmp(type, "multipart/", 10))
        refuse(x, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "the body must be the bytes of the picture");
    else if (request_header(x, MHD_HTTP_HEADER_TRANSFER_ENCODING))
        refuse(x, MHD_HTTP_LENGTH_REQUIRED, "a Content-Length is needed, and no chunks");
    else if (!length)
        refuse(x, MHD_HTTP_LENGTH_REQUIRED, "a Content-Length is needed");
    else if (!strcmp(length, "0"))
        refuse(x, MHD_HTTP_BAD_REQUEST, "no picture");
    else if (!read_count(length, UINT64_MAX, &n))
        refuse(x, MHD_HTTP_BAD_REQUEST, "the Content-Length is no number");
    else if (n > most)
        refuse(x, MHD_HTTP_CONTENT_TOO_LARGE, "%llu bytes long, more than the limit of %zu", n,
               most);
    else
        x->length = n;
}

static void hold(struct exchange *x)
{
    struct server *s = x->server;
    x->body = malloc(x->length);
    if (!x->body) {
        refuse(x, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory");
        return;
    }
    x->holds = true;
    x->next = s->holders;
    s->holders = x;
    s->holding++;
}

static void begin_page(struct exchange *x)
{
    struct server *s = x->server;
    static const char *const formats[] = {"png", "json", "txt"};
    find_format(x, formats[s->o->stages - 1]);
    MHD_get_connection_values(x->connection, MHD_GET_ARGUMENT_KIND, read_argument, x);
    if (!x->status)
        read_length(x);
    if (!x->status && s->holding >= s->most_holding)
        refuse(x, MHD_HTTP_TOO_MANY_REQUESTS, "%zu requests are in work or wait", s->holding);
    if (!x->status)
        hold(x);
}

static const struct route {
    const char *path, *methods; /* the second as Allow has it */
    void (*begin)(struct exchange *x);
} routes[] = {
    {"/v1/pages", "POST", begin_page},
    {"/health", "GET, HEAD", answer_health},
    {"/metrics", "GET, HEAD", answer_metrics},
};

static bool allows(const char *methods, const char *method)
{
    const char *at = strstr(methods, method);
    size_t n = strlen(method);
    return at && (at == methods || at[-1] == ' ') && (!at[n] || at[n] == ',');
}

void route_request(struct exchange *x, const char *url, const char *method)
{
    for (size_t i = 0; i < sizeof(routes) / sizeof(*routes); i++) {
        if (strcmp(routes[i].path, url))
            continue;
        if (!allows(routes[i].methods, method)) {
            refuse(x, MHD_HTTP_METHOD_NOT_ALLOWED, "%s takes %s", url, routes[i].methods);
            x->format = routes[i].methods;
        } else {
            routes[i].begin(x);
        }
        return;
    }
    refuse(x, MHD_HTTP_NOT_FOUND, "there is no '%.100s'; see /v1/pages, /health and /metrics", url);
}
