// SPDX-License-Identifier: GPL-2.0-or-later
// perf report: only what is between samples of two events.
#include <errno.h>

#include "builtin-report.h"
#include "util/analysis/windows.h"

int report_read_before(struct session *s, struct sink *sink)
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

/* -1: none was asked for. */
static int find_event(struct session *s, const char *option, const char *name, int *out)
{
	const struct event *e = name ? event_list_named(s->source->events, name) : NULL;

	*out = e ? e->index : -1;
	if (!name || e)
		return 0;
	err_set(&s->err, EINVAL, "%s: '%s' has no event '%s'", option, s->source->name, name);
	err_hint(&s->err, "perf evlist -i %s lists its events", s->source->name);
	return -EINVAL;
}

int report_switches(const struct report_opts *o, struct session *s, struct switch_windows **out)
{
	const struct report_row_opts *r = &o->rows;
	int on, off, rc;

	*out = NULL;
	if (!r->switch_on && !r->switch_off)
		return 0;
	if (find_event(s, "--switch-on", r->switch_on, &on) ||
	    find_event(s, "--switch-off", r->switch_off, &off))
		return -EINVAL;
	if (s->source->once)
		return err_set(&s->err, EINVAL,
			       "--switch-on and --switch-off need a file that can be read twice");
	*out = switch_windows_new(on, off, r->show_switches);
	rc = report_read_before(s, switch_windows_sink(*out));
	switch_windows_finish(*out);
	return rc;
}
