# SPDX-License-Identifier: BSD-2-Clause
"""Reads pictures of pages: text, words and boxes.

    import platen
    page = platen.read("scan.png")
    for line in page.lines:
        print(line.box, line.text)

    for page in platen.Job(["scans/", "book.pdf"], on_error=print):
        print(page.path, page.page, page.text)

A picture is a name of a file, the bytes of one, a Pillow image, or an array of bytes (rows, columns[, 3 or 4]), grey, RGB or RGBA.
Boxes and points are in pixels of the picture from its top left corner, confidences from 0 to 1, as platen.h has them. While the library
reads, other threads of Python run.

The library is $PLATEN_LIBRARY, or what the system finds as libplaten.so.0; models are looked for in
$PLATEN_MODELS first."""
import atexit
import concurrent.futures
import ctypes.util
import io
import os
import queue
import threading
import weakref
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Iterator, List, Optional, Tuple, Union

from platen._ffi import ffi

__all__ = ["Block", "Cell", "Error", "Job", "Line", "Page", "Reader", "Word", "read", "version"]

lib = ffi.dlopen(os.environ.get("PLATEN_LIBRARY") or ctypes.util.find_library("platen") or "libplaten.so.0")

Box = Tuple[int, int, int, int]
Point = Tuple[float, float]
Source = Any  # a name, an open file, bytes, a Pillow image, or an array


class Error(Exception):
    """What the library says of a page or a call. `code` is one word that never changes, as "malformed"; None where only a text
    is known."""

    def __init__(self, text: str, code: Optional[str] = None):
        super().__init__(text)
        self.code = code


@dataclass(frozen=True)
class Word:
    text: str
    conf: float
    box: Box
    quad: Tuple[Point, Point, Point, Point]  # corners, from the top left one of the text on, clockwise
    char_conf: Tuple[float, ...]             # of each character of the text


@dataclass(frozen=True)
class Line:
    text: str
    conf: float
    box: Box
    baseline: Tuple[Point, ...]
    row: int                                 # of its block: lines that stand side by side are of one row
    words: Tuple[Word, ...]
    lang: Optional[str] = None               # a tag of BCP 47, where it is surely another one than that of the page


@dataclass(frozen=True)
class Cell:
    row: int                                 # of the grid of a table, as `column` from 0
    column: int
    rows: int                                # of the grid that it takes
    columns: int
    box: Box
    lines: Tuple[Line, ...]                  # of the block
    text: str                                # its paragraphs, parted by line feeds


@dataclass(frozen=True)
class Block:
    kind: str                                # "text", "heading", "header", "footer", "caption", "table" or "code"
    box: Box
    lines: Tuple[Line, ...]
    label: Optional[str] = None              # of a field of a form; the first lines are of it
    value: Optional[str] = None              # what was filled into the field
    rows: int = 0                            # of a table; the first `head` of them name the columns
    columns: int = 0
    head: int = 0
    cells: Tuple[Cell, ...] = ()             # row by row; each place of the grid is in one
    level: int = 0                           # of a heading, 1 (a title) to 4


@dataclass(frozen=True)
class Page:
    path: str
    page: int                                # of the input, from 1
    page_label: Optional[str]                # as the input names the page
    part: int                                # 1 or 2 when the pipeline made two pages of one; else 0
    width: int
    height: int
    dpi: Tuple[float, float]                 # 0 = unknown
    turn: int                                # degrees clockwise by which it was set upright
    angle: float                             # degrees of skew that were taken out
    blocks: Tuple[Block, ...]
    upright: str = "unasked"                 # whether the letters told which way up it is: "sure", "doubtful" or "unasked"
    lang: Optional[str] = None               # of most of the text, a tag of BCP 47; None = not known
    unread_script: Optional[str] = None      # of ISO 15924, where the text seems to be in one that platen cannot read
    unread: Tuple[Line, ...] = ()            # lines in which nothing was read
    unexplained: Tuple[Box, ...] = ()        # of ink that looks like text and is in no line: those with the most
    flaw: Optional[str] = None               # what is wrong with the file, though it was read
    damaged: bool = False                    # rows of the picture may be missing

    @property
    def lines(self) -> List[Line]:
        return [line for block in self.blocks for line in block.lines]

    @property
    def words(self) -> List[Word]:
        return [word for line in self.lines for word in line.words]

    @property
    def text(self) -> str:
        """Rows of lines, and an empty line between blocks. Reader.read(..., format="txt") gives platen's own text."""
        blocks = []
        for block in self.blocks:
            rows: dict = {}
            for line in block.lines:
                rows.setdefault(line.row, []).append(line.text)
            blocks.append("\n".join(" ".join(row) for row in rows.values()))
        return "\n\n".join(blocks)


