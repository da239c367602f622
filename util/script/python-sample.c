// SPDX-License-Identifier: GPL-2.0-or-later
// Samples as the dictionaries that scripts know.
#include "util/export/perf-script.h"
#include "util/script/python-priv.h"
#include "util/script/sample-code.h"

static void set_number(struct python *p, struct py_obj *dict, enum py_key key, u64 v)
{
	set_item(p, dict, key, p->py->PyLong_FromUnsignedLongLong(v));
}

static void set_kept(struct python *p, struct py_obj *dict, enum py_key key, struct py_obj *o)
{
	p->py->PyDict_SetItem(dict, p->store.key[key], o);
}

static bool takes(const struct event_state *st, enum py_key key)
{
	return st->keys >> key & 1;
}

/* ---- templates ---- */

static const struct datasrc_slot *datasrc_of(struct python *p, u64 v)
{
	struct datasrc_slot *d = &p->store.datasrc[hash_slot(v, DATASRC_SLOTS)];
	struct str text = STR_INIT;

	if (d->number && d->v == v)
		return d;
	script_add_data_src(&text, v);
	py_drop(p, d->number);
	py_drop(p, d->text);
	d->v = v;
	d->number = number_of(p, v);
	d->text = p->py->PyUnicode_DecodeUTF8(str_cstr(&text), (ssize_t)text.len, "replace");
	str_release(&text);
	return d;
}

static struct py_obj *str_object(const struct python *p, struct str *s)
{
	struct py_obj *o = p->py->PyUnicode_DecodeUTF8(str_cstr(s), (ssize_t)s->len, "replace");

	str_release(s);
	return o;
}

/* How a branch of a trace went. */
static void set_flags(struct python *p, struct py_obj *dict, u32 flags)
{
	struct flags_slot *f = &p->store.flags[hash_slot(flags, FLAG_SLOTS)];
	struct str letters = STR_INIT, names = STR_INIT;

	if (f->v != flags) {
		py_drop(p, f->letters);
		py_drop(p, f->names);
		script_add_flag_letters(&letters, flags);
		script_add_flag_names(&names, flags);
		*f = (struct flags_slot){ flags, str_object(p, &letters), str_object(p, &names) };
	}
	set_kept(p, dict, K_flags, f->letters);
	set_kept(p, dict, K_flags_disp, f->names);
}

