# SPDX-License-Identifier: BSD-2-Clause
# A page whose letters are blurred is read, and told of; one that is a little blurred is not.
. "$CASES/_lib.sh"
[ -f "$SOURCE/samples/pages/letter.png" ] || skip "no samples"
for sigma in 2 4; do
    echo "sigma $sigma"
    "$PLATEN" -v -p "gray,gauss:sigma=$sigma,invert:auto,orient,deskew | regions | ctc" -f ndjson \
        "$SOURCE/samples/pages/letter.png" 2>warned | python3 -c '
import json, sys
print("few words" if json.loads(sys.stdin.read())["conf"] is None else "text")'
    sed -n 's/.*png.: //; s/;.*//; s/confidence of 0\.[78][0-9]:/confidence of N:/; /^the text was/p' warned
done
echo "a line by itself"
"$PLATEN" -v -p "gray,crop:x=1060:y=270:width=440:height=48,gauss:sigma=4 | line | ctc" --min-conf 0 \
    "$SOURCE/samples/pages/letter.png" 2>&1 | sed -n '/^[^p]/s/.*/read/p; /mean confidence/p'
