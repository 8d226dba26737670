/* SPDX-License-Identifier: BSD-2-Clause */
/* A page of a searchable PDF: the scan as it came, and under it, invisible, what was read; or the
 * text alone. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "output/emitters.h"
#include "page/bidi.h"
#include "output/pdf/pdf_font.h"
#include "output/pdf/pdf_info.h"
#include "output/pdf/pdf_picture.h"
#include "output/pdf/pdf_stream.h"
#include "output/prose.h"
#include "output/view.h"

/* The resolution of a picture whose file does not tell it. */
#define DEFAULT_DPI 300.0
/* Longest side of a page in points: what readers accept (ISO 32000-1, annex C). */
#define MAX_SIDE_PT 14400.0
#define CHAR_EM ((double)PL_PDF_CHAR / PL_PDF_EM)
#define PT_OF_INCH 72.0
/* From descender to ascender. */
#define LINE_EM ((double)(PL_PDF_ASCENT - PL_PDF_DESCENT) / PL_PDF_EM)
/* Readers take words for one that are closer than some 0.15 em. */
#define WORD_GAP_EM 0.2
/* A line, or else a word, that is nowhere farther from level than this stands level: readers part
 * lines whose words do not, and words whose letters do not. */
#define LEVEL_EM 0.3
/* Points by which the letters of a word may stand above or below its first one, or beside it in a
 * word that runs up or down, before poppler takes them for several words; it has no such bound for
 * a span that tells its text. */
#define LEVEL_PT 0.5

struct pdf_page_writer {
    const struct pl_page_result *page;
    struct pl_str *out;
    struct pl_pdf_part part;
    double scale_x, scale_y;  /* points per pixel */
    struct pl_affine to_user; /* from those points to the page */
};

static double points_per_pixel(float dpi, int side_px)
{
    double d = (double)dpi >= 1 ? (double)dpi : DEFAULT_DPI;
    return fmin(72 / d, MAX_SIDE_PT / side_px);
}

static void put_numbers(struct pl_str *out, const double *v, int n)
{
    for (int i = 0; i < n; i++) {
        pl_str_number(out, v[i], 4);
        pl_str_putc(out, ' ');
    }
}

static struct pl_point to_page(const struct pdf_page_writer *w, struct pl_point p)
{
    return (struct pl_point){p.x * w->scale_x, (w->page->height - p.y) * w->scale_y};
}

/* The matrix that puts the unit square of the file's picture on the page, by EXIF orientation. */
static void put_placement(const struct pdf_page_writer *w, int turn)
{
    static const signed char turns[9][6] = {
        {0},                  /* x and y of: */
        {1, 0, 0, 1, 0, 0},   /* as it is */
        {-1, 0, 0, 1, 1, 0},  /* mirrored */
        {-1, 0, 0, -1, 1, 1}, /* by 180 degrees */
        {1, 0, 0, -1, 0, 1},  /* upside down, mirrored */
        {0, -1, -1, 0, 1, 1}, /* over the main diagonal */
        {0, -1, 1, 0, 0, 1},  /* by 90 degrees, clockwise */
        {0, 1, 1, 0, 0, 0},   /* over the other diagonal */
        {0, 1, -1, 0, 1, 0},  /* by 90 degrees, the other way */
    };
    double m[6];
    for (int i = 0; i < 6; i++)
        m[i] = turns[turn][i] * (i % 2 ? w->part.height_pt : w->part.width_pt);
    pl_str_puts(w->out, "q ");
    put_numbers(w->out, m, 6);
    pl_str_puts(w->out, "cm /Im Do Q\n");
}

/* ---- the text ---- */

/* The characters as codes of the font, UTF-16 in hexadecimal digits; those of two units are U+FFFD.
 * Returns whether there are such, and in *ret_n the number of characters. */
