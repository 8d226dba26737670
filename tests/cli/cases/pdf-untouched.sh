# SPDX-License-Identifier: BSD-2-Clause
# A scan stands in its PDF as its file has it, byte for byte where PDF knows the form, and else with the same pixels.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
python=$(command -v /usr/bin/python3 || command -v python3) # which has what the system installs
"$PLATEN" detect-features | grep -q "libtiff *[0-9]" || skip "built without libtiff"
"$PLATEN" detect-features | grep -q "openjpeg *[0-9]" || skip "built without openjpeg"
cat >scans.py <<'PY'
# Pictures of one page, stored in every way that stands in a PDF; what of each file is to be found there goes to *.part.
import os, struct, sys
from PIL import Image, TiffImagePlugin
page = Image.open(os.environ["SOURCE"] + "/samples/pages/receipt.png").convert("L").crop((0, 0, 301, 203))
ink = page.point(lambda v: 255 * (v > 128)).convert("1")
color = Image.merge("RGB", (page, page.point(lambda v: 255 - v), page.transpose(Image.FLIP_LEFT_RIGHT)))
def part(name, data): open(name + ".part", "wb").write(data)
def tiff(name, strip, *fields):
    entries = {256: 301, 257: 203, 258: 1, 259: 4, 262: 0, 273: 8, 277: 1, 278: 203, 279: len(strip), **dict(fields)}
    head = struct.pack("<2sHI", b"II", 42, 8 + len(strip) + len(strip) % 2)
    body = b"".join(struct.pack("<HHII", t, 4 if t in (273, 279) else 3, 1, v) for t, v in sorted(entries.items()))
    open(name, "wb").write(head + strip + b"\0" * (len(strip) % 2) + struct.pack("<H", len(entries)) + body + b"\0" * 4)
ink.save("any.tif", compression="group4", tiffinfo={278: 203})
fields, data = Image.open("any.tif").tag_v2, open("any.tif", "rb").read()
strip = data[fields[273][0]:][:fields[279][0]]
mirrored = bytes(int(f"{b:08b}"[::-1], 2) for b in strip)
tiff("fax.tif", strip); part("fax.tif", strip)
tiff("inverse.tif", strip, (262, 1)); part("inverse.tif", strip)
tiff("lowbit.tif", mirrored, (266, 2)); part("lowbit.tif", strip)
tiff("turned.tif", strip, (274, 6)); part("turned.tif", strip)
TiffImagePlugin.STRIP_SIZE = 700
ink.save("strips.tif", compression="group4")
assert len(Image.open("strips.tif").tag_v2[273]) > 1
ink.save("group3.tif", compression="group3")
def chunks(name):
    d, at, out = open(name, "rb").read(), 8, b""
    while at < len(d):
        n = int.from_bytes(d[at:at + 4], "big")
        out += d[at + 8:at + 8 + n] if d[at + 4:at + 8] == b"IDAT" else b""
        at += n + 12
    return out
for name, im in {"gray": page, "color": color, "palette": color.quantize(16)}.items():
    im.save(name + ".png", optimize=True)
    part(name + ".png", chunks(name + ".png"))
