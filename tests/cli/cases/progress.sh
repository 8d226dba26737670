# SPDX-License-Identifier: BSD-2-Clause
# Progress: a line on a terminal, messages every so many seconds elsewhere.
. "$CASES/_lib.sh"
mkdir in
for i in 1 2 3; do pgm in/$i.pgm 20 30; done
"$PLATEN" --progress always -j1 -p gray -f pnm -o out in 2>line
tr '\r' '\n' <line | sed -n '2s/[0-9.]* a second, [0-9:]* left/RATE/p' | tr -d '\033'
# nothing without being asked
"$PLATEN" -j1 -p gray -f pnm -o out in
python3 - <<'PY'
import os, re, subprocess, time
def run(*more):
    p = subprocess.Popen([os.environ["PLATEN"], "-j1", "-p", "gray", "-f", "ndjson", "--files-from", "-", *more],
                         stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for i in (1, 2, 3):
        p.stdin.write(f"in/{i}.pgm\n")
        p.stdin.flush()
        time.sleep(0.7)
    p.stdin.close()
    return sorted({re.sub(r"[1-3] pages, 0 failed, [0-9.]+ a second", "OK", line) for line in p.stderr.read().splitlines()})
print(run("--progress", "1"))
print(run("--progress", "1", "-q"), run("--progress", "never"))
PY
exits 2 "$PLATEN" --progress sometimes -p gray -f pnm in/1.pgm
exits 2 "$PLATEN" --progress 0 -p gray -f pnm in/1.pgm
