"""Applications: programs many times over, transfers from the host, several boards."""

from __future__ import annotations

import builtins
import json
from dataclasses import dataclass
from typing import Any, Iterable, Mapping

from ._library import check as check_status, ffi, lib, public, text_of
from ._program import Finding, Findings, ProgramError, Text, read, set_up
from ._run import Machine, as_made
from ._table import table


@dataclass(frozen=True)
class App:
    """How long an application takes, as `takt app` says it."""

    machine: str
    boards: int
    cycles: int
    cycles_documented: int
    clock_hz: float
    low: int | None
    """Ends of the range; None without one."""
    high: int | None
    simulated: int
    """Turns; the others repeat these."""
    limit: str
    steps: Any
    """A table of kind, text, line, depth, times, done, cycles, exposed."""
    answer: dict[str, Any]
    """All of it, as in docs/json.md."""

    @property
    def seconds(self) -> float:
        return self.cycles / self.clock_hz if self.clock_hz else 0.0


_STEP = "kind text line depth times done cycles exposed".split()


def _fail(status: int, error: Any) -> None:
    file = text_of(error.file)
    if status != lib.TAKT_INPUT or not file:
        check_status(status, error)
        return
    place = f":{error.line}:{error.column}" if error.line else ""
    sentence = (text_of(error.text) or "").removeprefix(f"{file}{place}: ")
    raise ProgramError(Findings([Finding(
        file=file, line=error.line, column=error.column, length=1, severity="error",
        rule=text_of(error.rule) or "", name="", text=sentence, fix=text_of(error.fix) or None,
        missing_steps=None, spare_steps=0, spare_cycles=0)]))


@public
def app(
    application: Text,
    machine: Machine | str | None = None,
    *,
    name: str | None = None,
    set: Mapping[str, object] | None = None,
    config: Text | Iterable[Text] | None = None,
    range: bool = True,
    documented: bool = False,
    **options: str | int,
) -> App:
    """Time an application (docs/applications.md): its text, or the Path of its file.

    Programs are files, from the folder of that file or of `name`. machine: a Machine that is set
    up; else set, config and options as of run change the one that the application names. range:
    also the totals over the plausible ranges of unpublished numbers.
    """
    file, text = read("application", application, name)
    keep = [ffi.from_buffer("char[]", text + b"\0"), ffi.new("char[]", file)]
    given = ffi.new("struct takt_text *", {"name": keep[1], "text": keep[0], "size": len(text)})
    error = ffi.new("struct takt_error *")
    handle = ffi.NULL
    if isinstance(machine, Machine):
        handle = as_made(machine, {"set": set, "config": config}, options).handle
    elif machine is not None or set is not None or config is not None or options:
        named = ffi.new("struct takt_machine **")
        status = lib.takt_app_machine(named, given, error)
        if status != lib.TAKT_FINE:
            _fail(status, error)
        handle = set_up(ffi.gc(named[0], lib.takt_machine_close), machine, set, config, options)
    place = ffi.new("struct takt_app **")
    flags = (lib.TAKT_RANGE if range else 0) | (lib.TAKT_DOCUMENTED if documented else 0)
    status = lib.takt_app_open(place, handle, given, flags, error)
    if status != lib.TAKT_FINE:
        _fail(status, error)
    found = ffi.gc(place[0], lib.takt_app_close)
    steps = (
        [text_of(step.kind), text_of(step.text)] + [getattr(step, c) for c in _STEP[2:]]
        for step in (found.steps[i] for i in builtins.range(found.step_count))
    )
    return App(
        text_of(found.machine) or "",
        found.boards,
        found.cycles,
        found.cycles_documented,
        found.clock_hz,
        found.range_low if found.has_range else None,
        found.range_high if found.has_range else None,
        found.simulated,
        text_of(found.limit) or "",
        table(_STEP, steps),
        json.loads(text_of(found.json) or "{}"),
    )
