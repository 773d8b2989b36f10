"""Runs and their results, and the calls that a user makes first."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass, replace
from typing import Any, Iterable, Mapping

from . import _better
from ._better import Advice, Diff, Loop, Proof, Schedule
from ._library import (
    HostError,
    KeywordError,
    UsageError,
    bytes_of,
    check as check_status,
    ffi,
    index_of,
    lib,
    named,
    pairs,
    path_of,
    public,
    seconds_of,
    shown,
    text_of,
    whole,
    word_of,
)
from ._program import (
    Findings,
    MachineHandle,
    Program,
    ProgramError,
    Text,
    machine_name,
    many,
    open_machine,
    shared_machine,
)
from ._table import fields, structs, table, values

_BUDGET = 1 << 20  # of work, until Python looks for signals again
_CHEAP = lib.TAKT_STATEMENTS | lib.TAKT_TRANSFERS | lib.TAKT_PATH


@dataclass(frozen=True)
class Place:
    """A statement that a verdict names."""

    file: str
    line: int
    tag: str | None
    """Of a transfer."""


@dataclass(frozen=True)
class Verdict:
    """What limits a run: LIMIT on the first screen of `takt run`."""

    text: str
    kind: str
    """"resource", "transfer", "issue", "latency" or a machine's own; "" where nothing is done."""
    unit: str | None
    """That limits."""
    busy: float
    """Share of the unit, 0 to 1."""
    share: float
    """Of the critical path that counts for the kind, 0 to 1."""
    lines: tuple[Place, ...]
    cause: str | None = None
    """What these cycles are due to: "nop", "chain", "rate" or another reason."""

    def __str__(self) -> str:
        return shown(self.text)


@dataclass(frozen=True)
class Expectation:
    """One comparison, as `takt expect` takes it, and what the run has."""

    text: str
    holds: bool
    value: float
    limit: float
    exact: bool
    """Else the value is at least so great."""

    def __bool__(self) -> bool:
        return self.holds


@dataclass(frozen=True)
class _Plan:
    """What is to be run; the same plan gives the same answer whenever it is run."""

    program: Program
    flags: int
    load: Mapping[str, Any]
    init: str | None
    threads: int

    def run(self, extra: int, trace: str | None = None) -> Any:
        """A handle of a run that is done."""
        error = ffi.new("struct takt_error *")
        handle = ffi.new("struct takt_run **")
        init = ffi.NULL if self.init is None else ffi.new("char[]", word_of("init", self.init))
        path = ffi.NULL if trace is None else ffi.new("char[]", word_of("trace", trace))
        options = ffi.new("struct takt_options *")
        options.size = ffi.sizeof("struct takt_options")
        options.flags = self.flags | extra
        options.threads, options.init, options.trace = self.threads, init, path
        self._check(lib.takt_run_open(handle, self.program.handle, options, error), error)
        run = ffi.gc(handle[0], lib.takt_run_close)
        for place, given in self.load.items():
            words = _words(given)
            count = len(words)
            self._check(lib.takt_run_put(run, word_of("load", place), words, count, error), error)
        status = lib.TAKT_MORE
        while status == lib.TAKT_MORE:
            status = lib.takt_run_advance(run, _BUDGET, error)
        self._check(status, error)
        return run

    def _check(self, status: int, error: Any) -> None:
        if status == lib.TAKT_INPUT and error.line:
            raise self.program.fault(error)
        check_status(status, error)


def _kept(given: Any) -> Any:
    """A copy, which does not change before the last run of a plan."""
    try:
        return bytes(memoryview(given))
    except TypeError:
        if not isinstance(given, Iterable):
            raise UsageError(f"load takes numbers or bytes, not {named(given)}") from None
    try:
        return tuple(map(index_of, tuple(given)))
    except (MemoryError, OverflowError) as why:
        raise HostError("out of memory for what load takes") from why


def _words(given: Any) -> Any:
    """Numbers, or what lies in memory as 64-bit words."""
    try:
        view = memoryview(given)
    except TypeError:
        try:
            return ffi.new("uint64_t[]", list(given))
        except (OverflowError, TypeError) as why:
            raise UsageError(f"load takes whole numbers below 2^64: {why}") from why
    if view.nbytes % 8:
        raise UsageError("words have 64 bits: the bytes are no multiple of 8")
    return ffi.from_buffer("uint64_t[]", view)


