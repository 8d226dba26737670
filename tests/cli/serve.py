#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What a client of `platen serve` sees: serve.py SCENARIO, in a scratch directory, with the program as
$PLATEN and the source tree as $SOURCE. Each scenario is a function below; it prints what it saw."""
import concurrent.futures
import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

PLATEN = os.environ["PLATEN"]
PAGES = os.path.join(os.environ["SOURCE"], "samples", "pages")
RECEIPT = os.path.join(PAGES, "receipt.png")
PHOTO = os.path.join(PAGES, "photo.jpg")
LONG_S = 100 * int(os.environ.get("TIMES", "1"))  # longer than anything takes


class Server:
    """A server on a port of its own, or on a Unix socket."""

    def __init__(self, *options, socket_path=None, address="127.0.0.1", **process):
        where = ["--socket", socket_path] if socket_path else ["--listen", f"{address}:0"]
        self.process = subprocess.Popen([PLATEN, "serve", *where, *options], stdout=subprocess.PIPE, text=True,
                                        **process)
        shown = self.process.stdout.readline()
        match = re.fullmatch(r"listening on (?:http://[\d.]+:(\d+)|unix:(.*))\n", shown)
        if not match:
            raise SystemExit(f"no server: {shown!r}")
        self.port = match[1] and int(match[1])
        self.path = match[2]

    def connect(self):
        if self.port:
            return socket.create_connection(("127.0.0.1", self.port), LONG_S)
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(LONG_S)
        s.connect(self.path)
        return s

    def client(self):
        c = http.client.HTTPConnection("127.0.0.1", timeout=LONG_S)
        c.sock = self.connect()
        return c

    def request(self, method, url, body=None, headers={}):
        c = self.client()
        try:
            c.request(method, url, body, headers)
            r = c.getresponse()
            return r.status, dict(r.getheaders()), r.read()
        finally:
            c.close()

    def read(self, path, format, **query):
        arguments = "".join(f"&{k}={urllib.parse.quote(v)}" for k, v in query.items())
        return self.request("POST", f"/v1/pages?format={format}{arguments}", read_file(path))

    def metric(self, name):
        text = self.request("GET", "/metrics")[2].decode()
        return float(re.search(rf"^{re.escape(name)} (\S+)$", text, re.M)[1])

    def wait_for(self, name, value):
        end = time.monotonic() + LONG_S
        while self.metric(name) != value:
            if time.monotonic() > end:
                raise SystemExit(f"{name} never became {value}")
            time.sleep(0.01)

    def stop(self):
        """The exit status after SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(LONG_S)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def read_file(path):
    with open(path, "rb") as f:
        return f.read()


def expected(path, *formats):
    """What `platen run` writes for each format."""
    out = "expected"
    subprocess.run([PLATEN, "-q", "-f", ",".join(formats), "-o", out + "/", path], check=True)
    stem = os.path.splitext(os.path.basename(path))[0]
    extensions = {"layout": "layout.txt", "alto": "alto.xml", "page": "page.xml", "tiff": "tif",
                  "overlay": "overlay.png", "textpdf": "text.pdf"}
    found = {}
    for f in formats:
        if f == "csv":  # a file for each table, but one answer
            found[f] = subprocess.run([PLATEN, "-q", "-f", f, path], check=True, capture_output=True).stdout
            continue
        found[f] = read_file(f"{out}/{stem}.{extensions.get(f, f)}")
    return found


def all_formats():
    text = subprocess.run([PLATEN, "help"], check=True, capture_output=True, text=True).stdout
    return re.findall(r"^  (\w+) ", text.split("\nFormats\n")[1].split("\n\n")[0], re.M)


def formats():
    names = all_formats()
    print("more than ten formats:", len(names) > 10)
    form = os.path.join(PAGES, "form.png")
    want = {RECEIPT: expected(RECEIPT, *names), PHOTO: expected(PHOTO, "txt", "json", "overlay"), form: expected(form, "csv")}
    print("a table:", want[form]["csv"].count(b"\n") > 3)
    for threads in "1", "2":
        with Server("-j", threads) as server:
            for path, outputs in want.items():
                for name, output in outputs.items():
                    status, headers, body = server.read(path, name, name=path)
                    if status != 200 or body != output:
                        print(f"-j{threads} {name} of {path}: {status}, {len(body)} bytes, not {len(output)}")
            print(f"-j{threads}:", server.metric("platen_pages_total") == len(names) + 4, server.stop())
    picture = read_file(RECEIPT)
    run = subprocess.run([PLATEN, "-p", "@receipt", "-"], input=picture, check=True, capture_output=True)
    damaged = subprocess.run([PLATEN, "-"], input=picture[:80000], check=True, capture_output=True)
    with Server() as server:
        status, headers, body = server.request("POST", "/v1/pages", picture[:80000])
        print("a damaged picture:", status, headers["Platen-Warning"], body == damaged.stdout,
              damaged.stderr == b"platen: " + headers["Platen-Warning"].encode() + b"\n")
        print("a whole one:", server.request("POST", "/v1/pages", picture)[1].get("Platen-Warning"))
    with Server("-p", "@receipt") as server:
        status, headers, body = server.request("POST", "/v1/pages", picture)
        print("another pipeline:", status, headers["Content-Type"], body == run.stdout)
    with Server("-p", "gray,sauvola | lines") as server:
        print("two stages:", [server.read(RECEIPT, f)[0] for f in ("json", "png", "txt", "nonsense")])
        print("by default:", server.request("POST", "/v1/pages", picture)[1]["Content-Type"])


