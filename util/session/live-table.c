// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/session/live-table.h"

#include <errno.h>
#include <time.h>

#include "util/cli/error.h"
#include "util/cli/pager.h"
#include "util/event/event.h"
#include "util/event/tracepoint.h"

#define RING_BYTES (4u << 20)

const struct record_stacks live_table_kernel_stacks = { .callgraph = RECORD_CHAIN_FP,
							.kernel_callchains = true };
static const struct record_stacks no_stacks = { .callgraph = RECORD_CHAIN_NONE };

struct shown {
	const struct live_table_opts *o;
	struct live_session live;
	struct event_list list;
	struct str out;
};

void live_table_title(struct str *out)
{
	const time_t now = time(NULL);
	char text[32];
	struct tm tm;

	strftime(text, sizeof(text), "%H:%M:%S", localtime_r(&now, &tm));
	str_addf(out, "# %s\n", text);
}

static void show(void *ctx)
{
	struct shown *t = ctx;

	if (!t->o->plain)
		live_table_title(&t->out);
	t->o->show(t->o->ctx, &t->out);
	if (!cli_show_again(&t->out, !t->o->plain))
		t->live.done = true;	/* main() says why, unless the reader had enough */
	str_reset(&t->out);
}

static int open_events(struct shown *t, struct err *err)
{
	const struct record_opts ro = {
		.sampling = { .raw = true, .period = 1 },
		.stacks = t->o->stacks ? *t->o->stacks : no_stacks,
		.sideband = { .no_bpf_event = true, .proc_map_timeout_ms = 500 },
		.buffers.most_bytes = t->o->ring_bytes ? t->o->ring_bytes : RING_BYTES,
	};
	const struct live_events le = { .list = &t->list, .sampling = &ro,
					.maps = t->o->names };
	struct str names = STR_INIT;
	int ret = os_tracefs(&t->live.os, err);

	for (const char *const *p = t->o->events; *p; p++)
		str_addf(&names, "%s%s", names.len ? "," : "", *p);
	if (!ret)
		ret = event_parse(&t->list, str_cstr(&names), &t->live.os, NULL, err);
	str_release(&names);
	if (!ret)
		ret = event_list_load_formats(&t->list, &t->live.os, err);
	return ret ? ret : live_session_events(&t->live, &le, t->o->stream, err);
}

static int watch(struct shown *t, struct err *err)
{
	struct sink *sink = t->o->begin(t->o->ctx, &t->list,
					  stream_machine(t->live.stream), err);
	int ret;

	if (!sink)
		return -EINVAL;
	ret = live_session_run(&t->live, &sink, 1, err);
	if (!ret && !t->live.done)
		show(t);		/* what came since the last time */
	return ret;
}

static void warn_of_lost(const struct live_table_opts *o, u64 n_lost)
{
	if (n_lost)
		cli_warn("%llu events were lost: %s", (unsigned long long)n_lost, o->lost_means);
}

int live_table_run(const struct live_table_opts *o)
{
	struct shown t = { .o = o };
	const struct live_session_opts so = { .target.system_wide = true, .argv = o->argv,
					      .with_own = true, .tick_ns = o->delay_ns,
					      .on_tick = show, .ctx = &t };
	struct err err = ERR_INIT;
	int ret = live_session_open(&t.live, &so, &err), status;

	event_list_init(&t.list);
	if (!ret)
		ret = open_events(&t, &err);
	if (!ret)
		ret = watch(&t, &err);
	if (!ret)
		warn_of_lost(o, live_session_lost(&t.live));
	status = live_session_close(&t.live);
	if (ret)
		status = cli_error(&err);
	event_list_release(&t.list);
	str_release(&t.out);
	err_release(&err);
	return status;
}
