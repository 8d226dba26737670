# SPDX-License-Identifier: BSD-2-Clause
# The range of every option that takes a number, as the program tells it, is in the manual.
. "$CASES/_lib.sh"
[ -x "$(dirname "$PLATEN")/platen-serve" ] || skip "no libmicrohttpd"
cat "$SOURCE/man/platen.1" "$SOURCE/man/platen-serve.1" >manual
tr '\n' ' ' <"$SOURCE/cli/options.def" | sed 's/PL_OPTION(/\n&/g' |
    sed -n 's/^PL_OPTION([A-Z_]*, "\([a-z-]*\)".*PL_RANGE.*/\1/p' >names
[ $(wc -l <names) -ge 11 ] || echo "options with a range are not found"
while read -r name; do
    { "$PLATEN" run --$name x missing.png || "$PLATEN" serve --$name x || :; } 2>message
    range=$(sed -n 's/.*must be a number.* from \([0-9]* to [0-9]*\).*/\1/p' message | sort -u)
    [ "$range" ] || echo "no range of --$name: $(cat message)"
    awk -v name="-$name" '/^\.It /{ on = 0; for (i = 3; i <= NF; i++) on = on || $i == name } on' manual |
        grep -q "\<$range\>" || echo "the manual lacks $range of --$name"
done <names
