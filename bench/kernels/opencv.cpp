// OpenCV, on one thread. Matrices are headers over the bench's own memory, so nothing is copied.
#include <cstring>

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/ximgproc.hpp>

#include "peers.h"

using namespace cv;

static void prepare(const peer_data *)
{
    setNumThreads(1);
}

static void local(const Mat &gray, Mat &out, double k, int method)
{
    ximgproc::niBlackThreshold(gray, out, 255, THRESH_BINARY, 31, k, method, 128);
}

static void close(const Mat &ink, Mat &out, int w, int h)
{
    morphologyEx(ink, out, MORPH_CLOSE, getStructuringElement(MORPH_RECT, Size(w, h)));
}

static bool run(enum peer_case c, const peer_data *d, peer_result *ret)
{
    int w = d->width, h = d->height;
    size_t n = (size_t)w * h;
    Mat gray(h, w, CV_8U, d->gray), out(h, w, CV_8U, d->out), ink(h, w, CV_8U, d->bilevel);
    switch (c) {
    case CASE_gray_rgb:
        cvtColor(Mat(h, w, CV_8UC3, d->rgb), out, COLOR_RGB2GRAY);
        break;
    case CASE_gray_rgba:
        cvtColor(Mat(h, w, CV_8UC4, d->rgba), out, COLOR_RGBA2GRAY);
        break;
    case CASE_invert:
        bitwise_not(gray, out);
        break;
    case CASE_threshold:
        threshold(gray, out, 128, 255, THRESH_BINARY);
        break;
    case CASE_histogram: {
        Mat hist;
        int channel = 0, size = 256;
        float range[] = {0, 256};
        const float *ranges = range;
        calcHist(&gray, 1, &channel, Mat(), hist, 1, &size, &ranges);
        if (ret)
            for (int i = 0; i < 256; i++)
                ((uint32_t *)d->out)[i] = (uint32_t)hist.at<float>(i);
        n = 256 * 4;
        break;
    }
    case CASE_normalize: {
        Mat real(h, w, CV_32F, d->out);
        gray.convertTo(real, CV_32F, 1 / 127.5, -1);
        n = 0;
        break;
    }
    case CASE_otsu:
        threshold(gray, out, 0, 255, THRESH_BINARY | THRESH_OTSU);
        break;
    case CASE_adaptive_mean_31:
        adaptiveThreshold(gray, out, 255, ADAPTIVE_THRESH_MEAN_C, THRESH_BINARY, 31, 10);
        break;
    case CASE_sauvola_31:
        local(gray, out, 0.34, ximgproc::BINARIZATION_SAUVOLA);
        break;
    case CASE_wolf_31:
        local(gray, out, 0.5, ximgproc::BINARIZATION_WOLF);
        break;
    case CASE_nick_31:
        local(gray, out, -0.2, ximgproc::BINARIZATION_NICK);
        break;
    case CASE_half_size:
        out = Mat(h / 2, w / 2, CV_8U, d->out);
        resize(gray, out, out.size(), 0, 0, INTER_AREA);
        n /= 4;
        break;
    case CASE_two_thirds:
        out = Mat(h * 2 / 3, w * 2 / 3, CV_8U, d->out);
        resize(gray, out, out.size(), 0, 0, INTER_AREA);
        n = out.total();
        break;
    case CASE_rotate_1_7: {
        Mat turn = getRotationMatrix2D(Point2f((w - 1) / 2.f, (h - 1) / 2.f), -1.7, 1);
        warpAffine(gray, out, turn, out.size(), INTER_LINEAR, BORDER_CONSTANT, Scalar(255));
        break;
    }
    case CASE_rotate_90:
        out = Mat(w, h, CV_8U, d->out);
        rotate(gray, out, ROTATE_90_CLOCKWISE);
        break;
    case CASE_median_3:
        medianBlur(gray, out, 3);
        break;
    case CASE_gauss_5: // its 5 x 5 kernel without a sigma is 1 4 6 4 1
        GaussianBlur(gray, out, Size(5, 5), 0, 0, BORDER_REPLICATE);
        break;
    case CASE_gauss_sigma_5:
        GaussianBlur(gray, out, Size(31, 31), 5, 5, BORDER_REPLICATE);
        break;
    case CASE_close_3:
    case CASE_close_bits_3: // it has no packed bits: the same picture as bytes
        close(c == CASE_close_3 ? ink : Mat(h, w, CV_8U, d->inverse), out, 3, 3);
        n = c == CASE_close_3 ? n : 0;
        break;
    case CASE_close_15:
    case CASE_close_bits_15:
        close(c == CASE_close_15 ? ink : Mat(h, w, CV_8U, d->inverse), out, 15, 15);
        n = c == CASE_close_15 ? n : 0;
        break;
    case CASE_close_101:
        close(ink, out, 101, 101);
        break;
    case CASE_close_bits_25_1:
        close(Mat(h, w, CV_8U, d->inverse), out, 25, 1);
        n = 0;
        break;
    case CASE_components:
    case CASE_components_bits: {
        Mat labels(h, w, CV_32S, d->out), stats, centres;
        int found = connectedComponentsWithStats(Mat(h, w, CV_8U, d->inverse), labels, stats,
                                                 centres, 8, CV_32S);
        if (ret)
            ret->number = found - 1; // the paper is one of them
        n = 0;
        break;
    }
    default:
        return false;
    }
    if (ret)
        ret->n = n;
    return true;
}

extern "C" const peer peer_opencv;
const peer peer_opencv = {"OpenCV " CV_VERSION, prepare, run};
