// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Key columns of accesses to memory: where the data lies, and how the access went.
 */

#include "util/analysis/hist/keys-priv.h"
#include "util/base/str.h"
#include "util/wire/data-src.h"

#define LINE_BYTES 64

static u64 take_word(const struct key_ctx *c, struct str *s)
{
	const u64 w = (uintptr_t)intern_str(c->keys->names, str_cstr(s));

	str_release(s);
	return w;
}

static const struct location *data_of(const struct key_ctx *c) { return &c->item->res->data; }

static void add_level(const struct key_ctx *c, struct str *s)
{
	str_addf(s, "[%c] ", hist_level(c->item->sample->cpumode));
}

/* As upstream writes them: 0 has no 0x. */
static void add_addr(struct str *s, u64 addr)
{
	str_addf(s, "%#.16llx", (unsigned long long)addr);
}

/* ---- where it lies ---- */

static u64 sym_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	const struct location *l = data_of(c);
	struct str s = STR_INIT;

	add_level(c, &s);
	if (l->sym)
		str_addf(&s, "%s+0x%llx", l->sym->name,
			 (unsigned long long)(l->rva - l->sym->start_rva));
	else
		add_addr(&s, c->item->sample->addr);
	return take_word(c, &s);
}

static u64 dso_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	const struct dso *d = data_of(c)->dso;

	return (uintptr_t)intern_str(c->keys->names, d ? d->short_name : "[unknown]");
}

/* Rows that are equal otherwise are in upstream's order. */
static int cmp_dso(u64 a, u64 b) { return key_cmp_text(b, a); }

static u64 code_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	const struct location *l = &c->item->res->leaf;
	struct str s = STR_INIT;

	add_level(c, &s);
	if (l->sym)
		str_add(&s, l->sym->name);
	else
		add_addr(&s, l->dso ? l->rva : l->va);
	return take_word(c, &s);
}

/* Memory that processes share has the same lines in all of them; a file tells which it is. */
static bool is_shared(const struct location *l)
{
	return l->map && l->map->flags & 1 /* MAP_SHARED */ && l->map->ino;
}

/* By the first variable of the line, whichever of it was accessed. */
static void add_line_name(struct str *s, const struct location *l, u64 off, u64 line)
{
	const u64 rva = l->rva - off;
	const struct symbol *sym = NULL;

	for (u64 at = 0; at < LINE_BYTES && l->dso && !sym; at += 4)
		sym = dso_find(l->dso, rva + at);
	if (!sym)
		add_addr(s, line);
	else if (rva >= sym->start_rva)
		str_addf(s, "%s+0x%llx", sym->name, (unsigned long long)(rva - sym->start_rva));
	else	/* it begins within the line */
		str_addf(s, "%s-0x%llx", sym->name, (unsigned long long)(sym->start_rva - rva));
}

#define LINE_KEY 25	/* "PID ADDRESS ", before the text: lines are in that order */

static u64 line_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	const struct sample *sm = c->item->sample;
	const struct location *l = data_of(c);
	const u64 line = sm->addr & ~(u64)(LINE_BYTES - 1), off = sm->addr - line;
	const bool own = sm->cpumode != PERF_RECORD_MISC_KERNEL && !is_shared(l);
	struct str s = STR_INIT;

	str_addf(&s, "%07x %016llx ", own ? sm->pid & 0xfffffff : 0, (unsigned long long)line);
	str_addf(&s, "[%c] ", !l->map ? 'X' : is_shared(l) ? 's' : hist_level(sm->cpumode));
	add_line_name(&s, l, off, line);
	return take_word(c, &s);
}

static void line_cell(const struct key *k UNUSED, u64 w, struct table *t UNUSED, struct cell *out)
{
	*out = cell_text((const char *)(uintptr_t)w + LINE_KEY);
}

static u64 phys_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	struct str s = STR_INIT;

	add_level(c, &s);
	add_addr(&s, c->item->sample->phys_addr);
	return take_word(c, &s);
}

static u64 page_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	return c->item->sample->data_page_bytes;
}

/* ---- how it went: words are the bits that the text is made of ---- */

#define PART(part) \
	static u64 part##_word(const struct key_ctx *c, const struct key *k UNUSED) \
	{ \
		return data_src_##part##_bits(c->item->sample->data_src); \
	} \
	static void part##_cell(const struct key *k UNUSED, u64 w, struct table *t, \
				struct cell *out) \
	{ \
		*out = part_text(data_src_add_##part, w, t); \
	}

static struct cell part_text(void (*add)(struct str *out, u64 v), u64 w, struct table *t)
{
	struct str s = STR_INIT;
	struct cell c;

	add(&s, w);
	c = cell_text(table_text(t, str_cstr(&s)));
	str_release(&s);
	return c;
}

PART(level)
PART(snoop)
PART(tlb)
PART(lock)
PART(blocked)

#define COL(name_, title_, word_, cmp_, cell_, ...) \
	{ .name = name_, .title = title_, .level = KEY_SAMPLE, .word = word_, .cmp = cmp_, \
	  .cell = cell_, ##__VA_ARGS__ }
#define ADDR .needs_addr = true
static const struct key_def defs[] = {
	COL("symbol_daddr", "Data Symbol", sym_word, key_cmp_text, key_cell_text, ADDR),
	COL("dso_daddr", "Data Object", dso_word, cmp_dso, key_cell_text, ADDR),
	COL("symbol_iaddr", "Code Symbol", code_word, key_cmp_text, key_cell_text),
	COL("dcacheline", "Data Cacheline", line_word, key_cmp_text, line_cell, ADDR),
	COL("phys_daddr", "Data Physical Address", phys_word, key_cmp_text, key_cell_text,
	    .width = 22),
	COL("data_page_size", "Data Page Size", page_word, NULL, key_cell_page, .width = 22,
	    .form = COL_BINARY_UNITS, .none = "N/A"),
	COL("mem", "Memory access", level_word, NULL, level_cell, .width = 39, .fixed = true),
	COL("snoop", "Snoop", snoop_word, NULL, snoop_cell, .width = 12, .fixed = true),
	COL("tlb", "TLB access", tlb_word, NULL, tlb_cell, .width = 22, .fixed = true),
	COL("locked", "Locked", lock_word, NULL, lock_cell, .width = 6, .fixed = true,
	    .trim = true),
	COL("blocked", "Blocked", blocked_word, NULL, blocked_cell, .width = 10, .fixed = true,
	    .trim = true),
};

const struct key_def *key_defs_mem(size_t *n)
{
	*n = ARRAY_SIZE(defs);
	return defs;
}
