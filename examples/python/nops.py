"""The fewest nops of a kernel, by trying: a notebook as a script (cells begin with # %%).

    python3 examples/python/nops.py

Uses the package takt of the source tree or installation that this file belongs to, else any other.
"""

# %% The kernel: a constant, two passes over a vector, and gaps of nops between them.
import itertools
import sys
from pathlib import Path

for folder in Path(__file__).resolve().parents[2:6]:
    for package in ("python", "lib/python3/dist-packages"):
        if (folder / package / "takt" / "__init__.py").exists():
            sys.path.insert(0, str(folder / package))

import takt  # noqa: E402

KERNEL = """\
imm f"1.0" $r0/0010
{gap0}
dvadd $lm0v $r0e $ln0v
{gap1}
dvadd $ln0v $r0e $lm8v
lpassa $lt $ls0v
{gap2}
dvadd $lm8v $r0e $ln8v
"""
GAPS = 3
MACHINE = takt.Machine("mncore2", silence="never-written")


def kernel(nops):
    """The text with these numbers of nops in the gaps."""
    lines = {f"gap{i}": f"nop/{count}" if count else "# no nop" for i, count in enumerate(nops)}
    return KERNEL.format(**lines)


# %% What a compiler that knows no rule would emit: legal, and slow.
careful = takt.run(kernel([9] * GAPS), MACHINE)
print(f"nine in each gap: {careful.cycles} cycles, {careful.verdict}")

# %% One gap at a time: the fewest that the rules accept. The message of the last that is refused
# says why.
fewest = []
for gap in range(GAPS):
    for count in range(10):
        trial = [9] * GAPS
        trial[gap] = count
        try:
            takt.run(kernel(trial), MACHINE)
        except takt.ProgramError as error:
            refused = f"{count} refused: line {error.line}, {error.rule}, {error.fix}"
        else:
            break
    print(f"gap {gap}: {count} needed; {refused}")
    fewest.append(count)

# %% All together, with one more in each gap or not: which is fastest?
choices = [range(count, count + 2) for count in fewest]
trials = [(takt.run(kernel(nops), MACHINE).cycles, nops) for nops in itertools.product(*choices)]
best_cycles, best = min(trials)
print(f"best of {len(trials)}: {best}, {best_cycles} cycles instead of {careful.cycles}")

# %% takt says the same without a search: nops that no rule asks for.
notes = takt.check(kernel([9] * GAPS), "mncore2", silence="never-written", removable=True).notes
spare = {note.line: note.spare_steps for note in notes if not note.spare_cycles}
print("spare:", ", ".join(f"line {line}: {steps} of 9" for line, steps in sorted(spare.items())))

# %% How far is the best from what the hardware could do? (In a notebook `result` shows a page.)
result = takt.run(kernel(best), MACHINE)
print(f"proven: at least {result.bound('any-order')} cycles in any order; {result.verdict}")
print(result.units[:3])
