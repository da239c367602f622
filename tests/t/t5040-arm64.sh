#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='stacks of an arm64 recording, unwound on this machine'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq ARM64CC 'needs clang and lld that make arm64 code' \
	'echo "int f(void) { return 1; }" >p.c && clang --target=aarch64-linux-gnu -nostdlib -shared -fuse-ld=lld -o p.so p.c'
test_require ARM64CC,PYTHON

# start -> outer -> signed (signs its return address) -> leaf (keeps it in the link register)
cat >prog.s <<'EOT'
	.text
	.globl _start
	.type _start,%function
_start:	.cfi_startproc
	.cfi_undefined x30
	bl outer
	nop
	.cfi_endproc
	.size _start,.-_start
	.globl outer
	.type outer,%function
outer:	.cfi_startproc
	stp x29,x30,[sp,-48]!
	.cfi_def_cfa_offset 48
	.cfi_offset 29,-48
	.cfi_offset 30,-40
	mov x29,sp
	.cfi_def_cfa_register 29
	sub sp,sp,#64
	bl signed
	mov sp,x29
	ldp x29,x30,[sp],48
	ret
	.cfi_endproc
	.size outer,.-outer
	.globl signed
	.type signed,%function
signed:	.cfi_startproc
	hint #25
	.cfi_negate_ra_state
	stp x19,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 19,-32
	.cfi_offset 30,-24
	bl leaf
	ldp x19,x30,[sp],32
	hint #29
	ret
	.cfi_endproc
	.size signed,.-signed
	.globl leaf
	.type leaf,%function
leaf:	.cfi_startproc
	add x0,x0,x0
	ret
	.cfi_endproc
	.size leaf,.-leaf
EOT

# A recording of three samples: in leaf, in signed after its call, and in outer after its call.
cat >make.py <<'EOT'
import struct, subprocess, sys
prog = sys.argv[1]
sym, segs = {}, []
for l in subprocess.check_output(["readelf", "-sW", prog], text=True).splitlines():
	w = l.split()
	if len(w) == 8 and w[3] == "FUNC":
		sym[w[7]] = int(w[1], 16)
for l in subprocess.check_output(["readelf", "-lW", prog], text=True).splitlines():
	w = l.split()
	if w and w[0] == "LOAD" and "E" in w[6:-1]:
		seg = [int(x, 16) for x in (w[1], w[2], w[4])]
start, at = seg[1] & ~0xfff, lambda f, off: sym[f] + off
SP = 0xfffff0000000
TYPE = 1 | 2 | 4 | 32 | 4096 | 8192		# IP TID TIME CALLCHAIN REGS_USER STACK_USER
attr = struct.pack("<IIQQQQQQ", 1, 128, 0, 1, TYPE, 0, 1 << 18 | 1 << 8, 0).ljust(128, b"\0")
attr = bytearray(attr)
struct.pack_into("<QI", attr, 80, (1 << 33) - 1, 256)	# sample_regs_user, sample_stack_user

def rec(type, misc, body):
	return struct.pack("<IHH", type, misc, 8 + len(body)) + body
def text(s):
	s = s.encode() + b"\0"
	return s + b"\0" * (-len(s) % 8)
def sid(t):
	return struct.pack("<IIQ", 7, 7, t)
# the frames of outer (48 + 64 bytes below it) and signed (32 bytes) from the stack's end downwards
top = SP + 256
outer_fp, sp_outer, sp_signed = top - 48, top - 48 - 64, top - 48 - 64 - 32
words = {outer_fp: 0, outer_fp + 8: at("_start", 4), sp_signed: 0x19, sp_signed + 8: at("outer", 16) | int(sys.argv[2], 0) << 56}
stack = b"".join(struct.pack("<Q", words.get(SP + i, 0)) for i in range(0, 256, 8))

def sample(t, pc, sp, lr, fp):
	regs = [0] * 33
	regs[29], regs[30], regs[31], regs[32] = fp, lr, sp, pc
	used = stack[sp - SP:]
	body = struct.pack("<QIIQQ", pc, 7, 7, t, 0) + struct.pack("<Q33Q", 2, *regs)
	body += struct.pack("<Q", len(used)) + used + struct.pack("<Q", len(used))
	return rec(9, 2, body)

data = rec(3, 0, struct.pack("<II", 7, 7) + text("prog") + sid(1))
data += rec(10, 2, struct.pack("<IIQQQIIQQII", 7, 7, start, 0x1000, seg[0] & ~0xfff, 0, 0, 0, 0, 5, 2) + text(prog) + sid(1))
data += sample(10, at("leaf", 0), sp_signed, at("signed", 12), outer_fp)
data += sample(11, at("signed", 12), sp_signed, 0, outer_fp)
data += sample(12, at("outer", 16), sp_outer, 0, outer_fp)
arch = struct.pack("<I", 64) + b"aarch64".ljust(64, b"\0")
head, attr_at = 104, 104
data_at = attr_at + len(attr) + 16
feat_at = data_at + len(data)
out = b"PERFILE2" + struct.pack("<QQQQQQQQ", head, len(attr) + 16, attr_at, len(attr) + 16, data_at, len(data), 0, 0)
out += struct.pack("<QQQQ", 1 << 6, 0, 0, 0) + bytes(attr) + struct.pack("<QQ", 0, 0) + data
out += struct.pack("<QQ", feat_at + 16, len(arch)) + arch
open(sys.argv[3], "wb").write(out)
EOT

test_expect_success 'a program and its recording' '
	clang --target=aarch64-linux-gnu -nostdlib -static -fuse-ld=lld -Wl,--build-id -o prog prog.s && python3 make.py "$PWD/prog" 0x2a arm.data &&
	python3 make.py "$PWD/prog" 0 plain.data
'

cat >expect <<'EOT'
leaf signed outer _start
signed outer _start
outer _start
EOT
stacks () { awk 'BEGIN { RS = ""; FS = "\n" } { s = ""; for (i = 1; i <= NF; i++) { split($i, w, " "); if (w[2] != "") s = s (s ? " " : "") w[2] } print s }' "$1"; }

test_expect_success 'stacks are whole: link register, frame pointer, signed return addresses' '
	perf script -v -i arm.data -F ip,sym >out 2>err && stacks out >got && test_cmp expect got &&
	test_grep "^unwound stacks: 3 of 3: complete" err
'

test_expect_success 'libdw, which takes addresses as they are, sees the same where they are not signed' '
	for u in cfi libdw; do
		perf script --unwind $u -i plain.data -F ip,sym >out && stacks out >got && test_cmp expect got || return 1
	done
'

test_expect_success 'report puts them together' '
	perf report --stdio --no-inline --children -g none -i arm.data -F overhead_children,sample,sym >out &&
	test_grep "100.00%.* _start" out && test_grep "100.00%.* outer" out && test_grep "66.67%.* signed" out && test_grep "33.33%.* leaf" out
'

test_done
