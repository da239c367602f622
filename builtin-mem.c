// SPDX-License-Identifier: GPL-2.0-or-later
// perf mem: accesses of memory, recorded by events of the CPU, and reported.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-mem.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/export/mem-samples.h"
#include "util/session/warnings.h"

/* Those of "perf mem", which stand before or after the sub-command's name. */
struct mem_opts {
	struct cli_common common;
	const char *cpus;
	bool force, phys, page_size, loads, stores;
};

/* "load", "store", "load,store" */
static int set_types(const struct opt_use *u, struct err *err)
{
	struct mem_opts *o = u->base;
	char *list = xstrdup(u->arg), *rest = list, *word;
	int ret = 0;

	o->loads = o->stores = false;
	while ((word = strsep(&rest, ",")) && !ret) {
		if (!strcmp(word, "load") || !strcmp(word, "ldlat-loads"))
			o->loads = true;
		else if (!strcmp(word, "store") || !strcmp(word, "ldlat-stores"))
			o->stores = true;
		else
			ret = err_set(err, EINVAL, "-t %s: the types are load and store", u->arg);
	}
	free(list);
	return ret;
}

#define ST struct mem_opts
#define OF(field) field
#define COMMON_OPTIONS \
	OPT_STRING('C', "cpu", ST, OF(cpus), "cpu", "only these CPUs (0-3,7)"), \
	OPT_FLAG('f', "force", ST, OF(force), "read a recording that belongs to another user"), \
	OPT_FLAG('p', "phys-data", ST, OF(phys), "with physical addresses"), \
	OPT_CALL('t', "type", "type", set_types, "load, store, or load,store (default)"), \
	OPT_FLAG(0, "data-page-size", ST, OF(page_size), "with the sizes of the pages of data")
static const struct option_def mem_options[] = { COMMON_OPTIONS, OPT_END };
#undef ST
#undef OF
#define OF(field) mem.field

/* ---- record ---- */

struct mem_record_opts {
	struct mem_opts mem;		/* first: options of mem_opts are in this table, too */
	opt_list events;
	int ldlat;
	bool kernel, user;
};

#define ST struct mem_record_opts
static const struct option_def record_options[] = {
	OPT_LIST('e', "event", ST, events, "event",
		 "memory events, by the names that -e list shows"),
	OPT_FLAG('K', "all-kernel", ST, kernel, "only in the kernel"),
	OPT_INT(0, "ldlat", ST, ldlat, "n",
		"only loads that took at least n cycles (default 30, AMD: all)"),
	OPT_FLAG('U', "all-user", ST, user, "only in user space"),
	COMMON_OPTIONS,
	OPT_END
};
#undef ST

