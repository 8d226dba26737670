/* What the steps of `lines` share. A blob is a connected component of ink; a group is a set of
 * blobs that follow each other on one baseline: first a run of glyphs, in the end a text line. */
#ifndef PL_DETECT_LAYOUT_H
#define PL_DETECT_LAYOUT_H

#include "base/arena.h"
#include "page/result.h"
#include "detect/net/text_mask.h"
#include "image/components.h"

enum pl_blob_kind {
    PL_BLOB_TEXT,    /* may be a glyph or a part of one */
    PL_BLOB_SPECK,   /* smaller than a full stop: belongs to a line or is dirt */
    PL_BLOB_RULE,    /* long and thin */
    PL_BLOB_GRAPHIC, /* too big for text, or a bar of a barcode */
    PL_BLOB_MARK,    /* a dash alone, level with no row */
    PL_BLOB_TURNED,  /* of a line that runs up or down; this and the rest are in lines */
    PL_BLOB_INITIAL, /* a big letter before several rows */
    PL_BLOB_DASH,    /* alone in its row */
};

struct pl_blob {
    struct pl_rect box;
    uint32_t ink_px;
    uint32_t first_run, n_runs; /* in layout.comps.runs */
    int32_t group;              /* -1 = none */
    uint8_t kind;               /* enum pl_blob_kind */
};

/* Line of writing through a group. Its baseline is y = base + slope * x, bowed where `bend` is not
 * 0: by bend * (x - x0) * (x - x1). */
struct pl_fit {
    double base, slope;
    double bend, x0, x1;
    double size; /* median height of its glyphs, px */
    double xheight;
    double ascent, descent; /* of the farthest ink that belongs to it */
};

struct pl_group {
    struct pl_rect box;
    uint32_t first, n; /* in layout.members */
    struct pl_fit fit;
};

struct pl_layout {
    const struct pl_env *env;
    struct pl_arena *arena;
    struct pl_arena_mark start; /* of what is made of the present components */
    int width, height;
    int min_height; /* smallest and largest glyph that counts, px */
    int max_height;
    const struct pl_text_mask *text; /* where there may be text; NULL = anywhere */
    struct pl_bits outside;          /* the ink elsewhere */
    struct pl_components comps;
    struct pl_blob *blobs; /* sorted by box.x0 */
    uint32_t n_blobs;
    struct pl_group *groups; /* sorted by box.x0 */
    uint32_t n_groups;
    uint32_t *members;      /* blobs of the groups, each group's from left to right */
    struct pl_line *others; /* lines that are no groups */
    uint32_t n_others;
    double size;           /* usual height of a glyph on this page, px; 0 = no text */
    double slope;          /* usual slope of its lines */
    double bend;           /* how most of them bow; 0 = they are straight */
    struct pl_bits walls;  /* upright rules that pl_rules_erase() took out; may be empty */
    struct pl_bits floors; /* level ones */
    uint64_t erased_px;    /* ink of all rules that it took out */
    uint64_t cut_px;       /* ink that pl_touching_cut() took out */
};

/* Items sorted into rows of equal height by y, and by index inside a row. */
struct pl_rows {
    double y0, pitch;
    uint32_t n_rows;
    uint32_t *first; /* n_rows + 1 */
    uint32_t *item;
};

/* Square cells and the groups in each of them. */
struct pl_grid {
    double cell;
    int nx, ny;
    uint32_t *first; /* nx * ny + 1 */
    uint32_t *item;
};

/* A zeroed array from the layout's arena; NULL when memory is short. */
#define PL_LAYOUT_NEW(l, type, n) PL_NEW((l)->arena, type, (n))

/* Reports the memory that the layout's arena could not get: what a step that returned false or NULL
 * ran into. */
PL_MUST_USE platen_status pl_layout_nomem(const struct pl_layout *l, struct platen_error *err);

/* lines.c: from the picture (binarised here when it is not bilevel) to the groups that are its text
 * lines. The caller gives env, arena and both heights, and pl_layout_done() is due whatever comes
 * back. */
