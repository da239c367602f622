// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/stack-ends.h"

size_t stream_stack_ends(const struct stream_stats *st, struct stack_end out[STACK_ENDS_MAX])
{
	u64 copies = 0, chains = st->n_user_chains;
	size_t n = 0;

	for (int i = 0; i < UNWIND_END_NR; i++)
		copies += st->unwind_ended[i];
	for (int i = 0; i < UNWIND_END_NR; i++)
		if (st->unwind_ended[i])
			out[n++] = (struct stack_end){ true, unwind_end_text(i),
						       st->unwind_ended[i], copies };
	if (!chains)
		return n;
	out[n++] = (struct stack_end){ false, "without a visible break",
				       chains - st->n_broken_chains - st->n_unsure_chains, chains };
	out[n++] = (struct stack_end){ false, "broken: code without frame pointers",
				       st->n_broken_chains, chains };
	if (st->n_unsure_chains)
		out[n++] = (struct stack_end){ false, "one frame in code without symbols: whole or "
						      "broken", st->n_unsure_chains, chains };
	return n;
}
