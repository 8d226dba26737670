# SPDX-License-Identifier: BSD-2-Clause
"""A PDF of scans, made of PNG files as they are: the tests of this folder read it beside pictures."""
import struct
import subprocess


def reads_pdf(platen):
    """Whether the build has qpdf."""
    return b'"qpdf": "' in subprocess.run([platen, "detect-features", "--json"], capture_output=True).stdout


def png_parts(path):
    """Width, height, bits, channels and the packed rows."""
    with open(path, "rb") as f:
        png = f.read()
    at, data = 8, b""
    while at < len(png):
        n, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IHDR":
            width, height, bits, color, _, _, interlaced = struct.unpack(">IIBBBBB", png[at + 8:at + 21])
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + n]
        at += n + 12
    if color not in (0, 2) or interlaced:
        raise ValueError(f"{path}: grey or RGB rows in their order are needed")
    return width, height, bits, 1 if color == 0 else 3, data


def write_pdf(path, pictures):
    """A page for each picture, at 300 dpi."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>",
               b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pictures), b" ".join(b"%d 0 R" % (3 + 3 * i) for i in range(len(pictures))))]
    for i, picture in enumerate(pictures):
        width, height, bits, channels, data = png_parts(picture)
        w, h = width * 72 / 300, height * 72 / 300
        content = b"q %f 0 0 %f 0 0 cm /I Do Q" % (w, h)
        objects += [b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %f %f]/Contents %d 0 R/Resources<</XObject<</I %d 0 R>>>>>>"
                    % (w, h, 4 + 3 * i, 5 + 3 * i),
                    b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
                    b"<</Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent %d/ColorSpace/%s/Filter/FlateDecode/DecodeParms"
                    b"<</Predictor 15/Columns %d/Colors %d/BitsPerComponent %d>>/Length %d>>stream\n%s\nendstream"
                    % (width, height, bits, b"DeviceGray" if channels == 1 else b"DeviceRGB", width, channels, bits, len(data), data)]
    out, places = b"%PDF-1.5\n", []
    for i, o in enumerate(objects):
        places.append(len(out))
        out += b"%d 0 obj%s\nendobj\n" % (i + 1, o)
    at = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + b"".join(b"%010d 00000 n \n" % p for p in places)
    out += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, at)
    with open(path, "wb") as f:
        f.write(out)
