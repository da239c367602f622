# SPDX-License-Identifier: GPL-2.0-or-later
"""kvmrandom.py SEED vmx|svm: a story for tpenc.py, of two virtual CPUs that leave their guests for all kinds of reasons."""
import random, sys

r, svm = random.Random(int(sys.argv[1])), sys.argv[2] == 'svm'
print('''cpuid %s
event kvm:kvm_entry vcpu_id:u32 rip:u64 intr_info:u32 error_code:u32
event kvm:kvm_exit exit_reason:u32 guest_rip:u64 isa:u32 info1:u64 info2:u64 intr_info:u32 error_code:u32 vcpu_id:u32
event kvm:kvm_mmio type:u32 len:u32 gpa:u64 val:u64
event kvm:kvm_pio rw:u32 port:u32 size:u32 count:u32 val:u32
comm 100 101 CPU-0
comm 200 201 CPU-1''' % ('AuthenticAMD-25-1-1' if svm else 'GenuineIntel-6-143-6'))
codes = (0x40, 0x60, 0x61, 0x72, 0x78, 0x7b, 0x7c, 0x400, 0x401, 0x81, 0x999) if svm else (0, 1, 7, 10, 12, 30, 31, 32, 48, 49, 52, 55, 99)
time = 10.0


def event(vcpu, *words):
    global time
    time += r.randrange(1, 4000) / 1000
    print('%.3f %d %d %d' % (time, vcpu, 100 + 100 * vcpu, 101 + 100 * vcpu), *words)


for i in range(r.choice((40, 400))):
    vcpu, device = r.randrange(2), r.randrange(5)
    event(vcpu, 'kvm:kvm_exit', r.choice(codes), '0x1000', 2 if svm else 1, 0, 0, 0, 0, vcpu)
    if device == 0:
        event(vcpu, 'kvm:kvm_mmio', r.choice((0, 1, 2)), 4, hex(0xfee00000 + r.randrange(3) * 16), 7)
    if device == 1:
        event(vcpu, 'kvm:kvm_pio', r.randrange(2), r.choice(('0x3f8', '0x60', '0x70')), 1, 1, 1)
    event(vcpu, 'kvm:kvm_entry', vcpu, '0x1000', 0, 0)
