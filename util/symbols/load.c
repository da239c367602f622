// SPDX-License-Identifier: GPL-2.0-or-later
// Where the symbols of a dso come from, by its kind.
#include <errno.h>

#include "util/symbols/dso-priv.h"

static bool elf_probe(const struct dso *d)
{
	return d->kind == DSO_FILE || d->kind == DSO_VDSO;
}

static int elf_load(struct dso *d, struct symtab *t)
{
	struct elf *main = dso_main_locked(d), *debug = NULL;

	if (!main || !elf_has_symtab(main))
		debug = dso_debug_locked(d);
	if (!main && !debug)
		return -ENOENT;
	int ret = elf_load_symbols(main, debug, t);

	dso_add_trouble(d, ret);
	if (ret == -EFBIG)
		dso_add_reason(d, "'%s' has a damaged symbol table: its names are longer than what "
				  "they stand in",
			    (debug ? debug : main)->path);
	else if (ret)
		dso_add_reason(d, "'%s' has no symbol table, and no debug file of it was found",
			       (main ? main : debug)->path);
	return ret;
}

static const struct loader loader_elf = { "elf", elf_probe, elf_load };

/* --- symbols that the recording has */

static bool reported_probe(const struct dso *d)
{
	return d->kind == DSO_BPF || d->kind == DSO_JIT || d->kind == DSO_ANON;
}

static int reported_load(struct dso *d, struct symtab *t)
{
	if (!t->n)
		dso_add_reason(d, "the recording names no symbols here");
	else
		symtab_finish(t);
	return t->n ? 0 : -ENOENT;
}

static const struct loader loader_reported = { "recording", reported_probe, reported_load };

static const struct loader *const loaders[] = {
	&loader_kernel, &loader_module, &loader_perf_map, &loader_reported, &loader_elf,
};

void dso_load(struct dso *d)
{
	struct dso_priv *p = d->priv;

	pthread_mutex_lock(&p->lock);
	if (!atomic_load_explicit(&p->symbols_loaded, memory_order_relaxed)) {
		for (size_t i = 0; i < ARRAY_SIZE(loaders); i++) {
			if (!loaders[i]->probe(d))
				continue;
			loaders[i]->load(d, &p->tab);
			break;
		}
		atomic_store_explicit(&p->symbols_loaded, true, memory_order_release);
	}
	pthread_mutex_unlock(&p->lock);
}
