# SPDX-License-Identifier: BSD-2-Clause
# Letters that are in no line, since they are far larger than the text, are told, with their place.
. "$CASES/_lib.sh"
python3 - <<'PY'
page = bytearray(b"\377" * (1300 * 620))


def stroke(x0, y0, x1, y1):
    for y in range(y0, y1):
        page[y * 1300 + x0:y * 1300 + x1] = bytes(x1 - x0)


def letter(x, foot, height):
    """An L."""
    stroke(x, foot - height, x + height // 6, foot)
    stroke(x, foot - height // 6, x + height * 2 // 3, foot)


for i in range(4):
    letter(60 + 290 * i, 400, 340)
for row in range(2):
    for i in range(30):
        letter(60 + 20 * i + 16 * (i // 6), 500 + 50 * row, 20)
open("sale.pgm", "wb").write(b"P5\n1300 620\n255\n" + page)
PY
"$PLATEN" -p 'gray | lines' -f json -o sale.json sale.pgm
python3 -c "import json; print(json.load(open('sale.json'))['leftover'])"
