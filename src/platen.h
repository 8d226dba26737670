/* SPDX-License-Identifier: BSD-2-Clause */
/* platen: page images to clean images, text regions and text. This is the only public header.
 *
 * Errors: a function that can fail returns a platen_status and fills a platen_error that the caller
 * owns; `err` may be NULL. What it returns through ret_... pointers is set on success only, unless
 * its comment says otherwise. The library never prints, never exits, and keeps no state of its own
 * but the chosen kernels, the processes of platen_isolate() and what the sandbox left.
 *
 * Threads: functions may be called from any thread. An object (a pipeline, a job) is used by one
 * thread at a time, except where a comment says otherwise.
 *
 * Texts are UTF-8 and end with a zero byte. Those that a function returns are freed with
 * platen_free(); those of a struct that is passed to a callback last until the callback returns.
 *
 * Versions: a struct with a member `size` may grow at its end in a later version. The caller sets
 * `size` to sizeof of the struct before the library reads or fills it, so that callers that were
 * built with an older header are served: members that they do not know have their defaults. A newer
 * caller is served unless it sets a member that the library does not know: PLATEN_ERR_ARG, as for a
 * size that is not set. In structs that are passed to callbacks the library sets `size`. Structs
 * without a size, and arrays of PLATEN_STAGES, never change while the soversion stays. */
#ifndef PLATEN_H
#define PLATEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLATEN_API __attribute__((visibility("default")))

/* The values are pinned: they never change their meaning. */
typedef enum platen_status {
    PLATEN_OK = 0,
    PLATEN_ERR_NOMEM = 1,       /* memory is short */
    PLATEN_ERR_IO = 2,          /* the system refused a read, a write or an open */
    PLATEN_ERR_FORMAT = 3,      /* the data is malformed or truncated */
    PLATEN_ERR_UNSUPPORTED = 4, /* well-formed, but nothing that platen can do */
    PLATEN_ERR_LIMIT = 5,       /* beyond a limit that the caller or the format set */
    PLATEN_ERR_ARG = 6,         /* a wrong argument, option or pipeline */
    PLATEN_ERR_CANCELED = 7,    /* the caller asked to stop */
    PLATEN_ERR_INTERNAL = 8,    /* a bug, or a thread that could not be made */
} platen_status;

struct platen_error {
    platen_status code;
    int os_errno;   /* of the failed call, or 0 */
    char text[240]; /* UTF-8, one line, lower case, no full stop, no control characters */
};

/* "malformed data" and the like; never NULL. */
PLATEN_API const char *platen_status_name(platen_status s);
/* "malformed" and the like, as format ndjson has it: one word that never changes; never NULL. */
PLATEN_API const char *platen_status_code(platen_status s);

/* The version of this header; PLATEN_VERSION_NUM grows with every version. platen_version() tells
 * that of the library that runs: "0.1.0". */
#define PLATEN_VERSION_MAJOR 0
#define PLATEN_VERSION_MINOR 1
#define PLATEN_VERSION_PATCH 0
#define PLATEN_VERSION_NUM                                                                         \
    (PLATEN_VERSION_MAJOR * 1000000 + PLATEN_VERSION_MINOR * 1000 + PLATEN_VERSION_PATCH)

PLATEN_API const char *platen_version(void);

/* Frees a text that a function of this library returned; NULL is fine. */
PLATEN_API void platen_free(void *text);

/* How the describing functions below write: lines for people, or one JSON value. */
enum platen_form { PLATEN_FORM_TEXT, PLATEN_FORM_JSON };

/* ---- pipelines: platen-pipeline(5) ---- */

/* A checked pipeline; may be shared by threads and jobs. */
struct platen_pipeline;

/* Reads the text form ("gray,deskew | lines | ctc", "@document") or the JSON form of text[0..n).
 * PLATEN_ERR_ARG, _LIMIT or _NOMEM; then *ret_column (may be NULL) is the character of the text
 * that is wrong, from 1, or 0 when the error has no place in it. */
PLATEN_API platen_status platen_pipeline_parse(const char *text, size_t n, enum platen_form form,
                                               struct platen_pipeline **ret, size_t *ret_column,
                                               struct platen_error *err);
PLATEN_API void platen_pipeline_free(struct platen_pipeline *p);

/* Sets a parameter of the recognize stage, as if the text had named it ("min-conf", "0.5"), or the
 * first one of an operation of stage one ("orient", "180"); not while a job uses the pipeline.
 * PLATEN_ERR_UNSUPPORTED where the pipeline lacks that stage or operation, PLATEN_ERR_ARG, _NOMEM;
 * then the pipeline is as it was. */
