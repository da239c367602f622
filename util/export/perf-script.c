// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples as text. Nearly all time goes into frames, so a frame's whole line is kept by (address,
 * symbol, mapping) and copied. Slices of the order are formatted by clones in several threads; the
 * caches travel with formatters, which clones borrow for a batch.
 */
#include "util/export/perf-script-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "util/base/fasttext.h"
#include "util/base/hash.h"
#include "util/base/io.h"
#include "util/base/num.h"
#include "util/base/outfile.h"
#include "util/event/per-event.h"
#include "util/event/tracepoint.h"
#include "util/export/raw-dump.h"

enum {
	FRAME_CACHE = 1 << 14, LEAF_CACHE = 1 << 11, DSO_TEXTS = 64, NEAR_BYTES = 80,
		POOL_BYTES = 16 << 20,
	FLUSH_BYTES = 64 << 10, FRAMES_AHEAD = 6,
};

/* The line of a frame: two cache lines, nearly always with its text. */
struct frame_text {
	u64 va, fields;
	const struct mapping *map;
	const struct symbol *sym;
	const struct inline_frame *inl;
	u32 off, len;		/* in the pool, when it is longer than NEAR_BYTES; len 0: empty */
	char near[NEAR_BYTES];
};
_Static_assert(sizeof(struct frame_text) == 128, "a frame's line is not two cache lines");

/* " (dso)": the last one with this hash */
struct dso_text { const struct dso *dso; struct str text; };

struct formatter {
	struct str pool;
	/* FRAME_CACHE of callers, and LEAF_CACHE of where samples hit: rarely the same ones
	 * again */
	struct frame_text *frames;
	struct dso_text dsos[DSO_TEXTS];
	void *frames_mem;	/* what they lie in, not aligned */
	struct formatter *next;
};

/* err: the first failure */
struct dump { int fd; char *path; struct str out; u64 samples, bytes; struct err err; };

/* What of it is shown: chains up to these functions; graph NULL: all samples. */
struct part { char **stops; size_t n_stops; struct call_graph *graph; };

/* Of the widest so far. data_src 0: they are not padded. */
struct widths { size_t call, data_src; };

struct script_sink {
	struct sink sink;	/* first */
	struct script_sink *root;
	const struct script_opts *o;
	const struct event_list *events;
	struct machine *m;
	struct formatter *f;	/* while a batch with chains is formatted, else NULL */
	struct str out;
	u64 n_samples, prev_ns, first_ns;
	struct widths widths;
	/* of the root */
	int fd, error;
	void (*begin)(void);		/* NULL: done */
	pthread_mutex_t lock;
	struct formatter *idle;
	VEC(struct str) spare;	/* of merged clones: fresh pages cost more than the text */
	struct per_event names;	/* struct str: "   cpu-clock: " */
	size_t name_width;
	struct part part;
	struct script_code *code;	/* NULL: no field needs code */
	struct per_event dump_of;	/* struct dump pointers: events of one name share a file */
	VEC(struct dump *) dumps;	/* in the order of their events; empty: all goes to fd */
	struct strmap dump_by_path;
};

/* ---- numbers ---- */

/* right-aligned with blanks, as the next ones */
static void put_hex(struct str *s, u64 v, int width)
{
	s->len = (size_t)(ft_hex_right(s->buf + s->len, v, width) - s->buf);
}

static void put_dec(struct str *s, u64 v, int width)
{
	char *p = s->buf + s->len;

	if (width)
		p = ft_blanks(p, width - ft_u64_digits(v));
	s->len = (size_t)(ft_u64(p, v) - s->buf);
}

static void put_sdec(struct str *s, s64 v, int width)
{
	s->len = (size_t)(ft_s64_right(s->buf + s->len, v, width) - s->buf);
}

static void put_dec_left(struct str *s, s64 v, int width)
{
	size_t from = s->len;

	put_sdec(s, v, 0);
	while (s->len < from + width)
		put_ch(s, ' ');
}

/* ---- frames ---- */

static void add_srcline(struct str *out, const struct script_opts *o, const struct location *l)
{
	if (!l->dso && !l->inl)
		return;
	str_add(out, "\n  ");
	script_add_srcline(out, o, l);
}

