# SPDX-License-Identifier: BSD-2-Clause
# --device: the same bytes on every device, and the processor in the place of one that is not there.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
lines=$SOURCE/tests/data/lines # short ones: a device that is a processor takes a second for 200 pixels
"$PLATEN" -q -f ndjson "$lines"/0[34]*.png >processor

# no driver, or no Vulkan at all
for device in gpu gpu:0 gpu:999; do
    VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent \
        "$PLATEN" --device $device -f ndjson "$lines"/0[34]*.png 2>said | cmp - processor
    grep -c '^platen: no graphics processor: .*; the processor takes its place$' said
done
VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent \
    "$PLATEN" --device auto -f ndjson "$lines"/0[34]*.png 2>said | cmp - processor
grep -c graphics said || true
"$PLATEN" --device gpu:x "$lines/01-clean-serif.png" || echo "exit $?"
"$PLATEN" --device tpu "$lines/01-clean-serif.png" || echo "exit $?"

"$PLATEN" detect-features --json >features
why=$(python3 -c 'import json; print(json.load(open("features"))["devices"].get("none", ""))')
[ -z "$why" ] || skip "no device of Vulkan: $why"
for threads in 1 3; do
    "$PLATEN" -v -j$threads --sandbox auto --device gpu:0 -f ndjson "$lines"/0[34]*.png 2>said | cmp - processor
    name=$(python3 -c 'import json; print(json.load(open("features"))["devices"]["gpu:0"]["name"])')
    grep -cxF "platen: device: $name" said
    grep -c "takes its place" said || true
done
# a network that finds lines
"$PLATEN" -q -p 'gray | regions' -f json "$lines/03-screen.png" >processor
"$PLATEN" -q -p 'gray | regions' --device gpu:0 -f json "$lines/03-screen.png" | cmp - processor
echo "the same bytes"
