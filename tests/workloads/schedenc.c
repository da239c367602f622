// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings of scheduler and power events, made of text: what a test says is what happened.
 *	schedenc OUT [only=EVENT,...] [states=KERNEL] <STORY
 *	schedenc OUT busy CPUS MSEC SWITCHES
 *		(a machine whose CPUs switch so often each in that time)
 * only: which events there are, by their words below; the others are left out of the story. states:
 * what prev_state looks like, as in 2.6.32, 3.2, 4.9 or 4.14 and later.
 *
 * Lines of a story; times in us since an arbitrary beginning, TASK is COMM:TID or COMM:TID:PRIO:
 *	cpus N					first, once
 *	core 0,1 / thread 0,2			siblings of the topology, once each list
 *	TIME CPU switch TASK STATE TASK
 *		STATE: R S D Z X I, R+ when preempted, several letters (DK) before 4.14
 *	TIME CPU wake|wakeup|new TID TASK TARGET
 *		TID wakes, or made, TASK; wakeup: sched_wakeup, wake: sched_waking
 *	TIME CPU move TID TASK FROM TO
 *	TIME CPU fork TASK TASK
 *	TIME CPU iowait TASK US
 *	TIME CPU runtime TID TASK US		sched_stat_runtime, told by TID
 *	TIME CPU idle STATE			-1: awake again
 *	TIME CPU freq KHZ
 *	TIME CPU enter|exit TID RESULT		of read(2)
 *	TIME CPU comm PID TID NAME		a COMM record
 *	TIME CPU gone PID TID			an EXIT record
 *	TIME CPU lost N				a LOST record
 *	TIME CPU forget				another file's round: nothing older follows
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
		     PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
		     PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)
#define EPOCH_US 1000000000ULL
#define COMMON "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define COMM16(name, off) "\tfield:char " name "[16];\toffset:" #off ";\tsize:16;\tsigned:0;\n"
#define INT(name, off) "\tfield:int " name ";\toffset:" #off ";\tsize:4;\tsigned:1;\n"
#define U32(name, off) "\tfield:u32 " name ";\toffset:" #off ";\tsize:4;\tsigned:0;\n"
#define LONG(name, off) "\tfield:long " name ";\toffset:" #off ";\tsize:8;\tsigned:1;\n"
#define WAKE_FIELDS COMM16("comm", 8) INT("pid", 24) INT("prio", 28) INT("target_cpu", 32)
#define WAKE_PRINT \
	"\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, " \
	"REC->prio, REC->target_cpu"

enum { SWITCH, WAKING, WAKEUP, WAKEUP_NEW, MIGRATE, FORK, IOWAIT, RUNTIME, IDLE, FREQ, ENTER, EXIT,
       N_EVENTS };
