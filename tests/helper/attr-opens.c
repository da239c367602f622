// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * attr-opens [-d DIR] stat|record|line PERF <lines
 * What PERF asks of the kernel: for each line of the input "= line", then the events that it opens,
 * in order. DIR holds PMUs, as /sys/bus/event_source/devices does, and is mounted in its place
 * (root).
 *	stat	PERF stat -e LINE true
 *	record	PERF record --no-bpf-event -m 1 -e LINE true
 *	line	PERF LINE -- true, with LINE split at its blanks
 * Events of hardware are opened as dummy events, so that all of this works without any. Opens of
 * the own process are questions about the kernel and not shown, and so are those that fail;
 * "refused" says that the command failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base/num.h"
#include "util/base/str.h"
#include "util/base/vec.h"
#include "util/base/xalloc.h"
#include "util/wire/wire.h"

#define ATTR_MAX 256
#define ID_BITS (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER)
#define SIDE_BAND (1ULL << 8 | 1ULL << 9 | 1ULL << 13 | 1ULL << 23 | 1ULL << 24 | 1ULL << 29 | \
		   1ULL << 34)
#define SECONDS 20	/* for one command */

/* One row: the same attr, process and group, on several CPUs. */
struct row {
	char *text;
	int_vec cpus;
};
struct opened { int fd, row; pid_t pid; };	/* to name groups */
struct call {		/* of one thread: between the entry of a call and its end */
	pid_t tid;
	u64 at;
	size_t n;
	u8 attr[ATTR_MAX];
	int pid, cpu, group;
	bool swapped;
};
static VEC(struct row) rows;
static VEC(struct opened) fds;
static VEC(struct call) calls;
static pid_t command;
static bool samples;	/* the command records: what takes no samples is a question, too */

static int die(const char *what)
{
	fprintf(stderr, "attr-opens: %s: %s\n", what, strerror(errno));
	exit(2);
}

static bool copy(pid_t pid, u64 at, void *to, size_t n, bool write)
{
	struct iovec mine = { to, n }, its = { (void *)(uintptr_t)at, n };

	return (write ? process_vm_writev(pid, &mine, 1, &its, 1, 0) :
		process_vm_readv(pid, &mine, 1, &its, 1, 0)) == (ssize_t)n;
}

/* --- an attr as text: only what is not 0 --- */

static void add_word(struct str *s, const char *key, u64 v)
{
	if (v)
		str_addf(s, " %s=%llx", key, (unsigned long long)v);
}

static void add_flags(struct str *s, u64 w)
{
	static const char *const names[] = {
		"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel",
			"exclude_hv", "exclude_idle", "mmap",
		"comm", "freq", "inherit_stat", "enable_on_exec", "task", "watermark", NULL, NULL,
		"mmap_data", "sample_id_all",
		"exclude_host", "exclude_guest", "exclude_callchain_kernel",
		"exclude_callchain_user", "mmap2", "comm_exec",
		"use_clockid", "context_switch", "write_backward", "namespaces", "ksymbol",
		"bpf_event", "aux_output", "cgroup",
		"text_poke", "build_id", "inherit_thread", "remove_on_exec", "sigtrap",
		"defer_callchain", "defer_output",
	};

	/* mmap, comm, task, mmap2, comm_exec, ksymbol and build_id */
	if ((w & SIDE_BAND) == SIDE_BAND) {
		str_add(s, " side-band");
		w &= ~SIDE_BAND;
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i] && w >> i & 1)
			str_addf(s, " %s", names[i]);
	add_word(s, "precise_ip", w >> 15 & 3);
}

static u64 word_at(const u8 *attr, size_t off, size_t n)
{
	u64 v = 0;

	memcpy(&v, attr + off, n);
	return v;
}

static void add_attr(struct str *s, const u8 *a)
{
	const u64 flags = word_at(a, 40, 8), rate = word_at(a, 16, 8);

	str_addf(s, "t=%llu c=%llx", (unsigned long long)word_at(a, 0, 4),
		 (unsigned long long)word_at(a, 8, 8));
	add_word(s, "c1", word_at(a, 56, 8));
	add_word(s, "c2", word_at(a, 64, 8));
	add_word(s, "c3", word_at(a, 128, 8));
	add_word(s, "c4", word_at(a, 136, 8));
	str_addf(s, " %s=%llu", flags >> 10 & 1 ? "F" : "P", (unsigned long long)rate);
	add_flags(s, flags & ~(1ULL << 10));
	add_word(s, "sample_type", word_at(a, 24, 8));
	add_word(s, "read_format", word_at(a, 32, 8));
	add_word(s, "wakeup", word_at(a, 48, 4));
	add_word(s, "bp_type", word_at(a, 52, 4));
	add_word(s, "branch", word_at(a, 72, 8));
	add_word(s, "regs_user", word_at(a, 80, 8));
	add_word(s, "stack_user", word_at(a, 88, 4));
	add_word(s, "clockid", word_at(a, 92, 4));
	add_word(s, "regs_intr", word_at(a, 96, 8));
	add_word(s, "aux_watermark", word_at(a, 104, 4));
	add_word(s, "max_stack", word_at(a, 108, 2));
	add_word(s, "aux_sample_size", word_at(a, 112, 4));
	add_word(s, "aux_action", word_at(a, 116, 4));
}

