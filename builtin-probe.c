// SPDX-License-Identifier: GPL-2.0-or-later
// perf probe: dynamic probes in programs and the kernel.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "builtin.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/elf/symfs.h"
#include "util/probe/probe.h"
#include "util/symbols/buildid-cache.h"
#include "util/view/draw.h"
#include "util/view/probe-text.h"

struct cmd_item { char what; const char *text; const char *exec; const char *module; bool bare;
		  /* without an option */ };

struct probe_cmd {
	struct probe_opts po;
	struct cli_common common;
	VEC(struct cmd_item) items;	/* in the order of the command line */
	const char *exec, *module;	/* in force from here on */
	bool list, dry_run, cache, bootconfig, fprobe, no_inlines, force, externs, range, demangle,
		demangle_kernel, index;
	int target_ns;
	const char *filter;
	struct table_output output;	/* of what is listed */
};

static int set_item(const struct opt_use *u, struct err *err UNUSED)
{
	struct probe_cmd *c = u->base;
	char what = u->def->short_name;

	if (what == 'x') {
		c->exec = u->arg;
		c->module = NULL;
	} else if (what == 'm') {
		c->module = u->arg;
		c->exec = NULL;
	} else {
		vec_push(&c->items, ((struct cmd_item){ what, u->arg, c->exec, c->module, false }));
	}
	return 0;
}

static const char def_help[] = "probe point definition, where\n"
	"GROUP:\tGroup name (optional)\n"
	"EVENT:\tEvent name\n"
	"FUNC:\tFunction name, of any language (globs are fine)\n"
	"OFF:\tOffset from function entry (in byte)\n"
	"%return:\tPut the probe at function return\n"
	"SRC:\tSource code path\n"
	"RL:\tRelative line number from function entry.\n"
	"AL:\tAbsolute line number in file.\n"
	"PT:\tLazy expression of line code.\n"
	"ARG:\tProbe argument (local variable name or\n"
	"\tkprobe-tracer argument format.)";

#define DEF_ARG "[EVENT=]FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT [[NAME=]ARG ...]"

static int set_symfs(const struct opt_use *u, struct err *err)
{
	struct probe_cmd *o = u->base;

	o->po.symfs = u->unset ? NULL : u->arg;
	return o->po.symfs ? symfs_check(o->po.symfs, err) : 0;
}

