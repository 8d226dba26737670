/* The graph of a model file: tensors, nodes and their weights, every field checked. */
#include "nn/graph.h"

#include "nn/le.h"
#include "simd/qgemm.h"

#define TENSOR_BYTES 16
#define NODE_BYTES 96
#define NAME_BYTES 32
#define NO_RESIDUAL 0xffffffffu

static bool scale_ok(float s)
{
    return s >= 1e-12f && s <= 1e6f; /* false for a NaN */
}

static platen_status read_tensor(struct pl_model *m, size_t i, struct platen_error *err)
{
    const uint8_t *r = m->section[PL_NN_TENS].data + i * TENSOR_BYTES;
    struct pl_nn_tensor *t = &m->tensors[i];
    bool last = i == m->n_tensors - 1;
    *t = (struct pl_nn_tensor){r[0] == 2,      r[1],           pl_le16(r + 2),
                               pl_le16(r + 4), pl_le32(r + 8), pl_lef32(r + 12)};
    if (r[0] < 1 || r[0] > 2 || pl_le16(r + 6))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "tensor %zu is of an unknown kind", i);
    if (t->is_f32 != last)
        return pl_fail(err, PLATEN_ERR_FORMAT, "tensor %zu: only the last one holds floats", i);
    if (last ? t->zero || pl_le32(r + 12) : !scale_ok(t->scale))
        return pl_fail(err, PLATEN_ERR_FORMAT, "tensor %zu has a bad scale or zero point", i);
    size_t most = last ? PL_NN_MAX_CLASSES : PL_NN_MAX_CHANNELS;
    if (t->height < 1 || t->height > PL_NN_MAX_HEIGHT || t->channels < 1 || t->channels > most ||
        t->divisor < 1 || t->divisor > PL_NN_MAX_DIVISOR)
        return pl_fail(err, PLATEN_ERR_LIMIT, "tensor %zu has a shape beyond the limits", i);
    if (!last && t->channels % 16 && !(i == 0 && t->channels == 1))
        return pl_fail(err, PLATEN_ERR_FORMAT, "tensor %zu: channels not in blocks of 16", i);
    if (i == 0 && (t->channels != 1 || t->divisor != 1))
        return pl_fail(err, PLATEN_ERR_FORMAT, "the input is not a grey line");
    if (last && t->height != 1 && m->kind == PL_NN_LINE)
        return pl_fail(err, PLATEN_ERR_FORMAT, "the output is higher than one row");
    return PLATEN_OK;
}

static bool name_ok(const uint8_t *p)
{
    size_t n = 0;
    while (n < NAME_BYTES && p[n])
        if (p[n] < 0x21 || p[n++] > 0x7e)
            return false;
    if (n == 0 || n == NAME_BYTES)
        return false;
    for (; n < NAME_BYTES; n++)
        if (p[n])
            return false;
    return true;
}

static platen_status parse_node(struct pl_model *m, size_t i, struct platen_error *err)
{
    const uint8_t *r = m->section[PL_NN_NODE].data + i * NODE_BYTES;
    uint32_t residual = pl_le32(r + 12);
    m->nodes[i] = (struct pl_nn_node){
        .op = pl_le16(r),
        .relu = pl_le16(r + 2) & 1,
        .input = pl_le32(r + 4),
        .output = pl_le32(r + 8),
        .residual = residual == NO_RESIDUAL ? PL_NN_NONE : residual,
        .kernel_h = pl_le16(r + 16),
        .kernel_w = pl_le16(r + 18),
        .stride_h = pl_le16(r + 20),
        .stride_w = pl_le16(r + 22),
        .pad_top = pl_le16(r + 24),
        .pad_bottom = pl_le16(r + 26),
        .pad_x = pl_le16(r + 28),
        .name = (const char *)(r + 48),
    };
    if (!name_ok(r + 48))
        return pl_fail(err, PLATEN_ERR_FORMAT, "node %zu has a malformed name", i);
    if (m->nodes[i].op != PL_NN_CONV && m->nodes[i].op != PL_NN_DWCONV)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "node '%s': operation %u is not known",
                       m->nodes[i].name, pl_le16(r));
    if (pl_le16(r + 2) > 1 || pl_le16(r + 30) || pl_le64(r + 80) || pl_le64(r + 88))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "node '%s' has unknown flags",
                       m->nodes[i].name);
    return PLATEN_OK;
}

