// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "util/analysis/hist/hist.h"
#include "util/view/annotate-priv.h"
#include "util/view/event-title.h"
#include "util/view/text.h"

static bool jumps(const struct listing_insn *it)
{
	return it->i.kind == INSN_JUMP || it->i.kind == INSN_COND_JUMP;
}

const char *annotate_arrow(const struct listing *l, const struct listing_insn *it)
{
	if (it->i.kind == INSN_RET)
		return "←";
	if (it->i.kind == INSN_CALL)
		return "→";
	if (!jumps(it))
		return NULL;
	if (it->target == LISTING_NONE)
		return "→";
	return it->target > (u32)(it - l->insns.v) ? "↓" : "↑";
}

const char *annotate_name(const struct annotate_view *v, const struct symbol *sym)
{
	return v->look.mangled && sym->mangled ? sym->mangled : sym->name;
}

static void add_name(struct str *out, const struct annotate_view *v, const struct insn *i, u64 at)
{
	str_add(out, annotate_name(v, i->sym));
	if (at != i->sym->start_rva)
		str_addf(out, "+0x%llx", (unsigned long long)(at - i->sym->start_rva));
}

/* "0x2ee3(%rip),%rax" with the name instead; false: there is no such operand. */
static bool add_named_data(struct str *out, const struct annotate_view *v, const struct insn *i)
{
	const char *rip = strstr(i->operands, "(%rip)");
	const char *from = rip;

	if (!rip)
		return false;
	while (from > i->operands && from[-1] != ',' && from[-1] != '*')
		from--;
	str_addn(out, i->operands, (size_t)(from - i->operands));
	add_name(out, v, i, i->data_rva);
	str_add(out, rip + strlen("(%rip)"));
	return true;
}

/* Where a jump or call goes: "6d", "puts@plt". */
static void add_target(struct str *out, const struct annotate_view *v,
		       const struct listing_insn *it)
{
	const struct insn *i = &it->i;
	const char *address = strrchr(i->operands, ',');

	if (address)	/* "w0, 4005d0": what is compared */
		str_addf(out, "%.*s ", (int)(address + 1 - i->operands), i->operands);
	if (it->target != LISTING_NONE)
		str_addf(out, "%llx", (unsigned long long)(i->target_rva - v->l->sym->start_rva));
	else if (i->kind == INSN_CALL && i->sym)
		add_name(out, v, i, i->target_rva);
	else if (i->sym)
		str_addf(out, "%llx <", (unsigned long long)i->target_rva),
		add_name(out, v, i, i->target_rva), str_add(out, ">");
	else
		str_addf(out, "%llx", (unsigned long long)i->target_rva);
}

/* What stands behind the mnemonic: "6d", "puts@plt", "lock,%rdi". */
static void add_operands(struct str *out, const struct annotate_view *v,
			 const struct listing_insn *it)
{
	const struct insn *i = &it->i;

	if (v->look.plain) {
		insn_add_operands(out, i);
		return;
	}
	if (!strncmp(i->mnemonic, "nop", 3))
		return;
	if (i->has_target) {
		add_target(out, v, it);
		return;
	}
	if (i->has_data && i->sym && !jumps(it) && i->kind != INSN_CALL &&
	    add_named_data(out, v, i))
		return;
	str_add(out, i->operands);
	if (i->has_data) {
		str_addf(out, "        # %llx", (unsigned long long)i->data_rva);
		if (i->sym)
			str_add(out, " <"), add_name(out, v, i, i->data_rva), str_add(out, ">");
	}
}

static const char *mnemonic_of(const struct annotate_view *v, const struct insn *i)
{
	return v->look.plain || strncmp(i->mnemonic, "nop", 3) ? i->mnemonic : "nop";
}

/* What is added to an address of the file. */
static u64 base_of(const struct annotate_view *v)
{
	const struct annotate_look *l = &v->look;

	return !l->plain ? -v->l->sym->start_rva : l->full ? v->shift : 0;
}

/* Of the name alone: "rep stos" begins with a prefix. */
struct annotate_widths annotate_widths(const struct annotate_view *v)
{
	struct annotate_widths w = { .address = 1, .mnemonic = 4 };

	u32 jumps_here = 0;

	for vec_each(it, &v->l->insns) {
		w.mnemonic = MAX(w.mnemonic, strcspn(mnemonic_of(v, &it->i), " "));
		jumps_here = MAX(jumps_here, it->n_jumps_here);
	}
	for (w.jumps = 2; jumps_here >= 10; jumps_here /= 10)
		w.jumps++;
	for (u64 n = v->l->sym->end_rva + base_of(v); n >>= 4;)
		w.address++;
	return w;
}

static int cell_width(const struct annotate_view *v) { return v->look.show_period ? 11 : 7; }

static size_t margin(const struct annotate_view *v)
{
	return v->counts.n * (size_t)(cell_width(v) + 1) - 1;
}

static bool has_offset(const struct annotate_view *v, const struct listing_insn *it)
{
	return v->look.plain || it->n_jumps_here || v->look.offsets == ANNOTATE_OFFSETS_ALL ||
		(v->look.offsets == ANNOTATE_OFFSETS_CALLS && it->i.kind == INSN_CALL);
}

