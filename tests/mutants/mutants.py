#!/usr/bin/env python3
"""Mutation score: single faults are planted in C files, and the suites that reach them have to fail.

usage: mutants.py [--count N] [--seed N] [--room ROOM]... [--files FILE]... [--only FILE:LINE] [--jobs N]
                  [--limit SECONDS] [--within SECONDS] [--work FOLDER] [--fresh] [--sanitize]

--count faults are drawn in each room. The same seed draws the same faults of the same sources;
where a function has changed, the others stay. --only: each fault of a line. --within: less time for
each fault, and perhaps a lower score.
The build and the suites run in copies of the tree in --work. docs/mutants.md says how to read what is printed.
Exit 0: each fault was found, or changes no code.
"""

import argparse
import collections
import concurrent.futures
import filecmp
import hashlib
import os
import pathlib
import queue
import resource
import shutil
import signal
import subprocess
import sys
import time

from places import File
from reach import UNKNOWN, Reach, built

ROOMS = ("functional", "timing", "traces", "analysis")
ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILER = os.environ.get("CC", "gcc")
PYTHON = os.environ.get("PYTHON", sys.executable)
COVERAGE = ["OPT=-O1 -g0", "SANITIZE=--coverage", "WARN="]
SANITIZED = ["OPT=-O1 -g", "WARN=", "SANITIZE=-fsanitize=address,undefined "
             "-fno-sanitize-recover=all -fno-omit-frame-pointer"]  # as make check-asan


def say(text):
    print(text, flush=True)


# --- copies of the tree ------------------------------------------------------------------------

