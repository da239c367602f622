# SPDX-License-Identifier: GPL-2.0-or-later
"""every.py FILE OUT ARCH FUNCTION...: a recording in which each instruction of these functions of an ELF file was sampled once. A file
called vmlinux is the kernel, with an offset where it ran: vmlinux+0x1000; one called NAME.ko is a module, which was loaded behind it."""
import os, struct, subprocess, sys
import perfdata as p

path, out, arch, wanted = sys.argv[1], sys.argv[2], sys.argv[3].encode(), sys.argv[4:]
path, moved = (path + '+0').split('+')[:2]
module = path.endswith('.ko')
kernel = os.path.basename(path) == 'vmlinux' or module
st = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER
tool = {'aarch64': 'aarch64-linux-gnu-objdump'}.get(sys.argv[3], 'objdump')
run = lambda *args: subprocess.run(args, capture_output=True, text=True, check=True).stdout
records = [p.comm(st, 7, 7, 'prog', time=1)]
# Where it is loaded: an executable's own addresses, a library's elsewhere.
base = int(moved, 0) if kernel else 0 if ' EXEC ' in run('readelf', '-hW', path) else 0x10000000
if module:
    base += {'aarch64': 0xffff800001000000}.get(sys.argv[3], 0xffffffffc0400000)
    build_id = bytes.fromhex(run('readelf', '-nW', path).split('Build ID: ')[1].split()[0])
    records[0] = p.mmap2(st, 0xffffffff, base, 0x10000, 0, os.path.abspath(path), build_id=build_id, misc=p.KERNEL)
    records.append(p.comm(st, 7, 7, 'prog', time=1))
elif kernel:
    text = {'aarch64': 0xffff800080000000}.get(sys.argv[3], 0xffffffff81000000) + base
    records[0] = p.mmap(st, 0xffffffff, text, 0x100000, text, '[kernel.kallsyms]_stext', misc=p.KERNEL)
    records.append(p.comm(st, 7, 7, 'prog', time=1))
for line in run('readelf', '-lW', path).split('\n'):
    f = line.split()
    if not kernel and f and f[0] == 'LOAD' and 'E' in line[60:]:
        off, at, size = int(f[1], 16), int(f[2], 16), int(f[4], 16)
        page = off & ~0xfff
        records.append(p.mmap2(st, 7, base + at - (off - page), (off - page + size + 0xfff) & ~0xfff, page, os.path.abspath(path), time=2))
name, n = None, 0
for line in run(tool, '-d', '--no-show-raw-insn', path).split('\n'):
    if line.endswith('>:'):
        name = line.split('<')[1][:-2]
    elif name in wanted and ':\t' in line:
        n += 1
        records.append(p.record(p.SAMPLE, p.KERNEL if kernel else p.USER, struct.pack('<QQIIQQ', 1, base + int(line.split(':')[0], 16), 7, 7, 1000 + n, 1000)))
name = struct.pack('<I', 64) + arch.ljust(64, b'\0')
p.recording(out, [p.attr(st)], records, features=((6, name),))
