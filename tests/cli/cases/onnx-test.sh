# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
needs_model_tools
# a folder of two tests: one whose operator is unknown, one that is no model
mkdir -p t/a t/b
printf '\b\b:\r\n\013\022\001y"\006Foobar' >t/a/model.onnx
echo rubbish >t/b/model.onnx
exits 1 "$PLATEN" model verify --onnx-test t
exits 1 "$PLATEN" model verify --onnx-test t/a nosuch 2>&1
exits 2 "$PLATEN" model info --onnx-test t 2>&1
