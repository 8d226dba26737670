/* SPDX-License-Identifier: BSD-2-Clause */
/* The head of a request: where it goes, and whether its picture is taken. */
#include <string.h>

#include "cli/serve/exchange.h"

static void begin_page(struct exchange *x)
{
    read_parameters(x);
    if (!x->status)
        begin_body(x);
}

static const struct route {
    const char *path, *methods; /* the second as Allow has it */
    bool is_open;               /* to those without the token, too */
    void (*begin)(struct exchange *x);
} routes[] = {
    {"/v1/pages", "POST", false, begin_page},
    {"/health", "GET, HEAD", true, answer_health},
    {"/metrics", "GET, HEAD", false, answer_metrics},
    {"/", "GET, HEAD", true, answer_start_page},
    {"/openapi.json", "GET, HEAD", true, answer_openapi},
};

static bool allows(const char *methods, const char *method)
{
    const char *at = strstr(methods, method);
    size_t n = strlen(method);
    return at && (at == methods || at[-1] == ' ') && (!at[n] || at[n] == ',');
}

static void begin_route(struct exchange *x, const struct route *r, const char *method)
{
    if (x->origin && !strcmp(method, "OPTIONS")) {
        answer_preflight(x);
    } else if (!allows(r->methods, method)) {
        refuse(x, MHD_HTTP_METHOD_NOT_ALLOWED, "%s takes %s", r->path, r->methods);
        x->format = r->methods;
    } else if (r->is_open || check_token(x)) {
        r->begin(x);
    }
}

void route_request(struct exchange *x, const char *url, const char *method)
{
    for (size_t i = 0; i < sizeof(routes) / sizeof(*routes); i++)
        if (!strcmp(routes[i].path, url)) {
            begin_route(x, &routes[i], method);
            return;
        }
    refuse(x, MHD_HTTP_NOT_FOUND,
           "there is no '%.100s'; see /v1/pages, /openapi.json, /health and /metrics", url);
}