ink.save("ink.png")
alpha = color.copy(); alpha.putalpha(page.point(lambda v: v // 2)); alpha.save("alpha.png")
page.point(lambda v: v * (v >= 100)).save("key.png", transparency=0)
for name, im in {"gray": page, "color": color}.items():
    im.save(name + ".jp2"); part(name + ".jp2", open(name + ".jp2", "rb").read())
    im.save(name + ".j2k"); part(name + ".j2k", open(name + ".j2k", "rb").read())
    im.save(name + ".jpg"); part(name + ".jpg", open(name + ".jpg", "rb").read())
# JPEG in TIFF: strips of so many rows, whose tables stand apart; the marks of a JPEG are (marker, at, behind)
def marks(d):
    at, out = 2, []
    while d[at + 1] != 0xda:
        n = 2 + int.from_bytes(d[at + 2:at + 4], "big"); out.append((d[at + 1], at, at + n)); at += n
    return out, at + 2 + int.from_bytes(d[at + 2:at + 4], "big")
def jpeg_tiff(name, im, rows, photometric, apart=True, transform=None, **options):
    import io
    strips, data, tables = [], [], b"\xff\xd8"
    for y in range(0, im.height, rows):
        f = io.BytesIO(); im.crop((0, y, im.width, min(y + rows, im.height))).save(f, "jpeg", **options)
        d = f.getvalue(); found, scan = marks(d)
        shared = b"".join(d[a:b] for m, a, b in found if m in (0xdb, 0xc4))
        rest = b"".join(d[a:b] for m, a, b in found if m not in (0xdb, 0xc4, 0xe0))
        tables = b"\xff\xd8" + shared + b"\xff\xd9"
        strips.append(b"\xff\xd8" + (b"" if apart else shared) + rest + d[found[-1][2]:])
        data.append(d[scan:-2])
    samples, at, blob = len(im.getbands()), [], b""
    for s in strips + [tables, struct.pack("<3H", 8, 8, 8)]:
        at.append(8 + len(blob)); blob += s + b"\0" * (len(s) % 2)
    lists = [struct.pack("<%dI" % len(strips), *v) for v in (at[:len(strips)], [len(s) for s in strips])]
    for l in lists: at.append(8 + len(blob)); blob += l
    n = len(strips)
    entries = {256: (4, 1, im.width), 257: (4, 1, im.height), 258: (3, samples, at[n + 1] if samples == 3 else 8), 259: (3, 1, 7),
               262: (3, 1, photometric), 273: (4, n, at[0] if n == 1 else at[n + 2]), 277: (3, 1, samples), 278: (4, 1, rows),
               279: (4, n, len(strips[0]) if n == 1 else at[n + 3]), **({347: (7, len(tables), at[n])} if apart else {}),
               **({530: (3, 2, 0x10001 if options.get("subsampling") == 0 else 0x20002)} if photometric == 6 else {})}
    body = b"".join(struct.pack("<HHII", t, k, c, v) for t, (k, c, v) in sorted(entries.items()))
    open(name, "wb").write(struct.pack("<2sHI", b"II", 42, 8 + len(blob)) + blob + struct.pack("<H", len(entries)) + body + b"\0" * 4)
    part(name, b"".join(d + (b"\xff" + bytes([0xd0 + i % 8]) if i + 1 < len(data) else b"\xff\xd9") for i, d in enumerate(data)))
jpeg_tiff("one-gray-jpeg.tif", page, 203, 1)
jpeg_tiff("one-whole-jpeg.tif", color, 203, 6, apart=False)
jpeg_tiff("rgb-jpeg.tif", Image.merge("YCbCr", color.split()), 203, 2, subsampling=0) # whose samples go in as they are
jpeg_tiff("strips-gray-jpeg.tif", page, 24, 1)
jpeg_tiff("strips-jpeg.tif", color, 16, 6)
jpeg_tiff("strips-444-jpeg.tif", color, 8, 6, subsampling=0, apart=False)
jpeg_tiff("odd-strips-jpeg.tif", color, 24, 6) # 24 rows are no whole number of units of 16: its pixels are packed
os.remove("odd-strips-jpeg.tif.part")
PY
mkdir in && cd in && "$python" ../scans.py && rm any.tif && cd ..
"$PLATEN" -q -f pdf -o out in
cat >check.py <<'PY'
# The pixels that poppler takes out of the PDF, and those that Ghostscript renders, are those of the file.
import os, re, shutil, subprocess
from PIL import Image, ImageChops
def worst(a, b):
    return max(hi for lo, hi in ImageChops.difference(a, b).convert("RGB").getextrema()) if a.size == b.size else (a.size, b.size)
for name in sorted(os.listdir("in")):
    if name.endswith(".part"):
        continue
    pdf = next(p for p in ("out/" + name.rsplit(".", 1)[0] + ".pdf", "out/" + name + ".pdf") if os.path.exists(p))
    part = "in/" + name + ".part"
    turn = name == "turned.tif" # fax.tif, a quarter clockwise
    want = Image.open("in/fax.tif" if turn else "in/" + name)
    if want.mode in ("RGBA", "LA"):
        paper = Image.new("RGBA", want.size, "white"); paper.alpha_composite(want.convert("RGBA")); want = paper
    want = want.convert("RGB")
    lossy = name.endswith("jpeg.tif") # readers turn a JPEG to pixels each in its way
    subprocess.run(["pdfimages", "-png", pdf, "taken"], check=True)
    taken = Image.open("taken-000.png").convert("RGB")
    seen = worst(want, taken)
    want = want.transpose(Image.ROTATE_270) if turn else want
    ghost = 0
    if shutil.which("gs"):
        said = subprocess.run(["gs", "-q", "-r300", "-sDEVICE=ppmraw", "-o", "ghost.ppm", pdf], capture_output=True, check=True)
        ghost = worst(want, Image.open("ghost.ppm").convert("RGB").crop((0, 0) + want.size)) or (said.stdout + said.stderr).decode() or 0
    subprocess.run(["qpdf", "--check", pdf], check=True, capture_output=True)
    kind = subprocess.run(["pdfimages", "-list", pdf], capture_output=True, check=True).stdout.decode().splitlines()[2].split()
    length = int(re.search(rb"/Subtype /Image [^\n]*/Length (\d+) >>", open(pdf, "rb").read())[1])
    if lossy: # chroma is smoothed over the rows of a strip, or over those of all
        seen, ghost = (v if v > 32 else "little" for v in (seen, ghost))
    print(f"{name:12} {kind[5]:5} {kind[7]:>2} bit {kind[8]:5}", "untouched" if os.path.exists(part) and open(part, "rb").read() in open(pdf, "rb").read()
          else "in fewer bytes" if length < os.path.getsize("in/" + name) else "in more bytes", "differs by", seen, ghost)
PY
"$python" check.py