/* Inputs come from before, and node i makes tensor i + 1: so the order is topological. */
static platen_status check_edges(const struct pl_model *m, size_t i, bool *used,
                                 struct platen_error *err)
{
    const struct pl_nn_node *n = &m->nodes[i];
    if (n->input > i || n->output != i + 1 || (n->residual != PL_NN_NONE && n->residual > i))
        return pl_fail(err, PLATEN_ERR_FORMAT, "node '%s' is out of order", n->name);
    used[n->input] = true;
    if (n->residual == PL_NN_NONE)
        return PLATEN_OK;
    used[n->residual] = true;
    const struct pl_nn_tensor *a = &m->tensors[n->residual], *b = &m->tensors[n->output];
    if (n->op != PL_NN_CONV || b->is_f32 || a->height != b->height || a->divisor != b->divisor ||
        a->channels != b->channels)
        return pl_fail(err, PLATEN_ERR_FORMAT, "node '%s': the residual does not fit", n->name);
    return PLATEN_OK;
}

static bool conv_ok(const struct pl_nn_node *n, const struct pl_nn_tensor *in)
{
    bool kernel = n->kernel_h >= 1 && n->kernel_h <= 3 && (n->kernel_w == 1 || n->kernel_w == 3);
    bool stride = n->stride_h >= 1 && n->stride_h <= 2 && n->stride_w >= 1 && n->stride_w <= 2;
    bool pad = n->pad_top <= 1 && n->pad_bottom <= 1 && n->pad_x == (n->kernel_w - 1) / 2;
    return kernel && stride && pad && in->height + n->pad_top + n->pad_bottom >= n->kernel_h;
}

static bool dwconv_ok(const struct pl_nn_node *n, const struct pl_nn_tensor *in)
{
    bool kernel = n->kernel_h == 1 && n->kernel_w >= 3 && n->kernel_w <= PL_NN_MAX_DW_KERNEL &&
                  n->kernel_w % 2 == 1;
    return kernel && n->stride_h == 1 && n->stride_w == 1 && !n->pad_top && !n->pad_bottom &&
           n->pad_x == (n->kernel_w - 1) / 2 && in->height == 1 && in->channels % 16 == 0;
}

/* Infers the output's shape and compares it with the stored one. */
static platen_status check_shape(const struct pl_model *m, size_t i, struct platen_error *err)
{
    const struct pl_nn_node *n = &m->nodes[i];
    const struct pl_nn_tensor *in = &m->tensors[n->input], *out = &m->tensors[n->output];
    bool conv = n->op == PL_NN_CONV;
    if (!(conv ? conv_ok(n, in) : dwconv_ok(n, in)))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "node '%s': unsupported window", n->name);
    int height = (in->height + n->pad_top + n->pad_bottom - n->kernel_h) / n->stride_h + 1;
    if (out->height != height || out->divisor != in->divisor * n->stride_w ||
        (!conv && (out->channels != in->channels || out->is_f32)) || (n->relu && out->is_f32))
        return pl_fail(err, PLATEN_ERR_FORMAT, "node '%s' does not make its output", n->name);
    return PLATEN_OK;
}

/* Bytes of a weight run that no input byte belongs to must be zero: what they meet is undefined. */
static bool padding_is_zero(const struct pl_nn_node *n, size_t used, size_t blocks)
{
    size_t runs = pl_nn_stored_k(n) / n->run_bytes;
    for (size_t b = 0; b < blocks * runs; b++)
        for (size_t k = used; k < n->run_bytes; k++)
            for (size_t o = 0; o < 16; o++)
                if (n->weights[b * n->run_bytes * 16 + k / 4 * 64 + o * 4 + k % 4])
                    return false;
    return true;
}

static bool values_ok(const struct pl_nn_node *n, size_t channels)
{
    for (size_t o = 0; o < channels; o++)
        if (!scale_ok(n->scale[o]) || n->bias[o] > (1 << 30) || n->bias[o] < -(1 << 30))
            return false;
    return true;
}

/* Node i's data begins at *at: weights, biases, scales; moves *at behind them. Sizes fit: at most
 * 65536 channels times 4096 bytes. */
