# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
mkdir in
cp "$SOURCE/samples/pages/photo.jpg" "$SOURCE/samples/pages/receipt.png" in/
blank in/blank.pgm 300 200
cp in/receipt.png "in/<b>&\".png"
"$PLATEN" -p 'gray,gauss:sigma=3' -f png -o in/soft.png in/receipt.png # so that some words are in doubt
"$PLATEN" -f html -o all.html in
"$PLATEN" -f ndjson -o all.ndjson in
python3 - <<'PY'
import base64, json
from html.parser import HTMLParser
class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.text, self.pictures, self.headings, self.marks, self.kinds, self.links = [], [], [], [], [], [], 0
    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "img":
            kind, data = attrs["src"].split(",", 1)
            self.pictures.append((kind, base64.b64decode(data, validate=True)))
        elif tag not in ("meta", "input"):
            self.open.append(tag)
        kind = attrs.get("class", "").partition("block ")[2]
        if tag == "g" and kind:
            self.kinds.append(kind)
        elif tag == "g":
            self.marks.append(attrs.get("class"))
        self.links += tag in ("script", "link") or "href" in attrs
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
    def handle_data(self, data):
        if self.open and self.open[-1] == "text":
            self.text.append(data)
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)
p = Page()
p.feed(open("all.html").read())
assert not p.open, p.open
print(p.headings, "links:", p.links)
for (kind, data), name in zip(p.pictures, p.headings):
    print(kind, data == open(name, "rb").read())
blocks = [b for line in open("all.ndjson") for b in json.loads(line)["blocks"]]
words = [w for b in blocks for l in b["lines"] for w in l["words"]]
print("words as in json:", p.text == [w["text"] for w in words])
want = ["bad" if w["conf"] < .7 else "low" if w["conf"] < .9 else None for w in words]
print("doubt as in json:", p.marks == want, "bad" in want or "low" in want)
want = [b["kind"] for b in blocks if any(l["words"] for l in b["lines"])]
print("kinds as in json:", p.kinds == want, "heading" in want)
PY
