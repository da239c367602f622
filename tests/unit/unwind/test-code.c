// SPDX-License-Identifier: GPL-2.0-or-later
// What instructions do to the stack pointer, and where a return address lies by that.
#include "tests/unit/unit.h"
#include "util/unwind/code-priv.h"

static struct code_state begin(void)
{
	return (struct code_state){ .rva = 0x1000, .sp = { .known = true },
				    .fp = { .known = true, .of_fp = true } };
}

/* Over all of them; what the last one does. */
static enum code_flow steps(struct code_state *s, const u8 *b, size_t n, u64 *target)
{
	enum code_flow flow = CODE_ON;
	u8 length;

	for (size_t at = 0; at < n && flow != CODE_LOST; at += length, s->rva += length) {
		length = 0;
		flow = code_step(s, b + at, n - at, target, &length);
		if (!length)
			break;
	}
	return flow;
}

TEST(code_epilogue)
{
	/* add $0x18,%rsp; pop %rbx; pop %rbp; pop %r12; ret */
	static const u8 b[] = { 0x48, 0x83, 0xc4, 0x18, 0x5b, 0x5d, 0x41, 0x5c, 0xc3 };
	struct code_state s = begin();
	u64 target;

	CHECK_EQ(steps(&s, b, sizeof(b), &target), CODE_RETURN);
	CHECK(s.sp.known && !s.sp.of_fp);
	CHECK_EQ(s.sp.off, 0x18 + 24);
	CHECK(s.saved.known);
	CHECK_EQ(s.saved.off, 0x18 + 8);
}

TEST(code_frame_pointer)
{
	/* lea -0x28(%rbp),%rsp; pop %rbx; ... leave; ret */
	static const u8 lea[] = { 0x48, 0x8d, 0x65, 0xd8, 0x5b }, leave[] = { 0xc9, 0xc3 };
	struct code_state s = begin();
	u64 target;

	CHECK_EQ(steps(&s, lea, sizeof(lea), &target), CODE_ON);
	CHECK(s.sp.known && s.sp.of_fp);
	CHECK_EQ(s.sp.off, -0x28 + 8);
	s = begin();
	CHECK_EQ(steps(&s, leave, sizeof(leave), &target), CODE_RETURN);
	CHECK(s.sp.of_fp && s.saved.of_fp);
	CHECK_EQ(s.sp.off, 8);
	CHECK_EQ(s.saved.off, 0);
}

TEST(code_prologue)
{
	/* push %rbp; push %r15; sub $0x118,%rsp; call +0 */
	static const u8 b[] = { 0x55, 0x41, 0x57, 0x48, 0x81, 0xec, 0x18, 0x01, 0, 0,
				0xe8, 0, 0, 0, 0 };
	struct code_state s = begin();
	u64 target = 0;

	CHECK_EQ(steps(&s, b, sizeof(b), &target), CODE_CALL);
	CHECK_EQ(target, 0x1000 + sizeof(b));
	CHECK_EQ(s.sp.off, -0x118 - 16);
	CHECK(s.saved.known);
	CHECK_EQ(s.saved.off, -8);
}

TEST(code_ends)
{
	/* mov %eax,%edi; xor %eax,%eax; mov $60,%al; syscall */
	static const u8 leaves[] = { 0x89, 0xc7, 0x31, 0xc0, 0xb0, 0x3c, 0x0f, 0x05 };
	/* mov $1,%eax; syscall */
	static const u8 writes[] = { 0xb8, 1, 0, 0, 0, 0x0f, 0x05 };
	/* jmp *%rcx; xchg %eax,%esp; nothing */
	static const u8 jumps[] = { 0xff, 0xe1 }, other[] = { 0x94 };
	struct code_state s = begin();
	u64 target;

	CHECK_EQ(steps(&s, leaves, sizeof(leaves), &target), CODE_STOP);
	s = begin();
	CHECK_EQ(steps(&s, writes, sizeof(writes), &target), CODE_ON);
	CHECK_EQ(steps(&s, jumps, sizeof(jumps), &target), CODE_LOST);
	CHECK_EQ(steps(&s, other, sizeof(other), &target), CODE_LOST);
	CHECK_EQ(code_step(&s, other, 0, &target, &(u8){ 0 }), CODE_LOST);
}

TEST(code_sp_unknown)
{
	/* sub %rax,%rsp; and $-16,%rsp */
	static const u8 sub[] = { 0x48, 0x29, 0xc4 }, and[] = { 0x48, 0x83, 0xe4, 0xf0 };
	struct code_state s = begin();
	u64 target;

	CHECK_EQ(steps(&s, sub, sizeof(sub), &target), CODE_ON);
	CHECK(!s.sp.known);
	s = begin();
	CHECK_EQ(steps(&s, and, sizeof(and), &target), CODE_ON);
	CHECK(!s.sp.known);
}
