// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/annotate/listing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"

/* Lines that no instruction has are shown with the next one, when there are not more of them. */
#define MAX_GAP 16

/* What was shown last, while lines are made. */
struct making {
	struct listing *l;
	const struct listing_opts *opts;
	const char *function;		/* whose instructions these are */
	const char *file;
	u32 line;
	u32 next_line;			/* of its own file: the first not shown; 0: any */
	const char *own_file;
};

static int keep_insn(void *ctx, const struct insn *i)
{
	struct listing *l = ctx;
	struct listing_insn *own = vec_add(&l->insns);

	own->i = *i;
	own->i.mnemonic = arena_strdup(&l->texts, i->mnemonic);
	own->i.operands = *i->operands ? arena_strdup(&l->texts, i->operands) : "";
	own->target = LISTING_NONE;
	return 0;
}

u32 listing_insn_at(const struct listing *l, u64 rva)
{
	size_t from = 0, to = l->insns.n;

	while (to - from > 1) {
		const size_t mid = from + (to - from) / 2;

		if (l->insns.v[mid].i.rva <= rva)
			from = mid;
		else
			to = mid;
	}
	if (!l->insns.n || rva - l->insns.v[from].i.rva >= l->insns.v[from].i.length)
		return LISTING_NONE;
	return (u32)from;
}

static void find_targets(struct listing *l)
{
	for vec_each(it, &l->insns) {
		const bool jumps = it->i.kind == INSN_JUMP || it->i.kind == INSN_COND_JUMP;
		const u32 to = jumps && it->i.has_target ? listing_insn_at(l, it->i.target_rva) :
			LISTING_NONE;

		if (to == LISTING_NONE || l->insns.v[to].i.rva != it->i.target_rva)
			continue;
		it->target = to;
		l->insns.v[to].n_jumps_here++;
	}
}

static struct listing_line *add_line(struct making *m, enum listing_kind kind, u32 insn)
{
	struct listing_line *line = vec_add(&m->l->lines);

	line->kind = (u8)kind;
	line->insn = insn;
	return line;
}

static bool add_source(struct making *m, u32 insn, u32 nr, bool inlined)
{
	const struct span text = source_line(m->opts->files, m->file, nr);
	struct listing_line *line;

	if (!text.ptr)
		return false;
	line = add_line(m, LISTING_SOURCE, insn);
	line->file = m->file;
	line->line = nr;
	line->inlined = inlined;
	line->text = arena_strndup(&m->l->texts, (const char *)text.ptr, text.len);
	m->l->has_source = true;
	return true;
}

/* The line of this instruction, and before it those that were not shown yet. */
static void add_sources(struct making *m, u32 insn, bool inlined)
{
	u32 from = m->line;

	if (!inlined && m->file == m->own_file) {
		if (m->next_line && m->line >= m->next_line && m->line - m->next_line < MAX_GAP)
			from = m->next_line;
		m->next_line = MAX(m->next_line, m->line + 1);
	}
	for (u32 nr = from; nr <= m->line; nr++)
		add_source(m, insn, nr, inlined);
}

/* What debug information says of an instruction. */
static void find_position(struct making *m, struct listing_insn *it)
{
	const struct inline_frame *frames = NULL;
	const size_t n = m->opts->inlines ? dso_inlines(m->l->dso, it->i.rva, &frames) : 0;

	if (m->opts->source || m->opts->positions)
		dso_srcline(m->l->dso, it->i.rva, &it->src);
	if (n > 1)
		it->inlined = frames[0].name ? frames[0].name : "[inlined]";
}

/* "Do" of "main.impl.Do", "area" of "ns::Circle::area(int) const". */
static struct span plain_name(const char *name)
{
	const char *end = name + strcspn(name, "(<[ ");
	const char *from = end;

	while (from > name && from[-1] != ':' && from[-1] != '.')
		from--;
	return (struct span){ (const u8 *)from, (size_t)(end - from) };
}

/* The first instruction is of the body; the line above it that names the function begins it. */
static u32 find_head(struct making *m, u32 body)
{
	const struct span name = plain_name(m->l->sym->name);

	for (u32 nr = body; name.len && nr && body - nr <= MAX_GAP; nr--) {
		const struct span line = source_line(m->opts->files, m->own_file, nr);
		const u8 *at = line.ptr ? memmem(line.ptr, line.len, name.ptr, name.len) : NULL;

		if (at && memchr(at, '(', (size_t)(line.ptr + line.len - at)))
			return nr;
	}
	return body;
}

