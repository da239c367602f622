/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_HIST_KEYS_H
#define ANALYSIS_HIST_KEYS_H
/*
 * Columns of a histogram. A key column turns a sample (or a frame of its chain) into one word:
 * equal words, equal keys. A value column shows a number of the row. Both are table entries; a list
 * of them is parsed from --sort and --fields.
 */
#include <stdatomic.h>

#include "util/base/arena.h"
#include "util/base/err.h"
#include "util/base/table.h"
#include "util/event/per-event.h"
#include "util/stream/sink.h"

/* may lie wherever a u64 may */
typedef unsigned __int128 u128 __attribute__((aligned(8)));

/* A frame's identity as rows and chains show it, interned: equal frames, equal pointers. */
struct hist_sym {
	const struct dso *dso;		/* NULL: not mapped */
	const struct symbol *sym;	/* NULL: unknown, or inlined */
	const char *name;		/* interned; NULL: unknown */
	bool inlined;
	u8 cpumode;
	char level;			/* 'k', '.', ... */
	/* unknown frames of chains, and with keys by address; else 0 */
	u64 rva;
	u64 va;				/* run-time address of such a frame (the lowest seen) */
};

/* What a sample weighs: its period, or its event's; 1: unknown. */
u64 hist_period(const struct sample *s);
char hist_level(u8 cpumode);	/* 'k', '.', ...: of code */
bool hist_is_jit(const struct dso *d);	/* code that a JIT compiler made; NULL: no */

struct access_finder;
struct function_ipcs;
struct hist_row;
struct hist_keys;
struct key_def;

/* the field of that name in each event: a struct tp_field pointer, or NULL */
struct key_fields {
	struct per_event of;
	char *event, *name;		/* event NULL: of any */
};

struct key {				/* a column in use */
	const struct key_def *def;
	char *title;			/* owned; NULL: of the def */
	char *arg;			/* tracepoint field */
	struct key_fields *fields;	/* of tracepoints; owned */
	struct function_ipcs *ipcs;	/* of ipc_lbr: hist_keys_set_ipcs() */
	u16 width;			/* least; 0: of the def */
	u8 decimals;			/* of text; 0: of the def */
	bool elided;			/* one value only ("# comm: x"): not shown */
	bool raw;
};

#define KEY_OF_HISTORY 255

enum key_level { KEY_VALUE, KEY_SAMPLE, KEY_FRAME };

struct key_ctx {			/* what words are made of */
	struct hist_keys *keys;
	struct machine *machine;
	bool swap;
	const struct sink_item *item;
	const struct location *loc;	/* the leaf, or a frame */
	const struct hist_sym *sym;	/* its identity */
	const struct symbol *parent;	/* the frame that --parent matches, or NULL */
	size_t branch;			/* index of the branch entry, with branch keys */
	u32 n_running;			/* threads at the time, with needs_running; else 1 */
};

struct row_values {			/* what value columns show */
	const struct hist_row *row;
	u64 total;			/* what 100 % is */
	u128 latency_total;		/* and that of latencies */
};

struct key_def {
	const char *name;		/* as in --sort */
	const char *title;
	enum key_level level;
	u64 (*word)(const struct key_ctx *c, const struct key *k);
	/* Order of rows that are equal otherwise, ascending; NULL: by the word as u64. */
	int (*cmp)(u64 a, u64 b);
	void (*cell)(const struct key *k, u64 word, struct table *t, struct cell *out);
	/* value columns */
	double (*value)(const struct row_values *v);	/* for sorting; larger first */
	void (*value_cell)(const struct row_values *v, struct cell *out);
	u16 width;			/* fixed or least */
	u16 form;			/* enum column_form */
	u8 decimals;			/* of text; 0: 2 */
	const char *none;		/* what text has where there is no value */
	bool fixed, right, trim;
	bool needs_addr, needs_branch, needs_extra;
	bool deep_first;		/* rows with equal values: deeper chains first */
	bool is_thread;			/* its words are struct thread pointers */
	bool needs_line;		/* of inlined frames */
	bool times_samples;		/* a number of each sample: shown is the sum of them */
	bool needs_running;		/* how many threads ran at a time */
	/* KEY_OF_HISTORY: of branches in call chains; else not 0: a column for each class of
	 * accesses to memory, enum share_part plus one */
	u8 special;
	const char *alias;
};

struct hist_keys {
	VEC(struct key) cols;		/* in the order of display */
	VEC(u16) sort;			/* rows are ordered by these columns */
	struct intern *names;		/* texts of words; any thread */
	const struct event_list *events;
	u64 time_quantum_ns;
	u64 time_from_ns;		/* where the first slice of "time" begins; its word is 0 */
	void *parent_re;		/* regex_t, compiled; NULL: not asked for */
	/* n_sockets entries, -1: unknown; borrowed, set by the user of the keys */
	const int *socket_of_cpu;
	unsigned n_sockets;
	const char *kernel_name;	/* shown for the kernel's image; NULL: as it is called */
	bool full_source_path, raw_trace, verbose;
	bool branch_mode;		/* rows are of branches, not of samples */
	bool mem_mode;			/* samples count as their weights, not their periods */
	unsigned n_sample_keys, n_frame_keys;
	_Atomic(struct access_finder *) types;	/* owned; NULL until a column asks */
};

/* What was asked for; NULL: default. */
struct keys_spec {
	const char *sort, *fields;
	bool children, show_n, show_period, show_cpu_util, branch_mode, mem_mode;
	/* The recording has branch stacks: functions, asked for as "symbol", have a column of their
	 * instructions a cycle. */
	bool ipc;
	bool running;			/* how many threads ran at a time is, or can be, known */
	bool branch_history;		/* call chains have ends of branches */
	bool latency;			/* latencies beside the overheads */
	bool latency_first;		/* before them: rows are ordered by latency */
	bool x86;			/* the third weight is the latency of retiring */
	const char *parent;
	bool only_parents;		/* parent is needed, if only for the filter */
	u64 time_quantum_ns, time_from_ns;
	bool full_source_path, raw_trace, verbose;
	bool ns;			/* times in ns, not in us */
	const char *kernel_name;	/* see struct hist_keys */
};
/* where no parent is given: upstream's, of old kernels */
#define HIST_DEFAULT_PARENT "^sys_|^do_page_fault"
/* Unknown names are -EINVAL with all names as hint. */
int hist_keys_init(struct hist_keys *k, const struct keys_spec *spec,
		   const struct event_list *events, struct err *err);
void hist_keys_release(struct hist_keys *k);
/* The sort keys, as they were asked for, or the default ones; nothing where columns are listed. */
void hist_keys_list(const struct keys_spec *spec, const struct event_list *events, struct str *out);
/* The names that --sort and --fields take, from i = 0 on; NULL: there are no more. */
const char *hist_key_name(size_t i);
const struct key *hist_keys_find(const struct hist_keys *k, const char *name);
/* What the column ipc_lbr has, before it is shown; borrowed, NULL: nothing is known. */
void hist_keys_set_ipcs(struct hist_keys *k, struct function_ipcs *ipcs);
/* The column is not shown, because a filter leaves one value. */
void hist_keys_elide(struct hist_keys *k, const char *name);
int hist_socket(const struct hist_keys *k, const struct sample *s);	/* -1: unknown */
/* Its column of a table; what it is called is borrowed. */
struct column *hist_add_column(const struct key *k, struct table *t);
const char *hist_loc_name(const struct hist_sym *s);	/* of a frame; "[unknown]" ... */
const char *hist_loc_dso(const struct hist_sym *s);	/* its file's short name */

#endif
