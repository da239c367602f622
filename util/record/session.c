// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/event/tracepoint.h"
#include "util/os/priority.h"
#include "util/record/readers.h"

void record_result_release(struct record_result *res)
{
	open_report_release(&res->opened);
	free(res->last_file);
	free(res->chains);
	free(res->heap.failure);
	free(res->heap.late);
	free(res->unwound.unread_file);
	free(res->unwound.unread_reason);
	res->heap.failure = res->heap.late = NULL;
	res->chains = res->last_file = res->unwound.unread_file = res->unwound.unread_reason = NULL;
}

/* --- files --- */

/* In the files beside the one with the header. */
static u64 bytes_beside(const struct record_session *s, u64 *unpacked_bytes)
{
	*unpacked_bytes = 0;
	return s->with.readers ? readers_bytes(s->with.readers, unpacked_bytes) : 0;
}

static bool is_large_enough(const struct record_session *s)
{
	const u64 max = s->o->output.max_bytes;
	u64 unpacked_bytes;

	return max && s->out.w.data_bytes + bytes_beside(s, &unpacked_bytes) >= max;
}

static void note_result(struct record_session *s)
{
	s->res->n_samples += s->out.scan.n_samples;
	s->res->n_lost_records += s->out.scan.n_lost_records;
	s->res->n_lost = MAX(s->res->n_lost, s->out.scan.n_lost);
}

static int finish_file(struct record_session *s, struct err *err)
{
	const char *name = NULL;
	u64 beside_bytes, unpacked_bytes;
	int ret = s->with.readers ? readers_finish(s->with.readers, err) : 0, bad;

	note_result(s);
	bad = output_finish(&s->out, &name, ret ? NULL : err);
	ret = ret ? ret : bad;
	beside_bytes = bytes_beside(s, &unpacked_bytes);
	s->res->bytes = s->out.final_bytes + beside_bytes;
	s->res->unpacked_bytes = s->out.final_unpacked_bytes + unpacked_bytes;
	if (ret || s->out.failed)
		s->res->n_samples = 0;	/* nobody knows how many of them are in the file */
	s->res->n_files = s->out.n_files;
	free(s->res->last_file);
	s->res->last_file = xstrdup(name ? name : s->out.path);
	if (name != s->out.path && name)
		record_say(s, RECORD_INFO, "[ perf record: Dump %s ]", name);
	return ret;
}

static int write_off_cpu(struct record_session *s, bool last, struct err *err)
{
	return s->with.off_cpu ? off_time_write_sums(s->with.off_cpu, &s->out, last, err) : 0;
}

static int rotate(struct record_session *s, struct err *err)
{
	int ret = record_pass(s, true, err);

	s->rotate = false;
	record_say(s, RECORD_INFO, "[ perf record: dump data: Woken up %llu times ]",
		   (unsigned long long)s->res->n_wakeups);
	if (!ret)
		ret = record_dump_backward(s, err);
	if (!ret && s->o->sideband.tail_synth)
		ret = record_write_tail(s, err);
	if (!ret)
		ret = write_off_cpu(s, false, err);
	if (!ret)
		ret = finish_file(s, err);
	s->res->n_wakeups = 0;
	if (!ret)
		ret = output_open(&s->out, err);
	return ret ? ret : record_write_head(s, err);
}

/* --- the loop --- */

static int apply_windows(struct record_session *s)
{
	u64 due;

	while ((due = windows_due_ns(&s->windows)) != UINT64_MAX &&
	       s->started_ns + due <= os_now_ns()) {
		int ret;

		windows_step(&s->windows);
		ret = record_set_enabled(s, s->windows.on);
		if (ret)
			return ret;
		record_say(s, RECORD_INFO, s->windows.on ? "Events enabled" : "Events disabled");
	}
	return 0;
}

static bool wants_rotation(const struct record_session *s)
{
	const struct record_output *o = &s->o->output;

	return s->rotate || (o->switch_bytes && s->out.raw_bytes >= o->switch_bytes) ||
	       (o->switch_ns && os_now_ns() - s->out.opened_ns >= o->switch_ns);
}

/* A pipe's reader waits for it; a file should have nearly all when the recorder, or the machine,
 * dies. */
static int push(struct record_session *s, struct err *err)
{
	const u64 now = os_now_ns();

	if (!s->out.w.pipe && now - s->pushed_ns < RECORD_PUSH_NS)
		return 0;
	s->pushed_ns = now;
	return s->out.w.pipe ? data_writer_flush(&s->out.w, err) : data_writer_push(&s->out.w, err);
}

static int loop(struct record_session *s, struct err *err)
{
	int ret = 0;

	s->pushed_ns = os_now_ns();
	record_wait_for(s);
	while (!ret && !s->stop && record_any_alive(s)) {
		const bool cpus = record_wait(s);

		ret = record_pass(s, false, err);
		if (!ret && cpus)
			ret = record_follow_cpus(s, err);
		if (!ret)
			ret = apply_windows(s);
		if (!ret)
			ret = push(s, err);
		if (!ret && is_large_enough(s))
			s->stop = s->res->size_limit = true;
		else if (!ret && !s->stop && wants_rotation(s))
			ret = rotate(s, err);
	}
	return ret;
}

