#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Hostile model files of one megabyte: whatever `platen model info` and `platen model import` make of
them, they take less than a second of processor time and 64 MB of memory.

    hostile.py PLATEN [TIMES]

A program with sanitizers needs several TIMES as much of both.
Python 3 standard library only.
"""
import os, random, struct, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'fuzz'))
from make_onnx_seeds import FLOAT, INT64, attribute, field, info, model, node, tensor, varint

SIZE = 1 << 20
MAX_KB = 64 << 10
MAX_S = 1.0


def fill(piece, count=1 << 30):
    """As many pieces as fit; piece(i) gives the i-th."""
    out, size, i = [], 0, 0
    while i < count:
        p = piece(i)
        size += len(p)
        if size > SIZE - 256:
            break
        out.append(p)
        i += 1
    return out


def small(op, i, o):
    return field(1, i) + field(2, o) + field(4, op)


def onnx_files():
    x = [info('x', FLOAT, [4])]
    shape = tensor('s', INT64, [1], [1 << 22])
    zero = tensor('z', INT64, [4], [0, 0, 0, 0])
    yield 'empty nodes', model([b''] * (SIZE // 4), [], x, ['x'])
    yield 'chain', model(fill(lambda i: field(1, small('Relu', 'v%d' % i if i else 'x', 'v%d' % (i + 1)))[2:], 40000), [], x, ['v9'])
    yield 'equal nodes', model(fill(lambda i: small('Neg', 'x', 'v%d' % i)), [], x, ['v9'])
    yield 'inputs of one node', model([field(1, '') * (SIZE // 2 - 100) + field(2, 'y') + field(4, 'Sum')], [], x, ['y'])
    yield 'real inputs of one node', model([field(1, 'x') * (SIZE // 3 - 100) + field(2, 'y') + field(4, 'Sum')], [], x, ['y'])
    yield 'outputs of one node', model([field(1, 'x') + b''.join(fill(lambda i: field(2, 'o%d' % i))) + field(4, 'Split')], [], x, ['o1'])
    yield 'attributes', model([small('Relu', 'x', 'y') + field(5, b'') * (SIZE // 2 - 100)], [], x, ['y'])
    yield 'named attributes', model([small('Conv', 'x', 'y') + b''.join(fill(lambda i: field(5, attribute('a%d' % i, i))))], [], x, ['y'])
    yield 'a list', model([node('Transpose', ['x'], ['y'], perm=[0] * (SIZE // 2 - 200))], [], x, ['y'])
    yield 'strings', model([small('LSTM', 'x', 'y') + field(5, field(1, 'activations') + field(9, '') * (SIZE // 2 - 200) + field(20, 8))], [], x, ['y'])
    yield 'initializers', model([small('Relu', 'x', 'y')], [b''] * (SIZE // 2 - 200), x, ['y'])
    yield 'named initializers', model([small('Relu', 'x', 'y')], fill(lambda i: tensor('t%d' % i, FLOAT, [0], [])), x, ['y'])
    yield 'a huge tensor', model([small('Relu', 'x', 'y')], [field(1, 1 << 16) * 2 + field(2, FLOAT) + field(8, 't') + field(9, bytes(SIZE - 300))], x, ['y'])
    yield 'dimensions', model([small('Relu', 'x', 'y')], [field(1, 1) * (SIZE // 2 - 200) + field(2, FLOAT) + field(8, 't')], x, ['y'])
    yield 'declared inputs', model([small('Relu', 'x', 'y')], [], x + fill(lambda i: info('i%d' % i, FLOAT, [1])), ['y'])
    yield 'constants to fold', model(fill(lambda i: small('ConstantOfShape', 's', 'c%d' % i), 2000), [shape], x, ['c7'])
    yield 'folds of folds', model([node('ConstantOfShape', ['s'], ['f0'])] + fill(lambda i: small('Neg', 'f%d' % i, 'f%d' % (i + 1)), 2000), [shape], x, ['f99'])
    yield 'transposes', model(fill(lambda i: node('Transpose', ['v%d' % i if i else 'x'], ['v%d' % (i + 1)], perm=[0]), 20000), [zero], x, ['v9'])
    deep = b''
    while len(deep) < SIZE - 5000:
        deep = field(7, field(1, field(5, field(6, deep)))) if len(deep) < 2000 else deep * 2
    yield 'nested graphs', deep
    yield 'one long name', model([small('Relu', 'x' * (SIZE - 300), 'y')], [], x, ['y'])


def crc32c(data, table=[]):
    if not table:
        for n in range(256):
            for _ in range(8):
                n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
            table.append(n)
    crc = 0xFFFFFFFF
    for b in data:
        crc = crc >> 8 ^ table[(crc ^ b) & 255]
    return crc ^ 0xFFFFFFFF


def container(**parts):
    names = ['META', 'STRS', 'VALS', 'NODE', 'EDGE', 'ATTR', 'DATA']
    table, body, at = b'', b'', 64 + 32 * 7
    at = (at + 63) // 64 * 64
    start = at
    for n in names:
        data = parts.get(n, b'')
        table += struct.pack('<4sIQQQ', n.encode(), crc32c(data), at, len(data), 0)
        body += data + bytes(-len(data) % 64)
        at += (len(data) + 63) // 64 * 64
    head = struct.pack('<8sHHIQII28s', b'PLATENM\n', 2, 0, 64, at, 7, 0, b'')
    return head + struct.pack('<I', crc32c(head + table)) + table + bytes(start - 64 - len(table)) + body


def containers():
    strs = b'\0Relu\0x\0'
    value = struct.pack('<IBBBB8qQQQ', 6, 0, 0, 0, 0, *[0] * 8, 0, 0, 0)
    given = struct.pack('<IBBBB8qQQQ', 6, 1, 1, 2, 0, 4, *[0] * 7, 0, 0, 0)
    relu = struct.pack('<IIIII3I', 6, 1, 1, 1, 0, 0, 0, 0)
    n = SIZE // 32 // 6
    yield 'values', container(STRS=strs, VALS=given + value * (SIZE // 96), EDGE=struct.pack('<5I', 17, 1, 1, 0, 0))
    yield 'a chain of nodes', container(
        STRS=strs, VALS=given + value * n, NODE=relu * n,
        EDGE=struct.pack('<5I', 17, 1, 1, 0, n) + b''.join(struct.pack('<2I', i, i + 1) for i in range(n)))
    yield 'nodes backwards', container(
        STRS=strs, VALS=given + value * n, NODE=relu * n,
        EDGE=struct.pack('<5I', 17, 1, 1, 0, n) + b''.join(struct.pack('<2I', i, i + 1) for i in reversed(range(n))))
    yield 'edges', container(STRS=strs, VALS=given, EDGE=struct.pack('<3I', 17, SIZE // 4, 1) + bytes(SIZE))
    yield 'inputs of a node', container(STRS=strs, VALS=given + value, EDGE=struct.pack('<5I', 17, 1, 1, 0, 1) + bytes(SIZE),
                                        NODE=struct.pack('<IIIII3I', 6, 1, SIZE // 4 - 1, 1, 0, 0, 0, 0))
    yield 'attributes', container(STRS=strs, VALS=given + value, EDGE=struct.pack('<7I', 17, 1, 1, 0, 1, 0, 1),
                                  NODE=struct.pack('<IIIII3I', 6, 1, 1, 1, SIZE // 24, 0, 0, 0),
                                  ATTR=struct.pack('<IIIIQ', 6, 7, 65535, 0, 0) * (SIZE // 24), DATA=bytes(1 << 18))
    yield 'metadata', container(META=b'a=b\n' * (SIZE // 4))
    yield 'strings', container(STRS=bytes(SIZE), VALS=given, EDGE=struct.pack('<5I', 17, 1, 1, 0, 0))
    yield 'zeros', b'PLATENM\n' + bytes(SIZE)
    yield 'ones', b'PLATENM\n' + b'\xff' * SIZE


def noise():
    rng = random.Random(1)
    yield 'noise', rng.randbytes(SIZE)
    yield 'short fields', bytes(rng.choice(b'\x0a\x12\x3a\x08\x22\x2a\x00\x02\x7f') for _ in range(SIZE))
    yield 'lengths', varint(7 << 3 | 2) + b'\xff' * 9 + b'\x01' + bytes(SIZE)


def measure(command):
    """Status, seconds of processor time, kilobytes."""
    pid = os.fork()
    if not pid:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execv(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    return status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main():
    platen, failed = os.path.abspath(sys.argv[1]), 0
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory() as tmp:
        for kind, files in ('onnx', onnx_files()), ('onnx', noise()), ('platen', containers()):
            for name, data in files:
                path = os.path.join(tmp, 'm.' + kind)
                with open(path, 'wb') as f:
                    f.write(data)
                commands = [['info', path]] + ([['import', path, '-o', os.path.join(tmp, 'o.platen')]] if kind == 'onnx' else [])
                for c in commands:
                    # a page of the parent counts until the program is there: it must be small itself
                    status, seconds, kb = measure([platen, 'model'] + c)
                    bad = status & 127 or seconds > times * MAX_S or kb > times * MAX_KB
                    failed += bool(bad)
                    print('%s %s %s: status %d, %.2f s, %.1f MB, file %.2f MB' % (
                        'FAILED' if bad else 'ok', name, c[0], status >> 8, seconds, kb / 1024, len(data) / 1e6), flush=True)
    return failed


if __name__ == '__main__':
    sys.exit(1 if main() else 0)
