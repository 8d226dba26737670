# SPDX-License-Identifier: BSD-2-Clause
# Pages that lie on their side or on their head are read like those that stand; --orient says how to turn.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
needs_samples
read_page() { # NAME [OPTION...]: what of the tree tells the turn, and the text
    file=$1
    shift
    "$PLATEN" -q -f json,txt -o out "$@" "$file"
    tr -d ' ,"' <"out/$(basename "$file" .png).json" | grep -E '^(turn|upright)'
}
for name in letter receipt form; do
    for turn in 90 180 270; do
        mkdir -p $turn
        "$PLATEN" -q -p "rotate:$turn" -f png -o "$turn/$name.png" "$SOURCE/samples/pages/$name.png"
        echo "$name turned by $turn:" $(read_page "$turn/$name.png")
        mv "out/$name.txt" "$turn.txt"
    done
    echo "$name:" $(read_page "$SOURCE/samples/pages/$name.png")
    for turn in 90 180 270; do
        cmp -s "out/$name.txt" "$turn.txt" || echo "another text from $turn degrees"
    done
done
"$PLATEN" -q -p 'crop:x=1060:y=272:width=440:height=42' -f png -o line/ "$SOURCE/samples/pages/letter.png"
for turn in 0 90 180 270; do
    "$PLATEN" -q -p "rotate:$turn" -f png -o line-$turn/ line/letter.png
    echo "one line turned by $turn:" $(read_page line-$turn/letter.png) $(cat out/letter.txt)
done
echo "as asked:" $(read_page 180/letter.png --orient 180) $(read_page 180/letter.png --orient=0)
exits 2 "$PLATEN" --orient 45 180/letter.png
exits 2 "$PLATEN" --orient 90 -p @none 180/letter.png
