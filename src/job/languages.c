/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/languages.h"

#include <string.h>
#include <unistd.h>

#include "models/models.h"

static platen_status give_model(void *ctx, const char *tag, const struct pl_language **ret,
                                struct platen_error *err)
{
    struct pl_languages *l = ctx;
    size_t i = 0;
    *ret = NULL;
    while (i < l->n && strcmp(l->v[i].tag, tag) != 0)
        i++;
    if (i == l->n)
        return PLATEN_OK;
    struct pl_language_file *f = &l->v[i];
    pthread_mutex_lock(&l->lock);
    if (!f->opened) {
        f->status = pl_language_open(f->path.s, &f->model, &f->err);
        atomic_store(&f->opened, true);
    }
    pthread_mutex_unlock(&l->lock);
    if (f->status)
        *err = f->err;
    *ret = f->model;
    return f->status;
}

platen_status pl_languages_find(struct pl_languages *l, const char *model,
                                const struct pl_identifier *id, struct platen_error *err)
{
    l->models = (struct pl_language_models){.ctx = l, .open = give_model};
    pthread_mutex_init(&l->lock, NULL);
    for (size_t i = 0; i < id->s.n; i++) {
        struct pl_language_file *f = &l->v[l->n];
        f->tag = id->s.names[i];
        pl_str_reset(&f->path);
        pl_models_language_of(model, f->tag, &f->path);
        if (f->path.failed)
            return pl_fail_nomem(err, strlen(model), "a model's name");
        l->n += !access(f->path.s, F_OK);
    }
    return PLATEN_OK;
}

platen_status pl_languages_check(const struct pl_languages *l, const char **path,
                                 struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < l->n && !s; i++) {
        const struct pl_language_file *f = &l->v[i];
        *path = f->path.s;
        if (atomic_load(&f->opened) && !f->status)
            s = pl_map_check(&f->model->s.map, *path, false, err);
    }
    return s;
}

void pl_languages_count(const struct pl_languages *l, int *models, uint64_t *bytes)
{
    for (size_t i = 0; i < l->n; i++) {
        *models += l->v[i].model != NULL;
        *bytes += l->v[i].model ? l->v[i].model->s.bytes : 0;
    }
}

void pl_languages_done(struct pl_languages *l)
{
    for (size_t i = 0; i < PL_ARRAY_LEN(l->v); i++) {
        pl_language_free(l->v[i].model);
        pl_str_done(&l->v[i].path);
    }
    if (l->models.open)
        pthread_mutex_destroy(&l->lock);
}
