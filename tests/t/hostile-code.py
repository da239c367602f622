#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""hostile-code.py BUILD-ID: files named here whose unwind tables, DWARF, packed sections or headers lie, and d.data, a recording that ran
code of each of them (named by its place, in the directory of this call) with registers and a stack to unwind."""
import importlib, os, struct, sys
import perfdata as p

e = importlib.import_module('hostile-elf')
CODE = 0x401000


def leb(n):
    b = b''
    while True:
        n, low = n >> 7, n & 0x7f
        b += bytes((low | (0x80 if n else 0),))
        if not n:
            return b


def block(b):
    return leb(len(b)) + b


def eh_frame(insns, init=b'\x0c\7\x08\x90\1', n=1, code_align=1, data_align=0x78):
    """One CIE with absolute addresses, and n FDEs of all of the code."""
    cie = bytes(4) + b'\1zR\0' + leb(code_align) + bytes((data_align, 16, 1, 0)) + init
    cie += bytes(-(4 + len(cie)) % 8)
    out = struct.pack('<I', len(cie)) + cie
    for _ in range(n):
        fde = struct.pack('<IQQ', len(out) + 4, CODE, 4096) + b'\0' + insns
        fde += bytes(-(4 + len(fde)) % 8)
        out += struct.pack('<I', len(fde)) + fde
    return out + bytes(4)


SYMBOLS = [('.symtab', 2, 0, 0, bytes(24) + struct.pack('<IBBHQQ', 1, 0x12, 0, 2, CODE, 4096), e.STRTAB_NR, 24), ('.strtab', 3, 0, 0, b'\0f\0', 0, 0)]


def cfi(insns, **how):
    return e.elf(SYMBOLS + [('.eh_frame', 1, 2, 0x500000, eh_frame(insns, **how), 0, 0)])


HUGE, BIG = b'\xff' * 9 + b'\1', b'\xff' * 8 + b'\x3f'		# 2^64 - 1, 2^62 - 1
cfis = {
    'skip-self': b'\x0f' + block(b'\x2f\xfd\xff'), 'bra-loop': b'\x0f' + block(b'\x31\x31\x28\xfb\xff'),
    'bra-out': b'\x0f' + block(b'\x31\x28\xff\x7f'), 'skip-back': b'\x0f' + block(b'\x2f\x00\x80'),
    'deep-stack': b'\x0f' + block(b'\x31' * 5000), 'dup': b'\x0f' + block(b'\x31' + b'\x12' * 100000), 'empty-stack': b'\x0f' + block(b'\x22'),
    'no-expr': b'\x0f\0', 'expr-out': b'\x0f' + HUGE, 'div': b'\x0f' + block(b'\x30\x30\x1b'), 'mod': b'\x0f' + block(b'\x11\0\x30\x1d'),
    'min-div': b'\x0f' + block(b'\x0f' + struct.pack('<q', -1 << 63) + b'\x09\xff\x1b'), 'deref': b'\x0f' + block(b'\x0e' + b'\xff' * 8 + b'\x06'),
    'deref-size': b'\x0f' + block(b'\x77\0\x94\0') + b'\x10\x10' + block(b'\x77\0\x94\xff'), 'pick': b'\x0f' + block(b'\x15\xff'),
    'fine': b'\x0a\x0b' * 1000, 'remember': b'\x0a' * 1000000, 'restore': b'\x0b' * 1000, 'remembered': b'\x0a\x0b' * 100000, 'nops': bytes(1 << 20),
    'times-big': b'\x14\x10' + BIG, 'times-small': b'\x15\x10' + b'\x80' * 8 + b'\x40', 'minus-big': b'\x2f\x10' + BIG, 'at-big': b'\x90' + BIG,
    'sf-big': b'\x12\7' + BIG, 'ext-big': b'\5\x10' + BIG, 'ext-sf': b'\x11\x10' + BIG, 'cfa-sf': b'\x13' + BIG, 'offset-huge': b'\x0e' + HUGE, 'cfa-huge': b'\x0c' + HUGE + HUGE, 'sf-huge': b'\x12\7' + b'\x80' * 9 + b'\x40',
    'reg-huge': b'\5' + HUGE + HUGE, 'val': b'\x14\x10' + HUGE, 'val-sf': b'\x15\x10' + b'\x80' * 9 + b'\x40', 'negative': b'\x2f\x10' + HUGE,
    'self': b'\x0c\7\0' + b'\x16\x10' + block(b'\x77\0'), 'same-cfa': b'\x0c\7\0' + b'\x80\0', 'register': b'\x09\x10\xff\x7f', 'advance': b'\4\xff\xff\xff\xff' * 100,
    'set-loc': b'\1' + bytes(8) + b'\1' + b'\xff' * 8, 'all-same': b'\x08\x10', 'unknown': b'\x3e\x3e', 'vendor': b'\x1c\x2d\x2e' + HUGE, 'cut': b'\x0f',
}


def hdr(count, entries, ptr=0):
    return b'\1\x1b\3\x3b' + struct.pack('<iI', ptr, count) + entries


def dwarf(info, abbrev, line=b'', more=(), version=4):
    unit = struct.pack('<HIB', version, 0, 8) + info
    secs = [('.debug_info', 1, 0, 0, struct.pack('<I', len(unit)) + unit, 0, 0), ('.debug_abbrev', 1, 0, 0, abbrev + b'\0', 0, 0)]
    if line:
        secs.append(('.debug_line', 1, 0, 0, line, 0, 0))
    return e.elf(SYMBOLS + secs + [(n, 1, 0, 0, b, 0, 0) for n, b in more])


# abbreviations: 1 unit (name, low, high as 8 bytes, lines) with children; 2 function (name, low, high); 3 inlined (origin ref4, low, high) with
# children; 4 function (origin ref4); 5 function (specification ref4), with low and high; 6 import of a unit (ref_addr)
ABBREV = (b'\1\x11\1\3\x08\x11\1\x12\7\x10\x17\0\0' b'\2\x2e\1\3\x08\x11\1\x12\7\0\0' b'\3\x1d\1\x31\x13\x11\1\x12\7\0\0' b'\4\x2e\0\x31\x13\0\0'
          b'\5\x2e\1\x47\x13\x11\1\x12\7\0\0' b'\6\x3d\0\x18\x10\0\0' b'\7\x2e\1\x31\x13\x47\x13\x11\1\x12\7\0\0')
SPAN = struct.pack('<QQ', CODE, 4096)
UNIT = b'\1u.c\0' + SPAN + bytes(4)
FIRST = 11 + len(UNIT)		# where the unit's first child lies


def ref(n):
    return struct.pack('<I', n)


def nested(n):
    """That many inlined copies in one another."""
    return UNIT + b'\2f\0' + SPAN + (b'\3' + ref(FIRST) + SPAN) * n + bytes(n + 2)


def line_table(program, files=b'a.c\0\0\0\0', dirs=b'', min_insn=1, line_range=14, opcode_base=13, claimed=None):
    head = struct.pack('<BBBBBB', min_insn, 1, 1, 0xfb, line_range, opcode_base) + (b'\0\1\1\1\1\0\0\0\1\0\0\1' * 22)[:max(0, opcode_base - 1)]
    head += dirs + b'\0' + files + b'\0'
    body = struct.pack('<HI', 4, len(head)) + head + program
    return struct.pack('<I', len(body) if claimed is None else claimed) + body


ADDRESS = b'\0\x09\2' + struct.pack('<Q', CODE)
dwarfs = {
    'origin-self': dwarf(UNIT + b'\4' + ref(FIRST) + b'\3' + ref(FIRST) + SPAN + bytes(2), ABBREV),
    'origin-ring': dwarf(UNIT + b'\4' + ref(FIRST + 5) + b'\4' + ref(FIRST) + b'\3' + ref(FIRST) + SPAN + bytes(2), ABBREV),
    'spec-self': dwarf(UNIT + b'\5' + ref(FIRST) + SPAN + bytes(2), ABBREV),
    'spec-origin-ring': dwarf(UNIT + b'\7' + ref(FIRST + 25) + ref(FIRST + 25) + SPAN + b'\0' b'\7' + ref(FIRST) + ref(FIRST) + SPAN + bytes(2), ABBREV),
    'origin-chain': dwarf(UNIT + b''.join(b'\4' + ref(FIRST + 5 * (i + 1)) for i in range(100000)) + b'\2f\0' + SPAN + b'\3' + ref(FIRST) + SPAN + bytes(3), ABBREV),
    'origin-parent': dwarf(UNIT + b'\3' + ref(11) + SPAN + b'\3' + ref(FIRST) + SPAN + bytes(4), ABBREV),
    'ref-out': dwarf(UNIT + b'\3' + ref(0xfffffff0) + SPAN + bytes(2), ABBREV),
    'nested': dwarf(nested(20000), ABBREV),
    'import-self': dwarf(UNIT + b'\6' + ref(11) + b'\6' + ref(FIRST) + b'\2f\0' + SPAN + bytes(3), ABBREV),
    'no-end': dwarf(UNIT + b'\2f\0' + SPAN + b'\2g\0' + SPAN, ABBREV),
    'abbrev-loop': dwarf(UNIT + b'\2f\0' + SPAN + bytes(2), b'\1\x11\1' + b'\3\x08' * 100000 + b'\0\0'),
    'indirect': dwarf(b'\1' + b'\x16' * 100000, b'\1\x11\1\3\x16\0\0'),
    'lines-many': dwarf(UNIT + b'\2f\0' + SPAN + bytes(2), ABBREV, line_table(ADDRESS + b'\x12' * 4000000 + b'\0\1\1')),
    'lines-advance': dwarf(UNIT + b'\2f\0' + SPAN + bytes(2), ABBREV, line_table(ADDRESS + (b'\2' + HUGE + b'\3' + HUGE + b'\1') * 1000 + b'\0\1\1')),
    'lines-range0': dwarf(UNIT + b'\2f\0' + SPAN + bytes(2), ABBREV, line_table(ADDRESS + b'\xff' * 100 + b'\x08' * 10 + b'\0\1\1', line_range=0)),
    'lines-base': dwarf(UNIT + b'\2f\0' + SPAN + bytes(2), ABBREV, line_table(ADDRESS + b'\x12' * 10 + b'\0\1\1', opcode_base=0)),
    'lines-claim': dwarf(UNIT + b'\2f\0' + SPAN + bytes(2), ABBREV, line_table(ADDRESS + b'\x12' * 10 + b'\0\1\1', claimed=0x7fffffff)),
    'lines-names': dwarf(UNIT + b'\2f\0' + SPAN + bytes(2), ABBREV, line_table(ADDRESS + b'\x12' * 10 + b'\0\1\1', b'\x1b[31ma\x07\0\xff\x7f\0\0', b'../../..\0' * 3)),
    'lines-file': dwarf(UNIT + b'\2f\0' + SPAN + bytes(2), ABBREV, line_table(ADDRESS + b'\4' + HUGE + b'\x12' * 10 + b'\0\1\1')),
    'name-escape': dwarf(b'\1\x1b]0;u\x07\0' + SPAN + bytes(4) + b'\2f\x1b[31m\0' + SPAN + bytes(2), ABBREV),
    'version': dwarf(UNIT, ABBREV, version=77),
    'ranges': dwarf(b'\1u.c\0' + bytes(4), b'\1\x11\0\3\x08\x55\x17\0\0', more=(('.debug_ranges', (b'\1' + bytes(7) + b'\2' + bytes(7)) * 100000),)),
}


def zstd_bomb(blocks):
    """A frame of that many runs of 128 KB of zeros."""
    frame = b'\x28\xb5\x2f\xfd\x20' if blocks < 0 else struct.pack('<IBBQ', 0xfd2fb528, 0xc0, 0x38, blocks << 17)
    return frame + b''.join(struct.pack('<I', (1 << 17) << 3 | 2 | (i == blocks - 1))[:3] + b'\0' for i in range(blocks))


def packed(kind, claims, data, names=('.debug_info', '.debug_abbrev', '.debug_line', '.debug_frame', '.eh_frame')):
    return e.elf([(n, 1, 0x800, 0, struct.pack('<IIQQ', kind, 0, claims, 1) + data, 0, 0) for n in names])


def patched(data, *at):
    data = bytearray(data)
    for off, form, v in at:
        struct.pack_into('<' + form, data, off, v)
    return bytes(data)


def note(name_bytes, desc, claimed):
    n = struct.pack('<III', name_bytes, claimed, 3) + b'GNU\0' + desc
    return e.elf([('.note.gnu.build-id', 7, 2, 0, n, 0, 0)])


def others():
    plain = e.elf([('.eh_frame', 1, 2, 0x500000, eh_frame(b''), 0, 0)])
    shoff, = struct.unpack_from('<Q', plain, 40)
    return {
        'hdr-count': e.elf([('.eh_frame', 1, 2, 0x500000, eh_frame(b''), 0, 0), ('.eh_frame_hdr', 1, 2, 0x510000, hdr(0xffffffff, bytes(64)), 0, 0)]),
        'hdr-back': e.elf([('.eh_frame', 1, 2, 0x500000, eh_frame(b''), 0, 0), ('.eh_frame_hdr', 1, 2, 0x510000, hdr(8, b'\xff' * 64, -1 << 31), 0, 0)]),
        'fdes': cfi(b'', n=100000), 'code-align': cfi(b'\x41' * 100, code_align=(1 << 64) - 1), 'data-align': cfi(b'\x90\x7f', data_align=0x7f),
        'bomb-mini': e.elf([('.gnu_debugdata', 1, 0, 0, e.lzma.compress(bytes(64 << 20), preset=0) * 16, 0, 0)]),
        'bomb-zstd': packed(2, 8 << 30, zstd_bomb(65536)), 'bomb-zstd-more': packed(2, 1 << 20, zstd_bomb(8192)), 'bomb-kind': packed(77, 1 << 20, bytes(100)),
        'bomb-debug': e.elf([('.debug_info', 1, 0x800, 0, struct.pack('<IIQQ', 1, 0, 1 << 30, 1) + e.zlib.compress(bytes(64 << 20), 1), 0, 0)]),
        'id-none': note(4, b'', 0), 'id-64k': note(4, bytes(65536), 65536), 'id-over': note(4, bytes(20), 0xffffffff), 'id-name': note(0xfffffffc, bytes(20), 20),
        'sections-max': patched(plain, (60, 'H', 0), (shoff + 32, 'Q', 1 << 60)), 'sections-many': patched(plain, (60, 'H', 0xfeff)),
        'sections-at': patched(plain, (40, 'Q', (1 << 64) - 64)), 'sections-same': patched(plain, (40, 'Q', 0)), 'names-at': patched(plain, (62, 'H', 0xffff), (shoff + 40, 'I', 0xffffffff)),
        'section-size': patched(plain, (58, 'H', 1)), 'segments-max': patched(plain, (56, 'H', 0xffff)), 'segment-at': patched(plain, (32, 'Q', (1 << 64) - 8)),
        'segment-span': patched(plain, (64 + 32, 'Q', (1 << 64) - 1), (64 + 40, 'Q', (1 << 64) - 1)), 'segment-wrap': patched(plain, (64 + 8, 'Q', (1 << 64) - 4096)),
        'class32': patched(plain, (4, 'B', 1)), 'big-endian': patched(plain, (5, 'B', 2)), 'class9': patched(plain, (4, 'B', 9)), 'machine': patched(plain, (18, 'H', 0xfff0)),
        'object': patched(plain, (16, 'H', 1)), 'cut': plain[:len(plain) // 2], 'cut-head': plain[:40], 'empty': b'',
        'pe': b'MZ' + bytes(58) + struct.pack('<I', 0x40) + b'PE\0\0' + struct.pack('<HHIIIHH', 0x8664, 0xffff, 0, 0xfffffff0, 0xffffffff, 240, 0x22) + bytes(300),
        'pe-far': b'MZ' + bytes(58) + struct.pack('<I', 0xfffffff0), 'macho': struct.pack('<IIIIIII', 0xfeedfacf, 7, 3, 2, 0xffffffff, 0xffffffff, 0) + bytes(100),
        'macho-fat': struct.pack('>IIIIII', 0xcafebabe, 0xffffffff, 7, 3, 0, 0) + bytes(40), 'script': b'#!/bin/sh\ntouch /tmp/never\n',
        'strings': e.symbols([(i * 7, CODE + i, 0) for i in range(4096)], b'\0' + b'x' * 30000),
        'sizes': e.symbols([(1, CODE + i, (1 << 64) - 1 - i) for i in range(4096)], b'\0f\0'), 'symtab-1e8': e.symbols([(1, CODE, 16)], b'\0f\0', 100000000 * 24),
    }


def sparse(name):
    """A table, and a debug file, of hundreds of gigabytes that are one hole."""
    big = e.symbols([(1, CODE, 16)], b'\0f\0')
    at, = struct.unpack_from('<Q', big, 40)
    big = patched(big, (at + 3 * 64 + 24, 'Q', 1 << 20), (at + 3 * 64 + 32, 'Q', 24 * (160 << 20)), (at + 4 * 64 + 24, 'Q', 1 << 33), (at + 4 * 64 + 32, 'Q', (4 << 30) - 16))
    for f, data, size in ((name, big, 1 << 40), (name + '-link', e.link('.gnu_debuglink', (name + '-debug').encode() + bytes(4 - len(name + '-debug') % 4), bytes(4)), 0),
                          (name + '-debug', patched(e.symbols([(1, CODE, 16)], b'\0f\0'), (128, 'I', 99)), 1 << 42)):
        with open(f, 'wb') as out:
            out.write(data)
            if size:
                try:
                    out.truncate(size)
                except OSError:
                    out.truncate(1 << 34)


def recording(names):
    st = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER | p.CALLCHAIN | p.REGS_USER | p.STACK_USER
    attr, records = p.attr(st, regs=p.X86_REGS, stack=512), []
    for i, name in enumerate(names):
        pid, t = 100 + i, 1000 * (i + 1)
        records += [p.comm(st, pid, pid, name, t), p.mmap(st, pid, CODE, 4096, 0x1000, os.path.abspath(name), t)]
        for ip in (CODE + 16, CODE + 2000):
            regs = [ip] * bin(p.X86_REGS).count('1')
            regs[7], regs[6] = 0x7ffe00000000, 0x7ffe00000040
            records.append(p.record(p.SAMPLE, 2, struct.pack('<QQIIQQ', 1, ip, pid, pid, t + 1, 1) + struct.pack('<QQQ', 1, (1 << 64) - 512, 2) + struct.pack('<%dQ' % len(regs), *regs) +
                                    struct.pack('<Q', 512) + struct.pack('<Q', CODE + 32) * 64 + struct.pack('<Q', 512)))
    p.recording('d.data', [attr], records, [(6, p.text('x86_64'))])


if __name__ == '__main__':
    if len(sys.argv) > 2:	# only a recording of files that are here
        recording(sys.argv[2:])
        sys.exit()
    files = {'cfi-' + n: cfi(i) for n, i in cfis.items()}
    files.update({'cie-' + n: cfi(b'', init=cfis[n]) for n in ('remember', 'nops', 'skip-self', 'set-loc', 'restore', 'cut')})
    files.update({'dwarf-' + n: d for n, d in dwarfs.items()})
    files.update({'file-' + n: d for n, d in others().items()})
    e.write(files)
    sparse('sparse')
    recording(sorted(files) + ['sparse', 'sparse-link'])
