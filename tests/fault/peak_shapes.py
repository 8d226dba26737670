# SPDX-License-Identifier: BSD-2-Clause
"""Memory is what was promised: peak_shapes.py PLATEN SOURCE

Pictures of extreme shapes and contents, by pipelines whose operations take most: a process takes no more
beyond what it takes for a picture of 8 x 8 pixels than the gate let the picture in with.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

SLACK_BYTES = 6_000_000  # arenas and buffers of other sizes that stay; what starts with the first page
SHAPES = [(1200, 1200), (20000, 1), (1, 20000), (100000, 8), (20, 30000)]
PIPELINES = ["gray | lines", "gray,invert:auto,deskew | lines", "deskew,unrule,border:size=300 | lines",
             "whiten,morph,rescale | lines", "resize:scale=2 | lines", "rotate:angle=7 | lines", "@clean"]


def black(width, y):
    return b"\0" * width


def dots(width, y):
    return ((b"\0\xff\xff" * (width // 3 + 1))[:width]) if y % 3 == 0 else b"\xff" * width


def noise(width, y):
    return random.Random(y).randbytes(width)


def measure(platen, pipeline, path):
    """(bytes at most, bytes that were promised) of one picture."""
    target = "png" if pipeline == "@clean" else "ndjson"
    done = subprocess.run([platen, "-j1", "--stats=json", "-p", pipeline, "-f", target, path], stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True)
    stats = json.loads([line for line in done.stderr.splitlines() if line.startswith("{")][-1])
    return stats["peak_rss_bytes"], stats["admission"]["promised_bytes"]


def main():
    platen, source = sys.argv[1:]
    os.environ.pop("MALLOC_PERTURB_", None)  # meson's; it writes to memory that platen would not touch
    os.environ["PLATEN_MODELS"] = os.path.join(source, "models")
    broken = 0
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "page.pgm")

        def write(width, height, kind):
            with open(path, "wb") as f:
                f.write(b"P5\n%d %d\n255\n" % (width, height))
                f.writelines(kind(width, y) for y in range(height))

        write(8, 8, black)
        least = {pipeline: measure(platen, pipeline, path)[0] for pipeline in PIPELINES}
        for width, height in SHAPES:
            for kind in black, dots, noise:
                write(width, height, kind)
                for pipeline in PIPELINES:
                    peak, promised = measure(platen, pipeline, path)
                    if peak - least[pipeline] > promised + SLACK_BYTES:
                        broken += 1
                        print(f"{width} x {height} {kind.__name__}, {pipeline}: {(peak - least[pipeline]) / 1e6:.1f} MB, "
                              f"promised {promised / 1e6:.1f}", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
