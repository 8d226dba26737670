# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
export PLATEN_MODELS=$PWD/none:$PWD
cd . && exits 2 "$PLATEN" --model nosuch a.pgm 2>&1 | sed "s|$PWD|HERE|g; s|, /.*|, ...)|"
"$PLATEN" --model nosuch a.pgm 2>&1 | grep -F /../ || echo plain names
echo rubbish >bad.platen
exits 2 "$PLATEN" --model bad a.pgm 2>&1 | sed "s|$PWD|HERE|g; s/neither a platen model file nor an ONNX model/not a platen model file/"
exits 2 "$PLATEN" --model ./nosuch.platen a.pgm 2>&1
# a pipeline that does not recognize needs no model
pgm a.pgm 9 9
"$PLATEN" -p gray -f pnm -o a.pnm --model nosuch a.pgm
