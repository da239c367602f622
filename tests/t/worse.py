# SPDX-License-Identifier: GPL-2.0-or-later
"""worse.py KIND IN OUT: a recording in which something is wrong or missing. cut: it ends within its data; killed: as it is when the
recorder was killed; lost, unknown: with more records at its end; swapped: as a machine of the other byte order writes it."""
import struct, sys

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
    return swap('IIQQQQ', a) + flags + swap('IIQQQQIiQIHHIIQ', a, 48)


def swap_trailer(st, b):
    out = b''
    for bit, layout in (TID, 'II'), (TIME, 'Q'), (ID, 'Q'), (STREAM_ID, 'Q'), (CPU, 'II'), (IDENTIFIER, 'Q'):
        if st & bit:
            out += swap(layout, b, len(out))
    assert len(out) == len(b), (st, len(b))
    return out


def swap_sample(st, b):
    out = b''
    for bit, layout in (IDENTIFIER, 'Q'), (IP, 'Q'), (TID, 'II'), (TIME, 'Q'), (CPU, 'II'), (PERIOD, 'Q'):
        if st & bit:
            out += swap(layout, b, len(out))
    if st & CALLCHAIN:
        n, = struct.unpack_from('<Q', b, len(out))
        out += swap('%dQ' % (n + 1), b, len(out))
    assert len(out) == len(b), 'a sample of another kind'
    return out


def swap_record(st, kind, misc, b):
    end = len(b) - len(trailer(st))
    if kind == SAMPLE:
        return swap_sample(st, b)
    if kind == COMM:
        body = swap('II', b) + b[8:end]
    elif kind in (EXIT, FORK):
        body = swap('IIIIQ', b)
    elif kind == MMAP2:
        body = swap('IIQQQ', b) + (b[32:56] if misc & 1 << 14 else swap('IIQQ', b, 32)) + swap('II', b, 56) + b[64:end]
    else:
        return None	# not needed here
    return body + swap_trailer(st, b[end:])


def swapped(f):
    h = header(f)
    attr_bytes, attrs_off, attrs_size, off, size = h[2:7]
    st, = struct.unpack_from('<Q', f, attrs_off + 24)
    ids = attrs = data = b''
    at = 104 + attrs_size
    for i in range(attrs_off, attrs_off + attrs_size, attr_bytes):
        where, n = struct.unpack_from('<QQ', f, i + attr_bytes - 16)
        attrs += swap_attr(f[i:i + attr_bytes - 16])[:attr_bytes - 16] + struct.pack('>QQ', at + len(ids), n)
        ids += swap_all('Q', f[where:where + n])
    end, i = off + size, off
    while i < end:
        kind, misc, n = struct.unpack_from('<IHH', f, i)
        body = f[i + 8:i + n] if kind == ROUND else swap_record(st, kind, misc, f[i + 8:i + n])
        if body is not None:
            data += struct.pack('>IHH', kind, misc, n) + body
        i += n
    head = [h[0], 104, attr_bytes, 104, attrs_size, at + len(ids), len(data), 0, 0, 0, 0, 0, 0]
    return struct.pack('>13Q', *head) + attrs + ids + data


kind, path, out = sys.argv[1:]
with open(path, 'rb') as f:
    whole = f.read()
with open(out, 'wb') as f:
    f.write(globals()[kind](whole))