static const struct { const char *word, *system, *name, *fields, *print; } events[N_EVENTS] = {
	[SWITCH] = { "switch", "sched", "sched_switch", COMM16("prev_comm", 8) INT("prev_pid", 24)
		INT("prev_prio", 28) LONG("prev_state", 32)
		COMM16("next_comm", 40)  INT("next_pid", 56) INT("next_prio", 60), NULL },
	[WAKING] = { "wake", "sched", "sched_waking", WAKE_FIELDS, WAKE_PRINT },
	[WAKEUP] = { "wakeup", "sched", "sched_wakeup", WAKE_FIELDS, WAKE_PRINT },
	[WAKEUP_NEW] = { "new", "sched", "sched_wakeup_new", WAKE_FIELDS, WAKE_PRINT },
	[MIGRATE] = { "move", "sched", "sched_migrate_task",
		      COMM16("comm", 8) INT("pid", 24) INT("prio", 28) INT("orig_cpu", 32)
		INT("dest_cpu", 36), "\"comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d\", "
				     "REC->comm, REC->pid, REC->prio, "
		"REC->orig_cpu, REC->dest_cpu" },
	[FORK] = { "fork", "sched", "sched_process_fork",
		   COMM16("parent_comm", 8) INT("parent_pid", 24) COMM16("child_comm", 28)
		INT("child_pid", 44), "\"comm=%s pid=%d child_comm=%s child_pid=%d\", "
				      "REC->parent_comm, REC->parent_pid, "
		"REC->child_comm, REC->child_pid" },
	[IOWAIT] = { "iowait", "sched", "sched_stat_iowait",
		     COMM16("comm", 8) INT("pid", 24) LONG("delay", 32),
		"\"comm=%s pid=%d delay=%Lu [ns]\", REC->comm, REC->pid, REC->delay" },
	[RUNTIME] = { "runtime", "sched", "sched_stat_runtime",
		      COMM16("comm", 8) INT("pid", 24) LONG("runtime", 32),
		"\"comm=%s pid=%d runtime=%Lu [ns]\", REC->comm, REC->pid, REC->runtime" },
	[IDLE] = { "idle", "power", "cpu_idle", U32("state", 8) U32("cpu_id", 12),
		"\"state=%lu cpu_id=%lu\", (unsigned long)REC->state, (unsigned long)REC->cpu_id" },
	[FREQ] = { "freq", "power", "cpu_frequency", U32("state", 8) U32("cpu_id", 12),
		"\"state=%lu cpu_id=%lu\", (unsigned long)REC->state, (unsigned long)REC->cpu_id" },
	[ENTER] = { "enter", "syscalls", "sys_enter_read", INT("__syscall_nr", 8) LONG("fd", 16),
		    "\"fd: 0x%08lx\", REC->fd" },
	[EXIT] = { "exit", "syscalls", "sys_exit_read", INT("__syscall_nr", 8) LONG("ret", 16),
		   "\"0x%lx\", REC->ret" },
};

/* prev_state of kernels: a bit for each letter; the bit that says that the task was preempted,
 * 0: nothing does. */
static const struct { const char *kernel, *letters; int preempted; } states[] = {
	{ "4.14", "SDTtXZPI", 0x100 }, { "2.6.32", "SDTtZXxW", 0 }, { "3.2", "SDTtZXxKW", 0x200 },
		{ "4.9", "SDTtZXxKWPN", 0x800 },
};

struct task { char comm[16]; int tid, prio; };

static FILE *out;
static char core_lists[64][64], thread_lists[64][64];
static unsigned n_cpus, n_cores, n_threads, state_style;
static bool left_out[N_EVENTS];

static void die(const char *what)
{
	fprintf(stderr, "schedenc: %s\n", what);
	exit(1);
}

static void put(const void *p, size_t n)
{
	if (fwrite(p, 1, n, out) != n)
		die("cannot write");
}

static void put32(uint32_t v)
{
	put(&v, 4);
}

static void put64(uint64_t v)
{
	put(&v, 8);
}

static void poke(unsigned char *raw, size_t off, int64_t v, size_t n)
{
	memcpy(raw + off, &v, n);
}

static void sample(int event, uint64_t t_ns, int cpu, int tid, unsigned char *raw, size_t n)
{
	size_t padded = (n + 4 + 7) / 8 * 8;

	if (left_out[event])
		return;

	struct perf_event_header h = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL,
				       (uint16_t)(sizeof(h) + 6 * 8 + padded) };

	poke(raw, 0, 300 + event, 2);
	poke(raw, 4, tid, 4);
	put(&h, sizeof(h));
	put64((uint64_t)event + 1);
	put64(0xffffffff81000000ULL);
	put32((uint32_t)tid);
	put32((uint32_t)tid);
	put64(t_ns);
	put64((uint64_t)cpu);
	put64(1);
	put32((uint32_t)(padded - 4));
	put(raw, padded - 4);
}

/* body, then the sample_id of sample_id_all. */
static void record(uint32_t type, const void *body, size_t n, uint64_t t_ns, int cpu, int tid)
{
	struct perf_event_header h = { type, 0, (uint16_t)(sizeof(h) + n + 32) };

	put(&h, sizeof(h));
	put(body, n);
	put32((uint32_t)tid);
	put32((uint32_t)tid);
	put64(t_ns);
	put64((uint64_t)cpu);
	put64(1);
}

