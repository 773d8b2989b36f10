#!/usr/bin/env python3
"""Fit the parameters marked `measured` of config/ventus/ventus.yaml on the measured cycles.

    make build/tests/bench/bench_ventus && tests/ventus/fit.py [rounds] [half]

Minimises the mean of |modelled / measured - 1| by changing one or two numbers at a time, from the
chip file's on, in a fixed order of pseudo-random moves. With `half` it fits on the even rows and
prints the error on the odd ones, too.
"""
import random
import subprocess
import sys

RANGES = {
    "launch_cycles": (0, 200), "end_cycles": (0, 200), "fetch_latency": (1, 12),
    "jump_cycles": (1, 16), "l1i_mshrs": (1, 8), "lsu_latency": (0, 20), "lsu_return": (0, 20),
    "lsu_interval": (0, 30), "l1d_latency": (1, 12), "l2_interval": (1, 24),
    "l2_latency": (1, 40), "ram_interval": (1, 24), "sfu_interval": (1, 20),
}
START = {"launch_cycles": 40, "end_cycles": 20, "fetch_latency": 4, "jump_cycles": 3,
         "l1i_mshrs": 4, "lsu_latency": 5, "lsu_return": 5, "lsu_interval": 2, "l1d_latency": 2,
         "l2_interval": 4, "l2_latency": 6, "ram_interval": 4, "sfu_interval": 3}


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    half = "half" in sys.argv
    fixed = [word for word in sys.argv[2:] if "=" in word]
    measured = [float(line.split()[3]) for line in open("tests/ventus/rtl_cycles.tsv")
                if line[0] != "#"]
    bench = subprocess.Popen(["build/tests/bench/bench_ventus", "-"] + fixed, text=True,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def errors(point):
        bench.stdin.write(" ".join(f"{k}={v}" for k, v in point.items()) + "\n")
        bench.stdin.flush()
        return [abs(float(m) / r - 1) for m, r in zip(bench.stdout.readline().split(), measured)]

    def cost(rows):
        rows = rows[::2] if half else rows
        return sum(rows) / len(rows) + 0.1 * max(rows)

    dice = random.Random(1)
    best, rows = dict(START), None
    rows = errors(best)
    for _ in range(rounds):
        point = dict(best)
        for name in dice.sample(sorted(RANGES), dice.choice([1, 1, 2, 2, 3])):
            low, high = RANGES[name]
            step = dice.choice([1, 1, 2, 3, 5, 10]) * dice.choice([-1, 1])
            point[name] = min(high, max(low, point[name] + step))
        found = errors(point)
        if cost(found) < cost(rows):
            best, rows = point, found
    print(" ".join(f"{k}={v}" for k, v in best.items()))
    print(f"mean {100 * sum(rows) / len(rows):.1f} %, largest {100 * max(rows):.1f} %")
    if half:
        print(f"fitted rows {100 * sum(rows[::2]) / len(rows[::2]):.1f} %, "
              f"others {100 * sum(rows[1::2]) / len(rows[1::2]):.1f} %")
    bench.stdin.close()
    bench.wait()


main()
