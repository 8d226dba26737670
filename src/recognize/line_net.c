#include "recognize/line_net.h"

#include "base/mem.h"
#include "nn/session.h"

#define MAX_WIDTH_PX (1 << 20)
#define MAX_VALUE_BYTES ((size_t)1 << 30)

struct pl_line_net {
    const struct pl_line_model *model;
    const struct pl_kernels *k;
    struct pl_session *session;
    struct pl_tensor in;
    uint8_t *px;
    size_t room; /* pixels of px and of in.data */
};

platen_status pl_line_net_new(const struct pl_network *n, const struct pl_line_model *m,
                              const struct pl_kernels *k, struct pl_line_net **ret,
                              struct platen_error *err)
{
    pl_auto(line_net) l = pl_alloc_zero(1, sizeof(*l));
    if (!l)
        return pl_fail_nomem(err, sizeof(*l), "a network of lines");
    l->model = m;
    l->k = k;
    platen_status s = pl_session_new(&n->g, k, MAX_VALUE_BYTES, &l->session, err);
    if (!s)
        *ret = pl_steal(l);
    return s;
}

void pl_line_net_free(struct pl_line_net *l)
{
    if (!l)
        return;
    pl_session_free(l->session);
    pl_free(l->in.data);
    pl_free(l->px);
    pl_free(l);
}

uint8_t *pl_line_net_strip(struct pl_line_net *l, int width)
{
    const int64_t dims[] = {1, 1, l->model->height, width};
    size_t room = (size_t)1 << 14;
    if (width > MAX_WIDTH_PX || !pl_tensor_shape(&l->in, PL_F32, 4, dims))
        return NULL;
    const size_t n = pl_tensor_count(&l->in);
    while (room < n)
        room *= 2;
    if (n <= l->room)
        return l->px;
    pl_free(l->px);
    pl_free(l->in.data);
    l->px = pl_alloc(room, 1);
    l->in.data = pl_alloc(room, sizeof(float));
    l->room = l->px && l->in.data ? room : 0;
    return l->room ? l->px : NULL;
}

platen_status pl_line_net_run(struct pl_line_net *l, struct pl_line_scores *ret,
                              struct platen_error *err)
{
    const struct pl_line_model *m = l->model;
    const size_t steps = (size_t)(l->in.dims[3] / m->stride);
    l->k->dequantize_u8(l->in.data, l->px, pl_tensor_count(&l->in), m->input_scale, m->input_zero);
    platen_status s = pl_session_run(l->session, &l->in, err);
    if (s)
        return s;
    const struct pl_tensor *t = pl_session_output(l->session, 0);
    if (t->type != PL_F32 || t->rank < 2 || t->dims[t->rank - 1] != (int64_t)m->n_classes ||
        pl_tensor_count(t) != steps * m->n_classes)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "the network gives no %zu scores for each of %zu steps: its metadata "
                       "'alphabet' or 'stride' do not fit",
                       m->n_classes, steps);
    *ret = (struct pl_line_scores){t->data, steps};
    return PLATEN_OK;
}
