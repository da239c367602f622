/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_EVENT_H
#define EVENT_EVENT_H
/*
 * What to measure: events, lists of them, the parser of -e, and the one open loop. After
 * event_list_open() (or after a file's events were added by its reader) a list is read-only.
 */
#include "util/base/vec.h"
#include "util/event/index.h"
#include "util/os/os.h"
#include "util/os/target.h"
#include "util/wire/sample.h"

struct tp_format;	/* a tracepoint's fields, see event/tracepoint.h */
struct tp_table;
struct pmu_db;

/* Settings of one event that go before those of the command
 * ("cycles/period=1000,call-graph=dwarf/"). */
enum event_term_bit {
	EVENT_TERM_PERIOD = 1, EVENT_TERM_FREQ = 2, EVENT_TERM_TIME = 4, EVENT_TERM_CALL_GRAPH = 8,
		EVENT_TERM_STACK_SIZE = 16,
	EVENT_TERM_INHERIT = 32, EVENT_TERM_MAX_STACK = 64, EVENT_TERM_OVERWRITE = 128,
	EVENT_TERM_NAME = 256,
	EVENT_TERM_BRANCH_TYPE = 512, EVENT_TERM_PERCORE = 1024, EVENT_TERM_AUX_OUTPUT = 2048,
	EVENT_TERM_CPU = 4096,
};
struct event_terms {
	u32 set;			/* EVENT_TERM_*: which of them were given */
	u64 period, freq;
	u32 stack_bytes, max_stack;
	bool time, inherit, overwrite;
	char *call_graph, *branch_type;	/* as typed; owned */
	int_vec cpus;			/* cpu=: only there; owned */
};

struct event_count { u64 value, enabled_ns, running_ns; };

struct event {
	/* as typed, or as upstream perf shows it ("cycles:u", "sched:sched_switch") */
	char *name;
	/* its name before opening changed it (event_typed()), or NULL; owned */
	char *typed;
	struct perf_event_attr attr;
	int index;			/* in the list */
	/* of attr, name and format, where a stream may still change them: see per-event.h */
	unsigned version;
	u64 *ids;			/* kernel ids of its counters; owned */
	size_t n_ids;
	struct event *leader;		/* itself when not grouped */
	int n_members;			/* leader: members with itself, 1 without a group */
	char *group_name;		/* leader: "name{a,b}", or NULL; owned */
	/* the kernel's of a tracepoint, else sample-filter.h, or NULL */
	char *filter;
	char *unit;			/* "msec" ... or NULL */
	double scale;			/* 1.0 */
	char *cgroup;			/* name or NULL */
	int cgroup_fd;			/* -1: none */
	bool weak;			/* :W group, broken up when it cannot be scheduled */
	bool dummy;			/* carries side-band only, never shown */
	/* sample_type bits of attr that its samples get from elsewhere (stream/given.h): records
	 * do not have them */
	u64 given;
	bool decoded;			/* made of a trace: samples as wire/synthrec.h has them */
	/* false: nothing could open it (stat shows <not supported>) */
	bool supported;
	bool precise_max;		/* :P */
	bool sample_read;		/* :S, the group is read with each sample of its leader */
	bool bpf;			/* :b, counted by a BPF program */
	/* enum event_tool: counted by perf itself; 0: by the kernel */
	u8 tool;
	/* :R, samples say how long the instruction waited to retire */
	bool retire_latency;
	char *tp_system, *tp_name;	/* tracepoint events */
	char *pmu;			/* of sysfs ("cpu_core", "msr"), or NULL; owned */
	/* the PMU's own name of it ("tsc"), or NULL; owned; equal for PMUs of one kind */
	char *pmu_event;
	/* only on these CPUs can it be opened (uncore, hybrid); empty: anywhere */
	int_vec own_cpus;
	/* uncore: counts what CPUs share, whoever runs there, and knows no tasks */
	bool of_cpus;
	/* what was written between the slashes for this event alone */
	struct event_terms terms;
	/* borrowed from the list's tracepoint table; NULL when unknown */
	const struct tp_format *format;
	/* open counters: fds[thread * n_cpus + cpu], -1 where not open */
	int *fds;
	/* of the same places: their kernel ids; NULL where ids are not read */
	u64 *fd_ids;
	/* of the same places: what counters counted that were there before; NULL: nothing */
	struct event_count *earlier;
	int n_threads, n_cpus;
	/* what is read for it (event/sensor.h), or NULL; owned */
	char *sensor;
	/* a BPF program reads the counter of another event for it: nothing is opened */
	bool elsewhere;
};

