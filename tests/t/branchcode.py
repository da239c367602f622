# SPDX-License-Identifier: GPL-2.0-or-later
"""branchcode.py PROGRAM OUT [stream]: a recording of PROGRAM (t3007's: functions one, two, big and main at fixed addresses) with branch stacks
that tell of its code, and some that cannot be true: blocks that end before they begin, that cross from the kernel, that cannot be
read, ends in the middle of an instruction, samples that the code does not lead to."""
import subprocess, sys
import perfdata as p
from perfdata import os, struct

st = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER | p.BRANCH
program = os.path.abspath(sys.argv[1])
listing = subprocess.run(['objdump', '-d', '--no-show-raw-insn', program], capture_output=True, text=True).stdout


def instructions(function):
    return [int(line.split()[0][:-1], 16) for line in listing.split('<%s>:' % function)[1].split('\n\n')[0].split('\n')[1:]]


one, two, main, big = (instructions(f) for f in ('one', 'two', 'main', 'big'))
page = one[0] & ~0xfff
records = [p.comm(st, 7, 7, 'branched', time=1), p.mmap2(st, 7, page, 0x8000, page - 0x400000, program, time=2)]
KERNEL = 0xffffffff81000000


def branch(start, to, cycles=0, flags=2):		# flags: 1 not expected, 2 expected, 4 in a transaction, 8 it was aborted
    return struct.pack('<QQQ', start, to, flags | cycles << 4)


def sample(ip, *branches):				# the newest branch first
    body = struct.pack('<QQIIQQQ', 1, ip, 7, 7, 1000 * len(records), 1000, len(branches)) + b''.join(branches)
    records.append(p.record(p.SAMPLE, p.USER, body))


into = branch(main[0], one[0], 7)
call = branch(one[1], two[0], 5)
sample(two[3], call, into)
sample(one[0], call, into)				# the sample is before where the branch went to
sample(two[0], call)
sample(two[3], branch(one[1], two[0], 5, 2 | 4 | 8), branch(main[0], one[0], 0, 1 | 4), branch(one[5], main[1], 3, 0))
sample(two[0])
sample(two[1], branch(0x1000, two[0], 5), branch(one[3], 0x2000, 1), into)
sample(two[1], branch(KERNEL, two[0], 5), branch(one[1], KERNEL + 0x1000, 1), into)
sample(two[1], branch(KERNEL, two[0], 5), into)
sample(two[2], branch(two[1], two[0], 5), branch(one[1], two[3], 1), into)
sample(main[1], branch(two[4], one[0], 9), into)
sample(two[9], branch(one[3], two[6], 9), into)
sample(two[0], branch(0, 0), branch(0, 0))
sample(two[0], branch(one[1], two[0], 4), branch(0, 0), branch(0, 0))
sample(two[0] + 3, branch(one[1] + 2, two[0], 4), into)
sample(0x3000, call, into)
sample(two[5], branch(two[5], two[0], 4), call)
sample(two[1], branch(one[1], 0x2000, 5), into)
sample(two[1], branch(one[1], KERNEL, 5), into)
sample(KERNEL, call, into)
sample(two[1], branch(two[5], 0, 5), call)
sample(two[1], branch(one[1], big[0], 5))
sample(two[1], branch(one[1], two[0], 0), branch(main[0], one[0], 0, 1))
sample(two[1], branch(one[1], two[0], 0), branch(0, one[0], 0))
sample(two[1], branch(one[1], two[0], 3), branch(0x2000, one[0], 2))
sample(two[1], branch(big[0], one[3], 5), into)
sample(two[6], branch(one[1], two[3], 5), into)
sample(big[1500], branch(one[1], big[0], 3))
sample(big[0], branch(big[1500], big[0], 3), branch(one[1], big[0], 3))
sample(big[19000], branch(big[19000], big[0], 3), branch(one[1], big[0], 3))
attrs = [p.attr(st, kind=0, branch=9)]
if sys.argv[3:]:
    p.pipe(sys.argv[2], attrs, records)
else:
    p.recording(sys.argv[2], attrs, records, features=((15, b''),))