/* Compilers move code: the first lines of a function may be those of a later instruction. */
static void find_first_line(struct making *m)
{
	u32 min = UINT32_MAX, first = 0;

	for vec_each(it, &m->l->insns) {
		if (it->inlined || !it->src.file || !it->src.line)
			continue;
		if (!m->own_file) {
			m->own_file = it->src.file;
			first = it->src.line;
		}
		if (it->src.file == m->own_file)
			min = MIN(min, it->src.line);
	}
	if (first && m->opts->source)
		min = find_head(m, min);
	if (first && first - min <= MAX_GAP)
		m->next_line = min;
}

static void change_function(struct making *m, u32 insn, const char *name, bool inlined)
{
	struct listing_line *line;

	if (name == m->function || !strcmp(m->function, name))
		return;
	m->function = name;
	line = add_line(m, LISTING_FUNCTION, insn);
	line->text = name;
	line->inlined = inlined;
}

static void add_insn(struct making *m, u32 nr)
{
	struct listing_insn *it = &m->l->insns.v[nr];

	change_function(m, nr, it->inlined ? it->inlined : m->l->sym->name, it->inlined);
	if (m->opts->source && it->src.file && it->src.line &&
	    (m->file != it->src.file || m->line != it->src.line)) {
		m->file = it->src.file;
		m->line = it->src.line;
		add_sources(m, nr, it->inlined);
	}
	it->at_line = (u32)m->l->lines.n;
	add_line(m, LISTING_INSN, nr);
}

struct listing *listing_new(struct dso *d, const struct symbol *sym,
			    const struct listing_opts *opts, struct err *err)
{
	struct listing *l = xcalloc(1, sizeof(*l));
	struct making m = { .l = l, .opts = opts };
	const struct disasm_range range = { sym->start_rva, sym->end_rva };

	l->dso = d;
	l->sym = sym;
	if (disasm_range(opts->disasm, d, &range, keep_insn, l, err)) {
		listing_free(l);
		return NULL;
	}
	l->section = dso_section(d, sym->start_rva);
	find_targets(l);
	m.function = sym->name;
	for vec_each(it, &l->insns)
		find_position(&m, it);
	find_first_line(&m);
	for (u32 i = 0; i < l->insns.n; i++)
		add_insn(&m, i);
	return l;
}

void listing_free(struct listing *l)
{
	if (!l)
		return;
	vec_free(&l->lines);
	vec_free(&l->insns);
	arena_release(&l->texts);
	free(l);
}

struct annotate_sum *listing_count(const struct listing *l, const struct annotate_symbol *s,
				   const struct event *e)
{
	struct annotate_sum *sums = xcalloc(l->insns.n + 1, sizeof(*sums));

	for (size_t i = 0; i < s->n_counts; i++) {
		const struct annotate_count *c = &s->counts[i];
		const u32 at = c->event == e->index ? listing_insn_at(l, c->rva) : LISTING_NONE;

		if (at == LISTING_NONE)
			continue;
		sums[at].n += c->sum.n;
		sums[at].period += c->sum.period;
	}
	return sums;
}

double listing_pct(const struct listing_counts *c, size_t event, u32 insn)
{
	return annotate_pct(c->percent, c->sums[event][insn], c->symbol_totals[event],
			    c->event_totals[event]);
}

/* --- lines of source by their weight */

static int by_position(const void *x, const void *y)
{
	const struct listing_hot *a = x, *b = y;

	if (a->file != b->file)
		return strcmp(a->file, b->file);
	return a->line < b->line ? -1 : a->line > b->line;
}

static int by_pct(const void *x, const void *y)
{
	const struct listing_hot *a = x, *b = y;

	if (a->pct > b->pct || a->pct < b->pct)
		return a->pct > b->pct ? -1 : 1;
	return by_position(x, y);
}

static double largest(const struct listing_counts *c, u32 insn)
{
	double max = 0;

	for (size_t e = 0; e < c->n; e++)
		max = MAX(max, listing_pct(c, e, insn));
	return max;
}

void listing_hot_lines(const struct listing *l, const struct listing_counts *c, double min_pct,
		       listing_hots *out)
{
	size_t n = 0;

	vec_clear(out);
	for (u32 i = 0; i < l->insns.n; i++) {
		const struct srcline *at = &l->insns.v[i].src;
		const double pct = largest(c, i);

		if (at->file && at->line && pct > 0)
			vec_push(out, ((struct listing_hot){ at->file, at->line, pct }));
	}
	if (!out->n)
		return;
	qsort(out->v, out->n, sizeof(*out->v), by_position);
	for (size_t i = 1; i < out->n; i++) {
		if (!by_position(&out->v[n], &out->v[i]))
			out->v[n].pct += out->v[i].pct;
		else
			out->v[++n] = out->v[i];
	}
	out->n = n + 1;
	qsort(out->v, out->n, sizeof(*out->v), by_pct);
	while (out->n && out->v[out->n - 1].pct < min_pct)
		out->n--;
}
