#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""schedmutate.py SEED IN OUT [KIND...]: a copy of a scheduler recording that has met something, the same for the same seed; says what.
Without KIND some are chosen by the seed.

lose     a CPU's ring was full: its records of a while are missing, and the next one is a LOST record.
hole     the same without a LOST record: a chunk of the file is gone, or the CPU was switched off.
thin     single events of one kind are missing.
mute     all switches of a CPU, or to and from its idle task, are missing.
late     begins late: of what was before there are only the records of the tasks that exist.
early    ends early.
unnamed  COMM, FORK or EXIT records are missing.
reuse    a task has the number of one that has exited before.
rename   tasks are called otherwise on the way.
twice    single records are there twice.
slow     records were written too late.
bits     prev_state as another kernel has it."""
import re
import struct
import sys

SAMPLE, LOST, COMM, EXIT, FORK, ROUND = 9, 2, 3, 4, 7, 68
# Where each word of a sample is, in the order of the file; the same words end other records.
ID, IP, TID, TIME, ADDR, ID_LATER, STREAM, CPU, PERIOD = (1 << 16, 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 6, 1 << 9, 1 << 7, 1 << 8)
ORDER = (ID, IP, TID, TIME, ADDR, ID_LATER, STREAM, CPU, PERIOD)
TAIL = (TID, TIME, ID_LATER, STREAM, CPU, ID)
RAW, READ, CALLCHAIN = 1 << 10, 1 << 4, 1 << 5

FLAGS = ('"prev_comm=%%s prev_pid=%%d prev_prio=%%d prev_state=%%s%s ==> next_comm=%%s next_pid=%%d next_prio=%%d", REC->prev_comm, '
         'REC->prev_pid, REC->prev_prio, %s, REC->next_comm, REC->next_pid, REC->next_prio')
LETTERS = '(REC->prev_state%s) ? __print_flags(REC->prev_state%s, "|", %s) : "R"%s'


def old_format(letters, plus):
    """letters by bit, and the bit of "+"."""
    mask = ' & (%d-1)' % plus if plus else ''
    table = ', '.join('{ %d, "%s" }' % (1 << i, c) for i, c in enumerate(letters))
    return FLAGS % ('%s' if plus else '', LETTERS % (mask, mask, table, ', REC->prev_state & %d ? "+" : ""' % plus if plus else ''))


KERNELS = {'2.6.32': old_format('SDTtZXxW', 0), '3.2': old_format('SDTtZXxKW', 0), '3.18': old_format('SDTtXZxKWP', 1024),
           '4.4': old_format('SDTtXZxKWPN', 2048), '4.9': old_format('SDTtXZxKWPNn', 4096), '4.14': old_format('SDTtXZPI', 256)}
# The bits of what today is 1, 2, 4, 8, 0x10 (X), 0x20 (Z), 0x40 (P), 0x80 (I), 0x100 (+); 0: there was no such state.
BITS = {'2.6.32': (1, 2, 4, 8, 32, 16, 1, 2, 0), '3.2': (1, 2, 4, 8, 32, 16, 1, 2, 0), '3.18': (1, 2, 4, 8, 16, 32, 512, 2, 1024),
        '4.4': (1, 2, 4, 8, 16, 32, 512, 1026, 2048), '4.9': (1, 2, 4, 8, 16, 32, 512, 1026, 4096),
        '4.14': (1, 2, 4, 8, 16, 32, 64, 128, 256)}


class Rng:
    """splitmix64: the same on all machines and versions."""

    def __init__(self, seed):
        self.s = seed

    def next(self, n):
        self.s = (self.s + 0x9e3779b97f4a7c15) & (1 << 64) - 1
        x = self.s
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & (1 << 64) - 1
        x = (x ^ x >> 27) * 0x94d049bb133111eb & (1 << 64) - 1
        return (x ^ x >> 31) % n

    def pick(self, items):
        return items[self.next(len(items))]


class Record:
    def __init__(self, data, attrs, formats):
        self.data, self.type = bytearray(data), struct.unpack_from('<I', data)[0]
        self.name, self.off, self.time, self.cpu = None, {}, 0, -1
        if self.type >= 64:
            return
        self.attr = attrs.get(struct.unpack_from('<Q', data, 8 if self.type == SAMPLE else len(data) - 8)[0], attrs[None])
        self.place(self.attr)
        self.time = self.get(TIME, 'Q')
        self.cpu = self.get(CPU, 'I')
        if self.type == SAMPLE:
            raw = self.raw(self.attr)
            if raw is not None:
                self.base = raw
                self.name, self.fields = formats[struct.unpack_from('<H', data, raw)[0]]

    def place(self, attr):
        """The offsets of the words."""
        if self.type == SAMPLE:
            at = 8
            for bit in ORDER:
                if attr & bit:
                    self.off[bit] = at
                    at += 8
            self.end = at
        else:
            words = [bit for bit in TAIL if attr & bit]
            for i, bit in enumerate(words):
                self.off[bit] = len(self.data) - 8 * (len(words) - i)

    def raw(self, attr):
        at = self.end
        if attr & READ:
            raise SystemExit('samples with counts are not known here')
        if attr & CALLCHAIN:
            at += 8 + 8 * struct.unpack_from('<Q', self.data, at)[0]
        return at + 4 if attr & RAW else None

    def get(self, bit, kind):
        return struct.unpack_from('<' + kind, self.data, self.off[bit])[0] if bit in self.off else 0

    def field(self, name):
        off, size = self.fields[name]
        return int.from_bytes(self.data[self.base + off:self.base + off + size], 'little')

    def set_field(self, name, value):
        off, size = self.fields[name]
        self.data[self.base + off:self.base + off + size] = value.to_bytes(size, 'little')

    def tids(self):
        """Where numbers of threads are: offsets of 32 bits."""
        at = [self.base + self.fields[n][0] for n in ('pid', 'prev_pid', 'next_pid', 'parent_pid', 'child_pid', 'common_pid')
              if n in self.fields] if self.name else []
        if TID in self.off:
            at += [self.off[TID], self.off[TID] + 4]
        if self.type == COMM:
            at += [8, 12]
        elif self.type in (EXIT, FORK):
            at += [8, 12, 16, 20]
        return at

    def is_switch(self):
        return self.name == 'sched_switch'


class File:
    def __init__(self, path):
        self.all = open(path, 'rb').read()
        self.head = list(struct.unpack_from('<13Q', self.all))
        _, _, attr_size, attrs_off, attrs_size, self.begin, size = self.head[:7]
        self.end = self.begin + size
        formats = {}
        for m in re.finditer(rb'name: (\w+)\nID: (\d+)\nformat:\n((?:\tfield:[^\n]*\n|\n)+)', self.all):
            formats[int(m[2])] = (m[1].decode(), {f[1].decode(): (int(f[2]), int(f[3])) for f in re.finditer(
                rb'(\w+)(?:\[[^\]]*\])?;\toffset:(\d+);\tsize:(\d+);', m[3])})
        attrs = {}
        for at in range(attrs_off, attrs_off + attrs_size, attr_size):
            sample_type = struct.unpack_from('<Q', self.all, at + 24)[0]
            ids_off, ids_size = struct.unpack_from('<2Q', self.all, at + attr_size - 16)
            attrs.setdefault(None, sample_type)
            for i in range(ids_off, ids_off + ids_size, 8):
                attrs[struct.unpack_from('<Q', self.all, i)[0]] = sample_type
        self.records = []
        at = self.begin
        while at < self.end:
            n = struct.unpack_from('<H', self.all, at + 6)[0]
            self.records.append(Record(self.all[at:at + n], attrs, formats))
            at += n
        self.format = None

    def features(self):
        """(bit, bytes) of each."""
        bits = [i for i in range(256) if self.head[9 + i // 64] >> i % 64 & 1]
        places = [struct.unpack_from('<2Q', self.all, self.end + 16 * i) for i in range(len(bits))]
        return [(b, self.all[o:o + n]) for b, (o, n) in zip(bits, places)]

    def write(self, path):
        data = b''.join(bytes(r.data) for r in self.records)
        parts = [(b, self.with_format(p) if b == 1 else p) for b, p in self.features()]
        self.head[6] = len(data)
        at = self.begin + len(data) + 16 * len(parts)
        table = b''
        for _, p in parts:
            table += struct.pack('<2Q', at, len(p))
            at += len(p)
        with open(path, 'wb') as out:
            out.write(struct.pack('<13Q', *self.head) + self.all[104:self.begin] + data + table + b''.join(p for _, p in parts))

    def with_format(self, tracing):
        """The tracing data with another print format of sched_switch."""
        if not self.format:
            return tracing
        at = tracing.index(b'name: sched_switch\n')
        size = struct.unpack_from('<Q', tracing, at - 8)[0]
        text = re.sub(rb'print fmt: .*', lambda m: b'print fmt: ' + self.format.encode(), tracing[at:at + size])
        return tracing[:at - 8] + struct.pack('<Q', len(text)) + text + tracing[at + size:]


def told(f):
    """Times of what happened while it was recorded."""
    return sorted(r.time for r in f.records if r.type == SAMPLE)


def span(f, rng, parts):
    """A while, at most so much of the whole."""
    times = told(f)
    n = rng.next(max(len(times) // parts, 1)) + 1
    at = rng.next(max(len(times) - n, 1))
    return times[at], times[min(at + n, len(times) - 1)]


def cpus(f):
    return sorted({r.cpu for r in f.records if r.type == SAMPLE})


def lose(f, rng, tell=True):
    cpu, (lo, hi) = rng.pick(cpus(f)), span(f, rng, 8)
    kept, n = [], 0
    template = next(r for r in f.records if r.type == SAMPLE)
    for r in f.records:
        if r.type < 64 and r.cpu == cpu and lo <= r.time < hi:
            n += 1
            continue
        if tell and n and r.type == SAMPLE and r.cpu == cpu and r.time >= hi:
            kept.append(lost_record(template, r, n))
            n = 0
        kept.append(r)
    f.records = kept
    return 'cpu %d %d-%d' % (cpu, lo, hi)


def lost_record(template, behind, n):
    """As the kernel writes it: just before the record that found room again."""
    words = [bit for bit in TAIL if template.attr & bit]
    tail = b''.join(bytes(behind.data[behind.off[bit]:behind.off[bit] + 8]) for bit in words)
    body = struct.pack('<2Q', behind.get(ID, 'Q'), n)
    r = Record.__new__(Record)
    r.data = bytearray(struct.pack('<IHH', LOST, 0, 8 + len(body) + len(tail)) + body + tail)
    r.type, r.name, r.time, r.cpu, r.off, r.attr = LOST, None, behind.time, behind.cpu, {}, behind.attr
    r.place(r.attr)
    return r


def hole(f, rng):
    return lose(f, rng, tell=False)


def drop(f, rng, wanted, chance):
    n = len(f.records)
    f.records = [r for r in f.records if not wanted(r) or rng.next(chance)]
    return n - len(f.records)


def thin(f, rng):
    name, chance = rng.pick(sorted({r.name for r in f.records if r.name})), rng.pick((1, 2, 10, 50))
    if name == 'sched_switch':
        chance = max(chance, 10)
    return '%d %s' % (drop(f, rng, lambda r: r.name == name, chance), name)


def mute(f, rng):
    cpu, idle = rng.pick(cpus(f)), rng.next(2)
    gone = lambda r: r.is_switch() and r.cpu == cpu and (not idle or not r.field('prev_pid') or not r.field('next_pid'))
    return 'cpu %d, %d %sswitches' % (cpu, drop(f, rng, gone, 1), 'idle ' if idle else '')


def late(f, rng):
    t, _ = span(f, rng, 2)
    return '%d records' % drop(f, rng, lambda r: r.type < 64 and 0 < r.time < t, 1)


def early(f, rng):
    _, t = span(f, rng, 2)
    return '%d records' % drop(f, rng, lambda r: r.type < 64 and r.time > t, 1)


def unnamed(f, rng):
    kinds, chance = rng.pick(((COMM,), (FORK,), (EXIT,), (COMM, FORK, EXIT))), rng.pick((1, 2, 5))
    return '%d of %s' % (drop(f, rng, lambda r: r.type in kinds, chance), kinds)


def lives(f):
    """tid: (first, last) time."""
    seen = {}
    for r in f.records:
        if r.type < 64 and r.time:
            for at in r.tids():
                tid = struct.unpack_from('<i', r.data, at)[0]
                lo, hi = seen.get(tid, (r.time, r.time))
                seen[tid] = min(lo, r.time), max(hi, r.time)
    return seen


def reuse(f, rng):
    exits = {struct.unpack_from('<I', r.data, 16)[0]: r.time for r in f.records if r.type == EXIT}
    said = []
    for _ in range(1 + rng.next(4)):
        seen = lives(f)
        forks = {struct.unpack_from('<I', r.data, 16)[0]: r.time for r in f.records if r.type == FORK and r.time}
        pairs = [(a, b) for a in sorted(exits) for b in sorted(forks) if a in seen and b in seen and seen[a][1] < seen[b][0]]
        if not pairs:
            break
        a, b = rng.pick(pairs)
        for r in f.records:
            for at in r.tids() if r.type < 64 else ():
                if struct.unpack_from('<I', r.data, at)[0] == b:
                    struct.pack_into('<I', r.data, at, a)
        if b in exits:
            exits[a] = exits.pop(b)
        said.append('%d is %d' % (b, a))
    return ', '.join(said) or 'nobody'


def rename(f, rng):
    names = (b'other', b'a name of 15 ch', b'[odd]', b'x', b'two words')
    comms = [r for r in f.records if r.type == COMM]
    done = []
    if not comms:
        return 'nobody'
    for _ in range(1 + rng.next(6)):
        src = rng.pick(comms)
        tid = struct.unpack_from('<I', src.data, 12)[0]
        spots = [i for i, r in enumerate(f.records) if r.is_switch() and tid in (r.field('prev_pid'), r.field('next_pid'))]
        if not spots:
            continue
        i = rng.pick(spots)
        at = f.records[i]
        tail = b''.join(bytes(at.data[at.off[bit]:at.off[bit] + 8]) for bit in TAIL if src.attr & bit and bit in at.off and bit != ID)
        tail += bytes(src.data[-8:])
        body = bytes(src.data[8:16]) + rng.pick(names).ljust(16, b'\0')
        r = Record.__new__(Record)
        r.data = bytearray(struct.pack('<IHH', COMM, 0, 8 + len(body) + len(tail)) + body + tail)
        r.type, r.name, r.attr, r.off, r.cpu = COMM, None, src.attr, {}, at.cpu
        r.place(r.attr)
        r.time = at.time + rng.pick((-1, 1, 1, 300))
        struct.pack_into('<Q', r.data, r.off[TIME], r.time)
        f.records.insert(i + rng.next(2), r)
        done.append('%d' % tid)
    return ' '.join(done) or 'nobody'


def twice(f, rng):
    kept, n, chance = [], 0, rng.pick((20, 200))
    for r in f.records:
        kept.append(r)
        if r.type == SAMPLE and not rng.next(chance):
            kept.append(r)
            n += 1
    f.records = kept
    return '%d' % n


def slow(f, rng):
    """Behind two rounds: too late for who believes in rounds."""
    n = 1 + rng.next(5)
    for _ in range(n):
        spots = [i for i, r in enumerate(f.records) if r.type == SAMPLE]
        i = rng.pick(spots)
        r = f.records.pop(i)
        to = min(i + 1 + rng.next(400), len(f.records))
        f.records[to:to] = [mark(), mark(), r]
    return '%d' % n


def mark():
    r = Record.__new__(Record)
    r.data, r.type, r.name, r.time, r.cpu, r.off = bytearray(struct.pack('<IHH', ROUND, 0, 8)), ROUND, None, 0, -1, {}
    return r


def bits(f, rng):
    kernel = rng.pick(sorted(KERNELS))
    if f.format:
        return 'already'
    f.format = KERNELS[kernel]
    for r in f.records:
        if r.is_switch():
            old = r.field('prev_state')
            r.set_field('prev_state', sum(set(b for i, b in enumerate(BITS[kernel]) if old >> i & 1)))
    return kernel


KINDS = {k.__name__: k for k in (lose, hole, thin, mute, late, early, unnamed, reuse, rename, twice, slow, bits)}


def main():
    seed, src, dst = sys.argv[1:4]
    rng = Rng(int(seed))
    f = File(src)
    kinds = sys.argv[4:] or [rng.pick(list(KINDS)) for _ in range(1 + rng.next(3))]
    said = ['%s: %s' % (k, KINDS[k](f, rng)) for k in kinds]
    f.write(dst)
    print('; '.join(said))


main()