def documents():
    """All pages of a document come in one answer, the bytes that the program writes; or those that are chosen."""
    subprocess.run([PLATEN, "-q", "-o", "two.pdf", RECEIPT, os.path.join(PAGES, "form.png")], check=True)
    tiff = os.path.join(os.environ["SOURCE"], "tests", "fuzz", "corpus", "tiff", "pages.tif")

    def run(*options):
        return subprocess.run([PLATEN, "-q", *options], check=True, capture_output=True).stdout

    for threads in "1", "3":
        with Server("-j", threads, "--queue", "32") as server:
            for path in "two.pdf", tiff:
                for format in "txt", "json", "ndjson", "hocr", "tsv", "pdf":
                    status, _, body = server.read(path, format, name=path)
                    if status != 200 or body != run("-f", format, "-o", "-", path):
                        print(f"-j{threads} {format} of {path}: {status}, {len(body)} bytes")
            print("chosen:", server.read("two.pdf", "txt", pages="2")[2] == run("--pages", "2", "two.pdf"))
            print("png of several:", *server.read("two.pdf", "png")[::2])
            print("png of one:", server.read("two.pdf", "png", pages="2")[2] == run("--pages", "2", "-f", "png", "two.pdf"))
            print("no such page:", *server.read("two.pdf", "txt", pages="3-")[::2])
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                texts = list(pool.map(lambda i: server.read("two.pdf" if i % 2 else RECEIPT, "txt")[2], range(8)))
            print("side by side:", texts == [run("two.pdf" if i % 2 else RECEIPT) for i in range(8)])
            print("pages:", server.metric("platen_pages_total") == 6 * (2 + 3) + 2 + 4 * (1 + 2), server.stop())
    spoil_second_page("two.pdf", "broken.pdf")
    with Server() as server:
        for format in "txt", "json", "ndjson":
            status, _, body = server.read("broken.pdf", format, name="broken.pdf")
            made = subprocess.run([PLATEN, "-q", "-f", format, "broken.pdf"], capture_output=True)
            print("a broken page:", format, status, (body == made.stdout and body.count(b'"status":')) if status == 200 else body.decode().strip())
        pages = json.loads("[" + server.read("broken.pdf", "json")[2].decode().replace("}\n{", "},{") + "]")
        print([(p["page"], p["status"], p.get("code")) for p in pages])
        status, _, body = server.read("broken.pdf", "json", pages="2")
        print("alone:", status, body.decode().strip())
        print("a page as a picture:", server.request("POST", "/v1/pages?format=png&pipeline=picture&pages=2", read_file("two.pdf"))[2] ==
              run("-p", "invert:never", "--pages", "2", "-f", "png", "two.pdf"))


def spoil_second_page(path, to):
    """A copy whose second page has a picture of no width."""
    data = read_file(path)
    at = data.rindex(b"/Width ")
    with open(to, "wb") as f:
        f.write(data[:at + 7] + b"0" * (data.index(b" ", at + 7) - at - 7) + data[data.index(b" ", at + 7):])


def pipelines():
    """A request names a pipeline that the operator allows."""
    with Server("--allow-pipeline", "@receipt; gray,sauvola | lines;gray", "--min-conf", "0.5") as server:
        for name in "@receipt", "gray,sauvola | lines", "gray", "@photo", "":
            for query in "", "&format=txt":
                url = "/v1/pages?pipeline=" + urllib.parse.quote(name) + query
                status, headers, body = server.request("POST", url, read_file(RECEIPT))
                print(name, query, status, headers["Content-Type"],
                      body.decode().strip() if status != 200 else
                      body == subprocess.run([PLATEN, "-q", "-p", name, *(["--min-conf", "0.5"] if name == "@receipt" else []), "-"],
                                             input=read_file(RECEIPT), check=True, capture_output=True).stdout)
        fields = form(("pipeline", None, b"gray"), ("format", None, b"txt"), ("file", "a.png", read_file(RECEIPT)))
        print("a format that it has not:", *server.request("POST", "/v1/pages", *fields)[::2])
        print("exit:", server.stop())
    for options in ["--allow-pipeline", "@none;gray,deskw"], ["--allow-pipeline", "gray | lines | ctc:chars=0-9"]:
        run = subprocess.run([PLATEN, "serve", *options], capture_output=True, text=True)
        print(*options, run.returncode, run.stderr.splitlines()[0])


