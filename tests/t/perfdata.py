# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings written from nothing: the pieces for the generators of hostile ones. Nothing here checks anything: a lie is
written as it is told."""
import os, struct

HEADER = 104
ATTR = 136		# what is written of perf_event_attr, unless told otherwise

# sample_type
IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD, STREAM_ID, RAW, BRANCH, REGS_USER, STACK_USER, WEIGHT, DATA_SRC, IDENTIFIER, \
    TRANSACTION, REGS_INTR, PHYS, AUX, CGROUP, DATA_PAGE, CODE_PAGE, WEIGHT_STRUCT = (1 << i for i in range(25))
(MMAP, LOST, COMM, EXIT, THROTTLE, UNTHROTTLE, FORK, READ_REC, SAMPLE, MMAP2, AUX_REC, ITRACE, LOST_SAMPLES, SWITCH, SWITCH_CPU,
 NAMESPACES, KSYMBOL, BPF_EVENT, CGROUP_REC, TEXT_POKE, AUX_HW_ID) = range(1, 22)
(ATTR_REC, EVENT_TYPE, TRACING_DATA, BUILD_ID, ROUND, ID_INDEX, AUX_INFO, AUXTRACE, AUX_ERROR, THREAD_MAP, CPU_MAP, STAT_CONFIG, STAT,
 STAT_ROUND, EVENT_UPDATE, TIME_CONV, FEATURE, COMPRESSED, INIT, COMPRESSED2) = range(64, 84)
KERNEL, USER, GUEST = 1, 2, 5
X86_REGS = 0xff0fff


def attr(sample_type=IP | TID | TIME | PERIOD | IDENTIFIER, kind=1, config=0, regs=0, stack=0, branch=0, read_format=0, regs_intr=0,
         mono=True, size=ATTR, id_all=True, extra=0):
    flags = 1 << 8 | 1 << 9 | 1 << 13 | 1 << 23 | 1 << 24 | extra	# mmap comm task mmap2 comm_exec
    flags |= (1 << 18 if id_all else 0) | (1 << 25 if mono else 0)
    a = struct.pack('<IIQQQQQIIQQQQIiQIIIIQQ', kind, size & 0xffffffff, config, 4000, sample_type, read_format, flags, 0, 0, 0, 0,
                    branch, regs, stack & 0xffffffff, 1, regs_intr, 0, 127, 0, 0, 0, 0)
    return (a + bytes(ATTR))[:ATTR]


def record(kind, misc, body, size=None):
    body += bytes(-len(body) % 8)
    return struct.pack('<IHH', kind, misc, (8 + len(body) if size is None else size) & 0xffff) + body


def trailer(st, ident=1, time=0, pid=0, tid=0):
    """The end of each record that is no sample."""
    b = b''
    if st & TID:
        b += struct.pack('<II', pid & 0xffffffff, tid & 0xffffffff)
    if st & TIME:
        b += struct.pack('<Q', time)
    for bit in (ID, STREAM_ID):
        if st & bit:
            b += struct.pack('<Q', ident)
    if st & CPU:
        b += struct.pack('<II', 0, 0)
    if st & IDENTIFIER:
        b += struct.pack('<Q', ident)
    return b


def name(text):
    text = text if isinstance(text, bytes) else text.encode()
    return text + bytes(8 - len(text) % 8)


def mmap2(st, pid, start, length, off, path, time=0, build_id=None, id_size=None, misc=USER, prot=5):
    try:	# what lies there is the recorded file, as far as anybody can tell
        s = os.stat(path) if path else None
        where = struct.pack('<IIQQ', os.major(s.st_dev), os.minor(s.st_dev), s.st_ino, 0)
    except (OSError, AttributeError, ValueError):
        where = struct.pack('<IIQQ', 8, 1, 1, 0)
    if build_id is not None:
        misc |= 1 << 14
        where = struct.pack('<BBH', len(build_id) if id_size is None else id_size, 0, 0) + (build_id + bytes(20))[:20]
    return record(MMAP2, misc, struct.pack('<IIQQQ', pid, pid, start, length, off) + where + struct.pack('<II', prot, 2) + name(path) +
                  trailer(st, time=time, pid=pid, tid=pid))


def mmap(st, pid, start, length, off, path, time=0, misc=USER):
    return record(MMAP, misc, struct.pack('<IIQQQ', pid, pid, start, length, off) + name(path) +
                  trailer(st, time=time, pid=pid, tid=pid))


def comm(st, pid, tid, text, time=0, misc=0):
    return record(COMM, misc, struct.pack('<II', pid, tid) + name(text) + trailer(st, time=time, pid=pid, tid=tid))


def task(kind, st, pid, ppid, tid, ptid, time=0):
    return record(kind, 0, struct.pack('<IIIIQ', pid, ppid, tid, ptid, time) + trailer(st, time=time, pid=pid, tid=tid))


def recording(path, attrs, records, features=(), ids=True, data_size=None, swapped_index=False, n_features=None):
    """features: (number, bytes). Each attr has the id of its place, from 1 on."""
    data = records if isinstance(records, bytes) else b''.join(records)
    id_at, attr_at = HEADER, HEADER + 8 * len(attrs)
    data_at = attr_at + (ATTR + 16) * len(attrs)
    bits = 0
    for f, _ in features:
        bits |= 1 << f
    index = data_at + len(data)
    at = index + 16 * len(features)
    with open(path, 'wb') as out:
        out.write(b'PERFILE2' + struct.pack('<QQ', HEADER, ATTR + 16) + struct.pack('<QQ', attr_at, (ATTR + 16) * len(attrs)) +
                  struct.pack('<QQ', data_at, len(data) if data_size is None else data_size) + bytes(16) +
                  (bits & (1 << 256) - 1).to_bytes(32, 'little'))
        out.write(b''.join(struct.pack('<Q', i + 1) for i in range(len(attrs))))
        out.write(b''.join(a + struct.pack('<QQ', id_at + 8 * i, 8 if ids else 0) for i, a in enumerate(attrs)))
        out.write(data)
        for f, b in sorted(features):
            out.write(struct.pack('<QQ', at, len(b)))
            at += len(b)
        out.write(b''.join(b for _, b in sorted(features)))


def pipe(path, attrs, records):
    """The same, as a stream."""
    with open(path, 'wb') as out:
        out.write(b'PERFILE2' + struct.pack('<Q', 16))
        for i, a in enumerate(attrs):
            out.write(record(ATTR_REC, 0, a + struct.pack('<Q', i + 1)))
        out.write(records if isinstance(records, bytes) else b''.join(records))


def text(s):
    """A string of a feature section."""
    s = s if isinstance(s, bytes) else s.encode()
    padded = s + bytes(64 - len(s) % 64)
    return struct.pack('<I', len(padded)) + padded
