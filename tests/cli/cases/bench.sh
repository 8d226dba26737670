# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
"$PLATEN" bench kernels invert_u8 | grep -v ' [sanv][a-z0-9]* .*[0-9]\.[0-9][0-9]$'
"$PLATEN" bench kernels --json hist_u8 >json
python3 - <<'PY'
import json
d = json.load(open("json"))
scalar = [r for r in d if r["isa"] == "scalar"]
assert [r["size"] for r in scalar] == ["L2", "page"] and all(r["speedup"] == 1 for r in scalar)
assert all(r["ns"] > 0 and r["kernel"] == "hist_u8" for r in d)
PY
exits 2 "$PLATEN" bench
exits 2 "$PLATEN" bench kernels gray_rbg
