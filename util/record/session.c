// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/session.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/event/tracepoint.h"
#include "util/os/priority.h"
#include "util/os/uevent.h"

void record_say(const struct record_session *s, enum record_say kind, const char *fmt, ...)
{
	struct str text = STR_INIT;
	va_list ap;

	if (!s->o->say)
		return;
	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	s->o->say(s->o->say_ctx, kind, str_cstr(&text));
	str_release(&text);
}

void record_result_release(struct record_result *res)
{
	open_report_release(&res->opened);
	free(res->last_file);
	free(res->unread_file);
	free(res->unread_reason);
	res->last_file = res->unread_file = res->unread_reason = NULL;
}

/* --- turning events on and off --- */

static int on_events(const struct event_list *l, bool dummies, unsigned long request)
{
	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];

		if (e->dummy != dummies || (e->leader && e->leader != e))
			continue;
		for (int k = 0; e->fds && k < e->n_threads * e->n_cpus; k++)
			if (e->fds[k] >= 0 && ioctl(e->fds[k], request, 0))
				return -errno;
	}
	return 0;
}

/* The side-band event stays on: what is mapped while nothing is sampled is needed afterwards. */
int record_set_enabled(struct record_session *s, bool on)
{
	s->enabled = on;
	return on_events(s->list, false, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE);
}

/* --- moving data --- */

struct dump_ctx { struct record_session *s; struct err *err; };

static int write_dump(void *ctx, struct span a, struct span b)
{
	struct dump_ctx *c = ctx;

	return output_write(&c->s->out, a, b, c->err);
}

static int pass_plain(struct record_session *s, bool all, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < s->rings.slots.n; i++) {
		struct rings_slot *slot = &s->rings.slots.v[i];
		struct span sp[2] = { { NULL, 0 }, { NULL, 0 } };
		u64 head;

		if (slot->backward)
			continue;
		head = rings_head(slot);
		if (head == slot->ring.tail || (!all && head - slot->ring.tail < s->o->flush_bytes))
			continue;
		rings_span(slot, slot->ring.tail, head, sp);
		s->data_bytes += head - slot->ring.tail;
		if (!ret)
			ret = output_write(&s->out, sp[0], sp[1], err);
		rings_free_to(slot, head);
	}
	return ret;
}

static int pass_rings(struct record_session *s, bool all, struct err *err)
{
	return s->live ? live_unwind_pass(s->live, &s->rings, &s->out, &s->data_bytes, err) :
		pass_plain(s, all, err);
}

/* Within the round that the module's first samples are in at the earliest, so no reader has come
 * further. */
static int follow_modules(struct record_session *s, struct err *err)
{
	int ret;

	if (!s->modules || !modules_changed(s->modules, s->out.scan.newest_ns))
		return 0;
	ret = pass_rings(s, true, err);
	return ret ? ret : record_write_modules(s, err);
}

int record_pass(struct record_session *s, bool all, struct err *err)
{
	const u64 before = s->data_bytes;
	int ret = pass_rings(s, all, err);

	output_scan_maps(&s->out.scan, os_now_ns());
	if (!ret)
		ret = follow_modules(s, err);
	if (!ret && s->data_bytes != before)
		ret = output_round(&s->out, err);
	return ret;
}

static int dump_backward(struct record_session *s, struct err *err)
{
	struct dump_ctx ctx = { s, err };
	bool any = false;
	int ret = 0;

	for (size_t i = 0; i < s->rings.slots.n && !ret; i++)
		if (s->rings.slots.v[i].backward) {
			ret = rings_dump_backward(&s->rings.slots.v[i], write_dump, &ctx);
			any = true;
		}
	return !ret && any ? output_round(&s->out, err) : ret;
}

/* --- files --- */

static void note_result(struct record_session *s)
{
	s->res->n_samples += s->out.scan.n_samples;
	s->res->n_lost_records += s->out.scan.n_lost_records;
	s->res->n_lost = MAX(s->res->n_lost, s->out.scan.n_lost);
}

