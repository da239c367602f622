// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "builtin-trace.h"
#include "util/analysis/sys-sink.h"
#include "util/analysis/sys-stacks.h"
#include "util/cli/error.h"
#include "util/data/reader.h"
#include "util/os/cgroup.h"
#include "util/record/live.h"
#include "util/stream/stream.h"

#define MARGIN_NS 500000	/* between a record's time stamp and its place in a ring; longer interruptions are rare */
#define MAX_IDS 24		/* so many numbers of calls are left to the kernel's filter */
#define CALL_ENDS "raw_syscalls:sys_exit"
#define CALLS "raw_syscalls:sys_enter,raw_syscalls:sys_exit"

struct trace_events {
	struct trace *t;
	struct data_reader reader;	/* owns the events */
	struct live live;
	struct stream *stream;
	struct sink *sink, *sinks[1];
	bool calls, open, chains;
	size_t n_calls;			/* the first events: calls, and what belongs to them */
	struct str spool;		/* records of the capture that wait for the events between them */
	size_t spool_at;
	const struct event *stack_event;	/* its samples are the stacks of captured calls; NULL: none are wanted */
	const struct tp_field *stack_id, *stack_ret;	/* its fields with the number and the result of the call */
	struct sys_stacks *stacks;
};

/* ---- the capture's records between the events ---- */

void trace_spool(struct trace *t, const void *record, size_t bytes)
{
	struct str *s = &t->events->spool;
	u64 n = bytes;

	str_addn(s, (const char *)&n, sizeof(n));
	str_addn(s, record, ALIGN_UP(bytes, 8));	/* the ring's records are so aligned */
}

/* The time at which a record was made. */
static u64 record_time(const struct sysrec *r)
{
	if (r->type == SYSREC_NAME)
		return 0;
	return r->type == SYSREC_CALL || r->flags & SYSREC_F_CUT ? r->exit_ns : r->enter_ns;
}

/* One record to its lines, and its stack below them. false: the stack is still to come. */
static bool feed_one(struct trace *t, const struct sysrec *r, size_t bytes, u64 time_ns)
{
	struct trace_events *e = t->events;
	struct str stack = STR_INIT;
	unsigned n_frames = 0;
	u64 before = t->n_lines;

	if (e->stacks && r->type == SYSREC_CALL && !sys_stacks_take(e->stacks, r, &n_frames, &stack) &&
	    time_ns - r->exit_ns < SYS_STACK_LATE_NS)
		return false;
	t->hide = e->stacks && r->type != SYSREC_NAME && (int)n_frames < t->o->min_stack;
	sys_lines_record(&t->lines, r, bytes);
	t->hide = false;
	if (t->n_lines != before && stack.len)
		str_addn(&t->out, stack.buf, stack.len);
	str_release(&stack);
	return true;
}

/* The captured calls before a time, which an event has. */
static void feed_until(void *ctx, u64 time_ns)
{
	struct trace *t = ctx;
	struct trace_events *e = t->events;

	while (e->spool_at + sizeof(u64) < e->spool.len && !t->done) {
		const char *p = e->spool.buf + e->spool_at;
		const struct sysrec *r = (const struct sysrec *)(p + sizeof(u64));
		u64 n;

		memcpy(&n, p, sizeof(n));
		if (record_time(r) > time_ns || !feed_one(t, r, n, time_ns))
			break;
		e->spool_at += sizeof(n) + ALIGN_UP(n, 8);
	}
}

static void drop_fed(struct trace_events *e)
{
	if (e->spool_at < e->spool.len)
		memmove(e->spool.buf, e->spool.buf + e->spool_at, e->spool.len - e->spool_at);
	e->spool.len -= e->spool_at;
	e->spool_at = 0;
}

/* ---- which events ---- */

/* "id == 43 || id == 288", when that is short; NULL: all. A call that runs another program is needed to know when ours begins. */
static char *id_filter(const struct trace *t)
{
	struct str s = STR_INIT;
	unsigned n = 0;

	if (!t->select.any)
		return NULL;
	for (u32 nr = 0; nr < SYSPLAN_NRS; nr++) {
		u32 i = nr, k = SYSPLAN_NRS + nr;
		const u8 always = SYSPLAN_EXEC | SYSPLAN_NO_RETURN;

		if (!t->select.wanted[i] && !t->select.wanted[k] && !((t->plans[i].flags | t->plans[k].flags) & always))
			continue;
		str_addf(&s, "%sid == %u", n++ ? " || " : "", nr);
	}
	if (n > MAX_IDS)
		str_reset(&s);
	else
		str_add(&s, " || id == -1");	/* the end of rt_sigreturn */
	return s.len ? str_detach(&s) : (str_release(&s), NULL);
}

