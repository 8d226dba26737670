/* SPDX-License-Identifier: BSD-2-Clause */
/* Depthwise convolutions on bytes: each invocation computes four channels of a pixel. Weights of one
 * row lie as in struct pl_qdw, [channels / 16][taps / 4][16][4]; those of several rows as in struct
 * pl_qplane, [channels / 16][kernel_w][rows / 4][16][4]. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "step.glsl"

void main()
{
    const uint quads = step.stored / 4u, i = invocation();
    const uint quad = i % quads, pixel = i / quads;
    if (pixel >= step.pixels)
        return;
    const bool flat_row = step.tap_quads == 0u;
    const uint fours = flat_row ? (step.kernel_w + 3u) / 4u : step.kernel_w * step.tap_quads;
    const uint weights = step.weights + quad / 4u * fours * 16u + quad % 4u * 4u;
    const place p = place_of(pixel);
    ivec4 sum;
    for (uint o = 0u; o < 4u; o++)
        sum[o] = int(constants[step.bias + 4u * quad + o]);
    for (uint x = 0u; x < step.kernel_w; x++)
        for (uint y = 0u; y < step.kernel_h; y++) {
            const uint tap = flat_row ? x : y;
            const uint at = weights + (flat_row ? x / 4u : x * step.tap_quads + y / 4u) * 16u;
            const uint bytes =
                four_bytes(p, p.row + int(y * step.dilation_h), p.column + int(x), 4u * quad);
            for (uint o = 0u; o < 4u; o++)
                sum[o] += int(byte_of(bytes, o)) * signed_byte_of(constants[at + o], tap % 4u);
        }
    write_bytes(pixel, quad, sum);
}
