# SPDX-License-Identifier: GPL-2.0-or-later
"""onoff.py OUT: a recording in which samples of page-faults and of context-switches stand between those of cpu-clock, which has the
addresses 0x1000 (10 samples), 0x3000 (20), 0x5000 (40), 0x7000 (80) and 0x9000 (160)."""
import struct, sys
import perfdata as p

st = p.IP | p.TID | p.TIME | p.CPU | p.PERIOD | p.IDENTIFIER
names = ['cpu-clock', 'page-faults', 'context-switches']
attrs = [p.attr(st, config=c) for c in (0, 2, 3)]
records = [p.comm(st, 7, 7, 'onoff')]


def add(ident, time, ip, n=1):
    for i in range(n):
        records.append(p.record(p.SAMPLE, p.USER, struct.pack('<QQIIQIIQ', ident, ip, 7, 7, time + i, 0, 0, 1)))


add(1, 100, 0x1000, 10)
add(2, 200, 0x2000)
add(1, 300, 0x3000, 20)
add(3, 400, 0x4000)
add(1, 500, 0x5000, 40)
add(2, 600, 0x6000, 2)
add(1, 700, 0x7000, 80)
add(3, 800, 0x8000, 2)
add(1, 900, 0x9000, 160)
desc = struct.pack('<II', len(attrs), p.ATTR)
for i, (a, name) in enumerate(zip(attrs, names)):
    desc += a + struct.pack('<I', 1) + p.text(name) + struct.pack('<Q', i + 1)
p.recording(sys.argv[1], attrs, records, features=[(12, desc)])