def languages():
    """A request names languages and the weight of language models, and gets what the program writes with them."""
    data = os.path.join(os.environ["SOURCE"], "tests", "data")
    line, scripts = os.path.join(data, "lines", "13-accents.png"), os.path.join(data, "scripts", "mixed.png")
    filled, unsure = os.path.join(PAGES, "form.png"), os.path.join(data, "lines", "09-small.png")
    asked = [(path, pipeline, lang, lm) for path, pipeline in ((filled, "@document"), (unsure, "@line"), (scripts, "@document"))
             for lang in ("", "deu", "de+ru") for lm in ("", "off", "2")]

    def want(path, pipeline, lang, lm):
        options = [*(["--lang", lang] if lang else []), *(["--lm", lm] if lm else [])]
        return subprocess.run([PLATEN, "-q", "-p", pipeline, "-f", "json", *options, "-"], input=read_file(path),
                              check=True, capture_output=True).stdout

    def query(pipeline, lang, lm):
        return urllib.parse.urlencode({"format": "json", **({"pipeline": pipeline} if pipeline != "@document" else {}),
                                       **({"lang": lang} if lang else {}), **({"lm": lm} if lm else {})})

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wanted = list(pool.map(lambda a: want(*a), asked))
    print("they matter:", [len(set(wanted[i:i + 9])) > 1 for i in (0, 9)])
    for options in ["-j", "1"], ["-j", "3"], ["-j", "3", "--batch-wait-ms", "20"]:
        with Server(*options, "--queue", "64", "--deadline-ms", str(1000 * LONG_S), "--allow-pipeline", "@line") as server, \
                concurrent.futures.ThreadPoolExecutor(12) as pool:
            answers = pool.map(lambda a: server.request("POST", "/v1/pages?" + query(*a[1:]), read_file(a[0]))[::2], asked * 2)
            for a, w, (status, body) in zip(asked * 2, wanted * 2, answers):
                if status != 200 or body != w:
                    print(*options, *a, status, len(body))
            if options == ["-j", "1"]:
                fields = form(("lang", None, b"de+ru"), ("lm", None, b"2"), ("format", None, b"json"), ("file", "-", read_file(unsure)))
                print("a form:", server.request("POST", "/v1/pages?pipeline=@line", *fields)[2] == want(unsure, "@line", "de+ru", "2"))
                print("a plus in a query:", server.request("POST", "/v1/pages?format=json&pipeline=@line&lang=de+ru&lm=2",
                                                           read_file(unsure))[2] == want(unsure, "@line", "de+ru", "2"))
                for wrong in "lang=", "lang=klingon", "lang=de%2Bxx", "lm=", "lm=5", "lm=much", "lang=de&pipeline=picture&format=png":
                    print(wrong, *server.request("POST", "/v1/pages?" + wrong, read_file(line))[::2])
            print(*options, "exit:", server.stop())
    with Server("--lang", "deu+fra", "--lm", "off", "--deadline-ms", str(1000 * LONG_S), "--allow-pipeline", "@line") as server:
        for wish in "lang=ger", "lang=fr", "lang=fre%2Bde", "lang=de%2Beng", "lang=en", "lm=auto", "lm=1":
            status, _, body = server.request("POST", "/v1/pages?format=txt&pipeline=@line&" + wish, read_file(line))
            print(wish, status, body.decode().strip())
        print("exit:", server.stop())


def rest():
    """A server without work gives back what a large picture took."""
    def ask(server, picture):
        return server.request("POST", "/v1/pages?format=txt", picture)[0]

    def resident(server):
        with open(f"/proc/{server.process.pid}/smaps_rollup", encoding="ascii") as f:
            return next(int(line.split()[1]) * 1024 for line in f if line.startswith("Anonymous:"))

    line = (b"\xff" * 300 + (b"\0" * 6 + b"\xff" * 6) * 225) * 20 + b"\xff" * 3000 * 37  # of print, and the white below
    small = b"P5\n3000 228\n255\n" + line * 4  # which opens the same models, and these stay
    large = b"P5\n3000 2850\n255\n" + line * 50
    with Server("-j", "2") as server:
        print("small:", ask(server, small))
        before = resident(server)
        print("large:", ask(server, large))
        end = time.time() + LONG_S
        while resident(server) - before > 12e6 and time.time() < end:
            time.sleep(0.1)
        print("given back:", resident(server) - before <= 12e6)
        print("small:", ask(server, small))
        print("exit:", server.stop())


