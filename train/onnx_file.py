# SPDX-License-Identifier: BSD-2-Clause
"""Writer of networks that compute in bytes, as ONNX files that `platen model import` reads.

A network is a list of layers (`Layer` of export.py after `quantise`), each a convolution whose weights are
integers in steps of their own for each output channel. Around it stand QuantizeLinear and DequantizeLinear
with the scale and zero point of its input and its output, so that who imports the graph has every integer.
"""
import argparse
import hashlib
import os
import shutil
import struct
import subprocess
import tempfile

import numpy as np

OPSET = 13
KINDS = {'float32': 1, 'uint8': 2, 'int8': 3, 'int32': 6, 'int64': 7, 'float16': 10}
FLOAT = KINDS['float32']


def varint(v):
    out = bytearray()
    v &= (1 << 64) - 1
    while v > 127:
        out.append(v & 127 | 128)
        v >>= 7
    out.append(v)
    return bytes(out)


def field(number, value):
    """A field of a protocol buffer: an integer, or bytes (strings in UTF-8)."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def attribute(name, value):
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, 2)
    if isinstance(value, float):
        return field(1, name) + varint(2 << 3 | 5) + struct.pack('<f', value) + field(20, 1)
    if isinstance(value, str):
        return field(1, name) + field(4, value) + field(20, 3)
    return field(1, name) + b''.join(field(8, int(v)) for v in value) + field(20, 7)


def info(name, dims, kind=FLOAT):
    shape = b''.join(field(1, field(1, d) if isinstance(d, int) else field(2, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


class Graph:
    """Nodes and constants; every method gives the name of the value that it makes."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, name, array):
        array = np.ascontiguousarray(array)
        self.constants.append(b''.join(field(1, d) for d in array.shape) + field(2, KINDS[array.dtype.name]) +
                              field(8, name) + field(9, array.astype(array.dtype.newbyteorder('<')).tobytes()))
        return name

    def node(self, name, op, inputs, **attributes):
        self.nodes.append(b''.join(field(1, i) for i in inputs) + field(2, name) + field(3, name) + field(4, op) +
                          b''.join(field(5, attribute(k, v)) for k, v in attributes.items()))
        return name

    def rounded(self, value, scale, zero):
        """The value on the grid of bytes q that stand for (q - zero) * scale."""
        grid = [self.constant(value + '.scale', np.float32(scale)), self.constant(value + '.zero', np.uint8(zero))]
        return self.node(value + '.rounded', 'DequantizeLinear',
                         [self.node(value + '.byte', 'QuantizeLinear', [value] + grid)] + grid)

    def integers(self, name, array, steps, axis=0):
        """Floats that are integers times the steps along the axis."""
        return self.node(name, 'DequantizeLinear', [self.constant(name + '.integer', array),
                                                    self.constant(name + '.step', np.asarray(steps, np.float32))],
                         axis=axis)

    def model(self, inputs, outputs, meta, kind=FLOAT):
        """The bytes of the file; inputs and outputs: {name: sizes}, a word for a size that varies; their kind."""
        graph = (b''.join(field(1, n) for n in self.nodes) + field(2, meta['name']) +
                 b''.join(field(5, c) for c in self.constants) +
                 b''.join(field(11, info(*i, kind)) for i in inputs.items()) +
                 b''.join(field(12, info(*o, kind)) for o in outputs.items()))
        return (field(1, 8) + field(2, 'platen') + field(7, graph) + field(8, field(2, OPSET)) +
                b''.join(field(14, field(1, k) + field(2, str(v))) for k, v in meta.items()))


def add_layers(graph, layers, ranges, value):
    """Adds all layers but the last, from a value on; ranges: (scale, zero point) of the input and of what
    each of these layers makes. Gives what the last layer reads, on its grid."""
    values = [graph.rounded(value, *ranges[0])]
    for layer, grid in zip(layers[:-1], ranges[1:]):
        inputs = [values[layer.source]] + weights_of(graph, layer, ranges)
        y = graph.node(layer.name, 'Conv', inputs, pads=(*layer.pad, *layer.pad), strides=layer.stride,
                       group=layer.groups, kernel_shape=layer.q.shape[2:])
        if layer.residual is not None:
            y = graph.node(layer.name + '.sum', 'Add', [y, values[layer.residual]])
        if layer.relu:
            y = graph.node(layer.name + '.relu', 'Relu', [y])
        values.append(graph.rounded(y, *grid))
    return values[layers[-1].source]


def weights_of(graph, layer, ranges, turned=False):
    """Weights and bias of a layer; turned: (inputs, outputs), for a product of matrices."""
    q = layer.q.numpy().astype(np.int8)
    steps = layer.step.numpy().reshape(-1)
    name = layer.name + '.weight'
    bias = layer.bias_int.numpy().astype(np.int32)
    units = steps.astype(np.float64) * float(ranges[layer.source][0])
    return [graph.integers(name, q[:, :, 0, 0].T, steps, 1) if turned else graph.integers(name, q, steps),
            graph.integers(layer.name + '.bias', bias, units)]


def recognizer(layers, ranges, height, meta):
    """The file of a line recognizer: (1, 1, height, columns) to the scores (1, steps, classes)."""
    graph = Graph()
    x = add_layers(graph, layers, ranges, 'strip')
    weight, bias = weights_of(graph, layers[-1], ranges, turned=True)
    x = graph.node('steps', 'Squeeze', [x, graph.constant('rows', np.array([2], np.int64))])
    x = graph.rounded(graph.node('steps.first', 'Transpose', [x], perm=(0, 2, 1)), *ranges[-1])
    x = graph.node('head.product', 'MatMul', [x, weight])
    graph.node('scores', 'Add', [x, bias])
    return graph.model({'strip': [1, 1, height, 'columns']}, {'scores': [1, 'steps', len(layers[-1].q)]}, meta)


def detector(layers, ranges, height, meta):
    """The file of a detector: (1, 1, height, columns) to its maps (1, maps, rows, steps)."""
    graph = Graph()
    x = add_layers(graph, layers, ranges, 'tile')
    graph.node('maps', 'Conv', [x] + weights_of(graph, layers[-1], ranges),
               kernel_shape=layers[-1].q.shape[2:], pads=(*layers[-1].pad, *layers[-1].pad))
    return graph.model({'tile': [1, 1, height, 'columns']}, {'maps': [1, len(layers[-1].q), 'rows', 'steps']}, meta)


def program(name):
    """Type of an argument: a program that is there, told before the work of minutes."""
    if not shutil.which(name):
        raise argparse.ArgumentTypeError(f'{name} is not there: build platen first, or name it')
    return name


def add_program(parser, root):
    """The option that names the program that imports."""
    built = os.path.join(root, 'build', 'cli', 'platen')
    parser.add_argument('--platen', default=built if os.path.exists(built) else shutil.which('platen') or built,
                        type=program, help='the program that imports the network (%(default)s)')


def write(content, out, platen):
    """Writes the model file that the program makes of an ONNX file."""
    with tempfile.TemporaryDirectory() as folder:
        onnx = os.path.join(folder, os.path.splitext(os.path.basename(out))[0] + '.onnx')
        with open(onnx, 'wb') as f:
            f.write(content)
        subprocess.run([platen, 'model', 'import', onnx, '-o', out], check=True)
    with open(out, 'rb') as f:
        data = f.read()
    if b'\nname=' not in data:
        raise SystemExit(f'{platen} is too old: it drops the metadata of ONNX files')
    print(f'{out}: {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}')
