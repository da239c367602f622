// SPDX-License-Identifier: GPL-2.0-or-later
// perf flame: its options.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-flame.h"
#include "util/cli/groups.h"
#include "util/cli/rows.h"
#include "util/session/session.h"

static int set_percent_limit(const struct opt_use *u, struct err *err)
{
	struct flame_cmd *c = u->base;

	c->min_pct = 0;
	return u->unset ? 0 : cli_parse_pct(u->arg, &c->min_pct, err);
}

static int set_min_width(const struct opt_use *u, struct err *err)
{
	struct flame_cmd *c = u->base;
	char *end;

	c->look.min_width = -1;
	if (u->unset)
		return 0;
	c->look.min_width = strtod(u->arg, &end);
	if (end == u->arg || *end || !(c->look.min_width >= 0 && c->look.min_width <= 1e6))
		return err_set(err, EINVAL, "not a width in pixels: '%s'", u->arg);
	return 0;
}

#define F struct flame_cmd
static const struct option_def flame_options[] = {
	OPT_STRING('i', "input", F, input, "file",
	     "draw this recording (-: standard input) instead of making one"),
	OPT_STRING('o', "output", F, output, "file",
		   "where to write (default: flame.html or flame.svg; -: standard output)"),
	OPT_FLAG('f', "force", F, force,
		 "replace an output that exists; read recordings of other users"),
	OPT_FLAG(0, "svg", F, form.svg, "write a drawing (SVG) of one event instead of a page"),
	OPT_FLAG(0, "folded", F, form.folded,
		 "write a line for each stack, as other flame graph programs read it"),
	OPT_FLAG(0, "diff", F, diff, "compare two recordings: OLD NEW"),
	OPT_FLAG(0, "off-cpu", F, off_cpu,
		 "how long tasks were off the CPU, and from where they left it"),
	OPT_UINT(0, "why", F, n_waits, "n",
		 "in the page also the n longest waits, and what they waited for"),
	OPT_FLAG(0, "reverse", F, reverse, "stacks begin with the innermost function"),
	OPT_FLAG(0, "icicle", F, look.icicle, "the outermost function on top"),
	OPT_STRING(0, "title", F, look.title, "text", "what stands above it"),
	OPT_CALL_NO(0, "minwidth", "pixels", set_min_width,
		    "leave narrower frames out of the drawing (default: 0.5)"),
	OPT_UINT(0, "width", F, look.width, "pixels", "width of the drawing (default: 1200)"),
	OPT_UINT(0, "height", F, look.height, "pixels",
		 "height of each frame in the drawing (default: 18)"),
	OPT_STRING(0, "show-event", F, event, "event",
		   "draw this event of several (default: the first that has samples)"),
	OPT_STRING(0, "comm", F, stream.filter.comms, "comm[,comm...]",
		   "only samples of tasks with these names"),
	OPT_STRING(0, "time", F, stream.filter.time, "str",
		   "only this span of time: start,stop (in s; or percentages: 10%-20%)"),
	OPT_WHERE(F, stream.filter.where),
	OPT_CALL_NO(0, "percent-limit", "percent", set_percent_limit,
		    "cut stacks where they are below this percentage"),
	OPT_FLAG(0, "open", F, open, "show the picture in the browser"),
	OPT_STRING(0, "recording", F, recording, "file",
		   "where the recording that is made is kept (default: perf.data)"),
	OPT_END
};
#undef F

void flame_option_tables(struct flame_cmd *c, struct option_table *out)
{
	*out++ = (struct option_table){ flame_options, c };
	*out++ = picture_options(&c->record, flame_options);
	*out++ = cli_symbols_group(&c->stream.symbols);
	*out++ = cli_stream_group(&c->stream);
	*out++ = cli_itrace_group(&c->itrace, true);
	*out++ = session_group();
	*out++ = cli_common_group(&c->common);
	*out = (struct option_table){ NULL, NULL };
}

void flame_cmd_release(struct flame_cmd *c) { picture_release(&c->record); }
