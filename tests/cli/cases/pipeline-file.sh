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
for p in p.json p.txt; do
    printf '\357\273\277' | cat - $p >marked
    "$PLATEN" -f pnm --pipeline-file marked -o marked.pgm a.pgm
    cmp json.pgm marked.pgm
done
cmp json.pgm p.pgm
