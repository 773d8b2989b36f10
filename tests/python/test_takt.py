"""The package takt: the header's declarations, the command's figures, errors, tables with and
without pandas, threads, traces, the page and the example. make test-python runs it in the root of the
project, with TAKT, TAKT_LIBRARY and PYTHONPATH set."""

import array
import concurrent.futures
import contextlib
import doctest
import html.parser
import io
import json
import multiprocessing
import os
import pickle
import re
import runpy
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from pathlib import Path
from unittest import mock

import takt
from takt import _heap, _library, _trace

TAKT = os.environ.get("TAKT", "build/takt")
FMA = Path("examples/mncore2/fma.vsm")
EXAMPLES = [FMA, Path("examples/mncore2/reduce.vsm"), Path("examples/amx/matmul.amx")]
EARLY = 'imm f"1.0" $r0/0010\nnop\ndvadd $lm0v $r0e $ln0v\n'
try:
    import pandas
except ImportError:
    pandas = None

plain = mock.patch.dict(sys.modules, {"pandas": None})  # as where it is not installed


def rows(table):
    """A table of either kind as a list of dicts."""
    return list(table) if isinstance(table, takt.Table) else table.to_dict("records")


def command(*arguments):
    done = subprocess.run([TAKT, *map(str, arguments)], capture_output=True, check=True)
    return json.loads(done.stdout)


class Header(unittest.TestCase):
    def test_every_function_is_there(self):
        names = re.findall(r"TAKT_API [^;(]*?(takt_\w+)\(", _library.header())
        self.assertGreater(len(names), 20)
        for name in names:
            getattr(_library.lib, name)

    def test_layout_is_the_compilers(self):
        """Sizes, places of fields and numbers of enums, as gcc has them from the same header."""
        ffi, text = _library.ffi, _library.declarations(_library.header())
        wanted = {}
        for struct in re.findall(r"^struct (\w+) \{", text, re.M):
            wanted[f"sizeof(struct {struct})"] = ffi.sizeof(f"struct {struct}")
            for field, of in ffi.typeof(f"struct {struct}").fields:
                wanted[f"offsetof(struct {struct}, {field})"] = of.offset
        for constant in re.findall(r"^\s+(TAKT_\w+)(?: =|,|$)", text, re.M):
            wanted[constant] = getattr(_library.lib, constant)
        self.assertGreater(len(wanted), 100)
        lines = "".join(f'printf("%zu\\n", (size_t)({what}));' for what in wanted)
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "layout.c")
            source.write_text(
                '#include <stdio.h>\n#include "include/takt.h"\nint main(void) {' + lines + "}"
            )
            program = Path(folder, "layout")
            subprocess.run(["gcc", "-I.", "-o", program, source], check=True)
            said = subprocess.run([program], capture_output=True, check=True).stdout.split()
        self.assertEqual(dict(zip(wanted, map(int, said))), wanted)


