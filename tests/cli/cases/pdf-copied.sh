# SPDX-License-Identifier: BSD-2-Clause
# A page of a PDF whose picture is the page stands in a new PDF with the bytes that came, where no operation changes it; else with the same pixels.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
python=$(command -v /usr/bin/python3 || command -v python3) # which has what the system installs
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
"$PLATEN" detect-features | grep -q "libtiff *[0-9]" || skip "built without libtiff"
"$PLATEN" detect-features | grep -q "openjpeg *[0-9]" || skip "built without openjpeg"
cat >make.py <<'PY'
# Pages of a PDF, each with its name in its label; the bytes that are to come out again go to NAME.part.
import base64, hashlib, io, os, struct
from PIL import Image
source = os.environ["SOURCE"]
page = Image.open(source + "/samples/pages/receipt.png").convert("L").crop((0, 0, 304, 208))
other = page.transpose(Image.FLIP_LEFT_RIGHT)
color = Image.merge("RGB", (page, other, page.point(lambda v: 255 - v)))
objects, kids, labels = [b"<</Type/Catalog/Pages 2 0 R/PageLabels 3 0 R>>", b"", b""], [], []
def add(b):
    objects.append(b)
    return b"%d 0 R" % len(objects)
def stream(head, data):
    return add(b"<<%s/Length %d>>stream\n%s\nendstream" % (head, len(data), data))
def image(entries, data, size=(304, 208)):
    return stream(b"/Type/XObject/Subtype/Image/Width %d/Height %d%s" % (*size, entries), data)
def put(name, entries, data, part=None, more=b"", size=(304, 208), content=b"304 0 0 208 0 0 cm /I Do"):
    box = more if b"/MediaBox" in more else b"/MediaBox[0 0 304 208]" + more
    kids.append(add(b"<</Type/Page/Parent 2 0 R%s/Resources<</XObject<</I %s>>>>/Contents %s>>" % (box, image(entries, data, size), stream(b"", content))))
    labels.append(b"%d<</P(%s)>>" % (len(labels), name.encode()))
    if part is not None:
        open(name + ".part", "wb").write(part)
def file(im, kind, **options):
    f = io.BytesIO()
    im.save(f, kind, **options)
    return f.getvalue()
gray, rgb, inks = file(page, "jpeg"), file(color, "jpeg"), file(color.convert("CMYK"), "jpeg")
dct = b"/BitsPerComponent 8/Filter/DCTDecode/ColorSpace"
put("gray", dct + b"/DeviceGray", gray, gray)
put("color", dct + b"/DeviceRGB", rgb, rgb)
put("turned", dct + b"/DeviceRGB", rgb, rgb, b"/Rotate 90")
put("mirrored", dct + b"/DeviceRGB", rgb, rgb, content=b"-304 0 0 208 304 0 cm /I Do")
put("inverted", dct + b"/DeviceGray/Decode[1 0]", file(page.point(lambda v: 255 - v), "jpeg"), file(page.point(lambda v: 255 - v), "jpeg"))
put("ascii", b"/BitsPerComponent 8/Filter[/ASCII85Decode/DCTDecode]/ColorSpace/DeviceRGB", base64.a85encode(rgb) + b"~>", rgb)
put("rgb-as-it-is", dct + b"/DeviceRGB/DecodeParms<</ColorTransform 1>>", rgb, rgb)
put("inks", dct + b"/DeviceCMYK/Decode[1 0 1 0 1 0 1 0]", inks, inks)
jp2 = file(color, "jpeg2000")
put("jp2", b"/Filter/JPXDecode", jp2, jp2)
ink = page.point(lambda v: 255 * (v > 128)).convert("1")
tiff = Image.open(io.BytesIO(file(ink, "tiff", compression="group4", tiffinfo={278: 208})))
raw = file(ink, "tiff", compression="group4", tiffinfo={278: 208})
strip = raw[tiff.tag_v2[273][0]:][:tiff.tag_v2[279][0]] # 1 is black there, unless it is told
fax = b"/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 304/Rows 208%s>>%s"
black = b"/BlackIs1 true" if tiff.tag_v2[262] == 1 else b""
put("fax", fax % (black, b"/ColorSpace/DeviceGray"), strip, strip)
put("fax-turned-around", fax % (b"" if black else b"/BlackIs1 true", b"/ColorSpace/DeviceGray/Decode[1 0]"), strip, strip)
put("fax-of-a-palette", fax % (b"" if black else b"/BlackIs1 true", b"/ColorSpace[/Indexed/DeviceRGB 1<ffffff000000>]"), strip, strip)
put("fax-stencil", fax % (black, b"/ImageMask true"), strip, strip)
def group3(name, ink):
    raw = file(ink, "tiff", compression="group3", tiffinfo={278: 208})
    tags = Image.open(io.BytesIO(raw)).tag_v2
    strip = raw[tags[273][0]:][:tags[279][0]]
    put(name, b"/BitsPerComponent 1/Filter/CCITTFaxDecode/ColorSpace/DeviceGray/DecodeParms<</K 0/EndOfLine true/Columns 304/Rows 208%s>>" % (b"/BlackIs1 true" if tags[262] == 1 else b""), strip, strip)
group3("fax-3-of-dots", Image.frombytes("1", (304, 208), b"".join(hashlib.sha256(b"%d" % i).digest() for i in range(247))))
group3("fax-3-of-text", ink) # shorter as group 4
def parted(data):
    """What is a dictionary behind the segment of the page, and all others."""
    shared, own, at = b"", b"", 0
    while at < len(data):
        n_refs = data[at + 5] >> 5
        length, = struct.unpack(">I", data[at + 7 + n_refs:at + 11 + n_refs])
        segment = data[at:at + 11 + n_refs + length]
        shared, own = (shared + segment, own) if data[at + 4] in (0, 16, 53) else (shared, own + segment)
        at += len(segment)
    return shared, own
