// SPDX-License-Identifier: GPL-2.0-or-later
// AT&T syntax: objdump leaves out a size that a register tells, writes numbers in hexadecimal,
// and a scale always.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/str.h"
#include "util/disasm/disasm-priv.h"

/* Instructions to whose names LLVM adds a size. */
static const char *const sized[] = {
	"adc", "add", "and", "andn", "bextr", "blsi", "blsmsk", "blsr", "bsf", "bsr",
	"bswap", "bt", "btc", "btr", "bts", "bzhi", "call", "cmp", "cmpxchg", "dec", "div",
	"enter", "idiv", "imul", "in", "inc", "lcall", "lea", "leave", "ljmp", "jmp",
	"lods", "lzcnt", "mov", "movbe", "mul", "mulx", "neg", "not", "or", "out", "pdep",
	"pext", "pop", "popcnt", "push", "rcl", "rcr", "ret", "rol", "ror", "rorx", "sar",
	"sarx", "sbb", "scas", "shl", "shld", "shlx", "shr", "shrd", "shrx", "stos", "sub",
	"test", "tzcnt", "xadd", "xchg", "xor", "adcx", "adox", "lar", "lsl", "str", "sldt",
	"smsw", "verr", "verw", "rdfsbase", "rdgsbase", "wrfsbase", "wrgsbase", "rdrand",
	"rdseed", "ptwrite", "rdpid", "cvtsi2sd", "cvtsi2ss", "vcvtsi2sd", "vcvtsi2ss",
	"vcvtusi2sd", "vcvtusi2ss", "movnti", "nop", "ud1", "cvtsd2si", "cvtss2si",
	"cvttsd2si", "cvttss2si", "crc32", "pushf", "popf", "iret", "invpcid", "lret",
};

static const char *const conditions[] = {
	"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g",
};

static bool is_sized(const char *name, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(sized); i++)
		if (strlen(sized[i]) == n && !strncmp(sized[i], name, n))
			return true;
	if (n < 5 || strncmp(name, "cmov", 4))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(conditions); i++)
		if (strlen(conditions[i]) == n - 4 && !strncmp(conditions[i], name + 4, n - 4))
			return true;
	return false;
}

/* The size in bytes at the end of a name of those, or 0. */
static unsigned suffix_of(const char *name)
{
	const size_t n = strlen(name);

	if (n < 3 || !is_sized(name, n - 1))
		return 0;
	switch (name[n - 1]) {
	case 'q': return 8;
	case 'l': return 4;
	case 'w': return 2;
	case 'b': return 1;
	default: return 0;
	}
}

/* --- operands */

static void add_number(struct str *out, const char *text, char **end, unsigned mask_bytes)
{
	const bool minus = *text == '-';
	u64 v = strtoull(text + minus, end, 0);

	if (mask_bytes) {
		v = minus ? -v : v;
		v &= mask_bytes >= 8 ? UINT64_MAX : (1ULL << (8 * mask_bytes)) - 1;
		str_addf(out, "0x%llx", (unsigned long long)v);
	} else {
		str_addf(out, "%s0x%llx", minus ? "-" : "", (unsigned long long)v);
	}
}

/* Bytes of an immediate operand, as far as objdump extends its sign. */
static unsigned immediate_bytes(const struct insn_text *t, const struct x86_parts *x, bool is64)
{
	const unsigned size = suffix_of(t->mnemonic);

	if (size && strncmp(t->mnemonic, "push", 4))
		return size;
	if (!strncmp(t->mnemonic, "push", 4))
		return is64 ? 8 : 4;
	if (!strncmp(t->mnemonic, "imul", 4))
		return x->rex & 8 ? 8 : x->opsize ? 2 : 4;
	return x->imm_bytes == 1 ? 1 : x->rex & 8 ? 8 : 4;
}

/* What follows the opening parenthesis: base, index, scale. */
static const char *add_address(struct str *out, const char *p)
{
	unsigned commas = 0;

	for (; *p && *p != ')'; p++) {
		if (*p == ' ')
			continue;
		commas += *p == ',';
		str_addch(out, *p);
	}
	if (commas == 1)
		str_add(out, ",1");
	return p;
}