static const struct option_def probe_options[] = {
	OPT_CALL('a', "add", DEF_ARG, set_item, def_help),
	OPT_CALL('D', "definition", DEF_ARG, set_item,
		 "Show trace event definition of given traceevent for k/uprobe_events."),
	OPT_CALL('d', "del", "[GROUP:]EVENT", set_item, "delete a probe event."),
	OPT_FLAG('f', "force", struct probe_cmd, force, "forcibly add events with existing name"),
	OPT_CALL_OPTARG('F', "funcs", "[FILTER]", NULL, set_item,
			"Show potential probe-able functions."),
	OPT_STRING('k', "vmlinux", struct probe_cmd, po.vmlinux, "file", "vmlinux pathname"),
	OPT_CALL('L', "line", "FUNC[:RLN[+NUM|-RLN2]]|SRC:ALN[+NUM|-ALN2]", set_item,
		 "Show source code lines."),
	OPT_CALL_OPTARG('l', "list", "[GROUP:]EVENT", NULL, set_item, "list up probe events"),
	OPT_CALL('m', "module", "modname|path", set_item,
		 "target module name (for online) or path (for offline)"),
	OPT_FLAG('n', "dry-run", struct probe_cmd, dry_run, "dry run"),
	OPT_STRING('s', "source", struct probe_cmd, po.source_dir, "directory",
		   "path to kernel source"),
	OPT_CALL('V', "vars", "FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT", set_item,
		 "Show accessible variables on PROBEDEF"),
	OPT_CALL('x', "exec", "executable|path", set_item, "target executable name or path"),
	OPT_FLAG(0, "bootconfig", struct probe_cmd, bootconfig,
		 "Output probe definition with bootconfig format"),
	OPT_FLAG(0, "cache", struct probe_cmd, cache, "Manipulate probe cache"),
	OPT_FLAG(0, "demangle", struct probe_cmd, demangle, "Enable symbol demangling"),
	OPT_FLAG(0, "demangle-kernel", struct probe_cmd, demangle_kernel,
		 "Enable kernel symbol demangling"),
	OPT_FLAG(0, "externs", struct probe_cmd, externs,
		 "Show external variables too (with --vars only)"),
	OPT_STRING(0, "filter", struct probe_cmd, filter, "[!]FILTER",
		   "Set a filter (with --vars/funcs only)\n"
		   "(default: \"!__k???tab_* & !__crc_*\" for --vars,\n \"!_* & !*@plt\" for "
		   "--funcs)"),
	OPT_FLAG(0, "fprobe", struct probe_cmd, fprobe,
		 "Use fprobe events for entries and returns of kernel functions\n(the default "
		 "where the kernel has no kprobe events)"),
	OPT_FLAG(0, "index", struct probe_cmd, index,
		 "Keep an index of the functions of large files (below the user's "
		 "cache\ndirectory, by build-id)"),
	OPT_INT(0, "max-probes", struct probe_cmd, po.max_probes, "n",
		"Set how many probe points can be found for a probe."),
	OPT_FLAG(0, "no-inlines", struct probe_cmd, no_inlines, "Don't search inlined functions"),
	OPT_FLAG(0, "range", struct probe_cmd, range,
		 "Show variables location range in scope (with --vars only)"),
	OPT_CALL_NO(0, "symfs", "directory[,layout]", set_symfs,
		    "setup root directory which contains debug files, by their full paths\n"
		 "there (layout hierarchy, the default) or by their names alone (flat)"),
	OPT_INT(0, "target-ns", struct probe_cmd, target_ns, "pid",
		"target pid for namespace contexts"),
	OPT_END
};

static const char *const usage[] = {
	"[<options>] 'PROBEDEF' ['PROBEDEF' ...]",
	"[<options>] --add 'PROBEDEF' [--add 'PROBEDEF' ...]",
	"[<options>] --del '[GROUP:]EVENT' ...",
	"--list [GROUP:]EVENT ...",
	"[<options>] --line 'LINEDESC'",
	"[<options>] --vars 'PROBEPOINT'",
	"[<options>] --funcs",
	NULL
};

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

static void print_event_line(FILE *f, const struct probe_def *d, const struct probe_spec *s,
			     const char *path, int places)
{
	struct str t = STR_INIT;
	char *name = xasprintf("%s:%s", d->group, d->event);

	str_addf(&t, "  %-20s (on ", name);
	str_add_safe(&t, s->point);
	if (path) {
		str_add(&t, " in ");
		str_add_safe(&t, path);
	}
	for vec_each(a, &s->args)
		str_addf(&t, "%s%s%s%s%s%s%s", a == s->args.v ? " with " : " ", a->name ? a->name :
			 "", a->name ? "=" : "", a->expr,
			 a->type ? ":" : "", a->type ? a->type : "", a->user ? "@user" : "");
	str_add(&t, ")");
	if (places > 1)
		str_addf(&t, " at %d places", places);
	fprintf(f, "%s\n", str_cstr(&t));
	str_release(&t);
	free(name);
}

