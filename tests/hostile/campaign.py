#!/usr/bin/env python3
"""A hostile campaign: commands that must end as the manual says, whatever they are given.

usage: campaign.py TAKT --plain TAKT --fail LIBRARY [--minutes N] [--only ATTACK]... [--seed N]
                   [--out FOLDER] [--places] [--all]

TAKT is built with sanitizers; --plain is the same without, for the library that lets calls fail.
Each attack draws its cases from --seed. A finding is kept in FOLDER/findings with its files, reduced
where it is a text; one table says what was tried and found. Of calls that fail, a sample of the
places in the program that make one is tried; --places: each of them, in the first command that
reaches it; --all: every call. A command "handles" is tests/hostile/handles beside either program:
every handle of libtakt. Exit 0: nothing was found.
"""
import argparse
import contextlib
import hashlib
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import time

import attacks

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SANITIZERS = {
    "ASAN_OPTIONS": "allocator_may_return_null=1:hard_rss_limit_mb=3000:quarantine_size_mb=16:"
                    "exitcode=99:abort_on_error=0",
    "UBSAN_OPTIONS": "exitcode=99:print_stacktrace=1",
    "LSAN_OPTIONS": "exitcode=99",
}
TIMEOUT = 40
HANDLES = attacks.HANDLES


class Result:
    def __init__(self, code, out, err, late, ended):
        self.code, self.out, self.err = code, out, err
        self.late = late    # the time was up and a signal was sent ...
        self.ended = ended  # ... which ended it


class Campaign:
    """What an attack works with: a fresh folder to run in, dice, seeds and a judge of answers."""

    def __init__(self, options, name, seed):
        self.options, self.name = options, name
        self.rng = random.Random(f"{name} {seed}")
        self.tried, self.findings = 0, {}
        self.by_library = set()  # findings of handles
        self.folder = None
        self.last, self.text = [], None
        self.rounds, self.done = 0, False

    # --- running ---------------------------------------------------------------------------------

    def start(self, arguments, plain=False, limit=None, environment=None, **more):
        program = self.options.plain if plain else self.options.takt
        if arguments[0] == HANDLES:
            program = os.path.join(os.path.dirname(program), "tests", "hostile", HANDLES)
            arguments = arguments[1:]

        def limits():
            for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)  # ignored behind a shell's &
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        self.tried += 1
        return subprocess.Popen([program, *arguments], cwd=self.folder, preexec_fn=limits,
                                stdin=more.get("stdin", subprocess.DEVNULL),
                                stdout=more.get("stdout", subprocess.PIPE), stderr=subprocess.PIPE,
                                env={**os.environ, **SANITIZERS, **(environment or {})})

    def finish(self, process, text=None, timeout=TIMEOUT):
        late = ended = False
        try:
            out, err = process.communicate(text, timeout)
        except subprocess.TimeoutExpired:
            late = True
            process.terminate()
            try:
                out, err = process.communicate(timeout=15)
                ended = True
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
        return Result(process.returncode, out or b"", err, late, ended)

    def run(self, arguments, text=None, judge=True, **more):
        """Run takt; what no command may do is a finding. A list of exit codes may narrow it."""
        codes = more.pop("codes", (0, 1, 2, 3))
        if text is not None:
            more["stdin"] = subprocess.PIPE
        result = self.finish(self.start(arguments, **more), text)
        if result.late and text is None:  # the host may have been busy
            result = self.finish(self.start(arguments, **more), timeout=4 * TIMEOUT)
        self.last, self.text = arguments, text
        if judge:
            what = self.wrong(result, codes)
            if what:
                self.found(what, result, arguments)
        return result

    @staticmethod
    def wrong(result, codes=(0, 1, 2, 3)):
        """What is wrong with how a command ended, or None."""
        if result.late:
            return None if result.ended else "no signal ends it"
        err = result.err.decode("utf-8", "replace")
        trouble = re.search(r"(ERROR: \w+Sanitizer: [\w-]+|runtime error: .*|Assertion.*|"
                            r"rss limit exhausted)", err)
        if trouble or result.code == 99:
            frames = re.findall(r" in (\w+) (?:\S*/)?((?:\w+/)+\w+\.[ch]):(\d+)", err)
            place = ":".join(frames[0]) if frames else ""
            return f"{trouble.group(1) if trouble else 'sanitizer'} {place}"
        if result.code < 0:
            return f"killed by signal {-result.code}"
        if result.code not in codes:
            return f"exit {result.code}"
        if result.code in (1, 3) and not err.strip() and not result.out:
            return f"exit {result.code} without a sentence"
        return None

    # --- findings --------------------------------------------------------------------------------

    def found(self, what, result=None, arguments=None):
        """Keep a finding once, with the files of the folder."""
        arguments = arguments if arguments is not None else self.last
        kind = re.sub(r"0x[0-9a-f]+|\d{3,}", "N", what)
        self.findings[kind] = self.findings.get(kind, 0) + 1
        if HANDLES in arguments:
            self.by_library.add(kind)
        if self.findings[kind] > 1:
            return
        label = self.name + "-" + hashlib.sha1(kind.encode()).hexdigest()[:8]
        kept = os.path.join(self.options.out, "findings", label)
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(self.folder, kept, symlinks=True, ignore_dangling_symlinks=True)
        if self.text is not None:
            with open(os.path.join(kept, "stdin"), "wb") as file:
                file.write(self.text)
        with open(os.path.join(kept, "FINDING"), "w", encoding="utf-8") as note:
            print(what, "takt " + " ".join(map(repr, arguments)), sep="\n", file=note)
            if result:
                print(f"exit {result.code}", result.err.decode("utf-8", "replace")[:6000],
                      sep="\n", file=note)
        print(f"  {label}: {what}", flush=True)

    def reduce(self, path, arguments, what):
        """Drop lines of the text at path as long as the command goes wrong in the same way."""
        with open(path, "rb") as file:
            lines = file.read().split(b"\n")
        tries, size = 0, max(1, len(lines) // 2)
        while size and tries < 80:
            at = 0
            while at < len(lines) and tries < 80:
                fewer = lines[:at] + lines[at + size:]
                with open(path, "wb") as file:
                    file.write(b"\n".join(fewer))
                tries += 1
                if self.wrong(self.finish(self.start(arguments))) == what:
                    lines = fewer
                else:
                    at += size
            size //= 2
        with open(path, "wb") as file:
            file.write(b"\n".join(lines))

    # --- files -----------------------------------------------------------------------------------

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)
        return name

    def read(self, name):
        try:
            with open(self.path(name), "rb") as file:
                content = file.read()
        except OSError:
            return None
        if content[:16] != b"SQLite format 3\0":
            return content
        try:  # how often it was committed is a matter of time
            with contextlib.closing(sqlite3.connect(f"file:{self.path(name)}?immutable=1",
                                                    uri=True)) as db:
                return "\n".join(db.iterdump()).encode("utf-8", "replace")
        except sqlite3.Error:
            return content

    def whole(self, name):
        """As read, to be written again."""
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self):
        return {name: self.read(name) for name in os.listdir(self.folder)}

    def fresh(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder)


