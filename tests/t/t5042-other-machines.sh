#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='which machine a recording is of: what it says, else what its programs are; one that is not known; stacks of riscv64'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq RISCVCC 'needs clang and lld that make riscv64 code' \
	'echo "int f(void) { return 1; }" >p.c && clang --target=riscv64-linux-gnu -nostdlib -shared -fuse-ld=lld -o p.so p.c'
test_require RISCVCC,PYTHON

# _start -> outer (frame pointer) -> middle (saves ra) -> leaf (keeps it in ra)
cat >prog.s <<'EOT'
	.macro function name
	.globl \name
	.type \name,%function
\name:
	.cfi_startproc
	.endm
	.text
	function _start
	.cfi_undefined ra
	jal outer
	nop
	.cfi_endproc
	.size _start,.-_start
	function outer
	addi sp,sp,-32
	.cfi_def_cfa_offset 32
	sd ra,24(sp)
	sd s0,16(sp)
	.cfi_offset ra,-8
	.cfi_offset s0,-16
	addi s0,sp,32
	.cfi_def_cfa s0,0
	addi sp,sp,-64
	jal middle
	nop
	.cfi_endproc
	.size outer,.-outer
	function middle
	addi sp,sp,-16
	.cfi_def_cfa_offset 16
	sd ra,8(sp)
	.cfi_offset ra,-8
	jal leaf
	nop
	.cfi_endproc
	.size middle,.-middle
	function leaf
	add a0,a0,a0
	ret
	.cfi_endproc
	.size leaf,.-leaf
EOT

# Three samples with registers and stack: in leaf, in middle after its call, in outer after its call.
cat >make.py <<'EOT'
import struct, subprocess, sys
prog, arch, out = sys.argv[1:4]
sym, seg = {}, None
for l in subprocess.check_output(["readelf", "-sW", prog], text=True).splitlines():
	w = l.split()
	if len(w) == 8 and w[3] == "FUNC":
		sym[w[7]] = int(w[1], 16), int(w[1], 16) + int(w[2], 0)
for l in subprocess.check_output(["readelf", "-lW", prog], text=True).splitlines():
	w = l.split()
	if w and w[0] == "LOAD" and "E" in w[6:-1]:
		seg = [int(x, 16) for x in (w[1], w[2], w[4])]
def calls(f):		# the address after its call: its last instruction is a nop, of 2 bytes or 4
	code = open(prog, "rb").read()
	end = sym[f][1] - seg[1] + seg[0]
	return sym[f][1] - (2 if code[end - 2:end] == b"\x01\0" else 4)
SP = 0x3ffffff000
attr = bytearray(struct.pack("<IIQQQQQQ", 1, 128, 0, 1, 1 | 2 | 4 | 32 | 4096 | 8192, 0, 1 << 18 | 1 << 8, 0).ljust(128, b"\0"))
struct.pack_into("<QI", attr, 80, (1 << 32) - 1, 256)

def rec(type, misc, body):
	return struct.pack("<IHH", type, misc, 8 + len(body)) + body
def text(s):
	s = s.encode() + b"\0"
	return s + b"\0" * (-len(s) % 8)
def sid(t):
	return struct.pack("<IIQ", 7, 7, t)
top = SP + 256
cfa_outer, sp_outer = top, top - 96
sp_middle = sp_outer - 16
words = {top - 8: calls("_start"), top - 16: 0, sp_middle + 8: calls("outer")}
stack = b"".join(struct.pack("<Q", words.get(SP + i, 0)) for i in range(0, 256, 8))

def sample(t, pc, sp, ra):
	regs = [0] * 32
	regs[0], regs[1], regs[2], regs[8] = pc, ra, sp, cfa_outer
	used = stack[sp - SP:]
	body = struct.pack("<QIIQQ", pc, 7, 7, t, 0) + struct.pack("<Q32Q", 2, *regs)
	return rec(9, 2, body + struct.pack("<Q", len(used)) + used + struct.pack("<Q", len(used)))

data = rec(3, 0, struct.pack("<II", 7, 7) + text("prog") + sid(1))
data += rec(10, 2, struct.pack("<IIQQQIIQQII", 7, 7, seg[1] & ~0xfff, 0x1000, seg[0] & ~0xfff, 0, 0, 0, 0, 5, 2) + text(prog) + sid(1))
data += sample(10, sym["leaf"][0], sp_middle, calls("middle"))
data += sample(11, calls("middle"), sp_middle, calls("middle"))
data += sample(12, calls("outer"), sp_outer, calls("outer"))
feature = b"" if arch == "-" else struct.pack("<I", 64) + arch.encode().ljust(64, b"\0")
data_at = 104 + len(attr) + 16
feat_at = data_at + len(data)
head = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, len(attr) + 16, 104, len(attr) + 16, data_at, len(data), 0, 0)
head += struct.pack("<QQQQ", 1 << 6 if feature else 0, 0, 0, 0) + bytes(attr) + struct.pack("<QQ", 0, 0) + data
open(out, "wb").write(head + (struct.pack("<QQ", feat_at + 16, len(feature)) + feature if feature else b""))
EOT

test_expect_success 'a program and its recordings' '
	clang --target=riscv64-linux-gnu -nostdlib -static -fuse-ld=lld -Wl,--build-id -o prog prog.s &&
	python3 make.py "$PWD/prog" riscv64 says.data && python3 make.py "$PWD/prog" - silent.data && python3 make.py "$PWD/prog" sparc64 unknown.data
'

cat >expect <<'EOT'
leaf middle outer _start
middle outer _start
outer _start
EOT
stacks () { awk 'BEGIN { RS = ""; FS = "\n" } { s = ""; for (i = 1; i <= NF; i++) { split($i, w, " "); if (w[2] != "") s = s (s ? " " : "") w[2] } print s }' "$1"; }

test_expect_success 'stacks of riscv64 by its own rules' '
	perf script -v -i says.data -F ip,sym >out 2>err && stacks out >got && test_cmp expect got && test_grep "^unwound stacks: 3 of 3: complete" err
'

test_expect_success 'names of registers are those of riscv64' '
	perf script -i says.data -F uregs >out && test_grep "pc:0x" out && test_grep " t6:0x0" out && test_grep -v "AX:|unknown:" out
'

test_expect_success 'a recording that does not say its machine: the program does' '
	perf script -i silent.data -F ip,sym >out 2>err && stacks out >got && test_cmp expect got && test_grep -v "machine" err
'

test_expect_success 'a machine that is not known is said once, and nothing of it is taken for x86-64' '
	perf script -i unknown.data -F ip,sym,uregs >out 2>err && test_grep -v "AX:|SP:" out && test_grep "unknown:0x" out &&
	[ "$(grep -c "recorded on a machine of the kind .sparc64." err)" = 1 ] &&
	perf report --stdio -i unknown.data -g none -F sample,sym >out 2>err && test_grep "1 .*leaf" out &&
	[ "$(grep -c "recorded on a machine of the kind .sparc64." err)" = 1 ]
'

test_done
