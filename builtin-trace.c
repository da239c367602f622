// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "builtin.h"
#include "arch/arch.h"
#include "util/analysis/sys-select.h"
#include "util/analysis/sys-sink.h"
#include "util/analysis/sys.h"
#include "util/base/io.h"
#include "util/base/log.h"
#include "util/base/num.h"
#include "util/bpf/syscapture.h"
#include "util/cli/common.h"
#include "util/cli/config.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/data/reader.h"
#include "util/os/procfs.h"
#include "util/os/workload.h"
#include "util/stream/stream.h"
#include "util/view/sys.h"

#define TICK_MS 100
#define WRITE_BYTES (64 << 10)

enum { STYLE_PERF, STYLE_STRACE };
enum { FAULTS_NONE, FAULTS_ALL, FAULTS_MAJ, FAULTS_MIN };

struct trace_opts {
	struct target target;
	opt_list events;
	const char *output, *cgroup, *filter_pids;
	const char *input, *call_graph, *event_filter;
	bool summary_only, with_summary, errno_summary, failure, full_time, comm, no_inherit, show_cpu, json, force,
			no_fds, tp_print, no_bpf;
	bool show_zeros, show_time, show_duration, show_switch, kernel_graph;
	const char *switch_on, *switch_off;
	bool tool_stats;
	int max_stack, min_stack;
	const char *map_timeout;
	int syscalls, faults;	/* syscalls -1: as it follows from the events */
	int summary_mode, style;
	u64 max_events, duration_ns, delay_ms, mmap_bytes;
	int max_summary, max_string, align;
	struct cli_common common;
};

struct trace {
	struct trace_opts *o;
	struct os os;
	struct syscall_set *set;
	struct sys_select select;
	struct sysplan *plans;
	struct sys_lines lines;
	struct sys_summary sum;
	struct view_sys view;
	struct syscapture *capture;
	struct workload work;
	struct str out;
	int out_fd, signal_fd;
	u64 n_events, n_lines;
	bool done, failed_write, with_syscalls, off;
	bool spooling;			/* records wait in spool until the events between them are known */
	struct str spool;
	size_t spool_at;
	pid_t recorder;
	char *tmp;			/* what it writes */
};

/* ---- output ---- */

static void write_out(struct trace *t)
{
	if (t->out.len && !t->failed_write && io_write(t->out_fd, t->out.buf, t->out.len)) {
		t->failed_write = true;
		t->done = true;
	}
	str_reset(&t->out);
}

static void on_line(void *ctx, const struct sys_line *line)
{
	struct trace *t = ctx;

	if (t->done || t->off)
		return;
	t->n_lines++;
	view_sys_line(&t->view, line, &t->out);
	if (t->out.len >= WRITE_BYTES)
		write_out(t);
	if (line->kind != SYS_LINE_BEGIN && t->o->max_events && ++t->n_events >= t->o->max_events)
		t->done = true;
}

static int on_record(void *ctx, const void *record, size_t bytes)
{
	struct trace *t = ctx;
	u64 n = bytes;

	if (t->spooling) {
		str_addn(&t->spool, &n, sizeof(n));
		str_addn(&t->spool, record, ALIGN_UP(bytes, 8));	/* the ring's records are so aligned */
		return 0;
	}
	sys_lines_record(&t->lines, record, bytes);
	return t->done;
}

/* The time at which a record was made. */
static u64 record_time(const struct sysrec *r)
{
	if (r->type == SYSREC_NAME)
		return 0;
	return r->type == SYSREC_CALL || r->flags & SYSREC_F_CUT ? r->exit_ns : r->enter_ns;
}

/* The captured calls up to a time, which an event has. */
static void feed_until(void *ctx, u64 time_ns)
{
	struct trace *t = ctx;

	while (t->spool_at + sizeof(u64) < t->spool.len && !t->done) {
		const char *p = t->spool.buf + t->spool_at;
		u64 n;

		memcpy(&n, p, sizeof(n));
		if (record_time((const struct sysrec *)(p + sizeof(n))) > time_ns)
			break;
		sys_lines_record(&t->lines, p + sizeof(n), n);
		t->spool_at += sizeof(n) + ALIGN_UP(n, 8);
	}
}

static void no_line(void *ctx, const struct sys_line *line)
{
	(void)ctx;
	(void)line;
}

static u64 file_bytes(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : (u64)st.st_size;
}

static const char *fd_name(void *ctx, u64 key, u32 tgid, int fd)
{
	struct trace *t = ctx;

	(void)tgid;
	(void)fd;
	return key ? sys_lines_file(&t->lines, key) : NULL;
}

static const char *pid_comm(void *ctx, int pid)
{
	struct trace *t = ctx;

	return sys_lines_comm(&t->lines, pid);
}

/* Where records are missing, lines of their threads say it; this is the sum. */
static void warn_lost(const struct trace *t)
{
	u64 lost = syscapture_lost(t->capture);

	if (lost)
		cli_warn("%llu records were lost: perf could not keep up. A larger buffer (-m 128M), fewer calls (-e) or the summary "
			 "alone (-s) help", (unsigned long long)lost);
}

/* ---- what to watch ---- */

