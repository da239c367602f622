// SPDX-License-Identifier: GPL-2.0-or-later
// The options of perf record: their table, what they set, and what they must not be together.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-record.h"
#include "util/base/num.h"
#include "util/cli/error.h"
#include "util/cli/options.h"
#include "util/os/cgroup.h"

static struct record_cmd *cmd_of(const struct opt_use *u)
{
	return u->base;
}

static int parse_events(struct record_cmd *c, const char *text, struct err *err)
{
	if (!c->db)
		c->db = pmu_db_new(&c->os);
	return event_parse(&c->list, text, &c->os, c->db, err);
}

static int add_events(const struct opt_use *u, struct err *err)
{
	return parse_events(cmd_of(u), u->arg, err);
}

static int set_filter(const struct opt_use *u, struct err *err)
{
	return event_set_filter(&cmd_of(u)->list, u->arg, err);
}

static int set_freq(const struct opt_use *u, struct err *err)
{
	struct record_opts *o = &cmd_of(u)->rec;
	u64 max = os_max_sample_rate(&cmd_of(u)->os);

	o->freq_max = !strcmp(u->arg, "max");
	if (o->freq_max)
		o->freq_hz = max;
	else if (!parse_u64(u->arg, &o->freq_hz) || !o->freq_hz)
		return err_set(err, EINVAL, "'%s' is not a frequency: give samples per second, or "
					    "max", u->arg);
	return 0;
}

static int set_period(const struct opt_use *u, struct err *err)
{
	struct record_opts *o = &cmd_of(u)->rec;

	o->period = 0;
	if (!u->unset && (!parse_u64(u->arg, &o->period) || !o->period))
		return err_set(err, EINVAL, "'%s' is not a period: give the number of events from "
					    "one sample to the next", u->arg);
	return 0;
}

static bool is_chain_mode(const char *word)
{
	return !strcmp(word, "fp") || !strcmp(word, "lbr") || !strcmp(word, "dwarf") ||
		str_has_prefix(word, "dwarf,");
}

static int parse_chain_mode(struct record_cmd *c, const char *text, struct err *err)
{
	int ret = record_parse_callgraph(&c->rec, text, err);

	if (!ret && c->rec.callgraph == RECORD_CHAIN_DWARF && !c->rec.dump_given && c->dump_bytes) {
		c->rec.dump_bytes = c->dump_bytes;
		c->rec.dump_given = true;
	}
	return ret;
}

static int set_callgraph(const struct opt_use *u, struct err *err)
{
	struct record_cmd *c = cmd_of(u);

	if (u->unset) {
		c->rec.callgraph = RECORD_CHAIN_NONE;
		return 0;
	}
	if (u->arg && u->def->short_name && !c->common.quiet)
		cli_warn("'-g %s' is an old spelling and means --call-graph=%s", u->arg, u->arg);
	if (!u->arg && c->rec.callgraph != RECORD_CHAIN_NONE)
		return 0;
	return parse_chain_mode(c, u->arg ? u->arg : c->chain_mode ? c->chain_mode : "fp", err);
}

/* [call-graph] record-mode and [record] call-graph: how -g records, not that it does. */
static int set_chain_mode(const struct opt_use *u, struct err *err)
{
	struct record_opts checked = cmd_of(u)->rec;

	cmd_of(u)->chain_mode = u->arg;
	return record_parse_callgraph(&checked, u->arg, err);
}

static int set_dump_size(const struct opt_use *u, struct err *err)
{
	struct record_opts checked = cmd_of(u)->rec;
	char *text = xasprintf("dwarf,%s", u->arg);
	int ret = record_parse_callgraph(&checked, text, err);

	cmd_of(u)->dump_bytes = checked.dump_bytes;
	free(text);
	return ret;
}

static int set_branch(const struct opt_use *u, struct err *err)
{
	u64 *mask = &cmd_of(u)->rec.branch_type;

	if (u->unset)
		*mask = 0;
	return u->unset ? 0 : record_parse_branch(u->arg ? u->arg : "any", mask, err);
}

