# SPDX-License-Identifier: BSD-2-Clause
# Two columns of justified text with rows of three words, far apart, are read one after the other, and are no table.
. "$CASES/_lib.sh"
"$PLATEN" -q -f txt "$SOURCE/tests/data/pages/stretched.png" | tr -s '\n' ' '
echo
"$PLATEN" -q -f json "$SOURCE/tests/data/pages/stretched.png" | grep -c '"kind": "table"' || true
