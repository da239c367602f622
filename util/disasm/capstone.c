// SPDX-License-Identifier: GPL-2.0-or-later
// Instructions by libcapstone, as the engine of this room. Version 4 knows no AVX-512 beyond
// its foundation: where x86 instructions end is known without it (x86-split.c).
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/disasm/capstone-lib.h"
#include "util/disasm/disasm-priv.h"

struct state {
	const struct capstone *lib;
	csh handle;
	cs_insn *insn;
	struct disasm_isa isa;
	bool is_x86, intel;
};

static const struct { u16 machine; cs_arch arch; unsigned mode, mode64; } machines[] = {
	{ EM_X86_64, CS_ARCH_X86, CS_MODE_32, CS_MODE_64 },
	{ EM_386, CS_ARCH_X86, CS_MODE_32, CS_MODE_32 },
	{ EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM, CS_MODE_ARM },
	{ EM_ARM, CS_ARCH_ARM, CS_MODE_ARM, CS_MODE_ARM },
	{ EM_PPC, CS_ARCH_PPC, CS_MODE_32, CS_MODE_32 },
	{ EM_PPC64, CS_ARCH_PPC, CS_MODE_64, CS_MODE_64 },
	{ EM_MIPS, CS_ARCH_MIPS, CS_MODE_MIPS32, CS_MODE_MIPS64 },
	{ EM_S390, CS_ARCH_SYSZ, 0, 0 },
	{ EM_SPARC, CS_ARCH_SPARC, 0, 0 },
	{ EM_SPARCV9, CS_ARCH_SPARC, CS_MODE_V9, CS_MODE_V9 },
};

static void close_capstone(void *p)
{
	struct state *s = p;

	if (s->insn)
		s->lib->free(s->insn, 1);
	if (s->handle)
		s->lib->close(&s->handle);
	free(s);
}

static bool open_handle(struct state *s, size_t machine)
{
	const unsigned mode = s->isa.is64 ? machines[machine].mode64 : machines[machine].mode;
	const unsigned order = s->isa.big_endian ? CS_MODE_BIG_ENDIAN : 0;
	const cs_arch arch = machines[machine].arch;

	return s->lib->open(arch, (cs_mode)(mode | order), &s->handle) == CS_ERR_OK;
}

static void *open_capstone(const struct disasm_opts *o, const struct disasm_isa *isa,
			   struct err *err UNUSED)
{
	struct state *s = xcalloc(1, sizeof(*s));
	size_t i = 0;

	while (i < ARRAY_SIZE(machines) && machines[i].machine != isa->machine)
		i++;
	s->isa = *isa;
	s->lib = capstone_lib();
	if (!s->lib || i == ARRAY_SIZE(machines) || !open_handle(s, i)) {
		s->handle = 0;
		close_capstone(s);
		return NULL;
	}
	s->is_x86 = machines[i].arch == CS_ARCH_X86;
	s->intel = o->style && !strcmp(o->style, "intel");
	if (s->is_x86 && !s->intel)
		s->lib->option(s->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	else if (!s->is_x86)
		s->lib->option(s->handle, CS_OPT_DETAIL, CS_OPT_ON);
	s->insn = s->lib->malloc(s->handle);
	return s;
}

/* One instruction at p, of at most n bytes. */
static bool decode_one(struct state *s, const u8 *p, size_t n, u64 rva)
{
	return s->lib->disasm_iter(s->handle, &p, &n, &rva, s->insn);
}

static void copy_text(const struct state *s, struct insn_text *t)
{
	snprintf(t->mnemonic, sizeof(t->mnemonic), "%s", s->insn->mnemonic);
	snprintf(t->operands, sizeof(t->operands), "%s", s->insn->op_str);
}

static void decode_x86(struct state *s, const struct code_bytes *in, struct insn *i,
		       struct insn_text *t)
{
	struct x86_parts x;

	if (!x86_split(in->p, in->n, s->isa.is64, &x)) {
		disasm_unknown(i, in, 1, t);
		return;
	}
	i->length = x.length;
	x86_classify(i, in->p, &x, s->isa.is64);
	if (x86_evex(t, in->p, &x, s->intel))
		return;
	if (!decode_one(s, in->p, x.length, in->rva) || s->insn->size != x.length) {
		disasm_unknown(i, in, x.length, t);
		return;
	}
	copy_text(s, t);
	(s->intel ? x86_intel : x86_att)(t, in->p, &x, s->isa.is64);
	if (i->has_target)
		snprintf(t->operands, sizeof(t->operands), "%llx",
			 (unsigned long long)i->target_rva);
}

static void classify_by_groups(const struct state *s, struct insn *i)
{
	const cs_detail *d = s->insn->detail;

	for (u8 g = 0; d && g < d->groups_count; g++) {
		if (d->groups[g] == CS_GRP_RET)
			i->kind = INSN_RET;
		else if (d->groups[g] == CS_GRP_CALL)
			i->kind = INSN_CALL;
		else if (d->groups[g] == CS_GRP_JUMP && i->kind == INSN_OTHER)
			i->kind = INSN_JUMP;
	}
}

static void decode_other(struct state *s, const struct code_bytes *in, struct insn *i,
			 struct insn_text *t)
{
	if (!decode_one(s, in->p, in->n, in->rva)) {
		disasm_unknown(i, in, s->isa.align, t);
		return;
	}
	i->length = (u8)s->insn->size;
	copy_text(s, t);
	if (s->isa.machine == EM_AARCH64) {
		arm64_classify(i, in->p);
		arm64_text(i, t);
	} else {
		classify_by_groups(s, i);
	}
}

static int decode(void *p, const struct code_bytes *all, disasm_put put, void *ctx,
		  struct err *err UNUSED)
{
	struct state *s = p;
	struct code_bytes in = *all;
	struct insn_text t;
	int ret = 0;

	while (in.n && !ret) {
		struct insn i = { .rva = in.rva, .mnemonic = t.mnemonic, .operands = t.operands };

		(s->is_x86 ? decode_x86 : decode_other)(s, &in, &i, &t);
		memcpy(i.bytes, in.p, MIN((size_t)i.length, sizeof(i.bytes)));
		ret = put(ctx, &i);
		in.p += i.length, in.n -= i.length, in.rva += i.length;
	}
	return ret;
}

const struct engine capstone_engine = { "libcapstone", open_capstone, decode, close_capstone };
