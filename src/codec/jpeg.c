/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h> /* jpeglib.h needs FILE */

#include <jerror.h>
#include <jpeglib.h>
#include <setjmp.h>
#include <string.h>

#include "codec/decode.h"
#include "codec/exif.h"
#include "codec/jpeg_marks.h"

/* More scans than any encoder makes: each one passes over the whole picture, so that a small file
 * of very many scans would take hours. */
#define MAX_SCANS 500
/* Of units of the code (MCU), each 8 pixels high at least. */
#define MAX_UNIT_ROWS (JPEG_MAX_DIMENSION / DCTSIZE + 1)

/* All state lives here, so that nothing is lost in a longjmp. */
struct jpeg_reader {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr bytes;
    struct jpeg_progress_mgr progress;
    jmp_buf jump;
    const struct pl_source *src;
    struct platen_error err;
    platen_status status;
    struct pl_decoded out;
    struct pl_exif exif;
    bool end_made_up; /* the file ends without saying so */
    bool salvages;    /* damage of the picture data does not end the reading */
    bool damaged;     /* there was some; the first of it is in err */
    bool lost[MAX_UNIT_ROWS];
    uint8_t *row; /* one row of CMYK or of colour that becomes grey; else NULL */
    size_t row_bytes;
};

static struct jpeg_reader *reader_of(j_common_ptr jpeg)
{
    return jpeg->client_data;
}

static void note_truncated(struct jpeg_reader *r, bool in_data)
{
    if (!r->damaged)
        r->status = pl_fail(&r->err, PLATEN_ERR_FORMAT, "truncated at byte %zu%s", r->src->n,
                            in_data ? " of the picture data" : " of the header");
}

static void fail_truncated(struct jpeg_reader *r, bool in_data)
{
    note_truncated(r, in_data);
    longjmp(r->jump, 1);
}

/* Notes libjpeg's last message, unless there was damage before, of which this is a consequence. */
static void note_message(struct jpeg_reader *r)
{
    char message[JMSG_LENGTH_MAX];
    platen_status code = PLATEN_ERR_FORMAT;
    int what = r->errors.msg_code;
    if (what == JERR_OUT_OF_MEMORY)
        code = PLATEN_ERR_NOMEM;
    else if (what == JERR_SOF_UNSUPPORTED || what == JERR_BAD_PRECISION ||
             what == JERR_CONVERSION_NOTIMPL || what == JERR_CCIR601_NOTIMPL)
        code = PLATEN_ERR_UNSUPPORTED;
    if (r->end_made_up && code != PLATEN_ERR_NOMEM) {
        note_truncated(r, true);
        return;
    }
    r->errors.format_message((j_common_ptr)&r->jpeg, message);
    if (!r->damaged || code == PLATEN_ERR_NOMEM)
        r->status = pl_fail_codec(&r->err, code, message, r->src->n - r->bytes.bytes_in_buffer);
}

static void on_error(j_common_ptr jpeg)
{
    struct jpeg_reader *r = reader_of(jpeg);
    note_message(r);
    longjmp(r->jump, 1);
}

/* Gives up the rows of units from row `from` on, as far as damage there reaches: to the next
 * restart of the code where it has those. */
static void lose_rows(struct jpeg_reader *r, JDIMENSION from)
{
    const struct jpeg_decompress_struct *j = &r->jpeg;
    const uint64_t interval = j->restart_interval, rows = j->total_iMCU_rows,
                   units =
                       (uint64_t)j->MCUs_per_row *
                       (uint64_t)(j->comps_in_scan == 1 ? j->cur_comp_info[0]->v_samp_factor : 1);
    uint64_t end = rows;
    if (interval && !jpeg_has_multiple_scans(&r->jpeg)) {
        const uint64_t restart = ((from + 1) * units + interval - 1) / interval * interval;
        end = PL_MIN((restart + units - 1) / units, rows);
    }
    if (from < end && !(r->lost[from] && r->lost[end - 1]))
        memset(r->lost + from, 1, end - from);
}

/* Whether what the present scan tells is seen: not the colours alone, nor the last bit. */
static bool scan_matters(const struct jpeg_decompress_struct *j)
{
    bool luma = false;
    for (int i = 0; i < j->comps_in_scan; i++)
        luma = luma || j->cur_comp_info[i] == j->comp_info;
    return luma && !(j->progressive_mode && j->Ah == 1);
}

/* libjpeg goes on with made-up pixels, which are not taken. */
static void note_damage(struct jpeg_reader *r)
{
    note_message(r);
    r->damaged = true;
    if (scan_matters(&r->jpeg))
        lose_rows(r, r->jpeg.input_iMCU_row);
}

