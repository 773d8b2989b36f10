"""Programs, findings and machines: what stands before a run."""

from __future__ import annotations

import functools
import html
import os
import re
from dataclasses import dataclass, fields as dataclass_fields
from typing import Any, Iterable, Mapping, Union

from ._library import (
    InputError,
    KeywordError,
    UsageError,
    bytes_of,
    check as check_status,
    ffi,
    index_of,
    lib,
    named,
    pairs,
    path_of,
    setting_of,
    shown,
    text_of,
    word_of,
)
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
    other_line: int | None = None
    """Of the other statement of a hazard or conflict."""
    other_file: str | None = None
    """Of that line, where that is another file."""
    missing_cycles: int | None = None
    """Empty cycles that would make it legal."""

    def __str__(self) -> str:
        place = "".join(f":{number}" for number in (self.line, self.column) if number)
        first = f"{self.file}{place}: {self.severity}: {self.text}"
        first += f" [manual {self.rule}]" if self.rule else ""
        lines = [first + (f" [{self.name}]" if self.name else "")]
        if self.source:
            line = self.source.encode()
            before, meant = (
                line[at : at + length].decode("utf-8", "replace")
                for at, length in ((0, self.column - 1), (self.column - 1, self.length))
            )
            mark = "  " + re.sub(r"\S", " ", before) + "^" + "~" * (len(meant) - 1)
            lines += ["  " + self.source] + ([mark] if self.column else [])
        if self.fix:
            lines.append("  fix: " + self.fix)
        return "\n".join(map(shown, lines))


class Findings(list[Finding]):
    """Findings in the order of the program."""

    left_out = 0
    """How many more there are: 10,000 are listed."""

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
        more = [f"{len(errors)} errors: .findings has them all"] if len(errors) > 1 else []
        super().__init__(*str(self.finding).split("\n"), *more)

    def __reduce__(self) -> Any:
        return type(self), (self.findings,), self.__dict__

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


def many(name: str, value: Any) -> list[Any]:
    """One thing, none (None) or several as a list; name: of the argument."""
    if value is None:
        return []
    if isinstance(value, (str, bytes, os.PathLike)):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, (bytearray, memoryview, Mapping)):
        raise UsageError(
            f"{name} takes a text (a str or bytes), a Path, or several, not {named(value)}"
        )
    return list(value)


def read(what: str, text: Any, name: str | None) -> tuple[bytes, bytes]:
    """Name and text; what: the argument."""
    if name is not None and not isinstance(name, str):
        raise UsageError(f"name takes a str, not {named(name)}")
    if isinstance(text, (str, bytes)):
        return word_of("name", name or "<text>"), bytes_of(what, text)
    if not isinstance(text, os.PathLike):
        raise UsageError(f"{what} takes a text (a str or bytes) or a Path, not {named(text)}")
    path = path_of(what, text)
    with open(path, "rb") as file:
        return word_of("name", name or path), file.read()


def _fields_of(row: Any) -> dict[str, Any]:
    """Of a finding of libtakt."""
    names = fields("takt_finding")
    return dict(zip(names, values(row, names)))


