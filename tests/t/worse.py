# SPDX-License-Identifier: GPL-2.0-or-later
"""worse.py KIND IN OUT: a recording in which something is wrong or missing. cut: it ends within its
data; killed: as it is when the recorder was killed; lost, unknown: with more records at its end;
swapped: as a machine of the other byte order writes it; calls: of system calls, from nothing (IN
is of no use)."""
import re, struct, sys

from perfdata import *


def header(f):
    return list(struct.unpack('<13Q', f[:104]))


def cut(f):
    off, size = header(f)[5:7]
    return f[:off + size * 3 // 4 + 3]


def killed(f):
    h = header(f)
    off, size = h[5:7]
    h[6] = 0
    h[9:13] = [0, 0, 0, 0]
    return struct.pack('<13Q', *h) + f[104:off + size]


def with_records(f, new):
    h = header(f)
    end = h[5] + h[6]
    h[6] += len(new)
    n = sum(bin(w).count('1') for w in h[9:13])
    table = b''.join(struct.pack('<QQ', o + len(new), s) for o, s in struct.iter_unpack('<QQ', f[end:end + 16 * n]))
    return struct.pack('<13Q', *h) + f[104:end] + new + table + f[end + 16 * n:]


def trailer_of(f):
    """That of a record without ids: zeros, where the first event has sample_id_all."""
    h = header(f)
    if not h[4]:
        return b''
    a = f[h[3]:]
    st, = struct.unpack_from('<Q', a, 24)
    id_all = struct.unpack_from('<Q', a, 40)[0] >> 18 & 1
    ident, = struct.unpack_from('<Q', f, struct.unpack_from('<Q', a, h[2] - 16)[0]) if id_all else (0,)
    return trailer(st, ident=ident) if id_all else b''


def lost(f):
    t = trailer_of(f)
    return with_records(f, record(LOST, 0, struct.pack('<QQ', 0, 7) + t) + record(LOST, 0, struct.pack('<QQ', 0, 1) + t))


def unknown(f):
    return with_records(f, record(55, 0, bytes(8) + trailer_of(f)) * 3)


# --- the other byte order

def swap(layout, f, at=0):
    return struct.pack('>' + layout, *struct.unpack_from('<' + layout, f, at))


def swap_all(letter, f):
    return swap('%d%s' % (len(f) // struct.calcsize(letter), letter), f)


def swap_attr(a):
    flags = bytes(int('{:08b}'.format(b)[::-1], 2) for b in a[40:48])	# bit fields begin at the other end
    a = a + bytes(136)
    return swap('IIQQQQ', a) + flags + swap('IIQQQQIiQIHHIIQQ', a, 48)


def swap_trailer(st, b):
    out = b''
    for bit, layout in (TID, 'II'), (TIME, 'Q'), (ID, 'Q'), (STREAM_ID, 'Q'), (CPU, 'II'), (IDENTIFIER, 'Q'):
        if st & bit:
            out += swap(layout, b, len(out))
    assert len(out) == len(b), (st, len(b))
    return out


def swap_raw(b):
    """A tracepoint's fields, by the format that the recording has of it."""
    n, = struct.unpack_from('<I', b)
    raw = bytearray(b[4:4 + n])
    for at, size in formats[struct.unpack_from('<H', raw)[0]]:
        raw[at:at + size] = raw[at:at + size][::-1]
    return swap('I', b) + raw


def swap_sample(st, b):
    out = b''
    for bit, layout in (IDENTIFIER, 'Q'), (IP, 'Q'), (TID, 'II'), (TIME, 'Q'), (CPU, 'II'), (PERIOD, 'Q'):
        if st & bit:
            out += swap(layout, b, len(out))
    if st & CALLCHAIN:
        n, = struct.unpack_from('<Q', b, len(out))
        out += swap('%dQ' % (n + 1), b, len(out))
    if st & RAW:
        out += swap_raw(b[len(out):])
    assert len(out) == len(b), 'a sample of another kind'
    return out


def swap_threads(b):
    return swap('Q', b) + b''.join(swap('Q', b, i) + b[i + 8:i + 24] for i in range(8, len(b), 24))


def swap_cpus(b):
    kind, = struct.unpack_from('<H', b)
    if kind == 0:	# numbers: how many, and each
        return swap_all('H', b)
    assert kind == 2, 'a mask'
    return swap('H', b) + b[2:4] + swap_all('H', b[4:])	# first and last; whether "any" is one is a byte


SCHEDSTAT_CPU, SCHEDSTAT_DOMAIN = 85, 86
user_records = {
    ID_INDEX: lambda b: swap_all('Q', b),
    THREAD_MAP: swap_threads,
    CPU_MAP: swap_cpus,
    STAT_CONFIG: lambda b: swap_all('Q', b),
    STAT: lambda b: swap('QIIQQQ', b),
    STAT_ROUND: lambda b: swap_all('Q', b),
    EVENT_UPDATE: lambda b: swap('QQ', b) + b[16:],	# a name, of which nothing is swapped
    SCHEDSTAT_CPU: lambda b: swap('QIHH6I3Q', b),
    SCHEDSTAT_DOMAIN: lambda b: swap('QIHH%dI' % ((len(b) - 16) // 4), b),
    ROUND: lambda b: b, INIT: lambda b: b,
}


def swap_record(st, kind, misc, b):
    if kind in user_records:
        return user_records[kind](b)
    if kind == SAMPLE:
        return swap_sample(st, b)
    end = len(b) - len(trailer(st))
    if kind == COMM:
        body = swap('II', b) + b[8:end]
    elif kind in (EXIT, FORK):
        body = swap('IIIIQ', b)
    else:
        assert kind == MMAP2, 'a record of another kind: %d' % kind
        body = swap('IIQQQ', b) + (b[32:56] if misc & 1 << 14 else swap('IIQQ', b, 32)) + swap('II', b, 56) + b[64:end]
    return body + swap_trailer(st, b[end:])


# --- sections after the data

class Tracing:
    """The formats of tracepoints: sizes and numbers between texts."""
    def __init__(self, b):
        self.b, self.at, self.out = b, 0, b''

    def take(self, n):
        self.out += self.b[self.at:self.at + n]
        self.at += n
        return self.b[self.at - n:self.at]

    def number(self, layout):
        v, = struct.unpack_from('<' + layout, self.b, self.at)
        self.out += swap(layout, self.b, self.at)
        self.at += struct.calcsize(layout)
        return v

    def string(self):
        return self.take(self.b.index(0, self.at) + 1 - self.at)

    def event(self):
        text = self.take(self.number('Q')).decode()
        found = re.findall(r'field:([^;]*);\toffset:(\d+);\tsize:(\d+);', text)
        numbers = formats[int(re.search(r'^ID: (\d+)', text, re.M)[1])] = []
        for what, at, size in found:
            many = re.search(r'\[(\d+)\]$', what)
            if many and 'char' not in what:
                each = int(size) // int(many[1])
                numbers += [(int(at) + i * each, each) for i in range(int(many[1]))]
            elif '[' not in what or '__data_loc' in what:
                numbers.append((int(at), int(size)))

    def swapped(self):
        assert self.take(10) == b'\x17\x08\x44tracing' and self.string() == b'0.6\0'
        self.out += b'\1'	# the byte order
        self.at += 1
        self.take(1)	# bytes of a long
        self.number('I')
        for _ in 'page', 'event':
            self.string()
            self.take(self.number('Q'))
        for _ in range(self.number('I')):
            self.event()
        for _ in range(self.number('I')):
            self.string()
            for _ in range(self.number('I')):
                self.event()
        for layout in 'IIQ':	# kallsyms, formats of printk, names of tasks
            self.take(self.number(layout))
        assert self.at == len(self.b)
        return self.out


def swap_strings(b):
    out = swap('I', b)
    while len(out) < len(b):
        n, = struct.unpack_from('<I', b, len(out))
        out += swap('I', b, len(out)) + b[len(out) + 4:len(out) + 4 + n]
    return out


def swap_string(b):
    return swap('I', b) + b[4:]


def swap_domains(b):
    """Version, most domains; of each CPU its number and how many; of each its number, and its CPUs as mask and list."""
    out = swap('II', b)
    while len(out) < len(b):
        n, = struct.unpack_from('<I', b, len(out) + 4)
        out += swap('II', b, len(out))
        for _ in range(n):
            out += swap('I', b, len(out))
            for _ in range(2):
                size, = struct.unpack_from('<I', b, len(out))
                out += swap('I', b, len(out)) + b[len(out) + 4:len(out) + 4 + size]
    return out


# TRACING_DATA HOSTNAME OSRELEASE VERSION ARCH NRCPUS CPUDESC CPUID TOTAL_MEM CMDLINE STAT DOMAINS; the others are left out
sections = {1: lambda b: Tracing(b).swapped(), 3: swap_string, 4: swap_string, 5: swap_string, 6: swap_string, 7: lambda b: swap('II', b),
            8: swap_string, 9: swap_string, 10: lambda b: swap('Q', b), 11: swap_strings, 19: lambda b: b,
            32: swap_domains}
formats = {}	# by id: offset and bytes of each number


def features_of(f):
    h = header(f)
    bits = [i for i in range(256) if h[9 + i // 64] >> i % 64 & 1]
    table = struct.iter_unpack('<QQ', f[h[5] + h[6]:h[5] + h[6] + 16 * len(bits)])
    return [(bit, sections[bit](f[o:o + n])) for bit, (o, n) in zip(bits, table) if bit in sections]


def swapped(f):
    h = header(f)
    attr_bytes, attrs_off, attrs_size, off, size = h[2:7]
    features = features_of(f)
    st = struct.unpack_from('<Q', f, attrs_off + 24)[0] if attrs_size else 0
    ids = attrs = data = b''
    at = 104 + attrs_size
    for i in range(attrs_off, attrs_off + attrs_size, attr_bytes):
        where, n = struct.unpack_from('<QQ', f, i + attr_bytes - 16)
        attrs += swap_attr(f[i:i + attr_bytes - 16])[:attr_bytes - 16] + struct.pack('>QQ', at + len(ids), n)
        ids += swap_all('Q', f[where:where + n])
    end, i = off + size, off
    while i < end:
        kind, misc, n = struct.unpack_from('<IHH', f, i)
        data += struct.pack('>IHH', kind, misc, n) + swap_record(st, kind, misc, f[i + 8:i + n])
        i += n
    bits = sum(1 << bit for bit, _ in features)
    head = [h[0], 104, attr_bytes, 104, attrs_size, at + len(ids), len(data), 0, 0] + [bits >> 64 * i & (1 << 64) - 1 for i in range(4)]
    out = struct.pack('>13Q', *head) + attrs + ids + data
    at = len(out) + 16 * len(features)
    for _, b in features:
        out += struct.pack('>QQ', at, len(b))
        at += len(b)
    return out + b''.join(b for _, b in features)


# --- a recording of system calls

CALL = '''name: sys_%s
ID: %d
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:long id;	offset:8;	size:8;	signed:1;
	field:%s

print fmt: "NR %%ld", REC->id
'''
ENTER, EXIT_ID, PID = 400, 401, 42


def sized(b):
    return struct.pack('<Q', len(b)) + b


def calls(_):
    formats = [CALL % ('enter', ENTER, 'unsigned long args[6];	offset:16;	size:48;	signed:0;'),
               CALL % ('exit', EXIT_ID, 'long ret;	offset:16;	size:8;	signed:1;')]
    blob = (b'\x17\x08\x44tracing0.6\0' + b'\0\x08' + struct.pack('<I', 4096) +
            b'header_page\0' + sized(b'') + b'header_event\0' + sized(b'') + struct.pack('<II', 0, 1) +
            b'raw_syscalls\0' + struct.pack('<I', 2) + b''.join(sized(x.encode()) for x in formats) +
            struct.pack('<IIQ', 0, 0, 0))
    st = IP | TID | TIME | CPU | PERIOD | RAW | IDENTIFIER
    attrs = [attr(st, kind=2, config=i) for i in (ENTER, EXIT_ID)]
    records = [comm(st, PID, PID, 'made', time=10)]

    def call(at, which, nr, *args):
        raw = struct.pack('<HBBIq', (ENTER, EXIT_ID)[which - 1], 0, 0, PID, nr)
        raw += b''.join(struct.pack('<Q', a & (1 << 64) - 1) for a in args)
        raw += bytes(-(len(raw) + 4) % 8)
        records.append(record(SAMPLE, USER, struct.pack('<QQIIQIIQI', which, 0x401000, PID, PID, at, 1, 0, 1, len(raw)) + raw))

    for i, (nr, args, ret) in enumerate([(3, (5,), 0), (0, (3, 0x7000, 4096), 17), (8, (3, 1 << 33, 0), -29), (39, (), PID)]):
        call(1000000 * (i + 1), 1, nr, *(args + (0,) * 6)[:6])
        call(1000000 * (i + 1) + 2000, 2, nr, ret)
    recording(out, attrs, records, [(1, blob), (6, text('x86_64'))])
    with open(out, 'rb') as f:
        return f.read()


kind, path, out = sys.argv[1:]
with open(path, 'rb') as f:
    whole = f.read()
with open(out, 'wb') as f:
    f.write(globals()[kind](whole))