/* libjpeg goes on with made-up pixels after most of its warnings: for platen these are damage. The
 * others leave all pixels as the encoder meant them. */
static void on_message(j_common_ptr jpeg, int level)
{
    struct jpeg_reader *r = reader_of(jpeg);
    const struct jpeg_error_mgr *e = jpeg->err;
    bool padded = e->msg_code == JWRN_EXTRANEOUS_DATA && e->msg_parm.i[1] == JPEG_EOI;
    if (level >= 0 || padded || e->msg_code == JWRN_JFIF_MAJOR || e->msg_code == JWRN_ADOBE_XFORM ||
        e->msg_code == JWRN_BOGUS_ICC)
        return;
    if (!r->salvages)
        on_error(jpeg);
    note_damage(r);
}

static void on_progress(j_common_ptr jpeg)
{
    struct jpeg_reader *r = reader_of(jpeg);
    if (r->jpeg.input_scan_number <= MAX_SCANS)
        return;
    r->status = pl_fail(&r->err, PLATEN_ERR_LIMIT, "more than %d scans", MAX_SCANS);
    longjmp(r->jump, 1);
}

static void on_start(j_decompress_ptr jpeg PL_UNUSED)
{
}

/* Called when the decoder wants a byte behind the last. Within the picture data it gets the mark of
 * the end, once: with a Huffman code a file that lacks no more than that needs no other byte, and
 * one that lacks some of its data is told by the decoder. An arithmetic code would go on, so that
 * its present row counts as lost. */
static boolean on_end(j_decompress_ptr jpeg)
{
    static const JOCTET end[] = {0xff, JPEG_EOI};
    struct jpeg_reader *r = reader_of((j_common_ptr)jpeg);
    bool in_data = jpeg->output_scanline || jpeg->input_scan_number;
    if (!in_data || r->end_made_up || (jpeg->arith_code && !r->salvages))
        fail_truncated(r, in_data);
    r->end_made_up = true;
    if (jpeg->arith_code)
        note_damage(r);
    r->bytes.next_input_byte = end;
    r->bytes.bytes_in_buffer = sizeof(end);
    return TRUE;
}

static void on_skip(j_decompress_ptr jpeg, long n)
{
    struct jpeg_source_mgr *b = jpeg->src;
    if (n <= 0)
        return;
    if ((size_t)n > b->bytes_in_buffer)
        fail_truncated(reader_of((j_common_ptr)jpeg), jpeg->input_scan_number > 0);
    b->next_input_byte += n;
    b->bytes_in_buffer -= (size_t)n;
}

/* The only setjmp of this file: runs `step` and says whether it came to its end. */
static bool guarded(struct jpeg_reader *r, void (*step)(struct jpeg_reader *r))
{
    if (setjmp(r->jump))
        return false;
    step(r);
    return true;
}

static void read_header(struct jpeg_reader *r)
{
    r->jpeg.err = jpeg_std_error(&r->errors);
    r->errors.error_exit = on_error;
    r->errors.emit_message = on_message;
    r->jpeg.client_data = r;
    jpeg_create_decompress(&r->jpeg);
    r->bytes = (struct jpeg_source_mgr){.next_input_byte = r->src->data,
                                        .bytes_in_buffer = r->src->n,
                                        .init_source = on_start,
                                        .fill_input_buffer = on_end,
                                        .skip_input_data = on_skip,
                                        .resync_to_restart = jpeg_resync_to_restart,
                                        .term_source = on_start};
    r->jpeg.src = &r->bytes;
    r->progress.progress_monitor = on_progress;
    r->jpeg.progress = &r->progress;
    jpeg_save_markers(&r->jpeg, JPEG_APP0 + 1, 0xffff);
    jpeg_read_header(&r->jpeg, TRUE);
}

/* EXIF may stand in any APP1; others (XMP) are passed over. */
static void take_metadata(struct jpeg_reader *r)
{
    static const char tag[6] = "Exif\0";
    r->exif.orientation = 1;
    for (jpeg_saved_marker_ptr m = r->jpeg.marker_list; m; m = m->next)
        if (m->data_length > sizeof(tag) && memcmp(m->data, tag, sizeof(tag)) == 0) {
            r->exif = pl_exif_parse(m->data + sizeof(tag), m->data_length - sizeof(tag));
            break;
        }
    int unit = r->jpeg.saw_JFIF_marker ? r->jpeg.density_unit : 0;
    if ((unit == 1 || unit == 2) && r->jpeg.X_density && r->jpeg.Y_density) {
        float per_inch = unit == 2 ? 2.54f : 1.0f;
        r->exif.dpi_x = (float)r->jpeg.X_density * per_inch;
        r->exif.dpi_y = (float)r->jpeg.Y_density * per_inch;
    }
}