class Result:
    """A run that is done.

    Totals, rows of units, statements and transfers and the critical path come with the run. What
    costs more than a run is found on first use, by another run of the same program: low, high and
    parameters (a few runs), verdict, bounds and findings. A result that was pickled has its totals;
    all else is found on first use, with the same answer.
    """

    def __init__(self, plan: _Plan, trace: str | None, detail: bool) -> None:
        self._plan = plan
        self._done = plan.run(_CHEAP | (lib.TAKT_DETAIL if detail else 0), trace)
        self._others: dict[int, Any] = {}
        totals = lib.takt_run_totals(self._done)
        self._totals = {name: getattr(totals, name) for name in fields("takt_totals")}
        self.trace = trace
        """File of the trace, or None."""

    @property
    def _run(self) -> Any:
        if self._done is None:
            self._done = self._plan.run(_CHEAP)
        return self._done

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_done": None, "_others": {}}

    def _with(self, flag: int) -> Any:
        """A run that was asked for this, too."""
        if flag not in self._others:
            self._others[flag] = self._plan.run(flag)
        return self._others[flag]

    @staticmethod
    def _table(struct: str, get: Any, run: Any, **rename: str) -> Any:
        names = [name for name in fields(struct) if not name.endswith("_count")]
        rows = structs(struct, get, run)
        columns = [rename.get(name, name) for name in names]
        return table(columns, (values(row, names) for row in rows))

    # --- totals

    @property
    def program(self) -> str:
        """Name of the program's first file."""
        return self._plan.program.name

    @property
    def findings(self) -> Findings:
        """Warnings and notes about the program, and what a run itself warns of."""
        program = self._plan.program
        found = Findings(program.findings + program.warned(self._with(lib.TAKT_WARNINGS)))
        found.left_out = program.findings.left_out
        return found

    @property
    def cycles(self) -> int:
        return int(self._totals["cycles"])

    @property
    def cycles_documented(self) -> int:
        """With every assumed or inferred number at its most optimistic value."""
        return int(self._totals["cycles_documented"])

    @property
    def clock_hz(self) -> float:
        return float(self._totals["clock_hz"])

    @property
    def seconds(self) -> float:
        return self.cycles / self.clock_hz

    @property
    def events(self) -> int:
        """That the simulation handled."""
        return int(self._totals["events"])

    @property
    def low(self) -> int | None:
        """The lowest total over the plausible ranges of unpublished numbers, if there are any."""
        totals = lib.takt_run_totals(self._with(lib.TAKT_RANGE))
        return int(totals.range_low) if totals.has_range else None

    @property
    def high(self) -> int | None:
        """The highest."""
        totals = lib.takt_run_totals(self._with(lib.TAKT_RANGE))
        return int(totals.range_high) if totals.has_range else None

    @property
    def verdict(self) -> Verdict:
        """What limits the run."""
        found = lib.takt_run_verdict(self._with(lib.TAKT_VERDICT))
        rows = (found.lines[i] for i in range(found.line_count))
        lines = (Place(text_of(r.file) or "", r.line, text_of(r.tag)) for r in rows)
        text, kind = text_of(found.text) or "", text_of(found.kind) or ""
        unit, cause = text_of(found.unit), text_of(found.cause)
        return Verdict(text, kind, unit, found.busy, found.share, tuple(lines), cause)

    @public
    def bound(self, of: str = "any-order") -> int | None:
        """The largest proven lower bound of a class: "this-order", "any-order" or "free-places"."""
        rows = structs("takt_bound", lib.takt_run_bounds, self._with(lib.TAKT_BOUNDS))
        return _better.largest(of, ((text_of(row.class_name), row.cycles) for row in rows))

    # --- tables

    @property
    def units(self) -> Any:
        """Cycles of each unit: busy, waiting, idle."""
        return self._table("takt_unit", lib.takt_run_units, self._run, name="unit")

    @property
    def reasons(self) -> Any:
        """Cycles of each unit by reason; those of a unit add up to the total."""
        rows = structs("takt_unit", lib.takt_run_units, self._run)
        shares = ((unit, unit.reasons[i]) for unit in rows for i in range(unit.reason_count))
        return table(
            ["unit", "reason", "cycles"],
            ([text_of(unit.name), text_of(share.name), share.cycles] for unit, share in shares),
        )

    @property
    def statements(self) -> Any:
        """What each statement did in each unit, for each reason."""
        return self._table("takt_statement", lib.takt_run_statements, self._run)

    @property
    def transfers(self) -> Any:
        """Each transfer, in order of issue; behind the common columns those of the machine."""
        names = [name for name in fields("takt_transfer") if name != "attribute_count"]
        rows = structs("takt_transfer", lib.takt_run_transfers, self._run)
        count = rows[0].attribute_count if rows else 0
        own = [text_of(rows[0].attributes[i].name) or "" for i in range(count)]
        return table(
            ["tag_name" if name == "tag" else name for name in names] + own,
            (values(r, names) + [r.attributes[i].value for i in range(count)] for r in rows),
        )

    @property
    def path(self) -> Any:
        """The critical path: steps in order of time that add up to the total."""
        return self._table("takt_step", lib.takt_run_path, self._run)

    @property
    def counters(self) -> Any:
        """What the machine counts."""
        return self._table("takt_counter", lib.takt_run_counters, self._run)

    @property
    def bounds(self) -> Any:
        """Proven lower bounds."""
        run = self._with(lib.TAKT_BOUNDS)
        return self._table("takt_bound", lib.takt_run_bounds, run, class_name="class")

    @property
    def dependences(self) -> Any:
        """Pairs of executions, the second of which must come behind the first, with their slack."""
        run = self._with(lib.TAKT_DEPENDENCES)
        names = [name for name in fields("takt_dependence") if name != "has_slack"]
        rows = structs("takt_dependence", lib.takt_run_dependences, run)
        at = names.index("slack")
        known = ((row, values(row, names)) for row in rows)
        return table(
            names, (v if row.has_slack else v[:at] + [None] + v[at + 1 :] for row, v in known)
        )

    @property
    def slacks(self) -> Any:
        """How much later each statement could issue without a later end."""
        return self._table("takt_slack", lib.takt_run_slacks, self._with(lib.TAKT_DEPENDENCES))

    @public
    def expect(self, text: str) -> Expectation:
        """Whether the run is as expected, as in expect("cycles <= 1400"); `takt expect --help`."""
        word = word_of("text", text)
        name = (word.replace(b"(", b" ").split() or [b""])[0].decode("utf-8", "replace")
        flag = {
            "bound": lib.TAKT_BOUNDS,
            "gap": lib.TAKT_BOUNDS,
            "slack": lib.TAKT_DEPENDENCES,
            "warnings": lib.TAKT_WARNINGS,
            "removable.steps": lib.TAKT_WARNINGS,
            "removable.cycles": lib.TAKT_WARNINGS,
            "cycles": lib.TAKT_REGIONS if b"(" in word else 0,
        }.get(name, 0)
        error = ffi.new("struct takt_error *")
        found = ffi.new("struct takt_expectation *")
        run = self._with(flag) if flag else self._run
        check_status(lib.takt_run_expect(run, word, found, error), error)
        return Expectation(text, bool(found.holds), found.value, found.limit, bool(found.exact))

    @property
    def parameters(self) -> Any:
        """What each unpublished number is worth: totals at both ends of its plausible range."""
        return self._table("takt_parameter", lib.takt_run_parameters, self._with(lib.TAKT_RANGE))

    @property
    def sensitivity(self) -> Any:
        """What `takt sensitivity` prints: parameters with their provenance, least and greatest."""
        run = self._with(lib.TAKT_RANGE)
        return self._table("takt_sensitivity", lib.takt_run_sensitivity, run)

    # --- proofs and comparisons

    @public
    def prove(self, region: str | None = None) -> Proof:
        """Proven lower bounds with certificates: of the run, or of one region as a program."""
        flags = lib.TAKT_BOUNDS | (lib.TAKT_REGIONS if region is not None else 0)
        word = None if region is None else word_of("region", region)
        return _better.prove(self._with(flags), word)

    @public
    def diff(self, other: Result) -> Diff:
        """Where the other run is faster or slower than this one, as `takt diff`."""
        if not isinstance(other, Result):
            raise UsageError(f"other takes a Result, not {named(other)}")
        return _better.compare(self._with(lib.TAKT_DIFF), other._with(lib.TAKT_DIFF))

    # --- changes

    @public
    def without(self, lines: str) -> Result:
        """The run without the statements in these lines, "12-20" or "NAME:12".

        As `takt whatif --free`: rules of time that the rest breaks then are findings of severity
        "error", which do not keep it from running.
        """
        program = self._plan.program
        changed = program.changed(program.without(self._run, lines), self._plan, lines)
        return Result(replace(self._plan, program=changed), None, False)

    # --- values

    def _need_values(self) -> None:
        if not self._plan.flags & lib.TAKT_VALUES:
            raise UsageError("a run without values=True has none")

    @public
    def values(self, place: str, count: int) -> list[int]:
        """So many 64-bit words from a place, as SPEC of `takt run --save`."""
        self._need_values()
        error = ffi.new("struct takt_error *")
        place_word, number = word_of("place", place), whole("count", count, 60)
        try:
            words = ffi.new("uint64_t[]", number)
        except (MemoryError, OverflowError) as why:
            raise HostError(f"out of memory for {number} words") from why
        check_status(lib.takt_run_get(self._run, place_word, words, number, error), error)
        return list(words)

    @property
    def dump(self) -> str:
        """What the program has printed."""
        self._need_values()
        return text_of(lib.takt_run_dump(self._run, ffi.NULL)) or ""

    @property
    def state(self) -> str:
        """Hash of the final state, 16 hex digits."""
        self._need_values()
        return f"{lib.takt_run_state(self._run):016x}"

    # --- for people

    def __repr__(self) -> str:
        return f"<takt.Result {shown(self.program)}: {self.cycles:,} cycles>"

    def _busiest(self, most: int) -> list[tuple[str, float]]:
        """Names and busy shares, in percent; units that do the same share a row."""
        rows = structs("takt_unit", lib.takt_run_units, self._run)
        alike: dict[Any, list[str]] = {}
        for unit in sorted(rows, key=lambda unit: -int(unit.busy)):
            key = (-unit.busy, unit.waiting, text_of(unit.kind))
            alike.setdefault(key, []).append(text_of(unit.name) or "")
        return [
            (names[0] + (f" x{len(names)}" if len(names) > 1 else ""), 100 * -key[0] / self.cycles)
            for key, names in sorted(alike.items())[:most]
            if key[0]
        ]

    def _repr_html_(self) -> str:
        facts = [("cycles", f"{self.cycles:,} ({self.seconds * 1e6:.6g} us)")]
        if self.low is not None:
            facts.append(("uncertain", f"{self.low:,} to {self.high:,}"))
        facts.append(("limit", self.verdict.text))
        bounds = ((of, self.bound(of)) for of in ("this-order", "any-order"))
        known = [f"{of} {cycles:,}" for of, cycles in bounds if cycles is not None]
        facts += [("floor", ", ".join(known))] if known else []
        lines = "".join(
            f"<tr><th style='text-align:left'>{key}</th>"
            f"<td style='text-align:left' colspan=2>{html.escape(shown(text))}</td></tr>"
            for key, text in facts
        )
        for name, share in self._busiest(12):
            lines += (
                f"<tr><td style='text-align:left'>{html.escape(name)}</td>"
                f"<td>{share:.1f} %</td><td style='min-width:12em'>"
                f"<div style='width:{share:.1f}%;height:.8em;background:#4878a8'></div></td></tr>"
            )
        return f"<table><caption>{html.escape(shown(self.program))}</caption>{lines}</table>"


