/* SPDX-License-Identifier: BSD-2-Clause */
/* Leptonica: its pictures are made from the bench's once for each picture, its results are new ones
 * and freed inside the timing, as every caller has to. */
#include <leptonica/allheaders.h>

#include "peers.h"

static PIX *color, *gray, *ink;

static void store(PIX *pix, l_uint32 y, l_uint32 x, const uint8_t *px)
{
    composeRGBPixel(px[0], px[1], px[2], pixGetData(pix) + (size_t)y * (size_t)pixGetWpl(pix) + x);
}

static void prepare(const struct peer_data *d)
{
    size_t bytes = ((size_t)d->width + 7) / 8;
    setMsgSeverity(L_SEVERITY_ERROR);
    pixDestroy(&color);
    pixDestroy(&gray);
    pixDestroy(&ink);
    color = pixCreate(d->width, d->height, 32);
    gray = pixCreate(d->width, d->height, 8);
    ink = pixCreate(d->width, d->height, 1);
    for (size_t y = 0; y < (size_t)d->height; y++) {
        l_uint32 *g = pixGetData(gray) + y * (size_t)pixGetWpl(gray);
        l_uint32 *b = pixGetData(ink) + y * (size_t)pixGetWpl(ink);
        for (size_t x = 0; x < (size_t)d->width; x++) {
            size_t at = y * (size_t)d->width + x;
            store(color, (l_uint32)y, (l_uint32)x, d->rgb + 3 * at);
            SET_DATA_BYTE(g, x, d->gray[at]);
        }
        for (size_t x = 0; x < bytes; x++)
            SET_DATA_BYTE(b, x, d->bits[y * bytes + x]);
    }
}

/* The rows of a grey or a bilevel picture as bytes without gaps. */
static void keep(PIX *pix, const struct peer_data *d, struct peer_result *ret)
{
    if (!pix)
        peer_fail("Leptonica gave no picture");
    size_t n =
        pixGetDepth(pix) == 1 ? ((size_t)pixGetWidth(pix) + 7) / 8 : (size_t)pixGetWidth(pix);
    size_t rows = (size_t)pixGetHeight(pix), wpl = (size_t)pixGetWpl(pix);
    for (size_t y = 0; ret && y < rows; y++)
        for (size_t x = 0; x < n; x++)
            d->out[y * n + x] = GET_DATA_BYTE(pixGetData(pix) + y * wpl, x);
    if (ret)
        ret->n = n * rows;
    pixDestroy(&pix);
}

static void keep_counts(NUMA *na, const struct peer_data *d, struct peer_result *ret)
{
    size_t n = (size_t)numaGetCount(na);
    for (size_t i = 0; ret && i < n; i++) {
        l_float32 v;
        numaGetFValue(na, (l_int32)i, &v);
        ((uint32_t *)(void *)d->out)[i] = (uint32_t)v;
    }
    if (ret)
        ret->n = 4 * n;
    numaDestroy(&na);
}

static PIX *otsu(const struct peer_data *d)
{
    PIX *out = NULL;
    pixOtsuAdaptiveThreshold(gray, d->width, d->height, 0, 0, 0, NULL, &out);
    return out;
}

static PIX *sauvola(void)
{
    PIX *out = NULL;
    pixSauvolaBinarize(gray, 15, 0.34f, 1, NULL, NULL, NULL, &out);
    return out;
}

static PIX *gauss(void)
{
    L_KERNEL *kx = makeGaussianKernel(0, 2, 1, 1), *ky = makeGaussianKernel(2, 0, 1, 1);
    PIX *out = pixConvolveSep(gray, kx, ky, 8, 1);
    kernelDestroy(&kx);
    kernelDestroy(&ky);
    return out;
}

/* What is not the same work byte by byte is timed all the same: `loose`. */
static PIX *run_picture(enum peer_case c, const struct peer_data *d, bool *ret_loose)
{
    switch (c) {
    case CASE_threshold_bits:
        return pixThresholdToBinary(gray, 128);
    case CASE_unpack_bits:
        return pixConvert1To8(NULL, ink, 255, 0);
    case CASE_invert:
        return pixInvert(NULL, gray);
    case CASE_close_bits_3:
        return pixCloseBrickDwa(NULL, ink, 3, 3);
    case CASE_close_bits_15:
        return pixCloseBrickDwa(NULL, ink, 15, 15);
    case CASE_close_bits_25_1:
        return pixCloseBrickDwa(NULL, ink, 25, 1);
    case CASE_rotate_90:
        return pixRotate90(gray, 1);
    default:
        *ret_loose = true;
    }
    switch (c) {
    case CASE_gray_rgba:
        return pixConvertRGBToGray(color, .299f, .587f, .114f);
    case CASE_otsu:
        return otsu(d);
    case CASE_sauvola_31:
        return sauvola();
    case CASE_half_size:
        return pixScaleAreaMap2(gray);
    case CASE_two_thirds:
        return pixScaleAreaMap(gray, 2 / 3.f, 2 / 3.f);
    case CASE_rotate_1_7:
        return pixRotateAMGray(gray, 1.7f * 3.14159265f / 180, 255);
    case CASE_median_3:
        return pixMedianFilter(gray, 3, 3);
    case CASE_gauss_5:
        return gauss();
    case CASE_close_3:
        return pixCloseGray(gray, 3, 3);
    case CASE_close_15:
        return pixCloseGray(gray, 15, 15);
    default:
        return NULL;
    }
}

static bool run_numbers(enum peer_case c, const struct peer_data *d, struct peer_result *ret)
{
    BOXA *boxes;
    switch (c) {
    case CASE_histogram:
        keep_counts(pixGetGrayHistogram(gray, 1), d, ret);
        return true;
    case CASE_row_profile_bits:
        keep_counts(pixCountPixelsByRow(ink, NULL), d, ret);
        return true;
    case CASE_column_profile_bits:
        keep_counts(pixCountPixelsByColumn(ink), d, ret);
        return true;
    case CASE_components_bits:
        boxes = pixConnCompBB(ink, 8);
        if (ret)
            ret->number = boxaGetCount(boxes);
        boxaDestroy(&boxes);
        return true;
    default:
        return false;
    }
}

static bool run(enum peer_case c, const struct peer_data *d, struct peer_result *ret)
{
    bool loose = false;
    if (run_numbers(c, d, ret))
        return true;
    PIX *out = run_picture(c, d, &loose);
    if (!out)
        return false;
    keep(out, d, loose ? NULL : ret);
    return true;
}

const struct peer peer_leptonica = {"Leptonica", prepare, run};
