// SPDX-License-Identifier: GPL-2.0-or-later
// Frame pointers in the stack copy: for comparison, and for code without tables.
#include "util/unwind/unwind-priv.h"

/* sure: only by a call that is seen to lead here. */
static bool step_top_of_stack(struct unwinding *u, bool sure)
{
	unsigned sp = u->arch->dwarf_sp;
	u64 ra;

	if (u->arch->calls.has_lr) {
		const struct mapping *map = unwind_code(u, u->ip);

		ra = u->regs[u->arch->dwarf_ra];
		if (u->arch->code_mask)
			ra &= u->arch->code_mask;
		/* where a call was made it is not the caller's */
		if (!map || !map->dso || ra == u->ip || !unwind_code(u, ra - 1) ||
		    unwind_in_function(map, u->ip, ra - 1))
			return false;
		u->ip = ra;
		return true;
	}
	if (unwind_read(u, u->regs[sp], &ra) ||
	    !(sure ? unwind_calls(u, ra, u->ip) : unwind_follows_call(u, ra)))
		return false;
	u->ip = ra;
	u->regs[sp] += u->arch->addr_bytes;
	return true;
}

static enum unwind_end step_chain(struct unwinding *u)
{
	unsigned sp = u->arch->dwarf_sp, fp = u->arch->dwarf_fp, word = u->arch->addr_bytes;
	u64 at = u->regs[fp], saved, ra;
	enum unwind_end reason;

	if (u->arch->calls.frame == ARCH_FRAME_BELOW)
		at -= 2 * word;
	if (u->arch->calls.frame == ARCH_FRAME_NONE || at < u->regs[sp] || at % word)
		return UNWIND_NO_CFI;
	reason = unwind_read(u, at, &saved);
	if (!reason)
		reason = unwind_read(u, at + word, &ra);
	if (reason)
		return unwind_beyond_copy(reason) ? reason : UNWIND_NO_CFI;
	if (ra && !unwind_code(u, ra - 1))
		return UNWIND_NO_CFI;
	u->ip = ra;
	u->regs[fp] = saved;
	u->regs[sp] = at + 2 * word;
	return UNWIND_COMPLETE;
}

/* Code without tables may have no frame, and then the return address is on top of the stack; or
 * it has one, and what lies there may be an address that was left from a call before. The frame
 * pointer decides unless that call is seen to lead here. What compilers at run time make has frame
 * pointers as a rule. */
enum unwind_end unwind_step_fp(struct unwinding *u, bool first, bool is_jit)
{
	enum unwind_end reason;

	if (first && !is_jit && step_top_of_stack(u, true))
		return UNWIND_COMPLETE;
	reason = step_chain(u);
	return reason && first && step_top_of_stack(u, false) ? UNWIND_COMPLETE : reason;
}

static enum unwind_end fp_run(struct unwinding *u, void *state UNUSED)
{
	while (unwind_push(u, u->ip, false)) {
		enum unwind_end reason = unwind_step_fp(u, false, false);

		if (reason)
			return reason;
		if (!u->ip)
			return UNWIND_COMPLETE;
	}
	return UNWIND_MAX_FRAMES;
}

const struct engine engine_fp = { .name = "fp", .run = fp_run };