/* What every sample has, with what stands for what was not recorded. */
static struct py_obj *sample_template(struct python *p, const struct event *e)
{
	const struct perf_event_attr *a = &e->attr;
	static const struct { enum py_key key; u64 v; } first[] = {
		{ K_id, ~0ULL }, { K_stream_id, ~0ULL }, { K_pid, ~0U }, { K_tid, ~0U },
		{ K_cpu, ~0U }, { K_ip, 0 }, { K_time, ~0ULL }, { K_period, 0 }, { K_phys_addr, 0 },
		{ K_addr, 0 },
	}, last[] = { { K_weight, 0 }, { K_ins_lat, 0 }, { K_transaction, 0 } };
	struct py_obj *d = p->py->PyDict_New();
	const struct datasrc_slot *src = datasrc_of(p, e->decoded ? 0 : SAMPLE_NO_DATA_SRC);

	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		set_number(p, d, first[i].key, first[i].v);
	if (a->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		set_number(p, d, K_time_enabled, 0);
	if (a->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		set_number(p, d, K_time_running, 0);
	set_kept(p, d, K_values, p->store.none);
	for (size_t i = 0; i < ARRAY_SIZE(last); i++)
		set_number(p, d, last[i].key, last[i].v);
	set_kept(p, d, K_datasrc, src->number);
	set_kept(p, d, K_datasrc_decode, src->text);
	set_number(p, d, K_cpumode, 0);
	return d;
}

/* As the kernel of upstream perf's day has it: 144 bytes, whatever this one was built with. */
static struct py_obj *attr_bytes(struct python *p, const struct perf_event_attr *a)
{
	char bytes[144] = { 0 };

	memcpy(bytes, a, MIN(sizeof(bytes), sizeof(*a)));
	return p->py->PyBytes_FromStringAndSize(bytes, sizeof(bytes));
}

static bool has_key(const struct event *e, enum shape shape, enum py_key key)
{
	switch (key) {
	case K_iregs: return e->attr.sample_type & PERF_SAMPLE_REGS_INTR;
	case K_uregs: return e->attr.sample_type & PERF_SAMPLE_REGS_USER;
	case K_symbol: case K_symoff: return shape == SHAPE_SYMBOL;
	default: return shape != SHAPE_BARE || key < K_dso || key > K_map_pgoff;
	}
}

static struct py_obj *outer_template(struct python *p, const struct event *e,
				     const struct event_state *st, enum shape shape)
{
	struct py_obj *d = p->py->PyDict_New();

	for (enum py_key k = K_ev_name; k <= K_uregs; k++) {
		if (!takes(st, k) || !has_key(e, shape, k))
			continue;
		if (k == K_ev_name)
			set_item(p, d, k, text_of(p, e->name));
		else if (k == K_attr)
			set_item(p, d, k, attr_bytes(p, &e->attr));
		else
			set_kept(p, d, k, k == K_raw_buf ? p->store.empty_bytes :
				 k >= K_iregs ? p->store.empty_text : p->store.none);
	}
	return d;
}

void event_templates(struct python *p, const struct event *e, struct event_state *st)
{
	st->sample = sample_template(p, e);
	for (enum shape s = 0; s < SHAPE_NR; s++)
		st->outer[s] = outer_template(p, e, st, s);
	st->addr_symbol = event_addr_is_of_symbol(&e->attr);
}

/* ---- a sample ---- */

enum { MASK_SYMBOL = 1 << 5, MASK_SYMOFF = 1 << 6, MASK_PLACE = (1 << 7) - 1 };

/* The keys dso and those behind it, as far as they are in the mask. */
static void set_place(struct python *p, struct py_obj *d, enum py_key dso, unsigned mask,
		      const struct location *l)
{
	const struct map_texts *m;

	if (!l->map || !mask)
		return;
	m = map_texts(p, l->map);
	for (unsigned i = 0; i < ARRAY_SIZE(m->o); i++)
		if (mask >> i & 1)
			set_kept(p, d, dso + i, m->o[i]);
	if (l->sym && mask & MASK_SYMBOL)
		set_item(p, d, dso + 5, text_of(p, l->sym->name));
	if (l->sym && mask & MASK_SYMOFF)
		set_number(p, d, dso + 6, l->rva + l->back - l->sym->start_rva);
}

static struct py_obj *count_of(struct python *p, u64 id, const struct wire_value *v)
{
	struct py_obj *t = p->py->PyTuple_New(3);

	p->py->PyTuple_SetItem(t, 0, number_of(p, id));
	p->py->PyTuple_SetItem(t, 1, number_of(p, v->value));
	p->py->PyTuple_SetItem(t, 2, number_of(p, v->lost));
	return t;
}

static void set_counts(struct python *p, struct py_obj *d, const struct sample *s)
{
	enum { MOST = 64 };
	const struct perf_event_attr *a = &s->event->attr;
	struct wire_value v[MOST];
	u64 n = 0, enabled = 0, running = 0;
	struct py_obj *list;

	memset(v, 0, sizeof(v));
	if (!(s->present & PERF_SAMPLE_READ) ||
	    wire_read_values(a->read_format, s->read, v, MOST, &n, &enabled, &running) < 0 || !n) {
		list = p->py->PyList_New(1);
		p->py->PyList_SetItem(list, 0, py_again(p, p->store.no_counts));
	} else {
		n = MIN(n, (u64)MOST);
		list = p->py->PyList_New((ssize_t)n);
		for (u64 i = 0; i < n; i++)
			p->py->PyList_SetItem(list, (ssize_t)i, count_of(p, v[i].id, &v[i]));
		if (a->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
			set_number(p, d, K_time_enabled, enabled);
		if (a->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
			set_number(p, d, K_time_running, running);
	}
	set_item(p, d, K_values, list);
}

static void set_rare(struct python *p, struct py_obj *d, const struct sample *s)
{
	const struct datasrc_slot *src;

	if (s->present & PERF_SAMPLE_PHYS_ADDR)
		set_number(p, d, K_phys_addr, s->phys_addr);
	if (s->present & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)) {
		set_number(p, d, K_weight, s->weight);
		set_number(p, d, K_ins_lat, s->ins_lat);
	}
	if (s->present & PERF_SAMPLE_TRANSACTION)
		set_number(p, d, K_transaction, s->transaction);
	if (s->present & PERF_SAMPLE_DATA_SRC) {
		src = datasrc_of(p, s->data_src);
		set_kept(p, d, K_datasrc, src->number);
		set_kept(p, d, K_datasrc_decode, src->text);
	}
}

#define RARE (PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_WEIGHT | \
	      PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_DATA_SRC)

static struct py_obj *inner_dict(struct python *p, const struct event_state *st,
				 const struct sink_item *it)
{
	const struct sample *s = it->sample;
	struct py_obj *d = p->py->PyDict_Copy(st->sample);

	if (s->present & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER))
		set_number(p, d, K_id, s->id);
	if (s->present & PERF_SAMPLE_TID) {
		set_number(p, d, K_pid, s->pid);
		set_number(p, d, K_tid, s->tid);
	}
	if (s->present & PERF_SAMPLE_CPU)
		set_number(p, d, K_cpu, s->cpu);
	if (s->present & PERF_SAMPLE_TIME)
		set_number(p, d, K_time, s->time_ns);
	if (s->present & PERF_SAMPLE_ADDR)
		set_number(p, d, K_addr, s->addr);
	set_number(p, d, K_ip, s->ip);
	set_number(p, d, K_period, s->present & PERF_SAMPLE_PERIOD ? s->period :
		   s->event->attr.sample_period);
	set_counts(p, d, s);
	if (s->present & PERF_SAMPLE_STREAM_ID || s->event->decoded)
		set_number(p, d, K_stream_id, sample_stream_id(s));
	if (s->present & RARE)
		set_rare(p, d, s);
	set_number(p, d, K_cpumode, s->cpumode);
	if (st->addr_symbol) {
		set_kept(p, d, K_addr_correlates_sym, p->store.yes);
		set_place(p, d, K_addr_dso, MASK_PLACE, &it->res->data);
	}
	if (s->synth && s->synth->flags)
		set_flags(p, d, s->synth->flags);
	if (s->synth && s->synth->n_insns && s->synth->n_cycles) {
		set_number(p, d, K_insn_cnt, s->synth->n_insns);
		set_number(p, d, K_cyc_cnt, s->synth->n_cycles);
	}
	return d;
}

static void set_regs(struct python *p, struct py_obj *d, enum py_key key,
		     const struct regs_view *r)
{
	struct str text = STR_INIT;

	script_add_regs(&text, r, machine_arch(p->machine));
	set_item(p, d, key, p->py->PyUnicode_DecodeUTF8(str_cstr(&text), (ssize_t)text.len,
							"replace"));
	str_release(&text);
}

struct py_obj *sample_dict(struct python *p, const struct event_state *st,
			   const struct sink_item *it, struct py_obj *callchain)
{
	const struct sample *s = it->sample;
	const struct location *leaf = &it->res->leaf;
	struct py_obj *d = p->py->PyDict_Copy(st->outer[!leaf->map ? SHAPE_BARE : !leaf->sym ?
							SHAPE_MAP : SHAPE_SYMBOL]);

	if (takes(st, K_sample))
		set_item(p, d, K_sample, inner_dict(p, st, it));
	if (takes(st, K_raw_buf) && s->present & PERF_SAMPLE_RAW)
		set_item(p, d, K_raw_buf,
			 p->py->PyBytes_FromStringAndSize((const char *)s->raw.ptr,
							  (ssize_t)s->raw.len));
	if (takes(st, K_comm))
		set_item(p, d, K_comm, text_of(p, it->res->comm->name));
	set_place(p, d, K_dso, st->keys >> K_dso & MASK_PLACE, leaf);
	if (takes(st, K_callchain))
		set_kept(p, d, K_callchain, callchain);
	if (takes(st, K_brstack) || takes(st, K_brstacksym))
		set_branches(p, d, it);
	if (takes(st, K_iregs) && s->present & PERF_SAMPLE_REGS_INTR)
		set_regs(p, d, K_iregs, &s->intr_regs);
	if (takes(st, K_uregs) && s->present & PERF_SAMPLE_REGS_USER)
		set_regs(p, d, K_uregs, &s->user_regs);
	return d;
}
