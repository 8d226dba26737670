/* SPDX-License-Identifier: BSD-2-Clause */
/* The content stream of a PDF page, as far as it tells where images stand and whether anything else
 * is to be seen (ISO 32000-1, 7.8.2, 8.4.4, 8.8, 8.10). */
#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "codec/pdf/pdf_annotations.h"
#include "codec/pdf/pdf_layout.h"
#include "codec/pdf/pdf_layers.h"
#include "codec/pdf/pdf_path.h"
#include "codec/pdf/pdf_strip.h"

#define MAX_PAINTS 4096 /* images of a page */
#define MAX_FORMS 4096  /* runs of forms: a chain in which each runs the next twice is long */
#define MAX_DEPTH 32    /* of saved graphics states, and of forms inside forms */
#define FAR 1e9         /* points: no page reaches so far */
#define MAX_OPERANDS 8
#define MAX_NAME 128

struct pdf_state {
    struct pl_affine ctm;
    struct pdf_clip clip; /* in units of the page */
    bool masked;          /* a soft mask hides parts of what is painted */
    double opacity;       /* of what is filled, from 0 to 1 */
    uint8_t fill;
    bool invisible_text; /* rendering mode 3, as the text layer of a scan has it */
};

struct pdf_reader {
    qpdf_data pdf;
    struct pl_pdf_paints *out;
    struct platen_error *err;
    struct pdf_state saved[MAX_DEPTH];
    int n_saved, n_unsaved; /* deeper states are counted, and not kept */
    struct pdf_state now;
    struct pdf_path path;
    bool clips; /* it becomes a clip */
    struct pl_pdf_layers layers;
    int n_marked, n_shown;   /* marks around content; how many of them show it: all, or those
                              * outside of the first one that does not */
    int depth, n_forms;      /* forms inside forms; forms run so far */
    size_t n_seen, n_hidden; /* marks and images; texts that are not seen */
    size_t covered;          /* images that cover what comes before them */
    struct pl_pdf_stripped
        *strip; /* what stays of the page's own content; NULL = it is not asked */
};

/* A stretch of content that is being read. */
struct pdf_text {
    const char *s;
    size_t n, at;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || !c;
}

static bool is_delimiter(char c)
{
    return c && strchr("()<>[]{}/%", c);
}

static void skip_string(struct pdf_text *t)
{
    for (int open = 1; t->at < t->n && open; t->at++) {
        char c = t->s[t->at];
        if (c == '\\')
            t->at++;
        else
            open += (c == '(') - (c == ')');
    }
}

/* Passes over blanks, comments, strings, and the marks of arrays and dictionaries. Returns false
 * at the end. */
static bool skip_to_word(struct pdf_text *t)
{
    while (t->at < t->n) {
        char c = t->s[t->at];
        if (c == '%') {
            while (t->at < t->n && t->s[t->at] != '\n' && t->s[t->at] != '\r')
                t->at++;
        } else if (c == '(') {
            t->at++;
            skip_string(t);
        } else if (c == '<' && t->at + 1 < t->n && t->s[t->at + 1] != '<') {
            const char *end = memchr(t->s + t->at, '>', t->n - t->at);
            t->at = end ? (size_t)(end - t->s) + 1 : t->n;
        } else if (c == '/' || (!is_blank(c) && !is_delimiter(c))) {
            return true;
        } else {
            t->at++;
        }
    }
    return false;
}

/* Takes the next name (with its slash), number or operator. */
static bool next_word(struct pdf_text *t, const char **ret, size_t *ret_n)
{
    if (!skip_to_word(t))
        return false;
    size_t from = t->at++;
    while (t->at < t->n && !is_blank(t->s[t->at]) && !is_delimiter(t->s[t->at]))
        t->at++;
    *ret = t->s + from;
    *ret_n = t->at - from;
    return true;
}

