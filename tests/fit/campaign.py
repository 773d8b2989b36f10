#!/usr/bin/env python3
"""Secret chips of MN-Core 2 against takt fit: make fit-campaign.

usage: campaign.py [--chips N] [--first SEED] [--kinds exact,noise,false] [--effort N] [--threads N] [--check]

A chip is drawn from the plausible ranges, its "measurements" are totals of takt run with it, of the programs of
examples/mncore2/measure. What takt fit makes of these alone is held against the secret: totals of other programs, and the
secret's numbers. Kinds: exact; noise, each value off by up to 4 cycles; false, one value off by 5 to 40 per cent; shifted, one value off
by 100 cycles.
--check: exit 1 when a true chip is called contradictory, a total lies outside the fitted range, or a false value is not named.
A false value that some setting explains together with the others, exactly, contradicts nothing; it is counted apart. Seconds are of one
processor.
"""

import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

TAKT = os.environ.get("TAKT", "build/takt")
MEASURE = "examples/mncore2/measure"
WRITTEN = ["examples/mncore2/fma.vsm", "examples/mncore2/matmul.vsm", "examples/mncore2/reduce.vsm",
           "examples/mncore2/optimising/vector.vsm", "examples/mncore2/optimising/vector-halves.vsm",
           "examples/mncore2/optimising/stencil.vsm", "tests/golden/mncore2/nops.vsm",
           "tests/naive/double-buffer.vsm", "tests/naive/store-at-end.vsm", "tests/naive/too-early.vsm"]
MADE = 20


def takt(*arguments):
    return subprocess.run([TAKT, *map(str, arguments)], capture_output=True, text=True, check=False)


def answer(*arguments):
    done = takt(*arguments, "--json")
    return json.loads(done.stdout) if done.stdout else None


# --- programs that the fit has not seen -------------------------------------------------------------------------------

def place(dice, memory, port):
    address = dice.randrange(0, 8) * 1024
    if memory == "lc":
        return f"$lc{address}@{port}.{dice.randrange(2)}"
    return f"${memory}{address}@{port}"


def transfers(dice):
    """Up to nine transfers between memories of the same or of other groups, with waits among them."""
    lines, open_ones = [], []
    for index in range(1, dice.randrange(3, 10)):
        kinds = dice.choice([("p", "lc"), ("d", "lc"), ("lc", "d"), ("lc", "p"), ("d", "p"), ("p", "d")])
        ends = [place(dice, kind, dice.choice([0, 0, 1])) for kind in kinds]
        lines.append(f"mvp/n{dice.choice([64, 256, 1024, 2048, 8192])}i{index:02} {ends[0]} {ends[1]}")
        open_ones.append(index)
        while open_ones and dice.random() < 0.5:
            lines.append(f"nop; wait i{open_ones.pop(0):02}")
    lines += [f"nop; wait i{index:02}" for index in open_ones]
    return "\n".join(lines) + "\n"


def make_programs(folder):
    dice, made = random.Random(20), list(WRITTEN)
    while len(made) < len(WRITTEN) + MADE:
        path = folder / f"made-{len(made)}.vsm"
        path.write_text(transfers(dice))
        if takt("run", path, "--silence", "all").returncode == 0:
            made.append(str(path))
    return made


# --- chips ------------------------------------------------------------------------------------------------------------

def draw_chip(dice, parameters):
    chip = {}
    for parameter in parameters:
        choices = parameter["plausible"]
        if isinstance(choices[0], str):
            chip[parameter["name"]] = dice.choice(choices)
        elif isinstance(parameter["value"], int):
            chip[parameter["name"]] = dice.randint(int(choices[0]), int(choices[1]))
        else:
            chip[parameter["name"]] = round(dice.uniform(*choices), 6)
    return chip


def settings(chip):
    return [word for name, value in chip.items() for word in ("--set", f"{name}={value}")]


def total(program, chip):
    got = answer("run", program, "--silence", "all", *settings(chip))
    return got.get("cycles") if got else None


def ranges(program, *config):
    got = answer("run", program, "--silence", "all", *config)
    return got["cycles"], got["range"]["low"], got["range"]["high"]


def secret_chip(seed, parameters, measures):
    dice = random.Random(seed)
    while True:
        chip = draw_chip(dice, parameters)
        values = {program: total(program, chip) for program in measures}
        if None not in values.values():
            return dice, chip, values


# --- one trial --------------------------------------------------------------------------------------------------------

def write_list(path, values):
    rows = [f"- {{program: {os.path.abspath(program)}, value: {value}, tolerance: 4}}\n" for program, value in values.items()]
    path.write_text("machine: mncore2\nmeasurements:\n" + "".join(rows))


