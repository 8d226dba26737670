/* SPDX-License-Identifier: BSD-2-Clause */
/* platen: page images to clean images, text regions and text. This is the only public header.
 *
 * Errors: a function that can fail returns a platen_status and fills a platen_error that the caller
 * owns; `err` may be NULL. What it returns through ret_... pointers is set on success only, unless
 * its comment says otherwise. The library never prints, never exits, and keeps no state of its own
 * but the chosen kernels, the processes of platen_isolate() and what the sandbox left.
 *
 * Pointers may be NULL where a comment says so, and where they stand with a number of items that is
 * 0; any other one, as of an object, a text, a struct or ret_..., may not. A function that returns
 * a platen_status then returns PLATEN_ERR_ARG and has done nothing.
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
    PLATEN_ERR_NOMEM = 1,       /* Memory is short. */
    PLATEN_ERR_IO = 2,          /* The system refused to open, read or write a file. */
    PLATEN_ERR_FORMAT = 3,      /* The data is malformed or truncated. */
    PLATEN_ERR_UNSUPPORTED = 4, /* The data is well-formed, but platen cannot process it. */
    PLATEN_ERR_LIMIT = 5,       /* A limit of the caller or of the format is exceeded. */
    PLATEN_ERR_ARG = 6,         /* An argument, an option or the pipeline is wrong. */
    PLATEN_ERR_CANCELED = 7,    /* The caller asked to stop. */
    PLATEN_ERR_INTERNAL = 8,    /* platen has a bug, or a thread or process could not be made. */
} platen_status;

struct platen_error {
    platen_status code;
    int os_errno; /* The errno of the system call that failed; 0 when none did. */
    /* The message: one line of UTF-8 that begins in lower case and has neither a full stop at its
     * end nor control characters. */
    char text[240];
};

/* Returns the status in words ("malformed data"), never NULL. */
PLATEN_API const char *platen_status_name(platen_status s);
/* Returns the status as one word that never changes between versions ("malformed"), as format
 * ndjson has it; never NULL. */
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

/* The functions below that describe something write lines for people, or one JSON value. */
enum platen_form { PLATEN_FORM_TEXT, PLATEN_FORM_JSON };

/* ---- pipelines: platen-pipeline(5) ---- */

/* A pipeline that was checked. Threads and jobs may share it. */
struct platen_pipeline;

/* Reads the text form ("gray,deskew | lines | ctc", "@document") or the JSON form of text[0..n).
 * PLATEN_ERR_ARG, _LIMIT or _NOMEM; then *ret_column (may be NULL) is the character of the text
 * that is wrong, from 1, or 0 when the error has no place in it. */
PLATEN_API platen_status platen_pipeline_parse(const char *text, size_t n, enum platen_form form,
                                               struct platen_pipeline **ret, size_t *ret_column,
                                               struct platen_error *err);
PLATEN_API void platen_pipeline_free(struct platen_pipeline *p); /* NULL is fine. */

/* Sets a parameter of the recognize stage, as if the text had named it ("min-conf", "0.5"), or the
 * first one of an operation of stage one ("orient", "180"); not while a job uses the pipeline.
 * PLATEN_ERR_UNSUPPORTED where the pipeline lacks that stage or operation, PLATEN_ERR_ARG, _NOMEM;
 * then the pipeline is as it was. */
PLATEN_API platen_status platen_pipeline_set(struct platen_pipeline *p, const char *name,
                                             const char *value, struct platen_error *err);

/* Writes the canonical text of a pipeline: every operation with all of its parameters. *ret is to
 * be freed with platen_free(). */
PLATEN_API platen_status platen_pipeline_print(const struct platen_pipeline *p, char **ret,
                                               struct platen_error *err);

/* Returns how many of the stages preprocess, detect and recognize the pipeline has: 1, 2 or 3. */
PLATEN_API int platen_pipeline_stages(const struct platen_pipeline *p);

/* Returns the format that shows the last stage of the pipeline: "png", "json" or "txt". */
PLATEN_API const char *platen_pipeline_format(const struct platen_pipeline *p);

/* Describes every operation of every stage with its parameters, ranges and defaults, and the
 * presets; or, when `name` is not NULL, the operation of that name alone. *ret is to be freed with
 * platen_free(). PLATEN_ERR_ARG when no operation has that name. */
PLATEN_API platen_status platen_ops_describe(const char *name, enum platen_form form, char **ret,
                                             struct platen_error *err);

/* ---- output formats ---- */

struct platen_format {
    size_t size;            /* The caller sets this to sizeof(struct platen_format). */
    const char *name;       /* The name as options take it, for example "txt". */
    const char *extension;  /* The extension of output files, without the dot. */
    const char *help;       /* One line that says what the format holds. */
    int stages;             /* The pipeline must have at least this many stages: 1, 2 or 3. */
    bool binary;            /* The bytes are not fit for a terminal. */
    bool single;            /* A file of this format holds one page. */
    const char *media_type; /* The media type, for example "text/plain; charset=utf-8". */
};