static void make_plans(struct trace *t)
{
	t->plans = xcalloc(2 * SYSPLAN_NRS, sizeof(*t->plans));
	for (unsigned i = 0; i < 2 * SYSPLAN_NRS; i++) {
		bool compat = i >= SYSPLAN_NRS;

		if (t->with_syscalls && (!t->select.any || t->select.wanted[i]))
			t->plans[i].flags = SYSPLAN_WANTED;
		syscall_plan(&t->set->e[i], compat, t->o->max_string, !t->o->no_fds, &t->plans[i]);
	}
}

static int find_user(const char *text, uid_t *uid, struct err *err)
{
	struct passwd *pw = getpwnam(text);
	u64 n;

	if (pw)
		*uid = pw->pw_uid;
	else if (parse_u64(text, &n) && n < UINT32_MAX)
		*uid = n;
	else
		return err_set(err, EINVAL, "unknown user '%s'", text);
	return 0;
}

/* Terminals and ssh that show our output would be traced showing it. */
static void exclude_terminal(struct trace *t, int_vec *out)
{
	static const char *const names[] = { "sshd", "sshd-session", "gnome-terminal-", "konsole", "xterm", "tmux: server", "screen" };
	struct procfs_status st;
	pid_t pid = getppid();

	for (int i = 0; i < 16 && pid > 1 && !procfs_status(&t->os, pid, &st, NULL); i++, pid = st.ppid)
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			if (!strcmp(st.comm, names[k]))
				vec_push(out, pid);
}

static int open_cgroup(const char *name, struct err *err)
{
	static const char *const roots[] = { "/sys/fs/cgroup/", "/sys/fs/cgroup/unified/", "" };
	struct str s = STR_INIT;
	int fd = -1;

	for (size_t i = 0; i < ARRAY_SIZE(roots) && fd < 0; i++) {
		str_reset(&s);
		str_addf(&s, "%s%s", roots[i], name);
		fd = open(str_cstr(&s), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	str_release(&s);
	if (fd < 0) {
		err_set(err, ENOENT, "no access to cgroup '%s'", name);
		err_hint(err, "the path is looked for below /sys/fs/cgroup");
		return -ENOENT;
	}
	return fd;
}

/* Then a command only says how long. */
static bool has_target(const struct trace_opts *o)
{
	return o->target.pid || o->target.tid || o->target.system_wide || o->target.cpu_list || o->target.user || o->cgroup;
}

static bool wants_sums(const struct trace_opts *o)
{
	return o->summary_only || o->with_summary;
}

static int start_capture(struct trace *t, struct err *err)
{
	struct trace_opts *o = t->o;
	int_vec tgids = { NULL, 0, 0 }, tids = { NULL, 0, 0 }, excluded = { NULL, 0, 0 }, cpus = { NULL, 0, 0 };
	struct syscapture_opts so = {
		.plans = t->plans, .tgids = &tgids, .tids = &tids, .excluded = &excluded, .held = o->target.pid ||
				o->target.tid ? 0 : t->work.pid, .cgroup_fd = -1,
		.no_inherit = o->no_inherit, .records = !o->summary_only, .sums = wants_sums(o), .errno_sums = o->errno_summary,
		.cgroup_sums = o->summary_mode == VIEW_SYS_CGROUP, .entered = true, .min_ns = o->duration_ns,
		.only_failed = o->failure, .paused = o->delay_ms > 0, .ring_bytes = o->mmap_bytes,
	};
	int ret = 0;

	if (o->target.pid)
		ret = parse_int_list(o->target.pid, &tgids, err);
	if (!ret && o->target.tid)
		ret = parse_int_list(o->target.tid, &tids, err);
	if (!ret && o->target.cpu_list) {
		ret = parse_int_list(o->target.cpu_list, &cpus, err);
		so.cpus = &cpus;
	}
	if (!ret && o->target.user) {
		ret = find_user(o->target.user, &so.uid, err);
		so.by_uid = true;
	}
	if (!ret && o->cgroup) {
		so.cgroup_fd = open_cgroup(o->cgroup, err);
		ret = so.cgroup_fd < 0 ? so.cgroup_fd : 0;
	}
	if (!ret && o->filter_pids)
		ret = parse_int_list(o->filter_pids, &excluded, err);
	so.all = o->target.system_wide || o->target.user || o->cgroup || o->target.cpu_list ||
		 (!so.held && !tgids.n && !tids.n);
	if (so.all) {
		exclude_terminal(t, &excluded);
		so.held = 0;	/* it is one of all */
	}
	if (!so.ring_bytes && so.all)
		so.ring_bytes = 64 << 20;
	if (!ret)
		ret = syscapture_open(&t->capture, &so, &t->os, err);
	if (so.cgroup_fd >= 0)
		close(so.cgroup_fd);
	vec_free(&tgids);
	vec_free(&tids);
	vec_free(&excluded);
	vec_free(&cpus);
	return ret;
}

/* ---- running ---- */

static bool targets_gone(struct trace *t)
{
	int_vec ids = { NULL, 0, 0 };
	bool alive = false;
	const char *list = t->o->target.pid ? t->o->target.pid : t->o->target.tid;

	if (!list || t->work.pid)
		return false;
	if (parse_int_list(list, &ids, NULL))
		return false;
	for vec_each(id, &ids)
		alive |= procfs_alive(&t->os, *id);
	vec_free(&ids);
	return !alive;
}

static void drain(struct trace *t)
{
	syscapture_drain(t->capture, on_record, t);
	write_out(t);
}

static void run(struct trace *t)
{
	struct pollfd pfds[3] = { { .fd = syscapture_fd(t->capture), .events = POLLIN }, { .fd = -1, .events = POLLIN },
				  { .fd = t->signal_fd, .events = POLLIN } };
	u64 began = os_now_ns();
	bool paused = t->o->delay_ms > 0;

	if (t->work.pid)	/* its end shall not wait for the next tick */
		pfds[1].fd = syscall(SYS_pidfd_open, t->work.pid, 0);
	while (!t->done && !(pfds[2].revents & POLLIN)) {
		poll(pfds, 3, TICK_MS);
		if (paused && os_now_ns() - began >= t->o->delay_ms * 1000000) {
			syscapture_pause(t->capture, false);
			paused = false;
		}
		if ((t->work.pid && workload_poll(&t->work) == 1) || targets_gone(t))
			break;
		drain(t);
	}
	if (pfds[1].fd >= 0)
		close(pfds[1].fd);
	syscapture_stop(t->capture);
	if (!t->done)
		drain(t);
	sys_lines_flush(&t->lines);
	write_out(t);
}

/* The workload was forked before: it keeps the signals as they were. */
static void catch_signals(struct trace *t)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	t->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	signal(SIGPIPE, SIG_IGN);
}

/* The reader must run before the ring is full, whatever else runs in whichever group of the scheduler: it needs little, and
 * sleeps most of the time. Without privilege things stay as they are. */
static void be_quick(void)
{
	const struct sched_param p = { .sched_priority = 1 };

	setpriority(PRIO_PROCESS, 0, -20);
	sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &p);
}

