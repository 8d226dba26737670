/* SPDX-License-Identifier: BSD-2-Clause */
/* Stage three: the lines of a page become text. */
#ifndef PL_RECOGNIZE_RECOGNIZE_H
#define PL_RECOGNIZE_RECOGNIZE_H

#include "base/arena.h"
#include "page/result.h"
#include "op/op.h"
#include "recognize/decoder.h"
#include "recognize/line_model.h"

struct pl_recognizer; /* one per worker: a session, a strip and scratch */

/* Arguments of the operations of this stage. Zeros are no defaults: pl_args_init() sets these. */
struct pl_recognize_args {
    double min_conf;   /* below 0 = the network's own, or the default */
    double lm;         /* weight of language models; below 0 = the best, where there is one */
    const char *lang;  /* codes of the languages that are expected; NULL = any */
    const char *chars; /* or NULL */
    const char *words; /* a file, or NULL */
};

/* Tells whether the arguments of an operation want a language model. */
enum pl_language_wish { PL_LANGUAGE_OFF, PL_LANGUAGE_AUTO, PL_LANGUAGE_ON };
enum pl_language_wish pl_recognize_language_wish(const struct pl_recognize_args *args);

/* Whether the arguments of two operations ask for the same decoder. */
bool pl_recognize_decodes_alike(const struct pl_recognize_args *a,
                                const struct pl_recognize_args *b);

/* Makes the decoder that the arguments of an operation ask for, for all workers. The models are
 * borrowed. */
PL_MUST_USE platen_status pl_recognize_decoder(const struct pl_line_model *m,
                                               const struct pl_text_models *text,
                                               const struct pl_recognize_args *args,
                                               struct pl_decoder **ret, struct platen_error *err);
/* Makes a decoder like `of`, which the arguments `has` asked for, with the languages and the weight
 * that `wants` has. PLATEN_ERR_ARG for languages that `has` does not expect, where it expects some,
 * and for language models that `of` does not have; PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_recognize_decoder_like(const struct pl_decoder *of,
                                                    const struct pl_recognize_args *has,
                                                    const struct pl_recognize_args *wants,
                                                    struct pl_decoder **ret,
                                                    struct platen_error *err);
/* Reads a short blank line, to see whether the network does what its metadata say
 * (pl_line_net_run() checks that). */
PL_MUST_USE platen_status pl_recognize_try(const struct pl_network *n,
                                           const struct pl_line_model *m,
                                           const struct pl_kernels *k, struct platen_error *err);

/* A network that reads lines, and its decoder; borrowed. */
struct pl_reading_model {
    const struct pl_network *network;
    const struct pl_decoder *decoder;
};

/* Why a further model may read a line: for its language, or because the first one is not sure. */
enum pl_further_use { PL_FURTHER_LANGUAGE = 1, PL_FURTHER_TRIAL = 2 };

/* The models that read lines beside the first one. */
struct pl_further_models {
    size_t n;
    const unsigned *uses; /* of each (enum pl_further_use): for another one it is not opened */
    void *ctx;
    /* Gives model i, which is opened at the first call; any worker may call. */
    platen_status (*open)(void *ctx, size_t i, struct pl_reading_model *ret,
                          struct platen_error *err);
};

/* How what the networks say becomes text; borrowed, and the same for all pages of a call. The
 * further models are those that the recognizers were made for, maybe with other decoders. */
struct pl_decoding {
    const struct pl_decoder *decoder;        /* of the recognizers' own network */
    const struct pl_further_models *further; /* NULL = none */
};

/* Tells whether one of the models reads wide characters (pl_is_wide()); all that may read any line
 * are opened for it. The statuses of opening them. */
PL_MUST_USE platen_status pl_decoding_reads_wide(const struct pl_decoding *d, bool *ret,
                                                 struct platen_error *err);

