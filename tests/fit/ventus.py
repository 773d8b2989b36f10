#!/usr/bin/env python3
"""Measured totals and traces of the two chips of Ventus as lists for takt fit: make bench-fit.

usage: ventus.py [--effort N] [FOLDER]

older   27 totals of its RTL (tests/ventus/rtl_cycles.tsv). Three numbers are unknown: those that
        nothing shows but these totals. All launches of a kernel are left out together, since they
        are nearly one program; then one half of the kernels, by name, predicts the other.
newer   totals of 34 micro programs (rtl_micro.tsv) and 6 traces of runs right after the reset, and
        21 traces of later ones (rtl/). Its numbers were counted from the same traces, so they are
        made unknown again, each from the least to twice its value and 3 more: it shows what
        takt fit finds, not how good the model is. Of a trace its total counts. Two traces of a
        build with 8 register banks are of another chip and left out.

Prints what takt fit predicts of what it has not seen. Lists, programs and chips stay in FOLDER.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

TAKT = os.environ.get("TAKT", "build/takt")
DATA = pathlib.Path("tests/ventus")
NEWER = pathlib.Path("config/ventus/ventus128.yaml")
FITTED = {"branch_latency", "simt_latency", "ram_latency"}  # of the older chip
REQUEST, REQUEST_GATED = 18, 512  # cycle of the request, without a gate and with one
AFTER_RESET = "since_reset=15"


def takt(*arguments):
    done = subprocess.run([TAKT, *map(str, arguments)], capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def tsv(name):
    for line in (DATA / name).read_text().splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


def rows_text(rows):
    """rows: (program, quantity, value, group)"""
    return "".join(f"- {{program: {program}, quantity: {quantity}, value: {value}, "
                   f"group: {group}}}\n" for program, quantity, value, group in rows)


def write_list(path, rows):
    path.write_text("machine: ventus\nchip: unknown.yaml\nmeasurements:\n" + rows_text(rows))


def parameters(*options):
    return takt("config", "ventus", "--json", *options)["parameters"]


def show(title, answer):
    rows = [row for row in answer["measurements"] if row["left_out"] is not None]
    off = [abs(row["left_out"] / row["value"] - 1) for row in rows]
    inside, opened = (sum(row[key] for row in rows) for key in ("left_out_inside", "left_out_open"))
    print(f"ventus {title}: {len(rows)} totals, mean error {100 * sum(off) / len(off):.1f} %, "
          f"largest {100 * max(off):.1f} %, {inside} inside, {opened} open", flush=True)


def ranges(names):
    for number in parameters():
        if number["name"] in names:
            yield number["name"], *number["plausible"]


def write_unknown_chip(path, numbers):
    """A chip file with these numbers at the slow ends of their ranges, so that no search begins
    with what is to be found. numbers: (name, low, high)"""
    text = "" if path.parent.name == "older" else NEWER.read_text()
    for name, low, high in numbers:
        text = re.sub(rf"^{name}:\n(  .*\n)*", "", text, flags=re.M)
        text += (f"\n{name}:\n  value: {high:g}\n  provenance: assumed\n"
                 f"  source: \"unknown again\"\n  plausible: [{low:g}, {high:g}]\n"
                 f"  optimistic: low\n  reason: \"unknown again\"\n")
    path.write_text(text)


# --- the older chip ------------------------------------------------------------------------------


def older_rows(folder):
    with tarfile.open(DATA / "cases.tar.gz") as cases:
        cases.extractall(folder, filter="data")
    for shape, case, kernel, cycles in tsv("rtl_cycles.tsv"):
        softdata = folder / f"tc_{case}" / "softdata"
        for name in (shape, f"{shape[0]}x{shape[2]}"):
            path = softdata / name / f"{kernel}.metadata"
            if path.exists():
                yield path.relative_to(folder), cycles, kernel.rsplit("_", 1)[0]
                break
        else:
            sys.exit(f"no case of {kernel}, {shape}")


def older(folder, effort):
    rows = list(older_rows(folder))
    kernels = sorted({kernel for _, _, kernel in rows})
    kept = [f"--set={number['name']}={number['value']}" for number in parameters()
            if "plausible" in number and number["name"] not in FITTED]
    write_unknown_chip(folder / "unknown.yaml", ranges(FITTED))
    for name, title, group in (
            ("kernels", "each kernel by the others", lambda kernel: kernel),
            ("halves", "one half of the kernels by the other",
             lambda kernel: f"half-{kernels.index(kernel) % 2}")):
        write_list(folder / f"{name}.yaml",
                   [(path, "cycles", cycles, group(kernel)) for path, cycles, kernel in rows])
        answer = takt("fit", folder / f"{name}.yaml", "--json", "--effort", effort, *kept)
        show(f"older chip, {title}", answer)
        if name == "kernels":
            for kernel in kernels:
                print_kernel(kernel, answer)
            print_numbers(answer)


def print_kernel(kernel, answer):
    off = [row["left_out"] / row["value"] - 1 for row in answer["measurements"]
           if row["group"] == kernel]
    print(f"    without {kernel:16} {100 * sum(off) / len(off):+6.1f} % on its {len(off)}")


def print_numbers(answer):
    for number in answer["numbers"]:
        print(f"    {number['name']:24} {number['value']:g}, in settings kept "
              f"{number['found'][0]:g} to {number['found'][1]:g}")


# --- the newer chip ------------------------------------------------------------------------------


def head(warps, far):
    a, b = (0x90010000, 0x90100000) if far else (0x90000000, 0x90001000)
    return (f".launch workgroup {32 * warps}\n.launch threads 32\n.launch local 4096\n"
            ".launch private 128\n.launch sgprs 64\n.launch vgprs 64\n"
            f".buffer a, 4096, {a:#x}\n.buffer b, 4096, {b:#x}\n.buffer out, 4096, 0x90002000\n"
            ".arg a, b, out\n.text\n_start:\n")


def instructions(listed):
    """Of a line of rtl_micro.tsv: "16 x [a; b]; c" is a, b and so on, then c."""
    listed = re.sub(r" \([^)]*\)| in each of .*", "", listed)
    listed = re.sub(r"(\d+) x \[([^]]*)\]", lambda m: "; ".join([m[2]] * int(m[1])), listed)
    return "".join(f"{one.strip()}\n" for one in listed.split(";"))


def micro_rows(folder):
    for name, warps, cycles, listed in tsv("rtl_micro.tsv"):
        path = folder / f"{name}.ventus"
        path.write_text(head(int(warps), False) + instructions(listed))
        yield path.name, "cycles", cycles, name


def trace_rows(folder, gated):
    for name, warps, _, words in tsv("rtl_programs.tsv"):
        if ("kernel-trace" in name) == gated or "rf8" in name:
            continue
        path, events = folder / f"{name}.ventus", (DATA / "rtl" / f"{name}.csv").read_text()
        path.write_text(head(int(warps), name.startswith("memory")) +
                        "".join(f".word 0x{word}\n" for word in words.split()))
        end = int(re.search(r"^(\d+),host\.finish,", events, re.M)[1])
        yield path.name, "cycles", end - (REQUEST_GATED if gated else REQUEST), name


def counted():
    """Numbers that were counted from traces, with the ranges that they are looked for in."""
    for number in parameters("--config", NEWER):
        if number["provenance"] == "measured" and number["name"] not in FITTED:
            low, high, value = (int(number[key]) for key in ("low", "high", "value"))
            yield number["name"], low, min(2 * value + 3, high)


def newer(folder, effort):
    write_unknown_chip(folder / "unknown.yaml", counted())
    for name, title, rows, options in (
            ("after-reset", "right after the reset",
             [*micro_rows(folder), *trace_rows(folder, False)], [f"--set={AFTER_RESET}"]),
            ("later", "later", list(trace_rows(folder, True)), [])):
        groups = sorted({group for *_, group in rows})
        for way, words in (("each", "each by the others"), ("half", "one half by the other")):
            path = folder / f"{name}-{way}.yaml"
            write_list(path, [(program, quantity, value,
                               group if way == "each" else f"half-{groups.index(group) % 2}")
                              for program, quantity, value, group in rows])
            answer = takt("fit", path, "--json", "--effort", effort, *options)
            show(f"newer chip, {title}, {words}", answer)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--effort", type=int, default=20)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    options = parser.parse_args()
    folder = options.folder or pathlib.Path(tempfile.mkdtemp(prefix="fit-ventus-"))
    for chip, fit in (("older", older), ("newer", newer)):
        (folder / chip).mkdir(parents=True, exist_ok=True)
        # The newer chip has eight times as many unknown numbers.
        fit(folder / chip, options.effort if chip == "older" else max(1, options.effort // 10))


if __name__ == "__main__":
    main()
