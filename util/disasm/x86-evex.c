// SPDX-License-Identifier: GPL-2.0-or-later
// The instructions of AVX-512BW, DQ and VL that C libraries and compilers use, which libcapstone 4
// does not know. Source: Intel's manual, volume 2: the encodings of each instruction; 2.7 (EVEX).
#include <stdio.h>
#include <string.h>

#include "util/disasm/disasm-priv.h"

enum form {
	VVM,		/* register, register, register or memory */
	VM, MV,		/* load, store */
	VVMI, VMI,	/* the same with an immediate */
	KVM,		/* into a mask */
	KVMI,		/* comparison named by its immediate */
	VVI,		/* shift by an immediate; the register field is a part of the opcode */
	VS,		/* from one element */
	VR,		/* from a general register */
	KK, KM, MK, KR, RK, KKK, KKI,		/* of masks */
};

/* w: 2: any. The size of an element, where memory is of one or is spread, is elem bytes. reg: of
 * VVI; mask: of VEX. */
struct entry { const char *name; u8 map, pp, w, opcode, form, elem, reg; };

#define SIZES4(n, m, p, op, f) { n "d", m, p, 0, op, f, 4, 0 }, { n "q", m, p, 1, op, f, 8, 0 }
#define SIZES1(n, m, p, op, f) { n "b", m, p, 0, op, f, 1, 0 }, { n "w", m, p, 1, op, f, 2, 0 }
#define FLOATS(n, op, f) { n "ps", 1, 0, 0, op, f, 4, 0 }, { n "pd", 1, 1, 1, op, f, 8, 0 }
static const struct entry entries[] = {
	FLOATS("vmovu", 0x10, VM), FLOATS("vmovu", 0x11, MV),
	FLOATS("vmova", 0x28, VM), FLOATS("vmova", 0x29, MV), FLOATS("vmovnt", 0x2b, MV),
	FLOATS("vand", 0x54, VVM), FLOATS("vor", 0x56, VVM), FLOATS("vxor", 0x57, VVM),
	FLOATS("vadd", 0x58, VVM), FLOATS("vmul", 0x59, VVM), FLOATS("vsub", 0x5c, VVM),
	FLOATS("vmin", 0x5d, VVM), FLOATS("vdiv", 0x5e, VVM), FLOATS("vmax", 0x5f, VVM),
	{ "vmovdqa32", 1, 1, 0, 0x6f, VM, 0, 0 }, { "vmovdqa64", 1, 1, 1, 0x6f, VM, 0, 0 },
	{ "vmovdqu32", 1, 2, 0, 0x6f, VM, 0, 0 }, { "vmovdqu64", 1, 2, 1, 0x6f, VM, 0, 0 },
	{ "vmovdqu8", 1, 3, 0, 0x6f, VM, 0, 0 }, { "vmovdqu16", 1, 3, 1, 0x6f, VM, 0, 0 },
	{ "vmovdqa32", 1, 1, 0, 0x7f, MV, 0, 0 }, { "vmovdqa64", 1, 1, 1, 0x7f, MV, 0, 0 },
	{ "vmovdqu32", 1, 2, 0, 0x7f, MV, 0, 0 }, { "vmovdqu64", 1, 2, 1, 0x7f, MV, 0, 0 },
	{ "vmovdqu8", 1, 3, 0, 0x7f, MV, 0, 0 }, { "vmovdqu16", 1, 3, 1, 0x7f, MV, 0, 0 },
	{ "vmovntdq", 1, 1, 0, 0xe7, MV, 0, 0 },
	{ "vpcmpgtb", 1, 1, 2, 0x64, KVM, 0, 0 }, { "vpcmpgtw", 1, 1, 2, 0x65, KVM, 0, 0 },
	{ "vpcmpgtd", 1, 1, 0, 0x66, KVM, 4, 0 }, { "vpcmpgtq", 2, 1, 1, 0x37, KVM, 8, 0 },
	{ "vpcmpeqb", 1, 1, 2, 0x74, KVM, 0, 0 }, { "vpcmpeqw", 1, 1, 2, 0x75, KVM, 0, 0 },
	{ "vpcmpeqd", 1, 1, 0, 0x76, KVM, 4, 0 }, { "vpcmpeqq", 2, 1, 1, 0x29, KVM, 8, 0 },
	{ "vpunpcklbw", 1, 1, 2, 0x60, VVM, 0, 0 }, { "vpunpcklwd", 1, 1, 2, 0x61, VVM, 0, 0 },
	{ "vpunpckhbw", 1, 1, 2, 0x68, VVM, 0, 0 }, { "vpunpckhwd", 1, 1, 2, 0x69, VVM, 0, 0 },
	{ "vpunpckldq", 1, 1, 0, 0x62, VVM, 4, 0 }, { "vpunpckhdq", 1, 1, 0, 0x6a, VVM, 4, 0 },
	{ "vpunpcklqdq", 1, 1, 1, 0x6c, VVM, 8, 0 }, { "vpunpckhqdq", 1, 1, 1, 0x6d, VVM, 8, 0 },
	{ "vpsubb", 1, 1, 2, 0xf8, VVM, 0, 0 }, { "vpsubw", 1, 1, 2, 0xf9, VVM, 0, 0 },
	{ "vpsubd", 1, 1, 0, 0xfa, VVM, 4, 0 }, { "vpsubq", 1, 1, 1, 0xfb, VVM, 8, 0 },
	{ "vpaddb", 1, 1, 2, 0xfc, VVM, 0, 0 }, { "vpaddw", 1, 1, 2, 0xfd, VVM, 0, 0 },
	{ "vpaddd", 1, 1, 0, 0xfe, VVM, 4, 0 }, { "vpaddq", 1, 1, 1, 0xd4, VVM, 8, 0 },
	{ "vpsubusb", 1, 1, 2, 0xd8, VVM, 0, 0 }, { "vpaddusb", 1, 1, 2, 0xdc, VVM, 0, 0 },
	{ "vpminub", 1, 1, 2, 0xda, VVM, 0, 0 }, { "vpmaxub", 1, 1, 2, 0xde, VVM, 0, 0 },
	{ "vpminsw", 1, 1, 2, 0xea, VVM, 0, 0 }, { "vpmaxsw", 1, 1, 2, 0xee, VVM, 0, 0 },
	{ "vpminsb", 2, 1, 2, 0x38, VVM, 0, 0 }, { "vpminuw", 2, 1, 2, 0x3a, VVM, 0, 0 },
	{ "vpmaxsb", 2, 1, 2, 0x3c, VVM, 0, 0 }, { "vpmaxuw", 2, 1, 2, 0x3e, VVM, 0, 0 },
	SIZES4("vpmins", 2, 1, 0x39, VVM), SIZES4("vpminu", 2, 1, 0x3b, VVM),
	SIZES4("vpmaxs", 2, 1, 0x3d, VVM), SIZES4("vpmaxu", 2, 1, 0x3f, VVM),
	SIZES4("vpand", 1, 1, 0xdb, VVM), SIZES4("vpandn", 1, 1, 0xdf, VVM),
	SIZES4("vpor", 1, 1, 0xeb, VVM), SIZES4("vpxor", 1, 1, 0xef, VVM),
	{ "vpshufb", 2, 1, 2, 0x00, VVM, 0, 0 }, { "vpshufd", 1, 1, 0, 0x70, VMI, 4, 0 },
	SIZES4("vperm", 2, 1, 0x36, VVM), SIZES1("vperm", 2, 1, 0x8d, VVM),
	{ "vpermq", 3, 1, 1, 0x00, VMI, 8, 0 }, { "vpalignr", 3, 1, 2, 0x0f, VVMI, 0, 0 },
	SIZES1("vpermi2", 2, 1, 0x75, VVM), SIZES4("vpermi2", 2, 1, 0x76, VVM),
	SIZES1("vpermt2", 2, 1, 0x7d, VVM), SIZES4("vpermt2", 2, 1, 0x7e, VVM),
	SIZES4("vptestm", 2, 1, 0x27, KVM), SIZES4("vptestnm", 2, 2, 0x27, KVM),
	{ "vptestmb", 2, 1, 0, 0x26, KVM, 0, 0 }, { "vptestmw", 2, 1, 1, 0x26, KVM, 0, 0 },
	{ "vptestnmb", 2, 2, 0, 0x26, KVM, 0, 0 }, { "vptestnmw", 2, 2, 1, 0x26, KVM, 0, 0 },
	{ "vpbroadcastb", 2, 1, 0, 0x78, VS, 1, 0 }, { "vpbroadcastw", 2, 1, 0, 0x79, VS, 2, 0 },
	{ "vpbroadcastd", 2, 1, 0, 0x58, VS, 4, 0 }, { "vpbroadcastq", 2, 1, 1, 0x59, VS, 8, 0 },
	{ "vpbroadcastb", 2, 1, 0, 0x7a, VR, 4, 0 }, { "vpbroadcastw", 2, 1, 0, 0x7b, VR, 4, 0 },
	{ "vpbroadcastd", 2, 1, 0, 0x7c, VR, 4, 0 }, { "vpbroadcastq", 2, 1, 1, 0x7c, VR, 8, 0 },
	SIZES4("vpternlog", 3, 1, 0x25, VVMI), SIZES4("valign", 3, 1, 0x03, VVMI),
	{ "b", 3, 1, 0, 0x3f, KVMI, 0, 0 }, { "w", 3, 1, 1, 0x3f, KVMI, 0, 0 },
	{ "ub", 3, 1, 0, 0x3e, KVMI, 0, 0 }, { "uw", 3, 1, 1, 0x3e, KVMI, 0, 0 },
	{ "d", 3, 1, 0, 0x1f, KVMI, 4, 0 }, { "q", 3, 1, 1, 0x1f, KVMI, 8, 0 },
	{ "ud", 3, 1, 0, 0x1e, KVMI, 4, 0 }, { "uq", 3, 1, 1, 0x1e, KVMI, 8, 0 },
	{ "vpsrlw", 1, 1, 2, 0x71, VVI, 0, 2 }, { "vpsraw", 1, 1, 2, 0x71, VVI, 0, 4 },
	{ "vpsllw", 1, 1, 2, 0x71, VVI, 0, 6 }, { "vprord", 1, 1, 0, 0x72, VVI, 4, 0 },
	{ "vprorq", 1, 1, 1, 0x72, VVI, 8, 0 }, { "vprold", 1, 1, 0, 0x72, VVI, 4, 1 },
	{ "vprolq", 1, 1, 1, 0x72, VVI, 8, 1 }, { "vpsrld", 1, 1, 0, 0x72, VVI, 4, 2 },
	{ "vpsrad", 1, 1, 0, 0x72, VVI, 4, 4 }, { "vpsraq", 1, 1, 1, 0x72, VVI, 8, 4 },
	{ "vpslld", 1, 1, 0, 0x72, VVI, 4, 6 }, { "vpsrlq", 1, 1, 1, 0x73, VVI, 8, 2 },
	{ "vpsrldq", 1, 1, 2, 0x73, VVI, 0, 3 }, { "vpsllq", 1, 1, 1, 0x73, VVI, 8, 6 },
	{ "vpslldq", 1, 1, 2, 0x73, VVI, 0, 7 },
};

