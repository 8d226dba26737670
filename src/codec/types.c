/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/types.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "config.h"

#define MAGIC(s) (s), sizeof(s) - 1
#define READ(format) pl_##format##_decode, pl_##format##_probe, NULL, NULL, PLATEN_OK
#define NOT_READ NULL, NULL, NULL
#define NO_LIBRARY NOT_READ, "this build has no library for it", PLATEN_ERR_UNSUPPORTED
/* pictures and documents that are sound, as far as one sees */
#define CONVERT(program) NOT_READ, "not supported; convert it with " program, PLATEN_ERR_UNSUPPORTED
#define PAGES_BY(program)                                                                          \
    NOT_READ, "not supported; " program " makes pictures of its pages", PLATEN_ERR_UNSUPPORTED
/* others */
#define NO_PICTURE NOT_READ, "no picture", PLATEN_ERR_FORMAT
#define UNPACK NOT_READ, "no picture; unpack it first", PLATEN_ERR_FORMAT

#if PL_HAVE_TIFF
#define TIFF pl_tiff_decode, pl_tiff_probe, pl_tiff_pages, NULL, PLATEN_OK
#else
#define TIFF NO_LIBRARY
#endif

#if PL_HAVE_WEBP
#define WEBP READ(webp)
#else
#define WEBP NO_LIBRARY
#endif

#if PL_HAVE_JP2
#define JP2 READ(jp2)
#else
#define JP2 NO_LIBRARY
#endif

#if PL_HAVE_PDF
#define PDF pl_pdf_decode, pl_pdf_probe, pl_pdf_pages, NULL, PLATEN_OK
#else
#define PDF PAGES_BY("pdftoppm or pdfimages")
#endif

