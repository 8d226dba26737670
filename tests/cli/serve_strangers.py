#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What strangers do to `platen serve`: serve_strangers.py SCENARIO, as serve.py."""
import os
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import time

from serve import LONG_S, PLATEN, RECEIPT, Server, expected, read_file, stall, talk

HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def health(server):
    return server.request("GET", "/health")[0]


def framing():
    """Heads that two readers might end in different places, and other oddities: one answer, and the end."""
    hidden = HEALTH
    with Server() as server:
        def show(what, data):
            with server.connect() as s:
                s.sendall(data)
                answer = b"".join(iter(lambda: s.recv(65536), b""))
            lines = answer.decode("latin-1").splitlines() or ["nothing"]
            print(f"{what}: {lines[0]}: {lines[-1] if lines[-1].startswith('{') else ''}",
                  "" if answer.count(b"HTTP/1.") == 1 else f"and {answer.count(b'HTTP/1.')} answers")

        def post(what, headers, body=b""):
            show(what, b"POST /v1/pages HTTP/1.1\r\nHost: localhost\r\n" + headers + b"\r\n" + body)

        def get(what, target, headers=b"", version=b"HTTP/1.1"):
            show(what, b"GET " + target + b" " + version + b"\r\nConnection: close\r\n" + headers + b"\r\n")

        post("two lengths", b"Content-Length: 3\r\nContent-Length: %d\r\n" % len(hidden), hidden)
        post("the same length twice", b"Content-Length: 3\r\nContent-Length: 3\r\n", b"abc" + hidden)
        post("a blank before the colon", b"Content-Length : %d\r\n" % len(hidden), hidden)
        post("a length and chunks", b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n" + hidden)
        post("no length", b"", hidden)
        post("chunks", b"Transfer-Encoding: chunked\r\n", b"3\r\nabc\r\n0\r\n\r\n")
        post("a name with brackets", b"X(Y): 1\r\nContent-Length: 5\r\n", b"hello")
        host = b"Host: localhost\r\n"
        get("two Hosts", b"/health", host + host)
        get("HTTP/1.0 without Host", b"/health", version=b"HTTP/1.0")
        get("a zero byte", b"/health\0", host)
        get("a zero byte and more", b"/health\0x", host)
        get("a zero byte, escaped", b"/health%00", host)
        get("a zero byte, escaped, and more", b"/health%00x", host)
        get("another path", b"/healthx", host)
        get("some arguments", b"/health?" + b"a&" * 10, host)
        get("a blank in the target", b"/hea lth", host)
        show("a comma in the method", b"GET, /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        show("quotes in the method", b'"GET, HEAD" /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
        show("no method", b"\r\n /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        show("no version", b"GET /health\r\nHost: localhost\r\n\r\n")
        show("one word", b"hello\r\n\r\n")
        show("bytes of TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 3000)
        show("empty lines before", b"\r\n\r\nGET /health HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\n\r\n")
        for n in 100, 500, 5000:
            get(f"{n} arguments", b"/health?" + b"a&" * n, host)
        print("afterwards:", health(server), server.stop())


def sites():
    """What a browser sends for a page of another site, and for a name that was bent to this machine."""
    picture = read_file(RECEIPT)
    with Server("--allow-host", "ocr.example,b") as server:
        def show(method="GET", url="/health", body=None, **headers):
            headers = {k.replace("_", "-"): v for k, v in headers.items()}
            status, _, body = server.request(method, url, body, headers)
            print(headers, status, "" if status == 200 else body.decode().strip())
        for host in ("localhost", "LocalHost:1", "127.0.0.1", "127.0.0.1:8080", "[::1]", "[::1]:8080", "ocr.example:443", "b",
                     "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "localhost:x", "[::1]x", "c", "ocr",
                     ",", ""):
            show(Host=host)
        for origin in "http://localhost:3000", "https://ocr.example", "http://evil.example", "null", "http://localhost@evil":
            show(Origin=origin)
        for site in "same-origin", "same-site", "none", "cross-site":
            show(Sec_Fetch_Site=site)
        show("POST", "/v1/pages", picture, Origin="http://evil.example", Content_Type="text/plain")
        print("read:", server.metric("platen_pages_total"))
    with Server(socket_path="s") as server:
        print("a Unix socket:", server.request("GET", "/health", headers={"Host": "x"})[0])


def ended(s):
    """What came until the other side closed."""
    try:
        return b"".join(iter(lambda: s.recv(65536), b""))
    except ConnectionResetError:
        return b""


def trickle(s, data):
    """A byte now and then, for as long as it is taken; what came back, or None after all too long."""
    end = time.monotonic() + LONG_S
    while time.monotonic() < end:
        try:
            s.sendall(data)
        except OSError:
            return ended(s)
        if select.select([s], [], [], 0.02)[0]:
            return ended(s)
    return None


def crowd():
    half = b"POST /v1/pages HTTP/1.1\r\nHost: localhost\r\nX: "
    with Server("-j1", "--queue", "1", "--head-ms", "3600000", "--deadline-ms", "3600000") as server:
        for what, sent in ("idle", b""), ("half a head", half), ("an answer behind them", HEALTH):
            crowd = []
            for _ in range(300):
                crowd.append(server.connect())
                crowd[-1].sendall(sent)
            print(f"beside 300 with {what}:", health(server), server.read(RECEIPT, "txt")[0])
            for s in crowd[:200]:
                ended(s)
            print("the oldest made room")
            for s in crowd:
                s.close()
        stalled = [stall(server), stall(server)]
        crowd = []
        for _ in range(100):
            crowd.append(server.connect())
            crowd[-1].sendall(b"POST /v1/pages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\nx")
        print("beside 100 bodies that are refused:", health(server))
        for s in stalled:
            s.sendall(b"x" * 1000)
            print("one that holds a picture:", s.recv(65536).split(b"\r\n")[0].decode())
            s.close()
        for s in crowd:
            s.close()
    with Server("-j1", "--head-ms", "300") as server:
        s = server.connect()
        s.sendall(half)
        print("a head that trickles:", trickle(s, b"a"))
        s = server.connect()
        s.sendall(HEALTH)
        print("nothing after an answer:", ended(s).split(b"\r\n")[0].decode())
    with Server("-j1", "--deadline-ms", "300") as server:
        s = server.connect()
        s.sendall(b"POST /v1/pages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")
        print("a body that trickles:", (trickle(s, b"a") or b"None").split(b"\r\n")[0].decode())
        server.wait_for("platen_receiving", 0)


def drip():
    """Bodies of which a byte comes now and then, and one that came quickly, hold the whole queue."""
    quick_bytes = 8 << 20  # more than the least rate asks for in any time that this takes
    with Server("-j1", "--queue", "3", "--head-ms", "3000", "--deadline-ms", "3600000") as server:
        quick = stall(server, quick_bytes + 1)
        quick.sendall(bytes(quick_bytes))
        slow = [stall(server, 1000000) for _ in range(3)]
        for s in slow:
            s.sendall(b"a")
        server.wait_for("platen_receiving", 4)
        end, status = time.monotonic() + LONG_S, 429
        while status == 429 and time.monotonic() < end:
            status = server.read(RECEIPT, "txt")[0]
        print("beside bodies that drip:", status, "receiving:", server.metric("platen_receiving"))
        print("the oldest made room:", ended(slow[0]).decode().splitlines()[-1])
        quick.sendall(b"x")
        print("the quick one:", quick.recv(65536).split(b"\r\n")[0].decode())
        slow.append(stall(server, 1000000))
        for s in slow[1:]:
            s.sendall(b"a")
        print("with room they stay:", server.read(RECEIPT, "txt")[0], server.metric("platen_receiving"))
        for s in slow:
            s.close()
        server.wait_for("platen_receiving", 0)


def half_close():
    """A client that says that it sends no more."""
    picture = read_file(RECEIPT)
    want = expected(RECEIPT, "txt")["txt"]
    with Server(socket_path="s") as server, server.connect() as s:
        s.sendall(b"POST /v1/pages HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(picture) + picture)
        s.shutdown(socket.SHUT_WR)
        print("a Unix socket:", ended(s).split(b"\r\n\r\n", 1)[-1] == want)
    with Server() as server:
        for version in "1.1", "1.0":
            with server.connect() as s:
                s.sendall(b"POST /v1/pages HTTP/%s\r\nContent-Length: %d\r\nHost: localhost\r\n\r\n"
                          % (version.encode(), len(picture)) + picture)
                s.shutdown(socket.SHUT_WR)
                answer = ended(s)
            print(f"TCP, HTTP/{version}:", answer.split(b"\r\n\r\n", 2)[-1] == want or answer)
        server.wait_for("platen_receiving", 0)
        server.wait_for("platen_in_flight", 0)
        print("without a picture:", talk(server, HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")))


def ends():
    with Server("-j1", "--head-ms", "300", "--deadline-ms", "3600000") as server:
        s = stall(server, 1000000)
        server.process.send_signal(signal.SIGTERM)
        answer = trickle(s, b"a")
        print("beside half a body:", answer is not None, server.process.wait(LONG_S))
    picture = read_file(RECEIPT)
    for number in signal.SIGTERM, signal.SIGHUP:
        with Server("-j1", "--head-ms", "3600000") as server:
            s = stall(server, len(picture))
            for _ in range(2):  # as timeout(1) does
                server.process.send_signal(number)
            s.sendall(picture)
            print(f"{number.name} twice:", ended(s).split(b"\r\n")[0].decode(), server.process.wait(LONG_S))

    def ignore():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with Server(preexec_fn=ignore) as server:
        for number in signal.SIGINT, signal.SIGHUP:
            server.process.send_signal(number)
        with open(f"/proc/{server.process.pid}/status") as f:
            pending = re.search(r"^ShdPnd:\s*(\w+)", f.read(), re.M)[1]
        print("ignored signals:", int(pending, 16), health(server), server.stop())


def sockets():
    """A socket is removed by the server that made it, and by no other."""
    with Server(socket_path="s") as first:
        os.unlink("s")
        with Server(socket_path="s") as second:
            print("the first ends:", first.stop(), health(second))
            print("the second ends:", second.stop(), os.path.exists("s"))


def descriptors():
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (50, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))

    def many():
        for fd in range(3, 1010):
            os.dup2(0, fd)
    for what, prepare in ("few are allowed", few), ("most are taken", many):
        p = subprocess.run([PLATEN, "serve", "--listen", "127.0.0.1:0"], preexec_fn=prepare, close_fds=False,
                           stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONG_S)
        print(f"{what}:", p.returncode, re.sub(r"1024 \d+", "1024 N", p.stderr.strip()), p.stdout)


def more_than_select_knows():
    """More connections than select() has descriptors for, where the system allows them."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (2000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    with Server("-j1", "--queue", "800", "--head-ms", "3600000") as server:
        crowd = [server.connect() for _ in range(1200)]
        print("beside 1200 idle:", health(server), server.read(RECEIPT, "txt")[0])
        for s in crowd:
            s.close()
        held = [stall(server) for _ in range(801)]
        print("beside 801 pictures:", health(server), server.read(RECEIPT, "txt")[0])
        for s in held:
            s.close()
        server.wait_for("platen_receiving", 0)
        print("afterwards:", health(server), server.stop())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
