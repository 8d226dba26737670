# SPDX-License-Identifier: BSD-2-Clause
# --lm, --chars, --words and --min-conf: parameters of the recognize stage.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.lm.platen" ] || skip "no model in the tree"
page=$SOURCE/samples/pages/receipt.png
line=$SOURCE/tests/data/lines/08-receipt.png

# an option says what the pipeline's parameter says
"$PLATEN" -p @line --chars '0-9.,:' --lm off "$line" >a
"$PLATEN" -p 'gray,invert:auto | line | ctc:min-conf=0:chars=0-9.\,\::lm=0' "$line" | cmp - a
grep -q '[0-9]' a && ! grep -q '[A-Za-z]' a && echo "figures only"

# a file of words, and what is wrong with one
printf 'NORTHGATE\r\n\nGrocers\n' >words
"$PLATEN" --words words "$page" | grep -c NORTHGATE
printf 'ok\nNew York\n' >two
exits 2 "$PLATEN" --words two "$page"
exits 2 "$PLATEN" --words nosuch "$page"
exits 2 "$PLATEN" --chars z-a "$page"
exits 2 "$PLATEN" --lm much "$page"
exits 2 "$PLATEN" -p gray --lm off "$page"

# without a language model beside the model, auto does without and a weight is an error
mkdir plain
cp "$SOURCE/models/eng.platen" plain
"$PLATEN" --model plain/eng.platen "$line" >b
"$PLATEN" --lm off "$line" | cmp - b
exits 2 "$PLATEN" --model plain/eng.platen --lm 0.5 "$line"
exits 2 "$PLATEN" --model "$SOURCE/models/eng.lm.platen" "$line" 2>&1 | sed "s|$SOURCE/||"
exits 2 "$PLATEN" -p "gray | regions:model=$SOURCE/models/eng.platen" "$line" 2>&1 | sed "s|$SOURCE/||"
exits 2 "$PLATEN" -p "gray | regions:model=nosuch" "$line" 2>&1 | cut -c1-27

# the same bytes for every instruction set
"$PLATEN" --words words -f json -o want.json "$page"
"$PLATEN" detect-features --json |
    python3 -c 'import json, sys; [print(k) for k, v in json.load(sys.stdin)["isa"].items() if v == "available"]' >isas
while read -r isa; do "$PLATEN" --words words --isa $isa -f json "$page" | cmp - want.json; done <isas
