#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='chains of frame pointers of arm64: the caller of a function that has not saved its return address'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq ARM64CC 'needs clang and lld that make arm64 code' \
	'echo "int f(void) { return 1; }" >p.c && clang --target=aarch64-linux-gnu -nostdlib -shared -fuse-ld=lld -o p.so p.c'
test_require ARM64CC,PYTHON

# _start -> outer -> middle -> leaf (no frame); bare: the same without unwind tables; again: calls itself. Labels name the places where
# the samples were taken.
cat >prog.s <<'EOT'
	.macro function name
	.globl \name
	.type \name,%function
\name:
	.endm
	.macro frame
	stp x29,x30,[sp,-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29,-16
	.cfi_offset 30,-8
	.endm
	.macro leave
	ldp x29,x30,[sp],16
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	.endm
	.text
	function _start
	.cfi_startproc
	.cfi_undefined x30
	bl outer
in_start:
	nop
	.cfi_endproc
	.size _start,.-_start
	function outer
	.cfi_startproc
	frame
	mov x29,sp
	bl middle
in_outer:
	leave
	ret
	.cfi_endproc
	.size outer,.-outer
	function middle
	.cfi_startproc
	frame
before_frame:
	mov x29,sp
with_frame:
	bl leaf
in_middle:
	leave
after_frame:
	ret
	.cfi_endproc
	.size middle,.-middle
	function leaf
	.cfi_startproc
	add x0,x0,x0
	ret
	.cfi_endproc
	.size leaf,.-leaf
	function again
	.cfi_startproc
	frame
	mov x29,sp
	bl again
in_again:
	leave
	ret
	.cfi_endproc
	.size again,.-again
	function bare
	add x0,x0,x0
	ret
	.size bare,.-bare
EOT

# A line a sample: what it must show, where it was, the link register, the chain that the kernel made; "sys": made in the kernel.
cat >story <<'EOT'
leaf,middle,outer,_start       leaf         in_middle  in_outer in_start
leaf,middle,outer,_start       leaf         in_middle/signed  in_outer in_start
middle,outer,_start            in_middle    in_middle  in_outer in_start
middle,outer,_start            middle       in_outer   in_start
middle,outer,_start            before_frame in_outer   in_start
middle,outer,_start            with_frame   in_outer   in_outer in_start
middle,outer,_start            after_frame  in_outer   in_start
again,again,outer,_start       again        in_again   in_outer in_start
bare,outer,_start              bare         in_outer   in_start
leaf,middle,outer,_start       sys:leaf     in_middle  in_outer in_start
leaf,outer,_start              leaf         none       in_outer in_start
EOT

cat >make.py <<'EOT'
import struct, subprocess, sys
prog, out = sys.argv[1:3]
sym, seg = {}, None
for l in subprocess.check_output(["readelf", "-sW", prog], text=True).splitlines():
	w = l.split()
	if len(w) == 8 and w[0] != "Num:":
		sym[w[7]] = int(w[1], 16)
for l in subprocess.check_output(["readelf", "-lW", prog], text=True).splitlines():
	w = l.split()
	if w and w[0] == "LOAD" and "E" in w[6:-1]:
		seg = [int(x, 16) for x in (w[1], w[2], w[4])]
# IP TID TIME CALLCHAIN REGS_USER, as perf record -g of upstream perf asks for on arm64
attr = bytearray(struct.pack("<IIQQQQQQ", 1, 128, 0, 1, 1 | 2 | 4 | 32 | 4096, 0, 1 << 18 | 1 << 8, 0).ljust(128, b"\0"))
struct.pack_into("<Q", attr, 80, 1 << 30)
USER, KERNEL = -512 & (1 << 64) - 1, -128 & (1 << 64) - 1

def rec(type, misc, body):
	return struct.pack("<IHH", type, misc, 8 + len(body)) + body
def text(s):
	s = s.encode() + b"\0"
	return s + b"\0" * (-len(s) % 8)
def sid(t):
	return struct.pack("<IIQ", 7, 7, t)

data = rec(3, 0, struct.pack("<II", 7, 7) + text("prog") + sid(1))
data += rec(10, 2, struct.pack("<IIQQQIIQQII", 7, 7, seg[1] & ~0xfff, 0x1000, seg[0] & ~0xfff, 0, 0, 0, 0, 5, 2) + text(prog) + sid(1))
for t, line in enumerate(open("story"), 10):
	shown, at, lr, *chain = line.split()
	sys_call, at = at.startswith("sys:"), at.split(":")[-1]
	words = [KERNEL, 0xffff800008001000] * sys_call + [USER, sym[at]] + [sym[c] for c in chain]
	ip = 0xffff800008001000 if sys_call else sym[at]
	regs = struct.pack("<Q", 0)
	if lr != "none":
		regs = struct.pack("<QQ", 2, sym[lr.split("/")[0]] | (0x2a << 56 if "/" in lr else 0))
	body = struct.pack("<QIIQQ", ip, 7, 7, t, len(words)) + struct.pack("<%dQ" % len(words), *words) + regs
	data += rec(9, 1 if sys_call else 2, body)
arch = struct.pack("<I", 64) + b"aarch64".ljust(64, b"\0")
attr_at = 104
data_at = attr_at + len(attr) + 16
feat_at = data_at + len(data)
head = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, len(attr) + 16, attr_at, len(attr) + 16, data_at, len(data), 0, 0)
head += struct.pack("<QQQQ", 1 << 6, 0, 0, 0) + bytes(attr) + struct.pack("<QQ", 0, 0) + data
open(out, "wb").write(head + struct.pack("<QQ", feat_at + 16, len(arch)) + arch)
EOT

test_expect_success 'a program and its recording' '
	clang --target=aarch64-linux-gnu -nostdlib -static -fuse-ld=lld -Wl,--build-id -o prog prog.s && python3 make.py "$PWD/prog" arm.data
'

stacks () { awk 'BEGIN { RS = ""; FS = "\n" } { s = ""; for (i = 1; i <= NF; i++) { split($i, w, " "); if (w[2] != "" && w[1] !~ /^ffff/) s = s (s ? "," : "") w[2] } print s }' "$1"; }

test_expect_success 'no caller is lost, none is there twice' '
	awk "{ print \$1 }" story >expect && perf script -i arm.data -F ip,sym >out && stacks out >got && test_cmp expect got
'

test_expect_success 'report puts them together' '
	perf report --stdio --no-inline --children -g none -i arm.data -F overhead_children,sym >out &&
	test_grep "100.00%.* _start" out && test_grep "100.00%.* outer" out
'

test_expect_success 'without the program nothing is guessed' '
	perf script -i arm.data --symfs "$PWD/none" -F ip,sym >out 2>err && [ "$(grep -c . out)" = "$(awk "{ n += NF - 2 + (\$2 ~ /^sys/) } END { print n }" story)" ]
'

test_done
