# SPDX-License-Identifier: BSD-2-Clause
# A statement of account whose dates and amounts stand in the middle of entries of two and three rows of text is one
# table; frames side by side are read one after the other, the lower ones beside a higher one with it.
. "$CASES/_lib.sh"
"$PLATEN" -q -f csv "$SOURCE/tests/data/pages/statement.png" | tr -d '\r'
"$PLATEN" -q -f txt "$SOURCE/tests/data/pages/framed.png"
