"""Traces as a run writes them: SQLite files, read with Python's own sqlite3."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Any, Mapping, Sequence

from ._library import InputError
from ._table import table

_APPLICATION = int.from_bytes(b"TAKT", "big")


class Trace:
    """A trace, read-only. It may be used as a context manager, and by one thread at a time."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        uri = Path(self.path).absolute().as_uri() + "?mode=ro"
        try:
            self._db = sqlite3.connect(uri, uri=True, check_same_thread=False)
            application = self._db.execute("PRAGMA application_id").fetchone()[0]
        except sqlite3.Error as why:
            raise InputError(f"{self.path} cannot be read as a trace: {why}") from why
        if application != _APPLICATION:
            self._db.close()
            raise InputError(f"{self.path} is no trace of takt")

    def query(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> Any:
        """The rows of one SELECT, as a data frame (or a Table without pandas)."""
        cursor = self._db.execute(sql, parameters)
        columns = [column[0] for column in cursor.description or ()]
        return table(columns, cursor)

    @property
    def tables(self) -> list[str]:
        """Names of tables and views; docs/trace-schema.md describes them."""
        rows = self._db.execute(
            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') "
            "AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
        return [name for (name,) in rows]

    def __getitem__(self, name: str) -> Any:
        """All rows of a table or view: trace["v_transfer"]."""
        if name not in self.tables:
            raise KeyError(name)
        return self.query(f'SELECT * FROM "{name}"')

    @property
    def meta(self) -> dict[str, Any]:
        """What is known of the run: "program", "machine", "total_cycles", ..."""
        return dict(self._db.execute("SELECT key, value FROM meta"))

    @property
    def cycles(self) -> int:
        """The total of a complete run."""
        total = self.meta.get("total_cycles")
        if total is None:
            raise InputError(f"the run of {self.path} is not complete: it has no total")
        return int(total)

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Trace:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<takt.Trace {self.path}>"


def open(path: str | os.PathLike[str]) -> Trace:
    """Open a trace that a run has written (takt run --trace, or takt.run(trace=...))."""
    return Trace(path)
