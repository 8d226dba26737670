#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The Python module beside the program: platen_module.py LIBRARY PLATEN SOURCE. Exits with 77 where cffi is missing."""
import io
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import threading

LIBRARY, PLATEN, SOURCE = (os.path.abspath(a) for a in sys.argv[1:4])
PAGES = os.path.join(SOURCE, "samples", "pages")
LINES = os.path.join(SOURCE, "tests", "data", "lines")
os.environ.update(PLATEN_LIBRARY=LIBRARY, PLATEN_MODELS=os.path.join(SOURCE, "models"))
failed = False


def check(what, good):
    global failed
    failed = failed or not good
    print(("ok: " if good else "FAILED: ") + what)


def run(*words):
    return subprocess.run([PLATEN, "-q", "--no-config", *words], check=True, capture_output=True).stdout


def raised(kind, function, *args, **more):
    """The exception of a call, of that kind."""
    try:
        function(*args, **more)
    except kind as e:
        return e
    return None


def pictures(folder, *endings):
    return sorted(os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(endings))


def rounded(points):
    return [[round(x, 2), round(y, 2)] for x, y in points]


def cells_of(block):
    """Of a block of format json, as Python has them."""
    return [(c["row"], c["column"], c["rows"], c["columns"], c["box"], c.get("text", "")) for c in block.get("table", {}).get("cells", [])]


def same_page(page, want):
    """Whether a page is that of format json, whose numbers are rounded."""
    near = lambda a, b: abs(a - b) < 6e-5
    if (page.width, page.height, page.turn, len(page.blocks)) != (want["width"], want["height"], want["turn"], len(want["blocks"])):
        return False
    if (page.lang, page.unread_script, page.upright, len(page.unread), len(page.unexplained)) != \
            (want["lang"], want.get("unread_script"), want["upright"], len(want["leftover"]["unread_boxes"]),
             len(want["leftover"]["boxes"])):
        return False
    for block, b in zip(page.blocks, want["blocks"]):
        if (block.kind, list(block.box), len(block.lines)) != (b["kind"], b["box"], len(b["lines"])):
            return False
        if (block.label, block.value) != tuple(b.get("field", {}).get(key) for key in ("label", "value")):
            return False
        if [(c.row, c.column, c.rows, c.columns, list(c.box), c.text) for c in block.cells] != cells_of(b):
            return False
        for line, l in zip(block.lines, b["lines"]):
            if (line.text, list(line.box), len(line.words), line.lang) != (l["text"], l["box"], len(l["words"]), l.get("lang")) or not near(line.conf, l["conf"]):
                return False
            for word, w in zip(line.words, l["words"]):
                if (word.text, list(word.box)) != (w["text"], w["box"]) or not near(word.conf, w["conf"]) \
                        or rounded(word.quad) != w["quad"] or not all(map(near, word.char_conf, w["char_conf"])):
                    return False
    return True


def try_reading(platen):
    for path in pictures(PAGES, ".png", ".jpg"):
        page = platen.read(path)
        name = os.path.basename(path)
        check(f"{name}: the text", page.text + "\n" == run("-f", "txt", path).decode())
        check(f"{name}: the tree", page.path == path and same_page(page, json.loads(run("-f", "json", path))))


