// SPDX-License-Identifier: GPL-2.0-or-later
// perf evlist: the events of a recording.
#include <stdio.h>

#include "builtin.h"
#include "util/cli/error.h"
#include "util/cli/options.h"
#include "util/event/tracepoint.h"
#include "util/session/session.h"

struct evlist_opts {
	const char *input;
	bool force, freq, group, verbose, trace_fields;
};

static void add_freq(const struct event *e, struct str *out)
{
	str_addf(out, ": sample_%s=%llu", e->attr.freq ? "freq" : "period", (unsigned long long)e->attr.sample_period);
}

static void add_fields(const struct event *e, struct str *out)
{
	const char *sep = ": trace_fields: ";

	if (e->attr.type != PERF_TYPE_TRACEPOINT) {
		str_add(out, ": (not a tracepoint)");
		return;
	}
	if (!e->format) {
		str_add(out, ": (its format is not in the file)");
		return;
	}
	for (size_t i = 0; i < tp_n_fields(e->format); i++) {
		const struct tp_field *f = tp_field_at(e->format, i);

		if (str_has_prefix(f->name, "common_"))
			continue;
		str_add(out, sep);
		str_add_safe(out, f->name);
		sep = ",";
	}
}

static void add_event(const struct event *e, const struct evlist_opts *o, struct str *out)
{
	str_add_safe(out, e->name);
	if (o->trace_fields) {
		add_fields(e, out);
	} else if (o->verbose) {
		str_add(out, ": ");
		event_print(e, out);
	} else if (o->freq) {
		add_freq(e, out);
	}
	str_addch(out, '\n');
}

/* "name{a,b}" */
static void add_group(const struct event_list *l, const struct event *leader, struct str *out)
{
	if (leader->group_name)
		str_add_safe(out, leader->group_name);
	str_addch(out, '{');
	for vec_each(e, &l->events)
		if ((*e)->leader == leader) {
			if (*e != leader)
				str_addch(out, ',');
			str_add_safe(out, (*e)->name);
		}
	str_add(out, "}\n");
}

static void list(const struct event_list *l, const struct evlist_opts *o)
{
	struct str out = STR_INIT;
	bool groups = false, tracepoints = false;

	for vec_each(p, &l->events) {
		const struct event *e = *p;

		if (e->dummy && o->group)
			continue;
		tracepoints = tracepoints || e->attr.type == PERF_TYPE_TRACEPOINT;
		groups = groups || (e->leader == e && e->n_members > 1);
		if (!o->group || (e->leader == e && e->n_members <= 1))
			add_event(e, o, &out);
		else if (e->leader == e)
			add_group(l, e, &out);
	}
	if (tracepoints && !o->trace_fields)
		str_add(&out, "# Tip: use 'perf evlist --trace-fields' to show fields for tracepoint events\n");
	if (groups && !o->group)
		str_add(&out, "# Tip: use 'perf evlist -g' to show group information\n");
	fputs(str_cstr(&out), stdout);
	str_release(&out);
}

static const struct option_def evlist_options[] = {
	OPT_STRING('i', "input", struct evlist_opts, input, "file", "Input file name"),
	OPT_FLAG('F', "freq", struct evlist_opts, freq, "Show the sample frequency"),
	OPT_FLAG('v', "verbose", struct evlist_opts, verbose, "Show all event attr details"),
	OPT_FLAG('g', "group", struct evlist_opts, group, "Show event group information"),
	OPT_FLAG('f', "force", struct evlist_opts, force, "don't complain, do it"),
	OPT_FLAG(0, "trace-fields", struct evlist_opts, trace_fields, "Show tracepoint fields"),
	OPT_END
};

int cmd_evlist(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>]", NULL };
	struct evlist_opts o = { .input = NULL };
	const struct option_table tables[] = { { evlist_options, &o }, session_group(), { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "evlist", .usage = usage, .tables = tables };
	struct session s = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret;

	if (n < 0)
		return cli_status(n);
	if (n)
		return cli_usage_error(&cmd, "'%s': evlist takes no arguments; the file is named by -i", argv[0]);
	if (o.group && (o.verbose || o.freq))
		return cli_usage_error(&cmd, "--group option is not compatible with other options");
	ret = session_open(&s, &(struct session_opts){ .path = o.input, .force = o.force,
						       .header_only = true });
	if (!ret)
		ret = data_read_headers(s.source->reader, &s.err);
	if (!ret)
		list(s.source->events, &o);
	return session_close(&s, ret);
}
