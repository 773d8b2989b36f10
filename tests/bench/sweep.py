#!/usr/bin/env python3
"""Points a second and core of takt sweep, beside a shell loop of takt run over points of the same plan.

Cores are counted by processor time, the system's included. Of Slurm, which is started here where it
can be, by two tasks at once and seconds as they pass, from submission to the last result.
The cycles of the loop and of all sweeps must be the same.
"""

import json
import os
import re
import resource
import shlex
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TAKT = str(Path(os.environ.get("TAKT", "build/takt")).resolve())
ROOT = Path(__file__).resolve().parents[2]
ALONE = 40  # points of the loop

# name, program, options of the sweep, the same of takt run, points
CASES = [
    ("time alone", "examples/apps/tile.vsm", {}, ["--timing-only"], 1500),
    ("values and time", "examples/mncore2/measure/gather.vsm", {"values": True}, [], 600),
]

SLURM = """
. tests/sweep/slurm.bash
trap slurm_stop EXIT
slurm_start "$1" || exit 77
shift
began=$(date +%s.%N)
"$@" --engine slurm --jobs 2 >&2 || exit 1
slurm_wait 300 '[ -z "$(squeue --noheader)" ]' || exit 1
echo "$began $(date +%s.%N)"
"""


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(command):
    cpu, wall = children(), time.monotonic()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{shlex.join(command)[:200]}: {done.stderr}")
    return children() - cpu, time.monotonic() - wall, done.stdout


def show(name, points, cpu, wall, base):
    rate = points / cpu
    times = f"{rate / base:8.1f} times the loop" if base else ""
    print(f"  {name:<40} {rate:8.1f} points a second and core, {points / wall:8.1f} a second{times}")
    return rate


def cycles_of(folder):
    with sqlite3.connect(folder / "sweep.db") as db:
        return [row[0] for row in db.execute("SELECT cycles FROM points ORDER BY number")]


def loop(folder, program, options):
    """A line of sh for each point; the cycles of each."""
    lines = (folder / "plan.jsonl").read_text().splitlines()[:ALONE]
    commands = []
    for line in lines:
        sets = [f"--set={key}={value}" for key, value in json.loads(line)["set"].items()]
        commands.append(shlex.join([TAKT, "run", "--json", program, *options, *sets]))
    cpu, wall, out = timed(["sh", "-ec", "\n".join(commands)])
    return cpu, wall, [int(n) for n in re.findall(r'^ "cycles": (\d+)', out, re.M)]


def slurm(work, spec):
    folder = work / "slurm"
    done = subprocess.run(
        ["bash", "-c", SLURM, "slurm", str(work / "daemons"), TAKT, "sweep", str(spec), "--out", str(folder)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if done.returncode:
        return None
    began, ended = map(float, done.stdout.split())
    timed([TAKT, "sweep", "merge", str(folder)])
    return ended - began, cycles_of(folder)


def measure(case, work):
    name, program, options, run_options, points = case
    specs = {}
    for key, extra, points in (("range", {"range": True}, ALONE), ("cycles", {}, points)):
        specs[key] = work / f"{key}.yaml"
        specs[key].write_text(json.dumps({
            "programs": [str(ROOT / program)], "options": {**options, **extra},
            "draw": {"points": points, "seed": 1, "parameters": {
                name: [1, 90] for name in ("dram_trcd", "dram_tcl", "dram_trp", "dram_turnaround")}}}))
    answers = {}
    took = {}
    for key, spec in specs.items():
        cpu, wall, _ = timed([TAKT, "sweep", str(spec), "--out", str(work / key), "--jobs", "1"])
        answers[key] = cycles_of(work / key)
        took[key] = cpu, wall
    cpu, wall, alone = loop(work / "range", program, run_options)
    print(f"{name}: {program}, {len(answers['cycles'])} points")
    base = show(f"sh, takt run for each of {ALONE}", len(alone), cpu, wall, 0)
    show("takt sweep --jobs 1, the same with range", len(answers["range"]), *took["range"], base)
    show("takt sweep --jobs 1, cycles", len(answers["cycles"]), *took["cycles"], base)
    by_slurm = slurm(work, specs["cycles"])
    if by_slurm:
        answers["slurm"] = by_slurm[1]
        show("takt sweep --engine slurm, cycles", len(by_slurm[1]), 2 * by_slurm[0], by_slurm[0], base)
    else:
        print("  Slurm does not start here")
    answers["loop"] = alone
    for key, answer in answers.items():
        if answer != answers["cycles"][: len(answer)]:
            sys.exit(f"{name}: cycles by {key} differ from those by the sweep")


for one in CASES:
    with tempfile.TemporaryDirectory() as temporary:
        measure(one, Path(temporary))