static void add_known_dso(struct str *out, struct formatter *f, const struct script_opts *o,
			  u64 fields, const struct location *l)
{
	struct dso_text *t = &f->dsos[hash_slot((uintptr_t)l->dso, DSO_TEXTS)];

	if (!t->text.len || t->dso != l->dso) {
		str_reset(&t->text);
		add_dso(&t->text, o, fields, l);
		t->dso = l->dso;
	}
	str_addn(out, t->text.buf, t->text.len);
}

static void make_frame(struct formatter *f, const struct script_opts *o, u64 fields,
		       const struct location *l)
{
	const bool inlined = l->inl && l->inline_depth;
	struct str *pool = &f->pool;

	str_reserve(pool, 64);
	put_ch(pool, '\t');
	pool->len = (size_t)(ft_hex_16(pool->buf + pool->len, l->va) - pool->buf);
	add_symbol(pool, o, fields & ~(u64)SF_DSO, l, true);
	if (fields & SF_DSO && fields & SF_DSOFF && !inlined)
		add_dso(pool, o, fields, l);
	else if (fields & SF_DSO && !inlined)
		add_known_dso(pool, f, o, fields, l);
	if (fields & SF_SRCLINE)
		add_srcline(pool, o, l);
	if (inlined)
		str_add(pool, " (inlined)");
	str_addch(pool, '\n');
}

static inline u64 frame_hash(const struct location *l)
{
	return l->va ^ (uintptr_t)l->map ^ (uintptr_t)l->inl << 3;
}

static inline struct frame_text *frame_slot(const struct formatter *f, const struct location *l)
{
	return &f->frames[hash_slot(frame_hash(l), FRAME_CACHE)];
}

static inline struct frame_text *leaf_slot(const struct formatter *f, const struct location *l)
{
	return &f->frames[FRAME_CACHE + hash_slot(frame_hash(l), LEAF_CACHE)];
}

static __attribute__((noinline)) void fill_frame(struct script_sink *s, u64 fields,
						 const struct location *l,
						 struct frame_text *e)
{
	struct formatter *f = s->f;

	if (f->pool.len > POOL_BYTES) {
		memset(f->frames, 0, (FRAME_CACHE + LEAF_CACHE) * sizeof(*f->frames));
		str_reset(&f->pool);
	}
	e->va = l->va;
	e->fields = fields;
	e->map = l->map;
	e->sym = l->sym;
	e->inl = l->inl;
	e->off = (u32)f->pool.len;
	make_frame(f, s->o, fields, l);
	e->len = (u32)(f->pool.len - e->off);
	if (e->len > NEAR_BYTES)
		return;
	memcpy(e->near, f->pool.buf + e->off, e->len);
	f->pool.len = e->off;
}

/* e: the slot of l */
static inline void add_frame(struct script_sink *s, u64 fields, const struct location *l,
			     struct frame_text *e)
{
	struct str *out = &s->out;

	if (e->va != l->va || e->sym != l->sym || e->map != l->map || e->inl != l->inl ||
	    e->fields != fields || !e->len)
		fill_frame(s, fields, l, e);
	if (out->cap - out->len <= MAX((size_t)e->len, (size_t)NEAR_BYTES))
		str_reserve(out, MAX((size_t)e->len + NEAR_BYTES, out->len));
	if (e->len <= NEAR_BYTES)
		/* all of it: of a fixed length it is no call */
		memcpy(out->buf + out->len, e->near, NEAR_BYTES);
	else
		memcpy(out->buf + out->len, s->f->pool.buf + e->off, e->len);
	out->len += e->len;
}

static inline void fetch_frame(const struct frame_text *e)
{
	__builtin_prefetch(e);
	__builtin_prefetch((const char *)e + 64);
}

static bool is_stop(const struct script_sink *root, const struct location *l)
{
	for (size_t i = 0; i < root->part.n_stops; i++) {
		if (l->sym && strcmp(l->sym->name, root->part.stops[i]) == 0)
			return true;
	}
	return false;
}

/* As many as threads that format chains: the clones of all slices that wait to be merged would
 * hold a table each. */
static struct formatter *get_formatter(struct script_sink *root)
{
	struct formatter *f;

	pthread_mutex_lock(&root->lock);
	f = root->idle;
	if (f)
		root->idle = f->next;
	pthread_mutex_unlock(&root->lock);
	if (!f) {
		f = xnew(struct formatter);
		f->frames_mem = xtable(FRAME_CACHE + LEAF_CACHE + 1, sizeof(*f->frames));
		f->frames = (void *)ALIGN_UP((uintptr_t)f->frames_mem, sizeof(*f->frames));
	}
	return f;
}