class Program:
    """A program that has been parsed and checked for a machine; pickled, it is opened again."""

    def __init__(
        self,
        machine: MachineHandle,
        programs: Text | Iterable[Text],
        name: str | None,
        judge: str = "takt_program_open",
    ) -> None:
        """judge: the function of takt.h that reads it."""
        self._machine = machine
        self._judge = judge
        self._read = [read("program", one, name) for one in many("program", programs)]
        if not self._read:
            raise UsageError("program takes a text or a Path, or several: there is none")
        self._handle: Any = None
        self._origin: Any = None
        self._findings: Findings | None = None
        self._split: dict[int, list[bytes]] = {}
        self.legal = self._open() == lib.TAKT_FINE

    def _open(self) -> int:
        read = self._read
        kept = [(ffi.new("char[]", file), ffi.from_buffer(text), len(text)) for file, text in read]
        error = ffi.new("struct takt_error *")
        handle = ffi.new("struct takt_program **")
        texts = ffi.new("struct takt_text[]", kept)
        judge = getattr(lib, self._judge)
        status = int(judge(handle, self._machine.handle, texts, len(read), error))
        if not handle[0]:
            check_status(status, error)
        self._handle = ffi.gc(handle[0], lib.takt_program_close)
        return status

    @property
    def handle(self) -> Any:
        if self._handle is None and self._origin:
            plan, lines = self._origin
            self._handle = plan.program.without(plan.run(0), lines)
        elif self._handle is None:
            self._open()
        return self._handle

    @property
    def name(self) -> str:
        return self._read[0][0].decode("utf-8", "backslashreplace")

    @staticmethod
    def without(run: Any, lines: str) -> Any:
        """The handle of the program of a run without these lines."""
        error = ffi.new("struct takt_error *")
        handle = ffi.new("struct takt_program **")
        check_status(lib.takt_run_without(run, handle, word_of("lines", lines), error), error)
        return ffi.gc(handle[0], lib.takt_program_close)

    def changed(self, handle: Any, plan: Any, lines: str) -> Program:
        """This program without lines, from a run of a plan."""
        program = Program.__new__(Program)
        program.__dict__.update(self.__getstate__())
        program._handle, program._origin = handle, (plan, lines)
        program.legal = True
        return program

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_handle": None, "_findings": None, "_split": {}}

    @property
    def findings(self) -> Findings:
        if self._findings is None:
            rows = structs("takt_finding", lib.takt_program_findings, self.handle)
            details = structs("takt_detail", lib.takt_program_details, self.handle)
            self._findings = Findings(map(self._finding, rows, details))
            kinds = (lib.TAKT_NOTE, lib.TAKT_WARNING, lib.TAKT_ERROR)
            every = sum(lib.takt_program_count(self.handle, kind) for kind in kinds)
            self._findings.left_out = every - len(rows)
        return self._findings

    def _finding(self, row: Any, detail: Any) -> Finding:
        found = _fields_of(row)
        found["other_line"] = detail.other_line or None
        found["other_file"] = text_of(detail.other_file)
        found["missing_cycles"] = detail.missing_cycles if detail.missing_cycles >= 0 else None
        return self.finding(at=detail.text, **found)

    def warned(self, run: Any) -> list[Finding]:
        """What a run of it warns of."""
        rows = structs("takt_finding", lib.takt_run_findings, run)
        return [self.finding(**_fields_of(row)) for row in rows]

    def _lines(self, at: int) -> list[bytes]:
        """Those of a text; a program of many findings splits it once."""
        if at not in self._split:
            self._split[at] = self._read[at][1].split(b"\n")
        return self._split[at]

    def finding(
        self, severity: int, missing_steps: int, at: int | None = None, **found: Any
    ) -> Finding:
        """One as libtakt gives it, with its line in the text `at`, else in that of its name."""
        if at is None:
            wanted = bytes_of("file", found["file"])
            equal = [i for i, (file, _) in enumerate(self._read) if file == wanted]
            at = equal[0] if len(equal) == 1 else None
        lines = self._lines(at) if at is not None and at < len(self._read) else []
        line = lines[found["line"] - 1] if 0 < found["line"] <= len(lines) else b""
        return Finding(
            severity=("note", "warning", "error")[severity],
            missing_steps=missing_steps if missing_steps >= 0 else None,
            source=line.removesuffix(b"\r").decode("utf-8", "replace"),
            **found,
        )

    def fault(self, error: Any) -> ProgramError:
        """What a run has found to be wrong."""
        place = {name: getattr(error, name) for name in ("line", "column")}
        place.update({name: text_of(getattr(error, name)) for name in ("file", "rule", "fix")})
        prefix = f"{place['file']}:{place['line']}:{place['column']}: "
        text = (text_of(error.text) or "").removeprefix(prefix)
        place["fix"] = place["fix"] or None
        rest: dict[str, Any] = {"length": 1, "name": "", "spare_steps": 0, "spare_cycles": 0}
        found = self.finding(lib.TAKT_ERROR, -1, text=text, **place, **rest)
        return ProgramError(Findings([found]))


# --- machines ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Setup:
    """What a machine is made of."""

    name: str | None
    configs: tuple[tuple[bytes, bytes], ...]
    sets: tuple[tuple[str, str], ...]
    silence: tuple[bytes, ...]
    speed: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, Any], ...]

    def open(self) -> Any:
        error = ffi.new("struct takt_error *")
        handle = ffi.new("struct takt_machine **")
        given = ffi.NULL if self.name is None else word_of("machine", self.name)
        check_status(lib.takt_machine_open(handle, given, error), error)
        return self.lay_over(ffi.gc(handle[0], lib.takt_machine_close))

    def lay_over(self, machine: Any) -> Any:
        """All but the name."""
        error = ffi.new("struct takt_error *")
        for file, text in self.configs:
            check_status(lib.takt_machine_config(machine, file, text, len(text), error), error)
        for key, value in self.sets:
            assignment = word_of("set", f"{key}={value}")
            check_status(lib.takt_machine_set(machine, assignment, error), error)
        for warning in self.silence:
            check_status(lib.takt_machine_silence(machine, warning, error), error)
        for key, option in self.options:
            _set_option(machine if option is not False else self._scratch(), key, option, error)
        for unit, factor in self.speed:
            word = word_of("speed", f"{unit}={factor}")
            check_status(lib.takt_machine_speed(machine, word, error), error)
        return machine

    def _scratch(self) -> Any:
        """A machine on which an option that is off may be set, to learn whether it is known."""
        return _Setup(self.name, (), (), (), (), ()).open()


