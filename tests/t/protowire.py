# SPDX-License-Identifier: GPL-2.0-or-later
"""The wire format of Protocol Buffers: fields(BYTES) has a list of values for each field number; one() the only value of a field, 0
where there is none; packed() the numbers of a packed field."""


def varint(b, i):
    v = shift = 0
    while True:
        v |= (b[i] & 0x7f) << shift
        shift += 7
        i += 1
        if not b[i - 1] & 0x80:
            return v, i


def fields(b):
    out, i = {}, 0
    while i < len(b):
        tag, i = varint(b, i)
        if tag & 7 == 0:
            v, i = varint(b, i)
        elif tag & 7 == 1:
            v, i = int.from_bytes(b[i:i + 8], "little"), i + 8
        else:
            assert tag & 7 == 2, tag
            n, i = varint(b, i)
            v, i = b[i:i + n], i + n
            assert len(v) == n
        out.setdefault(tag >> 3, []).append(v)
    return out


def packed(b):
    i, out = 0, []
    while i < len(b):
        v, i = varint(b, i)
        out.append(v)
    return out


def one(f, n):
    return f.get(n, [0])[0]