/* Fills *ret, whose member `size` the caller has set, with format number i, counted from 0. Returns
 * false when i is behind the last one. */
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
    /* The corners of the word: that at the top left of the text first, then clockwise. */
    struct platen_point quad[4];
    const char *text; /* The text is not empty. */
    double conf;
    const float *char_conf; /* These are n_chars confidences, one for each code point of text. */
    size_t n_chars;
};

struct platen_line {
    size_t size;
    struct platen_box box;
    /* The baseline has n_baseline points, two or more, from the start of the text to its end. */
    const struct platen_point *baseline;
    size_t n_baseline;
    /* The words of the line with single spaces between them. The text is "" and conf is 0 when the
     * pipeline does not recognize. */
    const char *text;
    double conf;
    const struct platen_word *const *words;
    size_t n_words;
    int row; /* Rows of a block are counted from 0; lines that stand side by side have the same. */
    /* The language, as a tag of BCP 47, where it is surely another one than that of the page; else
     * NULL. */
    const char *lang;
};

enum platen_block_kind {
    PLATEN_BLOCK_TEXT,
    PLATEN_BLOCK_HEADING,
    PLATEN_BLOCK_HEADER, /* This is the running head of the page. */
    PLATEN_BLOCK_FOOTER, /* This is its running foot. */
    PLATEN_BLOCK_CAPTION,
    PLATEN_BLOCK_TABLE,
    PLATEN_BLOCK_CODE, /* This is program text: a listing, settings, a session of a terminal. */
};

/* A cell of a table. It takes n_rows rows of the grid from `row` on, and n_columns columns from
 * `column` on; both are counted from 0. */
struct platen_cell {
    size_t size;
    struct platen_box box;
    int row, column, n_rows, n_columns;
    const struct platen_line *const *lines; /* These are lines of the block; an empty cell has 0. */
    size_t n_lines;
    /* The paragraphs of the cell, parted by line feeds; "" when it is empty or was not read. */
    const char *text;
};

struct platen_block {
    size_t size;
    enum platen_block_kind kind;
    struct platen_box box;
    const struct platen_line *const *lines;
    size_t n_lines;
    /* A table has these numbers of rows and of columns; n_head of its rows, at the top, name the
     * columns. The cells are in the order of rows, each place of the grid is in exactly one cell,
     * and the lines of the block are in the order of the cells. Blocks of other kinds have zeros
     * here. */
    int n_rows, n_columns, n_head;
    const struct platen_cell *const *cells;
    size_t n_cells;
    /* A field of a form is a block of kind text whose first n_label lines are its label; the others
     * were filled in. `label` and `value` are their texts, "" where nothing was filled in or read.
     * Other blocks have NULL and 0 here. */
    const char *label, *value;
    size_t n_label;
    int level; /* Of a heading, 1 (a title) to 4; 0 for other blocks. */
};

/* Whether the page was read the right way up. */
enum platen_upright {
    PLATEN_UPRIGHT_UNASKED,  /* The pipeline did not look. */
    PLATEN_UPRIGHT_DOUBTFUL, /* The letters did not tell, and the page was read as it stands. */
    PLATEN_UPRIGHT_SURE,     /* The letters told. */
};

struct platen_page {
    size_t size;
    /* The name of the input as the caller gave it. These are bytes, which may be no UTF-8. */
    const char *path;
    int page;          /* The number of the page in the input, counted from 1. */
    int part;          /* This is 1 or 2 when the pipeline made two pages of one picture, else 0. */
    int width, height; /* The size of the input picture in pixels. */
    double dpi_x, dpi_y; /* The resolution; 0 when it is not known. */
    int quarters;        /* The page was turned clockwise by this many quarters, 0 to 3. */
    enum platen_upright upright;
    double angle_deg; /* The skew that was removed; above 0 the text rose to the right. */
    /* The pipeline's detect stage finds blocks; without it there are none. */
    const struct platen_block *const *blocks;
    size_t n_blocks;
    const char *page_label; /* The name that the input gives the page ("iv"), or NULL. */
    /* Lines in which nothing was read; they are in no block. */
    const struct platen_line *const *unread;
    size_t n_unread;
    /* Boxes of ink that looks like text and is in no line: those with the most ink. */
    const struct platen_box *unexplained;
    size_t n_unexplained;
    const char *lang; /* The language of most of the text, as a tag of BCP 47; NULL = not known. */
    /* The script of ISO 15924 in which the text, or part of it, seems to be, when platen cannot
     * read that; or NULL. */
    const char *unread_script;
    /* What is wrong with the file, though the page was read ("truncated at byte 812; 40 of 90 rows
     * were read"); or NULL. */
    const char *flaw;
    bool damaged; /* Rows of the picture may be missing, and are white then. */
};

/* ---- jobs: pages through a pipeline ---- */

enum platen_stage {
    PLATEN_STAGE_DECODE,
    PLATEN_STAGE_PREPROCESS,
    PLATEN_STAGE_DETECT,
    PLATEN_STAGE_RECOGNIZE,
    PLATEN_STAGE_OUTPUT,
    PLATEN_STAGES /* The number of stages, which follow each other as they stand here. */
};