static int finish_file(struct record_session *s, struct err *err)
{
	const char *name = NULL;
	int ret;

	note_result(s);
	ret = output_finish(&s->out, &name, err);
	s->res->bytes = s->out.final_bytes;
	if (ret || s->out.failed)
		s->res->n_samples = 0;	/* nobody knows how many of them are in the file */
	s->res->n_files = s->out.n_files;
	free(s->res->last_file);
	s->res->last_file = xstrdup(name ? name : s->out.path);
	if (name != s->out.path && name)
		record_say(s, RECORD_INFO, "[ perf record: Dump %s ]", name);
	return ret;
}

static int rotate(struct record_session *s, struct err *err)
{
	int ret = record_pass(s, true, err);

	s->rotate = false;
	record_say(s, RECORD_INFO, "[ perf record: dump data: Woken up %llu times ]",
		   (unsigned long long)s->res->n_wakeups);
	if (!ret)
		ret = dump_backward(s, err);
	if (!ret && s->o->tail_synth)
		ret = record_write_tail(s, err);
	if (!ret)
		ret = finish_file(s, err);
	s->res->n_wakeups = 0;
	if (!ret)
		ret = output_open(&s->out, err);
	return ret ? ret : record_write_head(s, err);
}

/* --- waiting --- */

#define LEARN_TICK_MS 4
#define PUSH_TICK_NS NSEC_PER_SEC	/* of what a killed recorder takes with it */

static u64 next_window_ns(const struct record_session *s)
{
	const struct record_opts *o = s->o;
	const struct record_delay *w = s->window < o->windows.n ? &o->windows.v[s->window] : NULL;

	if (!w)
		return UINT64_MAX;
	return s->started_ns + (s->enabled ? (w->to_ns ? w->to_ns : UINT64_MAX - s->started_ns) :
				w->from_ns);
}

static int apply_windows(struct record_session *s)
{
	while (next_window_ns(s) <= os_now_ns()) {
		const bool on = !s->enabled;

		if (record_set_enabled(s, on))
			return -errno;
		record_say(s, RECORD_INFO, on ? "Events enabled" : "Events disabled");
		if (!on)
			s->window++;
	}
	return 0;
}

/* Files are mapped in bursts: while none comes, looking less often saves more than half of what
 * a quiet recorder costs. What the program that unwinds is taught at once, it asks for only once. */
static u64 tick_ns(struct record_session *s, u64 now)
{
	const u64 n = s->out.scan.n_maps;

	if (n != s->n_maps)
		s->mapped_ns = now;
	s->n_maps = n;
	if (s->live && live_unwind_teaches(s->live))
		return LEARN_TICK_MS * 1000000ULL;
	return (now - s->mapped_ns < NSEC_PER_SEC ? HELD_TICK_MS : HELD_QUIET_TICK_MS) * 1000000ULL;
}

static int timeout_ms(struct record_session *s)
{
	u64 at = next_window_ns(s), now = os_now_ns();

	if (s->o->switch_ns)
		at = MIN(at, s->out.opened_ns + s->o->switch_ns);
	if (s->out.w.pipe)
		at = MIN(at, now + 250000000);
	if (s->out.held || s->live)
		at = MIN(at, now + tick_ns(s, now));
	at = MIN(at, s->pushed_ns + PUSH_TICK_NS);
	return at <= now ? 0 : (int)MIN((at - now + 999999) / 1000000, (u64)INT_MAX);
}

static void handle_signals(struct record_session *s)
{
	struct signalfd_siginfo si;

	while (read(s->signal_fd, &si, sizeof(si)) == (ssize_t)sizeof(si)) {
		switch (si.ssi_signo) {
		case SIGUSR2:
			s->rotate = s->o->switch_on_signal;
			break;
		case SIGCHLD:
			if (s->has_work && workload_poll(&s->work) == 1)
				s->stop = true;
			break;
		default:
			s->res->signal = (int)si.ssi_signo;
			s->stop = true;
		}
	}
}

/* A ring's thread has ended: wait on the next one that writes into it; false: that was the last. */
static bool next_fd(struct rings_slot *slot, struct pollfd *p)
{
	p->fd = ++slot->polled < slot->fds.n ? slot->fds.v[slot->polled] : -1;
	return p->fd >= 0;
}

