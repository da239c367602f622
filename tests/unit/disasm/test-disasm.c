// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts are those of objdump 2.40. */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/disasm/disasm.h"

static const struct disasm_isa x86_64 = { EM_X86_64, true, false, 1 };
static const struct disasm_isa arm64 = { EM_AARCH64, true, false, 4 };

struct result { struct str text; struct insn last; u8 n; bool unknown; };

static int put(void *ctx, const struct insn *i)
{
	struct result *r = ctx;

	if (r->n++)
		str_add(&r->text, "; ");
	insn_add_text(&r->text, i);
	r->last = *i;
	r->unknown |= i->unknown;
	return 0;
}

static struct result decode(const struct disasm_isa *isa, const char *style, const char *hex)
{
	const struct disasm_opts o = { .arch = arch_host(), .style = style };
	struct err err = ERR_INIT;
	struct disasm *x = disasm_new(&o, &err);
	struct result r = { 0 };
	u8 bytes[64];
	size_t n = 0;
	unsigned v;

	for (int at = 0; sscanf(hex, "%2x%n", &v, &at) == 1; hex += at)
		bytes[n++] = (u8)v;
	CHECK(x != NULL);
	if (disasm_bytes(x, isa, &(struct code_bytes){ bytes, n, 0x1000 }, put, &r, &err)) {
		CHECK_EQ(err.code, 95 /* ENOTSUP: built without libcapstone, and no objdump */);
		unit_skip("needs libcapstone");
	}
	disasm_free(x);
	return r;
}

#define CHECK_TEXT(isa, style, hex, want) do { \
		struct result r_ = decode(isa, style, hex); \
		CHECK_STR(str_cstr(&r_.text), want); \
		str_release(&r_.text); \
	} while (0)
#define ATT(hex, want) CHECK_TEXT(&x86_64, NULL, hex, want)
#define INTEL(hex, want) CHECK_TEXT(&x86_64, "intel", hex, want)

TEST(sizes_that_a_register_tells_are_left_out)
{
	ATT("48 89 e5", "mov    %rsp,%rbp");
	ATT("c7 45 f4 00 00 00 00", "movl   $0x0,-0xc(%rbp)");
	ATT("48 81 c4 80 00 00 00", "add    $0x80,%rsp");
	ATT("48 83 c4 80", "add    $0xffffffffffffff80,%rsp");
	ATT("83 c0 ff", "add    $0xffffffff,%eax");
	ATT("d3 20", "shll   %cl,(%rax)");
	ATT("d1 e8", "shr    %eax");
	ATT("66 89 10", "mov    %dx,(%rax)");
	ATT("6a ff", "push   $0xffffffffffffffff");
	ATT("ff 35 10 00 00 00", "push   0x10(%rip)        # 1016");
}

TEST(memory_has_a_scale_and_a_displacement)
{
	ATT("0f 1f 44 00 00", "nopl   0x0(%rax,%rax,1)");
	ATT("66 2e 0f 1f 84 00 00 00 00 00", "cs nopw 0x0(%rax,%rax,1)");
	ATT("66 66 2e 0f 1f 84 00 00 00 00 00", "data16 cs nopw 0x0(%rax,%rax,1)");
	ATT("66 90", "xchg   %ax,%ax");
	ATT("64 48 8b 04 25 28 00 00 00", "mov    %fs:0x28,%rax");
	ATT("48 8d 04 85 00 00 00 00", "lea    0x0(,%rax,4),%rax");
	ATT("f3 48 ab", "rep stos %rax,%es:(%rdi)");
	ATT("de c9", "fmulp  %st,%st(1)");
}

TEST(jumps_have_addresses)
{
	ATT("e8 00 00 00 00", "call   1005");
	ATT("75 f0", "jne    ff2");
	ATT("3e ff e0", "notrack jmp *%rax");
	ATT("f3 c3", "repz ret");
	struct result r = decode(&x86_64, NULL, "75 f0");

	CHECK_EQ(r.last.kind, INSN_COND_JUMP);
	CHECK(r.last.has_target);
	CHECK_EQ(r.last.target_rva, 0xff2u);
	str_release(&r.text);
}