/* Returns the name of a stage, for example "decode". */
PLATEN_API const char *platen_stage_name(enum platen_stage s);

/* What a job does with pages of a PDF that have text already. Text is "hidden" when a reader of the
 * page does not see it: it is drawn without ink, or below a picture of the page. */
enum platen_pdf_text {
    /* Pages are read as if they had no hidden text. But where the output is the PDF with text
     * added, a page that has hidden text, or whose text is drawn, is not read and keeps its text.
     */
    PLATEN_PDF_TEXT_KEEP,
    PLATEN_PDF_TEXT_SKIP, /* Pages that have any text are not read. */
    /* Pages are read as they are seen, with all that is drawn over a scan. A PDF as output is a new
     * one that is made of pictures of the pages. */
    PLATEN_PDF_TEXT_FORCE,
    /* Hidden text is removed from the PDF, and the page is read. */
    PLATEN_PDF_TEXT_REDO
};

/* Which kernels and how many threads a job takes. */
enum platen_opt_level {
    PLATEN_OPT_NONE,     /* It takes scalar kernels and one thread. */
    PLATEN_OPT_SIMD,     /* It takes the best kernels and one thread. */
    PLATEN_OPT_PARALLEL, /* It takes scalar kernels and all threads. */
    PLATEN_OPT_FULL,     /* It takes the best kernels and all threads. */
};

/* How far a job is. */
struct platen_progress {
    size_t size;
    size_t done, failed, skipped; /* Pages are counted as in struct platen_summary. */
    size_t total;                 /* This many inputs are known so far. */
    bool all_known;               /* No list is being read any more: `total` is final. */
};

/* What is wrong with a page that was read. The texts last for the call only. */
struct platen_warning {
    size_t size;
    const char *text; /* "'a.png': of the ink that looks like text 4 % lies in no line" */
    const char *name; /* The page as the text names it: "'a.png'". */
    /* The share of the page's ink that looks like text and lies in no line or was not read, or of
     * the rows of a damaged picture that could not be read, whichever is larger; 0 when the warning
     * is about something else. */
    double share;
};

/* The largest values that numbers in struct platen_options may have. */
#define PLATEN_MAX_THREADS 1024
#define PLATEN_MAX_BATCH 64
#define PLATEN_MAX_WAIT_MS 60000
#define PLATEN_MAX_DPI 32767
#define PLATEN_MAX_FRAME_CHANGE 1000000

/* All strings are borrowed and must outlive the job. The callbacks are called one at a time, in the
 * order of the inputs unless `unordered`, from any thread of the job; they may be NULL and must not
 * call the job. */
struct platen_options {
    size_t size; /* platen_options_init() sets it. */
    enum platen_opt_level opt_level;
    /* The number of threads; 0 = opt_level decides, by the cores that this process may use. */
    int threads;
    const char *isa; /* The level of kernels, for example "avx2"; NULL = opt_level decides. */
    /* What runs networks: "cpu", "gpu" (a graphics processor), "gpu:N" (device N of those that
     * platen_features_describe() lists) or "auto" (a card with memory of its own, if there is one);
     * NULL = "cpu". Outputs are the same. Where the device is missing or fails the processor takes
     * its place, and `notice` is told so. */
    const char *device;
    uint64_t max_pixels; /* A page with more pixels is refused before it is decoded. */
    /* A page is begun only when its memory, by its header, and that of the pages in work stay
     * within this; a page that needs more by itself runs alone. 0 = half of the memory of the
     * process's control group, or of the machine. */
    uint64_t max_mem_bytes;
    /* One call of the network takes lines of several pages; what is read does not depend on that. A
     * worker that has fewer lines than batch_preferred in hand goes on to the next page before it
     * reads them, unless the picture is large. */
    int batch_max; /* The most lines of one call, 1..PLATEN_MAX_BATCH; 0 = PLATEN_MAX_BATCH. */
    int batch_preferred; /* 1..PLATEN_MAX_BATCH; 0 = 16. */
    /* Lines wait no longer than this, 0..PLATEN_MAX_WAIT_MS, for the next page of a list or the
     * next request. */
    int batch_wait_ms;
    /* The time that a page of a list or a request should take from its beginning; 0 = there is no
     * such aim. While pages take longer, fewer lines wait for others; while they do not, more wait
     * again, up to batch_preferred. */
    double target_latency_ms;
    /* The models, parted by commas. Each is a name, or a file when it has a '/' or ends in
     * ".platen". The first one reads everything, the others lines in their languages and what it
     * is not sure of. NULL = eng, and latin and cyrillic-greek where they are installed. */
    const char *model;
    /* Directories to search for models first, parted by colons; or NULL. The library does not look
     * at PLATEN_MODELS: a program for which that variable is to count, as it does for platen(1),
     * passes getenv("PLATEN_MODELS"). */
    const char *models;