static int set_regs(const struct opt_use *u, struct err *err)
{
	struct record_opts *o = &cmd_of(u)->rec;
	u64 *mask = u->def->short_name == 'I' ? &o->intr_regs : &o->user_regs;

	if (u->unset)
		*mask = 0;
	return u->unset ? 0 : record_parse_regs(u->arg, mask, err);
}

static int set_clock(const struct opt_use *u, struct err *err)
{
	int *id = &cmd_of(u)->rec.clockid;

	*id = RECORD_NO_CLOCKID;
	return u->unset ? 0 : record_parse_clockid(u->arg, id, err);
}

static int set_delay(const struct opt_use *u, struct err *err)
{
	struct record_opts *o = &cmd_of(u)->rec;

	if (u->unset) {
		o->start_disabled = false;
		vec_clear(&o->windows);
	}
	return u->unset ? 0 : record_parse_delay(o, u->arg, err);
}

/* "512" pages, or "16M" bytes; the kernel takes powers of two. */
static int set_pages(const struct opt_use *u, struct err *err)
{
	struct record_cmd *c = cmd_of(u);
	u64 n, pages = 1;

	if (strchr(u->arg, ',')) {
		err_set(err, ENOTSUP, "'%s': buffers for AUX area tracing are not supported",
			u->arg);
		return -ENOTSUP;
	}
	if (!parse_u64(u->arg, &n)) {
		if (!parse_size(u->arg, &n))
			n = 0;
		n = (n + c->os.page_bytes - 1) / c->os.page_bytes;
	}
	if (!n || n > 1 << 20) {
		err_set(err, EINVAL, "'%s' is not a size of a ring buffer", u->arg);
		err_hint(err, "give a number of pages (512) or bytes with a unit (16M)");
		return -EINVAL;
	}
	while (pages < n)
		pages *= 2;
	c->rec.ring_pages = (unsigned)pages;
	return 0;
}

static int set_level(const struct opt_use *u, struct err *err)
{
	int *level = &cmd_of(u)->rec.comp_level;

	*level = 1;
	if (u->unset)
		*level = 0;
	else if (u->arg && (!parse_int(u->arg, level) || *level < 0 || *level > 22))
		return err_set(err, EINVAL, "'%s' is not a compression level: 1 (fastest) to 22, 0 "
					    "for none", u->arg);
	return 0;
}

static int set_switch(const struct opt_use *u, struct err *err)
{
	struct record_opts *o = &cmd_of(u)->rec;
	const char *unit = u->unset ? "" : u->arg + strspn(u->arg, "0123456789");

	if (u->unset) {
		o->switch_on_signal = false;
		o->switch_bytes = o->switch_ns = 0;
		return 0;
	}
	if (!strcmp(u->arg, "signal")) {
		o->switch_on_signal = true;
		return 0;
	}
	if (unit > u->arg && *unit && strchr("BKMGkg", *unit) &&
	    parse_size(u->arg, &o->switch_bytes) && o->switch_bytes)
		return 0;
	if (unit > u->arg && (!strcmp(unit, "s") || !strcmp(unit, "m") || !strcmp(unit, "h") ||
			      !strcmp(unit, "d"))) {
		const u64 each = *unit == 's' ? 1 : *unit == 'm' ? 60 : *unit == 'h' ? 3600 : 86400;

		o->switch_ns = strtoull(u->arg, NULL, 10) * each * NSEC_PER_SEC;
		if (o->switch_ns)
			return 0;
	}
	return err_set(err, EINVAL, "'%s' does not say when to switch: signal, a size (10M) or a "
				    "time (30s)", u->arg);
}

static int set_synth(const struct opt_use *u, struct err *err)
{
	struct record_opts *o = &cmd_of(u)->rec;
	const bool all = !strcmp(u->arg, "all");

	o->no_synth_tasks = o->no_synth_maps = o->no_synth_cgroups = !all;
	if (all || !strcmp(u->arg, "no"))
		return 0;
	for (const char *p = u->arg; *p;) {
		const char *end = strchrnul(p, ',');
		const size_t n = (size_t)(end - p);

		if (n == 4 && !strncmp(p, "task", n))
			o->no_synth_tasks = false;
		else if (n == 4 && !strncmp(p, "mmap", n))
			o->no_synth_tasks = o->no_synth_maps = false;
		else if (n == 6 && !strncmp(p, "cgroup", n))
			o->no_synth_cgroups = false;
		else
			return err_set(err, EINVAL, "'%s': what can be synthesized is task, mmap "
						    "and cgroup, or no or all", u->arg);
		p = *end ? end + 1 : end;
	}
	return 0;
}

