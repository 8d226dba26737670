#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What each tuned number does (see src/base/tuning.h).

  vary.py --platen BUILD/cli/platen --data DIR [--pages N] [--only PATTERN] [--kept REPORT] > report.md

BUILD is a build with -Dtunable=true; DIR holds one folder per data set, with NAME.png or .jpg and
NAME.gt.txt, and score.py. Every number is tried 20 % lower and 20 % higher (a count by one at
least) on the drawn pages of this repository and on N pages of each set, the same ones every time.
Pages on which the regions change are read once more, and their words compared with the ground
truth: F1 over the bag of words, case and order aside.

The report has a line per number, those that change nothing first. With --kept, the numbers of an
earlier report are not tried again, and its lines stand among the new ones. Python 3 standard library
only.
"""
import argparse
import collections
import glob
import importlib.util
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SETS = ["forms_funsd", "receipts_sroie", "labels_lichen", "pages_books", "pages_unlv_letters",
        "pages_unlv_reports", "pages_modern", "pages_orders", "pages_eng_typewriter",
        "pages_ita_typewriter", "pages_deu_print", "rendered_deu", "rendered_fra"]
LINES = ["lines_uw3", "lines_funsd", "lines_eng_typewriter", "lines_modern"]
PREPARE = "gray,invert:auto,orient,deskew"
PAGE = PREPARE + " | lines"
LINE = "gray,invert:auto | line"
READ = PAGE + " | ctc"
SETTLE = "gray | lines | ctc"
CLEAN = "gray,invert:auto,background,orient,deskew,rescale,unrule,despeckle,border:clear,whiten"
# What runs a source's numbers, what they are tried on and, where it is not that of format_of(), the
# format that is compared. Those of detection and reading otherwise run on pages that stage one has
# prepared, and all others run PAGE.
RUNS = {"line.c": (LINE, "lines"), "ink_rows.c": (LINE, "lines"),
        "word_gaps.c": ("gray | lines | ctc", "prepared"),
        "text_band.c": ("gray | regions", "prepared"), "detector.c": ("gray | regions", "prepared"),
        "banded.c": ("gray | regions", "prepared"),
        "split.c": ("gray,orient,deskew,split", "pages"), "rescale.c": (CLEAN, "pages"),
        "retone.c": ("gray,contrast:clahe", "pages"), "kinds.c": (SETTLE, "prepared"),
        "aligned.c": (SETTLE, "prepared"), "ruled.c": (SETTLE, "prepared"),
        "flow.c": (SETTLE, "prepared", "md"), "lone_marks.c": (SETTLE, "prepared"),
        "turned_rivals.c": (SETTLE, "prepared"), "way_up.c": (READ, "pages"),
        "db.c": (None, ""), "db_boxes.c": (None, "")}
TUNE = re.compile(r'PL_TUNE(?:_FLOAT|(_COUNT))?\((\w+), ([-\d.e]+), "([^"]*)"|/\* ---- (\S+?)[:, ]')


def tables():
    """(name, value, whole, unit, file) of every tuned number."""
    ret = []
    for path in sorted(glob.glob(ROOT + "/src/**/*_tuning.def", recursive=True)):
        folder, source = os.path.relpath(os.path.dirname(path), ROOT + "/src"), ""
        with open(path) as f:
            text = f.read()
        for m in TUNE.finditer(text[text.index("#include"):]):
            if m.group(5):
                source = m.group(5)
            else:
                ret.append((m.group(2), float(m.group(3)), bool(m.group(1)), m.group(4),
                            f"{folder}/{source}"))
    return ret


def varied(value, whole, factors):
    """The values that are tried: with the usual factors those 20 % below and above."""
    ret = [value * f for f in factors]
    if whole:  # by one at least
        ret = [min(ret[0], value - 1), max(ret[1], value + 1)]
        return [f"{round(v):d}" for v in ret]
    return [f"{v:.6g}" for v in ret]


def line_of(name, value, source, tried, unread):
    low, high = tried
    f1 = "|  |  |" if unread else f"| {low[2]:+.2f} | {high[2]:+.2f} |"
    return (f"| {name} | {value} | {source} | {low[0]} of {low[1]} | {high[0]} of {high[1]} " + f1)


def changed_pages(line):
    """What a report is sorted by: how many pages change, then source and name."""
    name, _, source, low, high = [c.strip() for c in line.split("|")[1:6]]
    return max(int(low.split()[0]), int(high.split()[0])), source, name


def kept_lines(path):
    """{name: line} of the numbers in a report."""
    with open(path, encoding="utf-8") as f:
        return {line.split("|")[1].strip(): line.rstrip("\n") for line in f
                if re.match(r"\| [A-Z]", line)}


class Bench:
    def __init__(self, args):
        self.args = args
        spec = importlib.util.spec_from_file_location("score", args.data + "/score.py")
        self.score = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.score)
        self.dir = tempfile.mkdtemp(prefix="numbers.")
        self.truth, self.pictures = {}, {}
        self.base, self.texts = {}, {}

    def gather(self, kind, sets, drawn, n):
        """Links N pictures of each set into one folder, so that one run reads them all."""
        folder = f"{self.dir}/{kind}"
        os.mkdir(folder)
        for name in [*sets, *drawn]:
            path = name if os.path.isabs(name) else f"{self.args.data}/{name}"
            found = sorted(glob.glob(path + "/*.png") + glob.glob(path + "/*.jpg"))
            if name in sets:
                found = sorted(random.Random(18).sample(found, min(n, len(found))))
            for p in found:
                stem, ext = os.path.splitext(p)
                page = f"{os.path.basename(path)}-{os.path.basename(stem)}"
                os.symlink(p, f"{folder}/{page}{ext}")
                if os.path.exists(stem + ".gt.txt"):
                    with open(stem + ".gt.txt", encoding="utf-8") as f:
                        self.truth[page] = f.read()
        self.pictures[kind] = folder

    def prepare(self):
        self.pictures["prepared"] = f"{self.dir}/prepared"
        subprocess.run([self.args.platen, "run", "-q", "-p", PREPARE, "-f", "png", "-o",
                        self.pictures["prepared"], self.pictures["pages"]], check=False)

    def platen(self, pipeline, fmt, inputs, tuning):
        """{page: output} of one run."""
        out = f"{self.dir}/out"
        os.mkdir(out)
        env = dict(os.environ, PLATEN_TUNING=tuning)
        subprocess.run([self.args.platen, "run", "-q", "-j1", "-p", pipeline, "-f", fmt, "-o", out,
                        *inputs], env=env, check=False)
        ret = {}
        for p in glob.glob(f"{out}/**/*.{fmt}", recursive=True):
            with open(p, "rb") as f:
                # the times of a run and the names of paths tell nothing of a page
                ret[os.path.splitext(os.path.basename(p))[0]] = re.sub(
                    rb'"(ms|path)": ?("[^"]*"|\{[^}]*\}|[\d.]+)', b"", f.read())
        shutil.rmtree(out, ignore_errors=True)
        return ret

    def read(self, pipeline, kind, pages, tuning):
        inputs = [f for p in pages for f in glob.glob(f"{self.pictures[kind]}/{glob.escape(p)}.*")]
        if pipeline.count("|") < 2:
            pipeline += " | ctc:min-conf=0" if kind == "lines" else " | ctc"
        return self.platen(pipeline, "txt", inputs, tuning)

    def words(self, text):
        return collections.Counter(re.findall(r"\w+", self.score.fold(text).lower()))

    def f1_parts(self, page, text):
        gt, got = self.words(self.truth[page]), self.words(text.decode("utf-8", "replace"))
        return sum((gt & got).values()), sum(gt.values()), sum(got.values())

    @staticmethod
    def format_of(pipeline):
        """hocr has the kinds of blocks and the cells of tables, and no paragraphs, which md has."""
        return "hocr" if pipeline == SETTLE else "json" if "|" in pipeline else "png"

    def start(self, pipeline, kind, fmt):
        key = (pipeline, kind, fmt)
        if key not in self.base:
            self.base[key] = self.platen(pipeline, fmt, [self.pictures[kind]], "")
            if fmt != "png" and not self.args.regions:
                read = self.read(pipeline, kind, self.base[key], "")
                self.texts[key] = {p: self.f1_parts(p, t) for p, t in read.items()
                                   if p in self.truth}
        return self.base[key]

    def f1(self, key, changed):
        """F1 of all pages, with those of `changed` in the place of the usual ones."""
        hits, gt, got = (sum(v) for v in zip(*(changed.get(p, v)
                                               for p, v in self.texts[key].items())))
        return 200 * hits / max(gt + got, 1)

    def trial(self, tuning, pipeline, kind, fmt=None):
        """Pages that change, pages there are, and by how much F1 does, in points."""
        fmt = fmt or self.format_of(pipeline)
        usual = self.start(pipeline, kind, fmt)
        now = self.platen(pipeline, fmt, [self.pictures[kind]], tuning)
        changed = [p for p in usual if now.get(p) != usual[p]]
        if fmt == "png" or self.args.regions or not changed:
            return len(changed), len(usual), 0.0
        key = (pipeline, kind, fmt)
        read = self.read(pipeline, kind, [p for p in changed if p in self.truth], tuning)
        parts = {p: self.f1_parts(p, t) for p, t in read.items()}
        return len(changed), len(usual), self.f1(key, parts) - self.f1(key, {})


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("--platen", required=True)
    ap.add_argument("--data", required=True)
    ap.add_argument("--pages", type=int, default=3, help="of each set")
    ap.add_argument("--regions", action="store_true", help="read nothing: F1 is not told")
    ap.add_argument("--only", default="", help="numbers whose folder/source/NAME holds this")
    ap.add_argument("--factors", default="0.8,1.2", help="of the lower and the higher value")
    ap.add_argument("--kept", help="an earlier report whose numbers are not tried again")
    args = ap.parse_args()
    factors = [float(f) for f in args.factors.split(",")]
    kept = kept_lines(args.kept) if args.kept else {}
    args.platen, args.data = os.path.abspath(args.platen), os.path.abspath(args.data)
    bench = Bench(args)
    bench.gather("pages", SETS, [ROOT + "/samples/pages"], args.pages)
    bench.gather("lines", LINES, [ROOT + "/tests/data/lines"], args.pages)
    bench.prepare()
    lines, untried = [], []
    for name, value, whole, unit, source in tables():
        if name in kept:
            lines.append(kept[name])
            continue
        if args.only not in f"{source}/{name}":
            continue
        usual = (CLEAN, "pages") if "preprocess/clean" in source else (PAGE, "pages")
        usual = ("gray | lines", "prepared") if source.startswith("detect") else usual
        usual = (SETTLE, "prepared", "txt") if source.startswith("recognize") else usual
        run = RUNS.get(os.path.basename(source), usual)
        if not run[0]:
            untried.append((source, name, f"{value:g} {unit}"))
            continue
        tried = [bench.trial(f"{name}={v}", *run) for v in varied(value, whole, factors)]
        lines.append(line_of(name, f"{value:g} {unit}", source, tried, args.regions))
        print(lines[-1], file=sys.stderr, flush=True)
    print("| number | value | source | pages changed at -20 % | at +20 % | F1 at -20 % | at +20 % |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for line in sorted(lines, key=changed_pages):
        print(line)
    unchanged = sum(not changed_pages(line)[0] for line in lines)
    print(f"\n{len(lines)} numbers; {unchanged} change no page.")
    for source, name, value in untried:
        print(f"- not tried (it needs an imported network): {name}, {value}, {source}")
    shutil.rmtree(bench.dir)


if __name__ == "__main__":
    main()
