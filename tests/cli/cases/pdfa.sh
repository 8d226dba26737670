# SPDX-License-Identifier: BSD-2-Clause
# PDF/A-2b: what ISO 19005-2 asks of the objects that platen writes, looked at one by one.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
mkdir in
cp "$SOURCE"/samples/pages/photo.jpg "$SOURCE"/samples/pages/receipt.png "$SOURCE"/samples/pages/fax.png in
"$PLATEN" -q --pdfa -f pdf -o a.pdf in
"$PLATEN" -q -j7 --pdfa -f pdf in | cmp - a.pdf
qpdf --check a.pdf >check || cat check
if command -v gs >/dev/null; then gs -q -o /dev/null -sDEVICE=nullpage a.pdf 2>&1; fi
if command -v mutool >/dev/null; then mutool info a.pdf 2>&1 | grep -i "error\|warn" || :; fi
cat >check.py <<'PY'
import json, re, struct, subprocess, sys
import xml.etree.ElementTree as ET
name = sys.argv[1]
raw = open(name, "rb").read()
qdf = json.loads(subprocess.check_output(["qpdf", "--json", "--json-stream-data=inline", "--decode-level=none", name]))["qpdf"][1]
trailer = qdf["trailer"]["value"]
get = lambda v: qdf["obj:" + v].get("value", qdf["obj:" + v].get("stream", {}).get("dict")) if isinstance(v, str) and re.fullmatch(r"\d+ 0 R", v) else v
data = lambda ref: subprocess.check_output(["qpdf", "--show-object=" + ref.split()[0], "--filtered-stream-data", name])
def must(what, ok):
    if not ok:
        print("NOT:", what)
# 6.1: the file
must("a head of two lines, the second of bytes above 127", re.match(rb"%PDF-1\.[0-7]\n%[\x80-\xff]{4}\n", raw))
must("nothing behind the end", raw.endswith(b"%%EOF\n"))
must("two identifiers", len(trailer["/ID"]) == 2 and len(set(trailer["/ID"])) == 1)
must("no encryption", "/Encrypt" not in trailer)
for ref, o in qdf.items():
    if ref != "trailer" and "stream" in o:
        must("filters without LZW and Crypt in " + ref, "LZW" not in str(o["stream"]["dict"]) and "Crypt" not in str(o["stream"]["dict"]))
        must("no outside file in " + ref, not {"/F", "/FFilter", "/FDecodeParms"} & set(o["stream"]["dict"]))
# 6.1.4 to 6.1.9, 6.1.13: how objects, streams, strings and numbers stand in the file
must("a table of objects with entries of 20 bytes", re.search(rb"\nxref\n0 (\d+)\n(?:\d{10} \d{5} [nf] \n)+trailer\n", raw))
heads = [(m.start(), m.end()) for m in re.finditer(rb"(?<=\n)\d+ 0 obj\n", raw)]
must("each object once", len(heads) == len(qdf) - 1)
for start, at in heads:
    m = re.compile(rb"<<.*? ?/Length (\d+) >>\nstream\n", re.S).match(raw, at)
    m = None if m and b"\nendobj\n" in raw[at:m.end()] else m # of another object
    behind = m.end() + int(m[1]) if m else raw.index(b"\nendobj\n", at)
    must("an object that ends a line at byte %d" % start, raw.startswith(b"\nendstream\nendobj\n" if m else b"\nendobj\n", behind))
    plain = raw[at:m.end() if m else behind]
    must("whole strings at byte %d" % start, all(len(s) % 2 == 0 and len(s) <= 65534 for s in re.findall(rb"(?<!<)<([0-9a-fA-F]*)>", plain)))
    must("names and numbers in their limits at byte %d" % start, all(len(s) <= 127 for s in re.findall(rb"/([^\s/<>()\[\]]*)", plain)) and
         all(abs(float(v)) <= 2 ** 31 - 1 for v in re.findall(rb"[ \[](-?\d+(?:\.\d+)?)", plain)))
# 6.2: colours
catalog = get(trailer["/Root"])
intents = [get(i) for i in catalog["/OutputIntents"]]
must("one intent of PDF/A", len(intents) == 1 and intents[0]["/S"] == "/GTS_PDFA1")
profile = data(intents[0]["/DestOutputProfile"])
size, version, kind, space, pcs, magic = struct.unpack_from(">I4xI4s4s4s12x4s", profile)
must("a profile of its size, for RGB", size == len(profile) and version >> 24 <= 4 and (kind, space, pcs, magic) == (b"mntr", b"RGB ", b"XYZ ", b"acsp"))
tags = {profile[at:at + 4]: struct.unpack_from(">II", profile, at + 4) for at in range(132, 132 + 12 * struct.unpack_from(">I", profile, 128)[0], 12)}
must("what a profile of a display has", set(tags) == {b"desc", b"cprt", b"wtpt", b"chad", b"rXYZ", b"gXYZ", b"bXYZ", b"rTRC", b"gTRC", b"bTRC"})
must("tags at places of 4 in it", all(at % 4 == 0 and at >= 132 + 12 * len(tags) and at + n <= size for at, n in tags.values()))
fixed = lambda tag, n: [v / 65536 for v in struct.unpack_from(">%di" % n, profile, tags[tag][0] + 8)]
white = [sum(v) for v in zip(*(fixed(t, 3) for t in (b"rXYZ", b"gXYZ", b"bXYZ")))]
must("white that is the sum of the colours", all(abs(a - b) < 2e-4 for a, b in zip(white, fixed(b"wtpt", 3))))
g, a, b, c, d = struct.unpack_from(">5i", profile, tags[b"rTRC"][0] + 12)
must("the curve of sRGB", abs((a / 65536 * .5 + b / 65536) ** (g / 65536) - 0.21404) < 1e-4 and abs(c / 65536 * 12.92 - 1) < 1e-3)
# 6.2.2, 6.1.13: contents
for page in (get(r) for r in get(catalog["/Pages"])["/Kids"]):
    content, depth = data(page["/Contents"]), 0
    for word in re.findall(rb"(?:^|\s)([qQ]|BDC|EMC|Tr|gs|sh|Do)(?=\s|$)", content):
        depth += (word == b"q") - (word == b"Q")
        must("states that nest at most 28 deep", 0 <= depth <= 28)
        must("no state of graphics and no shading", word not in (b"gs", b"sh"))
    must("invisible text", b"3 Tr" in content and content.count(b"BDC") == content.count(b"EMC"))
