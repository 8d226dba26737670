/* JPEG through libjpeg-turbo's libjpeg interface. When only grey is needed the luma plane is taken:
 * chroma is neither transformed nor converted. All state lives in struct reader; setjmp stands
 * alone in guarded(). */
#include <stdio.h>

#include <jpeglib.h>
#include <jerror.h>
#include <setjmp.h>
#include <string.h>

#include "image/decoders.h"

/* A progressive file may hold any number of scans over the whole picture: a small file that keeps a
 * core busy for minutes. Real encoders write about ten. */
#define MAX_SCANS 100

struct reader {
    struct jpeg_error_mgr manager; /* first: the callbacks get it back as a reader */
    struct jpeg_progress_mgr progress;
    struct jpeg_decompress_struct jpeg;
    jmp_buf leave;
    char message[JMSG_LENGTH_MAX];
    bool nomem;
    const uint8_t *data;
    size_t size;
    bool gray;
    struct pl_exif exif;
    const struct pl_env *env;
    struct pl_image *out;
    uint8_t *row; /* CMYK only */
};

static void fail(struct reader *r)
{
    longjmp(r->leave, 1);
}

static void on_error(j_common_ptr c)
{
    struct reader *r = (struct reader *)c->err;
    r->manager.format_message(c, r->message);
    r->nomem = r->manager.msg_code == JERR_OUT_OF_MEMORY;
    fail(r);
}

/* Warnings that leave every pixel right are let pass; all others mean damaged data. */
static void on_message(j_common_ptr c, int level)
{
    struct reader *r = (struct reader *)c->err;
    int code = r->manager.msg_code;
    if (level >= 0 || code == JWRN_EXTRANEOUS_DATA || code == JWRN_JFIF_MAJOR ||
        code == JWRN_ADOBE_XFORM)
        return;
    if (code == JWRN_JPEG_EOF)
        snprintf(r->message, sizeof(r->message), "truncated at byte %zu", r->size);
    else
        r->manager.format_message(c, r->message);
    fail(r);
}

static void on_progress(j_common_ptr c)
{
    struct reader *r = (struct reader *)c->err;
    if (r->jpeg.input_scan_number > MAX_SCANS) {
        snprintf(r->message, sizeof(r->message), "more than %d scans", MAX_SCANS);
        fail(r);
    }
}

static bool guarded(struct reader *r, void (*step)(struct reader *))
{
    if (setjmp(r->leave))
        return false;
    step(r);
    return true;
}

static void read_exif(struct reader *r)
{
    for (jpeg_saved_marker_ptr m = r->jpeg.marker_list; m; m = m->next)
        if (m->marker == JPEG_APP0 + 1 && m->data_length > 6 && !memcmp(m->data, "Exif\0", 6)) {
            r->exif = pl_exif_parse(m->data + 6, m->data_length - 6);
            return;
        }
}

static void read_header(struct reader *r)
{
    jpeg_create_decompress(&r->jpeg);
    r->jpeg.progress = &r->progress;
    jpeg_mem_src(&r->jpeg, r->data, r->size);
    jpeg_save_markers(&r->jpeg, JPEG_APP0 + 1, 0xffff);
    jpeg_read_header(&r->jpeg, TRUE);
    read_exif(r);
}

static bool is_cmyk(const struct reader *r)
{
    return r->jpeg.jpeg_color_space == JCS_CMYK || r->jpeg.jpeg_color_space == JCS_YCCK;
}

static void start(struct reader *r)
{
    if (is_cmyk(r))
        r->jpeg.out_color_space = JCS_CMYK;
    else
        r->jpeg.out_color_space = r->gray ? JCS_GRAYSCALE : JCS_RGB;
    r->jpeg.dct_method = JDCT_ISLOW;
    jpeg_start_decompress(&r->jpeg);
}

/* Adobe writes CMYK inverted (255 = no ink), and so does everybody who writes CMYK JPEG. */
static void convert_cmyk(struct reader *r, int y)
{
    size_t n = r->jpeg.output_width;
    for (size_t i = 0; i < n; i++) {
        unsigned k = r->row[4 * i + 3];
        for (size_t c = 0; c < 3; c++)
            r->row[3 * i + c] = (uint8_t)((r->row[4 * i + c] * k + 127) / 255);
    }
    pl_convert_row(r->env->k, pl_image_row(r->out, y), r->out->format, r->row, 3, n);
}

