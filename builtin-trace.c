// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "builtin.h"
#include "arch/arch.h"
#include "util/analysis/sys-select.h"
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
#include "util/os/procfs.h"
#include "util/os/workload.h"
#include "util/view/sys.h"

#define TICK_MS 100
#define WRITE_BYTES (64 << 10)

enum { STYLE_PERF, STYLE_STRACE };
enum { CAPTURE_AUTO, CAPTURE_BPF };

struct trace_opts {
	struct target target;
	opt_list events;
	const char *output, *cgroup, *filter_pids;
	bool summary_only, with_summary, errno_summary, failure, full_time, comm, no_inherit, show_cpu, json, force, syscalls, no_fds;
	bool no_syscalls;
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
	int out_fd;
	u64 n_events, told_lost;
	bool done, failed_write;
};

static volatile sig_atomic_t *stop_flag(void)
{
	static volatile sig_atomic_t stop;

	return &stop;
}

static void on_signal(int sig)
{
	(void)sig;
	*stop_flag() = 1;
}

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

	if (t->done)
		return;
	view_sys_line(&t->view, line, &t->out);
	if (t->out.len >= WRITE_BYTES)
		write_out(t);
	if (line->kind != SYS_LINE_BEGIN && t->o->max_events && ++t->n_events >= t->o->max_events)
		t->done = true;
}

