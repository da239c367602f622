# SPDX-License-Identifier: GPL-2.0-or-later
# A loop with a branch in it, for the recordings of branch stacks that branches.py makes of it. With THREE defined the function
# is there under two more names, and main is longer.
	.text
	.macro fn name
	.globl \name
	.type \name,@function
\name:	mov $100,%ecx
	xor %eax,%eax
1:	add $1,%rax
	add $2,%rbx
	test $1,%al
	jz 2f
	add $3,%rbx
	add $4,%rbx
2:	add $5,%rbx
	dec %ecx
	jnz 1b
	ret
	.size \name,.-\name
	.endm
	fn loop
	.ifdef THREE
	fn other
	fn third
	.endif
	.globl main
	.type main,@function
main:
	.ifdef THREE
	nop
	nop
	nop
	.endif
	call loop
	jmp main
	.size main,.-main
	.section .note.GNU-stack,"",@progbits