/* Passes over the data of an inline image, which ends in EI between blanks. */
static void skip_inline_image(struct pdf_text *t)
{
    for (; t->at + 3 < t->n; t->at++)
        if (is_blank(t->s[t->at]) && t->s[t->at + 1] == 'E' && t->s[t->at + 2] == 'I' &&
            is_blank(t->s[t->at + 3])) {
            t->at += 3;
            return;
        }
    t->at = t->n;
}

struct pdf_operands {
    double v[MAX_OPERANDS]; /* the last ones */
    int n;
    char name[MAX_NAME]; /* the last one, with its slash */
    bool layered;        /* the first name is that of marks for layers */
    bool named;          /* there was a name */
};

static void push_number(struct pdf_operands *o, double v)
{
    if (o->n == MAX_OPERANDS) {
        memmove(o->v, o->v + 1, sizeof(o->v) - sizeof(o->v[0]));
        o->n--;
    }
    o->v[o->n++] = v;
}

static uint8_t gray_of(const struct pdf_operands *o)
{
    return (uint8_t)(255 * pl_pdf_gray(o->v, o->n) + 0.5);
}

static struct pl_affine matrix_of(const double v[6])
{
    return (struct pl_affine){v[0], v[2], v[4], v[1], v[3], v[5]};
}

/* Ends the path, which narrows what is seen where it is a clip. */
static void end_path(struct pdf_reader *r)
{
    if (r->clips)
        pl_pdf_clip_to_path(&r->now.clip, &r->path);
    r->clips = false;
    r->path = pl_pdf_no_path;
}

/* Gives the n numbers of an array; false where it is none of that length. */
static bool read_numbers(qpdf_data pdf, qpdf_oh array, int n, double *ret)
{
    if (!pl_qpdf.oh_is_array(pdf, array) || pl_qpdf.oh_get_array_n_items(pdf, array) != n)
        return false;
    for (int i = 0; i < n; i++)
        ret[i] = pl_qpdf.oh_get_numeric_value(pdf, pl_qpdf.oh_get_array_item(pdf, array, i));
    return true;
}

/* What a form shows lies in its box. */
static void clip_to_box(struct pdf_reader *r, qpdf_oh form)
{
    double v[4];
    if (!read_numbers(r->pdf, pl_qpdf.oh_get_key(r->pdf, form, "/BBox"), 4, v))
        return;
    r->path = pl_pdf_no_path;
    pl_pdf_path_rectangle(&r->path, &r->now.ctm, (struct pdf_box){v[0], v[1], v[2], v[3]});
    r->clips = r->path.area != 0;
    end_path(r);
}

static platen_status read_stream(struct pdf_reader *r, const char *s, size_t n, qpdf_oh resources);

static platen_status paint_form(struct pdf_reader *r, qpdf_oh form, qpdf_oh resources)
{
    qpdf_data pdf = r->pdf;
    if (r->depth >= MAX_DEPTH)
        return pl_fail(r->err, PLATEN_ERR_LIMIT, "forms of the page are nested too deeply");
    if (r->n_forms++ == MAX_FORMS)
        return pl_fail(r->err, PLATEN_ERR_LIMIT, "the page runs more than %d forms", MAX_FORMS);
    qpdf_oh dict = pl_qpdf.oh_get_dict(pdf, form);
    double v[6];
    const struct pl_affine matrix =
        read_numbers(pdf, pl_qpdf.oh_get_key(pdf, dict, "/Matrix"), 6, v) ? matrix_of(v)
                                                                          : PL_AFFINE_IDENTITY;
    qpdf_oh own = pl_qpdf.oh_get_key(pdf, dict, "/Resources");
    uint8_t *data;
    size_t n;
    platen_status s = pl_pdf_stream(pdf, form, qpdf_dl_specialized, &data, &n, r->err);
    if (s)
        return s;
    struct pdf_state before = r->now;
    const int n_saved = r->n_saved, n_marked = r->n_marked;
    const size_t n_seen = r->n_seen, n_hidden = r->n_hidden;
    r->now.ctm = pl_affine_chain(&matrix, &r->now.ctm);
    clip_to_box(r, dict);
    r->depth++;
    s = read_stream(r, (const char *)data, n, pl_qpdf.oh_is_dictionary(pdf, own) ? own : resources);
    r->depth--;
    r->now = before;
    r->n_saved = PL_MIN(r->n_saved, n_saved);
    r->n_marked = r->n_shown = n_marked; /* a form that is not shown is not run */
    r->out->shown.tangled = r->out->shown.tangled || (r->n_hidden > n_hidden && r->n_seen > n_seen);
    pl_free(data);
    return s;
}

