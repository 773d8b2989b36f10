#!/usr/bin/env python3
"""Measurement programs of one shape each, and their list: examples/mncore2/measure/family.

usage: family.py FOLDER

Lone transfers by mode, ends and length; pairs that meet at a memory, one that starts while the
other runs; many short transfers in a row; DRAM at distances of rows, banks and channels.
`takt fit --next PROGRAM measure.yaml family/family.yaml` says which of them to measure.
"""

import pathlib
import sys

ENDS = {
    "d-p": ("mvp", "$d{0}@0", "$p{0}@0"),
    "p-d": ("mvp", "$p{0}@0", "$d{0}@0"),
    "d-lc": ("mvp", "$d{0}@0", "$lc{0}@0.0"),
    "lc-d": ("mvp", "$lc{0}@0.0", "$d{0}@0"),
    "p-lc": ("mvp", "$p{0}@0", "$lc{0}@0.0"),
    "lc-p": ("mvp", "$lc{0}@0.0", "$p{0}@0"),
    "p-p-other": ("mvp", "$p{0}@0", "$p{0}@1"),
    "d-p-other": ("mvp", "$d{0}@0", "$p{0}@1"),
    "spread-p-lc": ("mvd", "$p{0}@0", "$lc{0}"),
    "join-lc-p": ("mvd", "$lc{0}", "$p{0}@0"),
    "spread-p-d": ("mvd", "$p{0}@0", "$d{0}"),
    "join-d-p": ("mvd", "$d{0}", "$p{0}@0"),
    "copies-p-lc": ("mvb", "$p{0}@0", "$lc{0}"),
    "copies-d-lc": ("mvb", "$d{0}", "$lc{0}"),
    "sum-lc-d": ("mvrliadd", "$lc{0}", "$d{0}"),
}
PAIRS = [("d-p", "p-lc"), ("d-lc", "d-p"), ("d-lc", "lc-d"), ("p-lc", "lc-p"),
         ("p-lc", "p-p-other"), ("copies-d-lc", "d-p")]
APART = 8192  # long words between the places of two transfers


def transfer(ends, length, number, at=0):
    mode, source, to = ENDS[ends]
    return f"{mode}/n{length}i{number:02} {source.format(at)} {to.format(at)}\n"


def waits(count):
    return "".join(f"nop; wait i{number:02}\n" for number in range(1, count + 1))


def members():
    for ends in ENDS:
        for length in (512, 8192):
            yield (f"{ends}-{length}", f"one transfer of {length} long words",
                   transfer(ends, length, 1) + waits(1))
    for one, other in PAIRS:
        yield (f"{one}-while-{other}", "the second starts while the first runs",
               transfer(one, 4096, 1) + "nop/20\n" + transfer(other, 4096, 2, APART) + waits(2))
    for count in (2, 4, 8):
        yield (f"{count}-in-a-row", "short transfers one behind the other",
               "".join(transfer("p-lc", 128, n, 256 * n) for n in range(1, count + 1))
               + waits(count))
    for ends, other in (("d-p", "p-d"), ("p-d", "d-p")):
        yield (f"{ends}-then-{other}", "the DRAM reads, then writes, or the other way about",
               transfer(ends, 1024, 1) + waits(1) + transfer(other, 1024, 1, APART) + waits(1))
    for step in (64, 1024, 16384, 262144):
        yield (f"d-steps-{step}", f"64 long words of DRAM at a time, {step} apart",
               "".join(f"mvp/n64i{n:02} $d{n * step}@0 $p{64 * n}@0\n" for n in range(1, 17))
               + waits(16))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    rows = ["# Programs of one shape each (tests/fit/family.py): fill in what is measured. "
            "docs/calibrating.md\n"
            "machine: mncore2\nchip: mncore2\nmeasurements:\n"]
    for name, what, text in members():
        (folder / f"{name}.vsm").write_text(f"# {name}.vsm: {what}\n{text}")
        rows.append(f"- {{program: {name}.vsm, quantity: cycles, value: , tolerance: 4}}\n")
    (folder / "family.yaml").write_text("".join(rows))


if __name__ == "__main__":
    main()