static int set_unwind(const struct opt_use *u, struct err *err UNUSED)
{
	struct record_opts *o = &cmd_of(u)->rec;

	o->compare_unwinding = !strcmp(u->arg, "check");
	o->unwind_engine = o->compare_unwinding ? "bpf" : u->arg;
	return 0;
}

/* What [record] build-id says, in the words of other versions. */
static int set_build_id(const struct opt_use *u, struct err *err)
{
	struct record_opts *o = &cmd_of(u)->rec;

	if (!strcmp(u->arg, "cache") || !strcmp(u->arg, "mmap"))
		o->no_buildid = o->no_buildid_cache = false;
	else if (!strcmp(u->arg, "no-cache"))
		o->no_buildid_cache = true;
	else if (!strcmp(u->arg, "skip"))
		o->no_buildid = true;
	else if (!strcmp(u->arg, "no-mmap"))
		o->buildid_mmap = false;
	else
		return err_set(err, EINVAL, "'%s' is none of cache, no-cache, skip, mmap and "
					    "no-mmap", u->arg);
	return 0;
}

#define REC(f) rec.f
#define FLAG(s, l, f, h) OPT_FLAG(s, l, struct record_cmd, REC(f), h)

static const struct option_def record_options[] = {
	FLAG('a', "all-cpus", target.system_wide, "system-wide collection from all CPUs"),
	OPT_CALL_OPTARG_NO('b', "branch-any", NULL, NULL, set_branch, "sample any taken branches"),
	FLAG('B', "no-buildid", no_buildid, "do not collect buildids in perf.data"),
	OPT_CALL_NO('c', "count", "n", set_period, "event period to sample"),
	OPT_STRING('C', "cpu", struct record_cmd, REC(target.cpu_list), "cpu",
		   "list of cpus to monitor"),
	FLAG('d', "data", addr, "Record the sample addresses"),
	OPT_CALL_NO('D', "delay", "ms", set_delay,
		    "ms to wait before starting measurement after program start (-1: start with "
		 "events disabled), or ranges of time to enable events e.g. '-D 10-20,30-40'"),
	OPT_CALL('e', "event", "event", add_events,
		 "event selector. use 'perf list' to list available events"),
	OPT_CALL('F', "freq", "freq or 'max'", set_freq, "profile at this frequency"),
	{ .short_name = 'g', .kind = OPT_KIND_CALL, .flags = OPT_OPTARG | OPT_BARE, .arg = "mode",
	  .call = set_callgraph,
	  .takes_next = is_chain_mode, .help = "enables call-graph recording" },
	OPT_STRING('G', "cgroup", struct record_cmd, cgroups, "name",
		   "monitor event in cgroup name only"),
	OPT_CALL_OPTARG_NO('I', "intr-regs", "register", NULL, set_regs,
			"sample selected machine registers on interrupt, use '-I?' to list "
			"register names"),
	FLAG('i', "no-inherit", no_inherit, "child tasks do not inherit counters"),
	OPT_CALL_NO('j', "branch-filter", "branch filter mask", set_branch,
		    "branch stack filter modes"),
	OPT_CALL_NO('k', "clockid", "clockid", set_clock,
		    "clockid to use for events, see clock_gettime()"),
	OPT_CALL('m', "mmap-pages", "pages", set_pages,
		 "number of mmap data pages, or their size with a unit (16M)"),
	FLAG('N', "no-buildid-cache", no_buildid_cache, "do not update the buildid cache"),
	FLAG('n', "no-samples", no_samples, "don't sample"),
	OPT_FLAG(0, "kcore", struct record_cmd, kcore,
		 "write a directory, with a copy of the running kernel's code (/proc/kcore) and "
		 "its symbols beside the recording"),
	OPT_STRING('o', "output", struct record_cmd, output, "file", "output file name"),
	FLAG('P', "period", period_field, "Record the sample period"),
	OPT_STRING('p', "pid", struct record_cmd, REC(target.pid), "pid",
		   "record events on existing process id"),
	FLAG('R', "raw-samples", raw, "collect raw sample records from all opened counters"),
	OPT_INT('r', "realtime", struct record_cmd, REC(rt_prio), "n",
		"collect data with this RT SCHED_FIFO priority"),
	FLAG('s', "stat", stat, "per thread counts"),
	OPT_STRING('t', "tid", struct record_cmd, REC(target.tid), "tid",
		   "record events on existing thread id"),
	FLAG('T', "timestamp", time, "Record the sample timestamps (always on)"),
	OPT_STRING('u', "uid", struct record_cmd, REC(target.user), "user", "user to profile"),
	FLAG('W', "weight", weight, "sample by weight (on special events only)"),
	OPT_CALL_OPTARG_NO('z', "compression-level", "n", NULL, set_level,
			"Compress records using specified level (default: 1 - fastest compression, "
			"22 - greatest compression)"),
	FLAG(0, "all-cgroups", all_cgroups, "Record cgroup events"),
	FLAG(0, "all-kernel", all_kernel, "Configure all used events to run in kernel space."),
	FLAG(0, "all-user", all_user, "Configure all used events to run in user space."),
	OPT_FLAG(0, "buildid-all", struct record_cmd, buildid_all,
		 "Record build-id of all DSOs regardless of hits (always on)"),
	FLAG(0, "buildid-mmap", buildid_mmap, "Record build-id in mmap events (on by default)"),
	OPT_CALL(0, "build-id", "how", set_build_id,
		 "what becomes of build-ids: cache, no-cache, skip, mmap, no-mmap"),
	OPT_CALL_NO(0, "call-graph", "record_mode[,record_size]", set_callgraph,
		 "setup and enables call-graph (stack chain/backtrace):\n\n"
		 "\trecord_mode:	call graph recording mode (fp|dwarf|lbr)\n"
		 "\trecord_size:	if record_mode is 'dwarf', max size of stack dumps "
		 "(<bytes>)\n"
		 "\t		default: 8192 (bytes); ',raw' keeps the dumps instead of\n"
		 "\t		unwinding them while recording\n\n"
		 "\tDefault: fp"),
	FLAG(0, "code-page-size", code_page, "Record the sampled code address (ip) page size"),
	OPT_STRING(0, "control", struct record_cmd, REC(control),
		   "fd:ctl-fd[,ack-fd] or fifo:ctl-fifo[,ack-fifo]",
		   "Listen on ctl-fd descriptor for command to control measurement ('enable', "
		   "'disable', 'snapshot', 'ping', 'stop').\n"
		   "Optionally send control command completion ('ack\\n') to ack-fd descriptor."),
	FLAG(0, "data-mmap", data_mmap, "Record mmap events for non-executable mappings"),
	FLAG(0, "data-page-size", data_page, "Record the sampled data address data page size"),
	OPT_FLAG(0, "dry-run", struct record_cmd, dry_run, "Parse options then exit"),
	FLAG(0, "exclude-perf", exclude_perf, "don't record events from perf itself"),
	OPT_CALL(0, "filter", "filter", set_filter, "event filter"),
	FLAG(0, "kernel-callchains", kernel_callchains, "collect kernel callchains"),
	OPT_SIZE(0, "max-size", struct record_cmd, REC(max_bytes), "size",
		 "Limit the maximum size of the output file"),
	OPT_SIZE(0, "mmap-flush", struct record_cmd, REC(flush_bytes), "number",
		 "Minimal number of bytes that is extracted from mmap data pages (default: 1)"),
	FLAG(0, "namespaces", namespaces, "Record namespaces events"),
	FLAG(0, "no-bpf-event", no_bpf_event, "do not record bpf events"),
	FLAG(0, "no-buffering", no_buffering, "collect data without buffering"),
	FLAG(0, "overwrite", overwrite, "use overwrite mode"),
	FLAG(0, "per-thread", target.per_thread, "use per-thread mmaps"),
	FLAG(0, "phys-data", phys_addr, "Record the sample physical addresses"),
	OPT_INT(0, "proc-map-timeout", struct record_cmd, REC(proc_map_timeout_ms), "n",
		"per thread proc mmap processing timeout in ms"),
	FLAG(0, "running-time", running_time, "Record running/enabled time of read (:S) events"),
	FLAG(0, "sample-cpu", sample_cpu, "Record the sample cpu"),
	FLAG(0, "sample-identifier", identifier, "Record the sample identifier"),
	FLAG(0, "sample-mem-info", data_src, "Record the data source for memory operations"),
	FLAG(0, "strict-freq", strict_freq, "Fail if the specified frequency can't be used"),
	FLAG(0, "switch-events", switch_events, "Record context switch events"),
	OPT_INT(0, "switch-max-files", struct record_cmd, REC(switch_max_files), "n",
		"Limit number of switch output generated files"),
	OPT_CALL_OPTARG_NO(0, "switch-output", "signal or size[BKMG] or time[smhd]", "signal",
			   set_switch,
			"Switch output when receiving SIGUSR2 (signal) or cross a size or time "
			"threshold"),
	OPT_CALL(0, "synth", "no|all|task|mmap|cgroup", set_synth,
		 "Fine-tune event synthesis: default=all"),
	FLAG(0, "tail-synthesize", tail_synth, "synthesize non-sample events at the end of output"),
	OPT_FLAG(0, "timestamp-boundary", struct record_cmd, timestamp_boundary,
		 "Record timestamp boundary (time of first/last samples; always on)"),
	FLAG(0, "timestamp-filename", timestamp_filename, "append timestamp to output filename"),
	FLAG(0, "transaction", transaction, "sample transaction flags (special events only)"),
	OPT_CALL(0, "unwind", "engine", set_unwind,
		 "how dwarf stacks are unwound while recording (cfi, bpf, auto, libdw, libunwind; "
		 "check: bpf and cfi, compared)"),
	FLAG(0, "user-callchains", user_callchains, "collect user callchains"),
	OPT_CALL_OPTARG_NO(0, "user-regs", "register", NULL, set_regs,
			"sample selected machine registers in user space, use '--user-regs=?' to "
			"list register names"),
	OPT_SETTING("call-graph.record-mode", "record_mode[,record_size]", set_chain_mode),
	OPT_SETTING("record.call-graph", "record_mode[,record_size]", set_chain_mode),
	OPT_SETTING("call-graph.dump-size", "bytes", set_dump_size),
	OPT_SETTING_FIELD("core.proc-map-timeout", OPT_KIND_INT, struct record_cmd,
			  REC(proc_map_timeout_ms), "ms"),
	OPT_END
};

