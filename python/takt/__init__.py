"""takt: how many cycles an accelerator program takes, why, and how far that is from the best.

    >>> import takt
    >>> result = takt.run("nop/9\\n")
    >>> result.cycles
    36

run      time a program: a Result with totals, tables and values
check    every rule of legality, without a run: Findings
advise   what makes a program faster: Advice
schedule a better order of a program's statements: Schedule
loop     the turns of a loop, overlapped: Loop
app      an application: programs many times over, the host, boards: an App
fit      unpublished numbers by what was measured: a Fit, with a chip to run with
sweep    programs with all combinations of parameters: a table with a row a point
open     a trace that a run has written: a Trace with its tables and query(sql)
Machine  parameters and options that many programs share

A program is a str (its text) or a Path (its file). What is at fault raises ProgramError with file,
line, column, rule and fix. Tables are pandas.DataFrames where pandas is installed, else Tables,
lists of dicts. Calls may be made from several threads; they run at the same time. What is returned
or raised, and a Machine, may be pickled.
"""

from ._app import App, app
from ._fit import Fit, fit
from ._better import Advice, Diff, Interval, Item, Loop, Proof, Rate, Schedule
from ._library import (
    Error,
    HostError,
    InputError,
    KeywordError,
    UsageError,
    lib as _lib,
    text_of as _text_of,
)
from ._program import Finding, Findings, ProgramError
from ._run import Expectation, Machine, Place, Result, Verdict, advise, check, loop, run, schedule
from ._sweep import sweep
from ._table import Table
from ._trace import Trace, open

__version__: str = _text_of(_lib.takt_version()) or ""

__all__ = [
    "Advice",
    "App",
    "Diff",
    "Error",
    "Expectation",
    "Finding",
    "Findings",
    "Fit",
    "HostError",
    "InputError",
    "Interval",
    "Item",
    "KeywordError",
    "Loop",
    "Machine",
    "Place",
    "ProgramError",
    "Proof",
    "Rate",
    "Result",
    "Schedule",
    "Table",
    "Trace",
    "UsageError",
    "Verdict",
    "advise",
    "app",
    "check",
    "fit",
    "loop",
    "open",
    "run",
    "schedule",
    "sweep",
]
