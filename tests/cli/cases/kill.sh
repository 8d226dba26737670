# SPDX-License-Identifier: BSD-2-Clause
# kill -9 at 20 random moments, --resume after each, with --retry-fatal for pages that two of them met: what has its name is complete, and the tree becomes the
# same, byte for byte, as one undisturbed run makes it. First pages of lines that the recognizer reads, and
# pictures without any; then large pictures, killed while one is written.
. "$CASES/_lib.sh"
mkdir read write
pgm read/0.pgm 400 400
for i in 1 2 3 4 5; do
    for f in "$SOURCE"/tests/data/lines/*.png; do ln -s "$f" "read/$i-${f##*/}"; done
    ln read/0.pgm read/$i.pgm
done
pgm write/0.pgm 3000 2000
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do ln write/0.pgm write/$i.pgm; done
cat >moments.py <<'PY'
import os, random, signal, subprocess, sys, time
seed = random.randrange(1 << 30)
rng = random.Random(seed)
in_dir, *options = sys.argv[1:]
in_writing = in_dir == "write"
want_dir, out_dir = in_dir + "-want", in_dir + "-out"
args = [os.environ["PLATEN"], "-j2", "-q", *options, "--resume", "--retry-fatal", in_dir, "-o"]
os.mkdir(out_dir)

def tree(top):
    return {os.path.relpath(os.path.join(d, f), top): open(os.path.join(d, f), "rb").read()
            for d, _, files in os.walk(top) for f in files}

def is_writing(p):
    """Whether the process has a file open below out_dir, beside the journal."""
    try:
        names = [os.readlink(f"/proc/{p.pid}/fd/{fd}") for fd in os.listdir(f"/proc/{p.pid}/fd")]
    except OSError:  # it ended, or closed a file meanwhile
        return False
    top = os.path.abspath(out_dir) + "/"
    return any(n.startswith(top) and "journal" not in n for n in names)

start = time.monotonic()
subprocess.run(args + [want_dir], check=True)
whole_s = time.monotonic() - start
want = tree(want_dir)
kills = writing = 0
for _ in range(20):
    p = subprocess.Popen(args + [out_dir])
    while in_writing and p.poll() is None and not is_writing(p):
        pass
    time.sleep(rng.uniform(0, 0.002 if in_writing else whole_s / 12))
    p.send_signal(signal.SIGSTOP)
    writing += is_writing(p)
    p.kill()
    kills += p.wait() < 0
    for name, data in tree(out_dir).items():
        if name != ".platen-journal" and not os.path.basename(name).startswith(".platen-tmp-"):
            assert data == want[name], (seed, name, len(data))
subprocess.run(args + [out_dir], check=True)
got = tree(out_dir)
assert kills >= (1 if in_writing else 10), (kills, seed)
assert sorted(want) == sorted(got), (seed, set(want) ^ set(got))
assert all(want[f] == got[f] for f in want), (seed, [f for f in want if want[f] != got[f]])
print(len(want), "files" + (", some killed while written" if writing and in_writing else ""))
PY
python3 moments.py read -p 'gray,background,sauvola | lines | ctc' -f json,pnm
python3 moments.py write -p gray -f pnm