class Machine:
    """A machine with parameters and options, which many programs and threads may share.

    name      as `takt --help` lists machines; None: the first of them
    set       parameters, {"key": value}; `takt config NAME` lists them
    config    texts of configuration files, or their Paths, laid over the machine's own before `set`
    silence   names of warnings to drop; "all" drops every one
    speed     units that are so many times as fast, {"unit": factor}, as `takt whatif --speed`
    options   of `takt run` and `takt check` for this machine alone, as keywords: NAME="VALUE",
              or NAME=True where it takes none
    """

    @public
    def __init__(
        self,
        name: str | None = None,
        *,
        set: Mapping[str, object] | None = None,
        config: Text | Iterable[Text] | None = None,
        silence: str | Iterable[str] = (),
        speed: Mapping[str, float] | None = None,
        **options: str | int,
    ) -> None:
        self._handle = open_machine(name, set, config, silence, options, speed)

    @property
    def name(self) -> str:
        return text_of(lib.takt_machine_name(self._handle.handle)) or ""

    def __repr__(self) -> str:
        return f"<takt.Machine {self.name}>"


def as_made(
    machine: Machine, setup: Mapping[str, Any], options: Mapping[str, Any]
) -> MachineHandle:
    """The handle of a Machine, which takes no settings."""
    given = [key for key, value in setup.items() if value]
    if given or options:
        kind = KeywordError if options else UsageError
        raise kind(f"{', '.join([*given, *options])}: a Machine is set up when it is made")
    return machine._handle