def disturb(kind, dice, values):
    """The values as measured, and which of them is false."""
    if kind == "noise":
        return {program: value + dice.randint(-4, 4) for program, value in values.items()}, None
    if kind == "exact":
        return dict(values), None
    wrong, sign = dice.choice(list(values)), dice.choice([-1, 1])
    off = 100 if kind == "shifted" else values[wrong] * dice.uniform(0.05, 0.4)
    return {**values, wrong: round(values[wrong] + sign * off)}, wrong


def judge_totals(programs, truth, before, chip):
    """How many totals lie inside, the sums of relative widths, relative errors, and what lies outside."""
    after = {program: ranges(program, "--config", chip) for program in programs}
    outside = [f"{pathlib.Path(p).name}: {truth[p]} not in {after[p][1]}..{after[p][2]}"
               for p in programs if not after[p][1] <= truth[p] <= after[p][2]]
    widths = [(after[p][2] - after[p][1]) / (before[p][2] - before[p][1])
              for p in programs if before[p][2] > before[p][1]]
    errors = [abs(after[p][0] - truth[p]) / truth[p] for p in programs if truth[p]]
    return outside, sum(widths) / len(widths), 100 * sum(errors) / len(errors)


def outside_numbers(fitted, chip):
    """Numbers of the secret that bounds are said to exclude."""
    wrong = []
    for number in fitted["numbers"]:
        secret, left = chip[number["name"]], number["left"]
        inside = secret in left if isinstance(secret, str) else left[0] - 1e-6 <= secret <= left[1] + 1e-6
        if not inside:
            wrong.append(f"{number['name']}={secret} not in {left}")
    return wrong


def named(fitted):
    """Measurements named as false."""
    return [row["program"] for row in fitted["measurements"] if row["others_explained"] or row["impossible"]]


def processor_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--chips", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--kinds", default="exact,noise,false")
    parser.add_argument("--effort", default="100")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fit-campaign-"))
    parameters = [p for p in answer("config", "mncore2")["parameters"] if p.get("plausible")]
    measures = sorted(str(p) for p in pathlib.Path(MEASURE).glob("*.vsm"))
    programs = make_programs(folder)
    before = {program: ranges(program) for program in programs}
    sums = {kind: [] for kind in options.kinds.split(",")}
    failures = 0
    for seed in range(options.first, options.first + options.chips):
        dice, chip, values = secret_chip(seed, parameters, measures)
        truth = {program: total(program, chip) for program in programs}
        for kind in sums:
            given, wrong = disturb(kind, dice, values)
            path, out = folder / "list.yaml", folder / "chip.yaml"
            write_list(path, given)
            out.unlink(missing_ok=True)
            started = processor_seconds()
            done = takt("fit", path, "--json", "--out", out, "--effort", options.effort, "--threads", options.threads)
            seconds = processor_seconds() - started
            fitted = json.loads(done.stdout)
            bad = outside_numbers(fitted, chip) if not wrong else []
            line = (f"{seed:3} {kind:7} {fitted['verdict']:16} {seconds:4.0f} s left out {fitted['left_out']['inside']}"
                    f"/{fitted['left_out']['count']} inside ")
            misses = [f"{pathlib.Path(r['program']).stem}{r['excess']:+.0f}" for r in fitted["measurements"] if r["excess"] > 0]
            if wrong:
                names = named(fitted)
                explained = fitted["verdict"] == "explained"
                good = (os.path.abspath(wrong) in names and done.returncode == 1) or explained
                sums[kind].append((good, explained, len(names)))
                line += (f"planted {pathlib.Path(wrong).stem} {values[wrong]} -> {given[wrong]}: "
                         f"{'explained' if explained else 'named' if good else 'NOT NAMED'} "
                         f"{[pathlib.Path(n).stem for n in names]}")
            elif out.exists():
                outside, width, error = judge_totals(programs, truth, before, out)
                good = not outside and not bad
                sums[kind].append((good, len(programs) - len(outside), width, error))
                line += f"inside {len(programs) - len(outside)}/{len(programs)} width {width:.3f} error {error:.2f} % {outside}"
            else:
                good = False
                sums[kind].append((False, 0, 1, 0))
                line += "NO CHIP FILE"
            failures += not good
            print(line, bad or "", misses or "", flush=True)
    for kind, rows in sums.items():
        if kind in ("false", "shifted"):
            print(f"{kind}: {sum(r[0] and not r[1] for r in rows)} named of {sum(not r[1] for r in rows)} "
                  f"that contradict, {sum(r[1] for r in rows)} explained, {sum(r[2] for r in rows)} names in all")
        else:
            print(f"{kind}: chips without a fault {sum(r[0] for r in rows)}/{len(rows)}, inside "
                  f"{sum(r[1] for r in rows)}/{len(rows) * len(programs)}, width {sum(r[2] for r in rows) / len(rows):.3f}, "
                  f"mean error {sum(r[3] for r in rows) / len(rows):.2f} %")
    return 1 if options.check and failures else 0


if __name__ == "__main__":
    sys.exit(main())
