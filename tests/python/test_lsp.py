"""takt lsp, by scripted sessions. Findings are held against takt check, totals against takt run, times
of lines against the trace, edits against a text that is edited here. TAKT_EDITS: how many random
edits."""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from language_client import TAKT, Client, at, edited, offset, units

EDITS = int(os.environ.get("TAKT_EDITS", "150"))
EXAMPLES = [Path("examples") / name for name in (
    "mncore2/fma.vsm", "mncore2/matmul.vsm", "mncore2/reduce.vsm", "amx/matmul.amx", "loops/dot.loops",
    "kelvin/dot.kelvin", "ventus/saxpy.ventus")]
FMA = EXAMPLES[0]
HAZARD = 'imm f"1.0" $r0/0010\nnop\ndvadd $lm0v $r0e $ln0v\n'
CONFIG = {"capabilities": {}}


def uri_of(path):
    return Path(path).absolute().as_uri()


def command(*arguments, code=0):
    done = subprocess.run([TAKT, *map(str, arguments)], capture_output=True)
    assert done.returncode in (code, 0, 1), done
    return json.loads(done.stdout)


def whole(text):
    return {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n") + 1, "character": 0}}


def shown(client, uri, text, version):
    """All that an editor shows of a text."""
    hints = client.request("textDocument/inlayHint", textDocument={"uri": uri}, range=whole(text))
    status = client.request("takt/status", textDocument={"uri": uri})
    for name in ("version", "range", "text"):
        status.pop(name, None)
    return client.findings(uri, version), hints, status


class Session(unittest.TestCase):
    def test_lifecycle(self):
        client = Client(initialize=False)
        self.assertEqual(client.answer("textDocument/hover")["error"]["code"], -32002)
        server = client.request("initialize", capabilities={})
        self.assertEqual(server["serverInfo"]["name"], "takt")
        self.assertEqual(server["capabilities"]["positionEncoding"], "utf-16")
        self.assertEqual(client.answer("initialize", capabilities={})["error"]["code"], -32600)
        self.assertEqual(client.answer("no/such")["error"]["code"], -32601)
        self.assertIsNone(client.request("shutdown"))
        self.assertEqual(client.answer("textDocument/hover")["error"]["code"], -32600)
        client.exit()
        self.assertEqual(client.end(), 0)

    def test_exit_without_shutdown(self):
        client = Client()
        client.exit()
        self.assertEqual(client.end(), 1)

    def test_end_of_input(self):
        done = subprocess.run([TAKT, "lsp"], input=b"", capture_output=True)
        self.assertEqual(done.returncode, 1)

    def test_input_is_a_file(self):
        body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
        with tempfile.TemporaryFile() as file:
            file.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            file.seek(0)
            done = subprocess.run([TAKT, "lsp"], stdin=file, capture_output=True)
        self.assertIn(b'"takt"', done.stdout)

    def test_utf8_positions(self):
        with Client(capabilities={"general": {"positionEncodings": ["utf-8"]}}) as client:
            self.assertEqual(client.server["capabilities"]["positionEncoding"], "utf-8")
            client.open("file:///a.vsm", "# ä\nnop\n")
            edit = {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 4}}
            client.change("file:///a.vsm", 2, {"range": edit, "text": "\nlpasa $lm0v $lr0v"})
            self.assertEqual([f["range"]["start"] for f in client.findings("file:///a.vsm", 2)
                              if f["severity"] == 1], [{"line": 1, "character": 0}])

    def test_unknown_language_is_passed_over(self):
        with Client() as client:
            client.open("file:///a.txt", "hello")
            self.assertEqual(client.answer("textDocument/hover", **at("file:///a.txt", 0, 0))
                             ["error"]["code"], -32602)
            client.open("file:///b.txt", "lpasa\n", "mncore2")
            self.assertTrue(client.findings("file:///b.txt"))