/* of what is polled; the rings follow */
enum { P_SIGNAL, P_CONTROL, P_MODULES, P_CPUS, N_OWN_FDS };

static void poll_rings(struct record_session *s)
{
	const size_t n = s->rings.slots.n;

	s->polled = xreallocarray(s->polled, n + N_OWN_FDS, sizeof(*s->polled));
	for (size_t i = 0; i < n; i++) {
		const struct rings_slot *slot = &s->rings.slots.v[i];

		s->polled[N_OWN_FDS + i] = (struct pollfd){
			.fd = slot->polled < slot->fds.n ? slot->fds.v[slot->polled] : -1,
				.events = POLLIN };
	}
	s->n_rings = n;
}

static bool any_alive(const struct record_session *s)
{
	for (size_t i = 0; i < s->n_rings; i++)
		if (s->polled[N_OWN_FDS + i].fd >= 0)
			return true;
	return false;
}

static void poll_own(struct record_session *s)
{
	const int fds[N_OWN_FDS] = {
		[P_SIGNAL] = s->signal_fd, [P_CONTROL] = s->control.fd, [P_CPUS] = s->cpu_fd,
		[P_MODULES] = s->modules ? modules_fd(s->modules) : -1,
	};

	for (int i = 0; i < N_OWN_FDS; i++)
		s->polled[i] = (struct pollfd){ .fd = fds[i], .events = POLLIN };
}

static void wait_for_data(struct record_session *s)
{
	struct pollfd *p = s->polled + N_OWN_FDS;
	bool data = false;

	poll_own(s);
	if (poll(s->polled, s->n_rings + N_OWN_FDS, timeout_ms(s)) <= 0)
		return;
	for (size_t i = 0; i < s->n_rings; i++) {
		data |= (p[i].revents & POLLIN) != 0;
		while (p[i].fd >= 0 && p[i].revents & (POLLHUP | POLLERR)) {
			struct pollfd one;

			if (!next_fd(&s->rings.slots.v[i], &p[i]))
				break;
			one = (struct pollfd){ .fd = p[i].fd, .events = POLLIN };
			poll(&one, 1, 0);
			p[i].revents = one.revents;
		}
	}
	s->res->n_wakeups += data;
	if (s->polled[P_SIGNAL].revents)
		handle_signals(s);
	if (s->polled[P_CONTROL].revents)
		control_handle(s);
}

static bool wants_rotation(const struct record_session *s)
{
	const struct record_opts *o = s->o;

	return s->rotate || (o->switch_bytes && s->out.raw_bytes >= o->switch_bytes) ||
	       (o->switch_ns && os_now_ns() - s->out.opened_ns >= o->switch_ns);
}

/* A pipe's reader waits for it; a file should have nearly all when the recorder, or the machine,
 * dies. */
static int push(struct record_session *s, struct err *err)
{
	const u64 now = os_now_ns();

	if (!s->out.w.pipe && now - s->pushed_ns < PUSH_TICK_NS)
		return 0;
	s->pushed_ns = now;
	return s->out.w.pipe ? data_writer_flush(&s->out.w, err) : data_writer_push(&s->out.w, err);
}

static int loop(struct record_session *s, struct err *err)
{
	int ret = 0;

	s->pushed_ns = os_now_ns();
	poll_rings(s);
	while (!ret && !s->stop && any_alive(s)) {
		wait_for_data(s);
		ret = record_pass(s, false, err);
		if (!ret && s->polled[P_CPUS].revents)
			ret = record_follow_cpus(s, err);
		if (!ret)
			ret = apply_windows(s);
		if (!ret)
			ret = push(s, err);
		if (!ret && s->o->max_bytes && s->out.w.data_bytes >= s->o->max_bytes)
			s->stop = s->res->size_limit = true;
		else if (!ret && !s->stop && wants_rotation(s))
			ret = rotate(s, err);
	}
	return ret;
}

int record_restart(struct record_session *s, struct err *err)
{
	poll_rings(s);
	if (on_events(s->list, true, PERF_EVENT_IOC_ENABLE) ||
	    (s->enabled && record_set_enabled(s, true)))
		return err_sys(err, errno, "cannot enable the events");
	return 0;
}

/* --- beginning and end --- */

