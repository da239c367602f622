# SPDX-License-Identifier: GPL-2.0-or-later
"""fold.py: folds the text of "perf script" (standard input) into one line for each distinct stack, as perf export --format folded
should write it: command, then functions from the outermost on, then the number of samples. Where there are several events, they
are the first word. --no-comm: without the command."""
import re
import sys
from collections import Counter

HEAD = re.compile(r"^\s*(?P<comm>\S.*?)\s+(?P<tid>\d+(/\d+)?)\s+(\[\d+\]\s+)?\d+\.\d+:\s+(\d+\s+)?(?P<event>\S+):(?= |$)(?P<rest>.*)$")
FRAME = re.compile(r"^\s*(?P<ip>[0-9a-f]+) (?P<sym>.*) \((?P<dso>[^()]*|inlined|.*)\)$")


def name(sym, dso):
    sym = re.sub(r"\+0x[0-9a-f]+$", "", sym)
    if sym != "[unknown]" or dso == "[unknown]":
        return sym.replace(";", ":")
    base = dso if dso.startswith("[") else dso.split("/")[-1]
    return base if base.startswith("[") else "[%s]" % base


def samples(lines):
    head = None
    frames = []
    for line in lines:
        line = line.rstrip("\n")
        if not line:
            if head:
                yield head, frames
            head, frames = None, []
            continue
        m = FRAME.match(line) if head and line[:1] in "\t " else None
        if m:
            frames.append(name(m["sym"], m["dso"]))
            continue
        m = HEAD.match(line)
        if not m:
            continue
        if head:
            yield head, frames
        head, frames = (m["comm"], m["event"]), []
        m = FRAME.match(m["rest"])
        if m:       # no chain: the leaf stands in the line
            frames.append(name(m["sym"], m["dso"]))
            yield head, frames
            head, frames = None, []
    if head:
        yield head, frames


def main():
    folded = Counter()
    for (comm, event), frames in samples(sys.stdin):
        folded[event, ";".join(([] if "--no-comm" in sys.argv else [comm]) + frames[::-1])] += 1
    several = len({event for event, _ in folded}) > 1
    for (event, stack), n in folded.items():
        print("%s%s %d" % (event + ";" if several else "", stack, n))


main()
