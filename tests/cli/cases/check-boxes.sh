# SPDX-License-Identifier: BSD-2-Clause
# Check boxes close to letters are boxes, and the letters are read.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" "$SOURCE/tests/data/forms/check-boxes.png"
