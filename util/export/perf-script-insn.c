// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The code that branch stacks tell of (brstackinsn): from where each branch went to, up to the next
 * one; and the instruction of a sample. Bytes come from the files.
 */
#include "util/export/perf-script-priv.h"

#include <elf.h>
#include <errno.h>

#include "arch/x86-split.h"
#include "util/analysis/annotate/listing.h"
#include "util/disasm/disasm.h"

enum {
	INSN_BYTES = 15,	/* the longest of x86 */
	BLOCK_BYTES = 16384,	/* longer ones are left out */
	OPEN_BYTES = 128,	/* of code whose end is not known */
	BRANCH_COLUMNS = 24,	/* of the bytes of a branch, before what is said of it */
};

/* What is printed of one sample. */
struct walk {
	struct str *out;
	const struct script_opts *o;
	u64 fields;
	struct script_code *code;
	const struct branch_view *stack;
	const struct thread *thread;
	const struct symbol *last;
	u64 cycles;		/* of the branches so far */
};

/* Bytes from a place on, and where they are. */
struct bytes { const struct location *from; u8 *p; size_t n; bool is64, x86; };

static bool is_kernel(const struct location *l)
{
	return l->map ? l->map->kernel : l->va >> 63;
}

static void take_isa(struct bytes *b, const struct script_code *c)
{
	u16 machine = c->arch->elf_machine;
	struct dso_isa isa;

	b->is64 = c->arch->addr_bytes == 8;
	if (dso_isa(b->from->dso, &isa)) {
		machine = isa.machine;
		b->is64 = isa.is64;
	}
	b->x86 = machine == EM_X86_64 || machine == EM_386;
}

static struct bytes read_bytes(struct script_code *c, const struct location *from, size_t n)
{
	struct bytes b = { .from = from, .p = c->buf };

	if (!from->dso)
		return b;
	b.n = dso_read(from->dso, from->rva + from->back, c->buf, MIN(n, sizeof(c->buf)));
	if (b.n)
		take_isa(&b, c);
	return b;
}

/* How long the instruction is that begins there; 0: none. */
static unsigned insn_length(const struct bytes *b, size_t at, struct x86_parts *x)
{
	*x = (struct x86_parts){ 0 };
	if (!b->x86)
		return at + 4 <= b->n ? 4 : 0;
	if (x86_split(b->p + at, b->n - at, b->is64, x))
		return x->length;
	return 0;
}

/* What comes behind it is not what runs next. */
static bool always_leaves(const struct x86_parts *x)
{
	const u8 reg = x->modrm >> 3 & 7;

	if (x->encoding != X86_LEGACY)
		return false;
	if (x->map == 1)
		return x->opcode == 0x05 || x->opcode == 0x07 || x->opcode == 0x34 ||
			x->opcode == 0x35;
	if (x->map || !x->length)
		return false;
	switch (x->opcode) {
	case 0xc2: case 0xc3: case 0xca: case 0xcb: case 0xcc: case 0xcd: case 0xcf:
	case 0xe8: case 0xe9: case 0xea: case 0xeb: case 0x9a:
		return true;
	case 0xff:
		return reg >= 2 && reg <= 5;
	}
	return false;
}

/* ---- one instruction ---- */

static void add_hex(struct str *out, const u8 *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		str_addf(out, "%02x ", p[i]);
}

struct shown { struct str *out; };

static int put_text(void *ctx, const struct insn *i)
{
	insn_add_text(((struct shown *)ctx)->out, i);
	return 1;
}

static bool add_disasm(struct str *out, struct script_code *c, struct dso *d, u64 rva)
{
	const struct disasm_opts o = { .arch = c->arch };
	struct str text = STR_INIT;
	struct shown s = { &text };
	struct err err = ERR_INIT;
	int ret;

	if (!c->disasm)
		c->disasm = disasm_new(&o, &err);
	ret = c->disasm ? disasm_range(c->disasm, d, &(struct disasm_range){ rva, rva + 1 },
				       put_text, &s, &err) : 0;
	str_add_safe(out, str_cstr(&text));
	str_release(&text);
	err_release(&err);
	return ret == 1;
}

/* "\tADDRESS\tinsn: 74 08 ", the bytes as wide as asked */
static void add_insn(struct walk *w, const struct bytes *b, size_t at, unsigned n, size_t width)
{
	const u64 rva = b->from->rva + b->from->back + at;
	size_t from;

	str_addf(w->out, "\t%016llx\t", (unsigned long long)b->from->va + at);
	if (w->fields & SF_BRSTACKDISASM && add_disasm(w->out, w->code, b->from->dso, rva)) {
		str_addch(w->out, ' ');
	} else {
		str_add(w->out, "insn: ");
		from = w->out->len;
		add_hex(w->out, b->p + at, n);
		if (w->out->len - from < width)
			str_addchn(w->out, ' ', width - (w->out->len - from));
	}
	if (w->fields & SF_BRSTACKINSNLEN)
		str_addf(w->out, "\tilen: %u", n);
}

/* ---- names and lines of the source ---- */

