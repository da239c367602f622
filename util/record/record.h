/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H
/*
 * The recording session: settings -> attrs -> open events -> rings -> perf.data. Bytes go from the
 * rings to the file as they are; only headers are walked (samples and losses are counted, mappings
 * noted for their build-ids), unless stacks are unwound while recording. Nothing is printed here:
 * what a user must know at once goes to the listener, the rest is in struct record_result.
 */
#include "util/base/windows.h"
#include "util/data/writer.h"
#include "util/event/event.h"
#include "util/os/target.h"
#include "util/record/affinity.h"
#include "util/record/threads.h"
#include "util/symbols/dso.h"

enum record_callgraph { RECORD_CHAIN_NONE, RECORD_CHAIN_FP, RECORD_CHAIN_DWARF, RECORD_CHAIN_LBR,
			RECORD_CHAIN_AUTO };
enum record_say { RECORD_INFO, RECORD_WARNING };

/* how often, and what a sample holds */
struct record_sampling {
	u64 freq_hz, period;		/* both 0: 4000 Hz */
	bool freq_max, strict_freq;
	bool no_samples;
	bool addr, data_src, phys_addr, data_page, code_page, period_field, raw, weight,
	     transaction, sample_cpu, identifier;
	bool no_time;			/* samples have none, unless the event says so */
	u64 user_regs, intr_regs;	/* masks of perf's register numbers */
	u64 branch_type;		/* PERF_SAMPLE_BRANCH_*, 0: none */
	bool for_filters;		/* whatever their filters read; else that is an error */
	bool stat, running_time;
	int clockid;			/* RECORD_NO_CLOCKID: the default clock of perf */
};

/* call chains, and who makes them of stacks */
struct record_stacks {
	enum record_callgraph callgraph;
	bool by_default;		/* auto, because nobody said how */
	u32 dump_bytes;			/* dwarf: bytes of stack in a sample */
	bool dump_given;		/* nobody else chooses it */
	/* auto, by record_choose_stacks(): why frame pointers only are followed; NULL: stacks are
	 * unwound while recording */
	const char *only_fp;
	/* dwarf: stacks stay in the file as they are, nothing is unwound */
	bool raw_dumps;
	/* NULL, "auto": a program in the kernel, or "cfi" where that cannot be; "bpf": or it is
	 * an error */
	const char *unwind_engine;
	bool compare_unwinding;		/* both ways for each stack; the file has the recorder's */
	bool user_callchains, kernel_callchains;	/* only that part */
	/* fp: the user part comes later, in a record of its own, where the kernel can */
	bool deferred;
	struct symbols_opts symbols;	/* for unwinding while recording */
};

/* what the file says of tasks, files and the system */
struct record_sideband {
	bool namespaces, all_cgroups, switch_events, data_mmap, no_bpf_event, buildid_mmap;
	bool no_synth_tasks, no_synth_maps, no_synth_cgroups, tail_synth;
	int proc_map_timeout_ms;
};

/* of what is watched, which part */
struct record_scope {
	bool all_kernel, all_user;
	bool no_inherit;
	bool exclude_perf;
};

struct record_buffers {
	unsigned ring_pages;		/* per ring; 0: as large as useful and allowed */
	u64 most_bytes;			/* live, and no ring_pages: at most this a ring; 0: any */
	u64 flush_bytes;		/* a ring with fewer bytes is left alone until the end */
	bool no_buffering, overwrite;
	enum record_affinity affinity;	/* of who reads them; not while stacks are unwound */
	int rt_prio;			/* SCHED_FIFO priority of the recorder; 0: leave it */
};

struct record_when {
	window_vec windows;		/* -D; empty: at once */
	bool start_disabled;		/* -D -1 */
	const char *control;		/* "fd:3,4" or "fifo:path,path" */
	struct event_list *switch_events;	/* begin a new file; NULL: none do. Borrowed */
};

struct record_output {
	const char *path;		/* NULL: perf.data; "-": stdout in pipe mode */
	bool in_dir;			/* path is DIR/data: what threads read lies beside it */
	int comp_level;
	bool no_buildid;
	bool no_buildid_cache;		/* files that were hit are not kept in the build-id cache */
	bool timestamp_filename;
	bool switch_on_signal;		/* SIGUSR2 */
	u64 switch_bytes, switch_ns;	/* 0: no */
	int switch_max_files;		/* 0: all are kept */
	u64 max_bytes;			/* 0: no limit */
	/* with overwrite: each file has at most the last so many ns, and at the end none is
	 * written when the command has ended well; 0: no */
	u64 flight_ns;