static int row_of(pid_t pid, int fd)
{
	for (size_t i = fds.n; i > 0; i--)
		if (fds.v[i - 1].fd == fd && fds.v[i - 1].pid == pid)
			return fds.v[i - 1].row;
	return -1;
}

static void note(const struct call *c, int fd)
{
	struct str s = STR_INIT;
	size_t i;

	if (!c->pid || (samples && !(word_at(c->attr, 24, 8) & ~ID_BITS)))
		return;
	add_attr(&s, c->attr);
	str_addf(&s, " pid=%s", c->pid < 0 ? "all" : "task");
	if (c->group >= 0)
		str_addf(&s, " group=%d", row_of(command, c->group));
	for (i = 0; i < rows.n && strcmp(rows.v[i].text, s.buf); i++)
		;
	if (i < rows.n)
		str_release(&s);
	else
		vec_push(&rows, ((struct row){ .text = str_detach(&s) }));
	for (size_t k = 0; k < rows.v[i].cpus.n; k++)
		if (rows.v[i].cpus.v[k] == c->cpu)
			goto known;
	vec_push(&rows.v[i].cpus, c->cpu);
known:
	vec_push(&fds, ((struct opened){ fd, (int)i, command }));
}

static void print_rows(void)
{
	const long n_cpus = sysconf(_SC_NPROCESSORS_ONLN);

	for vec_each(r, &rows) {
		struct str s = STR_INIT;

		if (r->cpus.n == 1 && r->cpus.v[0] < 0)
			str_add(&s, "any");
		else if ((long)r->cpus.n == n_cpus)
			str_add(&s, "all");
		else
			str_add_int_list(&s, r->cpus.v, r->cpus.n);
		printf("%s cpu=%s\n", r->text, str_cstr(&s));
		str_release(&s);
		free(r->text);
		vec_free(&r->cpus);
	}
	vec_clear(&rows);
	vec_clear(&fds);
	vec_clear(&calls);
}

/* --- the calls --- */

static bool is_hardware(u32 type)
{
	return type != PERF_TYPE_SOFTWARE && type != PERF_TYPE_TRACEPOINT &&
		type != PERF_TYPE_BREAKPOINT;
}

static void make_dummy(u8 *a)
{
	const u64 no_samples = PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_AUX;
	u64 flags = word_at(a, 40, 8) & ~(3ULL << 15 | 1ULL << 31),
		sample_type = word_at(a, 24, 8) & ~no_samples;
	u32 type = PERF_TYPE_SOFTWARE;
	u64 config = PERF_COUNT_SW_DUMMY, none = 0;

	memcpy(a, &type, 4);
	memcpy(a + 8, &config, 8);
	memcpy(a + 24, &sample_type, 8);
	memcpy(a + 40, &flags, 8);
	memset(a + 56, 0, 24);
	memcpy(a + 112, &none, 8);
	memset(a + 128, 0, ATTR_MAX - 128);
}

static struct call *call_of(pid_t tid)
{
	for vec_each(c, &calls)
		if (c->tid == tid)
			return c;
	vec_push(&calls, ((struct call){ .tid = tid }));
	return vec_last(&calls);
}

/* At its entry: the attr is kept, and another put in its place. */
static void begin_call(pid_t tid, const struct __ptrace_syscall_info *info)
{
	struct call *c = call_of(tid);
	u8 dummy[ATTR_MAX];
	u32 size = 0;

	c->at = info->seccomp.args[0];
	c->pid = (int)info->seccomp.args[1];
	c->cpu = (int)info->seccomp.args[2];
	c->group = (int)info->seccomp.args[3];
	c->swapped = false;
	memset(c->attr, 0, sizeof(c->attr));
	copy(tid, c->at + 4, &size, 4, false);
	c->n = MIN(size ? size : 64, (u32)ATTR_MAX);
	if (!copy(tid, c->at, c->attr, c->n, false) || !is_hardware((u32)word_at(c->attr, 0, 4)))
		return;
	memcpy(dummy, c->attr, sizeof(dummy));
	make_dummy(dummy);
	c->swapped = copy(tid, c->at, dummy, c->n, true);
}

