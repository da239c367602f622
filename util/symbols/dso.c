// SPDX-License-Identifier: GPL-2.0-or-later
// What is asked of a dso: its symbols, and the bytes of its image.
#include "util/symbols/dso.h"

#include <stdlib.h>
#include <string.h>

#include "util/base/pool.h"
#include "util/base/xalloc.h"
#include "util/elf/demangle.h"
#include "util/symbols/dso-priv.h"
#include "util/symbols/embedded-priv.h"

#define AT_ONCE 8		/* requests of debug files: they wait for the net, not for a CPU */

static bool dso_tried_files(const struct dso *d)
{
	return atomic_load_explicit(&d->priv->symbols_loaded, memory_order_acquire);
}

/* All that is known comes from the recording: no file was needed, or none was found. */
static bool only_embedded(const struct dso *d)
{
	return d->priv->embedded && (!dso_tried_files(d) || !d->priv->tab.n);
}

static inline struct symtab *symbols_of(struct dso *d)
{
	if (!atomic_load_explicit(&d->priv->symbols_loaded, memory_order_acquire))
		dso_load(d);
	return &d->priv->tab;
}

/* Under the lock. */
static void demangle_locked(struct dso *d, struct symbol *s)
{
	if (!s->demangled) {
		char *plain = d->priv->store->opts->no_demangle ? NULL : demangle(s->mangled);

		if (plain)
			s->name = arena_strdup(&d->priv->demangled, plain);
		free(plain);
		__atomic_store_n(&s->demangled, 1, __ATOMIC_RELEASE);
	}
}

static const struct symbol *find_in_files(struct dso *d, u64 rva)
{
	struct symbol *s = symtab_lookup(symbols_of(d), rva);

	if (s && !__atomic_load_n(&s->demangled, __ATOMIC_ACQUIRE)) {
		if (!demangle_candidate(s->mangled)) {
			__atomic_store_n(&s->demangled, 1, __ATOMIC_RELEASE);
		} else {
			pthread_mutex_lock(&d->priv->lock);
			demangle_locked(d, s);
			pthread_mutex_unlock(&d->priv->lock);
		}
	}
	return s;
}

/* A function has one symbol: that of the recording, where that names it. */
static const struct symbol *as_embedded(const struct dso *d, const struct symbol *s)
{
	const struct symbol *own = s && d->priv->embedded ?
		embedded_at(d->priv->embedded, s->start_rva) : NULL;

	return own ? own : s;
}

const struct symbol *dso_find(struct dso *d, u64 rva)
{
	struct symbol *own;

	if (d->priv->embedded && embedded_symbol(d->priv->embedded, rva, &own))
		return own;
	return as_embedded(d, find_in_files(d, rva));
}

static void demangle_all_locked(struct dso *d)
{
	struct symtab *t = &d->priv->tab;

	if (d->priv->all_demangled)
		return;
	for (size_t i = 0; i < t->n; i++) {
		if (demangle_candidate(t->sym[i].mangled))
			demangle_locked(d, &t->sym[i]);
		else
			__atomic_store_n(&t->sym[i].demangled, 1, __ATOMIC_RELEASE);
	}
	d->priv->all_demangled = true;
}

bool dso_has_symbols(struct dso *d)
{
	return only_embedded(d) ? embedded_is_named(d->priv->embedded) : symbols_of(d)->n > 0;
}

size_t dso_symbols(struct dso *d, const struct symbol **out)
{
	struct symtab *t = symbols_of(d);

	pthread_mutex_lock(&d->priv->lock);
	demangle_all_locked(d);
	pthread_mutex_unlock(&d->priv->lock);
	if (!t->n && d->priv->embedded)
		t = (struct symtab *)(uintptr_t)embedded_symbols(d->priv->embedded);
	*out = t->sym;
	return t->n;
}

static const struct symbol *embedded_by_name(const struct dso *d, const char *name)
{
	const struct symtab *t = d->priv->embedded ? embedded_symbols(d->priv->embedded) : NULL;

	for (size_t i = 0; t && i < t->n; i++)
		if (!strcmp(t->sym[i].name, name) || !strcmp(t->sym[i].mangled, name))
			return &t->sym[i];
	return NULL;
}

const struct symbol *dso_find_name(struct dso *d, const char *name)
{
	struct symtab *t = symbols_of(d);

	pthread_mutex_lock(&d->priv->lock);
	if (!t->has_by_name) {
		demangle_all_locked(d);
		/* of equal names the lowest address stays */
		for (size_t i = t->n; i-- > 0;) {
			struct symbol *s = &t->sym[i];

			strmap_put(&t->by_name, s->name, s);
			if (s->mangled != s->name)
				strmap_put(&t->by_name, s->mangled, s);
		}
		t->has_by_name = true;
	}
	const struct symbol *s = strmap_get(&t->by_name, name);

	pthread_mutex_unlock(&d->priv->lock);
	return s ? as_embedded(d, s) : embedded_by_name(d, name);
}

