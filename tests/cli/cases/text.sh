# SPDX-License-Identifier: BSD-2-Clause
# The pages that the project made are read: their words come out.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
sample_pages in
"$PLATEN" -o out in/*
for f in out/*.txt; do
    [ "$(wc -w <"$f")" -ge 10 ] || echo "$f: few words"
done
# in one stream the pages are parted by form feeds
n=$(ls in | wc -l)
[ "$("$PLATEN" in/* | tr -cd '\f' | wc -c)" = $((n - 1)) ] || echo "form feeds"
