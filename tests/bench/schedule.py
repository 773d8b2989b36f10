"""What takt schedule makes of programs: make bench-schedule.

usage: schedule.py [--seconds N] [--lines N] [--random N] [--first N] [--random-only] [--rename]
                   [PROGRAM..]

Without programs: the examples, those of tests/naive, and generated ones, which repeat bodies of
tests/naive (--lines each). Then the sums of --random small programs of MN-Core 2, a row for each
hundred, that are drawn from seeds (from --first on): arithmetic on values that transfers bring,
made legal by takt legalize; --random-only leaves out the others. Printed for each: cycles as
written, of takt advise (20 seconds at most), of takt schedule, of the version by hand where there
is one (tests/naive/by-hand), the bound of any order, the gap or that the order is proven to be the
best, and the processor time of takt schedule. With --rename for MN-Core 2 also the cycles with
values in other places, `!` where any order with these places needs as many, and the bound with free
places. A scheduled program whose values differ from random memories ends the table with exit 1, and
so does one that takes longer than as written, as advised or by hand.
"""

import argparse
import functools
import glob
import json
import multiprocessing
import os
import random
import resource
import subprocess
import sys
import tempfile

TAKT = os.environ.get("TAKT", "build/takt")
ADVISE = "20"  # seconds; small programs need less
EQUAL = ["--init", "random:3", "--compare", "state", "--silence", "all"]


