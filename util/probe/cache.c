// SPDX-License-Identifier: GPL-2.0-or-later
// The probe cache: DIR/.build-id/xx/rest/probes holds specifications ("#group:event=func n")
// with the definitions that they became
// ("p:group/event path:0x12a0 n=%di:s32"), so that they can be added again without debug
// information.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/outfile.h"
#include "util/base/xalloc.h"
#include "util/probe/probe-priv.h"
#include "util/symbols/buildid-cache.h"
#include "util/symbols/dso.h"

#define MAX_CACHE_BYTES (64 << 20)

static bool id_of(const struct probe_obj *p, struct build_id *id)
{
	memset(id, 0, sizeof(*id));
	if (p->file)
		build_id_of_file(p->file, id, NULL);
	else
		build_id_of_kernel(p->opts->os, id, NULL);
	return id->n > 1;
}

/* The directory of the target; with create it is made, as "perf buildid-cache" makes it. */
static char *cache_directory(const struct probe_obj *p, bool create, struct err *err)
{
	struct build_id id;
	struct str hex = STR_INIT;
	const char *dir = p->opts->buildid_dir, *name = p->path ? p->path : "/[kernel.kallsyms]";
	char *link, *real, *to, *xx;

	if (!dir || !id_of(p, &id)) {
		err_set(err, ENOENT, "'%s' has no build-id: its probes cannot be cached",
			pobj_name(p));
		return NULL;
	}
	build_id_add(&hex, &id);
	link = xasprintf("%s/.build-id/%.2s/%s", dir, str_cstr(&hex), str_cstr(&hex) + 2);
	if (create && access(link, F_OK)) {
		real = xasprintf("%s/%s", name, str_cstr(&hex));
		xx = xasprintf(".build-id/%.2s", str_cstr(&hex));
		to = NULL;
		if (!buildid_cache_check(dir, err) && !io_mkdirs_below(dir, real, err) &&
		    !io_mkdirs_below(dir, xx, err)) {
			to = xasprintf("../..%s/%s", name, str_cstr(&hex));
			unlink(link);	/* a dangling one */
			if (symlink(to, link))
				err_sys(err, errno, "cannot make '%s'", link);
		}
		free(real);
		free(xx);
		free(to);
	}
	str_release(&hex);
	if (access(link, F_OK)) {
		free(link);
		return NULL;
	}
	return link;
}

/* Copies text without the entries that fn names; an entry is a line with # and those after it. */
typedef bool (*entry_fn)(void *ctx, const char *head, const char *defs);

static void filter_entries(const char *text, entry_fn drop, void *ctx, struct str *out)
{
	while (*text) {
		const char *next = text + strcspn(text, "\n");
		struct str head = STR_INIT, defs = STR_INIT;

		str_addn(&head, text, next - text);
		next += *next == '\n';
		while (*next && *next != '#') {
			size_t n = strcspn(next, "\n");

			str_addn(&defs, next, n);
			str_addch(&defs, '\n');
			next += n + (next[n] == '\n');
		}
		if (head.len > 1 && head.buf[0] == '#' &&
		    !drop(ctx, head.buf + 1, str_cstr(&defs)) && out)
			str_addf(out, "%s\n%s", head.buf, str_cstr(&defs));
		str_release(&head);
		str_release(&defs);
		text = next;
	}
}

static int store(const char *file, const struct str *text, struct err *err)
{
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .mode = 0666 };

	return outfile_write(file, &o, str_cstr(text), text->len, err);
}

static bool same_head(void *ctx, const char *head, const char *defs UNUSED)
{
	return !strcmp(head, ctx);
}

int probe_cache_add(struct probe_obj *p, const struct probe_spec *s, int index,
		    const probe_defs *defs, struct err *err)
{
	char *dir = cache_directory(p, true, err), *file, *head;
	struct str old = STR_INIT, text = STR_INIT;
	int ret;

	if (!dir)
		return err && err->code ? -err->code : -ENOENT;
	file = xasprintf("%s/probes", dir);
	head = xstrdup(s->text);
	for (char *c = head; *c; c++)
		*c = *c == '\n' ? ' ' : *c;
	io_read_file(file, MAX_CACHE_BYTES, &old, NULL);
	filter_entries(str_cstr(&old), same_head, head, &text);
	str_addf(&text, "#%s\n", head);
	for vec_each(d, defs)
		if (d->spec == index) {
			probe_def_text(d, &text);
			str_addch(&text, '\n');
		}
	ret = store(file, &text, err);
	str_release(&old);
	str_release(&text);
	free(file);
	free(head);
	free(dir);
	return ret;
}

/* --- taking from it */

struct take {
	struct probe_obj *p;
	const struct probe_spec *s;
	int index;
	probe_defs *out;
};