static void be_normal(int nice_before)
{
	const struct sched_param p = { .sched_priority = 0 };

	sched_setscheduler(0, SCHED_OTHER, &p);
	setpriority(PRIO_PROCESS, 0, nice_before);
}

/* ---- summary ---- */

static u64 group_of(struct trace *t, u32 tid, u64 cgroup)
{
	return t->o->summary_mode == VIEW_SYS_THREAD ? tid : t->o->summary_mode == VIEW_SYS_CGROUP ? cgroup : 0;
}

static void take_sum(void *ctx, const struct syssum_key *k, const struct syssum *s)
{
	struct trace *t = ctx;

	if (s->count)
		sys_summary_add_sum(&t->sum, group_of(t, k->tid, k->cgroup), k->nr, k->compat, s);
}

static void take_errno(void *ctx, const struct syssum_errno_key *k, u64 n)
{
	struct trace *t = ctx;

	sys_summary_add_errno(&t->sum, group_of(t, k->tid, k->cgroup), k->nr, k->compat, k->code, n);
}

/* The path of a cgroup below its mount; its id is the handle of its directory. */
static char *cgroup_label(u64 id)
{
	union {
		struct file_handle h;
		char room[sizeof(struct file_handle) + sizeof(id)];
	} u = { .h = { .handle_bytes = sizeof(id), .handle_type = 0xfe /* of kernfs */ } };
	int mount = open("/sys/fs/cgroup", O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -1;
	char link[64], path[4096];
	ssize_t n = -1;

	memcpy(u.h.f_handle, &id, sizeof(id));
	if (mount >= 0)
		fd = open_by_handle_at(mount, &u.h, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = readlink(link, path, sizeof(path) - 1);
		close(fd);
	}
	if (mount >= 0)
		close(mount);
	if (n < 0)
		return xasprintf("cgroup %llu", (unsigned long long)id);
	path[n] = '\0';
	return xstrdup(str_has_prefix(path, "/sys/fs/cgroup/") ? path + 14 : !strcmp(path, "/sys/fs/cgroup") ? "/" : path);
}

static void label_groups(struct trace *t)
{
	for vec_each(g, &t->sum.groups) {
		struct syssum_task task;

		if (t->o->summary_mode == VIEW_SYS_CGROUP)
			g->label = cgroup_label(g->id);
		else if (syscapture_task(t->capture, g->id, &task))
			g->label = xstrndup(task.comm, strnlen(task.comm, sizeof(task.comm)));
	}
}

static void show_summary(struct trace *t)
{
	const struct view_sys_sum v = { .group = t->o->summary_mode, .errnos = t->o->errno_summary,
					.max_rows = t->o->max_summary > 0 ? t->o->max_summary : 0 };

	syscapture_sums(t->capture, take_sum, t);
	syscapture_errnos(t->capture, take_errno, t);
	label_groups(t);
	sys_summary_sort(&t->sum);
	view_sys_summary(&v, &t->sum, t->set, &t->out);
	if (syscapture_sums_lost(t->capture))
		str_addf(&t->out, " %llu calls are missing: too many threads for the tables\n",
			 (unsigned long long)syscapture_sums_lost(t->capture));
	write_out(t);
}

/* ---- recordings ---- */

static void add_frames(struct trace *t, const struct sink_item *it, bool kernel)
{
	for (u32 i = 0; it->res && i < it->res->n_frames; i++) {
		const struct location *f = &it->res->frames[i];

		if ((f->cpumode == PERF_RECORD_MISC_KERNEL && !kernel) || (!f->va && !f->dso))
			continue;
		str_addchn(&t->out, ' ', 38);
		if (f->sym)
			str_add_safe(&t->out, f->sym->name);
		else
			str_addf(&t->out, "[%#llx]", (unsigned long long)f->rva);
		str_add(&t->out, " (");
		str_add_safe(&t->out, f->dso ? f->dso->path : "[unknown]");
		str_add(&t->out, ")\n");
	}
}

static void after_call(void *ctx, const struct sink_item *it)
{
	struct trace *t = ctx;

	if (!t->done)
		add_frames(t, it, t->o->kernel_graph);
}

/* --switch-on and --switch-off: whether the event is shown. */
static bool switched(struct trace *t, const struct event *e)
{
	const struct trace_opts *o = t->o;
	bool on_mark = o->switch_on && !strcmp(e->name, o->switch_on), off_mark = o->switch_off && !strcmp(e->name, o->switch_off);

	if (t->off && on_mark) {
		t->off = false;
		return o->show_switch;
	}
	if (!t->off && off_mark) {
		t->off = true;
		return o->show_switch;
	}
	return !t->off;
}

static void on_event(void *ctx, const struct sink_item *it)
{
	struct trace *t = ctx;
	const struct sample *s = it->sample;
	const struct event *e = s->event;
	const char *comm = it->res && it->res->comm ? it->res->comm->name : NULL;
	bool fault = e->attr.type == PERF_TYPE_SOFTWARE && (e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ ||
							    e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN);

	if (t->done || e->dummy || !switched(t, e) || (it->res && (int)it->res->n_frames < t->o->min_stack))
		return;
	sys_lines_flush(&t->lines);
	if (comm)
		sys_lines_note(&t->lines, s->tid, comm);
	view_sys_head(&t->view, s->time_ns, t->with_syscalls || fault, comm, s->tid, s->cpu, &t->out);
	if (fault) {
		sys_event_fault(it, e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ, &t->out);
	} else {
		str_add_safe(&t->out, e->name);
		str_addch(&t->out, '(');
		if (e->format && t->o->tp_print)
			tp_print(e->format, s->raw, false, s->cpu, s->time_ns, &t->out);
		else if (e->format)
			sys_event_fields(e->format, s->raw, false, &t->view.style, &t->out);
		str_addch(&t->out, ')');
	}
	str_addch(&t->out, '\n');
	add_frames(t, it, true);
	if (t->o->max_events && ++t->n_events >= t->o->max_events)
		t->done = true;
	if (t->out.len >= WRITE_BYTES)
		write_out(t);
}

static void sum_call(void *ctx, const struct sysrec *r)
{
	struct trace *t = ctx;
	u64 id = t->o->summary_mode == VIEW_SYS_THREAD ? r->tid : 0;
	struct sys_sum_group *g = sys_summary_group(&t->sum, id);

	free(g->label);
	g->label = xstrndup(r->comm, strnlen(r->comm, sizeof(r->comm)));
	sys_summary_add(&t->sum, id, r->nr, r->flags & SYSREC_F_COMPAT, r->enter_ns ? r->exit_ns - r->enter_ns : 0, r->ret);
}

static int replay_stream(struct trace *t, struct data_reader *reader, struct err *err)
{
	struct stream_opts so = { .threads = 1, .max_frames = t->o->max_stack };
	const struct sys_sink_opts ko = {
		.lines = &t->lines, .wanted = t->select.any ? t->select.wanted : NULL, .min_ns = t->o->duration_ns,
		.only_failed = t->o->failure, .swap = reader->swap, .on_call = wants_sums(t->o) ? sum_call : NULL,
		.after_call = t->o->call_graph ? after_call : NULL, .on_event = on_event, .before = t->spool.len ? feed_until : NULL,
		.ctx = t,
		.wants = (t->o->faults || t->o->input ? SINK_SYMBOLS | SINK_ADDR : 0) |
			 (t->o->call_graph ? SINK_CHAIN | SINK_SYMBOLS : 0),
	};
	struct stream *stream = stream_new(reader, &t->os, &so, err);
	struct sink *sink;
	struct str warnings = STR_INIT;
	int ret;

	if (!stream)
		return -1;
	sink = sys_sink_new(&ko);
	ret = stream_run(stream, &sink, 1, err);
	if (!ret) {
		feed_until(t, UINT64_MAX);
		sys_lines_flush(&t->lines);
		stream_warnings(stream, &warnings);
		str_add(&t->out, str_cstr(&warnings));
	}
	str_release(&warnings);
	sys_sink_free(sink);
	stream_free(stream);
	return ret;
}

static void show_sums(struct trace *t)
{
	const struct view_sys_sum v = { .group = t->o->summary_mode, .errnos = t->o->errno_summary,
					.max_rows = t->o->max_summary > 0 ? t->o->max_summary : 0 };

	sys_summary_sort(&t->sum);
	view_sys_summary(&v, &t->sum, t->set, &t->out);
}

static int replay(struct trace *t, const char *path, struct err *err)
{
	struct data_reader reader = { 0 };
	int ret = data_open(&reader, path, t->o->force ? DATA_FORCE : 0, err);

	if (ret)
		return ret;
	t->lines.fn = t->o->summary_only ? no_line : on_line;
	ret = replay_stream(t, &reader, err);
	data_close(&reader);
	return ret;
}

/* "perf record" of the events, with the arguments that follow from ours. argv NULL: no command, but this process. */
static void recorder_args(struct trace *t, opt_list *args, const char *const *argv, const char *pid, const char *control)
{
	const struct trace_opts *o = t->o;
	static const char *const faults[] = { "", "major-faults,minor-faults", "major-faults", "minor-faults" };
	static const char *const fixed[] = { "record", "-q", "-c", "1", "-k", "CLOCK_MONOTONIC", "-R" };

	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		vec_push(args, fixed[i]);
	vec_push(args, "-o");
	vec_push(args, t->tmp);
	if (t->with_syscalls && !control) {
		vec_push(args, "-e");
		vec_push(args, "raw_syscalls:sys_enter,raw_syscalls:sys_exit");
	}
	if (t->select.events.len) {
		vec_push(args, "-e");
		vec_push(args, str_cstr(&t->select.events));
		if (o->event_filter) {
			vec_push(args, "--filter");
			vec_push(args, o->event_filter);
		}
	}
	if (o->faults) {
		vec_push(args, "-d");
		vec_push(args, "-e");
		vec_push(args, faults[o->faults]);
	}
	if (o->call_graph) {
		vec_push(args, "--call-graph");
		vec_push(args, o->call_graph);
	}
	const struct { const char *flag, *value; } more[] = {
		{ "-p", pid ? pid : o->target.pid }, { "-t",
			o->target.tid }, { "-C", o->target.cpu_list },
							      { "-u", o->target.user }, { "-G", o->cgroup },
									{ "--proc-map-timeout", o->map_timeout },
											{ "--control", control } };

	for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
		if (!more[i].value)
			continue;
		vec_push(args, more[i].flag);
		vec_push(args, more[i].value);
	}
	if (o->no_inherit)
		vec_push(args, "--no-inherit");
	if (o->target.system_wide || o->cgroup || (!pid && !*argv && !has_target(o)))
		vec_push(args, "-a");
	if (control) {
		vec_push(args, "-D");
		vec_push(args, "-1");
	}
	if (argv && *argv)
		vec_push(args, "--");
	for (; argv && *argv; argv++)
		vec_push(args, *argv);
	vec_push(args, NULL);
}

