/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures from and to bytes. Formats are recognised by content, never by name. */
#ifndef PL_CODEC_CODEC_H
#define PL_CODEC_CODEC_H

#include "base/text.h"
#include "image/image.h"

/* What is wrong with a file that is read all the same. */
struct pl_flaw {
    /* "truncated at byte 812; 1200 of 3300 rows were read", and behind a semicolon what else there
     * is; "" = nothing */
    char text[2 * sizeof(((struct platen_error *)0)->text)];
    bool damaged;      /* rows may be missing, and are white then */
    double lost_share; /* of the rows of the picture, those that are */
};

/* What a page of a PDF has that a new PDF has not. */
enum {
    PL_LOST_ATTACHMENTS = 1,
    PL_LOST_LINKS = 2,
    PL_LOST_NOTES = 4,
    PL_LOST_FIELDS = 8,
    PL_LOST_SIGNATURES = 16
};

/* What there is to tell of a page of a PDF beside its picture; all zero of other files. */
struct pl_page_told {
    bool scan_alone; /* what is drawn over its scan was not read */
    bool drawn;      /* a program made the picture of a page that is no scan */
    unsigned lost;   /* with pl_load_options.anew: PL_LOST_LINKS and so on */
    /* The page as it is seen: its size, and how far the left upper corner of its picture stands
     * right of its own and below it, in inches; 0 wide where that is not known. */
    double width_in, height_in, left_in, top_in;
};

/* Pixels of 8 bits a channel in the memory of a caller, who has checked that all of them are there:
 * rows of 1 (grey), 3 (RGB) or 4 (RGB and alpha) channels, each stride_bytes behind the last. */
struct pl_raster {
    const uint8_t *px;
    int width, height, channels;
    size_t stride_bytes;
};

struct pl_load_options {
    bool gray;           /* only grey is needed: JPEG gives its luma plane without conversion */
    uint64_t max_pixels; /* width * height above this is PLATEN_ERR_LIMIT, before any allocation */
    int page;            /* from 1; 0 = the file must hold one alone */
    uint64_t page_at;    /* where it begins, of pl_image_pages(); 0 = it is looked for */
    /* Becomes what is wrong with a file that is read all the same. NULL = that is not asked, and a
     * damaged file is refused. */
    struct pl_flaw *ret_flaw;
    /* Of a page of a PDF that has text. One that is skipped becomes white. */
    enum platen_pdf_text pdf_text;
    bool layer;  /* of a PDF: the page is to get a layer of text. Where it keeps what it has,
                  *ret_flaw tells so, and without `pixels` it becomes white */
    bool pixels; /* the picture is wanted in every case but that of a page that is skipped */
    /* Of a page of a PDF over whose scan something is drawn: the scan alone is read. Else a program
     * renders the page, and the scan is read where none can; but with `anew`, where a new PDF shows
     * the picture in the place of the page, and with PLATEN_PDF_TEXT_FORCE that is an error. */
    bool scan_alone, anew;
    struct pl_page_told *ret_told; /* what there is to tell of the page; may be NULL */
    bool mapped; /* the data is a mapped file: what was read need not stay in memory */
    /* How many pixels the page has, as pl_image_probe() told, so that a cell need not look again
     * before it decodes; 0 = nobody looked. */
    uint64_t probed_pixels;
    uint64_t probed_bytes; /* pl_image_info.decode_bytes, with them */
    const struct pl_raster
        *raster; /* is the picture, and the file is empty; NULL = there is none */
};

/* Decodes data[0..n): PNG (ISA-L and kernels, or libpng), JPEG (libjpeg-turbo), what stb_image
 * reads beside them (BMP, GIF, PSD, TGA, PNM, HDR to 8 bits), and TIFF (libtiff), WebP (libwebp),
 * JPEG 2000 (OpenJPEG), HEIF (libheif) and scans in PDF (qpdf) where the build has them; pages of
 * DjVu by a program. EXIF orientation is applied, alpha goes over white (over black where nothing
 * would be seen), 16 bits become 8 (rounded), palettes and 1-bit pictures are expanded; a file
 * without colour, or any file with opt->gray, gives PL_GRAY8; dpi and bilevel are set where the
 * file tells. Of a file that is truncated or damaged the rows are read that came, and the others
 * are white, where opt->ret_flaw can tell it and enough came; else it is an error.
 * PLATEN_ERR_FORMAT, _UNSUPPORTED, _LIMIT or _NOMEM; the text says what is wrong ("truncated at
 * byte 812"), not the file's name. */
