// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The key columns of samples and frames. To add one: a word function (equal words, equal keys), its
 * order, its cell, and a line in the table at the end.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/analysis/hist/keys-priv.h"
#include "util/base/hash.h"
#include "util/base/num.h"
#include "util/event/tracepoint.h"
#include "util/stream/frame.h"

static u64 word_ptr(const void *p) { return (uintptr_t)p; }
static const char *text_of(u64 word) { return (const char *)(uintptr_t)word; }
static u64 name_word(const struct key_ctx *c, const char *s)
{
	return s ? word_ptr(intern_str(c->keys->names, s)) : 0;
}

/* Texts; what is unknown comes last. */
int key_cmp_text(u64 a, u64 b)
{
	if (a == b)
		return 0;
	if (!a || !b)
		return a ? -1 : 1;
	return strcmp(text_of(a), text_of(b));
}

static int cmp_desc(u64 a, u64 b) { return a > b ? -1 : a < b; }

void key_cell_text(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	(void)k, (void)t;
	*out = cell_text(w ? text_of(w) : "");
}

static void cell_na(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	(void)k, (void)t;
	*out = cell_text(w ? text_of(w) : "N/A");
}

static void cell_unknown(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	(void)k, (void)t;
	*out = cell_text(w ? text_of(w) : "[unknown]");
}

static void key_cell_number(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	(void)k, (void)t;
	*out = cell_count(w);
}

static void key_cell_addr(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	(void)k, (void)t;
	*out = cell_addr(w);
}

/* ---- of the task ---- */

static u64 comm_word(const struct key_ctx *c, const struct key *k)
{
	(void)k;
	return word_ptr(c->item->res->comm ? c->item->res->comm->name : NULL);
}

static u64 comm_nodigit_word(const struct key_ctx *c, const struct key *k)
{
	const char *p = c->item->res->comm ? c->item->res->comm->name : NULL;
	struct str s = STR_INIT;
	u64 w;

	(void)k;
	for (; p && *p; p++) {
		if (!isdigit((unsigned char)*p)) {
			str_addch(&s, *p);
			continue;
		}
		str_add(&s, "<N>");
		while (isdigit((unsigned char)p[1]))
			p++;
	}
	w = name_word(c, str_cstr(&s));
	str_release(&s);
	return w;
}

static u64 thread_word(const struct key_ctx *c, const struct key *k)
{
	(void)k;
	return word_ptr(c->item->res->thread);
}

static int cmp_thread(u64 a, u64 b)
{
	const struct thread *x = (void *)(uintptr_t)a, *y = (void *)(uintptr_t)b;

	if (!x || !y)
		return x ? -1 : y ? 1 : 0;
	return x->tid != y->tid ? (x->tid < y->tid ? -1 : 1) : x->index - y->index;
}

static void cell_thread(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	const struct thread *th = (void *)(uintptr_t)w;
	const struct comm *comm = th ? thread_comm_at(th, UINT64_MAX) : NULL;

	(void)k, (void)t;
	*out = (struct cell){ .kind = CELL_TASK, .text = comm ? comm->name : "[unknown]" };
	out->u = th ? th->tid : 0;
}

static u64 leader_word(const struct key_ctx *c, const struct key *k)
{
	const struct thread *th = c->item->res->thread;

	(void)k;
	if (th && c->machine && th->pid != th->tid) {
		struct thread *l = machine_thread_at(c->machine, th->pid, th->pid,
						     c->item->sample->time_ns);

		if (l)
			th = l;
	}
	return word_ptr(th);
}

static void cell_leader(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	const struct thread *th = (void *)(uintptr_t)w;

	cell_thread(k, w, t, out);
	out->u = th ? th->pid : 0;
}

static u64 cpu_word(const struct key_ctx *c, const struct key *k)
{
	(void)k;
	return c->item->sample->present & PERF_SAMPLE_CPU ? c->item->sample->cpu : UINT32_MAX;
}

static int cmp_signed(u64 a, u64 b) { return (s64)a < (s64)b ? -1 : (s64)a > (s64)b; }
static int cmp_s32(u64 a, u64 b) { return (s32)a < (s32)b ? -1 : (s32)a > (s32)b; }

/* -1: the recording does not tell. */
static void cell_cpu(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	(void)k, (void)t;
	*out = (s32)w < 0 ? (struct cell){ .kind = CELL_NONE } : cell_int((s32)w);
}

