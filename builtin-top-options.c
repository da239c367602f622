// SPDX-License-Identifier: GPL-2.0-or-later
// What the command line and the configuration say to perf top.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-top.h"
#include "util/base/num.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"

#define DEFAULT_DELAY_S 2

static struct top_cmd *cmd_of(const struct opt_use *u)
{
	return u->base;
}

static struct pmu_db *pmus(struct top_cmd *c)
{
	if (!c->db)
		c->db = pmu_db_new(&c->os);
	return c->db;
}

static int parse_events(struct top_cmd *c, const char *text, struct err *err)
{
	return event_parse(&c->list, text, &c->os, pmus(c), err);
}

static int add_events(const struct opt_use *u, struct err *err)
{
	return parse_events(cmd_of(u), u->arg, err);
}

static int add_vendors(const struct opt_use *u, struct err *err)
{
	struct top_cmd *c = cmd_of(u);

	return event_parse_vendors(&c->list, u->arg, &c->os, pmus(c), err);
}

static int set_filter(const struct opt_use *u, struct err *err)
{
	return event_set_filter(&cmd_of(u)->list, u->arg, err);
}

static int set_freq(const struct opt_use *u, struct err *err)
{
	return record_parse_freq(&cmd_of(u)->sampling.record.sampling, u->arg, &cmd_of(u)->os,
				 err);
}

static int set_period(const struct opt_use *u, struct err *err)
{
	return record_parse_period(&cmd_of(u)->sampling.record.sampling, u->unset ? NULL : u->arg,
				   err);
}

static int set_pages(const struct opt_use *u, struct err *err)
{
	return record_parse_pages(&cmd_of(u)->sampling.record.buffers, u->arg, &cmd_of(u)->os, err);
}

static int set_branch(const struct opt_use *u, struct err *err)
{
	u64 *mask = &cmd_of(u)->sampling.record.sampling.branch_type;

	if (u->unset)
		*mask = 0;
	return u->unset ? 0 : record_parse_branch(u->arg ? u->arg : "any", mask, err);
}

/* ---- call graphs: how they are recorded, and how they look, in one list of words ---- */

static bool is_mode(const char *word)
{
	return !strcmp(word, "fp") || !strcmp(word, "lbr") || !strcmp(word, "dwarf") ||
		!strcmp(word, "auto");
}

static bool is_number(const char *word)
{
	return *word && strspn(word, "0123456789") == strlen(word);
}