/* w, pp 0: w 0, q 1; pp 1: b 0, d 1 */
#define MASKS(n, op, f) \
	{ n "w", 1, 0, 0, op, f, 4, 0 }, { n "q", 1, 0, 1, op, f, 8, 0 }, \
	{ n "b", 1, 1, 0, op, f, 4, 0 }, { n "d", 1, 1, 1, op, f, 4, 0 }
static const struct entry masks[] = {
	MASKS("kand", 0x41, KKK), MASKS("kandn", 0x42, KKK), MASKS("knot", 0x44, KK),
	MASKS("kor", 0x45, KKK), MASKS("kxnor", 0x46, KKK), MASKS("kxor", 0x47, KKK),
	MASKS("kadd", 0x4a, KKK), MASKS("kortest", 0x98, KK), MASKS("ktest", 0x99, KK),
	MASKS("kmov", 0x90, KM), MASKS("kmov", 0x91, MK),
	{ "kunpckbw", 1, 1, 0, 0x4b, KKK, 0, 0 }, { "kunpckwd", 1, 0, 0, 0x4b, KKK, 0, 0 },
	{ "kunpckdq", 1, 0, 1, 0x4b, KKK, 0, 0 },
	{ "kmovw", 1, 0, 0, 0x92, KR, 4, 0 }, { "kmovb", 1, 1, 0, 0x92, KR, 4, 0 },
	{ "kmovd", 1, 3, 0, 0x92, KR, 4, 0 }, { "kmovq", 1, 3, 1, 0x92, KR, 8, 0 },
	{ "kmovw", 1, 0, 0, 0x93, RK, 4, 0 }, { "kmovb", 1, 1, 0, 0x93, RK, 4, 0 },
	{ "kmovd", 1, 3, 0, 0x93, RK, 4, 0 }, { "kmovq", 1, 3, 1, 0x93, RK, 8, 0 },
	{ "kshiftrb", 3, 1, 0, 0x30, KKI, 0, 0 }, { "kshiftrw", 3, 1, 1, 0x30, KKI, 0, 0 },
	{ "kshiftrd", 3, 1, 0, 0x31, KKI, 0, 0 }, { "kshiftrq", 3, 1, 1, 0x31, KKI, 0, 0 },
	{ "kshiftlb", 3, 1, 0, 0x32, KKI, 0, 0 }, { "kshiftlw", 3, 1, 1, 0x32, KKI, 0, 0 },
	{ "kshiftld", 3, 1, 0, 0x33, KKI, 0, 0 }, { "kshiftlq", 3, 1, 1, 0x33, KKI, 0, 0 },
};

