// SPDX-License-Identifier: GPL-2.0-or-later
// perf ftrace: the kernel's tracer is set up, read while a command runs, and put away.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-ftrace.h"
#include "util/os/ftrace.h"
#include "util/os/wait-set.h"
#include "util/os/workload.h"

enum { POLL_NS = 100000000 };	/* the kernel wakes readers only when a buffer is half full */

struct run {
	struct ftrace_cmd *c;
	struct os os;
	struct ftrace f;
	struct workload w;
	struct waiter waiter;
	int pipe;
	struct ftrace_reader *reader;
};

/* --- setting up */

static int set_number(struct run *r, const char *file, u64 n, struct err *err)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)n);
	return ftrace_set(&r->f, file, text, false, err);
}

static int set_functions(struct run *r, const char *file, const opt_list *names, struct err *err)
{
	int ret = 0;

	for vec_each(name, names) {
		char *line = xasprintf("%s\n", *name);

		ret = ftrace_set(&r->f, file, line, name != names->v, err);
		free(line);
		if (ret == -EINVAL) {
			ret = err_set(err, EINVAL, "no function that can be traced matches '%s'",
				      *name);
			err_hint(err, "'perf ftrace -F' lists those that there are");
		}
		if (ret)
			break;
	}
	return ret;
}

/* An option of the tracer; what this kernel does not have is an error. */
static int set_option(struct run *r, const char *name, bool on, struct err *err)
{
	char *file = xasprintf("options/%s", name);
	int ret;

	if (ftrace_has(&r->f, file)) {
		ret = ftrace_set(&r->f, file, on ? "1\n" : "0\n", false, err);
	} else {
		ret = err_set(err, ENOTSUP, "this kernel's tracer has no option '%s'", name);
		err_hint(err, "newer kernels have it, or those with CONFIG_FUNCTION_GRAPH_%s=y",
			 !strcmp(name, "funcgraph-args") ? "ARGS" : "RETVAL");
	}
	free(file);
	return ret;
}

static int set_tasks(struct run *r, struct err *err)
{
	const struct target *t = &r->c->target;
	int ret = 0;

	if (t->system_wide || (!r->w.pid && target_none(t)))
		return 0;
	if (target_none(t))
		return set_number(r, "set_ftrace_pid", (u64)r->w.pid, err);
	for (size_t i = 0; i < t->tids.n && !ret; i++) {
		char text[32];

		snprintf(text, sizeof(text), "%d\n", t->tids.v[i]);
		ret = ftrace_set(&r->f, "set_ftrace_pid", text, i > 0, err);
	}
	return ret;
}

/* As the kernel reads masks: 32 bits each, the last CPUs first. */
static int set_cpus(struct run *r, struct err *err)
{
	int_vec cpus = { NULL, 0, 0 };
	struct str mask = STR_INIT;
	int last = 0, ret;

	if (!r->c->target.cpu_list)
		return 0;
	ret = parse_int_list(r->c->target.cpu_list, &cpus, err);
	for vec_each(cpu, &cpus)
		last = *cpu > last ? *cpu : last;
	for (int word = last / 32; word >= 0; word--) {
		u32 bits = 0;

		for vec_each(cpu, &cpus)
			if (*cpu / 32 == word)
				bits |= 1U << *cpu % 32;
		str_addf(&mask, "%08x%s", bits, word ? "," : "\n");
	}
	if (!ret)
		ret = ftrace_set(&r->f, "tracing_cpumask", str_cstr(&mask), false, err);
	str_release(&mask);
	vec_free(&cpus);
	return ret;
}

static int set_options(struct run *r, struct err *err)
{
	const struct ftrace_cmd *c = r->c;
	const struct ftrace_graph_opts *g = &c->graph_opts;
	const struct { const char *name; bool asked, on; } options[] = {
		{ "function-fork", c->inherit, true }, { "func_stack_trace", c->call_graph, true },
		{ "irq-info", c->irq_info, true }, { "funcgraph-args", g->args, true },
		{ "funcgraph-retval", g->retval || g->retval_hex, true },
		{ "funcgraph-retval-hex", g->retval_hex, true },
		{ "funcgraph-retaddr", g->retaddr, true }, { "sleep-time", g->nosleep_time, false },
		{ "funcgraph-irqs", g->noirqs, false }, { "funcgraph-proc", g->verbose, true },
		{ "funcgraph-abstime", g->verbose, true }, { "funcgraph-tail", g->tail, true },
	};
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(options) && !ret; i++)
		if (options[i].asked)
			ret = set_option(r, options[i].name, options[i].on, err);
	return ret;
}