static struct location moved(const struct location *l, u64 by)
{
	struct location at = *l;

	at.va += by;
	at.rva += l->back + by;
	at.back = 0;
	at.inl = NULL;
	at.inline_depth = 0;
	at.sym = at.dso ? dso_find(at.dso, at.rva) : NULL;
	return at;
}

/* "\tname+33:", where another function begins */
static void add_label(struct walk *w, const struct location *l)
{
	if (!l->sym || l->sym == w->last)
		return;
	w->last = l->sym;
	str_addch(w->out, '\t');
	str_add_safe(w->out, l->sym->name);
	if (l->rva != l->sym->start_rva)
		str_addf(w->out, "%+lld", (long long)(l->rva - l->sym->start_rva));
	str_addch(w->out, ':');
	if (w->fields & SF_SRCLINE) {
		str_addch(w->out, '\t');
		script_add_srcline(w->out, w->o, l);
	}
	str_addch(w->out, '\n');
}

/* The line of the source, unless it was the last one of this thread. */
void script_add_source(struct str *out, struct script_code *c, const struct location *l,
		       const struct thread *t)
{
	struct source_shown *last;
	struct srcline at;
	struct span text;

	if (!t || !l->dso || !dso_srcline(l->dso, l->rva, &at) || !at.file)
		return;
	while (c->shown.n <= (size_t)t->index)
		vec_push(&c->shown, ((struct source_shown){ NULL, 0 }));
	last = &c->shown.v[t->index];
	if (last->line == at.line && last->file && !strcmp(last->file, at.file))
		return;
	text = source_line(&c->sources, at.file, at.line);
	if (!text.ptr)
		return;
	*last = (struct source_shown){ at.file, at.line };
	str_addf(out, "|%-8u ", at.line);
	for (size_t i = 0; i < text.len; i++) {	/* tabs indent */
		if (text.ptr[i] == '\t')
			str_addch(out, '\t');
		else
			str_add_safen(out, (const char *)text.ptr + i, 1);
	}
	str_addch(out, '\n');
}

static void add_source(struct walk *w, const struct location *l)
{
	if (w->fields & SF_SRCCODE)
		script_add_source(w->out, w->code, l, w->thread);
}

/* ---- what is known of a branch ---- */

static void add_counters(struct walk *w, u64 i)
{
	const struct branch_counters *c = &w->code->counters;
	const u64 full = c->bits >= 64 ? ~0ULL : (1ULL << c->bits) - 1;
	bool any = false;

	str_add(w->out, "\t# br_cntr: ");
	for (unsigned k = 0; k < c->n; k++) {
		const u64 n = w->stack->counters[i] >> (k * c->bits) & full;

		if (!n)
			continue;
		any = true;
		if (c->bits > 3)
			str_addf(w->out, "%c%llu", 'A' + k, (unsigned long long)n);
		else
			str_addchn(w->out, (char)('A' + k), n);
		if (n == full)
			str_addch(w->out, '+');
	}
	str_add(w->out, any ? " " : "- ");
}

/* insns: since the branch before it; 0: not known */
static void add_branch_facts(struct walk *w, u64 i, const struct location *l, u64 insns)
{
	const struct perf_branch_entry *b = &w->stack->entries[i];

	if (w->fields & SF_SRCLINE) {
		str_add(w->out, "\t srcline: ");
		script_add_srcline(w->out, w->o, l);
	}
	str_addch(w->out, '\t');
	if (w->fields & SF_BRCNTR && w->stack->counters && w->code->counters.n)
		add_counters(w, i);
	else
		str_addch(w->out, '#');
	str_addf(w->out, "%s%s%s%s", b->predicted ? " PRED" : "", b->mispred ? " MISPRED" : "",
		 b->in_tx ? " INTX" : "", b->abort ? " ABORT" : "");
	if (b->cycles) {
		w->cycles += b->cycles;
		str_addf(w->out, " %u cycles [%llu]", (unsigned)b->cycles,
			 (unsigned long long)w->cycles);
		if (insns)
			str_addf(w->out, " %.2f IPC", (double)insns / b->cycles);
	}
	str_addch(w->out, '\n');
	add_source(w, l);
}

/* ---- blocks ---- */

static void add_branch_insn(struct walk *w, u64 i, const struct bytes *b, size_t at, u64 insns)
{
	const struct location l = moved(b->from, at);
	struct x86_parts x;
	const unsigned n = insn_length(b, at, &x);

	add_insn(w, b, at, n, BRANCH_COLUMNS);
	add_branch_facts(w, i, &l, insns);
}

/* The branch that the stack begins with: what ran before it is not known. */
static void add_first(struct walk *w, u64 i, const struct location *from)
{
	const struct bytes b = read_bytes(w->code, from, INSN_BYTES);
	struct x86_parts x;

	if (!b.n || !insn_length(&b, 0, &x))
		return;
	const struct location at = moved(from, 0);

	add_label(w, &at);
	add_branch_insn(w, i, &b, 0, 0);
}