def at_once():
    """Many clients, more than there are threads; every answer is the one of its picture."""
    paths = sorted(os.path.join(PAGES, n) for n in os.listdir(PAGES) if n.endswith((".png", ".jpg")))
    want = {p: expected(p, "txt")["txt"] for p in paths}
    with Server("-j2", "--queue", "100") as server, concurrent.futures.ThreadPoolExecutor(12) as pool:
        for _ in range(2):
            for p, (status, _, body) in zip(paths, pool.map(lambda p: server.read(p, "txt"), paths)):
                if status != 200 or body != want[p]:
                    print(f"{p}: {status}")
        print("pages:", server.metric("platen_pages_total") == 2 * len(paths), "lines:",
              server.metric("platen_lines_total") > 100,
              "requests:", server.metric('platen_http_requests_total{code="200"}') >= 2 * len(paths))
        for stage in "decode", "preprocess", "detect", "recognize", "output":
            print(stage, server.metric(f'platen_stage_seconds_count{{stage="{stage}"}}') == 2 * len(paths))
        print("memory:", server.metric("process_resident_memory_bytes") > 1e6, "exit:", server.stop())


def stall(server, length=1000):
    """A request whose picture does not come."""
    s = server.connect()
    s.sendall(b"POST /v1/pages HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n" % length)
    assert s.recv(100).startswith(b"HTTP/1.1 100 ")
    return s


def full():
    with Server("-j1", "--queue", "1", "--head-ms", "3600000") as server:
        stalled = [stall(server), stall(server)]
        for headers in {}, {"Expect": "100-continue"}:
            status, answered, body = server.request("POST", "/v1/pages", b"x" * 1000, headers)
            print(status, answered["Retry-After"], body.decode().strip())
        print("health:", server.request("GET", "/health")[0], "receiving:", server.metric("platen_receiving"))
        stalled[0].close()
        server.wait_for("platen_receiving", 1)
        print("with room:", server.read(RECEIPT, "txt")[0], server.metric("platen_queue_limit"))
        stalled[1].close()


# a page that is not done before its test ends it
SLOW = "--isa", "scalar", "-p", "gray" + ",gauss:50" * 60
SLOW_PAGE = b"P5 700 700 255\n" + b"\xff" * 490000


def deadline():
    """One page is begun and not done, the other waits behind it. The server stands still while the time of both
    passes, so that neither its speed nor the machine's load matters."""
    deadline_ms = 3000
    with Server("-j1", *SLOW, "--deadline-ms", str(deadline_ms)) as server:
        clients = []
        for i in range(2):
            c = server.client()
            c.request("POST", "/v1/pages", SLOW_PAGE)
            clients.append(c)
            if i == 0:
                server.wait_for("platen_in_flight", 1)
        server.wait_for("platen_queue_depth", 1)
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(deadline_ms / 1000)
        server.process.send_signal(signal.SIGCONT)
        for c in clients:
            r = c.getresponse()
            print(r.status, r.getheader("Retry-After"), r.read().decode().strip())
        server.wait_for("platen_in_flight", 0)
        print("read:", server.metric("platen_pages_total"))


def together():
    """Lines of pictures that come together share a call; one that is held for others has its deadline, too."""
    lines = os.path.join(os.environ["SOURCE"], "tests", "data", "lines")
    words = [read_file(os.path.join(lines, f)) for f in sorted(os.listdir(lines)) if f.endswith(".png")][:3]
    url = "/v1/pages?format=txt"
    held = "-j1", "-p", "@line", "--batch-preferred", "3", "--batch-wait-ms", "60000"
    with Server(*held) as server:
        with concurrent.futures.ThreadPoolExecutor(len(words)) as pool:
            got = list(pool.map(lambda body: server.request("POST", url, body), words))
        calls, n = server.metric("platen_network_calls_total"), server.metric("platen_network_lines_total")
        print("lines:", n, "fewer calls:", calls < n)
    with Server(*held, "--deadline-ms", "1000") as server:
        status, _, body = server.request("POST", url, words[0])
        print(status, body.decode().strip())
        begun = time.monotonic()
        print("drained:", server.stop(), "without the wait:", time.monotonic() - begun < LONG_S / 4)
    with Server("-j1", "-p", "@line") as server:
        alone = [server.request("POST", url, w) for w in words]
        print("the same alone:", [s for s, *_ in got], [body for *_, body in got] == [body for *_, body in alone])
        print("each in a call:", server.metric("platen_network_calls_total") == n)