static u64 running_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	return c->n_running;
}

int hist_socket(const struct hist_keys *k, const struct sample *s)
{
	if (!(s->present & PERF_SAMPLE_CPU) || s->cpu >= k->n_sockets)
		return -1;
	return k->socket_of_cpu[s->cpu];
}

static u64 socket_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	return (u32)hist_socket(c->keys, c->item->sample);
}

static u64 parent_word(const struct key_ctx *c, const struct key *k)
{
	(void)k;
	return c->parent ? name_word(c, c->parent->name) : 0;
}

static void cell_parent(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	(void)k, (void)t;
	*out = cell_text(w ? text_of(w) : "[other]");
}

static u64 cgroup_word(const struct key_ctx *c, const struct key *k)
{
	const struct sample *s = c->item->sample;

	(void)k;
	return s->present & PERF_SAMPLE_CGROUP && c->machine ?
		name_word(c, machine_cgroup(c->machine, s->cgroup)) : 0;
}

/* As --namespaces tells it; 0/0x0: it does not. */
static u64 cgroup_id_word(const struct key_ctx *c, const struct key *k)
{
	u64 dev = 0, ino = 0;
	char text[64];

	(void)k;
	if (c->item->res->thread)
		thread_cgroup_ns_at(c->item->res->thread, c->item->sample->time_ns, &dev, &ino);
	snprintf(text, sizeof(text), "%llu/%#llx", (unsigned long long)dev,
		 (unsigned long long)ino);
	return name_word(c, ino ? text : "0/0x0");
}

static u64 time_word(const struct key_ctx *c, const struct key *k)
{
	u64 q = c->keys->time_quantum_ns ? c->keys->time_quantum_ns : 100000000;

	(void)k;
	const u64 from = c->keys->time_from_ns, t = c->item->sample->time_ns;

	return t > from ? (t - from) / q * q : 0;
}

static void cell_time(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	(void)k, (void)t;
	*out = cell_ns(w);
}

static u64 weight_word(const struct key_ctx *c,
		       const struct key *k) { (void)k; return c->item->sample->weight; }
static u64 ins_lat_word(const struct key_ctx *c,
			const struct key *k) { (void)k; return c->item->sample->ins_lat; }
static u64 pstage_word(const struct key_ctx *c,
		       const struct key *k) { (void)k; return c->item->sample->p_stage_cyc; }
static u64 code_page_word(const struct key_ctx *c, const struct key *k)
{
	(void)k;
	return c->item->sample->code_page_bytes;
}

void key_cell_page(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	(void)k, (void)t;
	*out = w ? cell_bytes(w) : (struct cell){ .kind = CELL_NONE };
}

static u64 trans_word(const struct key_ctx *c,
		      const struct key *k) { (void)k; return c->item->sample->transaction; }

static void cell_trans(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	static const struct { u64 bit; const char *name; } bits[] = {
		{ PERF_TXN_ELISION, "EL " }, { PERF_TXN_TRANSACTION, "TX " },
			{ PERF_TXN_SYNC, "SYNC " },
		{ PERF_TXN_ASYNC, "ASYNC " }, { PERF_TXN_RETRY, "RETRY " },
		{ PERF_TXN_CONFLICT, "CON " },
		{ PERF_TXN_CAPACITY_WRITE, "CAP-WRITE " }, { PERF_TXN_CAPACITY_READ, "CAP-READ " },
	};
	struct str s = STR_INIT;

	(void)k;
	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		if (w & bits[i].bit)
			str_add(&s, bits[i].name);
	if (w & PERF_TXN_ABORT_MASK)
		str_addf(&s, ":%llx", (unsigned long long)
			 ((w & PERF_TXN_ABORT_MASK) >> PERF_TXN_ABORT_SHIFT));
	*out = cell_text(table_text(t, str_cstr(&s)));
	str_release(&s);
}

static u64 no_word(const struct key_ctx *c UNUSED, const struct key *k UNUSED) { return 0; }

/* ---- tracepoints ---- */

/* The fields without their print format: " name=value". */
static void raw_fields(const struct key_ctx *c, const struct tp_format *f, struct str *s)
{
	for (size_t i = 0; i < tp_n_fields(f); i++) {
		const struct tp_field *fd = tp_field_at(f, i);
		size_t len;

		if (str_has_prefix(fd->name, "common_"))
			continue;
		if (fd->is_string) {
			const char *v = tp_read_str(fd, c->item->sample->raw, c->swap, &len);

			str_addf(s, " %s=%.*s", fd->name, (int)(v ? len : 0), v ? v : "");
		} else {
			u64 v = tp_read_u64(fd, c->item->sample->raw, c->swap);

			str_addf(s, fd->is_signed ? " %s=%lld" : " %s=%llu", fd->name,
				 (unsigned long long)v);
		}
	}
}