static int make_tmp(struct trace *t, struct err *err)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	t->tmp = xasprintf("%s/perf-trace-XXXXXX", dir ? dir : "/tmp");
	fd = mkstemp(t->tmp);
	if (fd < 0)
		return err_sys(err, errno, "cannot make '%s'", t->tmp);
	close(fd);
	return 0;
}

/* Can calls be recorded at all? Better said here than by the recorder. */
static int check_tracepoints(struct trace *t, struct err *err)
{
	struct event_list list;
	struct pmu_db *db;
	int ret;

	if (!t->with_syscalls)
		return 0;
	event_list_init(&list);
	db = pmu_db_new(&t->os);
	ret = event_parse(&list, "raw_syscalls:sys_enter", &t->os, db, err);
	event_list_release(&list);
	pmu_db_free(db);
	if (ret && !t->o->no_bpf && !t->o->call_graph)
		err_prefix(err, "system calls can be watched neither by BPF (see -v) nor by tracepoints");
	return ret;
}

/* Without the capture, or for events alone: all is recorded, then shown. */
static int trace_recorded(struct trace *t, const char *const *argv, int *status, struct err *err)
{
	opt_list args = { NULL, 0, 0 };
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	int ret = check_tracepoints(t, err), st = 0;
	pid_t pid;

	if (!ret)
		ret = make_tmp(t, err);
	if (ret)
		return ret;
	recorder_args(t, &args, argv, NULL, NULL);
	fflush(NULL);
	sigaction(SIGINT, &ignore, &before);
	pid = fork();
	if (!pid) {
		sigaction(SIGINT, &before, NULL);
		exit(cmd_record((int)args.n - 1, args.v));
	}
	while (waitpid(pid, &st, 0) < 0 && errno == EINTR)
		;
	*status = WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
	vec_free(&args);
	if (*status >= 128 || access(t->tmp, R_OK) || !file_bytes(t->tmp))
		return 0;	/* the recorder has said why */
	ret = replay(t, t->tmp, err);
	if (!ret && wants_sums(t->o))
		show_sums(t);
	write_out(t);
	return ret;
}

