/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/types.h"

#include <ctype.h>

#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "config.h"

/* Columns of the table; what a row leaves out is NULL or 0. */
#define SIGN_AT(offset, s)                                                                         \
    {                                                                                              \
        (s), sizeof(s) - 1, (offset)                                                               \
    }
#define SIGN(s) SIGN_AT(0, s)
#define SIGNS(...) .signs = {__VA_ARGS__}
#define READ(format) .decode = pl_##format##_decode, .probe = pl_##format##_probe
#define READ_OWN(format) READ(format), .own_header = true
#define READ_PAGES(format) READ(format), .pages = pl_##format##_pages
#define END(format) .end = pl_##format##_end
#define ENDS(format) .ends = pl_##format##_ends
#define STORED(format) .stored = pl_##format##_stored
#define NO_LIBRARY .hint = "this build has no library for it", .status = PLATEN_ERR_UNSUPPORTED
/* Pictures and documents that may be sound, but of which platen reads nothing. */
#define CONVERT(program)                                                                           \
    .hint = "not supported; convert it with " program, .status = PLATEN_ERR_UNSUPPORTED
#define PAGES_BY(program)                                                                          \
    .hint = "not supported; " program " makes pictures of its pages",                              \
    .status = PLATEN_ERR_UNSUPPORTED
/* Files that hold no picture. */
#define NO_PICTURE .hint = "no picture", .status = PLATEN_ERR_FORMAT
#define UNPACK .hint = "no picture; unpack it first", .status = PLATEN_ERR_FORMAT

#if PL_HAVE_TIFF
#define TIFF READ_PAGES(tiff), END(tiff), STORED(tiff), .own_header = true
#else
#define TIFF NO_LIBRARY
#endif

#if PL_HAVE_WEBP
#define WEBP READ(webp), END(webp), .moves = pl_webp_moves
#else
#define WEBP NO_LIBRARY
#endif

#if PL_HAVE_JP2
#define JP2 READ(jp2), ENDS(jp2), STORED(jp2)
#else
#define JP2 NO_LIBRARY
#endif

#if PL_HAVE_PDF
#define PDF READ_PAGES(pdf), ENDS(pdf), STORED(pdf), .library = PL_LIBRARY_PDF
#else
#define PDF PAGES_BY("pdftoppm or pdfimages")
#endif

#if PL_HAVE_HEIF
#define HEIF READ_PAGES(heif), END(heif), .moves = pl_heif_moves, .library = PL_LIBRARY_HEIF
#else
#define HEIF NO_LIBRARY
#endif

/* The first row with a sign that matches is the type. Rows without a sign are told in another way,
 * and found by their decoder. */
