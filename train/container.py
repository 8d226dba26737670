"""Writer of the model container; its law is platen-model(5)."""
import struct

import numpy as np

ALIGN = 64
CONV, DWCONV = 1, 2
U8, F32 = 1, 2
NO_RESIDUAL = 0xffffffff


def _crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82f63b78 if value & 1 else 0)
        table.append(value)
    return table


_CRC = _crc_table()


def crc32c(data):
    """CRC-32C (Castagnoli) of bytes."""
    crc = 0xffffffff
    for byte in data:
        crc = (crc >> 8) ^ _CRC[(crc ^ byte) & 255]
    return crc ^ 0xffffffff


def round_up(n, step):
    return -(-n // step) * step


def pack_conv(weights):
    """s8 [oc][ic][kh][kw] -> bytes [oc / 16][kh][ceil(kw * ic / 4)][16][4], in a run first the
    column, then the channel."""
    oc, ic, kh, kw = weights.shape
    run = round_up(kw * ic, 4)
    out = np.zeros((round_up(oc, 16), kh, run), np.int8)
    out[:oc, :, :kw * ic] = weights.transpose(0, 2, 3, 1).reshape(oc, kh, kw * ic)
    return out.reshape(-1, 16, kh, run // 4, 4).transpose(0, 2, 3, 1, 4).tobytes()


def pack_dwconv(weights):
    """s8 [channel][tap] -> bytes [channel / 16][ceil(taps / 4)][16][4]."""
    channels, taps = weights.shape
    out = np.zeros((round_up(channels, 16), round_up(taps, 4)), np.int8)
    out[:channels, :taps] = weights
    return out.reshape(-1, 16, out.shape[1] // 4, 4).transpose(0, 2, 1, 3).tobytes()


def _padded(values, dtype, fill):
    out = np.full(round_up(len(values), 16), fill, dtype)
    out[:len(values)] = values
    return out.tobytes()


def _tensor(t):
    kind = F32 if t['float'] else U8
    return struct.pack('<BBHHHIf', kind, t['zero'], t['height'], t['divisor'], 0, t['channels'],
                       t['scale'])


def _node(n, at, size):
    residual = NO_RESIDUAL if n['residual'] is None else n['residual']
    record = struct.pack('<HHIII8H', n['op'], int(n['relu']), n['input'], n['output'], residual,
                         *n['kernel'], *n['stride'], *n['pad_y'], n['pad_x'], 0)
    return record + struct.pack('<QQ32s16x', at, size, n['name'].encode('ascii'))


def meta_text(meta):
    """Section META of {key: value}."""
    return ''.join(f'{k}={v}\n' for k, v in meta.items()).encode()


def symbol_strings(alphabet):
    """The symbols as section ALPH has them."""
    return b''.join(c.encode() + b'\0' for c in alphabet)


def _sections(meta, names, tensors, nodes):
    data, records = b'', b''
    for n in nodes:
        pack = pack_conv if n['op'] == CONV else pack_dwconv
        chunk = (pack(n['weights']) + _padded(n['bias'], '<i4', 0) +
                 _padded(n['multiplier'], '<f4', 1))
        records += _node(n, len(data), len(chunk))
        data += chunk
    return {'META': meta_text(meta), **names,
            'TENS': b''.join(_tensor(t) for t in tensors), 'NODE': records, 'DATA': data}


def build(meta, alphabet, tensors, nodes):
    """The bytes of a model file.

    meta: {key: value}; alphabet: the symbols of classes 1, 2, ...; tensors: dicts of float, zero,
    height, divisor, channels, scale; nodes: dicts of name, op, relu, input, output, residual
    (None or a tensor), kernel, stride, pad_y (pairs), pad_x, and the arrays weights (s8), bias
    (i32), multiplier (f32).
    """
    return pack(_sections(meta, {'ALPH': b'\0' + symbol_strings(alphabet)}, tensors, nodes))


def detector(meta, maps, tensors, nodes):
    """The bytes of a detector's file; maps: the names of its output channels, the rest as for build."""
    return pack(_sections(meta, {'MAPS': symbol_strings(maps)}, tensors, nodes))


def language(meta, alphabet, table, weights, bias):
    """The bytes of a language model file.

    alphabet: its symbols; table: bytes of the rows, each of them u8 values, f32 scale, f32 offset; weights:
    f32 (width, symbols); bias: f32 (symbols).
    """
    rows = len(table) // (len(weights) + 8)
    return pack({'META': meta_text(meta), 'ALPH': symbol_strings(alphabet), 'EMBD': table,
                 'OUTP': struct.pack('<II', rows, len(weights)) + bias.astype('<f4').tobytes() +
                 weights.astype('<f4').tobytes()})


def pack(sections):
    """The bytes of a file of {name: content}."""
    table, body = b'', b''
    start = round_up(64 + 32 * len(sections), ALIGN)
    for name, content in sections.items():
        table += struct.pack('<4sIQQQ', name.encode(), crc32c(content), start + len(body),
                             len(content), 0)
        body += content + bytes(-len(content) % ALIGN)
    header = struct.pack('<8sHHIQII28x', b'PLATENM\n', 1, 0, 64, start + len(body),
                         len(sections), 0)
    header += struct.pack('<I', crc32c(header + table))
    return header + table + bytes(start - 64 - len(table)) + body
