/* SPDX-License-Identifier: BSD-2-Clause */
/* What the shaders have in common: their buffers, the numbers of a step (gpu_step.h has the same
 * struct), and how a sum becomes a byte. A word is four bytes, the first in its lowest bits. */
layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Constants { uint constants[]; };
layout(std430, binding = 1) buffer Block { uint block[]; };
/* Of each unit of columns: the units from which to which the picture goes that it lies on. */
layout(std430, binding = 2) readonly buffer Pictures { uvec2 pictures[]; };

const uint NONE = 0xffffffffu;

layout(push_constant) uniform Step {
    uint src, dst, residual, weights, bias, scale, table; /* words; NONE = there is none */
    uint in_h, in_w, channels, out_h, out_w, stored, outputs, pixels;
    uint kernel_h, kernel_w, stride_h, stride_w, before_h, before_w, dilation_h;
    uint unit;      /* columns of the input in a unit; 0 = one picture */
    uint run_words; /* product: of a row of the kernel */
    uint tap_quads; /* depthwise: fours of rows of the kernel; 0 = one row, in fours of taps */
    int x_zero, zero, residual_zero;
    float residual_scale;
    uint to_float; /* 0, 1 = rows of floats, 2 = planes of floats */
} step;

uint invocation()
{
    return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
}

/* Where a pixel of the output begins to read: picture of the batch, row and column, and the columns
 * that it may read. */
struct place {
    uint picture;
    int row, column, first, last;
};

place place_of(uint pixel)
{
    const uint column = pixel % step.out_w, rows = pixel / step.out_w;
    place p;
    p.picture = rows / step.out_h;
    p.row = int(rows % step.out_h * step.stride_h) - int(step.before_h);
    p.column = int(column * step.stride_w) - int(step.before_w);
    p.first = 0;
    p.last = int(step.in_w);
    if (step.unit != 0u) {
        const uvec2 span = pictures[column * step.stride_w / step.unit];
        p.first = int(span.x * step.unit);
        p.last = int(span.y * step.unit);
    }
    return p;
}

/* The byte of the input that lies at (row, column), from `at` on in bytes of that pixel, or its four
 * bytes; beyond the picture all have the value of zero. */
bool is_inside(place p, int row, int column)
{
    return row >= 0 && row < int(step.in_h) && column >= p.first && column < p.last;
}

uint pixel_at(place p, int row, int column)
{
    return ((p.picture * step.in_h + uint(row)) * step.in_w + uint(column)) * step.channels;
}

uint four_bytes(place p, int row, int column, uint channel)
{
    if (!is_inside(p, row, column))
        return uint(step.x_zero) * 0x01010101u;
    return block[step.src + (pixel_at(p, row, column) + channel) / 4u];
}

uint byte_of(uint word, uint i)
{
    return bitfieldExtract(word, int(8u * i), 8);
}

int signed_byte_of(uint word, uint i)
{
    return bitfieldExtract(int(word), int(8u * i), 8);
}

/* The law of struct pl_requant (simd/qgemm.h): one rounding for each operation. */
uint requantize(int sum, float scale, uint residual)
{
    precise float f = float(sum) * scale;
    if (step.residual != NONE) {
        precise float r = float(int(residual) - step.residual_zero) * step.residual_scale;
        f = f + r;
    }
    f = min(f, float(255 - step.zero));
    f = max(f, float(-step.zero));
    const uint q = uint(int(roundEven(f)) + step.zero);
    return step.table == NONE ? q : byte_of(constants[step.table + q / 4u], q % 4u);
}

/* Writes four channels of a pixel as bytes. */
void write_bytes(uint pixel, uint quad, ivec4 sum)
{
    const uint at = pixel * (step.stored / 4u) + quad;
    const uint residual = step.residual == NONE ? 0u : block[step.residual + at];
    uint word = 0u;
    for (uint o = 0u; o < 4u; o++) {
        const float scale = uintBitsToFloat(constants[step.scale + 4u * quad + o]);
        word |= requantize(sum[o], scale, byte_of(residual, o)) << (8u * o);
    }
    block[step.dst + at] = word;
}
