/* SPDX-License-Identifier: BSD-2-Clause */
/* Convolutions and matrix products on bytes: each invocation computes four channels of PIXELS pixels.
 * Weights lie as in struct pl_qgemm: [channels / 16][K / 4][16][4]. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "step.glsl"

const uint PIXELS = 4u;

/* Four bytes of a row of the kernel where a pixel has no whole words. */
uint gathered_bytes(place p, int row, uint word)
{
    uint bytes = 0u;
    for (uint i = 0u; i < 4u; i++) {
        const uint at = 4u * word + i;
        const int column = p.column + int(at / step.channels);
        uint byte = uint(step.x_zero);
        if (at < step.kernel_w * step.channels && is_inside(p, row, column)) {
            const uint from = pixel_at(p, row, column) + at % step.channels;
            byte = byte_of(block[step.src + from / 4u], from % 4u);
        }
        bytes |= byte << (8u * i);
    }
    return bytes;
}

void write_floats(uint pixel, uint quad, ivec4 sum)
{
    const uint plane = step.out_h * step.out_w;
    for (uint o = 0u; o < 4u; o++) {
        const uint channel = 4u * quad + o;
        if (channel >= step.outputs)
            break;
        const uint at = step.to_float == 1u
                            ? pixel * step.outputs + channel
                            : (pixel / plane * step.outputs + channel) * plane + pixel % plane;
        precise float f = float(sum[o]) * uintBitsToFloat(constants[step.scale + channel]);
        block[step.dst + at] = floatBitsToUint(f);
    }
}

void main()
{
    const uint quads = step.stored / 4u, i = invocation();
    const uint quad = i % quads, first = i / quads * PIXELS;
    if (first >= step.pixels)
        return;
    const bool whole = step.channels % 4u == 0u;
    uint weights = step.weights + quad / 4u * (step.kernel_h * step.run_words * 16u) + quad % 4u * 4u;
    place places[PIXELS];
    ivec4 sums[PIXELS];
    for (uint k = 0u; k < PIXELS; k++) {
        places[k] = place_of(min(first + k, step.pixels - 1u));
        for (uint o = 0u; o < 4u; o++)
            sums[k][o] = int(constants[step.bias + 4u * quad + o]);
    }
    for (uint y = 0u; y < step.kernel_h; y++) {
        uint channel = 0u;
        int x = 0;
        for (uint word = 0u; word < step.run_words; word++, weights += 16u) {
            const uvec4 w = uvec4(constants[weights], constants[weights + 1u],
                                  constants[weights + 2u], constants[weights + 3u]);
            for (uint k = 0u; k < PIXELS; k++) {
                const int row = places[k].row + int(y * step.dilation_h);
                const uint bytes = whole
                                       ? four_bytes(places[k], row, places[k].column + x, channel)
                                       : gathered_bytes(places[k], row, word);
                for (uint b = 0u; b < 4u; b++)
                    sums[k] += int(byte_of(bytes, b)) * ivec4(signed_byte_of(w.x, b),
                                                              signed_byte_of(w.y, b),
                                                              signed_byte_of(w.z, b),
                                                              signed_byte_of(w.w, b));
            }
            channel += 4u;
            if (channel >= step.channels) {
                channel = 0u;
                x++;
            }
        }
    }
    for (uint k = 0u; k < PIXELS && first + k < step.pixels; k++) {
        if (step.to_float != 0u)
            write_floats(first + k, quad, sums[k]);
        else
            write_bytes(first + k, quad, sums[k]);
    }
}