PLATEN_API platen_status platen_pipeline_set(struct platen_pipeline *p, const char *name,
                                             const char *value, struct platen_error *err);

/* The canonical text: every operation with all of its parameters; for platen_free(). */
PLATEN_API platen_status platen_pipeline_print(const struct platen_pipeline *p, char **ret,
                                               struct platen_error *err);

/* How many of the stages preprocess, detect and recognize it has: 1, 2 or 3. */
PLATEN_API int platen_pipeline_stages(const struct platen_pipeline *p);

/* The format that shows its last stage: "png", "json" or "txt". */
PLATEN_API const char *platen_pipeline_format(const struct platen_pipeline *p);

/* Every operation of every stage with its parameters, ranges and defaults, and the presets; or the
 * one operation `name` alone. PLATEN_ERR_ARG when there is none of that name. */
PLATEN_API platen_status platen_ops_describe(const char *name, enum platen_form form, char **ret,
                                             struct platen_error *err);

/* ---- output formats ---- */

struct platen_format {
    size_t size;            /* sizeof(struct platen_format) */
    const char *name;       /* "txt" */
    const char *extension;  /* of output files, without the dot */
    const char *help;       /* one line */
    int stages;             /* that the pipeline must have: 1, 2 or 3 */
    bool binary;            /* not for a terminal */
    bool single;            /* one page per file */
    const char *media_type; /* "text/plain; charset=utf-8" */
};

/* Fills *ret, whose size is set, with format number i, from 0; false behind the last. */
PLATEN_API bool platen_format_at(size_t i, struct platen_format *ret);

/* ---- the result of a page ----
 *
 * A page holds blocks of lines of words, all in reading order. All boxes and points are in pixels
 * of the input picture, turned as its EXIF data say, from its top left corner: the members "box",
 * "quad" and "baseline" of format json, not rounded. Confidences are from 0 to 1. Structs are read
 * only and belong to the library; they last until the callback that they came with returns. They
 * stand in arrays of pointers, so that they may grow. */

struct platen_point {
    double x, y;
};

/* The columns x0 <= x < x1 of the rows y0 <= y < y1. */
struct platen_box {
    int x0, y0, x1, y1;
};

struct platen_word {
    size_t size;
    struct platen_box box;
    struct platen_point quad[4]; /* corners, from the top left one of the text on, clockwise */
    const char *text;            /* not empty */
    double conf;
    const float *char_conf; /* n_chars confidences, one for each code point of text */
    size_t n_chars;
};

struct platen_line {
    size_t size;
    struct platen_box box;
    const struct platen_point *baseline; /* from the start of the text to its end */
    size_t n_baseline;                   /* at least 2 */
    const char *text; /* words and single spaces; "" when the pipeline does not recognize */
    double conf;      /* 0 then */
    const struct platen_word *const *words;
    size_t n_words;
    int row;          /* of its block, from 0: lines that stand side by side are of one row */
    const char *lang; /* a tag of BCP 47 where it is surely not that of the page; else NULL */
};

enum platen_block_kind {
    PLATEN_BLOCK_TEXT,
    PLATEN_BLOCK_HEADING,
    PLATEN_BLOCK_HEADER, /* running head of the page */
    PLATEN_BLOCK_FOOTER,
    PLATEN_BLOCK_CAPTION,
    PLATEN_BLOCK_TABLE,
};

/* A cell of a table: rows `row` to row + n_rows - 1 of the columns `column` to
 * column + n_columns - 1, all from 0. */
struct platen_cell {
    size_t size;
    struct platen_box box;
    int row, column, n_rows, n_columns;
    const struct platen_line *const *lines; /* of the block's lines; none when it is empty */
    size_t n_lines;
    const char *text; /* its paragraphs, parted by line ends; "" when it is empty or was not read */
};

struct platen_block {
    size_t size;
    enum platen_block_kind kind;
    struct platen_box box;
    const struct platen_line *const *lines;
    size_t n_lines;
    /* Of a table: its rows, its columns, how many rows at the top name the columns, and its cells
     * by rows. Each place of its grid is in one cell, and its lines stand in the order of the
     * cells. Zeros of other kinds. */
    int n_rows, n_columns, n_head;
    const struct platen_cell *const *cells;
    size_t n_cells;
};

/* What is known of the way up of a page. */
enum platen_upright {
    PLATEN_UPRIGHT_UNASKED,
    PLATEN_UPRIGHT_DOUBTFUL, /* its letters did not tell: it was read as it stands */
    PLATEN_UPRIGHT_SURE,
};