TEST(what_libcapstone_does_not_know)
{
	ATT("62 f3 7d 20 3f 46 01 00", "vpcmpeqb 0x20(%rsi),%ymm16,%k0");
	ATT("62 f3 6d 22 3e 0f 04", "vpcmpnequb (%rdi),%ymm18,%k1{%k2}");
	ATT("c5 fb 93 d0", "kmovd  %k0,%edx");
	ATT("c4 e1 fb 92 cb", "kmovq  %rbx,%k1");
	ATT("62 a3 65 20 25 e2 fe", "vpternlogd $0xfe,%ymm18,%ymm19,%ymm20");
	INTEL("62 f3 7d 20 3f 46 01 00", "vpcmpeqb k0,ymm16,YMMWORD PTR [rsi+0x20]");
}

TEST(unknown_ones_do_not_shift_the_rest)
{
	struct result r = decode(&x86_64, NULL, "62 f5 7c 48 58 c1 c3");	/* AVX512-FP16 */

	CHECK_STR(str_cstr(&r.text), ".byte  0x62,0xf5,0x7c,0x48,0x58,0xc1; ret");
	CHECK(r.unknown);
	str_release(&r.text);
	ATT("06 c3", "(bad); ret");
}

TEST(intel_syntax)
{
	INTEL("c7 45 f4 00 00 00 00", "mov    DWORD PTR [rbp-0xc],0x0");
	INTEL("48 8d 05 10 00 00 00", "lea    rax,[rip+0x10]        # 1017");
	INTEL("64 48 8b 04 25 28 00 00 00", "mov    rax,QWORD PTR fs:0x28");
	INTEL("0f 1f 44 00 00", "nop    DWORD PTR [rax+rax*1+0x0]");
	INTEL("83 c0 ff", "add    eax,0xffffffff");
}

TEST(kinds)
{
	static const struct { const char *hex; u8 kind; } want[] = {
		{ "48 8b 07", INSN_LOAD }, { "48 89 07", INSN_STORE }, { "48 8d 07", INSN_OTHER },
		{ "48 03 07", INSN_LOAD }, { "48 01 07", INSN_STORE }, { "c3", INSN_RET },
		{ "ff d0", INSN_CALL }, { "eb fe", INSN_JUMP }, { "0f 11 07", INSN_STORE },
		{ "0f 10 07", INSN_LOAD }, { "48 39 07", INSN_LOAD }, { "48 89 f8", INSN_OTHER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct result r = decode(&x86_64, NULL, want[i].hex);

		CHECK_EQ(r.last.kind, want[i].kind);
		str_release(&r.text);
	}
}

TEST(arm64)
{
	CHECK_TEXT(&arm64, NULL, "3f 04 00 71", "cmp    w1, #0x1");
	CHECK_TEXT(&arm64, NULL, "fd 7b 08 a9", "stp    x29, x30, [sp, #128]");
	CHECK_TEXT(&arm64, NULL, "02 00 00 94", "bl     1008");
	CHECK_TEXT(&arm64, NULL, "c0 03 5f d6", "ret");
	CHECK_TEXT(&arm64, NULL, "20 01 80 52", "mov    w0, #0x9");
	struct result r = decode(&arm64, NULL, "41 00 00 54");

	CHECK_STR(str_cstr(&r.text), "b.ne   1008");
	CHECK_EQ(r.last.kind, INSN_COND_JUMP);
	str_release(&r.text);
}

TEST(styles)
{
	const struct disasm_opts o = { .arch = arch_host(), .style = "sparc" };
	struct err err = ERR_INIT;
	struct disasm *x = disasm_new(&o, &err);

	if (x)
		unit_skip("needs libcapstone");
	CHECK_STR(err.msg, "no disassembler style 'sparc'");
	err_release(&err);
}