static void put_formatter(struct script_sink *s)
{
	struct script_sink *root = s->root;

	pthread_mutex_lock(&root->lock);
	s->f->next = root->idle;
	root->idle = s->f;
	pthread_mutex_unlock(&root->lock);
	s->f = NULL;
}

/* What the first frames need comes while the sample's line is made. */
static void fetch_first(struct script_sink *s, const struct resolved *r)
{
	if (!s->f)
		s->f = get_formatter(s->root);
	if (r->n_frames)
		fetch_frame(leaf_slot(s->f, &r->frames[0]));
	for (u32 i = 1; i < MIN(r->n_frames, (u32)FRAMES_AHEAD); i++)
		fetch_frame(frame_slot(s->f, &r->frames[i]));
}

static void add_chain(struct script_sink *s, u64 fields, const struct resolved *r)
{
	str_addch(&s->out, '\n');
	for (u32 i = 0; i < r->n_frames; i++) {
		const struct location *l = &r->frames[i];

		if (i + FRAMES_AHEAD < r->n_frames)
			fetch_frame(frame_slot(s->f, l + FRAMES_AHEAD));
		add_frame(s, fields, l, i ? frame_slot(s->f, l) : leaf_slot(s->f, l));
		if (s->root->part.n_stops && is_stop(s->root, l))
			return;
	}
}

/* ---- the start of a line ---- */

/* Right-aligned in width (0: as it is), at most "cut" bytes when not 0, and a blank. */
static void add_comm(struct str *out, const char *name, size_t width, size_t cut)
{
	size_t n = strlen(name);

	if (cut && n > cut)
		n = cut;
	str_reserve(out, width + n + 1);
	if (n < width)
		out->len = (size_t)(ft_blanks(out->buf + out->len, (int)(width - n)) - out->buf);
	if (plain_prefix(name, n) == n)
		put(out, name, n);
	else
		str_add_safen(out, name, n);
	str_addch(out, ' ');
}

static u64 shown_time(struct script_sink *s, u64 t)
{
	u64 prev = s->prev_ns;

	if (!s->o->deltatime && !s->o->reltime)
		return t;
	if (!s->first_ns)
		s->first_ns = t;
	s->prev_ns = t;
	if (s->o->reltime)
		return t - s->first_ns;
	return prev ? t - prev : 0;
}

static void put_time(struct str *out, u64 t, bool ns)
{
	u32 rest = (u32)(t % NSEC_PER_SEC);
	char *p;

	put_dec(out, t / NSEC_PER_SEC, 5);
	p = out->buf + out->len;
	*p++ = '.';
	p = ft_6(p, rest / 1000);
	if (ns) {
		*p++ = (char)('0' + rest % 1000 / 100);
		p = ft_2(p, rest % 100);
	}
	p = ft_bytes(p, ": ", 2);
	out->len = (size_t)(p - out->buf);
}

static void add_ids(struct str *out, u64 fields, u32 pid, u32 tid)
{
	if ((fields & (SF_PID | SF_TID)) == (SF_PID | SF_TID)) {
		put_sdec(out, (s32)pid, 7);
		put_ch(out, '/');
		put_dec_left(out, (s32)tid, 7);
		put_ch(out, ' ');
	} else if (fields & (SF_PID | SF_TID)) {
		put_sdec(out, (s32)(fields & SF_PID ? pid : tid), 7);
		put_ch(out, ' ');
	}
}

struct start { const char *comm; u32 pid, tid, cpu, type; u16 misc; u64 time_ns; bool has_cpu,
	       has_time, chain; };

static void add_cpu(struct str *out, const struct script_opts *o, u32 cpu)
{
	if (o->latency) {
		put_sdec(out, (s32)cpu, 3);
		put_ch(out, ' ');
		return;
	}
	put_ch(out, '[');
	if (cpu == (u32)-1) {
		put(out, "-01", 3);
	} else if (cpu < 1000) {
		put_ch(out, (char)('0' + cpu / 100));
		out->len = (size_t)(ft_2(out->buf + out->len, cpu % 100) - out->buf);
	} else {
		put_sdec(out, (s32)cpu, 0);
	}
	put(out, "] ", 2);
}