/* Beside the capture: records the events of the held workload or of the targets; returns when they are enabled. */
static int start_recorder(struct trace *t, struct err *err)
{
	static const char *const none[] = { NULL };
	opt_list args = { NULL, 0, 0 };
	int ctl[2] = { -1, -1 }, ack[2] = { -1, -1 }, ret = make_tmp(t, err);
	char pid[16], control[40], answer[8];
	const struct trace_opts *o = t->o;

	if (ret)
		return ret;
	if (pipe(ctl) || pipe(ack))
		return err_sys(err, errno, "cannot make a pipe");
	snprintf(pid, sizeof(pid), "%d", t->work.pid);
	snprintf(control, sizeof(control), "fd:%d,%d", ctl[0], ack[1]);
	recorder_args(t, &args, none, t->work.pid && !has_target(o) ? pid : NULL, control);
	fflush(NULL);
	t->recorder = fork();
	if (!t->recorder) {
		close(ctl[1]);
		close(ack[0]);
		setpgid(0, 0);
		exit(cmd_record((int)args.n - 1, args.v));
	}
	close(ctl[0]);
	close(ack[1]);
	syscapture_exclude(t->capture, t->recorder);
	if (t->recorder < 0 || write(ctl[1], "enable\n", 7) != 7 || read(ack[0], answer, sizeof(answer)) <= 0)
		ret = err_set(err, EIO, "the events could not be recorded");
	close(ack[0]);
	vec_free(&args);	/* ctl[1] stays open as long as we live: its end would end the control */
	return ret;
}