static void do_switch(uint64_t t_ns, int cpu, const struct task *prev, int64_t state,
		      const struct task *next)
{
	unsigned char raw[80] = { 0 };

	memcpy(raw + 8, prev->comm, 16);
	poke(raw, 24, prev->tid, 4);
	poke(raw, 28, prev->prio, 4);
	poke(raw, 32, state, 8);
	memcpy(raw + 40, next->comm, 16);
	poke(raw, 56, next->tid, 4);
	poke(raw, 60, next->prio, 4);
	sample(SWITCH, t_ns, cpu, prev->tid, raw, 64);
}

static void do_task(int event, uint64_t t_ns, int cpu, int by, const struct task *task, int a,
		    int b)
{
	unsigned char raw[80] = { 0 };

	memcpy(raw + 8, task->comm, 16);
	poke(raw, 24, task->tid, 4);
	poke(raw, 28, task->prio, 4);
	poke(raw, 32, a, 4);
	poke(raw, 36, b, 4);
	sample(event, t_ns, cpu, by, raw, 40);
}

static void do_pair(int event, uint64_t t_ns, int cpu, int tid, int64_t a, int64_t b, size_t at,
		    size_t bytes)
{
	unsigned char raw[80] = { 0 };

	poke(raw, 8, a, 4);
	poke(raw, at, b, bytes);
	sample(event, t_ns, cpu, tid, raw, at + bytes);
}

static long number(const char *word)
{
	return strtol(word, NULL, 10);
}

static struct task parse_task(const char *word)
{
	struct task t = { "", 0, 120 };
	const char *colon = strchr(word, ':');

	if (!colon || colon - word > 15)
		die(word);
	memcpy(t.comm, word, (size_t)(colon - word));
	if (sscanf(colon + 1, "%d:%d", &t.tid, &t.prio) < 1)
		die(word);
	return t;
}

static int64_t parse_state(const char *word)
{
	const char *letters = states[state_style].letters;
	int64_t bits = 0;

	if (*word == 'R')
		return word[1] == '+' ? states[state_style].preempted : 0;
	for (; *word; word++) {
		if (!strchr(letters, *word))
			die(word);
		bits |= 1 << (strchr(letters, *word) - letters);
	}
	return bits;
}