struct platen_page {
    size_t size;
    const char *path;    /* the name of the input as the caller gave it: bytes, perhaps not UTF-8 */
    int page;            /* of the input, from 1 */
    int part;            /* 1 or 2 when the pipeline made two pages of one; else 0 */
    int width, height;   /* of the input picture */
    double dpi_x, dpi_y; /* 0 = unknown */
    int quarters;        /* quarter turns clockwise by which it was set upright: 0..3 */
    enum platen_upright upright;
    double angle_deg; /* skew that was taken out; positive: the text rose to the right */
    const struct platen_block *const *blocks;
    size_t n_blocks;        /* 0 when the pipeline has no detect stage */
    const char *page_label; /* as the input names the page, "iv"; NULL = it does not */
    /* What was left over: lines in which nothing was read, which are in no block, and boxes of ink
     * that looks like text and is in no line (of those with the most ink). */
    const struct platen_line *const *unread;
    size_t n_unread;
    const struct platen_box *unexplained;
    size_t n_unexplained;
    const char *lang; /* of most of the text, a tag of BCP 47; NULL = not known */
    const char
        *unread_script; /* ISO 15924: the text seems to be in it, and was not read; or NULL */
};

/* ---- jobs: pages through a pipeline ---- */

enum platen_stage {
    PLATEN_STAGE_DECODE,
    PLATEN_STAGE_PREPROCESS,
    PLATEN_STAGE_DETECT,
    PLATEN_STAGE_RECOGNIZE,
    PLATEN_STAGE_OUTPUT,
    PLATEN_STAGES
};

/* "decode", ... */
PLATEN_API const char *platen_stage_name(enum platen_stage s);

/* What becomes of pages of a PDF that have text. "Hidden" is text that is not to be seen: drawn by
 * no ink, or below a picture of the page. */
enum platen_pdf_text {
    /* Pages are read as if they had no hidden text. Only where a PDF gets text pages that have
     * hidden text, or whose text is drawn, are not read, and keep it. */
    PLATEN_PDF_TEXT_KEEP,
    PLATEN_PDF_TEXT_SKIP,  /* pages that have any text are not read */
    PLATEN_PDF_TEXT_FORCE, /* pages are read as they are seen, with all that is drawn over a scan; a
                              PDF becomes a new one, of pictures */
    PLATEN_PDF_TEXT_REDO   /* hidden text is taken away from a PDF, and the page is read */
};

enum platen_opt_level {
    PLATEN_OPT_NONE,     /* scalar kernels, one thread */
    PLATEN_OPT_SIMD,     /* the best kernels, one thread */
    PLATEN_OPT_PARALLEL, /* scalar kernels, all threads */
    PLATEN_OPT_FULL,     /* the best kernels, all threads */
};

/* How far a job is. */
struct platen_progress {
    size_t size;
    size_t done, failed, skipped; /* as in platen_summary */
    size_t total;                 /* inputs so far */
    bool all_known;               /* those are all: no list is being read any more */
};

/* Of a page that was read; the texts last for the call only. */
struct platen_warning {
    size_t size;
    const char *text; /* "'a.png': of the ink that looks like text 4 % lies in no line" */
    const char *name; /* "'a.png'" */
    double share;     /* of that ink, in no line or not read; 0 = it is about the file */
};

/* What the numbers of struct platen_options may be at most. */
#define PLATEN_MAX_THREADS 1024
#define PLATEN_MAX_BATCH 64
#define PLATEN_MAX_WAIT_MS 60000
#define PLATEN_MAX_DPI 32767

/* All strings are borrowed and must outlive the job. The callbacks are called one at a time, in the
 * order of the inputs unless `unordered`, from any thread of the job; they may be NULL and must not
 * call the job. */
struct platen_options {
    size_t size; /* set by platen_options_init() */
    enum platen_opt_level opt_level;
    int threads;         /* 0 = what the level says, by the cores that this process may use */
    const char *isa;     /* NULL = what the level says */
    uint64_t max_pixels; /* a page with more is refused before it is decoded */
    /* Memory to stay within, by the headers of the pages; 0 = half of what the control group of
     * this process, or the machine, has. A page that alone needs more runs alone. */
    uint64_t max_mem_bytes;
    /* Lines of several pages share calls of the network; what is read does not depend on that. A
     * worker that has fewer lines than `batch_preferred` in hand goes on to the next page before it
     * reads them; those of large pictures do not wait. */
    int batch_max;            /* lines of one call: 1..PLATEN_MAX_BATCH; 0 = that */
    int batch_preferred;      /* 1..PLATEN_MAX_BATCH; 0 = 16 */
    int batch_wait_ms;        /* that they wait for a page of a list or a request to come:
                                 0..PLATEN_MAX_WAIT_MS */
    double target_latency_ms; /* of such a page, from when it is begun: lines that wait become fewer
                               * while it is longer, and more again, up to batch_preferred, while it
                               * is not; 0 = none */
    const char *model;        /* names, or files that have a '/' or end in ".platen", parted by
                                 commas: those behind the first read what it is not sure of.
                                 NULL = eng, and cyrillic-greek where it is there */
    const char *models;       /* directories to look in first, parted by colons; NULL = none */