static void stop_recorder(struct trace *t)
{
	int st;

	if (t->recorder <= 0)
		return;
	kill(t->recorder, SIGINT);
	while (waitpid(t->recorder, &st, 0) < 0 && errno == EINTR)
		;
	t->recorder = 0;
}

/* ---- the command ---- */

/* A word that is no call must be an event. */
static int check_events(struct trace *t, struct err *err)
{
	const char *words = str_cstr(&t->select.events), *near;
	struct event_list list;
	struct pmu_db *db;
	int ret;

	if (!*words)
		return 0;
	event_list_init(&list);
	db = pmu_db_new(&t->os);
	ret = event_parse(&list, words, &t->os, db, err);
	event_list_release(&list);
	pmu_db_free(db);
	near = sys_select_nearest(t->set, words);
	if (ret && !strchr(words, ':') && !strchr(words, ',')) {
		err_set(err, EINVAL, "'%s' is neither a system call nor an event", words);
		if (near)
			err_hint(err, "did you mean '%s'? See 'perf list' for events", near);
		else
			err_hint(err, "see 'perf list' for events");
	}
	return ret;
}

static bool has_events(const struct trace *t)
{
	return t->select.events.len || t->o->faults;
}

static int prepare(struct trace *t, struct err *err)
{
	struct trace_opts *o = t->o;
	int ret = 0;

	t->set = xnew(struct syscall_set);
	syscall_set_init(t->set, arch_host());
	sys_select_init(&t->select);
	if (o->target.pid || o->target.tid) {	/* do they exist? */
		struct target copy = o->target;

		ret = target_resolve(&copy, &t->os, err);
		target_release(&copy);
	}
	for (size_t i = 0; i < o->events.n && !ret; i++)
		ret = sys_select_add(&t->select, o->events.v[i], t->set, err);
	if (!ret)
		ret = check_events(t, err);
	if (ret)
		return ret;
	t->with_syscalls = o->syscalls >= 0 ? o->syscalls : t->select.any || !t->select.events.len;
	t->view = (struct view_sys){
		.form = o->json ? VIEW_SYS_JSON : o->style == STYLE_STRACE ? VIEW_SYS_STRACE : VIEW_SYS_STOCK,
		.full_time = o->full_time, .no_comm = !o->comm, .show_cpu = o->show_cpu, .align = o->align,
		.no_time = !o->show_time, .no_duration = !o->show_duration,
		.style = { .strace = o->style == STYLE_STRACE, .hide_zeros = !o->show_zeros,
				.max_string = o->max_string, .fd_name = o->no_fds ? NULL : fd_name,
			   .comm = pid_comm, .ctx = t },
	};
	t->off = o->switch_on != NULL;
	sys_lines_init(&t->lines, t->set, on_line, t);
	make_plans(t);
	return 0;
}

