/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/further.h"

#include <string.h>
#include <unistd.h>

#include "models/models.h"
#include "models/networks.h"

static platen_status open_model(const struct pl_further *f, struct pl_further_model *m,
                                struct platen_error *err)
{
    platen_status s = pl_network_load(m->path.s, NULL, &m->network, err);
    if (s)
        return s;
    pl_device_take(f->device, m->network, m->path.s);
    s = pl_line_model_read(m->network, &m->line, err);
    s = s ? s : pl_recognize_try(m->network, &m->line, f->kernels, err);
    if (s)
        return pl_fail_prefix(err, s, "'%s': ", m->path.s);
    if (m->language_path.len)
        s = pl_language_open(m->language_path.s, &m->language, err);
    const struct pl_text_models text = {
        .language = m->language, .identifier = f->identifier, .words = f->words};
    return s ? s : pl_recognize_decoder(&m->line, &text, f->args, &m->decoder, err);
}

static platen_status give_model(void *ctx, size_t i, struct pl_reading_model *ret,
                                struct platen_error *err)
{
    struct pl_further *f = ctx;
    struct pl_further_model *m = &f->v[i];
    pthread_mutex_lock(&f->lock);
    if (!m->opened) {
        m->status = open_model(f, m, &m->err);
        atomic_store(&m->opened, true);
    }
    pthread_mutex_unlock(&f->lock);
    if (m->status)
        *err = m->err;
    *ret = (struct pl_reading_model){m->network, m->decoder};
    return m->status;
}

void pl_further_init(struct pl_further *f, const struct pl_kernels *k, struct pl_device *device,
                     const struct pl_recognize_args *args)
{
    *f = (struct pl_further){.kernels = k, .device = device, .args = args};
    f->models = (struct pl_further_models){.uses = f->uses, .ctx = f, .open = give_model};
    pthread_mutex_init(&f->lock, NULL);
}

platen_status pl_further_add(struct pl_further *f, const char *path, unsigned uses,
                             struct platen_error *err)
{
    if (f->models.n == PL_MAX_FURTHER)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d models", PL_MAX_FURTHER + 1);
    f->uses[f->models.n] = uses;
    struct pl_further_model *m = &f->v[f->models.n++];
    pl_str_puts(&m->path, path);
    if (pl_recognize_language_wish(f->args) != PL_LANGUAGE_OFF)
        pl_models_language(path, &m->language_path);
    if (m->path.failed || m->language_path.failed)
        return pl_fail_nomem(err, strlen(path), "a model's name");
    if (m->language_path.len && access(m->language_path.s, F_OK))
        pl_str_reset(&m->language_path);
    return PLATEN_OK;
}

platen_status pl_further_open_all(struct pl_further *f, struct platen_error *err)
{
    struct pl_reading_model m;
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < f->models.n && !s; i++)
        s = give_model(f, i, &m, err);
    return s;
}

platen_status pl_further_check(const struct pl_further *f, const char **path,
                               struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < f->models.n && !s; i++) {
        const struct pl_further_model *m = &f->v[i];
        if (!atomic_load(&m->opened) || m->status)
            continue;
        *path = m->path.s;
        s = pl_map_check(&m->network->map, *path, false, err);
        if (s || !m->language)
            continue;
        *path = m->language_path.s;
        s = pl_map_check(&m->language->s.map, *path, false, err);
    }
    return s;
}

void pl_further_count(const struct pl_further *f, int *models, uint64_t *bytes)
{
    for (size_t i = 0; i < f->models.n; i++) {
        const struct pl_further_model *m = &f->v[i];
        *models += (m->network != NULL) + (m->language != NULL);
        *bytes += m->network ? m->network->map.size : 0;
        *bytes += m->language ? m->language->s.bytes : 0;
    }
}

void pl_further_done(struct pl_further *f)
{
    for (size_t i = 0; i < f->models.n; i++) {
        struct pl_further_model *m = &f->v[i];
        pl_decoder_free(m->decoder);
        pl_line_model_done(&m->line);
        pl_language_free(m->language);
        pl_network_free(m->network);
        pl_str_done(&m->path);
        pl_str_done(&m->language_path);
    }
    if (f->models.open)
        pthread_mutex_destroy(&f->lock);
}
