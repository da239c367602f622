// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "builtin.h"
#include "builtin-trace.h"
#include "util/analysis/sys-sink.h"
#include "util/cli/error.h"
#include "util/data/reader.h"
#include "util/stream/stream.h"

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

	if (t->done && t->recorder > 0 && !t->stopped) {
		kill(t->recorder, SIGINT);
		t->stopped = true;
	}
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
	if (t->out.len >= TRACE_WRITE_BYTES)
		trace_write(t);
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
		.only_failed = t->o->failure, .swap = reader->swap, .on_call = trace_wants_sums(t->o) ? sum_call : NULL,
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

void trace_show_sums(struct trace *t)
{
	const struct view_sys_sum v = { .group = t->o->summary_mode, .errnos = t->o->errno_summary,
					.max_rows = t->o->max_summary > 0 ? t->o->max_summary : 0 };

	sys_summary_sort(&t->sum);
	view_sys_summary(&v, &t->sum, t->set, &t->out);
}

int trace_replay(struct trace *t, const char *path, struct err *err)
{
	struct data_reader reader = { 0 };
	int ret = data_open(&reader, path, t->o->force ? DATA_FORCE : 0, err);

	if (ret)
		return ret;
	t->lines.fn = t->o->summary_only ? no_line : trace_on_line;
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
	if (o->target.system_wide || o->cgroup || (!pid && !*argv && !trace_has_target(o)))
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

/* What is read so far is shown before the next bytes are waited for. */
static void show_now(void *ctx)
{
	trace_write(ctx);
}

/* From the pipe of the recorder, as long as it writes. */
static int replay_live(struct trace *t, int fd, struct err *err)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct data_reader reader = { 0 };
	char path[32];
	int ret;

	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
	if (!(p.revents & POLLIN))
		return 0;	/* the recorder has said why */
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	ret = data_open(&reader, path, DATA_FORCE, err);
	close(fd);	/* the reader has its own: the recorder shall see when that one is closed */
	if (ret)
		return ret;
	reader.on_wait = show_now;
	reader.on_wait_ctx = t;
	ret = replay_stream(t, &reader, err);
	data_close(&reader);
	return ret;
}

/* Events alone are shown as they come; with calls, of which there are many more, the recorder must not wait for us. */
static int record_and_show(struct trace *t, const char *const *argv, int *status, struct err *err)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, int_before, pipe_before;
	bool live = !t->with_syscalls;
	opt_list args = { NULL, 0, 0 };
	int fds[2] = { -1, -1 }, ret = 0, st = 0;

	if (live && pipe(fds))
		return err_sys(err, errno, "cannot make a pipe");
	if (live) {
		free(t->tmp);
		t->tmp = xasprintf("/dev/fd/%d", fds[1]);
		fcntl(fds[0], F_SETFD, FD_CLOEXEC);
		fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	}
	recorder_args(t, &args, argv, NULL, NULL);
	fflush(NULL);
	sigaction(SIGINT, &ignore, &int_before);
	t->recorder = fork();
	if (!t->recorder) {
		sigaction(SIGINT, &int_before, NULL);
		if (live)
			close(fds[0]);
		exit(cmd_record((int)args.n - 1, args.v));
	}
	sigaction(SIGPIPE, &ignore, &pipe_before);
	if (live) {
		close(fds[1]);
		free(t->tmp);
		t->tmp = NULL;
		ret = replay_live(t, fds[0], err);
	}
	while (waitpid(t->recorder, &st, 0) < 0 && errno == EINTR)
		;
	t->recorder = 0;
	sigaction(SIGPIPE, &pipe_before, NULL);
	*status = t->stopped ? 0 : WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
	vec_free(&args);
	if (live || *status >= 128 || access(t->tmp, R_OK) || !file_bytes(t->tmp))
		return ret;	/* without a file the recorder has said why */
	return trace_replay(t, t->tmp, err);
}

int trace_recorded(struct trace *t, const char *const *argv, int *status, struct err *err)
{
	int ret = check_tracepoints(t, err);

	if (!ret && t->with_syscalls)
		ret = make_tmp(t, err);
	if (!ret)
		ret = record_and_show(t, argv, status, err);
	if (!ret && trace_wants_sums(t->o))
		trace_show_sums(t);
	trace_write(t);
	return ret;
}

int trace_start_recorder(struct trace *t, struct err *err)
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
	recorder_args(t, &args, none, t->work.pid && !trace_has_target(o) ? pid : NULL, control);
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

void trace_stop_recorder(struct trace *t)
{
	int st;

	if (t->recorder <= 0)
		return;
	kill(t->recorder, SIGINT);
	while (waitpid(t->recorder, &st, 0) < 0 && errno == EINTR)
		;
	t->recorder = 0;
}
