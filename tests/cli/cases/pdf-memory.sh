# SPDX-License-Identifier: BSD-2-Clause
# A stream that unpacks to more than its decoder may have is not called damaged: the limit is told, and what lifts it.
. "$CASES/_lib.sh"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
pgm a.pgm 20 10
case $("$PLATEN" --sandbox require -p gray -f pnm -o b.pgm a.pgm 2>&1) in
*"this build has a sanitizer"*) skip "a sanitizer's addresses are not bounded" ;;
esac
python3 - <<'PY'
import zlib
show = b"72 0 0 72 0 0 cm /I Do"
def stream(head, data):
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (head, len(data), data)
def write(name, content, image):
    out, places = b"%PDF-1.4\n", []
    for i, b in enumerate([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 72 72]>>",
                           b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>", content, image]):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (i + 1, b)
    xref = b"".join(b"%010d 00000 n \n" % p for p in places)
    open(name, "wb").write(out + b"xref\n0 6\n0000000000 65535 f \n%strailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (xref, len(out)))
head = b"/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8"
blanks = zlib.compress(b" " * (100 << 20))
write("content.pdf", stream(b"/Filter/FlateDecode", zlib.compress(show + b" " * (100 << 20))), stream(head, b"1234"))
write("image.pdf", stream(b"", show), stream(head + b"/Filter[/FlateDecode/FlateDecode]", zlib.compress(blanks)))
PY
exits 1 "$PLATEN" -q --pdf-renderer off -p gray -f pnm -o out/ content.pdf image.pdf
exits 0 "$PLATEN" -q --isolate=off --pdf-renderer off -p gray -f pnm -o out/ content.pdf image.pdf && echo "read without the limit"