    const char *formats;    /* "txt,json"; NULL = platen_pipeline_format() */
    const char *output_dir; /* a file for each page, of pdf for each input file; NULL = a stream */
    const char *join;       /* below output_dir, the name, without an ending, of one document of all
                               inputs in the place of one for each file; NULL = these */
    const char *output_file; /* the stream goes to this file; NULL = to `write` */
    bool durable; /* outputs are on the disk before the journal names them, or the job ends */
    const char *pipeline_file; /* that the pipeline was read from, or NULL: no output replaces it */
    bool resume;      /* pass over pages that an earlier run into the output directory completed */
    bool retry_fatal; /* with resume: read again what two earlier runs ended with */
    /* The program that makes pictures of pages of PDF that are drawn, not scanned: "pdftoppm",
     * "mutool", a name or a path of another one that takes the arguments of pdftoppm, or "auto",
     * the first of these two that is there. It is started for each such page, in a sandbox of its
     * own unless `pdf_renderer_open`; a helper process for that is forked when the job runs, or in
     * platen_sandbox_enter(), where inputs may need it. There is one for the whole process. NULL =
     * such pages fail. */
    const char *pdf_renderer;
    bool pdf_renderer_open;
    enum platen_pdf_text pdf_text;
    /* Of every input only these pages, as "3-7,12,20-"; an input without any of them fails. NULL =
     * all of them. */
    const char *pages;
    /* Of directories also files without the extension of a picture, if they begin like one. */
    bool all_files;
    const char *passed_over; /* write the names of files that were passed over here; NULL = none */
    const char *manifest;    /* write the names of the pages to this file, and read none of them */
    const char *steps_dir;   /* every intermediate picture goes here; NULL = none */
    double dpi; /* resolution of the pages, in the place of what their files tell; 0 = that */
    bool times; /* put the time of each stage into formats that have a place for it */
    bool slim;  /* json and ndjson without char_conf and quad */
    /* txt: a line for each paragraph, and words that were parted at the ends of lines are whole. */
    bool join_lines;
    bool fail_fast; /* stop at the first page that fails */
    bool unordered; /* write each page as soon as it is done */
    /* Pages come by platen_job_ask() while the job runs, each with its own format; there are no
     * inputs and no outputs, and of the callbacks none is called. */
    bool requests;
    /* With requests: n_pipelines pipelines that a picture may name in the place of the job's own,
     * whose models and decoder they share. */
    const struct platen_pipeline *const *pipelines;
    size_t n_pipelines;

    void *ctx; /* for the callbacks */
    /* The next bytes of the stream. A failure ends the job with its status and error. */
    platen_status (*write)(void *ctx, const void *data, size_t n, struct platen_error *err);
    /* The same of several formats without an output directory, each a stream of its own: `format`
     * counts those of `formats`, from 0. In the place of `write`. */
    platen_status (*write_format)(void *ctx, size_t format, const void *data, size_t n,
                                  struct platen_error *err);
    /* A page failed: "unable to decode 'a.png': truncated at byte 812". */
    void (*failure)(void *ctx, const char *message);
    /* A page was read, but not all of it, or its file has a flaw. */
    void (*warning)(void *ctx, const struct platen_warning *w);
    /* About the run, before its first page: "'out/a.txt' is left from an earlier run". */
    void (*notice)(void *ctx, const char *message);
    /* After every page. */
    void (*progress)(void *ctx, const struct platen_progress *now);
    /* A page was read: its result. A job with this callback has no formats and no outputs. */
    void (*page)(void *ctx, const struct platen_page *page);
};

/* Fills *o, of `size` bytes, with the defaults: level full, 250 million pixels. `size`
 * is sizeof(struct platen_options). */
PLATEN_API void platen_options_init(struct platen_options *o, size_t size);

/* Wall times of pages. */
struct platen_times {
    uint64_t pages;                /* that came so far */
    double p50_ms, p90_ms, p99_ms; /* that so many percent of them did not exceed, within 3.2 % */
};