def version() -> str:
    """Of the library."""
    return _text(lib.platen_version())


def _text(chars) -> str:
    """Bytes that are no UTF-8, as names may have them, become surrogates, as os.fsdecode() makes them."""
    return ffi.string(chars).decode("utf-8", "surrogateescape")


def _bytes(text: Union[str, os.PathLike]) -> bytes:
    return os.fsencode(text)


def _optional(chars) -> Optional[str]:
    return _text(chars) if chars else None


def _name(type_name: str, value: int) -> str:
    """Of a member of an enum, its last word: "heading" for PLATEN_BLOCK_HEADING."""
    return ffi.typeof(type_name).elements[value].rpartition("_")[2].lower()


def _check(status: int, err) -> None:
    if status:
        raise Error(_text(err.text), _text(lib.platen_status_code(status)))


def _box(b) -> Box:
    return b.x0, b.y0, b.x1, b.y1


def _word(w) -> Word:
    return Word(_text(w.text), w.conf, _box(w.box), tuple((p.x, p.y) for p in w.quad),
                tuple(ffi.unpack(w.char_conf, w.n_chars)) if w.n_chars else ())


def _line(l) -> Line:
    return Line(_text(l.text), l.conf, _box(l.box), tuple((l.baseline[i].x, l.baseline[i].y) for i in range(l.n_baseline)), l.row,
                tuple(_word(l.words[i]) for i in range(l.n_words)), _optional(l.lang))


def _cell(c) -> Cell:
    return Cell(c.row, c.column, c.n_rows, c.n_columns, _box(c.box), tuple(_line(c.lines[i]) for i in range(c.n_lines)), _text(c.text))


def _block(b) -> Block:
    return Block(_name("enum platen_block_kind", b.kind), _box(b.box), tuple(_line(b.lines[i]) for i in range(b.n_lines)),
                 _optional(b.label), _optional(b.value), b.n_rows, b.n_columns, b.n_head,
                 tuple(_cell(b.cells[i]) for i in range(b.n_cells)), b.level)


def _page(p) -> Page:
    return Page(_text(p.path), p.page, _optional(p.page_label), p.part, p.width, p.height, (p.dpi_x, p.dpi_y), 90 * p.quarters,
                p.angle_deg, tuple(_block(p.blocks[i]) for i in range(p.n_blocks)), _name("enum platen_upright", p.upright),
                _optional(p.lang), _optional(p.unread_script), tuple(_line(p.unread[i]) for i in range(p.n_unread)),
                tuple(_box(p.unexplained[i]) for i in range(p.n_unexplained)), _optional(p.flaw), p.damaged)


class _Options:
    """struct platen_options of keyword arguments, which have the names of its members; it holds the texts. Of an enum a value is its
    last word, as pdf_text="redo"."""

    PLAIN = ("opt_level", "threads", "isa", "device", "max_pixels", "max_mem_bytes", "batch_max", "batch_preferred", "batch_wait_ms",
             "target_latency_ms", "model", "models", "pdf_renderer", "pdf_renderer_open", "pdf_text", "pages", "all_files", "tar", "dpi",
             "frames", "frame_change", "unordered")

    def __init__(self, **options):
        self.struct = ffi.new("struct platen_options *")
        self.held: List[Any] = []
        lib.platen_options_init(self.struct, ffi.sizeof("struct platen_options"))
        for name, value in {"models": os.environ.get("PLATEN_MODELS"), **options}.items():
            if name not in self.PLAIN:
                raise TypeError(f"unknown option '{name}'; there are {', '.join(self.PLAIN)}")
            kind = dict(ffi.typeof("struct platen_options").fields)[name].type
            if kind.kind == "enum" and isinstance(value, str):
                values = {_name(kind.cname, number): number for number in kind.elements}
                if value not in values:
                    raise ValueError(f"{name} is one of {', '.join(values)}, not '{value}'")
                value = values[value]
            elif isinstance(value, (str, os.PathLike)):
                value = ffi.new("char[]", _bytes(value))
                self.held.append(value)
            setattr(self.struct, name, ffi.NULL if value is None else value)


