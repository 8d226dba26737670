/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of platen's 'gray,background,deskew,sauvola,despeckle' by Leptonica's own calls, for
 * bench/clean --time: clean_leptonica IN OUT.png [IN OUT.png]... */
#include <leptonica/allheaders.h>

static int clean(const char *from, const char *to)
{
    PIX *pix = pixRead(from);
    if (!pix)
        return 1;
    PIX *gray = pixConvertTo8(pix, 0);
    PIX *even = pixBackgroundNormSimple(gray, NULL, NULL);
    PIX *straight = pixDeskew(even ? even : gray, 0);
    PIX *bilevel = NULL;
    if (pixSauvolaBinarize(straight, 30, 0.2f, 1, NULL, NULL, NULL, &bilevel))
        return 1;
    PIX *clean = pixSelectBySize(bilevel, 3, 3, 8, L_SELECT_IF_EITHER, L_SELECT_IF_GTE, NULL);
    int failed = pixWrite(to, clean, IFF_PNG);
    pixDestroy(&pix);
    pixDestroy(&gray);
    pixDestroy(&even);
    pixDestroy(&straight);
    pixDestroy(&bilevel);
    pixDestroy(&clean);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = argc < 3;
    for (int i = 1; i + 1 < argc; i += 2)
        failed |= clean(argv[i], argv[i + 1]);
    return failed;
}
