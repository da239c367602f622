# SPDX-License-Identifier: GPL-2.0-or-later
"""branches.py PROGRAM OUT REPEAT BRANCH... [counters=WIDTH]: a recording of PROGRAM (linked at fixed addresses) with 50 samples in its function "loop",
each with a branch stack: REPEAT times the branches, the newest first. A branch is FROM,TO,CYCLES[,m]: numbers of instructions of
the function (NAME:NUMBER: of another one, in which every third sample is then), cycles since the branch before it (N/M: of samples
by turns), m: where it went was not expected. Without a branch there are no stacks. counters: the events are a group of two, of which
CPUs count the occurrences since the branch before, in so many bits each; a further field of a branch, A/B, has them (A/B/A/B: of
samples by turns)."""
import os, struct, subprocess, sys
import perfdata as p

args = [a for a in sys.argv[1:] if not a.startswith('counters=')]
width = int(([a[9:] for a in sys.argv[1:] if a.startswith('counters=')] or ['0'])[0])
program, out, repeat, branches = args[0], args[1], int(args[2]), [b.split(',') for b in args[3:]]
st = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER | (p.BRANCH if branches else 0)
listing = subprocess.run(['objdump', '-d', '--no-show-raw-insn', program], capture_output=True, text=True).stdout


def instructions(function):
    return [int(line.split()[0][:-1], 16) for line in listing.split('<%s>:' % function)[1].split('\n\n')[0].split('\n')[1:]]


def place(number):
    function, _, number = number.rpartition(':')
    return instructions(function or 'loop')[int(number)]


at = instructions('loop')
others = [end.split(':')[0] for b in branches for end in b[:2] if ':' in end]
page = at[0] & ~0xfff
records = [p.comm(st, 7, 7, 'branched', time=1), p.mmap2(st, 7, page, 0x1000, page - 0x400000, os.path.abspath(program), time=2)]


def counters(nr, counts='0/0'):
    counts = [int(c) for c in counts.split('/')]
    a, b = counts[2 * nr % len(counts):][:2]
    return struct.pack('<Q', a | b << width)


def text(s):
    return struct.pack('<I', len(s) + 8 & ~7) + s.encode().ljust(len(s) + 8 & ~7, b'\0')


def features(attrs):
    names = b''.join(a + struct.pack('<I', 1) + text(name) + struct.pack('<Q', i + 1)
                     for i, (a, name) in enumerate(zip(attrs, ('cycles', 'branch-misses'))))
    caps = text('branch_counter_nr') + text('4') + text('branch_counter_width') + text(str(width))
    return ((12, struct.pack('<II', len(attrs), p.ATTR) + names), (17, struct.pack('<I', 1) + text('{anon_group}') + struct.pack('<II', 0, 2)),
            (31, struct.pack('<II', 1, 2) + caps + text('cpu')))


def entry(nr, start, to, cycles, missed=None, counts=None):
    cycles = [int(c) for c in cycles.split('/')]
    return struct.pack('<QQQ', place(start), place(to), (1 if missed == 'm' else 2) | cycles[nr % len(cycles)] << 4)


for i in range(50):
    stack = b''.join(entry(i, *b) for b in branches) * repeat + (b''.join(counters(i, *b[4:]) for b in branches) * repeat if width else b'')
    body = struct.pack('<QQIIQQ', 1, instructions(others[0])[3] if others and i % 3 == 2 else at[3 if i % 2 else 8], 7, 7, 1000 * (i + 1), 1000)
    records.append(p.record(p.SAMPLE, p.USER, body + (struct.pack('<Q', len(branches) * repeat) + stack if branches else b'')))
if width:
    attrs = [p.attr(st, kind=0, branch=9 | 1 << 19), p.attr(st, kind=0, config=5, branch=9 | 1 << 19)]
    p.recording(out, attrs, records, features=((15, b''),) + features(attrs))
else:
    p.recording(out, [p.attr(st, kind=0, branch=9 if branches else 0)], records, features=((15, b''),) if branches else ())