static bool begins_number(const char *p)
{
	return isdigit((u8)*p) || (*p == '-' && isdigit((u8)p[1]));
}

static void rewrite_operands(struct insn_text *t, const struct x86_parts *x, bool is64)
{
	const unsigned imm = immediate_bytes(t, x, is64);
	struct str out = STR_INIT;
	bool number_before = false;	/* a displacement stands before the parenthesis */
	const char *p = t->operands;
	char *end;

	while (*p) {
		const bool begins = p == t->operands || strchr(" ,:*$(", p[-1]);

		if (begins && begins_number(p)) {
			add_number(&out, p, &end, p > t->operands && p[-1] == '$' ? imm : 0);
			p = end;
			number_before = true;
			continue;
		}
		if (*p == '(' && begins && x->disp_bytes && !number_before)
			str_add(&out, "0x0");
		if (*p != ' ')
			str_addch(&out, *p);
		if (*p == '(')
			p = add_address(&out, p + 1);
		else
			p++;
		number_before = false;
	}
	snprintf(t->operands, sizeof(t->operands), "%s", str_cstr(&out));
	str_release(&out);
}

static bool is_shift(const char *name)
{
	static const char *const names[] = { "sh", "sa", "ro", "rc" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (str_has_prefix(name, names[i]))
			return true;
	return false;
}

/* A register that tells the size: not what a shift is by, a segment or a memory address's. */
static bool register_tells(const struct insn_text *t)
{
	const char *p = t->operands;
	const bool by_cl = !strncmp(p, "%cl,", 4) && is_shift(t->mnemonic);
	int depth = 0;

	if (by_cl)
		p += 4;
	for (bool begins = true; *p; p++) {
		if (begins && *p == '%' && !depth && (p[3] != ':' || p[2] != 's') &&
		    strncmp(p, "%xmm", 4))
			return true;
		depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
		begins = *p == ',';
	}
	return false;
}

static bool sizeless(const char *name, size_t n)
{
	static const char *const names[] = { "call", "jmp", "ret", "push", "pop", "leave", "enter",
					     "pushf", "popf", "lret" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == n && !strncmp(names[i], name, n))
			return true;
	return false;
}

static void drop_suffix(struct insn_text *t, const struct x86_parts *x)
{
	const size_t n = strlen(t->mnemonic);

	if (!suffix_of(t->mnemonic) || !strncmp(t->mnemonic, "crc32", 5))
		return;
	if ((sizeless(t->mnemonic, n - 1) && (!x->opsize || x->opcode == 0xe8)) ||
	    register_tells(t))
		t->mnemonic[n - 1] = 0;
}

/* --- whole instructions that have other names */

static void prefix_mnemonic(struct insn_text *t, const char *prefix)
{
	char old[sizeof(t->mnemonic)];

	snprintf(old, sizeof(old), "%s", t->mnemonic);
	snprintf(t->mnemonic, sizeof(t->mnemonic), "%.12s%.50s", prefix, old);
}

/* Padding: "data16 cs nopw 0x0(%rax,%rax,1)", "xchg %ax,%ax". */
static void padding(struct insn_text *t, const u8 *bytes, const struct x86_parts *x)
{
	u8 n16 = 0;

	for (u8 i = 0; i < x->n_prefixes; i++)
		n16 += bytes[i] == 0x66;
	if (!x->map && x->opcode == 0x90) {
		if (x->opsize && x->n_prefixes == 1)
			snprintf(t->mnemonic, sizeof(t->mnemonic), "xchg"),
			snprintf(t->operands, sizeof(t->operands), "%%ax,%%ax");
		return;
	}
	char *seg = strstr(t->operands, "%cs:");

	if (seg) {
		memmove(seg, seg + 4, strlen(seg + 4) + 1);
		prefix_mnemonic(t, "cs ");
	}
	for (; n16 > 1; n16--)
		prefix_mnemonic(t, "data16 ");
}

/* What is at the ends of a string instruction: objdump names the segments. */
static bool string_operands(struct insn_text *t, const struct x86_parts *x, bool is64)
{
	const char *r = x->addrsize == is64 ? "e" : "r";
	const char *a = !(x->opcode & 1) ? "%al" : x->rex & 8 ? "%rax" :
		x->opsize ? "%ax" : "%eax";
	const char *seg = x->segment == 0x64 ? "%fs" : x->segment == 0x65 ? "%gs" : "%ds";

	if (x->map || x->encoding != X86_LEGACY || x->opcode < 0xa4 || x->opcode > 0xaf ||
	    x->opcode == 0xa8 || x->opcode == 0xa9)
		return false;
	switch (x->opcode & 0xe) {
	case 0x4: snprintf(t->operands, INSN_TEXT, "%s:(%%%ssi),%%es:(%%%sdi)", seg, r, r); break;
	case 0x6: snprintf(t->operands, INSN_TEXT, "%%es:(%%%sdi),%s:(%%%ssi)", r, seg, r); break;
	case 0xa: snprintf(t->operands, INSN_TEXT, "%s,%%es:(%%%sdi)", a, r); break;
	case 0xc: snprintf(t->operands, INSN_TEXT, "%s:(%%%ssi),%s", seg, r, a); break;
	default: snprintf(t->operands, INSN_TEXT, "%%es:(%%%sdi),%s", r, a); break;
	}
	return true;
}

/* The top of the FPU's stack, which LLVM does not write. */
static void fpu_operands(struct insn_text *t, const struct x86_parts *x)
{
	const size_t n = strlen(t->operands);
	const bool conditional = x->opcode == 0xda || x->opcode == 0xdb || x->opcode == 0xdf;

	if (!n || strchr(t->operands, ',') || strncmp(t->operands, "%st(", 4))
		return;
	if (x->opcode == 0xd8 || conditional)
		snprintf(t->operands + n, INSN_TEXT - n, ",%%st");
	else if (x->opcode == 0xde || x->opcode == 0xdc)
		snprintf(t->operands, INSN_TEXT, "%%st,%%st(%u)", x->modrm & 7);
}

static void swap_operands(struct insn_text *t)
{
	char *comma = strchr(t->operands, ',');
	struct str swapped = STR_INIT;

	if (!comma || strchr(t->operands, '('))
		return;
	str_add(&swapped, comma + 1);
	str_addch(&swapped, ',');
	str_addn(&swapped, t->operands, (size_t)(comma - t->operands));
	memcpy(t->operands, swapped.buf, swapped.len);	/* as long as it was */
	str_release(&swapped);
}

static void before_operands(struct insn_text *t, const char *text)
{
	char old[INSN_TEXT];

	snprintf(old, sizeof(old), "%s", t->operands);
	snprintf(t->operands, sizeof(t->operands), "%s%.*s", text, (int)(INSN_TEXT - 16), old);
}

/* "%dx" as a port, not a register that is read. */
static void port_operand(struct insn_text *t)
{
	char *dx = strstr(t->operands, "%dx");
	char rest[INSN_TEXT];

	if (!dx || (dx > t->operands && dx[-1] == '('))
		return;
	snprintf(rest, sizeof(rest), "%s", dx + 3);
	snprintf(dx, INSN_TEXT - (size_t)(dx - t->operands), "(%%dx)%.8s", rest);
}

/* Of a multiplication without carries the immediate is in the name. */
static void carryless(struct insn_text *t)
{
	static const char *const halves[] = { "lqlq", "hqlq", "lqhq", "hqhq" };
	char *end;
	const unsigned long imm = strtoul(t->operands + strcspn(t->operands, "0123456789"), &end,
					  16);

	if (imm & ~0x11UL || *end != ',')
		return;
	memmove(t->operands, end + 1, strlen(end + 1) + 1);
	snprintf(t->mnemonic, sizeof(t->mnemonic), "%spclmul%sdq",
		 t->mnemonic[0] == 'v' ? "v" : "", halves[(imm & 1) | imm >> 3]);
}

/* Prefixes without a meaning: of calls for thread-local storage, so that they can be replaced. */
static void idle_prefixes(struct insn_text *t, const u8 *bytes, const struct x86_parts *x)
{
	if (!(x->rex & 8) || x->map || x->encoding != X86_LEGACY)
		return;
	if (x->opcode == 0xe8)
		prefix_mnemonic(t, "rex.W ");
	for (u8 i = 0; i < x->n_prefixes; i++)
		if (bytes[i] == 0x66)
			prefix_mnemonic(t, "data16 ");
}

/* Names that differ, and prefixes that have a meaning before one instruction. */
static void other_names(struct insn_text *t, const struct x86_parts *x)
{
	const u8 op = x->opcode, reg = x->modrm >> 3 & 7;

	if (op == 0x9b)
		snprintf(t->mnemonic, sizeof(t->mnemonic), "fwait");
	else if (op == 0xc3 && x->rep && !strcmp(t->mnemonic, "ret"))
		snprintf(t->mnemonic, sizeof(t->mnemonic), "repz ret");
	else if (op == 0xff && x->segment == 0x3e && (reg == 2 || reg == 4) &&
		 x->modrm >= 0xc0 && strncmp(t->mnemonic, "notrack", 7))
		prefix_mnemonic(t, "notrack ");
	else if (op >= 0xec && op <= 0xef)
		port_operand(t);
}

/* Names and operands that differ for one instruction. */
static void odd_ones(struct insn_text *t, const struct x86_parts *x, bool is64)
{
	const u8 op = x->opcode;

	if (x->map == 3 && op == 0x44)
		carryless(t);
	if (x->encoding != X86_LEGACY)
		return;
	if (x->map == 2 && ((op == 0xcb && !strncmp(t->mnemonic, "sha256", 6)) || op == 0x10 ||
			    op == 0x14 || op == 0x15))
		before_operands(t, "%xmm0,");
	if (!x->map)
		other_names(t, x);
	if (!x->map && op >= 0xd8 && op < 0xe0 && x->modrm >= 0xc0)
		fpu_operands(t, x);
	else if (!x->map && (op == 0xd0 || op == 0xd1) && !strncmp(t->operands, "$0x1,", 5))
		memmove(t->operands, t->operands + 5, strlen(t->operands + 5) + 1);
	else if (!x->map && op >= 0x90 && op < 0x98 && !strcmp(t->mnemonic, "xchg"))
		swap_operands(t);
	else if (!strcmp(t->mnemonic, "movabsq"))
		t->mnemonic[6] = 0;
	else if (x->map == 1 && (op == 0x6e || op == 0x7e) && x->rex & 8 &&
		 !strcmp(t->mnemonic, "movd"))
		t->mnemonic[3] = 'q';
	else
		string_operands(t, x, is64);
}

static bool is_nop(const struct insn_text *t) { return !strncmp(t->mnemonic, "nop", 3); }

void x86_att(struct insn_text *t, const u8 *bytes, const struct x86_parts *x, bool is64)
{
	const char *sep = strrchr(t->mnemonic, ' ');
	struct insn_text bare = { 0 };

	/* "rep stosq": the rest is about the last word */
	snprintf(bare.mnemonic, sizeof(bare.mnemonic), "%s", sep ? sep + 1 : t->mnemonic);
	snprintf(bare.operands, sizeof(bare.operands), "%s", t->operands);
	rewrite_operands(&bare, x, is64);
	if (is_nop(&bare))
		padding(&bare, bytes, x);
	else
		drop_suffix(&bare, x), odd_ones(&bare, x, is64), idle_prefixes(&bare, bytes, x);
	if (sep && !strncmp(bare.mnemonic, t->mnemonic, (size_t)(sep + 1 - t->mnemonic)))
		sep = NULL;		/* libcapstone 5 has said it, too */
	snprintf(t->operands, sizeof(t->operands), "%s", bare.operands);
	if (sep)
		snprintf(t->mnemonic + (sep + 1 - t->mnemonic),
			 sizeof(t->mnemonic) - (size_t)(sep + 1 - t->mnemonic), "%s",
			 bare.mnemonic);
	else
		*t = bare;
}
