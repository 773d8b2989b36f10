"""The attacks of campaign.py: each function runs one round of cases in a fresh folder."""
import json
import os
import shutil
import signal
import sqlite3
import struct
import time

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGQUIT,
           signal.SIGPIPE, signal.SIGALRM, signal.SIGUSR1, signal.SIGXFSZ]
HANDLES = "handles"  # the program of tests/hostile/handles.c
SMALL = {".loops": "examples/loops/dot.loops",
         **{suffix: "tests/hostile/small/p" + suffix
            for suffix in (".vsm", ".amx", ".kelvin", ".ventus")}}
SMALL_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "small")
READERS = [
    ["report"], ["report", "--json"], ["timeline", "--json"], ["timeline", "--statements"],
    ["why", "--json", "issue@100"], ["export", "--format", "perfetto"],
    ["export", "--format", "konata"], ["export", "--format", "html"],
    ["export", "--format", "json"], ["export", "--format", "csv", "--question", "units"],
    ["expect", "cycles<=1000000"], ["diff"], ["query", "SELECT * FROM slice"],
    ["query", "SELECT * FROM v_check"],
]
WORDS = [b"0", b"-1", b"1", b"99999999999999999999", b"0x7fffffff", b"4294967296", b"", b"\x00",
         b"\xff\xfe", b"%s%n", b"1e308", b"nan", b".", b"..", b"-", b"#", b"# takt: begin a",
         b"# takt: end", b"\xe2\x82\xac", b"\t", b"\r", b"a" * 5000, b"(" * 300, b"[" * 300,
         b".rept 1000000000", b".org 0xffffffff", b".align 30", b".macro m", b".endm"]


# --- mutation -------------------------------------------------------------------------------------