static const struct pl_file_type types[] = {
    {"PNG", "png", SIGNS(SIGN("\x89PNG\r\n\x1a\n")), READ_OWN(png), END(png), STORED(png),
     .moves = pl_png_moves},
    {"JPEG", "jpg jpeg", SIGNS(SIGN("\xff\xd8\xff")), READ_OWN(jpeg), END(jpeg), STORED(jpeg),
     .memory = {2, 1}},
    {"GIF", "gif", SIGNS(SIGN("GIF87a"), SIGN("GIF89a")), READ_OWN(gif), END(gif),
     .moves = pl_gif_moves, .memory = {10, 0}},
    {"BMP", "bmp", SIGNS(SIGN("BM????????????????")), READ(bmp), END(bmp), .memory = {1, 1}},
    {"PSD", "psd", SIGNS(SIGN("8BPS")), READ(psd), .memory = {4, 4}},
    {"HDR", "hdr", SIGNS(SIGN("#?RADIANCE\n"), SIGN("#?RGBE\n")), READ(hdr), .memory = {6, 6}},
    {"PNM", "pnm pbm pgm ppm", READ_OWN(pnm), END(pnm)},
    {"TGA", "tga", READ(tga), .memory = {1, 1}},
    {"TIFF", "tif tiff", SIGNS(SIGN("II*\0"), SIGN("MM\0*")), TIFF},
    {"BigTIFF", NULL, SIGNS(SIGN("II+\0"), SIGN("MM\0+")), TIFF},
    {"WebP", "webp", SIGNS(SIGN("RIFF????WEBP")), WEBP, .memory = {8, 0}},
    {"JPEG 2000", "jp2 j2k jpx", SIGNS(SIGN("\0\0\0\x0cjP  \r\n\x87\n"), SIGN("\xff\x4f\xff\x51")),
     JP2, .memory = {2, 5}},
    {"HEIC", "heic", SIGNS(SIGN_AT(4, "ftyphe")), HEIF, .memory = {9, 1}},
    {"HEIF", "heif hif", SIGNS(SIGN_AT(4, "ftypmif1"), SIGN_AT(4, "ftypmsf1")), HEIF,
     .memory = {9, 1}},
    {"AVIF", "avif", SIGNS(SIGN_AT(4, "ftypavi")), HEIF, .memory = {9, 1}},
    {"PDF", "pdf", SIGNS(SIGN("%PDF-")), PDF},
    {"DjVu", "djvu djv", SIGNS(SIGN("AT&TFORM????DJVU"), SIGN("AT&TFORM????DJVM")),
     READ_PAGES(djvu), END(djvu), .own_header = true},
    {"a JPEG XL picture", NULL, SIGNS(SIGN("\0\0\0\x0cJXL \r\n\x87\n"), SIGN("\xff\x0a")),
     CONVERT("djxl")},
    {"a JPEG XR picture", NULL, SIGNS(SIGN("II\xbc")), CONVERT("JxrDecApp")},
    {"a JBIG2 picture", NULL, SIGNS(SIGN("\x97JB2\r\n\x1a\n")), CONVERT("jbig2dec")},
    {"an MPEG-4 file", NULL, SIGNS(SIGN_AT(4, "ftyp")), NO_PICTURE},
    {"a QOI picture", NULL, SIGNS(SIGN("qoif")), CONVERT("ImageMagick")},
    {"an OpenEXR picture", NULL, SIGNS(SIGN("\x76\x2f\x31\x01")), CONVERT("ImageMagick")},
    {"a GIMP picture", NULL, SIGNS(SIGN("gimp xcf")), CONVERT("xcf2png")},
    {"an ICO file", NULL, SIGNS(SIGN("\0\0\1\0?\0")), CONVERT("icotool")},
    {"a DjVu file without pages", NULL, SIGNS(SIGN("AT&TFORM")), CONVERT("ddjvu")},
    {"a PAM picture", NULL, SIGNS(SIGN("P7\n")), CONVERT("pamtopnm")},
    {"an EPS file", NULL, SIGNS(SIGN("\xc5\xd0\xd3\xc6"), SIGN("%!PS-Adobe-?.? EPSF")),
     CONVERT("gs")},
    {"a PostScript document", NULL, SIGNS(SIGN("%!PS")), PAGES_BY("gs")},
    {"an Office document", NULL, SIGNS(SIGN("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")), NO_PICTURE},
    {"a ZIP archive or Office document", NULL, SIGNS(SIGN("PK\3\4")), UNPACK},
    {"a ZIP archive", NULL, SIGNS(SIGN("PK\5\6")), UNPACK},
    {"a gzip file", NULL, SIGNS(SIGN("\x1f\x8b")), UNPACK},
    {"a bzip2 file", NULL, SIGNS(SIGN("BZh?1AY&SY")), UNPACK},
    {"an xz file", NULL,
     SIGNS(SIGN("\xfd"
                "7zXZ\0")),
     UNPACK},
    {"a Zstandard file", NULL, SIGNS(SIGN("\x28\xb5\x2f\xfd")), UNPACK},
    {"a 7-Zip archive", NULL, SIGNS(SIGN("7z\xbc\xaf\x27\x1c")), UNPACK},
    {"a RAR archive", NULL, SIGNS(SIGN("Rar!\x1a\x07")), UNPACK},
    {"a tar archive", NULL, SIGNS(SIGN_AT(257, "ustar")),
     .hint = "no picture; unpack it first, or read it with --tar", .status = PLATEN_ERR_FORMAT},
};

