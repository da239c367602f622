// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Key columns of branches (one row input per branch entry).
 */
#include <stdlib.h>
#include <string.h>

#include "util/analysis/annotate/ipc.h"
#include "util/analysis/hist/keys-priv.h"

static const struct location *end_of(const struct key_ctx *c, bool to)
{
	return c->item->res->branches ? &c->item->res->branches[2 * c->branch + to] : NULL;
}

static const char *intern(const struct key_ctx *c,
			  const char *s) { return intern_str(c->keys->names, s); }
static u64 name_word(const struct key_ctx *c, const char *s) { return (uintptr_t)intern(c, s); }

static u64 dso_name(const struct key_ctx *c, const struct location *l)
{
	return name_word(c, l && l->dso ? l->dso->short_name : "[unknown]");
}

#define SIGN (1ULL << 63)
#define PLACE_DIGITS 17

/* Words of places are texts with digits before them, by which rows are ordered as upstream perf
 * does: what has a name first; by address, the kernel's first. */
static u64 place_word(const struct key_ctx *c, bool named, u64 address, struct str *text)
{
	struct str s = STR_INIT;
	u64 w;

	str_addf(&s, "%d%016llx%s", !named, (unsigned long long)(address ^ SIGN), str_cstr(text));
	w = name_word(c, str_cstr(&s));
	str_release(&s);
	str_release(text);
	return w;
}

static const char *place_text(u64 w) { return (const char *)(uintptr_t)w + PLACE_DIGITS; }

static void cell_place(const struct key *k UNUSED, u64 w, struct table *t UNUSED, struct cell *out)
{
	*out = cell_text(place_text(w));
}

/* In its file, where it is in one. */
static u64 address_of(const struct location *l) { return !l ? 0 : l->dso ? l->rva : l->va; }

/* As upstream perf writes it: 0 has no 0x. */
static void add_address(struct str *s, const struct location *l)
{
	str_addf(s, "%#.16llx", (unsigned long long)address_of(l));
}

static bool in_kernel(const struct location *l)
{
	return l && (l->cpumode == PERF_RECORD_MISC_KERNEL || l->va & SIGN);
}

/* What is mapped nowhere is of nobody, which upstream perf takes for the hypervisor. */
static u64 sym_name(const struct key_ctx *c, const struct location *l)
{
	struct str s = STR_INIT;
	char level = !l || (!l->dso && !l->sym) ? 'H' :
		in_kernel(l) ? 'k' : '.';

	str_addf(&s, "[%c] ", level);
	if (l && l->sym)
		str_add(&s, l->sym->name);
	else
		add_address(&s, l);
	return place_word(c, l && l->sym, !l ? 0 : l->sym ? l->sym->start_rva : l->va, &s);
}

static u64 addr_name(const struct key_ctx *c, const struct location *l)
{
	const u64 off = l && l->sym ? l->rva - l->sym->start_rva : 0;
	struct str s = STR_INIT;

	str_addf(&s, "[%c] ", in_kernel(l) ? 'k' : '.');
	if (!l || !l->sym)
		add_address(&s, l);
	else
		str_add(&s, l->sym->name);
	if (off)
		str_addf(&s, "+%#llx", (unsigned long long)off);
	return place_word(c, false, l ? l->va : 0, &s);
}

static void cell_branch_end(const struct key *k UNUSED, u64 w, struct table *t UNUSED,
			    struct cell *out)
{
	char digits[PLACE_DIGITS] = "";

	memcpy(digits, (const char *)(uintptr_t)w + 1, PLACE_DIGITS - 1);
	*out = (struct cell){ .kind = CELL_ADDR, .u = strtoull(digits, NULL, 16) ^ SIGN };
	out->text = place_text(w);
}

static u64 line_name(const struct key_ctx *c, const struct location *l)
{
	struct srcline at;
	struct str s = STR_INIT;
	u64 w;

	if (l && l->dso && dso_srcline(l->dso, l->rva, &at) && at.file) {
		const char *slash = strrchr(at.file, '/');

		str_addf(&s, "%s:%u", slash && !c->keys->full_source_path ? slash + 1 : at.file,
			 at.line);
	} else if (l && l->sym) {
		str_addf(&s, "%s+%llu", l->sym->name,
			 (unsigned long long)(l->rva - l->sym->start_rva));
	} else if (l && l->dso) {
		str_addf(&s, "%s[%llx]", l->dso->short_name, (unsigned long long)l->rva);
	} else {
		str_add(&s, "??:0");
	}
	w = name_word(c, str_cstr(&s));
	str_release(&s);
	return w;
}

#define WORD(fn, expr) \
	static u64 fn(const struct key_ctx *c, const struct key *k) { (void)k; return expr; }
WORD(dso_from, dso_name(c, end_of(c, false)))
WORD(dso_to, dso_name(c, end_of(c, true)))
WORD(sym_from, sym_name(c, end_of(c, false)))
WORD(sym_to, sym_name(c, end_of(c, true)))
WORD(line_from, line_name(c, end_of(c, false)))
WORD(line_to, line_name(c, end_of(c, true)))
WORD(addr_from, addr_name(c, end_of(c, false)))
WORD(addr_to, addr_name(c, end_of(c, true)))
WORD(mispredict, name_word(c, c->item->sample->branch.entries[c->branch].mispred ? "Y" :
			       c->item->sample->branch.entries[c->branch].predicted ? "N" : "N/A"))
