# SPDX-License-Identifier: BSD-2-Clause
"""Writer of language model files; their law is platen-model(5)."""
import struct

ALIGN = 64


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


def small(c):
    """The small letter of a code point, as pl_small_letter() has it."""
    s = chr(c).lower()
    known = c < 0x180 or 0x218 <= c <= 0x21b or 0x370 <= c < 0x530 or 0x1ea0 <= c < 0x1f00
    return ord(s) if known and len(s) == 1 else c


def is_letter(c):
    """Whether a code point is one of those that these files take for letters."""
    return 97 <= c <= 122 or 65 <= c <= 90 or (0xc0 <= c < 0x2000 and c not in (0xd7, 0xf7))


def round_up(n, step):
    return -(-n // step) * step


def meta_text(meta):
    """Section META of {key: value}."""
    return ''.join(f'{k}={v}\n' for k, v in meta.items()).encode()


def symbol_strings(alphabet):
    """The symbols as section ALPH has them."""
    return b''.join(c.encode() + b'\0' for c in alphabet)


def scored(names, table, weights, bias):
    """The sections that give names scores by the sum of rows of a table.

    table: bytes of the rows, each of them u8 values, f32 scale, f32 offset; weights: f32 (width, names); bias: f32
    (names).
    """
    rows = len(table) // (len(weights) + 8)
    return {'ALPH': symbol_strings(names), 'EMBD': table,
            'OUTP': struct.pack('<II', rows, len(weights)) + bias.astype('<f4').tobytes() + weights.astype('<f4').tobytes()}


def language(meta, alphabet, table, weights, bias, words=b''):
    """A language model of these symbols, with the words of an automaton (words.py) where there are some."""
    return pack(1, {'META': meta_text(meta), **scored(alphabet, table, weights, bias), **({'WORD': words} if words else {})})


def identifier(meta, languages, table, weights, bias):
    """What tells these languages apart."""
    return pack(3, {'META': meta_text(meta), **scored(languages, table, weights, bias)})


def pack(version, sections):
    """The bytes of a file of {name: content}."""
    table, body = b'', b''
    start = round_up(64 + 32 * len(sections), ALIGN)
    for name, content in sections.items():
        table += struct.pack('<4sIQQQ', name.encode(), crc32c(content), start + len(body),
                             len(content), 0)
        body += content + bytes(-len(content) % ALIGN)
    header = struct.pack('<8sHHIQII28x', b'PLATENM\n', version, 0, 64, start + len(body),
                         len(sections), 0)
    header += struct.pack('<I', crc32c(header + table))
    return header + table + bytes(start - 64 - len(table)) + body


def sections(data):
    """{name: content} of a file."""
    count, = struct.unpack_from('<I', data, 24)
    records = [struct.unpack_from('<4sIQQQ', data, 64 + 32 * i) for i in range(count)]
    return {name.decode(): data[start:start + size] for name, _, start, size, _ in records}
