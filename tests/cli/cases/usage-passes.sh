# SPDX-License-Identifier: BSD-2-Clause
# Lists of passes.
. "$CASES/_lib.sh"
needs_model_tools
exits 1 "$PLATEN" model import --passes=fold,nosuch m.onnx -o m.platen 2>&1
exits 2 "$PLATEN" model info --passes=fold m.onnx 2>&1
[ ! -e m.platen ]
