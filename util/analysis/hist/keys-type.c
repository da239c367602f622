// SPDX-License-Identifier: GPL-2.0-or-later
// Key columns of the data that an instruction accesses.
#include <stdlib.h>

#include "util/analysis/hist/keys-priv.h"
#include "util/analysis/types/access.h"
#include "util/base/str.h"
#include "util/disasm/operands.h"

#define CACHE_LINE 64

/* Made when the first sample asks; any thread. NULL: no engine to disassemble by. */
static struct access_finder *finder_of(const struct key_ctx *c)
{
	struct access_finder *f = atomic_load(&c->keys->types), *none = NULL;

	if (f)
		return f;
	f = access_finder_new(machine_arch(c->machine), NULL);
	if (f && !atomic_compare_exchange_strong(&c->keys->types, &none, f)) {
		access_finder_free(f);
		f = none;
	}
	return f;
}

static const struct access *access_here(const struct key_ctx *c)
{
	const struct location *at = &c->item->res->leaf;
	struct access_finder *f = at->sym ? finder_of(c) : NULL;

	return f ? access_find(f, at->dso, at->sym, at->rva) : NULL;
}

static const char *type_name(const struct access *a)
{
	if (a && a->why == ACCESS_STACK)
		return "(stack operation)";
	return a && a->why == ACCESS_KNOWN ? a->type->name : "(unknown)";
}

static u64 take_word(const struct key_ctx *c, struct str *s)
{
	const u64 w = (uintptr_t)intern_str(c->keys->names, str_cstr(s));

	str_release(s);
	return w;
}

static u64 type_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	return (uintptr_t)intern_str(c->keys->names, type_name(access_here(c)));
}

static u64 typeoff_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	const struct access *a = access_here(c);
	struct str s = STR_INIT;

	if (!a || a->why != ACCESS_KNOWN)
		str_add(&s, type_name(a));
	else
		access_add_text(atomic_load(&c->keys->types), &s, c->item->res->leaf.dso, a);
	return take_word(c, &s);
}

static u64 typecln_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	const struct access *a = access_here(c);
	struct str s = STR_INIT;

	str_addf(&s, "%s: cache-line %llu", type_name(a), (unsigned long long)
		 (a && a->why == ACCESS_KNOWN ? a->off / CACHE_LINE : 0));
	return take_word(c, &s);
}

#define COL(n, t, fn) \
	{ .name = n, .title = t, .level = KEY_SAMPLE, .word = fn, .cmp = key_cmp_text, \
	  .cell = key_cell_text }
static const struct key_def defs[] = {
	COL("type", "Data Type", type_word),
	COL("typeoff", "Data Type Offset", typeoff_word),
	COL("typecln", "Data Type Cacheline", typecln_word),
};

const struct key_def *key_defs_type(size_t *n)
{
	*n = ARRAY_SIZE(defs);
	return defs;
}

int keys_check_types(const struct hist_keys *k, struct err *err)
{
	for vec_each(c, &k->cols)
		if (c->def >= defs && c->def < defs + ARRAY_SIZE(defs))
			return disasm_check_operands(err);
	return 0;
}

void hist_keys_free_types(struct hist_keys *k)
{
	access_finder_free(atomic_load(&k->types));
}