/* There are counters of the kernel for it. */
static inline bool event_is_opened(const struct event *e)
{
	return e->supported && !e->tool && !e->elsewhere;
}

struct event_list {
	VEC(struct event *) events;	/* owned */
	unsigned version;		/* grows with each change that a stream makes */
	struct tp_table *tracepoints;	/* formats, owned; may be NULL */
	size_t last_from;		/* first event that the last event_parse() added */
	bool grouped_to_show;		/* see event_list_group_to_show() */
	/* set before parsing: what needs samples is refused (stat) */
	bool only_counts;
	struct event_index index;
	/* of the open counters: what fds[] is indexed by; { -1 } as in struct target, and where
	 * tasks are counted -1 and the CPUs of those events that have some */
	int_vec cpus, tids;
};

/* The name for messages: the one that the user knows. Borrowed. */
static inline const char *event_typed(const struct event *e)
{
	return e->typed ? e->typed : e->name;
}

void event_list_init(struct event_list *l);
void event_list_release(struct event_list *l);	/* closes fds, frees events */
struct event *event_list_add(struct event_list *l, const struct perf_event_attr *attr,
			     const char *name);
void event_add_ids(struct event *e, const u64 *ids, size_t n);
/* All shown events as one group, unless the recording has groups: for reports, when nothing
 * reads or opens the list any more. */
void event_list_group_to_show(struct event_list *l);
/* Takes number n out; before opening. The next member of its group leads it, if it was the
 * leader. */
void event_list_remove(struct event_list *l, size_t n);
/* to be called after what struct event counts as a version */
void event_changed(struct event_list *l, struct event *e);
/* Of events that are there once for each PMU of several only those stay, from number "from" on,
 * whose PMU is cputype (a kind of CPU) or matches the glob filter; NULL: any. -ENOENT: no PMU is of
 * this name. */
int event_list_keep_pmus(struct event_list *l, size_t from, struct pmu_db *db, const char *cputype,
			 const char *filter, struct err *err);
/* Drops the events from number n on. */
void event_list_truncate(struct event_list *l, size_t n);
/* Whether the samples of some event have one of these (PERF_SAMPLE_*). */
bool event_list_samples(const struct event_list *l, u64 what);
/* Whether some event samples branch stacks (those that stand for call chains do not count). */
bool event_list_has_branches(const struct event_list *l);
/* Page faults and the like: addr of their samples is of data, or of code that was jumped to. */
bool event_addr_is_of_symbol(const struct perf_event_attr *a);
/* Reads the formats of all tracepoints from tracefs, into l->tracepoints, which is made; those that
 * have one keep it. -ENOENT: "unknown tracepoint", nearest names as hint. */
int event_list_load_formats(struct event_list *l, struct os *os, struct err *err);
/* "kmem:kfree": of an event of a recording or of the command line. */
bool event_is_tracepoint(const struct event *e, const char *system, const char *name);
/* The first of this very name, or NULL. */
const struct event *event_list_named(const struct event_list *l, const char *name);

/* Parses "cycles:u,{a,b}:S,sched:*,r1a8,1:3,cpu/event=1/,mem:0x1000:rw" and appends. On error
 * the message is upstream perf's lines: the text with a caret line below it, and the nearest names
 * as hint. db may be NULL: built-in names only. */
int event_parse(struct event_list *l, const char *text, struct os *os, struct pmu_db *db,
		struct err *err);
/* The same for names of the CPU's vendor alone, "a:u=1,{b,c}", as libpfm4 knows them
 * (--pfm-events). event_parse() takes them where the kernel has no such name. */
int event_parse_vendors(struct event_list *l, const char *text, struct os *os, struct pmu_db *db,
			struct err *err);
/* Whether there is such an event that can be counted; nothing is opened. */
bool event_is_there(const char *text, struct os *os, struct pmu_db *db);
/* The filter of all events added by the last event_parse() (--filter): the kernel's for
 * tracepoints, of samples (sample-filter.h) for others; -EINVAL: it is wrong, or for none. */
int event_set_filter(struct event_list *l, const char *filter, struct err *err);
/* One more condition for the filter; in its grammar. */
void event_and_filter(struct event *e, const char *more);