platen_status pl_layout_find(struct pl_layout *l, const struct pl_image *im, bool columns,
                             struct platen_error *err);

/* lines.c: gives components and bits back; what lies in the arena stays. */
void pl_layout_done(struct pl_layout *l);

/* lines.c: the groups as lines in reading order; `columns` = false reads across the page. */
bool pl_layout_emit(struct pl_layout *l, bool columns, struct pl_regions *ret);

/* lines.c: from blobs to groups that are text lines. */
bool pl_layout_group(struct pl_layout *l, bool columns);

/* lines.c: room for n more lines in l->others. */
bool pl_others_reserve(struct pl_layout *l, size_t n);

/* lines.c: a line of one blob, which lies in a row of print or beside it and is set like that.
 * `box`, a copy of the blob's, stays with the line. */
struct pl_line pl_line_in_row(const struct pl_blob *b, struct pl_rect *box,
                              const struct pl_group *row);

/* turned.c: fills l->others with lines that run up or down, from what no group of more than a few
 * glyphs holds; those groups stay, and which of the two is text is settled once both are
 * read (pl_layout_settle()). */
bool pl_turned_find(struct pl_layout *l);

/* initials.c: adds initials, from free blobs, to l->others. */
bool pl_initials_find(struct pl_layout *l);

/* faint.c: adds to `to` the glyphs of rows that `seen` has not, or in pieces, both pictures of the
 * page; the layout was surveyed on a third. Whether there were any. */
bool pl_faint_add(const struct pl_layout *l, const struct pl_bits *seen, const struct pl_bits *to);

/* surround.c: `dark` is the page by one threshold, of which the layout was surveyed, `local` by a
 * local one. Blackens in `local` what is dark around the page and there shows nothing but grain;
 * ret_any tells whether there was any. */
bool pl_surround_blacken(struct pl_layout *l, const struct pl_bits *dark,
                         const struct pl_bits *local, bool *ret_any);

/* dashes.c: adds lone dashes, from free blobs, to l->others; those level with no row become marks.
 */
bool pl_dashes_find(struct pl_layout *l);

/* rows.c */
bool pl_rows_build(struct pl_layout *l, const double *y, uint32_t n, double pitch,
                   struct pl_rows *ret);
/* The row of y, clamped to the rows there are. */
uint32_t pl_rows_of(const struct pl_rows *r, double y);

/* blobs.c: the blobs of layout->comps. */
bool pl_blobs_build(struct pl_layout *l);
/* Sets kinds by the page's size of text. */
void pl_blobs_classify(struct pl_layout *l);

/* blobs.c: whether it has the strokes of a word whose letters touch each other. */
bool pl_blob_is_word(const struct pl_blob *b);

/* rules.c: whether anything is long enough to be or to touch a rule. */
bool pl_rules_likely(const struct pl_layout *l);
/* Erases the long thin strokes and heavy bars of `keep`, whose components are layout->comps, from
 * its copy `page`, leaving what crosses them, counts their ink in layout->erased_px and keeps them
 * in layout->walls and layout->floors. */
platen_status pl_rules_erase(struct pl_layout *l, const struct pl_bits *keep, struct pl_bits *page,
                             struct platen_error *err);
/* Whether an upright rule parts columns x0 and x1 in rows y0..y1, as between cells of a table. */
bool pl_wall_between(const struct pl_layout *l, double x0, double x1, double y0, double y1);
/* Whether the blob is a flat piece at the side of a rule that was taken out: what its rough edge
 * left. */
bool pl_is_rule_edge(const struct pl_layout *l, const struct pl_blob *b);

/* touching.c: parts on `page` what joins the letters of a row to other ink: takes out the pixels
 * between them. The layout's components are those of `page`, and its blobs have their kinds. */
bool pl_touching_cut(struct pl_layout *l, struct pl_bits *page);

/* tints.c: looks once more, with a threshold by Sauvola of that window and strength, for what is
 * ink in the big dark boxes of `page`, whose components the layout's are; whether there are any. */