static void print_added(struct probe_cmd *c, probe_defs *defs, struct probe_spec *specs,
			char **paths)
{
	size_t events = 0;
	const struct probe_def *last = NULL;

	for (size_t pass = 0; pass < 2; pass++) {
		if (pass)
			fprintf(stderr, "%s new event%s\n", c->dry_run ? "Would add" : "Added",
				events > 1 ? "s:" : ":");
		last = NULL;
		for vec_each(d, defs) {
			int places = 0;

			if (last && last->spec == d->spec && !strcmp(last->event, d->event) &&
			    !strcmp(last->group, d->group))
				continue;
			bool earlier = false;

			for vec_each(e, defs) {
				bool same = e->spec == d->spec && !strcmp(e->event, d->event) &&
					!strcmp(e->group, d->group);

				earlier = earlier || (same && e < d);
				places += same;
			}
			last = d;
			if (earlier)
				continue;
			if (pass)
				print_event_line(stderr, d, &specs[d->spec], paths[d->spec],
						 places);
			else
				events++;
		}
	}
	last = defs->n ? &defs->v[defs->n - 1] : NULL;
	if (last && !c->dry_run)
		fprintf(stderr, "\nYou can now use it in all perf tools, such as:\n\n\tperf record "
				"-e %s:%s -aR sleep 1\n\n", last->group,
			last->event);
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
	int ret = probe_writable((struct os *)c->po.os, defs->v[0].kernel, err);

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
	char **paths = xcalloc(c->items.n, sizeof(*paths));
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
			ret = probe_writable((struct os *)c->po.os, !it->exec, err);
		if (!ret && !same_target(opened, it)) {
			probe_close(p);
			p = open_target(c, it, err);
			opened = it;
		}
		if (ret || !p) {
			ret = ret ? ret : -EINVAL;
			break;
		}
		paths[i] = probe_obj_path(p) ? xstrdup(probe_obj_path(p)) : NULL;
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
		print_added(c, &defs, specs, paths);
	for (size_t i = 0; i < c->items.n; i++) {
		probe_spec_release(&specs[i]);
		free(paths[i]);
	}
	free(specs);
	free(paths);
	probe_defs_release(&defs);
	probe_notes_release(&notes);
	probe_close(p);
	return ret ? cli_error(err) : 0;
}

/* --- deleting, listing */

static bool event_matches(const struct probe_event *e, const char *pattern)
{
	const char *colon = strchr(pattern, ':');
	char *group;
	bool ok;

	if (!colon)
		return glob_match(e->event, pattern);
	group = xstrndup(pattern, colon - pattern);
	ok = glob_match(e->group, group) && glob_match(e->event, colon + 1);
	free(group);
	return ok;
}

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

/* As it was written: with the group, or without. */
static int no_such_event(const probe_events *have, const char *pattern, struct err *err)
{
	VEC(char *) names = { 0 };
	const char *near;

	for vec_each(e, have)
		vec_push(&names, strchr(pattern, ':') ? xasprintf("%s:%s", e->group, e->event) :
			 xstrdup(e->event));
	near = nearest_name(pattern, (const char *const *)names.v, names.n);
	err_set(err, ENOENT, "\"%s\" does not hit any event", pattern);
	err_hint(err, near ? "did you mean '%s'? 'perf probe -l' lists the probes that exist" :
		 have->n ?
		 "'perf probe -l' lists the probes that exist" : "there are no probes", near);
	for vec_each(n, &names)
		free(*n);
	vec_free(&names);
	return -ENOENT;
}

