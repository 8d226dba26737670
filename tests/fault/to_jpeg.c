/* SPDX-License-Identifier: BSD-2-Clause */
/* A picture for tests: to_jpeg WIDTH HEIGHT 1|3 < BYTES > JPEG, grey or RGB. */
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h> /* wants stdio.h before it */

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    struct jpeg_error_mgr errors; /* the standard one exits */
    struct jpeg_compress_struct jpeg = {.err = jpeg_std_error(&errors)};
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, stdout);
    jpeg.image_width = (JDIMENSION)atoi(argv[1]);
    jpeg.image_height = (JDIMENSION)atoi(argv[2]);
    jpeg.input_components = atoi(argv[3]);
    jpeg.in_color_space = jpeg.input_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 90, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    size_t row_bytes = (size_t)jpeg.image_width * (size_t)jpeg.input_components;
    JSAMPLE *row = malloc(row_bytes);
    while (row && jpeg.next_scanline < jpeg.image_height) {
        if (fread(row, 1, row_bytes, stdin) != row_bytes)
            return 1;
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    free(row);
    return 0;
}
