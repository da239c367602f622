// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Filters by name and number. They hide samples, which still count in totals (see "relative" in
 * struct hist_opts).
 */
#include "util/analysis/hist/hist-priv.h"
#include "util/base/infile.h"
#include "util/base/num.h"

struct name_filter { struct strmap names; };
struct num_filter { int_vec v; };

static void add_names(struct name_filter *f, const char *text, const char *seps)
{
	for (const char *p = text; *p;) {
		size_t n = strcspn(p, seps);

		if (n) {
			char *name = xstrndup(p, n);

			strmap_put(&f->names, name, f);
			free(name);
		}
		p += n + (p[n] != '\0');
	}
}

struct name_filter *name_filter_new(const char *list, struct err *err)
{
	struct name_filter *f = xnew(struct name_filter);

	if (str_has_prefix(list, "file://")) {
		struct str text = STR_INIT;
		int rc = infile_read(list + 7, INFILE_NAMED, 16 << 20, &text, err);

		if (rc) {
			name_filter_free(f);
			return NULL;
		}
		add_names(f, str_cstr(&text), "\n");
		str_release(&text);
	} else {
		add_names(f, list, ",");
	}
	return f;
}

static bool name_filter_match(const struct name_filter *f, const char *name)
{
	return name && strmap_get(&f->names, name);
}

void name_filter_free(struct name_filter *f)
{
	if (!f)
		return;
	strmap_release(&f->names);
	free(f);
}

struct num_filter *num_filter_new(const char *list, const char *what, struct err *err)
{
	struct num_filter *f = xnew(struct num_filter);

	if (parse_int_list(list, &f->v, err)) {
		err_prefix(err, "%s", what);
		num_filter_free(f);
		return NULL;
	}
	return f;
}

bool num_filter_match(const struct num_filter *f, u32 v)
{
	for (size_t i = 0; i < f->v.n; i++)
		if ((u32)f->v.v[i] == v)
			return true;
	return false;
}

void num_filter_free(struct num_filter *f)
{
	if (!f)
		return;
	vec_free(&f->v);
	free(f);
}

bool hist_passes(const struct hist *h, const struct key_ctx *c)
{
	const struct sink_item *it = c->item;
	const struct resolved *r = it->res;
	const struct hist_filter *f = &h->opts.filter;
	const char *sym = r->leaf.sym ? r->leaf.sym->name : NULL;

	if (h->f_comms && !name_filter_match(h->f_comms, r->comm ? r->comm->name : NULL))
		return false;
	if (h->f_dsos && !(r->leaf.dso && (name_filter_match(h->f_dsos, r->leaf.dso->short_name) ||
					   name_filter_match(h->f_dsos, r->leaf.dso->path))))
		return false;
	if (h->f_symbols && !name_filter_match(h->f_symbols, sym))
		return false;
	if (f->symbol_substr && h->substr_col < 0 && !(sym && strstr(sym, f->symbol_substr)))
		return false;
	if (h->f_running && !num_filter_match(h->f_running, c->n_running))
		return false;
	if (h->f_pids && !num_filter_match(h->f_pids, it->sample->pid))
		return false;
	return !h->f_tids || num_filter_match(h->f_tids, it->sample->tid);
}