data = source + "/tests/data/jbig2/text-0"
shared, own = parted(open(data + ".jb2", "rb").read())
size = tuple(int(v) for v in open(data + ".pbm", "rb").read(20).split()[1:3])
parms = b"/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode/DecodeParms<</JBIG2Globals %s>>" % stream(b"", shared)
for name in ("jbig2", "jbig2-again"):
    put(name, parms, own, own, b"/MediaBox[0 0 %d %d]" % size, size, b"%d 0 0 %d 0 0 cm /I Do" % size)
open("shared.part", "wb").write(shared)
# what is not carried: the pixels are packed
put("masked", dct + b"/DeviceRGB/SMask " + image(dct + b"/DeviceGray", gray), rgb)
put("key", dct + b"/DeviceGray/Mask[0 0]", gray)
put("tint", dct + b"[/Separation/Black/DeviceGray<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>]", file(page.point(lambda v: 255 - v), "jpeg"))
put("other-size", dct + b"/DeviceGray", gray, size=(304, 200))
put("other-colors", dct + b"/DeviceGray", rgb)
put("half-decode", dct + b"/DeviceGray/Decode[0 0.5]", gray)
put("cut", dct + b"/DeviceGray", gray, more=b"/MediaBox[0 0 200 208]")
put("twice", dct + b"/DeviceGray", gray, content=b"q 304 0 0 104 0 0 cm /I Do Q 304 0 0 104 0 104 cm /I Do")
objects[1] = b"<</Type/Pages/Kids[%s]/Count %d>>" % (b" ".join(kids), len(kids))
objects[2] = b"<</Nums[%s]>>" % b" ".join(labels)
out, places = b"%PDF-1.5\n", []
for i, b in enumerate(objects):
    places.append(len(out))
    out += b"%d 0 obj\n%s\nendobj\n" % (i + 1, b)
xref = b"".join(b"%010d 00000 n \n" % p for p in places)
open("in.pdf", "wb").write(out + b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, xref, len(objects) + 1, len(out)))
open("names", "w").write("\n".join(l.split(b"(")[1].split(b")")[0].decode() for l in labels))
color.save("photo.png")
PY
"$python" make.py
cat >check.py <<'PY'
# Says of each page whether the bytes came, and of one that did whether readers render it in another way than the document that came.
import json, os, shutil, subprocess, sys
from PIL import Image, ImageChops
pdf, compare, names = sys.argv[1], "compare" in sys.argv, open("names").read().split("\n")
subprocess.run(["qpdf", "--check", pdf], check=True, capture_output=True)
listed = {int(l.split()[0]): l.split() for l in subprocess.run(["pdfimages", "-list", pdf], capture_output=True, check=True).stdout.decode().splitlines()[2:]}
pages = json.loads(subprocess.check_output(["qpdf", "--json", "--json-key=pages", pdf]))["pages"]
def render(of, page, by):
    if by == "gs":
        subprocess.run(["gs", "-q", "-r72", "-sDEVICE=ppmraw", f"-sPageList={page}", "-o", "page.ppm", of], check=True, capture_output=True)
    else:
        subprocess.run(["pdftoppm", "-r", "72", "-f", str(page), "-l", str(page), "-singlefile", of, "page"], check=True)
    return Image.open("page.ppm").convert("RGB")
def looks_other(page, name, by):
    if not shutil.which(by) or (by == "pdftoppm" and name == "fax-stencil"): # poppler smooths stencils in another way than pictures
        return False
    a, b = render("in.pdf", page, by), render(pdf, page, by)
    return a.size != b.size or max(hi for lo, hi in ImageChops.difference(a, b).getextrema()) > 3
for page, name in enumerate(names, 1):
    stream = subprocess.check_output(["qpdf", "--show-object=" + pages[page - 1]["images"][0]["object"].split()[0], "--raw-stream-data", pdf])
    came = os.path.exists(name + ".part") and open(name + ".part", "rb").read() == stream
    print(f"{name:18} {listed[page][5]:5} {listed[page][8]:6}", "as it came" if came else "packed",
          *("and looks other by " + by for by in ("pdftoppm", "gs") if came and compare and looks_other(page, name, by)))
print("streams that pictures share:", open(pdf, "rb").read().count(open("shared.part", "rb").read()))
PY
"$PLATEN" -q --join -p 'gray | lines | ctc' -f pdf -o joined/ in.pdf photo.png
"$python" check.py joined/all.pdf compare
"$PLATEN" -q -j7 --join -p 'gray | lines | ctc' -f pdf -o joined-7/ in.pdf photo.png && cmp joined/all.pdf joined-7/all.pdf
echo "of an archive:"
"$PLATEN" -q --pdfa -p 'gray | lines | ctc' -f pdf -o archive.pdf in.pdf
"$python" check.py archive.pdf
echo "of clean pages, in grey:"
"$PLATEN" -q --clean-pdf -p 'gray | lines | ctc' -f pdf -o clean.pdf in.pdf
"$python" check.py clean.pdf
"$PLATEN" -q --clean-pdf -p 'gray,invert:mode=always | lines | ctc' -f pdf -o clean.pdf in.pdf
"$python" check.py clean.pdf | grep "^gray "
