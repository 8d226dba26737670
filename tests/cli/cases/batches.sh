# SPDX-License-Identifier: BSD-2-Clause
# Lines of several pages share calls of the network: the same bytes whatever is shared, and nobody waits who need not.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
mkdir in
for i in 1 2; do
    for f in "$SOURCE"/tests/data/lines/*.png; do cp "$f" "in/$i-$(basename "$f")"; done
done
top 400 receipt in/1-05-page.png
echo broken >in/1-09-broken.png
pgm in/2-01-bar.pgm 60 40

"$PLATEN" -q -j1 --batch-preferred 1 -f ndjson in >alone 2>/dev/null || true
"$PLATEN" -q -j1 --batch-preferred 1 -f txt,json -o alone.d in 2>/dev/null || true
for threads in 1 2 5; do
    for most in 1 2 7 64; do
        "$PLATEN" -q -j $threads --batch-max $most --batch-preferred 64 -f ndjson in 2>/dev/null | cmp - alone
        "$PLATEN" -q -j $threads --batch-max $most -f txt,json -o some.d in 2>/dev/null || true
        diff -r some.d alone.d && rm -r some.d
    done
done
ls -d in/* | "$PLATEN" -q -j2 --target-latency-ms 1 --files-from - -f ndjson 2>/dev/null | cmp - alone
# no memory for two pictures at once
"$PLATEN" -q -j2 --max-mem 1 --stats=json -f ndjson in 2>stats | cmp - alone
# the rest of a run that was ended by a page
rm -f in/gone && "$PLATEN" -q -j1 --fail-fast -f txt,json -o some.d in 2>/dev/null || true
"$PLATEN" -q -j2 --resume -f txt,json -o some.d in 2>/dev/null || true
diff -r -x '.*' some.d alone.d

rm in/1-05-page.png in/1-09-broken.png in/2-01-bar.pgm
for options in "" "--batch-max 1" "--batch-preferred 1" "--batch-max 5 --batch-preferred 64"; do
    "$PLATEN" -q -j1 --model eng -p @line --stats=json $options -f txt in 2>&1 >/dev/null | python3 -c '
import json, sys
s = json.load(sys.stdin)
b = s["batches"]
print(sys.argv[1] or "default:", b["lines"], "lines,", b["per_call"] if b["per_call"] in (1, 5) else b["per_call"] > 1.5)' "$options"
done
python3 - <<'PY'
import json, os, signal, subprocess, sys, time
words = sorted("in/" + f for f in os.listdir("in"))
alone = {(r := json.loads(line))["path"]: r for line in open("alone")}

def start(*more):
    return subprocess.Popen([os.environ["PLATEN"], "-q", "-f", "ndjson", "--files-from", "-", *more], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

def tell(p, *names):
    p.stdin.write("".join(n + "\n" for n in names))
    p.stdin.flush()

def answer(p):
    r = json.loads(p.stdout.readline())
    return r == alone.get(r["path"], r) and r["path"]

# who waits for each answer gets it without another name
for threads in "-j1", "-j3":
    p = start(threads)
    asked = words[:5]
    for name in asked:
        tell(p, name)
        assert answer(p) == name
    p.stdin.close()
    print(threads, p.wait())
# a wait ends when there are enough, when its time is over, and when the job is canceled
p = start("-j1", "--batch-preferred", "3", "--batch-wait-ms", "60000")
tell(p, *words[:2])
tell(p, words[2])
print([answer(p) == n for n in words[:3]])
tell(p, words[3])
time.sleep(0.5)
p.send_signal(signal.SIGTERM)
print(answer(p) == words[3], p.wait(timeout=20))
p = start("-j1", "--batch-wait-ms", "300")
begun = time.monotonic()
tell(p, words[0])
print(answer(p) == words[0], time.monotonic() - begun > 0.29)
# nor does one that somebody has still to write keep others waiting
os.mkfifo("slow.png")
tell(p, words[1], "slow.png")
print(answer(p) == words[1])
with open("slow.png", "wb") as f:
    f.write(open(words[2], "rb").read())
p.stdin.close()
print(json.loads(p.stdout.readline())["blocks"] == alone[words[2]]["blocks"], p.wait())
PY
for options in "--batch-max 0" "--batch-preferred 65" "--batch-wait-ms x" "--target-latency-ms 0"; do
    exits 2 "$PLATEN" $options in
done
