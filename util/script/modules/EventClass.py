# SPDX-License-Identifier: GPL-2.0-or-later
# Samples as objects, for scripts that look at the records of Intel's PEBS in their raw data.
import struct

EVTYPE_GENERIC = 0
EVTYPE_PEBS = 1
EVTYPE_PEBS_LL = 2
EVTYPE_IBS = 3

# What the records have in front, as 64-bit words: flags, instruction pointer, ax to r15; with
# latencies of loads also status, data address, data source and latency.
PEBS_BYTES = 18 * 8
PEBS_LL_BYTES = 22 * 8


class PerfEvent(object):
    event_num = 0

    def __init__(self, name, comm, dso, symbol, raw_buf, ev_type=EVTYPE_GENERIC):
        self.name = name
        self.comm = comm
        self.dso = dso
        self.symbol = symbol
        self.raw_buf = raw_buf
        self.ev_type = ev_type
        PerfEvent.event_num += 1

    def show(self):
        print('PMU event: name=%12s, symbol=%24s, comm=%8s, dso=%12s' %
              (self.name, self.symbol, self.comm, self.dso))


class PebsEvent(PerfEvent):
    pebs_num = 0

    def __init__(self, name, comm, dso, symbol, raw_buf, ev_type=EVTYPE_PEBS):
        PerfEvent.__init__(self, name, comm, dso, symbol, raw_buf, ev_type)
        (self.flags, self.ip, self.ax, self.bx, self.cx, self.dx, self.si, self.di, self.bp,
         self.sp) = struct.unpack_from('=10Q', raw_buf)
        PebsEvent.pebs_num += 1


class PebsNHM(PebsEvent):
    pebs_nhm_num = 0

    def __init__(self, name, comm, dso, symbol, raw_buf, ev_type=EVTYPE_PEBS_LL):
        PebsEvent.__init__(self, name, comm, dso, symbol, raw_buf, ev_type)
        self.status, self.dla, self.dse, self.lat = struct.unpack_from('=4Q', raw_buf, PEBS_BYTES)
        PebsNHM.pebs_nhm_num += 1


def create_event(name, comm, dso, symbol, raw_buf):
    kinds = {PEBS_BYTES: PebsEvent, PEBS_LL_BYTES: PebsNHM}
    return kinds.get(len(raw_buf), PerfEvent)(name, comm, dso, symbol, raw_buf)
