"""Which suites reach which line: each suite runs once in a build with gcov, and leaves its counters in a folder of its own."""

import concurrent.futures
import json
import pathlib
import subprocess
import time

UNKNOWN = 60  # seconds that a suite is taken to need which is not in the map
# Campaigns: make test does not run them.
NEVER = {"tests/test_hostile", "tests/test_growth", "tests/test_toy", "tests/test_cases"}


def suites_of(tree):
    """Programs in C, without their suffix, and files of Python tests; each file of test_cases."""
    names = [str(p.relative_to(tree))[:-2] for p in tree.glob("tests/**/test_*.c")
             if len(p.relative_to(tree).parts) <= 3]
    names += [str(p.relative_to(tree)) for p in tree.glob("tests/python/test_*.py")]
    names += [str(p.relative_to(tree)) for p in tree.glob("tests/cases/**/*.case")]
    return sorted(set(names) - NEVER)


def built(suite):
    """What make has to build for a suite; test_library installs all."""
    if suite.endswith(".py"):
        return ["build/takt", "build/libtakt.so"]
    if suite.endswith(".case"):
        return ["build/takt", "build/tests/test_cases"]
    return ["build" if suite == "tests/test_library" else "build/takt", f"build/{suite}"]


def source(suite):
    return suite if suite.endswith((".py", ".case")) else f"{suite}.c"


def changed_since(tree, root):
    """Suites whose file differs from that in the tree of the map."""
    def differs(name):
        return not (tree / name).exists() or (tree / name).read_bytes() != (root / name).read_bytes()
    return {s for s in suites_of(root) if differs(source(s))}


class Reach:
    def __init__(self, tree, root, work, run, say):
        self.tree, self.root, self.counters, self.say = tree, root, work / "counters", say
        self.kept = work / "reach.json"
        self.seconds, self.excluded = {}, []
        self.lines, self.changed = {}, set()
        if self.kept.exists():
            self.seconds, self.excluded = json.loads(self.kept.read_text())
        self.run = run

    def measure(self, build, limit, jobs):
        """Each suite that is not yet in the map."""
        self.changed = changed_since(self.tree, self.root)
        missing = [s for s in suites_of(self.tree) if s not in self.seconds and s not in self.excluded]
        if missing:
            self.say(f"reach: {len(missing)} suites run once with gcov")
            build(self.tree, sorted({g for s in missing for g in built(s)}))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            ends = {pool.submit(self.measure_one, suite, limit): suite for suite in missing}
            for number, done in enumerate(concurrent.futures.as_completed(ends), 1):
                suite, (seconds, ended) = ends[done], done.result()
                if ended == "passed":
                    self.seconds[suite] = seconds
                else:
                    self.excluded.append(suite)
                self.say(f"reach [{number}/{len(missing)}] {suite} {seconds:.1f} s, {ended}")
                self.kept.write_text(json.dumps([self.seconds, self.excluded], indent=1))

    def measure_one(self, suite, limit):
        started = time.monotonic()
        ended = self.run(self.tree, suite, limit, {"GCOV_PREFIX": str(self.counters / suite)})
        return time.monotonic() - started, ended

    def lines_of(self, file):
        """{line: suites that execute it} of the lines of a file that have code."""
        if file not in self.lines:
            self.lines[file] = self.read_lines(file)
        return self.lines[file]

    def read_lines(self, file):
        stem = pathlib.PurePath("build") / file[:-2]
        notes, found = self.tree / f"{stem}.gcno", {}
        for suite in self.seconds:
            counts = self.counters / suite / str(self.tree).lstrip("/") / f"{stem}.gcda"
            if not counts.exists():
                continue
            beside = counts.with_suffix(".gcno")
            if not beside.exists():
                beside.symlink_to(notes)
            done = subprocess.run(["gcov", "--json-format", "--stdout", str(counts)], cwd=self.tree, capture_output=True, check=False)
            for part in json.loads(done.stdout.splitlines()[-1])["files"] if done.stdout else []:
                for line in part["lines"] if part["file"] == file else []:
                    suites = found.setdefault(line["line_number"], set())
                    if line["count"]:
                        suites.add(suite)
        return found

    def suites(self, place, text):
        """The suites to run for a fault, quickest first. A suite or a file that has changed since the map was made has no
        known reach: the suite runs for each fault, and each suite that reaches the file for this one."""
        old = self.tree / place.file
        lines = self.lines_of(place.file)
        if old.exists() and old.read_text() == text:
            chosen = set().union(*(lines.get(n, ()) for n in range(place.first, place.last + 1)))
            if not chosen:  # the compiler may have joined the line with the one before
                before = max((n for n in lines if n < place.first), default=None)
                chosen = set(lines.get(before, ()))
        else:
            chosen = set().union(*lines.values())
        return sorted(chosen | self.changed, key=lambda s: (self.seconds.get(s, UNKNOWN), s))

    def within(self, limit, suites):
        """The first suites that need at most `limit` seconds together; each for no limit."""
        total, chosen = 0, []
        for suite in suites:
            total += self.seconds.get(suite, UNKNOWN)
            if limit is not None and total > limit:
                break
            chosen.append(suite)
        return chosen