/* Pages that wait. */
struct platen_queue {
    double mean; /* over the time of the run */
    size_t most;
};

struct platen_summary {
    size_t size;    /* sizeof(struct platen_summary) */
    size_t pages;   /* inputs in all */
    size_t failed;  /* pages that failed */
    size_t done;    /* pages whose output is complete; pages - failed - done were not begun or given
                       up after a cancel, an error or fail_fast */
    size_t skipped; /* the ones among `done` that an earlier run had completed */
    size_t elsewhere;       /* inputs that other shares have */
    size_t passed_over;     /* files of directories that were not taken for pictures */
    char passed_kinds[160]; /* "12 files: 8 .pdf, 3 .heic, 1 without extension"; "" for none */
    double wall_s;
    double core_s[PLATEN_STAGES]; /* processor time of the page threads */
    uint64_t peak_rss_bytes;      /* of the process */
    uint64_t buffer_gets, buffer_hits, buffer_peak_bytes;
    uint64_t allocations;    /* from the heap, but for those of the codecs' libraries */
    uint64_t max_mem_bytes;  /* as it was set or found */
    size_t pages_at_once;    /* in memory, at most */
    uint64_t promised_bytes; /* of memory that pages were let in with, at once at most */
    size_t pages_delayed;    /* because memory was taken */
    struct platen_times times[PLATEN_STAGES], page_times; /* of each stage, and of the whole */
    /* A page goes through its stages on one thread and waits in two places: before it is decoded,
     * for memory, and when it is done, for those before it. */
    struct platen_queue waiting_memory, waiting_turn;
    uint64_t line_calls, line_strips; /* of the network that reads lines, and lines in them; those
                                         that are read twice, or in pieces, count so */
    int models;                       /* files that were opened, each once and for all threads */
    uint64_t model_bytes;
    int threads;
    const char *isa;
    char model[64]; /* name in the file, or "" when none was needed */
};

struct platen_job;

/* The pipeline is borrowed and must outlive the job. PLATEN_ERR_ARG (a format that does not fit the
 * pipeline, an unknown level), PLATEN_ERR_IO (no model), ...; nothing was read or written then. */
PLATEN_API platen_status platen_job_new(const struct platen_pipeline *p,
                                        const struct platen_options *o, struct platen_job **ret,
                                        struct platen_error *err);
PLATEN_API void platen_job_free(struct platen_job *job);

/* Adds a file, all pictures below a directory, or "-": the bytes of one picture on standard input.
 * A name that cannot be read is no error here: it becomes a page that fails. PLATEN_ERR_ARG when
 * standard input is asked for twice. */
PLATEN_API platen_status platen_job_add(struct platen_job *job, const char *path,
                                        struct platen_error *err);
/* Adds every name of a list, one a line or ended by NUL; `path` may be "-". In an output directory
 * these keep their directories. Without one, and with a format that takes several pages, the list
 * is read while the job runs, behind all other inputs: each page is written as soon as its turn
 * comes, and what is wrong with the list itself ends platen_job_run(). PLATEN_ERR_IO,
 * PLATEN_ERR_ARG for a second such list. */
PLATEN_API platen_status platen_job_add_list(struct platen_job *job, const char *path,
                                             bool nul_ended, struct platen_error *err);
/* Keeps only the share `index` of `count` (1 <= index <= count), chosen by a hash of each input's
 * name below the directory or in the list where it was found: the same names make the same shares
 * wherever they lie and whatever else is there. */
PLATEN_API platen_status platen_job_shard(struct platen_job *job, size_t index, size_t count,
                                          struct platen_error *err);

/* Runs the job, once. PLATEN_OK when it came to its end, whatever became of single pages (see
 * `failed`); PLATEN_ERR_CANCELED; or the error that ended it. ret is filled in every case. */
PLATEN_API platen_status platen_job_run(struct platen_job *job, struct platen_summary *ret,
                                        struct platen_error *err);

/* How far a process gives up what a job does not need. */
enum platen_sandbox_mode {
    PLATEN_SANDBOX_OFF,
    PLATEN_SANDBOX_AUTO,    /* whatever this kernel has */
    PLATEN_SANDBOX_REQUIRE, /* or not at all: PLATEN_ERR_UNSUPPORTED */
};

/* Puts this process into a sandbox for the job, which is to run next and has all of its inputs; for
 * good. Files can then be read only where its inputs are (anywhere, if a list was added), and
 * written only below its output directory or in the directory of its output file, which are made;
 * no connection can be made and no program started. Files are guarded in the calling thread and in
 * those that it makes from then on: call it before there are others. `removes` is a file that the
 * caller will remove, or NULL. PLATEN_ERR_IO when an output directory cannot be made, and what
 * platen_job_run() says of inputs. */
