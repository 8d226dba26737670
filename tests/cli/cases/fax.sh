# SPDX-License-Identifier: BSD-2-Clause
# A fax of 200 dpi across and 98 down is read as well as the page that was sent.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" -q -p 'gray,resize:width=1654:height=1146,otsu' -f png -o fax.png "$SOURCE/samples/pages/letter.png"
"$PLATEN" -q "$SOURCE/samples/pages/letter.png" | tr -s ' \n' '\n' | LC_ALL=C sort -u >want
"$PLATEN" -q fax.png | tr -s ' \n' '\n' | LC_ALL=C sort -u >got
[ $(($(LC_ALL=C comm -12 want got | wc -l) * 100)) -ge $(($(wc -l <want) * 95)) ] && echo "95 % of its words"
# boxes and the size are those of the fax
"$PLATEN" -q -f json fax.png | grep -E '"(width|height)": (1654|1146),'
