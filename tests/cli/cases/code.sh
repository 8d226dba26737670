# SPDX-License-Identifier: BSD-2-Clause
# Program text keeps its rows and indents, and nothing of it is escaped.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
page="$SOURCE/tests/data/pages/program.png"
"$PLATEN" -f md "$page"
"$PLATEN" "$page"
"$PLATEN" -f html -o page.html "$page"
sed -n '/<pre>/,/<\/pre>/p' page.html
