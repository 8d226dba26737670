/* The text of `platen model info`. */
#include "nn/graph.h"

#include <inttypes.h>

static const char *op_name(const struct pl_nn_node *n)
{
    return n->op == PL_NN_DWCONV ? "dwconv" : "conv";
}

/* Products of one line of `width` pixels. */
static uint64_t node_macs(const struct pl_model *m, const struct pl_nn_node *n, int width)
{
    const struct pl_nn_tensor *in = &m->tensors[n->input], *out = &m->tensors[n->output];
    uint64_t sum =
        (uint64_t)n->kernel_h * (uint64_t)n->kernel_w * (n->op == PL_NN_CONV ? in->channels : 1);
    return sum * out->channels * (uint64_t)out->height * (uint64_t)(width / out->divisor);
}

/* Weights and biases that mean something, padding not counted. */
static uint64_t node_parameters(const struct pl_model *m, const struct pl_nn_node *n)
{
    const struct pl_nn_tensor *in = &m->tensors[n->input], *out = &m->tensors[n->output];
    uint64_t sum =
        (uint64_t)n->kernel_h * (uint64_t)n->kernel_w * (n->op == PL_NN_CONV ? in->channels : 1);
    return (sum + 1) * out->channels;
}

static void add_shape(struct pl_str *out, const struct pl_nn_tensor *t)
{
    pl_str_printf(out, "%dx", t->height);
    pl_str_puts(out, t->divisor == 1 ? "W" : "W/");
    if (t->divisor > 1)
        pl_str_printf(out, "%d", t->divisor);
    pl_str_printf(out, "x%zu", t->channels);
}

static void add_node(const struct pl_model *m, size_t i, struct pl_str *out)
{
    const struct pl_nn_node *n = &m->nodes[i];
    const struct pl_nn_tensor *z = &m->tensors[n->output];
    pl_str_printf(out, "  %3zu  %-18s %-6s  %dx%-2d /%d,%d  %4zu -> ", n->output, n->name,
                  op_name(n), n->kernel_h, n->kernel_w, n->stride_h, n->stride_w, n->input);
    size_t before = out->len;
    add_shape(out, z);
    while (out->len - before < 12)
        pl_str_putc(out, ' ');
    if (z->is_f32) {
        pl_str_puts(out, "  f32");
    } else {
        pl_str_puts(out, "  u8 ");
        pl_str_number(out, (double)z->scale, 6);
        pl_str_printf(out, " zero %u", z->zero);
    }
    if (n->relu)
        pl_str_puts(out, " relu");
    if (n->residual != PL_NN_NONE)
        pl_str_printf(out, " + %zu", n->residual);
    pl_str_putc(out, '\n');
}

static void add_sections(const struct pl_model *m, struct pl_str *out)
{
    pl_str_printf(out, "file: %zu bytes, format 1.0, all checksums match\n", m->size);
    for (size_t i = 0; i < m->n_sections; i++)
        pl_str_printf(out, "  %s  offset %-8zu %zu bytes\n", pl_nn_section_name(m, i),
                      m->section[i].offset, m->section[i].size);
}

static void add_language(const struct pl_language *l, struct pl_str *out)
{
    pl_str_printf(out,
                  "language model: %zu characters, guessed from %d contexts\n"
                  "table: %u rows of %zu u8, scale and offset beside each row\n",
                  l->n_symbols, PL_LANGUAGE_CONTEXTS, l->rows, l->width);
}

static void add_layers(const struct pl_model *m, const char *what, int width, struct pl_str *out)
{
    uint64_t macs = 0, parameters = 0;
    for (size_t i = 0; i < m->n_nodes; i++) {
        macs += node_macs(m, &m->nodes[i], width);
        parameters += node_parameters(m, &m->nodes[i]);
    }
    pl_str_puts(out, "quantisation: s8 weights per output channel, u8 activations per tensor\n");
    pl_str_printf(out, "parameters: %" PRIu64 "\nmultiply-adds per %s: %" PRIu64 "\nlayers:\n",
                  parameters, what, macs);
    for (size_t i = 0; i < m->n_nodes; i++)
        add_node(m, i, out);
}

static void add_detector(const struct pl_model *m, struct pl_str *out)
{
    const struct pl_detector_model *d = &m->detector;
    pl_str_printf(out, "input: grey tiles of %d rows and a multiple of %d columns; scale ",
                  d->height, d->stride);
    pl_str_number(out, (double)d->input_scale, 6);
    pl_str_printf(out, " zero %u\nmaps:", d->input_zero);
    for (size_t i = 0; i < d->n_maps; i++)
        pl_str_printf(out, " %s", d->map[i]);
    pl_str_puts(out, "\n");
    add_layers(m, "tile of 256 columns", 256, out);
}

static void add_recognizer(const struct pl_model *m, struct pl_str *out)
{
    const struct pl_line_model *lm = &m->line;
    pl_str_printf(out,
                  "input: %d px high grey lines, %d + %d blank columns, then a multiple of %d; "
                  "scale ",
                  lm->height, lm->pad_left, lm->pad_right, lm->stride);
    pl_str_number(out, (double)lm->input_scale, 6);
    pl_str_printf(out, " zero %u\n", lm->input_zero);
    pl_str_printf(out, "classes: %zu, the blank included\n", lm->n_classes);
    add_layers(m, "line of 320 columns", 320, out);
}

void pl_model_describe(const struct pl_model *m, struct pl_str *out)
{
    pl_str_printf(out, "%s %s\n", pl_model_meta(m, "name"), pl_model_meta(m, "version"));
    add_sections(m, out);
    if (m->kind == PL_NN_LANGUAGE)
        add_language(&m->language, out);
    else if (m->kind == PL_NN_DETECTOR)
        add_detector(m, out);
    else
        add_recognizer(m, out);
    pl_str_puts(out, "metadata:\n");
    for (size_t i = 0; i < m->n_meta; i++)
        pl_str_printf(out, "  %s=%s\n", m->meta[i].key, m->meta[i].value);
}
