"""Traces as a run writes them: SQLite files, read with Python's own sqlite3."""

from __future__ import annotations

import os
import sqlite3
import time
import warnings
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Iterator, Mapping, Sequence

from . import _heap
from ._library import InputError, UsageError, seconds_of, whole
from ._program import path_of
from ._table import table

_APPLICATION = int.from_bytes(b"TAKT", "big")
_SECONDS, _ROWS = 60.0, 10000  # as takt query
_VALUE_BYTES, _STEPS = 256 << 20, 20000

# What a query may call, and the pragmas that only read: those of takt query (analysis/query.c).
_FUNCTIONS = frozenset(
    """
    abs char coalesce concat concat_ws format glob hex ifnull iif instr length like likelihood
    likely lower ltrim nullif octet_length printf quote random randomblob replace round rtrim sign
    soundex sqlite_source_id sqlite_version substr substring trim typeof unhex unicode unlikely
    upper zeroblob
    avg count cume_dist dense_rank first_value group_concat lag last_value lead max min nth_value
    ntile percent_rank rank row_number string_agg sum total
    current_date current_time current_timestamp date datetime julianday strftime time timediff
    unixepoch
    acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10
    log2 mod pi pow power radians sin sinh sqrt tan tanh trunc -> ->>
    """.split()
)
_PRAGMAS = frozenset(
    """
    table_info table_xinfo table_list index_list index_info index_xinfo user_version
    application_id page_count page_size encoding quick_check integrity_check function_list
    compile_options collation_list freelist_count foreign_key_list
    """.split()
)
_SETTINGS = frozenset("user_version application_id page_size encoding".split())


def _authorize(
    action: int, first: str | None, second: str | None, database: str | None, within: str | None
) -> int:
    if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE):
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION:
        name = (second or "").lower()
        allowed = name in _FUNCTIONS or name.startswith("json")
    else:
        allowed = action == sqlite3.SQLITE_PRAGMA and first in _PRAGMAS
        allowed = allowed and not (second is not None and first in _SETTINGS)
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _unique(columns: Sequence[str]) -> list[str]:
    """A row has one value of a name: the second column "cycles" is "cycles:2"."""
    names: list[str] = []
    for i, column in enumerate(columns):
        number = columns[:i].count(column) + 1
        name = column if number == 1 else f"{column}:{number}"
        while name in names:
            number += 1
            name = f"{column}:{number}"
        names.append(name)
    return names


def _within(rows: Iterator[Any]) -> Iterator[Any]:
    """Rows whose texts take no more memory than SQLite may use."""
    size = 0
    for row in rows:
        size += sum(len(value) for value in row if isinstance(value, (str, bytes)))
        if size > _heap.BYTES:
            raise InputError("out of memory")
        yield row


class Trace:
    """A trace, read-only. It may be used as a context manager, and by one thread at a time."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path_of(path)
        uri = Path(self.path).absolute().as_uri() + "?mode=ro"
        try:
            self._db = sqlite3.connect(uri, uri=True, check_same_thread=False)
            application = self._db.execute("PRAGMA application_id").fetchone()[0]
        except sqlite3.Error as why:
            raise InputError(f"{self.path} cannot be read as a trace: {why}") from why
        if application != _APPLICATION:
            self._db.close()
            raise InputError(f"{self.path} is no trace of takt")
        self._until: float | None = None
        self._db.set_authorizer(_authorize)
        self._db.set_progress_handler(self._late, _STEPS)
        self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _VALUE_BYTES)

    def _late(self) -> bool:
        return self._until is not None and time.monotonic() > self._until

    @contextmanager
    def _ask(
        self, sql: str, parameters: Any = (), seconds: float | None = _SECONDS
    ) -> Iterator[sqlite3.Cursor]:
        """The rows of one statement that reads, while there is time."""
        self._until = None if seconds is None else time.monotonic() + seconds
        try:
            with _heap.limited():
                cursor = self._db.execute(sql, parameters)
                if cursor.description is None:
                    raise InputError("a query can only read")
                yield cursor
        except MemoryError as why:
            raise InputError("out of memory") from why
        except (sqlite3.Error, sqlite3.Warning) as why:
            if self._late():
                raise InputError(f"stopped after {seconds:g} s; seconds= allows more") from why
            denied = getattr(why, "sqlite_errorcode", None) == sqlite3.SQLITE_AUTH
            raise InputError(f"a query can only read: {why}" if denied else str(why)) from why
        finally:
            self._until = None

    def query(
        self,
        sql: str,
        parameters: Sequence[Any] | Mapping[str, Any] = (),
        *,
        seconds: float | None = _SECONDS,
        rows: int | None = _ROWS,
    ) -> Any:
        """The rows of one SELECT, as a data frame (or a Table without pandas).

        As `takt query` it reads and does nothing else: InputError is raised for other SQL, and for
        one that takes longer than `seconds` or too much memory. A UserWarning says that there are
        more than `rows`, which are left out. None: no limit. Of columns with one name the second
        is "name:2".
        """
        if not isinstance(sql, str):
            raise UsageError(f"{sql!r} is no text")
        rows = None if rows is None else whole("rows", rows, 62)
        with self._ask(sql, parameters, seconds_of(seconds)) as cursor:
            columns = _unique([column[0] for column in cursor.description])
            found = list(cursor if rows is None else _within(islice(cursor, rows + 1)))
        if rows is not None and len(found) > rows:
            warnings.warn(f"only the first {rows} rows; rows=None shows all", stacklevel=2)
            del found[rows:]
        return table(columns, found)

    @property
    def tables(self) -> list[str]:
        """Names of tables and views; docs/trace-schema.md describes them."""
        with self._ask(
            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') "
            "AND name NOT LIKE 'sqlite_%' ORDER BY name"
        ) as rows:
            return [name for (name,) in rows]

    def __getitem__(self, name: str) -> Any:
        """All rows of a table or view: trace["v_transfer"]."""
        if name not in self.tables:
            raise KeyError(name)
        return self.query(f'SELECT * FROM "{name}"', rows=None)

    @property
    def meta(self) -> dict[str, Any]:
        """What is known of the run: "program", "machine", "total_cycles", ..."""
        with self._ask("SELECT key, value FROM meta") as rows:
            return dict(rows)

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

    def __reduce__(self) -> Any:
        return type(self), (self.path,)

    def __repr__(self) -> str:
        return f"<takt.Trace {self.path}>"


def open(path: str | os.PathLike[str]) -> Trace:
    """Open a trace that a run has written (takt run --trace, or takt.run(trace=...))."""
    return Trace(path)
