"""A limit on the memory of SQLite. It is one of the process, and holds while queries run."""

from __future__ import annotations

import ctypes
import threading
from contextlib import contextmanager
from typing import Any, Iterator

BYTES = 1 << 30  # beyond what is in use, as takt query
_lock = threading.Lock()
_users = 0
_before = 0


def _library() -> Any:
    """The SQLite that the module sqlite3 uses; None where its functions cannot be called."""
    import _sqlite3  # type: ignore[import]

    try:
        library = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
        for function in (library.sqlite3_hard_heap_limit64, library.sqlite3_memory_used):
            function.restype = ctypes.c_int64
        library.sqlite3_hard_heap_limit64.argtypes = [ctypes.c_int64]
    except (OSError, AttributeError):
        return None
    return library


_sqlite = _library()


@contextmanager
def limited() -> Iterator[None]:
    """The first query that runs sets the limit, the last one takes it back."""
    global _users, _before
    with _lock:
        _users += 1
        if _users == 1 and _sqlite:
            _before = _sqlite.sqlite3_hard_heap_limit64(_sqlite.sqlite3_memory_used() + BYTES)
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0 and _sqlite:
                _sqlite.sqlite3_hard_heap_limit64(_before)