PLATEN_API platen_status platen_sandbox_enter(struct platen_job *job, enum platen_sandbox_mode mode,
                                              const char *removes, struct platen_error *err);
/* Which files are decoded in processes of their own. */
enum platen_isolation {
    PLATEN_ISOLATE_NONE,
    PLATEN_ISOLATE_PDF, /* whose structure may ask for any memory; the processes begin with the
                           first */
    PLATEN_ISOLATE_ALL,
};

/* From now on files are decoded in processes of their own, so many at once, that can do nothing
 * else: what a decoder does to its process, crash, hang or worse, costs one page. To be called once
 * before there are threads, and before platen_sandbox_enter(); outputs stay the same.
 * PLATEN_ISOLATE_NONE ends them, after the last job. PLATEN_ERR_INTERNAL, PLATEN_ERR_NOMEM. */
PLATEN_API platen_status platen_isolate(enum platen_isolation what, int pictures,
                                        struct platen_error *err);
/* What is in force in this process: "landlock 7, seccomp", or "off". Static. */
PLATEN_API const char *platen_sandbox_in_force(void);

/* Asks a running job to end soon: pages that are begun are finished and written, others not, nor
 * those whose bytes are still being waited for (standard input, a pipe). May be called from a
 * signal handler or another thread. A job of requests ends by platen_job_close(). */
PLATEN_API void platen_job_cancel(struct platen_job *job);

/* ---- pictures in memory, for a job that runs with its model and workers warm ---- */

/* What became of a picture, or of a document of several pages; `data` lasts for the call only. Of a
 * document all pages are in the answer, in their order; one that fails makes the answer fail, but
 * in a format that tells of failed pages (ndjson). Of a PDF format pdf is that PDF, with text added
 * behind its bytes. */
struct platen_answer {
    size_t size;
    platen_status status;
    const void *data; /* the output; or, when status is not PLATEN_OK, why, as a text of a page */
    size_t data_bytes;
    bool begun;   /* false: canceled while it waited */
    bool known;   /* false: it begins like no picture that platen reads, and was not read */
    size_t lines; /* with text */
    double ms[PLATEN_STAGES];
    /* For a picture without a format: its pages, of each that the pipeline made two of both. They
     * last for the call only. */
    const struct platen_page *const *pages;
    size_t n_pages;
    size_t pages_read; /* of the file; `lines` and `ms` are those of all of them */
};

/* Everything is borrowed until the answer. */
struct platen_picture {
    size_t size; /* sizeof(struct platen_picture) */
    const void *data;
    size_t data_bytes;
    const char *name;   /* the path that formats tell; NULL = "-" */
    const char *pages;  /* of a document only these, as "3-7,12,20-"; NULL = all of them */
    const char *format; /* "txt": the answer is a whole file; NULL: the answer is `pages` */
    const struct platen_pipeline *pipeline; /* of the job's `pipelines`; NULL = its own */
    void *ctx;
    /* Called once, from a thread of the job or within platen_request_cancel(); must not call the
     * job. */
    void (*answer)(void *ctx, const struct platen_answer *a);
};

struct platen_request;

/* Asks a job of `requests` for a picture, from any thread; the queue is as long as its users make
 * it. With PLATEN_OK there will be an answer, at the latest when platen_job_run() returns, and it
 * may come before this function returns. PLATEN_ERR_ARG (a format that is unknown or does not fit
 * the pipeline, pages that are no ranges), PLATEN_ERR_LIMIT (too many ranges), PLATEN_ERR_CANCELED
 * (closed), PLATEN_ERR_NOMEM. */
PLATEN_API platen_status platen_job_ask(struct platen_job *job, const struct platen_picture *pic,
                                        struct platen_request **ret, struct platen_error *err);
/* Nobody wants the answer any more: it comes soon, with PLATEN_ERR_CANCELED unless the work was
 * done; within this call when nobody had begun. Any number of times until platen_request_free(). */
PLATEN_API void platen_request_cancel(struct platen_job *job, struct platen_request *r);
/* After the answer. NULL is fine. */
PLATEN_API void platen_request_free(struct platen_request *r);
/* Threads that the job has, or will have. */
PLATEN_API int platen_job_threads(const struct platen_job *job);
/* Calls of the network that reads lines so far, and lines in them. */
PLATEN_API void platen_job_calls(const struct platen_job *job, uint64_t *ret_calls,
                                 uint64_t *ret_lines);
