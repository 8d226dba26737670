#include "nn/graph.h"

#include <string.h>

#include "base/mem.h"
#include "nn/le.h"

static platen_status check_bytes(struct pl_model *m, struct platen_error *err)
{
    platen_status s = pl_nn_read_container(m, err);
    s = s ? s : pl_nn_read_meta(m, err);
    if (s || m->kind == PL_NN_LANGUAGE)
        return s ? s : pl_nn_read_language(m, err);
    s = pl_nn_read_graph(m, err);
    if (s || m->kind == PL_NN_DETECTOR)
        return s ? s : pl_nn_read_detector(m, err);
    return pl_nn_read_line(m, err);
}

platen_status pl_model_open_memory(const void *data, size_t n, struct pl_model **ret,
                                   struct platen_error *err)
{
    if ((uintptr_t)data % 16)
        return pl_fail(err, PLATEN_ERR_ARG, "model bytes are not aligned to 16");
    pl_auto(model) m = pl_alloc_zero(1, sizeof(*m));
    if (!m)
        return pl_fail_nomem(err, sizeof(*m), "a model");
    pl_arena_init(&m->arena);
    m->data = data;
    m->size = n;
    platen_status s = check_bytes(m, err);
    if (!s)
        *ret = pl_steal(m);
    return s;
}

platen_status pl_model_open(const char *path, struct pl_model **ret, struct platen_error *err)
{
    struct pl_map map = {0};
    struct pl_model *m = NULL;
    platen_status s = pl_map_open(path, PL_NN_MAX_FILE_BYTES, &map, err);
    if (!s)
        s = pl_model_open_memory(map.data, map.size, &m, err);
    if (s) {
        pl_map_close(&map);
        return pl_fail_prefix(err, s, "unable to open model '%s': ", path);
    }
    m->map = map;
    *ret = m;
    return PLATEN_OK;
}

void pl_model_free(struct pl_model *m)
{
    if (!m)
        return;
    pl_arena_done(&m->arena);
    pl_map_close(&m->map);
    pl_free(m);
}

size_t pl_model_bytes(const struct pl_model *m)
{
    return m->size;
}

const char *pl_model_meta(const struct pl_model *m, const char *key)
{
    return pl_container_value(m->meta, m->n_meta, key);
}

const struct pl_line_model *pl_model_line(const struct pl_model *m)
{
    return m->kind == PL_NN_LINE ? &m->line : NULL;
}

const struct pl_language *pl_model_language(const struct pl_model *m)
{
    return m->kind == PL_NN_LANGUAGE ? &m->language : NULL;
}

const struct pl_detector_model *pl_model_detector(const struct pl_model *m)
{
    return m->kind == PL_NN_DETECTOR ? &m->detector : NULL;
}

size_t pl_nn_block_channels(const struct pl_model *m, const struct pl_nn_node *n)
{
    return (m->tensors[n->output].channels + 15) & ~(size_t)15;
}

size_t pl_nn_stored_k(const struct pl_nn_node *n)
{
    return n->op == PL_NN_DWCONV ? n->run_bytes : (size_t)n->kernel_h * n->run_bytes;
}
