// SPDX-License-Identifier: GPL-2.0-or-later
// Types of data as text, and beside the code of a listing.
#include "util/analysis/types/access.h"

void access_add_text(struct access_finder *f, struct str *out, const struct dso *d,
		     const struct access *a)
{
	size_t n;

	str_addf(out, "%s +%#llx (", a->type->name, (unsigned long long)a->off);
	n = out->len;
	access_add_field(f, out, d, a->type, a->off);
	str_add(out, out->len == n ? "no field)" : ")");
}

void access_mark_types(struct access_finder *f, struct listing *l)
{
	struct str text = STR_INIT;

	for vec_each(it, &l->insns) {
		const struct access *a = access_find(f, l->dso, l->sym, it->i.rva);

		if (!a || a->why != ACCESS_KNOWN || a->rva != it->i.rva)
			continue;
		str_reset(&text);
		access_add_text(f, &text, l->dso, a);
		it->data_type = arena_strdup(&l->texts, str_cstr(&text));
	}
	str_release(&text);
}
