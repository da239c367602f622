#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A recording of Intel PT, of a program whose steps are known.

    pttrace.py OUT PROGRAM [OPTION=VALUE ...] <STEPS
    pttrace.py --branches PROGRAM <STEPS      the branches among them: "from to" a line

STEPS: the address of each instruction that ran, a line each (tests/helper/steps). PROGRAM: a static
ELF file, whose code is mapped where it says. What instructions are is asked of objdump, not of perf.
A line may also be a word:
    !int        an interrupt comes here: tracing goes off and on again
    !hole       packets were lost from here to the next !hole: OVF
    !ptw VALUE  the next instruction is a ptwrite
    !tx, !commit, !abort    a transaction begins, ends, or goes back to the next instruction
    !fup        where that happened is said: FUP
    !raw HEX    these bytes of trace, as they are
Options: ret=1 (compressed returns), tnt=6 (bits of a packet), psb=400 (steps between two), mtc=1 (0: no MTC packets),
cyc=0 (1: CYC packets), sample=0 (N: each N-th step is a sample of cycles:u, too), start=1048576 (ticks, which are ns), pid=100, cpu=0, cbr=20, max=20 (ratios), config=0 (more
bits of the event's)."""
import re
import struct
import subprocess
import sys

IDENTIFIER, IP, TID, TIME, CPU = 1 << 16, 1, 2, 4, 128
MTC_EVERY, SHIFT = 8, 31


def listing(path):
    """address: (length, mnemonic)"""
    out = {}
    text = subprocess.run(["objdump", "-d", "-w", "--insn-width=16", path], stdout=subprocess.PIPE, check=True,
                          universal_newlines=True).stdout
    for line in text.split("\n"):
        m = re.match(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t(.*)$", line)
        if m:
            words = m[3].split()
            while words[0] in ("bnd", "notrack", "rep", "repz", "repnz", "lock", "data16", "cs", "ds"):
                words = words[1:] or ["nop"]
            out[int(m[1], 16)] = (len(m[2].split()), words[0], "".join(words[1:2]))
    return out


class Trace:
    def __init__(self, o):
        self.o, self.out, self.bits, self.last_ip, self.stack = o, bytearray(), [], 0, []
        self.tsc, self.steps, self.cycles = o["start"], 0, 0
        self.samples = []

    def put(self, data):
        self.flush()
        self.out += data

    def flush(self):
        if self.bits:
            v = 1
            for b in self.bits:
                v = v << 1 | b
            self.bits = []
            self.cyc()
            self.out += bytes([v << 1])

    def cyc(self):
        if self.o["cyc"] and self.cycles:
            n, self.cycles = self.cycles, 0
            data = bytearray([(n & 31) << 3 | 3])
            n >>= 5
            while n:
                data[-1] |= 4 if len(data) == 1 else 1
                data.append((n & 127) << 1)
                n >>= 7
            self.out += data

    def bit(self, b):
        self.bits.append(b)
        if len(self.bits) == self.o["tnt"]:
            self.flush()

    def ip(self, op, ip):
        self.flush()
        if op in (0x0d, 0x11):
            self.cyc()
        if ip is None:
            self.out.append(op)
            return
        if ip >> 16 == self.last_ip >> 16:
            form, n = 1, 2
        elif ip >> 32 == self.last_ip >> 32:
            form, n = 2, 4
        else:
            form, n = 3, 6
        self.last_ip = ip
        self.out += bytes([op | form << 5]) + (ip & (1 << 8 * n) - 1).to_bytes(n, "little")

    def psb(self, ip):
        self.put(b"\x02\x82" * 8)
        self.last_ip, self.stack = 0, []
        self.put(b"\x99\x20\x99\x01")
        if ip is not None:
            self.ip(0x1d, ip)
        self.put(b"\x02\x43\x00\x10\x00\x00\x00\x00")
        self.put(b"\x19" + (self.tsc & (1 << 56) - 1).to_bytes(7, "little"))
        if self.o["mtc"]:
            self.put(b"\x02\x73" + struct.pack("<HBBB", self.tsc & 0xffff, 0, 0, 0))
        self.put(b"\x02\x03" + bytes([self.o["cbr"], 0]))
        self.put(b"\x02\x23")

    def begin(self, ip):
        """Tracing goes on: as CPUs do it, with the time."""
        self.put(b"\x19" + (self.tsc & (1 << 56) - 1).to_bytes(7, "little"))
        if self.o["mtc"]:
            self.put(b"\x02\x73" + struct.pack("<HBBB", self.tsc & 0xffff, 0, 0, 0))
        self.put(b"\x02\x03" + bytes([self.o["cbr"], 0]) + b"\x99\x01")
        self.ip(0x11, ip)

    def tick(self):
        """A step of one tick: MTC packets count the crystal clock, of the same frequency."""
        self.tsc += 1
        self.cycles += 2
        if self.o["mtc"] and self.tsc % MTC_EVERY == 0:
            self.flush()
            self.out += bytes([0x59, self.tsc // MTC_EVERY & 255])


def branch(t, code, ip, to):
    """What the trace has of the step from ip to the next."""
    n, name, arg = code[ip]
    if name.startswith("j") and name != "jmp" or name.startswith("loop"):
        t.bit(int(to != ip + n))
    elif name == "syscall":
        t.ip(0x01, None)
        t.begin(to)
    elif name.startswith("ret"):
        top = t.stack.pop() if t.stack else None
        if t.o["ret"] and top == to:
            t.bit(1)
        else:
            t.ip(0x0d, to)
    elif name in ("call", "jmp"):
        if name == "call" and to != ip + n:
            t.stack.append(ip + n)
        if arg.startswith("*"):
            t.ip(0x0d, to)


def special(t, words, ip, lost):
    if words[0] == "!int":
        t.ip(0x1d, ip)
        t.ip(0x01, None)
        t.begin(ip)
    elif words[0] == "!hole" and lost:
        t.put(b"\x02\xf3")
        t.ip(0x1d, ip)
    elif words[0] == "!ptw":
        t.put(b"\x02\xb2" + struct.pack("<Q", int(words[1], 0)))
        t.ip(0x1d, ip)
    elif words[0] in ("!tx", "!commit", "!abort"):
        t.put(bytes([0x99, {"!tx": 0x21, "!commit": 0x20, "!abort": 0x22}[words[0]]]))
        t.ip(0x1d, ip)
    elif words[0] == "!fup":
        t.ip(0x1d, ip)
    elif words[0] == "!raw":
        t.put(bytes.fromhex("".join(words[1:])))


def encode(o, code, lines):
    t = Trace(o)
    steps = [l.split() for l in lines if l.split()]
    ips = [int(w[0], 16) if w[0][0] != "!" else None for w in steps]
    nexts, following = [None] * len(ips), None
    for i in range(len(ips) - 1, -1, -1):
        nexts[i] = following
        following = ips[i] if ips[i] is not None else following
    t.psb(following)
    t.begin(following)
    lost, since, skip = False, 0, False
    for i, w in enumerate(steps):
        if ips[i] is None:
            if w[0] == "!hole":
                lost = not lost
                if lost:
                    t.flush()
                else:
                    t.stack = []
                    special(t, w, nexts[i], True)
            elif w[0] == "!abort":
                special(t, w, prev, False)
                t.ip(0x0d, nexts[i])
            else:
                special(t, w, nexts[i], False)
            continue
        prev = ips[i]
        t.steps += 1
        if o["sample"] and t.steps % o["sample"] == 0:
            t.samples.append((t.tsc, ips[i]))
        aborts = i + 1 < len(steps) and steps[i + 1][0] == "!abort"
        if not lost and nexts[i] is not None and not aborts:
            branch(t, code, ips[i], nexts[i])
        if not lost:
            t.tick()
            since += 1
        if since >= o["psb"] and nexts[i] is not None and not aborts:
            since = 0
            t.psb(nexts[i])
    t.flush()
    t.ip(0x1d, ips[-1] if ips[-1] is not None else 0)
    t.ip(0x01, None)
    return bytes(t.out), t.samples


# ---- the file ----

def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def side(kind, misc, body, at, o, ident=2):
    return record(kind, misc, body + struct.pack("<IIQIIQ", o["pid"], o["pid"], at, o["cpu"], 0, ident))


def text8(text):
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 8)


def segments(path):
    data = open(path, "rb").read()
    phoff, (n,) = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)
    for i in range(n):
        kind, flags, off, va, _, size, _, _ = struct.unpack_from("<IIQQQQQQ", data, phoff + 56 * i)
        if kind == 1 and flags & 1:
            yield off & ~4095, va & ~4095, (va + size + 4095 & ~4095) - (va & ~4095)


def attr(kind, config, flags, sample_type):
    return struct.pack("<IIQQQQQ", kind, 128, config, 1, sample_type, 0, flags) + b"\0" * 80


def main():
    if sys.argv[1] == "--branches":
        code, last = listing(sys.argv[2]), None
        for word in sys.stdin.read().split():
            if last is not None and int(word, 16) != last + code[last][0]:
                print("%x %s" % (last, word))
            last = int(word, 16)
        return
    o = {"ret": 1, "tnt": 6, "psb": 400, "mtc": 1, "cyc": 0, "start": 1 << 20, "pid": 100, "cpu": 0, "cbr": 20, "max": 20,
         "config": 0, "sample": 0}
    for w in sys.argv[3:]:
        key, v = w.split("=")
        o[key] = int(v, 0)
    path = sys.argv[2]
    trace, samples = encode(o, listing(path), sys.stdin.read().split("\n"))
    trace += b"\0" * (-len(trace) % 8)
    # TSC 1 << 10, NoRETComp 1 << 11, MTC 1 << 9 with the period in bits 14 to 17, CYC 1 << 1
    config = 0x2401 | (0 if o["ret"] else 1 << 11) | (1 << 9 | 3 << 14 if o["mtc"] else 0) | (2 if o["cyc"] else 0) | o["config"]
    info = struct.pack("<II17Q", 1, 0, 8, SHIFT, 1 << SHIFT, 0, 1, 1 << 10, 1 << 11, 3, 0, 1, 1 << 9, 15 << 14, 1, 1, 2,
                       o["max"], 0)
    data = record(70, 0, info)
    at = o["start"] - 1000
    data += side(3, 0x2000, struct.pack("<II", o["pid"], o["pid"]) + text8("traced"), at, o)
    for off, va, size in segments(path):
        data += side(10, 2, struct.pack("<IIQQQIIQQII", o["pid"], o["pid"], va, size, off, 0, 0, 0, 0, 5, 2) + text8(path), at, o)
    data += side(12, 0, struct.pack("<II", o["pid"], o["pid"]), at + 1, o)
    for tsc, ip in samples:
        data += record(9, 2, struct.pack("<QQIIQII", 3, ip, o["pid"], o["pid"], tsc, o["cpu"], 0))
    data += side(11, 0, struct.pack("<QQQ", 0, len(trace), 0), at + 10000000, o, 1)
    n = 3 if samples else 2
    ids_at, attrs_at = 104, 128
    data_at = attrs_at + n * 144
    aux_at = data_at + len(data)
    data += record(71, 0, struct.pack("<QQQIIII", len(trace), 0, o["start"], 0, o["pid"], o["cpu"], 0)) + trace + record(68, 0, b"")
    sample = IDENTIFIER | IP | TID | TIME | CPU
    all_id = 1 << 18
    attrs = attr(8, config, all_id | 1 << 5 | 1 << 6, sample) + struct.pack("<QQ", ids_at, 8)
    attrs += attr(1, 9, all_id | 1 << 5 | 1 << 8 | 1 << 9 | 1 << 13 | 1 << 23 | 1 << 24 | 1 << 26, sample) + struct.pack("<QQ", ids_at + 8, 8)
    if samples:
        attrs += attr(0, 0, all_id | 1 << 5 | 1 << 6, sample) + struct.pack("<QQ", ids_at + 16, 8)
    string = lambda s: struct.pack("<I", len(text8(s))) + text8(s)
    named = b"".join(a + struct.pack("<I", 1) + string(n) + struct.pack("<Q", i) for a, n, i in
                     ((attrs[:128], "intel_pt//u", 1), (attrs[144:272], "dummy:u", 2), (attrs[288:416], "cycles:u", 3))[:n])
    features = {12: struct.pack("<II", n, 128) + named, 3: string("encoded"), 4: string("6.12.0"), 6: string("x86_64"), 7: struct.pack("<II", 4, 4),
                18: struct.pack("<QQQ", 1, aux_at, 48)}
    at, table = data_at + len(data) + 16 * len(features), b""
    for bit in sorted(features):
        table += struct.pack("<QQ", at, len(features[bit]))
        at += len(features[bit])
    head = b"PERFILE2" + struct.pack("<QQQQQQQQQQQQ", 104, 144, attrs_at, n * 144, data_at, len(data), 0, 0,
                                     sum(1 << bit for bit in features), 0, 0, 0)
    with open(sys.argv[1], "wb") as out:
        out.write(head + struct.pack("<QQQ", 1, 2, 3) + attrs + data + table + b"".join(features[b] for b in sorted(features)))


main()
