# SPDX-License-Identifier: GPL-2.0-or-later
"""switches.py OUT WAY PHASE...: a recording of a program with phases. A phase is NAME,THREADS,MS: so many threads are in the function
of that name for so long, each with a sample every ms. WAY: switches (threads are put on CPUs and taken off), wide (the same, as it is
recorded of all CPUs, with idle ones), late (as switches, but those of the first phase run already), none."""
import struct, sys
import perfdata as p

out, way, phases = sys.argv[1], sys.argv[2], [f.split(',') for f in sys.argv[3:]]
MS, PID, PROG = 1000000, 100, '/nonexistent/phases'
st = p.IP | p.TID | p.TIME | p.CPU | p.PERIOD | p.IDENTIFIER


def trailer(tid, time, cpu=0):
    return struct.pack('<IIQIIQ', PID if tid else 0, tid, time, cpu, 0, 1)


def switch(tid, off, time, cpu):
    kind, who = (p.SWITCH_CPU, struct.pack('<II', 1, 1)) if way == 'wide' else (p.SWITCH, b'')
    return time, p.record(kind, (1 << 13) if off else 0, who + trailer(tid, time, cpu))


def move(tid, off, time, cpu):
    """With the idle thread of that CPU, which comes or goes instead."""
    idle = [switch(0, not off, time, cpu)] if way == 'wide' else []
    return idle + [switch(tid, off, time, cpu)] if not off else [switch(tid, off, time, cpu)] + idle


records, time, running, names = [], 10 * MS, {PID}, []
if way in ('wide', 'late'):
    running = set() if way == 'wide' else {PID + i for i in range(int(phases[0][1]))}
for name, n, ms in phases:
    want = {PID + i for i in range(int(n))}
    if name not in names:
        names.append(name)
    if way != 'none':
        for tid in sorted(want - running):
            records += move(tid, False, time, tid - PID)
        for tid in sorted(running - want):
            records += move(tid, True, time, tid - PID)
    running = want
    for i in range(int(ms)):
        for tid in sorted(want):
            at = time + i * MS + MS // 2 + (tid - PID) * MS // 10
            records.append((at, p.record(p.SAMPLE, p.USER, struct.pack('<QQIIQIIQ', 1, 0x401000 + 16 * names.index(name), PID, tid, at,
                                                                       tid - PID, 0, MS))))
    time += int(ms) * MS
maps = [p.record(p.COMM, 1 << 13 if way in ('switches', 'late') else 0, struct.pack('<II', PID, PID) + p.name('phases') + trailer(PID, 1)),
        p.record(p.MMAP, p.USER, struct.pack('<IIQQQ', PID, PID, 0x401000, 0x1000, 0x1000) + p.name(PROG) + trailer(PID, 2))]
# names of functions are addresses: the first phase's is 0x1000, the next one's 0x1010 ...
p.recording(out, [p.attr(st, extra=(0 if way == 'none' else 1 << 26))], maps + [r for _, r in sorted(records, key=lambda r: r[0])])