class Findings(unittest.TestCase):
    def test_all_that_check_has(self):
        severity = {"note": 4, "warning": 2, "error": 1}
        texts = {path.name: path.read_text() for path in EXAMPLES}
        texts["hazard.vsm"] = HAZARD
        texts["wrong.vsm"] = "# é𝄞\nlpasa $lm0v $lr0v\nlpassa $lr1v $ls0v\nnop 2\n"
        with tempfile.TemporaryDirectory() as folder, Client() as client:
            for name, text in texts.items():
                path = Path(folder) / name
                path.write_text(text)
                wanted = command("check", "--json", path)["diagnostics"]
                client.open(uri_of(path), text)
                found = client.findings(uri_of(path))
                self.assertEqual(
                    [(f["range"]["start"]["line"] + 1, f["severity"]) for f in found],
                    [(w["line"], severity[w["severity"]]) for w in wanted], name)
                for f, w in zip(found, wanted):
                    self.assertTrue(f["message"].startswith(w["message"]))
                    self.assertEqual(f.get("code", ""), w.get("name") or w["rule"])
                    line = text.split("\n")[w["line"] - 1]
                    before = line.encode()[: w["column"] - 1].decode()
                    self.assertEqual(f["range"]["start"]["character"], units(before))
                    if "other_line" in w:
                        other = f["relatedInformation"][0]["location"]["range"]["start"]["line"]
                        self.assertEqual(other + 1, w["other_line"])

    def test_missing_steps_are_inserted(self):
        with Client() as client:
            client.open("file:///a.vsm", HAZARD)
            fixes = client.request("textDocument/codeAction",
                                   textDocument={"uri": "file:///a.vsm"}, range=whole(HAZARD),
                                   context={"diagnostics": []})
            self.assertIn("insert nop", [fix["title"] for fix in fixes])
            for fix in fixes:
                text = edited(HAZARD, fix["edit"]["changes"]["file:///a.vsm"])
                self.assertEqual(text.split("\n")[:4],
                                 [*HAZARD.split("\n")[:2], "nop", HAZARD.split("\n")[2]])

    def test_inserted_lines_end_as_the_text(self):
        text = HAZARD.replace("\n", "\r\n")
        wanted = [*HAZARD.split("\n")[:2], "nop", *HAZARD.split("\n")[2:]]
        with Client() as client:
            client.open("file:///a.vsm", text)
            fixes = client.request("textDocument/codeAction", range=whole(text),
                                   textDocument={"uri": "file:///a.vsm"}, context={"diagnostics": []})
            self.assertEqual({fix["kind"] for fix in fixes}, {"quickfix", "source.fixAll"})
            for fix in fixes:
                new = edited(text, fix["edit"]["changes"]["file:///a.vsm"])
                self.assertEqual(new.split("\r\n")[:4], wanted[:4])
                self.assertEqual(new.count("\r\n"), new.count("\n"))

    def test_a_wait_alone_is_inserted_everywhere(self):
        text = "mvp/n64i01 $p0@0 $lc0@0.0\nmvp/n64 $lc0@0.0 $d0@0\n"
        with Client() as client:
            client.open("file:///a.vsm", text)
            fixes = client.request("textDocument/codeAction", range=whole(text),
                                   textDocument={"uri": "file:///a.vsm"}, context={"diagnostics": []})
            everywhere = [fix for fix in fixes if fix["kind"] == "source.fixAll"]
            self.assertEqual(len(everywhere), 1)
            self.assertEqual(edited(text, everywhere[0]["edit"]["changes"]["file:///a.vsm"]),
                             text.replace("\nmvp", "\nnop; wait i01\nmvp"))

    def test_every_quick_fix_mends_its_finding(self):
        """Examples of docs/diagnostics.md: the finding is gone when its fix has been applied."""
        page = Path("docs/diagnostics.md").read_text()
        texts = re.findall(r"^```\n(.*?)^```$", page, re.M | re.S)
        self.assertGreater(len(texts), 100)
        applied = 0
        with Client() as client:
            for i, text in enumerate(texts):
                uri = f"file:///{i}.vsm"
                client.open(uri, text)
                before = client.findings(uri)
                for fix in client.request("textDocument/codeAction", textDocument={"uri": uri},
                                          range=whole(text), context={"diagnostics": []}):
                    if fix["kind"] != "quickfix":
                        continue
                    applied += 1
                    finding = fix["diagnostics"][0]
                    self.assertIn(finding, before)
                    new = edited(text, fix["edit"]["changes"][uri])
                    client.open(uri + "f.vsm", new)
                    after = client.findings(uri + "f.vsm")
                    self.assertNotIn(finding["message"], [f["message"] for f in after], (text, new))
        self.assertGreater(applied, 30)