static bool put_codes(struct pl_str *out, const char *s, size_t *ret_n)
{
    bool any = false;
    uint32_t c;
    *ret_n = 0;
    for (size_t n = strlen(s), k; n; s += k, n -= k, ++*ret_n) {
        k = pl_utf8_get(s, n, &c);
        if (!k)
            c = 0xfffd;
        k = PL_MAX(k, (size_t)1);
        any = any || c >= 0x10000;
        pl_str_printf(out, "%04x", c < 0x10000 ? (unsigned)c : 0xfffdu);
    }
    return any;
}

static double em_px(const struct pl_line *l, const struct pl_word *word)
{
    double height = l->ascent_px + l->descent_px;
    return (height >= 1 ? height : pl_rect_height(word->box)) / LINE_EM;
}

/* Returns the column where the line after `l` begins, if it stands beside it, as the next cell of a
 * table does; else infinity. */
static double next_beside(const struct pl_line *l, const struct pl_line *after)
{
    const bool beside = after && after->n_words && !after->from_right &&
                        after->box.y0 < l->box.y1 && l->box.y0 < after->box.y1 &&
                        after->box.x0 > l->box.x0;
    return beside ? (double)after->words[0].box.x0 : (double)INFINITY;
}

/* Columns of the page picture that the word takes in the document: its box, but never closer to its
 * neighbours than WORD_GAP_EM, even if their boxes touch or overlap. `end` of the word before;
 * `next` is the column where what stands behind the line begins. */
static void place_word(const struct pl_line *l, size_t i, double next, double *start, double *end)
{
    const struct pl_word *w = &l->words[i];
    double gap = WORD_GAP_EM * em_px(l, w), half = pl_rect_width(w->box) / 2.0;
    if (l->from_right) { /* the word before lies on the other side */
        *start = w->box.x0;
        *end = w->box.x1;
        return;
    }
    *start = i ? fmax(w->box.x0, *end + gap) : w->box.x0;
    *end = fmin(w->box.x1, (i + 1 < l->n_words ? l->words[i + 1].box.x0 : next) - gap);
    *end = fmax(*end, *start + half);
}

/* Moves both ends of a baseline to their mean height where that is near enough. */
static bool level(struct pl_point *a, struct pl_point *b, double em)
{
    if (fabs(b->y - a->y) / 2 >= LEVEL_EM * em)
        return false;
    a->y = b->y = (a->y + b->y) / 2;
    return true;
}

/* The baseline under a word, and the size of its letters, in points. */
struct pdf_base {
    struct pl_point from, to;
    double em;
};

static struct pdf_base base_of(const struct pdf_page_writer *w, const struct pl_line *l,
                               const struct pl_word *word, double start, double end)
{
    struct pdf_base b = {to_page(w, pl_view_baseline(w->page, l, start)),
                         to_page(w, pl_view_baseline(w->page, l, end)),
                         em_px(l, word) * w->scale_y};
    struct pl_point first = to_page(w, pl_view_baseline(w->page, l, l->box.x0)),
                    last = to_page(w, pl_view_baseline(w->page, l, l->box.x1));
    if (level(&first, &last, b.em))
        b.from.y = b.to.y = first.y;
    else
        level(&b.from, &b.to, b.em);
    return b;
}

static bool is_aslant(const struct pdf_page_writer *w, const struct pdf_base *b)
{
    const double dx = b->to.x - b->from.x, dy = b->to.y - b->from.y;
    const struct pl_affine *m = &w->to_user;
    return fmin(fabs(m->a * dx + m->b * dy), fabs(m->d * dx + m->e * dy)) > LEVEL_PT;
}

/* The text matrix: x along the baseline so that the word fills it, y across it. */
static void put_matrix(struct pl_str *out, const struct pdf_base *b, size_t chars)
{
    double dx = b->to.x - b->from.x, dy = b->to.y - b->from.y, length = fmax(hypot(dx, dy), 1e-3);
    double along = 1 / (CHAR_EM * (double)chars);
    const double m[6] = {dx * along,          dy * along, -dy / length * b->em,
                         dx / length * b->em, b->from.x,  b->from.y};
    put_numbers(out, m, 6);
    pl_str_puts(out, "Tm ");
}