    const char *formats; /* Names of formats, "txt,json"; NULL = platen_pipeline_format(). */
    /* The directory that gets a file for each page (of pdf: for each input); NULL = all pages go to
     * one stream. */
    const char *output_dir;
    /* With output_dir: the name below it, without extension, of one document that all inputs go to;
     * NULL = each input has its own. */
    const char *join;
    const char *output_file; /* The file that gets the stream; NULL = `write` gets it. */
    /* Outputs are on the disk before the journal names them, and before the job ends. */
    bool durable;
    /* The file that the pipeline was read from, which no output may replace; or NULL. */
    const char *pipeline_file;
    bool resume; /* Pages that an earlier run into the same output completed are not read again. */
    /* With resume: pages during which two earlier runs were killed are read again; else they
     * fail. */
    bool retry_fatal;
    /* The program that makes pictures of pages of a PDF that are drawn, not scanned; NULL = such
     * pages fail, and those of DjVu, which ddjvu renders where it is installed. It is "pdftoppm",
     * "mutool", the name or path of another program that takes the arguments of pdftoppm, or
     * "auto": the first of these two that is installed. It is started for each such page, in a
     * sandbox of its own unless pdf_renderer_open is set. A helper process that starts it is forked
     * when the job runs, or by platen_sandbox_enter(), if an input may need it; the process has one
     * such helper. */
    const char *pdf_renderer;
    bool pdf_renderer_open;
    enum platen_pdf_text pdf_text;
    /* Only these pages of each input are read, as in "3-7,12,20-"; an input that has none of them
     * fails. NULL = all pages are read. */
    const char *pages;
    /* In directories, files without the extension of a picture are read, too, if they begin like a
     * picture. */
    bool all_files;
    /* Each input is a tar archive, whose members are read as if they were files; "-" is one on
     * standard input. */
    bool tar;
    /* The one input is a stream of frames, which are read while the job runs: "auto", where y4m,
     * multipart or pictures begin so; or raw pixels "gray:WxH", "rgb24:WxH", "yuv420p:WxH"; and
     * perhaps "@RATE" behind that, in frames a second. The stream is not sought in, and may have no
     * end. A frame's number takes the place of that of a page. NULL = inputs are files. */
    const char *frames;
    /* A frame is read when it differs from the last one that was read in as many places, of 8 x 8
     * pixels each, 0..PLATEN_MAX_FRAME_CHANGE; 0 = all frames are read. platen_options_init() sets
     * what noise of a camera does not come to. */
    int frame_change;
    const char *passed_over; /* The file that gets the names of files passed over; or NULL. */
    /* The file that gets the names of all pages, none of which is read; NULL = pages are read. */
    const char *manifest;
    const char *steps_dir; /* The directory that gets every intermediate picture; or NULL. */
    double dpi;            /* The resolution of all pages; 0 = what their files tell. */
    bool times;            /* Formats that have a place for it tell the time of each stage. */
    bool slim;             /* Formats json and ndjson leave out char_conf and quad. */
    /* Format txt has a line for each paragraph, in which words that were parted at the ends of
     * lines are whole. */
    bool join_lines;
    bool clean_pdf; /* Format pdf has the pictures that stage one leaves, not those of the files. */
    bool pdfa;      /* Documents of format pdf are PDF/A-2b. */
    /* Pages of new documents of format pdf: their size ("largest", a paper as "A4", or one in mm as
     * "210x297"; NULL = that of the picture), margins around the picture in mm ("10", or
     * "10,15,10,20" from the top on clockwise), and where on a larger page it lies ("center",
     * "top", "bottom-left" ...; NULL = center). */
    const char *page_size, *margins, *align;
    bool fail_fast; /* The job stops at the first page that fails. */
    bool unordered; /* Each page is written as soon as it is done. */
    /* Pages come by platen_job_ask() while the job runs, each with its own format. Such a job has
     * no inputs and no outputs, and calls none of the callbacks below. */
    bool requests;
    /* With requests: a picture may name one of these n_pipelines pipelines, which takes the place
     * of the job's own and shares its models and decoder. */
    const struct platen_pipeline *const *pipelines;
    size_t n_pipelines;

    void *ctx; /* The callbacks get this as their first argument. */
    /* Takes the next bytes of the stream. A failure ends the job with its status and error. */
    platen_status (*write)(void *ctx, const void *data, size_t n, struct platen_error *err);
    /* Takes the place of `write` when there are several formats and no output directory: each
     * format is a stream of its own, and `format` is its place in `formats`, counted from 0. */
    platen_status (*write_format)(void *ctx, size_t format, const void *data, size_t n,
                                  struct platen_error *err);
    /* Is told of a page that failed: "unable to decode 'a.png': truncated at byte 812". `why` is
     * the code of the error, never PLATEN_OK. */
    void (*failure)(void *ctx, platen_status why, const char *message);
    /* Is told of a page that was read, but not all of it, or whose file has a flaw. */
    void (*warning)(void *ctx, const struct platen_warning *w);
    /* Is told about the run, before its first page: "'out/a.txt' is left from an earlier run"; or
     * behind its last one, of a device that failed. Also of a job of requests. */
    void (*notice)(void *ctx, const char *message);
    /* Is told after every page how far the job is. */
    void (*progress)(void *ctx, const struct platen_progress *now);
    /* Takes the result of a page that was read. A job with this callback has no formats and no
     * outputs. */
    void (*page)(void *ctx, const struct platen_page *page);
};

