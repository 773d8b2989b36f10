"""Programs, findings and machines: what stands before a run."""

from __future__ import annotations

import functools
import html
import os
import re
from dataclasses import dataclass, fields as dataclass_fields
from typing import Any, Iterable, Mapping, Union

from ._library import InputError, UsageError, bytes_of, check as check_status, ffi, lib, text_of, word_of
from ._table import fields, structs, table, values

Text = Union[str, bytes, "os.PathLike[str]"]
"""A str or bytes is a text itself; a Path names the file that holds it."""

# --- findings ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """What is wrong with a program, or worth a note, and where."""

    file: str
    line: int
    column: int
    length: int
    """Bytes from there that are meant."""
    severity: str
    """"note", "warning" or "error"."""
    rule: str
    """Section of the machine's manual, or ""."""
    name: str
    """Of a warning or note, to silence it; "" of an error."""
    text: str
    fix: str | None
    """What would make it legal."""
    missing_steps: int | None
    """Empty steps that would make it legal."""
    spare_steps: int
    """Empty steps that could go; of notes that the option removable asks for."""
    spare_cycles: int
    """What that would save, where it is known."""
    source: str = ""
    """The line of the program."""

    def __str__(self) -> str:
        first = f"{self.file}:{self.line}:{self.column}: {self.severity}: {self.text}"
        first += f" [manual {self.rule}]" if self.rule else ""
        lines = [first + (f" [{self.name}]" if self.name else "")]
        if self.source:
            line = self.source.encode()
            before, meant = (
                line[at : at + length].decode("utf-8", "replace")
                for at, length in ((0, self.column - 1), (self.column - 1, self.length))
            )
            mark = "^" + "~" * (len(meant) - 1)
            lines += ["  " + self.source, "  " + re.sub(r"\S", " ", before) + mark]
        if self.fix:
            lines.append("  fix: " + self.fix)
        return "\n".join(lines)


class Findings(list[Finding]):
    """Findings in the order of the program."""

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self if finding.severity == "error"]

    @property
    def warnings(self) -> list[Finding]:
        return [finding for finding in self if finding.severity == "warning"]

    @property
    def notes(self) -> list[Finding]:
        return [finding for finding in self if finding.severity == "note"]

    @property
    def ok(self) -> bool:
        """Whether the program is legal."""
        return not self.errors

    @property
    def table(self) -> Any:
        """The findings as a table."""
        names = [field.name for field in dataclass_fields(Finding)]
        return table(names, ([getattr(finding, name) for name in names] for finding in self))

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self) or 'no findings')}</pre>"


class ProgramError(InputError):
    """A program is at fault: findings has everything, the rest is of its first error."""

    def __init__(self, findings: Findings) -> None:
        errors = findings.errors
        self.findings = findings
        self.finding = errors[0]
        more = f"\n{len(errors)} errors: .findings has them all" if len(errors) > 1 else ""
        super().__init__(str(self.finding) + more)

    @property
    def file(self) -> str:
        return self.finding.file

    @property
    def line(self) -> int:
        return self.finding.line

    @property
    def column(self) -> int:
        return self.finding.column

    @property
    def rule(self) -> str:
        return self.finding.rule

    @property
    def fix(self) -> str | None:
        return self.finding.fix


# --- texts ------------------------------------------------------------------------------------


def many(value: Any) -> list[Any]:
    """One thing, none (None) or several as a list."""
    if value is None:
        return []
    return [value] if isinstance(value, (str, bytes, os.PathLike)) else list(value)


def _read(text: Text, name: str | None) -> tuple[bytes, bytes]:
    """Name and text."""
    if isinstance(text, (str, bytes)):
        return word_of(name or "<text>"), bytes_of(text)
    with open(text, "rb") as file:
        return word_of(name or os.fspath(text)), file.read()


