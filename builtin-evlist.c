// SPDX-License-Identifier: GPL-2.0-or-later
// perf evlist: the events of a recording.
#include <stdio.h>

#include "builtin.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/event/event-table.h"
#include "util/session/session.h"
#include "util/view/draw.h"
#include "util/view/evlist-text.h"

struct evlist_opts {
	const char *input;
	bool force;
	struct evlist_text_opts text;
	struct table_output output;
};

static void list(const struct event_list *l, const struct evlist_opts *o)
{
	struct table t = { 0 };
	struct str out = STR_INIT;

	event_table_begin(&t);
	for vec_each(e, &l->events)
		if (!(*e)->dummy || !o->text.group)
			event_table_add(&t, *e);
	if (table_output_data(&o->output))
		draw_only_table(&out, &t, &o->output);
	else
		evlist_text(&out, &t, &o->text);
	fputs(str_cstr(&out), stdout);
	str_release(&out);
	table_release(&t);
}

static const struct option_def evlist_options[] = {
	OPT_STRING('i', "input", struct evlist_opts, input, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_FLAG('F', "freq", struct evlist_opts, text.freq,
	     "show the sample frequency or period of each event"),
	OPT_FLAG('v', "verbose", struct evlist_opts, text.verbose,
	     "show all attributes of each event"),
	OPT_FLAG('g', "group", struct evlist_opts, text.group,
	     "show the events of a group on one line, in braces"),
	OPT_FLAG('f', "force", struct evlist_opts, force,
	     "read a recording that belongs to another user"),
	OPT_FLAG(0, "trace-fields", struct evlist_opts, text.trace_fields,
		 "show the fields of tracepoints"),
	OPT_END
};

int cmd_evlist(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>]", NULL };
	struct evlist_opts o = { .input = NULL };
	const struct option_table tables[] = {
		{ evlist_options, &o }, cli_output_group(&o.output), session_group(), { NULL, NULL }
	};
	const struct cli_cmd cmd = { .name = "evlist", .usage = usage, .tables = tables };
	struct session s = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret;

	if (n < 0)
		return cli_status(n);
	if (n)
		return cli_usage_error(&cmd, "'%s': evlist takes no arguments; the file is named "
					     "by -i", argv[0]);
	if (o.text.group && (o.text.verbose || o.text.freq))
		return cli_usage_error(&cmd, "--group option is not compatible with other options");
	ret = session_open(&s, &(struct session_opts){ .path = o.input, .force = o.force,
						       .header_only = true });
	if (!ret)
		ret = data_read_headers(s.source->reader, &s.err);
	if (!ret)
		list(s.source->events, &o);
	return session_close(&s, ret);
}