/* Fills *o, of `size` bytes, with the defaults: level full, 250 million pixels. `size`
 * is sizeof(struct platen_options). */
PLATEN_API void platen_options_init(struct platen_options *o, size_t size);

/* Wall times of pages. */
struct platen_times {
    uint64_t pages; /* The times are those of this many pages. */
    /* 50, 90 and 99 percent of the pages took no longer than this, which is exact to 3.2 %. */
    double p50_ms, p90_ms, p99_ms;
};

/* How many pages waited at once. */
struct platen_queue {
    double mean; /* The mean over the time of the run. */
    size_t most;
};

struct platen_summary {
    size_t size;   /* The caller sets this to sizeof(struct platen_summary). */
    size_t pages;  /* This many pages are in the inputs. */
    size_t failed; /* This many pages failed. */
    /* The output of this many pages is complete. The others that did not fail were not begun, or
     * were given up after a cancel, an error or fail_fast. */
    size_t done;
    size_t skipped;             /* Of those in `done` an earlier run had completed this many. */
    size_t frames, frames_same; /* Frames in the stream, and those that nothing differed in. */
    size_t elsewhere;           /* This many inputs belong to other shares. */
    size_t passed_over;         /* This many files of directories were not taken for pictures. */
    /* The kinds of those files: "12 files: 8 .xps, 3 .jxl, 1 without extension"; "" for none. */
    char passed_kinds[160];
    double wall_s;                /* The time of the run. */
    double core_s[PLATEN_STAGES]; /* The processor time of the page threads in each stage. */
    uint64_t peak_rss_bytes;      /* The largest resident size that the process ever had. */
    /* The pool of pixel buffers: how many were asked for, how many of these it had at hand, and the
     * most bytes that it held. */
    uint64_t buffer_gets, buffer_hits, buffer_peak_bytes;
    uint64_t allocations;    /* Allocations from the heap, without those of codec libraries. */
    uint64_t max_mem_bytes;  /* The limit of memory, as it was set or found. */
    size_t pages_at_once;    /* At most this many pages were in memory at once. */
    uint64_t promised_bytes; /* The pages in work were promised at most this much memory at once. */
    size_t pages_delayed;    /* This many pages waited for memory. */
    struct platen_times times[PLATEN_STAGES],
        page_times; /* page_times is of all stages together. */
    /* A page goes through its stages on one thread. It waits for memory before it is decoded, and
     * for its turn to be written when it is done. */
    struct platen_queue waiting_memory, waiting_turn;
    /* Calls of the network that reads lines, and lines in all of these calls. A line that is read
     * twice, or in two pieces, counts as two. */
    uint64_t line_calls, line_strips;
    int models;           /* This many model files were opened, each once for all threads. */
    uint64_t model_bytes; /* The bytes of these files. */
    int threads;          /* This many threads the job had. */
    const char *isa;      /* The level of kernels that ran; the text is static. */
    char model[64];   /* The name that the first model has in its file; "" when none was needed. */
    char device[256]; /* What ran networks: "cpu", or the name that its driver gives the device. */
    bool resumable;   /* A job of the same options with `resume` goes on from here. */
    size_t damaged;   /* Of the pages that were read in this run, those that lack rows. */
};

struct platen_job;

/* The pipeline is borrowed and must outlive the job. PLATEN_ERR_ARG (a format that does not fit the
 * pipeline, an unknown level), PLATEN_ERR_IO (no model), ...; nothing was read or written then. */
PLATEN_API platen_status platen_job_new(const struct platen_pipeline *p,
                                        const struct platen_options *o, struct platen_job **ret,
                                        struct platen_error *err);
/* Frees a job. Where it was asked for pictures, all have been answered: platen_job_run() sees to
 * that. NULL is fine. */
PLATEN_API void platen_job_free(struct platen_job *job);

/* Adds a file, all pictures below a directory, or "-": what stands on standard input.
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
    PLATEN_SANDBOX_AUTO,    /* It gives up what this kernel lets it give up. */
    PLATEN_SANDBOX_REQUIRE, /* A kernel that lacks a part is an error: PLATEN_ERR_UNSUPPORTED. */
};

/* Puts this process into a sandbox for the job, which is to run next and has all of its inputs. It
 * cannot leave it. Files can then be read only where its inputs are (anywhere, if a list was
 * added), and written only below its output directory or in the directory of its output file, which
 * are made; no connection can be made and no program started. Files are guarded in the calling
 * thread and in those that it makes from then on: call it before there are others. `removes` is a
 * file that the caller will remove, or NULL. PLATEN_ERR_IO when an output directory cannot be made,
 * and what platen_job_run() says of inputs. */
PLATEN_API platen_status platen_sandbox_enter(struct platen_job *job, enum platen_sandbox_mode mode,
                                              const char *removes, struct platen_error *err);
/* Which files are decoded in processes of their own. */
enum platen_isolation {
    PLATEN_ISOLATE_NONE,
    /* PDF and HEIF (HEIC, AVIF) are, since their structure may ask for any amount of memory. The
     * helper process begins with the first one. */
    PLATEN_ISOLATE_PDF,
    PLATEN_ISOLATE_ALL,
};