def left():
    """Clients that leave: with a picture being read, one that waits, and one that came by half."""
    with Server("-j1", *SLOW) as server:
        clients = []
        for i in range(2):
            clients.append(server.client())
            clients[-1].request("POST", "/v1/pages", SLOW_PAGE)
            if i == 0:
                server.wait_for("platen_in_flight", 1)
        server.wait_for("platen_queue_depth", 1)
        half = stall(server)
        half.sendall(b"P5 ")
        for c in clients + [half]:
            c.close()
        for name in "platen_in_flight", "platen_queue_depth", "platen_receiving":
            server.wait_for(name, 0)
        print("dropped:", server.metric("platen_dropped_total"), "read:", server.metric("platen_pages_total"))
        print("exit:", server.stop())


def talk(server, data, end=True):
    """The first line and the last of what comes back for raw bytes."""
    with server.connect() as s:
        try:
            s.sendall(data)
            if end:
                s.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: s.recv(65536), b""))
        except OSError:
            return "closed"
    if b"\r\nContent-Type: application/json\r\n" in answer:
        json.loads(answer.split(b"\r\n\r\n", 1)[1].decode("utf-8"))
    lines = answer.decode("latin-1").splitlines() or ["nothing"]
    return lines[0] if len(lines) == 1 or not lines[-1].startswith("{") else f"{lines[0]}: {lines[-1]}"


def form(*fields):
    """A body of multipart/form-data and its headers, of (name, file name or None, bytes)."""
    body = b""
    for name, filename, data in fields:
        more = f'; filename="{filename}"' if filename is not None else ""
        body += f'--limit\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode() + data + b"\r\n"
    return body + b"--limit--\r\n", {"Content-Type": "multipart/form-data; boundary=limit"}


def bodies():
    """Forms and chunks give what the bytes of the picture give."""
    picture, limit = read_file(RECEIPT), 300000
    text = expected(RECEIPT, "txt")["txt"]
    with Server("-j1", "--max-body", str(limit)) as server:
        def pieces(data, n):
            return (data[i:i + n] for i in range(0, len(data), n))

        def show(what, body, headers={}, query=""):
            status, _, answer = server.request("POST", "/v1/pages" + query, body, headers)
            shown = answer == text if status == 200 and query != "?format=json" else answer.decode().strip()
            print(f"{what}:", status, json.loads(shown).get("path", shown) if query == "?format=json" else shown)

        for n in 7, 1000, limit:
            show(f"chunks of {n}", pieces(picture, n))
        show("chunks of nothing", iter(()))
        show("chunks without end", pieces(b"x" * (limit + 1), 1000))
        show("a coding that is unknown", b"x", {"Transfer-Encoding": "gzip"})
        show("a form", *form(("file", "a.png", picture)))
        show("fields before", *form(("format", None, b"txt"), ("pages", None, b"1"), ("file", "a.png", picture)))
        show("fields behind", *form(("file", None, picture), ("name", None, b"b.png"), ("format", None, b"txt")))
        show("the name of the file", *form(("file", "a b.png", picture)), "?format=json")
        show("a name beside", *form(("name", None, b"c.png"), ("file", "a.png", picture)), "?format=json")
        body, headers = form(("file", "a.png", picture))
        show("a form in chunks", pieces(body, 900), headers)
        fields, head = form(("format", None, b"txt"), ("name", None, b"c.png"), ("file", "a.png", picture))
        show("fields in pieces", pieces(fields, 7), head)
        show("a form cut off", body[:-30], headers)
        show("a form of garbage", b"garbage " * 20, headers)
        show("no boundary", body, {"Content-Type": "multipart/form-data"})
        show("another kind of form", body, {"Content-Type": "multipart/mixed; boundary=limit"})
        show("an empty picture", *form(("file", "a.png", b"")))
        show("no picture", *form(("format", None, b"txt")))
        show("two pictures", *form(("file", "a.png", picture), ("more", "b.png", picture)))
        show("a wrong value", *form(("format", None, b"doc"), ("file", "a.png", picture)))
        show("a wrong value behind", *form(("file", "a.png", picture), ("format", None, b"doc")))
        show("an unknown field", *form(("fromat", None, b"txt"), ("file", "a.png", picture)))
        show("a long field", *form(("name", None, b"x" * 5000), ("file", "a.png", picture)))
        show("a picture too long", *form(("file", "a.png", b"x" * (limit - 50))))
        show("chunks too long of a form", pieces(form(("file", "a.png", b"x" * (limit + 1)))[0], 5000), headers)
        print("receiving:", server.metric("platen_receiving"), "exit:", server.stop())


