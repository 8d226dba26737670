# SPDX-License-Identifier: BSD-2-Clause
# A list is read while the job runs: each name is answered before the next one is asked for.
. "$CASES/_lib.sh"
mkdir in
for i in 1 2 3; do pgm in/$i.pgm 2$i 30; done
echo broken >in/4.pgm
python3 - <<'PY'
import json, os, subprocess
platen = [os.environ["PLATEN"], "-q", "-p", "gray | lines", "-f", "ndjson", "--files-from", "-"]

def start(*more):
    return subprocess.Popen(platen + list(more), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

def ask(p, name):
    p.stdin.write(name + "\n")
    p.stdin.flush()
    record = json.loads(p.stdout.readline())
    return record["path"], record.get("width"), record["status"]

for threads in "-j1", "-j3":
    p = start(threads)
    print([ask(p, f"in/{i}.pgm") for i in (3, 1, 4, 2)])
    print(ask(p, "in/gone.pgm")[2])
    p.stdin.write("\nin\n")  # a directory is its pages, an empty name is none
    p.stdin.close()
    print([json.loads(line)["path"] for line in p.stdout], p.wait())

# in order, a page that takes its time holds those behind it; --unordered does not
for more in [], ["--unordered"]:
    os.mkfifo("slow.pgm")
    p = start("-j2", *more)
    p.stdin.write("slow.pgm\nin/1.pgm\n")
    p.stdin.close()
    first = json.loads(p.stdout.readline())["path"] if more else ""
    with open("slow.pgm", "wb") as f:
        f.write(open("in/2.pgm", "rb").read())
    print(first, [json.loads(line)["path"] for line in p.stdout], p.wait())
    os.unlink("slow.pgm")
PY
# what is wrong with the list itself ends the run behind the pages before it
printf 'in/1.pgm\nin/2\0.pgm\nin/3.pgm\n' >list
exits 2 "$PLATEN" --files-from list -p 'gray | lines' -f ndjson | sed 's/, *"page".*//'
# names may meet in an output directory: the list is read first
printf 'in/1.pgm\nin/2.pgm\n' | "$PLATEN" --files-from - -p gray -f pnm -o out
find out -type f | sort
# two lists, one standard input
exits 2 "$PLATEN" --files-from - -p gray -f ndjson - <in/1.pgm
