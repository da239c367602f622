// SPDX-License-Identifier: GPL-2.0-or-later
// perf script --dlfilter: samples through a filter in a shared object.
#include <stdio.h>
#include <stdio_ext.h>

#include "builtin-script.h"
#include "util/script/dlfilter.h"

int script_show_filters(bool whole)
{
	struct str text = STR_INIT;

	dlfilter_list(whole, &text);
	fputs(str_cstr(&text), stdout);
	str_release(&text);
	return 0;
}

/* What the filter printed stands behind what was printed before it was asked. */
static void filter_printed(void *ctx)
{
	const struct script_filter *sf = ctx;

	if (!__fpending(stdout))
		return;
	if (sf->flush)
		sf->flush(sf->ctx);
	fflush(stdout);
}

static int run_filtered(struct script_filter *sf, struct session *s, struct sink **sinks, size_t n)
{
	const struct dlfilter_opts o = { .file = sf->file, .args = sf->args.v,
					 .n_args = sf->args.n, .printed = filter_printed,
					 .ctx = sf };
	struct dlfilter *f = NULL;
	int ret = 0;

	if (!sf->file)
		return session_run(s, sinks, n);
	f = dlfilter_new(&o, &s->err);
	if (!f)
		return -s->err.code;
	ret = dlfilter_start(f, stream_machine(s->stream), sinks[0], &s->err);
	if (ret == 0) {
		sinks[0] = dlfilter_sink(f);
		ret = session_run(s, sinks, n);
	}
	if (ret == 0)
		ret = dlfilter_stop(f, &s->err);
	dlfilter_free(f);
	return ret;
}

int script_run_sinks(struct script_filter *sf, struct session *s, struct sink **sinks, size_t n)
{
	struct event_switch *between;
	int ret = 0;

	/* a stream does not tell its events beforehand */
	if (!s->source->once)
		ret = event_switch_check(&sf->between, s->source->events, &s->err);
	if (ret)
		return ret;
	between = event_switch_new(&sf->between, sinks[0]);
	if (between)
		sinks[0] = event_switch_sink(between);
	ret = run_filtered(sf, s, sinks, n);
	event_switch_free(between);
	return ret;
}