platen_status pl_tints_mend(const struct pl_layout *l, const struct pl_image *gray, int window_px,
                            double k, struct pl_bits *page, bool *ret_any,
                            struct platen_error *err);

/* leaders.c: rows of dots, as between a title and its number, become rules. */
bool pl_leaders_drop(struct pl_layout *l);

/* chain.c: joins blobs that are each other's nearest neighbour of similar height into groups. */
bool pl_chains_build(struct pl_layout *l);
/* bars.c: chains that are the bars of a barcode fall apart; their blobs become graphics. */
bool pl_bars_drop(struct pl_layout *l);
/* text_height.c: layout->size, slope and bend from the chains. */
bool pl_text_height(struct pl_layout *l);

/* fit.c: all groups or one, from its members. */
void pl_fit_group(const struct pl_layout *l, struct pl_group *g, double *scratch);
bool pl_fit_groups(struct pl_layout *l);
/* How the baseline of a long group bows that was fitted to a straight line; false where it does not
 * tell. */
bool pl_fit_bend(const struct pl_layout *l, const struct pl_group *g, double *scratch, double *ret);

/* group.c: groups, members and boxes anew from blob.group = root[], any numbers < n_roots. */
bool pl_groups_rebuild(struct pl_layout *l, uint32_t n_roots);
/* grid.c: every group is entered in the cells that its band crosses, from `up` of its sizes above
 * the baseline to `down` below it, widened by `side` of its sizes at both ends. */
bool pl_grid_build(struct pl_layout *l, double up, double down, double side, struct pl_grid *ret);
/* The groups at (x, y): ret_item[0..n); returns n. */
uint32_t pl_grid_at(const struct pl_grid *g, double x, double y, const uint32_t **ret_item);

/* columns.c: whether the white between two groups of a row goes on above and below between other
 * text, as between columns. */
bool pl_gap_is_gutter(const struct pl_layout *l, const struct pl_grid *grid, uint32_t left,
                      uint32_t right);

/* merge.c: pieces of one line to lines; `columns` = false joins over any gap. */
bool pl_groups_merge(struct pl_layout *l, bool columns);
/* attach.c: dots, accents, punctuation and broken parts to the line in whose band they lie. */
bool pl_groups_attach(struct pl_layout *l);
/* prune.c: drops groups that are no text; their blobs become free. */
bool pl_groups_prune(struct pl_layout *l);

/* words.c: the group as a line with its words. */
bool pl_line_emit(struct pl_layout *l, const struct pl_group *g, struct pl_line *ret);
/* leftover.c: ink of a blob in a line that lies too far above or below that to be read. */
uint64_t pl_leftover_outside(const struct pl_layout *l, const struct pl_blob *b);
/* Sums up the ink by what it was taken for, and names what lies in no line. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_leftover_account(struct pl_layout *l, struct pl_regions *ret,
                                              struct platen_error *err);

/* Baseline of g at x. */
static inline double pl_fit_y(const struct pl_fit *f, double x)
{
    return f->base + f->slope * x + f->bend * (x - f->x0) * (x - f->x1);
}

/* lines.c: the greatest height of letters on a page of that height. */
int pl_layout_max_height(int page_height);

/* Parameters of every operation that finds lines; `type` is its struct of arguments. */
#define PL_LAYOUT_MIN_HEIGHT(type)                                                                 \
    {                                                                                              \
        .name = "min-height", PL_PARAM(type, min_height_px), .min = 2, .max = 1000, .def = 4,      \
        .unit = "px", .help = "smallest height of a letter"                                        \
    }
#define PL_LAYOUT_COLUMNS(type)                                                                    \
    {                                                                                              \
        .name = "columns", PL_PARAM(type, columns),                                                \
        .choices =                                                                                 \
            (const char *const[]){                                                                 \
                [PL_COLUMNS_AUTO] = "auto", [PL_COLUMNS_SINGLE] = "single", NULL},                 \
        .unit = "", .help = "split lines and order at columns, or read across the page"            \
    }

#endif
