"""How time and memory of each command grow with the program: make bench-growth.

usage: growth.py [--sizes 4,5,6,7] [--cases few,..] [--commands run,..] [--folder DIR] [--seconds N] [--gigabytes N]

Programs of 10^n statements (loops, Kelvin and Ventus: executed operations) are written to the folder.
Each command is a process of its own; one that takes longer than --seconds or more than --gigabytes (6) is ended
and not tried with a larger program. Printed: seconds of processor time, the most memory resident, bytes written; seconds
and memory a statement over those at a tenth of the statements: 1.0 is linear. Below some 15 MB the memory is that of
this script, which a child begins with.
"""

import argparse
import os
import random
import resource
import shutil
import subprocess
import tempfile
import time

TAKT = os.environ.get("TAKT", "build/takt")


TESTCASE = """# ======= YOUR VSM WILL BE INSERTED HERE =======
nop
# ======= Output =======
d get $lr0n0c0b0m0p0 1 # one=[0] / Long @[0]
"""


def few(n, out):
    """Three lines in a rhythm."""
    lines = [f"fvfma $lm{8 * a}v $lr{8 * a}v $mauf $ls{8 * a}v; lpassa $ln{8 * a}v $nowrite; "
             f"l1bmm $lb{16 * a} $nowrite\n" for a in range(3)]
    for i in range(n):
        out.write(lines[i % 3])