class Seeds:
    """Programs, cases and configurations of the source tree, by extension."""

    def __init__(self):
        self.programs, self.configs = {}, {}
        for folder, _, names in os.walk(os.path.join(ROOT, "examples")):
            for name in sorted(names):
                self.take(os.path.join(folder, name))
        for machine in sorted(os.listdir(os.path.join(ROOT, "config"))):
            for name in sorted(os.listdir(os.path.join(ROOT, "config", machine)) if os.path.isdir(
                    os.path.join(ROOT, "config", machine)) else []):
                with open(os.path.join(ROOT, "config", machine, name), "rb") as file:
                    self.configs.setdefault(machine, file.read())
        corpus = os.path.join(ROOT, "tests", "hostile", "corpus")
        for name in sorted(os.listdir(corpus)) if os.path.isdir(corpus) else []:
            self.take(os.path.join(corpus, name))
        self.small = {}
        for suffix, name in attacks.SMALL.items():
            with open(os.path.join(ROOT, name), "rb") as file:
                self.small[suffix] = file.read()
        self.judged = []  # a test case, a right answer, a wrong one
        for name in ("testcase", "answer", "wrong"):
            with open(os.path.join(ROOT, "examples", "mncore2", f"judge-{name}.vsm"), "rb") as file:
                self.judged.append(file.read())
        self.cases = []
        archive = os.path.join(ROOT, "tests", "ventus", "cases.tar.gz")
        with tarfile.open(archive) as tar:
            for member in tar.getmembers():
                if member.name.endswith(".metadata"):
                    data = tar.extractfile(member.name[:-len("metadata")] + "data").read()
                    if len(data) < 100000:
                        self.cases.append((tar.extractfile(member).read(), data))

    def take(self, path):
        suffix = os.path.splitext(path)[1]
        if suffix in (".vsm", ".amx", ".loops", ".kelvin", ".ventus", ".s") and os.path.getsize(path) < 20000:
            with open(path, "rb") as file:
                self.programs.setdefault(suffix, []).append(file.read())


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("takt")
    parser.add_argument("--plain", required=True)
    parser.add_argument("--fail", required=True)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--only", action="append")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--out", default="build-hostile")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--places", action="store_true")
    options = parser.parse_args()
    for name in ("takt", "plain", "fail", "out"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    os.makedirs(os.path.join(options.out, "findings"), exist_ok=True)
    seeds = Seeds()
    work = tempfile.mkdtemp(prefix="takt-hostile-")
    campaigns = []
    for name, attack in attacks.ATTACKS.items():
        if not options.only or name in options.only:
            campaign = Campaign(options, name, options.seed)
            campaign.seeds, campaign.attack = seeds, attack
            campaign.folder = os.path.join(work, name)
            campaign.seconds = 0.0
            campaigns.append(campaign)
    budget = 60 * options.minutes
    start = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # either ends it, with the table
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        # The attack that has had the least time goes next: a slow one does not keep others away.
        while time.monotonic() - start < budget and not all(c.done for c in campaigns):
            campaign = min((c for c in campaigns if not c.done), key=lambda c: c.seconds)
            before = time.monotonic()
            campaign.fresh()
            try:
                campaign.attack(campaign)
            except FileNotFoundError as missing:  # what an undisturbed run should have left
                if campaign.findings.get("unprepared", 0) == 0:
                    print(f"  {campaign.name}: {missing.filename} was not made", flush=True)
                campaign.findings["unprepared"] = campaign.findings.get("unprepared", 0) + 1
            campaign.seconds += time.monotonic() - before
    except KeyboardInterrupt:
        pass
    shutil.rmtree(work, ignore_errors=True)
    print(f"{'attack':<12}{'seconds':>9}{'commands':>10}{'findings':>10}{'by library':>12}")
    for c in campaigns:
        print(f"{c.name:<12}{c.seconds:>9.0f}{c.tried:>10}{len(c.findings):>10}"
              f"{len(c.by_library):>12}")
        for kind, times in sorted(c.findings.items()):
            print(f"    {times} x {kind}{' (library)' if kind in c.by_library else ''}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"seed {options.seed}; {(used.ru_utime + used.ru_stime) / 60:.1f} minutes of processor")
    return 1 if any(c.findings for c in campaigns) else 0


if __name__ == "__main__":
    sys.exit(main())