static int block_signals(struct record_session *s, struct err *err)
{
	sigset_t set;

	io_end_signals(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR2);
	s->old_pipe = signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &set, &s->old_mask);
	s->blocked = true;
	s->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return s->signal_fd < 0 ? err_sys(err, errno, "cannot wait for signals") : 0;
}

static void unblock_signals(struct record_session *s)
{
	if (!s->blocked)
		return;
	close(s->signal_fd);
	s->signal_fd = -1;
	sigprocmask(SIG_SETMASK, &s->old_mask, NULL);
	signal(SIGPIPE, s->old_pipe);
	s->blocked = false;
}

/* "cycles:P -> cpu-clock" */
static void say_other_event(const struct record_session *s, const char *detail)
{
	const char *arrow = strstr(detail, " -> ");

	if (arrow)
		record_say(s, RECORD_INFO, "The event '%.*s' is not supported by this machine: "
					   "'%s' is recorded instead",
			   (int)(arrow - detail), detail, arrow + 4);
	else
		record_say(s, RECORD_INFO, "%s", detail);
}

static void say_changes(struct record_session *s)
{
	for (size_t i = 0; i < s->res->opened.changes.n; i++) {
		const struct open_change *c = &s->res->opened.changes.v[i];

		switch (c->what) {
		case OPEN_CHANGED_EVENT:
			say_other_event(s, c->detail);
			break;
		case OPEN_EXCLUDED_KERNEL:
		case OPEN_BROKE_GROUP:
		case OPEN_UNSUPPORTED:
		case OPEN_DROPPED_PRECISE:
			record_say(s, RECORD_INFO, "%s", c->detail);
			break;
		case OPEN_DROPPED_FLAG:	/* -v shows them */
		case OPEN_THREAD_GONE:
			break;
		}
	}
}

void record_open_policy(const struct record_session *s, struct open_policy *p)
{
	const struct record_opts *o = s->o;

	*p = (struct open_policy){
		.use = OPEN_SAMPLE, .target = &o->target, .workload = s->work_is_target ?
			s->work.pid : 0,
		.enable_on_exec = s->work_is_target && !o->windows.n && !o->start_disabled,
		.inherit = !o->no_inherit && !o->target.per_thread && s->o->target.tids.n &&
		o->target.tids.v[0] != -1,
		.allow_fallback = true,
	};
}

static int open_events(struct record_session *s, struct err *err)
{
	struct open_policy policy;
	int ret;

	record_open_policy(s, &policy);
	if (s->o->target.system_wide || s->o->target.cpu_list)
		s->cpu_fd = os_uevent_cpus(s->os);	/* before the CPUs are looked at */
	ret = event_list_open(s->list, &policy, s->os, &s->res->opened, err);

	if (!ret && on_events(s->list, true, PERF_EVENT_IOC_ENABLE))
		ret = err_sys(err, errno, "cannot enable the side-band event");
	return ret;
}

/* About how much goes into one file; 0: no limit. */
static u64 file_bytes(const struct record_opts *o)
{
	return o->switch_bytes && o->max_bytes ? MIN(o->switch_bytes, o->max_bytes) :
		MAX(o->switch_bytes, o->max_bytes);
}

#define BUSY_HZ 10000		/* where nobody knows */

/* Copies that are only unwound cost no room in the file: with larger ones fewer stacks are cut. */
static void choose_dump(struct record_opts *o, const struct os *os)
{
	if (o->callgraph == RECORD_CHAIN_DWARF && !o->dump_given && !record_keeps_stacks(o) &&
	    !o->target.per_thread)
		o->dump_bytes = rings_dump_bytes(os, o->ring_pages, file_bytes(o), o->period ||
						 o->freq_max ? BUSY_HZ :
						 o->freq_hz ? o->freq_hz : RECORD_DEFAULT_HZ,
							 RECORD_DEFAULT_DUMP, RECORD_MAX_DUMP);
}

