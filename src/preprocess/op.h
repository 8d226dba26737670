/* Operations and their registry: every stage describes its operations in these terms, and the spec
 * parser, `platen ops` and the manual are made from them. */
#ifndef PL_PREPROCESS_OP_H
#define PL_PREPROCESS_OP_H

#include "image/components.h"

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

/* The ink of a picture. */
struct pl_ink {
    struct pl_bits bits;
    struct pl_components cs; /* of bits */
};

/* Zeroed ink is fine. */
void pl_ink_done(struct pl_ink *ink);

#define pl_auto_ink __attribute__((cleanup(pl_ink_done))) struct pl_ink

/* What is known of the way up of a page. */
enum pl_upright {
    PL_UPRIGHT_UNASKED,
    PL_UPRIGHT_DOUBTFUL, /* the letters do not tell: the page stays as it was given */
    PL_UPRIGHT_SURE,     /* turned as far as it needed, or as it was asked for */
};

/* A page on its way through stage one. */
struct pl_page_image {
    struct pl_image image;     /* the present picture */
    struct pl_ink ink;         /* of `image`, as far as an operation asked for it (ink.h) */
    struct pl_image gray;      /* the last grey one in the same geometry once `image` is bilevel */
    struct pl_affine to_input; /* from pixels of `image` to pixels of the input (EXIF applied) */
    double angle_deg; /* skew that was taken out so far, positive = text rose to the right */
    enum pl_upright upright;
    int quarters; /* clockwise, by which the page was turned upright */
};

/* Gives the pictures back. */
void pl_page_image_done(struct pl_page_image *p);
/* Gives its ink back: nobody will ask for it, or `image` is going to change. */
void pl_page_image_forget_ink(struct pl_page_image *p);
/* Replaces the picture by one in grey or colour of the same geometry (shares it). */
void pl_page_image_replace(struct pl_page_image *p, const struct pl_image *im);
/* Replaces the picture by its bilevel version, and keeps the grey one that it was made from. */
void pl_page_image_set_bilevel(struct pl_page_image *p, const struct pl_image *gray,
                               const struct pl_image *bilevel);
/* The grey picture of the page: p->gray if there is one, else `image` made grey. */
PL_MUST_USE platen_status pl_page_image_gray(const struct pl_env *env,
                                             const struct pl_page_image *p, struct pl_image *ret,
                                             struct platen_error *err);

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