/* Word i of the line in columns start..end of the page picture, its characters as they stand on
 * paper. A word with characters that the font has no codes for, which are of one UTF-16 unit, is a
 * span that tells its text, and so is one aslant where that is the text as it stands there.
 */
static void put_word(struct pdf_page_writer *w, const struct pl_line *l, size_t i, double start,
                     double end)
{
    const char *text = l->words[i].text;
    const struct pdf_base base = base_of(w, l, &l->words[i], start, end);
    struct pl_str codes = {0}, shown = {0};
    size_t n;
    pl_bidi_show(&shown, text);
    bool span = put_codes(&codes, shown.failed ? "" : shown.s, &n);
    span = span || (!shown.failed && !strcmp(shown.s, text) && is_aslant(w, &base));
    if (span) {
        pl_str_puts(w->out, "/Span << /ActualText <feff");
        pl_pdf_put_utf16(w->out, text, strlen(text));
        pl_str_puts(w->out, "> >> BDC ");
    }
    put_matrix(w->out, &base, n);
    pl_str_printf(w->out, "<%s", codes.failed ? "" : codes.s);
    if (span)
        pl_str_puts(w->out, "> Tj EMC <");
    pl_str_printf(w->out, "%s> Tj\n", i + 1 < l->n_words ? "0020" : "");
    w->out->failed = w->out->failed || codes.failed || shown.failed;
    pl_str_done(&codes);
    pl_str_done(&shown);
}

/* Begins marked content in a language, unless the tag is NULL. */
static void begin_language(struct pdf_page_writer *w, const char *tag)
{
    if (tag)
        pl_str_printf(w->out, "/Span << /Lang (%s) >> BDC\n", tag);
}

static void end_language(struct pdf_page_writer *w, const char *tag)
{
    if (tag)
        pl_str_puts(w->out, "EMC\n");
}

static void put_line(struct pdf_page_writer *w, const struct pl_line *l,
                     const struct pl_line *after)
{
    const double next = next_beside(l, after);
    double start, end = 0;
    begin_language(w, l->language);
    for (size_t k = 0; k < l->n_words; k++) {
        place_word(l, k, next, &start, &end);
        put_word(w, l, k, start, end);
    }
    end_language(w, l->language);
}

/* Returns the line that is read after line i of block b; NULL where that is the last one. */
static const struct pl_line *line_after(const struct pl_regions *r, size_t b, size_t i)
{
    if (++i < r->blocks[b].n_lines)
        return &r->blocks[b].lines[i];
    while (++b < r->n_blocks && !r->blocks[b].n_lines)
        ;
    return b < r->n_blocks ? &r->blocks[b].lines[0] : NULL;
}

static void put_text(struct pdf_page_writer *w)
{
    const struct pl_regions *r = w->page->regions;
    begin_language(w, r->language);
    if (r->language)
        snprintf(w->part.language, sizeof(w->part.language), "%s", r->language);
    pl_str_puts(w->out, "BT 3 Tr /" PL_PDF_FONT " 1 Tf\n");
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            put_line(w, &r->blocks[b].lines[i], line_after(r, b, i));
    pl_str_puts(w->out, "ET\n");
    end_language(w, r->language);
}

static platen_status put_content(struct pdf_page_writer *w, struct pl_str *plain, int turn,
                                 struct platen_error *err)
{
    struct pl_str *out = w->out;
    w->out = plain;
    put_text(w); /* first: the picture hides it from every reader that draws it all the same */
    if (w->part.image_bytes)
        put_placement(w, turn);
    w->out = out;
    if (plain->failed)
        return pl_fail_nomem(err, plain->len, "the text of a page");
    pl_str_puts(out, "<< ");
    pl_pdf_put_packed(out, plain);
    return pl_emit_finish(out, err);
}

