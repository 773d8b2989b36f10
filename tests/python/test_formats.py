"""What takt writes for other tools, read by readers that are not takt's: the published schemas of SARIF
and speedscope (TAKT_READERS: a folder of npm packages), protoc, callgrind_annotate, an XML parser.
A reader that is not installed is skipped; make test-readers installs them all."""

import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

try:
    import jsonschema
except ImportError:
    jsonschema = None

TAKT = os.environ.get("TAKT", "build/takt")
READERS = Path(os.environ.get("TAKT_READERS", "build/readers")) / "node_modules"
SARIF = READERS / "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
SPEEDSCOPE = READERS / "speedscope/dist/release/file-format-schema.json"
EXAMPLES = ["examples/mncore2/fma.vsm", "examples/kelvin/dot.kelvin", "examples/amx/matmul.amx",
            "examples/ventus/saxpy.ventus", "examples/loops/dot.loops"]
FMA = EXAMPLES[0]
WRONG = "# é𝄞\nlpasa $lm0v $lr0v\nimm f\"1.0\" $r0/0010\nnop\ndvadd $lm0v $r0e $ln0v # é\n"


def run(*arguments, codes=(0,)):
    done = subprocess.run([TAKT, *map(str, arguments)], capture_output=True)
    assert done.returncode in codes, done
    return done.stdout


def rows(trace, sql):
    return json.loads(run("query", "--json", trace, sql))


class Editors(unittest.TestCase):
    def test_grammars_have_the_names_of_their_contributions(self):
        folder = Path("editors/vscode")
        grammars = json.loads((folder / "package.json").read_text())["contributes"]["grammars"]
        self.assertEqual(len(grammars), 5)
        for grammar in grammars:
            self.assertEqual(json.loads((folder / grammar["path"]).read_text())["scopeName"], grammar["scopeName"])


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, text=None):
        path = Path(self.folder.name) / name
        if text is not None:
            path.write_text(text)
        return path

    def trace(self, program):
        trace = self.path(Path(program).name + ".takt")
        run("run", "--detail", "--trace", trace, program)
        return trace

    def valid(self, log, schema):
        """Against a published schema, where it is there."""
        if jsonschema and schema.exists():
            jsonschema.validate(log, json.loads(schema.read_text()))


class Sarif(Folder):
    def test_check(self):
        text = self.path("w.vsm", WRONG)
        log = json.loads(run("check", "--sarif", "-", text, codes=(1,)))
        self.valid(log, SARIF)
        wanted = json.loads(run("check", "--json", text, codes=(1,)))["diagnostics"]
        found = log["runs"][0]["results"]
        self.assertEqual([r["level"] for r in found], [w["severity"] for w in wanted])
        for r, w in zip(found, wanted):
            region = r["locations"][0]["physicalLocation"]["region"]
            line = WRONG.split("\n")[w["line"] - 1]
            self.assertEqual(region["startLine"], w["line"])
            self.assertEqual(region["startColumn"],
                             len(line.encode()[: w["column"] - 1].decode()) + 1)
            self.assertEqual(log["runs"][0]["tool"]["driver"]["rules"][r["ruleIndex"]]["id"],
                             r["ruleId"])
        inserted = [r["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"]
                    for r in found if "fixes" in r]
        self.assertEqual(inserted, ["lpassa", "nop\n"])

    def test_expect(self):
        program = self.path("e.vsm", "# takt: expect cycles <= 1\nnop\nnop\n")
        out = self.path("e.sarif")
        run("expect", "--sarif", out, program, "steps >= 2", codes=(1,))
        log = json.loads(out.read_text())
        self.valid(log, SARIF)
        self.assertEqual([(r["ruleId"], r["level"], r.get("kind")) for r in log["runs"][0]["results"]],
                         [("cycles", "error", None), ("steps", "none", "pass")])
        place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        self.assertEqual(place["region"], {"startLine": 1})

    def test_advise(self):
        out = self.path("a.sarif")
        program = self.path("n.vsm", "lpassa $lm0v $lr0v\nnop/9\nd getf $lr0n0c0b0m0p0 1\n")
        items = json.loads(run("advise", "--json", "--sarif", out, program))["items"]
        log = json.loads(out.read_text())
        self.valid(log, SARIF)
        self.assertTrue(items)
        self.assertEqual([r["ruleId"] for r in log["runs"][0]["results"]],
                         [item["kind"] for item in items])


