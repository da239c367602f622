/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_PERF_SCRIPT_PRIV_H
#define EXPORT_PERF_SCRIPT_PRIV_H
/*
 * Inside of perf script's text: lines and frames in perf-script.c, symbols, dsos and lines of the
 * source in perf-script-symbol.c, rare fields in perf-script-extra.c, code in perf-script-insn.c,
 * records that are no samples in perf-script-records.c.
 */
#include <pthread.h>

#include "util/analysis/annotate/listing.h"
#include "util/export/perf-script.h"
#include "util/wire/wire.h"

/* Appending without a check each time: the room is reserved once a line. */
static inline void put(struct str *s, const void *p, size_t n)
{
	memcpy(s->buf + s->len, p, n);
	s->len += n;
}

static inline void put_ch(struct str *s, char c)
{
	s->buf[s->len++] = c;
}

/* sym+off (dso) as the fields ask; the leading blank is part of it. */
void add_symbol(struct str *out, const struct script_opts *o, u64 fields, const struct location *l,
		bool offset);
/* " (dso)" alone */
void add_dso(struct str *out, const struct script_opts *o, u64 fields, const struct location *l);

void add_regs(struct str *out, const struct regs_view *r, const struct arch_info *arch);
void add_data_src(struct str *out, u64 v);
void add_page_size(struct str *out, u64 bytes);
void add_branches(struct str *out, const struct script_opts *o, u64 fields, const struct sample *s,
		  const struct resolved *r);

/* What the fields of code need from one sample to the next. One owner. */
struct source_shown { const char *file; u32 line; };
struct script_code {
	const struct arch_info *arch;
	struct branch_counters counters;
	struct disasm *disasm;			/* NULL: not needed so far */
	struct source_files sources;
	VEC(struct source_shown) shown;		/* the last line, by thread->index */
	u8 buf[16384];
};
void script_code_release(struct script_code *c);
/* Blocks of code: lines behind that of the sample. */
void add_branch_code(struct str *out, const struct script_opts *o, u64 fields,
		     const struct sample *s, const struct resolved *r, struct script_code *c);
/* " ilen: 2 insn: 74 08" */
void add_sample_insn(struct str *out, u64 fields, const struct resolved *r, struct script_code *c);
/* A line of the source, if it is not the one that this thread had last. */
void script_add_source(struct str *out, struct script_code *c, const struct location *l,
		       const struct thread *t);
/* "file.c:12" */
void script_add_srcline(struct str *out, const struct script_opts *o, const struct location *l);
/* What the letters of a branch's counters stand for. */
void add_counter_letters(struct str *out, const struct branch_counters *c);

/* Of a trace: t may be NULL. */
void add_trace_flags(struct str *out, const struct wire_synth *t);
/* The name of what is called, as deep as its calls; with the dso in front where no address says
 * it. spacing: 0 at first. */
void add_call(struct str *out, u64 fields, const struct sample *s, const struct resolved *r,
	      size_t *spacing);
/* --graph-function: what runs in these functions and in those that they call. One owner, in the
 * order of time. */
struct call_graph;
struct call_graph *call_graph_new(const char *list);	/* comma list; NULL: NULL */
void call_graph_free(struct call_graph *g);
/* Whether this sample is to be shown. */
bool call_graph_has(struct call_graph *g, const struct sample *s, const struct resolved *r);
void add_ipc(struct str *out, const struct wire_synth *t);
void add_synth(struct str *out, const struct sample *s);
/* All of the line but its end. */
void add_trace_error(struct str *out, const struct perf_event_header *rec);

void add_tod(struct str *out, const struct script_opts *o, u64 time_ns);
const char *misc_text(u32 type, u16 misc);

/* The text of a record after its start; false: not one that is shown. */
bool add_record(struct str *out, const struct perf_event_header *rec, u16 misc);
bool is_shown(unsigned show, u32 type);
/* Whose record it is: the task whose name stands in front. Left alone when the sample id tells. */
void record_task(const struct perf_event_header *rec, u32 *pid, u32 *tid);

#endif
