# SPDX-License-Identifier: GPL-2.0-or-later
"""branches.py PROGRAM OUT REPEAT BRANCH...: a recording of PROGRAM (linked at fixed addresses) with 50 samples in its function "loop",
each with a branch stack: REPEAT times the branches, the newest first. A branch is FROM,TO,CYCLES[,m]: numbers of instructions of
the function (NAME:NUMBER: of another one, in which every third sample is then), cycles since the branch before it (N/M: of samples
by turns), m: where it went was not expected. Without a branch there are no stacks."""
import os, struct, subprocess, sys
import perfdata as p

program, out, repeat, branches = sys.argv[1], sys.argv[2], int(sys.argv[3]), [b.split(',') for b in sys.argv[4:]]
st = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER | (p.BRANCH if branches else 0)
text = subprocess.run(['objdump', '-d', '--no-show-raw-insn', program], capture_output=True, text=True).stdout


def instructions(function):
    return [int(line.split()[0][:-1], 16) for line in text.split('<%s>:' % function)[1].split('\n\n')[0].split('\n')[1:]]


def place(number):
    function, _, number = number.rpartition(':')
    return instructions(function or 'loop')[int(number)]


at = instructions('loop')
others = [end.split(':')[0] for b in branches for end in b[:2] if ':' in end]
page = at[0] & ~0xfff
records = [p.comm(st, 7, 7, 'branched', time=1), p.mmap2(st, 7, page, 0x1000, page - 0x400000, os.path.abspath(program), time=2)]


def entry(nr, start, to, cycles, missed=None):
    cycles = [int(c) for c in cycles.split('/')]
    return struct.pack('<QQQ', place(start), place(to), (1 if missed else 2) | cycles[nr % len(cycles)] << 4)


for i in range(50):
    stack = b''.join(entry(i, *b) for b in branches) * repeat
    body = struct.pack('<QQIIQQ', 1, instructions(others[0])[3] if others and i % 3 == 2 else at[3 if i % 2 else 8], 7, 7, 1000 * (i + 1), 1000)
    records.append(p.record(p.SAMPLE, p.USER, body + (struct.pack('<Q', len(branches) * repeat) + stack if branches else b'')))
p.recording(out, [p.attr(st, kind=0, branch=9 if branches else 0)], records, features=((15, b''),) if branches else ())