/* --- checks that need all options --- */

static int too_often(u64 hz, u64 max)
{
	struct err err = ERR_INIT;

	err_set(&err, EINVAL, "%llu samples per second are more than the kernel allows (%llu)",
		(unsigned long long)hz,
		(unsigned long long)max);
	err_hint(&err, "give a lower -F, or raise the limit: sudo sysctl "
		       "kernel.perf_event_max_sample_rate=%llu",
		 (unsigned long long)hz);
	return cli_error(&err);
}

static int check_freq(struct record_cmd *c)
{
	struct record_opts *o = &c->rec;
	const u64 max = os_max_sample_rate(&c->os), want = o->freq_hz ? o->freq_hz :
		RECORD_DEFAULT_HZ;

	if (o->freq_max && !c->common.quiet)
		fprintf(stderr, "info: using a maximum frequency rate of %llu Hz\n",
			(unsigned long long)max);
	if (o->period || !max || want <= max)
		return 0;
	if (o->freq_hz && o->strict_freq)
		return too_often(o->freq_hz, max);
	if (o->freq_hz && !c->common.quiet)
		cli_warn("%llu samples per second are more than the kernel allows: it will be "
			 "%llu\n"
			 "Hint: the limit is /proc/sys/kernel/perf_event_max_sample_rate, which "
			 "the kernel lowers when\n"
			 "sampling takes too long; --strict-freq refuses to record with less than "
			 "was asked for",
			 (unsigned long long)o->freq_hz, (unsigned long long)max);
	o->freq_hz = max;
	return 0;
}