def different(n, out):
    """Nearly all lines different; what a step computes is read four steps later."""
    dice = random.Random(1)
    grf = [8 * k for k in range(8)]
    other = list(grf)
    start = ["lpassa $peid $lm%dv $ln%dv\n" % (8 * i, 8 * i) for i in range(256)]
    start += ["lpassa $peid $lr%dv $ls%dv\n" % (8 * k, 8 * k) for k in range(4, 8)]
    start += ["nop/9\n"] + ["l1bmd $lm%dv $lb%d\n" % (8 * (i // 64), i) for i in range(0, 4096, 64)]
    start += ["nop/99\n"]
    out.writelines(start)
    bits = dice.getrandbits
    for i in range(n - len(start)):
        k, read = i % 8, (i + 4) % 8
        to0, to1 = 8 * (8 * (bits(4) & 3) + k), 8 * (8 * (bits(4) & 3) + k)
        out.write("fvfma $lm%dv $lr%dv $mauf $ls%dv; ladd $ln%dv $ls%dv $lr%dv; l1bmm $lb%d $nowrite\n" %
                  (8 * bits(8), grf[read], to1, 8 * bits(8), other[read], to0, 16 * bits(8)))
        grf[k], other[k] = to0, to1


def transfers(n, out):
    """One transfer of DRAM in eight statements, waited for."""
    for i in range(n // 8):
        g, a = i % 4, 64 * (i * 7 % 400)
        out.write(f"mvp/n64i{1 + g:02x} $d{a}@{g} $lc{a}@{g}.0\n")
        out.write("nop\n" * 6)
        out.write(f"nop; wait i{1 + (i + 2) % 4:02x}\n" if i >= 2 else "nop\n")


def amx(n, out):
    """matfp of four accumulators with loads."""
    for i in range(n // 4):
        out.write(f"ldx x={i % 4 * 2} addr={i % 4096 * 128:#x} pair\nmatfp f32 x=0 y=0 z=0\n"
                  f"matfp f32 x=64 y=0 z=1\nmatfp f32 x=0 y={64 * (i % 4)} z={i % 4}\n")


def loops(n, out):
    """A sum of n elements over 64 units, 10 rows."""
    out.write(f"units 64\ntensor a i8 10x{max(n // 10, 1)}\ntensor s i32 10\nnest alternate\n    for y 10\n"
              f"    for x {max(n // 10, 1)} over units\n    s[y] += a[y,x]\nend\n")


def kelvin(n, out):
    """A loop of five instructions."""
    out.write(f"    .text\n_start:\n    li s1, {n // 5}\n    la a0, x\nloop:\n    vld.w.x v0, a0\n"
              "    vadd.w.vv v8, v0, v8\n    addi a1, a1, 3\n    addi s1, s1, -1\n    bne s1, zero, loop\n"
              "    mpause\n    .data\n    .align 5\nx:\n    .zero 32\n")


def ventus(n, out):
    """A loop of four instructions in two warps."""
    out.write(f"    .launch grid 1\n    .launch workgroup 64\n    .text\n    li t0, {n // 8}\nloop:\n"
              "    vadd.vx v1, v1, t0\n    vadd.vv v2, v1, v2\n    addi t0, t0, -1\n    bnez t0, loop\n    endprg\n")


# Writer, extension, a unit.
CASES = {"few": (few, "vsm", "issue"), "different": (different, "vsm", "issue"),
         "transfers": (transfers, "vsm", "dram0"), "amx": (amx, "amx", "array0"),
         "loops": (loops, "loops", "traversal0"), "kelvin": (kelvin, "kelvin", "core"),
         "ventus": (ventus, "ventus", "sm0.issue")}

# {p} the program, {t} a trace, {d} a trace with intervals, {o} an output file, {m} its middle line.
COMMANDS = [
    ("check", "check --silence all {p}"),
    ("run", "run --timing-only --silence all {p}"),
    ("run --trace", "run --timing-only --silence all --quiet --no-detail --trace {t} {p}"),
    ("run --detail", "run --timing-only --silence all --quiet --detail --trace {d} {p}"),
    ("report", "report {t}"),
    ("report critical", "report {t} critical"),
    ("report stalls", "report {d} stalls"),
    ("report loops", "report {d} loops"),
    ("timeline", "timeline {t}"),
    ("timeline detail", "timeline {d}"),
    ("timeline statements", "timeline --statements {d}"),
    ("query", "query {d} SELECT_count(*)_FROM_stmt"),
    ("query slice", "query {d} SELECT_count(*)_FROM_slice"),
    ("why unit", "why {d} {u}@1000"),
    ("why trace", "why {t} --line {m}"),
    ("export perfetto", "export --format perfetto --output {o} {d}"),
    ("export perfetto 0", "export --format perfetto --events 0 --output {o} {d}"),
    ("export konata", "export --format konata --output {o} {d}"),
    ("export konata 0", "export --format konata --events 0 --output {o} {d}"),
    ("export html", "export --format html --output {o} {d}"),
    ("export html totals", "export --format html --output {o} {t}"),
    ("export csv", "export --format csv --question statements --output {o} {t}"),
    ("export json", "export --format json --output {o} {t}"),
    ("diff traces", "diff {t} {d}"),
    ("diff", "diff --timing-only {p} {p}"),
    ("diff html", "diff --html {o} {d} {t}"),
    ("expect trace", "expect {t} cycles>=1"),
    ("expect slack", "expect {t} slack({m})>=0"),
    ("expect bound", "expect --timing-only {p} gap(any-order)<1"),
    ("batch", "batch --statements --transfers --path {p}"),
    ("materialize", "trace materialize --window 100:20000 {d}"),
    ("bound", "bound --timing-only {p}"),
    ("deps", "deps --timing-only {p}"),
    ("why program", "why --timing-only {p} --line {m}"),
    ("whatif", "whatif --timing-only --free {m} {p}"),
    ("sensitivity", "sensitivity --timing-only {p}"),
    ("advise", "advise {p}"),
    ("schedule", "schedule --out {o} {p}"),
    ("judge", "judge {j} {p}"),
    ("run values", "run --silence all --quiet {p}"),
]


def measure(arguments, seconds, most):
    """Seconds of processor time, kilobytes resident at most, how it ended, its first error."""
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen([TAKT] + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
        pause = 0.001
        while not (ended := os.wait4(child.pid, os.WNOHANG))[0]:
            with open(f"/proc/{child.pid}/statm", encoding="ascii") as statm:
                resident = int(statm.read().split()[1]) * resource.getpagesize()
            if resident > most:
                child.kill()
            time.sleep(pause)
            pause = min(2 * pause, 0.1)
        _, status, usage = ended
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        lines = errors.read(100000).decode(errors="replace").split("\n")
        said = next((line for line in lines if "warning" not in line and line[:2] != "  "), "")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss, child.returncode, said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="4,5,6")
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--commands", help="those whose names begin so")
    parser.add_argument("--folder")
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--gigabytes", type=int, default=6)
    said = parser.parse_args()
    folder = said.folder or tempfile.mkdtemp(prefix="takt-growth-")
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/testcase.vsm", "w", encoding="ascii") as out:
        out.write(TESTCASE)
    for case in said.cases.split(","):
        write, extension, unit = CASES[case]
        last = {}
        over = set()
        for size in map(int, said.sizes.split(",")):
            n = 10**size
            base = f"{folder}/{case}{size}"
            names = {"p": f"{base}.{extension}", "t": f"{base}.db", "d": f"{base}-detail.db", "o": f"{base}.out",
                     "m": str(max(n // 2, 3) if extension in ("vsm", "amx") else 7), "u": unit,
                     "j": f"{folder}/testcase.vsm"}
            if not os.path.exists(names["p"]):
                with open(names["p"], "w", encoding="ascii") as out:
                    write(n, out)
            print(f"{case}, 10^{size}, {os.path.getsize(names['p']) / 1e6:.1f} MB")
            for name, line in COMMANDS:
                if said.commands and not name.startswith(tuple(said.commands.split(","))):
                    if not (name.startswith("run --") and not os.path.exists(names["td"["detail" in name]])):
                        continue
                if name in over:
                    continue
                arguments = [word.format(**names).replace("_", " ") if "SELECT" in word else word.format(**names)
                             for word in line.split()]
                took, peak, code, error = measure(arguments, said.seconds, said.gigabytes << 30)
                if code < 0:
                    over.add(name)
                wrote = os.path.getsize(names["o"]) if os.path.exists(names["o"]) else 0
                wrote = os.path.getsize(names["td"["detail" in name]]) if "run --" in name and code == 0 else wrote
                if os.path.exists(names["o"]):
                    os.remove(names["o"])
                before = last.get(name)
                ratios = f"{took / before[0] / 10:5.2f} {peak / before[1] / 10:5.2f}" if before else " " * 11
                last[name] = (took, peak)
                note = "" if code == 0 else f"  exit {code}: {error[:150]}"
                print(f"  {name:22} {took:8.2f} s {peak / 1024:8.1f} MB {wrote / 1e6:9.2f} MB  {ratios}{note}",
                      flush=True)
            for key in "td":
                if not said.folder and os.path.exists(names[key]):
                    os.remove(names[key])
    if not said.folder:
        shutil.rmtree(folder)


main()
