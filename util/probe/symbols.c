// SPDX-License-Identifier: GPL-2.0-or-later
// All symbols of a target, with their aliases: of its files, or of the running kernel.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/elf/demangle.h"
#include "util/os/kernel.h"
#include "util/probe/probe-priv.h"
#include "util/symbols/kallsyms.h"

/* Of one table of the file, or of all of a relocatable one. versions: of a dynamic table; empty
 * else. */
struct adder { struct probe_obj *p; struct elf *e; struct rd versions; };

/* A name without a type is code where code stands: labels of assembly are functions, those of
 * tables and strings are not. */
static bool is_data(const struct elf *e, const struct elf_symbol *s)
{
	return s->type == STT_OBJECT || (s->type == STT_NOTYPE && s->shndx < e->n_secs &&
					 !(e->secs[s->shndx].flags & SHF_EXECINSTR));
}

static void push_symbol(const struct adder *a, const struct elf_symbol *s, bool indirect)
{
	vec_push(&a->p->names.all, ((struct psym){ .name = s->name, .addr = s->value,
						   .size = s->size, .bind = s->binding,
					      .data = is_data(a->e, s), .indirect = indirect }));
}

static void add_relocatable(void *ctx, const struct elf_symbol *s)
{
	if (s->type == STT_FUNC || s->type == STT_OBJECT || s->type == STT_NOTYPE)
		push_symbol(ctx, s, false);
}

/* An old version, for programs that were linked against it. */
static bool is_hidden(const struct adder *a, u32 nr)
{
	struct rd r = a->versions;

	rd_skip(&r, 2ull * nr);
	return rd_left(&r) >= 2 && rd_u16(&r) & 0x8000;
}

static int add_symbol(void *ctx, const struct elf_symbol *s)
{
	const struct adder *a = ctx;

	if (s->nr && s->shndx != SHN_UNDEF && s->shndx != SHN_ABS && s->name[0] != '$' &&
	    !is_hidden(a, s->nr) &&
	    (s->type == STT_FUNC || s->type == STT_GNU_IFUNC || s->type == STT_NOTYPE ||
	     s->type == STT_OBJECT))
		push_symbol(a, s, s->type == STT_GNU_IFUNC);
	return 0;
}

static int add_tables(struct probe_obj *p, struct elf *e, struct err *err)
{
	for (u32 i = 0; i < e->n_secs; i++) {
		struct elf_sec *s = &e->secs[i];
		struct adder a = { .p = p, .e = e };
		const size_t before = p->names.all.n;

		if (s->type != SHT_SYMTAB && s->type != SHT_DYNSYM)
			continue;
		if (s->type == SHT_DYNSYM)
			a.versions = elf_rd(e, elf_find_type(e, SHT_GNU_versym));
		if (!elf_each_symbol(e, s, add_symbol, &a))
			continue;
		p->names.all.n = before;
		err_set(err, ENOEXEC, "'%s' has a damaged symbol table: its names are longer than "
				      "what they stand in", pobj_name(p));
		err_hint(err, "copy or build the file again");
		return -ENOEXEC;
	}
	return 0;
}

/* Those of another file than the program itself. */
static int add_debug_tables(struct probe_obj *p, struct err *err)
{
	const char *file = p->debug.dw ? dso_debug_file(p->debug.dso) : NULL;

	if (!file || !strcmp(file, p->file) || elf_open(&p->debug.tables, file, NULL))
		return 0;
	return add_tables(p, &p->debug.tables, err);
}

static int by_addr(const void *a, const void *b)
{
	const struct psym *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (x->data != y->data)
		return x->data ? -1 : 1;
	if (x->bind != y->bind)		/* globals last: found first when searching from the end */
		return x->bind == STB_GLOBAL ? 1 : y->bind == STB_GLOBAL ? -1 : 0;
	return strcmp(y->name, x->name);
}

/* By the address first, by its bytes: sorting 100,000 symbols by comparing costs more than
 * reading them. Then those of one address. */
static void sort_symbols(struct probe_obj *p)
{
	size_t n = p->names.all.n, from, to;
	struct { u64 addr; u32 at; } *a = xcalloc(2 * n + 1, sizeof(*a)), *b = a + n, *t;
	struct psym *out = xcalloc(n + 1, sizeof(*out));
	u64 differ = 0;

	for (size_t i = 0; i < n; i++) {
		a[i].addr = p->names.all.v[i].addr;
		a[i].at = (u32)i;
		differ |= a[i].addr ^ a[0].addr;
	}
	t = a;
	for (int shift = 0; shift < 64; shift += 8) {
		size_t at[257] = { 0 };
		void *swap = a;

		if (!(differ >> shift & 255))
			continue;
		for (size_t i = 0; i < n; i++)
			at[(a[i].addr >> shift & 255) + 1]++;
		for (int k = 0; k < 256; k++)
			at[k + 1] += at[k];
		for (size_t i = 0; i < n; i++)
			b[at[a[i].addr >> shift & 255]++] = a[i];
		a = b;
		b = swap;
	}
	for (size_t i = 0; i < n; i++)
		out[i] = p->names.all.v[a[i].at];
	for (from = 0; from < n; from = to) {
		for (to = from + 1; to < n && out[to].addr == out[from].addr; to++)
			;
		if (to > from + 1)
			qsort(out + from, to - from, sizeof(*out), by_addr);
	}
	free(t);
	free(p->names.all.v);
	p->names.all.v = out;
	p->names.all.cap = n + 1;
}