class _Pipeline:
    def __init__(self, text: str):
        ret, err, data = ffi.new("struct platen_pipeline **"), ffi.new("struct platen_error *"), text.encode()
        _check(lib.platen_pipeline_parse(data, len(data), lib.PLATEN_FORM_TEXT, ret, ffi.NULL, err), err)
        self.pointer = ffi.gc(ret[0], lib.platen_pipeline_free)


def _new_job(pipeline: _Pipeline, options: _Options):
    ret, err = ffi.new("struct platen_job **"), ffi.new("struct platen_error *")
    _check(lib.platen_job_new(pipeline.pointer, options.struct, ret, err), err)
    return ffi.gc(ret[0], lib.platen_job_free)


_running: weakref.WeakSet = weakref.WeakSet()  # readers and jobs whose threads call back


@atexit.register
def _close_all() -> None:
    """Before the interpreter goes: a thread of the library that calls back into one that is gone ends the process."""
    for one in list(_running):
        one.close()


def _forget_all() -> None:
    """In a process that was forked: the threads of the library stayed in the other one, and whoever waited for them would wait for
    ever."""
    global _readers_lock
    for one in list(_running):
        one._forget()
    _running.clear()
    _readers.clear()
    _readers_lock = threading.Lock()


os.register_at_fork(after_in_child=_forget_all)


def _of_this_process(job):
    if job is None:
        raise RuntimeError("the threads of this object are those of the process before a fork: make a new one")
    return job


def _run(job) -> Optional[Error]:
    """Runs a job to its end, in this thread."""
    summary, err = ffi.new("struct platen_summary *"), ffi.new("struct platen_error *")
    summary.size = ffi.sizeof("struct platen_summary")
    status = lib.platen_job_run(job, summary, err)
    return Error(_text(err.text), _text(lib.platen_status_code(status))) if status else None


def _png(image) -> bytes:
    """The library reads what is transparent, or has 16 bits, as of a file."""
    if image.mode == "F":
        raise TypeError("a picture of floating point numbers: nothing tells which of them are black and white")
    if image.mode == "I" and image.getextrema()[1] <= 255:  # of 8 bits, as convert("I") of grey has it
        image = image.convert("L")
    file = io.BytesIO()
    as_it_is = image.mode in ("1", "LA", "P", "RGBA", "I") or image.mode.startswith("I;16")
    (image if as_it_is else image.convert("RGB")).save(file, "PNG", compress_level=1)
    return file.getvalue()


def _size(width: int, height: int, channels: int) -> dict:
    """Members of struct platen_picture for pixels."""
    return {"width": width, "height": height, "channels": channels}


