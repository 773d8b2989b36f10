#!/usr/bin/env python3
"""Fit the numbers of the older chip that nothing else shows, on the cycles of its measured kernels.

    make build/tests/bench/bench_ventus && tests/ventus/fit.py      (a minute)

Prints what each kernel is worth that the others were fitted without, then the numbers fitted on all
rows, for config/ventus/ventus.yaml; writes tests/ventus/folds.tsv, which `make bench-ventus` judges.

Every point of a coarse grid is run once; a fit is the point with the least mean of
|modelled / measured - 1|, in which a kernel weighs as the root of its rows.
"""
import itertools
import subprocess

GRID = {"branch_latency": range(1, 10, 2), "simt_latency": range(2, 15, 3),
        "ram_latency": range(10, 31, 2)}


def main():
    rows = [line.split() for line in open("tests/ventus/rtl_cycles.tsv") if line[0] != "#"]
    kernels = [row[2].rsplit("_", 1)[0] for row in rows]
    names = sorted(set(kernels))
    bench = subprocess.Popen(["build/tests/bench/bench_ventus", "-"], text=True,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def means(point):
        """Of each kernel, with these numbers."""
        bench.stdin.write(" ".join(f"{key}={value}" for key, value in zip(GRID, point)) + "\n")
        bench.stdin.flush()
        errors = [abs(float(cycles) / float(row[3]) - 1)
                  for cycles, row in zip(bench.stdout.readline().split(), rows)]
        return {name: sum(e for e, k in zip(errors, kernels) if k == name) / kernels.count(name)
                for name in names}

    points = {point: means(point) for point in itertools.product(*GRID.values())}
    bench.stdin.close()
    bench.wait()

    def fit(kept):
        return min(points, key=lambda point: sum(points[point][name] * kernels.count(name) ** 0.5
                                                 for name in kept))

    def text(point):
        return " ".join(f"{key}={value}" for key, value in zip(GRID, point))

    def mean(errors):
        return 100 * sum(errors[name] * kernels.count(name) for name in names) / len(rows)

    folds = {name: fit([other for other in names if other != name]) for name in names}
    with open("tests/ventus/folds.tsv", "w") as file:
        file.write("# numbers fitted by tests/ventus/fit.py without a kernel\n")
        for name, point in folds.items():
            file.write(f"{name}\t{text(point)}\n")
            print(f"without {name:16} {text(point)}: {100 * points[point][name]:.1f} % on it")
    best = fit(names)
    out = {name: points[point][name] for name, point in folds.items()}
    print(f"each kernel, fitted on the others: mean {mean(out):.1f} %")
    print(f"all rows: {text(best)}: mean {mean(points[best]):.1f} %, {len(points)} points")


main()