/* The mode (with the size that may follow it) and all other words, each joined by commas. */
static void split_words(const char *text, struct str *mode, struct str *look)
{
	char *copy = xstrdup(text), *save = NULL;
	bool dwarf = false;

	for (char *w = strtok_r(copy, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
		struct str *to = is_mode(w) || (dwarf && is_number(w)) ? mode : look;

		if (to->len)
			str_addch(to, ',');
		str_add(to, w);
		dwarf = !strcmp(w, "dwarf");
	}
	free(copy);
}

static int parse_mode(struct top_cmd *c, const char *text, struct err *err)
{
	struct record_stacks *o = &c->sampling.record.stacks;
	int ret = record_parse_callgraph(o, text, err);

	if (!ret && o->callgraph == RECORD_CHAIN_DWARF && !o->dump_given && c->sampling.dump_bytes)
		o->dump_bytes = c->sampling.dump_bytes;
	return ret;
}

static int parse_call_graph(struct top_cmd *c, const char *text, struct err *err)
{
	struct str mode = STR_INIT, look = STR_INIT;
	int ret = 0;

	split_words(text, &mode, &look);
	if (c->look.chain.mode == CHAIN_NONE)
		c->look.chain.mode = CHAIN_GRAPH;
	if (mode.len)
		ret = parse_mode(c, str_cstr(&mode), err);
	else if (c->sampling.record.stacks.callgraph == RECORD_CHAIN_NONE)
		ret = parse_mode(c, c->sampling.chain_mode ? c->sampling.chain_mode : "fp", err);
	if (!ret && look.len)
		ret = chain_opts_parse(&c->look.chain, str_cstr(&look), err);
	str_release(&mode);
	str_release(&look);
	return ret;
}

static int set_call_graph(const struct opt_use *u, struct err *err)
{
	struct top_cmd *c = cmd_of(u);

	if (!u->unset)
		return parse_call_graph(c, u->arg ? u->arg : "", err);
	c->sampling.record.stacks.callgraph = RECORD_CHAIN_NONE;
	return 0;
}

/* [top] call-graph, [call-graph] record-mode: how -g records and shows, not that it does. */
static int set_chain_mode(const struct opt_use *u, struct err *err)
{
	struct top_cmd *c = cmd_of(u);
	const struct record_stacks before = c->sampling.record.stacks;
	struct str mode = STR_INIT, look = STR_INIT;
	int ret = parse_call_graph(c, u->arg, err);

	c->sampling.record.stacks = before;
	split_words(u->arg, &mode, &look);
	if (mode.len)		/* as long as the command: there is one configuration */
		c->sampling.chain_mode = u->arg;
	str_release(&mode);
	str_release(&look);
	return ret;
}

static int set_dump_size(const struct opt_use *u, struct err *err)
{
	struct record_stacks checked = { .callgraph = RECORD_CHAIN_NONE };
	char *text = xasprintf("dwarf,%s", u->arg);
	int ret = record_parse_callgraph(&checked, text, err);

	cmd_of(u)->sampling.dump_bytes = checked.dump_bytes;
	free(text);
	return ret;
}

/* ---- rows ---- */

static int set_percent_limit(const struct opt_use *u, struct err *err)
{
	struct top_look *o = &cmd_of(u)->look;

	o->min_pct = 0;
	o->chain.min_pct = CLI_CHAIN_MIN_PCT;
	if (u->unset)
		return 0;
	if (cli_parse_pct(u->arg, &o->min_pct, err))
		return -EINVAL;
	o->chain.min_pct = o->min_pct;
	return 0;
}

static int set_percentage(const struct opt_use *u, struct err *err)
{
	return cli_parse_relative(u->arg, &cmd_of(u)->rows.relative, err);
}

static int set_widths(const struct opt_use *u, struct err *err)
{
	return cli_parse_widths(u->unset ? NULL : u->arg, &cmd_of(u)->look.widths, err);
}

static int set_delay(const struct opt_use *u, struct err *err)
{
	return cli_set_delay(u, DEFAULT_DELAY_S, &cmd_of(u)->look.delay_ns, err);
}

static int set_code(const struct opt_use *u, struct err *err UNUSED)
{
	struct top_look *o = &cmd_of(u)->look;

	free(o->code_of);
	o->code_of = u->unset ? NULL : xstrdup(u->arg);
	return 0;
}

/* Words of other versions that ask for nothing which is not done. */
static int accept_only(const struct opt_use *u UNUSED, struct err *err UNUSED)
{
	return 0;
}

#define T struct top_cmd
#define REC(f) sampling.record.f

static const struct option_def top_options[] = {
	OPT_FLAG('a', "all-cpus", T, sampling.target.system_wide,
		 "watch all processes on all CPUs (default)"),
	OPT_STRING('C', "cpu", T, sampling.target.cpu_list, "cpu",
		   "watch only these CPUs (0-3,8)"),
	OPT_STRING('p', "pid", T, sampling.target.pid, "pid", "watch these processes, by id"),
	OPT_STRING('t', "tid", T, sampling.target.tid, "tid", "watch these threads, by id"),
	OPT_STRING('u', "uid", T, sampling.target.user, "user",
		   "watch the processes that this user has at the start, and their children"),
	OPT_STRING('G', "cgroup", T, sampling.cgroup, "name", "only tasks in this cgroup"),
	OPT_FLAG('i', "no-inherit", T, REC(scope.no_inherit), "do not follow children"),

	OPT_CALL('e', "event", "event", add_events,
		 "the events to sample, as perf list shows them"),
	OPT_CALL(0, "pfm-events", "event", add_vendors,
		 "events by the names of the CPU's vendor, as libpfm4 knows them"),
	OPT_CALL(0, "filter", "filter", set_filter,
		 "only samples of the event before it that match this, or where the fields of a "
		 "tracepoint do"),
	OPT_CALL('F', "freq", "freq or 'max'", set_freq,
		 "samples a second (max: as many as the kernel allows)"),
	OPT_CALL_NO('c', "count", "n", set_period, "take a sample each n events, instead of -F"),
	OPT_CALL_OPTARG_NO('b', "branch-any", NULL, NULL, set_branch,
			   "sample the branches taken before each sample (the same as -j any)"),
	OPT_CALL_NO('j', "branch-filter", "branch filter mask", set_branch,
		    "sample branches of these kinds: any, any_call, u, k, ..."),
	OPT_CALL('m', "mmap-pages", "pages", set_pages,
		 "size of each CPU's buffer, in pages or with a unit (16M)"),
	OPT_FLAG(0, "overwrite", T, overwrite,
		 "accepted: buffers are read before they are full, oldest samples first"),
	OPT_INT('r', "realtime", T, REC(buffers.rt_prio), "n",
		"run perf with this realtime priority"),
	OPT_FLAG(0, "namespaces", T, REC(sideband.namespaces),
		 "follow the namespaces of processes (for --sort cgroup_id)"),
	OPT_FLAG(0, "all-cgroups", T, REC(sideband.all_cgroups),
		 "follow cgroups (for --sort cgroup)"),
	OPT_FLAG(0, "no-bpf-event", T, REC(sideband.no_bpf_event),
		 "do not follow BPF programs"),
	OPT_INT(0, "proc-map-timeout", T, REC(sideband.proc_map_timeout_ms), "n",
		"ms to read the mappings of a process that runs already"),
	OPT_CALL_NO(0, "num-thread-synthesize", "n", accept_only,
		    "accepted: what runs already is read by one thread"),

	{ .short_name = 'g', .kind = OPT_KIND_CALL, .flags = OPT_BARE, .call = set_call_graph,
	  .help = "sample and show call chains, as --call-graph fp" },
	OPT_CALL_NO(0, "call-graph",
		    "record_mode[,record_size],print_type,threshold[,print_limit],order,sort_key",
		    set_call_graph,
		    "sample call chains: fp or dwarf[,bytes], and show them (graph,0.5,caller,"
		    "function)"),
	OPT_FLAG(0, "children", T, rows.children,
		 "add what callees used to their callers (default with call chains)"),
	OPT_INT(0, "max-stack", T, stream.max_frames, "n", "longer call chains are cut"),
	OPT_STRING(0, "ignore-callees", T, rows.ignore_callees, "regex",
		   "leave out what these functions call"),

	OPT_STRING('s', "sort", T, rows.keys.sort, "key[,key2...]",
		   "group rows by these keys (default: dso,symbol; +key: after them)"),
	OPT_STRING(0, "fields", T, rows.keys.fields, "key[,keys...]",
		   "columns to show (+key: after the default ones)"),
	OPT_STRING(0, "comms", T, rows.comms, "comm[,comm...]",
		   "only samples of tasks with these names"),
	OPT_STRING(0, "dsos", T, rows.dsos, "dso[,dso...]", "only samples in these files"),
	OPT_STRING(0, "symbols", T, rows.symbols, "symbol[,symbol...]",
		   "only samples in these functions"),
	OPT_FLAG('K', "hide_kernel_symbols", T, filter.hide_kernel,
		 "leave out samples in the kernel"),
	OPT_FLAG('U', "hide_user_symbols", T, filter.hide_user,
		 "leave out samples outside of the kernel"),
	OPT_FLAG('z', "zero", T, filter.zero,
		 "begin anew with each refresh, instead of fading what was before"),
	OPT_CALL_NO(0, "sym-annotate", "symbol", set_code,
		    "text: show the code of this function, not rows (as key s does)"),
	OPT_STRING(0, "switch-on", T, rows.on, "event",
		   "leave out what comes before this event"),
	OPT_STRING(0, "switch-off", T, rows.off, "event",
		   "leave out what comes after this event"),
	OPT_FLAG(0, "show-on-off-events", T, filter.show_on_off,
		 "show the events of --switch-on and --switch-off, too"),
	OPT_FLAG(0, "raw-trace", T, rows.keys.raw_trace,
		 "show the fields of tracepoints as they are in the record"),

	OPT_CALL_NO('d', "delay", "n", set_delay, "seconds between refreshes (default 2)"),
	OPT_UINT('E', "entries", T, look.entries, "n",
		 "rows to show (default: as many as fit the terminal)"),
	OPT_UINT('f', "count-filter", T, look.min_n, "n",
		 "leave out rows with fewer samples (default for text: 5)"),
	OPT_CALL_NO(0, "percent-limit", "percent", set_percent_limit,
		    "leave out rows below this percentage"),
	OPT_CALL(0, "percentage", "relative|absolute", set_percentage,
		    "what 100% is of filtered rows: all samples (absolute) or those shown"),
	OPT_FLAG('H', "hierarchy", T, look.nested,
		 "show rows as a tree, a level for each sort key"),
	OPT_FLAG('n', "show-nr-samples", T, look.show_n,
		 "show a column with the number of samples"),
	OPT_FLAG(0, "show-total-period", T, look.show_period,
		 "show a column with the sum of periods"),
	OPT_CALL_NO('w', "column-widths", "width[,width...]", set_widths,
		    "fixed column widths; 0: by contents"),
	OPT_FLAG(0, "stdio", T, stdio, "text output (default where there is no terminal)"),
	OPT_FLAG(0, "tui", T, browser.asked, "a browser (default on a terminal)"),
	OPT_FLAG(0, "force", T, ignored, "accepted: nothing is refused"),

	OPT_SETTING_FIELD("tui.top", OPT_KIND_FLAG, T, browser.by_default, NULL),
	OPT_SETTING("top.call-graph", "record_mode,print_type,...", set_chain_mode),
	OPT_SETTING("call-graph.record-mode", "record_mode[,record_size]", set_chain_mode),
	OPT_SETTING("call-graph.dump-size", "bytes", set_dump_size),
	OPT_SETTING("hist.percentage", "relative|absolute", set_percentage),
	OPT_SETTING_FIELD("core.proc-map-timeout", OPT_KIND_INT, T,
			  REC(sideband.proc_map_timeout_ms), "ms"),
	OPT_END
};
#undef T

/* ---- what one option means for others ---- */

static int check_target(const struct cli_cmd *cmd, const struct target *t)
{
	if (t->system_wide && (t->pid || t->tid))
		return cli_usage_error_opt(cmd, t->pid ? "pid" : "tid",
					   "-a is everybody: give it, or -p or -t");
	return 0;
}

static int check_switches(const struct cli_cmd *cmd, const struct top_cmd *c)
{
	if (c->filter.show_on_off && !c->rows.on && !c->rows.off)
		return cli_usage_error_opt(cmd, "show-on-off-events",
					   "--show-on-off-events needs --switch-on or "
					   "--switch-off");
	return 0;
}

static void limit_freq(struct top_cmd *c)
{
	struct record_sampling *o = &c->sampling.record.sampling;
	const u64 asked = o->freq_hz;

	if (record_limit_freq(o, &c->os) && asked && !c->common.quiet)
		cli_warn("%llu samples per second are more than the kernel allows: it will be "
			 "%llu\nHint: the limit is the setting kernel.perf_event_max_sample_rate",
			 (unsigned long long)asked, (unsigned long long)o->freq_hz);
}

static int complete(struct top_cmd *c, struct err *err)
{
	struct record_opts *r = &c->sampling.record;
	const bool chains = r->stacks.callgraph != RECORD_CHAIN_NONE;

	c->rows.children &= !c->look.nested;
	if (!c->look.chain.order_set)
		c->look.chain.caller = c->rows.children && chains;
	c->rows.children &= chains && !r->sampling.branch_type;
	r->sampling.sample_cpu = true;
	c->rows.keys.children = c->rows.children;
	c->rows.keys.show_n = c->look.show_n;
	c->rows.keys.show_period = c->look.show_period;
	c->rows.keys.verbose = c->common.verbose > 0;
	c->rows.keys.branch_mode = r->sampling.branch_type != 0;
	c->rows.keys.kernel_name = "[kernel]";
	if (!c->rows.keys.sort && !c->rows.keys.fields && !c->rows.keys.branch_mode)
		c->rows.keys.sort = "dso,symbol";
	if (c->overwrite && !c->common.quiet)
		cli_warn("no effect: --overwrite (buffers are read before they are full)");
	limit_freq(c);
	return c->list.events.n ? 0 : parse_events(c, "cycles:P", err);
}

int top_parse(struct top_cmd *c, int argc, const char **argv, int *status)
{
	static const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] =
		{ { top_options, c }, cli_chain_settings(&c->look.chain),
		  browser_settings(&c->browser), cli_code_group(&c->code),
		  cli_symbols_group(&c->stream.symbols),
		  cli_common_group(&c->common),
		  { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "top", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct err err = ERR_INIT;
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0) {
		*status = cli_status(n);
		return -1;
	}
	*status = browser_code_check(&cmd, &c->code);
	if (!*status)
		*status = check_target(&cmd, &c->sampling.target);
	if (!*status)
		*status = check_switches(&cmd, c);
	if (!*status && complete(c, &err))
		*status = cli_error(&err);
	err_release(&err);
	return *status ? -1 : 0;
}

void top_cmd_init(struct top_cmd *c)
{
	*c = (struct top_cmd){
		.sampling.record = {
			.stacks = { .dump_bytes = RECORD_DEFAULT_DUMP, .raw_dumps = true },
			.sideband = { .proc_map_timeout_ms = 500 },
		},
		.rows.children = true,
		.look = { .delay_ns = DEFAULT_DELAY_S * NSEC_PER_SEC, .min_n = -1,
			  .chain = { .mode = CHAIN_GRAPH, .min_pct = CLI_CHAIN_MIN_PCT } },
		.stream = { .threads = 1, .symbols.live = true },
		.browser.by_default = true,
		.code = CODE_OPTS_INIT,
	};
	os_init(&c->os);
	event_list_init(&c->list);
}

void top_cmd_release(struct top_cmd *c)
{
	event_list_release(&c->list);
	pmu_db_free(c->db);
	vec_free(&c->look.widths);
	free(c->look.code_of);
	os_release(&c->os);
}

void top_target_text(const struct top_sampling *s, size_t n_cpus, struct str *out)
{
	const struct target *t = &s->target;

	if (t->pid)
		str_addf(out, "target_pid: %s", t->pid);
	else if (t->tid)
		str_addf(out, "target_tid: %s", t->tid);
	else if (t->user)
		str_addf(out, "uid: %s", t->user);
	else
		str_add(out, "all");
	if (t->cpu_list)
		str_addf(out, ", CPU%s: %s", strpbrk(t->cpu_list, ",-") ? "s" : "", t->cpu_list);
	else if (!t->pid && !t->tid && !t->user)
		str_addf(out, ", %zu CPU%s", n_cpus, n_cpus > 1 ? "s" : "");
}