/* Bytes of [from, to] and of the instruction at its end; none: it cannot be code that ran. */
static struct bytes read_block(struct walk *w, const struct location *from,
			       const struct location *to)
{
	if (!from->va || to->va < from->va || to->va - from->va > BLOCK_BYTES - INSN_BYTES ||
	    is_kernel(from) != is_kernel(to))
		return (struct bytes){ 0 };
	return read_bytes(w->code, from, to->va - from->va + INSN_BYTES);
}

/* From where one branch went to, up to branch i. */
static void add_block(struct walk *w, u64 i, const struct location *from,
		      const struct location *to)
{
	const struct bytes b = read_block(w, from, to);
	u64 insns = 0;

	for (size_t at = 0; at < b.n;) {
		const struct location l = moved(from, at);
		struct x86_parts x;
		const unsigned n = insn_length(&b, at, &x);

		add_label(w, &l);
		insns++;
		if (l.va == to->va) {
			add_branch_insn(w, i, &b, at, insns);
			return;
		}
		if (!n) {
			str_addf(w->out, "\t%016llx\t<bad>%s\n\tmismatch of LBR data and "
				 "executable\n", (unsigned long long)l.va,
				 w->fields & SF_BRSTACKINSNLEN ? "\tilen: 0" : "");
			return;
		}
		add_insn(w, &b, at, n, 0);
		str_addch(w->out, '\n');
		add_source(w, &l);
		at += n;
	}
}

static void add_one(struct walk *w, const struct location *at)
{
	const struct bytes b = read_bytes(w->code, at, INSN_BYTES);
	const struct location l = moved(at, 0);
	struct x86_parts x;
	const unsigned n = b.n ? insn_length(&b, 0, &x) : 0;

	if (!n)
		return;
	add_insn(w, &b, 0, n, 0);
	str_addch(w->out, '\n');
	add_source(w, &l);
}

/* From where the last branch went to, up to the sample; without its end where that is not ahead. */
static void add_rest(struct walk *w, const struct location *from, const struct location *ip)
{
	struct location start = moved(from, 0), end = *ip;
	struct bytes b;

	add_label(w, &start);
	if (end.va < from->va && is_kernel(from) == is_kernel(ip))
		end.va = from->va + OPEN_BYTES;
	b = read_block(w, from, &end);
	if (!b.n)
		add_one(w, ip);
	for (size_t at = 0; at < b.n && from->va + at <= end.va;) {
		const struct location l = moved(from, at);
		struct x86_parts x;
		const unsigned n = insn_length(&b, at, &x);

		add_label(w, &l);
		if (!n)
			return;
		add_insn(w, &b, at, n, 0);
		str_addch(w->out, '\n');
		if (l.va != ip->va && always_leaves(&x)) {
			str_add(w->out, "\t... not reaching sample ...\n");
			return;
		}
		add_source(w, &l);
		at += n;
	}
}

void add_branch_code(struct str *out, const struct script_opts *o, u64 fields,
		     const struct sample *s, const struct resolved *r, struct script_code *c)
{
	struct walk w = { .out = out, .o = o, .fields = fields, .code = c, .stack = &s->branch,
			  .thread = r->thread };
	const struct location *ends = r->branches;
	u64 n = s->branch.n;

	if (!n || !ends)
		return;
	if (o->max_blocks > 0 && n > (u64)o->max_blocks + 1)
		n = (u64)o->max_blocks + 1;
	str_addch(out, '\n');
	add_first(&w, n - 1, &ends[2 * (n - 1)]);
	for (u64 i = n - 1; i-- > 0;)
		add_block(&w, i, &ends[2 * (i + 1) + 1], &ends[2 * i]);
	if (s->branch.entries[0].from != s->ip && !s->branch.entries[0].abort)
		add_rest(&w, &ends[1], &r->leaf);
}

/* ---- of a sample ---- */

void add_sample_insn(struct str *out, u64 fields, const struct resolved *r, struct script_code *c)
{
	const struct bytes b = read_bytes(c, &r->leaf, INSN_BYTES);
	struct x86_parts x;
	const unsigned n = b.n ? insn_length(&b, 0, &x) : 0;

	if (fields & SF_INSNLEN)
		str_addf(out, " ilen: %u", n);
	if (fields & SF_INSN && n) {
		str_add(out, " insn: ");
		add_hex(out, b.p, n);
		out->len--;	/* the last blank */
	}
	if (fields & SF_DISASM && n) {
		str_addch(out, ' ');
		add_disasm(out, c, r->leaf.dso, r->leaf.rva);
	}
}

void add_counter_letters(struct str *out, const struct branch_counters *c)
{
	str_add(out, "# Branch counter abbr list:\n");
	for (unsigned i = 0; i < c->n; i++) {
		str_add(out, "# ");
		str_add_safe(out, c->of[i]->name);
		str_addf(out, " = %c\n", 'A' + i);
	}
	str_add(out, "# '-' No event occurs\n"
		     "# '+' Event occurrences may be lost due to branch counter saturated\n");
}

void script_code_release(struct script_code *c)
{
	disasm_free(c->disasm);
	source_files_release(&c->sources);
	vec_free(&c->shown);
}