/* Operands in the order of AT&T syntax: sources first. */
struct operands { char v[4][80]; size_t n; };

struct decoding {
	const u8 *bytes;
	const struct x86_parts *x;
	const struct entry *e;
	struct operands out;
	bool mask;		/* of VEX: no vectors */
	bool intel;
};

static const struct entry *find(const struct entry *from, size_t n, const struct x86_parts *x)
{
	for (size_t i = 0; i < n; i++) {
		const struct entry *e = &from[i];

		if (e->map == x->map && e->pp == x->pp && e->opcode == x->opcode &&
		    (e->w == 2 || e->w == x->w) &&
		    (e->form != VVI || e->reg == (x->modrm >> 3 & 7)))
			return e;
	}
	return NULL;
}

static char *next(struct decoding *d) { return d->out.v[d->out.n++]; }
#define OPERAND sizeof(((struct operands *)0)->v[0])

static void add_vector(struct decoding *d, unsigned nr, unsigned ll)
{
	snprintf(next(d), OPERAND, "%%%cmm%u", "xyzz"[ll], nr);
}

static void add_mask(struct decoding *d, unsigned nr)
{
	snprintf(next(d), OPERAND, "%%k%u", nr & 7);
}

static const char *gpr(unsigned nr, unsigned bytes)
{
	static const char *const wide[] = {
		"%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp", "%rsi", "%rdi",
		"%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15" };
	static const char *const narrow[] = {
		"%eax", "%ecx", "%edx", "%ebx", "%esp", "%ebp", "%esi", "%edi",
		"%r8d", "%r9d", "%r10d", "%r11d", "%r12d", "%r13d", "%r14d", "%r15d" };

	return (bytes == 8 ? wide : narrow)[nr & 15];
}

