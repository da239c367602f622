# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings of ARM SPE, written from nothing: records of sampled operations (Arm architecture reference manual, chapter "Statistical
Profiling Extension Sample Record Specification")."""
from ptenc import *

P = struct.pack
END = b'\x01'
LOAD, STORE, BRANCH, OTHER = (1, 0), (1, 1), (2, 0), (0, 0)
# events
RETIRED, L1, L1_MISS, TLB, TLB_MISS, NOT_TAKEN, MISSED, LLC, LLC_MISS, REMOTE = (1 << i for i in range(1, 11))
L2, L2_MISS, MODIFIED, RECENT, SNOOPED = (1 << i for i in range(19, 24))
N1, AMPERE1A, HIP12 = 0x410fd0c0, 0xc00fac40, 0x480fd060


def addr(i, v):
    return bytes([0xb0 | i]) + P('<Q', v & (1 << 64) - 1)


def pc(v, el=0, ns=1):
    return addr(0, v & (1 << 56) - 1 | el << 61 | ns << 63)


def tgt(v, el=0, ns=1):
    return addr(1, v & (1 << 56) - 1 | el << 61 | ns << 63)


def va(v):
    return addr(2, v)


def pa(v):
    return addr(3, v | 1 << 63)


def previous(v, el=0, ns=1):
    """Where the branch before the operation went."""
    return addr(4, v & (1 << 56) - 1 | el << 61 | ns << 63)


def op(kind, v):
    return bytes([0x48 | kind, v])


def ev(v):
    return b'\x62' + P('<I', v)


def lat(i, v):
    return bytes([0x98 | i]) + P('<H', v)


def src(v):
    return b'\x43' + bytes([v])


def ctx(v, el=1):
    return bytes([0x64 | el - 1]) + P('<I', v)


def ts(v):
    return b'\x71' + P('<Q', v)


def time_conv(shift=0, mult=1, zero=0):
    return record(TIME_CONV, 0, P('<QQQQQBB6x', shift, mult, zero, 0, (1 << 56) - 1, 1, 0))


def info(midr=None):
    """midr: of CPU 0; None: the old form, without CPUs."""
    if midr is None:
        return spe_info(header=1)
    return record(AUX_INFO, 0, P('<II4Q7Q', 4, 0, 2, 4, TYPE_SPE, 1, 0x1010101010101010, 0, 4, midr, TYPE_SPE, 1024, 0))


class Trace:
    """Records with places and times of their own, from 0x400000 and 1000 on."""
    def __init__(self):
        self.data, self.n = b'', 0

    def add(self, *more, at=None):
        self.data += (pc(0x400000 + 4 * self.n) if at is None else at) + b''.join(more) + ts(1000 + self.n)
        self.n += 1

    def access(self, kind, events, *more):
        self.add(op(*kind), ev(events), va(0x1000), lat(0, 9), *more)

    def branch(self, kind, events=RETIRED):
        self.add(op(2, kind), ev(events), tgt(0x402000))


def spe_recording(path, trace, midr=None):
    st = IP | TID | 4 | CPU | IDENTIFIER
    attrs = [attr(st, kind=TYPE_SPE, config=1, extra=1 << 5 | 1 << 6), attr(st, kind=1, config=9)]
    before = b''.join([time_conv(), info(midr), comm(st, 100, 100, 'prog', time=1), comm(st, 200, 200, 'other', time=1),
                       mmap2(st, 100, 0x400000, 0x10000, 0, '/nothing/prog', time=2),
                       mmap2(st, 200, 0x400000, 0x10000, 0, '/nothing/other', time=2), aux(len(trace), 1000000)])
    at = HEADER + 8 * 2 + (ATTR + 16) * 2 + len(before)
    short = lambda t: P('<I', len(name(t))) + name(t)
    named = b''.join(a + P('<I', 1) + short(n) + P('<Q', i) for a, n, i in ((attrs[0], 'arm_spe//', 1), (attrs[1], 'dummy:u', 2)))
    recording(path, attrs, [before, auxtrace(trace), record(ROUND, 0, b'')],
              features=[(3, text('host')), (4, text('6.12.0')), (6, text('aarch64')), (7, P('<II', 4, 4)), (12, P('<II', 2, ATTR) + named),
                        (18, P('<QQQ', 1, at, 48))])
