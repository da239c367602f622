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
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/elf/build-id.h"
#include "util/os/cgroup.h"

static struct record_cmd *cmd_of(const struct opt_use *u)
{
	return u->base;
}

static struct pmu_db *pmus(struct record_cmd *c)
{
	if (!c->db)
		c->db = pmu_db_new(&c->os);
	return c->db;
}

static int parse_events(struct record_cmd *c, const char *text, struct err *err)
{
	return event_parse(&c->list, text, &c->os, pmus(c), err);
}

static int add_events(const struct opt_use *u, struct err *err)
{
	return parse_events(cmd_of(u), u->arg, err);
}

static int add_vendors(const struct opt_use *u, struct err *err)
{
	struct record_cmd *c = cmd_of(u);

	return event_parse_vendors(&c->list, u->arg, &c->os, pmus(c), err);
}

static int set_time(const struct opt_use *u, struct err *err UNUSED)
{
	cmd_of(u)->rec.sampling.no_time = u->unset;
	return 0;
}

static int set_filter(const struct opt_use *u, struct err *err)
{
	return event_set_filter(&cmd_of(u)->list, u->arg, err);
}

static int set_setup_filter(const struct opt_use *u, struct err *err)
{
	const bool pin = !strcmp(u->arg, "pin");

	cmd_of(u)->setup_filter = pin ? SETUP_PIN : SETUP_UNPIN;
	return pin || !strcmp(u->arg, "unpin") ? 0 :
		err_set(err, EINVAL, "'%s' is neither pin nor unpin", u->arg);
}

static int set_debuginfod(const struct opt_use *u, struct err *err UNUSED)
{
	cmd_of(u)->rec.output.debuginfod_urls = cli_debuginfod_urls(u);
	cmd_of(u)->rec.output.fetching = cli_show_fetching;
	return 0;
}

static int set_freq(const struct opt_use *u, struct err *err)
{
	return record_parse_freq(&cmd_of(u)->rec.sampling, u->arg, &cmd_of(u)->os, err);
}

static int set_period(const struct opt_use *u, struct err *err)
{
	return record_parse_period(&cmd_of(u)->rec.sampling, u->unset ? NULL : u->arg, err);
}

static bool is_chain_mode(const char *word)
{
	return !strcmp(word, "fp") || !strcmp(word, "lbr") || !strcmp(word, "dwarf") ||
		!strcmp(word, "auto") ||
		str_has_prefix(word, "dwarf,");
}

static int parse_chain_mode(struct record_cmd *c, const char *text, struct err *err)
{
	struct record_stacks *o = &c->rec.stacks;
	int ret = record_parse_callgraph(o, text, err);

	if (!ret && o->callgraph == RECORD_CHAIN_DWARF && !o->dump_given && c->dump_bytes) {
		o->dump_bytes = c->dump_bytes;
		o->dump_given = true;
	}
	return ret;
}

/* What -g means: the best chains that there are without a loss. */
static int set_default_chains(struct record_cmd *c, struct err *err)
{
	c->rec.stacks.by_default = !c->chain_mode;
	return parse_chain_mode(c, c->chain_mode ? c->chain_mode : "auto", err);
}

static int set_callgraph(const struct opt_use *u, struct err *err)
{
	struct record_cmd *c = cmd_of(u);

	if (u->unset) {
		c->rec.stacks.callgraph = RECORD_CHAIN_NONE;
		return 0;
	}
	if (u->arg && u->def->short_name && !c->common.quiet)
		cli_warn("'-g %s' is an old spelling and means --call-graph=%s", u->arg, u->arg);
	if (!u->arg && c->rec.stacks.callgraph != RECORD_CHAIN_NONE)
		return 0;
	if (!u->arg)
		return set_default_chains(c, err);
	c->rec.stacks.by_default = false;
	return parse_chain_mode(c, u->arg, err);
}

