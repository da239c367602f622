// SPDX-License-Identifier: GPL-2.0-or-later
// perf report: shares of wall-clock time, by how many threads ran at a time.
#include <errno.h>
#include <string.h>

#include "builtin-report.h"
#include "util/analysis/running.h"
#include "util/cli/error.h"

static bool has_switches(const struct event_list *l)
{
	for vec_each(e, &l->events)
		if ((*e)->attr.context_switch)
			return true;
	return false;
}

static bool names_it(const char *list)
{
	return list && (strstr(list, "latency") || strstr(list, "parallelism"));
}

static bool asked(const struct report_row_opts *o)
{
	return o->keys.latency_first || o->parallelism || names_it(o->keys.sort) ||
		names_it(o->keys.fields);
}

void report_latency_opts(struct report_opts *o, const struct event_list *events)
{
	const bool switches = has_switches(events);

	o->rows.keys.running = true;
	o->rows.keys.latency = switches || o->rows.keys.latency_first;
	o->stream.count_running = switches;
}

void report_latency_hide(const struct report_opts *o, const struct hist *h, struct hist_keys *keys)
{
	const struct keys_spec *k = &o->rows.keys;

	if (!k->latency || k->latency_first || o->look.json || hist_ran_parallel(h) ||
	    (k->sort && strstr(k->sort, "latency")) || (k->fields && strstr(k->fields, "latency")))
		return;
	hist_keys_elide(keys, "latency");
	hist_keys_elide(keys, "latency_children");
}

/* The same recording once more, through the sink. */
static int read_before(struct session *s, struct sink *sink)
{
	const struct stream_opts stream = { .threads = 0 };
	struct session again = { 0 };
	int rc = session_open(&again, &(struct session_opts){ .path = s->source->name,
							      .force = true, .quiet = true });

	if (!rc)
		rc = session_prepare(&again, &stream);
	if (!rc)
		rc = session_run(&again, (struct sink *[]){ sink }, 1);
	if (rc)
		err_set(&s->err, EIO, "%s", again.err.msg ? again.err.msg :
			"the recording cannot be read twice");
	session_close(&again, 0);
	return rc ? -EIO : 0;
}

static int cannot_tell(struct session *s, const char *why)
{
	err_set(&s->err, EINVAL, "how many threads ran at a time is not known: '%s' has no context "
		"switches, and %s", s->source->name, why);
	err_hint(&s->err, "record with: perf record --latency");
	return -EINVAL;
}

int report_latency_prepare(const struct report_opts *o, struct session *s)
{
	struct running_guess *g;
	u64 gap = 0;
	int rc;

	if (o->stream.count_running || !asked(&o->rows))
		return 0;
	if (s->source->once)
		return cannot_tell(s, "standard input cannot be read twice, to judge by samples");
	g = running_guess_new();
	rc = read_before(s, running_guess_sink(g));
	if (!rc)
		gap = running_guess_apply(g, stream_machine(s->stream));
	running_guess_free(g);
	if (!rc && !gap)
		rc = cannot_tell(s, "its samples do not tell");
	if (!rc && !o->common.quiet)
		cli_warn("'%s' has no context switches: how many threads ran at a time is judged "
			 "by samples, a thread about every %.3g ms\n"
			 "Hint: perf record --latency records the switches", s->source->name,
			 (double)gap / 1e6);
	return rc;
}