static u64 trace_word(const struct key_ctx *c, const struct key *k)
{
	const struct sample *sm = c->item->sample;
	const struct tp_format *f = sm->event ? sm->event->format : NULL;
	struct str s = STR_INIT;
	u64 w;

	(void)k;
	if (!f)
		return 0;
	if (c->keys->raw_trace)
		raw_fields(c, f, &s);
	else
		tp_print(f, sm->raw, c->swap, sm->cpu, sm->time_ns, &s);
	w = name_word(c, str_cstr(&s));
	str_release(&s);
	return w;
}

/* A field: its text is interned, numbers are turned into text too (several events may give
 * several types). */
u64 key_field_word(const struct key_ctx *c, const struct key *k)
{
	const struct sample *sm = c->item->sample;
	const struct tp_field *const *at = sm->event && k->fields ?
		per_event(&k->fields->of, sm->event) : NULL;
	const struct tp_field *f = at ? *at : NULL;
	struct str s = STR_INIT;
	u64 w;

	if (!f)
		return 0;
	if (f->is_string) {
		size_t len;
		const char *v = tp_read_str(f, sm->raw, c->swap, &len);

		str_addn(&s, v ? v : "", v ? len : 0);
	} else {
		u64 v = tp_read_u64(f, sm->raw, c->swap);

		str_addf(&s, k->raw && !f->is_signed ? "%#llx" : f->is_pointer ? "%#llx" :
			 f->is_signed ? "%lld" : "%llu",
			 (unsigned long long)v);
	}
	w = name_word(c, str_cstr(&s));
	str_release(&s);
	return w;
}

/* Whether all events that have the field have a number there. */
static bool field_is_number(const struct key *k)
{
	for (size_t i = 0; i < k->fields->of.n; i++) {
		const struct tp_field *const *f = per_event_at(&k->fields->of, i);

		if (f && *f && (*f)->is_string)
			return false;
	}
	return true;
}

void key_cell_field(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	const char *text = w ? text_of(w) : "";
	char *end;

	key_cell_text(k, w, t, out);
	if (!*text || !field_is_number(k))
		return;
	errno = 0;
	if (*text == '-')
		*out = cell_int(strtoll(text, &end, 10));
	else
		*out = cell_addr(strtoull(text, &end, 0));
	if (*end || errno)
		key_cell_text(k, w, t, out);
	else
		out->text = text;
}

/* ---- of the frame ---- */

static u64 dso_word(const struct key_ctx *c, const struct key *k)
{
	const struct dso *dso = c->loc->dso;

	(void)k;
	if (dso && dso->kind == DSO_KERNEL && c->keys->kernel_name && !c->keys->verbose)
		return name_word(c, c->keys->kernel_name);
	return dso ? name_word(c, c->keys->verbose ? dso->path : dso->short_name) : 0;
}

static u64 sym_word(const struct key_ctx *c, const struct key *k)
{
	(void)k;
	return word_ptr(c->sym);
}

static int key_cmp_sym(u64 a, u64 b)
{
	const struct hist_sym *x = (void *)(uintptr_t)a, *y = (void *)(uintptr_t)b;
	int c;

	if (x == y)
		return 0;
	if (!x || !y)
		return x ? -1 : 1;
	if (!x->name || !y->name) {
		if (x->name || y->name)
			return x->name ? -1 : 1;
		c = 0;
	} else {
		c = strcmp(x->name, y->name);
	}
	if (!c && x->dso != y->dso)
		c = !x->dso ? 1 : !y->dso ? -1 : x->dso->index - y->dso->index;
	if (!c && x->sym && y->sym && x->sym->start_rva != y->sym->start_rva)
		c = x->sym->start_rva < y->sym->start_rva ? -1 : 1;
	if (!c)
		c = (int)x->inlined - y->inlined;
	return c ? c : x->level - y->level;
}