static void read_rows(struct reader *r)
{
    while (r->jpeg.output_scanline < r->jpeg.output_height) {
        int y = (int)r->jpeg.output_scanline;
        JSAMPROW row = r->row ? r->row : pl_image_row(r->out, y);
        jpeg_read_scanlines(&r->jpeg, &row, 1);
        if (r->row)
            convert_cmyk(r, y);
    }
    jpeg_finish_decompress(&r->jpeg);
}

static platen_status failed(struct reader *r, struct platen_error *err)
{
    if (r->nomem)
        return pl_fail(err, PLATEN_ERR_NOMEM, "out of memory in the JPEG decoder");
    return pl_fail(err, PLATEN_ERR_FORMAT, "damaged JPEG: %s", r->message);
}

static void set_density(struct reader *r)
{
    float unit = r->jpeg.density_unit == 1 ? 1 : r->jpeg.density_unit == 2 ? 2.54f : 0;
    r->out->dpi_x = r->exif.dpi_x > 0 ? r->exif.dpi_x : (float)r->jpeg.X_density * unit;
    r->out->dpi_y = r->exif.dpi_y > 0 ? r->exif.dpi_y : (float)r->jpeg.Y_density * unit;
}

static platen_status decode(struct reader *r, const struct pl_load_options *opt,
                            struct platen_error *err)
{
    if (!guarded(r, read_header))
        return failed(r, err);
    platen_status s =
        pl_check_size(r->jpeg.image_width, r->jpeg.image_height, opt->max_pixels, err);
    if (s)
        return s;
    r->gray = opt->gray || r->jpeg.num_components == 1;
    s = pl_image_init(r->env, (int)r->jpeg.image_width, (int)r->jpeg.image_height,
                      r->gray ? PL_GRAY8 : PL_RGB8, r->out, err);
    if (s)
        return s;
    size_t bytes = is_cmyk(r) ? (size_t)r->jpeg.image_width * 4 : 0;
    if (bytes) {
        r->row = pl_bufpool_get(r->env->bufs, bytes);
        if (!r->row)
            return pl_fail_nomem(err, bytes, "a JPEG row");
    }
    bool ok = guarded(r, start) && guarded(r, read_rows);
    pl_bufpool_put(r->env->bufs, r->row, bytes);
    if (!ok)
        return failed(r, err);
    set_density(r);
    return r->exif.orientation > 1 ? pl_orient(r->env, r->out, r->exif.orientation, err)
                                   : PLATEN_OK;
}

static void init_reader(struct reader *r, const uint8_t *data, size_t n)
{
    r->data = data;
    r->size = n;
    r->jpeg.err = jpeg_std_error(&r->manager);
    r->manager.error_exit = on_error;
    r->manager.emit_message = on_message;
    r->progress.progress_monitor = on_progress;
}

platen_status pl_jpeg_decode(const struct pl_env *env, const uint8_t *data, size_t n,
                             const struct pl_load_options *opt, struct pl_image *ret,
                             struct platen_error *err)
{
    pl_auto_image out = {0};
    struct reader r = {.env = env, .out = &out};
    init_reader(&r, data, n);
    platen_status s = decode(&r, opt, err);
    jpeg_destroy_decompress(&r.jpeg);
    if (!s) {
        *ret = out;
        out = (struct pl_image){0};
    }
    return s;
}

platen_status pl_jpeg_probe(const uint8_t *data, size_t n, struct pl_image_info *ret,
                            struct platen_error *err)
{
    struct reader r = {0};
    init_reader(&r, data, n);
    platen_status s = PLATEN_OK;
    if (guarded(&r, read_header))
        *ret = (struct pl_image_info){"jpeg", (int)r.jpeg.image_width, (int)r.jpeg.image_height,
                                      r.jpeg.num_components == 1 ? 1 : 3};
    else
        s = failed(&r, err);
    jpeg_destroy_decompress(&r.jpeg);
    return s;
}
