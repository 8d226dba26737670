/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations and their registry: every stage describes its operations in these terms, and the spec
 * parser, `platen ops` and the manual are made from them. */
#ifndef PL_OP_OP_H
#define PL_OP_OP_H

#include <stddef.h>

#include "page/page_image.h"

enum pl_param_kind {
    PL_PARAM_NUMBER, /* double: finite, min..max */
    PL_PARAM_INT,    /* int: whole, min..max */
    PL_PARAM_CHOICE, /* enum: the index of one of choices[] */
    PL_PARAM_TEXT,   /* const char *, or NULL */
};

/* What the text of a PL_PARAM_TEXT names. */
enum pl_param_names {
    PL_NAMES_NOTHING,
    PL_NAMES_FILE,  /* a file whose contents count, not its name */
    PL_NAMES_MODEL, /* a network: the operation needs one */
};

/* The arguments of an operation are a struct of its own, one member for each parameter; the type of
 * the member says what kind of parameter it is. An argument struct is always complete, and every
 * member is inside its range. */
struct pl_param {
    const char *name;
    enum pl_param_kind kind; /* PL_PARAM() fills in these two */
    size_t offset;
    double min, max, def;
    const char *const *choices; /* NULL-terminated; def is an index into it */
    /* Of a PL_PARAM_TEXT; may be NULL. Of a number: a word that stands for `def`, which lies
     * outside of min..max then. */
    const char *def_text;
    enum pl_param_names names;
    const char *unit; /* "px", "degrees", "" ... */
    const char *help; /* one line */
};

/* Initialises .kind and .offset of the parameter that is kept in `member` of struct `type`. An enum
 * without negative values has the type unsigned. */
#define PL_PARAM(type, member)                                                                     \
    .kind = _Generic(((type *)NULL)->member,                                                       \
        double: PL_PARAM_NUMBER,                                                                   \
        int: PL_PARAM_INT,                                                                         \
        unsigned: PL_PARAM_CHOICE,                                                                 \
        const char *: PL_PARAM_TEXT),                                                              \
    .offset = offsetof(type, member)

/* What is common to the operations of all stages, and their first member. */
struct pl_op_info {
    const char *name;
    const char *help; /* one line */
    const struct pl_param *params;
    size_t n_params;
    size_t args_size; /* of the struct of arguments; 0 without parameters */
};

/* Initialises what an operation takes: the array of its parameters, and their struct. */
#define PL_TAKES(list, type)                                                                       \
    .params = (list), .n_params = PL_ARRAY_LEN(list), .args_size = sizeof(type)

/* The operation of that name in a NULL-terminated list, or NULL. */
const struct pl_op_info *pl_operation_find(const struct pl_op_info *const *list, const char *name,
                                           size_t n);

/* Sets all arguments of an operation to their defaults. */
void pl_args_init(const struct pl_op_info *op, void *args);
/* The argument of one parameter that is no text, and of one that is. */
double pl_arg_number(const struct pl_param *param, const void *args);
const char *pl_arg_text(const struct pl_param *param, const void *args);
void pl_arg_set_number(const struct pl_param *param, void *args, double value);
void pl_arg_set_text(const struct pl_param *param, void *args, const char *value);

/* The parameter that names such a thing, or NULL when the operation has none. */
const struct pl_param *pl_op_param_naming(const struct pl_op_info *op, enum pl_param_names what);

/* `args` is the struct of arguments that belongs to the operation. */
typedef platen_status pl_preprocess_fn(const struct pl_env *env, struct pl_page_image *page,
                                       const void *args, struct platen_error *err);

/* The same for an operation that can make two pages of one: *page becomes the first, and the second
 * goes to *ret_second, for pl_page_image_done(); without one that is left alone. */
typedef platen_status pl_divide_fn(const struct pl_env *env, struct pl_page_image *page,
                                   const void *args, struct pl_page_image *ret_second,
                                   struct platen_error *err);

struct pl_preprocess_op {
    struct pl_op_info info;
    bool color;      /* wants colour if there is any: the loader must not drop it before this one */
    bool makes_gray; /* does nothing but drop the colour: the loader may do that instead */
    unsigned px_bytes; /* of memory for each pixel while it runs, if more than other ones */
    pl_preprocess_fn *run;
    pl_divide_fn *divide; /* or NULL; `run` keeps the first page alone */
};

/* All operations of the stage, in the order of the manual; NULL-terminated. */
extern const struct pl_op_info *const pl_preprocess_ops[];
/* The operation that an entry of the list is the first member of. */
static inline const struct pl_preprocess_op *pl_preprocess_op_of(const struct pl_op_info *info)
{
    return (const struct pl_preprocess_op *)info;
}

#endif
