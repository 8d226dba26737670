# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
"$PLATEN" bench kernels invert_u8 | grep -v ' [sanv][a-z0-9]* .*[0-9]\.[0-9][0-9]$'
"$PLATEN" bench kernels --json hist_u8 >kernels
"$PLATEN" bench memory --json >memory
pgm page.pgm 300 200
pgm other.pgm 200 300
"$PLATEN" bench threads --json page.pgm other.pgm >threads
"$PLATEN" bench batching --json page.pgm other.pgm >batching
"$PLATEN" bench models --json eng >models
python3 - <<'PY'
import json

def ways(subject):
    rows = json.load(open(subject))
    assert all(r["time"] > 0 and r["speedup"] > 0 for r in rows), rows
    assert rows[0]["speedup"] == 1
    return rows, [r["way"] for r in rows]

rows, _ = ways("kernels")
scalar = [r for r in rows if r["way"] == "scalar"]
assert [r["data"] for r in scalar] == ["L2", "page"] and all(r["speedup"] == 1 for r in scalar)
assert all(r["subject"] == "hist_u8" and r["unit"] == "ns/element" for r in rows)
by_hand = ["by_hand" in r for r in rows if r["way"] != "scalar"]  # with the option plain_kernels
assert len(set(by_hand)) <= 1 and not any("by_hand" in r for r in scalar), rows
assert ways("memory")[1] == ["malloc", "pool"] * 3
rows, names = ways("threads")
assert names[0] == "-j1" and rows[0]["data"] == "2 pages", rows
assert ways("batching")[1] == ["--batch-max %d" % n for n in (1, 4, 16, 64)]
assert ways("models")[1] == ["read", "mapped"]
PY
exits 2 "$PLATEN" bench
exits 2 "$PLATEN" bench quux
exits 2 "$PLATEN" bench kernels gray_rbg
exits 2 "$PLATEN" bench memory 3
exits 2 "$PLATEN" bench threads
exits 2 "$PLATEN" bench threads page.pgm none.pgm
exits 1 "$PLATEN" bench models ./page.pgm
