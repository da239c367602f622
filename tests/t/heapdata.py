# SPDX-License-Identifier: GPL-2.0-or-later
"""heapdata.py FILE PERIOD <STORY: a recording as perf heap record makes it, of a story of lines:
	TIME PID alloc ADDRESS BYTES FRAME...		(frames are kernel addresses, so that --kallsyms names them)
	TIME PID free ADDRESS
	TIME PID exit | exec | lost N | comm NAME"""
import struct, sys
from perfdata import *

period = int(sys.argv[2])
ST = IDENTIFIER | IP | TID | TIME | ADDR | CPU | PERIOD | WEIGHT
CONTEXT_KERNEL = 2 ** 64 - 128
BPF_OUTPUT = 10


def sample(time, pid, ident, ip, addr, size, chain=None):
    weight = max(size, period, 1)
    b = struct.pack('<QQIIQQIIQ', ident, ip, pid, pid, time, addr, 0, 0, weight)
    if chain is not None:
        b += struct.pack('<QQ', 1 + len(chain), CONTEXT_KERNEL) + b''.join(struct.pack('<Q', f) for f in chain)
    return record(SAMPLE, USER if chain is None else KERNEL, b + struct.pack('<Q', size))


sizes = {}
out = [mmap(ST, 2 ** 32 - 1, 0xffffffff81000000, 0x200000, 0xffffffff81000000, '[kernel.kallsyms]_text', misc=KERNEL)]
for line in sys.stdin:
    w = line.split()
    if not w or w[0] == '#':
        continue
    time, pid = int(w[0]), int(w[1])
    if w[2] == 'alloc':
        chain = [int(f, 16) for f in w[5:]]
        sizes[pid, w[3]] = int(w[4])
        out.append(sample(time, pid, 1, chain[0] if chain else 0, int(w[3], 16), int(w[4]), chain))
    elif w[2] == 'free':
        out.append(sample(time, pid, 2, 0x1000, int(w[3], 16), sizes.get((pid, w[3]), 0)))
    elif w[2] == 'lost':
        out.append(record(LOST_SAMPLES, 0, struct.pack('<Q', int(w[3])) + trailer(ST, 1, time, pid, pid)))
    elif w[2] in ('comm', 'exec'):
        out.append(comm(ST, pid, pid, w[3] if len(w) > 3 else 'other', time=time, misc=1 << 13 if w[2] == 'exec' else 0))
    else:
        out.append(task(EXIT, ST, pid, 1, pid, 1, time=time))
attrs = [attr(ST | extra, config=BPF_OUTPUT) for extra in (CALLCHAIN, 0)]
# sample_period follows type, size and config; without the flag for frequencies
attrs = [a[:16] + struct.pack('<Q', period) + a[24:] for a in attrs]
desc = struct.pack('<II', 2, ATTR)
for i, n in enumerate(('heap:alloc', 'heap:free')):
    desc += attrs[i] + struct.pack('<I', 1) + text(n) + struct.pack('<Q', i + 1)
recording(sys.argv[1], attrs, out, features=[(12, desc), (3, text('host')), (4, text('6.18.0')), (6, text('x86_64'))])
