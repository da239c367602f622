// SPDX-License-Identifier: GPL-2.0-or-later
// perf probe: dynamic probes in programs and the kernel.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "builtin-probe.h"
#include "builtin.h"
#include "util/base/xalloc.h"
#include "util/cli/error.h"
#include "util/os/rights.h"
#include "util/view/probe-text.h"

static struct probe_obj *open_target(struct probe_cmd *c, const struct cmd_item *it,
				     struct err *err)
{
	return it->exec ? probe_open_user(&c->po, it->exec, err) :
		probe_open_kernel(&c->po, it->module, err);
}

static bool same_target(const struct cmd_item *a, const struct cmd_item *b)
{
	return a && a->exec == b->exec && a->module == b->module;
}

static void tell(const struct probe_cmd *c, probe_notes *notes)
{
	for vec_each(n, notes)
		if (!c->common.quiet)
			cli_warn("%s", *n);
	probe_notes_release(notes);
}

/* --- adding */

static int print_definition(const struct probe_cmd *c, const struct probe_def *d, struct err *err)
{
	struct str text = STR_INIT;
	int ret = 0;

	if (c->bootconfig)
		ret = probe_def_bootconfig(d, &text, err);
	else
		probe_def_text(d, &text);
	if (!ret)
		printf("%s\n", str_cstr(&text));
	str_release(&text);
	return ret;
}

static void print_added(const struct probe_cmd *c, const probe_defs *defs,
			const struct probe_spec *specs)
{
	struct str lines = STR_INIT;
	const size_t events = probe_defs_events(defs, specs, &lines);
	const struct probe_def *last = defs->n ? &defs->v[defs->n - 1] : NULL;

	fprintf(stderr, "%s new event%s\n%s", c->dry_run ? "Would add" : "Added",
		events > 1 ? "s:" : ":", str_cstr(&lines));
	if (last && !c->dry_run)
		fprintf(stderr, "\nYou can now use it in all perf tools, such as:\n\n"
			"\tperf record -e %s:%s -aR sleep 1\n\n", last->group, last->event);
	str_release(&lines);
}

/* As the user or the kernel wants them. */
static int choose_kind(struct probe_cmd *c, bool show, probe_defs *defs, struct err *err)
{
	int ret = 0;

	if (c->fprobe && !show && !probe_has_fprobe(c->po.os)) {
		err_set(err, ENOTSUP, "this kernel has no fprobe events");
		err_hint(err, "they need Linux 6.5 and CONFIG_FPROBE_EVENTS=y; leave out --fprobe "
			      "to use kprobe events");
		return -ENOTSUP;
	}
	if (!c->fprobe && (show || !probe_needs_fprobe(c->po.os)))
		return 0;
	for vec_each(d, defs)
		if (!ret && (c->fprobe || d->kernel))
			ret = probe_def_to_fprobe(d, arch_host()->name, err);
	return ret;
}

static int write_all(struct probe_cmd *c, probe_defs *defs, struct err *err)
{
	probe_events have = { 0 };
	probe_notes notes = { 0 };
	int ret = probe_writable(&c->os, defs->v[0].kernel, err);

	ret = ret ? ret : probe_events_read(c->po.os, &have, err);
	ret = ret ? ret : probe_make_unique(&have, defs, c->force, err);
	if (!ret && !c->dry_run)
		ret = probe_events_add(c->po.os, defs, &notes, err);
	tell(c, &notes);
	probe_events_release(&have);
	return ret;
}

static int define(struct probe_cmd *c, struct err *err)
{
	probe_defs defs = { 0 };
	probe_notes notes = { 0 };
	struct probe_spec *specs = xcalloc(c->items.n, sizeof(*specs));
	struct probe_obj *p = NULL;
	const struct cmd_item *opened = NULL;
	bool show = false;
	int ret = 0;

	/* all texts are checked before any file is opened */
	for (size_t i = 0; i < c->items.n && !ret; i++)
		ret = probe_spec_parse(c->items.v[i].text, &specs[i], err);
	for (size_t i = 0; i < c->items.n && !ret; i++) {
		const struct cmd_item *it = &c->items.v[i];

		show = it->what == 'D';
		if (!show && !i && !c->dry_run)
			ret = probe_writable(&c->os, !it->exec, err);
		if (!ret && !same_target(opened, it)) {
			probe_close(p);
			p = open_target(c, it, err);
			opened = it;
		}
		if (ret || !p) {
			ret = ret ? ret : -EINVAL;
			break;
		}
		ret = probe_resolve(p, &specs[i], i, &defs, &notes, err);
		if (!ret && c->cache && !specs[i].sdt)
			ret = probe_cache_add(p, &specs[i], i, &defs, err);
	}
	if (!ret)
		tell(c, &notes);
	ret = ret ? ret : choose_kind(c, show, &defs, err);
	if (!ret && show)
		for vec_each(d, &defs)
			ret = ret ? ret : print_definition(c, d, err);
	if (!ret && !show)
		ret = write_all(c, &defs, err);
	if (!ret && !show && !c->common.quiet)
		print_added(c, &defs, specs);
	for (size_t i = 0; i < c->items.n; i++)
		probe_spec_release(&specs[i]);
	free(specs);
	probe_defs_release(&defs);
	probe_notes_release(&notes);
	probe_close(p);
	return ret ? cli_error(err) : 0;
}