static void cell_sym(const struct key *k, u64 w, struct table *t, struct cell *out)
{
	const struct hist_sym *s = (void *)(uintptr_t)w;

	(void)k, (void)t;
	*out = (struct cell){ .kind = CELL_SYM };
	out->level = s ? s->level : '.';
	out->suffix_inlined = s && s->inlined;
	if (s && !s->name && s->dso) {
		struct str text = STR_INIT;

		str_addf(&text, "[unknown in %s]", s->dso->short_name);
		out->text = table_text(t, str_cstr(&text));
		str_release(&text);
		out->reason = frame_unnamed_text(frame_unnamed_in((struct dso *)s->dso));
	} else {
		out->text = s ? hist_loc_name(s) : "[unknown]";
		if (!s || !s->name)
			out->reason = frame_unnamed_text(FRAME_UNMAPPED);
	}
}

static u64 sym_size_word(const struct key_ctx *c, const struct key *k)
{
	(void)k;
	return c->loc->sym && !c->loc->inl ? c->loc->sym->end_rva - c->loc->sym->start_rva : 0;
}

static u64 dso_size_word(const struct key_ctx *c, const struct key *k)
{
	(void)k;
	return c->loc->map ? c->loc->map->end_va - c->loc->map->start_va : 0;
}

static bool line_of(const struct key_ctx *c, struct srcline *at)
{
	if (c->loc->inl) {
		*at = c->loc->inl->at;
		return at->file != NULL;
	}
	return c->loc->dso && dso_srcline(c->loc->dso, c->loc->rva, at) && at->file;
}

static const char *file_of(const struct key_ctx *c, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && !c->keys->full_source_path ? slash + 1 : path;
}

static u64 srcline_word(const struct key_ctx *c, const struct key *k)
{
	const struct symbol *sym = c->loc->sym;
	struct str s = STR_INIT;
	struct srcline at;
	u64 w;

	(void)k;
	if (line_of(c, &at))
		str_addf(&s, "%s:%u", file_of(c, at.file), at.line);
	else if (sym)
		str_addf(&s, "%s+%llu", sym->name, (unsigned long long)(c->loc->rva -
									sym->start_rva));
	else if (c->loc->dso)
		str_addf(&s, "%s[%llx]", c->loc->dso->short_name, (unsigned long long)c->loc->rva);
	else
		str_addf(&s, "%#llx", (unsigned long long)c->loc->va);
	w = name_word(c, str_cstr(&s));
	str_release(&s);
	return w;
}

static u64 srcfile_word(const struct key_ctx *c, const struct key *k)
{
	struct srcline at;

	(void)k;
	return line_of(c, &at) ? name_word(c, file_of(c, at.file)) : name_word(c, "");
}

static u64 addr_word(const struct key_ctx *c, const struct key *k) { (void)k; return c->loc->va; }

static u64 symoff_word(const struct key_ctx *c, const struct key *k)
{
	struct str s = STR_INIT;
	u64 w;

	(void)k;
	if (c->loc->sym)
		str_addf(&s, "[%c] %s+0x%llx", c->sym->level, c->loc->sym->name,
			 (unsigned long long)(c->loc->rva - c->loc->sym->start_rva));
	else
		str_addf(&s, "[%c] %#018llx", c->sym->level, (unsigned long long)c->loc->rva);
	w = name_word(c, str_cstr(&s));
	str_release(&s);
	return w;
}

/* ---- the table ---- */