def mutated(rng, text, others=(b"",)):
    """The text with a few changes, by bytes, words, lines or pieces of another one."""
    text = bytearray(text)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(text) + 1)
        lines = bytes(text).split(b"\n")
        line = rng.randrange(len(lines))
        kind = rng.randrange(8)
        if kind == 0 and at < len(text):
            text[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del text[at:at + rng.choice((1, 1, 4, 30, 400))]
        elif kind == 2:
            text[at:at] = rng.choice(WORDS)
        elif kind == 3:
            del lines[line]
            text = bytearray(b"\n".join(lines))
        elif kind == 4:
            lines[line:line] = [rng.choice(lines)] * rng.choice((1, 2, 50))
            text = bytearray(b"\n".join(lines))
        elif kind == 5:
            words = lines[line].split(b" ")
            words[rng.randrange(len(words))] = rng.choice(
                WORDS + rng.choice(lines).split(b" "))
            lines[line] = b" ".join(words)
            text = bytearray(b"\n".join(lines))
        elif kind == 6:
            other = rng.choice(others)
            begin = rng.randrange(len(other) + 1)
            text[at:at] = other[begin:begin + rng.choice((5, 50, 500))]
        else:
            numbers = [i for i, byte in enumerate(text) if 48 <= byte < 58]
            if numbers:
                at = rng.choice(numbers)
                text[at:at + 1] = rng.choice((b"0", b"9", b"99999", b"-1", b"64", b"0x"))
    return bytes(text[:200000])


def commands_for(rng, name):
    options = rng.choice(([], [], ["--json"], ["--set", "clock_hz=1"]))
    return rng.choice((
        ["run", name, *rng.choice(([], ["--trace", "t.db"], ["--json", "--hash"],
                                   ["--timing-only"], ["--functional-only"], ["--documented"],
                                   ["--no-run-ahead", "--events", "e"], ["--dump", "d"],
                                   ["--init", "random:3"], ["--interlock"]))],
        ["run", name, *options], ["check", name, *rng.choice(([], ["--json"], ["--werror"]))],
        ["check", name], ["print", name], ["print", "--packed", name], ["bound", name, *options],
        ["deps", name, *options], ["diff", name, name], ["expect", name, "cycles<100"],
        ["why", name, "issue@5"], ["whatif", name, "--free", "1-3"], ["batch", name, "--bounds"],
        ["schedule", name, "--out", "out"], ["advise", name], ["sensitivity", name],
        [HANDLES, name, *rng.choice(([], ["t.db"], ["--better"]))],
    ))


def programs(c):
    """Assembly of every machine, mutated."""
    suffix = c.rng.choice(sorted(c.seeds.programs))
    seeds = c.seeds.programs[suffix]
    name = c.write("p" + suffix, mutated(c.rng, c.rng.choice(seeds), seeds))
    arguments = commands_for(c.rng, name)
    known = len(c.findings)
    result = c.run(arguments)
    if len(c.findings) > known and not result.late:
        what = c.wrong(result)
        c.reduce(c.path(name), arguments, what)
        c.by_library.discard(next(reversed(c.findings)))
        c.findings.pop(next(reversed(c.findings)))
        c.found(what, result, arguments)
    if arguments[0] == "print" and result.code == 0 and "--packed" not in arguments:
        c.write("q" + suffix, result.out)
        if c.run(["check", "q" + suffix]).code not in (0, 1):
            c.found("what print writes is not read again", result, arguments)


def configs(c):
    machine = c.rng.choice(sorted(c.seeds.configs))
    c.write("c.yaml", mutated(c.rng, c.seeds.configs[machine], list(c.seeds.configs.values())))
    suffix = {"mncore2": ".vsm", "amx": ".amx", "loops": ".loops", "kelvin": ".kelvin",
              "ventus": ".ventus"}.get(machine)
    if suffix in c.seeds.programs and c.rng.random() < 0.5:
        c.write("p" + suffix, c.rng.choice(c.seeds.programs[suffix]))
        c.run(["run", "p" + suffix, "--config", "c.yaml", "--timing-only"])
    else:
        c.run(["config", machine, "--config", "c.yaml", *c.rng.choice(([], ["--json"]))])
    key = mutated(c.rng, c.rng.choice(c.seeds.configs[machine].split(b"\n"))).replace(b"\0", b"")
    c.run(["config", machine, "--set", key[:1000].replace(b": ", b"=")])


def cases(c):
    """Launches of files of words, and cases of the judge."""
    if c.rng.random() < 0.5 and c.seeds.cases:
        metadata, data = c.rng.choice(c.seeds.cases)
        which = c.rng.randrange(3)
        c.write("k.metadata", metadata if which == 0 else mutated(c.rng, metadata, [data]))
        c.write("k.data", data if which == 1 else mutated(c.rng, data, [metadata]))
        c.run([*c.rng.choice((["run"], ["run", "--log", "log"], ["check"], ["run", "--json"],
                              ["run", "--functional-only"])), "k.metadata",
               "--max-instructions", "20000"])
        return
    texts = c.seeds.programs[".vsm"]
    c.write("case.vsm", mutated(c.rng, c.seeds.judged[0], texts))
    c.write("answer.vsm", mutated(c.rng, c.rng.choice(c.seeds.judged[1:] + texts), texts))
    c.run(["judge", *c.rng.choice(([], ["--json"], ["--enable-get", "--dirty"],
                                   ["--enable-set"], ["--trace", "t.db"])),
           "case.vsm", "answer.vsm"])


def elf_seed(machine=243):
    code = struct.pack("<4I", 0x000015b7, 0x0005a503, 0x0045a603, 0x08000073)
    header = b"\x7fELF\x01\x01\x01" + bytes(9) + struct.pack(
        "<HHIIIIIHHHHHH", 2, machine, 1, 0x100, 52, 0, 0, 52, 32, 2, 0, 0, 0)
    first = struct.pack("<8I", 1, 116, 0x100, 0x100, 16, 16, 5, 4)
    second = struct.pack("<8I", 1, 132, 0x1000, 0x1000, 4, 8, 6, 4)
    return header + first + second + code + b"\x78\x56\x34\x12"


def elf(c):
    image = bytearray(elf_seed())
    for _ in range(c.rng.choice((1, 1, 2, 6))):
        at = c.rng.randrange(len(image))
        size = c.rng.choice((1, 2, 4))
        value = c.rng.choice((0, 1, 0xff, 0x7fffffff, 0x80000000, 0xffffffff, len(image),
                              c.rng.getrandbits(32)))
        image[at:at + size] = struct.pack("<I", value)[:size]
    c.write("k.elf", bytes(image[:c.rng.choice((len(image), len(image), 20, 60, 120))]))
    c.run([*c.rng.choice((["run"], ["check"], ["bound"], ["print"])), "--machine",
           c.rng.choice(("kelvin", "ventus")), "k.elf"])


def batch(c):
    """JSON lines on standard input."""
    suffix = c.rng.choice(sorted(c.seeds.programs))
    c.write("p" + suffix, c.rng.choice(c.seeds.programs[suffix]))
    lines = []
    for _ in range(c.rng.randrange(1, 6)):
        line = b'{"id": 3, "file": "p%s", "options": {"set": ["clock_hz=1000"], "bounds": true, ' \
            b'"units": true, "documented": false, "init": "zero", "trace": "t.db"}}' \
            % suffix.encode()
        lines.append(mutated(c.rng, line))
    c.run(["batch", "--jobs", c.rng.choice(("1", "2"))], text=b"\n".join(lines))


# --- traces ---------------------------------------------------------------------------------------

def recorded(c, detail=True):
    """A trace of one of the small programs, the same for every attack of a campaign."""
    suffix = c.rng.choice(sorted(SMALL))
    kept = getattr(c, "traces", None)
    if kept is None:
        kept = c.traces = {}
    if suffix not in kept:
        name = c.write("p" + suffix, c.seeds.small[suffix])
        c.run(["run", name, "--quiet", "--trace", "t.db", *(["--detail"] if detail else [])],
              plain=True, codes=(0,))
        answers = {}
        for reader in READERS:
            result = c.run(reader_of(reader, "t.db"), plain=True, judge=False)
            answers[" ".join(reader)] = (result.code, result.out)
        kept[suffix] = (c.whole("t.db"), answers)
        c.fresh()
    return kept[suffix]


def reader_of(reader, trace):
    if reader[0] == "diff":
        return ["diff", trace, trace]
    if reader[0] in ("query", "why", "expect"):
        return [reader[0], *reader[1:-1], trace, reader[-1]]
    return [*reader, trace]


def compare_readers(c, answers, plain=False, readers=2):
    """Each answer is as before, or a sentence."""
    for reader in c.rng.sample(READERS, readers):
        arguments = reader_of(reader, "t.db")
        result = c.run(arguments, plain=plain)
        if result.late or result.code in (1, 2, 3) and (answers[" ".join(reader)][0] == 0 or result.err):
            continue
        if (result.code, result.out) != answers[" ".join(reader)]:
            c.found(f"{reader[0]} answers otherwise from a damaged trace", result, arguments)


def pages(c):
    """A page of a trace overwritten."""
    trace, answers = recorded(c)
    damaged = bytearray(trace)
    page = c.rng.randrange(len(trace) // 4096) * 4096
    kind = c.rng.randrange(4)
    other = c.rng.randrange(len(trace) // 4096) * 4096
    damaged[page:page + 4096] = (bytes(4096), b"\xff" * 4096, c.rng.randbytes(4096),
                                 trace[other:other + 4096])[kind]
    if bytes(damaged) == trace:
        return
    c.write("t.db", bytes(damaged))
    compare_readers(c, answers)


def bits(c):
    trace, answers = recorded(c)
    damaged = bytearray(trace)
    damaged[c.rng.randrange(len(trace))] ^= 1 << c.rng.randrange(8)
    c.write("t.db", bytes(damaged))
    compare_readers(c, answers)


def rows(c):
    """A trace whose rows somebody changed: it is answered or refused, soon and without a crash."""
    trace, _ = recorded(c)
    c.write("t.db", trace)
    with sqlite3.connect(c.path("t.db")) as db:
        tables = [name for name, in db.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
        for _ in range(3):
            table = c.rng.choice(tables)
            column = c.rng.choice(list(db.execute(f"PRAGMA table_info({table})")))[1]
            value = c.rng.choice((None, -1, 0, 1, 2**31, 2**62, -2**63, 1e300, "x", "", b"\xff" * 9,
                                  "\n" * 99))
            try:
                db.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid % ? = 0',
                           (value, c.rng.choice((1, 2, 7))))
            except sqlite3.Error:
                pass
    db.close()
    for reader in c.rng.sample(READERS, 2):
        c.run(reader_of(reader, "t.db"))


# --- files that are written -----------------------------------------------------------------------

OLD = b"what stood there\n"


def writing(c):
    """A command that writes files, and those files, which stood there before."""
    suffix = c.rng.choice(sorted(SMALL))
    text = c.seeds.small[suffix]
    name = c.write("p" + suffix, text)
    save = {".vsm": ["d@0:0+4=s"], ".loops": []}.get(suffix, [])
    run = ["run", name, "--quiet", "--dump", "d", "--events", "e"]
    if save and c.rng.random() < 0.3:
        run += ["--save", *save]
    choice = c.rng.randrange(4)
    if choice == 0:
        return [*run, "--trace", "t.db"], ["d", "e", "t.db"] + (["s"] if "--save" in run else [])
    if choice == 1:
        c.write("t.db", recorded_here(c, name))
        return (["export", "--format", c.rng.choice(("perfetto", "html", "json")), "--output", "x",
                 "t.db"], ["x"])
    if choice == 2:
        return ["diff", name, name, "--html", "x"], ["x"]
    return run, ["d", "e"] + (["s"] if "--save" in run else [])


def recorded_here(c, name):
    c.run(["run", name, "--quiet", "--trace", "t.db"], plain=True, codes=(0,))
    return c.whole("t.db")


def prepared(c):
    """As writing, with old contents, and what an undisturbed run leaves there."""
    arguments, outputs = writing(c)
    good = c.run(arguments, plain=True, judge=False)
    whole = {name: c.read(name) for name in outputs}
    for name in outputs if good.code == 0 else ():
        if name == "t.db":
            os.replace(c.path("t.db"), c.path("old.db"))
            with open(c.path("old.db"), "rb") as file:
                c.write("t.db", file.read())
        else:
            c.write(name, OLD)
    return arguments, outputs, good, whole


def check_outputs(c, outputs, whole, before, result):
    for name in outputs:
        now = c.read(name)
        old = before[name]
        if now != old and now != whole[name]:
            c.found(f"an output is neither what stood there nor whole: exit {result.code}", result)
        if result.code == 0 and now != whole[name]:
            c.found("exit 0, and an output is not what it should be", result)
    left = [n for n in os.listdir(c.folder) if n not in before and not n.endswith(".partial")
            and not n.endswith("-journal") and n not in outputs]
    if left and result.code != -signal.SIGKILL and result.code >= 0:
        c.found("a temporary file is left behind", result)


def kills(c):
    """Every signal, at any time."""
    arguments, outputs, good, whole = prepared(c)
    if good.code != 0:
        c.found("an undisturbed run fails", good)
        return
    before = c.files()
    number = c.rng.choice(SIGNALS)
    process = c.start(arguments, plain=c.rng.random() < 0.7)
    time.sleep(c.rng.choice((0, 0.002, 0.005, 0.01, 0.02, 0.05)) * c.rng.random() * 2)
    process.send_signal(number)
    result = c.finish(process)
    if result.late:
        c.found(f"signal {int(number)} does not end it", result, arguments)
    expected = (0, 130, -int(number))
    if result.code not in expected:
        c.found(f"signal {int(number)}: exit {result.code}", result, arguments)
    check_outputs(c, outputs, whole, before, result)


def disk(c):
    """Files may only have so many bytes; standard output is one of them."""
    arguments, outputs, good, whole = prepared(c)
    if good.code != 0:
        return
    before = c.files()
    largest = max([len(w) for w in whole.values() if w] + [1])
    result = c.run(arguments, plain=True, limit=c.rng.randrange(largest + 2), codes=(0, 3))
    check_outputs(c, outputs, whole, before, result)
    answer = ["report", "config", "print", "check"][c.rng.randrange(1, 4)]
    name = [n for n in os.listdir(c.folder) if n.startswith("p.")][0]
    arguments = ["config", "--json", "amx"] if answer == "config" else [answer, name]
    good = c.run(arguments, plain=True, judge=False)
    if good.out:
        with open(c.path("out"), "wb") as out:
            c.run(arguments, plain=True, limit=c.rng.randrange(len(good.out)), stdout=out,
                  codes=(3,))


def names(c):
    """Two outputs, or an output and an input, that are one file by some name."""
    suffix = c.rng.choice(sorted(SMALL))
    text = c.seeds.small[suffix]
    name = c.write("p" + suffix, text)
    os.mkdir(c.path("sub"))
    os.symlink(name, c.path("soft"))
    os.link(c.path(name), c.path("hard"))
    os.symlink("later", c.path("soon"))
    os.symlink("../later", c.path("sub/soon"))
    os.symlink("sub", c.path("folder"))
    inputs = [name, "soft", "hard", "./" + name, "sub/../" + name, "folder/../" + name]
    absent = ["later", "./later", "soon", "sub/soon", "folder/soon", "sub/../later"]
    option = c.rng.choice(("--trace", "--dump", "--events"))
    result = c.run(["run", "--quiet", name, option, c.rng.choice(inputs)])
    if result.code != 2 or c.read(name) != text:
        c.found(f"{option} writes over the program", result)
    first, second = c.rng.sample(("--trace", "--dump", "--events"), 2)
    result = c.run(["run", "--quiet", name, first, c.rng.choice(absent), second,
                    c.rng.choice(absent)])
    if result.code != 2:
        c.found(f"{first} and {second} of one name are taken", result)
    c.write("x.partial", text)
    c.run(["run", "--quiet", name, "--trace", "x"])
    if c.read("x.partial") != text:
        c.found("a user's x.partial is destroyed")
    for other in (["check", name], ["run", "--quiet", name]):
        c.run(other, codes=(0, 1))


def together(c):
    """Several runs at once, of one name."""
    suffix = c.rng.choice(sorted(SMALL))
    name = c.write("p" + suffix, c.seeds.small[suffix])
    option = c.rng.choice(("--trace", "--dump", "--events"))
    arguments = ["run", "--quiet", name, option, "x"]
    c.run(arguments, plain=True, codes=(0,))
    whole = c.read("x")
    started = [c.start(arguments, plain=c.rng.random() < 0.5) for _ in range(3)]
    readers = [c.start(["report", "x"]) for _ in range(2)] if option == "--trace" else []
    for process in started:
        result = c.finish(process)
        if result.code not in (0, 1) or c.wrong(result):
            c.found(f"runs at once: exit {result.code}", result, arguments)
    for process in readers:
        result = c.finish(process)
        if c.wrong(result, (0, 1)):
            c.found(f"a reader beside writers: {c.wrong(result, (0, 1))}", result)
    if c.read("x") != whole:
        c.found(f"runs at once leave another {option}")


def readers(c):
    """Readers beside somebody who writes to the trace say that it is locked."""
    trace, answers = recorded(c)
    c.write("t.db", trace)
    db = sqlite3.connect(c.path("t.db"), isolation_level=None)
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    db.execute("BEGIN EXCLUSIVE")
    reader = reader_of(c.rng.choice(READERS), "t.db")
    result = c.run(reader, codes=(1, 3))
    if result.code == 1 and b"written" not in result.err and b"lock" not in result.err:
        c.found("a reader beside a writer does not say locked", result)
    db.close()
    compare_readers(c, answers)


# --- calls that fail ------------------------------------------------------------------------------

MACHINES = {".amx": "amx", ".kelvin": "kelvin", ".loops": "loops", ".ventus": "ventus",
            ".vsm": "mncore2"}
SWEEPS = {
    "grid": "programs: [p.loops]\nmachine: loops\ngrid:\n  read_latency: [4, 17]\n",
    "list": "programs: [p.amx]\noptions: {values: [true, false], range: true, limit: true}\n"
            "set: {clock_hz: 1e9}\nlist:\n- {load_latency: 9}\n- {lost_cycles: 9}\n"
            "counters: [flops.single]\nquantities: {twice: 2 * cycles}\nby: twice\n"
            "pareto: [cycles, twice]\n",
    "draw": "programs: [p.vsm]\nchips: [default, chip.yaml]\noptions: {documented: true}\n"
            "draw:\n  points: 4\n  seed: 7\n  parameters:\n    dram_channels: [2, 8]\n"
            "    mv_start_latency: plausible\n"}
REQUESTS = (
    ("initialize", {"capabilities": {}}), ("initialized", None),
    ("textDocument/didOpen", {"textDocument": {"uri": "file:///p.vsm", "languageId": "vsm",
                                               "version": 1, "text": "PROGRAM"}}),
    *((f"textDocument/{name}", {"textDocument": {"uri": "file:///p.vsm"},
                                "position": {"line": 4, "character": 3}, **more})
      for name, more in (("hover", {}), ("definition", {}), ("completion", {}),
                         ("documentSymbol", {}), ("formatting", {"options": {}}),
                         ("references", {"context": {"includeDeclaration": True}}),
                         ("inlayHint", {"range": {"start": {"line": 0, "character": 0},
                                                  "end": {"line": 9, "character": 0}}}),
                         ("codeAction", {"context": {"diagnostics": []},
                                         "range": {"start": {"line": 0, "character": 0},
                                                   "end": {"line": 9, "character": 0}}}))),
    ("shutdown", None), ("exit", None))


def conversation(program):
    """What a client of the language server sends."""
    messages = b""
    for number, (method, params) in enumerate(REQUESTS):
        message = {"jsonrpc": "2.0", "method": method}
        if method not in ("initialized", "textDocument/didOpen", "exit"):
            message["id"] = number
        if params is not None:
            message["params"] = params
        body = json.dumps(message).replace('"PROGRAM"', json.dumps(program)).encode()
        messages += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    return messages


def measured(machine, program):
    """A list of what may be measured of a program. The values are invented."""
    rows = [("cycles", "100", "40"), ("time", "100", "50 %"), ("cycles", "", "1")]
    if program == "move.vsm":
        rows = [("cycles", "400", "40"), ("region moves", "390", "9 %"), ("transfer 4", "", "1"),
                ("between 3 5", "300", "99"), ("events v.csv", "0", "200")]
    return f"machine: {machine}\nmeasurements:\n" + "".join(
        f"- program: {program}\n  quantity: {quantity}\n  value: {value}\n"
        f"  tolerance: {tolerance}\n  source: invented\n" for quantity, value, tolerance in rows)


def application(machine, program):
    return (f"# takt: expect cycles <= 1000000\nmachine: {machine}\nboards: 2\nsteps:\n"
            f"- load: {{bytes: 4096, board: all}}\n- repeat: 2\n  steps:\n  - load: {{bytes: 64}}\n"
            f"    with: next\n  - run: {program}\n    times: 3\n- store: {{bytes: 64, board: 1}}\n")


def failing_files(c):
    """Files of fixed contents for all commands, and what earlier commands make of them."""
    for suffix in sorted(SMALL):
        name = c.write("p" + suffix, c.seeds.small[suffix])
        c.write("l" + suffix + ".yaml", measured(MACHINES[suffix], name).encode())
        c.write("a" + suffix + ".yaml", application(MACHINES[suffix], name).encode())
    for name, text in SWEEPS.items():
        c.write(f"s-{name}.yaml", text.encode())
    with open(os.path.join(SMALL_FOLDER, "move.vsm"), "rb") as file:
        c.write("move.vsm", file.read())
    c.write("l.move.yaml", measured("mncore2", "move.vsm").encode())
    c.write("chip.yaml", b"clock_hz:\n  value: 1e9\n")
    c.write("v.csv", b"cycle,event,stream,place,word\n0,issue,issue,3,0\n"
            b"9,issue,issue,4,0\n200,issue,issue,5,0\n")
    c.write("case.vsm", c.seeds.judged[0])
    c.write("answer.vsm", c.seeds.judged[1])
    c.write("none.vsm", b"dvad $lm0v $lm0v $lr0v\nl1bmm 1\nmvp/n1 $lm0 $lm0\n")
    c.write("hazard.vsm", b"dvadd $lm0v $lm0v $lr0v\ndvadd $lr0v $lm0v $lln8v\n")
    c.write("words", bytes(64))
    for made in (["run", "p.loops", "--quiet", "--detail", "--trace", "t.db"],
                 ["run", "move.vsm", "--quiet", "--detail", "--trace", "u.db"],
                 ["bound", "p.vsm", "--proof", "proof"],
                 ["advise", "--json", "move.vsm"],
                 ["sweep", "s-list.yaml", "--out", "sw", "--engine", "parallel", "--chunk", "3"],
                 ["sweep", "chunk", "sw", "0", "9"],
                 ["sweep", "merge", "sw"]):
        result = c.run(made, plain=True, codes=(0,))
        if made[0] == "advise":
            c.write("advice", result.out)


def failing_commands():
    """Each command on small programs."""
    commands = [["run", "p" + s, *more] for s in sorted(SMALL)
                for more in ([], ["--json", "--trace", "n.db"])]
    commands += [["run", "p.vsm", "--dump", "d", "--events", "e"], ["judge", "case.vsm", "answer.vsm"],
                 ["judge", "--json", "case.vsm", "answer.vsm"], ["config", "--json", "mncore2"],
                 ["config", "amx"], ["batch", "p.loops", "p.amx", "--bounds", "--units", "--path"],
                 ["loops", "64x64"]]
    for command in (["check"], ["check", "--json"], ["print"], ["bound", "--json"],
                    ["deps", "--json"], ["whatif", "--json", "--set", "clock_hz=1e9"],
                    ["sensitivity", "--json"]):
        commands += [[*command, "p" + s] for s in sorted(SMALL)]
    commands += [["expect", "--json", "p" + s, "cycles<=1000000"] for s in sorted(SMALL)]
    commands += [reader_of(reader, "t.db") for reader in READERS]
    commands += [["diff", "--json", "p.loops", "p.loops"], ["diff", "p.vsm", "p.vsm", "--html", "x"]]
    commands += [["advise", "--json", p] for p in ("p.loops", "p.vsm", "p.amx")]  # the slowest
    commands += [["schedule", "--out", "o", p] for p in ("p.loops", "p.vsm", "p.amx")]
    commands += [[HANDLES, "p" + s, *more] for s in sorted(SMALL)
                 for more in (["n.db"], ["--better"], ["--fit"])]
    commands += [["app", "--json", f"a{s}.yaml"] for s in sorted(SMALL)]
    commands += [["app", "a.vsm.yaml", "--trace", "n.db", "--html", "x", "--no-repeat"],
                 ["expect", "a.vsm.yaml", "cycles > 0"]]
    fit = ["fit", "--effort", "1", "--threads", "1"]
    commands += [[*fit, f"l{s}.yaml", "--json", "--out", "o", "--html", "x", "--compromise"]
                 for s in sorted(SMALL)]
    commands += [[*fit, "l.amx.yaml"], [*fit, "l.amx.yaml", "--next", "p.amx"],
                 [*fit, "l.move.yaml", "--next", "p.vsm", "--out", "o", "--html", "x",
                  "--compromise"],
                 ["fit", "--probe", "d-steps-1024"],
                 ["diff", "move.vsm", "v.csv"],
                 ["diff", "--json", "move.vsm", "v.csv"]]
    commands += [["sweep", f"s-{name}.yaml", "--out", "new", "--engine", "parallel"]
                 for name in sorted(SWEEPS)]
    commands += [["sweep", *words, "sw"] for words in (
        ["merge"], ["status", "--json"], ["report"],
        ["report", "--json", "--pareto", "cycles,twice"],
        ["report", "--csv"], ["report", "--html", "x", "--by", "cycles + 1"], ["resume"])]
    commands += [["sweep", "chunk", "sw", "0", "9"]]
    commands += [["check", "--sarif", "o", p] for p in ("none.vsm", "p.kelvin")]
    commands += [[*command, "move.vsm"] for command in (
        ["run", "--json", "--trace", "n.db"], ["bound", "--json"], ["deps", "--json"],
        ["sensitivity"], ["advise"], ["schedule", "--out", "o"], [HANDLES],
        ["whatif", "--free", "4"])]
    commands += [["check", "--fix", "--out", "o", "hazard.vsm"], ["check", "--json", "none.vsm"],
                 ["legalize", "--out", "o", "hazard.vsm"],
                 ["legalize", "--json", "--out", "o", "p.vsm"],
                 ["run", "--interlock", "hazard.vsm"], ["run", "--poison", "p.vsm"],
                 ["run", "--no-run-ahead", "p.vsm", "--load", "p@0:0=words", "--save", "p@0:0+8=o"],
                 ["run", "p.ventus", "--log", "o"], ["run", "p.vsm", "move.vsm", "--hash"],
                 ["bound", "--proof", "o", "p.vsm"], ["certify", "p.vsm", "proof"],
                 ["bound", "--search", "1", "p.amx"], ["bound", "--region", "all", "p.vsm"],
                 ["profile", "p.kelvin"], ["profile", "--json", "p.ventus"], ["explain"],
                 ["explain", "LIMIT"], ["explain", "--json", "idle"],
                 ["sensitivity", "p.kelvin"], ["deps", "p.vsm"], ["whatif", "--free", "5", "p.vsm"],
                 ["whatif", "--speed", "lm=2", "p.vsm"], ["bound", "p.kelvin"],
                 ["advise", "p.vsm", "--apply", "o", "--sarif", "x"],
                 ["schedule", "--rename", "--tags", "--json", "--out", "o", "p.vsm"],
                 ["schedule", "--loop", "all", "p.vsm"], ["schedule", "--out", "o", "p.kelvin"],
                 ["batch", "p.vsm", "p.kelvin", "--best", "1", "--equal-to", "p.vsm"],
                 ["batch", "p.vsm", "none.vsm", "--junit", "o"],
                 ["batch", "p.ventus", "--range", "--statements", "--transfers", "--counters",
                  "--limit", "--diagnostics", "--values", "--dump", "--hash"],
                 ["expect", "p.vsm", "--junit", "o", "--sarif", "x", "--baseline", "p.vsm",
                  "util(lm0) > 2", "bound(this-order) > 0", "gap(any-order) < 100%", "slack(5) > 9",
                  "values == baseline", "wait(port) > 9", "cycles(all) > 9"],
                 ["report", "p.vsm", "nops"], ["report", "--region", "all", "p.vsm"],
                 ["value", "p.vsm", "$ln8n0c0b0m0p0@40"], ["value", "u.db", "$p1024n0@40"],
                 ["why", "u.db", "issue@20"],
                 ["timeline", "u.db"], ["diff", "--json", "p.vsm", "move.vsm"],
                 ["lsp"]]
    for question in ("units", "stalls", "transfers", "statements", "bandwidth", "roofline",
                     "windows", "tags", "hazards", "assumed", "critical", "bounds", "regions",
                     "loops", "nops"):
        commands += [["report", "--json", "u.db", question]]
    commands += [["export", "--format", f, "u.db"]
                 for f in ("speedscope", "perfetto-proto", "folded", "callgrind", "html")]
    commands += [["export", "--format", "csv", "--output", "new", "u.db"],
                 ["export", "--format", "html", "--advice", "advice", "--output", "x", "u.db"]]
    return commands


def failing(c, kind):
    """The n-th call of a kind, or the first from the n-th place of the program, fails: exit 3 and a
    sentence, or the same bytes. With --places the places of earlier commands are left out."""
    commands = failing_commands()
    command = commands[c.rounds % len(commands)]
    c.rounds += 1
    c.done = c.options.places and c.rounds == len(commands)
    failing_files(c)
    outputs = ("n.db", "d", "e", "o", "x", "sw/sweep.db")
    text = conversation(c.seeds.small[".vsm"].decode()) if command == ["lsp"] else None
    seen = c.folder + (".handles" if command[0] == HANDLES else ".takt")
    places = {"FAIL_PLACES": "1"}
    if c.options.places:
        places["FAIL_SEEN"] = seen

    def attempt(n):
        for name in (*outputs, "n.db.partial"):  # which stays where it cannot be renamed
            if os.path.lexists(c.path(name)):
                os.unlink(c.path(name))
        shutil.rmtree(c.path("new"), ignore_errors=True)
        if command[:2] == ["sweep", "chunk"]:
            for name in os.listdir(c.path("sw/chunks")):
                os.unlink(c.path(f"sw/chunks/{name}"))
        return c.run(command, text, plain=True, judge=False, environment={
            "LD_PRELOAD": c.options.fail, "FAIL_KIND": kind, "FAIL_AT": str(n),
            "FAIL_COUNT": c.path("count"), **({} if c.options.all else places)})

    good = attempt(0)
    whole = {name: c.read(name) for name in outputs}
    count = int(c.read("count") or b"0")
    again = attempt(0)
    if (again.out, again.code) != (good.out, good.code):
        return  # not repeatable, so there is nothing to hold it against
    if c.options.places:
        with open(seen + ".new", "rb") as new:
            found = new.read()
    most = count if c.options.all or c.options.places else 60
    for n in (range(1, count + 1) if count <= most else
              sorted(c.rng.sample(range(1, count + 1), most))):
        result = attempt(n)
        same = (result.code, result.out) == (good.code, good.out) and all(
            c.read(name) == whole[name] for name in outputs)
        if result.code == 3 and result.err.strip():
            # A trace that is whole but for what was still to be said of it is one. JUnit says
            # that the command ended early.
            said = ["n.db", *(b for a, b in zip(command, command[1:]) if a == "--junit")]
            if any(c.read(name) not in (None, whole[name]) for name in outputs if name not in said):
                c.found(f"{kind}: {command[0]} leaves half a file", result,
                        [f"FAIL_AT={n}", *command])
        elif not same:
            other = ["what it prints"] if result.out != good.out else []
            other += [name for name in outputs if c.read(name) != whole[name]]
            c.found(f"{kind}: {' '.join(a for a in command if '.' not in a)} ends with "
                    f"{result.code}, undisturbed with {good.code}; other: {' '.join(other)}", result,
                    [f"FAIL_AT={n}", *command])
    if c.options.places:
        with open(seen, "ab") as file:
            file.write(found)


def memory(c):
    failing(c, "memory")


def sqlite(c):
    failing(c, "sqlite")


def writes(c):
    failing(c, "write")


# --- queries --------------------------------------------------------------------------------------

def queries(c):
    trace, _ = recorded(c)
    c.write("t.db", trace)
    functions = ["abs", "hex", "zeroblob", "randomblob", "printf", "replace", "instr", "like",
                 "glob", "group_concat", "json", "json_group_array", "fts3_tokenizer", "quote",
                 "load_extension", "trim", "substr", "unicode", "char", "sum", "total", "upper",
                 "writefile", "readfile", "edit", "sqlite_compileoption_get", "strftime", "likely"]

    def term(depth):
        kind = c.rng.randrange(6)
        if depth == 0 or kind == 0:
            return c.rng.choice(("1", "'a'", "x'00'", "NULL", "1e300", "-9223372036854775808",
                                 "dur", "name", "zeroblob(100000000)", "9999999999"))
        if kind == 1:
            return f"({term(depth - 1)} {c.rng.choice(('+', '||', '*', 'LIKE', '<', 'GLOB'))} " \
                   f"{term(depth - 1)})"
        count = c.rng.randrange(4)
        return f"{c.rng.choice(functions)}({', '.join(term(depth - 1) for _ in range(count))})"

    sql = f"SELECT {term(4)} FROM {c.rng.choice(('slice', 'stmt', 'meta', 'slice a, slice b'))}"
    if c.rng.random() < 0.3:
        sql = mutated(c.rng, sql.encode()).replace(b"\0", b"").decode("latin-1")
    sql = sql[:60000]  # of what one argument may have
    start = time.monotonic()
    result = c.run(["query", "--seconds", "1", "t.db", sql])
    if time.monotonic() - start > 16:
        c.found("--seconds does not hold", result)


ATTACKS = {attack.__name__: attack for attack in (
    programs, configs, cases, elf, batch, pages, bits, rows, kills, disk, names, together, readers,
    memory, sqlite, writes, queries)}
