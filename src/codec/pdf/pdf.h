/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages of a PDF whose content is scans: which pictures stand where (ISO 32000-1). qpdf reads the
 * structure of the file. */
#ifndef PL_CODEC_PDF_PDF_H
#define PL_CODEC_PDF_PDF_H

#include "base/geom.h"
#include "codec/decode.h"
#include "codec/pdf/update.h"
#include "codec/pdf/qpdf_library.h"

/* Opens the document in these bytes, which stay where they are as long as it is open.
 * PLATEN_ERR_FORMAT, _UNSUPPORTED (it needs a password), _NOMEM; *ret is for pl_pdf_close() in
 * every case, and may be NULL. */
PL_MUST_USE platen_status pl_pdf_open(const uint8_t *data, size_t n, qpdf_data *ret,
                                      struct platen_error *err);
/* Closes a document, and releases all of its objects. Where pl_pdf_keep_open() was called, and
 * `may_stay`, it stays open for the next pl_pdf_open() instead, unless what happened to it could
 * change what its pages are: qpdf found damage when it was open, or an object was added. */
void pl_pdf_close(qpdf_data pdf, bool may_stay);
/* Lets pl_pdf_close() close the document that is open: an object was added to it, or errors and
 * warnings were taken from it. */
void pl_pdf_must_close(void);
/* Tells why qpdf could not give `what`: PLATEN_ERR_NOMEM, or else it is damaged, PLATEN_ERR_FORMAT.
 */
platen_status pl_pdf_fail(qpdf_data pdf, const char *what, struct platen_error *err);

/* Gives the page that opt names, or the first one where opt is NULL. PLATEN_ERR_FORMAT,
 * _UNSUPPORTED (opt->page is 0, and there are several). */
PL_MUST_USE platen_status pl_pdf_find_page(qpdf_data pdf, const struct pl_load_options *opt,
                                           qpdf_oh *ret, struct platen_error *err);

/* Returns whether the page is a copy that qpdf made of one that the document lists twice. */
bool pl_pdf_is_copy(qpdf_data pdf, qpdf_oh page);

struct pdf_box {
    double x0, y0, x1, y1; /* points, y upward */
};

/* An image as a content stream paints it. */
struct pl_pdf_paint {
    qpdf_oh image;
    struct pdf_box clip; /* of the page; what is painted outside of it is not to be seen */
    /* Within that box, too, a clip of another shape or transparency hides parts of the image; its
     * own masks do not count. */
    bool partly;
    struct pl_affine to_page; /* from the unit square to points of the page, y upward */
    uint8_t fill;             /* grey in which an image mask paints */
};

/* What text and lines a page shows, as numbers of the images that are painted before; NONE = there
 * is nothing of the kind. */
#define PL_PDF_NONE SIZE_MAX
struct pl_pdf_shown {
    size_t first_text, last_text; /* that is drawn, be it that an image covers it later */
    size_t first_mark;
    size_t last_mark;  /* text, line, annotation, or area that is not white */
    size_t last_other; /* the same, but for text of the content: it may cover something */
    size_t last_white; /* white area */
    bool hidden;       /* text that is not drawn at all */
    bool tangled;      /* a form has hidden text, and beside it what is to be seen */
};

/* What a page paints, in the order of painting. */
struct pl_pdf_paints {
    struct pl_pdf_paint *v;
    size_t n;
    int n_open;  /* states of graphics that its content saves and does not restore */
    int n_below; /* states that it restores and did not save, PL_PDF_MAX_BELOW at most */
    struct pl_pdf_shown shown;
};

/* Reads the content of a page, whose resources are its own or inherited. The page's objects belong
 * to `pdf` and live as long. PLATEN_ERR_FORMAT, _LIMIT (too many images, forms nested too deeply),
 * _NOMEM. */
PL_MUST_USE platen_status pl_pdf_read_content(qpdf_data pdf, qpdf_oh page, qpdf_oh resources,
                                              struct pl_pdf_paints *ret, struct platen_error *err);
void pl_pdf_paints_done(struct pl_pdf_paints *p);

/* Appends the content of a page without its hidden text: what is not drawn, and what is drawn
 * before `covered` images are painted, which cover it. Of a page that is not tangled. Fails as
 * pl_pdf_read_content() does. */
PL_MUST_USE platen_status pl_pdf_strip_content(qpdf_data pdf, qpdf_oh page, qpdf_oh resources,
                                               size_t covered, struct pl_str *out,
                                               struct platen_error *err);

/* Gives the bytes of a stream with its filters undone, for pl_free(). PLATEN_ERR_FORMAT,
 * _UNSUPPORTED. */
PL_MUST_USE platen_status pl_pdf_stream(qpdf_data pdf, qpdf_oh stream,
                                        enum qpdf_stream_decode_level_e level, uint8_t **ret,
                                        size_t *ret_n, struct platen_error *err);

/* Appends how the document names its pages, a text for each, "" where it does not, ended by a zero;
 * nothing where it names none. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_pdf_labels(qpdf_data pdf, int n_pages, struct pl_str *ret,
                                        struct platen_error *err);

/* Fills in what the dictionaries of the page and the trailer have, beside ret->place's geometry. */
PL_MUST_USE platen_status pl_pdf_put_update(qpdf_data pdf, qpdf_oh page, qpdf_oh resources,
                                            const struct pl_pdf_update_source *src,
                                            struct pl_pdf_update *ret, struct platen_error *err);

/* Returns the integer at `name`, or `otherwise` where there is none. */
int pl_pdf_int(qpdf_data pdf, qpdf_oh dict, const char *name, int otherwise);
/* Returns whether `name` is there, and true. */
bool pl_pdf_is_true(qpdf_data pdf, qpdf_oh dict, const char *name);
/* Returns the grey, from 0 to 1, of a colour of n components, which are a grey, red, green and
 * blue, or the four inks of print; black for any other n. */
double pl_pdf_gray(const double *v, int n);

/* What the dictionary of an image says. */
struct pl_pdf_image_info {
    int width, height;
    int channels;  /* 1 or 3 of the picture that it becomes */
    bool mask;     /* an image mask: 0 where it paints, 255 elsewhere */
    int raw_bytes; /* of a pixel, that decoding takes beside the picture */
};
PL_MUST_USE platen_status pl_pdf_image_probe(qpdf_data pdf, qpdf_oh image,
                                             struct pl_pdf_image_info *ret,
                                             struct platen_error *err);
/* Decodes an image XObject; of src, env and opt count, of *ret the image and its damage.
 * PLATEN_ERR_FORMAT, _UNSUPPORTED, _LIMIT, _NOMEM. */
PL_MUST_USE platen_status pl_pdf_image_load(qpdf_data pdf, qpdf_oh image,
                                            const struct pl_source *src, struct pl_decoded *ret,
                                            struct platen_error *err);

#endif