static void tell(uint64_t t_ns, int cpu, const char *what, char w[4][64])
{
	struct task a, b;
	unsigned char raw[80] = { 0 };

	if (!strcmp(what, "switch")) {
		a = parse_task(w[0]);
		b = parse_task(w[2]);
		do_switch(t_ns, cpu, &a, parse_state(w[1]), &b);
	} else if (!strcmp(what, "wake") || !strcmp(what, "wakeup") || !strcmp(what, "new")) {
		a = parse_task(w[1]);
		do_task(*what == 'n' ? WAKEUP_NEW : what[4] ? WAKEUP : WAKING, t_ns, cpu,
			(int)number(w[0]), &a, (int)number(w[2]), 0);
	} else if (!strcmp(what, "move")) {
		a = parse_task(w[1]);
		do_task(MIGRATE, t_ns, cpu, (int)number(w[0]), &a, (int)number(w[2]),
			(int)number(w[3]));
	} else if (!strcmp(what, "fork")) {
		a = parse_task(w[0]);
		b = parse_task(w[1]);
		memcpy(raw + 8, a.comm, 16);
		poke(raw, 24, a.tid, 4);
		memcpy(raw + 28, b.comm, 16);
		poke(raw, 44, b.tid, 4);
		sample(FORK, t_ns, cpu, a.tid, raw, 48);
	} else if (!strcmp(what, "iowait")) {
		a = parse_task(w[0]);
		do_task(IOWAIT, t_ns, cpu, 0, &a, (int)number(w[1]) * 1000, 0);
	} else if (!strcmp(what, "runtime")) {
		a = parse_task(w[1]);
		do_task(RUNTIME, t_ns, cpu, (int)number(w[0]), &a, (int)number(w[2]) * 1000, 0);
	} else if (!strcmp(what, "idle") || !strcmp(what, "freq")) {
		do_pair(*what == 'i' ? IDLE : FREQ, t_ns, cpu, 0, (int)number(w[0]), cpu, 12, 4);
	} else if (!strcmp(what, "enter") || !strcmp(what, "exit")) {
		do_pair(what[1] == 'n' ? ENTER : EXIT, t_ns, cpu, (int)number(w[0]), 0,
			(int)number(w[1]), 16, 8);
	} else if (!strcmp(what, "comm")) {
		uint32_t ids[2] = { (uint32_t)number(w[0]), (uint32_t)number(w[1]) };

		memcpy(raw, ids, 8);
		memcpy(raw + 8, w[2], strlen(w[2]) > 15 ? 15 : strlen(w[2]));
		record(PERF_RECORD_COMM, raw, 24, t_ns, cpu, (int)number(w[1]));
	} else if (!strcmp(what, "gone")) {
		uint32_t ids[4] = { (uint32_t)number(w[0]), 1, (uint32_t)number(w[1]), 1 };

		memcpy(raw, ids, 16);
		memcpy(raw + 16, &t_ns, 8);
		record(PERF_RECORD_EXIT, raw, 24, t_ns, cpu, (int)number(w[1]));
	} else if (!strcmp(what, "lost")) {
		uint64_t lost[2] = { 1, (uint64_t)number(w[0]) };

		record(PERF_RECORD_LOST, lost, 16, t_ns, cpu, 0);
	} else if (!strcmp(what, "forget")) {
		const struct perf_event_header round = { 68, 0, sizeof(round) };

		put(&round, sizeof(round));
	} else {
		die(what);
	}
}

static void read_story(void)
{
	char line[512], what[16];

	while (fgets(line, sizeof(line), stdin)) {
		char w[4][64] = { "" };
		double us;
		int cpu;

		if (*line == '#' || *line == '\n' || sscanf(line, "cpus %u", &n_cpus) == 1)
			continue;
		if (n_cores < 64 && sscanf(line, "core %63s", core_lists[n_cores]) == 1) {
			n_cores++;
		} else if (n_threads < 64 && sscanf(line, "thread %63s", thread_lists[n_threads]) ==
			   1) {
			n_threads++;
		} else {
			if (sscanf(line, "%lf %d %15s %63s %63s %63s %63s", &us, &cpu, what, w[0],
				   w[1], w[2], w[3]) < 3)
				die(line);
			tell((uint64_t)(us * 1000 + .5) + EPOCH_US * 1000, cpu, what, w);
		}
	}
}