def _picture_bytes(source: Source) -> Tuple[Any, Optional[str], dict]:
    """The bytes of a file with the picture, or its pixels, a name, and what _size() has for pixels."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as f:
            return f.read(), os.fspath(source), {}
    if isinstance(source, (bytes, bytearray, memoryview)):
        return source, None, {}
    if hasattr(source, "getbands") and hasattr(source, "tobytes"):  # of Pillow
        if source.mode in ("L", "RGB"):
            return source.tobytes(), None, _size(*source.size, len(source.getbands()))
        return _png(source), None, {}
    if hasattr(source, "__array_interface__"):
        shape = source.shape[:-1] if len(source.shape) == 3 and source.shape[2] == 1 else source.shape
        if source.dtype.str not in ("|u1", "|b1") or len(shape) not in (2, 3) or (len(shape) == 3 and shape[2] not in (3, 4)):
            raise TypeError(f"a picture is an array of bytes (rows, columns[, 3 or 4]), not {source.dtype} {tuple(source.shape)}")
        pixels = source if source.dtype.str == "|u1" else source.astype("u1") * 255
        return pixels.tobytes(), None, _size(shape[1], shape[0], shape[2] if len(shape) == 3 else 1)
    if hasattr(source, "read"):
        name = getattr(source, "name", None)
        return source.read(), name if isinstance(name, str) else None, {}
    raise TypeError(f"no picture: {type(source).__name__}")


@ffi.callback("void(void *, const struct platen_answer *)")
def _on_answer(ctx, answer):
    future, wants_bytes = ffi.from_handle(ctx)
    try:
        if answer.status:
            text = ffi.buffer(answer.data, answer.data_bytes)[:].decode("utf-8", "surrogateescape")
            future.set_exception(Error(text, _text(lib.platen_status_code(answer.status))))
        elif wants_bytes:
            future.set_result(ffi.buffer(answer.data, answer.data_bytes)[:])
        else:
            future.set_result([_page(answer.pages[i]) for i in range(answer.n_pages)])
    except Exception as e:  # of the conversion; no exception may leave a callback
        future.set_exception(e)


class Reader:
    """A pipeline with its model and threads warm. Any thread may use it. Options have the names of members of struct
    platen_options in platen.h: threads, model, max_mem_bytes, dpi ..."""

    def __init__(self, pipeline: str = "@document", **options):
        self._pipeline, self._options = _Pipeline(pipeline), _Options(**options)
        self._options.struct.requests = True
        self._job = _new_job(self._pipeline, self._options)
        self._lock, self._borrowed = threading.Lock(), {}  # what the library has, until its answer
        self._thread = threading.Thread(target=_run, args=(self._job,), name="platen", daemon=True)
        self._thread.start()
        _running.add(self)

    def _ask(self, source: Source, page: Optional[int], format: Optional[str],
             lang: Optional[str] = None) -> concurrent.futures.Future:
        data, name, size = _picture_bytes(source)
        future: concurrent.futures.Future = concurrent.futures.Future()
        handle, view = ffi.new_handle((future, format is not None)), ffi.from_buffer(data)
        pages = str(page) if page else None
        texts = [ffi.new("char[]", _bytes(text)) if text else ffi.NULL for text in (name, format, pages, lang)]
        picture = ffi.new("struct platen_picture *", {
            "size": ffi.sizeof("struct platen_picture"), "data": view, "data_bytes": len(view), "name": texts[0],
            "pages": texts[2], "format": texts[1], "lang": texts[3], "ctx": handle, "answer": _on_answer, **size})
        request, err = ffi.new("struct platen_request **"), ffi.new("struct platen_error *")
        with self._lock:
            for old in [f for f in self._borrowed if f.done()]:
                lib.platen_request_free(self._borrowed.pop(old)[0])
            _check(lib.platen_job_ask(_of_this_process(self._job), picture, request, err), err)
            self._borrowed[future] = request[0], handle, view, texts
        return future

    def pages(self, source: Source, *, page: Optional[int] = None, lang: Optional[str] = None) -> List[Page]:
        """The page of a picture, the two that the pipeline makes of it, or all of a document; or only its page `page`. `lang` names
        the languages that are expected, as "de+en"."""
        return self._ask(source, page, None, lang).result()

    def read(self, source: Source, *, page: Optional[int] = None, format: Optional[str] = None,
             lang: Optional[str] = None) -> Union[Page, bytes]:
        """The page of a picture; with a format ("txt", "hocr", "pdf" ...) the bytes of that output, of all pages unless `page`
        chooses one."""
        answer = self._ask(source, page, format, lang).result()
        if format is not None:
            return answer
        if len(answer) != 1:
            raise ValueError("there are several pages: pages() gives all of them")
        return answer[0]

    def map(self, sources: Iterable[Source]) -> Iterator[Page]:
        """The pages of pictures in their order. A few more are read than were taken, so that all threads have work."""
        ahead = 2 * lib.platen_job_threads(_of_this_process(self._job))
        waiting: List[concurrent.futures.Future] = []
        for source in sources:
            waiting.append(self._ask(source, None, None))
            if len(waiting) > ahead:
                yield from waiting.pop(0).result()
        while waiting:
            yield from waiting.pop(0).result()

    def _forget(self) -> None:
        """Leaves the job to the process before a fork, which has its threads."""
        ffi.gc(self._job, None)  # this process frees nothing of it
        self._job, self._borrowed = None, {}

    def close(self) -> None:
        """Waits for what was asked; nothing can be asked any more."""
        if self._job is None:
            return
        lib.platen_job_close(self._job)
        self._thread.join()
        with self._lock:
            while self._borrowed:
                lib.platen_request_free(self._borrowed.popitem()[1][0])

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_) -> None:
        self.close()


_readers: dict = {}
_readers_lock = threading.Lock()


def read(source: Source, pipeline: str = "@document", *, page: Optional[int] = None, lang: Optional[str] = None) -> Page:
    """Reads one picture. The first call for a pipeline loads its model and makes its threads, which are kept."""
    with _readers_lock:
        if pipeline not in _readers:
            _readers[pipeline] = Reader(pipeline)
        reader = _readers[pipeline]
    return reader.read(source, page=page, lang=lang)  # type: ignore[return-value]


class _Results:
    """What the threads of the library have for whoever takes the pages of a job. They hold this, not the job, which so ends when
    nobody holds it any more."""

    WAITING = 16  # pages that are read and not yet taken; then the threads rest

    def __init__(self):
        self.queue: queue.Queue = queue.Queue(self.WAITING)
        self.given_up = False

    def put(self, kind: str, make: Callable[[], Any]) -> None:
        """What is made of lasts for the call."""
        try:
            if not self.given_up:
                self.queue.put((kind, make()))
        except Exception as e:  # of the conversion
            self.queue.put(("raise", e))

    def run(self, job) -> None:
        self.queue.put(("end", _run(job)))


class Job:
    """Pages of many files: an iterable that can be gone through once. Inputs are files, directories and PDFs, read by all threads;
    pages come in their order unless `unordered`. A page that fails raises Error at its turn, and the next one follows if one goes
    on; with `on_error` the Error goes there instead. `on_warning` gets texts about pages of which not all was read. Further options
    are those of Reader."""

    def __init__(self, inputs: Union[str, os.PathLike, Iterable[Union[str, os.PathLike]]], pipeline: str = "@document", *,
                 on_error: Optional[Callable[[Error], None]] = None, on_warning: Optional[Callable[[str], None]] = None, **options):
        self._pipeline, self._options = _Pipeline(pipeline), _Options(**options)
        self._on_error, self._on_warning = on_error, on_warning
        self._results = _Results()
        self._thread: Optional[threading.Thread] = None
        self._ended = False
        put = self._results.put
        self._callbacks = [
            ffi.callback("void(void *, const struct platen_page *)", lambda ctx, page: put("page", lambda: _page(page))),
            ffi.callback("void(void *, platen_status, const char *)",
                         lambda ctx, why, text: put("error", lambda: Error(_text(text), _text(lib.platen_status_code(why))))),
            ffi.callback("void(void *, const struct platen_warning *)", lambda ctx, w: put("warning", lambda: _text(w.text)))]
        self._options.struct.page, self._options.struct.failure, self._options.struct.warning = self._callbacks
        self._job = _new_job(self._pipeline, self._options)
        err = ffi.new("struct platen_error *")
        for name in [inputs] if isinstance(inputs, (str, os.PathLike)) else inputs:
            _check(lib.platen_job_add(self._job, _bytes(name), err), err)

    def __iter__(self) -> Iterator[Page]:
        return self

    def __next__(self) -> Page:
        _of_this_process(self._job)
        if self._ended:
            raise StopIteration
        if self._thread is None:
            self._thread = threading.Thread(target=self._results.run, args=(self._job,), name="platen", daemon=True)
            self._thread.start()
            _running.add(self)
        while True:
            kind, value = self._results.queue.get()
            if kind == "page":
                return value
            if kind == "raise":
                raise value
            if kind == "error" and self._on_error is None:
                raise value
            if kind == "error":
                self._on_error(value)
            elif kind == "warning" and self._on_warning is not None:
                self._on_warning(value)
            elif kind == "end":
                self._ended = True
                self._thread.join()
                if value is not None:
                    raise value
                raise StopIteration

    def _forget(self) -> None:
        """Leaves the job to the process before a fork, which has its threads."""
        ffi.gc(self._job, None)  # this process frees nothing of it
        self._job, self._ended = None, True

    def close(self) -> None:
        """Gives up what was not read yet. Done by `with`, and when nobody holds the job any more."""
        if self._ended or self._thread is None:
            self._ended = True
            return
        self._results.given_up = self._ended = True
        lib.platen_job_cancel(self._job)
        while self._results.queue.get()[0] != "end":
            pass
        self._thread.join()

    def __enter__(self) -> "Job":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_ended"):
            self.close()