def network():
    """Addresses of the network, with a token or behind a proxy; pages of other sites that may ask."""
    token = "sesame-sesame-sesame"
    with open("token", "w", encoding="ascii") as f:
        f.write(token + "\nanother line\n")
    right = {"Authorization": "Bearer " + token}

    def show(server, method="GET", url="/metrics", **headers):
        headers = {k.replace("_", "-"): v for k, v in headers.items()}
        status, answered, body = server.request(method, url, b"" if method == "POST" else None, headers)
        told = {k: v for k, v in answered.items() if k.startswith("Access") or k in ("WWW-Authenticate", "Vary")}
        print(method, url, headers, status, told, body.decode().strip() if status >= 400 else "")

    with Server("--token", "token", address="0.0.0.0") as server:
        for url in "/health", "/", "/openapi.json", "/metrics":
            show(server, url=url)
        show(server, "POST", "/v1/pages")
        for given in token, "  " + token, "  ", token[:-1], token + "x", token.upper(), "", token * 2:
            show(server, Authorization="Bearer " + given)
        show(server, Authorization="Basic " + token)
        show(server, Host="any.example", **right)
        show(server, Host="any.example", Origin="https://any.example", **right)
        show(server, Host="any.example", Origin="https://evil.example", **right)
        print("reads:", server.request("POST", "/v1/pages", read_file(RECEIPT), right)[0], "exit:", server.stop())
    with Server("--proxied", "--allow-host", "ocr.example", address="0.0.0.0") as server:
        for host in "ocr.example", "evil.example":
            show(server, url="/health", Host=host)
        show(server, url="/health", Host="ocr.example", Origin="https://ocr.example")
    with Server("--allow-origin", "https://a.example,http://b.example:3000") as server:
        for origin in "https://a.example", "http://b.example:3000", "http://b.example", "https://evil.example":
            show(server, url="/health", Origin=origin, Sec_Fetch_Site="cross-site")
            show(server, "OPTIONS", "/v1/pages", Origin=origin, Access_Control_Request_Method="POST")
        show(server, "OPTIONS", "/v1/pages")
    with Server("--allow-origin", "*") as server:
        show(server, url="/health", Origin="null")
    for text in "", "short\n", "with a blank inside it\n", "x" * 257, "\nbehind-an-empty-line\n":
        with open("bad", "w", encoding="ascii") as f:
            f.write(text)
        run = subprocess.run([PLATEN, "serve", "--token", "bad"], capture_output=True, text=True)
        print(repr(text[:30]), run.returncode, run.stderr.splitlines()[0])


def described():
    """What /openapi.json says is what there is."""
    with Server() as server:
        status, headers, body = server.request("GET", "/openapi.json")
        about = json.loads(body)
        print(status, headers["Content-Type"], about["openapi"])
        print("formats:", about["components"]["schemas"]["Format"]["enum"] == all_formats())
        for path, methods in about["paths"].items():
            for method in methods:
                print(method.upper(), path, server.request(method.upper(), path, b"" if method == "post" else None)[0])
        page = about["paths"]["/v1/pages"]["post"]
        fields = page["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"]
        names = [p["name"] for p in page["parameters"]]
        print("parameters:", names, sorted(fields) == sorted(names + ["file"]))
        refused = json.loads(server.request("POST", "/v1/pages?x=y", b"x")[2])["error"]
        print(refused)

        def resolve(value):
            if isinstance(value, dict):
                if "$ref" in value:
                    at = about
                    for part in value["$ref"][2:].split("/"):
                        at = at[part]
                for v in value.values():
                    resolve(v)
            elif isinstance(value, list):
                for v in value:
                    resolve(v)
        resolve(about)
        status, headers, body = server.request("GET", "/")
        print(status, headers["Content-Type"], b"<title>platen</title>" in body,
              "from elsewhere:", re.findall(rb'(?:src|href)="?(https?:[^" ]*)', body))


