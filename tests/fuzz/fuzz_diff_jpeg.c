/* SPDX-License-Identifier: BSD-2-Clause */
/* Our JPEG beside a plain loop of libjpeg. Allowed: libjpeg goes on behind damage with a warning,
 * where ours refuses. */
#include <stdio.h> /* jpeglib.h needs FILE */

#include <jpeglib.h>
#include <setjmp.h>

#include "diff_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct reader {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jmp_buf jump;
    struct other other;
    uint8_t *rgb, *row;
};

static void on_error(j_common_ptr jpeg)
{
    struct reader *r = jpeg->client_data;
    char text[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, text);
    snprintf(r->other.why, sizeof(r->other.why), "%s", text);
    longjmp(r->jump, 1);
}

static void on_message(j_common_ptr jpeg, int level)
{
    struct reader *r = jpeg->client_data;
    r->other.forgiving |= level < 0;
}

/* A row of libjpeg's as RGB. Adobe's CMYK is 255 - ink. */
static void put_row(struct reader *r, uint8_t *to)
{
    int channels = r->jpeg.output_components;
    unsigned flip = r->jpeg.saw_Adobe_marker ? 0 : 255;
    for (size_t x = 0; x < r->jpeg.output_width; x++)
        for (size_t c = 0; c < 3; c++) {
            const uint8_t *from = r->row + x * (size_t)channels;
            to[3 * x + c] = channels < 3 ? from[0]
                            : channels == 3
                                ? from[c]
                                : (uint8_t)(((from[c] ^ flip) * (from[3] ^ flip) + 127) / 255);
        }
}

static void read_rows(struct reader *r)
{
    struct jpeg_decompress_struct *j = &r->jpeg;
    jpeg_start_decompress(j);
    size_t width = j->output_width;
    r->row = malloc(width * (size_t)j->output_components);
    r->rgb = malloc(width * j->output_height * 3);
    while (j->output_scanline < j->output_height) {
        size_t y = j->output_scanline;
        jpeg_read_scanlines(j, &r->row, 1);
        put_row(r, r->rgb + y * width * 3);
    }
    jpeg_finish_decompress(j);
}

/* False when the picture is larger than ours may be. */
static bool read_other(struct reader *r, const uint8_t *data, size_t n)
{
    r->jpeg.err = jpeg_std_error(&r->errors);
    r->errors.error_exit = on_error;
    r->errors.emit_message = on_message;
    r->jpeg.client_data = r;
    if (setjmp(r->jump))
        return true;
    jpeg_create_decompress(&r->jpeg);
    jpeg_mem_src(&r->jpeg, data, n);
    jpeg_read_header(&r->jpeg, TRUE);
    if ((uint64_t)r->jpeg.image_width * r->jpeg.image_height > MAX_PIXELS)
        return false;
    read_rows(r);
    r->other.width = (int)r->jpeg.output_width;
    r->other.height = (int)r->jpeg.output_height;
    r->other.rgb = r->rgb;
    r->rgb = NULL;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct reader r; /* outside the frame that longjmp() returns to */
    uint8_t *copy = n >= 3 ? malloc(n) : NULL;
    if (!copy)
        return 0;
    memcpy(copy, data, n);
    memcpy(copy, "\xff\xd8\xff", 3);
    r = (struct reader){0};
    bool fits = read_other(&r, copy, n);
    jpeg_destroy_decompress(&r.jpeg);
    free(r.rgb);
    free(r.row);
    if (fits)
        compare_decoders(pl_jpeg_decode, copy, n, &r.other);
    free(copy);
    return 0;
}
