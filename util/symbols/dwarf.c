// SPDX-License-Identifier: GPL-2.0-or-later
// The DWARF of a dso: its lines and inlined calls, and the whole of it for who reads it by libdw.
#include "util/symbols/dwarf.h"

#include "util/symbols/datatypes.h"
#include "util/symbols/dso-priv.h"
#include "util/symbols/embedded-priv.h"

static struct dwarf_where where_of(const struct dso *d)
{
	struct dso_store *s = d->priv->store;

	return (struct dwarf_where){ .path = d->path[0] == '/' ? d->path : NULL,
				     .file = d->priv->file, .id = d->id,
				     .symfs = s->opts->symfs, .cache_dir = s->cache_dir,
				     .n_unopened = &s->n_unopened };
}

int dso_dwarf(struct dso *d, struct dwarf_file *f)
{
	int ret = -ENOENT;

	*f = (struct dwarf_file){ .fd = -1 };
	if (d->kind == DSO_KERNEL || d->kind == DSO_MODULE)
		dso_load(d);
	pthread_mutex_lock(&d->priv->lock);
	struct elf *from = dso_debug_locked(d);

	if (from)
		{
		const struct dwarf_where w = where_of(d);

		ret = dwarf_file_open(f, from, &w);
	}
	pthread_mutex_unlock(&d->priv->lock);
	return ret;
}

/* Those whose names are mangled, or not, are opened apart. */
static struct lines *lines_named(struct dso *d, bool mangled)
{
	struct dso_priv *p = d->priv;
	struct dso_lines *of = &p->lines[mangled];

	if (atomic_load_explicit(&of->tried, memory_order_acquire))
		return of->lines;
	if (d->kind == DSO_KERNEL || d->kind == DSO_MODULE)
		dso_load(d);
	pthread_mutex_lock(&p->lock);
	if (!atomic_load_explicit(&of->tried, memory_order_relaxed)) {
		struct elf *e = d->kind == DSO_FILE || d->kind == DSO_KERNEL ||
			d->kind == DSO_MODULE ? dso_debug_locked(d) : NULL;

		if (e) {
			const struct dwarf_where w = where_of(d);

			of->lines = lines_open(e, &w, mangled);
		}
		atomic_store_explicit(&of->tried, true, memory_order_release);
	}
	pthread_mutex_unlock(&p->lock);
	return of->lines;
}

static struct lines *lines_of(struct dso *d)
{
	return lines_named(d, d->priv->store->opts->no_demangle);
}

bool dso_srcline(struct dso *d, u64 rva, struct srcline *out)
{
	struct lines *l;

	*out = (struct srcline){ 0 };
	if (d->priv->embedded && embedded_line(d->priv->embedded, rva, out))
		return out->file != NULL;
	l = lines_of(d);
	if (l)
		*out = lines_at(l, rva - d->priv->debug_delta);
	return out->file != NULL;
}

void srcline_add_short(struct str *out, const struct srcline *at)
{
	const char *slash = strrchr(at->file, '/');

	str_addf(out, "%s:%u", slash ? slash + 1 : at->file, at->line);
}

size_t dso_inlines_mangled(struct dso *d, u64 rva, const struct inline_frame **out)
{
	struct lines *l;
	size_t n;

	*out = NULL;
	if (d->priv->embedded && embedded_inlines_mangled(d->priv->embedded, rva, out, &n))
		return n;
	l = lines_named(d, true);
	return l ? lines_inlines(l, rva - d->priv->debug_delta, out) : 0;
}

typedef size_t (*inlines_fn)(struct lines *l, u64 rva, const struct inline_frame **out);

static size_t inlines_by(inlines_fn fn, struct dso *d, u64 rva, const struct inline_frame **out)
{
	struct lines *l;
	size_t n;

	*out = NULL;
	if (d->priv->embedded && embedded_inlines(d->priv->embedded, rva, out, &n))
		return n;
	l = lines_of(d);
	return l ? fn(l, rva - d->priv->debug_delta, out) : 0;
}

size_t dso_inlines(struct dso *d, u64 rva, const struct inline_frame **out)
{
	return inlines_by(lines_inlines, d, rva, out);
}

size_t dso_inline_names(struct dso *d, u64 rva, const struct inline_frame **out)
{
	return inlines_by(lines_inline_names, d, rva, out);
}

struct datatypes *dso_datatypes(struct dso *d, u64 *delta)
{
	struct dwarf_file f;

	if (dso_dwarf(d, &f))
		return NULL;
	*delta = d->priv->debug_delta;
	return datatypes_open(&f);
}