/* From now on such files are decoded in processes of their own that can do nothing else, as many at
 * once as `pictures` says: a decoder that crashes, hangs or is taken over costs one page. Outputs
 * stay the same. To be called once, before there are threads and before platen_sandbox_enter().
 * PLATEN_ISOLATE_NONE ends the processes, after the last job. PLATEN_ERR_INTERNAL,
 * PLATEN_ERR_NOMEM. */
PLATEN_API platen_status platen_isolate(enum platen_isolation what, int pictures,
                                        struct platen_error *err);
/* Returns which parts of the sandbox are in force in this process: "landlock 7, seccomp", or "off".
 * The text is static. */
PLATEN_API const char *platen_sandbox_in_force(void);

/* Asks a running job to end soon: pages that are begun are finished and written, others not, nor
 * those whose bytes are still being waited for (standard input, a pipe). May be called from a
 * signal handler or another thread. A job of requests ends by platen_job_close(). */
PLATEN_API void platen_job_cancel(struct platen_job *job);

/* ---- pictures in memory, for a job that runs with its model and workers warm ---- */

/* What became of a picture, or of a document of several pages; `data` lasts for the call only. Of a
 * document all pages are in the answer, in their order; one that fails makes the answer fail, but
 * in a format that tells of failed pages (json, ndjson). Of a PDF format pdf is that PDF, with text
 * added behind its bytes. */
struct platen_answer {
    size_t size;
    platen_status status;
    const void *data; /* The output; or the reason, as text, when status is not PLATEN_OK. */
    size_t data_bytes;
    bool begun;   /* False when the request was canceled while it waited. */
    bool known;   /* False when the bytes begin like no picture that platen reads: they were not. */
    size_t lines; /* This many lines with text are in all pages that were read. */
    double ms[PLATEN_STAGES]; /* The time of each stage, of all pages together. */
    /* The pages of a picture that was asked for without a format. Where the pipeline made two pages
     * of one, both are here. They last for the call only. */
    const struct platen_page *const *pages;
    size_t n_pages;
    size_t pages_read; /* This many pages of the file were read. */
    /* What is wrong with pages that were read, one for each such page, when status is PLATEN_OK.
     * They last for the call only. */
    const struct platen_warning *warnings;
    size_t n_warnings;
};

/* Everything is borrowed until the answer. */
struct platen_picture {
    size_t size;      /* The caller sets this to sizeof(struct platen_picture). */
    const void *data; /* The bytes of a file; or pixels, when `width` is set. */
    size_t data_bytes;
    const char *name;  /* The path that formats tell; NULL = "-". */
    const char *pages; /* The pages to read of a document, as in "3-7,12,20-"; NULL = all. */
    /* The format of the answer, which is a whole file of it; NULL = the answer has `pages`. */
    const char *format;
    /* One of the job's `pipelines`; NULL = the job's own pipeline. */
    const struct platen_pipeline *pipeline;
    /* Values of the parameters "lang" and "lm" of the operation that reads lines, in the place of
     * those of the pipeline; NULL = as they are. Where the pipeline has languages, these are some
     * of them. */
    const char *lang, *lm;
    void *ctx; /* `answer` gets this as its first argument. */
    /* Takes the answer. It is called once, from a thread of the job or within
     * platen_request_cancel(), and must not call the job. It may free the request. */
    void (*answer)(void *ctx, const struct platen_answer *a);
    /* With a width `data` has the pixels of one picture: `height` rows from the top on, each of
     * `width` pixels of `channels` bytes: 1 is grey, 3 are red, green and blue, 4 these and alpha
     * (255 is opaque). A row begins stride_bytes behind the one above it; 0 = right behind its last
     * pixel. The answer is that of a file with the same pixels. 0 = `data` is a file. */
    int width, height, channels, stride_bytes;
};

struct platen_request;

/* Asks a job of `requests` for a picture, from any thread; the queue is as long as its users make
 * it. With PLATEN_OK there will be an answer, at the latest when platen_job_run() returns, and it
 * may come before this function returns, but not before *ret is set. PLATEN_ERR_ARG (no data, or
 * fewer than the pixels take; a format that is unknown or does not fit the pipeline, pages that are
 * no ranges, a language that is unknown or none of the pipeline's),
 * PLATEN_ERR_UNSUPPORTED (a language for a pipeline that reads no lines), PLATEN_ERR_LIMIT (too
 * many ranges), PLATEN_ERR_CANCELED (closed), PLATEN_ERR_NOMEM. */
PLATEN_API platen_status platen_job_ask(struct platen_job *job, const struct platen_picture *pic,
                                        struct platen_request **ret, struct platen_error *err);
/* Tells the job that nobody wants the answer any more. The answer comes soon, with
 * PLATEN_ERR_CANCELED unless the work was done; it comes within this call when no thread had begun
 * the work. May be called any number of times until platen_request_free(). */
PLATEN_API void platen_request_cancel(struct platen_job *job, struct platen_request *r);
/* Frees a request whose answer has come, or comes: it may be called within `answer`, with what
 * platen_job_ask() has put into *ret before. NULL is fine. */
