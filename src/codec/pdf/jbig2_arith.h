/* SPDX-License-Identifier: BSD-2-Clause */
/* The arithmetic decoder of JBIG2 (ITU-T T.88, annexes A and E). */
#ifndef PL_CODEC_PDF_JBIG2_ARITH_H
#define PL_CODEC_PDF_JBIG2_ARITH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_mq {
    const uint8_t *at, *end;
    uint32_t c, a;
    int ct; /* bits of c that are left before the next byte */
};

/* Reads data[0..n); behind the end it goes on as the standard says, with bits of one. */
void pl_mq_init(struct pl_mq *mq, const uint8_t *data, size_t n);

/* Returns the next bit in a context, which has the index of a state in its low 7 bits and the
 * likelier bit above. */
int pl_mq_bit(struct pl_mq *mq, uint8_t *context);

/* Reads the next integer, with 512 contexts. Returns false for "out of band". */
bool pl_mq_int(struct pl_mq *mq, uint8_t contexts[512], int32_t *ret);
/* Returns the next symbol of `bits` bits, with 1 << bits contexts. */
uint32_t pl_mq_id(struct pl_mq *mq, uint8_t *contexts, int bits);

#endif