static int delete_events(struct probe_cmd *c, struct err *err)
{
	probe_events have = { 0 };
	int ret = probe_events_read(c->po.os, &have, err), failed = 0;

	for (size_t i = 0; i < c->items.n && !ret; i++) {
		bool hit = false;

		for vec_each(e, &have) {
			if (!event_matches(e, c->items.v[i].text))
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
			ret = no_such_event(&have, c->items.v[i].text, err);
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
	int ret = os_tracefs((struct os *)c->po.os, err);

	ret = ret ? ret : probe_events_read(c->po.os, &have, err);
	probe_event_table_begin(&t);
	for vec_each(e, &have)
		if (!pattern || event_matches(e, pattern))
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
		struct table *t, struct str *out,
		struct err *err)
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

static int run(struct probe_cmd *c, const struct cli_cmd *cmd, struct err *err)
{
	char what = c->items.v[0].what;

	for vec_each(it, &c->items) {
		if (it->bare && what != 'a')
			return cli_usage_error(cmd, "'%s' belongs to no option: quote an argument "
						    "that has blanks, or give each one "
					       "its own -%c", it->text, what);
		if (it->what != what)
			return cli_usage_error(cmd, "another command except --%s is set.",
					       what == 'a' ? "add" : what == 'D' ? "definition" :
					       what == 'd' ? "del" : what == 'F' ?
					       "funcs" : what == 'L' ? "line" : what == 'l' ?
					       "list" : "vars");
		if (!it->exec && !it->module) {		/* a target given after its command */
			it->exec = c->exec;
			it->module = c->module;
		}
	}
	switch (what) {
	case 'a':
	case 'D':
		return define(c, err);
	case 'd':
		if (c->cache)
			return cached_events(c, true, err);
		return delete_events(c, err);
	case 'l':
		if (c->cache)
			return cached_events(c, false, err);
		return list_events(c, c->items.v[0].text, err);
	default:
		return show(c, &c->items.v[0], err);
	}
}

/* What is left are words of definitions ("perf probe -x x func n i" is one), or the argument of
 * an option that takes it optionally. */
static void take_words(struct probe_cmd *c, int n, const char **argv, struct str *joined)
{
	struct cmd_item *first = c->items.n ? &c->items.v[0] : NULL;

	if (!n)
		return;
	if (first && (first->what == 'l' || first->what == 'd')) {
		if (first->what == 'l' && !first->text)
			first->text = argv[0];
		else
			for (int i = 0; i < n; i++)
				vec_push(&c->items, ((struct cmd_item){ first->what, argv[i], NULL,
									NULL, false }));
		return;
	}
	if (first && first->what == 'F') {
		/* "perf probe -F FILE" */
		if (strchr(argv[0], '/') && !c->exec && !c->module)
			c->exec = argv[0];
		else if (!c->po.filter)
			c->po.filter = argv[0];
		return;
	}
	for (int i = 0; i < n; i++)
		str_addf(joined, "%s%s", i ? " " : "", argv[i]);
	vec_push(&c->items, ((struct cmd_item){ 'a', str_cstr(joined), c->exec, c->module, true }));
}

static char *index_directory(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	return xdg && xdg[0] == '/' ? xasprintf("%s/perf/functions", xdg) : home && home[0] ?
		xasprintf("%s/.cache/perf/functions", home) :
	       NULL;
}

int cmd_probe(int argc, const char **argv)
{
	struct probe_cmd c = { .demangle = true, .index = true };
	const struct option_table tables[] = { { probe_options, &c }, cli_output_group(&c.output),
					       cli_common_group(&c.common), { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "probe", .usage = usage, .tables = tables };
	struct err err = ERR_INIT;
	struct str joined = STR_INIT;
	struct os os;
	char *dir = NULL, *cache = NULL;
	int n = cli_parse(&cmd, argc, argv), ret;

	if (n < 0)
		return cli_status(n);
	os_init(&os);
	if (os_tracefs(&os, NULL))
		err_release(&err);
	c.po.os = &os;
	c.po.force = c.force;
	c.po.no_inlines = c.no_inlines;
	c.po.externs = c.externs;
	c.po.range = c.range;
	c.po.no_demangle = !c.demangle;
	c.po.filter = c.filter;
	c.po.target_ns = c.target_ns;
	c.po.debuginfod_urls = getenv("DEBUGINFOD_URLS");
	dir = buildid_cache_default_dir();
	c.po.buildid_dir = dir;
	cache = c.index ? index_directory() : NULL;
	c.po.index_dir = cache;
	take_words(&c, n, argv, &joined);
	if (c.items.n && c.items.v[0].what == 'F' && c.items.v[0].text && !c.po.filter)
		c.po.filter = c.items.v[0].text;
	if (!c.items.n)
		ret = cli_usage_error(&cmd, "nothing is asked for: give a probe definition, or -d, "
					    "-l, -L, -V or -F");
	else
		ret = run(&c, &cmd, &err);
	vec_free(&c.items);
	str_release(&joined);
	err_release(&err);
	os_release(&os);
	free(dir);
	free(cache);
	return ret;
}