PLATEN_API void platen_request_free(struct platen_request *r);
/* Returns the number of threads that the job has, or will have when it runs. */
PLATEN_API int platen_job_threads(const struct platen_job *job);
/* Tells how many calls of the network that reads lines there were so far, and how many lines these
 * had. */
PLATEN_API void platen_job_calls(const struct platen_job *job, uint64_t *ret_calls,
                                 uint64_t *ret_lines);
/* Returns the number of requests that no thread has begun. */
PLATEN_API size_t platen_job_waiting(struct platen_job *job);
/* Tells the job that no request follows: platen_job_run() returns when all are answered. */
PLATEN_API void platen_job_close(struct platen_job *job);

/* ---- shards ---- */

struct platen_merge_options {
    size_t size;          /* The caller sets this to sizeof(struct platen_merge_options). */
    const char *manifest; /* The file that names all pages; or NULL. */
    const char *output;   /* The file that gets the lines; NULL = `write` gets them. */
    void *ctx;            /* The callbacks get this as their first argument. */
    platen_status (*write)(void *ctx, const void *data, size_t n, struct platen_error *err);
    /* Is told of each page that is not done: "missing: 'a.png'". It may be NULL. */
    void (*problem)(void *ctx, const char *text);
};

struct platen_merge_summary {
    size_t size; /* The caller sets this to sizeof(struct platen_merge_summary). */
    size_t done, failed;
    size_t begun;     /* Runs began these pages and ended before the pages did. */
    size_t missing;   /* The manifest names these pages, and no shard does. */
    size_t repeated;  /* These lines were left out, since another one of the same page counts. */
    size_t malformed; /* These lines are no record, or have no end. */
};

/* Joins what shards wrote: in[0..n) are files of ndjson, and the lines of all go to the output; or
 * one output directory, where the journals of shards become the journal of one run. Lines come in
 * the order in which a directory is read; of a page that was done twice the last line that is ok
 * counts. PLATEN_ERR_ARG while a run still writes to the directory; *ret is filled then, too. */
PLATEN_API platen_status platen_merge(const char *const *in, size_t n,
                                      const struct platen_merge_options *o,
                                      struct platen_merge_summary *ret, struct platen_error *err);

/* ---- this machine, this build ---- */

/* Returns the number of cores that this process may use, by its affinity and the share of its
 * control group, rounded up; at least 1. */
PLATEN_API int platen_cores(void);

/* Returns PLATEN_OK when kernels of that level can run here, else PLATEN_ERR_ARG and the reason. */
PLATEN_API platen_status platen_isa_check(const char *isa, struct platen_error *err);

/* Describes the processor, the levels of kernels and the body chosen for each kernel, cores,
 * caches, the models that were found, and the versions of libraries. `isa` and `models` are those
 * of struct platen_options. *ret is to be freed with platen_free(). */
PLATEN_API platen_status platen_features_describe(const char *isa, const char *models,
                                                  enum platen_form form, char **ret,
                                                  struct platen_error *err);

/* The time that one way of doing something takes. The strings last for the call only. */
struct platen_bench_row {
    size_t size;
    const char *subject; /* What is done, for example the name of a kernel. */
    /* What it is done with. Of kernels "L2" is data that fits that cache, "page" a page at 300
     * dpi. */
    const char *data;
    const char *way;  /* How it is done: the instruction set of a kernel's body, "pool", "-j2". */
    const char *unit; /* The unit of `time`, for example "ns/element". */
    double time;      /* The median of the rounds. */
    double speedup; /* The first way takes this many times as long; of kernels, the scalar body. */
    /* Of kernels, in a library built with -Dplain_kernels=true: what the compiler makes of the
     * scalar source at -O3, for this instruction set or the next narrower one of another width,
     * takes this many times as long; else 0. */
    double by_hand;
};

/* Times one subject, its ways in turns: "kernels" (names[0..n) or all, on one thread), "memory"
 * (buffers from the pool and from malloc), "threads" and "batching" (whole runs over the inputs
 * names[0..n), in time of the wall and of the processor), "models" (opening networks) or
 * "quantizing" (ONNX files as networks of floats, halves and bytes). `models` is that of struct
 * platen_options. Calls fn for each row. PLATEN_ERR_ARG for an unknown subject or kernel or a
 * missing name, before anything runs; PLATEN_ERR_NOMEM and what goes wrong with a file. */
PLATEN_API platen_status platen_bench(const char *subject, const char *const *names, size_t n,
                                      const char *models,
                                      void (*fn)(void *ctx, const struct platen_bench_row *row),
                                      void *ctx, struct platen_error *err);

/* ---- models: platen-model(5) ---- */

/* Opens a model by name or file as platen_options.model says, or an ONNX file when its name ends in
 * ".onnx", and describes it. `models` is as in platen_options; *ret is freed like all texts. */
PLATEN_API platen_status platen_model_describe(const char *model, const char *models, char **ret,
                                               struct platen_error *err);