/* Adds a heading, which becomes a bookmark; to_user leads from points to the units of the page. */
static void put_heading(struct pdf_page_writer *w, const struct pl_block *block,
                        const struct pl_affine *to_user)
{
    struct pl_str text = {0};
    pl_prose_join(block->lines, block->n_lines, &text);
    if (text.len) {
        const struct pl_rect box = pl_view_box(w->page, NULL, block->box);
        const struct pl_point top = to_page(w, (struct pl_point){0, box.y0});
        const struct pl_pdf_heading h = {pl_affine_apply(to_user, top.x, top.y),
                                         (size_t)block->level, text.len};
        pl_str_add(w->out, (const char *)&h, sizeof(h));
        pl_str_add(w->out, text.s, text.len);
        w->part.n_headings++;
    }
    w->out->failed = w->out->failed || text.failed;
    pl_str_done(&text);
}

static void put_headings(struct pdf_page_writer *w, const struct pl_affine *to_user)
{
    const struct pl_regions *r = w->page->regions;
    const size_t start = w->out->len;
    for (size_t b = 0; b < r->n_blocks; b++)
        if (r->blocks[b].kind == PL_BLOCK_HEADING)
            put_heading(w, &r->blocks[b], to_user);
    w->part.heading_bytes = w->out->len - start;
}

#if PL_HAVE_PDF
static bool has_words(const struct pl_regions *r)
{
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            if (r->blocks[b].lines[i].n_words)
                return true;
    return false;
}

/* The text of a page that stays, which begins where the page's own content ends. */
static void put_layer(struct pdf_page_writer *w, const struct pl_pdf_place *place)
{
    struct pl_str *out = w->out, plain = {0};
    const struct pl_affine *m = &place->to_user;
    const double matrix[6] = {m->a, m->d, m->b, m->e, m->c, m->f};
    const size_t start = out->len;
    w->out = &plain;
    w->to_user = *m;
    pl_str_putc(&plain, '\n');
    for (int i = 0; i <= place->n_open; i++)
        pl_str_puts(&plain, "Q ");
    pl_str_puts(&plain, "q ");
    put_numbers(&plain, matrix, 6);
    pl_str_puts(&plain, "cm\n");
    put_text(w);
    pl_str_puts(&plain, "Q\n");
    w->out = out;
    pl_str_puts(out, "<< ");
    pl_pdf_put_packed(out, &plain);
    w->part.text_bytes = out->len - start;
    pl_str_done(&plain);
}

/* The content that takes the place of the page's own. */
static void put_stripped(struct pdf_page_writer *w, struct pl_str *content)
{
    const size_t start = w->out->len;
    pl_str_puts(w->out, "<< ");
    pl_pdf_put_packed(w->out, content);
    w->part.stripped_bytes = w->out->len - start;
    pl_str_reset(content);
}

static platen_status put_update(struct pdf_page_writer *w, struct platen_error *err)
{
    const struct pl_page_result *page = w->page;
    const struct pl_pdf_update_source src = {.data = page->source,
                                             .n = page->source_bytes,
                                             .page = page->page,
                                             .page_at = page->page_at,
                                             .pdf_text = page->pdf_text,
                                             .scan_alone = page->told && page->told->scan_alone,
                                             .width = page->width,
                                             .height = page->height};
    struct pl_pdf_update u;
    platen_status s = pl_pdf_read_update(&src, &u, err);
    w->part.place = u.place;
    w->scale_x = u.place.scale_x;
    w->scale_y = u.place.scale_y;
    if (!s && !u.place.keeps_text && has_words(page->regions))
        put_layer(w, &u.place);
    if (!s && u.text[PL_PDF_STRIPPED].len)
        put_stripped(w, &u.text[PL_PDF_STRIPPED]);
    for (int i = 0; !s && i < PL_PDF_OLD_TEXTS; i++) {
        pl_str_add(w->out, u.text[i].len ? u.text[i].s : "", u.text[i].len);
        w->part.update_bytes[i] = u.text[i].len;
    }
    if (!s)
        put_headings(w, &u.place.to_user);
    pl_pdf_update_done(&u);
    return s;
}

