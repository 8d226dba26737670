# SPDX-License-Identifier: BSD-2-Clause
"$PLATEN" detect-features >text
"$PLATEN" detect-features --json >json
"$PLATEN" detect-features --json --isa scalar >scalar
python3 - <<'PY'
import hashlib, json, os
d = json.load(open("json"))
text = open("text").read()
assert d["isa"][d["isa"]["chosen"]] == "available"
assert d["cores"]["threads"] >= 1 and d["cores"]["threads"] <= d["cores"]["affinity"] <= d["cores"]["online"]
assert set(json.load(open("scalar"))["kernels"].values()) == {"scalar"}
assert all(d["isa"][v] == "available" for v in d["kernels"].values())
for key in ("cpu", "caches", "page_size_bytes", "build", "libraries"):
    assert key in d and key in text
model = os.path.join(os.environ["SOURCE"], "models", "eng.platen")
if os.path.exists(model):
    data = open(model, "rb").read()
    m = d["models"][model]
    assert m["bytes"] == len(data) and m["sha256"] == hashlib.sha256(data).hexdigest()
print(len(d["kernels"]) > 10)
PY
