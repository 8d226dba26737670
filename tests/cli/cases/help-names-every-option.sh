# SPDX-License-Identifier: BSD-2-Clause
# Every option and command of the one list is in `platen help`, which fits a terminal, and in the manual.
sed -n 's/^PL_OPTION([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$SOURCE/cli/options.def" >names
[ $(wc -l <names) -gt 15 ]
for c in run ops detect-features model bench serve; do "$PLATEN" help $c; done >help
cat "$SOURCE/man/platen.1" "$SOURCE/man/platen-serve.1" >manual
while read -r name; do
    grep -q -e "--$name" help || echo "help lacks --$name"
    grep -q -e "^\.It Fl -$name\|^\.It Fl . , -$name" manual || echo "the manual lacks --$name"
done <names
"$PLATEN" help >help
for c in run ops detect-features model bench merge serve help; do
    "$PLATEN" help $c | awk -v c=$c 'length > 80 { print "help " c " is wider than a terminal: " $0 }'
done
for c in ops detect-features model bench serve help; do
    grep -q "^  $c " help || echo "help lacks $c"
    grep -q "^\.It Cm $c" "$SOURCE/man/platen.1" || echo "platen.1 lacks $c"
done
sed -n '/^Formats/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' help | while read -r f; do
    grep -q "^\.It.*\<$f\>" "$SOURCE/man/platen.1" || echo "platen.1 lacks format $f"
done
