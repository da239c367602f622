// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The engines, and the frame-pointer walk over a stack copy.
 */
#include "util/unwind/unwind.h"

#include <errno.h>

#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"

struct engine {
	const char *name;
	int (*run)(struct unwind_ctx *c, const struct sample *s, struct thread *th, struct unwind_frame *out, int max,
		   enum unwind_end *why);
};

struct unwind_ctx {
	struct machine *m;
	const struct engine *engine;
	int max_frames;
	u64 ended[UNWIND_END_NR];
};

static bool user_reg(const struct sample *s, unsigned nr, u64 *out)
{
	const struct regs_view *r = &s->user_regs;

	if (!r->regs || nr > 63 || !(r->mask >> nr & 1))
		return false;
	*out = r->regs[__builtin_popcountll(r->mask & ((1ULL << nr) - 1))];
	return true;
}

static bool stack_word(const struct sample *s, u64 sp, u64 va, u64 *out)
{
	if (va < sp || va - sp > s->stack.len || s->stack.len - (va - sp) < sizeof(*out))
		return false;
	memcpy(out, s->stack.ptr + (va - sp), sizeof(*out));
	return true;
}

static int run_fp(struct unwind_ctx *c UNUSED, const struct sample *s, struct thread *th UNUSED, struct unwind_frame *out, int max,
		  enum unwind_end *why)
{
	const struct arch_info *arch = arch_host();
	u64 ip, sp, fp, ra, next;
	int n = 0;

	if (!user_reg(s, arch->perf_ip, &ip) || !user_reg(s, arch->perf_sp, &sp)) {
		*why = UNWIND_NO_REGS;
		return 0;
	}
	if (max > 0)
		out[n++] = (struct unwind_frame){ .va = ip };
	if (!user_reg(s, arch->perf_fp, &fp)) {
		*why = UNWIND_NO_REGS;
		return n;
	}
	for (;;) {
		*why = fp ? UNWIND_STACK_CUT : UNWIND_COMPLETE;
		if (!stack_word(s, sp, fp, &next) || !stack_word(s, sp, fp + 8, &ra))
			return n;
		*why = ra ? UNWIND_BAD_FRAME : UNWIND_COMPLETE;
		if (!ra)
			return n;
		*why = UNWIND_MAX_FRAMES;
		if (n >= max)
			return n;
		out[n++] = (struct unwind_frame){ .va = ra };
		*why = next ? UNWIND_BAD_FRAME : UNWIND_COMPLETE;
		if (next <= fp)
			return n;
		fp = next;
	}
}

static const struct engine engines[] = {
	{ "fp", run_fp },
};

struct unwind_ctx *unwind_new(struct machine *m, const struct unwind_opts *opts, struct err *err)
{
	const struct engine *e = NULL;
	struct unwind_ctx *c;

	for (size_t i = 0; i < ARRAY_SIZE(engines); i++) {
		if (!opts->engine || strcmp(opts->engine, engines[i].name) == 0) {
			e = &engines[i];
			break;
		}
	}
	if (!e) {
		err_set(err, ENOENT, "unknown unwinder '%s'", opts->engine);
		return NULL;
	}
	c = xnew(struct unwind_ctx);
	c->m = m;
	c->engine = e;
	c->max_frames = opts->max_frames;
	return c;
}

void unwind_free(struct unwind_ctx *c)
{
	free(c);
}

int unwind_user(struct unwind_ctx *c, const struct sample *s, struct thread *th, struct unwind_frame *out, int max,
		enum unwind_end *why)
{
	int n;

	if (c->max_frames > 0 && max > c->max_frames)
		max = c->max_frames;
	n = c->engine->run(c, s, th, out, max, why);
	c->ended[*why]++;
	return n;
}

const char *unwind_end_text(enum unwind_end why)
{
	static const char *const texts[] = {
		[UNWIND_COMPLETE] = "complete", [UNWIND_MAX_FRAMES] = "more frames than asked for",
		[UNWIND_STACK_CUT] = "stack copy too short", [UNWIND_NO_CFI] = "no unwind table for an address",
		[UNWIND_NO_BINARY] = "binary not found", [UNWIND_BAD_FRAME] = "frames run in a circle",
		[UNWIND_NO_REGS] = "no registers",
	};

	return why < ARRAY_SIZE(texts) ? texts[why] : "?";
}

u64 unwind_ended(const struct unwind_ctx *c, enum unwind_end why)
{
	return why < UNWIND_END_NR ? c->ended[why] : 0;
}
