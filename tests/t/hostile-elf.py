#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""hostile-elf.py BUILD-ID: ELF files that lie, as files named here: each would take a reader that believes it without end of time or
memory. All have one function's worth of code at 0x401000 and the build-id, so that a recording of another program can lead to them."""
import lzma, struct, sys, zlib

build_id = bytes.fromhex(sys.argv[1]) if len(sys.argv) > 1 else bytes(20)
STRTAB_NR = 4		# its section number where there is a symbol table


def elf(sections):
    """sections: (name, type, flags, address, bytes, link, entry size[, claimed size])"""
    note = struct.pack('<III', 4, len(build_id), 3) + b'GNU\0' + build_id
    table = [('', 0, 0, 0, b'', 0, 0), ('.note.gnu.build-id', 7, 2, 0, note, 0, 0), ('.text', 1, 6, 0x401000, b'\xc3' * 4096, 0, 0)]
    table += sections + [('.shstrtab', 3, 0, 0, None, 0, 0)]
    names, at = b'\0', []
    for s in table:
        at.append(len(names) if s[0] else 0)
        names += s[0].encode() + b'\0' if s[0] else b''
    body, heads = b'', b''
    for s, name in zip(table, at):
        data = names if s[4] is None else s[4]
        body += b'\0' * (-len(body) % 16)
        size = s[7] if len(s) > 7 else len(data)
        heads += struct.pack('<IIQQQQIIQQ', name, s[1], s[2], s[3], 120 + len(body), size, s[5], 1, 4 if s[1] else 0, s[6])
        body += data
    body += b'\0' * (-(120 + len(body)) % 16)
    end = 120 + len(body)
    head = b'\x7fELF\2\1\1' + b'\0' * 9 + struct.pack('<HHIQQQIHHHHHH', 2, 62, 1, 0x401000, 64, end, 0, 64, 56, 1, 64, len(table),
                                                     len(table) - 1)
    return head + struct.pack('<IIQQQQQQ', 1, 5, 0, 0x400000, 0x400000, end, end, 4096) + body + heads


def symbols(entries, strings, claimed=None):
    table = bytes(24) + b''.join(struct.pack('<IBBHQQ', name, 0x12, 0, 2, va, size) for name, va, size in entries)
    return elf([('.symtab', 2, 0, 0, table, STRTAB_NR, 24, claimed or len(table)), ('.strtab', 3, 0, 0, strings, 0, 0)])


def one_name(name):
    return symbols([(1, 0x401000, 4096)], b'\0' + name + b'\0')


def digits(n, base, zero):
    """libiberty's numbers of back references: nothing is the first, then from 0 on"""
    s = ''
    if zero:
        if n == 0:
            return s
        n -= 1
    while True:
        s = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'[n % base] + s
        n //= base
        if not n:
            return s


def cxx():
    """f(A<int, int>, A<that, that>, A<that, that>, ...)"""
    return '_Z1f1AIiiE' + ''.join('S_I' + ('S%s_' % digits(k, 36, False).upper()) * 2 + 'E' for k in range(40))


def rust():
    """a::<(), ((), ()), ...> of tuples of the one before"""
    body, last = 'IC1a', 4
    body += 'TyyE'
    for _ in range(40):
        at = len(body)
        body += 'T' + ('B%s_' % digits(last, 62, True)) * 2 + 'E'
        last = at
    return '_R' + body + 'E'


def dlang():
    """f(int[int], that[that], ...)"""
    def back(n):
        s, n = chr(97 + n % 26), n // 26
        while n:
            s, n = chr(65 + n % 26) + s, n // 26
        return 'Q' + s
    body = '_D1fF'
    last = len(body)
    body += 'Hii'
    for _ in range(40):
        at = len(body)
        body += 'H'
        body += back(len(body) - last)
        body += back(len(body) - last)
        last = at
    return body + 'Zv'


def packed(claims, kind=1):
    data = struct.pack('<IIQQ', kind, 0, claims, 1) + zlib.compress(bytes(1000))
    return elf([(n, 1, 0x800, 0, data, 0, 0) for n in ('.debug_info', '.debug_abbrev', '.debug_line', '.debug_frame')])


def notes():
    """65,000 sections of notes that are the same 65,404 bytes"""
    e = elf([('.n', 7, 0, 0, b'\1\0\0\0' + bytes(65400), 0, 0)])
    at, = struct.unpack_from('<Q', e, 40)
    n = 65000
    e = bytearray(e[:at + 3 * 64] + e[at + 3 * 64:at + 4 * 64] * n)
    struct.pack_into('<HHH', e, 58, 64, n + 3, 0)
    return bytes(e)


def link(section, name, behind):
    return elf([(section, 1, 0, 0, name + behind, 0, 0), ('.debug_info', 1, 0, 0, bytes(64), 0, 0),
                ('.debug_abbrev', 1, 0, 0, bytes(64), 0, 0)])


def write(files):
    for name, data in files.items():
        with open(name, 'wb') as f:
            f.write(data)


def main():
    files = {
        'names': symbols([(1 + i, 0x401000 + i % 4096, 4096) for i in range(60000)], b'\0' + b'A' * (2 << 20) + b'\0'),
        'cxx': one_name(cxx().encode()),
        'rust': one_name(rust().encode()),
        'dlang': one_name(dlang().encode()),
        'deep': one_name(b'_Z1f' + b'1AI' * 10000 + b'i' + b'E' * 10000),
        'escape': one_name(b'a\x1b[31mred\x07\x1b]0;title\x07'),
        'symtab': symbols([(1, 0x401000, 16)], b'\0f\0', (1 << 32) * 24),
        'z100g': packed(100 << 30),
        'z3g': packed(3 << 30),
        'zall': packed((1 << 64) - 1),
        'zdebug': elf([('.zdebug_info', 1, 0, 0, b'ZLIB' + (100 << 30).to_bytes(8, 'big') + zlib.compress(bytes(1000)), 0, 0)]),
        'mini': elf([('.gnu_debugdata', 1, 0, 0, lzma.compress(bytes(32 << 20)), 0, 0)]),
        'notes': notes(),
    }
    for name, target in (('self', b'link-self'), ('fifo', b'fifo'), ('zero', b'/dev/zero'), ('dir', b'..'), ('long', b'A' * 100000)):
        files['link-' + name] = link('.gnu_debuglink', target + b'\0' * (4 - len(target) % 4), bytes(4))
        files['alt-' + name] = link('.gnu_debugaltlink', target + b'\0', build_id)
    write(files)


if __name__ == '__main__':
    main()
