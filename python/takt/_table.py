"""Rows of an answer: a pandas.DataFrame where pandas is installed, a Table where it is not."""

from __future__ import annotations

import functools
import html
from typing import Any, Callable, Iterable, Sequence, overload

from ._library import ffi, shown, text_of


class Table(list[dict[str, Any]]):
    """A list of rows, each a dict. table["cycles"] is a column as a list; columns has all names."""

    def __init__(self, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        super().__init__(dict(zip(columns, row)) for row in rows)
        self.columns = list(columns)

    @overload  # type: ignore[override]
    def __getitem__(self, key: int) -> dict[str, Any]:
        ...

    @overload
    def __getitem__(self, key: slice) -> Table:
        ...

    @overload
    def __getitem__(self, key: str) -> list[Any]:
        ...

    def __getitem__(self, key: int | slice | str) -> Any:
        if isinstance(key, str):
            if key not in self.columns:
                raise KeyError(key)
            return [row[key] for row in self]
        rows: Any = super().__getitem__(key)
        if isinstance(key, int):
            return rows
        return Table(self.columns, (list(row.values()) for row in rows))

    def __repr__(self) -> str:
        cells = [list(map(_cell, self.columns))]
        cells += [[_cell(row[name]) for name in self.columns] for row in self]
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines = ("  ".join(map(str.rjust, line, widths)).rstrip() for line in cells)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        def line(tag: str, cells: Iterable[Any]) -> str:
            inner = (f"<{tag}>{html.escape(_cell(cell))}</{tag}>" for cell in cells)
            return "<tr>" + "".join(inner) + "</tr>"

        body = "".join(line("td", (row[name] for name in self.columns)) for row in self)
        return f"<table><thead>{line('th', self.columns)}</thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    return "" if value is None else shown(str(value))


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Any:
    """Rows as a pandas.DataFrame, or as a Table without pandas."""
    try:
        import pandas  # type: ignore[import]
    except ImportError:
        return Table(columns, rows)
    return pandas.DataFrame(list(rows), columns=list(columns))


@functools.lru_cache(maxsize=None)
def fields(struct: str) -> list[str]:
    """The fields of a struct of takt.h that hold a number or a text."""

    def is_value(of: Any) -> bool:
        text = of.kind == "pointer" and of.item.kind == "primitive" and of.item.cname == "char"
        return text or of.kind in ("primitive", "enum")

    return [name for name, field in ffi.typeof("struct " + struct).fields if is_value(field.type)]


def values(struct: Any, names: Sequence[str]) -> list[Any]:
    """What stands in these fields; texts as str."""
    found = (getattr(struct, name) for name in names)
    return [text_of(value) if isinstance(value, ffi.CData) else value for value in found]


def structs(struct: str, get: Callable[..., int], *handle: Any) -> list[Any]:
    """The rows that a function of takt.h lists: get(handle, &rows) returns how many there are."""
    rows = ffi.new(f"struct {struct} **")
    count = get(*handle, rows)
    return [rows[0][i] for i in range(count)]