/* Requests that nobody has begun. */
PLATEN_API size_t platen_job_waiting(struct platen_job *job);
/* Nothing more comes in: platen_job_run() returns when all is answered. */
PLATEN_API void platen_job_close(struct platen_job *job);

/* ---- shards ---- */

struct platen_merge_options {
    size_t size;          /* sizeof(struct platen_merge_options) */
    const char *manifest; /* of all pages, or NULL */
    const char *output;   /* a file; NULL = to `write` */
    void *ctx;            /* for the callbacks */
    platen_status (*write)(void *ctx, const void *data, size_t n, struct platen_error *err);
    /* "missing: 'a.png'"; may be NULL */
    void (*problem)(void *ctx, const char *text);
};

struct platen_merge_summary {
    size_t size; /* sizeof(struct platen_merge_summary) */
    size_t done, failed;
    size_t begun;    /* by a run that ended before they did: its journal has nothing else of them */
    size_t missing;  /* in the manifest, and nowhere else */
    size_t repeated; /* lines for which another one of the same page counts */
    size_t malformed; /* lines that are no record, or have no end */
};

/* Joins what shards wrote: in[0..n) are files of ndjson, and the lines of all go to the output; or
 * one output directory, where the journals of shards become the journal of one run. Lines come in
 * the order in which a directory is read; of a page that was done twice the last line that is ok
 * counts. PLATEN_ERR_ARG while a run still writes to the directory. */
PLATEN_API platen_status platen_merge(const char *const *in, size_t n,
                                      const struct platen_merge_options *o,
                                      struct platen_merge_summary *ret, struct platen_error *err);

/* ---- this machine, this build ---- */

/* Cores that this process may use: affinity and the share of its cgroup, rounded up; at least 1. */
PLATEN_API int platen_cores(void);

/* PLATEN_OK when kernels of that level can run here, else PLATEN_ERR_ARG and the reason. */
PLATEN_API platen_status platen_isa_check(const char *isa, struct platen_error *err);

/* Processor, kernel levels and the body chosen for each kernel, cores, caches, models found,
 * library versions. `isa` and `models` as in platen_options. */
PLATEN_API platen_status platen_features_describe(const char *isa, const char *models,
                                                  enum platen_form form, char **ret,
                                                  struct platen_error *err);

/* One body of one kernel. The strings are static. */
struct platen_bench_row {
    size_t size;
    const char *kernel, *isa;
    const char *data; /* "L2": data that fits that cache; "page": a page at 300 dpi */
    double ns;        /* processor time per element */
    double speedup;   /* times faster than the scalar body */
};

/* Times every kernel, or the n that are named, on one thread: each body of each level beside the
 * scalar one. Calls fn for each row; takes about 15 seconds for all. PLATEN_ERR_ARG for an unknown
 * name, before anything runs; PLATEN_ERR_NOMEM. */
PLATEN_API platen_status platen_bench_kernels(const char *const *names, size_t n,
                                              void (*fn)(void *ctx,
                                                         const struct platen_bench_row *row),
                                              void *ctx, struct platen_error *err);

/* ---- models: platen-model(5) ---- */

/* Opens a model by name or file as platen_options.model says, or an ONNX file when its name ends in
 * ".onnx", and describes it. */
PLATEN_API platen_status platen_model_describe(const char *model, const char *models, char **ret,
                                               struct platen_error *err);
/* How imported networks are optimised and run; NULL = all defaults. */
struct platen_network_options {
    size_t size;        /* sizeof(struct platen_network_options) */
    const char *passes; /* over the graph of an ONNX file, platen(1); NULL = all */
    const char *isa;    /* kernels; NULL = the best of this machine */
};

/* How the weights of an imported network are kept, and what it computes in. */
enum platen_quantize {
    PLATEN_QUANTIZE_AUTO, /* bytes where the graph has scales of its own, else floats */
    PLATEN_QUANTIZE_NONE, /* floats */
    PLATEN_QUANTIZE_INT8, /* products by constant weights, and what lies between, in bytes */
    PLATEN_QUANTIZE_FP16, /* weights stored as float16; it computes in floats */
    PLATEN_QUANTIZE_INT4, /* the same, and four bits, with a scale for 32, where these will do */
};

