# SPDX-License-Identifier: GPL-2.0-or-later
"""lbr.py FILE PROGRAM [nocaps|noindex|plain] <STORY: call stacks that a CPU kept (record --call-graph lbr), in 8 registers. PROGRAM has
functions f0 to f19, at fixed addresses, each of which calls the next one.

    [TID] DEPTH                 a sample in fDEPTH; the CPU has the newest 8 calls
    [TID] DEPTH FIRST           ... but forgot what was before the call of fFIRST
    [TID] DEPTH FIRST CHANGED   ... and that call was made from elsewhere
    kernel DEPTH                a sample in the kernel
plain: branches that are no call stacks; noindex: the registers are not known; nocaps: their number is not known"""
import os, struct, subprocess, sys
import perfdata as p

out, prog, kind = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ''
N = 8
INDEX, STACK = 1 << 17, 1 << 11
st = p.IP | p.TID | p.TIME | p.CALLCHAIN | p.CPU | p.PERIOD | p.IDENTIFIER | p.BRANCH
text = subprocess.run(['nm', prog], capture_output=True, text=True).stdout
sym = {f[2]: int(f[0], 16) for f in (line.split() for line in text.split('\n')) if len(f) == 3}
f = [sym['f%d' % i] for i in range(20)]
base = min(f) & ~0xfff
K, U = 0xffffffffffffff80, 0xfffffffffffffe00
records = [p.comm(st, 7, 7, 'lbr', time=1000), p.comm(st, 7, 8, 'other', time=1000), p.mmap2(st, 7, base, 0x2000, base - 0x400000, prog, time=1000)]
time = 2000
for line in sys.stdin:
    words, kernel = line.split(), line.startswith('kernel')
    if not words:
        continue
    tid = 7
    if kernel:
        words = words[1:]
    elif words[0].startswith('t'):
        tid, words = int(words[0][1:]), words[1:]
    depth = int(words[0])
    first = int(words[1]) if len(words) > 1 else 1
    calls = [(f[d - 1] + 4 + (1 if len(words) > 2 and d == first else 0), f[d], 0) for d in range(first, depth + 1)][-N:][::-1]
    index = (depth - 1) % N
    ip = 0xffffffff81000100 if kernel else f[depth] + 2
    chain = [K, ip, U, f[depth] + 2] if kernel else [U, ip]
    body = struct.pack('<QQIIQIIQ', 1, ip, 7, tid, time, 0, 0, 1000) + struct.pack('<Q%dQ' % len(chain), len(chain), *chain)
    body += struct.pack('<Q', len(calls)) + (b'' if kind == 'noindex' else struct.pack('<Q', index)) + b''.join(struct.pack('<QQQ', *c) for c in calls)
    records.append(p.record(p.SAMPLE, p.KERNEL if kernel else p.USER, body))
    time += 1000
branch = 1 | (0 if kind == 'plain' else STACK) | (0 if kind == 'noindex' else INDEX)
attrs = [p.attr(st, kind=0, branch=branch)]
caps = [(28, struct.pack('<I', 1) + p.text('branches') + p.text(str(N)))]
p.recording(out, attrs, records, features=[(6, p.text('x86_64')), (7, struct.pack('<II', 1, 1))] + ([] if kind == 'nocaps' else caps))