static void add_start(struct script_sink *s, u64 fields, const struct start *st)
{
	const struct script_opts *o = s->o;
	struct str *out = &s->out;
	size_t cut = o->latency ? 8 : 0;

	if (fields & SF_COMM && st->comm)
		add_comm(out, st->comm, o->latency ? 8 : st->chain ? 0 : 16, cut);
	str_reserve(out, 160);
	add_ids(out, fields, st->pid, st->tid);
	if (fields & SF_CPU && st->has_cpu)
		add_cpu(out, o, st->cpu);
	if (fields & SF_MISC) {
		const char *text = misc_text(st->type, st->misc);
		size_t n = strlen(text);

		put(out, text, n);
		for (; n < 6; n++)
			put_ch(out, ' ');
	}
	if (fields & SF_TOD && o->has_tod && st->has_time)
		add_tod(out, o, st->time_ns);
	if (fields & SF_TIME && st->has_time) {
		str_reserve(out, 64);
		put_time(out, shown_time(s, st->time_ns), o->ns);
	}
}

/* ---- samples ---- */

static void add_before_ip(struct script_sink *s, u64 fields, const struct sample *sm,
			  const struct resolved *r)
{
	struct str *out = &s->out;
	size_t n;

	if (fields & SF_FLAGS)
		add_trace_flags(out, sm->synth);
	if (fields & SF_TRACE && sm->event->format)
		tp_print(sm->event->format, sm->raw, s->o->swap, sm->cpu, sm->time_ns, out);
	if (fields & SF_SYNTH)
		add_synth(out, sm);
	str_reserve(out, 256);
	if (fields & SF_ADDR) {
		put_hex(out, sm->addr, 16);
		if (fields & (SF_SYM | SF_DSO) && event_addr_is_of_symbol(&sm->event->attr))
			add_symbol(out, s->o, fields, &r->data, true);
		str_reserve(out, 256);
	}
	if (fields & SF_DATA_SRC) {
		put_hex(out, sm->data_src, 16);
		n = out->len;
		add_data_src(out, sm->data_src);
		n = out->len - n;
		if (n < s->widths.data_src)
			str_addchn(out, ' ', s->widths.data_src - n);
		s->widths.data_src = s->widths.data_src ? MAX(s->widths.data_src, n) : 0;
		str_reserve(out, 128);
	}
	if (fields & SF_WEIGHT)
		put_dec(out, sm->weight, 16);
	if (fields & SF_INS_LAT)
		put_dec(out, sm->ins_lat, 16);
	if (fields & SF_RETIRE_LAT)
		put_dec(out, sm->p_stage_cyc, 16);
	if (fields & SF_CGROUP && sm->present & PERF_SAMPLE_CGROUP) {
		const char *path = machine_cgroup(s->m, sm->cgroup);

		str_addch(out, ' ');
		str_add_safe(out, path ? path : "unknown");
	}
}

/* From where to where. */
static void add_jump(struct script_sink *s, u64 fields, const struct sample *sm,
		     const struct resolved *r)
{
	struct str *out = &s->out;

	if (fields & SF_FLAGS)
		add_trace_flags(out, sm->synth);
	if (fields & SF_CALLINDENT)
		add_call(out, fields, sm, r, &s->widths.call);
	if (fields & SF_IP) {
		str_reserve(out, 64);
		put_ch(out, ' ');
		put_hex(out, sm->ip, 16);
		add_symbol(out, s->o, fields, &r->leaf, true);
	}
	if (fields & SF_ADDR || !s->o->fields.changed) {
		str_add(out, " => ");
		str_reserve(out, 64);
		put_hex(out, sm->addr, 16);
		add_symbol(out, s->o, fields, &r->data, true);
	}
	if (fields & SF_IPC)
		add_ipc(out, sm->synth);
	if (fields & SF_SAMPLE_CODE)
		add_sample_insn(out, fields, r, s->root->code);
	str_addch(out, '\n');
}

static bool is_jump(const struct event *ev)
{
	return ev->decoded && event_addr_is_of_symbol(&ev->attr);
}

