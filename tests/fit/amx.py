#!/usr/bin/env python3
"""The 90 measured cells of AMX (tests/amx/measured.c) as a list for takt fit: make bench-fit.

usage: amx.py [--effort N] [FOLDER]

Prints what takt fit predicts of cells that it has not seen: each cell by all others, then one half
of the cells by the other half. Cells of one and two threads have their tolerance of 2.4 %, the
others 10 %: they scatter, because the system chooses where threads are. The list stays in FOLDER.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TAKT = os.environ.get("TAKT", "build/takt")
STEPS = 1200  # matfp of a program: the first and the last ones are a hundredth of it
# Of one matfp: two for each multiply-add.
OPERATIONS = {"f16": 2048, "f16f32": 2048, "f32": 512, "f64": 128}


def takt(*arguments):
    done = subprocess.run([TAKT, *map(str, arguments)], capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def rows():
    text = pathlib.Path("tests/amx/measured.c").read_text()
    for lanes, accumulators, cells in re.findall(r'\{"(\w+)", "[^"]*", (\d+), \{([^}]*)\}\}', text):
        yield lanes, int(accumulators), [float(cell) for cell in cells.split(",")]


def write_program(path, lanes, accumulators, threads, turns):
    steps = "".join(f"    matfp {lanes} z={i}\n" for i in range(accumulators))
    path.write_text(f".thread 0..{threads - 1}\n.repeat {turns}\n{steps}.end\n")


def cells(folder):
    """(program, nanoseconds, tolerance in per cent)"""
    for lanes, accumulators, gflops in rows():
        for threads, measured in enumerate(gflops, 1):
            path = folder / f"{lanes}-{accumulators}-{threads}.amx"
            turns = STEPS // (accumulators * threads)
            write_program(path, lanes, accumulators, threads, turns)
            operations = OPERATIONS[lanes] * accumulators * threads * turns
            yield path, operations / measured, 2.4 if threads <= 2 else 10


def write_list(path, chosen):
    path.write_text("machine: amx\nmeasurements:\n" + "".join(
        f"- {{program: {program.name}, quantity: time, value: {value:.3f}, "
        f"tolerance: {tolerance} %}}\n"
        for program, value, tolerance in chosen))


def predicted_off(program, value, chip):
    got = takt("run", program, "--config", chip, "--timing-only", "--json", "--silence", "all")
    scale = 1e9 * got["seconds"] / got["cycles"]
    inside = got["range"]["low"] * scale <= value <= got["range"]["high"] * scale
    return abs(1e9 * got["seconds"] - value) / value, inside


def show(title, rows):
    """rows: (threads, relative error, inside)"""
    for few, name in ((True, "1 and 2 threads"), (False, "3 to 6")):
        off = [(error, inside) for threads, error, inside in rows if (threads <= 2) == few]
        mean = sum(error for error, _ in off) / len(off)
        print(f"amx {title}, {name}: {len(off)} cells, mean error {100 * mean:.1f} %, "
              f"largest {100 * max(off)[0]:.1f} %, {sum(i for _, i in off)} inside")


def threads_of(program):
    return int(pathlib.Path(program).stem.rsplit("-", 1)[1])


def each_by_others(folder, all_cells, effort):
    write_list(folder / "cells.yaml", all_cells)
    answer = takt("fit", folder / "cells.yaml", "--json", "--effort", effort)
    show("each by the others",
         [(threads_of(row["program"]), abs(row["left_out"] - row["value"]) / row["value"],
           row["left_out_inside"]) for row in answer["measurements"]])


def half_by_half(folder, all_cells, effort):
    off = []
    for part in (0, 1):
        path, chip = folder / f"half-{part}.yaml", folder / f"half-{part}.chip.yaml"
        write_list(path, all_cells[part::2])
        takt("fit", path, "--json", "--compromise", "--out", chip, "--effort", effort)
        off += [(threads_of(program), *predicted_off(program, value, chip))
                for program, value, _ in all_cells[1 - part::2]]
    show("half by half", off)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--effort", default="5")
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    options = parser.parse_args()
    folder = options.folder or pathlib.Path(tempfile.mkdtemp(prefix="fit-amx-"))
    folder.mkdir(exist_ok=True)
    all_cells = list(cells(folder))
    each_by_others(folder, all_cells, options.effort)
    half_by_half(folder, all_cells, options.effort)


if __name__ == "__main__":
    main()