static const struct pl_file_type svg = {"an SVG drawing", CONVERT("rsvg-convert")};
static const struct pl_file_type xml = {"an XML file", NO_PICTURE};
static const struct pl_file_type text = {"plain text", NO_PICTURE};
static const struct pl_file_type html = {"an HTML page",
                                         .hint = "no picture; was it saved in place of one?",
                                         .status = PLATEN_ERR_FORMAT};

static bool matches(const struct pl_file_sign *sign, const uint8_t *data, size_t n)
{
    if (!sign->magic || n < sign->offset + sign->bytes)
        return false;
    for (size_t i = 0; i < sign->bytes; i++)
        if (sign->magic[i] != '?' && data[sign->offset + i] != (uint8_t)sign->magic[i])
            return false;
    return true;
}

static const struct pl_file_type *type_of_decoder(pl_decode_fn *decode)
{
    const struct pl_file_type *t = types;
    while (t->decode != decode)
        t++;
    return t;
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

#define PDF_HEAD_BYTES 1024 /* in which readers look for the first line of a PDF */

/* Whether a PDF begins behind other bytes: a blank line, a mark of UTF-8, a head of HTTP or mail.
 */
static bool is_pdf_behind(const uint8_t *data, size_t n)
{
    static const char sign[] = "%PDF-";
    const size_t len = sizeof(sign) - 1;
    for (size_t i = 0; i + len + 2 < PL_MIN(n, (size_t)PDF_HEAD_BYTES); i++)
        if (!memcmp(data + i, sign, len) && isdigit(data[i + len]) && data[i + len + 1] == '.' &&
            isdigit(data[i + len + 2]))
            return true;
    return false;
}

/* The row of PDF, which has no decoder of its own where the build cannot read it. */
static const struct pl_file_type *pdf_type(void)
{
    const struct pl_file_type *t = types;
    while (!t->extensions || strcmp(t->extensions, "pdf"))
        t++;
    return t;
}

const struct pl_file_type *pl_file_type_of(const uint8_t *data, size_t n)
{
    for (size_t i = 0; i < PL_ARRAY_LEN(types); i++)
        for (size_t k = 0; k < PL_FILE_SIGNS; k++)
            if (matches(&types[i].signs[k], data, n))
                return &types[i];
    if (n >= 3 && data[0] == 'P' && data[1] >= '1' && data[1] <= '6' &&
        memchr(" \t\n\v\f\r#", data[2], 7))
        return type_of_decoder(pl_pnm_decode);
    if (pl_tga_plausible(data, n))
        return type_of_decoder(pl_tga_decode);
    return is_pdf_behind(data, n) ? pdf_type() : text_type_of((const char *)data, n);
}

bool pl_file_type_is_guess(const struct pl_file_type *t, const uint8_t *data, size_t n)
{
    /* a BMP has nothing in two reserved words, and a second header of some 40 or 124 bytes */
    bool bmp = t->decode == pl_bmp_decode;
    return t->decode == pl_tga_decode ||
           (bmp && (n < 18 || data[6] || data[7] || data[8] || data[9] || data[14] < 12 ||
                    data[15] || data[16] || data[17]));
}

/* Whether `word` is one of `list`, whose words are parted by single blanks. */
static bool list_has(const char *list, const char *word)
{
    const size_t n = strlen(word);
    while (list && n && !strchr(word, ' ')) {
        if (!strncasecmp(list, word, n) && (list[n] == ' ' || !list[n]))
            return true;
        list = strchr(list, ' ');
        list += list != NULL;
    }
    return false;
}

bool pl_image_is_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < PL_ARRAY_LEN(types); i++)
        if (list_has(types[i].extensions, dot + 1))
            return true;
    return false;
}
