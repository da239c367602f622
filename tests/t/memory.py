# SPDX-License-Identifier: GPL-2.0-or-later
"""memory.py PROGRAM OUT [DATA_SRC...]: a recording of accesses to memory that PROGRAM (linked at fixed addresses, with functions hot and
cold, and variables counter, table and big) made: what CPUs say of them, and where the data lie. With DATA_SRC (hex): one sample for
each, at an address of its own, whose weights say their order."""
import os, struct, subprocess, sys
import perfdata as p

prog, out, given = os.path.abspath(sys.argv[1]), sys.argv[2], [int(a, 16) for a in sys.argv[3:]]
st = p.IP | p.TID | p.TIME | p.ADDR | p.CPU | p.PERIOD | p.WEIGHT_STRUCT | p.DATA_SRC | p.IDENTIFIER | p.PHYS | p.DATA_PAGE | p.CODE_PAGE
OP, LVL, SNP, LCK, TLB, NUM, BLK, DATA = 0, 5, 19, 24, 26, 33, 40, p.USER | 1 << 13
text = subprocess.run(['nm', prog], capture_output=True, text=True).stdout
sym = {f[2]: int(f[0], 16) for f in (line.split() for line in text.split('\n')) if len(f) == 3}
code, data = sym['hot'] & ~0xfff, sym['table'] & ~0xfff
segments = subprocess.run(['readelf', '-lW', prog], capture_output=True, text=True).stdout
offset = {int(f[2], 16) & ~0xfff: int(f[1], 16) & ~0xfff for f in (line.split() for line in segments.split('\n')) if f[:1] == ['LOAD']}


def file_off(page):
    base = max(b for b in offset if b <= page)
    return offset[base] + page - base


records = [p.comm(st, 7, 7, 'memprog'), p.mmap2(st, 7, code, 0x1000, file_off(code), prog),
           p.mmap2(st, 7, data, 0x1000, file_off(data), prog, prot=3, misc=DATA),
           p.mmap2(st, 7, data + 0x1000, 0x4000, 0, '//anon', prot=3, misc=DATA),
           p.mmap2(st, 7, 0x8000000, 0x21000, 0, '[heap]', prot=3, misc=DATA),
           p.mmap2(st, 7, 0x7ffc00000000, 0x21000, 0, '[stack]', prot=3, misc=DATA)]


def add(ip, addr, src, weight, ins_lat=0, retire_lat=0, phys=0, data_page=4096, code_page=4096, times=1):
    for _ in range(times):
        body = struct.pack('<QQIIQQIIQ', 1, ip, 7, 7, 100000 * len(records), addr, 0, 0, 1000)
        body += struct.pack('<IHH', weight, ins_lat, retire_lat) + struct.pack('<QQQQ', src, phys, data_page, code_page)
        records.append(p.record(p.SAMPLE, p.USER, body))


l1 = 2 | (2 | 8) << LVL | 1 << NUM | 2 << SNP | (2 | 8 | 16) << TLB
l3 = 2 | (2 | 0x40) << LVL | 3 << NUM | 0x10 << SNP | (2 | 16) << TLB
ram = 2 | (2 | 0x80) << LVL | 13 << NUM | 8 << SNP | (4 | 0x20) << TLB
store = 4 | (2 | 8) << LVL | 1 << NUM | 2 << SNP | 2 << LCK | (2 | 8 | 16) << TLB
blocked = 2 | (4 | 0x10) << LVL | 12 << NUM | 2 << SNP | 2 << LCK | (2 | 8 | 16) << TLB | 2 << BLK
hot, cold = sym['hot'], sym['cold']
if given:
    for i, src in enumerate(given):
        add(hot + 4, 0x10000 + 64 * i, src, 10000 - i)
else:
    add(hot + 4, sym['counter'] + 4, store, 30, 12, 3, phys=0x12345004, times=5)
    add(hot + 4, sym['counter'] + 4, l1, 7, 5, 1, phys=0x12345004, times=9)
    add(cold + 4, sym['table'] + 12, l3, 90, 60, 2, phys=0x22345004, data_page=2 << 20, times=4)
    add(cold + 4, sym['table'] + 100, ram, 300, 200, 9, times=2)
    add(hot + 5, sym['big'] + 16, blocked, 44, 33, 0, code_page=2 << 20, times=3)
    add(hot + 5, 0x8000100, l1, 5, times=2)
    add(hot + 5, 0x7ffc00000100, l1, 5, 4, times=2)
    add(hot + 5, 0x999900, ram, 500, 400, 20, data_page=0, code_page=0)
    add(hot + 4, 0, 0, 0, times=2)
p.recording(out, [p.attr(st, kind=4, config=0x1cd)], records)