class Junit(Folder):
    def suite(self, path):
        suite = xml.etree.ElementTree.parse(path).getroot().find("testsuite")
        cases = suite.findall("testcase")
        self.assertEqual(int(suite.get("tests")), len(cases))
        for name in ("failure", "error"):
            self.assertEqual(int(suite.get(name + "s")), len(suite.findall(f"testcase/{name}")))
        try:
            from junitparser import JUnitXml
            self.assertEqual(sum(len(s) for s in JUnitXml.fromfile(str(path))), len(cases))
        except ImportError:
            pass
        return [(c.get("name"), c.find("failure") is None and c.find("error") is None) for c in cases]

    def test_expect(self):
        out = self.path("e.xml")
        run("expect", "--junit", out, FMA, "cycles <= 1000000", "util(issue) > 99%", codes=(1,))
        self.assertEqual([ok for _, ok in self.suite(out)], [True, False])

    def test_judge(self):
        for answer, ok in (("answer", True), ("wrong", False)):
            out = self.path(answer + ".xml")
            run("judge", "--junit", out, "examples/mncore2/judge-testcase.vsm",
                f"examples/mncore2/judge-{answer}.vsm", codes=(0, 1))
            self.assertEqual([case[1] for case in self.suite(out)], [ok])

    def test_batch(self):
        wrong = self.path("a&<é>.vsm", WRONG)
        out = self.path("b.xml")
        run("batch", "--junit", out, FMA, wrong, codes=(1,))
        self.assertEqual(self.suite(out), [(FMA, True), (str(wrong), False)])


