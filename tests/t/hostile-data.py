#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""hostile-data.py SEED OUT [PROGRAM]: a recording as a hostile writer would make it: its records are well-formed enough to be looked
into, and then lie: counts, sizes, masks, times, addresses that wrap, build-ids, names, ids that clash. The same for the same seed.
PROGRAM: a file on disk that some of the mappings name, so that its symbols and CFI meet hostile registers and stacks."""
import random, struct, sys, zlib
import perfdata as p

seed, out = int(sys.argv[1]), sys.argv[2]
program = sys.argv[3] if len(sys.argv) > 3 else '/bin/true'
r = random.Random(seed)
NUMBERS = [0, 1, 2, 7, 8, 9, 0x7f, 0xff, 0x100, 0xfff, 0x1000, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 32,
           1 << 46, (1 << 47) - 1, 1 << 47, 1 << 48, (1 << 63) - 1, 1 << 63, (1 << 64) - 4096, (1 << 64) - 1, (1 << 64) - 128,
           (1 << 64) - 512, (1 << 64) - 2048]
PIDS = [0, 1, 2, 100, 100, 100, 100, 101, 102, 103, 0x7fffffff, 0x80000000, 0xffffffff]
ADDRESSES = [0x401000, 0x401136, 0x402fff, 0x7f0000001000, 0x7f0000001234, 0x7f0000100000, 0xffffffff81000000, 0xffffffff81000123,
             0xffffffffff600000, 0x7ffff7fc1000, 0x400000]
NAMES = [program, program, '/bin/true', '/lib/x86_64-linux-gnu/libc.so.6', '//anon', '[vdso]', '[stack]', '[heap]', '/dev/zero', '/dev/null',
         '/proc/self/mem', '/proc/kcore', '/tmp', '', '/', '..', '../../../../../../etc/passwd', '/memfd:x (deleted)', '/x (deleted)',
         '/tmp/perf-100.map', '/tmp/jit-100.dump', '[kernel.kallsyms]_text', '[kernel.kallsyms]_stext', '[guest.kernel.kallsyms.1]_text',
         '[x]', '/lib/modules/x.ko.xz', 'a\x1b[31mb\x07', b'\xff\xfe\x80', '/' + 'd/' * 1500, 'x' * 4000, '//toolong', '/SYSV00000000',
         '[uprobes]', 'bpf_prog_0123456789abcdef_x', '/proc/1/root/bin/true', '%s%n', 'a\nb', 'a\tb', '"', '\\', '<script>']


def number(plain=None):
    x = r.random()
    if plain is not None and x < .8:
        return plain
    if x < .9:
        return r.choice(NUMBERS)
    return r.getrandbits(r.choice((8, 16, 32, 48, 64)))


def address():
    return r.choice(ADDRESSES) + r.randrange(64) if r.random() < .85 else number()


def pid():
    return r.choice(PIDS) if r.random() < .95 else r.getrandbits(32)


clock = [1000]


def time():
    x = r.random()
    if x < .93:
        clock[0] += r.randrange(5000)
        return clock[0]
    return r.choice((0, 1, (1 << 64) - 1, 1 << 63, (1 << 63) - 1, clock[0] - 500, r.getrandbits(64)))


def u64(*v):
    return struct.pack('<%dQ' % len(v), *(x & (1 << 64) - 1 for x in v))


def u32(*v):
    return struct.pack('<%dI' % len(v), *(x & 0xffffffff for x in v))


def regs(mask):
    abi = r.choice((2, 2, 2, 2, 1, 0, 3, number() & 7))
    n = bin(mask).count('1') if abi or r.random() < .1 else 0
    values = [address() if r.random() < .7 else number(0x7ffe00001000 + 8 * r.randrange(16)) for _ in range(n)]
    return u64(abi if r.random() < .97 else number()) + u64(*values)


def stack():
    n = r.choice((0, 8, 64, 256, 256, 256, 1024, 8192))
    body = b''.join(u64(address() if r.random() < .5 else 0x7ffe00001000 + 8 * r.randrange(64)) for _ in range(n // 8))
    return u64(number(n)) + body + (u64(number(n - r.choice((0, 0, 8, n // 2)))) if n else b'')


def chain():
    n = r.choice((0, 1, 2, 3, 5, 10, 30, 127, 500))
    v = []
    for _ in range(n):
        v.append(r.choice(((1 << 64) - 128, (1 << 64) - 512, (1 << 64) - 2048, (1 << 64) - 4095)) if r.random() < .08 else address())
    if v and r.random() < .7:
        v[0] = (1 << 64) - 512
    return u64(number(n)) + u64(*v)


def branches(st_branch):
    n = r.choice((0, 1, 4, 32))
    return u64(number(n)) + (u64(number(0)) if st_branch & 1 << 17 else b'') + b''.join(
        u64(address(), address(), number()) for _ in range(n)) + (u64(*(number() for _ in range(n))) if st_branch & 1 << 19 else b'')


def reads(rf):
    group = rf & 8
    n = r.choice((1, 1, 2, 3)) if group else 1
    b = u64(number(n)) if group else u64(number())
    b += u64(*(number() for _ in range(bin(rf & 3).count('1')))) if group else u64(*(number() for _ in range(bin(rf & 3).count('1'))))
    if group:
        return b + b''.join(u64(number(), *(number(1) for _ in range(bin(rf & 0x14).count('1')))) for _ in range(n))
    return b + u64(*(number(1) for _ in range(bin(rf & 0x14).count('1'))))


def sample(a, ident):
    st, b, who = a['st'], b'', pid()
    if st & p.IDENTIFIER: b += u64(number(ident))
    if st & p.IP: b += u64(address())
    if st & p.TID: b += u32(who, who if r.random() < .8 else pid())
    if st & p.TIME: b += u64(time())
    if st & p.ADDR: b += u64(address())
    if st & p.ID: b += u64(number(ident))
    if st & p.STREAM_ID: b += u64(number(ident))
    if st & p.CPU: b += u32(number(r.randrange(4)), 0)
    if st & p.PERIOD: b += u64(number(r.randrange(1, 1000)))
    if st & p.READ: b += reads(a['rf'])
    if st & p.CALLCHAIN: b += chain()
    if st & p.RAW:
        n = r.choice((0, 4, 12, 60, 200))
        b += u32(number(n)) + r.randbytes(n)
    if st & p.BRANCH: b += branches(a['branch'])
    if st & p.REGS_USER: b += regs(a['regs'])
    if st & p.STACK_USER: b += stack()
    if st & (p.WEIGHT | p.WEIGHT_STRUCT): b += u64(number(1))
    if st & p.DATA_SRC: b += u64(number())
    if st & p.TRANSACTION: b += u64(number())
    if st & p.REGS_INTR: b += regs(a['intr'])
    for bit in (p.PHYS, p.CGROUP, p.DATA_PAGE, p.CODE_PAGE):
        if st & bit: b += u64(number())
    if st & p.AUX:
        n = r.choice((0, 8, 64))
        b += u64(number(n)) + r.randbytes(n)
    misc = r.choice((2, 2, 2, 2, 1, 1, 3, 4, 5, 6, 7, 0)) | (r.getrandbits(16) & 0xfff8 if r.random() < .1 else 0)
    return p.record(p.SAMPLE, misc, b[:65000], size=number(None) & 0xffff if r.random() < .001 else None)


def choose_attr():
    st = p.IP | p.TID | p.TIME | p.PERIOD
    if r.random() < .8: st |= r.choice((p.IDENTIFIER, p.IDENTIFIER | p.ID, p.ID))
    for bit, chance in ((p.ADDR, .3), (p.STREAM_ID, .1), (p.CPU, .5), (p.READ, .2), (p.CALLCHAIN, .7), (p.RAW, .1), (p.BRANCH, .2),
                        (p.REGS_USER, .6), (p.STACK_USER, .6), (p.WEIGHT, .2), (p.DATA_SRC, .2), (p.TRANSACTION, .1),
                        (p.REGS_INTR, .2), (p.PHYS, .1), (p.CGROUP, .1), (p.DATA_PAGE, .1), (p.CODE_PAGE, .1), (p.AUX, .05)):
        if r.random() < chance: st |= bit
    if r.random() < .05: st = number() & (1 << r.choice((20, 25, 40, 64))) - 1
    a = {'st': st, 'rf': r.getrandbits(5) if r.random() < .8 else number(), 'branch': number(1 << 3),
         'regs': r.choice((p.X86_REGS, p.X86_REGS, p.X86_REGS, (1 << 33) - 1, number(), (1 << 64) - 1, 0)),
         'intr': r.choice((p.X86_REGS, number())), 'stack': number(8192)}
    a['raw'] = p.attr(st, r.choice((1, 1, 0, 2, 4, 5, number() & 0xffffffff)), number(0), a['regs'], a['stack'], a['branch'], a['rf'],
                      a['intr'], r.random() < .8, p.ATTR if r.random() < .95 else number(), r.random() < .9,
                      number() & (1 << 40) - 1 if r.random() < .1 else 0)
    return a


attrs = [choose_attr() for _ in range(r.choice((1, 1, 1, 2, 3)))]
first = attrs[0]['st']


def mapping():
    kind = r.random()
    start, length, off = r.choice(((0x400000, 0x10000, 0), (0x7f0000000000, 0x200000, 0), (0x7f0000100000, 0x1000, 0x1000),
                                   (0xffffffff81000000, 0x1000000, 0), (0x7ffff7fc0000, 0x2000, 0)))
    if r.random() < .3:
        start, length, off = number(start), number(length), number(off)
    who = (1 << 32) - 1 if start >> 63 and r.random() < .7 else pid()
    misc = p.KERNEL if start >> 63 else r.choice((p.USER,) * 8 + (p.KERNEL, 5, 4, 3))
    if kind < .2:
        return p.mmap(first, who, start, length, off, r.choice(NAMES), time(), misc)
    b = None
    if kind < .5:
        b = r.choice((bytes(20), b'\x11' * 20, r.randbytes(20), b'', b'\x22'))
    return p.mmap2(first, who, start, length, off, r.choice(NAMES), time(), b, number(20) & 0xff if b is not None else None, misc,
                   number(5) & 0xffffffff)


def other():
    kind = r.choice((p.LOST, p.EXIT, p.THROTTLE, p.READ_REC, p.AUX_REC, p.ITRACE, p.LOST_SAMPLES, p.SWITCH, p.SWITCH_CPU, p.NAMESPACES,
                     p.KSYMBOL, p.BPF_EVENT, p.CGROUP_REC, p.TEXT_POKE, p.AUX_HW_ID, p.TRACING_DATA, p.BUILD_ID, p.ROUND, p.ID_INDEX,
                     p.AUX_INFO, p.AUX_ERROR, p.THREAD_MAP, p.CPU_MAP, p.STAT_CONFIG, p.STAT, p.STAT_ROUND, p.EVENT_UPDATE, p.TIME_CONV,
                     p.FEATURE, p.INIT, p.ATTR_REC, 22, 63, 84, 1000, number() & 0xffffffff))
    b = r.randbytes(8 * r.randrange(12)) if r.random() < .3 else u64(*(number() for _ in range(r.randrange(12))))
    if kind == p.KSYMBOL and r.random() < .7:
        b = u64(address()) + u32(number(64)) + struct.pack('<HH', number(1) & 0xffff, number(0) & 0xffff) + p.name(r.choice(NAMES)) + p.trailer(first, time=time())
    elif kind == p.NAMESPACES and r.random() < .7:
        b = u32(pid(), pid()) + u64(number(3)) + u64(*(number() for _ in range(6))) + p.trailer(first, time=time())
    elif kind == p.BUILD_ID and r.random() < .7:
        b = u32(pid()) + r.randbytes(20) + u32(number(20)) + p.name(r.choice(NAMES))
    elif kind == p.ID_INDEX and r.random() < .5:
        b = u64(number(2)) + u64(*(number() for _ in range(8)))
    elif kind == p.EVENT_UPDATE and r.random() < .7:
        b = u64(r.randrange(5), number(1)) + p.name(r.choice(NAMES))
    elif kind == p.FEATURE and r.random() < .9:
        b = u64(number(r.randrange(34))) + r.randbytes(r.randrange(80))
    elif kind == p.TEXT_POKE and r.random() < .7:
        b = u64(address()) + struct.pack('<HH', number(5) & 0xffff, number(5) & 0xffff) + r.randbytes(20)
    return p.record(kind, r.getrandbits(3) if r.random() < .8 else r.getrandbits(16), b)


def compressed(records):
    kind, body = r.choice((p.COMPRESSED, p.COMPRESSED2)), r.choice((records[:4000], zlib.compress(records), b'\x28\xb5\x2f\xfd' + r.randbytes(40)))
    if kind == p.COMPRESSED2:
        body = u64(number(len(body))) + body
    return p.record(kind, 0, body)


def one(i):
    x = r.random()
    if x < .6:
        k = r.randrange(len(attrs))
        return sample(attrs[k], k + 1)
    if x < .75:
        return mapping()
    if x < .8:
        return p.comm(first, pid(), pid(), r.choice(NAMES), time(), r.choice((0, 1 << 13)))
    if x < .86:
        return p.task(r.choice((p.FORK, p.FORK, p.EXIT)), first, pid(), pid(), pid(), pid(), time())
    if x < .97:
        return other()
    if x < .972:
        return compressed(b''.join(sample(attrs[0], 1) for _ in range(3)))
    return p.record(p.ROUND, 0, b'')


def features():
    def ids():
        b = b''
        for _ in range(r.randrange(8)):
            n = p.name(r.choice(NAMES))
            body = u32(pid()) + r.randbytes(20) + u32(number(20)) + n
            b += struct.pack('<IHH', number(0) & 0xffffffff, r.choice((1, 2, 0x8002, number() & 0xffff)), number(8 + len(body)) & 0xffff) + body
        return b
    makers = {2: ids, 3: lambda: p.text(r.choice(NAMES)), 5: lambda: p.text('6.1'), 6: lambda: p.text(r.choice(('x86_64', 'aarch64', 's390x', 'x'))),
              7: lambda: u32(number(4), number(4)), 11: lambda: u32(number(2)) + p.text('perf') + p.text(r.choice(NAMES)),
              12: lambda: u32(number(len(attrs)), number(p.ATTR)) + b''.join(a['raw'] + u32(number(1)) + p.text(r.choice(NAMES)) + u64(number(1))
                                                                         for a in attrs),
              13: lambda: u32(number(1)) + p.text('0-3') + u32(number(1)) + p.text('0'), 1: lambda: r.randbytes(200)}
    v = []
    for f in range(1, 34):
        if r.random() < .25 or (f in makers and r.random() < .6):
            body = makers[f]() if f in makers and r.random() < .8 else u64(*(number() for _ in range(r.randrange(10)))) + p.text(r.choice(NAMES))
            v.append((f, body))
    return v


records = [p.comm(first, 100, 100, 'prog', time()), p.mmap2(first, 100, 0x400000, 0x10000, 0, program, time()),
           p.mmap2(first, 100, 0x7f0000000000, 0x200000, 0, NAMES[3], time()),
           p.mmap(first, (1 << 32) - 1, 0xffffffff81000000, 0x2000000, 0xffffffff81000000, '[kernel.kallsyms]_text', 0, p.KERNEL)]
records += [one(i) for i in range(r.choice((5, 40, 40, 150)))]
if r.random() < .25:
    p.pipe(out, [a['raw'] for a in attrs], [p.record(p.FEATURE, 0, u64(f) + b) for f, b in features() if len(b) < 60000] + records)
else:
    p.recording(out, [a['raw'] for a in attrs], records, features(), ids=r.random() < .95,
                data_size=None if r.random() < .95 else number())