@dataclass(frozen=True)
class _Wrong:
    """An option's value of a type that no option takes; options that are alike share a machine."""

    text: str


def _options(options: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Names and values: a number as its text, so that 1 and True are not the same option."""

    def value_of(key: str, value: Any) -> Any:
        if isinstance(value, (str, bytes, bool)):
            return value
        number = index_of(value)
        return setting_of(key, number) if isinstance(number, int) else _Wrong(named(value))

    return tuple((key, value_of(key, value)) for key, value in options.items())


def _set_option(machine: Any, key: str, option: Any, error: Any) -> None:
    word = word_of(key, option) if isinstance(option, (str, bytes)) else ffi.NULL
    name = word_of("an option", key.replace("_", "-"))
    status = lib.takt_machine_option(machine, name, word, error)
    text = text_of(error.text) or ""
    if status == lib.TAKT_MISUSE and " have no option " in text:
        raise KeywordError(f"unexpected keyword argument '{key}': {text}")
    if isinstance(option, _Wrong):
        raise UsageError(f"{key}={option.text}: an option takes a str, an int or a bool")
    if option is not False:
        check_status(status, error)


def _setup(
    name: str | None,
    set: Any,
    config: Any,
    silence: Any,
    options: Mapping[str, Any],
    speed: Any = None,
) -> _Setup:
    if name is not None and not isinstance(name, str):
        raise UsageError(f"machine takes a Machine or the name of one, not {named(name)}")
    return _Setup(
        name,
        tuple(read("config", one, None) for one in many("config", config)),
        tuple((key, setting_of(key, value)) for key, value in pairs("set", set)),
        tuple(word_of("silence", one) for one in many("silence", silence)),
        tuple((key, setting_of(key, value)) for key, value in pairs("speed", speed)),
        _options(options),
    )


def set_up(
    machine: Any, name: str | None, set: Any, config: Any, options: Mapping[str, Any]
) -> Any:
    """A machine that a text names, with what is laid over it; name: that it is to have."""
    own = text_of(lib.takt_machine_name(machine)) or ""
    if name is not None:
        wanted = _shared(_setup(name, None, None, (), {}))
        if text_of(lib.takt_machine_name(wanted.handle)) != own:
            raise UsageError(f"the text is for the machine {own}, not {name}")
    return _setup(own, set, config, (), options).lay_over(machine)


class MachineHandle:
    """A machine of libtakt that is set up; pickled, it is set up again."""

    def __init__(self, setup: _Setup) -> None:
        self.setup = setup
        self.handle = setup.open()

    def __reduce__(self) -> Any:
        return MachineHandle, (self.setup,)


def open_machine(
    name: str | None,
    set: Mapping[str, object] | None,
    config: Text | Iterable[Text] | None,
    silence: str | Iterable[str],
    options: Mapping[str, str | int],
    speed: Mapping[str, float] | None = None,
) -> MachineHandle:
    return MachineHandle(_setup(name, set, config, silence, options, speed))


_shared = functools.lru_cache(maxsize=32)(MachineHandle)


def shared_machine(
    name: str | None,
    set: Mapping[str, object] | None,
    config: Text | Iterable[Text] | None,
    silence: str | Iterable[str],
    options: Mapping[str, str | int],
) -> MachineHandle:
    """One that was set up the same serves again."""
    setup = _setup(name, set, config, silence, options)
    return MachineHandle(setup) if setup.configs else _shared(setup)


def machine_name(programs: Text | Iterable[Text], name: str | None) -> str | None:
    """By the extension of a program's name; None, for the first machine, where none tells."""
    given = many("program", programs)
    paths = [path_of("program", one) for one in given if isinstance(one, os.PathLike)]
    suffix = os.path.splitext(name if isinstance(name, str) and name else (paths or [""])[0])[1]
    try:
        plain = _shared(_Setup("program" + suffix, (), (), (), (), ()))
        return text_of(lib.takt_machine_name(plain.handle))
    except UsageError:
        return None
