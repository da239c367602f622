# SPDX-License-Identifier: GPL-2.0-or-later
# A loop with a branch in it, for the recordings of branch stacks that branches.py makes of it.
	.text
	.globl loop
	.type loop,@function
loop:	mov $100,%ecx
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
	.size loop,.-loop
	.globl main
	.type main,@function
main:	call loop
	jmp main
	.size main,.-main
	.section .note.GNU-stack,"",@progbits
