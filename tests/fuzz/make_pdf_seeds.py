# SPDX-License-Identifier: BSD-2-Clause
"""Writes the seeds of fuzz_pdf into corpus/pdf.

    make_pdf_seeds.py
"""
import os
import zlib

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus", "pdf")
RAMP = bytes(range(0, 80, 10))
BITS = bytes([0x60, 0x90])


def stream(number, data, entries=""):
    return b"%d 0 obj<<%s/Length %d>>stream\n%s\nendstream endobj\n" % (number, entries.encode(), len(data), data)


def image(number, data, bits, entries, width=4, height=2):
    return stream(number, data, "/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent %d%s"
                  % (width, height, bits, entries))


def document(content, *objects, entries="", pages=1, catalog=""):
    kids = " ".join("%d 0 R" % (20 + i) for i in range(pages))
    out = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R" + catalog.encode() + b">>endobj\n"
    out += ("2 0 obj<</Type/Pages/Kids[%s]/Count %d/MediaBox[0 0 72 36]/Resources<</XObject<</A 10 0 R/B 11 0 R>>/Properties<</P 12 0 R>>>>>>endobj\n"
            % (kids, pages)).encode()
    for i in range(pages):
        out += ("%d 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R%s>>endobj\n" % (20 + i, entries)).encode()
    out += stream(4, content.encode()) + b"".join(objects) + b"trailer<</Root 1 0 R>>\n%%EOF\n"
    return out


WHOLE = "q 72 0 0 36 0 0 cm /A Do Q"
FLATE = "/Filter/FlateDecode"
SEEDS = {
    "gray": document(WHOLE, image(10, RAMP, 8, "/ColorSpace/DeviceGray"), entries="/Rotate 90"),
    "two-pages": document(WHOLE, image(10, RAMP, 8, "/ColorSpace/DeviceGray"), pages=2),
    "mask": document("72 0 0 36 0 0 cm /A Do 0.2 g /B Do", image(10, RAMP, 8, "/ColorSpace/DeviceGray"),
                     image(11, BITS, 1, "/ImageMask true")),
    "strips": document("q 72 0 0 18 0 18 cm /A Do Q q 72 0 0 18 0 0 cm /B Do Q",
                       image(10, RAMP[:4], 8, "/ColorSpace/DeviceGray", height=1),
                       image(11, RAMP[4:], 8, "/ColorSpace/DeviceGray", height=1)),
    "indexed": document(WHOLE, image(10, BITS, 1, "/ColorSpace[/Indexed/DeviceRGB 1<102030ffffff>]")),
    "cmyk": document(WHOLE, image(10, RAMP, 8, "/ColorSpace/DeviceCMYK", width=2, height=1)),
    "predictor": document(WHOLE, image(10, zlib.compress(bytes([1, 0, 10, 10, 10, 2, 40, 40, 40, 40])), 8,
                                       FLATE + "/DecodeParms<</Predictor 15/Columns 4>>/ColorSpace/DeviceGray")),
    "chain": document(WHOLE, image(10, b"000a141e28323c46>", 8, "/Filter[/ASCIIHexDecode]/ColorSpace/DeviceGray")),
    "fax": document(WHOLE, image(10, bytes.fromhex("c0040040"), 1,
                                 "/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 4/Rows 2>>/ColorSpace/DeviceGray")),
    "form": document("/A Do", stream(10, b"/B Do", "/Subtype/Form/Matrix[72 0 0 36 0 0]"),
                     image(11, RAMP, 8, "/ColorSpace/DeviceGray")),
    "layers": document("/OC /P BDC " + WHOLE + " EMC " + WHOLE.replace("/A", "/B"),
                       image(10, RAMP, 8, "/ColorSpace/DeviceGray"),
                       image(11, RAMP, 8, "/ColorSpace/DeviceGray/OC<</Type/OCMD/VE[/Not[/And 12 0 R 13 0 R]]/OCGs[12 0 R 13 0 R]/P/AllOff>>"),
                       b"12 0 obj<</Type/OCG>>endobj\n13 0 obj<</Type/OCG>>endobj\n",
                       catalog="/OCProperties<</D<</BaseState/OFF/ON[13 0 R]>>>>"),
    "clip": document("0 0 m 54 0 l 54 36 l W n 9 9 50 20 re W* n 70 3 -2 33 1 1 cm /A Do",
                     image(10, RAMP, 8, "/ColorSpace/DeviceGray/Decode[.9 .1]"),
                     entries="/Annots[<</Subtype/Stamp/AP<</N 4 0 R>>>>]"),
    "seen": document("/G gs 9 0 m 9 9 40 9 60 0 c 1 2 3 4 v h W n q 72 0 0 36 0 0 cm BT 7 Tr (x) Tj ET /A Do Q",
                     image(10, RAMP, 8, "/ColorSpace/DeviceGray"),
                     entries="/Resources<</XObject<</A 10 0 R>>/ExtGState<</G<</ca .5/SMask<</S/Alpha>>>>>>>>"
                             "/Annots[<</Subtype/Widget/AS/On/AP<</N<</On 4 0 R>>>>>>]"),
    "tint": document(WHOLE, image(10, RAMP, 8, "/ColorSpace[/Indexed[/Separation/X/DeviceRGB<</FunctionType 2/N 1/C0[1 1 0]/C1[0 0 1]>>]9"
                                                "(abcdefghij)]/Decode[9 0]")),
    "bare-fax": document(WHOLE, image(10, bytes.fromhex("1d0e80"), 1, "/Filter/CCITTFaxDecode/DecodeParms<</Columns 2>>"
                                                                      "/ColorSpace[/Indexed/DeviceGray 1<c863>]", width=2)),
    "text": document(WHOLE + " BT 3 Tr (hidden \\( text) Tj ET", image(10, RAMP, 8, "/ColorSpace/DeviceGray")),
}

os.makedirs(HERE, exist_ok=True)
for name, data in SEEDS.items():
    with open(os.path.join(HERE, name + ".pdf"), "wb") as f:
        f.write(data)