/* [call-graph] record-mode and [record] call-graph: how -g records, not that it does. */
static int set_chain_mode(const struct opt_use *u, struct err *err)
{
	struct record_stacks checked = cmd_of(u)->rec.stacks;

	cmd_of(u)->chain_mode = u->arg;
	return record_parse_callgraph(&checked, u->arg, err);
}

static int set_dump_size(const struct opt_use *u, struct err *err)
{
	struct record_stacks checked = cmd_of(u)->rec.stacks;
	char *text = xasprintf("dwarf,%s", u->arg);
	int ret = record_parse_callgraph(&checked, text, err);

	cmd_of(u)->dump_bytes = checked.dump_bytes;
	free(text);
	return ret;
}

static int set_branch(const struct opt_use *u, struct err *err)
{
	u64 *mask = &cmd_of(u)->rec.sampling.branch_type;

	if (u->unset)
		*mask = 0;
	return u->unset ? 0 : record_parse_branch(u->arg ? u->arg : "any", mask, err);
}

static int set_regs(const struct opt_use *u, struct err *err)
{
	struct record_sampling *o = &cmd_of(u)->rec.sampling;
	u64 *mask = u->def->short_name == 'I' ? &o->intr_regs : &o->user_regs;

	if (u->unset)
		*mask = 0;
	return u->unset ? 0 : record_parse_regs(u->arg, mask, err);
}

static int set_clock(const struct opt_use *u, struct err *err)
{
	int *id = &cmd_of(u)->rec.sampling.clockid;

	*id = RECORD_NO_CLOCKID;
	return u->unset ? 0 : record_parse_clockid(u->arg, id, err);
}

static int set_delay(const struct opt_use *u, struct err *err)
{
	struct record_when *o = &cmd_of(u)->rec.when;

	if (u->unset) {
		o->start_disabled = false;
		vec_clear(&o->windows);
	}
	return u->unset ? 0 : record_parse_delay(o, u->arg, err);
}

static int set_pages(const struct opt_use *u, struct err *err)
{
	struct record_cmd *c = cmd_of(u);

	return record_parse_pages(&c->rec.buffers, u->arg, &c->os, err);
}

