/* SPDX-License-Identifier: BSD-2-Clause */
/* Which pictures a job reads, in which order, and what their outputs are called. */
#ifndef PL_FILES_INPUTS_H
#define PL_FILES_INPUTS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/status.h"
#include "files/page_ranges.h"
#include "files/passed.h"

#define PL_MAX_INPUT_BYTES ((size_t)1 << 30) /* of one file */

/* An archive whose members are inputs. */
struct pl_archive {
    const char *path;
    struct pl_map map;
    struct pl_archive *next;
};

struct pl_input {
    const char *path; /* as the user named it, or found below a directory; "-" = standard input */
    const char *name; /* relative to an output directory: "x/a.png" */
    const char *stem; /* the same without its extension, unless two inputs would meet */
    const char *file; /* `name` of the file that it is a page of: "x/a.tif" for "x/a-0002.tif" */
    const char *document; /* what its document is called, the same pointer for all pages of one:
                             `file` without its extension, unless two files would meet, or
                             pl_inputs.joined; NULL = the job makes no documents */
    const char *error;    /* why it cannot be read (a directory that cannot be opened), or NULL */
    platen_status status; /* of that error; PLATEN_OK: PLATEN_ERR_IO, as of most */
    const char *label;    /* for messages: the path, or "multi.tif#2" */
    const void *data;     /* of the file, where it is in memory already; NULL = in `path` */
    size_t size;          /* of data */
    const struct pl_raster *raster; /* the picture, where it is no file; size is 0 then; or NULL */
    const struct pl_archive *archive; /* that holds data; or NULL */
    struct pl_map *head;    /* the beginning of a file that can be read but once, which was read
                               already, or a frame; whoever reads on takes it over; or NULL */
    int page;               /* from 1; 0 = the file holds one */
    int frame;              /* of a stream of frames, from 1; 0 = it is none */
    double time_s;          /* of a frame, since the first one */
    const char *page_label; /* as the file names the page, "iv"; or NULL */
    uint64_t page_at;       /* where it begins in the file; 0 = not known */
    size_t number;          /* in a stream that grows, from 1; else 0 */
    bool is_pdf;            /* of a file that was looked into */
    bool stays;             /* the PDF that it is a page of stays, and gets text */
    bool more;              /* the next input is a page of the same file */
    bool done;              /* an earlier run completed it */
    bool told;              /* that it failed is in the stream already */
    bool lost;              /* a directory that was not listed whole, or what may be one */
    bool given_up;          /* runs ended while they read it, so that it fails without being read */
    unsigned begun;         /* how many runs in a row ended so; unless given up, it is read alone */
};

/* The status with which an input fails that has an error. */
static inline platen_status pl_input_status(const struct pl_input *in)
{
    return in->status ? in->status : PLATEN_ERR_IO;
}

struct pl_inputs {
    struct pl_arena arena;
    struct pl_input *v, *spare; /* spare: room for pl_inputs_replace() */
    size_t n, cap, spare_cap;
    bool stdin_taken;
    struct pl_map from_stdin;     /* what pl_inputs_read_stdin() has read */
    struct pl_archive *archives;  /* whose members pl_inputs_read_archives() has added */
    bool may_be_drawn;            /* pages of one of them, so that a program must render them */
    const char *outputs[2];       /* directories that are not walked into, or NULL */
    struct pl_page_ranges wanted; /* of files of several pages, and of one */
    const char *joined; /* the name of the one document of all files; NULL = each has its own */
    bool all_files;   /* of a directory also those that begin like a picture, whatever their name */
    size_t elsewhere; /* inputs of other shares */
    struct pl_passed passed; /* of the directories */
};

void pl_inputs_init(struct pl_inputs *in);
void pl_inputs_done(struct pl_inputs *in);
/* Forgets every input but keeps the memory, and what was counted. */
void pl_inputs_reset(struct pl_inputs *in);

