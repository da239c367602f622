// SPDX-License-Identifier: GPL-2.0-or-later
// The options of perf ftrace.
#include <errno.h>
#include <string.h>

#include "builtin-ftrace.h"
#include "util/base/words.h"

static int set_list(const struct opt_use *u, struct err *err UNUSED)
{
	struct ftrace_opts *c = u->base;

	c->list = true;
	c->pattern = u->arg && *u->arg ? u->arg : NULL;
	return 0;
}

static bool is_pattern(const char *word) { return *word != '-'; }

static int set_func_opts(const struct opt_use *u, struct err *err)
{
	static const char *const names[] = { "call-graph", "irq-info" };
	struct ftrace_opts *c = u->base;
	word_list words = { NULL, 0, 0 };
	int ret = 0;

	words_split(u->arg, &words);
	for vec_each(w, &words) {
		const int i = word_index(names, ARRAY_SIZE(names), *w, strlen(*w));

		if (i < 0)
			ret = err_set(err, EINVAL, "there is no option '%s': they are call-graph "
				      "and irq-info", *w);
		else
			*(i ? &c->run.irq_info : &c->run.call_graph) = true;
	}
	words_release(&words);
	return ret;
}

static int set_graph_opt(struct ftrace_graph_opts *g, const char *word, struct err *err)
{
	const struct { const char *name; bool *on; u64 *n; } opts[] = {
		{ "args", &g->args, NULL }, { "retval", &g->retval, NULL },
		{ "retval-hex", &g->retval_hex, NULL }, { "retaddr", &g->retaddr, NULL },
		{ "nosleep-time", &g->nosleep_time, NULL }, { "noirqs", &g->noirqs, NULL },
		{ "verbose", &g->verbose, NULL }, { "tail", &g->tail, NULL },
		{ "thresh", NULL, &g->thresh_us }, { "depth", NULL, &g->depth },
	};
	const size_t len = strcspn(word, "=");

	for (size_t i = 0; i < ARRAY_SIZE(opts); i++) {
		if (strlen(opts[i].name) != len || memcmp(opts[i].name, word, len))
			continue;
		if (opts[i].on && !word[len])
			*opts[i].on = true;
		else if (!opts[i].n || !word[len] || !parse_u64(word + len + 1, opts[i].n))
			return err_set(err, EINVAL, "'%s': %s", word, opts[i].n ?
				       "a number is missing (depth=3)" : "it takes no value");
		return 0;
	}
	err_set(err, EINVAL, "there is no option '%s'", word);
	err_hint(err, "they are: args, retval, retval-hex, retaddr, nosleep-time, noirqs, verbose, "
		 "tail, thresh=<n>, depth=<n>");
	return -EINVAL;
}

static int set_graph_opts(const struct opt_use *u, struct err *err)
{
	struct ftrace_opts *c = u->base;
	word_list words = { NULL, 0, 0 };
	int ret = 0;

	words_split(u->arg, &words);
	for (size_t i = 0; i < words.n && !ret; i++)
		ret = set_graph_opt(&c->run.graph_opts, words.v[i], err);
	words_release(&words);
	return ret;
}

static int set_usual_tracer(const struct opt_use *u, struct err *err)
{
	static const char *const names[] = { "function_graph", "function" };
	struct ftrace_opts *c = u->base;
	const int i = word_index(names, ARRAY_SIZE(names), u->arg, strlen(u->arg));

	if (i < 0)
		return err_set(err, EINVAL, "'%s' is no tracer: function_graph and function are",
			       u->arg);
	c->run.usual_tracer = names[i];
	return 0;
}