static void drop_doubles(struct probe_obj *p)
{
	struct psym *v = p->names.all.v;
	size_t n = 0;

	for (size_t i = 0; i < p->names.all.n; i++)
		if (!n || v[n - 1].addr != v[i].addr || strcmp(v[n - 1].name, v[i].name))
			v[n++] = v[i];
	p->names.all.n = n;
}

struct load { struct probe_obj *p; };

static int one_symbol(void *ctx, const struct kallsym *s)
{
	struct load *l = ctx;
	struct psym y = { .addr = s->va };

	if (!strchr("tTwWdDbBrRvV", s->type))
		return 0;
	if (l->p->module ? !s->module || strcmp(s->module, l->p->module) : s->module != NULL)
		return 0;
	y.name = arena_strdup(&l->p->names.mem, s->name);
	y.bind = s->type >= 'A' && s->type <= 'Z' ? STB_GLOBAL : STB_LOCAL;
	y.data = strchr("dDbBrRvV", s->type) != NULL;
	vec_push(&l->p->names.all, y);
	return 0;
}

static int addr_order(const void *a, const void *b)
{
	const struct psym *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int kernel_symbols(struct probe_obj *p, struct err *err)
{
	struct str s = STR_INIT;
	struct load l = { p };
	u64 bad = 0;
	int ret = os_read_kallsyms(p->opts->os, &s, err);

	if (!ret && s.len)
		kallsyms_parse(s.buf, s.len, one_symbol, &l, &bad);
	str_release(&s);
	if (ret)
		return ret;
	if (p->names.all.n)
		qsort(p->names.all.v, p->names.all.n, sizeof(*p->names.all.v), addr_order);
	for (size_t i = 0; i < p->names.all.n; i++) {
		u64 next = i + 1;

		while (next < p->names.all.n && p->names.all.v[next].addr == p->names.all.v[i].addr)
			next++;
		if (next < p->names.all.n && p->names.all.v[i].addr)
			p->names.all.v[i].size = p->names.all.v[next].addr - p->names.all.v[i].addr;
		if (!strcmp(p->names.all.v[i].name, "_text") ||
		    (!p->names.text_va && !strcmp(p->names.all.v[i].name, "_stext")))
			p->names.text_va = p->names.all.v[i].addr;
	}
	if (p->names.all.n && !p->names.all.v[p->names.all.n - 1].addr) {
		char *hint = os_addresses_hint(p->opts->os);

		err_set(err, EACCES, "the addresses of kernel symbols are hidden");
		err_hint(err, "%s", hint);
		free(hint);
		return -EACCES;
	}
	return 0;
}

int pobj_symbols(struct probe_obj *p, struct err *err)
{
	int ret = 0;

	if (p->names.loaded)
		return 0;
	p->names.loaded = true;
	if (p->kernel && !p->has_elf) {
		ret = kernel_symbols(p, err);
		if (ret)
			return ret;
	} else {
		if (!p->debug.tried)
			pobj_dwarf(p, NULL);
		if (p->is_rel) {
			struct adder a = { .p = p, .e = &p->elf };

			dwarf_relocatable_symbols(&p->debug.rel, add_relocatable, &a);
		} else {
			ret = add_tables(p, &p->elf, err);
			if (!ret)
				ret = add_debug_tables(p, err);
		}
	}
	sort_symbols(p);
	drop_doubles(p);
	return ret;
}

static void fill_by_name(struct probe_obj *p)
{
	for (size_t i = 0; i < p->names.all.n; i++)
		if (!p->names.all.v[i].data && !strmap_get(&p->names.by_name,
							   p->names.all.v[i].name))
			strmap_put(&p->names.by_name, p->names.all.v[i].name, (void *)(i + 1));
}

const struct psym *pobj_symbol(struct probe_obj *p, const char *name)
{
	size_t i;

	pobj_symbols(p, NULL);
	if (++p->names.n_asked < 20) {	/* a few questions are not worth a table of 150,000 names */
		for vec_each(s, &p->names.all)
			if (!s->data && !strcmp(s->name, name))
				return s;
		return NULL;
	}
	if (p->names.n_asked == 20)
		fill_by_name(p);
	i = (size_t)strmap_get(&p->names.by_name, name);
	return i ? &p->names.all.v[i - 1] : NULL;
}

const struct psym *pobj_symbol_at(struct probe_obj *p, u64 addr)
{
	size_t lo = 0, hi;

	pobj_symbols(p, NULL);
	for (hi = p->names.all.n; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->names.all.v[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (size_t back = 0; lo-- && back < 64; back++) {
		const struct psym *s = &p->names.all.v[lo];

		if (!s->data && (addr - s->addr < s->size ||
				 (!s->size && !back && (p->kernel || addr == s->addr))))
			return s;
	}
	return NULL;
}

const char *psym_plain(struct probe_obj *p, const struct psym *cs)
{
	struct psym *s = &p->names.all.v[cs - p->names.all.v];

	if (!s->tried && !p->opts->no_demangle) {
		s->plain = demangle(s->name);
		s->tried = true;
	}
	return s->plain ? s->plain : s->name;
}
