# SPDX-License-Identifier: BSD-2-Clause
# Whatever changes what is read is done again: parameters of the recognize stage, models, dictionary.
. "$CASES/_lib.sh"
page=$SOURCE/tests/data/lines/07-caps.png
cp "$SOURCE/models/eng.platen" mine.platen
cp "$SOURCE/models/eng.lm.platen" mine.lm.platen
echo word >words
# again OPTION...: whether the page was passed over
again() { "$PLATEN" -q --stats=json --resume -f txt -o out/ --model ./mine.platen "$@" "$page" 2>&1 |
    sed "s/.*\"skipped\": \([01]\).*/\1 $*/"; }
again
again
again --lm off
again --lm 1
again --chars A-Z
again --chars a-zA-Z
again --words words
echo another >>words
again --words words
again --words words
again --min-conf 0.1
again -p @line
again --max-pixels 100000
rm mine.lm.platen
again
cp "$SOURCE/tests/data/model/tiny.platen" mine.platen
again
again
