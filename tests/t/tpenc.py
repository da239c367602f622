#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings of tracepoints, made of text: what a test says is what happened.

    tpenc.py OUT <STORY

Lines of a story:
    event SYSTEM:NAME FIELD:TYPE ...    TYPE: u8 u16 u32 s32 u64 s64 ptr, or a number of chars
    print SYSTEM:NAME FORMAT            the print format; without one the fields, as numbers
    comm PID TID NAME                   a COMM record, at the beginning
    fork TIME PID TID NEWPID NEWTID     a FORK record
    kernel START END                    where the kernel's code is (hexadecimal)
    nochains                            the events have no call chains; before the first of them
    TIME CPU PID TID SYSTEM:NAME VALUE ... [@ ADDRESS ...]
        times in us since an arbitrary beginning; after @ the call chain, innermost first, of kernel
        addresses (hexadecimal); SYSTEM:NAME!hard and !soft: in a (soft) interrupt
Numbers are decimal, or hexadecimal with 0x."""
import struct
import sys

EPOCH_NS = 1000 * 1000000000
IDENTIFIER, IP, TID, TIME, CALLCHAIN, CPU, PERIOD, RAW = 1 << 16, 1, 2, 4, 32, 128, 256, 1024
SAMPLE = IDENTIFIER | IP | TID | TIME | CALLCHAIN | CPU | PERIOD | RAW
SIZES = {"u8": 1, "u16": 2, "u32": 4, "s32": 4, "u64": 8, "s64": 8, "ptr": 8}
NAMES = {"u8": "unsigned char", "u16": "unsigned short", "u32": "unsigned int", "s32": "int",
         "u64": "u64", "s64": "s64", "ptr": "void *"}
COMMON = ("\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
          "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
          "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
          "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n")


class Event:
    def __init__(self, name, fields, nr):
        self.system, self.name = name.split(":")
        self.id, self.fields, off = 300 + nr, [], 8
        for word in fields:
            field, kind = word.split(":")
            size = SIZES.get(kind) or int(kind)
            align = size if kind in SIZES else 1
            off = (off + align - 1) // align * align
            self.fields.append((field, kind, off, size))
            off += size
        self.bytes, self.print = (off + 7) // 8 * 8, None

    def format(self):
        text = "name: %s\nID: %d\nformat:\n%s" % (self.name, self.id, COMMON)
        for field, kind, off, size in self.fields:
            what = "%s %s" % (NAMES[kind], field) if kind in SIZES else "char %s[%d]" % (field, size)
            text += "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n" % (what, off, size, kind[0] == "s")
        plain = '"%s", %s' % (" ".join(f[0] + ("=%s" if f[1] not in SIZES else "=%lld") for f in self.fields),
                              ", ".join("REC->" + f[0] for f in self.fields))
        return (text + "\nprint fmt: %s\n" % (self.print or plain)).encode()

    def raw(self, tid, values, flags):
        raw = bytearray(self.bytes)
        struct.pack_into("<HBBi", raw, 0, self.id, flags, 0, tid)
        for (_, kind, off, size), v in zip(self.fields, values):
            data = v.encode() if kind not in SIZES else (int(v, 0) & (1 << 8 * size) - 1).to_bytes(size, "little")
            raw[off:off + len(data)] = data
        return bytes(raw)


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def side(kind, misc, body, time_ns, pid, tid, cpu=0):
    return record(kind, misc, body + struct.pack("<IIQQQ", pid, tid, time_ns, cpu, 1))


def text8(text):
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 8)


def sample(ev, nr, us, cpu, pid, tid, values, chain, chains, flags):
    raw = ev.raw(tid, values, flags)
    pad = -(4 + len(raw)) % 8
    ips = [0xffffffffffffff80] + chain if chain else []     # PERF_CONTEXT_KERNEL
    ip = chain[0] if chain else 0xffffffff81000000
    body = struct.pack("<QQIIQQQ", nr + 1, ip, pid, tid, int(float(us) * 1000 + .5) + EPOCH_NS, cpu, 1)
    if chains:
        body += struct.pack("<%dQ" % (len(ips) + 1), len(ips), *ips)
    return record(9, 1, body + struct.pack("<I", len(raw) + pad) + raw + b"\0" * pad)


def tracing(events):
    page = ("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\t"
            "signed:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n").encode()
    out = b"\x17\x08\x44tracing0.6\0\0\x08" + struct.pack("<I", 4096)
    out += b"header_page\0" + struct.pack("<Q", len(page)) + page + b"header_event\0" + struct.pack("<Q", 0)
    systems = sorted({e.system for e in events})
    out += struct.pack("<II", 0, len(systems))
    for s in systems:
        of = [e.format() for e in events if e.system == s]
        out += s.encode() + b"\0" + struct.pack("<I", len(of))
        for text in of:
            out += struct.pack("<Q", len(text)) + text
    return out + struct.pack("<IIQ", 0, 0, 0)


def string(text):
    data = text8(text)
    return struct.pack("<I", len(data)) + data


def main():
    events, index, data, n_cpus, chains, arch, cpuid = [], {}, b"", 1, True, "x86_64", None
    for line in sys.stdin:
        w = line.split()
        if not w or w[0].startswith("#"):
            continue
        if w[0] == "event":
            index[w[1]] = len(events)
            events.append(Event(w[1], w[2:], len(events)))
        elif w[0] == "print":
            events[index[w[1]]].print = line.split(None, 2)[2].rstrip("\n")
        elif w[0] == "cpuid":
            cpuid = w[1]
        elif w[0] == "arch":
            arch = w[1]
        elif w[0] == "comm":
            data += side(3, 0, struct.pack("<II", int(w[1]), int(w[2])) + text8(w[3]), 0, int(w[1]), int(w[2]))
        elif w[0] == "nochains":
            chains = False
        elif w[0] == "fork":
            p, t, np, nt = map(int, w[2:6])
            at = int(float(w[1]) * 1000 + .5) + EPOCH_NS
            data += side(7, 0, struct.pack("<IIIIQ", np, p, nt, t, at), at, p, t)
        elif w[0] == "kernel":
            start, end = int(w[1], 16), int(w[2], 16)
            data += side(1, 1, struct.pack("<iiQQQ", -1, 0, start, end - start, start) + text8("[kernel.kallsyms]_text"), 0, 0, 0)
        else:
            at = w.index("@") if "@" in w else len(w)
            name, _, context = w[4].partition("!")
            nr = index[name]
            n_cpus = max(n_cpus, int(w[1]) + 1)
            data += sample(events[nr], nr, w[0], int(w[1]), int(w[2]), int(w[3]), w[5:at],
                           [int(a, 16) for a in w[at + 1:]], chains,
                           {"": 0, "hard": 8, "soft": 16}[context])
    ids_at, attr_bytes = 104, 128
    attrs = b""
    for i, e in enumerate(events):
        attrs += struct.pack("<IIQQQQQIIQQQQ", 2, attr_bytes, e.id, 1, SAMPLE if chains else SAMPLE & ~CALLCHAIN, 0, 1 << 18 | 1 << 9, 0, 0, 0, 0, 0, 0)
        attrs += b"\0" * (attr_bytes - len(attrs) % (attr_bytes + 16)) + struct.pack("<QQ", ids_at + 8 * i, 8)
    features = {1: tracing(events), 3: string("encoded"), 4: string("6.12.0"), 6: string(arch),
                7: struct.pack("<II", n_cpus, n_cpus)}
    if cpuid:
        features[9] = string(cpuid)
    attrs_at = ids_at + 8 * len(events)
    data_at = attrs_at + len(attrs)
    at = data_at + len(data) + 16 * len(features)
    table = b""
    for bit in sorted(features):
        table += struct.pack("<QQ", at, len(features[bit]))
        at += len(features[bit])
    flags = sum(1 << bit for bit in features)
    head = b"PERFILE2" + struct.pack("<QQQQQQQQQQQQ", 104, attr_bytes + 16, attrs_at, len(attrs), data_at, len(data),
                                     0, 0, flags, 0, 0, 0)
    with open(sys.argv[1], "wb") as out:
        out.write(head + b"".join(struct.pack("<Q", i + 1) for i in range(len(events))) + attrs + data + table +
                  b"".join(features[bit] for bit in sorted(features)))


main()
