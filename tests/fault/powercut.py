#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A power cut at every call of a small job that changes something: with --durable every output that
the journal names as done is whole afterwards, and what was there before is whole, old or new. Of one
file that grows, the bytes that the journal tells of are there, and --resume makes of what is left the
file of an undisturbed run; once with pages told of one by one, once with those that come together.

Two disks are put together from what powercut.c kept: one with nothing that was not synced, and one with
all names and none of the bytes that were not. The journal counts as written at once, which is the worst
that it can be.

    powercut.py PLATEN POWERCUT.SO
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

PLATEN, LAYER = (os.path.abspath(a) for a in sys.argv[1:3])
FORMATS = ("pnm", "json")
CUT = 99
JOURNAL = ".platen-journal"
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STREAM_PAGES = ("01-clean-serif.png", "03-screen.png", "07-caps.png")
os.environ["PLATEN_MODELS"] = os.path.join(SOURCE, "models")


def picture(shade):
    return b"P5\n24 16\n255\n" + bytes([shade]) * 24 * 16


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except FileNotFoundError:
        return None


def keep_all(top, disk):
    """The tree as it is counts as synced."""
    for d, dirs, files in os.walk(top):
        with open(f"{disk}/d{os.stat(d).st_ino}", "w") as f:
            for name in dirs + files:
                f.write(f"{os.stat(os.path.join(d, name)).st_ino} {name}\n")
        for name in files:
            path = os.path.join(d, name)
            write(f"{disk}/f{os.stat(path).st_ino}", read(path))


def entries(live, disk, names_survive):
    inode = os.stat(live).st_ino if os.path.isdir(live) else 0
    if names_survive:
        return {e.name: e.inode() for e in os.scandir(live)} if inode else {}
    lines = (read(f"{disk}/d{inode}") or b"").decode().splitlines()
    return {name: int(number) for number, name in (line.split(" ", 1) for line in lines)}


def after(live, disk, names_survive, prefix=""):
    """The files on the disk, by name."""
    found = {}
    for name, number in entries(live, disk, names_survive).items():
        path = os.path.join(live, name)
        if os.path.isdir(path):
            found.update(after(path, disk, names_survive, prefix + name + "/"))
        else:
            found[prefix + name] = read(f"{disk}/f{number}") or b""
    return found


class Job:
    def __init__(self, top, options):
        self.work, self.disk = os.path.join(top, "work"), os.path.join(top, "disk")
        os.makedirs(self.work)
        os.makedirs(self.disk)
        for i, name in enumerate(("a", "b", "x/c", "x/d")):
            write(f"{self.work}/in/{name}.pgm", picture(100 + i))
        write(f"{self.work}/in/broken.pgm", b"broken")
        self.options = options

    def run(self, out, env=None, options=()):
        args = [PLATEN, "--sandbox", "off", "-j1", "-p", "gray | lines", "-f", ",".join(FORMATS),
                *options, "-o", out, "in"]
        return subprocess.run(args, cwd=self.work, env={**os.environ, **(env or {})},
                              capture_output=True).returncode

    def cut_at(self, n, named):
        """Whether the job came to its end."""
        env = {"LD_PRELOAD": LAYER, "POWERCUT_DISK": self.disk, "POWERCUT_AT": str(n)}
        if named:
            env["POWERCUT_NAMED"] = "1"
        status = self.run("out", env, self.options)
        assert status in (1, CUT), status
        return status == 1

    def done(self):
        lines = (read(f"{self.work}/out/{JOURNAL}") or b"").split(b"\n")[:-1]
        pages = [json.loads(line) for line in lines]
        return [p["output"] for p in pages if p["status"] == "ok"]


def lost(job, want, old):
    """What a cut takes away that was promised."""
    found = []
    for names_survive in (False, True):
        disk = after(job.work, job.disk, names_survive)
        for stem in job.done():
            for name in (f"{stem}.{f}" for f in FORMATS):
                if disk.get("out/" + name) != want[name]:
                    found.append((name, names_survive, disk.get("out/" + name)))
        for name, data in old.items():
            if disk.get("out/" + name) not in (data, want[name]):
                found.append(("old " + name, names_survive, disk.get("out/" + name)))
    return found


