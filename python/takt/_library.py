"""libtakt by cffi in ABI mode: its header, the library's file, and its errors as exceptions."""

from __future__ import annotations

import functools
import math
import operator
import os
import re
from pathlib import Path
from typing import Any, Callable, Mapping, ParamSpec, TypeVar

from cffi import FFI  # type: ignore[import]

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")

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


# --- errors -----------------------------------------------------------------------------------


def shown(text: str) -> str:
    """A text from outside for a terminal: as in what takt prints, each byte of a control character
    is a question mark."""
    return _CONTROLS.sub(lambda found: "?" * len(found[0].encode("utf-8", "replace")), text)


# But for the tab; with lone surrogates, and marks that change the direction of a text.
_CONTROLS = re.compile(
    "[\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class Error(Exception):
    """What libtakt refuses, or cannot do. Its arguments are lines as they are; str() shows them."""

    def __str__(self) -> str:
        return "\n".join(shown(str(line)) for line in self.args)


class UsageError(Error, ValueError):
    """The call is at fault: an unknown name, options that exclude each other."""


class KeywordError(UsageError, TypeError):
    """A keyword that the call does not know, or an argument that is missing."""


class HostError(Error):
    """Memory, disk."""


class InputError(Error):
    """The program, a parameter or a configuration is at fault."""


def check(status: int, error: Any) -> None:
    """Raise what a call returned, unless it is fine."""
    if status not in (lib.TAKT_FINE, lib.TAKT_MORE):
        kinds = {lib.TAKT_INPUT: InputError, lib.TAKT_MISUSE: UsageError}
        raise kinds.get(status, HostError)(text_of(error.text))


def public(call: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """A call whose arguments do not fit raises a KeywordError."""

    @functools.wraps(call)
    def called(*arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
        try:
            return call(*arguments, **named)
        except TypeError as why:
            if why.__traceback__ is None or why.__traceback__.tb_next:  # of a line within it
                raise
            raise KeywordError(str(why)) from None

    return called


# --- values -----------------------------------------------------------------------------------


def text_of(pointer: Any) -> str | None:
    """The text behind a char pointer; bytes that are not UTF-8 as backslashes and digits."""
    return ffi.string(pointer).decode("utf-8", "backslashreplace") if pointer else None


_DIGITS = "a number with more digits than Python prints"


def named(value: Any) -> str:
    """A value in a message."""
    try:
        text = repr(value)
    except ValueError:
        return _DIGITS
    return text if len(text) <= 100 else text[:100] + " .."


def bytes_of(name: str, text: Any) -> bytes:
    """The bytes of a text; name: of the argument."""
    if not isinstance(text, (str, bytes)):
        raise UsageError(f"{name} takes a text (a str or bytes), not {named(text)}")
    try:
        return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as why:
        raise UsageError(f"{name}: {named(text)} is no Unicode text: {why.reason}") from why


def word_of(name: str, text: Any) -> bytes:
    """What libtakt takes as a text that ends with NUL."""
    word = bytes_of(name, text)
    if b"\0" in word:
        raise UsageError(f"{name}: {named(text)} has a NUL character")
    return word


def path_of(name: str, path: Any) -> str:
    """The name of a file."""
    try:
        text = os.fsdecode(path)
    except TypeError:
        raise UsageError(f"{name} takes a Path or the name of a file, not {named(path)}") from None
    word_of(name, text)
    return text


def index_of(value: Any) -> Any:
    """Of what is a whole number, be it one of NumPy's, an int; else the value."""
    try:
        return value if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return value


def setting_of(name: str, value: Any) -> str:
    """A value as libtakt takes it: as a text."""
    try:
        return str(index_of(value))
    except ValueError as why:
        raise UsageError(f"{name} takes no {_DIGITS.removeprefix('a ')}") from why


def whole(name: str, value: Any, bits: int) -> int:
    """A whole number of so many bits."""
    number = index_of(value)
    if not isinstance(number, int) or not 0 <= number < 1 << bits:
        raise UsageError(f"{name} takes a whole number from 0 below 2^{bits}, not {named(value)}")
    return number


def seconds_of(value: Any) -> float | None:
    """A time; None: there is no end."""
    if value is None:
        return None
    try:
        seconds = math.nan if isinstance(value, (str, bytes, bytearray)) else float(value)
    except (TypeError, ValueError, OverflowError):
        seconds = math.nan
    if math.isnan(seconds):
        raise UsageError(f"seconds takes a number or None, not {named(value)}")
    return seconds


def pairs(name: str, given: Any) -> tuple[tuple[str, Any], ...]:
    """The items of a dict; of None there are none."""
    if given is None:
        return ()
    if not isinstance(given, Mapping):
        raise UsageError(f"{name} takes a dict, not {named(given)}")
    for key in given:
        if not isinstance(key, str):
            raise UsageError(f"{name} has a str for each key, not {named(key)}")
    return tuple(given.items())
