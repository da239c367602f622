// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sys-pairs.h"

#include <stdlib.h>

#define LONG_NS 1000000		/* a call that is reported before its end */

struct open_call {
	struct sysrec rec;
	bool in_call, newborn;
	u32 n_paths;
	struct str chunks;
	struct str out;		/* the record with its chunks */
};

struct begun { u32 tid; u64 enter_ns; };

struct sys_pairs {
	struct sys_pairs_opts o;
	struct hmap threads;		/* tid -> struct open_call */
	/* in the order of time; from queue_at on: not known to be long yet */
	VEC(struct begun) queue;
	size_t queue_at;
};

struct sys_pairs *sys_pairs_new(const struct sys_pairs_opts *o)
{
	struct sys_pairs *p = xnew(struct sys_pairs);

	p->o = *o;
	return p;
}

static void free_call(struct open_call *c)
{
	str_release(&c->chunks);
	str_release(&c->out);
	free(c);
}

void sys_pairs_free(struct sys_pairs *p)
{
	if (!p)
		return;
	for hmap_each(i, &p->threads)
		free_call(p->threads.vals[i]);
	hmap_release(&p->threads);
	vec_free(&p->queue);
	free(p);
}

static struct open_call *thread_of(struct sys_pairs *p, u32 tid)
{
	struct open_call *c = hmap_get(&p->threads, tid);

	if (!c) {
		c = xnew(struct open_call);
		hmap_put(&p->threads, tid, c);
	}
	return c;
}

static bool is_wanted(const struct sys_pairs *p, const struct sysrec *r)
{
	u32 nr = r->nr < SYSPLAN_NRS ? r->nr : SYSPLAN_NRS - 1;

	return !p->o.wanted || p->o.wanted[(r->flags & SYSREC_F_COMPAT ? SYSPLAN_NRS : 0) + nr];
}

static const struct syscall_info *info_of(const struct sys_pairs *p, const struct sysrec *r)
{
	return syscall_entry(p->o.lines->set, r->nr, r->flags & SYSREC_F_COMPAT)->info;
}

static bool is_call(const struct sys_pairs *p, const struct sysrec *r, const char *a, const char *b)
{
	const struct syscall_info *info = info_of(p, r);

	return info && (!strcmp(info->base, a) || !strcmp(info->base, b));
}

static bool is_exec(const struct sys_pairs *p, const struct sysrec *r)
{
	return is_call(p, r, "execve", "execveat");
}

static void tell(struct sys_pairs *p, struct open_call *c, struct sysrec *r)
{
	if (!c->chunks.len) {
		sys_lines_record(p->o.lines, r, sizeof(*r));
		return;
	}
	r->len = c->chunks.len;
	str_reset(&c->out);
	str_addn(&c->out, (const char *)r, sizeof(*r));
	str_addn(&c->out, c->chunks.buf, c->chunks.len);
	str_reset(&c->chunks);
	sys_lines_record(p->o.lines, c->out.buf, c->out.len);
}

/* A call that is reported before its end. */
static void tell_begin(struct sys_pairs *p, struct open_call *c, u16 flags)
{
	struct sysrec r = c->rec;

	if (!c->in_call || c->rec.flags & SYSREC_F_ENTERED || p->o.min_ns || p->o.only_failed ||
	    !is_wanted(p, &r) ||
	    (p->o.held && r.tid == p->o.held))
		return;
	r.type = SYSREC_ENTER;
	r.flags |= flags;
	tell(p, c, &r);
	c->rec.flags |= SYSREC_F_ENTERED;
}

void sys_pairs_until(struct sys_pairs *p, u64 time_ns)
{
	while (p->queue_at < p->queue.n && p->queue.v[p->queue_at].enter_ns + LONG_NS < time_ns) {
		const struct begun *b = &p->queue.v[p->queue_at++];
		struct open_call *c = hmap_get(&p->threads, b->tid);

		if (c && c->in_call && c->rec.enter_ns == b->enter_ns)
			tell_begin(p, c, 0);
	}
	if (p->queue_at > 4096 && p->queue_at * 2 > p->queue.n) {
		p->queue.n -= p->queue_at;
		memmove(p->queue.v, p->queue.v + p->queue_at, p->queue.n * sizeof(*p->queue.v));
		p->queue_at = 0;
	}
}

void sys_pairs_enter(struct sys_pairs *p, const struct sysrec *r)
{
	struct open_call *c = thread_of(p, r->tid);

	sys_pairs_until(p, r->enter_ns);
	c->rec = *r;
	c->rec.type = SYSREC_CALL;
	c->rec.ustack = c->rec.kstack = -1;
	c->rec.len = 0;
	c->in_call = true;
	c->newborn = false;
	c->n_paths = 0;
	str_reset(&c->chunks);
	if (is_call(p, r, "exit", "exit_group")) {
		tell_begin(p, c, SYSREC_F_NO_RETURN);
		c->in_call = false;
		return;
	}
	vec_push(&p->queue, ((struct begun){ r->tid, r->enter_ns }));
}