static void and_filter(struct event *e, const char *more)
{
	char *filter = e->filter ? xasprintf("(%s) && (%s)", e->filter, more) : xstrdup(more);

	free(e->filter);
	e->filter = filter;
}

static bool is_tracepoint(const struct event *e)
{
	return e->attr.type == PERF_TYPE_TRACEPOINT;
}

static int add(struct trace_events *e, const char *text, struct pmu_db *db, struct err *err)
{
	return event_parse(&e->reader.events, text, &e->t->os, db, err);
}

static int add_calls(struct trace_events *e, struct pmu_db *db, struct err *err)
{
	const struct trace_opts *o = e->t->o;
	char *ids = id_filter(e->t);
	int ret = add(e, CALLS, db, err);

	if (!ret && ids)
		for vec_each(p, &e->reader.events.events)
			and_filter(*p, ids);
	free(ids);
	if (!ret && o->call_graph) {	/* one stack a call is enough */
		struct event *enter = e->reader.events.events.v[0];

		enter->terms.set |= EVENT_TERM_CALL_GRAPH;
		enter->terms.call_graph = xstrdup("no");
		e->reader.events.events.v[1]->attr.exclude_callchain_kernel = !o->kernel_graph;
	}
	/* Names of files by the kernel's own look-up, if somebody has put a probe there. */
	if (!ret)
		add(e, "probe:vfs_getname", db, NULL);
	e->n_calls = e->reader.events.events.n;
	return ret;
}

/* The capture knows of no stacks that need DWARF: they are samples of the same tracepoint that it ends calls in. */
static int add_call_stacks(struct trace_events *e, struct pmu_db *db, struct err *err)
{
	char *ids = id_filter(e->t);
	int ret = add(e, CALL_ENDS, db, err);

	if (!ret) {
		e->stack_event = e->reader.events.events.v[0];
		e->stacks = sys_stacks_new();
		e->n_calls = 1;
		e->reader.events.events.v[0]->attr.exclude_callchain_kernel = !e->t->o->kernel_graph;
		if (ids)
			and_filter(e->reader.events.events.v[0], ids);
		if (e->t->o->failure)
			and_filter(e->reader.events.events.v[0], "ret < 0");
	}
	free(ids);
	return ret;
}

static void take_stack(struct trace_events *e, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	u32 nr = (u32)tp_read_u64(e->stack_id, s->raw, false);
	s64 ret = (s64)tp_read_u64(e->stack_ret, s->raw, false);
	struct str text = STR_INIT;
	unsigned n;

	if (nr < SYSPLAN_NRS && !((e->t->plans[nr].flags | e->t->plans[SYSPLAN_NRS + nr].flags) & SYSPLAN_WANTED))
		return;
	n = trace_add_frames(e->t, it, e->t->o->kernel_graph, &text);
	sys_stacks_put(e->stacks, s, nr, ret, n, &text);
}

static void on_event(void *ctx, const struct sink_item *it)
{
	struct trace *t = ctx;

	if (it->sample->event == t->events->stack_event)
		take_stack(t->events, it);
	else
		trace_on_event(ctx, it);
}

/* The events of each -e with its filters, then those that nobody has named there. */
static int add_selected(struct trace_events *e, struct pmu_db *db, struct err *err)
{
	const struct trace *t = e->t;
	const struct str *words = &t->select.events;
	size_t at = 0;
	int ret = 0;

	for (size_t i = 0; i <= t->event_ends.n && !ret; i++) {
		size_t end = i < t->event_ends.n ? t->event_ends.v[i] : words->len;
		struct str one = STR_INIT;

		if (end > at) {
			at += words->buf[at] == ',';
			str_addn(&one, words->buf + at, end - at);
			ret = add(e, str_cstr(&one), db, err);
			at = end;
		}
		str_release(&one);
		for vec_each(f, &t->o->filters)
			if (!ret && f->after == i + 1)
				ret = event_set_filter(&e->reader.events, f->text, err);
	}
	return ret;
}

static int add_all(struct trace_events *e, struct err *err)
{
	static const char *const faults[] = { "", "major-faults,minor-faults", "major-faults", "minor-faults" };
	const struct trace_opts *o = e->t->o;
	struct pmu_db *db = pmu_db_new(&e->t->os);
	int ret = e->calls ? add_calls(e, db, err) : 0;

	if (ret && o->capture == CAPTURE_AUTO && !o->call_graph)
		err_prefix(err, "system calls can be watched neither by BPF (see -v) nor by tracepoints");
	if (!ret && trace_wants_stacks(e->t))
		ret = add_call_stacks(e, db, err);
	if (!ret)
		ret = add_selected(e, db, err);
	if (!ret && o->faults)
		ret = add(e, faults[o->faults], db, err);
	pmu_db_free(db);
	return ret;
}

