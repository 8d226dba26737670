/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/pdf/pdf_a.h"

#include "base/attr.h"
#include "output/pdf/pdf_info.h"

void pl_pdf_a_metadata(const struct pl_str *info, struct pl_str *out)
{
    pl_str_puts(out, "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
                     "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
                     "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
                     "<rdf:Description rdf:about=\"\" xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\" "
                     "xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\" "
                     "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
                     "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">\n");
    pl_pdf_info_put_xmp(info, out);
    pl_str_puts(out, "<pdf:Producer>platen</pdf:Producer>\n"
                     "<pdfaid:part>2</pdfaid:part>\n"
                     "<pdfaid:conformance>B</pdfaid:conformance>\n"
                     "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n"
                     "<?xpacket end=\"w\"?>\n");
}

void pl_pdf_a_entries(size_t metadata, size_t profile, struct pl_str *out)
{
    pl_str_printf(out,
                  "/Metadata %zu 0 R /OutputIntents [<< /Type /OutputIntent /S /GTS_PDFA1 "
                  "/OutputConditionIdentifier (sRGB) /Info (sRGB IEC61966-2.1) "
                  "/DestOutputProfile %zu 0 R >>] ",
                  metadata, profile);
}

/* ---- the profile: ICC.1:2010 (version 4.3), as words of 32 bits ---- */

#define WORD(a, b, c, d)                                                                           \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))
#define FIXED(x) (uint32_t)(int32_t)((x)*65536 + ((x) < 0 ? -0.5 : 0.5)) /* s15Fixed16 */
#define XYZ(x, y, z) WORD('X', 'Y', 'Z', ' '), 0, FIXED(x), FIXED(y), FIXED(z)

static const uint32_t head[] = {
    0, /* the size of the file comes here */
    0,
    0x04300000, /* version */
    WORD('m', 'n', 't', 'r'),
    WORD('R', 'G', 'B', ' '),
    WORD('X', 'Y', 'Z', ' '),
    0x07d00001, /* 1 January 2000, midnight: profiles must have a date */
    0x00010000,
    0,
    WORD('a', 'c', 's', 'p'),
    0,
    0,
    0,
    0,
    0,
    0,
    0, /* perceptual */
    FIXED(0.9642),
    FIXED(1.0),
    FIXED(0.8249),
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0, /* no creator, no sum; reserved */
};

/* The name "sRGB", and the licence "CC0", in English. */
static const uint32_t desc[] = {
    WORD('m', 'l', 'u', 'c'), 0, 1, 12, WORD('e', 'n', 'U', 'S'), 8, 28, 0x00730052, 0x00470042};
static const uint32_t cprt[] = {
    WORD('m', 'l', 'u', 'c'), 0, 1, 12, WORD('e', 'n', 'U', 'S'), 6, 28, 0x00430043, 0x00300000};
static const uint32_t wtpt[] = {XYZ(0.9642, 1.0, 0.8249)};
/* From the white of IEC 61966-2-1 (D65) to that of profiles (D50), after Bradford. */
static const uint32_t chad[] = {WORD('s', 'f', '3', '2'), 0,
                                FIXED(1.0478860),         FIXED(0.0229188),
                                FIXED(-0.0502161),        FIXED(0.0295818),
                                FIXED(0.9904835),         FIXED(-0.0170787),
                                FIXED(-0.0092519),        FIXED(0.0150726),
                                FIXED(0.7516781)};
/* The primaries of IEC 61966-2-1, taken from the one white to the other. */
static const uint32_t red[] = {XYZ(0.4360413, 0.2224845, 0.0139202)};
static const uint32_t green[] = {XYZ(0.3851129, 0.7169051, 0.0970672)};
static const uint32_t blue[] = {XYZ(0.1430458, 0.0606104, 0.7139126)};
/* Its curve: ((v + 0.055) / 1.055)^2.4, and v / 12.92 below 0.04045. */
static const uint32_t curve[] = {WORD('p', 'a', 'r', 'a'),
                                 0,
                                 0x00030000,
                                 FIXED(2.4),
                                 FIXED(1 / 1.055),
                                 FIXED(0.055 / 1.055),
                                 FIXED(1 / 12.92),
                                 FIXED(0.04045)};

#define TAG(a, b, c, d, v)                                                                         \
    {                                                                                              \
        WORD(a, b, c, d), v, PL_ARRAY_LEN(v)                                                       \
    }
static const struct profile_tag {
    uint32_t name;
    const uint32_t *v;
    size_t n;
} tags[] = {
    TAG('d', 'e', 's', 'c', desc),  TAG('c', 'p', 'r', 't', cprt),  TAG('w', 't', 'p', 't', wtpt),
    TAG('c', 'h', 'a', 'd', chad),  TAG('r', 'X', 'Y', 'Z', red),   TAG('g', 'X', 'Y', 'Z', green),
    TAG('b', 'X', 'Y', 'Z', blue),  TAG('r', 'T', 'R', 'C', curve), TAG('g', 'T', 'R', 'C', curve),
    TAG('b', 'T', 'R', 'C', curve),
};

static void put32(struct pl_str *out, uint32_t v)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        pl_str_putc(out, (char)(v >> shift & 0xff));
}

static void put_words(struct pl_str *out, const uint32_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put32(out, v[i]);
}

void pl_pdf_a_profile(struct pl_str *out)
{
    const size_t n = PL_ARRAY_LEN(tags);
    const size_t first = sizeof(head) + 4 + 12 * n;
    size_t size = first;
    for (size_t i = 0; i < n; i++)
        size += 4 * tags[i].n;
    put32(out, (uint32_t)size);
    put_words(out, head + 1, PL_ARRAY_LEN(head) - 1);
    put32(out, (uint32_t)n);
    for (size_t i = 0, at = first; i < n; at += 4 * tags[i++].n) {
        put32(out, tags[i].name);
        put32(out, (uint32_t)at);
        put32(out, (uint32_t)(4 * tags[i].n));
    }
    for (size_t i = 0; i < n; i++)
        put_words(out, tags[i].v, tags[i].n);
}
