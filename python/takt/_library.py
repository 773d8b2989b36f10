"""libtakt by cffi in ABI mode: its header, the library's file, and its errors as exceptions."""

from __future__ import annotations

import numbers
import operator
import os
import re
from pathlib import Path
from typing import Any, Mapping

from cffi import FFI  # type: ignore[import]

HERE = Path(__file__).resolve().parent
SOURCE_TREE = HERE.parents[1]  # where the package lies in python/


def header() -> str:
    """The text of takt.h: the one installed beside this file, else that of the source tree."""
    beside = HERE / "takt.h"
    return (beside if beside.exists() else SOURCE_TREE / "include" / "takt.h").read_text("utf-8")


def declarations(text: str) -> str:
    """What cffi takes of a header: no comments, nothing for the preprocessor or for C++."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"^#ifdef __cplusplus$.*?^#endif$", "", text, flags=re.S | re.M)
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.M)
    return text.replace("TAKT_API ", "")


def _candidates() -> list[str]:
    """Files to try, in this order."""
    given = os.environ.get("TAKT_LIBRARY")
    if given:
        return [given]
    built = SOURCE_TREE / "build" / "libtakt.so"
    beside = HERE.parents[2] / "libtakt.so.0"  # PREFIX/lib/python3/dist-packages/takt
    return [str(path) for path in (built, beside) if path.exists()] + ["libtakt.so.0"]


def _load() -> Any:
    reasons = []
    for path in _candidates():
        try:
            return ffi.dlopen(path)
        except OSError as why:
            reasons.append(str(why))
    raise ImportError(
        "libtakt is not installed, and TAKT_LIBRARY does not name it: " + "; ".join(reasons)
    )


ffi: Any = FFI()
ffi.cdef(declarations(header()))
lib: Any = _load()


def text_of(pointer: Any) -> str | None:
    """The text behind a char pointer; bytes that are not UTF-8 as backslashes and digits."""
    return ffi.string(pointer).decode("utf-8", "backslashreplace") if pointer else None


def bytes_of(text: str | bytes) -> bytes:
    if not isinstance(text, (str, bytes)):
        raise UsageError(f"{text!r} is no text")
    try:
        return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as why:
        raise UsageError(f"{text!r} is no Unicode text: {why.reason}") from why


def word_of(text: str | bytes) -> bytes:
    """What libtakt takes as a text that ends with NUL."""
    word = bytes_of(text)
    if b"\0" in word:
        raise UsageError(f"{text!r} has a NUL character")
    return word


def whole(name: str, value: Any, bits: int) -> int:
    """A whole number of so many bits."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number < 1 << bits:
        raise UsageError(f"{name} takes a whole number from 0 below 2^{bits}, not {value!r}")
    return number


def seconds_of(value: Any) -> float | None:
    """A time; None: there is no end."""
    if value is None or isinstance(value, numbers.Real):
        return value if value is None else float(value)
    raise UsageError(f"seconds takes a number or None, not {value!r}")


def pairs(name: str, given: Any) -> tuple[tuple[Any, Any], ...]:
    """The items of a dict; of None there are none."""
    if given is None:
        return ()
    if not isinstance(given, Mapping):
        raise UsageError(f"{name} takes a dict, not {given!r}")
    return tuple(given.items())


class Error(Exception):
    """What libtakt refuses, or cannot do."""


class UsageError(Error, ValueError):
    """The call is at fault: an unknown name, options that exclude each other."""


class KeywordError(UsageError, TypeError):
    """A keyword that the call does not know."""


class HostError(Error):
    """Memory, disk."""


class InputError(Error):
    """The program, a parameter or a configuration is at fault."""


def check(status: int, error: Any) -> None:
    """Raise what a call returned, unless it is fine."""
    if status not in (lib.TAKT_FINE, lib.TAKT_MORE):
        kinds = {lib.TAKT_INPUT: InputError, lib.TAKT_MISUSE: UsageError}
        raise kinds.get(status, HostError)(text_of(error.text))