static int load_formats(struct trace_events *e, struct err *err)
{
	struct event_list *l = &e->reader.events;
	int ret = 0;

	if (!l->tracepoints)
		l->tracepoints = tp_table_new();
	for (size_t i = 0; i < l->events.n && !ret; i++) {
		struct event *ev = l->events.v[i];

		if (is_tracepoint(ev) && !ev->format)
			ret = tp_table_load(l->tracepoints, &e->t->os, ev->tp_system, ev->tp_name, &ev->format, err);
	}
	if (!ret && e->stack_event) {
		e->stack_id = tp_field(e->stack_event->format, "id");
		e->stack_ret = tp_field(e->stack_event->format, "ret");
		if (!e->stack_id || !e->stack_ret)
			ret = err_set(err, EINVAL, "the fields id and ret are not in the format of %s", CALL_ENDS);
	}
	return ret;
}

/* What we do ourselves would be traced showing it, and without end. */
static void exclude_own(struct trace_events *e, const int_vec *excluded)
{
	for vec_each(p, &e->reader.events.events) {
		struct str s = STR_INIT;

		if (!is_tracepoint(*p))
			continue;
		str_addf(&s, "common_pid != %d", (int)getpid());
		for vec_each(pid, excluded)
			str_addf(&s, " && common_pid != %d", *pid);
		and_filter(*p, str_cstr(&s));
		str_release(&s);
	}
}

static int set_cgroup(struct trace_events *e, struct err *err)
{
	for vec_each(p, &e->reader.events.events) {
		(*p)->cgroup = xstrdup(e->t->o->cgroup);
		(*p)->cgroup_fd = os_cgroup_open(&e->t->os, e->t->o->cgroup, err);
		if ((*p)->cgroup_fd < 0)
			return (*p)->cgroup_fd;
	}
	return 0;
}

/* ---- life ---- */

static int set_options(struct trace_events *e, struct record_opts *ro, struct err *err)
{
	const struct trace_opts *o = e->t->o;

	*ro = (struct record_opts){ .target = o->target, .clockid = CLOCK_MONOTONIC, .raw = true, .period = 1,
				    .dump_bytes = RECORD_DEFAULT_DUMP, .raw_dumps = true, .no_inherit = o->no_inherit,
				    .addr = o->faults != FAULTS_NONE, .no_bpf_event = true, .start_disabled = o->delay_ms > 0,
				    .proc_map_timeout_ms = 500 };
	ro->target.system_wide |= o->cgroup || (!e->t->work.pid && !trace_has_target(o));
	if (o->mmap_bytes)
		for (ro->ring_pages = 1; (u64)ro->ring_pages * (u64)e->t->os.page_bytes < o->mmap_bytes;)
			ro->ring_pages *= 2;
	if (o->map_timeout)
		ro->proc_map_timeout_ms = (int)strtol(o->map_timeout, NULL, 10);
	return o->call_graph ? record_parse_callgraph(ro, o->call_graph, err) : 0;
}

static int start_stream(struct trace_events *e, struct err *err)
{
	struct trace *t = e->t;
	const struct stream_opts so = { .threads = 1, .max_frames = t->o->max_stack };
	const struct event_list *l = &e->reader.events;
	const struct source src = source_of_reader(&e->reader);
	struct sys_sink_opts ko = {
		.pairs = { .lines = &t->lines, .wanted = t->select.any ? t->select.wanted : NULL, .min_ns = t->o->duration_ns,
			   .only_failed = t->o->failure, .on_call = trace_wants_sums(t->o) ? trace_sum_call : NULL, .ctx = t,
			   .held = !t->o->delay_ms && e->live.workload ? (u32)e->live.workload : 0 },
		.after_call = t->o->call_graph ? trace_after_call : NULL, .on_event = on_event,
		.before = e->calls ? NULL : feed_until, .no_calls = !e->calls, .ctx = t,
		.names = e->n_calls == 3 ? l->events.v[2] : NULL,
	};

	for vec_each(p, &l->events)
		e->chains |= ((*p)->attr.sample_type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER)) != 0;
	ko.wants = (t->o->faults ? SINK_SYMBOLS | SINK_ADDR : 0) | (e->chains ? SINK_SYMBOLS | SINK_CHAIN : 0);
	e->stream = stream_new(&src, &t->os, &so, err);
	if (!e->stream)
		return -EINVAL;
	e->sink = e->sinks[0] = sys_sink_new(&ko);
	stream_begin(e->stream, e->sinks, 1);
	return 0;
}

