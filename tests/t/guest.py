# SPDX-License-Identifier: GPL-2.0-or-later
"""guest.py FILE [PID]: samples in the kernel and a program of a guest, and in its hypervisor, process 50, on x86-64. With PID (0: of any)
also where the guest's kernel and a module of it lie, as upstream's perf kvm record notes it."""
import struct, sys
import perfdata as p

GUEST_KERNEL, GUEST_USER = 4, 5
st = p.IP | p.TID | p.TIME | p.CPU | p.PERIOD | p.IDENTIFIER
records = []
if len(sys.argv) > 2:
    pid = int(sys.argv[2])
    for start, size, off, name in ((0xffffffff81000000, 0x1000000, 0xffffffff81000000, '[guest.kernel.kallsyms%s]_text' % ('.%d' % pid if pid else '')),
                                   (0xffffffffc0000000, 0x4000, 0, '[virtio_net]')):
        records.append(p.record(p.MMAP, GUEST_KERNEL, struct.pack('<IIQQQ', pid, 0, start, size, off) + p.name(name) + p.trailer(st)))
records.append(p.comm(st, 50, 50, 'qemu', time=1000))
for i, (ip, misc) in enumerate(((0xffffffff81000010, GUEST_KERNEL), (0xffffffff81000234, GUEST_KERNEL), (0xffffffff81001000, GUEST_KERNEL),
                                (0xffffffffc0000010, GUEST_KERNEL), (0x401000, GUEST_USER), (0x402000, p.USER), (0xffffffff81000010, p.KERNEL))):
    records.append(p.record(p.SAMPLE, misc, struct.pack('<QQIIQIIQ', 1, ip, 50, 50, 2000 + 1000 * i, 0, 0, 1000)))
p.recording(sys.argv[1], [p.attr(st, kind=0)], records, features=[(6, p.text('x86_64')), (7, struct.pack('<II', 1, 1))])
