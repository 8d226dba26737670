# SPDX-License-Identifier: BSD-2-Clause
# A photographed book: both pages are read one after the other, with `split` and without, and what lies around it is
# no text that was lost.
. "$CASES/_lib.sh"
needs_samples
top 1800 letter page.png && "$PLATEN" -q -p gray -f pnm -o ./ page.png
python3 - <<'PY'
head, size, top, px = open("page.pnm", "rb").read().split(b"\n", 3)
w, h = map(int, size.split())
around, fold, rows = 150, w // 16, []
ground = lambda n, y: bytes(60 + (x * 7 + y * 13) % 23 * 3 for x in range(n))
dark = [0.5 + 0.5 * i / fold for i in range(fold)]
for y in range(h):
    row = px[y * w:(y + 1) * w]
    right = bytes(int(v * d) for v, d in zip(row, dark)) + row[fold:]
    left = row[:-fold] + bytes(int(v * d) for v, d in zip(row[-fold:], dark[::-1]))
    rows.append(ground(around, y) + left + right + ground(around, y + 5))
wide = 2 * w + 2 * around
rows = [ground(wide, y) for y in range(around)] + rows + [ground(wide, y) for y in range(around)]
open("book.pnm", "wb").write(b"P5\n%d %d\n255\n" % (wide, len(rows)) + b"".join(rows))
PY
"$PLATEN" -q page.pnm >one.txt
words() { tr -s '\f\n ' '\n' | grep .; }
cat one.txt one.txt | words >want
for p in @document @photo 'gray,square,invert:auto,background,orient,split,deskew | regions:else=lines | ctc'; do
    "$PLATEN" --no-config -p "$p" book.pnm 2>log >got.txt
    words <got.txt >got
    echo "$p: $(tr -cd '\f' <got.txt | wc -c) form feeds, $(diff want got | grep -c '^[<>]') words differ"
    grep 'ink that looks like text' log || true
done
