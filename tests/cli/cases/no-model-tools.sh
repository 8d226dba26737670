# SPDX-License-Identifier: BSD-2-Clause
# A build without model tools says so where it is asked for them, and reads its own files.
. "$CASES/_lib.sh"
"$PLATEN" detect-features | grep -q "model_tools *no" || skip "model tools"
corpus=$SOURCE/tests/fuzz/corpus
cp "$corpus/onnx/conv.onnx" x.onnx
cp "$corpus/network/conv.platen" "$corpus/network/grid.platen" .
exits 1 "$PLATEN" model import x.onnx -o y.platen 2>&1
exits 1 "$PLATEN" model run conv.platen a.npy -o b.npy 2>&1
exits 1 "$PLATEN" model verify --onnx-test . 2>&1
exits 1 "$PLATEN" model verify conv.platen --against x.onnx --inputs a.npy 2>&1
exits 1 "$PLATEN" model info x.onnx 2>&1
exits 1 "$PLATEN" model verify grid.platen 2>&1
"$PLATEN" model verify conv.platen
"$PLATEN" model info --plan 1x1x8x8 conv.platen | tail -1
