#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Many clients of one `platen serve`, for as long as is asked for, with the program as $PLATEN and the
source tree as $SOURCE:

    serve_load.py [--clients N] [--seconds S | --requests N] [--figures] [-o OPTION]... PICTURE|DIRECTORY...

Each client asks for pictures by chance and compares what comes with what `platen` writes for them; of
100 requests 6 are wrong in one way or another, and with 6 more the client leaves before its answer. At the
end what the clients saw must be what /metrics counted. -o goes to the server (-o=--deadline-ms -o=50); 429,
503 and 504 are answers like any other. --figures adds throughput, latencies by directory, and memory."""
import argparse
import collections
import os
import random
import re
import statistics
import tempfile
import threading
import time
import urllib.parse

from serve import Server, expected, read_file

FORMATS = "txt", "json", "tsv"
BUSY = {408, 429, 503, 504}


def pictures(paths):
    found = []
    for path in paths:
        names = [os.path.join(path, n) for n in sorted(os.listdir(path))] if os.path.isdir(path) else [path]
        found += [n for n in names if n.endswith((".png", ".jpg"))]
    return found


class Client(threading.Thread):
    """Asks until the time is over, or `requests` times."""

    def __init__(self, server, wanted, seed, end, requests):
        super().__init__()
        self.server, self.wanted, self.end, self.requests = server, wanted, end, requests
        self.rng = random.Random(seed)
        self.seen = collections.Counter()  # by status, or "left"
        self.wrong = []
        self.seconds = collections.defaultdict(list)  # of right answers, by directory

    def run(self):
        while self.requests > 0 and time.monotonic() < self.end:
            self.requests -= 1
            path = self.rng.choice(list(self.wanted))
            kind = self.rng.randrange(100)
            try:
                if kind < 6:
                    self.ask_wrong(path)
                elif kind < 12:
                    self.leave(path)
                else:
                    self.ask(path)
            except OSError as e:
                self.wrong.append(f"{path}: {e}")

    def note(self, what, status, right):
        self.seen[status] += 1
        if not right and status not in BUSY:
            self.wrong.append(f"{what}: {status}")

    def url(self, path, format):
        return f"/v1/pages?format={format}&name={urllib.parse.quote(path, safe='')}"

    def ask(self, path):
        format = self.rng.choice(FORMATS)
        start = time.monotonic()
        status, _, body = self.server.request("POST", self.url(path, format), read_file(path))
        self.note(f"{path} {format}", status, status == 200 and body == self.wanted[path][format])
        if status == 200:
            self.seconds[os.path.basename(os.path.dirname(path))].append(time.monotonic() - start)

    def ask_wrong(self, path):
        url, body, status = self.rng.choice([(self.url(path, "doc"), read_file(path), 400),
                                             (self.url(path, "txt"), b"", 400),
                                             (self.url(path, "txt"), b"no picture", 415),
                                             (self.url(path, "txt"), b"P5 90 90 255\n" + bytes(80), 422)])
        got = self.server.request("POST", url, body)[0]
        self.note(url, got, got == status)

    def leave(self, path):
        """With a part of the picture sent, or all of it."""
        body = read_file(path)
        head = f"POST {self.url(path, 'txt')} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        with self.server.connect() as s:
            s.sendall(head + body[:self.rng.choice([len(body) // 2, len(body)])])
            time.sleep(self.rng.choice([0, 0.005, 0.02]))
        self.seen["left"] += 1


class Counted(Server):
    """Knows how often it was asked for its metrics, which is counted there, too."""
    asked = 0

    def counts(self):
        """Requests by status, but for those for /metrics, and "left"."""
        self.asked += 1
        text = self.request("GET", "/metrics")[2].decode()
        counts = collections.Counter({int(code): int(n) for code, n in re.findall(
            r'^platen_http_requests_total{code="(\d+)"} (\d+)$', text, re.M)})
        counts["left"] = int(re.search(r"^platen_dropped_total (\d+)$", text, re.M)[1])
        counts[200] -= self.asked - 1
        return counts

    def metric(self, name):
        self.asked += 1
        return super().metric(name)

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def agree(seen, counts):
    """Whether clients and server saw the same. One that left may have been answered before that was noticed."""
    answered = counts - seen
    return (all(counts[s] >= n for s, n in seen.items() if s != "left") and counts.total() == seen.total()
            and set(answered) <= {200, *BUSY})


def percentile(values, p):
    return sorted(values)[min(len(values) - 1, int(len(values) * p / 100))] * 1000


def print_figures(clients, took, memory):
    seconds = collections.defaultdict(list)
    for c in clients:
        for kind, values in c.seconds.items():
            seconds[kind] += values
    every = [v for values in seconds.values() for v in values]
    print(f"{len(every) / took:.1f} right answers a second for {took:.0f} s")
    for kind, values in [*sorted(seconds.items()), ("all", every)]:
        print(f"  {kind}: {len(values)}, ms: " + ", ".join(
            f"p{p} {percentile(values, p):.1f}" for p in (50, 90, 99)) + f", most {max(values) * 1000:.0f}")
    half = len(memory) // 2
    print("resident MB, every second: first half mean {:.1f} most {:.1f}, second half mean {:.1f} most {:.1f}".format(
        *(f(part) / 1e6 for part in (memory[:half], memory[half:]) for f in (statistics.mean, max))))


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("--clients", type=int, default=8)
    p.add_argument("--seconds", type=float, default=1e9)
    p.add_argument("--requests", type=int, default=1 << 60)
    p.add_argument("--figures", action="store_true")
    p.add_argument("-o", dest="options", action="append", default=[])
    p.add_argument("paths", nargs="+")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        wanted = {path: expected(path, *FORMATS) for path in pictures(a.paths)}
    with Counted(*a.options) as server:
        for path in wanted:  # memory and caches are then as they stay
            server.read(path, "txt")
        before, memory = server.counts(), []
        start = time.monotonic()
        clients = [Client(server, wanted, i, start + a.seconds, a.requests) for i in range(a.clients)]
        for c in clients:
            c.start()
        for c in clients:
            while c.is_alive():
                c.join(1)
                memory.append(server.resident_bytes())
        took = time.monotonic() - start
        for name in "platen_in_flight", "platen_queue_depth", "platen_receiving":
            server.wait_for(name, 0)
        counts = server.counts() - before
        seen = sum((c.seen for c in clients), collections.Counter())
        print("requests:", seen.total(), "wrong answers:", sum(len(c.wrong) for c in clients),
              "metrics agree:", agree(seen, counts), "exit:", server.stop())
    for text in [w for c in clients for w in c.wrong][:20]:
        print(text)
    if a.figures:
        print("clients saw", dict(seen), "the server", dict(counts))
        print_figures(clients, took, memory)


if __name__ == "__main__":
    main()
