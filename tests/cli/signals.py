#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What `platen run` does with signals while it waits: signals.py, in a scratch directory, with the program as
$PLATEN. A signal that comes before the wait has the same outcome, so that no case hangs on the time it takes."""
import atexit
import json
import os
import signal
import subprocess
import time

PLATEN = os.environ["PLATEN"]
LONG_S = 50 * int(os.environ.get("TIMES", "1"))  # longer than anything takes
ROOM = 65536  # bytes that are taken from a pipe: as many as it holds
PAGE = b"P5 40 40 255\n" + b"\xff" * 1600
RUN = [PLATEN, "-p", "gray,sauvola|lines"]


with open(PLATEN, "rb") as program:
    # ThreadSanitizer keeps a signal back until the thread returns from what it waits in, unless that is one
    # of the calls that it knows to wait: not read(), nor pthread_mutex_lock() behind a thread that waits. So
    # one thread does all there.
    KEPT_BACK = b"__tsan_init" in program.read()
    ONE_THREAD = ["-j1"] if KEPT_BACK else []


def start(*words, ignore=(), **kw):
    def prepare():
        for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(s, signal.SIG_IGN if s in ignore else signal.SIG_DFL)
    p = subprocess.Popen([*RUN, *words, *ONE_THREAD], preexec_fn=prepare, text=True, **{"stderr": subprocess.PIPE, **kw})
    atexit.register(p.kill)  # whoever waits for the end of our output does not wait for a program that is left behind
    return p


def status_of(p, name):
    with open(f"/proc/{p.pid}/status") as f:
        return next(line.split()[1] for line in f if line.startswith(name + ":"))


def sleeps(p):
    try:
        for task in os.listdir(f"/proc/{p.pid}/task"):
            with open(f"/proc/{p.pid}/task/{task}/stat") as f:
                if f.read().rsplit(")", 1)[1].split()[0] != "S":
                    return False
    except (FileNotFoundError, ProcessLookupError):  # a thread that has just ended
        return False
    return True


def settle(p):
    """Until it most likely waits: it knows its signals, and nothing in it runs."""
    quiet = 0
    end = time.monotonic() + LONG_S
    while quiet < 20 and p.poll() is None and time.monotonic() < end:
        caught = int(status_of(p, "SigCgt"), 16) >> (signal.SIGTERM - 1) & 1
        quiet = quiet + 1 if caught and sleeps(p) else 0
        time.sleep(0.01)


def finish(p):
    """The exit status, and what it said."""
    try:
        _, err = p.communicate(timeout=LONG_S)
    except subprocess.TimeoutExpired:
        p.kill()
        p.communicate()
        return "it did not end"
    return f"{p.returncode}: {err.strip()}"


def stop(p, *signals, move=None):
    """`move` lets a wait return in which a signal may be kept back."""
    settle(p)
    for s in signals:
        p.send_signal(s)
    if KEPT_BACK and move:
        move()
    return finish(p)


def lines(path):
    with open(path) as f:
        return [json.loads(line)["path"] for line in f]


def waiting_for_input():
    with open("old.tif", "w") as f:
        f.write("complete")
    for s in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        for threads in "1", "3":
            r, w = os.pipe()
            os.write(w, PAGE[:100])
            p = start("-j", threads, "-f", "ndjson", "-o", "out.ndjson", "page.pgm", "-", stdin=r)
            print(f"standard input, {s.name}, -j{threads}:", stop(p, s), lines("out.ndjson"))
            os.close(r)
            os.close(w)
    p = start("-j1", "-f", "ndjson", "-o", "out.ndjson", "page.pgm", "fifo")
    print("a FIFO that nobody writes:", stop(p, signal.SIGTERM), lines("out.ndjson"))
    p = start("-j1", "-f", "ndjson", "-o", "out.ndjson", "page.pgm", "fifo")
    with open("fifo", "wb", buffering=0) as w:
        w.write(PAGE[:100])
        print("a FIFO that somebody writes:", stop(p, signal.SIGTERM), lines("out.ndjson"))
    for name in "old.tif", "new.tif":
        p = start("-j1", "-f", "tiff", "-o", name, "page.pgm", "fifo")
        print(stop(p, signal.SIGTERM), os.path.getsize(name))
    for words in (["-f", "ndjson"], ["-f", "txt", "-p", "@document", "-o", "out/"]):
        r, w = os.pipe()
        p = start(*words, "--files-from", "-", stdin=r)
        print("a list:", stop(p, signal.SIGTERM, move=lambda: os.write(w, b"a")).split(";")[0])
        os.close(r)
        os.close(w)
    r, w = os.pipe()
    p = start("-j2", "-f", "ndjson", "--files-from", "-", stdin=r, stdout=subprocess.PIPE)
    os.write(w, b"page.pgm\n")
    p.stdout.readline()
    print("a list behind its first page:", stop(p, signal.SIGTERM, move=lambda: os.write(w, b"page.pgm\n")).split(";")[0])
    os.close(r)
    os.close(w)


def waiting_for_a_reader():
    r, w = os.pipe()
    p = start("-j2", "-f", "ndjson", "pages", stdout=w)
    os.close(w)
    begun = []
    print("standard output:", stop(p, signal.SIGTERM, move=lambda: begun.append(os.read(r, ROOM))).split(";")[0])
    with os.fdopen(r, "rb") as pipe:
        whole = b"".join([*begun, pipe.read()]).split(b"\n")[:-1]
    print("whole lines:", len(whole) > 1, all(json.loads(line)["path"].startswith("pages/") for line in whole))
    p = start("-f", "ndjson", "-o", "fifo.ndjson", "page.pgm")
    print("a FIFO that nobody reads:", stop(p, signal.SIGTERM))
    r = os.open("fifo.ndjson", os.O_RDONLY | os.O_NONBLOCK)
    p = start("-f", "ndjson", "-o", "fifo.ndjson", "pages")
    print("a FIFO that is full:", stop(p, signal.SIGTERM, move=lambda: os.read(r, ROOM)).split(";")[0])
    os.close(r)
    r, w = os.pipe()
    p = start("-f", "ndjson", "-o", "out.ndjson", *[f"absent{i}.pgm" for i in range(2000)], "fifo", stderr=w)
    os.close(w)
    settle(p)
    p.send_signal(signal.SIGTERM)
    if KEPT_BACK:
        os.read(r, ROOM)
    try:
        print("standard error:", p.wait(LONG_S))
    except subprocess.TimeoutExpired:
        p.kill()
        print("standard error: it did not end")
    os.close(r)


def signals_that_come_twice():
    p = start("fifo")
    print("at once:", stop(p, signal.SIGTERM, signal.SIGTERM))
    p = start("fifo")
    print("two kinds:", stop(p, signal.SIGHUP, signal.SIGINT))


def ignored():
    for s in signal.SIGINT, signal.SIGHUP:
        p = start("-f", "ndjson", "-o", "out.ndjson", "fifo", ignore=[s])
        with open("fifo", "wb", buffering=0) as w:
            w.write(PAGE[:100])
            settle(p)
            p.send_signal(s)
            print(f"{s.name} is ignored:", bool(int(status_of(p, "SigIgn"), 16) >> (s - 1) & 1))
            w.write(PAGE[100:])
        print(finish(p), lines("out.ndjson"))


def main():
    with open("page.pgm", "wb") as f:
        f.write(PAGE)
    os.mkfifo("fifo")
    os.mkfifo("fifo.ndjson")
    os.mkdir("pages")
    for i in range(2000):
        os.link("page.pgm", f"pages/{i}.pgm")
    waiting_for_input()
    waiting_for_a_reader()
    signals_that_come_twice()
    ignored()


main()
