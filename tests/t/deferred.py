# SPDX-License-Identifier: GPL-2.0-or-later
"""deferred.py FILE PROGRAM [pipe]: user parts of call chains that come in records of their own (PERF_RECORD_CALLCHAIN_DEFERRED).
PROGRAM has functions main, outer and inner, at fixed addresses. Samples in the kernel: two of one cookie; one that no record answers;
one in user space that has all of its chain; one of another task with the cookie of the first."""
import os, struct, subprocess, sys
import perfdata as p

out, prog = sys.argv[1], os.path.abspath(sys.argv[2])
st = p.IP | p.TID | p.TIME | p.CALLCHAIN | p.CPU | p.PERIOD | p.IDENTIFIER
text = subprocess.run(['nm', prog], capture_output=True, text=True).stdout
sym = {f[2]: int(f[0], 16) for f in (line.split() for line in text.split('\n')) if len(f) == 3}
K, U, DEFERRED = 0xffffffffffffff80, 0xfffffffffffffe00, 0xfffffffffffffd80
base = sym['main'] & ~0xfff
records = [p.comm(st, 7, 7, 'defer', time=1000), p.comm(st, 7, 8, 'other', time=1000), p.mmap2(st, 7, base, 0x1000, base - 0x400000, prog, time=1000)]


def sample(time, tid, ip, chain, misc=p.KERNEL):
    body = struct.pack('<QQIIQIIQ', 1, ip, 7, tid, time, 0, 0, 1000) + struct.pack('<Q%dQ' % len(chain), len(chain), *chain)
    records.append(p.record(p.SAMPLE, misc, body))


def deferred(time, tid, cookie, ips):
    records.append(p.record(22, p.USER, struct.pack('<QQ%dQ' % len(ips), cookie, len(ips), *ips) + p.trailer(st, time=time, pid=7, tid=tid)))


k = 0xffffffff81000100
main, outer, inner = sym['main'] + 4, sym['outer'] + 4, sym['inner'] + 4
sample(2000, 7, k, [K, k, k + 0x100, DEFERRED, 0x11])
sample(2100, 7, k + 0x40, [K, k + 0x40, DEFERRED, 0x11])
sample(2150, 8, k, [K, k, DEFERRED, 0x11])
deferred(2200, 7, 0x11, [U, inner, outer + 4, main])
sample(2300, 7, inner, [U, inner, outer + 4, main], misc=p.USER)
deferred(2350, 8, 0x11, [U, outer, main])
sample(2400, 7, k, [K, k, DEFERRED, 0x21])
sample(2500, 7, k, [K, k, DEFERRED, 0x31])
deferred(2600, 7, 0x31, [U, outer, main])
write = p.pipe if len(sys.argv) > 3 else p.recording
attrs = [p.attr(st, extra=3 << 38)]
write(out, attrs, records)
