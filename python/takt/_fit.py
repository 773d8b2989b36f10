"""Measurements of one chip, and what they say of its unpublished numbers."""

from __future__ import annotations

import builtins
import json
import math
from dataclasses import dataclass
from typing import Any, Iterable, Mapping

from ._better import Clock
from ._library import (
    UsageError,
    check as check_status,
    ffi,
    lib,
    public,
    seconds_of,
    text_of,
    whole,
)
from ._program import Text, many, read, set_up
from ._run import Machine, as_made
from ._table import table


@dataclass(frozen=True)
class Fit:
    """What measurements say of unpublished numbers, as `takt fit` says it."""

    name: str
    """Of the machine."""
    explained: bool
    """A setting explains all measurements, or nearly; the verdict says which."""
    verdict: str
    stopped: bool
    measurements: Any
    """A table: program, quantity, place, value, tolerance, predicted, low, high, left_out,
    left_low, left_high, impossible, conflicts, alone; None where a number is not known."""
    numbers: Any
    """A table: name, seen, text, value, found_low, found_high, left_low, left_high."""
    chip: str
    """The text of a chip file; of the nearest setting where none explains all."""
    answer: dict[str, Any]
    """All of it, as in docs/json.md."""

    def machine(self) -> Machine:
        """The machine with that chip, for programs."""
        return Machine(self.name, config=self.chip)


_ROW = (
    "value tolerance predicted low high left_out left_low left_high impossible conflicts alone"
).split()
_NUMBER = "value found_low found_high left_low left_high".split()


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


@public
def fit(
    lists: Text | Iterable[Text],
    machine: Machine | str | None = None,
    *,
    name: str | None = None,
    set: Mapping[str, object] | None = None,
    config: Text | Iterable[Text] | None = None,
    seed: int = 1,
    effort: int = 100,
    threads: int = 0,
    seconds: float | None = None,
) -> Fit:
    """Fit a machine's unpublished numbers to measurements (docs/calibrating.md): the texts of
    lists, or the Paths of their files.

    Programs are files, from the folder of a list's file or of `name`. machine: a Machine that is
    set up; else set and config are laid over the chip that the lists name. The answer is the same
    for any number of threads (0: one a processor), but not if `seconds` end the search.
    """
    texts = [read("lists", one, name) for one in many("lists", lists)]
    if not texts:
        raise UsageError("lists takes a text or a Path, or several: there is none")
    search = ffi.new("struct takt_fit_search *")
    search.size = ffi.sizeof("struct takt_fit_search")
    search.seed = whole("seed", seed, 64)
    search.effort, search.threads = whole("effort", effort, 32), whole("threads", threads, 32)
    clock = Clock(seconds_of(seconds))
    search.stop = clock.stop
    keep = [(ffi.from_buffer("char[]", text + b"\0"), ffi.new("char[]", file), len(text))
            for file, text in texts]
    given = ffi.new("struct takt_text[]", [
        {"name": file, "text": text, "size": size} for text, file, size in keep])
    error = ffi.new("struct takt_error *")
    handle = ffi.NULL
    if isinstance(machine, Machine):
        handle = as_made(machine, {"set": set, "config": config}, {}).handle
    elif machine is not None or set is not None or config is not None:
        named = ffi.new("struct takt_machine **")
        check_status(lib.takt_fit_machine(named, given, len(keep), error), error)
        handle = set_up(ffi.gc(named[0], lib.takt_machine_close), machine, set, config, {})
    place = ffi.new("struct takt_fit **")
    status = lib.takt_fit_open(place, handle, given, len(keep), search, error)
    found = ffi.gc(place[0], lib.takt_fit_close)
    if clock.raised:
        raise clock.raised
    check_status(status, error)
    rows = (
        [text_of(row.program), text_of(row.quantity), text_of(row.place)]
        + [_known(getattr(row, c)) for c in _ROW]
        for row in (found.rows[i] for i in builtins.range(found.row_count))
    )
    numbers = (
        [text_of(number.name), number.seen, text_of(number.text)]
        + [getattr(number, c) for c in _NUMBER]
        for number in (found.numbers[i] for i in builtins.range(found.number_count))
    )
    return Fit(
        text_of(found.machine) or "",
        found.explained,
        text_of(found.verdict) or "",
        found.stopped,
        table(["program", "quantity", "place", *_ROW], rows),
        table(["name", "seen", "text", *_NUMBER], numbers),
        text_of(found.chip) or "",
        json.loads(text_of(found.json) or "{}"),
    )