class Profiles(Folder):
    """Stacks add up to the run's cycles in each stream; costs of lines are those of the trace."""

    def test_folded(self):
        for program in EXAMPLES:
            trace = self.trace(program)
            total = rows(trace, "SELECT value FROM meta WHERE key = 'total_cycles'")[0]["value"]
            streams = collections.Counter()
            for line in run("export", "--format", "folded", trace).decode().splitlines():
                stack, cycles = line.rsplit(" ", 1)
                streams[stack.split(";")[0]] += int(cycles)
            self.assertEqual(set(streams.values()), {int(float(total))}, program)

    def test_speedscope(self):
        def label(frame):
            place = f"{frame['file']}:{frame['line']} " if "file" in frame else ""
            return (place + frame["name"]).replace(";", ":")
        for program in EXAMPLES:
            profile = json.loads(run("export", "--format", "speedscope", self.trace(program)))
            self.valid(profile, SPEEDSCOPE)
            frames = profile["shared"]["frames"]
            folded = collections.Counter()
            for stream in profile["profiles"]:
                self.assertEqual(sum(stream["weights"]), stream["endValue"])
                self.assertEqual(len(stream["samples"]), len(stream["weights"]))
                for sample, weight in zip(stream["samples"], stream["weights"]):
                    folded[stream["name"], *(label(frames[i]) for i in sample)] += weight
            wanted = collections.Counter()
            for line in run("export", "--format", "folded",
                            self.path(Path(program).name + ".takt")).decode().splitlines():
                stack, cycles = line.rsplit(" ", 1)
                wanted[tuple(stack.split(";"))] += int(cycles)
            self.assertEqual(folded, wanted)

    @unittest.skipUnless(shutil.which("callgrind_annotate"), "callgrind_annotate is not installed")
    def test_callgrind(self):
        trace = self.trace(FMA)
        out = self.path("callgrind.out")
        run("export", "--format", "callgrind", "--output", out, trace)
        text = subprocess.run(["callgrind_annotate", "--threshold=100", out], capture_output=True,
                              text=True, check=True).stdout
        total = next(line for line in text.splitlines() if "PROGRAM TOTALS" in line)
        self.assertIn("1,256", total)
        self.assertIn("fma.vsm:rest", text)


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def fields(data):
    """Number and value of each field of a message of protocol buffers."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size, at = (8, at) if key & 7 == 1 else varint(data, at)
            assert key & 7 in (1, 2) and at + size <= len(data), (key, at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value


class Graphviz(Folder):
    def test_arcs_are_those_of_the_json(self):
        for program in EXAMPLES:
            lines, arcs = {}, []
            for row in run("deps", "--dot", "--silence", "all", program).decode().split("\n"):
                node = re.fullmatch(r'  (n\d+) \[label="(\d+): ((?:[^"\\]|\\.)*)"\];', row)
                arc = re.fullmatch(r'  (n\d+) -> (n\d+) '
                                   r'\[label="(\w+)( \S+)? (\d+)", style=\w+\];', row)
                if node:
                    self.assertEqual(lines.setdefault(node.group(1), int(node.group(2))),
                                     int(node.group(2)))
                elif arc:
                    begin, end, kind, place, lag = arc.groups()
                    arcs.append((lines[begin], lines[end], kind, (place or " ")[1:], int(lag)))
                else:
                    self.assertIn(row, ("digraph deps {", "  node [shape=box];", "}", ""))
            answer = json.loads(run("deps", "--json", "--silence", "all", program))
            self.assertEqual(sorted(arcs), sorted(
                (d["from"]["line"], d["to"]["line"], d["kind"], d.get("place", {}).get("space", ""),
                 d["lag"]) for d in answer["deps"]), program)
            if shutil.which("dot"):
                subprocess.run(["dot", "-Tplain"], check=True, stdout=subprocess.DEVNULL,
                               input=run("deps", "--dot", "--silence", "all", program))

    def test_quotes_in_a_statement(self):
        small = "tests/hostile/small/p.vsm"
        self.assertIn(b'imm i\\"3\\" $lr8v"]', run("deps", "--dot", "--silence", "all", small))


class Perfetto(Folder):
    def test_slices_are_those_of_the_json(self):
        """Without protoc; field numbers as in trace_packet.proto."""
        trace = self.trace(FMA)
        packed = run("export", "--format", "perfetto-proto", trace)
        shown = json.loads(run("export", "--format", "perfetto", trace))["traceEvents"]
        open_slices, tracks, slices = collections.defaultdict(list), set(), []
        processes, threads, said = [], [], []
        for number, packet in fields(packed):
            self.assertEqual(number, 1)
            packet = dict(fields(packet))
            if 60 in packet:
                track = dict(fields(packet[60]))
                tracks.add(track[1])
                if 3 in track:
                    processes.append(dict(fields(track[3]))[6].decode())
                elif 8 not in track:
                    threads.append(track[2].decode())
            if 11 not in packet:
                continue
            event = dict(fields(packet[11]))
            self.assertIn(event[11], tracks)
            if event[9] == 1:
                notes = [dict(fields(v)) for n, v in fields(packet[11]) if n == 4]
                said.append(sorted((n[10].decode(), n[4] if 4 in n else n[6].decode())
                                   for n in notes))
                open_slices[event[11]].append((packet[8], event[23].decode(), event.get(47)))
            elif event[9] == 2:
                begin, name, flow = open_slices[event[11]].pop()
                slices.append((begin, packet[8], name, flow is not None))
        self.assertFalse(any(open_slices.values()))
        for kind, names in (("process_name", processes), ("thread_name", threads)):
            self.assertEqual(sorted(names), sorted(e["args"]["name"] for e in shown
                                                   if e["ph"] == "M" and e["name"] == kind))
            self.assertTrue(names)
        shown_notes = [sorted((n, v) for n, v in e.get("args", {}).items()
                              if isinstance(v, (int, str)) and not isinstance(v, bool))
                       for e in shown if e["ph"] == "X"]
        self.assertEqual(sorted(said, key=str), sorted(shown_notes, key=str))
        self.assertTrue(any(isinstance(v, int) for notes in said for _, v in notes))
        wanted = [(round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000), e["name"],
                   "bind_id" in e) for e in shown if e["ph"] == "X"]
        self.assertTrue(any(flow for *_, flow in wanted))
        self.assertGreater(len(wanted), 10)
        self.assertEqual(sorted(slices), sorted(wanted))

    def test_threads_are_the_units_that_were_busy(self):
        for program in EXAMPLES:
            trace = self.trace(program)
            shown = json.loads(run("export", "--format", "perfetto", trace))["traceEvents"]
            named = {e["tid"] - 1 for e in shown if e["name"] == "thread_name" and e["pid"] == 1}
            busy = {row["unit"] for row in rows(
                trace, "SELECT DISTINCT unit FROM unit_total WHERE reason = 0 AND cycles > 0")}
            self.assertTrue(named)
            self.assertLessEqual(named, busy)

    @unittest.skipUnless(shutil.which("protoc"), "protoc is not installed")
    def test_the_same_as_the_json(self):
        trace = self.trace(FMA)
        packed = run("export", "--format", "perfetto-proto", trace)
        shown = json.loads(run("export", "--format", "perfetto", trace))["traceEvents"]
        here = Path(__file__).parent
        text = subprocess.run(["protoc", f"--proto_path={here}", "--decode=Trace",
                               "trace_packet.proto"], input=packed, capture_output=True,
                              check=True).stdout.decode()
        self.assertNotRegex(text, r"(?m)^ *\d+[:{ ]")  # no field that is not in the definition
        phases = collections.Counter(event["ph"] for event in shown)
        self.assertEqual(text.count("SLICE_BEGIN"), phases["X"])
        self.assertEqual(text.count("SLICE_END"), phases["X"])
        self.assertEqual(text.count("type: COUNTER"), phases["C"])
        names = collections.Counter(event["name"] for event in shown if event["ph"] == "X")
        for name, count in names.most_common(5):
            quoted = '    name: "' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
            self.assertEqual(text.count(quoted + "\n"), count, name)
        stamps = sorted(round(e["ts"] * 1000) for e in shown if e["ph"] == "X")
        begins = sorted(int(p.split("timestamp: ")[1].split("\n")[0]) for p in text.split("packet {")
                        if "SLICE_BEGIN" in p and "timestamp" in p)
        self.assertEqual(begins, [s for s in stamps])


if __name__ == "__main__":
    unittest.main()