def answer(command, program, *options):
    """The JSON of a command; None: it refuses the program."""
    done = subprocess.run([TAKT, command, program, "--json", "--silence", "all", *options], capture_output=True,
                          text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"takt {command} {program}: {done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else None


def cycles_of(program):
    return answer("run", program)["cycles"]


def generated(folder, lines):
    """Bodies with the same places, one behind the other."""
    for name in ("nbody", "softmax", "xorshift", "dataflow"):
        with open(f"tests/naive/{name}.vsm", encoding="utf-8") as file:
            body = file.read()
        path = f"{folder}/{name}-{lines}.vsm"
        with open(path, "w", encoding="utf-8") as file:
            file.write((body + "nop/4\n") * (lines // body.count("\n") + 1))
        yield path


OPERATIONS = ("fvadd", "fvmul", "ladd", "lxor")
REGISTERS = 4  # of each memory


def drawn(dice):
    """An order of statements that takt legalize makes a program."""
    lines = []
    for load in range(dice.randrange(3)):
        there = f"$lb{64 * load}"
        lines += [f"mvp/n512i{load + 1:02} $d{1024 * load} $lc{512 * load}@.0",
                  f"nop; wait i{load + 1:02}",
                  f"l2bmd $lc{512 * load} {there}",
                  f"l1bmd {there} $l{dice.choice('rs')}{8 * load}v"]
    for _ in range(dice.randrange(4, 24)):
        first, second = dice.choice("rm"), dice.choice("sn")
        to = dice.choice([m for m in "rsmn" if m in "rs" or m not in (first, second)])
        places = [8 * dice.randrange(REGISTERS) for _ in range(3)]
        names = zip((first, second, to), places)
        operands = " ".join(f"$l{memory}{at}v" for memory, at in names)
        lines.append(f"{dice.choice(OPERATIONS)} {operands}")
    if dice.randrange(2):
        lines += ["l1bmd $lr0v $lb128", "l2bmd $lb128 $lc1024", "mvp/n256i09 $lc1024@.0 $d8192",
                  "nop; wait i09"]
    return "\n".join(lines) + "\n"


def random_part(seeds, options):
    """Sums of as written, advised, scheduled and bound; programs, those optimal; all are sound."""
    sums, optimal, made, good = [0, 0, 0, 0], 0, 0, True
    with tempfile.TemporaryDirectory() as folder:
        order, program, out = (f"{folder}/{name}.vsm" for name in ("order", "program", "scheduled"))
        for seed in seeds:
            with open(order, "w", encoding="utf-8") as file:
                file.write(drawn(random.Random(seed)))
            done = subprocess.run([TAKT, "legalize", order, "--out", program], capture_output=True,
                                  check=False)
            if done.returncode:
                continue
            found = answer("schedule", program, "--out", out, *options)
            advised = answer("advise", program, "--seconds", ADVISE)["cycles"][1]
            equal = answer("diff", program, "--compare", "state", "--init", "random:3", out)
            made += 1
            optimal += found["optimal"]
            written, scheduled = found["cycles"]
            sums = [a + b for a, b in zip(sums, (written, advised, scheduled, found["bound"]))]
            shortest = min(written, advised)
            if not equal["values_equal"] or not found["bound"] <= scheduled <= shortest:
                print(f"seed {seed}: other values, longer than another version, or below the bound",
                      file=sys.stderr)
                good = False
    return sums, made, optimal, good


def random_rows(first, count, options):
    """A row for each hundred, and one for all of them; whether each is sound."""
    ends = range(first, first + count, 100)
    parts = [range(k, min(k + 100, first + count)) for k in ends]
    total, made, optimal, good = [0, 0, 0, 0], 0, 0, True
    with multiprocessing.Pool() as pool:
        work = functools.partial(random_part, options=options)
        for part, (sums, m, o, sound) in zip(parts, pool.imap(work, parts)):
            random_row(part, sums, m, o)
            total = [a + b for a, b in zip(total, sums)]
            made, optimal, good = made + m, optimal + o, good and sound
    if len(parts) > 1:
        random_row(range(first, first + count), total, made, optimal)
    return good


def random_row(seeds, sums, made, optimal):
    gap = 100 * (sums[2] - sums[3]) / max(sums[3], 1)
    print(f"| {made} of seeds {seeds[0]} to {seeds[-1]}, {optimal} optimal | {sums[0]} | "
          f"{sums[1]} | {sums[2]} | | {sums[3]} | +{gap:.1f} % | |", flush=True)


def renamed(program, options, out):
    """Cells of the table."""
    if not program.endswith(".vsm"):
        return " | |"
    found = answer("schedule", program, "--rename", "--out", out, *options)
    return f" {found['cycles'][1]}{'!' if found['optimal'] else ''} | {found['renamed']['free_places']} |"


def row(program, options, folder, rename):
    out = f"{folder}/out{os.path.splitext(program)[1]}"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = answer("schedule", program, "--out", out, *options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not found:
        print(f"| `{program}` | refused | | | | | | |", flush=True)
        return True
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    written, scheduled = found["cycles"]
    advised = answer("advise", program, "--seconds", ADVISE)["cycles"][1]
    by_hand = f"tests/naive/by-hand/{os.path.basename(program)}"
    hand = cycles_of(by_hand) if "tests/naive" in program and os.path.exists(by_hand) else None
    gap = "optimal" if found["optimal"] else f"+{100 * (scheduled - found['bound']) / max(found['bound'], 1):.1f} %"
    other = renamed(program, options, f"{folder}/renamed.vsm") if rename else ""
    print(f"| `{os.path.relpath(program)}` | {written} | {advised} | {scheduled} | {hand or ''} | {found['bound']} | "
          f"{gap} | {seconds:.1f} |{other}", flush=True)
    equal = subprocess.run([TAKT, "diff", program, out, "--json", *EQUAL], capture_output=True, text=True, check=False)
    values = equal.returncode == 0 and json.loads(equal.stdout)["values_equal"]
    good = values and scheduled <= min(written, advised, hand or written)
    if not good:
        print(f"{program}: other values, or longer than another version", file=sys.stderr)
    return good


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--random", type=int, default=50)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--random-only", action="store_true")
    parser.add_argument("--rename", action="store_true")
    parser.add_argument("programs", nargs="*")
    taken = parser.parse_args()
    options = ["--seconds", str(taken.seconds)] if taken.seconds else []
    with tempfile.TemporaryDirectory() as folder:
        programs = taken.programs or sorted(glob.glob("examples/mncore2/*.vsm") +
                                            glob.glob("examples/mncore2/optimising/*.vsm") +
                                            glob.glob("examples/amx/*.amx")) + \
            sorted(glob.glob("tests/naive/*.vsm") + glob.glob("tests/naive/*.amx")) + \
            list(generated(folder, taken.lines))
        more = (" renamed | free places |", "---|---|") if taken.rename else ("", "")
        print("| program | as written | advised | scheduled | by hand | bound | gap | seconds |" + more[0])
        print("|---|---|---|---|---|---|---|---|" + more[1])
        good = [] if taken.random_only else \
            [row(program, options, folder, taken.rename) for program in programs]
        if not taken.programs and taken.random:
            good.append(random_rows(taken.first, taken.random, options))
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