/* rex has R, X and B as bits 2, 1, 0 for VEX and EVEX, too. */
static unsigned field_reg(const struct x86_parts *x)
{
	return (unsigned)(x->modrm >> 3 & 7) | (x->rex & 4 ? 8 : 0) |
		(x->encoding == X86_EVEX && !(x->evex[0] & 0x10) ? 16 : 0);
}

static unsigned field_rm(const struct x86_parts *x)
{
	return (unsigned)(x->modrm & 7) | (x->rex & 1 ? 8 : 0) |
		(x->encoding == X86_EVEX && x->rex & 2 ? 16 : 0);
}

static unsigned field_v(const struct decoding *d)
{
	const struct x86_parts *x = d->x;
	const u8 *end = d->bytes + x->modrm_at - 1;	/* the opcode */

	if (x->encoding == X86_EVEX)
		return (unsigned)(~x->evex[1] >> 3 & 15) | (x->evex[2] & 8 ? 0 : 16);
	return (unsigned)(~end[-1] >> 3 & 15);
}

static s64 displacement(const struct decoding *d, unsigned scale)
{
	const u8 *p = d->bytes + d->x->disp_at;

	if (d->x->disp_bytes == 1)
		return (s64)(s8)p[0] * (s64)scale;
	if (d->x->disp_bytes != 4)
		return 0;
	return (s32)((u32)p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24);
}

static bool is_spread(const struct decoding *d)
{
	return d->x->encoding == X86_EVEX && d->x->evex[2] & 0x10;
}

/* What a displacement of one byte counts. */
static unsigned disp_scale(const struct decoding *d)
{
	if (d->mask)
		return 1;
	return d->e->form == VS || is_spread(d) ? d->e->elem : 16u << d->x->ll;
}