/* How imported networks are optimised and run. Functions take NULL for the defaults. */
struct platen_network_options {
    size_t size;        /* The caller sets this to sizeof(struct platen_network_options). */
    const char *passes; /* The passes over the graph of an ONNX file (platen(1)); NULL = all. */
    const char *isa;    /* The level of kernels; NULL = the best of this machine. */
};

/* How the weights of an imported network are stored, and in which type it computes. */
enum platen_quantize {
    PLATEN_QUANTIZE_AUTO, /* INT8 where the graph has scales of its own, else NONE. */
    PLATEN_QUANTIZE_NONE, /* Weights are stored, and products computed, in floats. */
    PLATEN_QUANTIZE_INT8, /* Products by constant weights, and operators between them, use bytes. */
    PLATEN_QUANTIZE_FP16, /* Weights are stored as float16; the network computes in floats. */
};

struct platen_quantize_options {
    size_t size; /* The caller sets this to sizeof(struct platen_quantize_options). */
    enum platen_quantize kind;
    /* Files of arrays (.npy) on which the ranges of values are measured: any number of sets, each
     * with one array for each input in the order of the inputs. A directory stands for all files in
     * it. A graph that has scales of its own (QuantizeLinear and DequantizeLinear, QLinearConv,
     * QLinearMatMul) needs none. */
    const char *const *calibrate;
    size_t n_calibrate;
    bool per_tensor; /* The weights of a layer share one scale; else each output has its own. */
    /* A range holds this percentage of the values; 0 = the range that gives the least error. */
    double percentile;
    const char *keep_float; /* Names of nodes that stay in floats, parted by commas; or NULL. */
    /* Weights are kept narrow enough for the quicker products of processors without VNNI, where
     * the result is not much worse. */
    bool narrow;
    /* Layers stay in floats, those that lose the most first, until the first output has at least
     * this ratio of signal to quantisation noise on the arrays; 0 = there is no such bound. */
    double min_sqnr_db;
};

/* What the file of an imported recognizer of lines does not tell. Recognizers like those of
 * PaddleOCR take pictures of a fixed height, of one channel or of three equal ones, and give for
 * each step the probability of each class, or its logarithm. Softmax, channels, classes and stride
 * are found in the graph. */
struct platen_reader_options {
    size_t size; /* The caller sets this to sizeof(struct platen_reader_options). */
    /* The file that has the symbol of each class, but for the blank of CTC, on a line of its own.
     * Where the network has one class more, this is the space between words. An empty line is a
     * class for which nothing is written, or counts for nothing, as the number of classes wants.
     * NULL = the ONNX file brings them: its metadata have such lines under the key "character". */
    const char *keys;
    /* The network takes (grey / 255 - mean) / std; 0 for both stands for 0.5 and 0.5. */
    double mean, std;
    /* The least confidence of lines, in the place of the recognize stage's default; NULL = that. */
    const double *min_conf;
    bool blank_last; /* The blank of CTC is the last class, not the first. */
};

/* What the file of an imported detector of lines does not tell. Such detectors are of the DB
 * family, as those of PaddleOCR: they give every place of a picture a probability of text, or its
 * logit. */
struct platen_detector_options {
    size_t size; /* The caller sets this to sizeof(struct platen_detector_options). */
    /* Parameters of the operation `db` (platen-pipeline.5), parted by colons, as
     * "threshold=0.2:unclip=1.4": they hold for this model from now on, unless a pipeline has
     * others. NULL = the defaults, those of PP-OCR. */
    const char *parameters;
};

/* Reads the ONNX file `onnx`, runs the passes on its graph and writes it as the model file `path`:
 * whole, or not at all. Before, the file's results are compared with those of every node of the
 * graph run as it stands, on the arrays or on numbers made for it; results that are too far apart
 * are an error. *ret_log and *ret_result, unless these are NULL, are what the passes did and the
 * figure of that comparison, to be freed with platen_free(). q = NULL: all defaults. With r the
 * file becomes a model that reads lines, with d one that finds them; at least one of the two is
 * NULL. PLATEN_ERR_UNSUPPORTED names node, operator and reason; PLATEN_ERR_ARG is for a pass that
 * is unknown and for arrays that do not fit. */
PLATEN_API platen_status platen_model_import(const char *onnx, const char *path,
                                             const struct platen_network_options *o,
                                             const struct platen_quantize_options *q,
                                             const struct platen_reader_options *r,
                                             const struct platen_detector_options *d,
                                             char **ret_log, char **ret_result,
                                             struct platen_error *err);
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
/* Describes the memory plan of a network for inputs of these sizes ("1x3x48x320", parted by commas
 * where there are several): for each value a line with its place in the block and the nodes during
 * which it lives. *ret is to be freed with platen_free(). */
PLATEN_API platen_status platen_model_plan(const char *model,
                                           const struct platen_network_options *o,
                                           const char *sizes, char **ret, struct platen_error *err);
/* Validates a model file completely: structure and checksums. */
PLATEN_API platen_status platen_model_verify(const char *path, struct platen_error *err);

/* The result of a test of the ONNX backend suite; UNSUPPORTED when platen refuses its model. */
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
