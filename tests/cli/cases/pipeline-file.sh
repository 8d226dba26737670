# SPDX-License-Identifier: BSD-2-Clause
# The JSON form, the text form and -p say the same.
. "$CASES/_lib.sh"
pgm a.pgm 40 30
echo '{"preprocess": ["gray", {"op": "invert", "mode": "always"}]}' >p.json
echo 'gray, invert:always' >p.txt
"$PLATEN" -f pnm --pipeline-file p.json -o json.pgm a.pgm
"$PLATEN" -f pnm --pipeline-file p.txt -o text.pgm a.pgm
"$PLATEN" -f pnm -p gray,invert:mode=always -o p.pgm a.pgm
cmp json.pgm text.pgm
cmp json.pgm p.pgm
