#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes corpus/onnx/*.onnx, one small graph for each family of operators, and with the program's path as
argument corpus/network/*.platen, the same imported. Standard library only."""
import math
import os
import struct
import subprocess
import sys

MS = 'com.microsoft:'
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'corpus', 'onnx')
FLOAT, UINT8, INT8, INT32, INT64 = 1, 2, 3, 6, 7


def varint(v):
    v &= (1 << 64) - 1
    out = b''
    while v > 127:
        out += bytes([v & 127 | 128])
        v >>= 7
    return out + bytes([v])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack('<f', value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor(name, kind, dims, values):
    code = {FLOAT: 'f', UINT8: 'B', INT8: 'b', INT32: 'i', INT64: 'q'}[kind]
    return (b''.join(field(1, d) for d in dims) + field(2, kind) + field(8, name) +
            field(9, struct.pack(f'<{len(values)}{code}', *values)))


def tensor_beside(name, dims, offset):
    place = {'location': 'd', 'offset': str(offset), 'length': str(4 * math.prod(dims))}
    return (b''.join(field(1, d) for d in dims) + field(2, FLOAT) + field(8, name) +
            b''.join(field(13, field(1, k) + field(2, v)) for k, v in place.items()) + field(14, 1))


def strings(name, values):
    return field(1, name) + b''.join(field(9, v) for v in values) + field(20, 8)


def info(name, kind, dims):
    shape = b''.join(field(1, field(1, d) if d > 0 else b'') for d in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def attribute(name, value):
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, 2)
    if isinstance(value, float):
        return field(1, name) + field(2, value) + field(20, 1)
    if isinstance(value, str):
        return field(1, name) + field(4, value) + field(20, 3)
    if isinstance(value, bytes):
        return field(1, name) + field(5, value) + field(20, 4)
    floats = isinstance(value[0], float)
    return field(1, name) + b''.join(field(7 if floats else 8, v) for v in value) + field(20, 6 if floats else 7)


def node(op, inputs, outputs, **attributes):
    *domain, op = op.split(':')
    return (b''.join(field(7, d) for d in domain) + b''.join(field(1, i) for i in inputs) + b''.join(field(2, o) for o in outputs) +
            field(3, 'n_' + outputs[0]) + field(4, op) +
            b''.join(field(5, attribute(k, v)) for k, v in attributes.items()))


def model(nodes, constants, inputs, outputs, opset=18):
    graph = (b''.join(field(1, n) for n in nodes) + b''.join(field(5, t) for t in constants) +
             b''.join(field(11, i) for i in inputs) + b''.join(field(12, info(o, FLOAT, [])) for o in outputs))
    return field(1, 8) + field(8, field(2, opset)) + field(7, graph)


def ramp(n):
    return [(i % 7 - 3) / 4 for i in range(n)]


def wave(n):
    return [((i * 37 + 11) % 101 - 50) / 64 for i in range(n)]


def array(path, dims):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }" % ''.join('%d, ' % d for d in dims)
    head += ' ' * (117 - len(head)) + '\n'
    n = 1
    for d in dims:
        n *= d
    with open(path, 'wb') as f:
        f.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + struct.pack('<%df' % n, *wave(n)))


SEEDS = {
    'conv': model(
        [node('Conv', ['x', 'w', 'b'], ['a'], pads=[1, 1, 1, 1], strides=[2, 1]),
         node('BatchNormalization', ['a', 'b', 'b', 'b', 'v'], ['c'], epsilon=0.001),
         node('HardSwish', ['c'], ['d']), node('MaxPool', ['d'], ['e'], kernel_shape=[2, 2], ceil_mode=1),
         node('ConvTranspose', ['e', 't'], ['f'], strides=[2, 2], group=2), node('GlobalAveragePool', ['f'], ['y'])],
        [tensor('w', FLOAT, [2, 1, 3, 3], ramp(18)), tensor('b', FLOAT, [2], [1, 2]), tensor('v', FLOAT, [2], [1, 1]),
         tensor('t', FLOAT, [2, 1, 2, 2], ramp(8))],
        [info('x', FLOAT, [1, 1, 8, -1])], ['y']),
    'shape': model(
        [node('Shape', ['x'], ['s']), node('Gather', ['s', 'i'], ['g'], axis=0), node('Concat', ['g', 'm'], ['r'], axis=0),
         node('Reshape', ['x', 'r'], ['a']), node('Transpose', ['a'], ['b'], perm=[1, 0]),
         node('Slice', ['b', 'i', 'g'], ['c']), node('Unsqueeze', ['c', 'i'], ['d']), node('Pad', ['d', 'p'], ['e'], mode='reflect'),
         node('Expand', ['e', 'q'], ['y'])],
        [tensor('i', INT64, [1], [0]), tensor('m', INT64, [1], [-1]), tensor('p', INT64, [6], [0, 1, 0, 0, 1, 0]),
         tensor('q', INT64, [3], [2, 1, 1])],
        [info('x', FLOAT, [3, 4])], ['y']),
    'lstm': model(
        [node('LSTM', ['x', 'w', 'r', 'b'], ['y', '', 'c'], hidden_size=2, direction='bidirectional'),
         node('GRU', ['x', 'w3', 'r3'], ['z'], hidden_size=2, linear_before_reset=1) +
         field(5, strings('activations', ['Sigmoid', 'HardSigmoid']))],
        [tensor('w', FLOAT, [2, 8, 3], ramp(48)), tensor('r', FLOAT, [2, 8, 2], ramp(32)), tensor('b', FLOAT, [2, 16], ramp(32)),
         tensor('w3', FLOAT, [1, 6, 3], ramp(18)), tensor('r3', FLOAT, [1, 6, 2], ramp(12))],
        [info('x', FLOAT, [-1, 2, 3])], ['y', 'c', 'z']),
    'steps': model(
        [node('LSTM', ['x', 'w', 'r', 'b'], ['y', 'h'], hidden_size=2, direction='bidirectional'),
         node('GRU', ['x', 'w3', 'r3', 'b3', '', 'h0'], ['z'], hidden_size=3, linear_before_reset=1, direction='reverse')],
        [tensor('w', FLOAT, [2, 8, 3], wave(48)), tensor('r', FLOAT, [2, 8, 2], wave(32)), tensor('b', FLOAT, [2, 16], wave(32)),
         tensor('w3', FLOAT, [1, 9, 3], wave(27)), tensor('r3', FLOAT, [1, 9, 3], wave(27)), tensor('b3', FLOAT, [1, 18], wave(18)),
         tensor('h0', FLOAT, [1, 2, 3], wave(6))],
        [info('x', FLOAT, [-1, 2, 3])], ['y', 'h', 'z']),
    'attention': model(
        [node('MatMul', ['x', 'w'], ['q']), node('Transpose', ['q'], ['k'], perm=[0, 2, 1]), node('MatMul', ['q', 'k'], ['s']),
         node('Softmax', ['s'], ['p'], axis=-1), node('MatMul', ['p', 'q'], ['a']), node('Add', ['a', 'x'], ['b']),
         node('ReduceMean', ['b'], ['m'], keepdims=1), node('Sub', ['b', 'm'], ['d']), node('Pow', ['d', 'two'], ['v']),
         node('Sqrt', ['v'], ['sd']), node('Div', ['d', 'sd'], ['l']), node('Erf', ['l'], ['y']),
         node('LayerNormalization', ['b', 'g'], ['z'], axis=-1)],
        [tensor('w', FLOAT, [4, 4], ramp(16)), tensor('two', FLOAT, [], [2]), tensor('g', FLOAT, [4], ramp(4))],
        [info('x', FLOAT, [1, -1, 4])], ['y', 'z']),
    'grid': model(
        [node('GridSample', ['x', 'g'], ['a'], mode='bicubic', padding_mode='reflection', align_corners=1),
         node('GridSample', ['a', 'g'], ['b'], padding_mode='border'), node('GridSample', ['b', 'g'], ['c'], mode='nearest'),
         node('Einsum', ['c', 'w'], ['d'], equation='...ij,jk->...ik'), node('Einsum', ['d'], ['e'], equation='nchh'),
         node('NonZero', ['e'], ['z']), node('Cast', ['z'], ['y'], to=FLOAT)],
        [tensor('g', FLOAT, [1, 3, 4, 2], wave(24)), tensor('w', FLOAT, [4, 3], ramp(12))],
        [info('x', FLOAT, [1, 1, 3, -1])], ['d', 'y']),
    'fused': model(
        [node(MS + 'FusedConv', ['x', 'w', '', 'x'], ['a'], pads=[1, 1], activation='LeakyRelu', activation_params=[.5]),
         node(MS + 'FusedMatMul', ['a', 'a'], ['b'], transA=1, transBatchB=0, alpha=.5), node(MS + 'QuickGelu', ['b'], ['c']),
         node(MS + 'MatMulNBits', ['a', 'q', 's', 'z', '', 'v'], ['d'], K=4, N=4, bits=4, block_size=16),
         node(MS + 'SkipLayerNormalization', ['c', 'd', 'v', 'v', 'v'], ['e', '', '', 'f']),
         node(MS + 'FusedGemm', ['m', 'm', 'v'], ['g'], transB=1, activation='Elu', activation_alpha=.5),
         node('SimplifiedLayerNormalization', ['g', 'v'], ['h']), node('DequantizeLinear', ['k', 'u', 'o'], ['i'], axis=0),
         node('Transpose', ['i'], ['j'], perm=[1, 0]), node('MatMul', ['f', 'j'], ['y']),
         node('Einsum', ['e', 'm'], ['l'], equation='ncb,ab->nca')],
        [tensor('w', FLOAT, [1, 1, 3], ramp(3)), tensor('q', UINT8, [4, 1, 8], range(32)), tensor('s', FLOAT, [4], ramp(4)),
         tensor('z', UINT8, [4], [3, 8, 15, 0]), tensor('v', FLOAT, [4], wave(4)), tensor('m', FLOAT, [4, 4], ramp(16)),
         tensor('k', INT8, [4, 4], range(16)), tensor('u', FLOAT, [4], [.5, .25, 1, 2]), tensor('o', INT8, [4], [0, 1, 2, 3])],
        [info('x', FLOAT, [1, 1, 4])], ['y', 'h', 'l']),
    # its data is in the file that fuzz_onnx.c makes
    'beside': model([node('Add', ['x', 'w'], ['y'])], [tensor_beside('w', [2, 2], 16)], [info('x', FLOAT, [2, 2])], ['y']),
    'quantized': model(
        [node('QuantizeLinear', ['x', 's', 'z'], ['q']),
         node('QLinearConv', ['q', 's', 'z', 'w', 's', 'z', 's', 'z'], ['c'], pads=[1, 1]),
         node('DequantizeLinear', ['c', 's', 'z'], ['y']), node('MatMulInteger', ['q', 'm', 'z'], ['i']),
         node('Cast', ['i'], ['f'], to=FLOAT), node('DynamicQuantizeLinear', ['f'], ['d', 'ds', 'dz']),
         node('ConvInteger', ['q', 'w'], ['k'])],
        [tensor('s', FLOAT, [], [.5]), tensor('z', UINT8, [], [3]), tensor('w', UINT8, [2, 1, 3], range(6)),
         tensor('m', UINT8, [4, 2], range(8))],
        [info('x', FLOAT, [1, 1, 4])], ['y', 'd', 'k']),
    'bytes': model(
        [node('Conv', ['x', 'w1', 'b1'], ['c1'], pads=[1, 1, 1, 1], strides=[2, 2]), node('HardSwish', ['c1'], ['h']),
         node('Conv', ['h', 'w2'], ['c2'], pads=[2, 2, 2, 2], group=8), node('Relu', ['c2'], ['r']),
         node('GlobalAveragePool', ['r'], ['m']), node('Sigmoid', ['m'], ['g']), node('Mul', ['r', 'g'], ['s']),
         node('Conv', ['s', 'w3'], ['c3']), node('Add', ['c3', 'h'], ['a']), node('MaxPool', ['a'], ['p'], kernel_shape=[2, 2], strides=[2, 2]),
         node('Resize', ['p', '', 'k'], ['u'], mode='nearest', coordinate_transformation_mode='asymmetric', nearest_mode='floor'),
         node('Concat', ['a', 'u'], ['d'], axis=1), node('ConvTranspose', ['d', 'w4'], ['t'], strides=[2, 2], pads=[1, 1, 1, 1], output_padding=[1, 1]),
         node('Relu', ['t'], ['v']), node('AveragePool', ['v'], ['q'], kernel_shape=[2, 3], pads=[0, 1, 0, 1]),
         node('Conv', ['q', 'w5'], ['f']), node('Sigmoid', ['f'], ['y'])],
        [tensor('w1', FLOAT, [8, 1, 3, 3], wave(72)), tensor('b1', FLOAT, [8], wave(8)), tensor('w2', FLOAT, [8, 1, 5, 5], wave(200)),
         tensor('w3', FLOAT, [8, 8, 1, 1], wave(64)), tensor('w4', FLOAT, [16, 4, 3, 3], wave(576)), tensor('w5', FLOAT, [1, 4, 1, 1], wave(4)),
         tensor('k', FLOAT, [4], [1, 1, 2, 2])],
        [info('x', FLOAT, [1, 1, 8, -1])], ['y']),
    'qdq': model(
        [node('QuantizeLinear', ['x', 'sx', 'zx'], ['xq']), node('DequantizeLinear', ['xq', 'sx', 'zx'], ['xd']),
         node('DequantizeLinear', ['w1', 's1'], ['w1d'], axis=0), node('DequantizeLinear', ['b1', 'sb'], ['b1d'], axis=0),
         node('Conv', ['xd', 'w1d', 'b1d'], ['c1'], pads=[1, 1, 1, 1]), node('Relu', ['c1'], ['r']),
         node('QuantizeLinear', ['r', 's2', 'z2'], ['rq']),
         node('QLinearConv', ['rq', 's2', 'z2', 'w2', 's3', 'z3', 's4', 'z4', 'b2'], ['tq'], group=4, pads=[0, 1, 0, 1]),
         node('MaxPool', ['tq'], ['pq'], kernel_shape=[2, 2]), node('DequantizeLinear', ['pq', 's4', 'z4'], ['pd']),
         node('DequantizeLinear', ['w4', 's3'], ['w4d']), node('Conv', ['pd', 'w4d'], ['o'])],
        [tensor('sx', FLOAT, [], [1 / 64]), tensor('zx', INT8, [], [3]), tensor('w1', INT8, [4, 1, 3, 3], [i * 29 % 255 - 127 for i in range(36)]),
         tensor('s1', FLOAT, [4], [.01, .02, .005, .0125]), tensor('b1', INT32, [4], [100, -2000, 0, 500]),
         tensor('sb', FLOAT, [4], [.01 / 64, .02 / 64, .005 / 64, .0125 / 64]), tensor('s2', FLOAT, [], [1 / 16]), tensor('z2', UINT8, [], [0]),
         tensor('w2', INT8, [4, 1, 1, 3], [i * 53 % 255 - 127 for i in range(12)]), tensor('s3', FLOAT, [1], [.01]), tensor('z3', INT8, [1], [0]),
         tensor('s4', FLOAT, [1], [1 / 8]), tensor('z4', UINT8, [1], [128]), tensor('b2', INT32, [4], [0, 50, -1000, 7]),
         tensor('w4', INT8, [2, 4, 1, 1], [100, -50, 25, 13, -128, 127, 1, 0])],
        [info('x', FLOAT, [1, 1, 8, -1])], ['o']),
    'resize': model(
        [node('Resize', ['x', '', 'k'], ['a'], mode='linear'),
         node('Resize', ['a', '', '', 'n'], ['b'], mode='cubic', antialias=1, coordinate_transformation_mode='align_corners'),
         node('TopK', ['b', 'one'], ['c', 'i'], axis=-1), node('Split', ['b'], ['d', 'e'], axis=2, num_outputs=2),
         node('Where', ['l', 'd', 'e'], ['y']), node('Less', ['d', 'e'], ['l']), node('ConstantOfShape', ['n'], ['z'], value=tensor('', FLOAT, [1], [2])),
         node('Range', ['f', 'g', 'f'], ['r'])],
        [tensor('k', FLOAT, [4], [1, 1, 2, 1.5]), tensor('n', INT64, [4], [1, 1, 4, 3]), tensor('one', INT64, [1], [1]),
         tensor('f', FLOAT, [], [.5]), tensor('g', FLOAT, [], [3])],
        [info('x', FLOAT, [1, 1, 3, 4])], ['y', 'i', 'z', 'r']),
    'first': model(
        [node('Mul', ['x', 'c'], ['a'], broadcast=1, axis=1), node('PRelu', ['a', 'c'], ['b']),
         node('BatchNormalization', ['b', 'c', 'c', 'c', 'c'], ['d'], is_test=1),
         node('Reshape', ['d'], ['e'], shape=[2, -1]), node('Gemm', ['e', 'w', 'c'], ['f'], broadcast=1),
         node('Cast', ['f'], ['y'], to='FLOAT')],
        [tensor('c', FLOAT, [2], [.5, 2]), tensor('w', FLOAT, [6, 2], ramp(12))],
        [info('x', FLOAT, [1, 2, 2, 3])], ['y'], opset=6),
    # what is darker than a sixth on the mean of 5 x 9 pixels, of greys normalised as operation db does
    'text': model(
        [node('Conv', ['x', 'w', 'b'], ['a'], pads=[2, 4, 2, 4], strides=[2, 2]), node('Sigmoid', ['a'], ['y'])],
        [tensor('w', FLOAT, [1, 3, 5, 9], [-40 * s / 135 for s in (.229, .224, .225) for _ in range(45)]),
         tensor('b', FLOAT, [1], [40 * (1 - 1 / 6 - (.485 + .456 + .406) / 3)])],
        [info('x', FLOAT, [1, 3, -1, -1])], ['y']),
}


def main():
    os.makedirs(HERE, exist_ok=True)
    for name, data in SEEDS.items():
        with open(os.path.join(HERE, name + '.onnx'), 'wb') as f:
            f.write(data)
        if len(sys.argv) > 1 and name != 'beside':
            calibration = {'bytes': [1, 1, 8, 12], 'qdq': [1, 1, 8, 12], 'steps': [5, 2, 3]}.get(name)
            bytes_too = ['--quantize', 'int8', '--calibrate', 'x.npy'] if calibration else []
            if calibration:
                array('x.npy', calibration)
            subprocess.check_call([sys.argv[1], 'model', 'import', os.path.join(HERE, name + '.onnx'),
                                   '-o', os.path.join(HERE, '..', 'network', name + '.platen')] + bytes_too)


if __name__ == '__main__':
    main()
