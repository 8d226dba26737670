# SPDX-License-Identifier: BSD-2-Clause
# The times of a network in floats, halves and bytes; its files are gone afterwards.
. "$CASES/_lib.sh"
needs_model_tools
mkdir tmp
TMPDIR=$PWD/tmp "$PLATEN" bench quantizing --json "$SOURCE/tests/fuzz/corpus/onnx/text.onnx" >json
ls tmp
python3 - <<'PY'
import json
rows = json.load(open("json"))
assert [r["subject"] for r in rows] == ["making"] * 3 + ["opening"] * 3 + ["running"] * 3, rows
assert [r["way"] for r in rows] == ["float32", "float16", "int8"] * 3, rows
assert all(r["time"] > 0 and r["data"] == "text.onnx" for r in rows), rows
PY
echo none >none.onnx
TMPDIR=$PWD/tmp exits 1 "$PLATEN" bench quantizing ./none.onnx
ls tmp
TMPDIR=$PWD/none exits 1 "$PLATEN" bench quantizing "$SOURCE/tests/fuzz/corpus/onnx/text.onnx"