PL_MUST_USE platen_status pl_image_load(const struct pl_env *env, const uint8_t *data, size_t n,
                                        const struct pl_load_options *opt, struct pl_image *ret,
                                        struct platen_error *err);

/* Makes ready what is otherwise made ready by the first file that needs it: libraries, and the
 * processes of platen_isolate(). To be called before there are threads and a sandbox where files
 * come behind them. PLATEN_ERR_INTERNAL, _NOMEM; a library that cannot be loaded is told by the
 * file that needs it. */
PL_MUST_USE platen_status pl_image_files_may_come(struct platen_error *err);

/* Libraries that wait for the first file that needs them; sets of them are sums. What they take in
 * memory and time nothing else bounds than a cell. */
enum { PL_LIBRARY_PDF = 1, PL_LIBRARY_HEIF = 2, PL_LIBRARIES_ALL = 3 };

/* Loads those of the set `which`. What cannot be loaded is told by the file that needs it. */
void pl_image_load_libraries(unsigned which);

/* Whether data[0..n) begins like a file of one of these formats. */
bool pl_image_known(const uint8_t *data, size_t n);

/* Whether a file that begins with data[0..n) is a picture that pl_image_load() may decode. Of TGA,
 * which has no magic number, it is never told. */
bool pl_image_begins(const uint8_t *data, size_t n);

/* Whether a file of this name is taken for a picture without looking into it: by its extension, in
 * small or capital letters. It is the same in builds that lack a library. */
bool pl_image_is_name(const char *name);

/* Whether a file that begins with data[0..n) may have several pages, or may be told from a picture
 * behind it (pl_image_next()). */
bool pl_image_may_be_several(const uint8_t *data, size_t n);

/* Whether a file that begins with data[0..n) is a PDF that is read here. */
bool pl_image_is_pdf(const uint8_t *data, size_t n);

/* Whether pages of a file that begins with data[0..n) may be drawn, so that a program must render
 * them. */
bool pl_image_may_be_drawn(const uint8_t *data, size_t n);

/* From now on pl_image_load() has a program make pictures of such pages, as pl_renderer_start() in
 * render/renderer.h tells. */
PL_MUST_USE platen_status pl_image_renderer_start(const char *program, bool sandbox,
                                                  struct platen_error *err);
void pl_image_renderer_stop(void);

/* Where a second picture stands behind the first one of data[0..n), as far as the format tells
 * where that ends: of all but PSD, TGA and HDR. n where there is none. */
size_t pl_image_next(const uint8_t *data, size_t n);

/* Whether data[0..n) begins like a picture of which pl_image_whole() can tell where it ends. */
bool pl_image_ends_itself(const uint8_t *data, size_t n);
/* Where the picture ends that data[0..n) begins with, as soon as these bytes tell: PNG, JPEG, GIF,
 * BMP, WebP and raw PNM. 0 while they do not. Of data[0..seen) this was asked before; data[n] can
 * be read. */
size_t pl_image_whole(const uint8_t *data, size_t n, size_t seen);

/* The pages of a file. */
struct pl_pages {
    int n;
    uint64_t *at; /* where each begins, for pl_load_options.page_at; NULL = that is of no use */
    /* How the file names each, "iv" or "A-3": n texts of UTF-8, each ended by a zero, "" where it
     * does not; NULL = it names none. */
    char *labels;
    size_t label_bytes; /* of all of them, with the zeros */
};

#define PL_PAGE_LABEL_BYTES 64 /* of one label at most, with its zero */

/* How many pages data[0..n) holds, without decoding them: 1 for every format but PDF, DjVu, HEIF
 * and TIFF, whose thumbnails and masks do not count; and a page that fails where the chain of
 * directories breaks off or leads back. The work is that of the directories, once. Fails where
 * nothing could be read at all. */