struct platen_quantize_options {
    size_t size; /* sizeof(struct platen_quantize_options) */
    enum platen_quantize kind;
    /* Arrays in .npy form on which the ranges of values are measured, one for each input in its
     * order, as many sets as there are; a directory stands for all in it. A graph with scales of
     * its own (QuantizeLinear and DequantizeLinear, QLinearConv, QLinearMatMul) needs none. */
    const char *const *calibrate;
    size_t n_calibrate;
    bool per_tensor;        /* one scale for the weights of a layer, not one for each output */
    double percentile;      /* of the values that a range holds; 0 = what gives the least error */
    const char *keep_float; /* nodes that stay as they are, parted by commas; NULL = none */
    bool narrow;            /* weights that processors without VNNI multiply faster, where they
                             * are not much worse */
    double min_sqnr_db;     /* layers stay in floats, those first that lose the most, until the
                             * first output is so far above its error on the arrays; 0 = none */
};

/* How a network of others reads lines, where its file does not tell: those of PaddleOCR and their
 * like take pictures of a fixed height, one channel or three of the same grey, and give the
 * probability, or its logarithm, of each class for each step. Softmax, channels, classes and stride
 * are found in the graph. */
struct platen_reader_options {
    size_t size; /* sizeof(struct platen_reader_options) */
    const char
        *keys; /* file with the symbol of a class on each line; a blank behind may be missing */
    double mean, std; /* the network reads (grey / 255 - mean) / std; 0 for both = 0.5 and 0.5 */
    bool blank_last;  /* CTC's blank is the last class, not the first */
};

/* Reads the ONNX file `onnx`, runs the passes on its graph and writes it as the model file `path`:
 * whole, or not at all. Before, the file's results are compared with those of every node of the
 * graph run as it stands, on the arrays or on numbers made for it; results that are too far apart
 * are an error. *ret_log and *ret_result, unless these are NULL, are what the passes did and the
 * figure of that comparison, to be freed with platen_free(). q = NULL: all defaults. r, unless
 * NULL: the file becomes a model that reads lines. PLATEN_ERR_UNSUPPORTED names node, operator and
 * reason; PLATEN_ERR_ARG: an unknown pass, or arrays that do not fit. */
PLATEN_API platen_status platen_model_import(const char *onnx, const char *path,
                                             const struct platen_network_options *o,
                                             const struct platen_quantize_options *q,
                                             const struct platen_reader_options *r, char **ret_log,
                                             char **ret_result, struct platen_error *err);
/* Runs two networks, model files or ONNX ones, on the arrays in[0..n) (or those of directories), in
 * sets of one for each input, and tells how far the outputs of `model` are from those of `against`
 * and, where `model` is quantised, which layers are farthest. *ret is to be freed with
 * platen_free(). *ret_far: an output lies beyond the bound, min_sqnr_db in dB; 0 stands for 80, or
 * 20 of a quantised network. */
PLATEN_API platen_status platen_model_compare(const char *model, const char *against,
                                              const struct platen_network_options *o,
                                              const char *const *in, size_t n, double min_sqnr_db,
                                              char **ret, bool *ret_far, struct platen_error *err);
/* Runs an imported network on arrays: file i of in[0..n), in .npy form, is its input i. The network
 * is a model file, or an ONNX one, on which the passes run first. The first output goes to `out`,
 * output k > 0 to the same name with ".k" before its last ".npy". */
PLATEN_API platen_status platen_model_run(const char *model, const struct platen_network_options *o,
                                          const char *const *in, size_t n, const char *out,
                                          struct platen_error *err);
/* The memory plan of a network for inputs of these sizes, "1x3x48x320", parted by commas where
 * there are several: a line for each value, its place in the block and the nodes that it lives for.
 */
PLATEN_API platen_status platen_model_plan(const char *model,
                                           const struct platen_network_options *o,
                                           const char *sizes, char **ret, struct platen_error *err);
/* Validates a model file completely: structure and checksums. */
PLATEN_API platen_status platen_model_verify(const char *path, struct platen_error *err);

/* A test of the ONNX backend suite: its result, or that platen refuses the model. */
enum platen_verdict { PLATEN_PASSED, PLATEN_FAILED, PLATEN_UNSUPPORTED };

/* Runs every test of the ONNX backend suite at or below `dir` (folders with model.onnx and
 * test_data_set_N/input_N.pb, output_N.pb), behind the passes, and calls fn with its folder, its
 * verdict and, unless it passed, the reason. PLATEN_ERR_IO when a folder cannot be read or there is
 * no test. */
PLATEN_API platen_status platen_model_onnx_test(const char *dir,
                                                const struct platen_network_options *o,
                                                void (*fn)(void *ctx, const char *test,
                                                           enum platen_verdict v, const char *why),
                                                void *ctx, struct platen_error *err);

#ifdef __cplusplus
}
#endif

#endif
