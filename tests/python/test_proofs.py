"""A checker of claims that every order was searched, written from docs/proofs.md alone: it reads
the text of takt bound --proof, and finds the least cycles of any order of the pieces by itself."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

TAKT = Path(os.environ.get("TAKT", "build/takt")).absolute()
PROGRAMS = {
    "examples/mncore2/optimising/stencil-registers.vsm": 50,
    "examples/mncore2/reduce.vsm": 124,
    "tests/naive/horner.vsm": 108,
    "tests/naive/double-buffer.vsm": 206,
    "tests/naive/overwrite-source.vsm": 100,
    "tests/naive/reductions.vsm": 164,
    "tests/naive/too-early.vsm": 229,
    "tests/naive/load-nops.vsm": 272,
}


class Pieces:
    """The premises, and every order of them."""

    def __init__(self, text):
        self.pieces, self.after, self.apart, self.alone, self.claims = [], [], {}, set(), {}
        for line in text.splitlines():
            word, *rest = line.split()
            numbers = [int(n) for n in re.findall(r"\d+", line)]
            if word == "order":
                self.slot, self.unit, self.cycles = numbers
            elif word == "piece":
                names = ("landed",) if "step" in rest else ("least", "way", "work")
                kind = next(k for k in ("step", "transfer", "free") if k in rest)
                self.pieces.append({"kind": kind, **dict(zip(names, numbers[2:]))})
            elif word == "after":
                a, b, *more = numbers
                slots, kept = (None, (more or [0])[0]) if "done" in rest else (more[0], 0)
                self.after.append((a, b, slots, kept))
            elif word == "apart":
                self.apart[numbers[0], numbers[1]] = numbers[2]
            elif word == "alone":
                self.alone |= {(numbers[0], numbers[1]), (numbers[1], numbers[0])}
            elif word == "class" and "search" in rest:
                self.claims[rest[0]] = numbers[0]
        self.into = [[a for a in self.after if a[1] == n] for n in range(len(self.pieces))]
        self.tails()

    def up(self, cycles):
        return -(-cycles // self.slot) * self.slot

    def lag(self, after):
        a, _, slots, kept = after
        if slots is not None:
            return slots * self.slot
        least = self.pieces[a]["least"]
        return self.up(min(kept, least) if kept else least)

    def tails(self):
        """From each piece until all that must come after it is over."""
        self.tail = [p.get("least", p.get("landed", 0)) for p in self.pieces]
        self.tail = [max(t, self.slot * (p["kind"] == "step"))
                     for t, p in zip(self.tail, self.pieces)]
        for after in sorted(self.after, key=lambda a: -a[1]):
            # A piece that takes no time ends nothing.
            if self.tail[after[1]]:
                self.tail[after[0]] = max(self.tail[after[0]],
                                          self.lag(after) + self.tail[after[1]])

    def may(self, n, s):
        """Whether it is complete, its earliest slot and cycle."""
        complete, slot, cycle = True, s["index"], s["now"]
        for a, _, slots, kept in self.into[n]:
            if a not in s["slot"]:
                complete = False
            elif slots is None:
                cycle = max(cycle, self.over(a, kept, s))
            else:
                slot = max(slot, s["slot"][a] + slots)
        for (a, b), slots in self.apart.items():
            if b == n and s["slot"].get(a, s["index"]) < s["index"]:
                slot = max(slot, s["slot"][a] + slots)
        return complete, slot, cycle

    @staticmethod
    def over(a, kept, s):
        return min(s["issued"][a] + kept, s["done"][a]) if kept else s["done"][a]

    def ready(self, n, s):
        complete, slot, cycle = self.may(n, s)
        return n not in s["slot"] and complete and slot <= s["index"] and cycle <= s["now"]

    def least(self, below):
        self.best, self.seen = below, {}
        self.go({"slot": {}, "issued": {}, "done": {}, "index": 0, "now": 0, "used": 0,
                 "sent": False, "end": 0})
        return self.best

    def end(self, s):
        left = (self.unit - s["used"]) % self.unit if self.unit and s["used"] else 0
        stream = s["now"] + left * self.slot
        if s["used"]:
            stream += self.cycles - self.unit * self.slot
        return max([stream, s["end"], *s["done"].values()])

    def go(self, s):
        s = {**s, "slot": dict(s["slot"])}
        everything = range(len(self.pieces))
        for n in everything:
            if self.pieces[n]["kind"] == "free" and self.ready(n, s):
                s["slot"][n] = s["index"]
        left = [n for n in everything if n not in s["slot"]]
        if not left:
            self.best = min(self.best, self.end(s))
            return
        state = []
        for n in left:
            _, slot, cycle = self.may(n, s)
            begin = max(s["now"] + (slot - s["index"]) * self.slot, cycle)
            if begin + self.tail[n] >= self.best:
                return
            state.append((n, slot - s["index"], cycle - s["now"]))
        flying = tuple((n, d - s["now"]) for n, d in sorted(s["done"].items()) if d > s["now"])
        key = (tuple(state), s["used"], s["sent"], max(0, s["end"] - s["now"]), flying)
        if self.end(s) >= self.best or self.seen.get(key, s["now"] + 1) <= s["now"]:
            return
        self.seen[key] = s["now"]
        if not self.send(s, left):
            self.fill_slots(s, left)

    def send(self, s, left):
        """Each transfer that may go, in the place after a unit. One that is ready goes: a later one
        may still complete before it."""
        if self.unit and (s["used"] < self.unit or s["sent"]):
            return False
        any_sent = False
        for n in left:
            piece = self.pieces[n]
            if piece["kind"] != "transfer" or not self.ready(n, s):
                continue
            way = sorted((m for m in s["done"] if piece["way"] and s["done"][m] > s["now"] and
                          self.pieces[m]["way"] == piece["way"]), key=lambda m: s["done"][m])
            for place in range(len(way) + 1):
                done = dict(s["done"])
                done[n] = s["now"] + piece["least"]
                if place:
                    done[n] = max(done[n], done[way[place - 1]] + piece["work"])
                for m in way[place:]:
                    done[m] = max(done[m] + piece["work"], done[n])
                self.go({**s, "slot": {**s["slot"], n: s["index"]}, "sent": True, "done": done,
                         "issued": {**s["issued"], n: s["now"]}})
            any_sent = True
        return any_sent

    def fill_slots(self, s, left):
        if self.unit and s["used"] == self.unit:
            s = {**s, "now": s["now"] + self.cycles - self.unit * self.slot, "used": 0,
                 "sent": False}
        begins = {s["now"]} | {
            self.up(self.over(a, kept, s)) for a, b, slots, kept in self.after
            if slots is None and a in s["slot"] and b in left}
        for begin in sorted(begins):
            if begin >= s["now"]:
                self.fill({**s, "now": begin}, left, [])

    def fill(self, s, left, chosen):
        """The slot takes these steps of `left`, or not."""
        fits = [n for n in left if self.pieces[n]["kind"] == "step" and self.ready(n, s) and
                all((n, m) not in self.alone for m in chosen)]
        if fits:
            n, rest = fits[0], [m for m in left if m > fits[0]]
            self.fill({**s, "slot": {**s["slot"], n: s["index"]}}, rest, [*chosen, n])
            if any(slots > 1 for (a, _), slots in self.apart.items() if a == n) or \
                    any((n, m) in self.alone for m in rest):
                self.fill(s, rest, chosen)    # else it does no harm here
            return
        end = max([s["end"], *(s["now"] + self.pieces[n]["landed"] for n in chosen)])
        self.go({**s, "index": s["index"] + 1, "now": s["now"] + self.slot,
                 "used": s["used"] + (self.unit > 0), "end": end})


def checksum(data):
    """FNV-1a."""
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return value


class Proofs(unittest.TestCase):
    def test_searches(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "proof"
            for program, cycles in PROGRAMS.items():
                subprocess.run([TAKT, "bound", program, "--silence", "all", "--proof", path],
                               check=True, capture_output=True)
                pieces = Pieces(path.read_text())
                self.assertEqual(pieces.claims.get("any-order"), cycles, program)
                self.assertEqual(pieces.least(cycles + 1), cycles, program)


    def test_false_raises(self):
        """A raise with another number is refused in each class."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "proof"
            program = ["tests/naive/gather.vsm"]
            options = ["--silence", "all"]
            subprocess.run([TAKT, "bound", *program, "--proof", path, *options],
                           check=True, capture_output=True)
            lines = path.read_text().splitlines()
            raises = [n for n, line in enumerate(lines) if line.startswith("raise ")]
            self.assertTrue(raises)
            for n in raises:
                words = lines[n].split()
                words[4] = str(int(words[4]) + 1000)
                body = "\n".join([*lines[:n], " ".join(words), *lines[n + 1:-1]]) + "\n"
                path.write_text(f"{body}end {checksum(body.encode()):016x}\n")
                done = subprocess.run([TAKT, "certify", *program, path, *options],
                                      check=False, capture_output=True)
                self.assertEqual(done.returncode, 1, lines[n])


if __name__ == "__main__":
    unittest.main()
