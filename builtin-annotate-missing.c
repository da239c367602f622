// SPDX-License-Identifier: GPL-2.0-or-later
// perf annotate: what cannot be shown, and why.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-annotate.h"
#include "util/cli/error.h"

void missing_add(missing_codes *m, const struct annotate_symbol *s, const char *reason)
{
	struct missing_code *at = NULL;

	for vec_each(it, m)
		if (it->dso == s->dso && !strcmp(it->reason, reason))
			at = it;
	if (!at) {
		at = vec_add(m);
		*at = (struct missing_code){ .dso = s->dso, .first = s->sym,
					     .reason = xstrdup(reason) };
	}
	at->n_symbols++;
	for (size_t i = 0; i < s->n_counts; i++)
		at->n_samples += s->counts[i].sum.n;
}

void missing_release(missing_codes *m)
{
	for vec_each(it, m)
		free(it->reason);
	vec_free(m);
}

static void add_build_id(struct str *out, const struct dso *d)
{
	if (!d->id.n)
		return;
	str_add(out, " with build-id ");
	build_id_add(out, &d->id);
}

static void kernel_reason(struct str *text, struct err *hint, const struct dso *d,
			  const struct session *s)
{
	const struct data_features *env = s->source->env;
	const char *release = env && env->osrelease ? env->osrelease : NULL;

	str_add(text, "no vmlinux");
	add_build_id(text, d);
	str_add(text, " was found, and this is not that kernel, or /proc/kcore cannot be read");
	err_hint(hint, "the package linux-image-%s-dbg has it (-k FILE names it); or run this as "
		       "root on the recorded machine", release ? release : "RELEASE");
}

static void file_reason(struct str *text, struct err *hint, struct dso *d)
{
	const char *reason = dso_reason(d);

	str_add(text, "no file");
	add_build_id(text, d);
	str_add(text, " was found");
	if (reason) {
		str_add(text, " (");
		str_add(text, reason);
		str_add(text, ")");
	}
	err_hint(hint, "'dpkg -S %s' names its package on the recorded machine; --symfs DIRECTORY "
		       "looks below a copy of its files, and 'perf archive' there packs them",
		 d->path);
}

/* Why the bytes of a dso's code cannot be read. */
static void explain(struct str *text, struct err *hint, struct dso *d, const struct session *s)
{
	switch (d->kind) {
	case DSO_KERNEL:
	case DSO_MODULE:
		kernel_reason(text, hint, d, s);
		return;
	case DSO_PERF_MAP:
	case DSO_JIT:
	case DSO_ANON:
		str_add(text, "this code was made at run time, and is in no file");
		err_hint(hint, "a compiler that writes a jitdump file (as node --perf-prof does) "
			       "keeps it: 'perf inject --jit' makes files of it");
		return;
	case DSO_BPF:
		str_add(text, "the code of BPF programs is not in the recording");
		return;
	default:
		file_reason(text, hint, d);
	}
}

static void warn_one(const struct missing_code *m, const struct session *s)
{
	struct err e = ERR_INIT;
	struct str text = STR_INIT;

	str_add(&text, "cannot show '");
	str_add_safe(&text, m->first->name);
	str_add(&text, "'");
	if (m->n_symbols > 1)
		str_addf(&text, " and %llu more", (unsigned long long)m->n_symbols - 1);
	str_addf(&text, " (%llu samples) of '", (unsigned long long)m->n_samples);
	str_add_safe(&text, m->dso->path);
	str_add(&text, "': ");
	err_set(&e, ENODATA, "?");
	if (!*m->reason)
		explain(&text, &e, m->dso, s);
	else
		str_add(&text, m->reason);
	char *hint = e.hint ? xstrdup(e.hint) : NULL;

	err_set(&e, ENODATA, "%s", str_cstr(&text));
	if (hint)
		err_hint(&e, "%s", hint);
	cli_warn_err(&e);
	free(hint);
	str_release(&text);
	err_release(&e);
}

void missing_warn(const missing_codes *m, const struct session *s)
{
	for vec_each(it, m)
		warn_one(it, s);
}

/* --- a name that nothing sampled has */

/* The nearest so far of all names. */
struct nearest { const char *name; int distance; };

static void compare(struct nearest *best, const char *wanted, const char *name)
{
	const int n = (int)strlen(wanted), far = MAX(n / 3, 2);
	int distance;

	if (abs((int)strlen(name) - n) > far || best->distance == 1)
		return;
	distance = edit_distance(wanted, name);
	if (distance > far || (best->name && distance >= best->distance))
		return;
	best->name = name;
	best->distance = distance;
}

static const struct symbol *look_in(struct dso *d, const char *name, struct nearest *best)
{
	const struct symbol *all, *exact = dso_find_name(d, name);
	const size_t n = exact ? 0 : dso_symbols(d, &all);

	for (size_t i = 0; i < n && !exact; i++) {
		if (annotate_is_named(&all[i], name))
			exact = &all[i];
		else
			compare(best, name, all[i].name);
	}
	return exact;
}

int missing_symbol(const struct session *s, const char *name)
{
	struct dso_store *store = stream_dsos(s->stream);
	struct nearest best = { 0 };
	struct err e = ERR_INIT;

	for (size_t i = 0; i < dso_count(store); i++) {
		struct dso *d = dso_at(store, i);

		if (!dso_tried(d) || !look_in(d, name, &best))
			continue;
		err_set(&e, ENOENT, "'%s' of '%s' has no samples in '%s'", name, d->path,
			s->source->name);
		err_hint(&e, "perf report --sort dso,sym lists the functions that have some");
		break;
	}
	if (!e.msg) {
		err_set(&e, ENOENT, "no function '%s' in what was sampled in '%s'", name,
			s->source->name);
		if (best.name)
			err_hint(&e, "did you mean '%s'?", best.name);
		else
			err_hint(&e, "perf report --sort dso,sym lists the functions that there "
				     "are");
	}
	cli_error(&e);
	err_release(&e);
	return CLI_FAILED;
}
