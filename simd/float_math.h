/* SPDX-License-Identifier: BSD-2-Clause */
/* exp, tanh and erf of floats, and the transforms of tiles, in whatever vector type the including
 * file defines: vf (floats), vi (as many int32), vset(), vfma(), vmin(), vmax(), vsel(mask, a, b).
 * Errors, of the value: exp 1.2e-7, tanh 3e-7, erf 4e-7. */

/* exp(x) for x <= 88: 2^n exp(r), n = round(x / ln 2), |r| <= ln 2 / 2; ln 2 in two parts (Cody and
 * Waite). From 2^23 on all floats are whole numbers: the sum with 1.5 * 2^23 + 127 rounds, and its
 * lowest bits are the exponent of 2^n. */
static inline vf math_exp_below(vf x)
{
    const vf far = vset(12583039.0f);
    x = vmax(vset(-87.0f), x);
    const vf sum = x * vset(1.44269504f) + far, n = sum - far;
    vf r = vfma(n, vset(-0.693145752f), x);
    r = vfma(n, vset(-1.42860677e-6f), r);
    vf p = vset(1.38888889e-3f);
    p = vfma(p, r, vset(8.33333333e-3f));
    p = vfma(p, r, vset(4.16666667e-2f));
    p = vfma(p, r, vset(1.66666667e-1f));
    p = vfma(p, r, vset(0.5f));
    p = vfma(p, r, vset(1.0f));
    p = vfma(p, r, vset(1.0f));
    return p * (vf)((vi)sum << 23);
}

static inline vf math_exp(vf x)
{
    return math_exp_below(vmin(vset(88.0f), x));
}

static inline vf math_sigmoid(vf x)
{
    return vset(1.0f) / (vset(1.0f) + math_exp(-x));
}

/* Below 0.625 the odd polynomial of Cephes (tanhf.c), above 1 - 2 / (exp(2 |x|) + 1). */
static inline vf math_tanh(vf x)
{
    const vf a = vmax(x, -x), z = x * x;
    vf p = vset(-5.70498872745e-3f);
    p = vfma(p, z, vset(2.06390887954e-2f));
    p = vfma(p, z, vset(-5.37397155531e-2f));
    p = vfma(p, z, vset(1.33314422036e-1f));
    p = vfma(p, z, vset(-3.33332819422e-1f));
    p = vfma(p * z, x, x);
    vf q = vset(1.0f) - vset(2.0f) / (math_exp(a + a) + vset(1.0f));
    q = vsel(x < vset(0.0f), -q, q);
    return vsel(a < vset(0.625f), p, q);
}

/* x P(x^2) / Q(x^2) on [-4, 4]: degrees 6 and 4, fitted by least squares at Chebyshev's points of
 * x^2, reweighted until the relative error is even. */
static inline vf math_erf(vf x)
{
    x = vmin(vset(4.0f), vmax(vset(-4.0f), x));
    const vf z = x * x;
    vf p = vset(1.91127487e-8f);
    p = vfma(p, z, vset(-1.94214022e-6f));
    p = vfma(p, z, vset(1.47230836e-4f));
    p = vfma(p, z, vset(3.98818823e-3f));
    p = vfma(p, z, vset(5.15172258e-2f));
    p = vfma(p, z, vset(2.07068935e-1f));
    p = vfma(p, z, vset(1.12837911f));
    vf q = vset(1.02054153e-3f);
    q = vfma(q, z, vset(1.49531858e-2f));
    q = vfma(q, z, vset(1.17947295e-1f));
    q = vfma(q, z, vset(5.16841292e-1f));
    q = vfma(q, z, vset(1.0f));
    return x * p / q;
}

static inline vf math_act(enum pl_act act, vf x, vf a, vf b)
{
    const vf zero = vset(0.0f), one = vset(1.0f), half = vset(0.5f);
    switch (act) {
    case PL_ACT_RELU:
        return vmax(zero, x);
    case PL_ACT_CLIP:
        return vmin(b, vmax(a, x));
    case PL_ACT_HARD_SIGMOID:
        return vmin(one, vmax(zero, vfma(x, a, b)));
    case PL_ACT_HARD_SWISH:
        return x * vmin(one, vmax(zero, vfma(x, a, b)));
    case PL_ACT_LEAKY_RELU:
        return vsel(x < zero, a * x, x);
    case PL_ACT_SIGMOID:
        return math_sigmoid(x);
    case PL_ACT_SWISH:
        return x / (one + math_exp(-(a * x)));
    case PL_ACT_TANH:
        return math_tanh(x);
    case PL_ACT_ERF:
        return math_erf(x);
    case PL_ACT_GELU:
        return x * half * (one + math_erf(x * vset(0.707106781f)));
    case PL_ACT_NONE:
        return x;
    default:
        return math_exp(x);
    }
}

/* ---- Tiles of 4 x 4 outputs: what winograd_in and winograd_out do along one axis ---- */

#define MATH_HALF_ROOT 0.707106781f /* h: the square root of 1 / 2 */

static inline void math_tile_in(vf t[6], const vf d[6])
{
    const vf even = vfma(vset(-2.0f), d[2], d[4]), odd = vfma(vset(-2.0f), d[1], d[3]);
    const vf far_even = vfma(vset(-0.5f), d[2], d[4]), far_odd = vfma(vset(-0.5f), d[1], d[3]);
    t[0] = vfma(vset(-2.5f), d[2], d[0]) + d[4];
    t[1] = vfma(vset(MATH_HALF_ROOT), odd, even);
    t[2] = vfma(vset(-MATH_HALF_ROOT), odd, even);
    t[3] = vfma(vset(2 * MATH_HALF_ROOT), far_odd, far_even);
    t[4] = vfma(vset(-2 * MATH_HALF_ROOT), far_odd, far_even);
    t[5] = vfma(vset(-2.5f), d[3], d[1]) + d[5];
}

static inline void math_tile_out(vf t[4], const vf m[6])
{
    const vf s = m[1] + m[2], d = m[1] - m[2], u = m[3] + m[4], v = m[3] - m[4];
    t[0] = m[0] + s + u;
    t[1] = vfma(vset(2 * MATH_HALF_ROOT), v, vset(MATH_HALF_ROOT) * d);
    t[2] = vfma(vset(2.0f), u, vset(0.5f) * s);
    t[3] = vfma(vset(4 * MATH_HALF_ROOT), v, vfma(vset(MATH_HALF_ROOT / 2), d, m[5]));
}
