#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""late-events.py IN N LATE FIRST: makes two streams of a recording in a file. Each event gets copies, N in all, whose samples (and
counts) are every other one of its own. In LATE an event's ATTR stands right before the first of them: only the first event is known
at the beginning. In FIRST all stand at the beginning, in the same order."""
import itertools, struct, sys
import perfdata as p

src, n, late, first = open(sys.argv[1], 'rb').read(), int(sys.argv[2]), sys.argv[3], sys.argv[4]
u64 = lambda at: struct.unpack_from('<Q', src, at)[0]
attr_bytes, attrs_at, attrs_len, data_at, data_len = (u64(at) for at in (16, 24, 32, 40, 48))
COPIES = 1 << 40

features, index = {}, data_at + data_len
for bit in range(256):
    if src[72 + bit // 8] >> bit % 8 & 1:
        features[bit] = src[u64(index):u64(index) + u64(index + 8)]
        index += 16


def names():
    """Of EVENT_DESC, or none."""
    d = features.get(12, bytes(8))
    count, size = struct.unpack_from('<II', d)
    at, v = 8, []
    for _ in range(count):
        ids, length = struct.unpack_from('<II', d, at + size)
        v.append(d[at + size + 8:at + size + 8 + length].split(b'\0')[0])
        at += size + 8 + length + 8 * ids
    return v


class Event:
    def __init__(self, attr, ids, name):
        self.attr, self.ids, self.name, self.copy, self.turn, self.told = attr, ids, name, None, 0, False

    def records(self):
        self.told = True
        b = p.record(p.ATTR_REC, 0, self.attr + b''.join(struct.pack('<Q', i) for i in self.ids))
        return b + (p.record(p.EVENT_UPDATE, 0, struct.pack('<QQ', 2, self.ids[0]) + p.name(self.name)) if self.ids and self.name else b'')


events = []
for at, name in itertools.zip_longest(range(attrs_at, attrs_at + attrs_len, attr_bytes), names()):
    where, length = u64(at + attr_bytes - 16), u64(at + attr_bytes - 8)
    events.append(Event(src[at:at + attr_bytes - 16], [u64(i) for i in range(where, where + length, 8)], name))
by_id = {i: e for e in events for i in e.ids}
plain = next(e for e in events if e.ids)
sample_type = struct.unpack_from('<Q', plain.attr, 24)[0]
assert sample_type & p.IDENTIFIER, 'samples without a leading id'

records, at = [], data_at
while at < data_at + data_len:
    size = struct.unpack_from('<H', src, at + 6)[0]
    records.append(src[at:at + size])
    at += size

head = b'PERFILE2' + struct.pack('<Q', 16)
early = b''.join(p.record(p.FEATURE, 0, struct.pack('<Q', f) + b) for f, b in features.items()
                 if f not in (1, 2, 12, 27) and len(b) < 60000)
if 1 in features:
    t = features[1] + bytes(-len(features[1]) % 8)
    early += p.record(p.TRACING_DATA, 0, struct.pack('<I', len(t))) + t
attrs, body, made = [plain.records()], [], 0
counted = [k for k, r in enumerate(records) if struct.unpack_from('<I', r)[0] in (p.SAMPLE, p.STAT)]
due = {k: i * (n + 1) // len(counted) for i, k in enumerate(counted)}


def tell(e):
    attrs.append(e.records())
    body.append(attrs[-1])


def add_copy(e, made):
    e.copy = Event(e.attr, [COPIES + made], e.name)
    tell(e.copy)
    return made + 1


for k, r in enumerate(records):
    e = by_id.get(struct.unpack_from('<Q', r, 8)[0]) if k in due else None
    if e and not e.told:
        tell(e)
    while e and made < due[k]:
        made = add_copy(e, made)
    if e and e.copy:
        e.turn ^= 1
        if e.turn:
            r = r[:8] + struct.pack('<Q', e.copy.ids[0]) + r[16:]
    body.append(r)
while made < n:
    made = add_copy(plain, made)
rest = b''.join(e.records() for e in events if not e.told)
open(late, 'wb').write(head + attrs[0] + early + b''.join(body) + rest)
attr_set = set(attrs)
open(first, 'wb').write(head + attrs[0] + early + b''.join(attrs[1:]) + rest + b''.join(b for b in body if b not in attr_set))