class StreamJob:
    """The same for one file of pages, all of which can be read."""

    def __init__(self, top, kind):
        self.work, self.disk = os.path.join(top, "work"), os.path.join(top, "disk")
        self.kind, self.name, self.journal = kind, "out." + kind, f"{self.work}/.out.{kind}{JOURNAL}"
        os.makedirs(self.disk)
        for name in STREAM_PAGES:
            write(f"{self.work}/in/{name}", read(os.path.join(SOURCE, "tests", "data", "lines", name)))

    def run(self, *options, env=None):
        steps = "gray | lines" if self.kind == "ndjson" else "gray | lines | ctc"
        args = [PLATEN, "--sandbox", "off", "-q", "-j1", "-p", steps, "-f", self.kind, *options, "-o", self.name, "in"]
        return subprocess.run(args, cwd=self.work, env={**os.environ, **(env or {})}, capture_output=True)

    def told(self):
        """Bytes of the file that the journal tells of."""
        lines = (read(self.journal) or b"").split(b"\n")[:-1]
        return max([int(json.loads(line).get("end", 0)) for line in lines], default=0)

    def is_kept(self, data, want, old):
        if self.told():
            return data is not None and data.startswith(want[:self.told()])
        return data == old or (data is not None and want.startswith(data) and (data or old is None))

    def goes_on(self, data, want):
        """Whether a run makes the whole of what was left."""
        if data is None:
            if os.path.exists(f"{self.work}/{self.name}"):
                os.remove(f"{self.work}/{self.name}")
        else:
            write(f"{self.work}/{self.name}", data)
        done = self.run("--resume", "--retry-fatal")
        return done.returncode == 0 and read(f"{self.work}/{self.name}") == want


def cut_stream_everywhere(top, kind, options, env, old):
    """What of the bytes that were told of is lost, and how many cuts and different ends there were."""
    reference = StreamJob(os.path.join(top, "stream"), kind)
    assert reference.run().returncode == 0
    want = read(f"{reference.work}/{reference.name}")
    shutil.rmtree(os.path.join(top, "stream"))
    losses, told, n, ended = [], set(), 0, False
    while not ended:
        n += 1
        job = StreamJob(os.path.join(top, "job"), kind)
        if old is not None:
            write(f"{job.work}/{job.name}", old)
        keep_all(job.work, job.disk)
        status = job.run(*options, env={"LD_PRELOAD": LAYER, "POWERCUT_DISK": job.disk, "POWERCUT_AT": str(n), **env}).returncode
        assert status in (0, CUT), status
        ended = status == 0
        told.add(job.told())
        disks = [after(job.work, job.disk, names_survive).get(job.name) for names_survive in (False, True)]
        losses += [(n, job.told(), data) for data in disks if not job.is_kept(data, want, old)]
        if not losses and disks[1] != (old or b"") and not job.goes_on(disks[1], want):
            losses.append((n, "--resume", disks[1]))
        shutil.rmtree(os.path.join(top, "job"))
    return losses, n, len(told)


def cut_streams(top):
    one_by_one, old = {"POWERCUT_LEAP": "1"}, b"old\n"
    for kind, env, before in (("ndjson", {}, None), ("ndjson", {}, old), ("ndjson", one_by_one, None), ("ndjson", one_by_one, old),
                              ("tsv", one_by_one, old), ("txt", one_by_one, None)):
        losses, n, ends = cut_stream_everywhere(top, kind, ("--durable",), env, before)
        assert not losses, (kind, env, losses[:5])
        assert not env or ends == 1 + len(STREAM_PAGES), ends
        print(f"{kind}: {n} cuts, {ends} different ends, nothing lost")
    losses, _, _ = cut_stream_everywhere(top, "ndjson", (), {}, None)
    assert losses, "the layer takes nothing away from a stream"


def reference(top):
    job = Job(os.path.join(top, "reference"), ())
    assert job.run("out") == 1
    return {name: read(f"{job.work}/out/{name}")
            for name in (f"{s}.{f}" for s in ("a", "b", "x/c", "x/d") for f in FORMATS)}


def cut_everywhere(top, want, options, named, old):
    """Every loss of all cuts, and whether the whole journal is on the disk when the job has ended."""
    losses, n, ended = [], 0, False
    while not ended:
        n += 1
        job = Job(os.path.join(top, "job"), options)
        for name, data in old.items():
            write(f"{job.work}/out/{name}", data)
        keep_all(job.work, job.disk)
        ended = job.cut_at(n, named)
        losses += [(n, *what) for what in lost(job, want, old)]
        if ended:
            live = f"{job.work}/out/{JOURNAL}"
            assert read(f"{job.disk}/f{os.stat(live).st_ino}") == read(live), "the journal was not synced"
            assert JOURNAL in entries(f"{job.work}/out", job.disk, False), "nor its name"
            assert len(job.done()) == 4, job.done()
        shutil.rmtree(os.path.join(top, "job"))
    assert n > 20, n
    return losses, n


def main():
    top = tempfile.mkdtemp(prefix="platen-powercut-")
    try:
        want = reference(top)
        old = {"b.pnm": b"old", "x/c.json": b"old"}
        for named in (False, True):
            for before in ({}, old):
                losses, n = cut_everywhere(top, want, ("--durable",), named, before)
                assert not losses, losses[:5]
                print(f"{n} cuts, nothing lost")
        losses, n = cut_everywhere(top, want, (), False, old)
        assert losses, "the layer takes nothing away"
        cut_streams(top)
    finally:
        shutil.rmtree(top)


if __name__ == "__main__":
    main()