class Figures(unittest.TestCase):
    def test_as_the_command(self):
        for path in EXAMPLES:
            said, result = command("run", path, "--json"), takt.run(path)
            self.assertEqual(result.cycles, said["cycles"])
            self.assertEqual(result.cycles_documented, said["cycles_documented"])
            self.assertEqual(result.clock_hz, said["clock_hz"])
            self.assertAlmostEqual(result.seconds, said["seconds"], 15)
            self.assertEqual(result.events, said["events"])
            if "range" in said:
                self.assertEqual(
                    [result.low, result.high], [said["range"]["low"], said["range"]["high"]]
                )
                self.assertEqual(rows(result.parameters)[0]["name"], said["range"]["most"])
            verdict = result.verdict
            self.assertEqual(
                [verdict.kind, verdict.unit], [said["limit"]["kind"], said["limit"]["unit"]]
            )
            self.assertEqual(
                [p.line for p in verdict.lines], [p["line"] for p in said["limit"]["lines"]]
            )
            for own, theirs in (
                (result.units, said["units"]),
                (result.transfers, said["transfers"]),
                (result.bounds, said["bounds"]),
            ):
                same = [key for key in (theirs or [{}])[0] if key in own.columns]
                self.assertTrue(not theirs or len(same) > 2)
                pick = lambda table: [[row[key] or 0 for key in same] for row in table]
                self.assertEqual(pick(rows(own)), pick(theirs))
            self.assertEqual(
                result.bound(),
                max(b["cycles"] for b in said["bounds"] if b["class"] == "any-order"),
            )

    def test_dependences_as_the_command(self):
        for path in EXAMPLES:
            said, result = command("deps", path, "--json"), takt.run(path)
            self.assertTrue(said["deps"] and said["slack"])
            self.assertEqual(
                [[r["from"]["line"], r["to"]["line"], r["kind"], r["lag"]] for r in said["deps"]],
                [
                    [r["from_line"], r["to_line"], r["kind"], r["lag"]]
                    for r in rows(result.dependences)
                ],
            )
            self.assertEqual(
                [[r["line"], r["cycles"], r["exact"]] for r in said["slack"]],
                [[r["line"], r["cycles"], bool(r["exact"])] for r in rows(result.slacks)],
            )

    def test_sensitivity_as_the_command(self):
        def ends(row):
            words = isinstance(row["plausible"][0], str)
            return (min(row["at"]), max(row["at"])) if words else row["at"]

        for path in EXAMPLES:
            said, result = command("sensitivity", path, "--json"), takt.run(path)
            self.assertEqual(
                [
                    [r["name"], r["provenance"], *ends(r), r["least"], r["greatest"]]
                    for r in said["parameters"]
                ],
                [
                    [r[key] for key in
                     ("name", "provenance", "at_low", "at_high", "least", "greatest")]
                    for r in rows(result.sensitivity)
                ],
            )

    def test_changes_as_the_command(self):
        for path, lines in ((FMA, "22"), (FMA, "18-20"), (EXAMPLES[2], "26")):
            said, result = command("whatif", "--free", lines, path, "--json"), takt.run(path)
            changed = result.without(lines)
            self.assertEqual([result.cycles, changed.cycles], said["cycles"])
            self.assertEqual(len(changed.findings.errors), said["errors"])
            self.assertEqual(changed.verdict.kind, said["limit"][1]["kind"])
        self.assertRaises(takt.UsageError, result.without, "99999")
        for factor in (2, 0.5):
            said = command("whatif", "--speed", f"dram={factor}", FMA, "--json")
            fast = takt.Machine("mncore2", speed={"dram": factor})
            self.assertEqual(takt.run(FMA, fast).cycles, said["cycles"][1])
        self.assertRaises(takt.UsageError, takt.Machine, "mncore2", speed={"nothing": 2})

    def test_proofs_as_the_command(self):
        for path in EXAMPLES:
            said, proof = command("bound", path, "--json"), takt.run(path).prove()
            self.assertEqual(proof.cycles, said["cycles"])
            self.assertEqual(len(rows(proof.bounds)), len(said["bounds"]))
            for own, theirs in zip(rows(proof.bounds), said["bounds"]):
                self.assertEqual(json.loads(own.pop("certificate")), theirs.pop("certificate"))
                self.assertEqual(own, theirs)
            self.assertEqual(proof.cycles - (proof.bound() or 0), said["gap"]["cycles"])
            with tempfile.TemporaryDirectory() as folder:
                text = Path(folder, "proof")
                text.write_text(proof.text)
                classes = ("this-order", "any-order", "free-places")
                proven = {of: max(row["cycles"] for row in said["bounds"] if row["class"] == of)
                          for of in classes if proof.bound(of)}
                self.assertEqual(command("certify", path, text, "--json")["proven"], proven)

    def test_bounds_of_a_region(self):
        """A step is 4 cycles: a region of one has no less and no more."""
        text = '# takt: begin one\nimm i"5" $lr8\n# takt: end\nnop/5\nlpassa $lr8 $lm0\n'
        result = takt.run(text)
        self.assertEqual([result.prove("one").cycles, result.prove("one").bound()], [4, 4])
        self.assertEqual(result.prove().cycles, result.cycles)
        self.assertRaises(takt.UsageError, result.prove, "two")

    def test_difference_as_the_command(self):
        result = takt.run(FMA, values=True)
        for other, options in (
            (takt.run(FMA, values=True, set={"mv_start_latency": 60}), ["--set-b"]),
            (takt.run(FMA, values=True), []),
        ):
            difference = result.diff(other)
            self.assertEqual(difference.difference, other.cycles - result.cycles)
            self.assertEqual(sum(difference.terms["cycles"]), difference.difference)
            self.assertEqual(difference.cycles, (result.cycles, other.cycles))
            self.assertIs(difference.equal, True)
            self.assertEqual(len(difference.parameters), len(options))
            self.assertEqual(other.diff(result).difference, -difference.difference)
        self.assertIsNone(takt.run(FMA).diff(takt.run(FMA)).equal)
        said = command("diff", FMA, EXAMPLES[1], "--json")
        difference = result.diff(takt.run(EXAMPLES[1]))
        self.assertEqual(difference.difference, said["difference"])
        self.assertEqual(
            [row["cycles"] for row in rows(difference.terms)],
            [term["cycles"] for term in said["terms"]],
        )
        amx = takt.run(next(path for path in EXAMPLES if path.suffix == ".amx"))
        self.assertRaises(takt.UsageError, result.diff, amx)

    def test_applications(self):
        path = Path("examples/apps/layer.yaml")
        layer = takt.app(path)
        self.assertEqual(layer.answer, command("app", path, "--json"))
        self.assertEqual(sum(row["exposed"] for row in rows(layer.steps)), layer.cycles)
        self.assertEqual(layer.cycles, pickle.loads(pickle.dumps(layer)).cycles)
        load = "machine: amx\nsteps:\n- load: {bytes: 1000}\n"
        numbers = {"clock_hz": 1e9, "host_bandwidth": 1e9, "host_latency": 5}
        self.assertEqual(takt.app(load, set=numbers).cycles, 1005)
        self.assertEqual(takt.app(load, takt.Machine("amx", set=numbers)).cycles, 1005)
        with self.assertRaises(takt.ProgramError) as wrong:
            takt.app("machine: amx\nsteps:\n- run: none.amx\n", name="x.yaml")
        self.assertEqual((wrong.exception.file, wrong.exception.line), ("x.yaml", 3))
        self.assertRaises(takt.UsageError, takt.app, load, takt.Machine("mncore2"))
        self.assertRaises(takt.UsageError, takt.app, load, "mncore2")
        self.assertEqual(takt.app(load.replace("amx", '"amx"'), set=numbers).cycles, 1005)
        self.assertEqual(takt.app(load, "amx", set=numbers).cycles, 1005)
        with self.assertRaisesRegex(takt.UsageError, "when it is made"):
            takt.app(load, takt.Machine("amx"), set=numbers)

    def test_measurements(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "list.yaml")
            program = Path("examples/kelvin/dot.kelvin").absolute()
            path.write_text(f"machine: kelvin\nmeasurements:\n- {{program: {program}, "
                            "value: 900, tolerance: 3}\n")
            found = takt.fit(path, effort=10, threads=1)
            asked = command("fit", path, "--json", "--effort", "10", "--threads", "1")
            self.assertEqual(found.answer, asked)
            self.assertTrue(found.explained)
            self.assertEqual(rows(found.measurements)[0]["value"], 900)
            self.assertIn("memory_latency", [row["name"] for row in rows(found.numbers)])
            self.assertEqual(found.chip, pickle.loads(pickle.dumps(found)).chip)
            fitted = takt.run(program, found.machine())
            self.assertLessEqual(abs(fitted.cycles - 900), 3)
            self.assertTrue(fitted.low <= 900 <= fitted.high)
            self.assertTrue(takt.fit(path, seconds=0.1, effort=1000).stopped)
            self.assertRaises(takt.UsageError, takt.fit, path, takt.Machine("amx"))
            self.assertRaises(takt.UsageError, takt.fit, path, "amx")
            with self.assertRaisesRegex(takt.UsageError, "when it is made"):
                takt.fit(path, takt.Machine("kelvin"), set={"l1d_ways": 4})
            chip = Path(folder, "chip.yaml")  # of three ways, laid over by a size for four
            chip.write_text("l1d_ways:\n  value: 3\n")
            text = path.read_text().replace("kelvin\n", f"'kelvin'\nchip: {chip}\n", 1)
            with self.assertRaisesRegex(takt.InputError, "no multiple of l1d_ways"):
                takt.fit(text, set={"l1d_bytes": 16384})
        self.assertRaises(takt.InputError, takt.fit, "machine: kelvin\nmeasurements: 3\n")

    def test_better_programs_keep_their_word(self):
        run = lambda text: takt.run(text, "mncore2", init="random:7")
        before = run(FMA)
        advice, schedule = takt.advise(FMA), takt.schedule(FMA)
        self.assertEqual(advice.cycles, (before.cycles, run(advice.text).cycles))
        saved = sum(item.before - item.after for item in advice.items if not item.finding)
        self.assertEqual(saved, advice.cycles[0] - advice.cycles[1])
        self.assertGreater(saved, 0)
        self.assertEqual(schedule.cycles, (before.cycles, run(schedule.text).cycles))
        self.assertLessEqual(schedule.bound, schedule.cycles[1])
        for text in (advice.text, schedule.text):
            after = run(text)
            self.assertEqual((after.state, after.dump), (before.state, before.dump))
        self.assertEqual(command("advise", FMA, "--json")["cycles"], list(advice.cycles))
        self.assertTrue(takt.schedule('imm i"5" $lr8').kept)

    def order(self, path, *options):
        """The command's answer and program."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "better")
            found = command("schedule", path, "--silence", "all", "--json", *options, "--out", out)
            return found, out.read_text()

    def test_orders_as_the_command(self):
        for path, arguments in (
            ("tests/naive/sort.vsm", {"rename": True}),
            ("tests/naive/load-nops.vsm", {"tags": True}),
            ("tests/naive/sort.vsm", {}),
        ):
            found = takt.schedule(Path(path), silence="all", **arguments)
            said, text = self.order(path, *(f"--{name}" for name in arguments))
            names = "kept optimal same_waits reason pieces tries equal".split()
            self.assertEqual({n: getattr(found, n) for n in names}, {n: said[n] for n in names})
            self.assertEqual(list(found.cycles), said["cycles"])
            self.assertEqual((found.bound, found.text), (said["bound"], text))
            self.assertEqual(rows(found.pairs), said["pairs"])
            renamed = said.get("renamed", {"unrenamed": None, "free_places": None, "bytes": 0})
            self.assertEqual(found.unrenamed, renamed["unrenamed"])
            self.assertEqual(found.free_places, renamed["free_places"])
            self.assertEqual(found.moved_bytes, renamed["bytes"])
            self.assertEqual(rows(found.moved), renamed.get("values", []))
        with self.assertRaisesRegex(takt.InputError, "other places"):
            takt.schedule(Path("examples/amx/matmul.amx"), rename=True)

    def test_loops_as_the_command(self):
        path = Path("tests/hostile/small/rows.vsm")
        found = takt.loop(path, "rows", silence="all")
        said, text = self.order(path, "--loop", "rows")
        names = "turns statements steps stages kept optimal same_waits stopped reason tries equal"
        for name in names.split():
            self.assertEqual(getattr(found, name), said[name], name)
        self.assertEqual(found.text, text)
        self.assertEqual([*found.lines, *found.cycles], [*said["lines"], *said["cycles"]])
        for rate, key in ((found.written, "written"), (found.found, "found")):
            self.assertEqual({"interval": rate.interval, "steady": rate.steady}, said[key])
        self.assertEqual(set(found.bounds), set(said["bounds"]))
        for name, bound in found.bounds.items():
            of = said["bounds"][name]
            self.assertEqual((bound.cycles, bound.limit), (of["cycles"], of["limit"]))
            self.assertEqual(rows(bound.units), of["units"])
            steps = {"cycles": bound.steps, "lines": list(bound.apart)}
            chain = {"cycles": bound.chain, "turns": bound.turns, "lines": list(bound.lines)}
            self.assertEqual((steps, chain), (of["steps"], of["chain"]))
        self.assertEqual(rows(found.pairs), said["pairs"])
        self.assertEqual(pickle.loads(pickle.dumps(found)).text, text)
        with self.assertRaisesRegex(takt.InputError, "'nothing'"):
            takt.loop(path, "nothing")

    def test_interrupted(self):
        lists = "".join(f"- {{program: {p}, value: 900, tolerance: 3}}\n" for p in EXAMPLES[:2])
        text = "machine: mncore2\nmeasurements:\n" + lists
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
        try:
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                takt.fit(text, seconds=60, effort=10000)
            timer.join()
        finally:
            signal.signal(signal.SIGINT, before)

    def test_better_programs_end_in_time(self):
        self.assertTrue(takt.advise(FMA, seconds=0).stopped)
        self.assertRaises(takt.ProgramError, takt.advise, "nonsense")
        self.assertRaises(takt.InputError, takt.schedule, Path("examples/loops/dot.loops"))

    def test_expectations_as_the_command(self):
        steps = takt.run("nop/9\n").expect("removable.steps <= 0")  # all of them can go
        self.assertEqual((steps.holds, steps.value), (False, 9))
        result = takt.run(FMA)
        for text in (
            f"cycles == {result.cycles}",
            f"cycles < {result.cycles}",
            "util(issue) >= 11%",
            "bound(any-order) > 1",
            "gap(any-order) <= 50%",
            "slack(18) >= 0",
            "warnings(removable) == 1",
            "cycles(rest) > 0",
        ):
            done = subprocess.run([TAKT, "expect", "--json", FMA, text], capture_output=True)
            said, found = json.loads(done.stdout)["expectations"][0], result.expect(text)
            self.assertEqual([found.holds, bool(found)], [said["holds"], said["holds"]], text)
            self.assertAlmostEqual(found.value, said["value"], 12)
            self.assertEqual(found.exact, said["exact"])
        for text in ("cycles", "nothing == 1", "busy(nothing) == 1", "cycles <= baseline"):
            self.assertRaises(takt.UsageError, result.expect, text)

    def test_sums(self):
        for path in EXAMPLES:
            result = takt.run(path)
            reasons = rows(result.reasons)
            for unit in rows(result.units):
                own = [row["cycles"] for row in reasons if row["unit"] == unit["unit"]]
                self.assertEqual(sum(own), result.cycles)
                self.assertEqual(unit["busy"] + unit["waiting"] + unit["idle"], result.cycles)
            at = 0
            for step in rows(result.path):
                self.assertEqual(step["start"], at)
                at += step["cycles"]
            self.assertEqual(at, result.cycles)

    def test_settings(self):
        plain_run, best = takt.run(FMA), takt.run(FMA, documented=True)
        slow = takt.run(FMA, set={"mv_start_latency": 400})
        said = command("run", FMA, "--json", "--set", "mv_start_latency=400")
        self.assertEqual(slow.cycles, said["cycles"])
        self.assertEqual(best.cycles, plain_run.cycles_documented)
        text = "mv_start_latency:\n  value: 400\n"
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "c.yaml")
            file.write_text(text)
            machine = takt.Machine("mncore2", config=[file])
            self.assertEqual(takt.run(FMA, machine).cycles, slow.cycles)
        self.assertEqual(takt.run(FMA, config=text).cycles, slow.cycles)
        self.assertEqual(
            takt.run(FMA, config=text, set={"mv_start_latency": 7}).cycles,
            takt.run(FMA, set={"mv_start_latency": 7}).cycles,
        )

    def test_which_machine(self):
        self.assertEqual(takt.Machine().name, "mncore2")
        self.assertEqual(repr(takt.Machine("amx")), "<takt.Machine amx>")
        amx = EXAMPLES[2].read_text()
        expected = takt.run(EXAMPLES[2]).cycles
        self.assertEqual(takt.run(amx, "amx").cycles, expected)
        self.assertEqual(takt.run(amx, name="k.amx").cycles, expected)
        self.assertEqual(takt.run("nop/9\n", name="k.other").cycles, takt.run(b"nop/9\n").cycles)
        self.assertEqual(takt.run(["nop/9\n", "nop/2\n"]).cycles, takt.run("nop/9\nnop/2\n").cycles)


class Errors(unittest.TestCase):
    def test_program_at_fault(self):
        with self.assertRaises(takt.ProgramError) as caught:
            takt.run(EARLY, name="early.vsm")
        error = caught.exception
        self.assertIsInstance(error, takt.InputError)
        self.assertEqual((error.file, error.line, error.column), ("early.vsm", 3, 13))
        self.assertEqual((error.rule, error.fix), ("3.6.3.9", "needs 1 more empty step"))
        self.assertEqual(error.finding.missing_steps, 1)
        lines = str(error).split("\n")
        self.assertTrue(lines[0].startswith("early.vsm:3:13: error: read of GRF0 too soon"))
        self.assertEqual(lines[1], "  dvadd $lm0v $r0e $ln0v")
        self.assertEqual(lines[2], " " * (2 + len("dvadd $lm0v ")) + "^~~~")  # below $r0e
        self.assertEqual(lines[3], "  fix: needs 1 more empty step")
        self.assertEqual(len(lines), 4)

    def test_same_text_as_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "k.vsm")
            file.write_text(EARLY + "\tbad\u00e9 $lm0v\n")
            said = subprocess.run([TAKT, "check", file], capture_output=True, text=True).stderr
            self.assertEqual(str(takt.check(file)), said.rsplit("\n", 2)[0])

    def test_controls(self):
        """What str() shows has none, as what the command prints; attributes are as they were."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "k\x1b[31m\x7f\x9b\n.vsm")
            file.write_text("bad\x1b]0;title\x07\t$lm0v\n")
            said = subprocess.run([TAKT, "check", file], capture_output=True, text=True).stderr
            found = takt.check(file)
            self.assertEqual(str(found), said.rsplit("\n", 2)[0])
            with self.assertRaises(takt.ProgramError) as caught:
                takt.run(file)
            self.assertEqual(str(caught.exception), str(found))
            self.assertEqual(caught.exception.file, str(file))
            self.assertEqual(found[0].file, str(file))
        marks = "\x1b\x9b\u061c\u200e\u200f\u202a\u202e\u2066\u2069"
        with self.assertRaises(takt.UsageError) as refused:
            takt.run("", "no" + marks)
        self.assertIn("named 'no??", refused.exception.args[0])  # libtakt's sentences have none
        table = takt.Table(["a", marks], [[marks, 5]])
        result = takt.run("nop\n", name=marks)
        verdict = takt.Verdict(marks, "", None, 0.0, 0.0, ())
        for text in map(str, (refused.exception, table, result, verdict)):
            self.assertIn("??", text)
            self.assertFalse(set(marks) & set(text), text)
        self.assertEqual((table[0]["a"], result.program, verdict.text), (marks,) * 3)

    def test_fault_while_running(self):
        with self.assertRaises(takt.ProgramError) as caught:
            takt.run("nop\nd getbf $lm0n0c0b0m0p0 1\n", init="random:1")
        error = caught.exception
        self.assertEqual((error.line, error.column, error.rule), (2, 1, "4.4"))
        self.assertTrue(error.finding.text.startswith("no valid block float value"))
        self.assertEqual(error.finding.source, "d getbf $lm0n0c0b0m0p0 1")

    def test_check(self):
        found = takt.check(EARLY)
        self.assertFalse(found.ok)
        self.assertEqual([f.line for f in found.errors], [3])
        self.assertTrue(found.warnings)
        self.assertEqual(len(rows(found.table)), len(found))
        self.assertIn("3.6.3.9", found._repr_html_())
        silent = takt.check(EARLY, silence="all", interlock=True)
        self.assertTrue(silent.ok)
        self.assertEqual(silent, [])
        notes = takt.check(
            EARLY.replace("nop", "nop/9"), removable=True, silence="never-written"
        ).notes
        self.assertEqual({note.spare_steps for note in notes}, {7})  # two are needed (EARLY)

    def test_which_line(self):
        """Of texts without a name: the second has the error."""
        found = takt.check(["nop\nnop\nnop\n", EARLY])
        self.assertEqual([(f.line, f.source) for f in found.errors], [(3, EARLY.splitlines()[2])])
        self.assertEqual([f.other_line for f in found.errors], [1])
        with self.assertRaises(takt.ProgramError) as caught:
            takt.run(["nop\n" * 3, EARLY])
        self.assertIn("dvadd $lm0v $r0e $ln0v", str(caught.exception))

    def test_many(self):
        """Ten times as many lines take about ten times as long, and what is left out is counted."""
        times = []
        for lines in (1000, 10000):
            begin = time.process_time()
            found = takt.check("nonsense\n" * lines)
            times.append(time.process_time() - begin)
            self.assertEqual((len(found), found.left_out), (lines, 0))
        self.assertLess(times[1], 40 * max(times[0], 0.01))
        self.assertEqual(takt.check("nonsense\n" * 12000).left_out, 2000)

    def test_check_refuses_traps(self):
        text = "_start: beq x0, x0, end\nnop\nend: .word 0xffffffff\n"
        self.assertEqual([f.line for f in takt.check(text, "kelvin").errors], [3])

    def test_warnings_of_a_run(self):
        path = Path("tests/naive/too-early.vsm")
        result = takt.run(path)
        said = [w for w in command("run", path, "--json")["warnings"] if w["name"] == "early"]
        own = [f for f in result.findings if f.name == "early"]
        self.assertTrue(said)
        self.assertEqual([(f.line, f.text) for f in own], [(w["line"], w["message"]) for w in said])
        self.assertEqual(len(result.findings), len(takt.check(path)) + len(own))

    def test_calls(self):
        machine = takt.Machine("mncore2")
        for kind, call in (
            (takt.UsageError, lambda: takt.run("", "mncore3")),
            (takt.UsageError, lambda: takt.run("", "mncore2\0")),
            (takt.UsageError, lambda: takt.run("", init="zero\0")),
            (takt.UsageError, lambda: takt.run("", packing="tight")),
            (takt.UsageError, lambda: takt.run("", nothing=True)),
            (takt.UsageError, lambda: takt.run("", silence="never")),
            (takt.UsageError, lambda: takt.run("", machine, set={"mv_start_latency": 1})),
            (takt.UsageError, lambda: takt.run("", machine, interlock=True)),
            (takt.UsageError, lambda: takt.run([])),
            (takt.UsageError, lambda: takt.run("").dump),
            (takt.UsageError, lambda: takt.run("").values("d@0:0", 1)),
            (takt.UsageError, lambda: takt.run("", detail=True)),
            (takt.UsageError, lambda: takt.run("", load={"d@0:0": b"123"})),
            (takt.InputError, lambda: takt.run("", set={"no": 1})),
            (takt.InputError, lambda: takt.run("", set={"mv_start_latency": -1})),
            (takt.InputError, lambda: takt.run("", config="a: [")),
            (takt.InputError, lambda: takt.run("", init="ones")),
            (takt.InputError, lambda: takt.run("", load={"q@0:0": [1]})),
            (takt.HostError, lambda: takt.run("nop\n", trace="/nowhere/t.db")),
            (takt.UsageError, lambda: takt.run("", load={"d@0:0": [-1]})),
            (FileNotFoundError, lambda: takt.run(Path("/nowhere/k.vsm"))),
        ):
            with self.assertRaises(kind) as caught:
                call()
            self.assertTrue(str(caught.exception))
        self.assertTrue(issubclass(takt.UsageError, ValueError))


class Values(unittest.TestCase):
    ONE, TWO, THREE, FIVE = 0x3F800000, 0x40000000, 0x40400000, 0x40A00000

    def test_words(self):
        """y = a * x + b of the example: 1 * 2 + 3 in the lower half, 2 * 1 + 3 in the upper."""
        a, x = self.TWO << 32 | self.ONE, self.ONE << 32 | self.TWO
        b, y = self.THREE << 32 | self.THREE, self.FIVE << 32 | self.FIVE
        kinds = (
            lambda word: [word],
            lambda word: word.to_bytes(8, sys.byteorder),
            lambda word: array.array("Q", [word]),
        )
        for words in kinds:
            load = {"d@0:100": words(a), "d@0:4196": words(x), "d@0:8292": words(b)}
            result = takt.run(FMA, load=load)
            self.assertEqual(result.values("d@0:12387", 3), [0, y, 0])
            self.assertNotEqual(result.state, takt.run(FMA, values=True).state)
        self.assertEqual(result.cycles, takt.run(FMA).cycles)
        self.assertEqual(result.bound(), takt.run(FMA).bound())

    def test_dump(self):
        said = subprocess.run(
            [TAKT, "run", FMA, "--quiet", "--dump", "-"], capture_output=True, text=True
        )
        result = takt.run(FMA, values=True, threads=2)
        self.assertEqual(result.dump, said.stdout)
        self.assertRegex(result.state, "^[0-9a-f]{16}$")


class Tables(unittest.TestCase):
    def names(self):
        return [
            "units",
            "reasons",
            "statements",
            "transfers",
            "path",
            "counters",
            "bounds",
            "parameters",
        ]

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_both_kinds_hold_the_same(self):
        result = takt.run(FMA)
        for name in self.names():
            frame = getattr(result, name)
            self.assertIsInstance(frame, pandas.DataFrame)
            with plain:
                table = getattr(result, name)
            self.assertEqual(list(frame.columns), table.columns)
            self.assertEqual(frame.where(frame.notna(), None).to_dict("records"), list(table))

    def test_without_pandas(self):
        result = takt.run(FMA)
        with plain:
            for name in self.names():
                table = getattr(result, name)
                self.assertIsInstance(table, takt.Table)
                self.assertGreater(len(table), 0)
                self.assertEqual(list(table[0]), table.columns)
            bounds = result.bounds
        self.assertEqual(bounds["cycles"], [row["cycles"] for row in bounds])
        self.assertEqual(bounds[1:3].columns, bounds.columns)
        self.assertEqual(bounds[-1:][0], bounds[-1])
        lines = repr(bounds).split("\n")
        self.assertEqual(lines[0].split(), bounds.columns)
        self.assertEqual(len(lines), 1 + len(bounds))
        self.assertEqual(bounds._repr_html_().count("<tr>"), 1 + len(bounds))
        with self.assertRaises(KeyError):
            bounds["none"]

    def test_page(self):
        result = takt.run("nop/9\n" + FMA.read_text(), name="<b>&.vsm")
        page = result._repr_html_()
        self.assertIn("&lt;b&gt;&amp;.vsm", page)
        self.assertIn(f"{result.cycles:,}", page)
        self.assertIn(html.escape(result.verdict.text), page)
        open_tags = []

        class Tags(html.parser.HTMLParser):
            def handle_starttag(self, tag, attributes):
                open_tags.append(tag)

            def handle_endtag(self, tag):
                assert open_tags.pop() == tag

        Tags().feed(page)
        self.assertEqual(open_tags, [])
        self.assertIn("0 (0 us)", takt.run("")._repr_html_())


class Traces(unittest.TestCase):
    def test_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "k ?#.db")
            result = takt.run(FMA, trace=path, detail=True)
            self.assertEqual(result.trace, str(path))
            result.low, result.verdict  # further runs leave the trace as it is
            for use_plain in (False, True):
                with takt.open(path) as trace, plain if use_plain else contextlib.nullcontext():
                    self.assertEqual(trace.cycles, result.cycles)
                    self.assertEqual(trace.meta["machine"], "mncore2")
                    self.assertIn("v_transfer", trace.tables)
                    self.assertEqual(len(trace["v_transfer"]), len(result.transfers))
                    self.assertEqual(rows(trace["v_check"]), [])
                    query = "SELECT sum(bytes) AS total, 1 AS one FROM transfer WHERE tag < ?"
                    expected = sum(row["bytes"] for row in rows(result.transfers)[:3])
                    self.assertEqual(rows(trace.query(query, [4])), [{"total": expected, "one": 1}])
                    with self.assertRaises(KeyError):
                        trace["none"]
                    with self.assertRaisesRegex(takt.InputError, "only read"):
                        trace.query("DELETE FROM meta")
            other = Path(folder, "other")
            for text in ("no database, " * 100, ""):
                other.write_text(text)
                with self.assertRaises(takt.InputError):
                    takt.open(other)
            with self.assertRaises(takt.InputError):
                takt.open(Path(folder, "none.db"))

    def test_refused(self):
        """Each trace that takt report refuses, for the same reason."""
        with tempfile.TemporaryDirectory() as folder:
            path, bad = Path(folder, "t.db"), Path(folder, "bad.db")
            takt.run(FMA, trace=path)
            whole = path.read_bytes()
            at = whole.index(b"total_cycles\x04\xe8") + len(b"total_cycles")  # 1256, as two bytes
            version = 60  # of the format, four bytes
            for text in (
                whole[:at] + b"\x05" + whole[at + 1 :],
                whole[:version] + b"\x7f" + whole[version + 1 :],
                whole[: len(whole) // 2],
                b"nothing",
            ):
                bad.write_bytes(text)
                done = subprocess.run([TAKT, "report", bad], capture_output=True, text=True)
                self.assertEqual(done.returncode, 1)
                with self.assertRaises(takt.InputError) as refused:
                    takt.open(bad)
                self.assertEqual(done.stderr, f"takt report: {refused.exception}\n")
            partial = Path(folder, "t.db.partial")
            path.rename(partial)
            with self.assertRaisesRegex(takt.InputError, "t.db.partial does: of a run that"):
                takt.open(path)
            with contextlib.closing(sqlite3.connect(partial)) as writer:
                writer.execute("BEGIN EXCLUSIVE")
                with self.assertRaisesRegex(takt.InputError, "being written"):
                    takt.open(partial)
            with contextlib.closing(sqlite3.connect(partial)) as writer:
                writer.execute("UPDATE meta SET value = 'abc' WHERE key = 'total_cycles'")
                writer.commit()
            with self.assertRaisesRegex(takt.InputError, "its total is 'abc'"):
                takt.open(partial).cycles

    def test_names_that_are_not_utf8(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(os.fsencode(folder), b"a\xff.vsm")
            shutil.copy(FMA, name)
            path = Path(folder, "t.db")
            takt.run(Path(os.fsdecode(name)), trace=path)
            with takt.open(path) as trace:
                self.assertEqual(rows(trace["file"])[0]["name"], folder + "/a\\xff.vsm")


class Sweeps(unittest.TestCase):
    """takt.sweep: each row is a run with these numbers."""

    FILES = [FMA, Path("examples/mncore2/reduce.vsm")]

    def check(self, table):
        found = [dict(row) for row in rows(table)]
        self.assertEqual(len(found), 4)
        for row in found:
            machine = takt.Machine("mncore2", set={"mv_start_latency": row["mv_start_latency"]})
            self.assertEqual(row["cycles"], takt.run(Path(row["program"]), machine).cycles)

    def test_rows(self):
        with mock.patch.dict(os.environ, {"TAKT": TAKT}), tempfile.TemporaryDirectory() as folder:
            grid = {"mv_start_latency": [8, 40]}
            self.check(takt.sweep(self.FILES, grid=grid, out=folder))
            self.check(takt.sweep(self.FILES, grid=grid, out=folder))  # resumed
            with plain:
                self.check(takt.sweep(self.FILES, grid=grid, jobs=1))
            self.check(takt.sweep(iter(self.FILES), grid={"mv_start_latency": map(Index, (8, 40))}))
            with self.assertRaisesRegex(takt.InputError, "another sweep"):
                takt.sweep(FMA, grid=grid, out=folder)
            with self.assertRaisesRegex(takt.InputError, "did you mean 'mv_start_latency'"):
                takt.sweep(FMA, grid={"mv_start_latenc": [8]})
            Path(folder, "sweep.json").write_text("{}")
            with self.assertRaisesRegex(takt.InputError, "is damaged"):
                takt.sweep(self.FILES, grid=grid, out=folder)
        with mock.patch.dict(os.environ, {"TAKT": "/nowhere/takt"}):
            self.assertRaises(takt.HostError, takt.sweep, FMA)


class Threads(unittest.TestCase):
    def test_same_answers(self):
        machine = takt.Machine("mncore2")
        shared = takt.run(FMA, machine)

        def work(turn):
            path = EXAMPLES[turn % len(EXAMPLES)]
            own = takt.run(path, machine if path.suffix == ".vsm" else None, values=turn % 2 == 0)
            with contextlib.suppress(takt.ProgramError):
                takt.run(EARLY)
            return path, own.cycles, own.verdict, own.bound(), shared.low, len(shared.units)

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = set(pool.map(work, range(24)))
        self.assertEqual(len(answers), len(EXAMPLES))


def timed(text):
    return takt.run(text, name="early.vsm")


class Processes(unittest.TestCase):
    """What calls return and raise goes from one process to another."""

    TEXTS = ["nop/9\n", EARLY, "nop/99\n"]

    def expect(self, answers):
        """36, an error, 396, in this order."""
        self.assertEqual([answers[0].cycles, answers[2].cycles], [36, 396])
        self.assertEqual((answers[1].file, answers[1].line), ("early.vsm", 3))
        self.assertEqual(answers[1].rule, "3.6.3.9")

    def test_pool(self):
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                jobs = [pool.apply_async(timed, (text,)) for text in self.TEXTS]
                answers = []
                for job in jobs:
                    try:
                        answers.append(job.get(60))
                    except takt.ProgramError as error:
                        answers.append(error)
                self.expect(answers)

    def test_executor(self):
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
            jobs = [pool.submit(timed, text) for text in self.TEXTS]
            self.expect([job.exception(60) or job.result(60) for job in jobs])
            machine = takt.Machine("mncore2", set={"mv_start_latency": 10}, speed={"dram": 2})
            there = pool.submit(takt.run, FMA, machine).result(60)
            self.assertEqual(there.cycles, takt.run(FMA, machine).cycles)

    def again(self, what):
        return pickle.loads(pickle.dumps(what))

    def test_results(self):
        """All that is asked of a result that was pickled is as it was."""
        words = array.array("Q", [0x40000000_3F800000])
        result = takt.run(FMA, load={"d@0:100": words}, silence="all", interlock=True)
        words[0] = 0  # the result has its own
        for one, other in (
            (result, self.again(result)),
            (result.without("35"), self.again(result.without("35"))),
            (takt.run(["nop/9\n", "nop/9\n"]), self.again(takt.run(["nop/9\n", "nop/9\n"]))),
        ):
            self.assertEqual(repr(one), repr(other))
            for name in (
                "program cycles cycles_documented clock_hz seconds events trace findings low high "
                "verdict units reasons statements transfers path counters bounds slacks"
            ).split():
                mine, theirs = getattr(one, name), getattr(other, name)
                if name in ("units", "reasons") or hasattr(mine, "columns"):
                    mine, theirs = rows(mine), rows(theirs)
                self.assertEqual(mine, theirs, name)
        self.assertEqual(result.state, self.again(result).state)

    def test_answers(self):
        with plain:
            result = takt.run(FMA)
            for answer in (
                result.prove(),
                result.diff(takt.run(FMA, interlock=True)),
                result.expect("cycles <= 1400"),
                takt.advise(FMA),
                takt.check(EARLY),
                result.units,
            ):
                self.assertEqual(answer, self.again(answer))

    def test_errors(self):
        for call in (
            lambda: takt.run(EARLY),
            lambda: takt.run("", "mncore3"),
            lambda: takt.run("", nothing=True),
            lambda: takt.run("", set={"no": 1}),
            lambda: takt.run("nop\n", trace="/nowhere/t.db"),
        ):
            with self.assertRaises(takt.Error) as caught:
                call()
            error = caught.exception
            error.add_note("seen")
            other = self.again(error)
            self.assertIs(type(other), type(error))
            self.assertEqual((str(other), other.__notes__), (str(error), ["seen"]))
            self.assertEqual(vars(other), vars(error))


class Index:
    """A whole number that is no int, as NumPy has them."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Named:
    """A path of another type."""

    def __init__(self, value):
        self.value = value

    def __fspath__(self):
        return self.value


class Keywords(unittest.TestCase):
    def test_arguments(self):
        """Too many, too few and unknown ones; an error within a call stays what it is."""
        for call in (
            lambda: takt.fit(FMA, valuse=1),
            lambda: takt.sweep(FMA, valuse=1),
            lambda: takt.open(FMA, valuse=1),
            lambda: takt.Trace(FMA, valuse=1),
            lambda: takt.run("nop\n").prove(valuse=1),
        ):
            with self.assertRaisesRegex(takt.KeywordError, "'valuse'"):
                call()
        self.assertRaises(takt.KeywordError, takt.run)
        self.assertRaises(takt.KeywordError, takt.run, "nop\n", None, None)

        def broken():
            yield 1 + "1"

        with self.assertRaises(TypeError) as caught:
            takt.run(broken())
        self.assertNotIsInstance(caught.exception, takt.Error)

    def test_numbers_of_other_types(self):
        number = Index(40)
        expected = takt.run(FMA, set={"mv_start_latency": 40}).cycles
        self.assertEqual(takt.run(FMA, set={"mv_start_latency": number}).cycles, expected)
        fast = [takt.Machine("mncore2", speed={"dram": n}) for n in (2, Index(2))]
        self.assertEqual(*(takt.run(FMA, machine).cycles for machine in fast))
        result = takt.run("nop\n", load={"d@0:0": [number]}, threads=Index(1))
        self.assertEqual(result.values("d@0:0", Index(1)), [40])
        with self.assertRaisesRegex(takt.InputError, "after 40 instructions"):
            takt.run("_start: j _start\n", "kelvin", max_instructions=number)
        self.assertEqual(takt.advise("nop\n", seconds=number).cycles, (12, 0))

    def test_paths(self):
        for path in (os.fsencode(FMA), str(FMA)):
            self.assertEqual(takt.run(Named(path)).program, str(FMA))
        for path in (Path("a\0b"), Path("\ud800"), Named(5)):
            for call in (
                lambda: takt.run(path),
                lambda: takt.run("", config=path),
                lambda: takt.run("", trace=path),
                lambda: takt.app(path),
                lambda: takt.fit(path),
                lambda: takt.open(path),
                lambda: takt.sweep(path),
                lambda: takt.sweep(FMA, out=path),
                lambda: takt.sweep(FMA, chips=path),
            ):
                self.assertRaises(takt.UsageError, call)

    def test_names(self):
        """A message names the argument."""
        result, huge = takt.run("nop\n", values=True), 10**5000
        for name, call in (
            ("packing", lambda: takt.run("", packing=huge)),
            ("mv_start_latency", lambda: takt.run("", set={"mv_start_latency": huge})),
            ("dram", lambda: takt.Machine(speed={"dram": huge})),
            ("mv_start_latency", lambda: takt.sweep(FMA, grid={"mv_start_latency": [huge]})),
            ("threads", lambda: takt.run("", threads=huge)),
            ("machine", lambda: takt.run("", huge)),
            ("program", lambda: takt.run(bytearray(b"nop"))),
            ("program", lambda: takt.run([])),
            ("lists", lambda: takt.fit([])),
            ("programs", lambda: takt.sweep([])),
            ("silence", lambda: takt.run("", silence=[5])),
            ("config", lambda: takt.run("", config=[5])),
            ("set", lambda: takt.run("", set={5: 1})),
            ("load", lambda: takt.run("", load={"d@0:0": range(10**12)})),
            ("init", lambda: takt.run("", init=5)),
            ("seconds", lambda: takt.advise("", seconds=10**400)),
            ("seconds", lambda: takt.advise("", seconds=float("nan"))),
            ("seconds", lambda: takt.advise("", seconds="1")),
            ("region", lambda: takt.loop("", 5)),
            ("count", lambda: result.values("d@0:0", huge)),
            ("of", lambda: result.bound("any")),
            ("of", lambda: result.prove().bound("any")),
            ("jobs", lambda: takt.sweep(FMA, jobs="x")),
            ("counters", lambda: takt.sweep(FMA, counters=5)),
            ("grid", lambda: takt.sweep(FMA, grid={(1, 2): [1]})),
            ("machine", lambda: takt.sweep(FMA, machine=takt.Machine())),
        ):
            with self.assertRaises(takt.Error) as caught:
                call()
            self.assertRegex(str(caught.exception), rf"\b{name}\b")

    def test_unknown(self):
        machine = takt.Machine("mncore2")
        for call in (takt.run, takt.check, takt.advise, takt.schedule):
            for value in (True, False, "text"):
                with self.assertRaisesRegex(TypeError, "'valuse'"):
                    call("nop\n", valuse=value)
            with self.assertRaisesRegex(TypeError, "valuse"):
                call("nop\n", machine, valuse=True)
        with self.assertRaisesRegex(TypeError, "'valuse'"):
            takt.Machine("mncore2", valuse=True)
        with self.assertRaises(takt.UsageError) as caught:  # the keyword is known
            takt.run("", packing="tight")
        self.assertNotIsInstance(caught.exception, TypeError)
        self.assertEqual(takt.run("nop/9\n", interlock=False).cycles, 36)

    def test_values_of_other_types(self):
        with self.assertRaisesRegex(takt.InputError, "after 1000 instructions"):
            takt.run("_start: j _start\n", "kelvin", max_instructions=1000)
        for value in (1, 1.5, None, [], b"text"):
            with self.assertRaises(takt.KeywordError):
                takt.run("nop\n", valuse=value)
        result = takt.run("nop\n", values=True)
        for call in (
            lambda: takt.run("nop\n", packing=1.5),
            lambda: takt.run("nop\n", packing=None),
            lambda: takt.run("nop\n", packing=3),
            lambda: result.values("d@0:0", -1),
            lambda: result.values("d@0:0", "1"),
            lambda: takt.run("nop\n", load={"d@0:0": [2**64]}),
            lambda: takt.run("nop\n", load={"d@0:0": [-1]}),
            lambda: takt.run("\ud800"),
            lambda: takt.app(5),
            lambda: takt.fit(5),
            lambda: takt.run(5),
            lambda: takt.run("", 5),
            lambda: takt.run("", []),
            lambda: takt.run("", name=5),
            lambda: takt.run("", set=5),
            lambda: takt.run("", set=["a=b"]),
            lambda: takt.run("", config=5),
            lambda: takt.run("", silence=5),
            lambda: takt.run("", init=5),
            lambda: takt.run("", load=5),
            lambda: takt.run("", load={"d@0:0": 5}),
            lambda: takt.run("", threads="x"),
            lambda: takt.run("", threads=-1),
            lambda: takt.run("", trace=5),
            lambda: takt.advise("nop\n", seconds="x"),
            lambda: takt.fit("machine: amx\n", seed=-1),
            lambda: takt.open(5),
            lambda: takt.sweep(5),
            lambda: takt.Machine(5),
            lambda: takt.Machine(speed=5),
            lambda: result.expect(5),
            lambda: result.without(5),
            lambda: result.prove(5),
            lambda: result.diff(None),
            lambda: result.values("d@0:0", 2**62),
        ):
            with self.assertRaises(takt.UsageError):
                call()


class Queries(unittest.TestCase):
    """Trace.query refuses what takt query refuses."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name, "t.db")
        takt.run(FMA, trace=self.path)
        self.before = self.path.read_bytes()
        self.trace = takt.open(self.path)
        self.addCleanup(self.trace.close)

    def refuses(self, sql):
        with self.assertRaises(takt.InputError):
            self.trace.query(sql)

    def test_same_as_the_command(self):
        inside = Path(self.folder.name, "made")
        for sql, allowed in (
            ("SELECT count(*) FROM stmt", True),
            ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 3) "
             "SELECT sum(i) FROM n", True),
            ("PRAGMA table_info(stmt)", True),
            ("PRAGMA user_version", True),
            ("SELECT json_object('a', 1), abs(-1), 1 -> '$'", True),
            (f"ATTACH '{inside}' AS other", False),
            (f"VACUUM INTO '{inside}'", False),
            ("VACUUM", False),
            ("PRAGMA user_version = 7", False),
            ("PRAGMA writable_schema = 1", False),
            ("PRAGMA temp_store_directory", False),
            ("PRAGMA journal_mode = DELETE", False),
            ("CREATE TEMP TABLE t (a)", False),
            ("CREATE TABLE t (a)", False),
            ("INSERT INTO meta VALUES ('a', 'b')", False),
            ("DELETE FROM meta", False),
            ("BEGIN", False),
            ("DETACH main", False),
            ("REINDEX", False),
            ("SELECT load_extension('a')", False),
            ("SELECT sqlite_compileoption_get(1)", False),
            ("SELECT changes()", False),
            ("SELECT 1; SELECT 2", False),
            ("", False),
            ("/* nothing */", False),
            ("SELECT nothing", False),
        ):
            done = subprocess.run([TAKT, "query", self.path, sql], capture_output=True)
            self.assertEqual(done.returncode, 0 if allowed else 1, (sql, done.stderr))
            if allowed:
                self.assertTrue(len(self.trace.query(sql)), sql)
            else:
                self.refuses(sql)
        self.assertEqual(os.listdir(self.folder.name), ["t.db"])
        self.assertEqual(self.path.read_bytes(), self.before)

    def test_same_lists(self):
        """What takt query allows by name, by its source."""
        text = Path("analysis/query.c").read_text()
        for names, mine in (("names", "_FUNCTIONS"), ("pragmas", "_PRAGMAS")):
            block = re.search(rf"\*const {names}\[\] = \{{(.*?)\}};", text, re.S).group(1)
            self.assertEqual(set(re.findall(r'"(.*?)"', block)), set(getattr(_trace, mine)))

    def test_time(self):
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT "
        for columns in ("count(*) FROM n", "i FROM n"):
            with self.assertRaisesRegex(takt.InputError, "stopped after 0.2 s"):
                self.trace.query(endless + columns, seconds=0.2, rows=None)
        self.assertEqual(self.trace.cycles, 1256)  # it is used on

    def test_time_of_one_step(self):
        """Within a function that takes minutes, and between rows of a tenth of a second."""
        for sql in (
            "SELECT instr(hex(zeroblob(5000000)), hex(zeroblob(2500000)) || '1')",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) "
            "SELECT length(hex(zeroblob(50000000))) FROM n",
        ):
            begin = time.monotonic()
            with self.assertRaisesRegex(takt.InputError, "stopped after 0.2 s"):
                self.trace.query(sql, seconds=0.2, rows=None)
            self.assertLess(time.monotonic() - begin, 10)
            self.assertEqual(self.trace.cycles, 1256)

    def test_interrupted(self):
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i FROM n"
        try:
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                self.trace.query(endless + " WHERE i < 0", seconds=None)
            timer.join()
        finally:
            signal.signal(signal.SIGINT, before)
        begin = time.monotonic()
        self.assertEqual(self.trace.cycles, 1256)
        self.assertLess(time.monotonic() - begin, 10)

    def test_parameters(self):
        """Numbers of other types are numbers; what SQLite cannot take is the caller's fault."""
        for given in ([Index(7)], (n for n in [7]), {"1": 7}, [7.0]):
            sql = "SELECT :1 AS n" if isinstance(given, dict) else "SELECT ? AS n"
            self.assertEqual(rows(self.trace.query(sql, given)), [{"n": 7}])
        for sql, given in (
            ("SELECT ?", [10**30]),
            ("SELECT ?", ["\ud800"]),
            ("SELECT '\ud800'", []),
            ("SELECT '\0'", []),
            ("SELECT ?", [object()]),
            ("SELECT ?", 5),
            (5, []),
        ):
            with self.assertRaises(takt.UsageError):
                self.trace.query(sql, given)
        self.trace.close()
        with self.assertRaisesRegex(takt.UsageError, "closed"):
            self.trace.cycles

    def test_rows(self):
        """As many as takt query shows, and its note about the others as a warning."""
        many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT %d) SELECT i FROM n"
        for count, more, options, named in (
            (10001, 10000, [], {}),
            (10000, None, [], {}),
            (4, 3, ["--rows", "3"], {"rows": 3}),
            (3, None, ["--rows", "3"], {"rows": 3}),
            (20000, None, ["--rows", "0"], {"rows": None}),
        ):
            command = [TAKT, "query", "--csv", *options, self.path, many % count]
            done = subprocess.run(command, capture_output=True, text=True)
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                found = self.trace.query(many % count, **named)
            self.assertEqual(list(found["i"]), [int(i) for i in done.stdout.split()[1:]])
            self.assertEqual(len(found), more or count)
            words = [str(warning.message).split(";")[0] for warning in said]
            self.assertEqual(words, [f"only the first {more} rows"] if more else [])
            self.assertEqual(done.stderr.startswith("takt query: " + "".join(words)), bool(words))

    def test_equal_names(self):
        """Columns of one name are numbered, as by takt query --json."""
        for sql in (
            "SELECT 1 AS a, 2 AS b, 3 AS a",
            'SELECT 1 AS "a:2", 2 AS a, 3 AS a',
            'SELECT 1 AS a, 2 AS "a:3", 3 AS a, 4 AS a, 5 AS "a:2"',
        ):
            done = subprocess.run([TAKT, "query", "--json", self.path, sql], capture_output=True)
            wanted = json.loads(done.stdout, object_pairs_hook=list)
            self.assertEqual(len({name for name, _ in wanted[0]}), len(wanted[0]))
            found = list(rows(self.trace.query(sql))[0].items())
            self.assertEqual(found, list(map(tuple, wanted[0])))

    def test_memory(self):
        """What is too much for takt query is too much here, and then no limit is left."""
        large = [f"hex(zeroblob({10**8 + i}))" for i in range(6)]
        for sql in ("SELECT " + ", ".join(large), "SELECT hex(zeroblob(3 << 27))"):
            done = subprocess.run([TAKT, "query", self.path, sql], capture_output=True, text=True)
            with self.assertRaises(takt.InputError) as refused:
                self.trace.query(sql)
            self.assertIn(f"takt query: {refused.exception}", done.stderr)
        rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 9) SELECT %s FROM n"
        with mock.patch.object(_heap, "BYTES", 1 << 20):
            with self.assertRaisesRegex(takt.InputError, "out of memory"):
                self.trace.query(rows % "hex(zeroblob(i + 80000))")
        with contextlib.closing(sqlite3.connect(":memory:")) as other:
            self.assertEqual(other.execute("PRAGMA hard_heap_limit").fetchone()[0], 0)

    def test_threads(self):
        """Queries of one trace wait for each other, those that fail, too."""

        def work(turn):
            with contextlib.suppress(takt.InputError):
                self.trace.query("SELECT nothing" if turn % 2 else
                                 "SELECT abs(-9223372036854775808)")
            return self.trace.cycles, len(self.trace["v_util"])

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            self.assertEqual(len(set(pool.map(work, range(40)))), 1)

    def test_pickled(self):
        with pickle.loads(pickle.dumps(self.trace)) as other:
            self.assertEqual(other.cycles, 1256)


