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
	CHECK_EQ(o.src, 0);
	CHECK_EQ(o.src2, 5);
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

/* Texts are those of objdump. */
static struct insn_operands arm(u32 word)
{
	struct insn i = { .rva = 0x400123, .length = 4,
			  .bytes = { (u8)word, (u8)(word >> 8), (u8)(word >> 16),
				     (u8)(word >> 24) } };
	struct insn_operands o;

	i.rva &= ~3ull;
	arm64_operands(&i, &o);
	return o;
}

static void check_mem(const struct insn_operands *o, u16 base, s64 disp, u64 written)
{
	CHECK(o->has_mem);
	CHECK_EQ(o->mem.base, base);
	CHECK_EQ(o->mem.disp, disp);
	CHECK_EQ(o->written, written);
}

TEST(arm64_loads_and_stores)
{
	struct insn_operands o = arm(0xf9400482);	/* ldr x2, [x4, #8] */

	check_mem(&o, 4, 8, 1 << 2);
	CHECK_EQ(o.effect, EFFECT_LOAD);
	CHECK_EQ(o.dst, 2);
	CHECK_EQ(o.mem.bytes, 8);
	o = arm(0xf9001040);		/* str x0, [x2, #32] */
	check_mem(&o, 2, 32, 0);
	CHECK_EQ(o.effect, EFFECT_STORE);
	CHECK_EQ(o.src, 0);
	o = arm(0xb9400482);		/* ldr w2, [x4, #4]: no pointer */
	check_mem(&o, 4, 4, 1 << 2);
	CHECK_EQ(o.effect, EFFECT_OTHER);
	o = arm(0xf81f8fe0);		/* str x0, [sp, #-8]! */
	check_mem(&o, 31, -8, 1ull << 31);
	CHECK_EQ(o.base_by, -8);
	o = arm(0xf8408420);		/* ldr x0, [x1], #8 */
	check_mem(&o, 1, 0, 3);
	CHECK_EQ(o.base_by, 8);
	o = arm(0xf8637841);		/* ldr x1, [x2, x3, lsl #3] */
	check_mem(&o, 2, 0, 1 << 1);
	CHECK_EQ(o.mem.index, 3);
	CHECK_EQ(o.mem.scale, 8);
	o = arm(0x3dc00420);		/* ldr q0, [x1, #16] */
	check_mem(&o, 1, 16, 0);
	CHECK_EQ(o.mem.bytes, 16);
	o = arm(0x58000040);		/* ldr x0, 8 further */
	check_mem(&o, OPERAND_NO_REG, 0x400128, 1);
	o = arm(0xf8200041);		/* ldadd x0, x1, [x2] */
	check_mem(&o, 2, 0, 1 << 1);
	o = arm(0xc85f7c20);		/* ldxr x0, [x1] */
	check_mem(&o, 1, 0, 1);
	CHECK_EQ(o.effect, EFFECT_LOAD);
	o = arm(0xc8027c20);		/* stxr w2, x0, [x1] */
	check_mem(&o, 1, 0, 1 << 2);
	o = arm(0xf9800000);		/* prfm pldl1keep, [x0] */
	check_mem(&o, 0, 0, 0);
}

TEST(arm64_two_registers)
{
	struct insn_operands o = arm(0xa9bb7bfd);	/* stp x29, x30, [sp, #-80]! */

	check_mem(&o, 31, -80, 1ull << 31);
	CHECK_EQ(o.effect, EFFECT_STORE);
	CHECK_EQ(o.src, 29);
	CHECK_EQ(o.second, 30);
	CHECK_EQ(o.base_by, -80);
	o = arm(0xa94153f3);		/* ldp x19, x20, [sp, #16] */
	check_mem(&o, 31, 16, 3 << 19);
	CHECK_EQ(o.effect, EFFECT_LOAD);
	CHECK_EQ(o.dst, 19);
	CHECK_EQ(o.second, 20);
	o = arm(0xa902ffff);		/* stp xzr, xzr, [sp, #40] */
	check_mem(&o, 31, 40, 0);
	CHECK_EQ(o.src, OPERAND_NO_REG);
	CHECK_EQ(o.second, OPERAND_NO_REG);
}