static uint64_t next_random(uint64_t *s)
{
	uint64_t x = *s += 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

enum { PER_CPU = 6 };

/* Each CPU has tasks of its own: one leaves, asleep or preempted, and the next one comes, woken
 * by it, or the idle task. */
static void make_busy(unsigned cpus, uint64_t ms, uint64_t switches)
{
	static const char *const names[PER_CPU] =
		{ "swapper", "server", "worker", "compiler", "database", "kworker" };
	struct cpu { uint64_t t_ns, seed; unsigned at; } *all = calloc(cpus, sizeof(*all));
	uint64_t step = ms * 1000000 / (switches ? switches : 1),
		end = EPOCH_US * 1000 + ms * 1000000, n = 0;

	for (unsigned i = 0; i < cpus; i++)
		all[i] = (struct cpu){ EPOCH_US * 1000 + i * 97 % (step + 1), i, 0 };
	while (all && cpus) {
		struct cpu *c = all;
		struct task t[2] = { 0 };
		unsigned cpu, next;
		uint64_t r;

		for (unsigned i = 1; i < cpus; i++)
			c = all[i].t_ns < c->t_ns ? &all[i] : c;
		if (c->t_ns >= end)
			break;
		cpu = (unsigned)(c - all);
		r = next_random(&c->seed);
		next = (c->at + 1 + (unsigned)(r >> 8) % (PER_CPU - 1)) % PER_CPU;
		for (int k = 0; k < 2; k++) {
			unsigned which = k ? next : c->at;

			memset(&t[k], 0, sizeof(t[k]));
			snprintf(t[k].comm, sizeof(t[k].comm), "%s/%u", names[which], cpu);
			t[k].tid = which ? (int)(1000 + cpu * 16 + which) : 0;
			t[k].prio = 120;
		}
		if (t[1].tid)
			do_task(WAKING, c->t_ns - 500, (int)cpu, t[0].tid, &t[1], (int)cpu, 0);
		do_switch(c->t_ns, (int)cpu, &t[0], !t[0].tid || r % 8 == 0 ? 0 : r % 8 == 1 ? 2 :
			  1, &t[1]);
		c->at = next;
		c->t_ns += 1000 + (r >> 16) % (2 * step - 1000 > step ? 2 * step - 1000 : step);
		if (++n % 4096 == 0) {
			const struct perf_event_header round = { 68, 0, sizeof(round) };

			put(&round, sizeof(round));
		}
	}
	free(all);
	n_cpus = cpus;
}

/* As the kernel itself says it. */
static void switch_print(char *out, size_t n)
{
	const char *letters = states[state_style].letters;
	int bits = (1 << strlen(letters)) - 1, preempted = states[state_style].preempted;
	char flags[1024] = "", plus[64] = "";

	for (int i = 0; letters[i]; i++)
		snprintf(flags + strlen(flags), sizeof(flags) - strlen(flags), ", { %d, \"%c\" }",
			 1 << i, letters[i]);
	if (preempted)
		snprintf(plus, sizeof(plus), ", REC->prev_state & %d ? \"+\" : \"\"", preempted);
	snprintf(out, n, "\"prev_comm=%%s prev_pid=%%d prev_prio=%%d prev_state=%%s%s ==> "
			 "next_comm=%%s next_pid=%%d next_prio=%%d\", "
		 "REC->prev_comm, REC->prev_pid, REC->prev_prio, REC->prev_state & %d ? "
		 "__print_flags(REC->prev_state & %d, "
		 "\"|\"%s) : \"R\"%s, REC->next_comm, REC->next_pid, REC->next_prio", preempted ?
		 "%s" : "", bits, bits, flags, plus);
}

static void put_format(int i)
{
	char text[4096], print[2048];
	int n;

	switch_print(print, sizeof(print));
	n = snprintf(text, sizeof(text), "name: %s\nID: %d\nformat:\n" COMMON "%s\nprint fmt: %s\n",
		     events[i].name, 300 + i,
		     events[i].fields, events[i].print ? events[i].print : print);
	put64((uint64_t)n);
	put(text, (size_t)n);
}

static void put_tracing(void)
{
	static const char page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\tfield: char "
		"data;\toffset:16;\tsize:4080;\tsigned:0;\n";
	static const struct { const char *name; int from, to; } systems[] =
		{ { "sched", SWITCH, IDLE }, { "power", IDLE, ENTER },
		  { "syscalls", ENTER, N_EVENTS } };

	/* magic, version, little-endian, bytes of a long */
	put("\027\010\104tracing0.6\0\0\010", 16);
	put32(4096);
	put("header_page", 12);
	put64(sizeof(page) - 1);
	put(page, sizeof(page) - 1);
	put("header_event", 13);
	put64(0);
	put32(0);
	put32(3);
	for (int s = 0; s < 3; s++) {
		put(systems[s].name, strlen(systems[s].name) + 1);
		put32((uint32_t)(systems[s].to - systems[s].from));
		for (int i = systems[s].from; i < systems[s].to; i++)
			put_format(i);
	}
	put32(0);
	put32(0);
	put64(0);
}

static void put_string(const char *s)
{
	char pad[64] = "";
	uint32_t n = (uint32_t)(strlen(s) + 8) / 8 * 8;

	snprintf(pad, sizeof(pad), "%s", s);
	put32(n);
	put(pad, n);
}

static void put_feature(int bit)
{
	switch (bit) {
	case 1:
		put_tracing();
		break;
	case 3: case 4: case 6:
		put_string(bit == 3 ? "encoded" : bit == 4 ? "6.12.0" : "x86_64");
		break;
	case 7:
		put32(n_cpus);
		put32(n_cpus);
		break;
	case 13:
		put32(n_cores);
		for (unsigned i = 0; i < n_cores; i++)
			put_string(core_lists[i]);
		put32(n_threads);
		for (unsigned i = 0; i < n_threads; i++)
			put_string(thread_lists[i]);
		for (unsigned i = 0; i < n_cpus; i++) {
			put32(i);
			put32(0);
		}
		break;
	}
}

/* A word of the command line with =. */
static void choose(const char *word)
{
	for (unsigned i = 0; !strncmp(word, "states=", 7); i++) {
		if (i == sizeof(states) / sizeof(*states))
			die(word);
		state_style = i;
		if (!strcmp(states[i].kernel, word + 7))
			return;
	}
	for (int i = 0; i < N_EVENTS; i++) {
		const char *p = strstr(word, events[i].word);
		size_t n = strlen(events[i].word);

		while (p && ((p[-1] != '=' && p[-1] != ',') || (p[n] && p[n] != ',')))
			p = strstr(p + 1, events[i].word);
		left_out[i] = !p;
	}
}

int main(int argc, char **argv)
{
	static const int bits[] = { 1, 3, 4, 6, 7, 13 };
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr),
					.sample_period = 1,
					.sample_type = SAMPLE_TYPE, .sample_id_all = 1, .comm = 1 };
	uint64_t head[13] = { 0x32454c4946524550ULL, 104, sizeof(attr) + 16, 104 + N_EVENTS * 8,
			      N_EVENTS * (sizeof(attr) + 16) };
	long data, table, at;

	for (; argc > 2 && strchr(argv[argc - 1], '='); argc--)
		choose(argv[argc - 1]);
	if ((argc != 2 && argc != 6) || !(out = fopen(argv[1], "wb+")))
		die("usage: schedenc OUT [only=EVENT,...] [states=KERNEL] [busy CPUS MSEC "
		    "SWITCHES]");
	put(head, sizeof(head));
	for (uint64_t i = 1; i <= N_EVENTS; i++)
		put64(i);
	for (unsigned i = 0; i < N_EVENTS; i++) {
		attr.config = 300 + i;
		if (left_out[i]) {
			head[4] -= sizeof(attr) + 16;
			continue;
		}
		put(&attr, sizeof(attr));
		put64(104 + i * 8);
		put64(8);
	}
	data = ftell(out);
	if (argc == 6)
		make_busy((unsigned)number(argv[3]), (uint64_t)number(argv[4]),
			  (uint64_t)number(argv[5]));
	else
		read_story();
	table = ftell(out);
	head[5] = (uint64_t)data;
	head[6] = (uint64_t)(table - data);
	at = table + 16 * (long)(sizeof(bits) / sizeof(*bits) - !n_cores);
	for (size_t i = 0; i < sizeof(bits) / sizeof(*bits) - !n_cores; i++) {
		uint64_t place[2];

		fseek(out, at, SEEK_SET);
		put_feature(bits[i]);
		place[0] = (uint64_t)at;
		place[1] = (uint64_t)(ftell(out) - at);
		at = ftell(out);
		fseek(out, table + 16 * (long)i, SEEK_SET);
		put(place, sizeof(place));
		head[9] |= 1ULL << bits[i];
	}
	fseek(out, 0, SEEK_SET);
	put(head, sizeof(head));
	return fclose(out) ? 1 : 0;
}
