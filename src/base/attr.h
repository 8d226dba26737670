/* SPDX-License-Identifier: BSD-2-Clause */
/* Compiler attributes and the two ownership macros of the house. */
#ifndef PL_BASE_ATTR_H
#define PL_BASE_ATTR_H

#define PL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define PL_MUST_USE __attribute__((warn_unused_result))
#define PL_UNUSED __attribute__((unused))

/* pl_auto(image) im = NULL;  frees im when it leaves scope. Needs PL_DEFINE_AUTO(image) and
 * pl_image_free(), which must accept NULL. */
#define pl_auto(name) __attribute__((cleanup(pl_##name##_auto))) struct pl_##name *
#define PL_DEFINE_AUTO(name)                                                                       \
    static inline void pl_##name##_auto(struct pl_##name **p)                                      \
    {                                                                                              \
        pl_##name##_free(*p);                                                                      \
    }

/* Gives the pointer away and leaves NULL behind, so that pl_auto does not free it. */
#define pl_steal(p)                                                                                \
    (__extension__({                                                                               \
        __typeof__(p) stolen_ = (p);                                                               \
        (p) = NULL;                                                                                \
        stolen_;                                                                                   \
    }))

#define PL_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define PL_MIN(a, b) ((a) < (b) ? (a) : (b))
#define PL_MAX(a, b) ((a) > (b) ? (a) : (b))
#define PL_CLAMP(x, lo, hi) PL_MIN(PL_MAX(x, lo), hi)

#endif
