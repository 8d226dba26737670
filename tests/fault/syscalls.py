#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every system call of a job of ten pages, two of which are those of a PDF where the build reads it, fails once, by strace.

    syscalls.py PLATEN [--most N] [CALL:ERROR...]

For each kind of call and error the job runs as often as one of its threads makes such calls, and each
time another one fails, in every thread that gets as far; --most N takes N of them, evenly spread.
Then
  - the exit status is 0, 1 or 2, and no signal;
  - with status 0 all outputs are those of a run without a fault; else standard error says something;
  - what stands in the output directory is whole: the bytes of the run without a fault, no other name;
  - after a failure `--resume` without a fault brings what is missing.
A fault in the loader, before the program begins, does not count. Exit status 77 where strace may not
trace. Python 3 standard library only.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, "tests"))
from scans import reads_pdf, write_pdf  # noqa: E402
LINES = os.path.join(SOURCE, "tests", "data", "lines")
JOURNAL = ".platen-journal"
FAULTS = """openat:EIO openat:EMFILE openat:EACCES openat2:EIO read:EIO read:EINTR pread64:EIO write:EIO write:ENOSPC write:EINTR
pwrite64:EIO rename:EIO rename:EXDEV renameat:EIO renameat2:EIO renameat2:EINVAL linkat:EIO linkat:EEXIST unlinkat:EIO
fsync:EIO fdatasync:EIO close:EIO mkdir:EACCES mkdirat:EACCES mmap:ENOMEM munmap:ENOMEM madvise:EINVAL fstat:EIO
newfstatat:EIO newfstatat:EACCES access:EIO statx:EIO getdents64:EIO ftruncate:EIO fallocate:ENOSPC flock:ENOLCK fchmod:EPERM
dup:EMFILE fcntl:EIO lseek:EIO clone3:EAGAIN getrandom:EAGAIN pipe2:EMFILE eventfd2:EMFILE poll:EINTR""".split()
# Of other options, for other ways through the program.
JOBS = {"directory": ["-j", "2", "-f", "txt,json"], "durable": ["-j", "1", "--durable", "-f", "txt"]}


