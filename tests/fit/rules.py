#!/usr/bin/env python3
"""One number of a chip file is changed; takt diff names it: make fit-campaign.

The list of issues is read from a trace of the run with the changed chip file (states of issuing units), not from what takt diff
listens to. Exit 1 when a changed number is not the first that takt diff names; one with which as many intervals are equal
counts as named too, and is printed.
"""

import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

TAKT = os.environ.get("TAKT", "build/takt")
CHANGES = [
    ("examples/amx/matmul.amx", "result_latency", 7), ("examples/amx/accumulators.amx", "result_latency", 5),
    ("examples/amx/matmul.amx", "load_latency", 23), ("examples/amx/block.amx", "load_latency", 11),
    ("examples/kelvin/matmul_vmacc.kelvin", "vector_latency", 4), ("examples/kelvin/dot.kelvin", "memory_latency", 31),
    ("examples/kelvin/dot.kelvin", "load_latency", 4), ("examples/kelvin/depthwise_vdwconv.kelvin", "memory_latency", 26),
    ("examples/ventus/saxpy.ventus", "ram_latency", 31), ("examples/ventus/reduce.ventus", "branch_latency", 7),
    ("examples/ventus/matmul.ventus", "valu_latency", 3), ("examples/ventus/collatz.ventus", "simt_latency", 17),
    ("examples/ventus/histogram.ventus", "address_cycles", 4), ("examples/ventus/saxpy.ventus", "fma_latency", 9),
    ("examples/ventus/saxpy.ventus", "refill_latency", 8), ("examples/mncore2/fma.vsm", "mv_start_latency", 33),
    ("examples/mncore2/reduce.vsm", "mv_notice_latency", 29), ("examples/mncore2/optimising/vector.vsm", "mv_start_latency", 5),
    ("examples/mncore2/measure/priorities.vsm", "mv_notice_latency", 21),
    ("examples/mncore2/fma.vsm", "mv_slot_steps_auto", 1),
]


def write_issues(trace, path):
    """A row for each work of an issuing unit; for each transfer, when it is issued; and for each
    statement that only waits,
    when it goes. Steps that packing adds are none of a statement."""
    opened = sqlite3.connect(trace)
    rows = opened.execute(
        "SELECT r.start, u.name, s.line, y.state, s.id, y.name FROM slice_row r "
        "JOIN unit u ON u.id = r.unit "
        "JOIN stmt s ON s.id = r.stmt JOIN reason y ON y.id = r.reason "
        "WHERE u.kind = 'issue' ORDER BY u.id, r.start").fetchall()
    streams = {row[4]: row[1] for row in rows}
    rows = [row for row in rows if row[5] != "packing"]
    moves = opened.execute("SELECT t.issued, s.line, s.id FROM transfer t "
                           "JOIN stmt s ON s.id = t.stmt").fetchall()
    movers = {stmt for _, _, stmt in moves}
    works = {row[4] for row in rows if row[3] == 0} | movers
    kept = [(issued, streams[stmt], line) for issued, line, stmt in moves if stmt in streams]
    for row, after in zip(rows, rows[1:] + [(0, "", 0, 0, -1, "")]):
        goes = row[4] not in works and (after[4] != row[4] or after[1] != row[1])
        if (row[3] == 0 and row[4] not in movers) or goes:
            kept.append(row[:3])
    kept.sort(key=lambda row: row[0])
    path.write_text("cycle,event,stream,place,word\n" + "".join(f"{r[0]},issue,{r[1]},{r[2]},\n" for r in kept))
    return len(kept)


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fit-rules-"))
    named = 0
    for program, name, value in CHANGES:
        chip, trace, issues = folder / "chip.yaml", folder / "t.trace", folder / "issues.csv"
        chip.write_text(f"{name}:\n  value: {value}\n")
        trace.unlink(missing_ok=True)
        subprocess.run([TAKT, "run", program, "--config", chip, "--trace", trace, "--silence", "all"],
                       stdout=subprocess.DEVNULL, check=True)
        count = write_issues(trace, issues)
        done = subprocess.run([TAKT, "diff", program, issues, "--json"], capture_output=True, text=True, check=False)
        answer = json.loads(done.stdout) if done.stdout else {}
        answer = {"numbers": [], "equal": 0, "intervals": 0, **answer}
        best = answer["numbers"][0]["equal"] if answer["numbers"] else None
        first = [n["name"] for n in answer["numbers"] if n["equal"] == best]
        good = name in first
        named += good
        print(f"{'named' if good else 'NOT NAMED':9} {program} {name}={value}: {count} issues, "
              f"{answer['equal']}/{answer['intervals']} equal, with {first} {best}", done.stderr.strip(), flush=True)
    print(f"{named} of {len(CHANGES)} named")
    return 0 if named == len(CHANGES) else 1


if __name__ == "__main__":
    sys.exit(main())
