// SPDX-License-Identifier: GPL-2.0-or-later
// What the command line says to perf probe.
#include <stdlib.h>
#include <string.h>

#include "builtin-probe.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/elf/symfs.h"
#include "util/symbols/buildid-cache.h"

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

#define DEF_ARG "[EVENT=]FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT [[NAME=]ARG ...]"

static int set_symfs(const struct opt_use *u, struct err *err)
{
	struct probe_cmd *o = u->base;

	o->po.symfs = u->unset ? NULL : u->arg;
	return o->po.symfs ? symfs_check(o->po.symfs, err) : 0;
}

static const struct option_def probe_options[] = {
	OPT_CALL('a', "add", DEF_ARG, set_item,
		 "add these probes: see PROBE SYNTAX in perf help probe"),
	OPT_CALL('D', "definition", DEF_ARG, set_item,
		 "print the definitions for kprobe_events or uprobe_events, add none"),
	OPT_CALL('d', "del", "[GROUP:]EVENT", set_item, "delete probes; globs are allowed"),
	OPT_FLAG('f', "force", struct probe_cmd, force,
	     "add events although their names exist: _1, _2 ... is appended"),
	OPT_CALL_OPTARG('F', "funcs", "[FILTER]", NULL, set_item,
			"list the functions that can be probed"),
	OPT_STRING('k', "vmlinux", struct probe_cmd, po.vmlinux, "file",
	     "read the kernel's symbols from this vmlinux file"),
	OPT_CALL('L', "line", "FUNC[:RLN[+NUM|-RLN2]]|SRC:ALN[+NUM|-ALN2]", set_item,
		 "show source lines, and on which of them a probe can be"),
	OPT_CALL_OPTARG('l', "list", "[GROUP:]EVENT", NULL, set_item,
	     "list the probes that are defined"),
	OPT_CALL('m', "module", "modname|path", set_item,
		 "the kernel module to probe: its name if loaded, or the path of its file"),
	OPT_FLAG('n', "dry-run", struct probe_cmd, dry_run,
	     "do everything but add or delete probes"),
	OPT_STRING('s', "source", struct probe_cmd, po.source_dir, "directory",
		   "where the source files are"),
	OPT_CALL('V', "vars", "FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT", set_item,
		 "list the variables that a probe there can read"),
	OPT_CALL('x', "exec", "executable|path", set_item, "the program or library to probe"),
	OPT_FLAG(0, "bootconfig", struct probe_cmd, bootconfig,
		 "with -D: print the definitions for the boot configuration"),
	OPT_FLAG(0, "cache", struct probe_cmd, cache, "use the cache of probe definitions"),
	OPT_FLAG(0, "demangle", struct probe_cmd, demangle,
	     "show C++ and Rust names demangled (default; --no-demangle disables)"),
	OPT_FLAG(0, "demangle-kernel", struct probe_cmd, demangle_kernel,
		 "show demangled names of the kernel's symbols"),
	OPT_FLAG(0, "externs", struct probe_cmd, externs,
		 "with -V: list global variables, too"),
	OPT_STRING(0, "filter", struct probe_cmd, filter, "[!]FILTER",
		   "with -V or -F: only names that match this (globs, ! & | and parentheses)"),
	OPT_FLAG(0, "fprobe", struct probe_cmd, fprobe,
		 "use fprobe events (the default where the kernel has no kprobe events)"),
	OPT_FLAG(0, "index", struct probe_cmd, index,
		 "keep an index of large files in ~/.cache (default; --no-index disables)"),
	OPT_INT(0, "max-probes", struct probe_cmd, po.max_probes, "n",
		"how many places one definition may have"),
	OPT_FLAG(0, "no-inlines", struct probe_cmd, no_inlines,
	     "leave out inlined copies of functions"),
	OPT_FLAG(0, "range", struct probe_cmd, range,
		 "with -V: show the addresses at which each variable can be read"),
	OPT_CALL_NO(0, "symfs", "directory[,layout]", set_symfs,
		    "look for files below this directory, by path (or by name: DIR,flat)"),
	OPT_INT(0, "target-ns", struct probe_cmd, target_ns, "pid",
		"look the program up as this process sees it (of a container)"),
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

/* What is left are words of definitions ("perf probe -x x func n i" is one), or the argument of
 * an option that takes it optionally. */
static void take_words(struct probe_cmd *c, int n, const char **argv)
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
		str_addf(&c->joined, "%s%s", i ? " " : "", argv[i]);
	vec_push(&c->items, ((struct cmd_item){ 'a', str_cstr(&c->joined), c->exec, c->module,
						true }));
}

static char *index_directory(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (xdg && xdg[0] == '/')
		return xasprintf("%s/perf/functions", xdg);
	return home && home[0] ? xasprintf("%s/.cache/perf/functions", home) : NULL;
}

static const char *option_name(char letter)
{
	for (const struct option_def *d = probe_options; d->kind != OPT_KIND_END; d++)
		if (d->short_name == letter)
			return d->name;
	return "";
}

/* All items ask for the same. */
static int check_items(struct probe_cmd *c, const struct cli_cmd *cmd)
{
	char what = c->items.n ? c->items.v[0].what : 0;

	if (!what)
		return cli_usage_error(cmd, "nothing is asked for: give a probe definition, or -d, "
				       "-l, -L, -V or -F");
	for vec_each(it, &c->items) {
		if (it->bare && what != 'a')
			return cli_usage_error(cmd, "'%s' belongs to no option: quote an argument "
					       "that has blanks, or give each one "
					       "its own -%c", it->text, what);
		if (it->what != what)
			return cli_usage_error(cmd, "another command except --%s is set.",
					       option_name(what));
		if (!it->exec && !it->module) {		/* a target given after its command */
			it->exec = c->exec;
			it->module = c->module;
		}
	}
	return 0;
}

static void complete(struct probe_cmd *c)
{
	c->po.os = &c->os;
	c->po.force = c->force;
	c->po.no_inlines = c->no_inlines;
	c->po.externs = c->externs;
	c->po.range = c->range;
	c->po.no_demangle = !c->demangle;
	c->po.filter = c->filter;
	c->po.target_ns = c->target_ns;
	c->po.debuginfod_urls = getenv("DEBUGINFOD_URLS");
	c->cache_dir = buildid_cache_default_dir();
	c->po.buildid_dir = c->cache_dir;
	c->index_dir = c->index ? index_directory() : NULL;
	c->po.index_dir = c->index_dir;
}

int probe_parse(struct probe_cmd *c, int argc, const char **argv, int *status)
{
	*c = (struct probe_cmd){ .demangle = true, .index = true };

	const struct option_table tables[] = { { probe_options, c }, cli_output_group(&c->output),
					       cli_common_group(&c->common), { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "probe", .usage = usage, .tables = tables };
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0) {
		*status = cli_status(n);
		return -1;
	}
	os_init(&c->os);
	os_tracefs(&c->os, NULL);
	complete(c);
	take_words(c, n, argv);
	if (c->items.n && c->items.v[0].what == 'F' && c->items.v[0].text && !c->po.filter)
		c->po.filter = c->items.v[0].text;
	*status = check_items(c, &cmd);
	return *status ? -1 : 0;
}

void probe_cmd_release(struct probe_cmd *c)
{
	vec_free(&c->items);
	str_release(&c->joined);
	if (c->po.os)
		os_release(&c->os);
	free(c->cache_dir);
	free(c->index_dir);
}
