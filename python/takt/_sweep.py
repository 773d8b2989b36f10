"""Sweeps: many points by the command takt, which divides them among processes, as a table."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

from ._library import (
    Error,
    HostError,
    InputError,
    UsageError,
    index_of,
    named,
    path_of,
    public,
    setting_of,
    whole,
)
from ._program import many
from ._table import table


def _plain(name: str, value: Any) -> Any:
    """What JSON can hold of a value, be it an array of NumPy's or a generator; name: for errors."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    number = index_of(value)
    if value is None or isinstance(number, (str, float)):
        return value
    if isinstance(number, int):
        setting_of(name, number)  # which refuses too many digits
        return number
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise UsageError(f"{name} has a str for each key, not {named(value)}")
        return {key: _plain(key, of) for key, of in value.items()}
    if not isinstance(value, Iterable) or isinstance(value, (bytes, bytearray, memoryview)):
        raise UsageError(f"{name} takes numbers and texts, not {named(value)}")
    return [_plain(name, one) for one in value]


def _files(name: str, given: Any) -> list[str]:
    """Absolute names of files; "default" is the chip of that name."""
    files = (path_of(name, one) for one in many(name, given))
    named_chip = ("chips", "default")
    return [file if (name, file) == named_chip else os.path.realpath(file) for file in files]


@public
def sweep(
    programs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    grid: Mapping[str, Any] | None = None,
    list: Iterable[Mapping[str, Any]] | None = None,
    draw: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    chips: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    counters: str | Iterable[str] = (),
    machine: str | None = None,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
) -> Any:
    """A row for each point, as docs/sweeps.md has them: program, chip, parameters, ok, cycles ..

    Programs and chips are files. out: a folder that is kept; a sweep that is there is resumed and
    must have the same plan. The command is `takt` of the path, or what the variable TAKT names.
    """
    given = {
        "machine": machine,
        "grid": grid,
        "list": list,
        "draw": draw,
        "options": options,
        "set": set,
        "counters": many("counters", counters),
    }
    plan = {name: _plain(name, value) for name, value in given.items()}
    spec = {"programs": _files("programs", programs), "chips": _files("chips", chips), **plan}
    if not spec["programs"]:
        raise UsageError("programs takes a file, or several: there is none")
    text = json.dumps({name: value for name, value in spec.items() if value}, indent=1)
    processes = whole("jobs", jobs or 0, 32)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "sweep") if out is None else Path(path_of("out", out))
        planned = folder / "sweep.json"
        if planned.exists():
            if _spec_of(planned) != text:
                raise InputError(f"{folder} has another sweep")
            arguments = ["resume", str(folder)]
        else:
            path = Path(temporary, "sweep.yaml")
            path.write_text(text)
            arguments = [str(path), "--out", str(folder)]
        _run(arguments + (["--jobs", str(processes)] if processes else []))
        return _points(folder / "sweep.db")


def _spec_of(planned: Path) -> Any:
    """The text of the plan of a sweep that is there."""
    try:
        return json.loads(planned.read_text("utf-8"))["spec"]
    except (ValueError, KeyError, TypeError) as why:
        raise InputError(f"{planned} is damaged: {why}") from why


def _points(path: Path) -> Any:
    try:
        with closing(sqlite3.connect(path)) as database:
            rows = database.execute("SELECT * FROM points ORDER BY number")
            return table([column[0] for column in rows.description], rows.fetchall())
    except sqlite3.Error as why:
        raise InputError(f"{path}: {why}") from why


def _run(arguments: Sequence[str]) -> None:
    command = os.environ.get("TAKT") or shutil.which("takt")
    if not command:
        raise HostError("takt.sweep runs the command takt, which is not in the path")
    try:
        done = subprocess.run([command, "sweep", *arguments], capture_output=True)
    except OSError as why:
        raise HostError(f"takt.sweep cannot run {command}: {why.strerror}") from why
    if done.returncode:
        kinds: dict[int, type[Error]] = {1: InputError, 2: UsageError}
        said = done.stderr.decode("utf-8", "backslashreplace").strip()
        raise kinds.get(done.returncode, HostError)(*said.split("\n"))