def sync(tree):
    """Makes the copy equal to the tree; what is equal keeps its time, so that make builds what has changed."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, check=True).stdout
    names = {os.fsdecode(n) for n in listed.split(b"\0") if n}
    for name in names:
        source, copy = ROOT / name, tree / name
        if not source.is_file():
            continue
        if not copy.exists() or not filecmp.cmp(source, copy, shallow=False):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
    for copy in [p for p in tree.rglob("*") if p.is_file() and p.relative_to(tree).parts[0] != "build"]:
        if str(copy.relative_to(tree)) not in names:
            copy.unlink()


def make(tree, goals, settings=(), jobs=1):
    done = subprocess.run(["make", "-s", f"-j{jobs}", f"CC={COMPILER}", *settings, *goals], cwd=tree, text=True,
                          capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"the tree without a fault does not build:\n{done.stderr[-2000:]}")


# --- suites ------------------------------------------------------------------------------------

def bounded():
    resource.setrlimit(resource.RLIMIT_FSIZE, (16 << 30, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (1200, 1200))  # of a process that leaves the group


def run_suite(tree, suite, limit, environment=None):
    """How the suite ended: passed, failed, or took longer than the limit."""
    folder = tree.parent / "tmp" / tree.name / suite
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    settings = dict(os.environ, TAKT="build/takt", TMPDIR=str(folder), **(environment or {}))
    settings.pop("MAKEFLAGS", None)
    command = [f"build/{suite}"]
    if suite.endswith(".py"):
        command = [PYTHON, "-m", "unittest", suite]
        settings.update(TAKT_LIBRARY="build/libtakt.so", PYTHONPATH="python",
                        PYTHONDONTWRITEBYTECODE="1")
    if suite.endswith(".case"):
        command = ["build/tests/test_cases"]
        settings["TAKT_CASES"] = suite
    process = subprocess.Popen(command, cwd=tree, env=settings, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True, preexec_fn=bounded)
    try:
        return "failed" if process.wait(limit) else "passed"
    except subprocess.TimeoutExpired:
        return "ran out of time"
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)  # what the suite has started and left
        except ProcessLookupError:
            pass
        process.wait()


# --- one fault ---------------------------------------------------------------------------------

class Bench:
    """A copy of the tree in which one fault after the other is planted."""

    def __init__(self, tree, settings, within):
        self.tree, self.settings, self.within = tree, settings, within
        self.commands, self.plain, self.sound = {}, {}, {}

    def command(self, file):
        """How make compiles a file, without warnings: a fault may leave something unused."""
        if file not in self.commands:
            goal = f"build/{file[:-2]}.o"
            command = ["make", "-n", "-W", file, f"CC={COMPILER}", *self.settings, goal]
            printed = subprocess.run(command, cwd=self.tree, text=True, capture_output=True,
                                     check=True).stdout
            line = next(line for line in printed.splitlines() if f" -c -o {goal} " in line)
            self.commands[file] = line.split(" -MMD")[0] + " -w"
        return self.commands[file]

    def compile(self, file, options, out):
        return subprocess.run(f"{self.command(file)} {options} -c -o {out} {file}", shell=True, cwd=self.tree,
                              capture_output=True, check=False).returncode == 0

    def code(self, file):
        out = self.tree / "build" / "mutants.o"
        return out.read_bytes() if self.compile(file, "-g0", out) else None

    def judge(self, place, reach, base_limit):
        """(verdict, detail)"""
        while True:
            verdict, suite, detail = self.plant(place, reach, base_limit)
            if not suite or self.is_sound(suite, reach, base_limit):
                return verdict, detail

    def plant(self, place, reach, base_limit):
        """(verdict, the suite that failed, detail)"""
        path = self.tree / place.file
        text, kept = path.read_text(), path.stat()
        goal = self.tree / "build" / (place.file[:-2] + ".o")
        if place.file not in self.plain:
            self.plain[place.file] = self.code(place.file)
        path.write_text(place.planted(text))
        try:
            code = self.code(place.file)
            if code is None:
                return "refused", None, "by the compiler"
            if code == self.plain[place.file]:
                return "equivalent", None, "the same code"
            self.compile(place.file, "", goal)
            sound = [s for s in reach.suites(place, text) if self.sound.get(s, True)]
            suites = reach.within(self.within, sound)
            suite, detail = self.run(suites, reach, base_limit)
            return "killed" if suite else "survives", suite, detail
        finally:
            path.write_text(text)
            os.utime(path, ns=(kept.st_atime_ns, kept.st_mtime_ns))
            self.compile(place.file, "", goal)

    def run(self, suites, reach, base_limit):
        for suite in suites:
            make(self.tree, built(suite), self.settings)
            started = time.monotonic()
            ended = run_suite(self.tree, suite, base_limit + 5 * reach.seconds.get(suite, UNKNOWN))
            if ended != "passed":
                return suite, f"{suite} {ended}, {time.monotonic() - started:.1f} s"
        return None, f"{len(suites)} suites pass" if suites else "no suite reaches it"

    def is_sound(self, suite, reach, base_limit):
        """Whether the suite passes here without a fault."""
        if suite not in self.sound:
            make(self.tree, built(suite), self.settings)
            limit = base_limit + 5 * reach.seconds.get(suite, UNKNOWN)
            self.sound[suite] = run_suite(self.tree, suite, limit) == "passed"
            if not self.sound[suite]:
                say(f"{suite} fails without a fault: it is left out")
        return self.sound[suite]


# --- which faults ------------------------------------------------------------------------------

def files_of(room):
    return sorted(str(p.relative_to(ROOT)) for p in (ROOT / room).rglob("*.c"))


def places_of(file):
    return list(File(file, (ROOT / file).read_text()).places())


def shuffled(seed, places):
    """The places in an order that a place keeps when others come or go."""
    alike, keys = collections.Counter(), {}
    for place in places:
        key = f"{seed} {place.file} {place.change}"
        keys[place] = hashlib.sha256(f"{key} {alike[key]}".encode()).digest()
        alike[key] += 1
    return sorted(places, key=keys.get)


def drawn(options):
    """(room, faults in the order in which they are tried, how many of them count)."""
    if options.only:
        file, _, line = options.only.rpartition(":")
        at = [p for p in places_of(file) if p.first <= int(line) <= p.last]
        yield file.split("/")[0], at, len(at)
        return
    for room in options.room or ROOMS:
        files = [f for f in files_of(room) if not options.files or any(f == w or f.startswith(w.rstrip("/") + "/")
                                                                      for w in options.files)]
        places = shuffled(options.seed, [p for f in files for p in places_of(f)])
        if places:
            yield room, places, min(options.count, len(places))


def judge_room(room, places, count, benches, reach, limit):
    """Judges faults until `count` of them compile."""
    waiting, judged = iter(places), []

    def one(place):
        bench = benches.get()
        try:
            return place, *bench.judge(place, reach, limit)
        finally:
            benches.put(bench)

    with concurrent.futures.ThreadPoolExecutor(benches.qsize()) as pool:
        while len(judged) < count:
            batch = [p for p, _ in zip(waiting, range(count - len(judged)))]
            if not batch:
                break
            for place, verdict, detail in pool.map(one, batch):
                say(f"{verdict:10} {place.file}:{place.first}  {place.change}  ({detail})")
                if verdict != "refused":
                    judged.append((place, verdict, detail))
    return judged


# --- the program -------------------------------------------------------------------------------

def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=100, help="faults in each room (default: 100); 0 makes the map only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--room", action="append", choices=ROOMS, help="faults in this room only")
    parser.add_argument("--files", action="append", help="faults in this file or folder only")
    parser.add_argument("--only", metavar="FILE:LINE", help="each fault of this line")
    parser.add_argument("--jobs", type=int, default=1, help="faults at a time, each in its own copy of the tree")
    parser.add_argument("--limit", type=float, default=60, help="seconds that a suite may take beyond five times its usual time")
    parser.add_argument("--within", type=float, metavar="SECONDS",
                        help="for a fault, the quickest suites that take so long together")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build-mutants", help="folder for the copies of the tree")
    parser.add_argument("--sanitize", action="store_true",
                        help="the suites run under ASan and UBSan")
    parser.add_argument("--fresh", action="store_true", help="make the map of suites and lines again")
    return parser.parse_args()


def known_reach(options):
    """The map of the tree as it was when the map was made; suites that are new since are added to it."""
    tree = options.work / "reach"
    if options.fresh:
        shutil.rmtree(options.work / "counters", ignore_errors=True)
        (options.work / "reach.json").unlink(missing_ok=True)
    reach = Reach(tree, ROOT, options.work, run_suite, say)
    if not reach.kept.exists():
        sync(tree)
    reach.measure(lambda where, goals: make(where, goals, COVERAGE, options.jobs), 10 * options.limit,
                  options.jobs)
    return reach


def main():
    options = arguments()
    options.work = options.work.resolve()
    reach = known_reach(options)
    if not options.count:
        return 0
    benches = queue.Queue()
    settings = SANITIZED if options.sanitize else ()
    if options.sanitize:
        os.environ.setdefault("ASAN_OPTIONS", "allocator_may_return_null=1")
    for number in range(options.jobs):
        tree = options.work / f"{'asan' if options.sanitize else 'tree'}{number or ''}"
        sync(tree)
        make(tree, ["build/takt"], settings, options.jobs)
        benches.put(Bench(tree, settings, options.within))
    judged = {}
    for room, places, count in drawn(options):
        judged[room] = judge_room(room, places, count, benches, reach, options.limit)
    survivors = [j for room in judged.values() for j in room if j[1] == "survives"]
    say("")
    say(f"{'room':12}{'faults':>8}{'killed':>8}{'equivalent':>12}{'surviving':>11}{'score':>8}")
    for room, faults in judged.items():
        n = collections.Counter(j[1] for j in faults)
        counted = n["killed"] + n["survives"]
        score = f"{100 * n['killed'] / counted:.0f} %" if counted else "-"
        say(f"{room:12}{len(faults):8}{n['killed']:8}{n['equivalent']:12}{n['survives']:11}{score:>8}")
    for place, _, detail in survivors:
        say(f"survives {place.file}:{place.first}  {place.change}  ({detail})")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
