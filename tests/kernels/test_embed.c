#include <math.h>
#include <string.h>

#include "tests/kernels/tester.h"

enum { TABLE_ROWS = 9 };

/* Random rows with scales and offsets of the size that models have. */
static void fill_table(struct kt *t, uint8_t *table, size_t width, int pattern)
{
    for (size_t r = 0; r < TABLE_ROWS; r++) {
        uint8_t *row = table + r * (width + 8);
        float scale = (float)(kt_random(t) % 1000 + 1) / 77777.f;
        float offset = (float)(int32_t)kt_random(t) / 1e9f;
        kt_fill(t, row, width, pattern);
        memcpy(row + width, &scale, sizeof(scale));
        memcpy(row + width + 4, &offset, sizeof(offset));
    }
}

/* The sum in doubles: what the floats must be close to. */
static double exact(const uint8_t *table, size_t width, const uint32_t *rows, size_t n, size_t d)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *row = table + rows[i] * (width + 8);
        float scale, offset;
        memcpy(&scale, row + width, sizeof(scale));
        memcpy(&offset, row + width + 4, sizeof(offset));
        sum += row[d] * (double)scale + (double)offset;
    }
    return sum;
}

static void check(struct kt *t, size_t width, size_t n, enum kt_side side, int pattern)
{
    uint8_t *table = kt_buf(0, TABLE_ROWS * (width + 8), side);
    uint32_t *rows = kt_buf(1, n * 4, side);
    float *want = kt_buf(2, width * 4, side), *got = kt_buf(3, width * 4, side);
    fill_table(t, table, width, pattern);
    for (size_t i = 0; i < n; i++)
        rows[i] = kt_random(t) % TABLE_ROWS; /* the last row ends at the guard page */
    t->ref->embed_sum_u8(want, width, table, rows, n);
    t->k->embed_sum_u8(got, width, table, rows, n);
    kt_equal(t, want, got, width * 4, "width, rows", width, n);
    for (size_t d = 0; d < width; d++)
        if (fabs((double)got[d] - exact(table, width, rows, n, d)) > 1e-4)
            kt_fail(t, "element %zu of %zu from %zu rows is %g", d, width, n, (double)got[d]);
}

void pl_test_embed_sum_u8(struct kt *t)
{
    static const size_t counts[] = {0, 1, 2, 7, 16};
    size_t width;
    for (size_t i = 0; (width = kt_size(i)) != SIZE_MAX; i++)
        for (int side = 0; side < KT_SIDES; side++)
            for (int pattern = 0; pattern < KT_PATTERNS; pattern++)
                for (size_t c = 0; c < sizeof(counts) / sizeof(*counts); c++)
                    check(t, width, counts[c], side, pattern);
}