static void add_after_ip(struct script_sink *s, u64 fields, const struct sample *sm,
			 const struct resolved *r)
{
	const struct arch_info *arch = machine_arch(s->m);
	struct str *out = &s->out;

	if (fields & SF_IREGS)
		add_regs(out, &sm->intr_regs, arch);
	if (fields & SF_UREGS)
		add_regs(out, &sm->user_regs, arch);
	if (fields & (SF_BRSTACK | SF_BRSTACKSYM | SF_BRSTACKOFF))
		add_branches(out, s->o, fields, sm, r);
	if (fields & SF_SAMPLE_CODE)
		add_sample_insn(out, fields, r, s->root->code);
	if (fields & SF_BRANCH_CODE)
		add_branch_code(out, s->o, fields, sm, r, s->root->code);
	if (fields & SF_PHYS_ADDR && sm->present & PERF_SAMPLE_PHYS_ADDR) {
		str_reserve(out, 64);
		put_hex(out, sm->phys_addr, 16);
	}
	if (fields & SF_DATA_PAGE_SIZE)
		add_page_size(out, sm->data_page_bytes);
	if (fields & SF_CODE_PAGE_SIZE)
		add_page_size(out, sm->code_page_bytes);
}

#define BEFORE_FIELDS (SF_FLAGS | SF_SYNTH | SF_TRACE | SF_ADDR | SF_DATA_SRC | SF_WEIGHT | \
		       SF_INS_LAT | SF_RETIRE_LAT | SF_CGROUP)
#define AFTER_FIELDS (SF_IREGS | SF_UREGS | SF_BRSTACK | SF_BRSTACKSYM | SF_BRSTACKOFF | \
		      SF_SAMPLE_CODE | SF_BRANCH_CODE | SF_PHYS_ADDR | SF_DATA_PAGE_SIZE | \
		      SF_CODE_PAGE_SIZE)

static bool has_chain(const struct script_sink *s, const struct event *e)
{
	return !s->o->hide_chain && e->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
}

static void add_sample(struct script_sink *s, const struct sample *sm, const struct resolved *r)
{
	const struct event *ev = sm->event;
	u64 fields = s->o->fields.set[script_type_of(ev)];
	const u32 cpu = sm->present & PERF_SAMPLE_CPU ? sm->cpu : (u32)-1;
	struct start st = { r->comm ? r->comm->name : NULL, sm->pid, sm->tid, cpu,
			    PERF_RECORD_SAMPLE, sm->misc, sm->time_ns,
			    sm->present & PERF_SAMPLE_CPU || s->o->fields.traces,
			    sm->present & PERF_SAMPLE_TIME,
			    has_chain(s, ev) && fields & SF_IP };
	struct str *out = &s->out;

	if (!fields || (s->root->part.graph && !call_graph_has(s->root->part.graph, sm, r)))
		return;
	s->n_samples++;
	if (fields & SF_BRCNTR)
		add_counter_letters(out, &s->o->counters);
	if (st.chain)
		fetch_first(s, r);
	add_start(s, fields, &st);
	if (fields & SF_PERIOD) {
		put_dec(out, sm->present & PERF_SAMPLE_PERIOD ? sm->period : ev->attr.sample_period,
			10);
		put_ch(out, ' ');
	}
	if (fields & SF_EVENT) {
		const struct str *name = per_event(&s->root->names, ev);

		str_addn(out, name->buf, name->len);
	}
	if (is_jump(ev)) {
		add_jump(s, fields, sm, r);
		return;
	}
	if (fields & BEFORE_FIELDS)
		add_before_ip(s, fields, sm, r);
	if (st.chain) {
		add_chain(s, fields, r);
	} else if (fields & SF_IP) {
		str_reserve(out, 64);
		put_ch(out, ' ');
		put_hex(out, sm->ip, 16);
		add_symbol(out, s->o, fields, &r->leaf, true);
		if (fields & SF_SRCLINE)
			add_srcline(out, s->o, &r->leaf);
	}
	if (fields & AFTER_FIELDS)
		add_after_ip(s, fields, sm, r);
	str_addch(out, '\n');
	if (fields & SF_SRCCODE)
		script_add_source(out, s->root->code, &r->leaf, r->thread);
}

/* ---- writing ---- */

static void write_out(struct script_sink *root, const char *p, size_t n)
{
	int ret;

	if (root->error || !n)
		return;
	if (root->begin)
		root->begin();
	root->begin = NULL;
	ret = io_write(root->fd, p, n);
	if (ret < 0) {
		root->error = ret;
		root->sink.stop = true;
	}
}

static void flush(struct script_sink *root)
{
	write_out(root, root->out.buf, root->out.len);
	str_reset(&root->out);
}

