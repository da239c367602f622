// SPDX-License-Identifier: GPL-2.0-or-later
// The unwind tables of a dso.
#include "util/symbols/cfi.h"

#include <errno.h>

#include "util/symbols/dso-priv.h"
#include "util/symbols/embedded-priv.h"

static struct cfi_table *table_of(struct dso *d)
{
	struct dso_priv *p = d->priv;

	if (atomic_load_explicit(&p->unwind.tried, memory_order_acquire))
		return p->unwind.table;
	pthread_mutex_lock(&p->lock);
	if (!p->unwind.table) {
		struct elf *main = dso_main_locked(d);

		p->unwind.table = cfi_table_new();
		if (main) {
			cfi_table_add(p->unwind.table, main, ".eh_frame");
			cfi_table_add(p->unwind.table, main, ".debug_frame");
			p->unwind.is_go = elf_find(main, ".gopclntab") ||
				elf_find(main, ".data.rel.ro.gopclntab");
		}
		atomic_store_explicit(&p->unwind.tried, true, memory_order_release);
	}
	pthread_mutex_unlock(&p->lock);
	return p->unwind.table;
}

int dso_cfi(struct dso *d, u64 rva, struct cfi_rule *out)
{
	struct cfi_table *t = table_of(d);
	unsigned n = cfi_table_sections(t);
	int ret = cfi_table_rule(t, 0, rva, out);

	if (!ret || (d->kind != DSO_FILE && d->kind != DSO_VDSO))
		return ret;
	/* only now the debug file is worth to be looked for */
	pthread_mutex_lock(&d->priv->lock);
	if (!d->priv->unwind.debug_tried) {
		struct elf *debug = dso_debug_locked(d);

		if (debug && debug != &d->priv->main)
			cfi_table_add(t, debug, ".debug_frame");
		d->priv->unwind.debug_tried = true;
	}
	pthread_mutex_unlock(&d->priv->lock);
	int more = cfi_table_rule(t, n, rva, out);

	return more == -ENOENT ? ret : more;
}

bool dso_function_range(struct dso *d, u64 rva, u64 *start, u64 *end)
{
	if (d->priv->embedded && embedded_range(d->priv->embedded, rva, start, end))
		return true;
	return cfi_table_range(table_of(d), rva, start, end);
}

bool dso_function_start(struct dso *d, u64 rva, u64 *start)
{
	u64 end;

	return dso_function_range(d, rva, start, &end);
}

struct span dso_cfi_expr(struct dso *d, u32 expr)
{
	return cfi_table_expr(table_of(d), expr);
}

bool dso_entry(struct dso *d, u64 *rva)
{
	const struct elf *e = dso_main(d);

	*rva = e ? e->entry_va : 0;
	return *rva != 0;
}

bool dso_is_go(struct dso *d)
{
	table_of(d);
	return d->priv->unwind.is_go;
}

bool dso_eh_frame_hdr(struct dso *d, u64 *rva)
{
	struct elf *e = dso_main(d);

	for (u32 i = 0; e && i < e->n_segs; i++)
		if (e->segs[i].type == PT_GNU_EH_FRAME) {
			*rva = e->segs[i].va;
			return true;
		}
	return false;
}