static const struct pl_file_type types[] = {
    {"PNG", MAGIC("\x89PNG\r\n\x1a\n"), 0, READ(png)},
    {"JPEG", MAGIC("\xff\xd8\xff"), 0, READ(jpeg)},
    {"GIF", MAGIC("GIF87a"), 0, READ(gif)},
    {"GIF", MAGIC("GIF89a"), 0, READ(gif)},
    {"BMP", MAGIC("BM????????????????"), 0, READ(bmp)},
    {"PSD", MAGIC("8BPS"), 0, READ(psd)},
    {"HDR", MAGIC("#?RADIANCE\n"), 0, READ(hdr)},
    {"HDR", MAGIC("#?RGBE\n"), 0, READ(hdr)},
    {"TIFF", MAGIC("II*\0"), 0, TIFF},
    {"TIFF", MAGIC("MM\0*"), 0, TIFF},
    {"BigTIFF", MAGIC("II+\0"), 0, TIFF},
    {"BigTIFF", MAGIC("MM\0+"), 0, TIFF},
    {"WebP", MAGIC("RIFF????WEBP"), 0, WEBP},
    {"JPEG 2000", MAGIC("\0\0\0\x0cjP  \r\n\x87\n"), 0, JP2},
    {"JPEG 2000", MAGIC("\xff\x4f\xff\x51"), 0, JP2},
    {"a JPEG XL picture", MAGIC("\0\0\0\x0cJXL \r\n\x87\n"), 0, CONVERT("djxl")},
    {"a JPEG XL picture", MAGIC("\xff\x0a"), 0, CONVERT("djxl")},
    {"a JPEG XR picture", MAGIC("II\xbc"), 0, CONVERT("JxrDecApp")},
    {"a JBIG2 picture", MAGIC("\x97JB2\r\n\x1a\n"), 0, CONVERT("jbig2dec")},
    {"a HEIC picture", MAGIC("ftyphe"), 4, CONVERT("heif-convert")},
    {"a HEIF picture", MAGIC("ftypmif1"), 4, CONVERT("heif-convert")},
    {"a HEIF picture", MAGIC("ftypmsf1"), 4, CONVERT("heif-convert")},
    {"an AVIF picture", MAGIC("ftypavi"), 4, CONVERT("avifdec")},
    {"an MPEG-4 file", MAGIC("ftyp"), 4, NO_PICTURE},
    {"a QOI picture", MAGIC("qoif"), 0, CONVERT("ImageMagick")},
    {"an OpenEXR picture", MAGIC("\x76\x2f\x31\x01"), 0, CONVERT("ImageMagick")},
    {"a GIMP picture", MAGIC("gimp xcf"), 0, CONVERT("xcf2png")},
    {"an ICO file", MAGIC("\0\0\1\0?\0"), 0, CONVERT("icotool")},
    {"a PAM picture", MAGIC("P7\n"), 0, CONVERT("pamtopnm")},
    {"a DjVu document", MAGIC("AT&TFORM"), 0, PAGES_BY("ddjvu")},
    {"PDF", MAGIC("%PDF-"), 0, PDF},
    {"an EPS file", MAGIC("\xc5\xd0\xd3\xc6"), 0, CONVERT("gs")},
    {"an EPS file", MAGIC("%!PS-Adobe-?.? EPSF"), 0, CONVERT("gs")},
    {"a PostScript document", MAGIC("%!PS"), 0, PAGES_BY("gs")},
    {"an Office document", MAGIC("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), 0, NO_PICTURE},
    {"a ZIP archive or Office document", MAGIC("PK\3\4"), 0, UNPACK},
    {"a ZIP archive", MAGIC("PK\5\6"), 0, UNPACK},
    {"a gzip file", MAGIC("\x1f\x8b"), 0, UNPACK},
    {"a bzip2 file", MAGIC("BZh?1AY&SY"), 0, UNPACK},
    {"an xz file",
     MAGIC("\xfd"
           "7zXZ\0"),
     0, UNPACK},
    {"a Zstandard file", MAGIC("\x28\xb5\x2f\xfd"), 0, UNPACK},
    {"a 7-Zip archive", MAGIC("7z\xbc\xaf\x27\x1c"), 0, UNPACK},
    {"a RAR archive", MAGIC("Rar!\x1a\x07"), 0, UNPACK},
    {"a tar archive", MAGIC("ustar"), 257, UNPACK},
};

static const struct pl_file_type pnm = {"PNM", NULL, 0, 0, READ(pnm)};
static const struct pl_file_type tga = {"TGA", NULL, 0, 0, READ(tga)};
static const struct pl_file_type svg = {"an SVG drawing", NULL, 0, 0, CONVERT("rsvg-convert")};
static const struct pl_file_type xml = {"an XML file", NULL, 0, 0, NO_PICTURE};
static const struct pl_file_type text = {"plain text", NULL, 0, 0, NO_PICTURE};
static const struct pl_file_type html = {
    "an HTML page",   NULL, 0, 0, NOT_READ, "no picture; was it saved in place of one?",
    PLATEN_ERR_FORMAT};

static bool matches(const struct pl_file_type *t, const uint8_t *data, size_t n)
{
    if (n < t->offset + t->magic_bytes)
        return false;
    for (size_t i = 0; i < t->magic_bytes; i++)
        if (t->magic[i] != '?' && data[t->offset + i] != (uint8_t)t->magic[i])
            return false;
    return true;
}

#define TEXT_BYTES 512 /* that must look like text */
#define XML_BYTES 4096 /* of comments and declarations before the first element */

/* UTF-8 without control characters but those that part lines and columns. */
static bool is_text(const char *s, size_t n)
{
    const size_t most = PL_MIN(n, (size_t)TEXT_BYTES);
    uint32_t c;
    for (size_t i = 0, k; i < most; i += k) {
        k = pl_utf8_get(s + i, n - i, &c);
        if (!k || c == 0x7f || (c < 0x20 && !(c >= '\t' && c <= '\r')))
            return false;
    }
    return true;
}

static bool begins_with(const char *s, size_t n, const char *word)
{
    return n >= strlen(word) && !strncasecmp(s, word, strlen(word));
}

static const struct pl_file_type *text_type_of(const char *s, size_t n)
{
    if (n >= 3 && !memcmp(s, "\xEF\xBB\xBF", 3)) /* a mark of UTF-8 */
        s += 3, n -= 3;
    if (!is_text(s, n))
        return NULL;
    while (n && strchr(" \t\r\n", *s) && *s)
        s++, n--;
    if (begins_with(s, n, "<!doctype html") || begins_with(s, n, "<html"))
        return &html;
    if (!begins_with(s, n, "<?xml") && !begins_with(s, n, "<!") && !begins_with(s, n, "<svg"))
        return &text;
    for (size_t i = 0; i + 5 <= PL_MIN(n, (size_t)XML_BYTES); i++) {
        if (!memcmp(s + i, "<svg", 4))
            return &svg;
        if (!memcmp(s + i, "<html", 5))
            return &html;
    }
    return &xml;
}

const struct pl_file_type *pl_file_type_of(const uint8_t *data, size_t n)
{
    for (size_t i = 0; i < PL_ARRAY_LEN(types); i++)
        if (matches(&types[i], data, n))
            return &types[i];
    if (n >= 3 && data[0] == 'P' && data[1] >= '1' && data[1] <= '6' &&
        memchr(" \t\n\v\f\r#", data[2], 7))
        return &pnm;
    return pl_tga_plausible(data, n) ? &tga : text_type_of((const char *)data, n);
}

bool pl_file_type_is_guess(const struct pl_file_type *t, const uint8_t *data, size_t n)
{
    /* a BMP has nothing in two reserved words, and a second header of some 40 or 124 bytes */
    bool bmp = t->decode == pl_bmp_decode;
    return t == &tga || (bmp && (n < 18 || data[6] || data[7] || data[8] || data[9] ||
                                 data[14] < 12 || data[15] || data[16] || data[17]));
}
