// SPDX-License-Identifier: GPL-2.0-or-later
// perf heap live: the table of report again and again, of a recording that is made meanwhile.
#include <signal.h>
#include <unistd.h>

#include "builtin-heap.h"
#include "util/cli/error.h"
#include "util/cli/pager.h"
#include "util/cli/progress.h"
#include "util/cli/rows.h"
#include "util/os/procfs.h"
#include "util/os/run.h"
#include "util/session/live-table.h"
#include "util/session/warnings.h"

#define DELAY_S 2

struct heap_watch {
	struct heap_cmd cmd;
	struct heap_recording recording;
	struct picture_record record;
	u64 delay_ns, next_ns;
	struct heap_model *model;
	struct sink sink;
	int n_words;			/* of the command */
	const char **words;
	VEC(struct option_def) own;	/* names that are not perf record's here */
};

static int set_delay(const struct opt_use *u, struct err *err)
{
	return cli_set_delay(u, DELAY_S, &((struct heap_watch *)u->base)->delay_ns, err);
}

static const struct option_def live_options[] = {
	OPT_CALL_NO('d', "display", "n", set_delay, "seconds between tables (default 2)"),
	OPT_END
};

/* --- the table */

static void show(struct heap_watch *w)
{
	const bool data = table_output_data(&w->cmd.view.output);
	struct str out = STR_INIT;

	if (!data)
		live_table_title(&out);
	heap_add(&w->cmd, w->model, &out);
	w->sink.stop = !cli_show_again(&out, !data);
	str_release(&out);
	w->next_ns = os_now_ns() + w->delay_ns;
}

/* What came is in the model: this sink is the second one. */
static void look(struct sink *sink, const struct sink_item *items UNUSED, size_t n UNUSED)
{
	struct heap_watch *w = sink->ctx;

	if (os_now_ns() >= w->next_ns)
		show(w);
}

/* --- both ends of the pipe */

static int record(void *ctx, int write_fd)
{
	struct heap_watch *w = ctx;
	char *name = procfs_fd_name(write_fd);	/* standard output is the command's */

	return heap_run_record(&w->recording, &w->record, name, w->n_words, w->words);
}

/* Standard input becomes what the recorder writes. */
static int start_recorder(struct heap_watch *w, struct err *err)
{
	int fd, ret = run_beside(record, w, &fd, err);

	if (ret)
		return ret;
	dup2(fd, STDIN_FILENO);
	close(fd);
	return 0;
}

/* Its exit status; that the command had to be ended is as it should be. */
static int wait_for_recorder(void)
{
	bool interrupted;
	const int status = run_beside_wait(&interrupted);

	return interrupted && status == 128 + SIGTERM ? 0 : status;
}

static int watch(struct heap_watch *w)
{
	struct session s = { 0 };
	const struct session_opts so = { .path = "-", .quiet = w->cmd.in.common.quiet };
	int ret = session_open(&s, &so), status;
	const bool began = !ret;

	cli_progress_off();		/* the table is the progress */
	if (!ret)
		ret = session_prepare(&s, &w->cmd.in.stream);
	if (!ret) {
		w->model = heap_new(s.source->events);
		w->sink = (struct sink){ .ctx = w, .samples = look, .wants = SINK_ORDER };
		w->next_ns = os_now_ns() + w->delay_ns;
		ret = session_run(&s, (struct sink *[]){ heap_sink(w->model), &w->sink }, 2);
	}
	close(STDIN_FILENO);		/* a recorder that still writes ends, too */
	status = wait_for_recorder();
	if (!ret && !w->sink.stop && (!status || stream_get_stats(s.stream)->n_samples))
		show(w);
	if (!began && status) {
		session_close(&s, status);	/* it has said why there is nothing */
		return status;
	}
	session_warn_analysis(&s, 0, ret);
	heap_free(w->model);
	ret = session_close(&s, ret);
	return ret ? ret : status;
}

/* --- options */

static void add_own(struct heap_watch *w, const struct option_def *defs)
{
	for (; defs->kind != OPT_KIND_END; defs++)
		vec_push(&w->own, *defs);
}

static int run(const struct cli_cmd *cmd, struct heap_watch *w, int argc, const char **argv)
{
	struct err err = ERR_INIT;
	int n = cli_parse(cmd, argc, argv), status;

	if (n < 0)
		return cli_status(n);
	if (!picture_is_recorded(&w->record, n))
		return cli_usage_error(cmd, "what is to be watched? A command, -p PID or -a");
	w->cmd.in.stream.threads = 1;
	w->recording.common.quiet = true;
	w->n_words = n;
	w->words = argv;
	status = start_recorder(w, &err) ? cli_error(&err) : watch(w);
	err_release(&err);
	return status;
}

int heap_live(int argc, const char **argv, void *in)
{
	static const char *const usage[] = { "[<options>] [<options of perf record>] [<command>]",
					     NULL };
	struct heap_watch w = { .cmd = { .in = *(struct heap_input *)in,
					 .opts.min_pct = CLI_CHAIN_MIN_PCT },
				.recording.heap.period = RECORD_HEAP_PERIOD,
				.delay_ns = DELAY_S * NSEC_PER_SEC };
	int status;

	add_own(&w, live_options);
	add_own(&w, heap_record_options);
	add_own(&w, heap_view_options);
	vec_push(&w.own, ((struct option_def)OPT_END));
	const struct option_table tables[] = {
		{ live_options, &w }, { heap_record_options, &w.recording },
		{ heap_view_options, &w.cmd }, picture_options(&w.record, w.own.v),
		cli_output_group(&w.cmd.view.output), cli_common_group(&w.cmd.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "heap live", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };

	status = run(&cmd, &w, argc, argv);
	picture_release(&w.record);
	vec_free(&w.own);
	return status;
}