class Pages(unittest.TestCase):
    def test_docs(self):
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
        with plain:
            failed, tried = doctest.testfile(
                "docs/python.md", False, optionflags=flags, encoding="utf-8"
            )
            self.assertGreater(tried, 10)
            self.assertEqual(failed, 0)
            self.assertEqual(doctest.testmod(takt).failed, 0)

    def test_search(self):
        """Each count that the example finds is legal, and one less is not; takt says the same."""
        said = io.StringIO()
        with plain, contextlib.redirect_stdout(said):
            found = runpy.run_path("examples/python/nops.py")
        best, kernel, machine = found["best"], found["kernel"], found["MACHINE"]
        self.assertEqual(takt.run(kernel(best), machine).cycles, found["best_cycles"])
        for gap in range(len(best)):
            fewer = list(best)
            fewer[gap] -= 1
            self.assertFalse(takt.check(kernel(fewer), machine).ok)
        self.assertEqual([9 - count for count in best], list(found["spare"].values()))
        self.assertIn(f"best of 8: {best}, {found['best_cycles']} cycles", said.getvalue())
        self.assertEqual(
            len(re.findall("^gap . *.* needed; . refused: line", said.getvalue(), re.M)), 3
        )
        page = "".join("    " + line + "\n" for line in said.getvalue().splitlines())
        self.assertIn(page, Path("docs/first-hour.md").read_text())

    @unittest.skipIf(shutil.which("mypy") is None, "mypy is not installed")
    def test_types(self):
        """The package by itself, and a use of it: the wrong one is found."""
        with tempfile.TemporaryDirectory() as folder:

            def mypy(*files):
                line = ["mypy", "--strict", "--cache-dir", folder, *files]
                done = subprocess.run(line, capture_output=True, text=True, cwd="python")
                return done.returncode, done.stdout

            self.assertEqual(mypy("takt")[0], 0, mypy("takt")[1])
            use = Path(folder, "use.py")
            use.write_text(
                "import takt\nn: int = takt.run('nop', packing=3).cycles\n"
                "m: str = takt.run('nop', load={'d@0:0': b'12345678'}).cycles\n"
            )
            code, said = mypy(use)
            self.assertEqual((code, said.count("error:"), "use.py:3" in said), (1, 1, True), said)

    def test_installed(self):
        """The files that make install puts there, away from the source tree."""
        build = str(Path(TAKT).parent)
        with tempfile.TemporaryDirectory() as folder:
            make = [
                "make",
                "-s",
                f"BUILD={build}",
                f"DESTDIR={folder}",
                "PREFIX=/usr",
                "install-files",
            ]
            subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
            package = Path(folder, "usr/lib/python3/dist-packages")
            self.assertEqual(
                sorted(p.name for p in Path(package, "takt").iterdir()),
                sorted([p.name for p in Path("python/takt").iterdir() if p.is_file()] + ["takt.h"]),
            )
            environment = {
                "PYTHONPATH": str(package),
                "PATH": os.environ["PATH"],
                "PYTHONDONTWRITEBYTECODE": "1",
            }
            code = "import takt; print(takt.__file__, takt.__version__, takt.run('nop/9').cycles)"
            line = [sys.executable, "-c", code]
            said = subprocess.run(line, capture_output=True, text=True, env=environment, cwd=folder)
            self.assertEqual(said.stderr, "")
            self.assertTrue(said.stdout.startswith(str(package)))
            self.assertEqual(said.stdout.split()[1:], [takt.__version__, "36"])

    def test_no_library(self):
        environment = dict(os.environ, TAKT_LIBRARY="/nowhere/libtakt.so")
        line = [sys.executable, "-c", "import takt"]
        said = subprocess.run(line, capture_output=True, text=True, env=environment)
        self.assertIn("ImportError: libtakt is not installed", said.stderr)
        self.assertIn("/nowhere/libtakt.so", said.stderr)


if __name__ == "__main__":
    unittest.main()
