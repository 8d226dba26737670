#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs with --resume that are killed by SIGKILL at random moments, for every format.

    kills.py PLATEN [--kills N] [--seed S] [FORMATS...]

For each way to write, runs over the same pages are killed until N of them were (default 60), each going on
from what the one before left; a run that is done before it is killed counts as a comparison, and the next
one begins anew. A last run comes to its end. The ways, by default all of them:

    formats with a comma    into an output directory: after each kill every file that has its name is whole
    stream formats          one file that grows: after each kill it is a beginning of the undisturbed one
    hocr html pdf           one file that appears when it is complete: until then the old one stays
    update                  the same, of a PDF that gets a layer of text

What the last run leaves has the bytes of an undisturbed run, and nothing else is left beside it. Pages that
fail are not among the inputs: of a stream they would be tried again at its end. Exit status 1 when
something differs. Run by hand: some minutes. Python 3 standard library only.
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, "tests"))
from scans import write_pdf  # noqa: E402
STREAMS = ("txt", "layout", "json", "ndjson", "tsv")
WAYS = ("txt,layout,json,ndjson,tsv,hocr,alto,page,pdf,html", "png,pnm,tiff,overlay", *STREAMS, "hocr", "html", "pdf", "update")
COPIES = {True: 12, False: 2}  # of each line, for a run that is gone on with, and for one that is not


def link_pages(folder, copies):
    """The lines of the tests, several times, and among them two whole pages and a PDF of lines."""
    lines, pages = os.path.join(SOURCE, "tests", "data", "lines"), os.path.join(SOURCE, "samples", "pages")
    os.mkdir(folder)
    for name in sorted(f for f in os.listdir(lines) if f.endswith(".png")):
        for i in range(copies):
            os.symlink(os.path.join(lines, name), os.path.join(folder, f"{i:02}-{name}"))
    for name in ("letter.png", "receipt.png"):
        os.symlink(os.path.join(pages, name), os.path.join(folder, "01-" + name))
    write_scans(os.path.join(folder, "01-scans.pdf"))


def write_scans(path):
    folder = os.path.join(SOURCE, "tests", "data", "lines")
    write_pdf(path, [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.endswith(".png")])


def files_below(top):
    """The bytes of each file by its name, without what a killed run may leave for the next one."""
    found = {}
    for folder, _, names in os.walk(top):
        for name in names:
            if "platen-journal" not in name and not name.startswith(".platen-tmp-"):
                path = os.path.join(folder, name)
                with open(path, "rb") as f:
                    found[os.path.relpath(path, top)] = f.read()
    return found


class Way:
    def __init__(self, platen, work, formats):
        updates, self.top = formats == "update", os.path.join(work, "out")
        self.formats = formats = "pdf" if updates else formats
        self.in_directory, self.grows = "," in formats, formats in STREAMS
        self.name = "book.layout.txt" if formats == "layout" else "book." + formats
        self.resumes = self.in_directory or self.grows
        pages = os.path.join(work, "scans.pdf" if updates else str(self.resumes))
        target = self.top + "/" if self.in_directory else os.path.join(self.top, self.name)
        self.command = [platen, "-q", "-j2", "-f", formats, "-o", target, pages]
        self.old = {} if self.resumes else {self.name: b"what was there"}
        if self.resumes:
            self.command[1:1] = ["--resume", "--retry-fatal"]

    def clear(self):
        shutil.rmtree(self.top, ignore_errors=True)
        os.mkdir(self.top)
        for name, data in self.old.items():
            with open(os.path.join(self.top, name), "wb") as f:
                f.write(data)

    def is_sound(self, name, data, want):
        """Whether a file may look like this after a kill."""
        if name not in want:
            return False
        return data in (want[name], self.old.get(name)) or (self.grows and want[name].startswith(data))

    def wrong_after_kill(self, want):
        return [f"after a kill: {name}, {len(data)} bytes" for name, data in files_below(self.top).items()
                if not self.is_sound(name, data, want)]

    def wrong_at_end(self, want):
        got = files_below(self.top)
        left = [name for _, _, names in os.walk(self.top) for name in names if name.startswith(".platen-tmp-")]
        return [f"at the end: {name}" for name in sorted(set(got) | set(want)) if got.get(name) != want.get(name)] + left

    def run_killed(self, wait_s):
        """Whether the run was killed."""
        p = subprocess.Popen(self.command)
        try:
            p.wait(wait_s)
        except subprocess.TimeoutExpired:
            p.kill()
        if p.wait() not in (0, -9):
            sys.exit(f"{self.formats}: status {p.returncode}")
        return p.returncode == -9

    def torture(self, rng, kills):
        """What was wrong, and a line of figures."""
        self.clear()
        begin = time.monotonic()
        subprocess.run(self.command, check=True)
        whole_s, want = time.monotonic() - begin, files_below(self.top)
        wrong, killed, ended, changed, before = [], 0, 0, 0, None
        self.clear()
        while killed < kills:
            if self.run_killed(rng.uniform(0, whole_s / 4 if self.resumes else 1.2 * whole_s)):
                killed += 1
                wrong += self.wrong_after_kill(want)
                sizes = {name: len(data) for name, data in files_below(self.top).items()}
                changed, before = changed + (sizes != before), sizes
            else:
                ended += 1
                wrong += self.wrong_at_end(want)
                self.clear()
        subprocess.run(self.command, check=True)
        wrong += self.wrong_at_end(want)
        return wrong, (f"{killed} kills, {changed} that found more than the one before, {ended + 1} ends compared; "
                       f"{len(want)} files, {whole_s:.1f} s undisturbed")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("platen")
    p.add_argument("--kills", type=int, default=60)
    p.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    p.add_argument("formats", nargs="*", default=WAYS)
    a = p.parse_intermixed_args()
    os.environ["PLATEN_MODELS"] = os.path.join(SOURCE, "models")
    rng, failed = random.Random(a.seed), False
    with tempfile.TemporaryDirectory(prefix="platen-kills-") as work:
        for resumes, copies in COPIES.items():
            link_pages(os.path.join(work, str(resumes)), copies)
        write_scans(os.path.join(work, "scans.pdf"))
        for formats in a.formats:
            wrong, figures = Way(os.path.abspath(a.platen), work, formats).torture(rng, a.kills)
            print(f"{formats}: {figures}", *wrong[:5], sep="\n    ", flush=True)
            failed = failed or bool(wrong)
    print(f"seed {a.seed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