static int on_record(void *ctx, const void *record, size_t bytes)
{
	struct trace *t = ctx;

	sys_lines_record(&t->lines, record, bytes);
	return t->done;
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

static void tell_lost(struct trace *t)
{
	u64 lost = syscapture_lost(t->capture);

	if (lost == t->told_lost || t->o->summary_only)
		return;
	str_addf(&t->out, "LOST %llu events!\n", (unsigned long long)(lost - t->told_lost));
	t->told_lost = lost;
}

/* ---- what to watch ---- */

static void make_plans(struct trace *t)
{
	t->plans = xcalloc(2 * SYSPLAN_NRS, sizeof(*t->plans));
	for (unsigned i = 0; i < 2 * SYSPLAN_NRS; i++) {
		bool compat = i >= SYSPLAN_NRS;

		if (!t->o->no_syscalls && (!t->select.any || t->select.wanted[i]))
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

static bool wants_sums(const struct trace_opts *o)
{
	return o->summary_only || o->with_summary;
}

static int start_capture(struct trace *t, struct err *err)
{
	struct trace_opts *o = t->o;
	int_vec tgids = { NULL, 0, 0 }, tids = { NULL, 0, 0 }, excluded = { NULL, 0, 0 }, cpus = { NULL, 0, 0 };
	struct syscapture_opts so = {
		.plans = t->plans, .tgids = &tgids, .tids = &tids, .excluded = &excluded, .held = t->work.pid, .cgroup_fd = -1,
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
		 (!t->work.pid && !tgids.n && !tids.n);
	if (so.all) {
		exclude_terminal(t, &excluded);
		if (o->target.system_wide || !t->work.pid)
			so.held = 0;
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
	tell_lost(t);
	write_out(t);
}

static void run(struct trace *t)
{
	struct pollfd pfds[2] = { { .fd = syscapture_fd(t->capture), .events = POLLIN }, { .fd = -1, .events = POLLIN } };
	u64 began = os_now_ns();
	bool paused = t->o->delay_ms > 0;

	if (t->work.pid)	/* its end shall not wait for the next tick */
		pfds[1].fd = syscall(SYS_pidfd_open, t->work.pid, 0);
	while (!t->done && !*stop_flag()) {
		poll(pfds, 2, TICK_MS);
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

static void be_quick(void)
{
	setpriority(PRIO_PROCESS, 0, -20);	/* the reader must keep up with what it watches; without privilege it stays */
}

static void restore_nice(int nice_before)
{
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

static void label_groups(struct trace *t)
{
	for vec_each(g, &t->sum.groups) {
		struct syssum_task task;

		if (t->o->summary_mode == VIEW_SYS_CGROUP)
			g->label = xasprintf("cgroup %llu", (unsigned long long)g->id);
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

/* ---- the command ---- */

static int check_events(struct trace *t, struct err *err)
{
	const char *words = str_cstr(&t->select.events), *near;

	if (!*words)
		return 0;
	near = sys_select_nearest(t->set, words);
	err_set(err, EINVAL, "'%s' is neither a system call nor an event", words);
	if (near)
		err_hint(err, "did you mean '%s'? See 'perf list' for events", near);
	else
		err_hint(err, "see 'perf list' for events");
	return -EINVAL;
}

static int prepare(struct trace *t, struct err *err)
{
	struct trace_opts *o = t->o;
	int ret = 0;

	t->set = xnew(struct syscall_set);
	syscall_set_init(t->set, arch_host());
	sys_select_init(&t->select);
	for (size_t i = 0; i < o->events.n && !ret; i++)
		ret = sys_select_add(&t->select, o->events.v[i], t->set, err);
	if (!ret)
		ret = check_events(t, err);
	if (ret)
		return ret;
	t->view = (struct view_sys){
		.form = o->json ? VIEW_SYS_JSON : o->style == STYLE_STRACE ? VIEW_SYS_STRACE : VIEW_SYS_STOCK,
		.full_time = o->full_time, .no_comm = !o->comm, .show_cpu = o->show_cpu, .align = o->align,
		.style = { .strace = o->style == STYLE_STRACE, .max_string = o->max_string, .fd_name = o->no_fds ? NULL : fd_name,
			   .comm = pid_comm, .ctx = t },
	};
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
}

static int trace_live(struct trace_opts *o, const char **argv)
{
	struct trace t = { .o = o, .out_fd = STDERR_FILENO };
	struct err err = ERR_INIT;
	int ret, status = 0, nice_before = getpriority(PRIO_PROCESS, 0);

	os_init(&t.os);
	ret = prepare(&t, &err);
	if (!ret)
		ret = open_output(&t, &err);
	if (!ret && *argv)
		ret = workload_prepare(&t.work, argv, false, &err);
	if (!ret)
		ret = start_capture(&t, &err);
	if (ret)
		goto out;
	t.view.color = cli_color_on(CLI_COLOR_AUTO, t.out_fd);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	signal(SIGPIPE, SIG_IGN);
	be_quick();
	if (t.work.pid)
		ret = workload_start(&t.work, &err);
	if (ret)
		goto out;
	run(&t);
	restore_nice(nice_before);
	if (wants_sums(o))
		show_summary(&t);
	if (t.work.pid && t.work.reaped)
		status = workload_exit_code(&t.work);
out:
	if (ret)
		status = cli_error(&err);
	err_release(&err);
	release(&t);
	return status;
}

static const struct option_def trace_options[] = {
	OPT_LIST('e', "event", struct trace_opts, events, "event", "system calls, classes of them (file, net, process, signal, ipc, memory, "
		 "desc), globs, /regex, !not, and events"),
	OPT_LIST(0, "expr", struct trace_opts, events, "expr", "the same as -e"),
	OPT_FLAG(0, "comm", struct trace_opts, comm, "show the thread COMM next to its id"),
	OPT_STRING('o', "output", struct trace_opts, output, "file", "output file name"),
	OPT_STRING('G', "cgroup", struct trace_opts, cgroup, "name", "only tasks in this cgroup"),
	OPT_U64('D', "delay", struct trace_opts, delay_ms, "n", "ms to wait before starting measurement after program start"),
	OPT_DURATION(0, "duration", struct trace_opts, duration_ns, 1000000, "float", "show only calls with duration > N.M ms"),
	OPT_FLAG(0, "failure", struct trace_opts, failure, "show only calls that failed"),
	OPT_STRING(0, "filter-pids", struct trace_opts, filter_pids, "pids", "leave out these processes and threads (with -a)"),
	OPT_FLAG('i', "no-inherit", struct trace_opts, no_inherit, "child tasks are not traced"),
	OPT_U64(0, "max-events", struct trace_opts, max_events, "n", "exit after n events"),
	OPT_INT(0, "max-string", struct trace_opts, max_string, "n", "bytes of a buffer that are shown (default 32)"),
	OPT_INT(0, "max-summary", struct trace_opts, max_summary, "n", "show at most n rows a summary"),
	OPT_SIZE('m', "mmap-pages", struct trace_opts, mmap_bytes, "size", "bytes of the buffer between kernel and perf"),
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
	OPT_FLAG(0, "syscalls", struct trace_opts, syscalls, "trace system calls (the default)"),
	OPT_FLAG('f', "force", struct trace_opts, force, "accepted: nothing is refused"),
	OPT_END
};

static int load_config(struct trace_opts *o, struct err *err)
{
	struct config c = { .items = { NULL, 0, 0 } };
	int ret = config_load(&c, err);
	bool on = true;

	if (!ret)
		ret = config_get_int(&c, "trace.args_alignment", 0, &o->align, err);
	if (!ret)
		ret = config_get_bool(&c, "trace.show_zeros", true, &on, err);
	config_release(&c);
	return ret;
}

int cmd_trace(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>] [<command>]", "[<options>] -- <command> [<options>]", NULL };
	struct trace_opts o = { .comm = true, .max_string = 32, .syscalls = true };
	const struct option_table tables[] = { { trace_options, &o }, cli_target_group(&o.target), cli_common_group(&o.common),
					       { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "trace", .usage = usage, .tables = tables, .flags = CLI_STOP_AT_NON_OPTION };
	struct err err = ERR_INIT;
	int n, status;

	if (load_config(&o, &err)) {
		status = cli_error(&err);
		err_release(&err);
		return status;
	}
	n = cli_parse(&cmd, argc, argv);
	if (n < 0)
		return cli_status(n);
	if (o.max_string < 0 || o.max_string > 2048)
		return cli_usage_error_opt(&cmd, "max-string", "--max-string is 0 to 2048");
	o.no_syscalls = !o.syscalls;
	status = trace_live(&o, argv);
	vec_free(&o.events);
	return status;
}