/* The luma of YCbCr is grey already; RGB and CMYK take the way through RGB. */
static void start(struct jpeg_reader *r)
{
    struct jpeg_decompress_struct *j = &r->jpeg;
    if (j->jpeg_color_space == JCS_CMYK || j->jpeg_color_space == JCS_YCCK)
        j->out_color_space = JCS_CMYK;
    else if (j->jpeg_color_space == JCS_GRAYSCALE ||
             (r->src->opt->gray && j->jpeg_color_space == JCS_YCbCr))
        j->out_color_space = JCS_GRAYSCALE;
    else
        j->out_color_space = JCS_RGB;
    j->dct_method = JDCT_ISLOW; /* the same bits with and without SIMD */
    jpeg_start_decompress(j);
}

/* Returns whether the first component, or with `all` each, has come, and if the file is
 * progressive, every coefficient of it, but for its last `bits` bits. */
static bool has_scans(const struct jpeg_decompress_struct *j, bool all, int bits)
{
    for (int c = 0; c < (all ? j->num_components : 1); c++) {
        if (!j->comp_info[c].quant_table) /* set by the first scan that has the component */
            return false;
        for (int i = 0; j->progressive_mode && i < DCTSIZE2; i++)
            if (j->coef_bits[c][i] < 0 || j->coef_bits[c][i] > bits)
                return false;
    }
    return true;
}

static void read_rows(struct jpeg_reader *r)
{
    struct jpeg_decompress_struct *j = &r->jpeg;
    struct pl_image *im = &r->out.image;
    const enum pl_inks inks = r->src->inks;
    const bool inverted = inks == PL_INKS_INVERTED || (inks == PL_INKS_TOLD && j->saw_Adobe_marker);
    while (j->output_scanline < j->output_height) {
        int y = (int)j->output_scanline;
        uint8_t *row = r->row ? r->row : pl_image_row(im, y);
        jpeg_read_scanlines(j, &row, 1);
        if (!r->row)
            continue;
        if (j->out_color_space == JCS_CMYK)
            pl_inks_to_rgb(row, j->output_width, inverted); /* of Adobe: 255 - ink */
        pl_rows_put(r->src->env, im, y, row, 3);
    }
}

/* Reads the end, where that was not read before. */
static void read_end(struct jpeg_reader *r)
{
    const bool whole = has_scans(&r->jpeg, true, 0);
    if (!has_scans(&r->jpeg, false, 1))
        memset(r->lost, 1, sizeof(r->lost));
    jpeg_finish_decompress(&r->jpeg);
    if (r->end_made_up && !whole)
        note_truncated(r, true);
    r->out.flaw = r->end_made_up && !r->damaged ? PL_FLAW_NO_END : NULL;
}

/* Decides about a picture of which rows may be lost. */
static platen_status settle(struct jpeg_reader *r)
{
    const int unit = r->jpeg.max_v_samp_factor * DCTSIZE;
    struct pl_image *im = &r->out.image;
    int rows = 0;
    if (!r->status)
        return PLATEN_OK;
    for (int y = 0; y < im->height; y++) {
        if (r->lost[y / unit])
            pl_rows_whiten(im, y, y + 1);
        rows += !r->lost[y / unit];
    }
    return pl_damage_settle(r->status, &r->err, (uint64_t)rows, (uint64_t)im->height,
                            &r->out.damage, NULL);
}

static platen_status decode_jpeg(struct jpeg_reader *r)
{
    struct jpeg_decompress_struct *j = &r->jpeg;
    if (!guarded(r, read_header))
        return r->status;
    platen_status s = pl_limits_check(r->src->opt, j->image_width, j->image_height, &r->err);
    if (s)
        return s;
    take_metadata(r);
    r->salvages = true;
    if (!guarded(r, start))
        return r->status;
    s = pl_rows_init(r->src, (int)j->output_width, (int)j->output_height,
                     j->output_components == 1 ? 1 : 3, &r->out.image, &r->err);
    if (s)
        return s;
    if (j->output_components != (int)r->out.image.format) {
        r->row_bytes = (size_t)j->output_width * (size_t)j->output_components;
        r->row = pl_bufpool_get(r->src->env->bufs, r->row_bytes);
        if (!r->row)
            return pl_fail_nomem(&r->err, r->row_bytes, "a row of a jpeg");
    }
    r->out.turn = r->exif.orientation;
    r->out.image.dpi_x = r->exif.dpi_x;
    r->out.image.dpi_y = r->exif.dpi_y;
    if (!guarded(r, read_rows))
        return r->status;
    (void)guarded(r, read_end);
    return settle(r);
}