static void flush_dump(struct dump *d)
{
	int ret = d->err.code ? 0 : io_write(d->fd, d->out.buf, d->out.len);

	if (ret)
		err_sys(&d->err, -ret, "cannot write '%s'", d->path);
	d->bytes += d->out.len;
	str_reset(&d->out);
}

static void to_dump(struct script_sink *s, const struct event *ev)
{
	struct dump *d = *(struct dump **)per_event(&s->dump_of, ev);

	d->samples++;
	str_addn(&d->out, s->out.buf, s->out.len);
	str_reset(&s->out);
	if (d->out.len >= FLUSH_BYTES)
		flush_dump(d);
	if (d->err.code)
		s->sink.stop = true;
}

static void add_dump(struct script_sink *s, const struct sink_item *it)
{
	const struct resolved *r = it->res;

	raw_dump_record(s->o->dump, it->file_off, it->rec, it->sample, NULL, &s->out);
	raw_dump_location(r->comm ? r->comm->name : NULL, it->sample->tid, r->leaf.dso ?
			  r->leaf.dso->path : NULL, &s->out);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct script_sink *s = (struct script_sink *)sink;

	for (size_t i = 0; i < n && !s->sink.stop; i++) {
		if (s->o->max_samples && s->n_samples >= s->o->max_samples) {
			s->sink.stop = true;
			break;
		}
		if (s->o->dump)
			add_dump(s, &items[i]);
		add_sample(s, items[i].sample, items[i].res);
		if (s->o->per_event)
			to_dump(s, items[i].sample->event);
	}
	if (s->f)
		put_formatter(s);
	if (s == s->root && !s->o->per_event && s->out.len >= FLUSH_BYTES)
		flush(s);
}

static void on_record(struct sink *sink, const struct perf_event_header *rec,
		      const struct sample_id *id, u64 file_off)
{
	struct script_sink *s = (struct script_sink *)sink;
	struct start st = { .pid = id->pid, .tid = id->tid, .cpu = id->cpu, .type = rec->type,
			    .misc = rec->misc,
			    .time_ns = id->time_ns, .has_cpu = id->present & PERF_SAMPLE_CPU,
			    .has_time = id->present & PERF_SAMPLE_TIME };
	const struct event *ev;
	u32 pid = id->pid, tid = id->tid;
	u64 fields;

	if (s->o->dump)
		raw_dump_record(s->o->dump, file_off, rec, NULL, id, &s->out);
	if (rec->type == WIRE_AUXTRACE_ERROR) {
		add_trace_error(&s->out, rec);
		str_addch(&s->out, '\n');
		return;
	}
	if (!is_shown(s->o->show, rec->type) || !s->events->events.n)
		return;
	ev = id->id ? event_list_by_id(s->events, id->id) : NULL;
	ev = ev ? ev : s->events->events.v[0];
	fields = s->o->fields.set[script_type_of(ev)];
	st.chain = has_chain(s, ev) && fields & SF_IP;
	if (id->present) {
		record_task(rec, &pid, &tid);
		st.comm = thread_comm_at(machine_thread_at(s->m, pid, tid, id->time_ns),
					 id->time_ns)->name;
		add_start(s, fields, &st);
	}
	add_record(&s->out, rec, rec->misc);
	str_addch(&s->out, '\n');
}

static struct sink *clone_sink(struct sink *sink)
{
	struct script_sink *root = (struct script_sink *)sink, *s = xnew(struct script_sink);

	s->sink = root->sink;
	s->sink.stop = root->error != 0;
	s->root = root;
	s->o = root->o;
	s->events = root->events;
	s->m = root->m;
	pthread_mutex_lock(&root->lock);
	if (root->spare.n)
		s->out = root->spare.v[--root->spare.n];
	pthread_mutex_unlock(&root->lock);
	str_reserve(&s->out, FLUSH_BYTES);
	return &s->sink;
}

static void merge_sink(struct sink *sink, struct sink *from)
{
	struct script_sink *root = (struct script_sink *)sink, *s = (struct script_sink *)from;

	flush(root);
	write_out(root, s->out.buf, s->out.len);
	root->n_samples += s->n_samples;
	str_reset(&s->out);
	pthread_mutex_lock(&root->lock);
	vec_push(&root->spare, s->out);
	pthread_mutex_unlock(&root->lock);
	free(s);
}

