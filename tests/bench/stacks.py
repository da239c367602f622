#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""stacks.py PROGRAM COUNT FILE	a recording of COUNT samples of PROGRAM, each with a stack of its own.

The 16 outermost frames branch by three at each level, so that there is a picture; the two to four frames below them are any function.
"""
import os, random, struct, subprocess, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "t"))
from perfdata import *

program, count, out = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
at = sorted({int(f[0], 16) for f in (l.split() for l in subprocess.run(["nm", "--defined-only", program], capture_output=True, text=True,
                                                                        check=True).stdout.splitlines()) if len(f) == 3 and f[1] in "tT"})
PID, BASE, CONTEXT_USER = 4242, 0x400000000000, (1 << 64) - 512
random.seed(1)
st = IP | TID | TIME | CALLCHAIN | PERIOD | IDENTIFIER
records = [comm(st, PID, PID, "deep"), mmap2(st, PID, BASE, 0x10000000, 0, program)]
frames = [BASE + a + 1 for a in at[4:]]
for i in range(count):
    chain, level = [], 1
    for depth in range(16):
        level = level * 3 + min(int(random.expovariate(1.2)), 2)
        chain.append(frames[level * 7919 % len(frames)])
    chain += random.choices(frames, k=random.randrange(2, 5))
    chain.append(CONTEXT_USER)
    chain.reverse()
    records.append(record(SAMPLE, USER, struct.pack("<QQIIQQQ%dQ" % len(chain), 1, chain[1], PID, PID, 1000 + i * 10000, 1000000, len(chain),
                                                    *chain)))
recording(out, [attr(st)], records)