static platen_status read_data(struct pl_model *m, size_t i, size_t *at, struct platen_error *err)
{
    const uint8_t *r = m->section[PL_NN_NODE].data + i * NODE_BYTES;
    const struct pl_nn_range *data = &m->section[PL_NN_DATA];
    struct pl_nn_node *n = &m->nodes[i];
    size_t ic = n->op == PL_NN_CONV ? m->tensors[n->input].channels : 1;
    size_t used = (size_t)n->kernel_w * ic, channels = pl_nn_block_channels(m, n);
    n->run_bytes = (used + 3) & ~(size_t)3;
    size_t k = pl_nn_stored_k(n);
    if (k > PL_QGEMM_MAX_K)
        return pl_fail(err, PLATEN_ERR_LIMIT, "node '%s' sums more than %d products", n->name,
                       PL_QGEMM_MAX_K);
    size_t need = channels * k + 8 * channels;
    if (pl_le64(r + 32) != *at || pl_le64(r + 40) != need || need > data->size - *at)
        return pl_fail(err, PLATEN_ERR_FORMAT, "node '%s': its data is not where it must be",
                       n->name);
    n->weights = (const int8_t *)(data->data + *at);
    n->bias = (const int32_t *)(const void *)(n->weights + channels * k);
    n->scale = (const float *)(const void *)(n->bias + channels);
    *at += need;
    if (!padding_is_zero(n, used, channels / 16))
        return pl_fail(err, PLATEN_ERR_FORMAT, "node '%s': padding of the weights is not zero",
                       n->name);
    n->narrow = n->op == PL_NN_CONV &&
                pl_qgemm_is_narrow(n->weights, channels, (size_t)n->kernel_h, n->run_bytes);
    if (!values_ok(n, channels))
        return pl_fail(err, PLATEN_ERR_FORMAT, "node '%s' has a bad bias or scale", n->name);
    return PLATEN_OK;
}

/* Sizes of the record sections, and room for what they unpack to. */
static platen_status allocate(struct pl_model *m, bool **used, struct platen_error *err)
{
    size_t tens = m->section[PL_NN_TENS].size, nodes = m->section[PL_NN_NODE].size;
    m->n_tensors = tens / TENSOR_BYTES;
    m->n_nodes = nodes / NODE_BYTES;
    if (tens % TENSOR_BYTES || nodes % NODE_BYTES || !m->n_nodes || m->n_tensors != m->n_nodes + 1)
        return pl_fail(err, PLATEN_ERR_FORMAT, "numbers of nodes and tensors do not fit");
    if (m->n_nodes > PL_NN_MAX_NODES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d nodes", PL_NN_MAX_NODES);
    m->tensors = PL_NEW(&m->arena, struct pl_nn_tensor, m->n_tensors);
    m->nodes = PL_NEW(&m->arena, struct pl_nn_node, m->n_nodes);
    *used = PL_NEW(&m->arena, bool, m->n_tensors);
    if (!m->tensors || !m->nodes || !*used)
        return pl_fail_nomem(err, m->n_nodes * sizeof(*m->nodes), "the graph");
    return PLATEN_OK;
}

static platen_status read_nodes(struct pl_model *m, bool *used, struct platen_error *err)
{
    size_t at = 0;
    for (size_t i = 0; i < m->n_nodes; i++) {
        platen_status s = parse_node(m, i, err);
        s = s ? s : check_edges(m, i, used, err);
        s = s ? s : check_shape(m, i, err);
        s = s ? s : read_data(m, i, &at, err);
        if (s)
            return s;
    }
    if (at != m->section[PL_NN_DATA].size)
        return pl_fail(err, PLATEN_ERR_FORMAT, "the nodes do not fill section 'DATA'");
    return PLATEN_OK;
}

platen_status pl_nn_read_graph(struct pl_model *m, struct platen_error *err)
{
    bool *used = NULL;
    platen_status s = allocate(m, &used, err);
    for (size_t i = 0; i < m->n_tensors && !s; i++)
        s = read_tensor(m, i, err);
    s = s ? s : read_nodes(m, used, err);
    for (size_t i = 0; i + 1 < m->n_tensors && !s; i++)
        if (!used[i])
            s = pl_fail(err, PLATEN_ERR_FORMAT, "nothing reads tensor %zu", i);
    return s;
}
