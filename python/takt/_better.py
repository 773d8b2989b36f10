"""Answers that are more than rows of one run: proofs, differences, advice, schedules."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Iterable

from ._library import UsageError, check as check_status, ffi, lib, named, public, text_of
from ._program import Program
from ._table import table


_CLASSES = ("this-order", "any-order", "free-places")


def largest(of: str, bounds: Iterable[tuple[str | None, int]]) -> int | None:
    """The largest bound of a class, of pairs of class and cycles."""
    if of not in _CLASSES:
        raise UsageError(f"of takes one of {', '.join(_CLASSES)}, not {named(of)}")
    return max((int(cycles) for name, cycles in bounds if name == of), default=None)


@dataclass(frozen=True)
class Proof:
    """What is proven of a run or a region, as `takt bound` says it."""

    cycles: int
    """Of the run; of a region from its first start to the end of all."""
    bounds: Any
    """A table of class, kind, unit, cycles, certificate (JSON as in docs/json.md)."""
    text: str
    """The bounds with all that they rest on, for `takt certify`."""

    @public
    def bound(self, of: str = "any-order") -> int | None:
        """The largest bound of a class."""
        return largest(of, zip(self.bounds["class"], self.bounds["cycles"]))


@dataclass(frozen=True)
class Diff:
    """Where two runs differ, as `takt diff` says it."""

    cycles: tuple[int, int]
    difference: int
    same: int
    moved: int
    changed: int
    added: int
    removed: int
    equal: bool | None
    """Whether the final states are equal; None where a run has no values."""
    diverging: int | None
    """The first cycle in which the streams do not do the same."""
    terms: Any
    """A table; its cycles add up to the difference."""
    parameters: Any
    """A table of the parameters that are not the same."""


@dataclass(frozen=True)
class Item:
    """One thing that makes a program faster; a finding is for people to decide."""

    kind: str
    sentence: str
    line: int
    """Of the program as written, or 0: of a line that came later."""
    current: int
    """Of the program before this item."""
    before: int
    after: int
    finding: bool
    dumps_only: bool
    """The dumps are equal, the state is not."""
    edits: tuple[tuple[int, str | None], ...]
    """Lines of the program before this item and what they become; None: the line goes."""


@dataclass(frozen=True)
class Advice:
    """What makes a program faster, as `takt advise` says it."""

    cycles: tuple[int, int]
    items: tuple[Item, ...]
    tried: int
    stopped: bool
    complete: bool
    """There was nothing more to try."""
    equal: str
    """The starts of memories with which values were compared."""
    text: str
    """The program with all items that are no findings."""


@dataclass(frozen=True)
class Schedule:
    """A better order of the statements with the same values, as `takt schedule` finds it."""

    cycles: tuple[int, int]
    bound: int | None
    """No order with the same places takes fewer cycles."""
    kept: bool
    """It stays as written."""
    optimal: bool
    stopped: bool
    reason: str
    """Why it was kept, or why it is optimal."""
    pieces: int
    tries: int
    equal: str
    """As of Advice."""
    pairs: Any
    """A table of transfers and accesses to the same places that no wait keeps in order."""
    text: str
    """The program in that order; "" if it is no text (`data`)."""
    data: bytes
    """Its bytes: of an ELF file, too."""
    same_waits: bool
    """The bound is of orders with the same waits and tags."""
    unrenamed: int | None
    """With rename: cycles with all values in their places. If values moved, bound, optimal and
    tries are those of the program with its new places."""
    free_places: int | None
    """With rename: no order with any places takes fewer cycles."""
    moved_bytes: int
    """Of the new places, in each PE or block."""
    moved: Any
    """A table of the values, and tags of transfers, that have other places."""


@dataclass(frozen=True)
class Rate:
    """Cycles from each turn of a loop to the next."""

    interval: int
    """Of the steady turns; where there are none, on average."""
    steady: int
    """Turns in a row that are exactly so far apart, or 0."""


@dataclass(frozen=True)
class Interval:
    """No order of a class has turns that begin fewer cycles after each other.

    Lines are those of the first turn.
    """

    cycles: int
    limit: str
    """"unit", "steps", "chain", or ""."""
    units: Any
    """A table of what a turn needs of each unit, and of that the cycles in which it turns."""
    steps: int
    """Cycles of statements of which no two share a step; 0: not known."""
    apart: tuple[int, ...]
    """Their lines."""
    chain: int
    """Cycles of the chain that needs most a turn; 0: there is none."""
    turns: int
    """That the chain takes."""
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Loop:
    """A loop whose turns overlap, as `takt schedule --loop` says it."""

    lines: tuple[int, int]
    turns: int
    statements: int
    """Of a turn."""
    cycles: tuple[int, int]
    """Of the program."""
    written: Rate
    found: Rate
    bounds: dict[str, Interval]
    """By class: "any-order", "free-places", "waits" (with the same waits and tags)."""
    steps: int
    """From turn to turn in the order found, 0: kept."""
    stages: int
    """Turns at a time in the order found, 0: kept."""
    kept: bool
    """The program stays as written."""
    optimal: bool
    """No interval is shorter; same_waits: with the same waits and tags."""
    same_waits: bool
    stopped: bool
    reason: str
    """Why it was kept."""
    tries: int
    """Intervals that were tried."""
    equal: str
    """As of Advice."""
    pairs: Any
    """As of Schedule."""
    text: str
    """The program with prologue, steady turns and epilogue."""


def _rows(columns: list[str], rows: Any, count: int) -> Any:
    def cell(value: Any) -> Any:
        return text_of(value) if isinstance(value, ffi.CData) else value

    return table(columns, ([cell(getattr(rows[i], c)) for c in columns] for i in range(count)))


def prove(run: Any, region: bytes | None) -> Proof:
    error = ffi.new("struct takt_error *")
    handle = ffi.new("struct takt_proof **")
    of = ffi.NULL if region is None else region
    check_status(lib.takt_proof_open(handle, run, of, error), error)
    found = ffi.gc(handle[0], lib.takt_proof_close)
    bounds = (
        [text_of(b.class_name), text_of(b.kind), text_of(b.unit), b.cycles]
        + [text_of(found.certificates[i])]
        for i, b in ((i, found.bounds[i]) for i in range(found.bound_count))
    )
    columns = ["class", "kind", "unit", "cycles", "certificate"]
    return Proof(found.cycles, table(columns, bounds), text_of(found.text) or "")


_TERM = (
    "cycles reason unit text file_a line_a file_b line_b "
    "source_file_a source_line_a source_file_b source_line_b edited"
).split()


def compare(a: Any, b: Any) -> Diff:
    error = ffi.new("struct takt_error *")
    handle = ffi.new("struct takt_diff **")
    check_status(lib.takt_diff_open(handle, a, b, error), error)
    d = ffi.gc(handle[0], lib.takt_diff_close)
    return Diff(
        (d.cycles_a, d.cycles_b),
        d.difference,
        d.same,
        d.moved,
        d.changed,
        d.added,
        d.removed,
        d.equal if d.compared else None,
        d.diverging if d.diverges else None,
        _rows(_TERM, d.terms, d.term_count),
        _rows(["name", "unit", "a", "b"], d.parameters, d.parameter_count),
    )


class Clock:
    """How long to look: until the time is over, or a signal raises an exception."""

    def __init__(self, seconds: float | None) -> None:
        self.raised: BaseException | None = None
        self.stop = ffi.NULL
        if seconds is not None:
            end = time.monotonic() + seconds
            self.stop = ffi.callback(
                "bool(void *)", lambda _: time.monotonic() > end, error=True, onerror=self._keep
            )

    def _keep(self, kind: Any, value: BaseException, trace: Any) -> None:
        self.raised = value


class _Search(Clock):
    def __init__(self, seconds: float | None, tags: bool, rename: bool) -> None:
        super().__init__(seconds)
        self.options = ffi.new("struct takt_search *")
        self.options.size = ffi.sizeof("struct takt_search")
        self.options.tags = tags
        self.options.rename = rename
        self.options.stop = self.stop


def _search(
    kind: str,
    program: Program,
    seconds: float | None,
    *names: bytes,
    tags: bool = False,
    rename: bool = False,
) -> Any:
    """The handle of "advice", a "schedule" or a "loop", which closes itself."""
    search = _Search(seconds, tags, rename)
    error = ffi.new("struct takt_error *")
    handle = ffi.new(f"struct takt_{kind} **")
    find = getattr(lib, f"takt_{kind}_open")
    status = find(handle, program.handle, *names, search.options, error)
    found = ffi.gc(handle[0], getattr(lib, f"takt_{kind}_close"))
    if search.raised:
        raise search.raised
    check_status(status, error)
    return found


def advise(program: Program, seconds: float | None) -> Advice:
    a = _search("advice", program, seconds)

    def item(i: Any) -> Item:
        edits = ((i.edits[e].line, text_of(i.edits[e].text)) for e in range(i.edit_count))
        return Item(
            text_of(i.kind) or "",
            text_of(i.sentence) or "",
            i.line,
            i.current,
            i.before,
            i.after,
            i.finding,
            i.dumps_only,
            tuple(edits),
        )

    items = tuple(item(a.items[i]) for i in range(a.item_count))
    return Advice(
        (a.before, a.after),
        items,
        a.tried,
        a.stopped,
        a.complete,
        text_of(a.equal) or "",
        text_of(a.text) or "",
    )


_PAIR = ["transfer", "access", "cycles", "early", "wait", "tag"]


def schedule(program: Program, tags: bool, rename: bool, seconds: float | None) -> Schedule:
    s = _search("schedule", program, seconds, tags=tags, rename=rename)
    data = bytes(ffi.buffer(s.text, s.size))
    return Schedule(
        (s.before, s.after),
        s.bound or None,
        s.kept,
        s.optimal,
        s.stopped,
        text_of(s.reason) or "",
        s.pieces,
        s.tries,
        text_of(s.equal) or "",
        _rows(_PAIR, s.pairs, s.pair_count),
        "" if data.startswith(b"\x7fELF") else data.decode("utf-8", "backslashreplace"),
        data,
        s.same_waits,
        s.unrenamed if rename else None,
        s.free_places or None,
        s.bytes,
        _rows(["line", "from", "to", "accesses"], s.moved, s.moved_count),
    )


def _interval(bound: Any) -> Interval:
    return Interval(
        bound.cycles,
        text_of(bound.limit) or "",
        _rows(["unit", "cycles", "turned"], bound.units, bound.unit_count),
        bound.steps,
        tuple(bound.apart[0 : bound.apart_count]),
        bound.chain,
        bound.turns,
        tuple(bound.lines[0 : bound.line_count]),
    )


def loop(program: Program, region: bytes, tags: bool, seconds: float | None) -> Loop:
    p = _search("loop", program, seconds, region, tags=tags)
    bounds = (p.bounds[i] for i in range(p.bound_count))
    return Loop(
        (p.first, p.last),
        p.turns,
        p.statements,
        (p.before, p.after),
        Rate(p.written.interval, p.written.steady),
        Rate(p.found.interval, p.found.steady),
        {text_of(b.class_name) or "": _interval(b) for b in bounds},
        p.steps,
        p.stages,
        p.kept,
        p.optimal,
        p.same_waits,
        p.stopped,
        text_of(p.reason) or "",
        p.tries,
        text_of(p.equal) or "",
        _rows(_PAIR, p.pairs, p.pair_count),
        text_of(p.text) or "",
    )