static bool is_shown(const struct pdf_reader *r)
{
    return r->n_shown == r->n_marked;
}

/* Begins content that is marked, perhaps as that of a layer. */
static void begin_marked(struct pdf_reader *r, const struct pdf_operands *o, qpdf_oh resources)
{
    qpdf_data pdf = r->pdf;
    const bool shows =
        !o->layered ||
        pl_pdf_layers_show(
            &r->layers,
            pl_qpdf.oh_get_key_if_dict(
                pdf, pl_qpdf.oh_get_key_if_dict(pdf, resources, "/Properties"), o->name));
    r->n_shown += is_shown(r) && shows;
    r->n_marked++;
}

static void end_marked(struct pdf_reader *r)
{
    if (r->n_marked)
        r->n_marked--;
    r->n_shown = PL_MIN(r->n_shown, r->n_marked);
}

static platen_status paint_object(struct pdf_reader *r, const char *name, qpdf_oh resources)
{
    qpdf_data pdf = r->pdf;
    qpdf_oh all = pl_qpdf.oh_get_key_if_dict(pdf, resources, "/XObject"),
            object = pl_qpdf.oh_get_key_if_dict(pdf, all, name);
    if (!is_shown(r) || r->now.opacity <= 0 || !pl_qpdf.oh_is_stream(pdf, object))
        return PLATEN_OK;
    qpdf_oh dict = pl_qpdf.oh_get_dict(pdf, object),
            kind = pl_qpdf.oh_get_key(pdf, dict, "/Subtype");
    if (!pl_pdf_layers_show(&r->layers, pl_qpdf.oh_get_key(pdf, dict, "/OC")))
        return PLATEN_OK;
    if (pl_qpdf.oh_is_name_and_equals(pdf, kind, "/Form"))
        return paint_form(r, object, resources);
    if (!pl_qpdf.oh_is_name_and_equals(pdf, kind, "/Image"))
        return PLATEN_OK;
    struct pl_pdf_paints *out = r->out;
    if (out->n == MAX_PAINTS)
        return pl_fail(r->err, PLATEN_ERR_LIMIT, "the page has more than %d images", MAX_PAINTS);
    struct pl_pdf_paint *v = pl_realloc(out->v, out->n + 1, sizeof(*v));
    if (!v)
        return pl_fail_nomem(r->err, (out->n + 1) * sizeof(*v), "the images of a page");
    out->v = v;
    const struct pdf_state *now = &r->now;
    const bool partly =
        now->masked || now->opacity < 1 || !pl_pdf_clip_leaves(&now->clip, &now->ctm);
    out->v[out->n++] = (struct pl_pdf_paint){object, now->clip.box, partly, now->ctm, now->fill};
    r->n_seen++;
    return PLATEN_OK;
}

static bool is_any(const char *op, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(op, *list))
            return true;
    return false;
}

static void save_or_restore(struct pdf_reader *r, bool save)
{
    if (save && r->n_saved < MAX_DEPTH)
        r->saved[r->n_saved++] = r->now;
    else if (save)
        r->n_unsaved++;
    else if (r->n_unsaved)
        r->n_unsaved--;
    else if (r->n_saved)
        r->now = r->saved[--r->n_saved];
    else if (!r->depth && r->out->n_below < PL_PDF_MAX_BELOW)
        r->out->n_below++;
}