class Program:
    """A program that has been parsed and checked for a machine."""

    def __init__(self, machine: Any, programs: Text | Iterable[Text], name: str | None) -> None:
        read = [_read(one, name) for one in many(programs)]
        kept = [(ffi.new("char[]", file), ffi.from_buffer(text), len(text)) for file, text in read]
        error = ffi.new("struct takt_error *")
        handle = ffi.new("struct takt_program **")
        texts = ffi.new("struct takt_text[]", kept)
        status = lib.takt_program_open(handle, machine, texts, len(read), error)
        if not handle[0]:
            check_status(status, error)
        self.handle = ffi.gc(handle[0], lib.takt_program_close)
        self.name = text_of(kept[0][0]) or ""
        self._texts = dict(read)
        self.legal = status == lib.TAKT_FINE
        self._findings: Findings | None = None

    def changed(self, handle: Any) -> Program:
        """A program that was made of this one by libtakt."""
        program = Program.__new__(Program)
        program.handle = ffi.gc(handle, lib.takt_program_close)
        program.name, program._texts = self.name, self._texts
        program.legal, program._findings = True, None
        return program

    @property
    def findings(self) -> Findings:
        if self._findings is None:
            names = fields("takt_finding")
            rows = structs("takt_finding", lib.takt_program_findings, self.handle)
            found = (dict(zip(names, values(row, names))) for row in rows)
            self._findings = Findings(self.finding(**one) for one in found)
        return self._findings

    def finding(self, severity: int, missing_steps: int, **found: Any) -> Finding:
        """One as libtakt gives it, with its line."""
        lines = self._texts.get(bytes_of(found["file"]), b"").splitlines()
        line = lines[found["line"] - 1] if 0 < found["line"] <= len(lines) else b""
        return Finding(
            severity=("note", "warning", "error")[severity],
            missing_steps=missing_steps if missing_steps >= 0 else None,
            source=line.decode("utf-8", "replace"),
            **found,
        )

    def fault(self, error: Any) -> ProgramError:
        """What a run has found to be wrong."""
        place = {name: getattr(error, name) for name in ("line", "column")}
        place.update({name: text_of(getattr(error, name)) for name in ("file", "rule", "fix")})
        prefix = f"{place['file']}:{place['line']}:{place['column']}: "
        text = (text_of(error.text) or "").removeprefix(prefix)
        place["fix"] = place["fix"] or None
        rest = {"length": 1, "name": "", "spare_steps": 0, "spare_cycles": 0}
        found = self.finding(lib.TAKT_ERROR, -1, text=text, **place, **rest)
        return ProgramError(Findings([found]))


# --- machines ---------------------------------------------------------------------------------


def open_machine(
    name: str | None,
    set: Mapping[str, object] | None,
    config: Text | Iterable[Text] | None,
    silence: str | Iterable[str],
    options: Mapping[str, str | bool],
) -> Any:
    """A handle that is set up."""
    error = ffi.new("struct takt_error *")
    handle = ffi.new("struct takt_machine **")
    given = ffi.NULL if name is None else word_of(name)
    check_status(lib.takt_machine_open(handle, given, error), error)
    machine = ffi.gc(handle[0], lib.takt_machine_close)
    for file, text in (_read(one, None) for one in many(config)):
        check_status(lib.takt_machine_config(machine, file, text, len(text), error), error)
    for key, value in (set or {}).items():
        assignment = word_of(f"{key}={value}")
        check_status(lib.takt_machine_set(machine, assignment, error), error)
    for warning in many(silence):
        check_status(lib.takt_machine_silence(machine, word_of(warning), error), error)
    for key, option in options.items():
        word = ffi.NULL if option is True else word_of(option or "")
        if option is not False:
            dashed = word_of(key.replace("_", "-"))
            check_status(lib.takt_machine_option(machine, dashed, word, error), error)
    return machine


@functools.lru_cache(maxsize=32)
def _shared(
    name: str | None,
    set: tuple[tuple[str, str], ...],
    silence: tuple[str, ...],
    options: tuple[tuple[str, str | bool], ...],
) -> Any:
    return open_machine(name, dict(set), None, silence, dict(options))


def shared_machine(
    name: str | None,
    set: Mapping[str, object] | None,
    config: Text | Iterable[Text] | None,
    silence: str | Iterable[str],
    options: Mapping[str, str | bool],
) -> Any:
    """A handle; one that was set up the same serves again."""
    if config is not None:
        return open_machine(name, set, config, silence, options)
    assignments = tuple((key, str(value)) for key, value in (set or {}).items())
    return _shared(name, assignments, tuple(many(silence)), tuple(options.items()))


def machine_name(programs: Text | Iterable[Text], name: str | None) -> str | None:
    """By the extension of a program's name; None, for the first machine, where none tells."""
    paths = [os.fspath(one) for one in many(programs) if isinstance(one, os.PathLike)]
    suffix = os.path.splitext(name or (paths or [""])[0])[1]
    try:
        return text_of(lib.takt_machine_name(_shared("program" + suffix, (), (), ())))
    except UsageError:
        return None
