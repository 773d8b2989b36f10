"""Reports of JUnit of commands that end early: valid, with an error for what was not done."""

import os
import resource
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

TAKT = os.environ.get("TAKT", "build/takt")
FMA = "examples/mncore2/fma.vsm"


class Stopped(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.report = Path(self.folder.name, "report.xml")
        self.endless = Path(self.folder.name, "endless.kelvin")
        self.endless.write_text("loop: j loop\n")

    def tearDown(self):
        self.folder.cleanup()

    def cases(self):
        """name: passed, failure or error; the counts of the suite are those of its cases."""
        suite = ElementTree.parse(self.report).getroot().find("testsuite")
        found = {}
        for case in suite.findall("testcase"):
            found[case.get("name")] = case[0].tag if len(case) else "passed"
        tags = list(found.values())
        self.assertEqual(int(suite.get("tests")), len(tags))
        self.assertEqual(int(suite.get("failures")), tags.count("failure"))
        self.assertEqual(int(suite.get("errors")), tags.count("error"))
        return found

    def start(self, *arguments, **options):
        # Children of some test runners ignore SIGINT, and after nohup SIGHUP.
        def restore():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)

        return subprocess.Popen([TAKT, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, preexec_fn=restore, **options)

    def wait_for_report(self):
        for _ in range(2000):
            if self.report.exists():
                return
            time.sleep(0.005)
        self.fail("no report")

    def test_expect_interrupted(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9)):
            self.report.unlink(missing_ok=True)
            process = self.start("expect", "--junit", self.report, self.endless, "cycles <= 7", "warnings == 0")
            self.wait_for_report()
            process.send_signal(number)
            process.communicate()
            self.assertEqual(process.returncode, code)
            self.assertEqual(self.cases(), {"cycles <= 7": "error", "warnings == 0": "error"})

    def test_expect_finished(self):
        process = self.start("expect", "--junit", self.report, FMA, "cycles > 0", "cycles > 1000000")
        process.communicate()
        self.assertEqual(process.returncode, 1)
        self.assertEqual(self.cases(), {"cycles > 0": "passed", "cycles > 1000000": "failure"})

    def test_expect_of_a_program_with_errors(self):
        wrong = Path(self.folder.name, "wrong.vsm")
        wrong.write_text("nonsense\n")
        process = self.start("expect", "--junit", self.report, wrong, "cycles > 0")
        process.communicate()
        self.assertEqual(process.returncode, 1)
        self.assertEqual(self.cases(), {"cycles > 0": "error"})
        process = self.start("expect", "--junit", "-", wrong, "cycles > 0")
        self.report.write_text(process.communicate()[0])
        self.assertEqual(self.cases(), {"cycles > 0": "error"})
        wrong.unlink()
        process = self.start("expect", "--junit", self.report, wrong, "cycles > 0")
        process.communicate()
        self.assertEqual(self.cases(), {"expectations": "error"})

    def test_expect_of_a_program_that_fails(self):
        process = self.start("expect", "--junit", self.report, "--max-instructions", 100, self.endless, "cycles > 0")
        process.communicate()
        self.assertEqual(process.returncode, 1)
        self.assertEqual(self.cases(), {"cycles > 0": "error"})

    def test_expect_without_memory(self):
        less = lambda: resource.setrlimit(resource.RLIMIT_AS, (64 << 20, 64 << 20))
        program = Path(self.folder.name, "large.vsm")
        program.write_text("nop\n" * 2000000)
        process = subprocess.run([TAKT, "expect", "--junit", str(self.report), str(program), "cycles > 0"],
                                 capture_output=True, text=True, preexec_fn=less)
        self.assertEqual(process.returncode, 3)
        self.assertIn("error", self.cases().values())

    def test_expect_leaves_its_inputs(self):
        text = self.endless.read_text()
        other = Path(self.folder.name, "other.kelvin")
        other.write_text(text)
        for options in (("--baseline", other), ("--load", f"m:0={other}")):
            process = self.start("expect", *options, "--junit", other, self.endless, "cycles > 0")
            process.communicate()
            self.assertEqual(process.returncode, 2)
            self.assertEqual(other.read_text(), text)

    def test_batch_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start("batch", "--jobs", 1, "--junit", self.report, FMA, self.endless, FMA,
                                 start_new_session=True)
            process.stdout.readline()  # the first answer
            os.killpg(process.pid, number)  # as a terminal does
            out, err = process.communicate()
            self.assertEqual(process.returncode, 130, err)
            found = self.cases()
            self.assertEqual(found.pop(FMA), "passed")
            self.assertEqual(found.pop("the programs after these"), "error")
            self.assertIn(found, ({}, {str(self.endless): "failure"}))  # SIGTERM ends its process, too

    def test_batch_without_processes(self):
        for files in range(4, 12):
            self.report.unlink(missing_ok=True)
            less = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
            process = subprocess.run([TAKT, "batch", "--junit", str(self.report), FMA], capture_output=True,
                                     text=True, preexec_fn=less)
            if process.returncode == 3 and "a process could not be started" in process.stderr:
                self.assertEqual(self.cases(), {"the programs after these": "error"})
                return
        self.fail("a process could always be started")


if __name__ == "__main__":
    unittest.main()