/* What a new document carries over from the PDF that the page comes from. */
static platen_status put_carried(struct pdf_page_writer *w, struct platen_error *err)
{
    const struct pl_page_result *page = w->page;
    const struct pl_pdf_update_source src = {.data = page->source,
                                             .n = page->source_bytes,
                                             .page = page->page,
                                             .page_at = page->page_at,
                                             .carried = true};
    struct pl_pdf_update u;
    if (!page->source || !pl_image_is_pdf(page->source, page->source_bytes))
        return PLATEN_OK;
    platen_status s = pl_pdf_read_update(&src, &u, err);
    for (int i = PL_PDF_CARRIED_INFO; !s && i <= PL_PDF_CARRIED_MARKS; i++) {
        pl_str_add(w->out, u.text[i].len ? u.text[i].s : "", u.text[i].len);
        w->part.update_bytes[i] = u.text[i].len;
    }
    w->part.has_marks = !s && pl_pdf_info_has(&u.text[PL_PDF_CARRIED_INFO], PL_PDF_INFO_MARKS);
    pl_pdf_update_done(&u);
    return s;
}
#else
static platen_status put_carried(struct pdf_page_writer *w, struct platen_error *err)
{
    (void)w, (void)err;
    return PLATEN_OK;
}

/* Without a reader no page comes from a PDF. */
static platen_status put_update(struct pdf_page_writer *w, struct platen_error *err)
{
    (void)w;
    return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "this build cannot read a pdf");
}
#endif

/* Names the input file and the page in it. The title of the file is its name below the directory
 * that was read, without the extension. */
static void put_file(struct pdf_page_writer *w)
{
    const char *path = w->page->path, *name = w->page->file ? w->page->file : path;
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name,
               *dot = strrchr(base, '.');
    w->part.path_bytes = strlen(path);
    w->part.title_bytes = dot && dot > base ? (size_t)(dot - name) : strlen(name);
    pl_str_add(w->out, path, w->part.path_bytes);
    pl_str_add(w->out, name, w->part.title_bytes);
    if (w->page->page_label) {
        w->part.label_bytes = strlen(w->page->page_label);
        pl_str_add(w->out, w->page->page_label, w->part.label_bytes);
    }
}

/* What joins the page to the document that it comes from. */
static platen_status emit_update(const struct pl_page_result *page, struct pl_str *out,
                                 struct platen_error *err)
{
    struct pdf_page_writer w = {.page = page, .out = out};
    const size_t start = out->len;
    pl_str_add(out, (const char *)&w.part, sizeof(w.part));
    platen_status s = put_update(&w, err);
    put_file(&w);
    if (!s && !out->failed)
        memcpy(out->s + start, &w.part, sizeof(w.part));
    return s ? s : pl_emit_finish(out, err);
}

/* The page of a PDF keeps its size, and its picture the place there; else the picture is the page.
 */
static void find_box(struct pdf_page_writer *w)
{
    const struct pl_page_result *page = w->page;
    const struct pl_page_told *t = page->told;
    double *box = w->part.box;
    box[2] = w->part.width_pt;
    box[3] = w->part.height_pt;
    if (!t || !(t->width_in > 0) || page->clean || !page->has_own_dpi ||
        fmax(t->width_in, t->height_in) * PT_OF_INCH > MAX_SIDE_PT)
        return;
    box[0] = 0 - t->left_in * PT_OF_INCH;
    box[2] = box[0] + t->width_in * PT_OF_INCH;
    box[3] += t->top_in * PT_OF_INCH;
    box[1] = box[3] - t->height_in * PT_OF_INCH;
}

/* A page that readers do not accept. Its picture alone is never so large. */
static platen_status check_sheet(const struct pl_pdf_part *part, struct platen_error *err)
{
    double width = part->box[2] - part->box[0], height = part->box[3] - part->box[1];
    pl_pdf_sheet_around(&part->sheet, &width, &height);
    return fmax(width, height) <= MAX_SIDE_PT
               ? PLATEN_OK
               : pl_fail(err, PLATEN_ERR_LIMIT,
                         "a page with its margins has a side of more than %.0f points",
                         MAX_SIDE_PT);
}

