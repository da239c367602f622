#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""hostile-jitdump.py SEED DIR: DIR/jit-100.dump as a hostile or broken JIT compiler would write it, and DIR/d.data, a recording whose process
100 mapped it and ran code of it. The same for the same seed (but for the directory's name)."""
import os, random, struct, sys
import perfdata as p

seed, directory = int(sys.argv[1]), os.path.abspath(sys.argv[2])
r = random.Random(seed)
dump = directory + '/jit-100.dump'
NUMBERS = [0, 1, 7, 8, 0xff, 0x1000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 32, 1 << 47, (1 << 63) - 1, 1 << 63, (1 << 64) - 16,
           (1 << 64) - 1]
CODE = 0x7f1000000000
E = '>' if r.random() < .2 else '<'
NAMES = ['f', 'LazyCompile:~g /x.js:1', '../../../../etc/passwd', 'a\x1b[31mb\x07', b'\xff\xfe', '', 'n' * 5000, '_Z1fv', 'a\nb', '%s%n', '/abs/x', '\x01']
FILES = ['/src/a.js', '../../b.js', '\xff', '', 'c\x1b]0;t\x07', b'\xff', 'x' * 3000, '/etc/passwd', 'a b', 'd\n']


def raw(t):
    return (t if isinstance(t, bytes) else t.encode()) + b'\0'


def number(plain):
    return plain if r.random() < .9 else r.choice(NUMBERS)


def time():
    clock[0] += r.randrange(3000) if r.random() < .9 else -r.randrange(3000)
    return clock[0] if r.random() < .97 else r.choice(NUMBERS)


def pack(form, *v):
    """struct.pack, with each number cut to its width"""
    widths = {'I': 32, 'Q': 64}
    return struct.pack(E + form, *(x & (1 << widths[c]) - 1 if c in widths else x for c, x in zip(form, v)))


def record(kind, body, size=None):
    return pack('IIQ', kind, 16 + len(body) if size is None else size, time()) + body


def place():
    return CODE + 64 * r.randrange(40) if r.random() < .9 else r.choice(NUMBERS)


def load():
    n = r.choice((1, 16, 64, 64, 64, 1000, 20000))
    at = place()
    code = r.randbytes(n) if r.random() < .8 else b''
    claim = number(n)
    if not code:
        claim = r.choice((n, n, (1 << 31) - 1, (1 << 32) - 1, 1 << 32))
    places.append((at, n))
    return record(0, pack('IIQQQQ', number(100), 100, at, at, claim, number(r.randrange(30))) + raw(r.choice(NAMES)) + code)


def move():
    return record(1, pack('IIQQQQQ', 100, 100, place(), place(), place(), number(64), number(r.randrange(30))))


def debug():
    n = r.choice((0, 1, 5, 50, 1000))
    at = r.choice(places)[0] if places and r.random() < .8 else place()
    lines = b''
    for i in range(n):
        lines += pack('QII', number(at + r.randrange(64)), number(i), number(0)) + raw(r.choice(FILES))
    if r.random() < .1:
        lines = lines[:r.randrange(len(lines) + 1)]
    return record(2, pack('QQ', at, number(n)) + lines)


def cfi():
    """Call frame instructions that push, skip for ever, and stand on nothing."""
    loops = [bytes((0x0f, 3, 0x2f, 0xfd, 0xff)), bytes((0x0f, 6, 0x30, 0x30, 0x28, 0xfc, 0xff, 0x30)), bytes((0x0a,)) * 2000,
             bytes((0x0b,)) * 9, bytes((0x0c, 7, 8)), bytes((0x0f, 200)) + bytes((0x30,)) * 200, bytes((0x10, 16, 2, 0x70, 0)), b'\xff' * 8,
             bytes((0x0e,)) + b'\xff' * 9 + b'\1', bytes((0x2d, 0x2e, 0xff)), b'\x04\xff\xff\xff\xff', b'\x16\x10\xff\x7f']
    return b''.join(r.choice(loops) for _ in range(r.randrange(1, 4)))


def unwind():
    cie_body = b'\0\0\0\0' + b'\1zR\0' + b'\1\x78\x10\1' + bytes((r.choice((0x1b, 0x1b, 0, 0xff, 0x9b)),)) + bytes((0x0c, 7, 8, 0x90, 1)) + (cfi() if r.random() < .3 else b'')
    cie_body += bytes(-len(cie_body) % 4)
    cie = pack('I', len(cie_body)) + cie_body
    fde_body = pack('IiI', number(len(cie) + 4), r.choice((-64, 0, 16, -len(cie))), number(64)) + b'\0' + cfi()
    fde_body += bytes(-len(fde_body) % 4)
    frame = cie + pack('I', number(len(fde_body))) + fde_body + bytes(4)
    n = number(1)
    head = b'\1\x1b\3\x3b' + pack('iI', r.choice((-len(frame) - 4, 0, 1 << 30)), n) + pack('ii', -64, r.choice((-len(frame), 0, 99999)))
    both = frame + head if r.random() < .5 else head + frame
    return record(4, pack('QQQ', number(len(both)), number(len(head)), number(len(head))) + both)


clock, places, body = [10000], [], b''
for _ in range(r.choice((1, 10, 30, 30, 100))):
    x = r.random()
    if x < .45: body += load()
    elif x < .6: body += move()
    elif x < .8: body += debug()
    elif x < .94: body += unwind()
    elif x < .96: body += record(3, b'')
    elif x < .98: body += record(number(9), r.randbytes(r.randrange(40)))
    else: body += record(r.randrange(5), r.randbytes(r.randrange(60)), r.choice((0, 8, 15, 17, 24, 0x7fffffff, 0xffffffff)))
head = pack('IIIIIIQQ', 0x4A695444 if r.random() < .98 else 0, number(1), number(40) if r.random() < .3 else 40,
                   r.choice((62, 62, 62, 183, 0, 3, 0xffff)), 0, number(100), number(9000), r.choice((0, 0, 0, 0, 1, 1, 1 << 63)))
whole = head + body
if r.random() < .15:
    whole = whole[:r.randrange(len(whole) + 1)]
kind = r.random()
if kind < .93:
    with open(dump, 'wb') as f:
        f.write(whole)
        if r.random() < .03:
            f.truncate(3 << 30)		# a hole behind
elif kind < .95:
    os.mkfifo(dump)
elif kind < .97:
    os.mkdir(dump)
else:
    os.symlink(r.choice(('jit-100.dump', '/dev/zero', '/etc/passwd', '/proc/self/mem', '/nowhere')), dump)

st = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER | p.CALLCHAIN * (r.random() < .5) | (p.REGS_USER | p.STACK_USER) * (r.random() < .7)
a = p.attr(st, regs=p.X86_REGS, stack=512, mono=r.random() < .8)
records = [p.comm(st, 100, 100, 'jit', 8000), p.mmap2(st, 100, 0x7f2000000000, 4096, 0, dump, 9000)]
if r.random() < .5:
    records.append(p.record(p.TIME_CONV, 0, struct.pack('<QQQ', r.choice((0, 10, 10, 63, 64, 1 << 40)), number(1000), number(5))))
for i in range(60):
    at, n = r.choice(places) if places else (CODE, 64)
    ip = (at + r.randrange(max(1, min(n, 70)))) & (1 << 64) - 1
    b = struct.pack('<QQIIQQ', 1, ip, 100, 100, 10000 + i * 500, 1000)
    if st & p.CALLCHAIN:
        b += struct.pack('<QQQ', 2, (1 << 64) - 512, ip)
    if st & p.REGS_USER:
        values = [r.choice((ip, 0x7ffe00000100, 0)) for _ in range(24)][:bin(p.X86_REGS).count('1')]
        values[7], values[8] = 0x7ffe00000100, ip		# sp, ip
        b += struct.pack('<Q', 2) + struct.pack('<%dQ' % len(values), *values)
        b += struct.pack('<Q', 512) + b''.join(struct.pack('<Q', r.choice((ip, CODE + 64 * r.randrange(40), 0x7ffe00000100 + 8 * r.randrange(64))))
                                             for _ in range(64)) + struct.pack('<Q', 512)
    records.append(p.record(p.SAMPLE, 2, b))
p.recording(directory + '/d.data', [a], records, [(6, p.text('x86_64'))])