def malformed():
    post = b"POST /v1/pages%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n%s"
    picture = read_file(RECEIPT)
    with Server("--max-body", "1M", "--max-pixels", "1000000") as server:
        def show(what, query=b"", headers=b"", body=b"", length=None):
            length = len(body) if length is None else length
            data = post % (query, headers + b"Content-Length: %s\r\n" % str(length).encode(), body)
            print(f"{what}: {talk(server, data, end=False)}")
        show("empty")
        show("no picture", body=b"hello")
        show("cut picture", body=picture[:1000])
        show("too long", length=2 << 20)
        show("far too long", length=(1 << 64) - 2)
        show("too many pixels", body=b"P4 2000 2000\n" + bytes(500000))
        show("unknown format", query=b"?format=doc", body=picture)
        show("format in other bytes", query=b"?format=%ff%c3%a4%e4b", body=picture)
        show("no format", query=b"?format=", body=picture)
        show("unknown parameter", query=b"?fromat=txt", body=picture)
        show("page 0", query=b"?pages=0", body=picture)
        show("page 2", query=b"?pages=2", body=picture)
        show("another pipeline", query=b"?pipeline=@receipt", body=picture)
        show("no name", query=b"?name=", body=picture)
        show("form", headers=b"Content-Type: multipart/form-data; boundary=x\r\n", body=b"--x--")
        print("no length:", talk(server, post % (b"", b"", b"")))
        print("chunks:", talk(server, post % (b"", b"Transfer-Encoding: chunked\r\n", b"3\r\nabc\r\n0\r\n\r\n"), end=False))
        # these libmicrohttpd refuses, and each version in its words
        for length in b"-1", b"abc", b"1" * 30:
            data = post % (b"", b"Content-Length: %s\r\n" % length, b"")
            print(f"length {length.decode()}:", talk(server, data, end=False)[:len("HTTP/1.1 4")])
        print("cut:", talk(server, post % (b"", b"Content-Length: 5000\r\n", picture[:4000])))
        for method, url in ("PUT", "/v1/pages"), ("GET", "/v1/pages"), ("POST", "/health"), ("GET", "/x"), ("GET", "/v1/pages/x"):
            status, headers, body = server.request(method, url)
            print(method, url, status, headers.get("Allow"), body.decode().strip())
        print("method:", talk(server, b"<>\x01 /v1/pages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").split(":")[0])
        for noise in b"GET /health HTTP/1.1\r\nX: " + b"x" * 100000 + b"\r\n\r\n", b"", b"\r\n\r\n", b"\0" * 1000, b"\xff\xfe garbage\r\n\r\n":
            talk(server, noise)
        print("health:", server.request("GET", "/health")[::2])
        print("still reads:", server.read(RECEIPT, "txt")[0], "exit:", server.stop())


def check_exposition(text):
    """The rules of Prometheus' text format, version 0.0.4; returns names and labels to values."""
    name, value = r"[a-zA-Z_:][a-zA-Z0-9_:]*", r"(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\+Inf)"
    label = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"'
    kind, helped, found, last = {}, set(), {}, None
    assert text.endswith("\n")
    for line in text[:-1].split("\n"):
        if about := re.fullmatch(rf"# HELP ({name}) (?:[^\\]|\\[\\n])*", line):
            assert about[1] not in helped, line
            helped.add(about[1])
        elif about := re.fullmatch(rf"# TYPE ({name}) (counter|gauge|histogram)", line):
            assert about[1] not in kind and about[1] in helped, line
            kind[about[1]] = about[2]
            last = about[1]
            assert about[2] != "counter" or about[1].endswith("_total"), line
        else:
            sample = re.fullmatch(rf"({name})(?:{{({label}(?:,{label})*)}})? ({value})", line)
            assert sample, line
            base = re.sub("_(bucket|sum|count)$", "", sample[1]) if kind[last] == "histogram" else sample[1]
            assert base == last, line  # the samples of a name stand together, behind its TYPE
            assert (sample[1], sample[2]) not in found, line
            found[sample[1], sample[2]] = float(sample[3])
    for base in (b for b in kind if kind[b] == "histogram"):
        series = {}
        for (n, labels), count in found.items():
            if n == base + "_bucket":
                rest, end = re.fullmatch(r'(?:(.*),)?le="([^"]*)"', labels).groups()
                series.setdefault(rest, []).append((float(end), count))
        assert series, base
        for rest, buckets in series.items():
            assert buckets == sorted(buckets) and [c for _, c in buckets] == sorted(c for _, c in buckets), (base, rest)
            assert buckets[-1] == (float("inf"), found[base + "_count", rest]), (base, rest)
            assert (base + "_sum", rest) in found, (base, rest)
    return found


def metrics():
    """What /metrics says keeps to its format, before the first page and after, whatever the model is called."""
    odd = 'a"b\\c\nd\te\u00e4'.encode() + b"\xff.platen"
    os.mkdir("models")
    os.symlink(os.path.join(os.environ["SOURCE"], "models", "eng.platen"), b"models/" + odd)
    with Server("--model", b"models/" + odd) as server:
        status, headers, body = server.request("GET", "/metrics")
        before = check_exposition(body.decode("utf-8"))
        print(status, headers["Content-Type"])
        print([labels for name, labels in before if name == "platen_model_info"])
        statuses = [server.read(RECEIPT, f)[0] for f in ("txt", "json", "nonsense")]
        after = check_exposition(server.request("GET", "/metrics")[2].decode("utf-8"))
        print({name: after[name, labels] - before[name, labels] for name, labels in before
               if name.endswith("_total") and labels is None and name in ("platen_dropped_total", "platen_pages_total")})
        print(statuses, {labels: n for (name, labels), n in after.items() if name == "platen_http_requests_total"})


