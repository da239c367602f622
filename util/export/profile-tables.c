// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/profile-tables.h"

#include <inttypes.h>

void profile_tables_release(struct profile_tables *t)
{
	strmap_release(&t->strings);
	strmap_release(&t->functions);
	hmap_release(&t->mapping_of);
	vec_free(&t->mappings);
}

u64 profile_string(struct profile_tables *t, const char *s, bool *fresh)
{
	uintptr_t n = (uintptr_t)strmap_get(&t->strings, s);

	*fresh = !n;
	if (!n) {
		n = ++t->n_strings;
		strmap_put(&t->strings, s, (void *)n);
	}
	return n - 1;
}

u64 profile_mapping(struct profile_tables *t, const struct stack_frame *f)
{
	uintptr_t n;

	if (!f->dso)
		return 0;
	n = (uintptr_t)hmap_get(&t->mapping_of, (uintptr_t)f->dso);
	if (!n) {
		vec_push(&t->mappings, ((struct profile_mapping){ .dso = f->dso }));
		n = t->mappings.n;
		hmap_put(&t->mapping_of, (uintptr_t)f->dso, (void *)n);
	}
	t->mappings.v[n - 1].limit = MAX(t->mappings.v[n - 1].limit, f->rva + 1);
	return n;
}

u64 profile_function(struct profile_tables *t, const struct stack_frame *f, bool *fresh)
{
	struct str key = STR_INIT;
	uintptr_t n;

	str_addf(&key, "%p %" PRIx64 " %p %d %s", (void *)f->dso, f->func_rva, (void *)f->file,
		 f->inlined, f->name);
	n = (uintptr_t)strmap_get(&t->functions, key.buf);
	*fresh = !n;
	if (!n) {
		n = ++t->n_functions;
		strmap_put(&t->functions, key.buf, (void *)n);
	}
	str_release(&key);
	return n;
}
