"""Texts with one thing wrong: what takt reads is refused at its place, or means something."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TAKT = os.path.abspath(os.environ.get("TAKT", "build/takt"))
PROGRAM = """\
# takt: begin moves
mvp/n64i01 $p0@0 $lc0@0.0
nop; wait i01
# takt: end
"""
# As tests/often.h: of the values an eighth for each line, or all.
STEP = 1 if os.environ.get("TAKT_OFTEN") else 8
# One field a line, so that a line is what may be wrong.
LIST = """\
machine: mncore2
chip: chip.yaml
measurements:
- program: p.vsm
  options:
    packing: none
    load: p@0:0=words
  quantity: cycles
  value: 80
  tolerance: 40 %
  source: invented
  group: one
- program: p.vsm
  quantity: region moves
  value: 70
  tolerance: 60
- program: p.vsm
  quantity: between 2 3
  value: 0
  tolerance: 3
"""
CHIP = """\
mv_start_latency:
  value: 5
  plausible: [0, 9]
  optimistic: low
  reason: because
  provenance: assumed
  source: invented
dram_map:
  value: row:bank:column:channel
"""
SPEC = """\
machine: mncore2
programs:
- p.vsm
chips:
- default
- chip.yaml
options:
  packing: [none, flat]
  documented: true
set:
  dram_trp: 9
grid:
  dram_banks: [4, 8]
  dram_map: plausible
counters:
- steps
quantities:
  cost: 2 * cycles
by: cost
pareto:
- cycles
- cost
"""
DRAWN = """\
programs:
- p.vsm
draw:
  points: 3
  seed: 4
  parameters:
    dram_trp: plausible
    dram_tcl: [9, 12]
"""
APP = """\
machine: mncore2
boards: 2
steps:
- load:
    bytes: 4096
    board: all
- repeat: 2
  steps:
  - load:
      bytes: 64
    with: next
  - run: p.vsm
    times: 3
- store:
    bytes: 64
    board: 1
"""
VALUES = ["", "~", "x", "-1", "0", "1.5", "3", "true", "yes", "1e400", "999999999999999999999",
          "[]", "[4]", "[4, x]", "[9, 4, 2]", "{}", "{a: 1}", '"', "'it''s'", "&a 3", "*a", "[",
          "9" * 300, "x" * 5000, "\t", "p.vsm, p.vsm", "0x10", "nan", "%s%n", "\\", "cycles", "all"]


def changed(text):
    """(what, text) with one line changed: its value, its key, left out, twice, at another depth."""
    lines = text.split("\n")[:-1]
    for number, line in enumerate(lines):
        rest = lines[number + 1:]
        begin = lines[:number]

        def with_line(*now, begin=begin, rest=rest):
            return "\n".join([*begin, *now, *rest]) + "\n"

        key = re.match(r"(\s*(?:- )?[\w]+:|\s*-)", line).group(0)
        for value in VALUES[number % STEP::STEP]:
            yield f"line {number + 1}: {value[:20]}", with_line(f"{key} {value}")
        yield f"line {number + 1} left out", with_line()
        yield f"line {number + 1} twice", with_line(line, line)
        yield f"line {number + 1}: another key", with_line(re.sub(r"\w+", "another", line, count=1))
        yield f"line {number + 1} further in", with_line("    " + line)
        yield f"ended at line {number + 1}", "\n".join(begin)


class Refused(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.write("p.vsm", PROGRAM)
        self.write("chip.yaml", CHIP)
        Path(self.folder.name, "words").write_bytes(bytes(64))

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        Path(self.folder.name, name).write_text(text, encoding="utf-8")

    def run_takt(self, *arguments, **options):
        return subprocess.run([TAKT, *arguments], cwd=self.folder.name, capture_output=True,
                              check=False, text=True, errors="replace", timeout=60, **options)

    def hold(self, name, text, *command, codes=(0, 1)):
        """The text as it is has an answer; changed it has one, or an error in one of its lines.
        The number of refused texts."""
        refused = 0
        self.write(name, text)
        good = self.run_takt(*command)
        self.assertEqual(good.returncode, 0, good.stderr)
        for what, other in changed(text):
            self.write(name, other)
            shutil.rmtree(Path(self.folder.name, "new"), ignore_errors=True)
            run = self.run_takt(*command)
            with self.subTest(name, what=what):
                self.assertIn(run.returncode, codes, run.stderr)
                if run.returncode == 0:
                    continue
                refused += 1
                if run.stdout and not run.stderr:  # what an answer found
                    continue
                if "contradict" in run.stderr or "no setting explains" in run.stderr:
                    continue
                # chip.yaml is named by other files; an empty one has no line
                place = re.search(r"([\w.]+\.(?:yaml|vsm)|value)(:\d+:\d+)?: ", run.stderr)
                self.assertIsNotNone(place, run.stderr)
                count = other.count("\n") + 1
                line = re.search(re.escape(name) + r":(\d+):\d+: error: \S", run.stderr)
                if line:
                    self.assertLessEqual(int(line.group(1)), count, run.stderr)
        return refused

    def test_lists_of_measurements(self):
        refused = self.hold("l.yaml", LIST, "fit", "--effort", "1", "l.yaml")
        self.assertGreater(refused, len(LIST.split("\n")) * 3)

    def test_chip_files(self):
        refused = self.hold("chip.yaml", CHIP, "check", "--config", "chip.yaml", "p.vsm")
        self.assertGreater(refused, len(CHIP.split("\n")) * 3)

    def test_specs_of_sweeps(self):
        plan = ["--out", "new", "--engine", "parallel", "--chunk", "2"]
        refused = self.hold("s.yaml", SPEC, "sweep", "s.yaml", *plan)
        refused += self.hold("d.yaml", DRAWN, "sweep", "d.yaml", *plan)
        self.assertGreater(refused, (len(SPEC.split("\n")) + len(DRAWN.split("\n"))) * 3)

    def test_applications(self):
        refused = self.hold("a.yaml", APP, "app", "--no-range", "a.yaml")
        self.assertGreater(refused, len(APP.split("\n")) * 3)


if __name__ == "__main__":
    unittest.main()
