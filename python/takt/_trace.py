"""Traces as a run writes them: SQLite files, read with Python's own sqlite3."""

from __future__ import annotations

import _thread
import numbers
import os
import sqlite3
import threading
import time
import warnings
from contextlib import closing
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Iterable, Iterator, Mapping

from . import _heap
from ._library import (
    InputError,
    UsageError,
    check,
    ffi,
    index_of,
    lib,
    named,
    path_of,
    public,
    seconds_of,
    shown,
    whole,
    word_of,
)
from ._table import table

_SECONDS, _ROWS = 60.0, 10000  # as takt query
_GRACE = 1.0  # of a query that was interrupted, as takt query
_VALUE_BYTES = 256 << 20

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


def _unique(columns: list[str]) -> list[str]:
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


def _value(value: Any) -> Any:
    """A parameter of a query; NumPy's numbers are numbers."""
    number = index_of(value)
    if value is None or isinstance(number, (int, float, str, bytes, bytearray, memoryview)):
        return number
    if isinstance(value, numbers.Real):
        return float(value)
    raise UsageError(f"parameters takes numbers, texts and bytes, not {named(value)}")


def _parameters(given: Any) -> Any:
    if isinstance(given, Mapping):
        return {name: _value(value) for name, value in given.items()}
    if not isinstance(given, Iterable):
        raise UsageError(f"parameters takes a list or a dict, not {named(given)}")
    return tuple(map(_value, given))


class _Query:
    """One statement. It has a thread, which is left alone where SQLite does not come back."""

    def __init__(self, db: sqlite3.Connection, sql: str, parameters: Any, rows: int | None) -> None:
        self._given = (db, sql, parameters, rows)
        self.columns: list[str] = []
        self.rows: list[Any] = []
        self.why: BaseException | None = None
        self.left = False
        self._runs = threading.Lock()
        self._runs.acquire()
        _thread.start_new_thread(self._run, ())

    def _run(self) -> None:
        db, sql, parameters, rows = self._given
        try:
            with _heap.limited(), closing(db.execute(sql, parameters)) as cursor:
                if cursor.description is None:
                    raise InputError("a query can only read")
                self.columns = _unique([column[0] for column in cursor.description])
                self.rows = list(cursor if rows is None else _within(islice(cursor, rows)))
        except BaseException as why:
            self.why = why
        if self.left:
            db.close()
        self._runs.release()

    def end(self, seconds: float | None) -> None:
        """Wait so long at most, then interrupt it; left: in vain."""
        ended = False
        try:
            ended = self._runs.acquire(timeout=_wait(seconds))
        finally:
            until = time.monotonic() + _GRACE
            while not ended and time.monotonic() < until:
                self._given[0].interrupt()
                ended = self._runs.acquire(timeout=0.01)
            self.left = not ended


def _wait(seconds: float | None) -> float:
    """For a lock: -1 is for ever."""
    return -1 if seconds is None else min(max(seconds, 0), threading.TIMEOUT_MAX)


class Trace:
    """A trace, read-only. It may be used as a context manager. Threads may share it."""

    @public
    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path_of("path", path)
        error = ffi.new("struct takt_error *")
        check(lib.takt_trace_check(word_of("path", self.path), error), error)
        self._db: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._connect()

    def _connect(self) -> None:
        uri = Path(self.path).absolute().as_uri() + "?mode=ro"
        try:
            self._db = sqlite3.connect(uri, uri=True, check_same_thread=False)
        except sqlite3.Error as why:
            raise InputError(f"{self.path} cannot be read as a trace: {why}") from why
        self._db.text_factory = lambda text: text.decode("utf-8", "backslashreplace")
        self._db.set_authorizer(_authorize)
        self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _VALUE_BYTES)

    def _ask(
        self,
        sql: str,
        parameters: Any = (),
        seconds: float | None = _SECONDS,
        rows: int | None = None,
    ) -> _Query:
        """One statement that reads, done, unless the time is over before."""
        with self._lock:
            if self._db is None:
                raise UsageError(f"{self.path} is closed")
            query = _Query(self._db, sql, parameters, rows)
            try:
                query.end(seconds)
            finally:
                if query.left:
                    self._db = None
                    self._connect()
        why = query.why
        code = getattr(why, "sqlite_errorcode", None)
        if query.left or code == sqlite3.SQLITE_INTERRUPT:
            raise InputError(f"stopped after {seconds:g} s; seconds= allows more") from why
        if isinstance(why, MemoryError):
            raise InputError("out of memory") from why
        if isinstance(why, (OverflowError, UnicodeError)):
            raise UsageError(f"sql or parameters: {why}") from why
        if isinstance(why, (sqlite3.Error, sqlite3.Warning)):
            denied = "a query can only read: " if code == sqlite3.SQLITE_AUTH else ""
            raise InputError(denied + str(why)) from why
        if why is not None:
            raise why
        return query

    @public
    def query(
        self,
        sql: str,
        parameters: Iterable[Any] | Mapping[str, Any] = (),
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
            raise UsageError(f"sql takes a str, not {named(sql)}")
        word_of("sql", sql)
        most = None if rows is None else whole("rows", rows, 62)
        given, limit = _parameters(parameters), seconds_of(seconds)
        answer = self._ask(sql, given, limit, None if most is None else most + 1)
        if most is not None and len(answer.rows) > most:
            warnings.warn(f"only the first {most} rows; rows=None shows all", stacklevel=3)
            del answer.rows[most:]
        return table(answer.columns, answer.rows)

    @property
    def tables(self) -> list[str]:
        """Names of tables and views; docs/trace-schema.md describes them."""
        names = self._ask(
            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') "
            "AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
        return [name for (name,) in names.rows]

    def __getitem__(self, name: str) -> Any:
        """All rows of a table or view: trace["v_transfer"]."""
        if name not in self.tables:
            raise KeyError(name)
        return self.query(f'SELECT * FROM "{name}"', rows=None)

    @property
    def meta(self) -> dict[str, Any]:
        """What is known of the run: "program", "machine", "total_cycles", ..."""
        return dict(self._ask("SELECT key, value FROM meta").rows)

    @property
    def cycles(self) -> int:
        """The total of a complete run."""
        total = self.meta.get("total_cycles")
        if total is None:
            raise InputError(f"the run of {self.path} is not complete: it has no total")
        if not isinstance(total, int):
            raise InputError(f"{self.path} is damaged: its total is {named(total)}")
        return total

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                self._db.close()
            self._db = None

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
        return f"<takt.Trace {shown(self.path)}>"


@public
def open(path: str | os.PathLike[str]) -> Trace:
    """Open a trace that a run has written (takt run --trace, or takt.run(trace=...))."""
    return Trace(path)