/* ---- life ---- */

static unsigned wants(const struct script_opts *o, const struct event_list *l)
{
	unsigned w = SINK_ORDER | (o->show || o->dump || o->trace_errors ? SINK_SIDEBAND : 0) |
		(o->dump ? SINK_SYMBOLS : 0);

	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];
		u64 f = o->fields.set[script_type_of(e)];
		bool names = f & (SF_SYM | SF_DSO | SF_SRCLINE);
		bool code = f & SF_CODE;
		bool chain = !o->hide_chain && e->attr.sample_type & PERF_SAMPLE_CALLCHAIN &&
			f & SF_IP;

		/* has no samples; what its type would show needs no symbols of the kernel */
		if (e->dummy)
			continue;
		if (is_jump(e) && names && !o->fields.changed)
			w |= SINK_ADDR;
		if (is_jump(e) && (f & SF_CALLINDENT || o->graph_function))
			w |= SINK_ADDR | SINK_SYMBOLS;
		w |= f & SF_COMM ? SINK_THREAD : 0;
		if (chain)
			w |= SINK_CHAIN | SINK_INLINE;
		if (code || (!chain && names && f & SF_IP))
			w |= SINK_SYMBOLS;
		if (names && f & SF_ADDR && event_addr_is_of_symbol(&e->attr))
			w |= SINK_ADDR;
		if (f & (SF_BRSTACKSYM | SF_BRSTACK | SF_BRSTACKOFF | SF_BRANCH_CODE) &&
		    e->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
			w |= SINK_BRANCH;
	}
	return w;
}

static void init_name(void *ctx, const struct event *e, void *state)
{
	const struct script_sink *s = ctx;
	struct str *name = state;
	size_t n = strlen(e->name);

	str_reset(name);
	str_addchn(name, ' ', s->name_width > n ? s->name_width - n : 0);
	str_add_safe(name, e->name);
	str_add(name, ": ");
}

static void make_names(struct script_sink *s)
{
	for vec_each(e, &s->events->events)
		s->name_width = MAX(s->name_width, strlen((*e)->name));
	per_event_init(&s->names, sizeof(struct str), init_name, s);
	per_event_fill(&s->names, s->events);
}

static void split_stops(struct script_sink *s)
{
	struct part *to = &s->part;
	const char *p = s->o->stop_bt;

	while (p && *p) {
		size_t n = strcspn(p, ",");

		to->stops = xreallocarray(to->stops, to->n_stops + 1, sizeof(*to->stops));
		to->stops[to->n_stops++] = xstrndup(p, n);
		p += n;
		p += *p == ',';
	}
}

static void init_dump(void *ctx, const struct event *e, void *state)
{
	const struct outfile_opts o = { .how = OUTFILE_LIVE, .mode = 0666 };
	struct script_sink *s = ctx;
	struct dump *d;
	char *path = xasprintf("%s.%s.dump", s->o->data_path, e->name);

	for (char *p = path + strlen(s->o->data_path); *p; p++)
		*p = *p == '/' ? '_' : *p;
	d = strmap_get(&s->dump_by_path, path);
	if (d) {
		free(path);
	} else {
		d = xnew(struct dump);
		d->path = path;
		d->fd = outfile_fd(d->path, &o, &d->err);
		strmap_put(&s->dump_by_path, d->path, d);
		vec_push(&s->dumps, d);
	}
	*(struct dump **)state = d;
}

static void open_dumps(struct script_sink *s)
{
	per_event_init(&s->dump_of, sizeof(struct dump *), init_dump, s);
	per_event_fill(&s->dump_of, s->events);
}

/* A late event may want more than those before it. */
static void on_events(struct sink *sink)
{
	struct script_sink *s = (struct script_sink *)sink;

	sink->wants |= wants(s->o, s->events) & ~(unsigned)SINK_BATCHES;
}

/* Of any type that the recording has. */
static u64 all_fields(const struct script_opts *o, const struct event_list *l)
{
	u64 all = 0;

	for vec_each(e, &l->events)
		if (!(*e)->dummy)
			all |= o->fields.set[script_type_of(*e)];
	for (int t = 0; t < ST_NR; t++)	/* events of a stream are not known yet */
		all |= o->fields.set[t] & SF_CODE;
	return all;
}