platen_status pl_jpeg_decode(const struct pl_source *src, struct pl_decoded *ret,
                             struct platen_error *err)
{
    struct jpeg_reader r = {.src = src};
    platen_status s = decode_jpeg(&r);
    jpeg_destroy_decompress(&r.jpeg);
    pl_bufpool_put(src->env->bufs, r.row, r.row_bytes);
    if (s)
        pl_image_done(&r.out.image);
    else
        *ret = r.out;
    if (s && err)
        *err = r.err;
    return s;
}

platen_status pl_jpeg_probe(const struct pl_source *src, struct pl_image_info *ret,
                            struct platen_error *err)
{
    struct pl_jpeg_marks m = pl_jpeg_header_marks(src->data, src->n);
    if (!m.scan)
        return pl_fail(err, PLATEN_ERR_FORMAT, "damaged or truncated header of the jpeg");
    if (!m.width || !m.height)
        return pl_fail(err, PLATEN_ERR_FORMAT, "wrong size %d x %d in the jpeg", m.width, m.height);
    *ret = (struct pl_image_info){"jpeg", m.width, m.height, m.components == 1 ? 1 : 3, 0};
    return PLATEN_OK;
}

int pl_jpeg_turn(const uint8_t *data, size_t n)
{
    if (n < 2 || memcmp(data, "\xff\xd8", 2))
        return 0;
    struct pl_jpeg_marks m = pl_jpeg_header_marks(data, n);
    bool shown = m.scan && m.components != 4;
    return shown ? (m.exif ? pl_exif_parse(m.exif, m.exif_bytes).orientation : 1) : 0;
}

/* ---- the same coefficients in another code ---- */

#define OUT_BYTES 65536

struct jpeg_writer {
    struct jpeg_reader r; /* first: messages of both sides come to it */
    struct jpeg_compress_struct jpeg;
    struct jpeg_destination_mgr bytes;
    struct pl_str *out;
};

static void give_room(j_compress_ptr jpeg)
{
    struct jpeg_writer *w = jpeg->client_data;
    char *room = pl_str_room(w->out, OUT_BYTES);
    if (!room) {
        w->r.status = pl_fail_nomem(&w->r.err, OUT_BYTES, "a jpeg");
        longjmp(w->r.jump, 1);
    }
    w->bytes.next_output_byte = (JOCTET *)room;
    w->bytes.free_in_buffer = OUT_BYTES;
}

static boolean on_full(j_compress_ptr jpeg)
{
    struct jpeg_writer *w = jpeg->client_data;
    w->out->len += OUT_BYTES;
    give_room(jpeg);
    return TRUE;
}

static void on_done(j_compress_ptr jpeg)
{
    struct jpeg_writer *w = jpeg->client_data;
    w->out->len += OUT_BYTES - w->bytes.free_in_buffer;
}

/* The coefficients of all components, and what is written: rarely more than what is read. */
static uint64_t recode_bytes(const struct jpeg_reader *r)
{
    uint64_t blocks = 0;
    for (int c = 0; c < r->jpeg.num_components; c++)
        blocks +=
            (uint64_t)r->jpeg.comp_info[c].width_in_blocks * r->jpeg.comp_info[c].height_in_blocks;
    return blocks * sizeof(JBLOCK) + 2 * r->src->n;
}

static void copy_coefficients(struct jpeg_reader *r)
{
    struct jpeg_writer *w = (struct jpeg_writer *)r;
    read_header(r);
    pl_env_claim_scratch(r->src->env, recode_bytes(r));
    jvirt_barray_ptr *coefficients = jpeg_read_coefficients(&r->jpeg);
    w->jpeg.err = &r->errors;
    w->jpeg.client_data = w;
    jpeg_create_compress(&w->jpeg);
    w->bytes = (struct jpeg_destination_mgr){
        .init_destination = give_room, .empty_output_buffer = on_full, .term_destination = on_done};
    w->jpeg.dest = &w->bytes;
    jpeg_copy_critical_parameters(&r->jpeg, &w->jpeg);
    w->jpeg.arith_code = FALSE;
    w->jpeg.optimize_coding = TRUE;
    jpeg_write_coefficients(&w->jpeg, coefficients);
    jpeg_finish_compress(&w->jpeg);
    jpeg_finish_decompress(&r->jpeg);
}

platen_status pl_jpeg_recode(const struct pl_env *env, const uint8_t *data, size_t n,
                             struct pl_str *out, struct platen_error *err)
{
    struct pl_source src = {.env = env, .data = data, .n = n};
    struct jpeg_writer w = {.r = {.src = &src}, .out = out};
    bool done = guarded(&w.r, copy_coefficients);
    jpeg_destroy_compress(&w.jpeg);
    jpeg_destroy_decompress(&w.r.jpeg);
    if (!done && err)
        *err = w.r.err;
    return done ? PLATEN_OK : w.r.status;
}