/* Another thread than the first one called execve: it goes on with the number of the process. */
static struct open_call *exec_elsewhere(struct sys_pairs *p, const struct sysrec *r)
{
	if (r->tid != r->tgid || !is_exec(p, r))
		return NULL;
	for hmap_each(i, &p->threads) {
		struct open_call *c = p->threads.vals[i];

		if (c->in_call && c->rec.tgid == r->tgid && is_exec(p, &c->rec))
			return c;
	}
	return NULL;
}

static bool reported(const struct sys_pairs *p, const struct sysrec *r)
{
	if (p->o.only_failed && (r->ret >= 0 || r->ret < -4095))
		return false;
	return !p->o.min_ns || (r->enter_ns && r->exit_ns - r->enter_ns >= p->o.min_ns);
}

/* The call that ends, or one whose begin was not seen. */
static struct open_call *take_open(struct sys_pairs *p, const struct sysrec *end,
				   struct sysrec *out)
{
	struct open_call *c = thread_of(p, end->tid), *other;

	/* rt_sigreturn leaves no number; any other one says whether it is this call (records may
	 * be missing) */
	if (c->in_call && ((s32)end->nr == -1 || end->nr == c->rec.nr)) {
		*out = c->rec;
	} else if ((other = exec_elsewhere(p, end)) != NULL) {
		*out = other->rec;
		other->in_call = false;
		c = other;
	} else {
		*out = *end;
		out->enter_ns = 0;
		out->flags |= SYSREC_F_NO_ENTER;
		memset(out->args, 0, sizeof(out->args));
		str_reset(&c->chunks);
	}
	out->type = SYSREC_CALL;
	out->exit_ns = end->exit_ns;
	out->ret = end->ret;
	out->exit_tid = end->tid;
	out->cpu = end->cpu;
	out->ustack = out->kstack = -1;
	out->len = 0;
	memcpy(out->comm, end->comm, sizeof(out->comm));
	return c;
}

bool sys_pairs_exit(struct sys_pairs *p, const struct sysrec *end)
{
	struct open_call *c = thread_of(p, end->tid), *from;
	struct sysrec r;
	bool first = c->newborn && !c->in_call;

	sys_pairs_until(p, end->exit_ns);
	c->newborn = false;
	if (first)
		return false;
	from = take_open(p, end, &r);
	c->in_call = false;
	if (p->o.held && end->tid == p->o.held) {
		if (!is_exec(p, &r) || r.ret)
			return false;
		p->o.held = 0;
	}
	if ((s32)r.nr == -1 || !is_wanted(p, &r) || !reported(p, &r))
		return false;
	if (p->o.on_call)
		p->o.on_call(p->o.ctx, &r);
	tell(p, from, &r);
	return true;
}

void sys_pairs_path(struct sys_pairs *p, u32 tid, struct span text)
{
	struct open_call *c = hmap_get(&p->threads, tid);
	const struct syscall_info *info = c && c->in_call ? info_of(p, &c->rec) : NULL;
	u32 nth = 0;

	for (u8 i = 0; info && i < info->n_args; i++) {
		struct syschunk head = { .arg = i, .kind = SYSCHUNK_STR,
					 .len = (u16)MIN(text.len, (size_t)4096) };

		if (info->args[i].kind != SYS_PATH || !c->rec.args[i] || nth++ != c->n_paths)
			continue;
		c->n_paths++;
		str_addn(&c->chunks, (const char *)&head, sizeof(head));
		str_addn(&c->chunks, (const char *)text.ptr, head.len);
		return;
	}
}

void sys_pairs_born(struct sys_pairs *p, u32 tid)
{
	struct open_call *c = thread_of(p, tid);

	c->newborn = true;
	c->in_call = false;
}

void sys_pairs_died(struct sys_pairs *p, u32 tid, u64 time_ns)
{
	struct open_call *c = hmap_del(&p->threads, tid);
	struct sysrec r;

	if (!c)
		return;
	r = c->rec;
	if (c->in_call && !p->o.min_ns && !p->o.only_failed && is_wanted(p, &r) &&
	    tid != p->o.held) {
		r.type = SYSREC_ENTER;
		r.flags |= SYSREC_F_CUT;
		r.exit_ns = time_ns;
		tell(p, c, &r);
	}
	free_call(c);
}

void sys_pairs_event(struct sys_pairs *p, u32 tid)
{
	struct open_call *c = hmap_get(&p->threads, tid);

	if (c)
		tell_begin(p, c, 0);
}

void sys_pairs_lost(struct sys_pairs *p, u64 n)
{
	for hmap_each(i, &p->threads) {
		struct open_call *c = p->threads.vals[i];

		c->in_call = c->newborn = false;
	}
	sys_lines_lost(p->o.lines, n);
}