	const char *chains;		/* for the CALL_CHAINS feature; NULL: it has none */
	/* of what is kept in the build-id cache: servers that are asked for debug files (NULL:
	 * none), and who hears of it (symbols_opts) */
	const char *debuginfod_urls;
	void (*fetching)(const struct fetch_state *st);
	const char *vmlinux;		/* the kernel's file, kept there; NULL: none */

	const char *version;		/* of this program, for the VERSION feature */
	int argc;			/* of the whole command line, for the CMDLINE feature */
	const char *const *argv;
};

/* the time that threads are blocked, as samples of an event of its own (off-time.h) */
struct record_off_cpu {
	bool on;
	u64 thresh_ns;			/* blocks that are as long are samples of their own */
};
#define RECORD_OFF_CPU_THRESH_NS (500 * 1000000ULL)

/* memory that programs allocate, as samples of events of their own (heap.h) */
struct record_heap {
	u64 period;			/* bytes; 0: no */
	int way;			/* enum heapprog_way */
	const char *libraries;		/* of files to probe from the beginning; NULL: none */
};
#define RECORD_HEAP_PERIOD (512u << 10)

/* who gets what a user must know at once; fn NULL: nobody */
struct record_listener {
	void (*fn)(void *ctx, enum record_say kind, const char *text);
	void *ctx;
};

struct record_opts {
	struct target target;		/* resolved by record_run() */
	struct record_sampling sampling;
	struct record_stacks stacks;
	struct record_sideband sideband;
	struct record_scope scope;
	struct record_buffers buffers;
	struct record_threads threads;	/* released by the caller */
	struct record_when when;
	struct record_output output;
	struct record_off_cpu off_cpu;
	struct record_heap heap;
	struct record_listener listener;
};
#define RECORD_NO_CLOCKID (-1)
#define RECORD_DEFAULT_HZ 4000
#define RECORD_DEFAULT_DUMP 8192	/* the least of those that are unwound while recording */
#define RECORD_MAX_DUMP 65528

/* what became of stacks that were to be unwound while recording */
struct record_unwound {
	/* by enum unwind_end; those of UNWIND_NO_BINARY are kept as copies */
	u64 ended[16];
	bool in_kernel;
	u64 kernel_reason[16];		/* then, samples by enum stackrec_reason */
	/* chains that a mapping over their code made doubtful: cut */
	u64 kernel_cut;
	/* BPF programs or maps that came, so that the kernel may have dropped samples; NULL:
	 * none */
	const char *bpf_others;
	/* for so long before the program in the kernel was stopped, at most */
	u64 bpf_others_ns;
	bool bpf_inherited;		/* in tasks that had been started by then, to the end */
	u64 kernel_equal, kernel_other, kernel_longer;	/* of those that were compared */
	/* owned: the first file that could not be read for it, NULL: none */
	char *unread_file, *unread_reason;
	/* FORK records, and tasks known at the end; those that had ended are forgotten */
	u64 n_tasks_seen, n_tasks_kept;
};

/* what was seen of heaps; all of it, not only what was sampled */
struct record_heap_result {
	u64 n_allocs, bytes, n_frees;
	u64 n_lost, n_full;		/* samples: by the ring, by the table of live pieces */
	u64 n_uncounted;		/* calls */
	u64 n_probed;			/* files, by process */
	int way;			/* enum heapprog_way, not AUTO */
	char *failure;			/* owned: of a file that could not be probed; NULL: none */
	u64 n_late;			/* files, by process, that were mapped later */
	char *late;			/* owned: the first; NULL: none */
};

