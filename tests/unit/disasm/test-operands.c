// SPDX-License-Identifier: GPL-2.0-or-later
// What instructions do to registers and memory.
#include <elf.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/disasm/disasm-priv.h"

static const struct disasm_isa x86_64 = { EM_X86_64, true, false, 1 };

static struct insn_operands operands(const char *bytes, u8 n)
{
	struct operand_reader *r = operand_reader_open(&x86_64);
	struct insn i = { .rva = 0x1000, .length = n };
	struct insn_operands o = { 0 };

	memcpy(i.bytes, bytes, n);
	if (!r)
		unit_skip("needs libcapstone");
	CHECK(operand_reader_read(r, &i, &o));
	operand_reader_close(r);
	return o;
}

TEST(loads_and_stores)
{
	struct insn_operands o = operands("\x48\x8b\x47\x08", 4);	/* mov 0x8(%rdi),%rax */

	CHECK(o.has_mem && !o.stack);
	CHECK_EQ(o.effect, EFFECT_LOAD);
	CHECK_EQ(o.dst, 0);
	CHECK_EQ(o.mem.base, 5);
	CHECK_EQ(o.mem.index, OPERAND_NO_REG);
	CHECK_EQ(o.mem.disp, 8);
	CHECK_EQ(o.mem.bytes, 8);
	CHECK_EQ(o.written, 1);
	o = operands("\x4c\x89\x64\xca\xf8", 5);	/* mov %r12,-0x8(%rdx,%rcx,8) */
	CHECK_EQ(o.effect, EFFECT_STORE);
	CHECK_EQ(o.src, 12);
	CHECK_EQ(o.mem.base, 1);
	CHECK_EQ(o.mem.index, 2);
	CHECK_EQ(o.mem.scale, 8);
	CHECK_EQ(o.mem.disp, -8);
	CHECK_EQ(o.written, 0);
	o = operands("\x8b\x47\x08", 3);		/* mov 0x8(%rdi),%eax: no pointer */
	CHECK_EQ(o.effect, EFFECT_OTHER);
	CHECK(o.has_mem);
	CHECK_EQ(o.written, 1);
}

TEST(addresses)
{
	/* lea 0x100(%rip),%rdx */
	struct insn_operands o = operands("\x48\x8d\x15\x00\x01\x00\x00", 7);

	CHECK_EQ(o.effect, EFFECT_ADDRESS);
	CHECK(!o.has_mem);
	CHECK_EQ(o.dst, 1);
	CHECK_EQ(o.mem.base, OPERAND_NO_REG);
	CHECK_EQ(o.mem.disp, 0x1107);
	o = operands("\x64\x48\x8b\x04\x25\x28\x00\x00\x00", 9);	/* mov %fs:0x28,%rax */
	CHECK(o.has_mem && o.mem.segment && o.mem.thread);
	CHECK_EQ(o.mem.disp, 0x28);
	o = operands("\x65\x48\x8b\x04\x25\x28\x00\x00\x00", 9);	/* mov %gs:0x28,%rax */
	CHECK(o.has_mem && o.mem.segment && !o.mem.thread);
	o = operands("\x0f\x1f\x44\x00\x00", 5);			/* nopl */
	CHECK(!o.has_mem);
}

TEST(values_that_move)
{
	struct insn_operands o = operands("\x48\x89\xf8", 3);	/* mov %rdi,%rax */

	CHECK_EQ(o.effect, EFFECT_COPY);
	CHECK_EQ(o.src, 5);
	CHECK_EQ(o.dst, 0);
	o = operands("\x48\x83\xe8\x10", 4);			/* sub $0x10,%rax */
	CHECK_EQ(o.effect, EFFECT_ADD);
	CHECK_EQ(o.imm, -16);
	o = operands("\x48\x01\xf8", 3);			/* add %rdi,%rax */
	CHECK_EQ(o.effect, EFFECT_ADD_REG);
	CHECK_EQ(o.src, 5);
	o = operands("\x64\x48\x03\x14\x25\0\0\0", 9);	/* add %fs:0x0,%rdx */
	CHECK_EQ(o.effect, EFFECT_ADD_MEM);
	CHECK_EQ(o.dst, 1);
	CHECK(o.mem.thread);
	o = operands("\x48\xc7\xc2\xf0\xff\xff\xff", 7);	/* mov $-16,%rdx */
	CHECK_EQ(o.effect, EFFECT_CONSTANT);
	CHECK_EQ(o.dst, 1);
	CHECK_EQ(o.imm, -16);
	o = operands("\xba\xf0\xff\xff\xff", 5);		/* mov $0xfffffff0,%edx */
	CHECK_EQ(o.effect, EFFECT_CONSTANT);
	CHECK_EQ(o.imm, 0xfffffff0);
	o = operands("\x66\xba\x10\x00", 4);			/* mov $16,%dx: a part */
	CHECK_EQ(o.effect, EFFECT_OTHER);
	o = operands("\x31\xc0", 2);				/* xor %eax,%eax */
	CHECK_EQ(o.effect, EFFECT_OTHER);
	CHECK_EQ(o.written, 1);
	o = operands("\x55", 1);				/* push %rbp */
	CHECK(o.stack);
}