TEST(arm64_addresses_and_numbers)
{
	struct insn_operands o = arm(0xb0000003);	/* adrp x3, 401000 */

	CHECK_EQ(o.effect, EFFECT_CONSTANT);
	CHECK_EQ(o.dst, 3);
	CHECK_EQ(o.imm, 0x401000);
	o = arm(0x913fa063);		/* add x3, x3, #0xfe8 */
	CHECK_EQ(o.effect, EFFECT_ADD);
	CHECK_EQ(o.src, 3);
	CHECK_EQ(o.imm, 0xfe8);
	CHECK_EQ(o.written, 1 << 3);
	o = arm(0xd100c3ff);		/* sub sp, sp, #0x30 */
	CHECK_EQ(o.imm, -0x30);
	CHECK_EQ(o.written, 1ull << 31);
	o = arm(0xf100003f);		/* cmp x1, #0x0 */
	CHECK_EQ(o.effect, EFFECT_OTHER);
	CHECK_EQ(o.written, 0);
	o = arm(0x910003fd);		/* mov x29, sp */
	CHECK_EQ(o.effect, EFFECT_COPY);
	CHECK_EQ(o.src, 31);
	o = arm(0xaa0003f3);		/* mov x19, x0 */
	CHECK_EQ(o.effect, EFFECT_COPY);
	CHECK_EQ(o.dst, 19);
	CHECK_EQ(o.src, 0);
	o = arm(0xaa1f03e8);		/* mov x8, xzr */
	CHECK_EQ(o.effect, EFFECT_CONSTANT);
	CHECK_EQ(o.imm, 0);
	o = arm(0x8b020082);		/* add x2, x4, x2 */
	CHECK_EQ(o.effect, EFFECT_ADD_REG);
	CHECK_EQ(o.src, 4);
	CHECK_EQ(o.src2, 2);
	o = arm(0x8b021082);		/* add x2, x4, x2, lsl #4 */
	CHECK_EQ(o.src, 4);
	CHECK_EQ(o.src2, OPERAND_NO_REG);
	o = arm(0x9b020c20);		/* madd x0, x1, x2, x3 */
	CHECK_EQ(o.effect, EFFECT_ADD_REG);
	CHECK_EQ(o.src, 3);
	o = arm(0xd37ceca0);		/* lsl x0, x5, #4 */
	CHECK_EQ(o.effect, EFFECT_INDEX);
	o = arm(0xd2800120);		/* mov x0, #0x9 */
	CHECK_EQ(o.imm, 9);
	o = arm(0xf2801200);		/* movk x0, #0x90 */
	CHECK_EQ(o.effect, EFFECT_INSERT);
	CHECK_EQ(o.src2, 0);
	CHECK_EQ(o.imm, 0x90);
	o = arm(0xd53bd055);		/* mrs x21, tpidr_el0 */
	CHECK_EQ(o.effect, EFFECT_THREAD);
	CHECK_EQ(o.dst, 21);
	o = arm(0xcb2063ff);		/* sub sp, sp, x0 */
	CHECK_EQ(o.written, 1ull << 31);
}

TEST(arm64_what_else_is_written)
{
	CHECK_EQ(arm(0x94000000).written, 1 << 30);	/* bl */
	CHECK(arm(0x94000000).stack);
	CHECK_EQ(arm(0xd63f0040).written, 1 << 30);	/* blr x2 */
	CHECK_EQ(arm(0xd65f03c0).written, 0);		/* ret */
	CHECK_EQ(arm(0x1e602820).written, 0);		/* fadd d0, d1, d0 */
	CHECK_EQ(arm(0x9e660020).written, 1);		/* fmov x0, d1 */
	CHECK_EQ(arm(0x9e780020).written, 1);		/* fcvtzs x0, d1 */
	CHECK_EQ(arm(0x4e083c20).written, 1);		/* mov x0, v1.d[0] */
	CHECK_EQ(arm(0x9a810000).written, 1);		/* csel x0, x0, x1, eq */
	CHECK_EQ(arm(0xfa400801).written, 0);		/* ccmp x0, #0, #1, eq */
	CHECK_EQ(arm(0x04200000).written, ~0ull);	/* add z0.b: not known */
}
