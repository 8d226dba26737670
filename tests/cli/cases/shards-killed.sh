# SPDX-License-Identifier: BSD-2-Clause
# Eight shares, two of them at a time, whose workers are killed at random and begin again with --resume:
# each loses only what it had in hand, and merge makes of them what one run writes. Once into a directory,
# once as a stream for each share. --retry-fatal: two kills may meet the same page.
. "$CASES/_lib.sh"
mkdir in
for i in 1 2 3 4; do
    for f in "$SOURCE"/tests/data/lines/*.png; do ln -s "$f" "in/$i-${f##*/}"; done
done
cat >shards.py <<'PY'
import os, random, subprocess, sys, time
N, KILLS = 8, 3
seed = random.randrange(1 << 30)
rng = random.Random(seed)
P = [os.environ["PLATEN"], "-q", "-j1", "-p", "gray,background,sauvola | lines | ctc"]

def job(kind, share):
    out = ["-f", "json,txt", "-o", "out/"] if kind == "directory" else ["-f", "ndjson", "-o", f"{share}.ndjson"]
    return P + ["--shard", f"{share}/{N}", "--resume", "--retry-fatal", *out, "in"]

def run_killed(kind):
    """Every share KILLS times for a random while, then to its end, in a random order."""
    runs = [share for share in range(1, N + 1) for _ in range(KILLS + 1)]
    rng.shuffle(runs)
    killed, left = 0, {share: KILLS + 1 for share in range(1, N + 1)}
    while runs:
        now, runs = runs[:2], runs[2:]
        if len(set(now)) < len(now):
            runs.append(now.pop())
        started = [(share, subprocess.Popen(job(kind, share))) for share in now]
        for share, p in started:
            left[share] -= 1
            if left[share]:
                try:
                    p.wait(rng.uniform(0, took / 2))
                except subprocess.TimeoutExpired:
                    p.kill()
            killed += p.wait() == -9
            assert p.returncode in (0, -9), (seed, share, p.returncode)
    return killed

def merge(*args):
    done = subprocess.run([os.environ["PLATEN"], "merge", *args], capture_output=True, text=True)
    assert done.returncode == 0, (seed, done.stderr)

def tree(top):
    return {os.path.relpath(os.path.join(d, f), top): open(os.path.join(d, f), "rb").read()
            for d, _, files in os.walk(top) for f in files}

os.mkdir("out")
began = time.time()
subprocess.run([*P, "--resume", "-f", "json,txt", "-o", "want/", "in"], check=True)
took = time.time() - began  # of all pages, at the load of now: a share is an eighth of them and a start
subprocess.run([*P, "-f", "ndjson", "-o", "want.ndjson", "in"], check=True)
killed = run_killed("directory")
merge("out")
got, want = tree("out"), tree("want")
assert got == want, (seed, [f for f in set(got) | set(want) if got.get(f) != want.get(f)])
killed += run_killed("stream")
merge("-o", "all.ndjson", *[f"{share}.ndjson" for share in range(1, N + 1)])
assert open("all.ndjson", "rb").read() == open("want.ndjson", "rb").read(), seed
assert killed, seed
print(len(want), "files")
PY
python3 shards.py
