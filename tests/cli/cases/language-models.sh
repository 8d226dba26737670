# SPDX-License-Identifier: BSD-2-Clause
# Language models of other languages: opened at the first page that needs one, and never in silence when they cannot be.
# The line has a Polish name, which `latin` reads.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/de.lm.platen" ] || skip "no model in the tree"
german=$SOURCE/tests/data/lines/13-accents.png
english=$SOURCE/tests/data/lines/01-clean-serif.png
mkdir own in
for model in eng eng.lm eng.lang latin de.lm; do cp "$SOURCE/models/$model.platen" own/; done
export PLATEN_MODELS="$PWD/own"
"$PLATEN" -q -p @line --lang deu -f txt "$german"
for i in 1 2 3 4 5 6 7 8; do ln -s "$german" in/$i.png; done
"$PLATEN" -q -j 1 -p @line --lang de+eng -f json -o want/ in
for j in 2 7; do
    "$PLATEN" -q -j $j -p @line --lang de+eng -f json -o got/ in
    diff -r -x .platen-journal want got
    rm -r got
done

# the journal knows it, no output takes its place, and one that is damaged stops the pages that need it alone
again() { "$PLATEN" -q --stats=json --resume -p @line --lang de -f txt -o out/ "$german" 2>&1 |
    sed 's/.*"skipped": \([01]\).*/passed over: \1/'; }
again
again
cp "$SOURCE/models/eng.lm.platen" own/de.lm.platen
again
exits 2 "$PLATEN" -p @line --lang de -f txt -o own/de.lm.platen "$german" 2>&1 | sed "s|$PWD/||"
printf x | dd of=own/de.lm.platen bs=1 seek=5000 conv=notrunc 2>dd.err
exits 1 "$PLATEN" -q -p @line --lang de "$german" 2>&1 | sed "s|$SOURCE/||; s|$PWD/||"
"$PLATEN" -q -p @line "$english"
exits 2 "$PLATEN" --lang klingon "$english" 2>&1
exits 2 "$PLATEN" -p gray --lang de "$english" 2>&1