static int prepare(struct record_session *s, const char *const *argv, struct err *err)
{
	struct record_opts *o = s->o;
	const bool to_stdout = o->output && !strcmp(o->output, "-");
	int ret;

	s->work_is_target = argv && target_none(&o->target);
	if (!argv && target_none(&o->target))
		o->target.system_wide = true;
	o->target.per_cpu = !o->target.per_thread;
	choose_dump(o, s->os);
	ret = record_configure(s->list, o, s->os, err);
	if (!ret)
		ret = target_resolve(&o->target, s->os, err);
	if (!ret && o->target.user)
		record_say(s, RECORD_INFO, "the processes that user '%s' has now are recorded, and "
					   "what these start; those that begin "
			   "later, as with a log-in, are not (-a records all)", o->target.user);
	if (!ret && argv) {
		ret = workload_prepare(&s->work, argv, to_stdout, err);
		s->has_work = !ret;
		if (s->work_is_target && !ret)
			vec_push(&o->target.tids, s->work.pid);
	}
	if (!ret && o->rt_prio)
		ret = os_realtime(o->rt_prio, err);
	if (!ret && o->control)
		ret = control_open(&s->control, o->control, err);
	return ret ? ret : block_signals(s, err);
}

static bool unwinds_live(const struct record_session *s)
{
	if (record_keeps_stacks(s->o))
		return false;
	for (size_t i = 0; i < s->list->events.n; i++)
		if (s->list->events.v[i]->attr.sample_type & PERF_SAMPLE_STACK_USER)
			return true;
	return false;
}

static int open_all(struct record_session *s, struct err *err)
{
	int ret = open_events(s, err);

	if (!ret)
		ret = rings_map(&s->rings, s->list, s->os, s->o->ring_pages, file_bytes(s->o), err);
	s->res->ring_bytes = rings_bytes(&s->rings);
	for (size_t i = 0; i < s->list->events.n && !ret; i++)
		if (s->list->events.v[i]->attr.type == PERF_TYPE_TRACEPOINT) {
			ret = tp_table_write_section(s->os, s->list, &s->out.tracing, err);
			break;
		}
	if (!ret && unwinds_live(s))
		ret = live_unwind_new(&s->live, s->list, &s->rings, s->o, s->os, err);
	if (!s->o->no_synth_maps)
		s->modules = modules_new(s->os);
	if (!ret)
		ret = output_open(&s->out, err);
	return ret ? ret : record_write_head(s, err);
}

static int start(struct record_session *s, struct err *err)
{
	const bool later = s->o->windows.n || s->o->start_disabled;
	int ret = 0;

	s->started_ns = os_now_ns();
	if (later)
		record_say(s, RECORD_INFO, "Events disabled");
	else if (!s->work_is_target && record_set_enabled(s, true))
		ret = err_sys(err, errno, "cannot enable the events");
	s->enabled = !later;
	if (!ret && s->has_work)
		ret = workload_start(&s->work, err);
	if (!ret)
		say_changes(s);
	return ret;
}

/* The workload's own end; one that is still running was started for the recording and ends with
 * it. */
static void end_workload(struct record_session *s, bool failed)
{
	if (!s->has_work)
		return;
	if (!s->work.reaped && !failed)
		kill(s->work.pid, SIGTERM);
	unblock_signals(s);	/* the file is complete: from here on ^C may end this process */
	workload_wait(&s->work, NULL);
	s->res->exit_code = workload_exit_code(&s->work);
}

static int finish(struct record_session *s, int ret, struct err *err)
{
	event_list_disable(s->list);
	if (!ret)
		ret = record_pass(s, true, err);
	if (!ret)
		ret = dump_backward(s, err);
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
		.o = o, .list = list, .os = os, .res = res, .signal_fd = -1, .cpu_fd = -1,
			.control = { .fd = -1, .ack_fd = -1 },
	};
	bool started = false, failed;
	int ret;

	*res = (struct record_result){ 0 };
	output_init(&s.out, o, os, list);
	ret = prepare(&s, argv, err);
	if (!ret)
		ret = open_all(&s, err);
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
		live_unwind_free(s.live, res);
	modules_free(s.modules);
	workload_release(&s.work, true);
	output_release(&s.out);
	rings_release(&s.rings);
	event_list_close(list);
	control_close(&s.control);
	if (s.cpu_fd >= 0)
		close(s.cpu_fd);
	free(s.polled);
	unblock_signals(&s);
	return ret;
}
