// SPDX-License-Identifier: GPL-2.0-or-later
/* Expressions of --where: refused with a caret, or asked of a sample; twice the same answer. */
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/event/event.h"
#include "util/stream/where.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

static bool ask(struct where_filter *w, const struct sample *s, const struct resolved *r)
{
	struct where_memo *m = where_memo_new();
	bool all = true;

	for (enum where_stage stage = 0; stage < WHERE_STAGES; stage++) {
		const bool yes = where_passes(w, stage, s, r, m);

		if (where_passes(w, stage, s, r, m) != yes ||
		    where_passes(w, stage, s, r, NULL) != yes ||
		    (!where_has_stage(w, stage) && !yes))
			abort();
		all &= yes;
	}
	where_memo_free(m);
	return all;
}

static void ask_samples(struct where_filter *w)
{
	static const struct sample none;
	struct event e = { .name = (char *)"cycles:u", .attr.sample_type = PERF_SAMPLE_IP };
	struct symbol sym = { .name = "main", .start_rva = 0x1000, .end_rva = 0x2000 };
	const struct location frames[] = { { .va = 0x1010, .sym = &sym }, { .va = 5 } };
	const struct comm comm = { .name = "work" };
	const struct resolved r = { .leaf = frames[0], .frames = frames, .n_frames = 2,
				    .comm = &comm };
	const struct resolved nothing = { 0 };
	const struct sample s = { .present = ~0ULL, .event = &e, .time_ns = 1500000000,
				  .pid = 3, .tid = 4, .cpu = 5, .ip = 0x1010, .addr = 7,
				  .period = 1000, .cpumode = PERF_RECORD_MISC_USER };

	ask(w, &s, &r);
	ask(w, &none, &nothing);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	char *text = xstrndup(n ? (const char *)data : "", MIN(n, (size_t)2048));
	struct where_filter *w = NULL;
	struct event_list events;
	struct err err = ERR_INIT;

	event_list_init(&events);
	/* what counts repetitions takes the C library minutes and gigabytes to compile */
	for (char *p = text; *p; p++)
		*p = *p == '{' ? '(' : *p;
	if (where_parse(text, &w, &err)) {
		if (w || !err.msg || !strchr(err.msg, '^'))
			abort();
	} else {
		where_bind(w, &events, false, false, &err);
		where_set_bounds(w, 1000000000, 2000000000);
		ask_samples(w);
		where_free(w);
	}
	err_release(&err);
	event_list_release(&events);
	free(text);
	return 0;
}
