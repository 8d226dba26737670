# SPDX-License-Identifier: BSD-2-Clause
# A photograph on which the shadow of a telephone lies, where an eighth of the light is left: its words are read by
# themselves. The page without a shadow has the same text with `background` and without.
. "$CASES/_lib.sh"
needs_samples
top 1200 letter page.png && "$PLATEN" -q -p gray -f pnm -o ./ page.png
python3 - <<'PY'
head, size, top, px = open("page.pnm", "rb").read().split(b"\n", 3)
w, h = map(int, size.split())
out, seed = bytearray(w * h), 1
for y in range(h):
    for x in range(w):
        seed = (seed * 1103515245 + 12345) & 0x7fffffff
        depth = min(max(min(x - w // 4, 3 * w // 4 - x, y - h // 5) / 12 + 0.5, 0), 1)
        light = px[y * w + x] * (1 - 0.875 * depth)
        out[y * w + x] = min(max(int(light + (seed / 0x7fffffff - 0.5) * (2 + 0.6 * light ** 0.5)), 0), 255)
open("shaded.pnm", "wb").write(b"P5\n%d %d\n255\n" % (w, h) + out)
PY
words() { tr -s '\f\n ' '\n' | grep .; }
"$PLATEN" -q --no-config page.pnm | words >want
for p in @document @photo gray,square,invert:auto,orient,deskew; do
    case $p in @*) spec=$p ;; *) spec="$p | regions:else=lines | ctc" ;; esac
    "$PLATEN" -q --no-config -p "$spec" shaded.pnm | words >got
    n=$(wc -l <want) lost=$(diff want got | grep -c '^<')
    [ $((lost * 50)) -le "$n" ] && echo "$p: read" || echo "$p: a fiftieth of the words is lost, or more"
done
"$PLATEN" -q --no-config -p 'gray,square,invert:auto,orient,deskew | regions:else=lines | ctc' -f tsv page.pnm >without.tsv
"$PLATEN" -q --no-config -f tsv page.pnm | cmp - without.tsv && echo "a page without shadow is read as without background"
