/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/pitch.h"

#include <math.h>

#include "recognize/recognize_tuning.def"

/* Distances that are counted, in px; a longer one counts as one so long. */
#define LONGEST 255

/* The straight line of least squares through the middles of letters, by their places. */
struct pitch_fit {
    double n, place, place2, x, x2, place_x; /* sums */
};

/* Returns the median distance of two letters beside each other; 0 where there are too few. */
static int usual_advance(const struct pl_read_char *chars, size_t n)
{
    size_t count[LONGEST + 1] = {0}, pairs = 0, sum = 0;
    int px = 0;
    for (size_t i = 0; i + 1 < n; i++)
        if (!pl_read_char_is_space(&chars[i]) && !pl_read_char_is_space(&chars[i + 1])) {
            const double advance =
                pl_read_char_center(&chars[i + 1]) - pl_read_char_center(&chars[i]);
            count[(int)PL_CLAMP(advance + 0.5, 0, LONGEST)]++;
            pairs++;
        }
    while (px < LONGEST && 2 * (sum += count[px]) < pairs)
        px++;
    return pairs < PITCH_PAIRS ? 0 : px;
}

static void fit_add(struct pitch_fit *f, double place, double x)
{
    f->n++;
    f->place += place;
    f->place2 += place * place;
    f->x += x;
    f->x2 += x * x;
    f->place_x += place * x;
}

double pl_pitch_find(const struct pl_read_char *chars, size_t n)
{
    const int advance = usual_advance(chars, n);
    struct pitch_fit f = {0};
    double place = 0, last = 0;
    for (size_t i = 0; advance && i < n; i++) {
        const double x = pl_read_char_center(&chars[i]);
        if (pl_read_char_is_space(&chars[i]))
            continue;
        if (f.n > 0)
            place += fmax(1, round((x - last) / advance));
        fit_add(&f, place, x);
        last = x;
    }
    if (!advance)
        return 0;
    const double along = f.place2 - f.place * f.place / f.n;
    const double pitch = (f.place_x - f.place * f.x / f.n) / along;
    const double off = f.x2 - f.x * f.x / f.n - pitch * pitch * along;
    return off <= PITCH_SPREAD * PITCH_SPREAD * pitch * pitch * f.n ? pitch : 0;
}
