# SPDX-License-Identifier: BSD-2-Clause
# What shows through from the other side of the sheet is no text of the page, and is named as unread.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" "$SOURCE/tests/data/pages/show-through.png" 2>warnings
sed 's/.*: //' warnings
"$PLATEN" -q -f json "$SOURCE/tests/data/pages/show-through.png" >page.json
python3 -c "import json; print(len(json.load(open('page.json'))['leftover']['unread_boxes']), 'lines are unread')"
