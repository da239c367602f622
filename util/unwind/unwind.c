// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/unwind.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/unwind/unwind-priv.h"

static const struct engine *const engines[] =
	{ &engine_cfi, &engine_fp, &engine_libdw, &engine_libunwind };

struct unwind_ctx *unwind_new(struct machine *m, const struct unwind_opts *opts, struct err *err)
{
	const char *name = opts && opts->engine ? opts->engine : "cfi";
	struct unwind_ctx *c;

	for (size_t i = 0; i < ARRAY_SIZE(engines); i++) {
		if (strcmp(engines[i]->name, name))
			continue;
		c = xnew(struct unwind_ctx);
		c->m = m;
		c->engine = engines[i];
		c->max_frames = opts ? opts->max_frames : 0;
		c->stop_unread = opts && opts->stop_unread;
		c->state = c->engine->init ? c->engine->init(c) : NULL;
		return c;
	}
	err_set(err, EINVAL, "unknown unwinder '%s'", name);
	err_hint(err, "use one of: cfi, fp, libdw, libunwind");
	return NULL;
}

void unwind_free(struct unwind_ctx *c)
{
	if (!c)
		return;
	if (c->engine->release)
		c->engine->release(c->state);
	free(c);
}

/* A 32-bit task of a 64-bit machine. */
static bool use_compat(struct unwinding *u)
{
	if (u->arch->elf_machine != EM_X86_64)
		return false;
	u->arch = arch_by_name("i686");
	return true;
}

static bool start(struct unwinding *u)
{
	const struct regs_view *v = &u->sample->user_regs;
	u64 by_perf[64], sp;
	unsigned n = 0;

	if (!v->regs || v->abi == PERF_SAMPLE_REGS_ABI_NONE)
		return false;
	if (v->abi == PERF_SAMPLE_REGS_ABI_32 && u->arch->addr_bytes == 8 && !use_compat(u))
		return false;
	if (!u->arch->n_perf_regs || !(v->mask >> u->arch->perf_ip & 1) ||
	    !(v->mask >> u->arch->perf_sp & 1))
		return false;
	for (u64 left = v->mask; left; left &= left - 1)
		by_perf[__builtin_ctzll(left)] = v->regs[n++];
	u->ip = by_perf[u->arch->perf_ip];
	sp = by_perf[u->arch->perf_sp];
	memset(u->regs, 0, sizeof(u->regs));
	for (unsigned i = 0; i < u->arch->n_dwarf_regs && i < CFI_MAX_REGS; i++) {
		int nr = u->arch->dwarf_to_perf[i];

		if (nr >= 0 && v->mask >> nr & 1)
			u->regs[i] = by_perf[nr];
	}
	u->stack = u->sample->stack.ptr;
	u->stack_va = sp;
	u->stack_end_va = sp + u->sample->stack.len;
	if (u->stack_end_va < sp)
		u->stack_end_va = u->stack_va;
	return true;
}

/* Engines that know nothing of files say that tables are missing. */
static enum unwind_end check_unread(struct unwind_ctx *c, struct unwinding *u, enum unwind_end end)
{
	const struct mapping *map;

	if ((end != UNWIND_NO_CFI && end != UNWIND_BAD_FRAME && end != UNWIND_NO_BINARY) || !u->n)
		return end;
	map = unwind_code(u, u->out[u->n - 1].va - (u->n > 1));
	if (!map || !map->dso || map->dso->kind != DSO_FILE || dso_file(map->dso))
		return end;
	if (!c->unread)
		c->unread = map->dso;
	return UNWIND_NO_BINARY;
}

/* false: there is nothing to begin with. */
static bool begin(struct unwind_ctx *c, struct unwinding *u, const struct unwind_job *j)
{
	u->ctx = c;
	u->arch = machine_arch(c->m);
	u->sample = j->s;
	u->th = j->th;
	u->t_ns = j->s->time_ns;
	u->swap = machine_swapped(c->m);
	u->out = j->out;
	u->n = 0;
	u->reach = 0;
	u->max = c->max_frames > 0 ? MIN(j->max, c->max_frames) : j->max;
	if (!j->th || !start(u))
		return false;
	u->space = thread_space_at(j->th, j->s->time_ns);
	u->space_key = space_id(u->space) << 32 | space_version(u->space, j->s->time_ns);
	return true;
}

static void run(struct unwind_ctx *c, struct unwinding *const *u, int n, enum unwind_end *reason)
{
	if (c->engine->run_all)
		c->engine->run_all(u, n, reason, c->state);
	else
		for (int i = 0; i < n; i++)
			reason[i] = c->engine->run(u[i], c->state);
}

void unwind_users(struct unwind_ctx *c, struct unwind_job *jobs, int n_jobs)
{
	struct unwinding *u[UNWIND_BATCH];
	enum unwind_end reason[UNWIND_BATCH];
	struct unwind_job *of[UNWIND_BATCH];
	int n = 0;

	for (int i = 0; i < n_jobs; i++) {
		jobs[i].n = 0;
		jobs[i].reason = UNWIND_NO_REGS;
		if (!begin(c, &c->stacks[n], &jobs[i])) {
			c->ended[UNWIND_NO_REGS]++;
			continue;
		}
		of[n] = &jobs[i];
		u[n] = &c->stacks[n];
		n++;
	}
	if (n)
		run(c, u, n, reason);
	for (int i = 0; i < n; i++) {
		of[i]->reason = check_unread(c, u[i], reason[i]);
		of[i]->n = u[i]->n;
		c->ended[of[i]->reason]++;
		c->reach = u[i]->reach;
	}
}

int unwind_user(struct unwind_ctx *c, const struct sample *s, struct thread *th,
		struct unwind_frame *out, int max,
		enum unwind_end *reason)
{
	struct unwind_job j = { .s = s, .th = th, .out = out, .max = max };

	unwind_users(c, &j, 1);
	if (reason)
		*reason = j.reason;
	return j.n;
}

const char *unwind_end_text(enum unwind_end reason)
{
	static const char *const texts[UNWIND_END_NR] = {
		[UNWIND_COMPLETE] = "complete",
		[UNWIND_MAX_FRAMES] = "more frames than asked for",
		[UNWIND_STACK_CUT] = "stack copy too short",
		[UNWIND_NO_CFI] = "code without unwind tables",
		[UNWIND_NO_BINARY] = "binary cannot be read",
		[UNWIND_BAD_FRAME] = "damaged frame",
		[UNWIND_NO_REGS] = "no registers recorded",
		[UNWIND_OTHER_STACK] = "goes on in another stack, which was not copied",
		[UNWIND_NO_COPY] = "the stack was not there to be copied (execve, paged out)",
		[UNWIND_PROBED] = "the return address is that of a return probe",
	};

	return reason < UNWIND_END_NR ? texts[reason] : "unknown";
}

struct dso *unwind_unread(const struct unwind_ctx *c)
{
	return c->unread;
}

u64 unwind_reach(const struct unwind_ctx *c)
{
	return c->reach;
}

u64 unwind_ended(const struct unwind_ctx *c, enum unwind_end reason)
{
	return reason < UNWIND_END_NR ? c->ended[reason] : 0;
}
