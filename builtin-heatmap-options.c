// SPDX-License-Identifier: GPL-2.0-or-later
// perf heatmap: its options.
#include <errno.h>
#include <string.h>

#include "builtin-heatmap.h"
#include "util/base/num.h"
#include "util/cli/groups.h"
#include "util/session/session.h"

#define SECOND 1000000000

static int set_rows(const struct opt_use *u, struct err *err)
{
	struct heatmap_cmd *c = u->base;

	c->rows = 0;
	if (u->unset)
		return 0;
	if (!parse_int(u->arg, &c->rows) || c->rows < 1 || c->rows > 10000 || SECOND % c->rows) {
		err_set(err, EINVAL, "a second cannot be divided into '%s' rows", u->arg);
		err_hint(err, "a number from 1 to 10000 that divides 1000000000, as 10, 50, 100");
		return -EINVAL;
	}
	return 0;
}

static int set_time(const struct opt_use *u, u64 *ns, struct err *err)
{
	*ns = 0;
	if (u->unset)
		return 0;
	if (!parse_duration(u->arg, 1000000, ns) || !*ns)
		return err_set(err, EINVAL, "not a time of more than 0 ns: '%s'", u->arg);
	return 0;
}

static int set_interval(const struct opt_use *u, struct err *err)
{
	return set_time(u, &((struct heatmap_cmd *)u->base)->axes.col_ns, err);
}

static int set_linear(const struct opt_use *u, struct err *err)
{
	struct heatmap_cmd *c = u->base;

	if (!u->unset && !u->arg) {
		c->axes.row_ns = UINT64_MAX;
		return 0;
	}
	return set_time(u, &c->axes.row_ns, err);
}

#define H struct heatmap_cmd
static const struct option_def heatmap_options[] = {
	OPT_STRING('i', "input", H, input, "file",
		   "draw this recording (-: standard input) instead of making one"),
	OPT_STRING('o', "output", H, output, "file",
		   "where to write (default: heatmap.html; --stdio, --json: standard output)"),
	OPT_FLAG('f', "force", H, force,
		 "replace an output that exists; read recordings of other users"),
	OPT_FLAG(0, "stdio", H, form.text, "write text instead of a page"),
	OPT_FLAG(0, "json", H, form.json, "write the cells as JSON instead of a page"),
	OPT_STRING(0, "preset", H, preset_name, "block|syscalls|sched",
		   "how long requests of disks, system calls, or waits for a CPU took"),
	OPT_STRING(0, "start", H, start, "event",
		   "how long it took from this event (with --end and --key)"),
	OPT_STRING(0, "end", H, end, "event", "until this one"),
	OPT_STRING(0, "key", H, keys, "field[=field],...",
		   "fields that are equal in both events; a=b: a of the first, b of the second"),
	OPT_CALL_NO(0, "rows", "n", set_rows, "rows of a second of samples (default: 50)"),
	OPT_CALL_NO(0, "interval", "time", set_interval,
		    "width of a column of --preset and --start (10ms; default: 100 columns)"),
	OPT_CALL_OPTARG_NO(0, "linear", "time", NULL, set_linear,
		     "rows as high as each other, of this time, instead of doubling"),
	OPT_STRING(0, "title", H, title, "text", "what stands above it"),
	OPT_UINT(0, "width", H, width, "characters", "width of the text (default: 100)"),
	OPT_STRING(0, "comm", H, stream.filter.comms, "comm[,comm...]",
		   "only samples of tasks with these names"),
	OPT_STRING(0, "time", H, stream.filter.time, "str",
		   "only this span of time: start,stop (in s; or percentages: 10%-20%)"),
	OPT_FLAG(0, "open", H, open, "show the page in the browser"),
	OPT_STRING(0, "recording", H, recording, "file",
		   "where the recording that is made is kept (default: perf.data)"),
	OPT_END
};
#undef H

void heatmap_option_tables(struct heatmap_cmd *c, struct option_table *out)
{
	c->record.shows_event = true;
	*out++ = (struct option_table){ heatmap_options, c };
	*out++ = picture_options(&c->record, heatmap_options);
	*out++ = cli_symbols_group(&c->stream.symbols);
	*out++ = cli_stream_group(&c->stream);
	*out++ = session_group();
	*out++ = cli_common_group(&c->common);
	*out = (struct option_table){ NULL, NULL };
}