class Times(unittest.TestCase):
    def test_totals_are_those_of_run(self):
        with Client() as client:
            for path in EXAMPLES:
                text = path.read_text()
                wanted = command("run", "--json", path)
                client.open(uri_of(path), text)
                status = client.note("takt/status", lambda p: p["uri"] == uri_of(path) and
                                     "gap" in p and ("range" in p) == ("range" in wanted))
                self.assertEqual(status["cycles"], wanted["cycles"], path)
                self.assertEqual(status["gap"], wanted["gap"]["cycles"], path)
                if "range" in wanted:
                    self.assertEqual(status["range"], {k: wanted["range"][k] for k in ("low", "high")})

    def test_lines_are_those_of_the_trace(self):
        first = ("SELECT line, min(i.ts) AS cycle FROM slice i JOIN stmt s ON i.stmt = s.id "
                 "JOIN unit u ON i.track_id = u.id "
                 "WHERE u.kind = 'issue' AND i.category = 'busy' GROUP BY line")
        with tempfile.TemporaryDirectory() as folder, Client() as client:
            for path in EXAMPLES[:3]:
                trace = Path(folder) / "t.takt"
                subprocess.run([TAKT, "run", "--detail", "--trace", trace, path], check=True,
                               capture_output=True)
                rows = command("query", "--json", trace, first)
                wanted = {row["line"]: row["cycle"] for row in rows}
                text = path.read_text()
                client.open(uri_of(path), text)
                hints = client.request("textDocument/inlayHint", range=whole(text),
                                       textDocument={"uri": uri_of(path)})
                found = {h["position"]["line"] + 1:
                         int(re.match(r"cycle ([\d,]+)", h["label"])[1].replace(",", ""))
                         for h in hints}
                self.assertGreater(len(wanted), 5)
                for line, cycle in wanted.items():
                    self.assertEqual(found[line], cycle, (path, line))

    def test_equal_lines_have_their_own_times(self):
        """Each step takes 4 cycles; nop/2 is two that pass time."""
        text = "lpassa $lm0v $lr0v\nnop/2\n" * 3
        with Client() as client:
            client.open("file:///e.vsm", text)
            hints = client.request("textDocument/inlayHint",
                                   textDocument={"uri": "file:///e.vsm"}, range=whole(text))
            self.assertEqual([hint["label"] for hint in hints],
                             ["cycle 0", "cycle 4, waits 8 (nop)", "cycle 12",
                              "cycle 16, waits 8 (nop)", "cycle 24", "cycle 28, waits 8 (nop)"])
            said = [client.request("textDocument/hover", **at("file:///e.vsm", line, 2))
                    ["contents"]["value"] for line in (0, 2)]
            for value in said:
                self.assertIn("- units: issue 4, ", value)
                self.assertNotIn("executed", value)

    def test_an_edit_moves_times_at_once(self):
        with Client() as client:
            client.open("file:///a.vsm", "nop\nlpassa $lm0v $lr0v\n")
            def cycle():
                hints = client.request("textDocument/inlayHint", range=whole("\n\n\n"),
                                       textDocument={"uri": "file:///a.vsm"})
                return [h["label"] for h in hints][-1]
            before = cycle()
            place = {"line": 0, "character": 3}
            client.change("file:///a.vsm", 2, {"range": {"start": place, "end": place}, "text": "/3"})
            self.assertEqual((before, cycle()), ("cycle 4", "cycle 12"))


