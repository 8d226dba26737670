/* What an opened model is inside of nn: the container's records, checked and unpacked. */
#ifndef PL_NN_GRAPH_H
#define PL_NN_GRAPH_H

#include "base/arena.h"
#include "base/file.h"
#include "nn/container.h"
#include "nn/language.h"
#include "nn/model.h"

/* Limits of the format, tested before anything else uses the values. */
#define PL_NN_MAX_FILE_BYTES ((size_t)1 << 30)
#define PL_NN_MAX_META_BYTES ((size_t)64 << 10)
#define PL_NN_MAX_META_KEYS 256
#define PL_NN_MAX_NODES 1024
#define PL_NN_MAX_HEIGHT 256
#define PL_NN_MAX_CHANNELS 4096
#define PL_NN_MAX_CLASSES 65536
#define PL_NN_MAX_MAPS 64
#define PL_NN_MAX_DIVISOR 16
#define PL_NN_MAX_SYMBOL_BYTES 16
#define PL_NN_MAX_PAD 64
#define PL_NN_MAX_DW_KERNEL 31
#define PL_NN_MAX_ROWS ((uint32_t)1 << 22)
#define PL_NN_MAX_WIDTH 256

enum pl_nn_op {
    PL_NN_CONV = 1,
    PL_NN_DWCONV = 2,
};

/* height x (width of the line / divisor) x channels, channels innermost. */
struct pl_nn_tensor {
    bool is_f32;
    uint8_t zero;
    int height, divisor;
    size_t channels;
    float scale; /* of a u8 tensor: value = (q - zero) * scale */
};

struct pl_nn_node {
    enum pl_nn_op op;
    bool relu;
    size_t input, output;
    size_t residual; /* PL_NN_NONE where there is none */
    int kernel_h, kernel_w, stride_h, stride_w;
    int pad_top, pad_bottom, pad_x; /* pad_x columns on each side */
    size_t run_bytes;               /* conv: of one kernel row; dwconv: taps; rounded up to 4 */
    const int8_t *weights;
    bool narrow; /* conv: pl_qgemm_is_narrow() */
    const int32_t *bias;
    const float *scale;
    const char *name;
};

#define PL_NN_NONE SIZE_MAX

/* Of a line recognizer. A detector has MAPS in the place of ALPH; a language model has EMBD and
 * OUTP behind the first two. */
enum pl_nn_section {
    PL_NN_META,
    PL_NN_ALPH,
    PL_NN_TENS,
    PL_NN_NODE,
    PL_NN_DATA,
    PL_NN_SECTIONS,
    PL_NN_EMBD = PL_NN_ALPH + 1,
    PL_NN_OUTP,
    PL_NN_LANGUAGE_SECTIONS
};

struct pl_model {
    struct pl_map map; /* empty when the bytes are borrowed */
    const uint8_t *data;
    size_t size;
    enum pl_nn_kind { PL_NN_LINE, PL_NN_LANGUAGE, PL_NN_DETECTOR } kind;
    size_t n_sections;
    struct pl_nn_range section[PL_NN_SECTIONS];
    struct pl_arena arena; /* all that follows points into it or into the file */
    struct pl_nn_meta *meta;
    size_t n_meta;
    struct pl_nn_tensor *tensors; /* n_nodes + 1: the input, then the output of each node */
    struct pl_nn_node *nodes;
    size_t n_tensors, n_nodes;
    struct pl_line_model line;
    struct pl_language language;
    struct pl_detector_model detector;
};

/* The steps of opening, in this order; each relies on those before it. */
platen_status pl_nn_read_container(struct pl_model *m, struct platen_error *err);
platen_status pl_nn_read_meta(struct pl_model *m, struct platen_error *err);
platen_status pl_nn_read_graph(struct pl_model *m, struct platen_error *err);
platen_status pl_nn_read_line(struct pl_model *m, struct platen_error *err);
platen_status pl_nn_read_language(struct pl_model *m, struct platen_error *err);
platen_status pl_nn_read_detector(struct pl_model *m, struct platen_error *err);

/* Unpacks section ALPH or MAPS: exactly n strings, the first one empty if `blank`. */
platen_status pl_nn_read_alphabet(struct pl_model *m, size_t n, bool blank, const char *const **ret,
                                  struct platen_error *err);
/* Name of section i of such a file. */
const char *pl_nn_section_name(const struct pl_model *m, size_t i);

/* Output channels in whole blocks, and the length of one channel's sum as it is stored. */
size_t pl_nn_block_channels(const struct pl_model *m, const struct pl_nn_node *n);
size_t pl_nn_stored_k(const struct pl_nn_node *n);

#endif