/* -G a,,b: one for each event in turn, none for an empty one; a single name is for all. */
static int set_cgroups(struct record_cmd *c, struct err *err)
{
	const char *p = c->cgroups;
	size_t i = 0;

	if (!p)
		return 0;
	if (!c->rec.target.system_wide && !c->rec.target.cpu_list) {
		err_set(err, EINVAL, "a cgroup can only be watched system-wide");
		err_hint(err, "add -a");
		return -EINVAL;
	}
	for (bool single = !strchr(p, ','); i < c->list.events.n; i++) {
		struct event *e = c->list.events.v[i];
		const char *end = strchrnul(p, ',');

		free(e->cgroup);
		e->cgroup = end > p ? xstrndup(p, (size_t)(end - p)) : NULL;
		if (e->cgroup) {
			e->cgroup_fd = os_cgroup_open(&c->os, e->cgroup, err);
			if (e->cgroup_fd < 0)
				return e->cgroup_fd;
		}
		if (single)
			continue;
		if (!*end)
			return 0;
		p = end + 1;
	}
	if (strchr(p, ','))
		return err_set(err, EINVAL, "there are more cgroups in '%s' than events",
			       c->cgroups);
	return 0;
}

bool record_cmd_dated(const struct record_opts *o)
{
	return o->timestamp_filename || o->switch_on_signal || o->switch_bytes || o->switch_ns;
}