struct record_result {
	u64 n_wakeups;
	u64 bytes;			/* data written to the last file */
	u64 unpacked_bytes;		/* the same before compression */
	u64 n_samples;
	u64 n_lost_records;		/* LOST records: times that a ring was full */
	u64 n_lost;			/* what was lost, as the kernel counts it */
	u64 n_dropped;			/* samples, by filters */
	struct record_unwound unwound;
	char *chains;			/* owned: who makes call chains by "auto"; NULL: nobody */
	struct record_heap_result heap;
	u64 n_blocks_lost, blocks_lost_ns;	/* of --off-cpu; ns: as far as it is known */
	u64 n_maps_timeouts;
	pid_t maps_timeout_pid;
	bool kernel_hidden;		/* kernel addresses cannot be read */
	bool size_limit;		/* ended by max_bytes */
	bool flight_over;		/* the last file was not written: flight_ns */
	u64 ring_bytes;
	int n_files;
	char *last_file;		/* owned */
	int signal;			/* that ended it, 0: none */
	int exit_code;			/* of the workload */
	struct open_report opened;	/* what had to be changed to open the events */
};

struct record_session;

/* With -u: all tasks are watched through a BPF program that knows that user's (before
 * record_configure()). Where that cannot be, reason says why, and target_resolve() takes the
 * processes that there are. An unknown user is an error. */
int record_watch_user(const struct event_list *list, struct record_opts *o, struct err *reason,
		      struct err *err);

/* Completes the attrs of the events in list (which may be empty: the default event is added) and
 * adds the side-band event where one is needed. Pure: reads only limits through os. */
int record_configure(struct event_list *list, const struct record_opts *o, const struct os *os,
		     struct err *err);

/* DWARF stacks go to the file as they are: it was asked for, or something else that was does not
 * go together with unwinding while recording (registers must reach the file; mappings must be known
 * before the first sample comes). */
bool record_keeps_stacks(const struct record_opts *o);

/* Before record_configure(): how "auto" makes call chains here, and how much of each stack is
 * copied where nothing says so. */
void record_choose_stacks(struct record_opts *o, const struct event_list *l,
			  const struct os *os);
/* Where the kernel's addresses are hidden: what that does to samples of these events, with what
 * helps. NULL: nothing, as none is of the kernel. The caller frees. */
char *record_hidden_text(const struct os *os, const struct event_list *l);
/* About how much goes into one file; 0: no limit. */
u64 record_file_bytes(const struct record_output *o);

/* Stacks are to be unwound at the sample where that is possible. */
bool record_unwinds_in_kernel(const struct record_stacks *o);

/* Everything once: resolve the target, hold the workload (argv NULL: none), open, record until
 * it ends, write the features. On failure before the first byte no file is left. res is to be
 * released in any case. */
int record_run(struct event_list *list, struct record_opts *o, const char *const *workload_argv,
	       struct os *os,
	       struct record_result *res, struct err *err);
void record_result_release(struct record_result *res);

/* "4000", "max" of -F. */
int record_parse_freq(struct record_sampling *o, const char *text, const struct os *os,
		      struct err *err);
/* "100000" of -c; NULL: none. */
int record_parse_period(struct record_sampling *o, const char *text, struct err *err);
/* The kernel allows fewer samples a second than are asked for: from now on so many are. */
bool record_limit_freq(struct record_sampling *o, const struct os *os);
/* "512" pages, or "16M" bytes of -m; the kernel takes powers of two. */
int record_parse_pages(struct record_buffers *o, const char *text, const struct os *os,
		       struct err *err);
/* "10-20,30-40", "100", "-1" (in ms). */
int record_parse_delay(struct record_when *o, const char *text, struct err *err);
/* "any_call,u" and the like of -j. */
int record_parse_branch(const char *text, u64 *mask, struct err *err);
/* The words that -j and --clockid take, from i = 0 on; NULL: there are no more. */
const char *record_branch_word(size_t i);
const char *record_clock_word(size_t i);
/* "ax,bx" of --user-regs and --intr-regs by the host's names; NULL: all. */
int record_parse_regs(const char *text, u64 *mask, struct err *err);
/* "mono", "CLOCK_MONOTONIC", "1". */
int record_parse_clockid(const char *text, int *clockid, struct err *err);
/* "500", "2s" of --off-cpu, which it turns on; NULL: the threshold stays. */
int record_parse_off_cpu(struct record_off_cpu *o, const char *text, struct err *err);
/* "512K", "1": bytes that heaps are sampled by, which it turns on. */
int record_parse_heap_period(struct record_heap *o, const char *text, struct err *err);
/* "dwarf,4096,raw", "fp", "lbr", "auto". */
int record_parse_callgraph(struct record_stacks *o, const char *text, struct err *err);

#endif
