#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""annotatecmp.py EXPECTED ACTUAL: two outputs of perf annotate --stdio have the same functions, with the same numbers and
instructions at each address. Names of addresses are left out: objdump knows other ones.
annotatecmp.py --insns OBJDUMP OURS: what objdump -d and the helper disasm say of the same code. Names are left out, too.
Says how many were compared."""
import re
import sys


def bare(text):
    return re.sub(r"\s+", " ", re.sub(r"\s*(<|//|#).*$", "", text)).strip()


def listings(path):
    out, head, cur = {}, None, None
    for line in open(path, errors="replace"):
        m = re.search(r"Source code & Disassembly of (.*) for (.*) \((\d+) samples", line)
        if m:
            head, cur = m.groups(), None
            continue
        m = re.match(r"^((?: +[0-9.]+)+) : +([0-9a-f]+): *(.*)$", line)
        if m:
            if cur is None:
                cur = out.setdefault(head + (m[2],), {})
            cur[m[2]] = (m[1].split(), bare(m[3]))
    return out


def same(a, b):
    # each is rounded to 0.01 by printf from a double
    return len(a) == len(b) and all(abs(float(x) - float(y)) < 0.0101 for x, y in zip(a, b))


def compare_listings(want, have):
    bad = [f"function {k}" for k in sorted(set(want) ^ set(have))]
    for k in set(want) & set(have):
        for at in sorted(set(want[k]) | set(have[k])):
            w, h = want[k].get(at), have[k].get(at)
            if not w or not h or w[1] != h[1] or not same(w[0], h[0]):
                bad.append(f"{k[0]} {at}: {w} {h}")
    return len(set(want) & set(have)), bad


def insns(path, pattern):
    out = {}
    for line in open(path, errors="replace"):
        m = re.match(pattern, line)
        if m:
            out[int(m[1], 16)] = bare(m[2])
    return out


if sys.argv[1] == "--insns":
    w = insns(sys.argv[2], r"\s+([0-9a-f]+):\t(.*)$")
    h = insns(sys.argv[3], r"([0-9a-f]+) .*\t(.*)$")
    wrong = [f"{a:x}: {w.get(a)} | {h.get(a)}" for a in sorted(set(w) | set(h)) if w.get(a) != h.get(a)]
    n = len(w)
else:
    n, wrong = compare_listings(listings(sys.argv[1]), listings(sys.argv[2]))
print("\n".join(wrong[:20]))
print(f"{n} compared, {len(wrong)} differ")
sys.exit(1 if wrong or not n else 0)