# 6.2.8 to 6.2.11: pictures, fonts
images = [o["stream"]["dict"] for k, o in qdf.items() if k != "trailer" and "stream" in o and o["stream"]["dict"].get("/Subtype") == "/Image"]
must("pictures in grey or RGB, as they are", len(images) == 3 and all(i["/ColorSpace"] in ("/DeviceGray", "/DeviceRGB") and not {"/Alternates", "/OPI", "/SMask", "/Interpolate"} & set(i) for i in images))
fonts = [o["value"] for k, o in qdf.items() if k != "trailer" and isinstance(o.get("value"), dict) and o["value"].get("/Type") == "/Font"]
for f in fonts:
    if f["/Subtype"] == "/Type0":
        below = get(f["/DescendantFonts"][0])
        descriptor = get(below["/FontDescriptor"])
        must("a font with Unicode, a map to glyphs and its file", "/ToUnicode" in f and f["/Encoding"] == "/Identity-H" and "/CIDToGIDMap" in below and "/FontFile2" in descriptor)
        font, to_glyph = data(descriptor["/FontFile2"]), data(below["/CIDToGIDMap"])
        tables = {font[at:at + 4]: struct.unpack_from(">II", font, at + 8) for at in range(12, 12 + 16 * struct.unpack_from(">H", font, 4)[0], 16)}
        widths, = struct.unpack_from(">H", font, tables[b"hmtx"][0])
        em, = struct.unpack_from(">H", font, tables[b"head"][0] + 18)
        must("widths as in the file", widths * 1000 == below["/DW"] * em)
        must("no character without a glyph", set(to_glyph) == {0, 1} and to_glyph.count(1) == len(to_glyph) // 2)
# 6.6: metadata
metadata = get(catalog["/Metadata"])
must("metadata that are not packed", metadata["/Type"] == "/Metadata" and metadata["/Subtype"] == "/XML" and "/Filter" not in metadata)
xml = data(catalog["/Metadata"])
must("a packet without bytes and encoding", re.match(rb'<\?xpacket begin="\xef\xbb\xbf" id="W5M0MpCehiHzreSzNTczkc9d"\?>', xml) and b'<?xpacket end="' in xml)
tree = {e.tag: e.text for e in ET.fromstring(xml).iter()}
pdfa = "{http://www.aiim.org/pdfa/ns/id/}"
must("part 2, level B", (tree[pdfa + "part"], tree[pdfa + "conformance"]) == ("2", "B"))
must("the same producer in both places", "u:" + tree["{http://ns.adobe.com/pdf/1.3/}Producer"] == get(trailer["/Info"])["/Producer"])
# 6.1.13, 6.3, 6.4, 6.5: pages
must("no actions, forms or layers", not {"/OpenAction", "/AA", "/AcroForm", "/OCProperties", "/Names"} & set(catalog))
for page in (get(r) for r in get(catalog["/Pages"])["/Kids"]):
    box = page["/MediaBox"]
    must("pages of 3 to 14400 points without notes, actions and groups", all(3 <= box[i + 2] - box[i] <= 14400 for i in (0, 1)) and not {"/Annots", "/AA", "/Group"} & set(page))
print(name, "checked:", len(images), "pictures,", len(fonts), "fonts")
PY
python3 check.py a.pdf
"$PLATEN" -q --pdfa --page-size A3 --margins 10 -f pdf -o sheets.pdf in && python3 check.py sheets.pdf
python3 -c 'print("the JPEG is untouched:", open("in/photo.jpg", "rb").read() in open("a.pdf", "rb").read())'
pdftotext -l 1 a.pdf - | wc -w
pdftotext -l 1 a.pdf - >a.txt && "$PLATEN" -q -f pdf in >plain.pdf && pdftotext -l 1 plain.pdf - | cmp - a.txt && echo "the same words"
grep -a -c "GTS_PDFA1\|/ID " plain.pdf || :
"$PLATEN" -q --pdfa --clean-pdf -p 'gray,binarize | lines | ctc' -f pdf -o clean.pdf in && python3 check.py clean.pdf
"$PLATEN" -q --pdfa --join -f pdf -o joined/ in && cmp joined/all.pdf a.pdf
"$PLATEN" -q --pdfa -f pdf -o again.pdf plain.pdf && python3 check.py again.pdf
exits 2 "$PLATEN" -q --pdfa --pdf-text skip -f pdf -o no.pdf plain.pdf
