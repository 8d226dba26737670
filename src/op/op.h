/* Operations and their registry: every stage describes its operations in these terms, and the spec
 * parser, `platen ops` and the manual are made from them. */
#ifndef PL_OP_OP_H
#define PL_OP_OP_H

#include "base/arena.h"
#include "page/page_image.h"

enum pl_param_kind {
    PL_PARAM_NUMBER, /* finite, min..max */
    PL_PARAM_INT,    /* whole, min..max */
    PL_PARAM_CHOICE, /* one of choices[]; its index arrives in .number */
    PL_PARAM_TEXT,   /* a name or a file; arrives in .text */
};

struct pl_param {
    const char *name;
    enum pl_param_kind kind;
    double min, max, def;
    const char *const *choices; /* NULL-terminated; def is an index into it */
    /* Of a PL_PARAM_TEXT; may be NULL. Of a number: a word that stands for `def`, which lies
     * outside of min..max then. */
    const char *def_text;
    const char *unit; /* "px", "degrees", "" ... */
    const char *help; /* one line */
};

/* The value of one parameter: args[i] belongs to params[i]; always complete and inside its range.
 */
struct pl_arg {
    double number;
    const char *text;
};

/* What is common to the operations of all stages. */
struct pl_op_info {
    const char *name;
    const char *help; /* one line */
    const struct pl_param *params;
    size_t n_params;
};

/* The arguments of the operation where nothing is given: the defaults of its table. They lie in
 * `arena`. Returns NULL when memory is short. */
PL_MUST_USE struct pl_arg *pl_op_defaults(struct pl_arena *arena, const struct pl_op_info *op);

typedef platen_status pl_preprocess_fn(const struct pl_env *env, struct pl_page_image *page,
                                       const struct pl_arg *args, struct platen_error *err);

/* The same for an operation that can make two pages of one: *page becomes the first, and the second
 * goes to *ret_second, for pl_page_image_done(); without one that is left alone. */
typedef platen_status pl_divide_fn(const struct pl_env *env, struct pl_page_image *page,
                                   const struct pl_arg *args, struct pl_page_image *ret_second,
                                   struct platen_error *err);

struct pl_preprocess_op {
    struct pl_op_info info;
    bool color; /* wants colour if there is any: the loader must not drop it before this one */
    unsigned px_bytes; /* of memory for each pixel while it runs, if more than other ones */
    pl_preprocess_fn *run;
    pl_divide_fn *divide; /* or NULL; `run` keeps the first page alone */
};

/* All operations of the stage, in the order of the manual; NULL-terminated. */
extern const struct pl_preprocess_op *const pl_preprocess_ops[];
/* NULL when there is none of that name. */
const struct pl_preprocess_op *pl_preprocess_find(const char *name, size_t n);

#endif
