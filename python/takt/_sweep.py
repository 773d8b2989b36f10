"""Sweeps: many points by the command takt, which divides them among processes, as a table."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Mapping, Sequence

from ._library import HostError, InputError
from ._program import many, path_of
from ._table import table


def sweep(
    programs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    grid: Mapping[str, Sequence[Any]] | None = None,
    list: Sequence[Mapping[str, Any]] | None = None,
    draw: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    chips: Sequence[str | os.PathLike[str]] = (),
    counters: Sequence[str] = (),
    machine: str | None = None,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
) -> Any:
    """A row for each point, as docs/sweeps.md has them: program, chip, parameters, ok, cycles ..

    Programs and chips are files. out: a folder that is kept; a sweep that is there is resumed and
    must have the same plan. The command is `takt` of the path, or what the variable TAKT names.
    """
    files = map(path_of, many(programs))
    spec: dict[str, Any] = {"programs": [str(Path(file).resolve()) for file in files]}
    if chips:
        spec["chips"] = [c if c == "default" else str(Path(c).resolve()) for c in chips]
    fields = {"machine": machine, "grid": grid, "list": list, "draw": draw, "options": options,
              "set": set, "counters": [*counters]}
    spec.update({name: value for name, value in fields.items() if value})
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(out) if out is not None else Path(temporary, "sweep")
        text = json.dumps(spec, indent=1)
        planned = folder / "sweep.json"
        if planned.exists():
            if json.loads(planned.read_text())["spec"] != text:
                raise InputError(f"{folder} has another sweep")
            arguments = ["resume", str(folder)]
        else:
            path = Path(temporary, "sweep.yaml")
            path.write_text(text)
            arguments = [str(path), "--out", str(folder)]
        _run(arguments + (["--jobs", str(jobs)] if jobs else []))
        database = sqlite3.connect(folder / "sweep.db")
        try:
            rows = database.execute("SELECT * FROM points ORDER BY number")
            return table([column[0] for column in rows.description], rows.fetchall())
        finally:
            database.close()


def _run(arguments: Sequence[str]) -> None:
    command = os.environ.get("TAKT") or shutil.which("takt")
    if not command:
        raise HostError("takt.sweep runs the command takt, which is not in the path")
    done = subprocess.run([command, "sweep", *arguments], capture_output=True, text=True)
    if done.returncode:
        raise (InputError if done.returncode in (1, 2) else HostError)(done.stderr.strip())
