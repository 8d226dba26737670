/* SPDX-License-Identifier: BSD-2-Clause */
/* The pipeline specification (platen-pipeline.5): text or JSON to operations with complete
 * arguments. */
#ifndef PL_SPEC_SPEC_H
#define PL_SPEC_SPEC_H

#include "base/arena.h"
#include "base/text.h"
#include "detect/detect.h"
#include "op/op.h"
#include "recognize/recognize.h"

#define PL_SPEC_MAX_TEXT 4096  /* bytes of the text form */
#define PL_SPEC_MAX_JSON 65536 /* bytes of the JSON form */
#define PL_SPEC_MAX_NESTING 4  /* of the JSON form; three are needed */
#define PL_SPEC_MAX_OPS 64     /* operations of stage one */

/* One operation of a pipeline, and the struct of its arguments. */
struct pl_step {
    const struct pl_op_info *info;
    const void *args;
};

struct platen_pipeline {
    struct pl_arena arena;  /* steps, arguments, texts */
    struct pl_step *steps;  /* stage one in order, then detect, then recognize */
    size_t n_preprocess;    /* at least 1 */
    enum platen_stage last; /* the stage that it ends with */
    bool divides;           /* an operation may make two pages of one; there is one such at most */
};

/* The step of stage two or three, or NULL when the pipeline ends before it. */
const struct pl_step *pl_spec_step(const struct platen_pipeline *p, enum platen_stage stage);

struct pl_preset {
    const char *name; /* without the '@' */
    const char *text, *help;
};

/* The first one is the default; ends with a NULL name. */
extern const struct pl_preset pl_presets[];

/* The operations of stage preprocess, detect or recognize; NULL-terminated. */
const struct pl_op_info *const *pl_spec_ops(enum platen_stage stage);
/* What counts as space in the text form. */
bool pl_spec_is_space(char c);

/* Both fail with PLATEN_ERR_ARG, _LIMIT or _NOMEM. ret_column (may be NULL) gets the character of
 * the text that is wrong, from 1, or 0 when the error has no place in it. */
PL_MUST_USE platen_status pl_spec_parse(const char *text, size_t n, struct platen_pipeline **ret,
                                        size_t *ret_column, struct platen_error *err);
PL_MUST_USE platen_status pl_spec_parse_json(const char *text, size_t n,
                                             struct platen_pipeline **ret, size_t *ret_column,
                                             struct platen_error *err);
void pl_spec_free(struct platen_pipeline *p);
/* Makes a copy whose arguments can be set; the pipeline must outlive it. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_spec_copy(const struct platen_pipeline *p,
                                       struct platen_pipeline **ret, struct platen_error *err);

/* Appends the canonical text: every operation with all of its parameters by name. Parsing it gives
 * the same pipeline. */
void pl_spec_print(const struct platen_pipeline *p, struct pl_str *out);

/* Appends the value of a parameter as the text form writes it; `text` is that of a PL_PARAM_TEXT,
 * and `number` that of any other. */
void pl_spec_print_value(const struct pl_param *param, double number, const char *text,
                         struct pl_str *out);

#endif