class Job:
    def __init__(self, platen, work, options):
        self.platen, self.work = platen, work
        self.input, self.output = os.path.join(work, "in"), os.path.join(work, "out")
        self.env = dict(os.environ, PLATEN_MODELS=os.path.join(SOURCE, "models"))
        self.options = ["-p", "@line"] + options + ["-o", self.output]
        os.makedirs(self.input)
        pictures = sorted(f for f in os.listdir(LINES) if f.endswith(".png"))
        pdf = reads_pdf(platen)
        for i in range(8 if pdf else 10):
            shutil.copy(os.path.join(LINES, pictures[i % len(pictures)]), os.path.join(self.input, "page%d.png" % i))
        if pdf:
            write_pdf(os.path.join(self.input, "scans.pdf"), [os.path.join(LINES, p) for p in pictures[:2]])

    def run(self, tracer=(), resume=()):
        p = subprocess.run(list(tracer) + [self.platen] + list(resume) + self.options + [self.input], env=self.env,
                           stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        return p.returncode, p.stderr

    def clear(self):
        shutil.rmtree(self.output, ignore_errors=True)
        if os.path.lexists(self.output):  # a file, where a fault was not told
            os.remove(self.output)

    def files(self):
        """What stands in the output directory, by name; the journal is the program's own."""
        found = {}
        for folder, _, names in os.walk(self.output):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as f:
                    found[os.path.relpath(path, self.output)] = f.read()
        found.pop(JOURNAL, None)
        return found


def strace(name, path, inject=None):
    inject = ["-e", "inject=%s:%s" % (name, inject)] if inject else []
    return ["strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=" + name] + inject + ["-o", path]


def calls_in(path, name):
    """Of the thread that makes the most of them: strace counts for each by itself."""
    with open(path, errors="replace") as f:
        threads = re.findall(r"(?m)^(\d+)\s+%s\(" % name, f.read())
    return max((threads.count(t) for t in set(threads)), default=0)


def count(job, name, path):
    """How often the job makes the call, and how often a program that only begins does; 0 where strace
    does not know the call."""
    job.clear()
    status, err = job.run(strace(name, path))
    if b"invalid system call" in err:
        return 0, 0
    total = calls_in(path, name)
    subprocess.run(strace(name, path) + [job.platen, "--version"], env=job.env, capture_output=True)
    return total, calls_in(path, name)


def differing(found, wanted):
    return sorted(n for n in set(found) | set(wanted) if found.get(n) != wanted.get(n))


def judge(job, status, err, wanted, mute):
    """None, or what is wrong. `mute`: a message could not be written."""
    found = job.files()
    strange = sorted(n for n in found if n not in wanted)
    if status not in (0, 1, 2):
        return "status %d" % status
    if strange:
        return "left behind: %s" % ", ".join(strange[:3])
    broken = sorted(n for n in found if found[n] != wanted[n])
    if broken:
        return "not whole: %s" % ", ".join(broken[:3])
    if status == 0 and found != wanted:
        return "status 0, and missing: %s" % ", ".join(differing(found, wanted)[:3])
    if status and not err.strip() and not mute:
        return "status %d without a word" % status
    if status:
        again, text = job.run(resume=["--resume"])
        if again or job.files() != wanted:
            return "--resume: status %d, differing: %s; %s" % (again, ", ".join(differing(job.files(), wanted)[:3]), text[:80])
    return None


def try_fault(job, name, error, when, starts, wanted, path):
    """Whether it was a fault of the program, and what is wrong. The loader, whose calls are among the
    first `starts`, ends in its own way."""
    job.clear()
    try:
        status, err = job.run(strace(name, path, "error=%s:when=%d" % (error, when)))
    except subprocess.TimeoutExpired:
        return True, "hangs"
    if when <= starts and (status < 0 or status == 127):
        return False, None
    with open(path, errors="replace") as f:
        where = [line.strip() for line in f if "INJECTED" in line]
    wrong = judge(job, status, err, wanted, any("write(2," in line for line in where))
    if wrong:
        wrong += "; %s; %s" % (where[0][:110] if where else "", err[:100].decode("utf-8", "replace").strip())
    return True, wrong


def run_job(title, job, faults, most):
    job.clear()
    status, err = job.run()
    if status:
        sys.exit("%s: the job alone ends with %d: %s" % (title, status, err.decode()))
    wanted, path, tried, bad, counts = job.files(), os.path.join(job.work, "trace"), 0, 0, {}
    for fault in faults:
        name, error = fault.split(":")
        if name not in counts:
            counts[name] = count(job, name, path)
        total, starts = counts[name]
        takes = sorted({1 + i * total // most for i in range(most)} if total > most else range(1, total + 1))
        for when in takes:
            counted, wrong = try_fault(job, name, error, when, starts, wanted, path)
            tried += counted
            if wrong:
                bad += 1
                print("FAILED %s, %s %d of %d: %s" % (title, fault, when, total, wrong), flush=True)
    made = ", ".join("%s %d" % (n, c) for n, (c, _) in counts.items() if c)
    print("%s: %d faults, %d to look at (calls: %s)" % (title, tried, bad, made), flush=True)
    return bad


def can_trace():
    try:
        return not subprocess.run(["strace", "-f", "-qq", "-o", os.devnull, "true"], capture_output=True).returncode
    except FileNotFoundError:
        return False


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("platen")
    p.add_argument("--most", type=int, default=1 << 30)
    p.add_argument("fault", nargs="*", default=FAULTS)
    a = p.parse_intermixed_args()
    if not can_trace():
        print("strace is not there, or may not trace")
        return 77
    bad = 0
    helped = subprocess.run([a.platen, "help"], capture_output=True).stdout.decode()
    for title, options in JOBS.items():
        if "--durable" in options and "--durable" not in helped:
            continue
        with tempfile.TemporaryDirectory() as work:
            bad += run_job(title, Job(os.path.abspath(a.platen), work, options), a.fault, a.most)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
