// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/stacks.h"

#include <stdio.h>

#include "util/unwind/unwind.h"

void cli_unwind_ends(const u64 *ended)
{
	u64 all = 0;

	for (int i = 0; i < UNWIND_END_NR; i++)
		all += ended[i];
	for (int i = 0; i < UNWIND_END_NR; i++)
		if (ended[i])
			fprintf(stderr, "unwound stacks: %llu of %llu: %s\n",
				(unsigned long long)ended[i], (unsigned long long)all,
				unwind_end_text(i));
}

void cli_unwind_stats(const struct stream_stats *st)
{
	cli_unwind_ends(st->unwind_ended);
	if (st->n_user_chains)
		fprintf(stderr, "recorded call chains: %llu of %llu break in code without frame "
				"pointers\n",
			(unsigned long long)st->n_broken_chains,
			(unsigned long long)st->n_user_chains);
	if (st->n_unsure_chains)
		fprintf(stderr, "recorded call chains: %llu more are one frame in code without "
				"symbols: whole or broken\n",
			(unsigned long long)st->n_unsure_chains);
}
