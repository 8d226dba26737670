/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/jbig2_arith.h"

/* Table E.1: the states of the probability estimation. */
static const struct {
    uint16_t qe;
    uint8_t next_mps, next_lps, swap;
} states[47] = {
    {0x5601, 1, 1, 1},   {0x3401, 2, 6, 0},   {0x1801, 3, 9, 0},   {0x0ac1, 4, 12, 0},
    {0x0521, 5, 29, 0},  {0x0221, 38, 33, 0}, {0x5601, 7, 6, 1},   {0x5401, 8, 14, 0},
    {0x4801, 9, 14, 0},  {0x3801, 10, 14, 0}, {0x3001, 11, 17, 0}, {0x2401, 12, 18, 0},
    {0x1c01, 13, 20, 0}, {0x1601, 29, 21, 0}, {0x5601, 15, 14, 1}, {0x5401, 16, 14, 0},
    {0x5101, 17, 15, 0}, {0x4801, 18, 16, 0}, {0x3801, 19, 17, 0}, {0x3401, 20, 18, 0},
    {0x3001, 21, 19, 0}, {0x2801, 22, 19, 0}, {0x2401, 23, 20, 0}, {0x2201, 24, 21, 0},
    {0x1c01, 25, 22, 0}, {0x1801, 26, 23, 0}, {0x1601, 27, 24, 0}, {0x1401, 28, 25, 0},
    {0x1201, 29, 26, 0}, {0x1101, 30, 27, 0}, {0x0ac1, 31, 28, 0}, {0x09c1, 32, 29, 0},
    {0x08a1, 33, 30, 0}, {0x0521, 34, 31, 0}, {0x0441, 35, 32, 0}, {0x02a1, 36, 33, 0},
    {0x0221, 37, 34, 0}, {0x0141, 38, 35, 0}, {0x0111, 39, 36, 0}, {0x0085, 40, 37, 0},
    {0x0049, 41, 38, 0}, {0x0025, 42, 39, 0}, {0x0015, 43, 40, 0}, {0x0009, 44, 41, 0},
    {0x0005, 45, 42, 0}, {0x0001, 45, 43, 0}, {0x5601, 46, 46, 0},
};

static uint32_t byte_at(const struct pl_mq *mq, size_t ahead)
{
    return ahead < (size_t)(mq->end - mq->at) ? mq->at[ahead] : 0xff;
}

/* Takes the next byte (BYTEIN, figure E.19). A byte of 255 is followed by seven bits, or by the
 * end. */
static void byte_in(struct pl_mq *mq)
{
    if (byte_at(mq, 0) == 0xff && byte_at(mq, 1) > 0x8f) {
        mq->c += 0xff00;
        mq->ct = 8;
        return;
    }
    const bool stuffed = byte_at(mq, 0) == 0xff;
    if (mq->at < mq->end)
        mq->at++;
    mq->c += byte_at(mq, 0) << (stuffed ? 9 : 8);
    mq->ct = stuffed ? 7 : 8;
}

void pl_mq_init(struct pl_mq *mq, const uint8_t *data, size_t n)
{
    *mq = (struct pl_mq){.at = data, .end = data + n};
    mq->c = byte_at(mq, 0) << 16;
    byte_in(mq);
    mq->c <<= 7;
    mq->ct -= 7;
    mq->a = 0x8000;
}

int pl_mq_bit(struct pl_mq *mq, uint8_t *context)
{
    const int state = *context & 127, likely = *context >> 7;
    const uint32_t qe = states[state].qe;
    bool lps = mq->c >> 16 < qe; /* in the lower part, which is the smaller one as a rule */
    mq->a -= qe;
    if (!lps) {
        mq->c -= qe << 16;
        if (mq->a & 0x8000)
            return likely;
        lps = mq->a < qe;
    } else {
        lps = mq->a >= qe;
        mq->a = qe;
    }
    const int bit = likely ^ lps;
    *context = (uint8_t)(lps ? (likely ^ states[state].swap) << 7 | states[state].next_lps
                             : likely << 7 | states[state].next_mps);
    do {
        if (!mq->ct)
            byte_in(mq);
        mq->a <<= 1;
        mq->c <<= 1;
        mq->ct--;
    } while (!(mq->a & 0x8000));
    return bit;
}

/* Decodes a bit of an integer, whose context is the bits before it (annex A.2). */
static uint32_t int_bit(struct pl_mq *mq, uint8_t contexts[512], uint32_t *before)
{
    const uint32_t p = *before, bit = (uint32_t)pl_mq_bit(mq, &contexts[p]);
    *before = p < 256 ? p << 1 | bit : ((p << 1 | bit) & 511) | 256;
    return bit;
}

bool pl_mq_int(struct pl_mq *mq, uint8_t contexts[512], int32_t *ret)
{
    static const struct {
        int bits;
        int64_t base;
    } ranges[] = {{2, 0}, {4, 4}, {6, 20}, {8, 84}, {12, 340}, {32, 4436}};
    uint32_t before = 1;
    const bool negative = int_bit(mq, contexts, &before);
    int r = 0;
    int64_t v = 0;
    while (r < 5 && int_bit(mq, contexts, &before))
        r++;
    for (int i = 0; i < ranges[r].bits; i++)
        v = v << 1 | int_bit(mq, contexts, &before);
    v += ranges[r].base;
    if (negative && !v)
        return false;
    if (v > INT32_MAX)
        v = INT32_MAX; /* no size or place is that large */
    *ret = (int32_t)(negative ? -v : v);
    return true;
}

uint32_t pl_mq_id(struct pl_mq *mq, uint8_t *contexts, int bits)
{
    uint32_t v = 1;
    for (int i = 0; i < bits; i++)
        v = v << 1 | (uint32_t)pl_mq_bit(mq, &contexts[v]);
    return v - (1u << bits);
}