const struct option_def ftrace_target_options[] = {
	OPT_FLAG('a', "all-cpus", struct ftrace_opts, run.target.system_wide,
		 "all processes on all CPUs"),
	OPT_STRING('C', "cpu", struct ftrace_opts, run.target.cpu_list, "cpu",
		   "only on these CPUs (0-3,8)"),
	OPT_STRING('p', "pid", struct ftrace_opts, run.target.pid, "pid",
		 "only these processes, by id"),
	OPT_STRING(0, "tid", struct ftrace_opts, run.target.tid, "tid",
		 "only these threads, by id"),
	OPT_END
};

const struct option_def ftrace_buffer_options[] = {
	OPT_SIZE('m', "buffer-size", struct ftrace_opts, run.buffer_bytes, "size",
		 "the kernel's buffer of each CPU (8M)"),
	OPT_END
};

const struct option_def ftrace_filter_options[] = {
	OPT_LIST('T', "trace-funcs", struct ftrace_opts, run.funcs, "func",
		 "only these functions (or patterns, 'vfs_*'); may be given several times"),
	OPT_LIST('N', "notrace-funcs", struct ftrace_opts, run.notrace, "func",
		 "not these functions"),
	OPT_LIST('G', "graph-funcs", struct ftrace_opts, run.graph, "func",
		 "these functions and what they call"),
	OPT_LIST('g', "nograph-funcs", struct ftrace_opts, run.nograph, "func",
		 "not these functions and what they call"),
	OPT_CALL(0, "graph-opts", "options", set_graph_opts,
		 "of the tracer function_graph: args, retval, retval-hex, retaddr, nosleep-time,\n"
		 "noirqs, verbose, tail, thresh=<us>, depth=<n>"),
	OPT_END
};

const struct option_def ftrace_trace_options[] = {
	OPT_SETTING("ftrace.tracer", "function_graph|function", set_usual_tracer),
	OPT_STRING('t', "tracer", struct ftrace_opts, run.tracer, "tracer",
		   "function_graph (default) or function; -T and -N alone mean function"),
	OPT_DEF('F', "funcs", CALL,
		"list the functions that can be traced (that match a pattern), and end",
		.flags = OPT_OPTARG, .takes_next = is_pattern, .arg = "FILTER", .dflt = "",
		.call = set_list),
	OPT_CALL(0, "func-opts", "options", set_func_opts,
		 "of the tracer function: call-graph, irq-info"),
	OPT_FLAG(0, "inherit", struct ftrace_opts, run.inherit,
		 "also processes that the command starts"),
	OPT_U64('D', "delay", struct ftrace_opts, run.delay_ms, "ms",
		"begin so many milliseconds after the command"),
	OPT_END
};

const struct option_def ftrace_latency_options[] = {
	OPT_LIST('T', "trace-funcs", struct ftrace_opts, run.funcs, "func", "the function"),
	OPT_STRING('e', "events", struct ftrace_opts, events, "event1,event2",
		   "the time between two tracepoints in the same thread, by BPF"),
	OPT_FLAG('b', "use-bpf", struct ftrace_opts, bpf,
		 "measure with BPF and kprobes, not with the tracer function_graph"),
	OPT_FLAG('n', "use-nsec", struct ftrace_opts, nsec, "the histogram is in nanoseconds"),
	OPT_U64(0, "bucket-range", struct ftrace_opts, range, "n",
		"steps of so many microseconds (-n: nanoseconds) instead of powers of two"),
	OPT_U64(0, "min-latency", struct ftrace_opts, min, "n",
		"with --bucket-range: the first begins here"),
	OPT_U64(0, "max-latency", struct ftrace_opts, max, "n",
		"with --bucket-range: the last begins here"),
	OPT_FLAG(0, "hide-empty", struct ftrace_opts, hide_empty, "leave empty steps out"),
	OPT_FLAG(0, "percentiles", struct ftrace_opts, percentiles,
		 "also the 50th to 99.9th percentile"),
	OPT_END
};

const struct option_def ftrace_profile_options[] = {
	OPT_STRING('s', "sort", struct ftrace_opts, sort, "key",
		   "total (default), avg, max, count or name"),
	OPT_END
};
