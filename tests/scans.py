# SPDX-License-Identifier: BSD-2-Clause
"""PDFs made of PNG files as they are, and of objects that a test writes itself."""
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


def stream(entries, data):
    """A stream object with these entries in its dictionary."""
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data)


def picture(path):
    """Width and height in points, at 300 dpi, and the image object of a PNG."""
    width, height, bits, channels, data = png_parts(path)
    entries = (b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent %d/ColorSpace/%s/Filter/FlateDecode/DecodeParms"
               b"<</Predictor 15/Columns %d/Colors %d/BitsPerComponent %d>>"
               % (width, height, bits, b"DeviceGray" if channels == 1 else b"DeviceRGB", width, channels, bits))
    return width * 72 / 300, height * 72 / 300, stream(entries, data)


def write_objects(path, objects):
    """A PDF of objects that are numbered from 1; the first one is its catalog."""
    out, places = b"%PDF-1.5\n", []
    for i, o in enumerate(objects):
        places.append(len(out))
        out += b"%d 0 obj%s\nendobj\n" % (i + 1, o)
    at = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + b"".join(b"%010d 00000 n \n" % p for p in places)
    out += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, at)
    with open(path, "wb") as f:
        f.write(out)


def write_pdf(path, pictures):
    """A page for each picture, at 300 dpi."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>",
               b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pictures), b" ".join(b"%d 0 R" % (3 + 3 * i) for i in range(len(pictures))))]
    for i, name in enumerate(pictures):
        w, h, image = picture(name)
        objects += [b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %f %f]/Contents %d 0 R/Resources<</XObject<</I %d 0 R>>>>>>"
                    % (w, h, 4 + 3 * i, 5 + 3 * i),
                    stream(b"", b"q %f 0 0 %f 0 0 cm /I Do Q" % (w, h)), image]
    write_objects(path, objects)