/* What a sample's text is depends on it alone: not on those before it. */
static bool samples_apart(const struct script_opts *o, u64 fields)
{
	return !o->graph_function && !o->deltatime && !o->reltime && !o->max_samples &&
		!o->per_event && !(fields & (SF_CODE | SF_DATA_SRC | SF_CALLINDENT));
}

struct script_sink *script_sink_new(const struct script_opts *opts, const struct event_list *events,
				    struct machine *m, int fd)
{
	struct script_sink *s = xnew(struct script_sink);
	const u64 fields = all_fields(opts, events);

	s->root = s;
	s->o = opts;
	s->events = events;
	s->m = m;
	s->fd = fd;
	s->begin = opts->begin;
	pthread_mutex_init(&s->lock, NULL);
	s->sink = (struct sink){ .wants = wants(opts, events), .samples = on_samples,
				 .record = on_record,
				.events = on_events };
	s->widths.data_src = fields & SF_DATA_SRC ? 1 : 0;
	if (fields & SF_CODE) {
		s->code = xnew(struct script_code);
		s->code->arch = machine_arch(m);
		s->code->counters = opts->counters;
	}
	if (samples_apart(opts, fields)) {
		s->sink.wants |= SINK_BATCHES;
		s->sink.clone = clone_sink;
		s->sink.merge = merge_sink;
	}
	s->part.graph = call_graph_new(opts->graph_function);
	make_names(s);
	split_stops(s);
	if (opts->per_event)
		open_dumps(s);
	return s;
}

struct sink *script_sink(struct script_sink *s)
{
	return &s->sink;
}

void script_sink_text(struct script_sink *s, const char *text, size_t n)
{
	str_addn(&s->out, text, n);
}

void script_sink_flush(struct script_sink *s)
{
	flush(s);
}

u64 script_sink_samples(const struct script_sink *s)
{
	return s->n_samples;
}

static int finish_dump(struct dump *d, struct str *log, struct err *err)
{
	flush_dump(d);
	if (d->fd >= 0 && close(d->fd) < 0 && !d->err.code)
		err_sys(&d->err, errno, "cannot write '%s'", d->path);
	d->fd = -1;
	if (d->err.code) {
		const int code = d->err.code;

		err_release(err);
		*err = d->err;
		d->err = (struct err)ERR_INIT;
		return -code;
	}
	str_addf(log, "[ perf script: Wrote %.3f MB ", d->bytes / 1048576.0);
	str_add_safe(log, d->path);
	str_addf(log, " (%llu samples) ]\n", (unsigned long long)d->samples);
	return 0;
}

int script_sink_finish(struct script_sink *s, struct str *log, struct err *err)
{
	int ret = 0;

	if (s->o->per_event)
		per_event_fill(&s->dump_of, s->events);
	for (size_t i = 0; i < s->dumps.n && ret == 0; i++)
		ret = finish_dump(s->dumps.v[i], log, err);
	flush(s);
	if (ret == 0 && s->error)
		ret = s->error == -EPIPE ? -EPIPE : err_sys(err, -s->error,
							    "cannot write the output");
	return ret;
}

static void formatter_free(struct formatter *f)
{
	str_release(&f->pool);
	for (size_t i = 0; i < DSO_TEXTS; i++)
		str_release(&f->dsos[i].text);
	free(f->frames_mem);
	free(f);
}

void script_sink_free(struct script_sink *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->names.n; i++) {
		struct str *name = per_event_at(&s->names, i);

		if (name)
			str_release(name);
	}
	per_event_release(&s->names);
	for (size_t i = 0; i < s->part.n_stops; i++)
		free(s->part.stops[i]);
	for vec_each(d, &s->dumps) {
		if ((*d)->fd >= 0)
			close((*d)->fd);
		free((*d)->path);
		str_release(&(*d)->out);
		err_release(&(*d)->err);
		free(*d);
	}
	vec_free(&s->dumps);
	strmap_release(&s->dump_by_path);
	per_event_release(&s->dump_of);
	for vec_each(out, &s->spare)
		str_release(out);
	vec_free(&s->spare);
	while (s->idle) {
		struct formatter *f = s->idle;

		s->idle = f->next;
		formatter_free(f);
	}
	free(s->part.stops);
	if (s->code)
		script_code_release(s->code);
	free(s->code);
	call_graph_free(s->part.graph);
	str_release(&s->out);
	pthread_mutex_destroy(&s->lock);
	free(s);
}
