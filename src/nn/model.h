/* Model files: mapped read-only, validated completely at open, then trusted (platen-model.5). */
#ifndef PL_NN_MODEL_H
#define PL_NN_MODEL_H

#include "base/status.h"
#include "base/text.h"

struct pl_model;
struct pl_language;

/* Opens and validates a model file. PLATEN_ERR_IO, _FORMAT, _UNSUPPORTED, _LIMIT, _NOMEM. */
PL_MUST_USE platen_status pl_model_open(const char *path, struct pl_model **ret,
                                        struct platen_error *err);
/* The same on bytes that stay valid as long as the model, aligned to 16 bytes. The name of the file
 * is in the error of pl_model_open() already. */
PL_MUST_USE platen_status pl_model_open_memory(const void *data, size_t n, struct pl_model **ret,
                                               struct platen_error *err);
void pl_model_free(struct pl_model *m);
/* Of its file. */
size_t pl_model_bytes(const struct pl_model *m);

/* Value of a key of the META section, NUL-terminated, or NULL. Lives as long as the model. */
const char *pl_model_meta(const struct pl_model *m, const char *key);

/* What a line recognizer needs to know; fixed by the file. */
struct pl_line_model {
    int height; /* of a line strip, px (32) */
    int stride; /* columns per output step (4) */
    int pad_left,
        pad_right; /* blank columns added to every line (8, 8), then up to a multiple of stride */
    float input_scale;  /* v = (q - input_zero) * input_scale, v = (hi - grey) / (hi - lo) */
    uint8_t input_zero; /* the quantised value of blank paper */
    size_t n_classes;   /* class 0 is the CTC blank */
    const char *const *alphabet; /* n_classes UTF-8 strings, [0] = "" */
};

/* What a detector makes of a picture: maps, at one step for each square of `stride` px. */
struct pl_detector_model {
    int height;             /* of a tile, px; its width is any multiple of the stride */
    int rows;               /* of the output: height / stride */
    int stride;             /* px of a step, both ways */
    float input_scale;      /* v = (q - input_zero) * input_scale, v = (255 - grey) / 255 */
    uint8_t input_zero;     /* the quantised value of white */
    size_t n_maps;          /* values of a step */
    const char *const *map; /* their names */
};

/* NULL when the file holds something else. */
const struct pl_line_model *pl_model_line(const struct pl_model *m);
const struct pl_language *pl_model_language(const struct pl_model *m); /* nn/language.h */
const struct pl_detector_model *pl_model_detector(const struct pl_model *m);

/* Appends what `platen model info` prints: name, size, sections, layers, parameters, metadata. */
void pl_model_describe(const struct pl_model *m, struct pl_str *out);

PL_DEFINE_AUTO(model)

#endif
