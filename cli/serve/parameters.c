/* SPDX-License-Identifier: BSD-2-Clause */
/* What a request says of itself: headers, and the parameters of its target or of a form. */
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

void take_parameter(struct exchange *x, const char *key, const char *value)
{
    unsigned long long page;
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
}

static enum MHD_Result read_argument(void *ctx, enum MHD_ValueKind kind, const char *key,
                                     const char *value)
{
    struct exchange *x = ctx;
    (void)kind;
    take_parameter(x, key, value);
    return x->status ? MHD_NO : MHD_YES;
}

void read_parameters(struct exchange *x)
{
    static const char *const formats[] = {"png", "json", "txt"};
    find_format(x, formats[x->server->o->stages - 1]);
    MHD_get_connection_values(x->connection, MHD_GET_ARGUMENT_KIND, read_argument, x);
}
