// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/disasm/disasm.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/disasm/disasm-priv.h"

#define OBJDUMP_COLUMNS 6	/* of a mnemonic, before its operands */
#define BEYOND 16		/* bytes read after the end, for what begins before it */

/* One engine for each kind of code that was met. */
struct opened { struct disasm_isa isa; void *state; };
struct opened_reader { struct disasm_isa isa; struct operand_reader *reader; };

struct disasm {
	struct disasm_opts opts;
	const struct engine *engine;
	VEC(struct opened) opened;
	VEC(struct opened_reader) readers;
	VEC(u8) code;
};

static const char *const styles[] = { "att", "intel" };

static int check_style(const char *style, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(styles); i++)
		if (!style || !strcmp(style, styles[i]))
			return 0;
	err_set(err, EINVAL, "no disassembler style '%s'", style);
	err_hint(err, "-M att and -M intel are known (all that objdump knows, with --objdump "
		      "objdump)");
	return -EINVAL;
}

struct disasm *disasm_new(const struct disasm_opts *opts, struct err *err)
{
	const bool program = opts->objdump || capstone_check(NULL);
	struct disasm *x;

	if (!program && check_style(opts->style, err))
		return NULL;
	x = xcalloc(1, sizeof(*x));
	x->opts = *opts;
	x->engine = program ? &objdump_engine : &capstone_engine;
	return x;
}

void disasm_free(struct disasm *x)
{
	if (!x)
		return;
	for vec_each(o, &x->opened)
		x->engine->close(o->state);
	for vec_each(r, &x->readers)
		operand_reader_close(r->reader);
	vec_free(&x->opened);
	vec_free(&x->readers);
	vec_free(&x->code);
	free(x);
}

/* of the file where it is one, else of the recording */
static struct disasm_isa isa_of(const struct disasm *x, struct dso *d)
{
	const struct arch_info *a = x->opts.arch;
	struct disasm_isa isa = { .machine = a->elf_machine, .is64 = a->addr_bytes == 8,
				  .align = a->insn_align };
	struct dso_isa own;

	if (dso_isa(d, &own)) {
		isa.machine = own.machine;
		isa.is64 = own.is64;
		isa.big_endian = own.big_endian;
	}
	if (isa.machine != EM_X86_64 && isa.machine != EM_386)
		isa.align = MAX(isa.align, isa.machine == EM_S390 ? 2 : 4);
	return isa;
}

static bool same_isa(const struct disasm_isa *a, const struct disasm_isa *b)
{
	return a->machine == b->machine && a->is64 == b->is64 && a->big_endian == b->big_endian;
}

static void *engine_for(struct disasm *x, const struct disasm_isa *as, struct err *err)
{
	const struct disasm_isa isa = *as;
	struct opened o = { .isa = isa };

	for vec_each(it, &x->opened)
		if (same_isa(&it->isa, &isa))
			return it->state;
	o.state = x->engine->open(&x->opts, &isa, err);
	if (!o.state) {
		if (!err || !err->msg) {
			err_set(err, ENOTSUP, "%s knows no instructions of ELF machine %u",
				x->engine->name, isa.machine);
			err_hint(err, "--objdump PROGRAM uses an objdump for it");
		}
		return NULL;
	}
	vec_push(&x->opened, o);
	return o.state;
}

int disasm_bytes(struct disasm *x, const struct disasm_isa *isa, const struct code_bytes *in,
		 disasm_put put, void *ctx, struct err *err)
{
	void *state = engine_for(x, isa, err);

	return state ? x->engine->decode(state, in, put, ctx, err) : -ENOTSUP;
}

struct putting { struct dso *d; u64 to_rva; disasm_put put; void *ctx; };

static int put_named(void *ctx, const struct insn *bare)
{
	struct putting *p = ctx;
	struct insn i = *bare;

	if (i.rva >= p->to_rva)
		return 0;
	if (i.has_target || i.has_data)
		i.sym = dso_find(p->d, i.has_target ? i.target_rva : i.data_rva);
	return p->put(p->ctx, &i);
}

int disasm_range(struct disasm *x, struct dso *d, const struct disasm_range *r, disasm_put put,
		 void *ctx, struct err *err)
{
	const u64 n = r->to_rva > r->from_rva ? MIN(r->to_rva - r->from_rva,
						    (u64)DISASM_MAX_BYTES) : 0;
	struct putting p = { .d = d, .to_rva = r->from_rva + n, .put = put, .ctx = ctx };
	struct code_bytes in = { .rva = r->from_rva };
	struct disasm_isa isa;

	vec_reserve(&x->code, n + BEYOND);
	in.p = x->code.v;
	in.n = n ? dso_read(d, r->from_rva, x->code.v, n + BEYOND) : 0;
	if (!in.n && n)		/* what follows cannot be read */
		in.n = dso_read(d, r->from_rva, x->code.v, n);
	if (!in.n)
		return err_set(err, ENODATA, "its code cannot be read");
	isa = isa_of(x, d);
	return disasm_bytes(x, &isa, &in, put_named, &p, err);
}

int disasm_check_operands(struct err *err)
{
	return capstone_check(err) ? err_prefix(err, "types of data cannot be found") : 0;
}

bool disasm_operands(struct disasm *x, struct dso *d, const struct insn *i,
		     struct insn_operands *out)
{
	struct opened_reader r = { .isa = isa_of(x, d) };

	if (r.isa.machine == EM_AARCH64) {
		arm64_operands(i, out);
		return true;
	}
	for vec_each(it, &x->readers)
		if (same_isa(&it->isa, &r.isa))
			return it->reader && operand_reader_read(it->reader, i, out);
	r.reader = operand_reader_open(&r.isa);
	vec_push(&x->readers, r);
	return r.reader && operand_reader_read(r.reader, i, out);
}

u16 disasm_machine(const struct disasm *x, struct dso *d) { return isa_of(x, d).machine; }

void insn_add_text(struct str *out, const struct insn *i)
{
	str_add(out, i->mnemonic);
	if (i->operands[0])
		str_addchn(out, ' ', strlen(i->mnemonic) < OBJDUMP_COLUMNS ?
			   OBJDUMP_COLUMNS + 1 - strlen(i->mnemonic) : 1);
	insn_add_operands(out, i);
}

void insn_add_operands(struct str *out, const struct insn *i)
{
	const u64 at = i->has_target ? i->target_rva : i->data_rva;

	str_add(out, i->operands);
	if (i->has_data && !i->has_target)
		str_addf(out, "        # %llx", (unsigned long long)i->data_rva);
	if (!i->sym || !(i->has_target || i->has_data))
		return;
	str_addf(out, " <%s", i->sym->name);
	if (at != i->sym->start_rva)
		str_addf(out, "+0x%llx", (unsigned long long)(at - i->sym->start_rva));
	str_addch(out, '>');
}
