#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""A network as onnxruntime's static quantiser writes it, for its time alone.

    qdq.py MODEL.onnx OUT.onnx

MODEL was optimised by onnxruntime at level basic. QuantizeLinear and DequantizeLinear stand around every
operator that has a form in bytes there: u8 activations, s8 weights, of convolutions one scale for each output.
Biases are integers, and a Relu or Clip behind such an operator is left out. The scales of activations are made up: how
long a kernel takes does not depend on them, what comes out does.
Needs Debian's python3-onnx.
"""
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper, shape_inference

WEIGHTED = {'Conv': 0, 'ConvTranspose': 1, 'Gemm': None, 'MatMul': None}     # axis of the outputs in the weights
OTHERS = {'Add', 'Mul', 'Sigmoid', 'Softmax', 'MaxPool', 'AveragePool', 'GlobalAveragePool', 'Concat', 'Resize', 'Transpose',
          'Reshape', 'MatMul', 'Squeeze', 'Unsqueeze', 'Flatten', 'Slice', 'Split', 'LeakyRelu'}
LIMITS = {'Relu', 'Clip'}                                                    # left out: the grid ends where they do
SCALE, ZERO = np.float32(1 / 32), np.uint8(128)


class Rewriter:
    def __init__(self, model):
        self.graph = shape_inference.infer_shapes(model).graph
        values = [*self.graph.value_info, *self.graph.input, *self.graph.output]
        self.floats = {v.name for v in values if v.type.tensor_type.elem_type == TensorProto.FLOAT}
        self.constants = {t.name: t for t in self.graph.initializer}
        for n in self.graph.node:
            if n.op_type == 'Constant':
                self.constants[n.output[0]] = n.attribute[0].t
        self.readers = {}
        for n in self.graph.node:
            for i in n.input:
                self.readers.setdefault(i, []).append(n)
        self.ends = {o.name for o in self.graph.output}
        self.added, self.nodes, self.pairs, self.dropped = [], [], {}, set()

    def constant(self, name, array):
        self.added.append(numpy_helper.from_array(array, name))
        return name

    def pair(self, value, zero=ZERO):
        """The value on its grid."""
        if value not in self.pairs:
            grid = [self.constant(value + '.scale', SCALE), self.constant(value + '.zero', zero)]
            q, d = value + '.q', value + '.dq'
            self.nodes += [helper.make_node('QuantizeLinear', [value, *grid], [q]),
                           helper.make_node('DequantizeLinear', [q, *grid], [d])]
            self.pairs[value] = d
        return self.pairs[value]

    def weights(self, value, axis):
        """The weights as bytes in the file."""
        if value not in self.pairs:
            w = numpy_helper.to_array(self.constants[value])
            axes = tuple(i for i in range(w.ndim) if i != axis)
            scale = (np.abs(w).max(axis=axes if axis is not None else None) / 127 + 1e-9).astype(np.float32)
            wide = scale if axis is None else scale.reshape([-1 if i == axis else 1 for i in range(w.ndim)])
            names = [self.constant(value + '.bytes', np.clip(np.rint(w / wide), -127, 127).astype(np.int8)),
                     self.constant(value + '.scale', np.asarray(scale)),
                     self.constant(value + '.zero', np.zeros(np.shape(scale), np.int8))]
            more = {} if axis is None else {'axis': axis}
            self.nodes.append(helper.make_node('DequantizeLinear', names, [value + '.dq'], **more))
            self.pairs[value] = value + '.dq'
        return self.pairs[value]

    def bias(self, value, weights, axis):
        """The bias as integers on the grid of the products; several operators may share one."""
        name = value + '.' + weights
        if name not in self.pairs:
            w, b = (numpy_helper.to_array(self.constants[v]) for v in (weights, value))
            axes = tuple(i for i in range(w.ndim) if i != axis)
            scale = (SCALE * (np.abs(w).max(axis=axes if axis is not None else None) / 127 + 1e-9)).astype(np.float32)
            names = [self.constant(name + '.integers', np.clip(np.rint(b / scale), -1e9, 1e9).astype(np.int32)),
                     self.constant(name + '.scale', np.asarray(scale)),
                     self.constant(name + '.zero', np.zeros(np.shape(scale), np.int32))]
            more = {} if axis is None else {'axis': 0}
            self.nodes.append(helper.make_node('DequantizeLinear', names, [name + '.dq'], **more))
            self.pairs[name] = name + '.dq'
        return self.pairs[name]

    def table(self, value):
        """A constant that is added or multiplied, as bytes."""
        if value not in self.pairs:
            v = numpy_helper.to_array(self.constants[value])
            scale = np.float32(np.abs(v).max() / 127 + 1e-9)
            names = [self.constant(value + '.bytes', (np.rint(v / scale) + ZERO).astype(np.uint8)),
                     self.constant(value + '.scale', scale), self.constant(value + '.zero', ZERO)]
            self.nodes.append(helper.make_node('DequantizeLinear', names, [value + '.dq']))
            self.pairs[value] = value + '.dq'
        return self.pairs[value]

    def limit_behind(self, value):
        readers = self.readers.get(value, [])
        return readers[0] if len(readers) == 1 and readers[0].op_type in LIMITS else None

    def take(self, n):
        weighted = n.op_type in WEIGHTED and n.input[1] in self.constants
        bytes_in = [i for i in n.input if i in self.floats and i not in self.constants]
        if n.output[0] in self.dropped:
            return
        names = list(n.input)
        if not bytes_in or not weighted and n.op_type not in OTHERS:
            n.input[:] = [self.pairs.get(i, i) for i in names]
            self.nodes.append(n)
            return
        for k, i in enumerate(names):
            if i in bytes_in:
                n.input[k] = self.pair(i)
            elif n.op_type in ('Add', 'Mul'):
                n.input[k] = self.table(i)
        if weighted:
            n.input[1] = self.weights(names[1], WEIGHTED[n.op_type])
            if len(names) > 2 and names[2] in self.constants:
                n.input[2] = self.bias(names[2], names[1], WEIGHTED[n.op_type])
        self.nodes.append(n)
        self.put_outputs(n)

    def put_outputs(self, n):
        """What is behind reads the values on their grids, unless they are outputs of the network."""
        limit = self.limit_behind(n.output[0])
        if limit is not None:
            n.output[0] = limit.output[0]
            self.dropped.add(limit.output[0])
        for o in n.output:
            if o not in self.ends:
                self.pair(o, ZERO if limit is None else np.uint8(0))

    def rewrite(self):
        for n in list(self.graph.node):
            self.take(n)
        del self.graph.node[:]
        self.graph.node.extend(self.nodes)
        self.graph.initializer.extend(self.added)


def main():
    model = onnx.load(sys.argv[1])
    for o in model.opset_import:
        if o.domain in ('', 'ai.onnx'):
            o.version = max(o.version, 13)
    r = Rewriter(model)
    r.rewrite()
    model.graph.CopyFrom(r.graph)
    onnx.save(model, sys.argv[2])


if __name__ == '__main__':
    main()
