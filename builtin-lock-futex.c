// SPDX-License-Identifier: GPL-2.0-or-later
// perf lock futex: which threads wait for the locks of programs, and for whom, summed up by BPF
// programs while it happens, or from a recording.
#include <errno.h>
#include <string.h>

#include "builtin-dump.h"
#include "builtin-lock.h"
#include "builtin-record.h"
#include "util/base/log.h"
#include "util/base/num.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/session/live-futex.h"
#include "util/session/warnings.h"
#include "util/view/futex-text.h"

struct futex_cmd {
	struct lock_input in;
	struct lock_live live;
	struct futex_opts opts;
	struct lock_choice choice;
	bool by_waiter, by_holder;
	int n_rows;
	struct futex_view view;
};

#define F struct futex_cmd
static const struct option_def futex_options[] = {
	OPT_FLAG('t', "threads", F, by_waiter, "a row for each thread that waited"),
	OPT_FLAG('o', "lock-owner", F, by_holder,
		 "a row for each thread that others waited for"),
	OPT_INT('E', "entries", F, n_rows, "n", "show at most so many rows"),
	OPT_STRING('Y', "type-filter", F, opts.types, "type[,type...]",
		   "only these types: mutex, pi-mutex, condition, rwlock, barrier, semaphore,\n"
		   "join, once, futex"),
	OPT_STRING('L', "lock-filter", F, opts.locks, "lock[,lock...]",
		   "only these locks, by address or symbol"),
	OPT_FLAG(0, "percentiles", F, view.percentiles,
		 "also the times that 50, 95 and 99% of the waits are not above"),
	OPT_INT(0, "max-stack", F, opts.max_stack, "n",
		"frames that tell stacks apart (default: all)"),
	OPT_END
};
#undef F

struct run {
	struct futex_cmd *c;
	struct live_session live;
	struct live_futex futex;
	struct futex_model *model;
};

static void on_pass(void *ctx, u64 bound_ns)
{
	struct run *r = ctx;

	live_futex_pass(&r->futex, bound_ns);
}

static int watch(struct run *r, struct err *err)
{
	struct futex_cmd *c = r->c;
	const struct live_futex_opts o = {
		.times = c->view.percentiles, .rows = c->opts.by, .cgroups = c->live.cgroups,
		.n_entries = lock_table_size(c->live.n_entries),
		.stream = { .threads = 1, .symbols = c->in.symbols },
	};
	struct sink *sinks[1];
	int ret;

	r->model = futex_new(&c->opts, false, err);
	if (!r->model)
		return -EINVAL;
	ret = live_futex_open(&r->futex, &r->live, &o, err);
	sinks[0] = futex_sink(r->model);
	return ret ? ret : live_futex_run(&r->futex, sinks, 1, err);
}

static void tell_missing(const struct futexstat_missing *m)
{
	lock_tell_lost_sums(m->lost.n_sums, m->lost.sums_ns);
	if (m->lost.n_waits)
		cli_warn("%llu waits are missing: too many threads waited at once (a larger -M "
			 "helps)", (unsigned long long)m->lost.n_waits);
	if (m->lost.n_stacks)
		cli_warn("%llu stacks are missing: there are more different ones than there is "
			 "room for", (unsigned long long)m->lost.n_stacks);
	if (m->lost.n_wakers)
		cli_warn("of %llu waits it is not known for whom: there are more locks than there "
			 "is room for (a larger -M helps)", (unsigned long long)m->lost.n_wakers);
	if (m->n_missed)
		cli_warn("%llu calls were not seen", (unsigned long long)m->n_missed);
	lock_tell_unseen(m->n_unwatched, m->n_unended);
}

static int show(const struct futex_cmd *c, struct futex_model *m, struct err *err)
{
	struct futex_tables t = { .rows.key = NULL };
	struct str text = STR_INIT;
	int ret;

	futex_tables(m, (size_t)c->n_rows, c->view.percentiles, &t);
	futex_show(&text, &t, &c->view);
	ret = lock_write(&c->in, &text, table_output_data(&c->view.output), err);
	str_release(&text);
	futex_tables_release(&t);
	return ret;
}

static int run_live(struct futex_cmd *c, const char **argv)
{
	struct run r = { .c = c };
	const struct live_session_opts o = { .target = c->live.target, .on_pass = on_pass,
					     .ctx = &r, .argv = *argv ? argv : NULL };
	struct err err = ERR_INIT;
	int ret = live_session_open(&r.live, &o, &err), status;

	if (!ret)
		ret = watch(&r, &err);
	if (!ret)
		ret = show(c, r.model, &err);
	if (!ret && !c->in.common.quiet)
		tell_missing(&r.futex.missing);
	futex_free(r.model);
	status = live_session_close(&r.live);
	live_futex_close(&r.futex);
	if (ret)
		status = cli_error(&err);
	err_release(&err);
	return status;
}

/* --- of a recording */

#define N_OLDER_EVENTS 2

/* Linux 6.7 has them. */
static bool has_newer_calls(void)
{
	struct os os;
	bool has;

	os_init(&os);
	has = !os_tracefs(&os, NULL) && os_has_tracepoint(&os, "syscalls", "sys_enter_futex_wait");
	os_release(&os);
	return has;
}