def noise():
    """Requests with random damage: the server goes on and is not stuck."""
    rng = random.Random(1)
    body = b"P5 40 40 255\n" + b"\xff" * 1600
    good = b"POST /v1/pages?format=json&name=a HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    with Server("-j2", "--queue", "800") as server:
        for _ in range(400):
            data = bytearray(good)
            for _ in range(rng.randrange(1, 6)):
                at = rng.randrange(len(data) if rng.random() < 0.2 else 100)
                action = rng.random()
                if action < 0.6:
                    data[at] = rng.randrange(256)
                elif action < 0.8:
                    del data[at:at + rng.randrange(1, 40)]
                else:
                    data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 40)))
            with server.connect() as s:
                try:
                    s.sendall(data)
                    s.shutdown(socket.SHUT_WR)
                    while s.recv(65536):
                        pass
                except OSError:
                    pass
        for name in "platen_in_flight", "platen_queue_depth", "platen_receiving":
            server.wait_for(name, 0)
        print("still reads:", server.read(RECEIPT, "txt")[0], "exit:", server.stop())


def drain():
    picture = read_file(RECEIPT)
    with Server("-j1") as server:
        idle = server.client()
        idle.request("GET", "/health")
        idle.getresponse().read()
        pending = stall(server, len(picture))
        server.process.send_signal(signal.SIGTERM)
        refused = False
        while not refused:
            try:
                server.connect().close()
                time.sleep(0.01)
            except ConnectionRefusedError:
                refused = True
        print("new connections are refused:", refused)
        idle.request("POST", "/v1/pages", picture)
        r = idle.getresponse()
        print("on an old one:", r.status, r.getheader("Connection"), r.read().decode().strip())
        pending.sendall(picture)
        answer = b"".join(iter(lambda: pending.recv(65536), b""))
        print("in flight:", answer.split(b"\r\n")[0].decode(),
              answer.split(b"\r\n\r\n", 1)[1] == expected(RECEIPT, "txt")["txt"])
        print("exit:", server.process.wait(LONG_S))
    with Server("-j1") as server:
        pending = stall(server)
        server.process.send_signal(signal.SIGTERM)
        while server.process.poll() is None:
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.01)
        print("two signals:", server.process.returncode)


def unix_socket():
    with Server(socket_path="s") as server:
        print("mode:", oct(os.stat("s").st_mode & 0o777))
        print("reads:", server.read(RECEIPT, "txt")[2] == expected(RECEIPT, "txt")["txt"])
        second = subprocess.run([PLATEN, "serve", "--socket", "s"], capture_output=True, text=True)
        print("second:", second.returncode, second.stderr.strip())
        print("exit:", server.stop(), "gone:", not os.path.exists("s"))
    with Server(socket_path="s") as server:
        server.process.kill()
        server.process.wait()
    with Server(socket_path="s") as server:
        print("after a kill:", server.request("GET", "/health")[0], server.stop())


def usage():
    for words in (["--listen", "0.0.0.0:0"], ["--listen", "0.0.0.0:0", "--token", "missing"], ["--listen", "localhost:80"], ["--listen", "127.0.0.1"], ["--listen", "[::2]:0"],
                  ["--listen", "127.0.0.1:99999"],
                  *(["--allow-host", name] for name in ("scans.lan:8080", "https://scans.lan", "a, b", "*", "")),
                  *(["--allow-origin", name] for name in ("scans.lan", "https://scans.lan/", "https://a,*", "https://*.lan", "://a", "")),
                  ["--queue", "0"], ["--deadline-ms", "x"], ["--max-body", "2G"],
                  ["--socket", ""], ["--socket", "s", "--listen", "127.0.0.1:0"], ["-p", "gray,deskw"],
                  ["-f", "txt"], ["page.png"]):
        run = subprocess.run([PLATEN, "serve", *words], capture_output=True, text=True)
        print(" ".join(words), run.returncode, run.stderr.splitlines()[0])
    for word in "--help", "--version":  # platen answers these
        run = subprocess.run([f"{PLATEN}-serve", word], capture_output=True, text=True, timeout=LONG_S)
        print("platen-serve", word, run.returncode, run.stderr.strip())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