/* How much memory it is about, as Intel syntax has it. */
static const char *memory_size(const struct decoding *d)
{
	const unsigned bytes = d->mask ? (d->e->pp ? (d->x->w ? 4 : 1) : d->x->w ? 8 : 2) :
		d->e->form == VS ? d->e->elem : 16u << d->x->ll;

	switch (bytes) {
	case 1: return "BYTE PTR ";
	case 2: return "WORD PTR ";
	case 4: return "DWORD PTR ";
	case 8: return "QWORD PTR ";
	case 16: return "XMMWORD PTR ";
	case 32: return "YMMWORD PTR ";
	default: return "ZMMWORD PTR ";
	}
}

/* The base, the index and the displacement between brackets. */
static void intel_memory(struct decoding *d, s64 disp, const char *base, const char *index)
{
	const struct x86_parts *x = d->x;
	char *to = next(d);
	int at = snprintf(to, OPERAND, "%s%s[%s", is_spread(d) ?
			  (d->e->elem == 4 ? "DWORD BCST " : "QWORD BCST ") : memory_size(d),
			  x->segment == 0x64 ? "fs:" : x->segment == 0x65 ? "gs:" : "", base);

	if (*index)
		at += snprintf(to + at, OPERAND - (size_t)at, "%s%s*%u", *base ? "+" : "", index,
			       1u << (x->sib >> 6));
	if (x->disp_bytes)
		at += snprintf(to + at, OPERAND - (size_t)at, "%c0x%llx", disp < 0 ? '-' : '+',
			       (unsigned long long)(disp < 0 ? -disp : disp));
	snprintf(to + at, OPERAND - (size_t)at, "]");
}

static void add_memory(struct decoding *d)
{
	const struct x86_parts *x = d->x;
	const s64 disp = displacement(d, disp_scale(d));
	const unsigned base = (unsigned)((x->has_sib ? x->sib : x->modrm) & 7) | (x->rex & 1) << 3;
	const unsigned index = (unsigned)(x->sib >> 3 & 7) | (x->rex & 2) << 2;
	const bool has_base = x->modrm >> 6 || (base & 7) != 5;

	if (d->intel) {
		intel_memory(d, disp, has_base ? gpr(base, 8) + 1 : x->has_sib ? "" : "rip",
			     x->has_sib && index != 4 ? gpr(index, 8) + 1 : "");
		return;
	}
	char *to = next(d);
	int at = x->segment == 0x64 || x->segment == 0x65 ?
		snprintf(to, OPERAND, "%%%cs:", x->segment == 0x64 ? 'f' : 'g') : 0;

	if (x->disp_bytes)
		at += snprintf(to + at, OPERAND - (size_t)at, "%s0x%llx", disp < 0 ? "-" : "",
			       (unsigned long long)(disp < 0 ? -disp : disp));
	if (!has_base && !x->has_sib)
		at += snprintf(to + at, OPERAND - (size_t)at, "(%%rip)");
	else if (x->has_sib && index != 4)
		at += snprintf(to + at, OPERAND - (size_t)at, "(%s,%s,%u)",
			       has_base ? gpr(base, 8) : "", gpr(index, 8), 1u << (x->sib >> 6));
	else if (has_base)
		at += snprintf(to + at, OPERAND - (size_t)at, "(%s)", gpr(base, 8));
	if (is_spread(d) && d->e->elem)
		snprintf(to + at, OPERAND - (size_t)at, "{1to%u}", (16u << x->ll) / d->e->elem);
}

static void add_rm(struct decoding *d, unsigned ll)
{
	if (d->x->modrm >> 6 != 3)
		add_memory(d);
	else if (d->mask)
		add_mask(d, d->x->modrm);
	else
		add_vector(d, field_rm(d->x), ll);
}

/* What is done under a mask: the last operand. */
static void add_masking(struct decoding *d)
{
	char *to = d->out.v[d->out.n - 1];
	const size_t at = strlen(to);

	if (d->x->evex[2] & 7)
		snprintf(to + at, OPERAND - at, "{%%k%u}%s", d->x->evex[2] & 7,
			 d->x->evex[2] & 0x80 ? "{z}" : "");
}

static void add_immediate(struct decoding *d)
{
	snprintf(next(d), OPERAND, "$0x%x", d->bytes[d->x->length - 1]);
}