class Answers(unittest.TestCase):
    def setUp(self):
        self.client = Client()
        self.text = FMA.read_text()
        self.lines = self.text.split("\n")
        self.client.open(uri_of(FMA), self.text)

    def tearDown(self):
        self.assertEqual(self.client.end(), 0)

    def place(self, line, word):
        return at(uri_of(FMA), line, self.lines[line].index(word) + 1)

    def line(self, start):
        return next(i for i, line in enumerate(self.lines) if line.startswith(start))

    def said(self, start, word):
        answer = self.client.request("textDocument/hover", **self.place(self.line(start), word))
        return answer["contents"]["value"]

    def test_hover(self):
        self.assertIn("x * y + z by element", self.said("fvfma", "fvfma"))
        self.assertIn("3.6.9.14", self.said("fvfma", "fvfma"))
        self.assertIn("mau 4", self.said("fvfma", "fvfma"))
        self.assertIn("2 empty steps, 2 of them needed", self.said("nop/2", "nop"))
        self.assertIn("3.6.3.7", self.said("nop/2", "nop"))
        self.assertIn("LM0", self.said("fvfma", "$lm0v"))
        self.assertIsNone(self.client.request("textDocument/hover", **at(uri_of(FMA), 0, 3)))

    def test_values(self):
        """What takt value says of the place in the cycle of the line's issue."""
        places = {("fvfma", "$lm0v"): "$lm0n0c0b0m0p0", ("fvfma", "$lr0v"): "$lr0n0c0b0m0p0",
                  ("l2bmd $lc0 ", "$lb0"): "$lb0n0c0b0", ("mvp/n2048i07", "$d12288"): "d@0:12288"}
        for (start, word), place in places.items():
            said = self.said(start, word)
            line = self.line(start)
            cycle = int(re.search(r"issued in cycle (\d+)", said).group(1))
            found = re.search(r"^- `(.*?)` in cycle (\d+): (0x[0-9a-f]+)(.*)$", said, re.M)
            self.assertTrue(found, said)
            self.assertEqual(found.group(1, 2), (place, str(cycle)))
            value = command("value", "--json", FMA, f"{place}@{cycle}")
            self.assertEqual(found.group(3), value["value"]["hex"][0])
            self.assertEqual("; written by" in found.group(4), value["written"] is not None)
            if value["written"]:
                self.assertIn(f"written by line {value['written']['line']}, issued in cycle "
                              f"{value['written']['issued']}, readable from cycle "
                              f"{value['written']['readable']} on", found.group(4))
            self.assertEqual("to be written by" in found.group(4), value["landing"] is not None)

    def test_values_of_other_machines(self):
        words = {"kelvin/dot.kelvin": ("vadd3", "v8", "v@8"), "ventus/saxpy.ventus": ("    add t1", "t1", "x@0:6"),
                 "loops/dot.loops": ("    s[0]", "s[", "s:0")}
        for name, (start, word, place) in words.items():
            path = Path("examples") / name
            text = path.read_text()
            lines = text.split("\n")
            line = next(i for i, one in enumerate(lines) if one.lstrip().startswith(start.strip()))
            with Client() as client:
                client.open(uri_of(path), text)
                said = client.request("textDocument/hover",
                                      **at(uri_of(path), line, lines[line].rindex(word)))["contents"]["value"]
            found = re.search(r"^- `(.*?)` in cycle (\d+): (0x[0-9a-f]+)", said, re.M)
            self.assertTrue(found, name + said)
            self.assertEqual(found.group(1), place, said)
            value = command("value", "--json", path, f"{place}@{found.group(2)}")
            self.assertEqual(found.group(3), value["value"]["hex"][0])

    def test_no_values_of_long_programs(self):
        for lines, there in ((200, True), (2004, False)):
            text = "lpassa $lm0v $lr0v\nnop/2\nlpassa $lr0v $ls0v\nnop/2\n" * (lines // 4)
            with Client() as client:
                client.open("file:///l.vsm", text)
                client.findings("file:///l.vsm")
                said = client.request("textDocument/hover", **at("file:///l.vsm", 2, 8))["contents"]["value"]
            self.assertEqual("- `$lr0n0c0b0m0p0` in cycle" in said, there, said)

    def lines_of(self, method, line, word):
        answer = self.client.request(method, **self.place(line, word))
        return [place["range"]["start"]["line"] for place in answer]

    def test_values_come_from_where_deps_says(self):
        line = self.line("fvfma")
        rows = subprocess.run([TAKT, "deps", "--line", str(line + 1), FMA], capture_output=True,
                              text=True).stdout
        found = re.findall(r"^ *(\d+) -> (\d+) +RAW +(\w+)", rows, re.M)
        space = {"$lm0v": "LM0", "$ln0v": "LM1", "$lr0v": "GRF0"}
        for word, name in space.items():
            wanted = [int(a) - 1 for a, b, s in found if int(b) == line + 1 and s == name]
            self.assertTrue(wanted)
            self.assertEqual(self.lines_of("textDocument/definition", line, word), wanted)

    def test_tags(self):
        wait, move = self.line("nop; wait i07"), self.line("mvp/n2048i07")
        self.assertEqual(self.lines_of("textDocument/definition", wait, "i07"), [move])
        self.assertEqual(self.lines_of("textDocument/references", move, "i07"), [move, wait])

    def test_completion(self):
        def words(line, character):
            answer = self.client.request("textDocument/completion", **at(uri_of(FMA), line, character))
            return [item["label"] for item in answer["items"]]
        line = self.line("fvfma")
        self.assertIn("fvfma", words(line, 2))
        self.assertNotIn("$lm", words(line, 2))
        self.assertIn("$lm", words(line, self.lines[line].index("$lm") + 2))
        self.assertIn("i07", words(self.line("nop; wait i07"), 11))

    def test_completion_of_many_names(self):
        names = [f"label{i:02}" for i in range(20)]
        uri = "file:///many.kelvin"
        self.client.open(uri, " ".join(f"{name}:" for name in names) + "\nj label\nmpause\n")
        answer = self.client.request("textDocument/completion", **at(uri, 1, 7))
        self.assertEqual([item["label"] for item in answer["items"]], names)

    def test_symbols(self):
        text = "# takt: begin load\nmvp/n64i01 $p0@0 $lc0@0.0\n# takt: end\nnop; wait i01\n"
        self.client.open("file:///s.vsm", text)
        found = self.client.request("textDocument/documentSymbol", textDocument={"uri": "file:///s.vsm"})
        self.assertEqual([s["name"] for s in found], ["load", "i01"])
        self.assertEqual(found[0]["range"]["end"]["line"], 2)

    def test_labels(self):
        path = Path("examples/kelvin/dot.kelvin")
        text = path.read_text()
        self.client.open(uri_of(path), text)
        lines = text.split("\n")
        jump = next(i for i, line in enumerate(lines) if re.search(r"\bagain$", line))
        answer = self.client.request("textDocument/definition",
                                     **at(uri_of(path), jump, lines[jump].index("again") + 1))
        self.assertEqual([lines[p["range"]["start"]["line"]] for p in answer], ["again:"])

    def found(self, method, uri, line, character):
        return [p["range"]["start"]["line"] for p in
                self.client.request("textDocument/" + method, **at(uri, line, character))]

    def test_labels_that_are_numbers(self):
        """GNU as: Nb is the most recent label N above, Nf the next one below."""
        text = ("_start:\n  li a0, 3\n1: addi a0, a0, -1\n  bnez a0, 1b\n  li a1, 2\n"
                "1: addi a1, a1, -1\n  bnez a1, 1b\n  j 1f\n  nop\n1: mpause\n")
        self.client.open("file:///n.kelvin", text)
        for line, character, label, references in (
                (3, 12, 2, [2, 3]), (2, 0, 2, [2, 3]), (6, 12, 5, [5, 6]), (5, 0, 5, [5, 6]),
                (7, 5, 9, [7, 9]), (9, 0, 9, [7, 9])):
            self.assertEqual(self.found("definition", "file:///n.kelvin", line, character), [label])
            self.assertEqual(self.found("references", "file:///n.kelvin", line, character),
                             references)

    def test_what_is_written_here(self):
        text = ("lpassa $lr0v $lm0v\nnop\nnop\nnop\nlpassa $lm0v $ln64v\nnop\nnop\nnop\n"
                "lpassa $ln64v $ls0v\nlpassa $ln128v $ls8v\n")
        self.client.open("file:///w.vsm", text)
        for line, word, writers, both in ((4, "$lm0v", [0], [0]), (4, "$ln64v", [4], [8]),
                                          (8, "$ln64v", [4], [4]), (9, "$ln128v", [], [])):
            character = text.split("\n")[line].index(word) + 1
            self.assertEqual(self.found("definition", "file:///w.vsm", line, character), writers)
            self.assertEqual(self.found("references", "file:///w.vsm", line, character), both)

    def formatted(self, uri, text):
        """The text in one spelling, None where it is refused; a second time nothing changes."""
        self.client.open(uri, text)
        edits = self.client.request("textDocument/formatting", textDocument={"uri": uri},
                                    options={})
        if edits is None:
            return None
        new = edited(text, edits)
        self.client.open(uri, new)
        again = self.client.request("textDocument/formatting", textDocument={"uri": uri},
                                    options={})
        self.assertEqual(edited(new, again), new)
        return new

    def same_program(self, text, new, suffix):
        with tempfile.TemporaryDirectory() as folder:
            programs = []
            for content in (text, new):
                path = Path(folder) / ("a" + suffix)
                path.write_text(content, newline="")
                programs.append(command("print", "--json", path)["program"])
            self.assertEqual(*programs)

    def test_formatting_keeps_program_and_comments(self):
        for suffix in (".vsm", ".amx", ".loops", ".kelvin", ".ventus"):
            for path in sorted(Path("examples").rglob("*" + suffix)):
                text = path.read_text()
                new = self.formatted(uri_of(path), text)
                self.assertIsNotNone(new, path)
                self.assertEqual(*[re.findall("#.*", t) for t in (text, new)])
                self.same_program(text, new, suffix)

    def test_formatting_of_cases(self):
        """Every text of the cases in which nothing is found: the statements of the language."""
        suffixes = {"mncore2": ".vsm", "amx": ".amx", "loops": ".loops", "kelvin": ".kelvin",
                    "ventus": ".ventus"}
        changed, refused = dict.fromkeys(suffixes, 0), []
        for path in sorted(Path("tests/cases").rglob("*.case")):
            language = re.findall(r"^language (\w+)", path.read_text(), re.M)
            texts = re.findall("^([^=# ].*) => (?:clean|taken|stable|words)", path.read_text(),
                               re.M)
            for i, text in enumerate(texts if language and language[0] in suffixes else []):
                name = language[0]
                uri = f"file:///{path.parent.name}/{path.stem}{i}{suffixes[name]}"
                text = text.replace("\\n", "\n").replace("\\t", "\t")
                self.client.open(uri, text)
                wrong = any(f["severity"] == 1 for f in self.client.findings(uri))
                new = None if wrong else self.formatted(uri, text)
                if new is None and not wrong:
                    refused.append(text)
                if new not in (None, text) and changed[name] < 20:
                    self.same_program(text, new, suffixes[name])
                    changed[name] += 1
        self.assertEqual(refused, [])
        self.assertGreater(sum(changed.values()), 30)

    def test_formatting_of_blanks(self):
        for name, text, wanted in [
                ("a.kelvin", "\t.text\n_start:   li   s1 ,3 # three, four\n\tlw\ta1, 0(a0) ; nop\n"
                 "/* a , b\n nop  , */\n mpause\n",
                 "\t.text\n_start:   li s1, 3 # three, four\n    lw a1, 0(a0) ; nop\n"
                 "/* a , b\n nop  , */\n    mpause\n"),
                ("b.amx", ".version   M1\n ldx   x=0  addr=16 # c\n.thread 0..1\n set\n",
                 ".version   M1\nldx x=0 addr=0x10 # c\n.thread 0..1\nset\n"),
                ("c.loops", "units   64\n tensor a   f32 8x8 # t\n",
                 "units 64\ntensor a f32 8x8 # t\n"),
                ("d.ventus", ".launch grid 1\r\nvadd.vx   v1 ,v1,t1\r\nendprg\r\n",
                 ".launch grid 1\r\n    vadd.vx v1, v1, t1\r\n    endprg\r\n")]:
            self.client.open("file:///" + name, text)
            edits = self.client.request("textDocument/formatting",
                                        textDocument={"uri": "file:///" + name}, options={})
            self.assertEqual(edits and edits[0]["newText"], wanted)

    def test_formatting_of_a_line(self):
        self.client.open("file:///f.vsm", "  lpassa   $lm0v  $lr0v   # why\n")
        edits = self.client.request("textDocument/formatting",
                                    textDocument={"uri": "file:///f.vsm"}, options={})
        self.assertEqual(edited("  lpassa   $lm0v  $lr0v   # why\n", edits),
                         "lpassa $lm0v $lr0v   # why\n")


LONG = """.launch grid {0}
.launch workgroup 32
.text
li t0, 40000
again:
addi t0, t0, -1
bnez t0, again
endprg
"""


class LongRuns(unittest.TestCase):
    """A run that takes longer than a request may."""

    def hints(self, client, uri):
        return client.request("textDocument/inlayHint", textDocument={"uri": uri},
                              range=whole(LONG))

    def test_cancelled_and_edited(self):
        uri = "file:///long.ventus"
        with Client() as client:
            client.open(uri, LONG.format(64))
            first, second, third = client.number + 1, client.number + 2, client.number + 3
            for number in (first, second, third):
                client.send({"id": number, "method": "textDocument/inlayHint",
                             "params": {"textDocument": {"uri": uri}, "range": whole(LONG)}})
            client.number = third
            client.notify("$/cancelRequest", id=second)
            self.assertEqual(client.wait(second)["error"]["code"], -32800)
            client.change(uri, 2, {"text": "oops\n"})
            self.assertEqual(client.wait(first)["error"]["code"], -32801)
            self.assertEqual(client.wait(third)["error"]["code"], -32801)
            self.assertTrue(client.findings(uri, 2))

    def test_answers_do_not_wait_for_the_end(self):
        uri = "file:///long.ventus"
        with Client(capabilities={"workspace": {"inlayHint": {"refreshSupport": True}}}) as client:
            client.open(uri, LONG.format(64))
            self.assertEqual(self.hints(client, uri), [])
            said = client.request("textDocument/hover", **at(uri, 5, 1))["contents"]["value"]
            self.assertIn("`addi`", said)
            self.assertNotIn("cycle", said)
            self.assertEqual(client.request("takt/status", textDocument={"uri": uri})["state"],
                             "running")

    def test_hints_come_with_the_end(self):
        uri = "file:///long.ventus"
        with Client(capabilities={"workspace": {"inlayHint": {"refreshSupport": True}}}) as client:
            client.open(uri, LONG.format(4))
            self.assertEqual(self.hints(client, uri), [])
            while not any(n.get("method") == "workspace/inlayHint/refresh" for n in client.notes):
                client.notes.append(client.receive())
            told = self.hints(client, uri)
        with Client() as client:
            client.open(uri, LONG.format(4))
            self.assertEqual(self.hints(client, uri), told)
        self.assertEqual([hint["position"]["line"] for hint in told], [3, 5, 6, 7])

    def test_runs_go_on_while_files_come_and_go(self):
        with Client() as client:
            client.open("file:///a.vsm", HAZARD)
            client.open("file:///long.ventus", LONG.format(4))
            client.request("takt/status", textDocument={"uri": "file:///long.ventus"})
            for i in range(40):
                client.open(f"file:///other{i}.vsm", HAZARD)
            client.notify("textDocument/didClose", textDocument={"uri": "file:///a.vsm"})
            self.assertEqual(len(self.hints(client, "file:///long.ventus")), 4)

    def test_shutdown_answers_what_waits(self):
        with Client() as client:
            client.open("file:///l.ventus", LONG.format(64))
            client.number += 1
            client.send({"id": client.number, "method": "textDocument/inlayHint", "params": {
                "textDocument": {"uri": "file:///l.ventus"}, "range": whole(LONG)}})
            waits = client.number
            client.number += 1
            client.send({"id": client.number, "method": "shutdown"})
            self.assertEqual(client.wait(waits)["result"], [])
            self.assertIsNone(client.wait(client.number)["result"])
            client.exit()


class RandomEdits(unittest.TestCase):
    """What is shown after edits is what a fresh session shows of the text that they make."""

    PIECES = ["\n", "nop\n", "nop/3\n", "lpassa $lm0v $lr0v\n", " ", "$lr0v", "# é𝄞\n", "\r", "\r\n",
              "; wait i01", "0", "x", "addi a0, a0, 1\n", "loop:\n", "mvp/n64i01 $p0@0 $lc0@0.0\n",
              "# takt: begin a\n", "# takt: end\n", "\t", "日本", ""]

    def place(self, dice, text):
        lines = text.split("\n")
        return {"line": dice.randrange(len(lines) + (dice.random() < 0.02) * 5),
                "character": dice.randrange(12) if dice.random() < 0.95 else dice.randrange(10**6)}

    def change(self, dice, text):
        if dice.random() < 0.02:
            new = dice.choice(self.texts)
            return {"text": new}, new
        places = sorted((self.place(dice, text) for _ in range(2)),
                        key=lambda p: (p["line"], p["character"]))
        if dice.random() < 0.7:
            places[1] = places[0]
        elif places[1]["line"] > places[0]["line"] + 2:
            places[1] = {"line": places[0]["line"] + 1, "character": 0}
        start, end = (offset(text, p) for p in places)
        piece = dice.choice(self.PIECES)
        return ({"range": {"start": places[0], "end": places[1]}, "text": piece},
                text[:start] + piece + text[end:])

    def test_edits_equal_fresh_texts(self):
        dice = random.Random(43)
        self.texts = [path.read_text()[:4000] for path in EXAMPLES] + ["", HAZARD]
        with Client() as client:
            fresh = 0
            for number, path in enumerate(EXAMPLES):
                text, version = self.texts[number], 1
                uri = f"file:///edited{number}{path.suffix}"
                client.open(uri, text)
                edits = EDITS // len(EXAMPLES) + 1
                while edits > 0:
                    changes = []
                    for _ in range(dice.randrange(1, 4)):
                        change, text = self.change(dice, text)
                        changes.append(change)
                    edits -= len(changes)
                    version += 1
                    client.change(uri, version, *changes)
                    fresh += 1
                    other = f"file:///fresh{fresh}{path.suffix}"
                    client.open(other, text)
                    mine = shown(client, uri, text, version)
                    wanted = shown(client, other, text, 1)
                    wanted = json.loads(json.dumps(wanted).replace(f"/fresh{fresh}.",
                                                                   f"/edited{number}."))
                    wanted[2]["limit"] = wanted[2].get("limit", "").replace(
                        f"fresh{fresh}.", f"edited{number}.")
                    mine[2].setdefault("limit", "")
                    self.assertEqual(list(mine), wanted, (path, text))
                    client.notify("textDocument/didClose", textDocument={"uri": other})
                    client.notes.clear()


class Hostile(unittest.TestCase):
    def test_malformed_messages(self):
        with Client() as client:
            for body, code in ((b"{", -32700), (b"[]", -32600), (b"{}", -32600), (b"\xff\xfe", -32700),
                               (b'{"id":7}', -32600), (b"[" * 5000, -32700), (b"", -32700)):
                client.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                self.assertEqual(client.receive()["error"]["code"], code, body)
            client.raw(b"content-type: x\r\nContent-Length: 2\r\n\r\n{}")
            self.assertIn("error", client.receive())
            for params in (None, [], 3, {"textDocument": 3}, {"textDocument": {"uri": 7}}):
                for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"):
                    client.send({"method": method, "params": params})
                for method in ("textDocument/hover", "textDocument/inlayHint", "takt/status"):
                    client.send({"id": "x", "method": method, "params": params})
                    self.assertIn("error", client.wait("x"))

    def test_half_a_character(self):
        """A client that counts in UTF-16 may change one half of a character."""
        with Client() as client:
            client.open("file:///h.vsm", "# \U0001f600\nnop\n")
            client.findings("file:///h.vsm")
            for version, text in ((2, "\ude01"), (3, "\ud83d"), (4, "\ud83dx \\\\ud83d \U0001f601")):
                place = {"line": 0, "character": 2}
                client.change("file:///h.vsm", version,
                              {"range": {"start": place, "end": place}, "text": text},
                              {"range": {"start": {"line": 1, "character": 0},
                                         "end": {"line": 2, "character": 0}}, "text": "oops\n"})
                self.assertEqual([f["range"]["start"]["line"]
                                  for f in client.findings("file:///h.vsm", version)], [1])
            self.assertFalse(any("error" in note for note in client.notes))

    def test_a_header_without_length_ends_the_session(self):
        client = Client()
        client.raw(b"Hello: 1\r\n\r\n")
        self.assertEqual(client.receive()["error"]["code"], -32700)
        self.assertEqual(client.process.wait(20), 1)
        client.ended = True
        client.end()

    def test_edits_out_of_range(self):
        with Client() as client:
            client.open("file:///a.vsm", "nop\n")
            far, near = {"line": 10**12, "character": 10**15}, {"line": -5, "character": -1}
            for start, end in ((near, far), (far, near), (far, far), ({}, {}), (None, 3)):
                client.change("file:///a.vsm", 2, {"range": {"start": start, "end": end}, "text": "nop\n"})
                client.request("takt/status", textDocument={"uri": "file:///a.vsm"})
            client.change("file:///a.vsm", 3, {"text": 3}, {}, 7)
            client.request("textDocument/inlayHint", textDocument={"uri": "file:///a.vsm"},
                           range={"start": far, "end": near})
            client.request("textDocument/hover", **at("file:///a.vsm", 10**9, 10**9))

    def test_random_bytes(self):
        dice = random.Random(7)
        whole = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(m), m) for m in (
            b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}',
            json.dumps({"method": "textDocument/didOpen", "params": {"textDocument": {
                "uri": "file:///a.vsm", "languageId": "", "text": HAZARD}}}).encode(),
            json.dumps({"id": 2, "method": "textDocument/codeAction", "params": {
                "textDocument": {"uri": "file:///a.vsm"}}}).encode()))
        for _ in range(60):
            data = bytearray(whole)
            for _ in range(dice.randrange(1, 6)):
                data[dice.randrange(len(data))] = dice.randrange(256)
            done = subprocess.run([TAKT, "lsp"], input=bytes(data), capture_output=True, timeout=20)
            self.assertIn(done.returncode, (0, 1), data)

    def test_large_texts(self):
        with Client() as client:
            line = "lpassa $lm0v $lr0v\n"
            client.open("file:///big.vsm", line * (100_000_000 // len(line)))
            found = client.findings("file:///big.vsm")
            self.assertIn("too long", found[0]["message"])
            client.change("file:///big.vsm", 2, {"text": "x" * 1000})
            self.assertTrue(client.findings("file:///big.vsm", 2))
            self.assertEqual(client.request("takt/status", textDocument={"uri": "file:///big.vsm"})
                             ["state"], "errors")


@unittest.skipUnless(os.environ.get("TAKT_LATENCY"), "make bench-latency")
class Latency(unittest.TestCase):
    """An edit until its line times, p99, beside a start of the command: the best of three tries."""

    def say(self, lines, seconds, most):
        starts = []
        for _ in range(20):
            start = time.perf_counter()
            subprocess.run([TAKT, "--help"], stdout=subprocess.DEVNULL, check=True)
            starts.append(time.perf_counter() - start)
        print(f"an edit in {lines} lines, p99: {1000 * seconds:.1f} ms, {seconds / min(starts):.1f} times "
              f"takt --help; wanted at most {1000 * most:.0f} ms")

    def times(self, lines, rounds):
        body = "lpassa $lm0v $lr0v\nnop/2\nlpassa $lr0v $ls0v\nnop/2\n" * (lines // 4)
        uri, found = "file:///l.vsm", []
        with Client() as client:
            client.open(uri, body)
            client.findings(uri)
            place = {"line": 1, "character": 5}
            for i in range(rounds):
                start = time.perf_counter()
                end = {"line": 1, "character": 5 if i == 0 else 6}
                client.change(uri, i + 2, {"range": {"start": place, "end": end}, "text": str(i % 9)})
                client.request("textDocument/inlayHint", textDocument={"uri": uri},
                               range={"start": {"line": 0, "character": 0},
                                      "end": {"line": 60, "character": 0}})
                found.append(time.perf_counter() - start)
        return sorted(found)[int(0.99 * len(found))]

    def hover(self, lines, rounds):
        """An edit, then a hover that says a value."""
        body = "lpassa $lm0v $lr0v\nnop/2\nlpassa $lr0v $ls0v\nnop/2\n" * (lines // 4)
        uri, found = "file:///l.vsm", []
        with Client() as client:
            client.open(uri, body)
            client.findings(uri)
            for i in range(rounds):
                start = time.perf_counter()
                end = {"line": 1, "character": 5 if i == 0 else 6}
                client.change(uri, i + 2, {"range": {"start": {"line": 1, "character": 5}, "end": end},
                                           "text": str(2 + i % 7)})
                said = client.request("textDocument/hover", **at(uri, lines - 2, 8))
                found.append(time.perf_counter() - start)
                self.assertIn("written by line", said["contents"]["value"])
        return sorted(found)[int(0.99 * len(found))]

    def test_hover_of_200_lines(self):
        self.say(200, min(self.hover(200, 100) for _ in range(3)), 0.05)

    def test_200_lines(self):
        self.say(200, min(self.times(200, 200) for _ in range(3)), 0.05)

    def test_20000_lines(self):
        self.say(20000, min(self.times(20000, 20) for _ in range(2)), 1)


if __name__ == "__main__":
    unittest.main()