/* Scanned once from sysfs. */
struct pmu_db *pmu_db_new(const struct os *os);
void pmu_db_free(struct pmu_db *db);

/* The name for an attr that came without one ("cpu-clock", "L1-dcache-loads", "raw 0x1a8");
 * modifiers appended (":u"). */
void event_attr_name(const struct perf_event_attr *attr, struct str *out);
/* The attr as "evlist -v" prints it: "type: 1 (software), size: 136,
 * config: 0x0, ..."; is: what stands between a name and its value, ": " there. */
void event_attr_print(const struct perf_event_attr *attr, const char *is, struct str *out);
/* The names of the bits that are set, in their order; without precise_ip, which is a number. */
enum event_attr_word { EVENT_SAMPLE_TYPE, EVENT_READ_FORMAT, EVENT_FLAGS };
void event_attr_names(const struct perf_event_attr *attr, enum event_attr_word word,
		      void (*fn)(void *ctx, const char *name), void *ctx);
/* The same with the names that only the event knows: its tracepoint and its PMU. Prefer it. */
void event_print(const struct event *e, const char *is, struct str *out);

/* --- opening --- */
enum open_use { OPEN_COUNT, OPEN_SAMPLE };
struct open_policy {
	enum open_use use;
	const struct target *target;	/* resolved; tids and cpus as they will be opened */
	pid_t workload;			/* > 0: attach to it instead of target->tids */
	bool enable_on_exec;
	bool inherit;
	bool allow_fallback;		/* cycles -> cpu-clock, drop precise, exclude kernel */
	/* stat: mark and go on, unless nothing is left; record: error */
	bool skip_unsupported;
	/* OPEN_COUNT: the kernel ids too (OPEN_SAMPLE reads them always) */
	bool read_ids;
};
enum open_change_kind { OPEN_CHANGED_EVENT, OPEN_DROPPED_PRECISE, OPEN_EXCLUDED_KERNEL,
			OPEN_BROKE_GROUP, OPEN_UNSUPPORTED,
			OPEN_DROPPED_FLAG, OPEN_THREAD_GONE };
struct open_change {			/* what had to be changed to open */
	int event_index;
	enum open_change_kind what;
	char *detail;			/* a sentence for users; owned */
};
struct open_report { VEC(struct open_change) changes; };
void open_report_release(struct open_report *r);
/* Opens all events on all (thread, cpu) pairs; reads kernel ids; applies filters. The only open
 * loop. Failure: the advice for the errno (paranoid levels, mlock, fd limit, no hardware) as
 * message and hint. */
int event_list_open(struct event_list *l, const struct open_policy *p, struct os *os,
		    struct open_report *report,
		    struct err *err);
void event_list_close(struct event_list *l);
/* read(2) of the counter of thread t on CPU c (indexes of fds). -ENOENT: it is not open. */
int event_read(const struct event *e, int t, int c, struct event_count *out);
/* The kernel takes the events of a CPU away when it goes offline, and does not bring them back.
 * This opens those of the whole system (cgroups too) again on a CPU that is online; for OPEN_SAMPLE
 * also on one that was not in the list: it gets a column. They are not enabled yet. What was there
 * before is handed to the caller, who closes it when no ring refers to it; ids stay known. Counts
 * go on where they were. -ENOENT: nothing is to be opened there. On failure all is as it was. */
struct event_gone { const struct event *event; int fd; u64 id; };
typedef VEC(struct event_gone) event_gone_vec;
int event_list_reopen_cpu(struct event_list *l, int cpu, const struct open_policy *p, struct os *os,
			  event_gone_vec *gone,
			  struct err *err);
/* For another run with the same list: takes the descriptors whose close is slow (many
 * tracepoints) away, to be given to os_close_slow() at the end; closes the others. */
void event_list_detach_fds(struct event_list *l, int_vec *out);
int event_list_enable(struct event_list *l);
/* those that no exec of the workload enables */
int event_list_enable_rest(struct event_list *l);
/* those among the first n; failure: -errno */
int event_list_enable_first(struct event_list *l, size_t n);
int event_list_disable(struct event_list *l);
/* The side-band event (it is on while the others are off), or all others. Failure: -errno */
int event_list_switch(struct event_list *l, bool sideband, bool on);

#endif
