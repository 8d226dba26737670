# kill -9 at 20 moments, --resume after each: the same tree, byte for byte, as one undisturbed run.
# The pages are lines that the recognizer reads, and pictures without any.
. "$CASES/_lib.sh"
mkdir in
pgm in/0.pgm 400 400
for i in 1 2 3 4 5; do
    for f in "$SOURCE"/tests/data/lines/*.png; do ln -s "$f" "in/$i-${f##*/}"; done
    ln in/0.pgm in/$i.pgm
done
python3 - <<'PY'
import os, random, subprocess, time
seed = random.randrange(1 << 30)
rng = random.Random(seed)
args = [os.environ["PLATEN"], "-j2", "-q", "-p", "gray,background,sauvola | lines | ctc", "-f", "json,pnm", "--resume", "in", "-o"]

def tree(top):
    return {os.path.relpath(os.path.join(d, f), top): open(os.path.join(d, f), "rb").read()
            for d, _, files in os.walk(top) for f in files}

start = time.monotonic()
subprocess.run(args + ["want"], check=True)
whole_s = time.monotonic() - start
kills = 0
for _ in range(20):
    p = subprocess.Popen(args + ["out"])
    time.sleep(rng.uniform(0, whole_s / 12))
    p.kill()
    kills += p.wait() < 0
subprocess.run(args + ["out"], check=True)
want, got = tree("want"), tree("out")
assert kills >= 10, (kills, seed)
assert sorted(want) == sorted(got), (seed, set(want) ^ set(got))
assert all(want[f] == got[f] for f in want), (seed, [f for f in want if want[f] != got[f]])
print(len(want), "files")
PY