static void end_call(pid_t tid, const struct __ptrace_syscall_info *info)
{
	struct call *c = call_of(tid);

	if (c->swapped)
		copy(tid, c->at, c->attr, c->n, true);
	if (!info->exit.is_error)
		note(c, (int)info->exit.rval);
}

/* How the thread goes on after this stop. */
static enum __ptrace_request handle_stop(pid_t tid, int status, int *sig)
{
	const int event = status >> 16;
	struct __ptrace_syscall_info info = { 0 };

	*sig = 0;
	if (event == PTRACE_EVENT_SECCOMP) {
		ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info);
		begin_call(tid, &info);
		return PTRACE_SYSCALL;
	}
	if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
		ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info);
		end_call(tid, &info);
	} else if (!event && WSTOPSIG(status) != SIGSTOP) {
		*sig = WSTOPSIG(status);
	}
	return PTRACE_CONT;
}

static void child(char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { ARRAY_SIZE(code), code };
	int null = open("/dev/null", O_RDWR);

	dup2(null, 0);
	dup2(null, 1);
	if (!getenv("ATTR_OPENS_STDERR"))
		dup2(null, 2);
	alarm(SECONDS);
	if (ptrace(PTRACE_TRACEME, 0, 0, 0) || raise(SIGSTOP) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		_exit(126);
	execv(argv[0], argv);
	_exit(127);
}

static int watch(char **argv)
{
	const long opts = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		PTRACE_O_TRACECLONE |
			  PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL;
	int status, result = 1, sig;
	pid_t tid;

	fflush(stdout);
	command = fork();
	if (!command)
		child(argv);
	if (command < 0 || waitpid(command, &status, 0) != command ||
	    ptrace(PTRACE_SETOPTIONS, command, 0, opts))
		die("cannot trace");
	ptrace(PTRACE_CONT, command, 0, 0);
	while ((tid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		if (tid == command && !WIFSTOPPED(status))
			result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		if (tid > 0 && WIFSTOPPED(status)) {
			const enum __ptrace_request how = handle_stop(tid, status, &sig);

			ptrace(how, tid, 0, (long)sig);
		}
	}
	return result;
}

static void run_line(const char *kind, char *perf, const char *file, char *line)
{
	VEC(char *) argv = { 0 };
	char *save = NULL, *words = xstrdup(line);
	int status;

	vec_push(&argv, perf);
	if (!strcmp(kind, "line")) {
		for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
			vec_push(&argv, w);
		if (!strcmp(argv.v[1], "record")) {
			vec_push(&argv, (char *)"-o");
			vec_push(&argv, (char *)file);
		}
	} else {
		vec_push(&argv, (char *)kind);
		if (!strcmp(kind, "record")) {
			vec_push(&argv, (char *)"--no-bpf-event");
			vec_push(&argv, (char *)"-m1");
			vec_push(&argv, (char *)"-o");
			vec_push(&argv, (char *)file);
		}
		vec_push(&argv, (char *)"-e");
		vec_push(&argv, line);
	}
	vec_push(&argv, (char *)"--");
	vec_push(&argv, (char *)"true");
	vec_push(&argv, NULL);
	printf("= %s\n", line);
	samples = !strcmp(argv.v[1], "record");
	status = watch(argv.v);
	if (status)
		printf("refused\n");
	print_rows();
	unlink(file);
	vec_free(&argv);
	free(words);
}

int main(int argc, char **argv)
{
	const char *dir = NULL;
	char line[4096], *file;
	int at = 1;

	if (argc > 3 && !strcmp(argv[1], "-d")) {
		dir = argv[2];
		at = 3;
	}
	if (argc - at != 2 || !strchr("srl", argv[at][0])) {
		fprintf(stderr, "usage: attr-opens [-d DIR] stat|record|line PERF <lines\n");
		return 2;
	}
	if (dir && (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount(dir, "/sys/bus/event_source/devices", NULL, MS_BIND, NULL)))
		die("cannot mount the PMUs");
	file = xasprintf("attr-opens.%d.data", (int)getpid());
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		if (*line && *line != '#')
			run_line(argv[at], argv[at + 1], file, line);
	}
	free(file);
	return 0;
}
