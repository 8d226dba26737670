# SPDX-License-Identifier: BSD-2-Clause
# JBIG2 in a PDF: a page for each stream of the unit test, with the first segments of some apart, as globals.
. "$CASES/_lib.sh"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
python3 - "$SOURCE/tests/data/jbig2" <<'PY'
import glob, os, re, struct, sys
streams = sorted(glob.glob(sys.argv[1] + "/*.jb2"))
objects, kids = [b"<</Type/Catalog/Pages 2 0 R>>", b""], []


def add(b):
    objects.append(b)
    return b"%d 0 R" % len(objects)


def stream(head, data):
    return add(b"<<%s/Length %d>>stream\n%s\nendstream" % (head, len(data), data))


def parted(data):
    """What is a dictionary or table behind the segment of the page, and all others."""
    shared, own, at = b"", b"", 0
    while at < len(data):
        n_refs = data[at + 5] >> 5
        length, = struct.unpack(">I", data[at + 7 + n_refs:at + 11 + n_refs])
        if length > len(data):
            return b"", data
        segment = data[at:at + 11 + n_refs + length]
        if data[at + 4] in (0, 16, 53):
            shared += segment
        else:
            own += segment
        at += len(segment)
    return shared, own


os.mkdir("want")
for i, path in enumerate(streams):
    with open(path, "rb") as f:
        data = f.read()
    with open(path[:-4] + ".pbm", "rb") as f:
        pbm = f.read()
    with open("want/all-%04d.pnm" % (i + 1), "wb") as f:
        f.write(pbm)
    width, height = map(int, re.match(rb"P4\s(\d+) (\d+)\s", pbm).groups())
    shared, own = parted(data) if i % 2 else (b"", data)
    globals = b"/DecodeParms<</JBIG2Globals %s>>" % stream(b"", shared) if shared else b""
    image = stream(b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode%s"
                   % (width, height, globals), own)
    content = stream(b"", b"%d 0 0 %d 0 0 cm /I Do" % (width, height))
    kids.append(add(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Resources<</XObject<</I %s>>>>/Contents %s>>" % (width, height, image, content)))
objects[1] = b"<</Type/Pages/Kids[%s]/Count %d>>" % (b" ".join(kids), len(kids))
out, places = b"%PDF-1.5\n", []
for i, b in enumerate(objects):
    places.append(len(out))
    out += b"%d 0 obj\n%s\nendobj\n" % (i + 1, b)
xref = b"".join(b"%010d 00000 n \n" % p for p in places)
with open("all.pdf", "wb") as f:
    f.write(out + b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
            % (len(objects) + 1, xref, len(objects) + 1, len(out)))
PY
"$PLATEN" -q --pdf-renderer off -p gray -f pnm -o got/ all.pdf
for page in want/*; do
    cmp "$page" "got/${page#want/}" || true
done
n=$(find want -name '*.pnm' | wc -l)
[ "$(find got -name '*.pnm' | wc -l)" -eq "$n" ] && echo "all pages"
# what is not read is told, page by page
python3 - <<'PY'
with open("all.pdf", "rb") as f:
    pdf = f.read()
at = pdf.index(b"\0\0\0\1\x26")  # a region
with open("wrong.pdf", "wb") as f:
    f.write(pdf[:at + 4] + b"\x25" + pdf[at + 5:])
PY
exits 1 "$PLATEN" -q --pdf-renderer off -p gray -f pnm -o wrong/ wrong.pdf
[ "$(find wrong -name '*.pnm' | wc -l)" -eq $((n - 1)) ] && echo "the others"
