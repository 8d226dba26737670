/* The outer form of line recognizers, detectors and language models, and the names of what they
 * tell (platen-model.5). */
#include "nn/graph.h"

#include <string.h>

#include "base/text.h"
#include "nn/le.h"

/* By enum pl_nn_kind. */
static const char sections[][PL_NN_SECTIONS][5] = {{"META", "ALPH", "TENS", "NODE", "DATA"},
                                                   {"META", "ALPH", "EMBD", "OUTP"},
                                                   {"META", "MAPS", "TENS", "NODE", "DATA"}};

const char *pl_nn_section_name(const struct pl_model *m, size_t i)
{
    return sections[m->kind][i];
}

/* By the number of sections and the name of the second one. */
static enum pl_nn_kind kind_of(const struct pl_model *m)
{
    if (m->size >= 28 && pl_le32(m->data + 24) == PL_NN_LANGUAGE_SECTIONS)
        return PL_NN_LANGUAGE;
    return m->size >= 100 && !memcmp(m->data + 96, "MAPS", 4) ? PL_NN_DETECTOR : PL_NN_LINE;
}

platen_status pl_nn_read_container(struct pl_model *m, struct platen_error *err)
{
    m->kind = kind_of(m);
    m->n_sections = m->kind == PL_NN_LANGUAGE ? PL_NN_LANGUAGE_SECTIONS : PL_NN_SECTIONS;
    return pl_container_read(m->data, m->size, 1, sections[m->kind], m->n_sections, m->section,
                             err);
}

static platen_status check_required(const struct pl_model *m, struct platen_error *err)
{
    static const char *const required[] = {"name", "version", "licence"};
    for (size_t i = 0; i < PL_ARRAY_LEN(required); i++)
        if (!pl_model_meta(m, required[i]))
            return pl_fail(err, PLATEN_ERR_FORMAT, "metadata key '%s' is missing", required[i]);
    return PLATEN_OK;
}

platen_status pl_nn_read_meta(struct pl_model *m, struct platen_error *err)
{
    platen_status s =
        pl_container_meta(&m->section[PL_NN_META], &m->arena, &m->meta, &m->n_meta, err);
    return s ? s : check_required(m, err);
}

static platen_status meta_pad(const struct pl_model *m, const char *key, int *ret,
                              struct platen_error *err)
{
    const char *v = pl_model_meta(m, key);
    int64_t n;
    if (!v || !pl_parse_int64(v, strlen(v), &n) || n < 0 || n > PL_NN_MAX_PAD)
        return pl_fail(err, PLATEN_ERR_FORMAT, "metadata key '%s' is missing or not 0 to %d", key,
                       PL_NN_MAX_PAD);
    *ret = (int)n;
    return PLATEN_OK;
}

/* NUL-terminated symbols. */
platen_status pl_nn_read_alphabet(struct pl_model *m, size_t n, bool blank, const char *const **ret,
                                  struct platen_error *err)
{
    const struct pl_nn_range *sec = &m->section[PL_NN_ALPH];
    const char **symbol = PL_NEW(&m->arena, const char *, n);
    if (!symbol)
        return pl_fail_nomem(err, n * sizeof(*symbol), "the alphabet");
    const char *p = (const char *)sec->data, *end = p + sec->size;
    for (size_t i = 0; i < n; i++) {
        const char *nul = p < end ? memchr(p, '\0', (size_t)(end - p)) : NULL;
        if (!nul || (blank && i == 0) != (nul == p) || nul - p > PL_NN_MAX_SYMBOL_BYTES ||
            !pl_container_is_text(p, (size_t)(nul - p)))
            return pl_fail(err, PLATEN_ERR_FORMAT, "malformed symbol %zu of the alphabet", i);
        symbol[i] = p;
        p = nul + 1;
    }
    if (p != end)
        return pl_fail(err, PLATEN_ERR_FORMAT, "the alphabet has more symbols than classes");
    *ret = symbol;
    return PLATEN_OK;
}

platen_status pl_nn_read_line(struct pl_model *m, struct platen_error *err)
{
    const struct pl_nn_tensor *in = &m->tensors[0], *out = &m->tensors[m->n_tensors - 1];
    m->line.height = in->height;
    m->line.stride = out->divisor;
    m->line.input_scale = in->scale;
    m->line.input_zero = in->zero;
    m->line.n_classes = out->channels;
    platen_status s = meta_pad(m, "pad_left", &m->line.pad_left, err);
    s = s ? s : meta_pad(m, "pad_right", &m->line.pad_right, err);
    return s ? s : pl_nn_read_alphabet(m, out->channels, true, &m->line.alphabet, err);
}

platen_status pl_nn_read_detector(struct pl_model *m, struct platen_error *err)
{
    const struct pl_nn_tensor *in = &m->tensors[0], *out = &m->tensors[m->n_tensors - 1];
    if (in->height != out->height * out->divisor)
        return pl_fail(err, PLATEN_ERR_FORMAT, "the steps of the maps are not square");
    if (out->channels > PL_NN_MAX_MAPS)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d maps", PL_NN_MAX_MAPS);
    m->detector = (struct pl_detector_model){.height = in->height,
                                             .rows = out->height,
                                             .stride = out->divisor,
                                             .input_scale = in->scale,
                                             .input_zero = in->zero,
                                             .n_maps = out->channels};
    return pl_nn_read_alphabet(m, out->channels, false, &m->detector.map, err);
}