/* Adds a file, "-", or what lies below a directory: the entries of each directory in byte order,
 * without hidden ones, files by their names (pl_image_is_name()); links to directories are not
 * followed. What is passed over is counted, but for texts that platen writes. A directory that
 * cannot be listed to its end, and an entry of which the system does not tell what it is, become
 * inputs that fail. With `keep_dirs` the output name keeps the directories of `path`. Names that do
 * not exist are kept: opening them fails later. */
PL_MUST_USE platen_status pl_inputs_add(struct pl_inputs *in, const char *path, bool keep_dirs,
                                        struct platen_error *err);
/* Adds one name of a list, whose directories are kept; an empty one adds nothing. PLATEN_ERR_ARG
 * when it holds a zero byte. */
PL_MUST_USE platen_status pl_inputs_add_record(struct pl_inputs *in, const char *name, size_t n,
                                               struct platen_error *err);
/* Adds every name of a list: one a line, or ended by NUL. */
PL_MUST_USE platen_status pl_inputs_add_list(struct pl_inputs *in, const char *path, bool nul_ended,
                                             struct platen_error *err);
/* Where standard input alone is read, looks at its beginning; where that is of a type that may have
 * several pages, or tells where a picture ends, it reads all, up to max_bytes, and makes an input
 * of each of several pictures that lie one behind the other: "-#2" is the second one. Waits for the
 * bytes until wake_fd can be read: PLATEN_ERR_CANCELED. What else cannot be read is an input that
 * fails. */
PL_MUST_USE platen_status pl_inputs_read_stdin(struct pl_inputs *in, size_t max_bytes, int wake_fd,
                                               struct platen_error *err);
/* Takes every input for a tar archive, and replaces it by its members that are pictures by their
 * names, or with all_files by their beginnings, in the order of the archive. Others are counted as
 * passed over, hidden ones are not. An archive that is damaged, or is none, is an input that fails,
 * behind the members that could be read. Of a pipe at most max_bytes are read, with the rest as
 * above. */
PL_MUST_USE platen_status pl_inputs_read_archives(struct pl_inputs *in, size_t max_bytes,
                                                  int wake_fd, struct platen_error *err);
/* To be asked when the bytes of an input were used, `map` or what it is a part of: as
 * pl_map_check(). */
PL_MUST_USE platen_status pl_input_check(const struct pl_input *in, const struct pl_map *map,
                                         struct platen_error *err);
/* Replaces every regular file of several pages, and what was read of standard input, by one input
 * for each that is wanted, named like "a-0002.tif"; on slow storage files are opened ahead
 * (files/ahead.h). What cannot be read stays, to fail when its turn comes, and so does a file
 * without any of the pages that are wanted. PLATEN_ERR_NOMEM, _LIMIT. */
PL_MUST_USE platen_status pl_inputs_split(struct pl_inputs *in, struct platen_error *err);
enum {
    PL_NAMES_UNIQUE = 1,   /* PLATEN_ERR_ARG when two inputs would still meet */
    PL_NAMES_PARTS = 2,    /* also when one would meet the part of another, "a-1" or "a-2" */
    PL_NAMES_DOCUMENTS = 4 /* files get names, too, of which no two meet */
};
/* Fills in the stems and, where `how` has PL_NAMES_DOCUMENTS, the documents. */
PL_MUST_USE platen_status pl_inputs_name(struct pl_inputs *in, unsigned how,
                                         struct platen_error *err);
/* Whether input i is the first page of its file. */
bool pl_inputs_is_first(const struct pl_inputs *in, size_t i);
/* Whether input i begins, ends a document, where the job makes documents. */
bool pl_inputs_begins_document(const struct pl_inputs *in, size_t i);
bool pl_inputs_ends_document(const struct pl_inputs *in, size_t i);
/* Keeps the share index, counted from 1, of count: those whose name, or with `files` that of whose
 * file, has that hash; and what is lost, which may stand for inputs of every share. */
void pl_inputs_shard(struct pl_inputs *in, bool files, size_t index, size_t count);

#endif
