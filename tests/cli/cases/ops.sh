# SPDX-License-Identifier: BSD-2-Clause
# Text and JSON list the same operations, each with its parameters.
"$PLATEN" ops >text
"$PLATEN" ops --json >json
python3 - <<'PY'
import json
text = open("text").read()
d = json.load(open("json"))
stages = {}
for op in d["operations"]:
    stages.setdefault(op["stage"], []).append(op["name"])
    assert f"\n  {op['name']} " in text, op
    for p in op["params"]:
        assert f"    {p['name']}=" in text and p["help"] in text, p
        if p["kind"] in ("number", "int"):
            assert p["default"] == "auto" or p["min"] <= p["default"] <= p["max"], p
        if p["kind"] == "choice":
            assert p["default"] in p["choices"], p
print(sorted(stages))
for p in d["presets"]:
    print("@" + p["name"])
PY
"$PLATEN" ops sauvola | head -n 1 | cut -c1-10
"$PLATEN" ops nosuch || true
"$PLATEN" ops deskw || true
