"""Where a single fault can be planted in a C file: comparisons, off by one, dropped checks.

A tokenizer skips comments, strings and preprocessor lines. Faults are planted in bodies of functions only, and not in functions
that print usage.
"""

import bisect
import re
from dataclasses import dataclass

TOKEN = re.compile(r"""
    (?P<skip> \s+ | //[^\n]* | /\*.*?\*/ | (?:(?<=\n)|\A)[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])* )
  | (?P<text> "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' )
  | (?P<number> \.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.])* )
  | (?P<name> [A-Za-z_]\w* )
  | (?P<operator> <<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|. )
""", re.VERBOSE | re.DOTALL)
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
PAIRS = {"(": ")", "[": "]", "{": "}"}
ENDS = {",", ";", "?", ":", "=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "%=", "<<=", ">>=", "return", "{", "}", "(", ")", "[", "]"}
LEAVES = {"return", "break", "continue", "goto"}
ASSERTS = {"_Static_assert", "static_assert", "case", "enum"}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Place:
    """A fault: text[start:end] becomes `put`; lines first to last hold it."""

    file: str
    first: int
    last: int
    start: int
    end: int
    put: str
    change: str

    def planted(self, text):
        lost = text[self.start:self.end].count("\n") - self.put.count("\n")
        return text[:self.start] + self.put + "\n" * lost + text[self.end:]


def tokens_of(text):
    return [Token(m.lastgroup, m[0], m.start(), m.end()) for m in TOKEN.finditer(text) if m.lastgroup != "skip"]


def partners(tokens):
    """The index of the bracket that closes or opens, for each bracket."""
    partner, open_ = {}, []
    for i, token in enumerate(tokens):
        if token.kind == "operator" and token.text in PAIRS:
            open_.append(i)
        elif token.kind == "operator" and token.text in PAIRS.values() and open_:
            j = open_.pop()
            partner[i], partner[j] = j, i
    return partner


def bodies(tokens, partner):
    """(name, first, last) of the bodies of functions: braces in no other braces, behind ')'."""
    i = 0
    while i < len(tokens):
        if tokens[i].text == "{" and i in partner:
            opened = partner.get(i - 1) if i and tokens[i - 1].text == ")" else None
            if opened:
                yield tokens[opened - 1].text, i + 1, partner[i]
            i = partner[i]
        i += 1


def operand(tokens, partner, at, step):
    """The tokens [first, last] of one side of && or ||."""
    ends = ENDS | ({"&&", "||"} if tokens[at].text == "&&" else {"||"})
    i = at + step
    while True:
        text = tokens[i].text
        if i in partner and (text in PAIRS) == (step > 0):
            i = partner[i]
        elif tokens[i].kind != "text" and text in ends:
            break
        i += step
    return (i + 1, at - 1) if step < 0 else (at + 1, i - 1)


def shown(text):
    return " ".join(text.split())


class File:
    def __init__(self, name, text):
        self.name, self.text = name, text
        self.tokens = tokens_of(text)
        self.partner = partners(self.tokens)
        self.lines = [m.end() for m in re.finditer("\n", text)]

    def line(self, offset):
        return bisect.bisect_right(self.lines, offset) + 1

    def place(self, first, last, put, change):
        start, end = self.tokens[first].start, self.tokens[last].end
        return Place(self.name, self.line(start), self.line(end - 1), start, end, put, change)

    def source(self, first, last):
        return shown(self.text[self.tokens[first].start:self.tokens[last].end])

    def places(self):
        for name, first, last in bodies(self.tokens, self.partner):
            if "usage" not in name and "help" not in name:
                yield from self.places_in(first, last)

    def places_in(self, first, last):
        i = first
        while i < last:
            token = self.tokens[i]
            if token.text in ASSERTS:
                while i < last and self.tokens[i].text not in (";", ":"):
                    i = self.partner[i] if self.tokens[i].text in PAIRS else i + 1
            elif token.kind == "operator" and token.text in COMPARISONS:
                put = COMPARISONS[token.text]
                yield self.place(i, i, put, f"`{self.around(i)}`: `{token.text}` to `{put}`")
            elif token.text in ("+", "-") and re.fullmatch("1[uUlL]*", self.tokens[i + 1].text) and self.is_binary(i):
                yield self.place(i + 1, i + 1, "0", f"`{self.around(i)}`: `{token.text} 1` to `{token.text} 0`")
            elif token.text in ("&&", "||") and token.kind == "operator":
                for step in (-1, 1):
                    a, b = operand(self.tokens, self.partner, i, step)
                    yield self.place(a, b, "1" if token.text == "&&" else "0",
                                     f"`{self.source(a, b)}` dropped from `{token.text}`")
            elif token.text == "if" and self.tokens[i + 1].text == "(":
                yield from self.dropped_if(i)
            i += 1

    def is_binary(self, i):
        before = self.tokens[i - 1]
        return before.text in (")", "]") or before.kind == "number" or (before.kind == "name" and before.text != "return")

    def around(self, i):
        """Some tokens on both sides, those of its lines."""
        a, b = max(i - 4, 0), min(i + 4, len(self.tokens) - 1)
        return self.source(a, b)

    def dropped_if(self, i):
        """if (check) statement: the check never holds, or always does where the statement does not leave. What the check calls is
        still called."""
        a, b = i + 1, self.partner[i + 1]
        end = self.partner[b + 1] if self.tokens[b + 1].text == "{" else self.statement_end(b + 1)
        check = self.text[self.tokens[a].start:self.tokens[b].end]
        body = self.tokens[b + 1].text
        source = f"`if {shown(check)} {self.source(b + 1, end) if body != '{' else '{ ... }'}`"
        yield self.place(a, b, f"({check} && 0)", f"{source} never holds")
        if not LEAVES & {t.text for t in self.tokens[b + 1:end + 1]}:
            yield self.place(a, b, f"({check} || 1)", f"{source} always holds")

    def statement_end(self, i):
        """The ';' of the statement, or the last token of the body of a loop or an if."""
        if self.tokens[i].text in ("if", "for", "while", "switch"):
            i = self.partner[i + 1] + 1
            return self.partner[i] if self.tokens[i].text == "{" else self.statement_end(i)
        while self.tokens[i].text != ";":
            i = self.partner[i] if self.tokens[i].text in PAIRS else i
            i += 1
        return i
