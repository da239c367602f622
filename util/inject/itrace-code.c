// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who runs on the CPU of a trace, and the code at an address of that task at that time. Each
 * instruction is looked at once for each file that it is in.
 */
#include <errno.h>
#include <stdlib.h>

#include "util/base/hash.h"
#include "util/base/xalloc.h"
#include "util/inject/itrace-priv.h"

enum { CACHE = 1 << 15, AHEAD_BYTES = 256 };

struct cached { u64 key; struct pt_insn insn; };	/* key 0: empty */

struct trace_code {
	const struct traces *t;
	trace_missing missing;
	void *missing_ctx;
	const trace_switches *switches;	/* NULL: it is of one thread */
	size_t next;			/* of them */
	struct trace_who who;
	struct space *user, *kernel;
	u32 user_version, kernel_version;
	const struct mapping *map;	/* the last one; NULL: to be looked up */
	struct cached *cache;
	/* bytes of a dso from here on */
	const struct dso *near;
	u64 near_rva;
	size_t n_near;
	u8 bytes[AHEAD_BYTES];
};

struct trace_code *trace_code_new(const struct traces *t, const struct trace_queue *q,
				  trace_missing missing, void *ctx)
{
	struct trace_code *c = xnew(struct trace_code);

	c->t = t;
	c->missing = missing;
	c->missing_ctx = ctx;
	c->who = (struct trace_who){ .cpu = q->cpu, .pid = (u32)-1, .tid = q->tid };
	if (q->cpu < t->switches.n)
		c->switches = &t->switches.v[q->cpu];
	c->kernel = machine_kernel_space(t->m);
	c->cache = xtable(CACHE, sizeof(*c->cache));
	return c;
}

void trace_code_free(struct trace_code *c)
{
	if (!c)
		return;
	free(c->cache);
	free(c);
}

struct trace_who trace_code_who(const struct trace_code *c)
{
	return c->who;
}

static void follow_switches(struct trace_code *c)
{
	const trace_switches *s = c->switches;

	while (s && c->next < s->n && s->v[c->next].ns <= c->who.ns) {
		c->who.pid = s->v[c->next].pid;
		c->who.tid = s->v[c->next].tid;
		c->next++;
	}
}

void trace_code_at(void *code, u64 tsc)
{
	struct trace_code *c = code;
	struct thread *th;
	u32 user_version, kernel_version;

	c->who.ns = trace_ns(&c->t->info, tsc);
	follow_switches(c);
	if (c->who.pid == (u32)-1 && c->who.tid != (u32)-1)
		c->who.pid = machine_pid_at(c->t->m, c->who.tid, c->who.ns);
	th = machine_thread_at(c->t->m, c->who.pid, c->who.tid, c->who.ns);
	c->user = thread_space_at(th, c->who.ns);
	if (c->t->log)
		trace_log_who(c->t->log, &c->who);
	user_version = c->user ? space_version(c->user, c->who.ns) : 0;
	kernel_version = c->kernel ? space_version(c->kernel, c->who.ns) : 0;
	if (user_version != c->user_version || kernel_version != c->kernel_version)
		c->map = NULL;
	c->user_version = user_version;
	c->kernel_version = kernel_version;
}

static const struct mapping *map_at(struct trace_code *c, u64 ip)
{
	const struct mapping *m = c->map;
	const bool kernel = machine_is_kernel_va(c->t->m, ip);
	const struct space *s = kernel ? c->kernel : c->user;

	if (m && ip >= m->start_va && ip < m->end_va && m->kernel == kernel)
		return m;
	m = s ? space_find(s, ip, c->who.ns) : NULL;
	return c->map = m;
}

static bool read_near(struct trace_code *c, struct dso *d, u64 rva)
{
	if (c->near == d && rva >= c->near_rva && rva + PT_INSN_BYTES <= c->near_rva + c->n_near)
		return true;
	c->near = d;
	c->near_rva = rva;
	c->n_near = dso_read(d, rva, c->bytes, sizeof(c->bytes));
	return c->n_near > 0;
}

int trace_code_insn(void *code, u64 ip, unsigned bits, const struct pt_insn **out)
{
	struct trace_code *c = code;
	const struct mapping *m = map_at(c, ip);
	struct cached *e;
	u64 rva, key;

	if (!m || !m->dso)
		return -ENOENT;
	rva = mapping_rva(m, ip);
	key = ((u64)m->dso->index + 1) << 48 ^ rva ^ (u64)bits << 40;
	e = &c->cache[hash_slot(key, CACHE)];
	*out = &e->insn;
	if (e->key == key)
		goto found;
	if (!read_near(c, m->dso, rva)) {
		c->missing(c->missing_ctx, &c->who, ip, m->dso);
		return -ENODATA;
	}
	if (!pt_insn_get(c->bytes + (rva - c->near_rva), c->n_near - (rva - c->near_rva), bits,
			 &e->insn)) {
		e->key = 0;
		return -ENOENT;
	}
	e->key = key;
found:
	if (c->t->log)
		trace_log_insn(c->t->log, ip, *out);
	return 0;
}
