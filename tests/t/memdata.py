# SPDX-License-Identifier: GPL-2.0-or-later
"""memdata.py FILE [plain|full|bare]: a recording of memory accesses, as perf mem record makes them on processors that have such events.
full: with physical addresses and page sizes; bare: of another event, without where the data came from."""
import re, subprocess, sys
from perfdata import *

LIBC = next(f for f in ('/lib/x86_64-linux-gnu/libc.so.6', '/lib/aarch64-linux-gnu/libc.so.6', '/lib64/libc.so.6', '/usr/lib/libc.so.6')
            if os.path.exists(f))
kind = sys.argv[2] if len(sys.argv) > 2 else 'plain'
ST = IP | TID | TIME | ADDR | PERIOD | IDENTIFIER | CPU
if kind != 'bare':
    ST |= WEIGHT_STRUCT | DATA_SRC
if kind == 'full':
    ST |= PHYS | DATA_PAGE


def sample(time, pid, tid, ip, addr, weight, src, phys=0, page=4096, cpu=0, misc=USER, ident=1):
    b = struct.pack('<QQIIQQIIQ', ident, ip, pid, tid, time, addr, cpu, 0, 1000)
    if ST & WEIGHT_STRUCT:
        b += struct.pack('<IHH', weight, weight // 3, 0)
    if ST & DATA_SRC:
        b += struct.pack('<Q', src)
    if ST & PHYS:
        b += struct.pack('<Q', phys)
    if ST & DATA_PAGE:
        b += struct.pack('<Q', page)
    return record(SAMPLE, misc, b)


BASE = 0x7f0000000000
sources = [0x68100142, 0x629080842, 0x1a29081042, 0x5080021, 0x2868100242, 0x0, 0x1e05080144, 0x68101042, 0x4b68100142]
out = [comm(ST, 100, 100, 'worker', time=1000), comm(ST, 100, 101, 'worker-2', time=1000),
       mmap2(ST, 100, BASE, 0x200000, 0, LIBC, time=1000), mmap2(ST, 100, 0x7f1000000000, 0x2000, 0, '/tmp/data file', time=1000, prot=3),
       mmap2(ST, 100, 0x7ffe00000000, 0x21000, 0, '[stack]', time=1000, prot=3)]
for i in range(60):
    addr = (0x7f1000000000 + 0x40 * (i % 9), 0x7ffe00000100 + 8 * i, 0, 0xffffffff81000000 + i)[i % 4]
    ip = (BASE + 0x30000 + 0x1357 * i, 0x12345678 + i)[i % 7 == 6]
    out.append(sample(2000 + 1000 * i, 100, 100 + i % 2, ip, addr, (i * 37) % 300, sources[i % len(sources)], phys=0x100000 + 0x40 * i,
                      page=(4096, 2 << 20, 1 << 30, 0)[i % 4], cpu=i % 3, ident=1 + i % 2))
names = ('cpu/mem-loads,ldlat=30/P', 'cpu/mem-stores/P') if kind != 'bare' else ('cycles', 'instructions')
desc = struct.pack('<II', 2, ATTR)
for i, n in enumerate(names):
    desc += attr(ST, kind=4 if kind != 'bare' else 0, config=(0x1cd, 0x82d0)[i] if kind != 'bare' else i)
    desc += struct.pack('<I', 1) + text(n) + struct.pack('<Q', i + 1)
attrs = [attr(ST, kind=4 if kind != 'bare' else 0, config=(0x1cd, 0x82d0)[i] if kind != 'bare' else i) for i in range(2)]
recording(sys.argv[1], attrs, out, features=[(12, desc), (3, text('host')), (4, text('6.1.0')), (6, text('x86_64'))])