/* --- beginning and end --- */

static int watch_signals(struct record_session *s, struct err *err)
{
	int ret = waiter_init(&s->waiter, err);

	s->old_pipe = signal(SIGPIPE, SIG_IGN);
	s->waiter.usr2_asks = true;
	if (s->has_work)
		waiter_watch(&s->waiter, s->work.pid);
	return ret;
}

static void unwatch_signals(struct record_session *s)
{
	if (s->waiter.active)
		signal(SIGPIPE, s->old_pipe);
	waiter_release(&s->waiter);
}

static int find_whom(struct record_session *s, struct err *err)
{
	struct target *t = &s->o->target;
	struct err reason = ERR_INIT;
	int ret = record_watch_user(s->list, s->o, &reason, err);

	if (!ret)
		ret = record_configure(s->list, s->o, s->os, err);
	if (!ret)
		ret = target_resolve(t, s->os, err);
	if (ret == -ESRCH && reason.msg)
		err_hint(err, "only processes that are there can be recorded: %s", reason.msg);
	if (!ret && t->user && !t->uid_program)
		record_say(s, RECORD_INFO, "the processes that user '%s' has now are recorded, and "
					   "what these start; those that begin later, as with a "
					   "log-in, are not (-a records all): %s", t->user,
			   reason.msg);
	err_release(&reason);
	return ret;
}

static int prepare(struct record_session *s, const char *const *argv, struct err *err)
{
	struct record_opts *o = s->o;
	const bool to_stdout = o->output.path && !strcmp(o->output.path, "-");
	int ret;

	s->work_is_target = argv && target_none(&o->target);
	if (!argv && target_none(&o->target))
		o->target.system_wide = true;
	o->target.per_cpu = !o->target.per_thread;
	record_choose_stacks(o, s->list, s->os);
	ret = find_whom(s, err);
	if (!ret && argv) {
		ret = workload_prepare(&s->work, argv, to_stdout, err);
		s->has_work = !ret;
		if (s->work_is_target && !ret)
			vec_push(&o->target.tids, s->work.pid);
	}
	if (!ret && o->buffers.rt_prio)
		ret = os_realtime(o->buffers.rt_prio, err);
	if (!ret)
		ret = control_channel_open(&s->control, o->when.control, err);
	return ret ? ret : watch_signals(s, err);
}

static bool unwinds_live(const struct record_session *s)
{
	return !record_keeps_stacks(s->o) && event_list_samples(s->list, PERF_SAMPLE_STACK_USER);
}

static int open_switcher(struct record_session *s, struct err *err)
{
	struct open_policy policy;

	record_open_policy(s, &policy);
	/* it is no event of the recording, so -D does not concern it */
	policy.enable_on_exec = s->work_is_target;
	return switch_event_new(&s->with.switcher, s->o->when.switch_events, &policy, s->os, err);
}

/* Who makes call chains by "auto": in the file, and for -v. */
static void note_chains(struct record_session *s)
{
	const struct record_stacks *o = &s->o->stacks;

	if (o->callgraph != RECORD_CHAIN_AUTO)
		return;
	s->res->chains = s->live ? xstrdup(live_unwind_how(s->live)) :
		xasprintf("frame pointers: %s", o->only_fp ? o->only_fp :
			  "the events may come too often for copies of stacks");
	s->o->output.chains = s->res->chains;
}

static int open_heap(struct record_session *s, const char *const *argv, struct err *err)
{
	int ret = heap_recorder_new(&s->with.heap,
				    &(struct heap_recorder_of){ s->o, s->list, s->live }, s->os,
				    err);

	if (!ret && s->work_is_target)
		ret = heap_recorder_add_command(s->with.heap, s->work.pid, argv, err);
	if (!ret)
		output_observe(&s->out, heap_recorder_sideband, s->with.heap);
	return ret;
}

static int open_all(struct record_session *s, const char *const *argv, struct err *err)
{
	int ret = record_open_events(s, err);

	if (!ret)
		ret = filters_new(&s->with.filters, s->list, s->os, err);
	if (!ret)
		ret = rings_map(&s->rings, s->list, s->os, s->o->buffers.ring_pages,
				record_file_bytes(&s->o->output), err);
	s->res->ring_bytes = rings_bytes(&s->rings);
	if (!ret && s->o->when.switch_events)
		ret = open_switcher(s, err);
	for (size_t i = 0; i < s->list->events.n && !ret; i++)
		if (s->list->events.v[i]->attr.type == PERF_TYPE_TRACEPOINT) {
			ret = tp_table_write_section(s->os, s->list, &s->out.tracing, err);
			break;
		}
	if (!ret && unwinds_live(s))
		ret = live_unwind_new(&s->live, s->list, &s->rings, &s->o->stacks, s->os, err);
	note_chains(s);
	if (!ret && s->o->off_cpu.on)
		ret = off_time_new(&s->with.off_cpu,
				   &(struct off_time_of){ s->o, s->list,
					s->work_is_target ? s->work.pid : 0, s->live },
				   s->os, err);
	if (!ret && s->o->heap.period)
		ret = open_heap(s, argv, err);
	if (!s->o->sideband.no_synth_maps)
		s->modules = modules_new(s->os);
	if (!ret)
		ret = output_open(&s->out, err);
	if (!ret && s->o->threads.v.n)
		ret = readers_new(&s->with.readers, s, err);
	return ret ? ret : record_write_head(s, err);
}