/* "group:event" or, where the pattern has no colon, the event. */
static bool def_matches(const struct probe_def *d, const char *pattern)
{
	char *full = xasprintf("%s:%s", d->group, d->event);
	bool hit = glob_match(strchr(pattern, ':') ? full : d->event, pattern);

	free(full);
	return hit;
}

static void take_line(struct take *t, const char *line)
{
	struct probe_def d;
	const char kind = probe_def_parse(line, t->p->kernel, &d);

	if (!kind)
		return;
	if ((kind != 'p' && kind != 'r') || line[1] != ':' || !def_matches(&d, t->s->sdt)) {
		probe_def_release(&d);
		return;
	}
	if (t->s->group) {
		free(d.group);
		d.group = xstrdup(t->s->group);
	}
	if (t->s->event) {
		free(d.event);
		d.event = xstrdup(t->s->event);
	}
	d.where = xstrdup(t->s->point);
	d.spec = t->index;
	d.addr = t->out->n + 1;		/* each is a place of its own */
	vec_push(t->out, d);
}

static bool take_entry(void *ctx, const char *head UNUSED, const char *defs)
{
	while (*defs) {
		size_t n = strcspn(defs, "\n");
		char *line = xstrndup(defs, n);

		take_line(ctx, line);
		free(line);
		defs += n + (defs[n] == '\n');
	}
	return false;
}

int cache_resolve(struct probe_obj *p, const struct probe_spec *s, int index, probe_defs *out)
{
	struct take t = { p, s, index, out };
	char *dir = cache_directory(p, false, NULL), *file;
	struct str text = STR_INIT;
	size_t before = out->n;

	if (!dir)
		return -ENOENT;
	file = xasprintf("%s/probes", dir);
	if (!io_read_file(file, MAX_CACHE_BYTES, &text, NULL))
		filter_entries(str_cstr(&text), take_entry, &t, NULL);
	str_release(&text);
	free(file);
	free(dir);
	return out->n > before ? 0 : -ENOENT;
}

/* --- all of them */

struct each {
	const char *pattern;	/* of entries to delete; NULL: list */
	struct str *out;
	int hits;
};

static bool one_entry(void *ctx, const char *head, const char *defs)
{
	struct each *e = ctx;
	struct probe_def d;
	char *first;
	bool hit;

	if (!e->pattern) {
		str_add_safe(e->out, head);
		str_addch(e->out, '\n');
		return false;
	}
	first = xstrndup(defs, strcspn(defs, "\n"));
	hit = probe_def_parse(first, true, &d);
	free(first);
	if (!hit)
		return false;
	hit = def_matches(&d, e->pattern);
	probe_def_release(&d);
	if (hit) {
		str_add(e->out, "Removed cached event: ");
		str_add_safe(e->out, head);
		str_addch(e->out, '\n');
		e->hits++;
	}
	return hit;
}

static void one_cache(const char *link, const char *xx, const char *rest, struct each *e)
{
	char *file = xasprintf("%s/probes", link), to[4096], *end;
	struct str text = STR_INIT, left = STR_INIT;
	ssize_t n = readlink(link, to, sizeof(to) - 1);
	int before = e->hits;

	if (!io_read_file(file, MAX_CACHE_BYTES, &text, NULL) && text.len) {
		if (!e->pattern) {
			to[n > 0 ? n : 0] = 0;
			end = strrchr(to, '/');
			if (end)
				*end = 0;
			str_add_safe(e->out, str_has_prefix(to, "../..") ? to + 5 : to);
			str_addf(e->out, " (%s%s):\n", xx, rest);
		}
		filter_entries(str_cstr(&text), one_entry, e, &left);
		if (e->hits > before)
			store(file, &left, NULL);
	}
	str_release(&text);
	str_release(&left);
	free(file);
}

int probe_cache_each(const struct probe_opts *o, const char *delete_pattern, struct str *out)
{
	struct each e = { delete_pattern, out, 0 };
	char *top = xasprintf("%s/.build-id", o->buildid_dir ? o->buildid_dir : "");
	struct dirent **dirs, **files;
	int n = o->buildid_dir ? scandir(top, &dirs, NULL, alphasort) : -1;

	for (int i = 0; i < n; i++) {
		char *sub = xasprintf("%s/%s", top, dirs[i]->d_name);
		int m = dirs[i]->d_name[0] == '.' ? -1 : scandir(sub, &files, NULL, alphasort);

		for (int k = 0; k < m; k++) {
			char *link = xasprintf("%s/%s", sub, files[k]->d_name);

			if (files[k]->d_name[0] != '.')
				one_cache(link, dirs[i]->d_name, files[k]->d_name, &e);
			free(link);
			free(files[k]);
		}
		if (m >= 0)
			free(files);
		free(sub);
		free(dirs[i]);
	}
	if (n >= 0)
		free(dirs);
	free(top);
	return e.hits;
}