PL_MUST_USE platen_status pl_image_pages(const uint8_t *data, size_t n, struct pl_pages *ret,
                                         struct platen_error *err);
void pl_pages_done(struct pl_pages *p);

/* Size and kind from the header alone, for limits and schedules: of the page that opt names, or of
 * the first one where opt is NULL; of opt nothing else counts but pdf_text and raster. */
struct pl_image_info {
    const char *format; /* "png", "jpeg", ... */
    int width, height;  /* as the file has it, before EXIF orientation */
    int channels;       /* 1 grey, 2 grey + alpha, 3 colour, 4 colour + alpha */
    /* Memory that decoding takes, the picture included, where the header tells that it may be more
     * than pl_image_decode_bytes_per_px() has; or 0. */
    uint64_t decode_bytes;
};

/* Reads that from data[0..n). Fails as pl_image_load() does where the header is wrong. */
PL_MUST_USE platen_status pl_image_probe(const uint8_t *data, size_t n,
                                         const struct pl_load_options *opt,
                                         struct pl_image_info *ret, struct platen_error *err);

/* Memory that other processes of platen take for decoding a picture of that size: the file, the
 * pixels on their way, and what the decoder takes, as pl_image_probe() told it. 0 where this
 * process decodes. */
uint64_t pl_image_cell_bytes(const uint8_t *data, size_t n, uint64_t pixels, int channels,
                             uint64_t decode_bytes);

/* Memory that decoding takes, the picture included, in bytes a pixel: measured. 0 for formats that
 * are decoded row by row, and take no more than the picture. */
unsigned pl_image_decode_bytes_per_px(const uint8_t *data, size_t n, int channels);

/* Appends a JPEG with the same coefficients, that is the same pixels, in a Huffman code, and no
 * metadata. Memory for the coefficients is claimed. */
PL_MUST_USE platen_status pl_jpeg_recode(const struct pl_env *env, const uint8_t *data, size_t n,
                                         struct pl_str *out, struct platen_error *err);

/* EXIF orientation, 1..8, of a JPEG of one or three components: what other programs show as
 * pl_image_load() does. 0 for a JPEG of four, other formats and a header that cannot be read. */
int pl_jpeg_turn(const uint8_t *data, size_t n);

/* Appends a PNG: 1 bit when im->bilevel, else 8-bit grey or RGB; fast settings; dpi kept. */
PL_MUST_USE platen_status pl_png_encode(const struct pl_image *im, struct pl_str *out,
                                        struct platen_error *err);
/* Appends a TIFF: fax group 4 when im->bilevel, else 8-bit grey or RGB, deflated; dpi kept. Only
 * where the build has libtiff. */
PL_MUST_USE platen_status pl_tiff_encode(const struct pl_image *im, struct pl_str *out,
                                         struct platen_error *err);
/* Makes a TIFF that pl_tiff_encode() wrote, file[0..n), a page of a longer one, which has its bytes
 * behind the head, `by` bytes farther back than they stand here. *ret_page is where its directory
 * is in the longer file, and *ret_next where in `file` the place of the next page's is to be put:
 * pl_tiff_set_place(). PLATEN_ERR_LIMIT where a place has no room in 32 bits. */
PL_MUST_USE platen_status pl_tiff_move(uint8_t *file, size_t n, uint64_t by, uint32_t *ret_page,
                                       size_t *ret_next, struct platen_error *err);
#define PL_TIFF_HEAD 8 /* bytes; the place of the first page is the last four of them */
void pl_tiff_set_place(uint8_t *at, uint32_t place);
/* Appends the fax data of group 4, as TIFF and PDF have them, of a bilevel picture. Only where the
 * build has libtiff. */
PL_MUST_USE platen_status pl_fax_encode(const struct pl_image *im, struct pl_str *out,
                                        struct platen_error *err);
/* Appends a raw PNM: PBM (P4) when im->bilevel, PGM (P5) when grey, else PPM (P6). */
PL_MUST_USE platen_status pl_pnm_encode(const struct pl_image *im, struct pl_str *out,
                                        struct platen_error *err);

#endif
