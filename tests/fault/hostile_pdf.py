#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Hostile PDFs: of small files that ask for much, each costs that file alone, and no process takes
more than a bound of memory and time.

    hostile_pdf.py PLATEN

Each lies in a directory beside a sound picture, which must be read; the PDF must fail with a message
or be read.
Python 3 standard library only.
"""
import os, struct, subprocess, sys, tempfile, zlib

MB = 1 << 20
MAX_MB = 300  # of each process; the cell of a PDF of some kilobytes has 64 MB beside the program
MAX_S = 60    # of processor time: enough for a loaded machine


def deflated(byte, size):
    """Megabytes of one byte: the block of one of them, as often as it takes."""
    z, data, check = zlib.compressobj(9, zlib.DEFLATED, -15), byte * MB, 1
    block = z.compress(data) + z.flush(zlib.Z_FULL_FLUSH)
    for _ in range(size // MB):
        check = zlib.adler32(data, check)
    return b'\x78\xda' + block * (size // MB) + b'\3\0' + struct.pack('>I', check)


def stream(dictionary, data):
    return b'<< %s /Length %d >>\nstream\n%s\nendstream' % (dictionary, len(data), data)


def pdf(objects, root=1):
    """A file of numbered objects, from 1."""
    out, places = bytearray(b'%PDF-1.5\n'), []
    for i, o in enumerate(objects, 1):
        places.append(len(out))
        out += b'%d 0 obj\n%s\nendobj\n' % (i, o)
    start = len(out)
    out += b'xref\n0 %d\n0000000000 65535 f \n' % (len(objects) + 1)
    out += b''.join(b'%010d 00000 n \n' % p for p in places)
    return bytes(out) + b'trailer << /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n' % (len(objects) + 1, root, start)


CATALOG = b'<< /Type /Catalog /Pages 2 0 R >>'
PAGES = b'<< /Type /Pages /Kids [3 0 R] /Count 1 >>'


def one_page(contents, *more, resources=b''):
    page = b'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << %s >> >>' % resources
    return pdf([CATALOG, PAGES, page, contents, *more])


def shows(image):
    return one_page(stream(b'', b'q 612 0 0 792 0 0 cm /I Do Q'), image, resources=b'/XObject << /I 5 0 R >>')


def image(width, height, filters, data, more=b''):
    return stream(b'/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8 /ColorSpace /DeviceGray '
                  b'/Filter %s %s' % (width, height, filters, more), data)


def compressed_objects(size):
    """Its objects stand in a stream that unpacks to `size`, named by a stream in place of a table."""
    body = deflated(b' ', size)
    out = b'%PDF-1.5\n'
    places = [len(out)]
    out += b'1 0 obj\n' + stream(b'/Type /ObjStm /N 3 /First 30 /Filter /FlateDecode', body) + b'\nendobj\n'
    start = len(out)
    rows = struct.pack('>BIH', 0, 0, 65535) + struct.pack('>BIH', 1, places[0], 0)
    rows += b''.join(struct.pack('>BIH', 2, 1, i) for i in range(3)) + struct.pack('>BIH', 1, start, 0)
    out += b'5 0 obj\n' + stream(b'/Type /XRef /Size 6 /W [1 4 2] /Root 2 0 R', rows) + b'\nendobj\n'
    return out + b'startxref\n%d\n%%%%EOF\n' % start


def jpeg(width, height):
    """The header of one, and no more."""
    frame = struct.pack('>BHHB', 8, height, width, 1) + b'\1\x11\0'
    return (b'\xff\xd8\xff\xdb\0\x43\0' + b'\1' * 64 + b'\xff\xc0' + struct.pack('>H', len(frame) + 2) + frame +
            b'\xff\xc4\0\x14\0\1' + bytes(15) + b'\0' + b'\xff\xc4\0\x14\x10\1' + bytes(15) + b'\0' +
            b'\xff\xda\0\x08\1\1\0\0\x3f\0' + bytes(1 << 16) + b'\xff\xd9')


def page_tree(pages):
    kids = b'[' + b' 3 0 R' * pages + b']'
    return pdf([CATALOG, b'<< /Type /Pages /Count %d /Kids %s >>' % (pages, kids),
                b'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>'])


def deep_tree(depth):
    nodes = [b'<< /Type /Pages /Count 1 /Kids [%d 0 R] %s >>' % (i + 3, b'/Parent %d 0 R' % (i + 1) if i else b'')
             for i in range(depth)]
    return pdf([CATALOG, *nodes, b'<< /Type /Page /Parent %d 0 R /MediaBox [0 0 612 792] >>' % (depth + 1)])


def files():
    twice = zlib.compress(deflated(b' ', 600 * MB), 9)
    yield 'objects', compressed_objects(600 * MB)
    yield 'contents', one_page(stream(b'/Filter /FlateDecode', deflated(b' ', 600 * MB)))
    yield 'contents-packed-twice', one_page(stream(b'/Filter [/FlateDecode /FlateDecode]', twice))
    yield 'image-packed-twice', shows(image(100, 100, b'[/FlateDecode /FlateDecode]', twice))
    yield 'image', shows(image(30000, 30000, b'/FlateDecode', deflated(b'\0', 900 * MB)))
    yield 'image-larger-than-told', shows(image(10, 10, b'/DCTDecode', jpeg(15000, 15000)))
    yield 'fax-parameters', shows(image(10, 10, b'/CCITTFaxDecode', bytes(1000), b'/DecodeParms << /Columns 2000000000 >>'))
    yield 'same-page', page_tree(300000)
    yield 'deep-tree', deep_tree(60000)
    yield 'deep-arrays', one_page(stream(b'', b'[' * (4 * MB)))
    yield 'deep-arrays-in-objects', pdf([CATALOG, PAGES, b'[' * MB])
    yield 'deep-dictionaries', pdf([CATALOG, PAGES, b'<</A' * MB])
    yield 'large-table', pdf([CATALOG]).replace(b'/Size 2', b'/Size 2147483647').replace(b'0 2\n', b'0 2147483647\n')
    yield 'table-of-tables', pdf([CATALOG]).replace(b'/Root', b'/Prev 9 /Root')


def run(platen, folder, options):
    """(status, seconds, kilobytes of the largest process, output, messages)."""
    code = ('import resource, subprocess, sys\n'
            'p = subprocess.run(sys.argv[1:])\n'
            'u = resource.getrusage(resource.RUSAGE_CHILDREN)\n'
            'print("usage", u.ru_utime + u.ru_stime, u.ru_maxrss, p.returncode, file=sys.stderr)\n')
    p = subprocess.run([sys.executable, '-c', code, platen, 'run', *options, folder], capture_output=True)
    messages, _, usage = p.stderr.decode(errors='replace').rpartition('usage ')
    seconds, kb, status = usage.split()
    return int(status), float(seconds), int(kb), p.stdout.decode(), messages


def main():
    platen, failed = os.path.abspath(sys.argv[1]), 0
    with tempfile.TemporaryDirectory() as tmp:
        for name, data in files():
            folder = os.path.join(tmp, name)
            os.mkdir(folder)
            with open(os.path.join(folder, 'a.pgm'), 'wb') as f:
                f.write(b'P5 20 20 255 ' + b'\xff' * 400)
            with open(os.path.join(folder, 'b.pdf'), 'wb') as f:
                f.write(data)
            status, seconds, kb, out, messages = run(platen, folder, ['-j2', '--max-mem', '100M', '-p', 'gray', '-f', 'ndjson'])
            bad = status not in (0, 1) or 'a.pgm' not in out or kb > MAX_MB * 1024 or seconds > MAX_S
            bad = bad or (status == 0 and 'b.pdf' not in out) or (status == 1 and not messages)
            failed += bad
            first = messages.strip().splitlines()[:1]
            print('%s %s, %d bytes: status %d, %.2f s, %.0f MB, %s' % (
                'FAILED' if bad else 'ok', name, len(data), status, seconds, kb / 1024,
                first[0].replace(tmp, '')[:150] if first else '%d pages' % (out.count('\n') - 1)), flush=True)
    return failed


if __name__ == '__main__':
    sys.exit(1 if main() else 0)