static int start(struct record_session *s, struct err *err)
{
	const bool later = s->o->when.windows.n || s->o->when.start_disabled;
	int ret = s->with.readers ? readers_start(s->with.readers, err) : 0;

	s->with.affinity = affinity_new(s->o->buffers.affinity, s->os);
	s->started_ns = os_now_ns();
	s->windows.all = &s->o->when.windows;
	if (s->with.off_cpu)
		off_time_switch(s->with.off_cpu, !later);
	if (s->with.heap)
		heap_recorder_switch(s->with.heap, !later);
	if (later)
		record_say(s, RECORD_INFO, "Events disabled");
	else if (!ret && !s->work_is_target && record_set_enabled(s, true))
		ret = err_sys(err, errno, "cannot enable the events");
	s->windows.on = !later;
	if (!ret && s->with.switcher)
		ret = switch_event_enable(s->with.switcher, err);
	if (!ret && s->has_work)
		ret = workload_start(&s->work, err);
	if (!ret)
		record_say_changes(s);
	return ret;
}

/* The workload's own end; one that is still running was started for the recording and ends with
 * it. */
static void end_workload(struct record_session *s, bool failed)
{
	if (!s->has_work)
		return;
	if (!failed)
		workload_signal(&s->work, SIGTERM);
	unwatch_signals(s);	/* the file is complete: from here on ^C may end this process */
	workload_wait(&s->work, NULL);
	s->res->exit_code = workload_exit_code(&s->work);
}

static int finish(struct record_session *s, int ret, struct err *err)
{
	event_list_disable(s->list);
	if (!ret && record_flight_is_over(s)) {
		s->res->flight_over = true;
		output_abort(&s->out);
		return 0;
	}
	if (s->with.off_cpu)
		off_time_switch(s->with.off_cpu, false);
	if (s->with.heap)
		heap_recorder_switch(s->with.heap, false);
	if (s->with.readers)
		readers_stop(s->with.readers);
	if (!ret)
		ret = record_pass(s, true, err);
	if (!ret)
		ret = record_dump_backward(s, err);
	if (!ret)
		ret = write_off_cpu(s, true, err);
	if (!ret)
		ret = record_write_tail(s, err);
	record_say(s, RECORD_INFO, "[ perf record: Woken up %llu times to write data ]",
		   (unsigned long long)MAX(s->res->n_wakeups, (u64)1));
	if (s->out.open) {	/* not so where the next one of several files could not be begun */
		int r = finish_file(s, ret ? NULL : err);

		ret = ret ? ret : r;
	}
	return ret;
}

int record_run(struct event_list *list, struct record_opts *o, const char *const *argv,
	       struct os *os, struct record_result *res,
	       struct err *err)
{
	struct record_session s = {
		.o = o, .list = list, .os = os, .res = res, .cpu_fd = -1,
		.waiter = { .signal_fd = -1 }, .control = { .fd = -1, .ack_fd = -1 },
	};
	bool started = false, failed;
	int ret;

	*res = (struct record_result){ 0 };
	output_init(&s.out, &o->output, o->sampling.clockid, &o->listener, os, list);
	ret = prepare(&s, argv, err);
	if (!ret)
		ret = open_all(&s, argv, err);
	if (!ret) {
		ret = start(&s, err);
		started = !ret;
	}
	if (started) {
		ret = loop(&s, err);
		failed = ret != 0;
		if (failed && s.has_work && !s.work.reaped)
			record_say(&s, RECORD_WARNING, "recording has stopped, the command goes "
						       "on: %s", err->msg ? err->msg : "");
		ret = finish(&s, ret, err);
		end_workload(&s, failed);
	} else {
		output_abort(&s.out);
	}
	if (s.live)
		live_unwind_free(s.live, &res->unwound);
	if (s.with.off_cpu)
		off_time_result(s.with.off_cpu, res);
	off_time_free(s.with.off_cpu);
	if (s.with.heap)
		heap_recorder_result(s.with.heap, res);
	heap_recorder_free(s.with.heap);
	filters_free(s.with.filters);
	modules_free(s.modules);
	workload_release(&s.work, true);
	affinity_free(s.with.affinity);
	readers_free(s.with.readers);
	switch_event_free(s.with.switcher);
	output_release(&s.out);
	rings_release(&s.rings);
	event_list_close(list);
	control_channel_close(&s.control);
	if (s.cpu_fd >= 0)
		close(s.cpu_fd);
	unwatch_signals(&s);
	return ret;
}
