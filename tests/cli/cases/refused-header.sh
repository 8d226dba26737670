# SPDX-License-Identifier: BSD-2-Clause
# A page that its process refuses before there is memory for it takes no place at the gate, and gives none back: the
# pages that stand beside it in one batch, and all behind them, are read.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
mkdir in
for i in 1 3 4 5 6; do
    cp "$SOURCE/tests/data/lines/01-clean-serif.png" in/$i.png
done
python3 - in/2.pdf <<'PY'
import sys
form = b"/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 4 0 R >> >>" # it runs itself
objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
           b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /F 4 0 R >> >> >>",
           b"<< " + form + b" /Length 5 >>\nstream\n/F Do\nendstream"]
with open(sys.argv[1], "wb") as f:
    f.write(b"%PDF-1.4\n")
    at = []
    for i, body in enumerate(objects):
        at.append(f.tell())
        f.write(b"%d 0 obj\n%s\nendobj\n" % (i + 1, body))
    xref = f.tell()
    f.write(b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % a for a in at))
    f.write(b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % xref)
PY
for threads in 1 3; do
    exits 1 timeout -k 1 $((30 * ${TIMES:-1})) "$PLATEN" -j $threads -p @line -f ndjson in >out
    grep -c '"status":"ok"' out
done
