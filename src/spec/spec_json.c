/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON form:
 *   {"preprocess": [OP, ...], "detect": OP, "recognize": OP}
 *   OP = "name" | {"op": "name", "param": value, ...} */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "spec/spec_build.h"

/* cJSON_Delete() when it leaves scope. */
static void delete_json(cJSON **j)
{
    cJSON_Delete(*j);
}

static platen_status set_value(struct pl_spec_builder *b, size_t i, const cJSON *value)
{
    if (cJSON_IsNumber(value))
        return pl_spec_build_number(b, i, value->valuedouble);
    const struct pl_op_info *op = b->p->steps[b->n_steps - 1].info;
    enum pl_param_kind kind = op->params[i].kind;
    bool word = kind == PL_PARAM_CHOICE || kind == PL_PARAM_TEXT || op->params[i].def_text;
    if (!word || !cJSON_IsString(value))
        return pl_spec_build_fail(b, PLATEN_ERR_ARG, "'%s' of %s must be a %s", op->params[i].name,
                                  op->name, word ? "string" : "number");
    return pl_spec_build_text(b, i, value->valuestring, strlen(value->valuestring));
}

static platen_status read_params(struct pl_spec_builder *b, const cJSON *object)
{
    bool seen_op = false;
    for (const cJSON *member = object->child; member; member = member->next) {
        if (!strcmp(member->string, "op")) {
            if (seen_op)
                return pl_spec_build_fail(b, PLATEN_ERR_ARG, "'op' is given twice");
            seen_op = true;
            continue;
        }
        size_t i;
        platen_status s = pl_spec_build_key(b, member->string, strlen(member->string), &i);
        if (!s)
            s = set_value(b, i, member);
        if (s)
            return s;
    }
    return PLATEN_OK;
}

static platen_status read_op(struct pl_spec_builder *b, enum platen_stage stage, const cJSON *op)
{
    const cJSON *name = cJSON_IsObject(op) ? cJSON_GetObjectItemCaseSensitive(op, "op") : op;
    if (!cJSON_IsString(name))
        return pl_spec_build_fail(b, PLATEN_ERR_ARG,
                                  "an operation is \"name\" or {\"op\": \"name\", ...}");
    platen_status s = pl_spec_build_op(b, stage, name->valuestring, strlen(name->valuestring));
    return s || op == name ? s : read_params(b, op);
}

static platen_status read_list(struct pl_spec_builder *b, const cJSON *list)
{
    if (!cJSON_IsArray(list) || !list->child)
        return pl_spec_build_fail(b, PLATEN_ERR_ARG, "must be an array of operations, not empty");
    size_t i = 0;
    for (const cJSON *op = list->child; op; op = op->next, i++) {
        snprintf(b->where, sizeof(b->where), "preprocess[%zu]", i);
        platen_status s = read_op(b, PLATEN_STAGE_PREPROCESS, op);
        if (s)
            return s;
    }
    return PLATEN_OK;
}

static platen_status check_keys(struct pl_spec_builder *b, const cJSON *root)
{
    unsigned seen = 0;
    if (!cJSON_IsObject(root))
        return pl_spec_build_fail(b, PLATEN_ERR_ARG, "the top must be an object");
    for (const cJSON *member = root->child; member; member = member->next) {
        struct pl_spec_nearest best = {0};
        unsigned s = PLATEN_STAGE_PREPROCESS;
        while (s <= PLATEN_STAGE_RECOGNIZE &&
               strcmp(member->string, platen_stage_name((enum platen_stage)s)))
            pl_spec_nearest_add(&best, platen_stage_name((enum platen_stage)s++), member->string,
                                strlen(member->string));
        char hint[96];
        if (s > PLATEN_STAGE_RECOGNIZE)
            return pl_spec_build_fail(
                b, PLATEN_ERR_ARG, "unknown key '%.40s'%s", member->string,
                pl_spec_nearest_text(&best, strlen(member->string), hint, sizeof(hint)));
        unsigned bit = 1u << (s - PLATEN_STAGE_PREPROCESS);
        if (seen & bit)
            return pl_spec_build_fail(b, PLATEN_ERR_ARG, "'%s' is given twice", member->string);
        seen |= bit;
    }
    if (seen & (seen + 1) || !seen)
        return pl_spec_build_fail(b, PLATEN_ERR_ARG,
                                  "detect needs preprocess before it, and recognize needs detect");
    return PLATEN_OK;
}

static platen_status read_root(struct pl_spec_builder *b, const cJSON *root)
{
    snprintf(b->where, sizeof(b->where), "JSON");
    platen_status s = check_keys(b, root);
    if (s)
        return s;
    snprintf(b->where, sizeof(b->where), "preprocess");
    s = read_list(b, cJSON_GetObjectItemCaseSensitive(root, "preprocess"));
    for (unsigned stage = PLATEN_STAGE_DETECT; !s && stage <= PLATEN_STAGE_RECOGNIZE; stage++) {
        const char *name = platen_stage_name((enum platen_stage)stage);
        const cJSON *op = cJSON_GetObjectItemCaseSensitive(root, name);
        if (!op)
            break;
        snprintf(b->where, sizeof(b->where), "%s", name);
        s = read_op(b, (enum platen_stage)stage, op);
    }
    return s;
}

/* cJSON recurses up to a thousand levels: nesting is checked before it sees the text. */
static size_t nesting(const char *text, size_t n)
{
    size_t depth = 0, deepest = 0;
    bool quoted = false;
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '{' || c == '['))
            deepest += ++depth > deepest;
        else if (!quoted && (c == '}' || c == ']') && depth)
            depth--;
    }
    return deepest;
}

static platen_status parse_json(const char *text, size_t n, cJSON **ret, size_t *ret_column,
                                struct platen_error *err)
{
    const char *end = NULL;
    if (n > PL_SPEC_MAX_JSON)
        return pl_fail(err, PLATEN_ERR_LIMIT, "pipeline: longer than %d bytes", PL_SPEC_MAX_JSON);
    if (nesting(text, n) > PL_SPEC_MAX_NESTING)
        return pl_fail(err, PLATEN_ERR_LIMIT, "pipeline: nested deeper than %d levels",
                       PL_SPEC_MAX_NESTING);
    *ret = n ? cJSON_ParseWithLengthOpts(text, n, &end, 0) : NULL;
    size_t at = end ? (size_t)(end - text) : 0;
    while (*ret && at < n && strchr(" \t\r\n", text[at]) && text[at])
        at++;
    if (*ret && at == n)
        return PLATEN_OK;
    size_t line = 1, column = 1;
    for (size_t i = 0; i < PL_MIN(at, n); i++) {
        column = text[i] == '\n' ? 1 : column + (((unsigned char)text[i] & 0xc0) != 0x80);
        line += text[i] == '\n';
    }
    *ret_column = line == 1 ? column : 0;
    return pl_fail(err, PLATEN_ERR_ARG, "pipeline, line %zu, column %zu: not JSON", line, column);
}

platen_status pl_spec_parse_json(const char *text, size_t n, struct platen_pipeline **ret,
                                 size_t *ret_column, struct platen_error *err)
{
    __attribute__((cleanup(delete_json))) cJSON *root = NULL;
    struct pl_spec_builder b;
    size_t column = 0;
    platen_status s = parse_json(text, n, &root, &column, err);
    if (!s)
        s = pl_spec_build_init(&b, err);
    if (!s) {
        s = read_root(&b, root);
        if (s)
            pl_spec_free(b.p);
        else
            *ret = b.p;
    }
    if (s && ret_column)
        *ret_column = column;
    return s;
}