/* --- deleting, listing */

static int cached_events(struct probe_cmd *c, bool del, struct err *err)
{
	struct str out = STR_INIT;
	int hits = 0, ret = 0;

	for (size_t i = 0; i < c->items.n && !ret; i++) {
		hits = probe_cache_each(&c->po, del ? c->items.v[i].text : NULL, &out);
		if (del && !hits)
			ret = err_set(err, ENOENT, "\"%s\" does not hit any cached event",
				      c->items.v[i].text);
	}
	if (!del || !c->common.quiet)
		fputs(str_cstr(&out), del ? stderr : stdout);
	str_release(&out);
	return ret ? cli_error(err) : 0;
}

static int delete_events(struct probe_cmd *c, struct err *err)
{
	probe_events have = { 0 };
	int ret = probe_events_read(c->po.os, &have, err), failed = 0;

	if (ret == -EACCES)
		err_hint(err, "deleting probes needs root: run as %s", os_root_sudo(c->po.os));
	for (size_t i = 0; i < c->items.n && !ret; i++) {
		bool hit = false;

		for vec_each(e, &have) {
			if (!probe_event_matches(e, c->items.v[i].text))
				continue;
			hit = true;
			if (!c->dry_run && probe_event_del(c->po.os, e, err)) {
				cli_error(err);
				err_release(err);
				failed = 1;
				continue;
			}
			if (!c->common.quiet)
				fprintf(stderr, "%s event: %s:%s\n", c->dry_run ? "Would remove" :
					"Removed", e->group, e->event);
		}
		if (!hit)
			ret = probe_no_such_event(&have, c->items.v[i].text, err);
	}
	probe_events_release(&have);
	return ret ? cli_error(err) : failed;
}

static int list_events(struct probe_cmd *c, const char *pattern, struct err *err)
{
	probe_events have = { 0 };
	struct probe_obj *cached = NULL;
	struct table t = { 0 };
	struct str s = STR_INIT;
	int ret = os_tracefs(&c->os, err);

	if (ret == -EACCES)
		err_hint(err, "run as %s", os_root_sudo(&c->os));
	ret = ret ? ret : probe_events_read(c->po.os, &have, err);
	probe_event_table_begin(&t);
	for vec_each(e, &have)
		if (!pattern || probe_event_matches(e, pattern))
			probe_event_table_add(&t, &c->po, e, &cached);
	if (!ret && table_output_data(&c->output))
		draw_only_table(&s, &t, &c->output);
	else
		probe_text_events(&s, &t);
	fputs(str_cstr(&s), stdout);
	str_release(&s);
	table_release(&t);
	probe_close(cached);
	probe_events_release(&have);
	return ret ? cli_error(err) : 0;
}

/* --- looking around */

static int look(struct probe_cmd *c, struct probe_obj *p, const struct cmd_item *it,
		struct table *t, struct str *out, struct err *err)
{
	struct probe_spec s = { .text = NULL };
	probe_notes notes = { 0 };
	u32 last = 0;
	int ret;

	if (it->what == 'F')
		ret = probe_list_funcs(p, t, err);
	else if (it->what == 'L') {
		ret = probe_range_parse(it->text, &s, &last, err);
		ret = ret ? ret : probe_list_lines(p, &s, last, t, &notes, err);
	} else {
		ret = probe_spec_parse(it->text, &s, err);
		ret = ret ? ret : probe_list_vars(p, &s, t, err);
	}
	tell(c, &notes);
	if (!t->cols.n)
		;	/* it could not begin */
	else if (table_output_data(&c->output))
		draw_only_table(out, t, &c->output);
	else if (it->what == 'V')
		probe_text_vars(out, t, s.point);
	else
		(it->what == 'F' ? probe_text_funcs : probe_text_lines)(out, t);
	probe_spec_release(&s);
	return ret;
}

static int show(struct probe_cmd *c, const struct cmd_item *it, struct err *err)
{
	struct probe_obj *p = open_target(c, it, err);
	struct table t = { 0 };
	struct str out = STR_INIT;
	int ret = p ? look(c, p, it, &t, &out, err) : -EINVAL;

	fputs(str_cstr(&out), stdout);
	str_release(&out);
	table_release(&t);
	probe_close(p);
	return ret ? cli_error(err) : 0;
}

static int run(struct probe_cmd *c, struct err *err)
{
	const struct cmd_item *first = &c->items.v[0];

	switch (first->what) {
	case 'a':
	case 'D':
		return define(c, err);
	case 'd':
		return c->cache ? cached_events(c, true, err) : delete_events(c, err);
	case 'l':
		return c->cache ? cached_events(c, false, err) : list_events(c, first->text, err);
	default:
		return show(c, first, err);
	}
}

int cmd_probe(int argc, const char **argv)
{
	struct probe_cmd c;
	struct err err = ERR_INIT;
	int ret;

	if (!probe_parse(&c, argc, argv, &ret))
		ret = run(&c, &err);
	probe_cmd_release(&c);
	err_release(&err);
	return ret;
}