static int open_output(struct trace *t, struct err *err)
{
	t->out_fd = STDERR_FILENO;
	if (!t->o->output)
		return 0;
	t->out_fd = open(t->o->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (t->out_fd < 0)
		return err_sys(err, errno, "cannot write '%s'", t->o->output);
	return 0;
}

static void release(struct trace *t)
{
	stop_recorder(t);
	if (t->tmp)
		unlink(t->tmp);
	free(t->tmp);
	str_release(&t->spool);
	syscapture_close(t->capture);
	workload_release(&t->work, true);
	sys_lines_release(&t->lines);
	sys_summary_release(&t->sum);
	sys_select_release(&t->select);
	str_release(&t->out);
	free(t->set);
	free(t->plans);
	os_release(&t->os);
	if (t->out_fd > STDERR_FILENO)
		close(t->out_fd);
	if (t->signal_fd >= 0)
		close(t->signal_fd);
}

static void trace_init(struct trace *t, struct trace_opts *o)
{
	*t = (struct trace){ .o = o, .out_fd = STDERR_FILENO, .signal_fd = -1 };
	os_init(&t->os);
}

/* Calls by the capture, and events, if any, by a recorder beside it. */
static int trace_captured(struct trace *t, int *status, struct err *err)
{
	int ret = 0, nice_before = getpriority(PRIO_PROCESS, 0);

	if (has_events(t)) {
		t->spooling = true;
		ret = start_recorder(t, err);
	}
	if (ret)
		return ret;
	catch_signals(t);
	be_quick();
	if (t->work.pid)
		ret = workload_start(&t->work, err);
	if (ret)
		return ret;
	run(t);
	be_normal(nice_before);
	warn_lost(t);
	stop_recorder(t);
	if (t->spooling)
		ret = replay(t, t->tmp, err);
	write_out(t);
	if (!ret && wants_sums(t->o))
		show_summary(t);
	if (t->work.pid && t->work.reaped)
		*status = workload_exit_code(&t->work);
	return ret;
}

static int trace_live(struct trace_opts *o, const char **argv)
{
	struct trace t;
	struct err err = ERR_INIT, why = ERR_INIT;
	int ret, status = 0;
	bool captured = false;

	trace_init(&t, o);
	ret = prepare(&t, &err);
	if (!ret)
		ret = open_output(&t, &err);
	if (ret)
		goto out;
	t.view.color = cli_color_on(CLI_COLOR_AUTO, t.out_fd);
	if (t.with_syscalls && !o->no_bpf && !o->call_graph) {
		if (*argv)
			ret = workload_prepare(&t.work, argv, false, &err);
		if (!ret)
			captured = !start_capture(&t, &why);
		if (!captured && why.code == EINVAL && !t.capture)
			ret = err_set(&err, why.code, "%s", why.msg);	/* the request itself is wrong */
		if (!ret && !captured && o->common.verbose) {
			cli_warn_err(&why);
			cli_warn("calls are recorded instead: without strings, and shown at the end");
		}
	}
	if (!ret && captured) {
		ret = trace_captured(&t, &status, &err);
	} else if (!ret) {
		workload_release(&t.work, true);
		ret = trace_recorded(&t, argv, &status, &err);
	}
	if (o->tool_stats) {
		str_addf(&t.out, "\n Stats:\n  lines of calls: %llu\n  lost records:   %llu\n", (unsigned long long)t.n_lines,
			 (unsigned long long)(t.capture ? syscapture_lost(t.capture) : 0));
		write_out(&t);
	}
out:
	if (ret)
		status = cli_error(&err);
	err_release(&err);
	err_release(&why);
	release(&t);
	return status;
}

static int trace_file(struct trace_opts *o)
{
	struct trace t;
	struct err err = ERR_INIT;
	int ret, status = 0;

	trace_init(&t, o);
	ret = prepare(&t, &err);
	if (!ret)
		ret = open_output(&t, &err);
	if (!ret) {
		t.view.color = cli_color_on(CLI_COLOR_AUTO, t.out_fd);
		t.with_syscalls = true;
		o->call_graph = o->call_graph ? o->call_graph : "";
		ret = replay(&t, o->input, &err);
	}
	if (!ret && wants_sums(o))
		show_sums(&t);
	write_out(&t);
	if (ret)
		status = cli_error(&err);
	err_release(&err);
	release(&t);
	return status;
}

/* "trace record": perf record of all calls. */
static int trace_record(int argc, const char **argv)
{
	static const char *const fixed[] = { "record", "-R", "-c", "1", "-e", "raw_syscalls:sys_enter,raw_syscalls:sys_exit" };
	opt_list args = { NULL, 0, 0 };
	int status;

	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		vec_push(&args, fixed[i]);
	for (int i = 1; i < argc; i++)
		vec_push(&args, argv[i]);
	vec_push(&args, NULL);
	status = cmd_record((int)args.n - 1, args.v);
	vec_free(&args);
	return status;
}

static int set_faults(const struct opt_use *u, struct err *err)
{
	static const char *const names[] = { "all", "maj", "min" };
	struct trace_opts *o = u->base;

	o->faults = FAULTS_NONE;
	for (int i = 0; u->arg && i < 3; i++)
		if (!strcmp(u->arg, names[i]))
			o->faults = FAULTS_ALL + i;
	return o->faults || u->unset ? 0 : err_set(err, EINVAL, "page faults are all, maj or min, not '%s'", u->arg);
}

static const struct option_def trace_options[] = {
	OPT_LIST('e', "event", struct trace_opts, events, "event",
			"system calls, classes of them (file, net, process, signal, ipc, memory, "
		 "desc), globs, /regex, !not, and events"),
	OPT_LIST(0, "expr", struct trace_opts, events, "expr", "the same as -e"),
	OPT_FLAG(0, "comm", struct trace_opts, comm, "show the thread COMM next to its id"),
	OPT_STRING('o', "output", struct trace_opts, output, "file", "output file name"),
	OPT_STRING('G', "cgroup", struct trace_opts, cgroup, "name", "only tasks in this cgroup"),
	OPT_U64('D', "delay", struct trace_opts, delay_ms, "n", "ms to wait before starting measurement after program start"),
	OPT_DURATION(0, "duration", struct trace_opts, duration_ns, 1000000, "float", "show only calls with duration > N.M ms"),
	OPT_FLAG(0, "failure", struct trace_opts, failure, "show only calls that failed"),
	OPT_STRING(0, "filter-pids", struct trace_opts, filter_pids, "pids", "leave out these processes and threads (with -a)"),
	OPT_FLAG(0, "no-inherit", struct trace_opts, no_inherit, "child tasks are not traced"),
	OPT_U64(0, "max-events", struct trace_opts, max_events, "n", "exit after n events"),
	OPT_INT(0, "max-string", struct trace_opts, max_string, "n", "bytes of a buffer that are shown (default 32)"),
	OPT_INT(0, "max-summary", struct trace_opts, max_summary, "n", "show at most n rows a summary"),
	OPT_SIZE('m', "mmap-pages", struct trace_opts, mmap_bytes, "size",
			"buffer between kernel and perf: a size (64M) or a number of pages"),
	OPT_FLAG('s', "summary", struct trace_opts, summary_only, "show only a summary with statistics"),
	OPT_FLAG(0, "summary-only", struct trace_opts, summary_only, "the same as -s"),
	OPT_FLAG(0, "bpf-summary", struct trace_opts, summary_only, "the same as -s, which is kept in the kernel anyway"),
	OPT_FLAG('S', "with-summary", struct trace_opts, with_summary, "show all calls and a summary"),
	OPT_FLAG(0, "errno-summary", struct trace_opts, errno_summary, "with -s or -S: count the errors of each call"),
	OPT_CHOICE(0, "summary-mode", struct trace_opts, summary_mode, "thread|total|cgroup", "how to show the summary"),
	OPT_FLAG(0, "show-cpu", struct trace_opts, show_cpu, "show the CPU"),
	OPT_CHOICE(0, "style", struct trace_opts, style, "perf|strace", "how lines look"),
	OPT_FLAG(0, "json", struct trace_opts, json, "one JSON object a line"),
	OPT_FLAG('T', "time", struct trace_opts, full_time, "show the full timestamp, not the time since the first event"),
	OPT_SET(0, "syscalls", struct trace_opts, syscalls, 1, "trace system calls (the default, unless only events are asked for)"),
	OPT_CALL('F', "pf", "all|maj|min", set_faults, "page faults"),
	OPT_STRING('i', "input", struct trace_opts, input, "file", "show what perf trace record wrote"),
	OPT_STRING(0, "call-graph", struct trace_opts, call_graph, "mode", "stacks: fp, dwarf[,bytes]"),
	OPT_STRING(0, "filter", struct trace_opts, event_filter, "filter", "of the tracepoints in -e"),
	OPT_INT(0, "max-stack", struct trace_opts, max_stack, "n", "show at most n entries of a stack"),
	OPT_INT(0, "min-stack", struct trace_opts, min_stack, "n", "leave out events whose stack is shorter"),
	OPT_STRING(0, "switch-on", struct trace_opts, switch_on, "event", "show nothing before this event"),
	OPT_STRING(0, "switch-off", struct trace_opts, switch_off, "event", "show nothing after this event"),
	OPT_FLAG(0, "show-on-off-events", struct trace_opts, show_switch, "show the events of --switch-on and --switch-off too"),
	OPT_FLAG(0, "libtraceevent_print", struct trace_opts, tp_print, "tracepoints as their format prints them"),
	OPT_FLAG(0, "kernel-syscall-graph", struct trace_opts, kernel_graph, "show the kernel's part of the stack at the end of calls"),
	OPT_FLAG(0, "tool_stats", struct trace_opts, tool_stats, "show at the end how many lines and lost records there were"),
	OPT_STRING(0, "proc-map-timeout", struct trace_opts, map_timeout, "n", "ms for reading the mappings of a process (of events)"),
	OPT_FLAG(0, "force-btf", struct trace_opts, force, "accepted: arguments are written by perf's own tables"),
	OPT_FLAG(0, "no-bpf", struct trace_opts, no_bpf, "do without BPF: no strings, lines come at the end"),
	OPT_FLAG(0, "sort-events", struct trace_opts, force, "accepted: events are always in order"),
	OPT_FLAG('f', "force", struct trace_opts, force, "accepted: nothing is refused"),
	OPT_END
};

static int load_config(struct trace_opts *o, struct err *err)
{
	struct config c = { .items = { NULL, 0, 0 } };
	int ret = config_load(&c, err);

	if (!ret)
		ret = config_get_int(&c, "trace.args_alignment", 0, &o->align, err);
	if (!ret)
		ret = config_get_bool(&c, "trace.show_zeros", true, &o->show_zeros, err);
	if (!ret)
		ret = config_get_bool(&c, "trace.show_timestamp", true, &o->show_time, err);
	if (!ret)
		ret = config_get_bool(&c, "trace.show_duration", true, &o->show_duration, err);
	if (!ret)
		ret = config_get_bool(&c, "trace.no_inherit", false, &o->no_inherit, err);
	config_release(&c);
	return ret;
}

int cmd_trace(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>] [<command>]", "[<options>] -- <command> [<options>]",
					     "record [<options>] [<command>]", NULL };
	struct trace_opts o = { .comm = true, .max_string = 32, .syscalls = -1 };
	const struct option_table tables[] = { { trace_options, &o }, cli_target_group(&o.target), cli_common_group(&o.common),
					       { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "trace", .usage = usage, .tables = tables, .flags = CLI_STOP_AT_NON_OPTION };
	struct err err = ERR_INIT;
	int n, status;

	if (argc > 1 && !strcmp(argv[1], "record"))
		return trace_record(argc - 1, argv + 1);
	if (load_config(&o, &err)) {
		status = cli_error(&err);
		err_release(&err);
		return status;
	}
	n = cli_parse(&cmd, argc, argv);
	if (n < 0)
		return cli_status(n);
	if (o.mmap_bytes && o.mmap_bytes < 65536)
		o.mmap_bytes *= 4096;	/* a number of pages */
	if (o.kernel_graph && !o.call_graph)
		o.call_graph = "fp";
	if (o.max_string < 0 || o.max_string > 2048)
		return cli_usage_error_opt(&cmd, "max-string", "--max-string is 0 to 2048");
	status = o.input ? trace_file(&o) : trace_live(&o, argv);
	vec_free(&o.events);
	return status;
}