/* Filters come before the tracer: without them it stops at every function. */
static int set_up(struct run *r, const char *tracer, struct err *err)
{
	const struct ftrace_cmd *c = r->c;
	char *line = xasprintf("%s\n", tracer);
	int ret = set_tasks(r, err);

	if (!ret)
		ret = set_cpus(r, err);
	if (!ret)
		ret = set_functions(r, "set_ftrace_filter", &c->funcs, err);
	if (!ret)
		ret = set_functions(r, "set_ftrace_notrace", &c->notrace, err);
	if (!ret)
		ret = set_functions(r, "set_graph_function", &c->graph, err);
	if (!ret)
		ret = set_functions(r, "set_graph_notrace", &c->nograph, err);
	if (!ret && c->buffer_bytes)
		ret = set_number(r, "buffer_size_kb", (c->buffer_bytes + 1023) / 1024, err);
	if (!ret && c->graph_opts.depth)
		ret = set_number(r, "max_graph_depth", c->graph_opts.depth, err);
	if (!ret && c->graph_opts.thresh_us)
		ret = set_number(r, "tracing_thresh", c->graph_opts.thresh_us, err);
	if (!ret)
		ret = ftrace_set(&r->f, "current_tracer", line, false, err);
	if (!ret)
		ret = set_options(r, err);
	free(line);
	return ret;
}

static int open_tracer(struct run *r, const char *tracer, struct err *err)
{
	const struct ftrace_cmd *c = r->c;
	const char *needs[5] = { NULL };
	int n = 0;

	if (c->graph.n)
		needs[n++] = "set_graph_function";
	if (c->nograph.n)
		needs[n++] = "set_graph_notrace";
	if (c->graph_opts.depth)
		needs[n++] = "max_graph_depth";
	if (c->graph_opts.thresh_us)
		needs[n++] = "tracing_thresh";
	return ftrace_open(&r->f, &r->os, tracer, needs, err);
}

/* --- reading */

/* All that is there. < 0: what takes it cannot, or the pipe cannot be read. */
static int read_all(struct run *r, struct err *err)
{
	char text[16384];
	ssize_t n;

	while ((n = read(r->pipe, text, sizeof(text))) > 0)
		r->reader->take(r->reader->ctx, text, (size_t)n);
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		return err_sys(err, errno, "cannot read the kernel's trace");
	return 0;
}

static int start(struct run *r, struct err *err)
{
	int ret = 0;

	if (!r->c->delay_ms)
		ret = ftrace_set(&r->f, "tracing_on", "1\n", false, err);
	if (!ret && r->w.pid)
		ret = workload_start(&r->w, err);
	if (ret || !r->c->delay_ms)
		return ret;
	if (waiter_wait(&r->waiter, &r->os, os_now_ns() + r->c->delay_ms * 1000000) != WAIT_TIME)
		return 0;		/* it ended before */
	return ftrace_set(&r->f, "tracing_on", "1\n", false, err);
}

static int follow(struct run *r, struct err *err)
{
	enum wait_result why = WAIT_TIME;
	int ret = start(r, err);

	while (!ret && why != WAIT_ENDED && why != WAIT_SIGNAL && !ferror(stdout)) {
		why = waiter_wait(&r->waiter, &r->os, os_now_ns() + POLL_NS);
		ret = read_all(r, err);
	}
	if (!ret)
		ret = ftrace_set(&r->f, "tracing_on", "0\n", false, err);
	return ret ? ret : read_all(r, err);
}

static int watch(struct run *r, const char **argv, struct err *err)
{
	const struct target *t = &r->c->target;
	int ret = waiter_init(&r->waiter, err);

	if (!ret && argv && argv[0]) {
		ret = workload_prepare(&r->w, argv, false, err);
		if (!ret)
			waiter_watch(&r->waiter, r->w.pid);
	} else if (!ret && (t->pid || t->tid)) {
		for vec_each(tid, &t->tids)
			waiter_watch(&r->waiter, *tid);
	}
	return ret;
}

int ftrace_run(struct ftrace_cmd *c, const char *tracer, const char **argv,
	       struct ftrace_reader *reader, struct err *err)
{
	struct run r = { .c = c, .pipe = -1, .reader = reader };
	int ret;

	os_init(&r.os);
	ret = os_tracefs(&r.os, err);
	if (!ret && (c->target.pid || c->target.tid))
		ret = target_resolve(&c->target, &r.os, err);
	if (!ret)
		ret = watch(&r, argv, err);
	if (!ret)
		ret = open_tracer(&r, tracer, err);
	if (!ret)
		ret = set_up(&r, tracer, err);
	if (!ret) {
		r.pipe = ftrace_pipe(&r.f, err);
		ret = r.pipe < 0 ? r.pipe : 0;
	}
	if (!ret) {
		waiter_add(&r.waiter, r.pipe);
		ret = follow(&r, err);
		reader->n_lost = ftrace_n_lost(&r.f);
	}
	if (r.pipe >= 0)
		close(r.pipe);
	if (ret)
		ftrace_close(&r.f, NULL);
	else
		ret = ftrace_close(&r.f, err);
	workload_release(&r.w, ret != 0);
	waiter_release(&r.waiter);
	target_release(&c->target);
	os_release(&r.os);
	return ret;
}