static bool is_text_invisible(const struct pdf_reader *r)
{
    return r->now.invisible_text || r->now.opacity <= 0;
}

static bool is_hidden(const struct pdf_reader *r)
{
    return is_text_invisible(r) || r->out->n < r->covered;
}

static void note_mark(struct pdf_reader *r)
{
    if (r->out->shown.first_mark == PL_PDF_NONE)
        r->out->shown.first_mark = r->out->n;
    r->out->shown.last_mark = r->out->n;
    r->n_seen += r->out->n >= r->covered;
}

static void note_text(struct pdf_reader *r)
{
    struct pl_pdf_shown *shown = &r->out->shown;
    r->n_hidden += is_hidden(r);
    if (is_text_invisible(r)) {
        shown->hidden = true;
        return;
    }
    if (shown->first_text == PL_PDF_NONE)
        shown->first_text = r->out->n;
    shown->last_text = r->out->n;
    note_mark(r);
}

/* Notes what is drawn and may cover something. */
static void note_other(struct pdf_reader *r)
{
    note_mark(r);
    r->out->shown.last_other = r->out->n;
}

/* Takes what makes paths. */
static void make_path(struct pdf_reader *r, const char *op, const struct pdf_operands *o)
{
    const struct pl_affine *m = &r->now.ctm;
    const double *last = o->v + o->n; /* behind the operands */
    if (!strcmp(op, "re") && o->n >= 4)
        pl_pdf_path_rectangle(
            &r->path, m,
            (struct pdf_box){last[-4], last[-3], last[-4] + last[-2], last[-3] + last[-1]});
    else if (!strcmp(op, "m") && o->n >= 2)
        pl_pdf_path_begin(&r->path, m, last - 2);
    else if (!strcmp(op, "l") && o->n >= 2)
        pl_pdf_path_line(&r->path, m, last - 2);
    else if (!strcmp(op, "c") && o->n >= 6)
        pl_pdf_path_curve(&r->path, m, last - 6, last - 2);
    else if ((!strcmp(op, "v") || !strcmp(op, "y")) && o->n >= 4) /* which enclose the same area */
        pl_pdf_path_curve(&r->path, m, last - 4, last - 2);
}

/* Takes what ends paths. */
static void follow_path(struct pdf_reader *r, const char *op, const struct pdf_operands *o)
{
    static const char *const ends[] = {"f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n", NULL};
    make_path(r, op, o);
    if (!strcmp(op, "W") || !strcmp(op, "W*"))
        r->clips = true;
    else if (is_any(op, ends))
        end_path(r);
}

/* Takes what counts here of a named set of parameters (ISO 32000-1, 8.4.5). */
static void set_parameters(struct pdf_reader *r, const char *name, qpdf_oh resources)
{
    qpdf_data pdf = r->pdf;
    qpdf_oh set = pl_qpdf.oh_get_key_if_dict(
                pdf, pl_qpdf.oh_get_key_if_dict(pdf, resources, "/ExtGState"), name),
            opacity = pl_qpdf.oh_get_key_if_dict(pdf, set, "/ca"),
            mask = pl_qpdf.oh_get_key_if_dict(pdf, set, "/SMask");
    if (pl_qpdf.oh_is_number(pdf, opacity))
        r->now.opacity = pl_qpdf.oh_get_numeric_value(pdf, opacity);
    if (!pl_qpdf.oh_is_null(pdf, mask))
        r->now.masked = pl_qpdf.oh_is_dictionary(pdf, mask);
}

static void set_text_mode(struct pdf_reader *r, double mode)
{
    r->now.invisible_text = mode == 3;
    r->now.clip.shaped = r->now.clip.shaped || mode >= 4; /* text becomes a clip */
}

