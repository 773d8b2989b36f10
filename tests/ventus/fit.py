#!/usr/bin/env python3
"""Fit the parameters marked `measured` of config/ventus/ventus.yaml on the measured cycles.

    make build/tests/bench/bench_ventus && tests/ventus/fit.py [KEY=VALUE ...]

Prints the numbers fitted on all rows, for the chip file, and writes tests/ventus/folds.tsv: the
numbers fitted without each kernel and without each half of the rows, which `make bench-ventus`
judges on what was left out. Keys given are held.

What is minimised: the mean of |modelled / measured - 1| with a tenth of the largest; launches of
one kernel with the same threads weigh together as the root of their number. The search is a
pattern search on a grid from the best of a fixed sample, so that it gives the same every time. A
branch of threads takes at most 20 cycles: beyond, it can stand for the time of loads nearly as well.
"""
import itertools
import random
import subprocess
import sys

GRID = {
    "simt_latency": list(range(1, 31)), "branch_latency": list(range(0, 31)),
    "ram_interval": list(range(1, 21)), "ram_latency": list(range(1, 80)),
}
SAMPLE, STARTS = 200, 5


def kernel_of(row):
    return row[2].rsplit("_", 1)[0]


class Model:
    """The bench as a function of a point; what it has answered is kept."""

    def __init__(self, fixed):
        self.rows = [line.split() for line in open("tests/ventus/rtl_cycles.tsv") if line[0] != "#"]
        self.bench = subprocess.Popen(["build/tests/bench/bench_ventus", "-"] + fixed, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.known = {}
        groups = [(kernel_of(row), row[0][2:]) for row in self.rows]
        self.weights = [groups.count(group) ** -0.5 for group in groups]

    def errors(self, point):
        if point not in self.known:
            words = " ".join(f"{name}={value}" for name, value in zip(self.names, point))
            self.bench.stdin.write(words + "\n")
            self.bench.stdin.flush()
            cycles = self.bench.stdout.readline().split()
            self.known[point] = [abs(float(c) / float(row[3]) - 1)
                                 for c, row in zip(cycles, self.rows)]
        return self.known[point]

    def cost(self, point, kept):
        errors = self.errors(point)
        weight = sum(self.weights[i] for i in kept)
        return (sum(self.weights[i] * errors[i] for i in kept) / weight
                + 0.1 * max(errors[i] for i in kept))

    def descend(self, point, kept, grid):
        step = 8
        while step:
            moves = []
            for names in itertools.chain(itertools.combinations(range(len(grid)), 1),
                                         itertools.combinations(range(len(grid)), 2)):
                for signs in itertools.product((-step, step), repeat=len(names)):
                    at = list(point)
                    for k, sign in zip(names, signs):
                        values = grid[k]
                        near = values.index(at[k]) + sign
                        at[k] = values[min(len(values) - 1, max(0, near))]
                    moves.append(tuple(at))
            best = min(moves, key=lambda move: self.cost(move, kept))
            if self.cost(best, kept) < self.cost(point, kept):
                point = best
            else:
                step //= 2
        return point

    def fit(self, kept):
        known = sorted(self.known, key=lambda point: self.cost(point, kept))
        ends = [self.descend(point, kept, list(self.grid.values())) for point in known[:STARTS]]
        return min(ends, key=lambda point: self.cost(point, kept))


def main():
    fixed = [word for word in sys.argv[1:] if "=" in word]
    model = Model(fixed)
    held = {word.split("=")[0] for word in fixed}
    model.grid = {name: values for name, values in GRID.items() if name not in held}
    model.names = list(model.grid)
    dice = random.Random(1)
    for _ in range(SAMPLE):
        model.errors(tuple(dice.choice(values) for values in model.grid.values()))

    def text(point):
        return " ".join(f"{name}={value}" for name, value in zip(model.names, point))

    every = list(range(len(model.rows)))
    best = model.fit(every)
    errors = model.errors(best)
    print(f"{text(best)}\nmean {100 * sum(errors) / len(errors):.1f} %, "
          f"largest {100 * max(errors):.1f} %", flush=True)
    left = {kernel: [i for i in every if kernel_of(model.rows[i]) == kernel]
            for kernel in sorted({kernel_of(row) for row in model.rows})}
    left["even"], left["odd"] = every[::2], every[1::2]
    out = []
    with open("tests/ventus/folds.tsv", "w") as file:
        file.write("# fitted by tests/ventus/fit.py without a kernel, or without every other row\n")
        for name, rows in left.items():
            point = model.fit([i for i in every if i not in rows])
            file.write(f"{name}\t{text(point)}\n")
            found = [model.errors(point)[i] for i in rows]
            print(f"{name}: {text(point)}: mean {100 * sum(found) / len(found):.1f} %", flush=True)
            out += found if name not in ("even", "odd") else []
    print(f"left out: mean {100 * sum(out) / len(out):.1f} %, largest {100 * max(out):.1f} %, "
          f"{len(model.known)} points")
    model.bench.stdin.close()
    model.bench.wait()


main()
