# SPDX-License-Identifier: BSD-2-Clause
# Several models: the script of each line decides, and who reads it does not depend on how the work is shared.
. "$CASES/_lib.sh"
scripts=$SOURCE/tests/data/scripts
export PLATEN_MODELS="$SOURCE/models"
"$PLATEN" -q -f txt "$scripts/mixed.png" >mixed.txt
grep -q 'The ferry to Varna leaves at nine.' mixed.txt
grep -q 'Варна' mixed.txt
grep -q 'Κρατήστε' mixed.txt

# the longest of the unsure lines tell that the page is Cyrillic; on such a page a line is read anew
# that looked sure in Latin letters
"$PLATEN" -q -f txt "$scripts/short.png" | cmp - "$scripts/short.gt.txt"

# and there a few Cyrillic letters are enough in a line of Latin ones
"$PLATEN" -q -f txt "$scripts/terms.png" | cmp - "$scripts/terms.gt.txt"

# nor do Latin names in every line hide it: they stay as the first model read them, as do codes
"$PLATEN" -q -f txt "$scripts/names.png" | cmp - "$scripts/names.gt.txt"
# tags FILE...: the languages of a page and of its lines
tags() {
    "$PLATEN" -q -f json "$@" | python3 -c '
import json, sys
page = json.load(sys.stdin)
print(page.get("lang"), *[line.get("lang") for block in page["blocks"] for line in block["lines"]])'
}
[ "$(tags "$scripts/names.png")" = 'uk None None None None' ]

# the words that were read with doubt tell it where all words together do not
"$PLATEN" -q -f txt "$scripts/one.png" | grep -qx 'Договор с фирмой International Business Machines расторгнут'

# lines in two of its scripts are told apart, and one that looked sure in Latin letters is read anew
"$PLATEN" -q -f txt "$scripts/two.png" | grep . | cmp - "$scripts/two.gt.txt"
[ "$(tags "$scripts/two.png")" = 'ru None None None el el' ]

# a language that nobody taught is not told as its neighbour: hardly a word is one of that
[ "$(tags "$scripts/mongolian.png" | cut -d' ' -f1)" = None ]

# of a page of which hardly anything is trusted no scraps are kept
[ -z "$("$PLATEN" -q -f txt "$scripts/hebrew.png")" ]

# a few words tell their script, where a language of it has them and none in Latin letters does
"$PLATEN" -q -f txt "$scripts/station.png" | grep . | cmp - "$scripts/station.gt.txt"
"$PLATEN" -q -f txt "$scripts/motel.png" | grep . | cmp - "$scripts/motel.gt.txt"

# text too little to tell is in the first language of --lang
"$PLATEN" -q --lang ru -f txt "$scripts/signs.png" | cmp - "$scripts/signs.gt.txt"
"$PLATEN" -q --lang ru -f txt "$scripts/motel.png" | grep -q '^ТЕМА'
"$PLATEN" -q --lang en+ru -f txt "$scripts/motel.png" | grep -q '^TEMA'
[ "$("$PLATEN" -q --lang ru -f txt "$SOURCE/samples/pages/form.png")" = "$("$PLATEN" -q -f txt "$SOURCE/samples/pages/form.png")" ]

# letters that few languages have
"$PLATEN" -q -f txt "$scripts/serbian.png" | cmp - "$scripts/serbian.gt.txt"

# lines that a further model reads tell their language, where that is not their page's
"$PLATEN" -q -f json "$scripts/mixed.png" | python3 -c '
import json, sys
page = json.load(sys.stdin)
lines = [line for block in page["blocks"] for line in block["lines"]]
assert page["lang"] == "en" and [line.get("lang") for line in lines] == [None, "bg", None, "el", None], lines'

# --model names them, and one alone reads its own script
"$PLATEN" -q --model eng,cyrillic-greek -f txt "$scripts/mixed.png" | cmp - mixed.txt
"$PLATEN" -q --model "$SOURCE/models/eng.platen,cyrillic-greek" -f txt "$scripts/mixed.png" | cmp - mixed.txt
"$PLATEN" -q --model eng -f txt "$scripts/mixed.png" >latin.txt
! grep -q 'Варна\|Κρατήστε' latin.txt
"$PLATEN" -q --chars a-zA-Z. -f txt "$scripts/mixed.png" >chars.txt
! grep -q 'Варна\|Κρατήστε' chars.txt
code=0
"$PLATEN" --model eng,klingon "$scripts/mixed.png" 2>err || code=$?
[ $code = 2 ]
grep -q "no model 'klingon'" err

# lines in a language that a further model tells are what that reads, not those of a page in English
tr ' ' '\n' <"$scripts/vietnamese.gt.txt" >words.txt
# wrong OPTION...: how many of the 41 words of a page in Vietnamese are not read right
wrong() { "$PLATEN" -q -f txt "$@" "$scripts/vietnamese.png" | tr ' ' '\n' | diff - words.txt | grep -c '^>'; }
[ "$(wrong)" -le 1 ]
[ "$(wrong --model eng,latin)" -le 1 ]
tail -n 3 "$scripts/vietnamese.gt.txt" >last.txt
"$PLATEN" -q -f txt "$scripts/vietnamese.png" | tail -n 3 | cmp - last.txt
[ "$(wrong --model eng --lm off)" -gt "$(wrong --lm off)" ] # the networks alone: language models mend much
# strips OPTION... FILE: how many strips of lines the networks of a run have read
strips() { "$PLATEN" -q --stats=json "$@" 2>&1 >out.txt | sed 's/.*"calls": [0-9]*, "lines": \([0-9]*\).*/\1/'; }
form=$SOURCE/samples/pages/form.png
[ "$(strips --model eng "$form")" = "$(strips --model eng,latin "$form")" ]
unsure=$SOURCE/tests/data/pages/show-through.png
[ "$(strips --model eng "$unsure")" = "$(strips --model eng,latin "$unsure")" ]
[ "$(strips --model eng "$form")" = "$(strips "$form")" ] # no line looks like one of another script
[ "$(strips "$form")" = "$(strips --model eng,cyrillic-greek "$form")" ]
[ "$(strips --model eng,latin "$scripts/vietnamese.png")" = 12 ] # four lines, by each of three networks
"$PLATEN" -q -f json "$scripts/german.png" | grep -q '"lang": "de"'
[ "$(strips --model eng "$scripts/german.png")" = "$(strips "$scripts/german.png")" ] # lines that are sure stay

# the same bytes, and pages of one script are none of its business
"$PLATEN" -q -j 1 -f json -o want/ "$scripts"
for j in 2 7; do
    "$PLATEN" -q -j $j -f json -o got/ "$scripts"
    diff -r -x .platen-journal want got
    rm -r got
done
"$PLATEN" -q -f json -o want.json "$SOURCE/samples/pages/letter.png"
"$PLATEN" -q --model eng -f json "$SOURCE/samples/pages/letter.png" | cmp - want.json
# a script that none of them reads is told by its name, and nothing of it is read
"$PLATEN" -f txt "$scripts/hebrew.png" 2>&1 | grep -c 'Hebrew letters, which the model does not read'
