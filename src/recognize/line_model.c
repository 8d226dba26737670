/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/line_model.h"

#include <string.h>

#include "base/text.h"
#include "recognize/recognize_tuning.def"

#define MAX_HEIGHT 256
#define MAX_STRIDE 64
#define MAX_PAD 64

/* Takes the next of the symbols of several code points, which blanks part, in the place of a
 * replacement character. */
static const char *next_symbol(const char **list, struct pl_arena *arena)
{
    const size_t n = strcspn(*list, " ");
    const char *symbol = n ? pl_arena_strndup(arena, *list, n) : NULL;
    *list += n + ((*list)[n] == ' ');
    return symbol;
}

/* Reads the alphabet: each code point of the metadata is the symbol of a class, from class 1 on; a
 * replacement character stands for the next one of "symbols", where there is that key. */
static platen_status read_alphabet(const struct pl_network *n, struct pl_line_model *m,
                                   struct platen_error *err)
{
    const char *p = pl_network_meta(n, "alphabet"), *list = pl_network_meta(n, "symbols");
    if (!p || !*p)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "the network reads no lines: it has no metadata key 'alphabet'");
    const size_t bytes = strlen(p);
    const char **symbol = PL_NEW(&m->arena, const char *, bytes + 1);
    if (!symbol)
        return pl_fail_nomem(err, bytes * sizeof(*symbol), "the alphabet");
    symbol[0] = "";
    m->n_classes = 1;
    for (uint32_t c; *p;) {
        const size_t k = pl_utf8_get(p, strlen(p), &c); /* never 0: checked with the metadata */
        const bool listed = list && c == 0xfffd;
        if (listed && !strcspn(list, " "))
            return pl_fail(err, PLATEN_ERR_FORMAT, "metadata key 'symbols' has too few of them");
        symbol[m->n_classes] =
            listed ? next_symbol(&list, &m->arena) : pl_arena_strndup(&m->arena, p, k);
        if (!symbol[m->n_classes++])
            return pl_fail_nomem(err, k, "the alphabet");
        p += k;
    }
    m->alphabet = symbol;
    if (list && *list)
        return pl_fail(err, PLATEN_ERR_FORMAT, "metadata key 'symbols' has too many of them");
    return PLATEN_OK;
}

/* Reads the model's own bound of confidence; most have none. */
static platen_status read_min_conf(const struct pl_network *n, struct pl_line_model *m,
                                   struct platen_error *err)
{
    m->min_conf = -1;
    return pl_network_meta(n, "min_conf")
               ? pl_network_number(n, "min_conf", 0, 1, &m->min_conf, err)
               : PLATEN_OK;
}

static platen_status read_languages(const struct pl_network *n, struct pl_line_model *m,
                                    struct platen_error *err)
{
    const char *tags = pl_network_meta(n, "language");
    m->languages = tags ? pl_arena_strndup(&m->arena, tags, strlen(tags)) : "";
    return m->languages ? PLATEN_OK : pl_fail_nomem(err, strlen(tags), "the languages");
}

/* Checks that the input is one picture of one channel and a fixed height. */
static platen_status read_input(const struct pl_network *n, struct pl_line_model *m,
                                struct platen_error *err)
{
    const struct pl_ir *g = &n->g;
    const struct pl_tensor *t = g->n_inputs == 1 ? &g->values[g->inputs[0]].t : NULL;
    if (!t || t->type != PL_F32 || t->rank != 4 || (t->dims[0] != 1 && t->dims[0] != -1) ||
        t->dims[1] != 1 || t->dims[2] < 1 || t->dims[2] > MAX_HEIGHT || t->dims[3] >= 0)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "the network reads no lines: its input is not 1x1xHEIGHTx? floats");
    m->height = (int)t->dims[2];
    return PLATEN_OK;
}

platen_status pl_line_model_read(const struct pl_network *n, struct pl_line_model *ret,
                                 struct platen_error *err)
{
    struct pl_line_model m = {0};
    int zero = 0;
    double scale = 0;
    pl_arena_init(&m.arena);
    platen_status s = read_input(n, &m, err);
    s = s ? s : read_alphabet(n, &m, err);
    s = s ? s : read_min_conf(n, &m, err);
    s = s ? s : read_languages(n, &m, err);
    s = s ? s : pl_network_int(n, "stride", 1, MAX_STRIDE, &m.stride, err);
    s = s ? s : pl_network_int(n, "pad_left", 0, MAX_PAD, &m.pad_left, err);
    s = s ? s : pl_network_int(n, "pad_right", 0, MAX_PAD, &m.pad_right, err);
    s = s ? s : pl_network_int(n, "input_zero", 0, 255, &zero, err);
    s = s ? s : pl_network_number(n, "input_scale", 1e-6, 1e6, &scale, err);
    m.input_zero = (uint8_t)zero;
    m.input_scale = (float)scale;
    if (s)
        pl_arena_done(&m.arena);
    else
        *ret = m;
    return s;
}

/* Whether two networks take the same strips, and say the same by their classes. */
static bool reads_alike(const struct pl_line_model *a, const struct pl_line_model *b)
{
    bool same = a->height == b->height && a->stride == b->stride && a->pad_left == b->pad_left &&
                a->pad_right == b->pad_right && a->input_zero == b->input_zero &&
                a->n_classes == b->n_classes &&
                !memcmp(&a->input_scale, &b->input_scale, sizeof(a->input_scale));
    for (size_t i = 0; i < a->n_classes && same; i++)
        same = !strcmp(a->alphabet[i], b->alphabet[i]);
    return same;
}

platen_status pl_line_model_add_quick(struct pl_line_model *m, const struct pl_network *quick,
                                      struct platen_error *err)
{
    struct pl_line_model q;
    double sure = 0;
    platen_status s = pl_line_model_read(quick, &q, err);
    if (s)
        return s;
    s = pl_network_number(quick, "sure", 0, 1, &sure, err);
    if (!s && !reads_alike(m, &q))
        s = pl_fail(err, PLATEN_ERR_FORMAT,
                    "the network takes other lines, or has another alphabet, than the one that it "
                    "goes with");
    pl_line_model_done(&q);
    if (!s) {
        m->quick = quick;
        m->sure = (float)sure;
    }
    return s;
}

float pl_line_model_min_conf(const struct pl_line_model *m, float asked)
{
    return asked >= 0 ? asked : m->min_conf >= 0 ? (float)m->min_conf : LINE_MIN_CONF;
}

bool pl_line_model_tells(const struct pl_line_model *m, const char *tag)
{
    const size_t n = strlen(tag);
    for (const char *p = m->languages; *p; p += strspn(p, " ")) {
        const size_t k = strcspn(p, " ");
        if (k == n && !memcmp(p, tag, n))
            return true;
        p += k;
    }
    return false;
}

void pl_line_model_done(struct pl_line_model *m)
{
    pl_arena_done(&m->arena);
    *m = (struct pl_line_model){0};
}