static int mem_record(int argc, const char **argv, void *ctx)
{
	static const char *const usage[] = { "[<options>] [<options of perf record>] [<command>]",
					     NULL };
	static const char *const words[] = { "mem", "record", NULL };
	struct mem_record_opts o = { .mem = *(struct mem_opts *)ctx };
	struct mem_recording m;
	struct picture_record r = { 0 };
	const struct option_table tables[] =
		{ { record_options, &o }, picture_options(&r, record_options),
		  cli_common_group(&o.mem.common), { 0 } };
	const struct cli_cmd cmd = { .name = "mem record", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	int n = cli_parse(&cmd, argc, argv);

	m = (struct mem_recording){ .words = words, .events = o.events, .cpus = o.mem.cpus,
				    .ldlat = o.ldlat, .loads = o.mem.loads,
				    .stores = o.mem.stores, .phys = o.mem.phys,
				    .page_size = o.mem.page_size, .kernel = o.kernel,
				    .user = o.user };
	n = n < 0 ? cli_status(n) : mem_record_run(&m, &r, n, argv);
	vec_free(&m.events);
	picture_release(&r);
	return n;
}

/* ---- report ---- */

struct mem_report_opts {
	struct mem_opts mem;		/* first, as above */
	const char *input, *sort, *sep;
	bool dump, types, hide_unresolved;
	struct stream_opts stream;
};

#define ST struct mem_report_opts
static const struct option_def report_options[] = {
	OPT_FLAG('D', "dump-raw-samples", ST, dump, "one line for each sample, as data"),
	OPT_STRING('i', "input", ST, input, "file", "the recording to read (default: perf.data)"),
	OPT_STRING('s', "sort", ST, sort, "key[,key2...]",
		   "sort by these keys, see perf-report(1) (default: local_weight,mem,sym,dso,\n"
		   "symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat,"
		   "local_p_stage_cyc)"),
	OPT_FLAG('T', "type-profile", ST, types, "rows of data types: keys mem,snoop,tlb,type"),
	OPT_FLAG('U', "hide-unresolved", ST, hide_unresolved,
		 "only what has the name of a function"),
	OPT_STRING('x', "field-separator", ST, sep, "separator", "what separates the columns"),
	COMMON_OPTIONS,
	OPT_END
};
#undef ST

/* What upstream perf shows: with stores alone there are no latencies. */
static void default_keys(const struct mem_report_opts *o, struct str *out)
{
	const bool stores = o->mem.stores && !o->mem.loads;

	if (o->types && !o->sort) {
		str_add(out, "mem,snoop,tlb,type");
		return;
	}
	str_add(out, o->sort ? o->sort : stores ? "mem,sym,dso,symbol_daddr,dso_daddr,tlb,locked" :
		"local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked");
	if (o->mem.phys)
		str_add(out, ",phys_daddr");
	if (o->mem.page_size)
		str_add(out, ",data_page_size");
	if (!o->sort && !stores && !o->mem.phys && !o->mem.page_size)
		str_add(out, ",local_ins_lat,local_p_stage_cyc");
}

/* Whether the first argument lists all columns, not more of them (-F +KEY). */
static bool lists_fields(const char **args, int n)
{
	const char *list = NULL;

	if (str_has_prefix(args[0], "-F"))
		list = args[0] + 2;
	else if (str_has_prefix(args[0], "--fi"))
		list = strchrnul(args[0], '=');
	if (!list)
		return false;
	list = *list ? list + (*list == '=') : n > 1 ? args[1] : "";
	return *list != '+';
}

/* perf report with what makes it one of memory; args: what else was given. */
static int run_report(const struct mem_report_opts *o, int n, const char **args)
{
	opt_list line = { 0 };
	struct str keys = STR_INIT;
	bool fields = false;
	int status;

	for (int i = 0; i < n; i++)
		fields = fields || lists_fields(args + i, n - i);
	vec_push(&line, "report");
	vec_push(&line, "--mem-mode");
	if (!fields)
		vec_push(&line, "-n");
	default_keys(o, &keys);
	if (o->sort || !fields) {
		vec_push(&line, "--sort");
		vec_push(&line, str_cstr(&keys));
	}
	if (o->input) {
		vec_push(&line, "-i");
		vec_push(&line, o->input);
	}
	if (o->mem.cpus) {
		vec_push(&line, "-C");
		vec_push(&line, o->mem.cpus);
	}
	if (o->sep) {
		vec_push(&line, "-t");
		vec_push(&line, o->sep);
	}
	if (o->hide_unresolved)
		vec_push(&line, "-U");
	if (o->mem.force)
		vec_push(&line, "-f");
	for (int i = 0; i < n; i++)
		vec_push(&line, args[i]);
	vec_push(&line, NULL);
	status = cmd_report((int)line.n - 1, line.v);
	vec_free(&line);
	str_release(&keys);
	return status;
}

static int dump_samples(const struct mem_report_opts *o, struct session *s)
{
	const struct mem_samples_opts how = {
		.out = stdout, .sep = o->sep, .phys = o->mem.phys, .page_size = o->mem.page_size,
		.hide_unresolved = o->hide_unresolved, .loads = o->mem.loads,
		.stores = o->mem.stores,
	};
	struct mem_samples *m;
	struct sink *sink;
	int ret = session_open(s, &(struct session_opts){ .path = o->input,
							  .force = o->mem.force });

	ret = ret ? ret : session_prepare(s, &o->stream);
	if (ret)
		return ret;
	m = mem_samples_new(&how);
	mem_samples_header(m);
	sink = mem_samples_sink(m);
	ret = session_run(s, &sink, 1);
	mem_samples_free(m);
	fflush(stdout);
	session_warn(s);
	session_symbol_warnings(s, log_on(LOG_CLI, 1));
	return ret;
}

static int mem_report(int argc, const char **argv, void *ctx)
{
	static const char *const usage[] = { "[<options>] [<options of perf report>]", NULL };
	struct mem_report_opts o = { .mem = *(struct mem_opts *)ctx };
	const struct option_table tables[] = { { report_options, &o }, { 0 } };
	const struct cli_cmd cmd = { .name = "mem report", .usage = usage, .tables = tables,
				     .flags = CLI_KEEP_UNKNOWN };
	struct session s = { 0 };
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	o.sep = cli_separator(o.sep);
	if (!o.dump)
		return run_report(&o, n, argv);
	if (n && strcmp(argv[0], "--stdio"))
		return cli_usage_error(&cmd, "-D prints all samples: '%s' has no effect on it",
				       argv[0]);
	o.stream.filter.cpus = o.mem.cpus;
	o.stream.no_inline = true;
	return session_close(&s, dump_samples(&o, &s));
}

int cmd_mem(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>] {record|report}", NULL };
	static const char *const words[] = { "record", "report", NULL };
	static const struct cli_sub subs[] = { { "record", mem_record }, { "report", mem_report },
					       { NULL, NULL } };
	struct mem_opts o = { 0 };
	const struct option_table tables[] =
		{ { mem_options, &o }, cli_common_group(&o.common), { 0 } };
	const struct cli_cmd cmd = { .name = "mem", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &o);
}