int record_cmd_check(struct record_cmd *c, struct err *err)
{
	struct record_opts *o = &c->rec;
	int ret = 0;

	if (o->all_kernel && o->all_user)
		return err_set(err, EINVAL, "--all-kernel and --all-user exclude each other");
	if (o->kernel_callchains && o->user_callchains)
		return err_set(err, EINVAL, "--kernel-callchains and --user-callchains exclude "
					    "each other");
	if (c->output && !strcmp(c->output, "-") && isatty(STDOUT_FILENO)) {
		err_set(err, EINVAL, "perf.data is binary and is not written to a terminal");
		err_hint(err, "redirect it (-o - > file, or | perf report -i -), or name a file "
			      "with -o");
		return -EINVAL;
	}
	if (c->output && !strcmp(c->output, "-") && record_cmd_dated(o))
		return err_set(err, EINVAL, "the output cannot be switched while it goes to "
					    "standard output");
	if (c->kcore && ((c->output && !strcmp(c->output, "-")) || record_cmd_dated(o)))
		return err_set(err, EINVAL, "--kcore writes one directory: it cannot be switched, "
					    "nor go to standard output");
	if (!c->list.events.n)
		ret = parse_events(c, "cycles:P", err);
	return ret ? ret : set_cgroups(c, err);
}

/* Before the options, which come on top of it. */
static int apply_preset(struct record_cmd *c, const struct record_preset *p, struct err *err)
{
	struct opt_use pages = { .base = c, .arg = p->pages };
	int ret = p->pages ? set_pages(&pages, err) : 0;

	c->rec.target.system_wide = p->system_wide;
	c->rec.raw = p->raw;
	c->rec.exclude_perf = p->exclude_perf;
	c->rec.period = p->period;
	c->rec.rt_prio = p->rt_prio;
	c->output = p->output;
	for (const char *const *e = p->events; e && *e && !ret; e++)
		ret = parse_events(c, *e, err);
	return ret;
}

int record_cmd_parse(struct record_cmd *c, const struct record_preset *p, int argc,
		     const char **argv, int *status)
{
	static const char *const usage[] = { "[<options>] [<command>]",
					     "[<options>] -- <command> [<options>]", NULL };
	const struct option_table tables[] = { { record_options, c }, cli_common_group(&c->common),
					       { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "record", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct err err = ERR_INIT;
	int ret = apply_preset(c, p, &err), n = 0;

	if (!ret) {
		n = cli_parse(&cmd, argc, argv);
		if (n < 0) {
			*status = cli_status(n);
			return -1;
		}
		if (p->callchain && c->rec.callgraph == RECORD_CHAIN_NONE)
			ret = parse_chain_mode(c, c->chain_mode ? c->chain_mode : "fp", &err);
	}
	*status = ret ? cli_error(&err) : check_freq(c);
	err_release(&err);
	return *status ? -1 : n;
}
