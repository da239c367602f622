// SPDX-License-Identifier: GPL-2.0-or-later
// What the sub-commands of perf sched share that read a recording: the model, fed by its events.
#include "arch/arch.h"
#include "builtin-dump.h"
#include "builtin-sched.h"
#include "util/analysis/sched-chain.h"
#include "util/analysis/why/why.h"
#include "util/session/warnings.h"

const struct option_def sched_input_options[] = {
	OPT_STRING('i', "input", struct sched_input, path, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_FLAG('D', "dump-raw-trace", struct sched_input, dump, "print all records of the file"),
	OPT_FLAG('f', "force", struct sched_input, force,
	     "read a recording that belongs to another user"),
	OPT_END
};

int sched_reading_open(struct sched_reading *r, const struct sched_input *in,
		       const struct symbols_opts *symbols)
{
	struct session *s = &r->s;
	const struct stream_opts opts = { .symbols = symbols ? *symbols :
					  (struct symbols_opts){ 0 } };
	int ret = open_for_events(s, &(struct session_opts){ .path = in->path, .force = in->force,
							     .quiet = in->common.quiet },
				  in->dump, sched_need_switches, &opts);

	r->model = sched_new();
	if (!ret)
		r->sink = sched_sink_new(r->model, s->source->events, s->source->swap);
	return ret;
}

int sched_reading_run(struct sched_reading *r)
{
	int ret = session_run(&r->s, &r->sink, 1);

	sched_close(r->model);
	return ret;
}

int sched_reading_close(struct sched_reading *r, int ret)
{
	const u64 n_bad = sched_get_stats(r->model)->n_bad;

	session_warn_analysis(&r->s, n_bad, ret);
	sched_sink_free(r->sink);
	sched_free(r->model);
	return session_close(&r->s, ret);
}

struct why *sched_why_new(struct sched *model, struct sink *sink, const struct session *s,
			  bool *chains)
{
	const struct source *src = s->source;
	const struct arch_info *arch = arch_recorded(src->env->arch);

	*chains = sched_have_chains(src->events);
	if (*chains)
		sink->wants |= SINK_CHAIN | SINK_SYMBOLS;
	return why_new(model, &(struct why_opts){ .events = src->events, .swap = src->swap,
						  .machine = stream_machine(s->stream),
						  .syscalls = arch->syscall_names,
						  .n_syscalls = arch->n_syscalls });
}