static void vector_operands(struct decoding *d)
{
	const struct x86_parts *x = d->x;
	const u8 form = d->e->form;

	if (form == VVMI || form == VMI || form == VVI ||
	    (form == KVMI && (d->bytes[x->length - 1] & 3) == 3))
		add_immediate(d);
	if (form == MV)
		add_vector(d, field_reg(x), x->ll);
	if (form == VR)
		snprintf(next(d), OPERAND, "%s", gpr(field_rm(x), d->e->elem));
	else
		add_rm(d, form == VS ? 0 : x->ll);
	if (form == VVM || form == VVMI || form == KVM || form == KVMI || form == VVI)
		add_vector(d, field_v(d), x->ll);
	if (form == KVM || form == KVMI)
		add_mask(d, field_reg(x));
	else if (form != MV && form != VVI)
		add_vector(d, field_reg(x), x->ll);
	add_masking(d);
}

static void mask_operands(struct decoding *d)
{
	const struct x86_parts *x = d->x;
	const u8 form = d->e->form;

	if (form == KKI)
		add_immediate(d);
	if (form == MK)
		add_mask(d, field_reg(x));
	if (form == KR)
		snprintf(next(d), OPERAND, "%s", gpr(field_rm(x), d->e->elem));
	else
		add_rm(d, 0);
	if (form == KKK)
		add_mask(d, field_v(d));
	if (form == RK)
		snprintf(next(d), OPERAND, "%s", gpr(field_reg(x), d->e->elem));
	else if (form != MK)
		add_mask(d, field_reg(x));
}

static void name_it(struct insn_text *t, const struct decoding *d)
{
	static const char *const predicates[] = { "eq", "lt", "le", "", "neq", "nlt", "nle", "" };

	if (d->e->form == KVMI)
		snprintf(t->mnemonic, sizeof(t->mnemonic), "vpcmp%s%s",
			 predicates[d->bytes[d->x->length - 1] & 7], d->e->name);
	else
		snprintf(t->mnemonic, sizeof(t->mnemonic), "%s", d->e->name);
}

/* In an opcode whose operand is no operand. */
static bool without_operands(struct insn_text *t, const u8 *bytes, const struct x86_parts *x)
{
	static const struct { const char *name; u8 modrm; bool rep; } fixed[] = {
		{ "serialize", 0xe8, false }, { "setssbsy", 0xe8, true },
		{ "saveprevssp", 0xea, true }, { "rdpkru", 0xee, false }, { "wrpkru", 0xef, false },
		{ "uiret", 0xec, true }, { "testui", 0xed, true }, { "clui", 0xee, true },
		{ "stui", 0xef, true },
	};

	if (x->map != 1 || x->opcode != 0x01 || bytes[x->length - 1] < 0xc0)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++) {
		if (fixed[i].modrm != x->modrm || fixed[i].rep != x->rep || x->repne || x->opsize)
			continue;
		snprintf(t->mnemonic, sizeof(t->mnemonic), "%s", fixed[i].name);
		t->operands[0] = 0;
		return true;
	}
	return false;
}

/* Without the signs of AT&T syntax, in place: "%ymm1{%k1}" */
static const char *bare(char *operand)
{
	char *to = operand;

	for (const char *from = operand; *from; from++)
		if (*from != '%' && *from != '$')
			*to++ = *from;
	*to = 0;
	return operand;
}

bool x86_evex(struct insn_text *t, const u8 *bytes, const struct x86_parts *x, bool intel)
{
	struct decoding d = { .bytes = bytes, .x = x, .mask = x->encoding == X86_VEX };
	size_t at = 0;

	if (x->encoding == X86_LEGACY)
		return without_operands(t, bytes, x);
	if (!x->has_modrm)
		return false;
	d.intel = intel;
	d.e = d.mask ? find(masks, ARRAY_SIZE(masks), x) : find(entries, ARRAY_SIZE(entries), x);
	if (!d.e || (!d.mask && x->ll > 2) || (is_spread(&d) && !d.e->elem))
		return false;
	(d.mask ? mask_operands : vector_operands)(&d);
	name_it(t, &d);
	for (size_t i = 0; i < d.out.n; i++)
		at += (size_t)snprintf(t->operands + at, sizeof(t->operands) - at, "%s%s",
				       i ? "," : "", intel ? bare(d.out.v[d.out.n - 1 - i]) :
				       d.out.v[i]);
	return true;
}