#define COL(name_, title_, level_, word_, cmp_, cell_, ...) \
	{ .name = name_, .title = title_, .level = level_, .word = word_, .cmp = cmp_, \
	  .cell = cell_, ##__VA_ARGS__ }
#define CPU .form = COL_THREE_DIGITS, .none = "-001"
#define WORD .form = COL_WORD
static const struct key_def defs[] = {
	COL("comm", "Command", KEY_SAMPLE, comm_word, key_cmp_text, key_cell_text,
	    .alias = "command"),
	COL("comm_nodigit", "CommandNoDigit", KEY_SAMPLE, comm_nodigit_word, key_cmp_text,
	    key_cell_text),
	COL("dso", "Shared Object", KEY_FRAME, dso_word, key_cmp_text, cell_unknown),
	COL("symbol", "Symbol", KEY_FRAME, sym_word, key_cmp_sym, cell_sym, .trim = true,
	    .alias = "sym"),
	COL("pid", "    Pid:Command", KEY_SAMPLE, thread_word, cmp_thread, cell_thread,
	    .is_thread = true),
	COL("tid", "    Tid:Command", KEY_SAMPLE, thread_word, cmp_thread, cell_thread,
	    .is_thread = true),
	COL("tgid", "   Tgid:Command", KEY_SAMPLE, leader_word, cmp_thread, cell_leader,
	    .is_thread = true),
	COL("cpu", "CPU", KEY_SAMPLE, cpu_word, cmp_s32, cell_cpu, .right = true, .fixed = true,
	    .width = 3, CPU),
	COL("socket", "Socket", KEY_SAMPLE, socket_word, cmp_s32, cell_cpu, .right = true,
	    .fixed = true, .width = 6,
	    CPU),
	COL("parallelism", "Parallelism", KEY_SAMPLE, running_word, NULL, key_cell_number,
	    .right = true, .fixed = true, .width = 11, .needs_running = true),
	COL("parent", "Parent symbol", KEY_SAMPLE, parent_word, key_cmp_text, cell_parent),
	COL("cgroup", "Cgroup", KEY_SAMPLE, cgroup_word, key_cmp_text, cell_na, .trim = true),
	COL("cgroup_id", "cgroup id (dev/inode)", KEY_SAMPLE, cgroup_id_word, key_cmp_text,
	    key_cell_text, .trim = true),
	COL("time", "Time", KEY_SAMPLE, time_word, NULL, cell_time, .width = 12, .trim = true,
	    .decimals = 6),
	COL("weight", "Weight", KEY_SAMPLE, weight_word, cmp_desc, key_cell_number, .width = 12,
	    WORD, .times_samples = true),
	COL("local_weight", "Local Weight", KEY_SAMPLE, weight_word, cmp_desc, key_cell_number,
	    .width = 12, WORD),
	COL("ins_lat", "INSTR Latency", KEY_SAMPLE, ins_lat_word, cmp_desc, key_cell_number, WORD,
	    .times_samples = true),
	COL("local_ins_lat", "Local INSTR Latency", KEY_SAMPLE, ins_lat_word, cmp_desc,
	    key_cell_number, WORD),
	COL("p_stage_cyc", "Pipeline Stage Cycle", KEY_SAMPLE, pstage_word, cmp_desc,
	    key_cell_number, WORD, .times_samples = true),
	COL("local_p_stage_cyc", "Local Pipeline Stage Cycle", KEY_SAMPLE, pstage_word, cmp_desc,
	    key_cell_number, WORD),
	/* the same weight, as it is called on x86 */
	COL("retire_lat", "Pipeline Stage Cycle", KEY_SAMPLE, pstage_word, cmp_desc,
	    key_cell_number, WORD, .times_samples = true),
	COL("local_retire_lat", "Local Pipeline Stage Cycle", KEY_SAMPLE, pstage_word, cmp_desc,
	    key_cell_number, WORD),
	COL("code_page_size", "Code Page Size", KEY_SAMPLE, code_page_word, NULL, key_cell_page,
	    .form = COL_BINARY_UNITS),
	COL("transaction", "Transaction", KEY_SAMPLE, trans_word, NULL, cell_trans, .width = 27),
	/* no recording that is read tells how far vectors were filled */
	COL("simd", "Simd", KEY_SAMPLE, no_word, NULL, key_cell_text, .width = 7, .trim = true),
	COL("trace", "Trace output", KEY_SAMPLE, trace_word, key_cmp_text, cell_na, .trim = true),
	COL("symbol_size", "Symbol size", KEY_FRAME, sym_size_word, cmp_desc, key_cell_number,
	    .right = true),
	COL("dso_size", "DSO size", KEY_FRAME, dso_size_word, cmp_desc, key_cell_number,
	    .right = true),
	COL("srcline", "Source:Line", KEY_FRAME, srcline_word, key_cmp_text, key_cell_text,
	    .trim = true, .needs_line = true),
	COL("srcfile", "Source File", KEY_FRAME, srcfile_word, key_cmp_text, key_cell_text,
	    .trim = true, .needs_line = true),
	COL("addr", "Address", KEY_FRAME, addr_word, cmp_signed, key_cell_addr, .width = 18,
	    .form = COL_HEX),
	COL("symoff", "Symbol Offset", KEY_FRAME, symoff_word, key_cmp_text, key_cell_text,
	    .fixed = true, .width = 13,
	    .trim = true),
};

const struct key_def *key_defs_sample(size_t *n)
{
	*n = ARRAY_SIZE(defs);
	return defs;
}