def try_sources(platen):
    path = os.path.join(PAGES, "receipt.png")
    want = platen.read(path)
    check("the level of a heading", [b.level for b in want.blocks if b.lines[0].text == "NORTHGATE"] == [1])
    with open(path, "rb") as f:
        data = f.read()
    with platen.Reader(threads=2) as reader:
        with open(path, "rb") as f:
            check("an open file", reader.read(f) == want)
        check("a file in memory", reader.read(io.BytesIO(data)).words == want.words)
        check("bytes", reader.read(data).blocks == want.blocks and reader.read(memoryview(data)).path == "-")
        check("a format", reader.read(path, format="hocr") == run("-f", "hocr", path))
        cut = reader.read(data[:80000])
        check("a damaged picture", cut.damaged and "rows were read" in cut.flaw and want.flaw is None and not want.damaged)
        for bad in b"hello", data[:500]:
            e = raised(platen.Error, reader.read, bad)
            check(f"an error: {e} ({e.code})", e.code == "malformed")
        for kind, source in (FileNotFoundError, "missing.png"), (TypeError, 3):
            e = raised(kind, reader.read, source)
            check(f"no picture: {e}", e is not None)
        found = []
        threads = [threading.Thread(target=lambda: found.append(reader.read(path).blocks)) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        check("four threads", found == [want.blocks] * 4)
        try_arrays(platen, reader, path, want)
    check("a pipeline that is none", raised(platen.Error, platen.Reader, "gray,deskw").code == "argument")
    check("a language", platen.read(path, lang="de").lang is not None and raised(platen.Error, platen.read, path, lang="xx").code == "argument")
    e = raised(ValueError, platen.Reader, pdf_text="never")
    check(f"a value that is none: {e}", e is not None and "redo" in str(e))
    check("an option that is none", raised(TypeError, platen.Reader, treads=1) is not None)


def try_arrays(platen, reader, path, want):
    try:
        import numpy
        from PIL import Image
    except ImportError:
        print("without numpy and Pillow: no arrays")
        return
    image = Image.open(path)
    for mode, paper in ("RGBA", (0, 0, 0, 0)), ("LA", (0, 0)):  # black ink on a ground that is transparent
        ink = Image.new(mode, image.size, paper)
        ink.putalpha(image.convert("L").point(lambda v: 255 - v))
        check(f"a Pillow image of mode {mode}", reader.read(ink).text == want.text)
    deep = Image.fromarray(5000 + numpy.array(image.convert("L")).astype("u2") * 137)
    check("a Pillow image of 16 bits", "NORTHGATE" in reader.read(deep).text and "NORTHGATE" in reader.read(deep.convert("I")).text)
    check("8 bits in a Pillow image of more", reader.read(image.convert("L").convert("I")).text == want.text)
    check("a Pillow image of floats", raised(TypeError, reader.read, image.convert("F")) is not None)
    check("a Pillow image of a palette", "NORTHGATE" in reader.read(image.convert("RGB").quantize(16)).text)
    check("a Pillow image", reader.read(image.convert("L")).text == want.text and reader.read(image.convert("RGBA")).text == want.text)
    grey = numpy.array(image.convert("L"))
    check("an array", reader.read(grey).text == want.text and reader.read(grey[:, :, None]).text == want.text)
    check("a part of an array", reader.read(grey[::-1][::-1][:200]).text.split("\n")[0] == "NORTHGATE")
    rgba = numpy.array(image.convert("RGBA"))
    check("an array with alpha", reader.read(rgba).text == want.text)
    check("an array of no rows", raised(platen.Error, reader.read, grey[:0]) is not None)
    check("a bilevel array", "NORTHGATE" in reader.read(grey > 128).text)
    check("a wrong array", raised(TypeError, reader.read, grey.astype("f4")) is not None)


def read_text(path):
    import platen
    return platen.read(path).text


def read_by_old():
    return old.read(os.path.join(PAGES, "receipt.png")).text


def try_forks(platen):
    global old
    path = os.path.join(PAGES, "receipt.png")
    want, old = read_text(path), platen.Reader(threads=1)
    old.read(path)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        try:
            check("a process that was forked reads", pool.apply_async(read_text, (path,)).get(timeout=60) == want)
            error = raised(RuntimeError, pool.apply_async(read_by_old).get, timeout=60)
            check("there a reader of before says that it is none", "before a fork" in str(error))
        except multiprocessing.TimeoutError:
            check("a process that was forked comes to an end", False)
    check("and this one goes on", old.read(path).text == want == read_text(path))
    pid = os.fork()
    if pid == 0:
        platen._close_all()  # as at its end
        os._exit(0)
    check("a process that was forked ends", os.waitpid(pid, 0)[1] == 0)
    old.close()


def resident():
    with open("/proc/self/smaps_rollup", encoding="ascii") as f:
        return next(int(l.split()[1]) for l in f if l.startswith("Anonymous:")) / 1024


def try_many(platen):
    lines = pictures(LINES, ".png")
    with platen.Reader("@line", threads=2) as reader:
        want = [page.text for page in reader.map(lines)]
        first, text = None, []
        for i, page in enumerate(reader.map(lines[i % len(lines)] for i in range(1000))):
            text.append(page.text)
            first = resident() if i == 199 else first
        check("a thousand lines in order", text == [want[i % len(lines)] for i in range(1000)])
        check(f"memory: {first:.0f} MB after 200, {resident():.0f} after 1000", resident() < first + 8)


def try_jobs(platen, folder):
    files = pictures(PAGES, ".png", ".jpg")
    found = list(platen.Job(PAGES, threads=2))
    check("a directory, in order", [p.path for p in found] == files and found[0].blocks == platen.read(files[0]).blocks)
    bad = os.path.join(folder, "bad.png")
    with open(bad, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n")
    errors = []
    found = list(platen.Job([files[0], bad, files[1]], on_error=errors.append))
    check(f"a page that fails: {len(errors)}", [p.path for p in found] == files[:2] and "bad.png" in str(errors[0])
          and errors[0].code == "malformed")
    job = platen.Job([files[0], bad, files[1]])
    check("it is raised at its turn", next(job).path == files[0] and raised(platen.Error, next, job) is not None
          and next(job).path == files[1] and raised(StopIteration, next, job) is not None)
    # one that is left before its end ends with its last holder, or with the interpreter
    left = platen.Job(files * 3, threads=2)
    next(left)
    thread = left._thread
    del left
    thread.join(60)
    check("a job that nobody holds any more", not thread.is_alive())
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    held = "import platen, sys; job = platen.Job(sys.argv[1:]); next(job); reader = platen.Reader(); reader.pages(sys.argv[1])"
    check("ends of the interpreter", [subprocess.run([sys.executable, "-c", held, *files], env=env).returncode for _ in range(3)] == [0] * 3)
    with platen.Job(files * 3, threads=2) as job:
        next(job)
    check("given up", raised(StopIteration, next, job) is not None)
    pdf = os.path.join(folder, "two.pdf")
    run("-o", pdf, *files[:2])
    check("pages of a PDF", [p.page for p in platen.Job(pdf, pages="2")] == [2])
    e = raised(platen.Error, list, platen.Job(folder, pages="9", threads=1, model="eng"))
    check(f"what the library says: {e}", e is not None)


def try_building(package, folder):
    """Away from the tree, where no platen.h is installed."""
    alone = shutil.copy(os.path.join(package, "ffi_build.py"), folder)
    env = {k: v for k, v in os.environ.items() if k != "PLATEN_HEADER"} | {"PKG_CONFIG_LIBDIR": folder}
    made = subprocess.run([sys.executable, alone], env=env, capture_output=True, text=True)
    os.remove(alone)
    check(f"a header that is missing is told: {made.stderr}", made.returncode == 1 and made.stderr.startswith("there is no platen.h"))


def main():
    try:
        import cffi  # noqa: F401
    except ImportError:
        print("there is no cffi")
        return 77
    package = os.path.join(SOURCE, "python", "platen")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, os.path.join(package, "ffi_build.py"), folder], check=True, stdout=subprocess.DEVNULL)
        os.symlink(os.path.join(package, "platen", "__init__.py"), os.path.join(folder, "platen", "__init__.py"))
        sys.path.insert(0, folder)
        import platen
        check("version", platen.version() == run("--version").decode().split()[1])
        scratch = os.path.join(folder, "scratch")
        os.mkdir(scratch)
        try_building(package, scratch)
        try_reading(platen)
        try_sources(platen)
        try_many(platen)
        try_forks(platen)
        try_jobs(platen, scratch)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