static int set_level(const struct opt_use *u, struct err *err)
{
	int *level = &cmd_of(u)->rec.output.comp_level;

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
	struct record_output *o = &cmd_of(u)->rec.output;
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

static int add_switch_events(const struct opt_use *u, struct err *err)
{
	struct record_cmd *c = cmd_of(u);

	c->rec.output.switch_on_signal = true;
	c->rec.when.switch_events = &c->switch_list;
	return event_parse(&c->switch_list, u->arg, &c->os, pmus(c), err);
}

/* Writes never wait for a disk here, whatever the number of blocks. */
static int set_async_io(const struct opt_use *u, struct err *err)
{
	int n = 1;

	if (!u->unset && u->arg && (!parse_int(u->arg, &n) || n < 0))
		return err_set(err, EINVAL, "'%s' is not a number of blocks", u->arg);
	return 0;
}

static int set_aux(const struct opt_use *u, struct err *err UNUSED)
{
	cmd_of(u)->aux = !u->unset;
	return 0;
}

static int set_synth(const struct opt_use *u, struct err *err)
{
	struct record_sideband *o = &cmd_of(u)->rec.sideband;
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

static int set_off_cpu(const struct opt_use *u, struct err *err)
{
	struct record_off_cpu *o = &cmd_of(u)->rec.off_cpu;

	if (u->unset)
		o->on = false;
	return u->unset ? 0 : record_parse_off_cpu(o, u->arg, err);
}

static int set_threads(const struct opt_use *u, struct err *err)
{
	struct record_cmd *c = cmd_of(u);
	int ret = 0;

	record_threads_release(&c->rec.threads);
	if (!u->unset)
		ret = record_parse_threads(&c->rec.threads, u->arg, &c->os, err);
	c->threads = !u->unset;
	return ret;
}

static int set_unwind(const struct opt_use *u, struct err *err UNUSED)
{
	struct record_stacks *o = &cmd_of(u)->rec.stacks;

	o->compare_unwinding = !strcmp(u->arg, "check");
	o->unwind_engine = o->compare_unwinding ? "bpf" : u->arg;
	return 0;
}

/* What [record] build-id says, in the words of other versions. */
static int set_build_id(const struct opt_use *u, struct err *err)
{
	struct record_opts *o = &cmd_of(u)->rec;

	if (!strcmp(u->arg, "cache") || !strcmp(u->arg, "mmap"))
		o->output.no_buildid = o->output.no_buildid_cache = false;
	else if (!strcmp(u->arg, "no-cache"))
		o->output.no_buildid_cache = true;
	else if (!strcmp(u->arg, "skip"))
		o->output.no_buildid = true;
	else if (!strcmp(u->arg, "no-mmap"))
		o->sideband.buildid_mmap = false;
	else
		return err_set(err, EINVAL, "'%s' is none of cache, no-cache, skip, mmap and "
					    "no-mmap", u->arg);
	return 0;
}

#define REC(f) rec.f
#define FLAG(s, l, f, h) OPT_FLAG(s, l, struct record_cmd, REC(f), h)

static const struct option_def record_options[] = {
	FLAG('a', "all-cpus", target.system_wide, "watch all processes on all CPUs"),
	OPT_CALL_OPTARG_NO('b', "branch-any", NULL, NULL, set_branch,
	     "record the branches taken before each sample (the same as -j any)"),
	FLAG('B', "no-buildid", output.no_buildid,
	     "record no build-ids, and keep no binaries in the cache"),
	OPT_CALL_NO('c', "count", "n", set_period, "take a sample each n events, instead of -F"),
	OPT_STRING('C', "cpu", struct record_cmd, REC(target.cpu_list), "cpu",
		   "watch only these CPUs (0-3,8)"),
	FLAG('d', "data", sampling.addr, "record the data addresses of samples"),
	OPT_CALL_NO('D', "delay", "ms", set_delay,
		    "begin after this time (-1: see --control), or only in ranges: 10-20,30-40"),
	OPT_CALL('e', "event", "event", add_events,
		 "the events to sample, as perf list shows them"),
	OPT_CALL(0, "pfm-events", "event", add_vendors,
		 "events by the names of the CPU's vendor, as libpfm4 knows them"),
	OPT_CALL('F', "freq", "freq or 'max'", set_freq,
	     "samples a second (max: as many as the kernel allows)"),
	{ .short_name = 'g', .kind = OPT_KIND_CALL, .flags = OPT_OPTARG | OPT_BARE, .arg = "mode",
	  .call = set_callgraph,
	  .takes_next = is_chain_mode, .help =
	       "record call chains, as --call-graph auto (with -a, -C and -u: fp)" },
	OPT_STRING('G', "cgroup", struct record_cmd, cgroups, "name",
		   "only tasks in these cgroups (one for each event, or one for all)"),
	OPT_CALL_OPTARG_NO('I', "intr-regs", "register", NULL, set_regs,
			"record these registers of the interrupted code (-I?: lists them)"),
	FLAG('i', "no-inherit", scope.no_inherit, "do not follow children"),
	OPT_CALL_NO('j', "branch-filter", "branch filter mask", set_branch,
		    "record branches of these kinds: any, any_call, u, k, ..."),
	OPT_CALL_NO('k', "clockid", "clockid", set_clock,
		    "the clock of time stamps: mono, realtime, boottime, tai, ..."),
	OPT_CALL('m', "mmap-pages", "pages", set_pages,
		 "size of each CPU's buffer, in pages or with a unit (16M)"),
	FLAG('N', "no-buildid-cache", output.no_buildid_cache,
	     "keep no binaries in the build-id cache"),
	FLAG('n', "no-samples", sampling.no_samples,
	     "record no samples, only processes and mappings"),
	OPT_FLAG(0, "kcore", struct record_cmd, kcore,
		 "write a directory: the recording and a copy of the kernel's code"),
	OPT_STRING('o', "output", struct record_cmd, output, "file",
		   "where to write the recording (default: perf.data; -: standard output)"),
	FLAG('P', "period", sampling.period_field, "record the period of each sample"),
	OPT_STRING('p', "pid", struct record_cmd, REC(target.pid), "pid",
		   "watch these processes, by id"),
	FLAG('R', "raw-samples", sampling.raw,
	     "record the raw data of all events, as of tracepoints"),
	OPT_INT('r', "realtime", struct record_cmd, REC(buffers.rt_prio), "n",
		"run perf with this realtime priority"),
	OPT_CALL_OPTARG_NO('S', "snapshot", "opts", "", set_aux,
			   "take snapshots of AUX areas (needs an event that has one)"),
	FLAG('s', "stat", sampling.stat, "count the events of each thread, too"),
	OPT_STRING('t', "tid", struct record_cmd, REC(target.tid), "tid",
		   "watch these threads, by id"),
	OPT_CALL_NO('T', "timestamp", NULL, set_time,
		    "record the time of each sample (the default)"),
	OPT_STRING('u', "uid", struct record_cmd, REC(target.user), "user",
	     "watch the processes of this user"),
	FLAG('W', "weight", sampling.weight,
	     "record the weight (latency) of each sample, where the event has one"),
	OPT_CALL_OPTARG_NO('z', "compression-level", "n", NULL, set_level,
			"compress the recording: 1 (default) is fastest, 22 smallest"),
	OPT_CHOICE(0, "affinity", struct record_cmd, REC(buffers.affinity), "sys|node|cpu",
		   "read each buffer on its CPU, or on the node of that (default: sys, anywhere)"),
	OPT_CALL_OPTARG_NO(0, "aio", "n", "1", set_async_io,
			   "write without waiting for the disk (always on)"),
	FLAG(0, "all-cgroups", sideband.all_cgroups,
	     "record which cgroups there are, for report --sort cgroup"),
	FLAG(0, "all-kernel", scope.all_kernel, "count events in the kernel only"),
	FLAG(0, "all-user", scope.all_user, "count events in user space only"),
	OPT_CALL_OPTARG_NO(0, "aux-sample", "opts", "", set_aux,
			   "put a part of the AUX area into samples (needs an event that has one)"),
	OPT_FLAG(0, "buildid-all", struct record_cmd, buildid_all,
		 "record the build-ids of files without samples, too (always on)"),
	FLAG(0, "buildid-mmap", sideband.buildid_mmap,
	     "record build-ids in the records of mappings (default)"),
	OPT_CALL(0, "build-id", "how", set_build_id,
		 "what to do with build-ids: cache, no-cache, skip, mmap, no-mmap"),
	OPT_CALL_NO(0, "call-graph", "record_mode[,record_size]", set_callgraph,
		 "record call chains: auto, fp[,defer], dwarf[,bytes[,raw]] or lbr"),
	FLAG(0, "code-page-size", sampling.code_page, "record the page size of code addresses"),
	OPT_STRING(0, "control", struct record_cmd, REC(when.control),
		   "fd:ctl-fd[,ack-fd] or fifo:ctl-fifo[,ack-fifo]",
		   "read commands there: enable, disable, snapshot, ping, stop"),
	FLAG(0, "data-mmap", sideband.data_mmap, "record mappings of data, too"),
	FLAG(0, "data-page-size", sampling.data_page, "record the page size of data addresses"),
	OPT_CALL_OPTARG_NO(0, "debuginfod", "urls", NULL, set_debuginfod,
			   "keep debug files of these servers (default: DEBUGINFOD_URLS) in the "
			   "build-id cache, too"),
	OPT_FLAG(0, "embed", struct record_cmd, embed,
		 "put the names and lines of all that samples hit into the file"),
	OPT_FLAG(0, "dry-run", struct record_cmd, dry_run, "check the options, then exit"),
	FLAG(0, "exclude-perf", scope.exclude_perf, "leave out perf itself"),
	OPT_CALL(0, "filter", "filter", set_filter,
	     "only samples of the event before it that match this, or where the fields of a "
	     "tracepoint do"),
	OPT_DURATION(0, "flight", struct record_cmd, REC(output.flight_ns), NSEC_PER_SEC, "seconds",
		     "keep the last seconds in the buffers; write them at SIGUSR2, at an event "
		     "(--switch-output-event), or if the command fails"),
	FLAG(0, "kernel-callchains", stacks.kernel_callchains,
	     "record only the kernel's part of call chains"),
	OPT_FLAG(0, "latency", struct record_cmd, latency,
		 "record how many tasks run at a time, for report --latency"),
	OPT_SIZE(0, "max-size", struct record_cmd, REC(output.max_bytes), "size",
		 "end when the output has this size"),
	OPT_SIZE(0, "mmap-flush", struct record_cmd, REC(buffers.flush_bytes), "number",
		 "read a buffer when it holds this many bytes (default: 1)"),
	FLAG(0, "namespaces", sideband.namespaces, "record the namespaces of processes"),
	FLAG(0, "no-bpf-event", sideband.no_bpf_event, "do not record BPF programs"),
	FLAG(0, "no-buffering", buffers.no_buffering, "write samples at once"),
	OPT_UINT(0, "num-thread-synthesize", struct record_cmd, n_synth_threads, "n",
		"threads to record the processes that run already (one does it here)"),
	OPT_CALL_OPTARG_NO(0, "off-cpu", "ms", NULL, set_off_cpu,
			"record for how long threads are blocked, and where (event offcpu-time)"),
	OPT_CALL(0, "off-cpu-thresh", "ms", set_off_cpu,
		 "--off-cpu: a block as long is a sample of its own (default: 500)"),
	FLAG(0, "overwrite", buffers.overwrite,
	     "keep the newest samples in the buffers, and write them at the end"),
	FLAG(0, "per-thread", target.per_thread, "count each thread, in buffers of its own"),
	FLAG(0, "phys-data", sampling.phys_addr, "record the physical addresses of data"),
	OPT_INT(0, "proc-map-timeout", struct record_cmd, REC(sideband.proc_map_timeout_ms), "n",
		"ms to read the mappings of a process that runs already"),
	FLAG(0, "running-time", sampling.running_time,
	     "record for how long the events of a group (:S) were counted"),
	FLAG(0, "sample-cpu", sampling.sample_cpu, "record the CPU of each sample"),
	FLAG(0, "sample-identifier", sampling.identifier,
	     "record the event's identifier in each sample"),
	FLAG(0, "sample-mem-info", sampling.data_src,
	     "record where in the memory hierarchy data came from"),
	OPT_CALL(0, "setup-filter", "pin|unpin", set_setup_filter,
		 "as root: let all users have filters of samples (--filter), or no more"),
	FLAG(0, "strict-freq", sampling.strict_freq,
	     "end if the kernel does not allow the frequency of -F"),
	FLAG(0, "switch-events", sideband.switch_events, "record context switches"),
	OPT_INT(0, "switch-max-files", struct record_cmd, REC(output.switch_max_files), "n",
		"keep only the last n files of --switch-output"),
	OPT_CALL_OPTARG_NO(0, "switch-output", "signal or size[BKMG] or time[smhd]", "signal",
			   set_switch,
			"begin a new file on SIGUSR2, or at each size or time"),
	OPT_CALL(0, "switch-output-event", "event", add_switch_events,
		 "begin a new file when this event happens, which is not recorded"),
	OPT_CALL(0, "synth", "no|all|task|mmap|cgroup", set_synth,
		 "what to record of processes that run already (default: all)"),
	FLAG(0, "tail-synthesize", sideband.tail_synth,
	     "record the processes that run already at the end"),
	OPT_CALL_OPTARG_NO(0, "threads", "spec", "cpu", set_threads,
			   "read the buffers in several threads, each into a file of its own: "
			   "cpu, core, package, numa or CPUs/RUN-ON:..."),
	OPT_FLAG(0, "timestamp-boundary", struct record_cmd, timestamp_boundary,
		 "record the times of the first and last sample (always on)"),
	FLAG(0, "timestamp-filename", output.timestamp_filename,
	     "append the time to the name of the output"),
	FLAG(0, "transaction", sampling.transaction, "record the flags of hardware transactions"),
	OPT_CALL(0, "unwind", "engine", set_unwind,
		 "unwind dwarf stacks by auto (default), bpf, cfi, libdw, libunwind or check"),
	FLAG(0, "user-callchains", stacks.user_callchains,
	     "record only the user's part of call chains"),
	OPT_CALL_OPTARG_NO(0, "user-regs", "register", NULL, set_regs,
			"record these registers of user space (--user-regs=?: lists them)"),
	OPT_STRING(0, "vmlinux", struct record_cmd, REC(output.vmlinux), "file",
		   "the running kernel's file: keep it in the build-id cache, too"),
	OPT_SETTING("call-graph.record-mode", "record_mode[,record_size]", set_chain_mode),
	OPT_SETTING("record.call-graph", "record_mode[,record_size]", set_chain_mode),
	OPT_SETTING("call-graph.dump-size", "bytes", set_dump_size),
	OPT_SETTING_FIELD("core.proc-map-timeout", OPT_KIND_INT, struct record_cmd,
			  REC(sideband.proc_map_timeout_ms), "ms"),
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
	struct record_sampling *o = &c->rec.sampling;
	const u64 max = os_max_sample_rate(&c->os), asked = o->freq_hz;

	if (o->freq_max && !c->common.quiet)
		fprintf(stderr, "info: using a maximum frequency rate of %llu Hz\n",
			(unsigned long long)max);
	if (!record_limit_freq(o, &c->os))
		return 0;
	if (asked && o->strict_freq)
		return too_often(asked, max);
	if (asked && !c->common.quiet)
		cli_warn("%llu samples per second are more than the kernel allows: it will be "
			 "%llu\n"
			 "Hint: the limit is /proc/sys/kernel/perf_event_max_sample_rate, which "
			 "the kernel lowers when\n"
			 "sampling takes too long; --strict-freq refuses to record with less than "
			 "was asked for",
			 (unsigned long long)asked, (unsigned long long)max);
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

bool record_cmd_dated(const struct record_output *o)
{
	return o->timestamp_filename || o->switch_on_signal || o->switch_bytes || o->switch_ns;
}

/* --flight is --overwrite and --switch-output=signal, and a window. */
static int set_flight(struct record_opts *o, struct err *err)
{
	if (!o->output.flight_ns)
		return 0;
	if (o->output.switch_bytes || o->output.switch_ns || o->output.max_bytes) {
		err_set(err, EINVAL, "--flight keeps what there is in buffers: it goes neither "
				     "with --switch-output by size or time, nor with --max-size");
		err_hint(err, "SIGUSR2 makes it write a file");
		return -EINVAL;
	}
	o->output.switch_on_signal = o->buffers.overwrite = true;
	return 0;
}

/* What writes into one directory of several files. */
static int check_threads(const struct record_cmd *c, struct err *err)
{
	const char *other = NULL;

	if (!c->threads)
		return 0;
	if (c->rec.target.per_thread)
		other = "--per-thread, whose buffers belong to no CPU";
	else if (record_cmd_dated(&c->rec.output))
		other = "an output that is switched or has the time in its name";
	else if (c->output && !strcmp(c->output, "-"))
		other = "standard output";
	else if (c->rec.buffers.affinity != RECORD_ANYWHERE)
		other = "--affinity: each thread has its CPUs";
	else if (c->embed)
		other = "--embed, which writes one file";
	else if (c->rec.heap.period)
		other = "heap recording, whose samples belong to no CPU";
	else if (c->rec.off_cpu.on)
		other = "--off-cpu, whose samples belong to no CPU";
	return other ? err_set(err, EINVAL, "--threads writes a directory of several files: it "
					    "does not go with %s", other) : 0;
}

/* Of how many threads of one program run at a time the switches tell; of a whole system nobody
 * asks. */
static int set_latency(struct record_cmd *c, bool has_command, struct err *err)
{
	const struct target *t = &c->rec.target;

	if (!c->latency)
		return 0;
	if (t->system_wide || (target_none(t) && !has_command)) {
		err_set(err, EINVAL, "--latency is about the tasks of a program, not about all of "
				     "the system");
		err_hint(err, "give a command, or processes with -p");
		return -EINVAL;
	}
	c->rec.sideband.switch_events = true;
	return 0;
}

/* Another one would be of no use, later and without a word. */
static int check_vmlinux(const struct record_cmd *c, struct err *err)
{
	const char *file = c->rec.output.vmlinux;
	struct build_id its, running;
	int ret = file ? build_id_of_file(file, &its, err) : 0;

	if (ret || !file || build_id_of_kernel(&c->os, &running, NULL) ||
	    build_id_equal(&its, &running))
		return ret;
	return err_set(err, EINVAL, "'%s' is of another kernel than the one that runs: it has "
				    "another build-id", file);
}

int record_cmd_check(struct record_cmd *c, bool has_command, struct err *err)
{
	struct record_opts *o = &c->rec;
	int ret = set_latency(c, has_command, err);

	if (!ret)
		ret = set_flight(o, err);
	if (ret)
		return ret;
	if (o->scope.all_kernel && o->scope.all_user)
		return err_set(err, EINVAL, "--all-kernel and --all-user exclude each other");
	if (o->stacks.kernel_callchains && o->stacks.user_callchains)
		return err_set(err, EINVAL, "--kernel-callchains and --user-callchains exclude "
					    "each other");
	if (c->output && !strcmp(c->output, "-") && isatty(STDOUT_FILENO)) {
		err_set(err, EINVAL, "perf.data is binary and is not written to a terminal");
		err_hint(err, "redirect it (-o - > file, or | perf report -i -), or name a file "
			      "with -o");
		return -EINVAL;
	}
	if (c->aux) {
		err_set(err, EINVAL, "none of the events has an AUX area");
		err_hint(err, "-S and --aux-sample go with events of Intel PT, Intel BTS, ARM "
			      "CoreSight and ARM SPE: perf list shows those of this machine");
		return -EINVAL;
	}
	ret = check_threads(c, err);
	if (!ret)
		ret = check_vmlinux(c, err);
	if (ret)
		return ret;
	if (c->output && !strcmp(c->output, "-") && record_cmd_dated(&o->output))
		return err_set(err, EINVAL, "the output cannot be switched while it goes to "
					    "standard output");
	if (c->kcore && ((c->output && !strcmp(c->output, "-")) || record_cmd_dated(&o->output)))
		return err_set(err, EINVAL, "--kcore writes one directory: it cannot be switched, "
					    "nor go to standard output");
	if (c->embed && ((c->output && !strcmp(c->output, "-")) || record_cmd_dated(&o->output))) {
		err_set(err, EINVAL, "--embed goes with one file: not with standard output, nor "
				     "with one that is switched or has the time in its name");
		err_hint(err, "perf inject --embed -i FILE -o OTHER does it later");
		return -EINVAL;
	}
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
	c->rec.sampling.raw = p->raw;
	c->rec.scope.exclude_perf = p->exclude_perf;
	c->rec.sampling.period = p->period;
	c->rec.buffers.rt_prio = p->rt_prio;
	c->rec.heap = p->heap;
	c->output = p->output;
	for (const char *const *e = p->events; e && *e && !ret; e++)
		ret = parse_events(c, *e, err);
	return ret;
}

const struct option_def *record_option_defs(void) { return record_options; }

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
		if (p->callchain && c->rec.stacks.callgraph == RECORD_CHAIN_NONE)
			ret = set_default_chains(c, &err);
	}
	*status = ret ? cli_error(&err) : check_freq(c);
	err_release(&err);
	return *status ? -1 : n;
}
