/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages that nothing here can make pictures of become pictures by a program: those of a PDF that
 * are drawn, not scanned, by pdftoppm, mutool, or one that takes the arguments of pdftoppm; those
 * of DjVu by ddjvu.
 *
 * A helper process is forked before there are threads and before this process gives up what it does
 * not need. For each page it forks a watcher, which starts the program with fixed arguments, in a
 * sandbox and within limits, and tells how it ended. The program reads the document from a
 * descriptor, and leaves a picture in a memory file whose size is bounded. */
#ifndef PL_CODEC_RENDERER_H
#define PL_CODEC_RENDERER_H

#include "codec/decode.h"

#define PL_RENDER_DPI 300     /* of pages of a PDF that have no scan */
#define PL_RENDERER_PATH 1024 /* bytes of a program's name */

enum pl_render_kind { PL_RENDER_PDF, PL_RENDER_DJVU, PL_RENDER_KINDS };

/* `program`, for PDF, is pdftoppm, mutool, a name that is looked for in PATH, or one with a slash;
 * "auto" is pdftoppm, or else mutool, or else none. For DjVu it is ddjvu, if that is in PATH. Once;
 * with `sandbox` a program can open the system's files and its own folder alone. PLATEN_ERR_ARG
 * where `program` is not there, _INTERNAL. */
PL_MUST_USE platen_status pl_renderer_start(const char *program, bool sandbox,
                                            struct platen_error *err);
/* Ends the helper, and whatever it runs. */
void pl_renderer_stop(void);
/* Whether there is a program for it, and the helper runs. */
bool pl_renderer_has(enum pl_render_kind kind);

/* Renders page src->opt->page of the document, 0 being its first, a PDF in that resolution.
 * PLATEN_ERR_FORMAT where the program makes no picture, _LIMIT where it takes too long or the
 * picture is too large, _NOMEM. */
PL_MUST_USE platen_status pl_renderer_load(enum pl_render_kind kind, const struct pl_source *src,
                                           double dpi, struct pl_image *ret,
                                           struct platen_error *err);

/* ---- between this process and the helper ---- */

/* Goes with the descriptors of the document, of the memory file and of a pipe for the answer. */
struct pl_render_order {
    enum pl_render_kind kind;
    int page;
    double dpi;
    bool gray;
    uint64_t max_bytes; /* of the picture */
    int time_ms;
};

enum { PL_RENDER_DOCUMENT, PL_RENDER_PICTURE, PL_RENDER_ANSWER, PL_RENDER_FDS };

/* What the watcher answers. */
enum pl_render_end { PL_RENDER_DONE, PL_RENDER_FAILED, PL_RENDER_LATE, PL_RENDER_NOT_RUN };

struct pl_render_kit {
    char programs[PL_RENDER_KINDS][PL_RENDERER_PATH]; /* "" = none */
    bool mutool;  /* the program for PDF takes the arguments of mutool, else of pdftoppm */
    bool sandbox; /* what the programs may open is bounded */
};

/* Serves orders until the control channel closes, then ends the process. */
_Noreturn void pl_renderer_helper(const struct pl_render_kit *kit, int control);

#endif