struct pl_line_calls; /* line_net.h */
/* Network, what it tells of itself, and calls, which may be NULL, are borrowed and must outlive the
 * recognizer. It can read with so many further models. */
PL_MUST_USE platen_status pl_recognizer_new(const struct pl_network *n,
                                            const struct pl_line_model *m,
                                            const struct pl_kernels *k, struct pl_line_calls *calls,
                                            size_t n_further, struct pl_recognizer **ret,
                                            struct platen_error *err);
void pl_recognizer_free(struct pl_recognizer *r);

/* A page whose lines are to be read. The caller gives the grey page, the regions and `cancel`, and
 * leaves the rest zero. */
struct pl_reading {
    struct pl_image turned[4];  /* [0] is the grey page; [q] the same turned clockwise by q quarter
                                   turns, which is there while lines that run that way are read */
    struct pl_regions *regions; /* borrowed */
    const atomic_bool *cancel;  /* of the page; or NULL */
    platen_status status;       /* PLATEN_ERR_CANCELED, PLATEN_ERR_NOMEM, ... */
    struct platen_error err;
    struct pl_env env; /* of the call that reads it, without the pool */
    size_t failed;     /* in that call: the first of its lines that failed; SIZE_MAX = none */
};

/* Paints check boxes and circles that are no letters over with the paper around them, in a copy of
 * the grey page: the network knows none, and reads a box as the next best letter or as part of the
 * word beside it. A letter in a circle stays. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_reading_hide_boxes(struct pl_reading *r, const struct pl_env *env,
                                                struct platen_error *err);
/* Gives the pictures of a reading back. */
void pl_reading_done(struct pl_reading *r);
/* Returns the picture in whose pixels the line is described. */
const struct pl_image *pl_reading_picture(const struct pl_reading *r, const struct pl_line *line);

struct pl_reader;

/* Reads every line of n pages from their grey pictures and fills words, text and confidence (0..1)
 * in place; new objects lie in `arena`. Lines share calls of the network, whatever page they are
 * of, and what is read of one does not depend on other pages: on those of its own page it does by
 * the page's language, which is told in regions and lines. A page that fails leaves the others
 * alone, unless it was a call that failed. A line in which nothing is read, or nothing that an
 * operation trusts, gets text "" and no words; it stays in its block until pl_layout_settle(), and
 * its confidence tells which: 0, or that of what was read. team[i] is for worker i of env->pool,
 * whose workers share the lines; without a pool team[0] reads them all. env->cancel does not count.
 */
typedef void pl_recognize_fn(const struct pl_reader *r, struct pl_reading *const *pages, size_t n);

struct pl_recognize_op {
    struct pl_op_info info;
    pl_recognize_fn *run;
};

/* How a worker reads lines; everything is borrowed. */
struct pl_reader {
    const struct pl_recognize_op *op;     /* NULL = the pipeline reads no lines */
    const struct pl_recognize_args *args; /* of op */
    struct pl_recognizer *const *team;
    const struct pl_env *env;
    struct pl_arena *arena;
    const struct pl_decoding *decoding;
};

/* Reads every line of one page from its grey picture; env->cancel is that of the page. */
PL_MUST_USE platen_status pl_recognize_page(const struct pl_reader *r, const struct pl_image *gray,
                                            struct pl_regions *regions, struct platen_error *err);

/* What a page gives the network to do: its lines, and about how many columns their strips have. */
struct pl_reading_size {
    size_t lines, columns;
};
struct pl_reading_size pl_reading_size(const struct pl_recognizer *r,
                                       const struct pl_regions *regions);

extern const struct pl_op_info *const pl_recognize_ops[]; /* NULL-terminated */
/* Returns the operation of which an entry of the list is the first member. */
static inline const struct pl_recognize_op *pl_recognize_op_of(const struct pl_op_info *info)
{
    return (const struct pl_recognize_op *)info;
}

PL_DEFINE_AUTO(recognizer)

#endif
