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
    print(f"{name:12} {kind[5]:5} {kind[7]:>2} bit {kind[8]:5}", "untouched" if os.path.exists(part) and open(part, "rb").read() in open(pdf, "rb").read()
          else "in fewer bytes" if length < os.path.getsize("in/" + name) else "in more bytes", "differs by", seen, ghost)
PY
"$python" check.py