def _open(
    program: Text | Iterable[Text],
    machine: Machine | str | None,
    name: str | None,
    setup: dict[str, Any],
    options: dict[str, str | int],
    judge: str = "takt_program_open",
) -> Program:
    programs = many("program", program)
    if isinstance(machine, Machine):
        return Program(as_made(machine, setup, options), programs, name, judge)
    chosen = machine_name(programs, name) if machine is None else machine
    return Program(shared_machine(chosen, **setup, options=options), programs, name, judge)


def _legal(program: Program) -> Program:
    if not program.legal:
        raise ProgramError(program.findings)
    return program


@public
def check(
    program: Text | Iterable[Text],
    machine: Machine | str | None = None,
    *,
    name: str | None = None,
    set: Mapping[str, object] | None = None,
    config: Text | Iterable[Text] | None = None,
    silence: str | Iterable[str] = (),
    **options: str | int,
) -> Findings:
    """Every rule of the language and of time, without a run; nothing is raised for a bad program.

    As `takt check`, a statement that always fails when executed is an error. Arguments are as of
    run. With removable=True nops that could go are noted, where the machine has that option.
    """
    setup = {"set": set, "config": config, "silence": silence}
    return _open(program, machine, name, setup, options, "takt_program_check").findings


@public
def advise(
    program: Text,
    machine: Machine | str | None = None,
    *,
    name: str | None = None,
    set: Mapping[str, object] | None = None,
    config: Text | Iterable[Text] | None = None,
    silence: str | Iterable[str] = (),
    seconds: float | None = None,
    **options: str | int,
) -> Advice:
    """What makes a program faster, as `takt advise`: each item was checked, run and compared.

    seconds: look so long at most, and longer than without; how far that is depends on the host.
    Other arguments are as of run.
    """
    setup = {"set": set, "config": config, "silence": silence}
    opened = _legal(_open(program, machine, name, setup, options))
    return _better.advise(opened, seconds_of(seconds))


