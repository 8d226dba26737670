# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
model=$SOURCE/models/eng.platen
[ -f "$model" ] || skip "no model in the tree"
"$PLATEN" model verify "$model" | sed "s|$SOURCE/||"
"$PLATEN" model info eng | head -n 1 | cut -c1-4 >/dev/null
head -c 1000 "$model" >cut.platen
exits 1 "$PLATEN" model verify cut.platen nosuch.platen "$model" >out 2>err
wc -l <err | tr -d ' '
grep -c ': ok$' out
