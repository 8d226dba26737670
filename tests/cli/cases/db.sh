# SPDX-License-Identifier: BSD-2-Clause
# An imported network as the detector: from its ONNX file and from the import, and what is refused.
. "$CASES/_lib.sh"
needs_model_tools
pgm page.pgm 600 400
onnx=$SOURCE/tests/fuzz/corpus/onnx
cp "$onnx/text.onnx" .
"$PLATEN" model import text.onnx -o text.platen
"$PLATEN" -p 'gray | db:model=./text.platen:unclip=0' -f json page.pgm >a.json
"$PLATEN" -p 'gray | db:model=text.onnx:unclip=0' -f json page.pgm | cmp - a.json
grep -o '"box": *\[[^]]*\]' a.json | tail -1
exits 2 "$PLATEN" -p 'gray | db' page.pgm 2>&1
exits 2 "$PLATEN" -p 'gray | db:model=none.platen' page.pgm 2>&1
exits 2 "$PLATEN" -p 'gray | db:model=./page.pgm:score=0.5' page.pgm 2>&1
exits 2 "$PLATEN" -p 'gray | db:model=none.onnx' page.pgm 2>&1
cp "$onnx/shape.onnx" "$onnx/lstm.onnx" .
exits 2 "$PLATEN" -p 'gray | db:model=shape.onnx' page.pgm 2>&1
exits 2 "$PLATEN" -p 'gray | db:model=lstm.onnx' page.pgm 2>&1
exits 2 "$PLATEN" -p 'gray | db:model=text.onnx:std=0' page.pgm 2>&1
