# SPDX-License-Identifier: GPL-2.0-or-later
"""branchpaths.py PROGRAM FUNCTION OUT SAMPLE...: a recording of PROGRAM (linked at fixed addresses) with branch stacks and call chains.
A sample is IP:CHAIN:BRANCHES, places in bytes from the beginning of FUNCTION: the chain's frames with commas between, the innermost first
(the sample has none without any), the branches with ';' between, the newest first, each FROM>TO/CYCLES[/FLAGS]: m: not predicted,
x: not known, a: aborted a transaction. A place "=N" is an address."""
import os, struct, subprocess, sys
import perfdata as p

program, function, out = sys.argv[1:4]
st = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER | p.CALLCHAIN | p.BRANCH
symbols = subprocess.run(['nm', program], capture_output=True, text=True).stdout.split('\n')
base = [int(s.split()[0], 16) for s in symbols if s.endswith(' ' + function)][0]
page = base & ~0xfff


def place(text):
    return int(text[1:], 0) if text[0] == '=' else base + int(text, 0)


def entry(text):
    ends, cycles, flags = (text + '/').split('/')[:3]
    start, to = ends.split('>')
    bits = (1 if 'm' in flags else 0 if 'x' in flags else 2) | (8 if 'a' in flags else 0) | int(cycles) << 4
    return struct.pack('<QQQ', place(start), place(to), bits)


records = [p.comm(st, 7, 7, 'branched', time=1), p.mmap2(st, 7, page, 0x1000, page - 0x400000, os.path.abspath(program), time=2)]
for i, sample in enumerate(sys.argv[4:]):
    ip, chain, branches = sample.split(':')
    words = [(1 << 64) - 512] + [place(c) for c in chain.split(',')] if chain else []
    stack = [entry(b) for b in branches.split(';')] if branches else []
    body = struct.pack('<QQIIQQQ%dQ' % len(words), 1, place(ip), 7, 7, 1000 * (i + 1), 1000, len(words), *words)
    records.append(p.record(p.SAMPLE, p.USER, body + struct.pack('<Q', len(stack)) + b''.join(stack)))
p.recording(out, [p.attr(st, kind=0, branch=9)], records, features=((15, b''),))
