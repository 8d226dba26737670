/* The steps of platen's 'gray,background,deskew,sauvola,despeckle' by Leptonica's own calls, for
 * bench/clean --time: clean_leptonica IN OUT.png */
#include <leptonica/allheaders.h>

int main(int argc, char **argv)
{
    PIX *pix = argc == 3 ? pixRead(argv[1]) : NULL;
    if (!pix)
        return 1;
    PIX *gray = pixConvertTo8(pix, 0);
    PIX *even = pixBackgroundNormSimple(gray, NULL, NULL);
    PIX *straight = pixDeskew(even ? even : gray, 0);
    PIX *bilevel = NULL;
    if (pixSauvolaBinarize(straight, 30, 0.2f, 1, NULL, NULL, NULL, &bilevel))
        return 1;
    PIX *clean = pixSelectBySize(bilevel, 3, 3, 8, L_SELECT_IF_EITHER, L_SELECT_IF_GTE, NULL);
    int failed = pixWrite(argv[2], clean, IFF_PNG);
    pixDestroy(&pix);
    pixDestroy(&gray);
    pixDestroy(&even);
    pixDestroy(&straight);
    pixDestroy(&bilevel);
    pixDestroy(&clean);
    return failed;
}