static platen_status emit_page(const struct pl_env *env, const struct pl_page_result *page,
                               bool image, struct pl_str *out, struct platen_error *err)
{
    struct pdf_page_writer w = {.page = page,
                                .out = out,
                                .scale_x = points_per_pixel(page->dpi_x, page->width),
                                .scale_y = points_per_pixel(page->dpi_y, page->height),
                                .to_user = PL_AFFINE_IDENTITY};
    struct pl_str plain = {0};
    size_t start = out->len;
    struct pl_pdf_picture picture = {.turn = 1};
    w.part.archive = image && page->pdfa;
    if (page->sheet)
        w.part.sheet = *page->sheet;
    w.part.width_pt = page->width * w.scale_x;
    w.part.height_pt = page->height * w.scale_y;
    find_box(&w);
    pl_str_add(out, (const char *)&w.part, sizeof(w.part));
    platen_status s = check_sheet(&w.part, err);
    if (!s && image)
        s = pl_pdf_put_picture(env, page, out, &picture, err);
    w.part.image_bytes = picture.bytes;
    w.part.shared_bytes = picture.shared_bytes;
    const size_t text_at = out->len;
    if (!s)
        s = put_content(&w, &plain, picture.turn, err);
    w.part.text_bytes = out->len - text_at;
    pl_str_done(&plain);
    if (!s && image)
        s = put_carried(&w, err);
    put_headings(&w, &PL_AFFINE_IDENTITY);
    put_file(&w);
    if (!s && !out->failed)
        memcpy(out->s + start, &w.part, sizeof(w.part));
    return s ? s : pl_emit_finish(out, err);
}

/* The page as stage one left it: its picture is the one that was read. */
static platen_status emit_clean(const struct pl_env *env, const struct pl_page_result *page,
                                struct pl_str *out, struct platen_error *err)
{
    struct pl_page_image image = *page->image;
    struct pl_page_result clean = *page;
    image.to_input = PL_AFFINE_IDENTITY;
    clean.image = &image;
    clean.width = image.image.width;
    clean.height = image.image.height;
    clean.dpi_x = image.image.dpi_x;
    clean.dpi_y = image.image.dpi_y;
    return emit_page(env, &clean, true, out, err);
}

static platen_status pdf_emit(const struct pl_env *env, const struct pl_page_result *page,
                              struct pl_str *out, struct platen_error *err)
{
    if (page->update)
        return emit_update(page, out, err);
    return page->clean ? emit_clean(env, page, out, err) : emit_page(env, page, true, out, err);
}

static platen_status textpdf_emit(const struct pl_env *env, const struct pl_page_result *page,
                                  struct pl_str *out, struct platen_error *err)
{
    return emit_page(env, page, false, out, err);
}

#define PDF_HEAD "%PDF-1.5\n%\xE2\xE3\xCF\xD3\n"

const struct pl_emitter pl_emit_pdf = {
    .name = "pdf",
    .extension = "pdf",
    .media_type = "application/pdf",
    .help = "searchable PDF: the scan as it came, the text invisible; one file takes all pages",
    .head = PDF_HEAD,
    .needs = PLATEN_STAGE_RECOGNIZE,
    .binary = true,
    .source = true,
    .document = true,
    .emit = pdf_emit,
    .join = pl_pdf_join,
};

const struct pl_emitter pl_emit_textpdf = {
    .name = "textpdf",
    .extension = "text.pdf",
    .media_type = "application/pdf",
    .help = "PDF of the invisible text alone, for programs that lay it under pages",
    .head = PDF_HEAD,
    .needs = PLATEN_STAGE_RECOGNIZE,
    .binary = true,
    .document = true,
    .emit = textpdf_emit,
    .join = pl_pdf_join,
};
