// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/wire/wire.h"

#include "util/wire/wire-priv.h"

/* A record in the making; beyond the end nothing is written, and finish() says -ENOSPC. */
struct enc {
	u8 *buf;
	size_t pos, cap;
	bool full;
};

static void *put(struct enc *e, const void *p, size_t n)
{
	u8 *at = e->buf + e->pos;

	if (e->full || n > e->cap - e->pos) {
		e->full = true;
		return NULL;
	}
	if (n && p)
		memcpy(at, p, n);
	else if (n)
		memset(at, 0, n);
	e->pos += n;
	return at;
}

static void put_u64(struct enc *e, u64 v) { put(e, &v, 8); }
static void put_u32(struct enc *e, u32 v) { put(e, &v, 4); }
static void put_u16(struct enc *e, u16 v) { put(e, &v, 2); }
static void pad(struct enc *e) { put(e, NULL, -e->pos & 7); }

static void put_u32x2(struct enc *e, u32 a, u32 b)
{
	put_u32(e, a);
	put_u32(e, b);
}

static void put_str(struct enc *e, const char *s)
{
	put(e, s, strlen(s) + 1);
	pad(e);
}

static struct enc begin(u32 type, u16 misc, void *buf, size_t cap)
{
	struct enc e = { buf, 0, MIN(cap, (size_t)WIRE_MAX_RECORD_BYTES & ~7UL), false };

	put_u32(&e, type);
	put_u16(&e, misc);
	put_u16(&e, 0);
	return e;
}

static int finish(struct enc *e)
{
	if (e->full)
		return -ENOSPC;

	u16 size = (u16)e->pos;

	memcpy(e->buf + offsetof(struct perf_event_header, size), &size, 2);
	return (int)e->pos;
}