/* Data's mappings, too: that is where the locks are. C libraries wait in code without frame
 * pointers, which would leave out who called them. */
static int futex_record(int argc, const char **argv)
{
	static const char *const words[] = { "lock", "futex", "record", NULL };
	static const char *const events[] = { "syscalls:sys_enter_futex",
					      "syscalls:sys_exit_futex/call-graph=no/",
					      "syscalls:sys_enter_futex_wait",
					      "syscalls:sys_exit_futex_wait/call-graph=no/",
					      "syscalls:sys_enter_futex_wake" };
	const char *used[ARRAY_SIZE(events) + 1] = { NULL };
	opt_list line = { NULL, 0, 0 };
	int ret;

	memcpy(used, events, (has_newer_calls() ? ARRAY_SIZE(events) : N_OLDER_EVENTS) *
	       sizeof(*events));
	vec_push(&line, argv[0]);
	vec_push(&line, "-d");
	vec_push(&line, "--call-graph=dwarf");
	for (int i = 1; i < argc; i++)
		vec_push(&line, argv[i]);
	vec_push(&line, NULL);
	ret = record_with(&(struct record_preset){ .words = words, .events = used, .raw = true,
						   .period = 1 },
			  (int)line.n - 1, line.v);
	vec_free(&line);
	return ret;
}

static int open_recording(struct session *s, const struct futex_cmd *c)
{
	const struct stream_opts so = { .symbols = c->in.symbols };

	return open_for_events(s, &(struct session_opts){ .path = c->in.path, .force = c->in.force,
							  .quiet = c->in.common.quiet },
			       c->in.dump, futex_need_events, &so);
}

static int run_recording(struct futex_cmd *c)
{
	struct session s = { 0 };
	struct futex_model *m = NULL;
	const struct futex_stats *st;
	int ret = open_recording(&s, c);

	if (!ret && !(m = futex_new(&c->opts, s.source->swap, &s.err)))
		ret = -1;
	if (!ret)
		ret = session_run(&s, (struct sink *[]){ futex_sink(m) }, 1);
	if (!ret)
		ret = show(c, m, &s.err);
	st = m ? futex_get_stats(m) : NULL;
	if (!ret && !c->in.common.quiet && st->n_unended)
		cli_warn("%llu waits had no end in the recording: they are not counted",
			 (unsigned long long)st->n_unended);
	session_warn_analysis(&s, st ? st->n_bad : 0, ret);
	futex_free(m);
	return session_close(&s, ret);
}

/* --- the command line */

static int check_recording(const struct futex_cmd *c, int n, struct err *err)
{
	const struct lock_live *v = &c->live;

	if (!c->in.path || (!n && target_none(&v->target) && !v->target.cpu_list && !v->cgroups))
		return 0;
	err_set(err, EINVAL, "-i reads a recording, but whom to watch now was given, too");
	err_hint(err, "leave one of them out");
	return -EINVAL;
}

static int check(struct futex_cmd *c, struct err *err)
{
	if (c->by_waiter && c->by_holder)
		return err_set(err, EINVAL, "--threads and --lock-owner exclude each other");
	if (c->n_rows < 0 || c->opts.max_stack < 0)
		return err_set(err, EINVAL, "--entries and --max-stack cannot be negative");
	if (c->live.n_entries > LOCK_MAX_ENTRIES)
		return err_set(err, EINVAL, "-M: there is no room for so many waits");
	c->opts.by = c->by_waiter ? FUTEXREC_BY_WAITER : c->by_holder ? FUTEXREC_BY_HOLDER :
		FUTEXREC_BY_LOCK;
	c->view.by = c->opts.by;
	c->view.stacks = log_on(LOG_CLI, 1);
	c->view.columns.no_head = c->in.common.quiet;
	c->view.percentiles |= table_output_data(&c->view.output);
	return lock_set_fields(&c->view.columns, c->choice.fields, c->choice.key, true,
			       &c->opts.key, err);
}

int lock_futex(int argc, const char **argv, void *in)
{
	struct futex_cmd c = { .in = *(struct lock_input *)in,
			       .choice.fields = "contended,wait_total,wait_max,avg_wait" };
	const char *const usage[] = { "[<options>] [<command>]",
				      "record [<record options>] [<command>]",
				      "-i <file> [<options>]", NULL };
	const struct option_table tables[] =
		{ { futex_options, &c }, { lock_choice_options, &c.choice },
		  { lock_live_options, &c.live }, { lock_input_options, &c.in },
		  cli_symbols_group(&c.in.symbols), cli_output_group(&c.view.output),
		  session_group(), cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "lock futex", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct err err = ERR_INIT;
	int n, ret;

	if (argc > 1 && !strcmp(argv[1], "record"))
		return futex_record(argc - 1, argv + 1);
	n = cli_parse(&cmd, argc, argv);
	if (n < 0)
		return cli_status(n);
	ret = check(&c, &err);
	if (!ret)
		ret = check_recording(&c, n, &err);
	ret = ret ? cli_error(&err) : 0;
	err_release(&err);
	if (ret)
		return ret;
	return c.in.path ? run_recording(&c) : run_live(&c, argv);
}