static platen_status run_operator(struct pdf_reader *r, const char *op,
                                  const struct pdf_operands *o, qpdf_oh resources)
{
    static const char *const fills[] = {"f", "F", "f*", "B", "B*", "b", "b*", NULL};
    static const char *const strokes[] = {"S", "s", "sh", "BI", NULL};
    static const char *const colors[] = {"g", "rg", "k", "cs", "sc", "scn", NULL};
    follow_path(r, op, o);
    if (!strcmp(op, "Do"))
        return paint_object(r, o->name, resources);
    if (!strcmp(op, "q") || !strcmp(op, "Q")) {
        save_or_restore(r, *op == 'q');
    } else if (!strcmp(op, "cm") && o->n >= 6) {
        struct pl_affine m = matrix_of(o->v + o->n - 6);
        r->now.ctm = pl_affine_chain(&m, &r->now.ctm);
    } else if (is_any(op, colors)) {
        r->now.fill = gray_of(o);
    } else if (!strcmp(op, "Tr") && o->n) {
        set_text_mode(r, o->v[o->n - 1]);
    } else if (!strcmp(op, "gs")) {
        set_parameters(r, o->name, resources);
    } else if (!strcmp(op, "BMC") || !strcmp(op, "BDC")) {
        begin_marked(r, o, resources);
    } else if (!strcmp(op, "EMC")) {
        end_marked(r);
    } else if (!is_shown(r)) {
        return PLATEN_OK;
    } else if (pl_pdf_shows_text(op)) {
        note_text(r);
    } else if (is_any(op, fills) && r->now.opacity <= 0) {
        return PLATEN_OK;
    } else if (is_any(op, fills) && r->now.fill == 255) {
        r->out->shown.last_white = r->out->n;
    } else if (is_any(op, fills) || is_any(op, strokes)) {
        note_other(r);
    }
    return PLATEN_OK;
}

/* Runs the operator, with whose operands and itself the n bytes at `piece` end, and leaves it out
 * of what stays of the page where it shows nothing but hidden text. */
static platen_status run_piece(struct pdf_reader *r, const char *op, const struct pdf_operands *o,
                               qpdf_oh resources, const char *piece, size_t n)
{
    const size_t n_seen = r->n_seen, n_hidden = r->n_hidden;
    platen_status s = run_operator(r, op, o, resources);
    if (r->strip && !r->depth)
        pl_pdf_strip_piece(r->strip,
                           &(struct pl_pdf_piece){op, piece, n, o->v, o->n,
                                                  r->n_hidden > n_hidden && r->n_seen == n_seen,
                                                  is_hidden(r)});
    return s;
}

static platen_status read_stream(struct pdf_reader *r, const char *s, size_t n, qpdf_oh resources)
{
    struct pdf_text t = {s, n, 0};
    struct pdf_operands o = {.n = 0};
    const char *word;
    size_t len, from = 0; /* from: where the operands begin */
    double v;
    platen_status status = PLATEN_OK;
    while (!status && next_word(&t, &word, &len)) {
        char op[4] = "";
        if (*word == '/') {
            size_t k = PL_MIN(len, (size_t)MAX_NAME - 1);
            memcpy(o.name, word, k);
            o.name[k] = 0;
            o.layered = o.named ? o.layered : !strcmp(o.name, "/OC");
            o.named = true;
        } else if (pl_parse_double(word, len, &v)) {
            push_number(&o, v);
        } else {
            if (len < sizeof(op))
                memcpy(op, word, len);
            if (!strcmp(op, "ID"))
                skip_inline_image(&t);
            status = run_piece(r, op, &o, resources, s + from, t.at - from);
            from = t.at;
            o = (struct pdf_operands){.n = 0};
        }
    }
    return status;
}

static const struct pdf_state first_state = {
    .ctm = {1, 0, 0, 0, 1, 0}, .clip.box = {-FAR, -FAR, FAR, FAR}, .opacity = 1};
static const struct pl_pdf_paints nothing_shown = {.shown = {PL_PDF_NONE, PL_PDF_NONE, PL_PDF_NONE,
                                                             PL_PDF_NONE, PL_PDF_NONE, PL_PDF_NONE,
                                                             false, false}};

