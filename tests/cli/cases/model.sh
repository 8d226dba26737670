# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
model=$SOURCE/models/eng.platen
[ -f "$model" ] || skip "no model in the tree"
"$PLATEN" model verify "$model" | sed "s|$SOURCE/||"
"$PLATEN" model info eng | head -n 1 | cut -c1-4 >/dev/null
export PLATEN_MODELS=$SOURCE/models
exits 1 "$PLATEN" model verify eng 2>&1
exits 1 "$PLATEN" model info --plan 1x1x40x80 eng 2>&1 | tail -n 1
exits 1 "$PLATEN" model run eng a.npy -o b.npy 2>&1 | tail -n 1
head -c 1000 "$model" >cut.platen
exits 1 "$PLATEN" model verify cut.platen nosuch.platen "$model" >out 2>err
wc -l <err | tr -d ' '
grep -c ': ok$' out
