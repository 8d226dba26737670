# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
for spec in '' 'gray,deskw' 'gray | lnes' 'gray,sauvola:k=2' 'gray,invert:often' 'gray|lines|ctc|ctc' '@recept' '@document,deskew' '@clean | lines' \
    'gray, gray, gray, gray, gray, gray, gray, gray, gray, gray, gray, gray, gray, gray, grey, gray'; do
    exits 2 "$PLATEN" -p "$spec" nosuch.png
done
echo '{"preprocess": ["gray", {"op": "sauvola", "kk": 1}]}' >p.json
exits 2 "$PLATEN" --pipeline-file p.json nosuch.png
printf '{"preprocess":\n ["gray",]}' >p.json
exits 2 "$PLATEN" --pipeline-file p.json nosuch.png
head -c 70000 /dev/zero | tr '\0' ' ' >p.json
exits 2 "$PLATEN" --pipeline-file p.json nosuch.png