@public
def schedule(
    program: Text,
    machine: Machine | str | None = None,
    *,
    name: str | None = None,
    set: Mapping[str, object] | None = None,
    config: Text | Iterable[Text] | None = None,
    silence: str | Iterable[str] = (),
    tags: bool = False,
    rename: bool = False,
    seconds: float | None = None,
    **options: str | int,
) -> Schedule:
    """The program in a better order with the same values, as `takt schedule`.

    tags: transfers that no wait keeps in order get tags, and the first access waits. rename: values
    may have other registers and addresses. seconds: as of advise. Other arguments are as of run.
    """
    setup = {"set": set, "config": config, "silence": silence}
    opened = _legal(_open(program, machine, name, setup, options))
    return _better.schedule(opened, bool(tags), bool(rename), seconds_of(seconds))


@public
def loop(
    program: Text,
    region: str,
    machine: Machine | str | None = None,
    *,
    name: str | None = None,
    set: Mapping[str, object] | None = None,
    config: Text | Iterable[Text] | None = None,
    silence: str | Iterable[str] = (),
    tags: bool = False,
    seconds: float | None = None,
    **options: str | int,
) -> Loop:
    """The turns of a loop overlapped, as `takt schedule --loop`: region is its `# takt: begin`.

    Other arguments are as of schedule.
    """
    setup = {"set": set, "config": config, "silence": silence}
    opened = _legal(_open(program, machine, name, setup, options))
    return _better.loop(opened, word_of("region", region), bool(tags), seconds_of(seconds))


@public
def run(
    program: Text | Iterable[Text],
    machine: Machine | str | None = None,
    *,
    name: str | None = None,
    set: Mapping[str, object] | None = None,
    config: Text | Iterable[Text] | None = None,
    silence: str | Iterable[str] = (),
    values: bool = False,
    load: Mapping[str, Iterable[int]] | None = None,
    init: str | None = None,
    threads: int | None = None,
    documented: bool = False,
    trace: str | os.PathLike[str] | None = None,
    detail: bool = False,
    **options: str | int,
) -> Result:
    """Time a program.

    program     its text (str, bytes), the Path of its file, or a list of them, run in that order
    machine     a Machine, or the name of one; None: by the extension of the file or of `name`, else
                the first that `takt --help` lists
    name        of a text, for findings
    set, config, silence, options
                as of Machine
    values      compute values, too; without it, time alone
    load        64-bit words into memories before the run: {place: numbers, or bytes}; places as
                SPEC of `takt run --load`. This, init and threads imply values.
    init        memories start as "zero", "pattern" or "random:SEED"
    threads     for values; results do not depend on it
    documented  every assumed or inferred number at its most optimistic value
    trace       file to write a trace to; takt.open reads it
    detail      of a trace: intervals, too

    Raises ProgramError for a program at fault, InputError for a parameter, UsageError for a call.
    """
    setup = {"set": set, "config": config, "silence": silence}
    opened = _legal(_open(program, machine, name, setup, options))
    wanted = values or load is not None or init is not None or threads is not None
    flags = (lib.TAKT_VALUES if wanted else 0) | (lib.TAKT_DOCUMENTED if documented else 0)
    words = {place: _kept(given) for place, given in pairs("load", load)}
    plan = _Plan(opened, flags, words, init, whole("threads", threads or 0, 32))
    return Result(plan, None if trace is None else path_of("trace", trace), detail)
