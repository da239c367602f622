#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Two recordings of pttrace.py, of the same program on two CPUs, become one: the thread ran on one first and then on the other.

    ptjoin.py OUT FIRST SECOND LEAVES COMES      when it leaves the CPU of the first, and comes to that of the second"""
import struct
import sys

AUX_INFO, AUXTRACE = 70, 71


def records(data, at, end):
    while at < end:
        kind, misc, size = struct.unpack_from("<IHH", data, at)
        extra = struct.unpack_from("<Q", data, at + 8)[0] if kind == AUXTRACE else 0
        yield kind, data[at:at + size + extra]
        at += size + extra


def switch(out, at, cpu, pid):
    """PERF_RECORD_SWITCH_CPU_WIDE, to or from the idle task."""
    return struct.pack("<IHHII", 15, 0x2000 if out else 0, 48, 0, 0) + struct.pack("<IIQIIQ", pid, pid, at, cpu, 0, 2)


def main():
    out, first, second = sys.argv[1:4]
    leaves, comes = int(sys.argv[4]), int(sys.argv[5])
    a, b = (open(p, "rb").read() for p in (first, second))
    at, size = struct.unpack_from("<QQ", a, 40)
    data, traces, off = b"", [], 0
    for kind, rec in records(a, at, at + size):
        if kind == AUXTRACE:
            traces.append(at + len(data))
        if kind == 68:
            continue
        data += rec
    data += switch(True, leaves, 0, 100) + switch(False, comes, 1, 100)
    bat, bsize = struct.unpack_from("<QQ", b, 40)
    for kind, rec in records(b, bat, bat + bsize):
        if kind == AUXTRACE:
            traces.append(at + len(data))
            rec = rec[:32] + struct.pack("<I", 1) + rec[36:]    # another buffer
        if kind in (11, AUXTRACE):
            data += rec
    data += struct.pack("<IHH", 68, 0, 8)
    features = {}
    bits = struct.unpack_from("<Q", a, 72)[0]
    table = at + size
    for bit in range(64):
        if bits >> bit & 1:
            where, n = struct.unpack_from("<QQ", a, table)
            features[bit] = a[where:where + n]
            table += 16
    features[18] = struct.pack("<Q", len(traces)) + b"".join(struct.pack("<QQ", t, 48) for t in traces)
    table, end = b"", at + len(data) + 16 * len(features)
    for bit in sorted(features):
        table += struct.pack("<QQ", end, len(features[bit]))
        end += len(features[bit])
    head = a[:48] + struct.pack("<Q", len(data)) + a[56:at]
    with open(out, "wb") as f:
        f.write(head + data + table + b"".join(features[bit] for bit in sorted(features)))


main()
