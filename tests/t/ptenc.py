# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings with AUX data, written from nothing: packets of Intel PT (Intel SDM volume 3, chapter "Intel Processor Trace") and
of ARM SPE (Arm architecture reference manual, chapter "Statistical Profiling Extension Sample Record Specification")."""
import struct
from perfdata import *

PSB, PAD, PSBEND, OVF, STOP = b'\x02\x82' * 8, b'\0', b'\x02\x23', b'\x02\xf3', b'\x02\x83'
TIP, PGE, PGD, FUP = 0x0d, 0x11, 0x01, 0x1d


def ip(kind, value, form=3):
    """form: IPBytes. 0: none, 1: 16 bits, 2: 32, 3: 48 with sign, 4: 48, 6: 64"""
    return bytes([kind | form << 5]) + struct.pack('<Q', value & (1 << 64) - 1)[:(0, 2, 4, 6, 6, 0, 8)[form]]


def tnt(bits):
    """Of up to 6 branches: 'TN...', the oldest first."""
    v = 1
    for b in bits:
        v = v << 1 | (b == 'T')
    return bytes([v << 1])


def long_tnt(bits):
    v = 1
    for b in bits:
        v = v << 1 | (b == 'T')
    return b'\x02\xa3' + struct.pack('<Q', v)[:6]


def tsc(v):
    return b'\x19' + struct.pack('<Q', v)[:7]


def tma(ctc, fc):
    return b'\x02\x73' + struct.pack('<HBH', ctc, 0, fc)


def mtc(v):
    return bytes([0x59, v])


def cbr(v):
    return bytes([2, 3, v, 0])


def cyc(v):
    b = [(v & 31) << 3 | 3]
    v >>= 5
    if v:
        b[0] |= 4
    while v:
        b.append((v & 127) << 1 | (1 if v >> 7 else 0))
        v >>= 7
    return bytes(b)


def mode_exec(bits=64, intr=0):
    return bytes([0x99, {16: 0, 64: 1, 32: 2}[bits] | intr << 2])


def mode_tsx(in_tx=0, abort=0):
    return bytes([0x99, 0x20 | in_tx | abort << 1])


def pip(cr3, nr=0):
    return b'\x02\x43' + struct.pack('<Q', (cr3 >> 5) << 1 | nr)[:6]


def vmcs(base):
    return b'\x02\xc8' + struct.pack('<Q', base >> 12)[:5]


def mnt(v):
    return b'\x02\xc3\x88' + struct.pack('<Q', v)


def ptw(v, size=8, with_ip=0):
    return bytes([2, 0x12 | (size == 8) << 5 | with_ip << 7]) + struct.pack('<Q', v)[:size]


def exstop(with_ip=0):
    return bytes([2, 0x62 | with_ip << 7])


def mwait(hints, ext=0):
    return b'\x02\xc2' + struct.pack('<II', hints, ext)


def pwre(hw, cstate, sub=0):
    return b'\x02\x22' + struct.pack('<H', hw << 7 | sub << 8 | cstate << 12)


def pwrx(last, deepest, wake):
    return b'\x02\xa2' + bytes([last << 4 | deepest, wake, 0, 0, 0])


def bbp(size4, kind):
    return bytes([2, 0x63, size4 << 7 | kind])


def bip(ident, v, size=8):
    return bytes([ident << 3 | 4]) + struct.pack('<Q', v)[:size]


def bep(with_ip=0):
    return bytes([2, 0x33 | with_ip << 7])


def cfe(kind, vector, with_ip=0):
    return b'\x02\x13' + bytes([with_ip << 7 | kind, vector])


def evd(kind, payload):
    return b'\x02\x53' + bytes([kind]) + struct.pack('<Q', payload)


# ---- the recording around it ----

ST = IP | TID | TIME | CPU | IDENTIFIER
TYPE_PT, TYPE_SPE = 6, 8
# config bits of the driver: cyc 1, pt 0, tsc 10, noretcomp 11, mtc 9, mtc period 14-17, branch 13
PT_CONFIG = 1 << 0 | 1 << 1 | 1 << 10 | 1 << 9 | 3 << 14 | 1 << 13


def pt_info(per_cpu=1, noretcomp=0x800, mult=1 << 31, shift=31, zero=0, ratio=20, have_switch=3):
    """The clock of the trace counts ns, unless told otherwise."""
    v = (TYPE_PT, shift, mult, zero, 1, 0x400, noretcomp, have_switch, 0, per_cpu, 0x200, 0x3c000, 100, 2, 2, ratio, 0)
    return record(AUX_INFO, 0, struct.pack('<II17Q', 1, 0, *v))


def spe_info(header=2, cpus=((0, 0x410fd400, TYPE_SPE, 4, 0, 0),)):
    v = [header, 2, TYPE_SPE, len(cpus)] if header == 2 else [TYPE_SPE, 1]
    body = struct.pack('<II', 4, 0) + struct.pack('<%dQ' % len(v), *v)
    if header == 2:
        for c in cpus:
            body += struct.pack('<3Q', 0x1010101010101010, 4, c[0]) + struct.pack('<4Q', *c[1:5])
    return record(AUX_INFO, 0, body)


def auxtrace(trace, cpu=0, tid=100, ref=0, idx=0, off=0):
    trace += bytes(-len(trace) % 8)
    return record(AUXTRACE, 0, struct.pack('<QQQIIII', len(trace), off, ref, idx, tid, cpu, 0)) + trace


def aux(size, time, cpu=0, pid=100, off=0, flags=0):
    return record(AUX_REC, 0, struct.pack('<QQQ', off, size, flags) + struct.pack('<IIQIIQ', pid, pid, time, cpu, 0, 1))


def pt_attr(config=PT_CONFIG):
    return attr(ST, kind=TYPE_PT, config=config, extra=0)