bool dso_is_lock_code(struct dso *d, u64 rva)
{
	const struct symtab *t = symbols_of(d);

	for (size_t i = 0; i < ARRAY_SIZE(t->lock_code); i++)
		if (rva >= t->lock_code[i].from && rva < t->lock_code[i].to)
			return true;
	return false;
}

const char *dso_reason(struct dso *d)
{
	if (only_embedded(d))
		return embedded_reason(d->priv->embedded);
	symbols_of(d);
	return d->priv->reason.len ? str_cstr(&d->priv->reason) : NULL;
}

unsigned dso_troubles(struct dso *d)
{
	if (only_embedded(d))
		return embedded_troubles(d->priv->embedded);
	return dso_reason(d) ? d->priv->troubles : 0;
}

bool dso_tried(const struct dso *d)
{
	return d->priv->embedded || dso_tried_files(d);
}

static bool rva_is_va(const struct dso *d)
{
	return d->kind != DSO_FILE && d->kind != DSO_VDSO;
}

u64 dso_off_to_rva(struct dso *d, u64 off)
{
	u64 rva = d->priv->embedded ? embedded_off_to_rva(d->priv->embedded, off) : UINT64_MAX;

	if (rva_is_va(d) || rva != UINT64_MAX)
		return rva_is_va(d) ? off : rva;

	const struct elf *e = dso_main(d);

	rva = e ? elf_off_to_rva(e, off) : off;
	return rva == UINT64_MAX ? off : rva;
}

u64 dso_rva_to_off(struct dso *d, u64 rva)
{
	u64 off = d->priv->embedded ? embedded_rva_to_off(d->priv->embedded, rva) : UINT64_MAX;

	if (rva_is_va(d) || off != UINT64_MAX)
		return rva_is_va(d) ? rva : off;

	const struct elf *e = dso_main(d);

	off = e ? elf_rva_to_off(e, rva) : rva;
	return off == UINT64_MAX ? rva : off;
}

const char *dso_file(struct dso *d)
{
	dso_main(d);
	return d->priv->file;
}

/* A module: its file as it is before the kernel patched it. */
static size_t read_file(struct dso *d, struct elf *e, u64 rva, void *buf, size_t n)
{
	if (e->type == ET_REL)
		return module_file_read(d, rva, buf, n);
	return elf_read_loaded(e, rva - d->priv->delta, buf, n);
}

size_t dso_read(struct dso *d, u64 rva, void *buf, size_t n)
{
	size_t got = 0;

	if (d->kind == DSO_KERNEL || d->kind == DSO_MODULE) {
		dso_load(d);	/* which finds the file, or that this very kernel was recorded */
		/* where init code lay is something else now */
		if (d->priv->kernel.is_running &&
		    rva - d->priv->kernel.init_va >= d->priv->kernel.init_bytes)
			got = kcore_read(d->priv->store, rva - d->priv->kernel.run_delta, buf, n);
	}
	struct elf *e = got ? NULL : dso_main(d);

	return e ? read_file(d, e, rva, buf, n) : got;
}

static struct elf *code_file(struct dso *d)
{
	if (d->kind == DSO_KERNEL || d->kind == DSO_MODULE)
		dso_load(d);
	return dso_main(d);
}

bool dso_isa(struct dso *d, struct dso_isa *out)
{
	const struct elf *e = code_file(d);

	if (!e)
		return false;
	out->machine = e->machine;
	out->is64 = e->is64;
	out->big_endian = e->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	return true;
}

const char *dso_section(struct dso *d, u64 rva)
{
	const struct elf *e = code_file(d);

	if (!e)
		return NULL;
	const u64 at = e->type == ET_REL ? rva : rva - d->priv->delta;

	for (u32 i = 0; i < e->n_secs; i++)
		if (e->secs[i].flags & SHF_ALLOC && at - e->secs[i].addr < e->secs[i].size)
			return e->secs[i].name;
	return NULL;
}

/* --- all that will be needed, at once */

struct prefetch { VEC(struct dso *) dsos; bool debug; };

static void load_one(void *ctx, size_t i, unsigned worker UNUSED)
{
	struct prefetch *p = ctx;

	dso_load(p->dsos.v[i]);
	if (p->debug)
		dso_debug_file(p->dsos.v[i]);
}

void dso_store_prefetch(struct dso_store *s, const bool *hit, size_t n, bool debug)
{
	struct prefetch p = { .debug = debug };
	struct pool *pool;

	for (size_t i = 0; i < n && i < dso_count(s); i++) {
		struct dso *d = dso_at(s, i);

		if (hit[i] && d->id.n && !d->priv->embedded &&
		    (d->kind == DSO_FILE || d->kind == DSO_KERNEL || d->kind == DSO_MODULE))
			vec_push(&p.dsos, d);
	}
	if (p.dsos.n > 1) {
		pool = pool_new((unsigned)MIN(p.dsos.n, (size_t)AT_ONCE));
		pool_run(pool, p.dsos.n, load_one, &p);
		pool_free(pool);
	}
	vec_free(&p.dsos);
}