static int finish_id(struct enc *e, const struct perf_event_attr *attr, const struct sample_id *id)
{
	static const struct sample_id none;
	const u64 type = wire_id_words(attr) ? attr->sample_type : 0;

	if (!id)
		id = &none;
	if (type & PERF_SAMPLE_TID)
		put_u32x2(e, id->pid, id->tid);
	if (type & PERF_SAMPLE_TIME)
		put_u64(e, id->time_ns);
	if (type & PERF_SAMPLE_ID)
		put_u64(e, id->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_u64(e, id->stream_id);
	if (type & PERF_SAMPLE_CPU)
		put_u32x2(e, id->cpu, 0);
	if (type & PERF_SAMPLE_IDENTIFIER)
		put_u64(e, id->id);
	return finish(e);
}

static void put_branch(struct enc *e, u64 type, const struct branch_view *b)
{
	put_u64(e, b->n);
	if (type & PERF_SAMPLE_BRANCH_HW_INDEX)
		put_u64(e, b->hw_idx);
	put(e, b->entries, b->n * sizeof(*b->entries));
	if (type & ABI_SAMPLE_BRANCH_COUNTERS)
		put(e, b->counters, b->n * 8);
}

static void put_regs(struct enc *e, const struct regs_view *r, u64 mask)
{
	put_u64(e, r->regs ? r->abi : PERF_SAMPLE_REGS_ABI_NONE);
	if (r->regs && r->abi)
		put(e, r->regs, (size_t)__builtin_popcountll(mask) * 8);
}

static void put_stack(struct enc *e, const struct sample *s)
{
	size_t n = ALIGN_UP(s->stack.len, 8);

	put_u64(e, n);
	if (!n)
		return;
	put(e, s->stack.ptr, s->stack.len);
	pad(e);
	put_u64(e, s->stack_dyn_bytes);
}

static void put_raw(struct enc *e, struct span raw)
{
	u32 n = (u32)(ALIGN_UP(raw.len + 4, 8) - 4);

	put_u32(e, n);
	put(e, raw.ptr, raw.len);
	pad(e);
}

static void put_tail(struct enc *e, const struct perf_event_attr *attr, const struct sample *s)
{
	const u64 type = attr->sample_type;

	if (type & PERF_SAMPLE_RAW)
		put_raw(e, s->raw);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branch(e, attr->branch_sample_type, &s->branch);
	if (type & PERF_SAMPLE_REGS_USER)
		put_regs(e, &s->user_regs, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		put_stack(e, s);
	if (type & PERF_SAMPLE_WEIGHT)
		put_u64(e, s->weight);
	if (type & PERF_SAMPLE_WEIGHT_STRUCT) {
		union perf_sample_weight v = { 0 };

		v.var1_dw = (u32)s->weight;
		v.var2_w = s->ins_lat;
		v.var3_w = s->p_stage_cyc;
		put_u64(e, v.full);
	}
	if (type & PERF_SAMPLE_DATA_SRC)
		put_u64(e, s->data_src);
	if (type & PERF_SAMPLE_TRANSACTION)
		put_u64(e, s->transaction);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_regs(e, &s->intr_regs, attr->sample_regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		put_u64(e, s->phys_addr);
	if (type & PERF_SAMPLE_CGROUP)
		put_u64(e, s->cgroup);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		put_u64(e, s->data_page_bytes);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		put_u64(e, s->code_page_bytes);
	if (type & PERF_SAMPLE_AUX) {
		put_u64(e, s->aux.len);
		put(e, s->aux.ptr, s->aux.len);
		pad(e);
	}
}

int wire_encode_sample(const struct perf_event_attr *attr, const struct sample *s, void *buf,
		       size_t cap)
{
	const u64 type = attr->sample_type;
	struct enc e = begin(PERF_RECORD_SAMPLE, s->misc, buf, cap);

	if (type & PERF_SAMPLE_IDENTIFIER)
		put_u64(&e, s->id);
	if (type & PERF_SAMPLE_IP)
		put_u64(&e, s->ip);
	if (type & PERF_SAMPLE_TID)
		put_u32x2(&e, s->pid, s->tid);
	if (type & PERF_SAMPLE_TIME)
		put_u64(&e, s->time_ns);
	if (type & PERF_SAMPLE_ADDR)
		put_u64(&e, s->addr);
	if (type & PERF_SAMPLE_ID)
		put_u64(&e, s->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_u64(&e, s->stream_id);
	if (type & PERF_SAMPLE_CPU)
		put_u32x2(&e, s->cpu, 0);
	if (type & PERF_SAMPLE_PERIOD)
		put_u64(&e, s->period);
	if (type & PERF_SAMPLE_READ)
		put(&e, s->read.ptr, s->read.len);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		put_u64(&e, s->chain_n);
		put(&e, s->chain, s->chain_n * 8);
	}
	put_tail(&e, attr, s);
	return finish(&e);
}

int wire_encode_mmap2(const struct perf_event_attr *attr, const struct wire_mmap *m, u16 misc,
		      const struct sample_id *id,
		      void *buf, size_t cap)
{
	misc |= m->data ? PERF_RECORD_MISC_MMAP_DATA : 0;
	misc |= m->build_id_bytes ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0;

	struct enc e = begin(PERF_RECORD_MMAP2, misc, buf, cap);

	put_u32x2(&e, m->pid, m->tid);
	put_u64(&e, m->start_va);
	put_u64(&e, m->bytes);
	put_u64(&e, m->off);
	if (m->build_id_bytes) {
		put_u32(&e, 0);
		if (!e.full)
			e.buf[e.pos - 4] = m->build_id_bytes;
		put(&e, m->build_id, sizeof(m->build_id));
	} else {
		put_u32x2(&e, m->maj, m->min);
		put_u64(&e, m->ino);
		put_u64(&e, m->ino_generation);
	}
	put_u32x2(&e, m->prot, m->flags);
	put_str(&e, m->path);
	return finish_id(&e, attr, id);
}

int wire_encode_comm(const struct perf_event_attr *attr, const struct wire_comm *c,
		     const struct sample_id *id, void *buf,
		     size_t cap)
{
	struct enc e = begin(PERF_RECORD_COMM, c->exec ? PERF_RECORD_MISC_COMM_EXEC : 0, buf, cap);

	put_u32x2(&e, c->pid, c->tid);
	put_str(&e, c->comm);
	return finish_id(&e, attr, id);
}

int wire_encode_task(const struct perf_event_attr *attr, u32 type, const struct wire_task *t,
		     const struct sample_id *id,
		     void *buf, size_t cap)
{
	struct enc e = begin(type, 0, buf, cap);

	put_u32x2(&e, t->pid, t->ppid);
	put_u32x2(&e, t->tid, t->ptid);
	put_u64(&e, t->time_ns);
	return finish_id(&e, attr, id);
}

int wire_encode_lost(const struct perf_event_attr *attr, const struct wire_lost *l,
		     const struct sample_id *id, void *buf,
		     size_t cap)
{
	struct enc e = begin(PERF_RECORD_LOST, 0, buf, cap);

	put_u64(&e, l->id);
	put_u64(&e, l->lost);
	return finish_id(&e, attr, id);
}

int wire_encode_cgroup(const struct perf_event_attr *attr, const struct wire_cgroup *c,
		       const struct sample_id *id, void *buf,
		       size_t cap)
{
	struct enc e = begin(PERF_RECORD_CGROUP, 0, buf, cap);

	put_u64(&e, c->id);
	put_str(&e, c->path);
	return finish_id(&e, attr, id);
}

int wire_encode_namespaces(const struct perf_event_attr *attr, const struct wire_namespaces *n,
			   const struct sample_id *id,
			   void *buf, size_t cap)
{
	struct enc e = begin(PERF_RECORD_NAMESPACES, 0, buf, cap);

	put_u32x2(&e, n->pid, n->tid);
	put_u64(&e, n->n);
	put(&e, n->links, n->n * sizeof(*n->links));
	return finish_id(&e, attr, id);
}

int wire_encode_ksymbol(const struct perf_event_attr *attr, const struct wire_ksymbol *k,
			const struct sample_id *id,
			void *buf, size_t cap)
{
	struct enc e = begin(PERF_RECORD_KSYMBOL, 0, buf, cap);

	put_u64(&e, k->va);
	put_u32(&e, k->bytes);
	put_u16(&e, k->type);
	put_u16(&e, k->flags);
	put_str(&e, k->name);
	return finish_id(&e, attr, id);
}