WORD(in_tx, name_word(c, c->item->sample->branch.entries[c->branch].in_tx ? "T" : "."))
WORD(txn_abort, name_word(c, c->item->sample->branch.entries[c->branch].abort ? "A" : "."))
WORD(cycles, c->item->sample->branch.entries[c->branch].cycles)

static void cell_cycles(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	(void)k, (void)t;
	*out = w ? cell_count(w) : (struct cell){ .kind = CELL_NONE };
}

/* A column that upstream perf has beside rows of functions without cycles of their blocks. */
static u64 no_ipc(const struct key_ctx *c UNUSED, const struct key *k UNUSED) { return 0; }

static void cell_no_ipc(const struct key *k UNUSED, u64 w UNUSED, struct table *t UNUSED,
			struct cell *out)
{
	*out = (struct cell){ .kind = CELL_NONE };
}

/* Of the function that a branch went to; where it has no name it is its address, as an odd
 * number. */
WORD(function_to, c->loc->sym ? (uintptr_t)c->loc->sym : c->loc->va << 1 | 1)

static int cmp_function(u64 wa, u64 wb)
{
	const struct symbol *a = (void *)(uintptr_t)wa, *b = (void *)(uintptr_t)wb;

	if ((wa | wb) & 1)
		return (wa & 1) != (wb & 1) ? (int)(wa & 1) - (int)(wb & 1) :
			wa < wb ? -1 : wa > wb;
	if (a->start_rva != b->start_rva)
		return a->start_rva < b->start_rva ? -1 : 1;
	return strcmp(a->name, b->name);
}

static const struct table *ipc_parts(struct table *t, const struct function_ipc *ipc)
{
	static const char *const names[] = { "ipc", "coverage_pct" };
	struct table *parts = table_new_list(t);

	table_add_column(parts, "name", "Name");
	table_add_column(parts, "value", "Value");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct table_row *row = table_add_row(parts);

		row->cells[0] = cell_text(names[i]);
		row->cells[1] = cell_num(i ? ipc->coverage_pct : ipc->ipc, 2);
	}
	return parts;
}

static void cell_ipc(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	const struct symbol *sym = (void *)(uintptr_t)w;
	struct function_ipc ipc = { 0 };
	struct str text = STR_INIT;

	*out = (struct cell){ .kind = CELL_NONE };
	if (w & 1)
		return;
	if (k->ipcs)
		ipc = function_ipcs_find(k->ipcs, sym);
	str_addf(&text, "%-5.2f [%5.1f%%]", ipc.ipc, ipc.coverage_pct);
	*out = cell_list(ipc_parts(t, &ipc));
	out->text = table_text(t, str_cstr(&text));
	str_release(&text);
}

static int cmp_more_first(u64 a, u64 b) { return a > b ? -1 : a < b; }

#define COL(name_, title_, word_, cmp_, cell_, ...) \
	{ .name = name_, .title = title_, .level = KEY_SAMPLE, .word = word_, .cmp = cmp_, \
	  .cell = cell_, ##__VA_ARGS__ }
static const struct key_def defs[] = {
	COL("dso_from", "Source Shared Object", dso_from, key_cmp_text, key_cell_text,
	    .needs_branch = true),
	COL("dso_to", "Target Shared Object", dso_to, key_cmp_text, key_cell_text,
	    .needs_branch = true),
	COL("symbol_from", "Source Symbol", sym_from, key_cmp_text, cell_place,
	    .needs_branch = true, .alias = "sym_from"),
	COL("symbol_to", "Target Symbol", sym_to, key_cmp_text, cell_place,
	    .needs_branch = true, .alias = "sym_to"),
	COL("srcline_from", "From Source:Line", line_from, key_cmp_text, key_cell_text,
	    .needs_branch = true),
	COL("srcline_to", "To Source:Line", line_to, key_cmp_text, key_cell_text,
	    .needs_branch = true),
	COL("addr_from", "Source Address", addr_from, key_cmp_text, cell_branch_end,
	    .needs_branch = true, .trim = true),
	COL("addr_to", "Target Address", addr_to, key_cmp_text, cell_branch_end,
	    .needs_branch = true, .trim = true),
	COL("mispredict", "Branch Mispredicted", mispredict, key_cmp_text, key_cell_text,
	    .needs_branch = true),
	COL("in_tx", "Branch in transaction", in_tx, key_cmp_text, key_cell_text,
	    .needs_branch = true),
	COL("abort", "Transaction abort", txn_abort, key_cmp_text, key_cell_text,
	    .needs_branch = true),
	COL("cycles", "Basic Block Cycles", cycles, cmp_more_first, cell_cycles,
	    .needs_branch = true,
	    .form = COL_WORD, .none = "-"),
	COL("ipc_lbr", "IPC   [IPC Coverage]", function_to, cmp_function, cell_ipc,
	    .needs_branch = true, .none = "-"),
	COL("ipc_null", "IPC   [IPC Coverage]", no_ipc, NULL, cell_no_ipc, .none = "-      -"),
};

const struct key_def *key_defs_branch(size_t *n)
{
	*n = ARRAY_SIZE(defs);
	return defs;
}
