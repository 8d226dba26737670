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

enum pl_spec_stage { PL_SPEC_PREPROCESS, PL_SPEC_DETECT, PL_SPEC_RECOGNIZE, PL_SPEC_STAGES };

/* One operation of a pipeline: args[i] belongs to info->params[i]. */
struct pl_step {
    const struct pl_op_info *info;
    const struct pl_arg *args;
    union {
        const struct pl_preprocess_op *preprocess;
        const struct pl_detect_op *detect;
        const struct pl_recognize_op *recognize;
    } op;
};

struct platen_pipeline {
    struct pl_arena arena; /* steps, arguments, texts */
    struct pl_step *steps; /* stage one in order, then detect, then recognize */
    size_t n_preprocess;   /* at least 1 */
    int stages;            /* 1..3: how many of the stages it has */
    bool divides;          /* an operation may make two pages of one; there is one such at most */
};

/* The step of stage two or three, or NULL when the pipeline ends before it. */
const struct pl_step *pl_spec_step(const struct platen_pipeline *p, enum pl_spec_stage stage);

struct pl_preset {
    const char *name; /* without the '@' */
    const char *text, *help;
};

/* The first one is the default; ends with a NULL name. */
extern const struct pl_preset pl_presets[];

/* "preprocess", "detect", "recognize" */
const char *pl_spec_stage_name(enum pl_spec_stage stage);
/* Operation i of a stage's registry, or NULL behind the last; `ret` gets its typed pointer too and
 * may be NULL. */
const struct pl_op_info *pl_spec_op(enum pl_spec_stage stage, size_t i, struct pl_step *ret);

/* Both fail with PLATEN_ERR_ARG, _LIMIT or _NOMEM. ret_column (may be NULL) gets the character of
 * the text that is wrong, from 1, or 0 when the error has no place in it. */
PL_MUST_USE platen_status pl_spec_parse(const char *text, size_t n, struct platen_pipeline **ret,
                                        size_t *ret_column, struct platen_error *err);
PL_MUST_USE platen_status pl_spec_parse_json(const char *text, size_t n,
                                             struct platen_pipeline **ret, size_t *ret_column,
                                             struct platen_error *err);
void pl_spec_free(struct platen_pipeline *p);

/* Appends the canonical text: every operation with all of its parameters by name. Parsing it gives
 * the same pipeline. */
void pl_spec_print(const struct platen_pipeline *p, struct pl_str *out);

/* Appends the value of a parameter as the text form writes it. */
void pl_spec_print_value(const struct pl_param *param, const struct pl_arg *arg,
                         struct pl_str *out);

#endif
