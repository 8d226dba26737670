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

/* How many stages the pipeline of the request has. */
static int stages_of(const struct exchange *x)
{
    return x->pipeline ? platen_pipeline_stages(x->pipeline) : x->server->o->stages;
}

/* Returns the format, or a name of NULL. */
static struct platen_format find_format(const char *name)
{
    struct platen_format f = {.size = sizeof(f)};
    for (size_t i = 0; platen_format_at(i, &f); i++)
        if (!strcmp(f.name, name))
            return f;
    return (struct platen_format){.name = NULL};
}

static void refuse_format(struct exchange *x, const char *name)
{
    char names[256] = "";
    struct platen_format f = {.size = sizeof(f)};
    for (size_t i = 0; platen_format_at(i, &f); i++)
        if (f.stages <= stages_of(x))
            snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
                     *names ? ", " : "", f.name);
    refuse(x, MHD_HTTP_BAD_REQUEST, "this pipeline has no format '%.40s'; it has %s", name, names);
}

static void take_format(struct exchange *x, const char *name)
{
    x->format = find_format(name).name;
    if (!x->format)
        refuse_format(x, name);
}

static void take_pipeline(struct exchange *x, const char *name)
{
    const struct server_options *o = x->server->o;
    char names[256] = "";
    x->pipeline = NULL;
    for (size_t i = 0; i < o->n_pipelines && !x->pipeline; i++) {
        if (!strcmp(o->pipelines[i].name, name))
            x->pipeline = o->pipelines[i].pipeline;
        snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s", *names ? "; " : "",
                 o->pipelines[i].name);
    }
    if (!x->pipeline)
        refuse(x, MHD_HTTP_BAD_REQUEST, "the pipeline '%.40s' is not allowed here; allowed: %s",
               name, names);
}

/* Takes a text that must not be empty. */
static void take_text(struct exchange *x, const char *key, const char *value, char **ret)
{
    free(*ret);
    *ret = strdup(value);
    if (!*ret)
        refuse(x, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory");
    else if (!*value)
        refuse(x, MHD_HTTP_BAD_REQUEST, "%s is empty", key);
}

/* Takes codes of languages. A '+' between them comes as a blank in a target. */
static void take_languages(struct exchange *x, const char *value)
{
    take_text(x, "lang", value, &x->lang);
    for (char *p = x->lang; p && (p = strchr(p, ' '));)
        *p = '+';
}

void take_parameter(struct exchange *x, const char *key, const char *value)
{
    value = value ? value : "";
    if (!strcmp(key, "format"))
        take_format(x, value);
    else if (!strcmp(key, "name"))
        take_text(x, key, value, &x->name);
    else if (!strcmp(key, "pages"))
        take_text(x, key, value, &x->pages);
    else if (!strcmp(key, "pipeline"))
        take_pipeline(x, value);
    else if (!strcmp(key, "lang"))
        take_languages(x, value);
    else if (!strcmp(key, "lm"))
        take_text(x, key, value, &x->lm);
    else
        refuse(x, MHD_HTTP_BAD_REQUEST,
               "parameter '%.40s' is unknown; there are format, lang, lm, name, pages, pipeline",
               key);
}

void settle_parameters(struct exchange *x)
{
    static const char *const usual[] = {"png", "json", "txt"};
    const char *name = x->format ? x->format : usual[stages_of(x) - 1];
    const struct platen_format f = find_format(name);
    if (f.stages > stages_of(x)) {
        refuse_format(x, name);
        return;
    }
    x->format = f.name;
    x->media_type = f.media_type;
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
    MHD_get_connection_values(x->connection, MHD_GET_ARGUMENT_KIND, read_argument, x);
}
