/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_PERF_SCRIPT_H
#define EXPORT_PERF_SCRIPT_H
/*
 * The text of "perf script": one line a sample, or a line and its frames. The layout is what
 * FlameGraph, inferno, speedscope, flamescope, Perfetto and the Firefox Profiler parse: first
 * character not blank with a chain, tab before each frame, the dso last in the line and without
 * blanks, an empty line after each chain.
 */
#include "util/analysis/annotate/blocks.h"
#include "util/base/vec.h"
#include "util/stream/sink.h"

enum script_field {
	SF_COMM = 1, SF_TID = 1 << 1, SF_PID = 1 << 2, SF_TIME = 1 << 3, SF_CPU = 1 << 4,
		SF_EVENT = 1 << 5, SF_TRACE = 1 << 6,
	SF_IP = 1 << 7, SF_SYM = 1 << 8, SF_DSO = 1 << 9, SF_DSOFF = 1 << 10, SF_ADDR = 1 << 11,
	SF_SYMOFF = 1 << 12,
	SF_SRCLINE = 1 << 13, SF_PERIOD = 1 << 14, SF_IREGS = 1 << 15, SF_UREGS = 1 << 16,
	SF_BRSTACK = 1 << 17,
	SF_BRSTACKSYM = 1 << 18, SF_FLAGS = 1 << 19, SF_DATA_SRC = 1 << 20, SF_WEIGHT = 1 << 21,
	SF_BPF_OUTPUT = 1 << 22,
	SF_PHYS_ADDR = 1 << 23, SF_MISC = 1 << 24, SF_TOD = 1 << 25, SF_DATA_PAGE_SIZE = 1 << 26,
	SF_CODE_PAGE_SIZE = 1 << 27,
	SF_INS_LAT = 1 << 28, SF_CGROUP = 1 << 29, SF_RETIRE_LAT = 1 << 30, SF_SYNTH = 1LL << 31,
	SF_BRSTACKOFF = 1LL << 32, SF_INSN = 1LL << 33, SF_INSNLEN = 1LL << 34,
	SF_DISASM = 1LL << 35, SF_BRSTACKINSN = 1LL << 36, SF_BRSTACKINSNLEN = 1LL << 37,
	SF_BRSTACKDISASM = 1LL << 38, SF_SRCCODE = 1LL << 39, SF_BRCNTR = 1LL << 40,
	SF_IPC = 1LL << 41, SF_CALLINDENT = 1LL << 42, SF_GUEST = 1LL << 43,
};
/* fields that need the code */
#define SF_BRANCH_CODE (SF_BRSTACKINSN | SF_BRSTACKINSNLEN | SF_BRSTACKDISASM)
#define SF_SAMPLE_CODE (SF_INSN | SF_INSNLEN | SF_DISASM)
#define SF_CODE (SF_BRANCH_CODE | SF_SAMPLE_CODE | SF_SRCCODE)

/* What -F chooses by: events have one of these. */
enum script_type { ST_HARDWARE, ST_SOFTWARE, ST_TRACE, ST_CACHE, ST_RAW, ST_BREAKPOINT, ST_OTHER,
		   ST_SYNTH, ST_NR };

struct script_fields {
	u64 set[ST_NR];
	/* an attribute that samples lack is an error, not left out silently */
	bool by_user[ST_NR];
	u64 added[ST_NR], removed[ST_NR];	/* named with +, - */
	bool traces;	/* the recording has some: their events have what others lack */
	bool overridden, changed;	/* -F list, -F +list seen */
};

void script_fields_init(struct script_fields *f);		/* the default layout */
/* "[type:]field,...", "+field", "-field". */
int script_fields_parse(struct script_fields *f, const char *text, struct err *err);
void script_fields_names(struct str *out);			/* "comm,tid,..." for the help */
/* Once the events are known: frames for those with chains, and fields that no sample can have. */
int script_fields_check(struct script_fields *f, const struct event_list *l, bool chains,
			bool cpu_filter, struct err *err);
enum script_type script_type_of(const struct event *e);

enum script_show {		/* records that are no samples */
	SHOW_TASK = 1, SHOW_MMAP = 2, SHOW_LOST = 4, SHOW_SWITCH = 8, SHOW_NAMESPACES = 16,
		SHOW_CGROUP = 32, SHOW_BPF = 64,
	SHOW_ROUND = 128, SHOW_TEXT_POKE = 256,
};

struct raw_dump;

struct script_opts {
	struct script_fields fields;
	unsigned show;			/* enum script_show */
	bool ns, deltatime, reltime, latency, hide_chain, full_source_path, swap, show_kernel_path;
	const char *stop_bt;		/* comma list of symbols at which a chain ends */
	const char *graph_function;
	u64 max_samples;		/* 0: all */
	int max_blocks;		/* of code that a branch stack tells of; 0: all */
	struct branch_counters counters;	/* that branch stacks have */
	/* the same moment on the wall clock and on the recording's */
	u64 tod_ns, tod_clock_ns;
	bool has_tod;
	bool trace_errors;		/* there may be such records, and they are shown */
	bool per_event;			/* a file per event: DATA.EVENT.dump */
	const char *data_path;		/* for those names */
	struct raw_dump *dump;	/* -D: each record is dumped too; NULL: none. Borrowed */
	void (*begin)(void);		/* before the first byte is written; or NULL */
};

/* "|OP LOAD|LVL L1 hit|..." and "   AX:0x1    BX:0x2 ", as the fields data_src and iregs have
 * them. */
void script_add_data_src(struct str *out, u64 v);
/* Of a branch in a trace (enum pt_flag): "bcyi"; "hw int". */
void script_add_flag_letters(struct str *out, u32 flags);
void script_add_flag_names(struct str *out, u32 flags);
void script_add_regs(struct str *out, const struct regs_view *r, const struct arch_info *arch);

struct script_sink;
/* opts and events are borrowed; text goes to fd. */
struct script_sink *script_sink_new(const struct script_opts *opts, const struct event_list *events,
				    struct machine *m, int fd);
struct sink *script_sink(struct script_sink *s);
/* Text that comes before the samples (the header). */
void script_sink_text(struct script_sink *s, const char *text, size_t n);
/* Writes out what there is so far. */
void script_sink_flush(struct script_sink *s);
/* Writes out what is left. per_event: one line about each file to log. -EPIPE: nobody reads any
 * more, which is no error. */
int script_sink_finish(struct script_sink *s, struct str *log, struct err *err);
u64 script_sink_samples(const struct script_sink *s);
void script_sink_free(struct script_sink *s);

#endif