/* What stands before an instruction. */
static void add_offset(struct str *out, const struct annotate_view *v,
		       const struct annotate_widths *w, const struct listing_insn *it)
{
	str_add(out, "  ");
	if (v->look.jumps && it->n_jumps_here)
		str_addf(out, "%*u ", (int)w->jumps - 1, it->n_jumps_here);
	else if (v->look.jumps)
		str_addchn(out, ' ', w->jumps);
	if (has_offset(v, it))
		str_addf(out, "%*llx: ", (int)w->address,
			 (unsigned long long)(it->i.rva + base_of(v)));
	else
		str_addchn(out, ' ', w->address + 2);
}

static void add_insn(struct str *out, const struct annotate_view *v,
		     const struct annotate_widths *w, u32 nr)
{
	const struct listing_insn *it = &v->l->insns.v[nr];
	const char *arrow = annotate_arrow(v->l, it), *name = mnemonic_of(v, &it->i);
	const size_t n = strcspn(name, " ");
	struct str operands = STR_INIT;

	add_offset(out, v, w, it);
	str_addf(out, "%s ", arrow ? arrow : " ");
	if (v->look.raw)
		annotate_add_bytes(out, &it->i);
	if (name[n])	/* "rep stos": the name goes with the operands */
		str_addf(&operands, "%s ", name + n + 1);
	add_operands(&operands, v, it);
	str_addn(out, name, n);
	if (operands.len) {
		str_addchn(out, ' ', n < w->mnemonic ? w->mnemonic + 1 - n : 1);
		str_add_safe(out, str_cstr(&operands));
	}
	annotate_add_type(out, v, it);
	str_release(&operands);
}

void annotate_samples_title(struct str *out, const struct annotate_view *v)
{
	const struct annotate_sum sum = annotate_sum_of(v->counts.event_totals, v->counts.n);
	const struct event_samples s = { v->events, v->event, .group = v->group, .rate = true,
					 .n = sum.n, .period = sum.period };

	event_title_samples(out, &s);
}

static void add_head(struct str *out, const struct annotate_view *v)
{
	annotate_samples_title(out, v);
	str_addf(out, ", [percent: %s]\n", annotate_percent_text(v->counts.percent));
	str_add_safe(out, v->l->sym->name);
	if (!strchr(v->l->sym->name, '(') || strchr(v->l->sym->name, '(')[1] == '*')
		str_add(out, "()");	/* "main.(*Store).Save" has no parameters either */
	str_add(out, " ");
	str_add_safe(out, v->path);
	str_add(out, "\n");
}

/* What objdump writes before the source. */
static void add_place(struct str *out, const struct annotate_view *v,
		      const struct annotate_widths *w)
{
	const int column = (int)(margin(v) + annotate_cycles_width(v) + w->address + 4);

	str_add(out, annotate_title(v));
	annotate_add_cycles(out, v, &v->l->lines.v[0], true);
	str_add(out, "\n\n");
	if (v->l->section)
		str_addf(out, "%*sDisassembly of section %s:\n\n", column, "", v->l->section);
	str_addf(out, "%*s%016llx <", column, "", (unsigned long long)v->l->sym->start_rva);
	str_add_safe(out, v->l->sym->name);
	str_add(out, ">:\n");
}

void annotate_code_line(struct str *out, const struct annotate_view *v,
			const struct annotate_widths *w, const struct listing_line *line)
{
	const bool function = line->kind == LISTING_FUNCTION;
	const size_t before = v->look.jumps ? w->jumps + 4 : 4;

	if (line->kind == LISTING_INSN) {
		add_insn(out, v, w, line->insn);
		return;
	}
	if (v->look.line_numbers && line->kind == LISTING_SOURCE)
		str_addf(out, "  %-*u ", (int)(w->address + before - 3), line->line);
	else
		str_addchn(out, ' ', w->address + before);
	annotate_indented(out, line->text);
	if (function)
		str_addf(out, "%s:%s", strchr(line->text, '(') ? "" : "()",
			 line->inlined ? " (inlined)" : "");
}

static bool has_numbers(const struct annotate_view *v, const struct listing_line *line)
{
	return line->kind == LISTING_INSN && annotate_counts(v, line->insn);
}

void annotate_numbers(struct str *out, const struct annotate_view *v,
		      const struct listing_line *line)
{
	const struct annotate_cells how = { .width = cell_width(v), .blank_zero = true,
					    .between = " " };

	if (has_numbers(v, line))
		annotate_add_cells(out, v, line->insn, &how);
	else
		str_addchn(out, ' ', margin(v));
}

void annotate_stdio2(struct str *out, const struct annotate_view *v)
{
	const struct annotate_widths w = annotate_widths(v);
	bool first = true;

	add_head(out, v);
	if (v->look.source) {
		add_place(out, v, &w);
		first = false;
	}
	for vec_each(line, &v->l->lines) {
		if (first && !has_numbers(v, line))	/* the title stands in their place */
			str_addf(out, "%-*s", (int)margin(v), annotate_title(v));
		else
			annotate_numbers(out, v, line);
		annotate_add_cycles(out, v, line, first);
		first = false;
		annotate_code_line(out, v, &w, line);
		str_add(out, "\n");
	}
}
