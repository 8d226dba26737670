#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Fails where source files call each other in a circle: circles.py LIBRARY.a PROGRAM...

A file depends on another one when its object needs a symbol that the other object defines, function
or data. The objects are those of the static library and those in the folder PROGRAM.p, which Meson
makes beside each program.
"""
import glob
import os
import subprocess
import sys


def symbols(paths):
    """Yields (object, kind, symbol) of every external symbol in the archives and objects."""
    out = subprocess.run(["nm", "--print-file-name", "--extern-only", "--portability", *paths],
                         check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        where, name, kind = line.rsplit(": ", 1)[0], *line.rsplit(": ", 1)[1].split()[:2]
        if "[" in where:  # libplaten.a[src_base_mem.c.o]
            where = where.split("[")[1].rstrip("]")
        yield os.path.basename(where), kind, name


def graph(paths):
    """Returns {object: {the objects that it needs: one symbol}}."""
    home, needs = {}, {}
    for obj, kind, name in symbols(paths):
        needs.setdefault(obj, [])
        if kind == "U":
            needs[obj].append(name)
        else:
            home[name] = obj
    return {obj: {home[s]: s for s in names if home.get(s, obj) != obj} for obj, names in needs.items()}


def components(edges):
    """Returns the strongly connected components of more than one node, by Tarjan's algorithm."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in sorted(edges.get(node, {})):
            if other not in order:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == order[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(stack[at:])
            del stack[at:]

    for node in sorted(edges):
        if node not in order:
            visit(node)
    return found


def main():
    library, programs = sys.argv[1], sys.argv[2:]
    sys.setrecursionlimit(10000)
    failed = 0
    for program in [None, *programs]:
        objects = sorted(glob.glob(program + ".p/*.o")) if program else [library]
        if not objects:
            sys.exit(f"{program}.p has no objects")
        edges = graph(objects)
        for circle in components(edges):
            failed += 1
            print(f"circle of {len(circle)} files:")
            for a in circle:
                for b in sorted(set(edges[a]) & set(circle)):
                    print(f"  {a} needs {edges[a][b]} of {b}")
        print(f"{program or library}: {len(edges)} files")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