/* Returns whether a form shows text or a picture, or cannot be run. */
static bool has_content(struct pdf_reader *r, qpdf_oh form)
{
    struct pl_pdf_paints *out = r->out, own = nothing_shown;
    struct platen_error *err = r->err, ignored;
    r->out = &own;
    r->err = &ignored;
    const platen_status s = paint_form(r, form, pl_qpdf.oh_new_null(r->pdf));
    const bool any = s || own.n || own.shown.first_text != PL_PDF_NONE;
    pl_pdf_paints_done(&own);
    r->out = out;
    r->err = err;
    return any;
}

static bool is_annotation_seen(struct pdf_reader *r, qpdf_oh one)
{
    qpdf_oh looks;
    const enum pl_pdf_sight sight = pl_pdf_annotation_sight(&r->layers, one, &looks);
    return sight == PL_PDF_SEEN || (sight == PL_PDF_SEEN_FILLED && has_content(r, looks));
}

/* Notes whether stamps, notes, fields of forms that are filled in, and the like lie over the page.
 */
static void note_annotations(struct pdf_reader *r, qpdf_oh page)
{
    qpdf_data pdf = r->pdf;
    qpdf_oh all = pl_qpdf.oh_get_key(pdf, page, "/Annots");
    const int n = pl_qpdf.oh_is_array(pdf, all) ? pl_qpdf.oh_get_array_n_items(pdf, all) : 0;
    r->now = first_state; /* whatever the content left */
    r->n_marked = r->n_shown = 0;
    for (int i = 0; i < PL_MIN(n, PL_PDF_MAX_ANNOTATIONS); i++)
        if (is_annotation_seen(r, pl_qpdf.oh_get_array_item(pdf, all, i)))
            note_other(r);
}

static platen_status read_page(struct pdf_reader *r, qpdf_oh page, qpdf_oh resources,
                               struct pl_pdf_paints *ret)
{
    unsigned char *data = NULL;
    size_t n = 0;
    *ret = nothing_shown;
    if (pl_qpdf.oh_get_page_content_data(r->pdf, page, &data, &n) & QPDF_ERRORS)
        return pl_pdf_fail(r->pdf, "the content of the page", r->err);
    r->out = ret;
    r->now = first_state;
    r->path = pl_pdf_no_path;
    platen_status s = pl_pdf_layers_read(r->pdf, &r->layers, r->err);
    s = s ? s : read_stream(r, (const char *)data, n, resources);
    if (!s)
        note_annotations(r, page);
    pl_pdf_layers_done(&r->layers);
    pl_free(data);
    ret->n_open = r->n_saved + r->n_unsaved;
    if (s)
        pl_pdf_paints_done(ret);
    return s;
}

platen_status pl_pdf_read_content(qpdf_data pdf, qpdf_oh page, qpdf_oh resources,
                                  struct pl_pdf_paints *ret, struct platen_error *err)
{
    struct pdf_reader r = {.pdf = pdf, .err = err};
    return read_page(&r, page, resources, ret);
}

platen_status pl_pdf_strip_content(qpdf_data pdf, qpdf_oh page, qpdf_oh resources, size_t covered,
                                   struct pl_str *out, struct platen_error *err)
{
    struct pl_pdf_stripped strip = {.out = out};
    struct pdf_reader r = {.pdf = pdf, .err = err, .covered = covered, .strip = &strip};
    struct pl_pdf_paints paints;
    platen_status s = read_page(&r, page, resources, &paints);
    pl_pdf_strip_end(&strip);
    if (!s && paints.shown.tangled)
        s = pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                    "its hidden text stands in a form with other things, and cannot be taken away");
    if (!s && out->failed)
        s = pl_fail_nomem(err, out->len, "the content of a page");
    pl_pdf_paints_done(&paints);
    return s;
}

void pl_pdf_paints_done(struct pl_pdf_paints *p)
{
    pl_free(p->v);
    *p = (struct pl_pdf_paints){0};
}