static int put_one(void *ctx, const struct perf_event_header *rec)
{
	struct trace_events *e = ctx;
	const struct wire_timed r = { rec, 0 };

	stream_put(e->stream, &r, 1);
	return 0;
}

int trace_events_open(struct trace *t, const int_vec *excluded, struct err *err)
{
	struct trace_events *e = t->events = xnew(struct trace_events);
	struct record_opts ro;
	pid_t work = t->work.pid && !trace_has_target(t->o) ? t->work.pid : 0;
	int ret;

	e->t = t;
	e->calls = t->with_syscalls && !t->capture;
	data_live(&e->reader);
	ret = add_all(e, err);
	if (!ret)
		ret = load_formats(e, err);
	if (!ret)
		ret = set_options(e, &ro, err);
	if (!ret && t->o->cgroup)
		ret = set_cgroup(e, err);
	if (ret)
		return ret;
	if (!work)
		exclude_own(e, excluded);
	if (e->calls)
		ro.user_regs = 1;	/* one word more, and the ABI of the task */
	ret = live_open(&e->live, &e->reader.events, &ro, work, &t->os, err);
	e->open = true;
	if ((ret == -EACCES || ret == -EPERM) && e->calls && work && os_paranoid(&t->os) > 1)
		err_hint(err, "calls of your own commands need perf_event_paranoid at 1 only, it is %d: sudo sysctl "
			 "kernel.perf_event_paranoid=1\n(for those of others, and for strings: root, or CAP_BPF and CAP_PERFMON)",
			 os_paranoid(&t->os));
	if (ret)
		return ret;
	data_live_settle(&e->reader);
	ret = start_stream(e, err);
	return ret ? ret : live_before(&e->live, e->chains || t->o->faults, put_one, e, err);
}

/* The calls count before the exec, which is one of them; other events begin with it. */
int trace_events_start(struct trace *t, struct err *err)
{
	const struct trace_events *e = t->events;
	size_t n = e->live.workload && !e->live.o.start_disabled ? e->n_calls : e->reader.events.events.n;

	for (size_t i = 0; i < n; i++) {
		const struct event *ev = e->reader.events.events.v[i];

		for (int k = 0; ev->fds && ev->leader == ev && k < ev->n_threads * ev->n_cpus; k++)
			if (ev->fds[k] >= 0 && ioctl(ev->fds[k], PERF_EVENT_IOC_ENABLE, 0))
				return err_sys(err, errno, "cannot enable event '%s'", ev->name);
	}
	return 0;
}

static bool put(void *ctx, const struct wire_timed *recs, size_t n)
{
	struct trace_events *e = ctx;

	return stream_put(e->stream, recs, n) && !e->t->done;
}

/* What a pass shows is older than its bound, which is taken before the rings are looked at. */
u64 trace_events_bound(void)
{
	return os_now_ns() - MARGIN_NS;
}

void trace_events_pass(struct trace *t, u64 bound_ns)
{
	struct trace_events *e = t->events;

	live_pass(&e->live, bound_ns, put, e);
	if (e->calls)
		sys_sink_until(e->sink, bound_ns);
	else
		feed_until(t, bound_ns);
	drop_fed(e);
}

static void say(const char *text)
{
	cli_warn("%s", text);
}

bool trace_events_follow(struct trace *t, bool paused, struct err *err)
{
	struct trace_events *e = t->events;

	if (!e || !live_follow_cpus(&e->live, say))
		return false;
	data_live_settle(&e->reader);
	if (!paused)
		trace_events_start(t, err);
	return true;
}

void trace_events_stop(struct trace *t)
{
	if (t->events->open)
		event_list_disable(&t->events->reader.events);
}

size_t trace_events_fds(const struct trace *t, int_vec *out)
{
	if (!t->events)
		return 0;
	for vec_each(s, &t->events->live.rings.slots)
		vec_push(out, s->fds.v[0]);
	return t->events->live.rings.slots.n;
}

u64 trace_events_lost(const struct trace *t)
{
	return t->events && t->events->open ? live_lost(&t->events->live) : 0;
}

void trace_events_close(struct trace *t)
{
	struct trace_events *e = t->events;

	if (!e)
		return;
	if (e->sink)
		stream_end(e->stream);
	sys_sink_free(e->sink);
	stream_free(e->stream);
	if (e->open)
		live_close(&e->live);
	data_close(&e->reader);
	str_release(&e->spool);
	sys_stacks_free(e->stacks);
	free(e);
	t->events = NULL;
}
