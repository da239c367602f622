// SPDX-License-Identifier: GPL-2.0-or-later
// What the sub-commands of perf lock share that read a recording.
#include <stdio.h>

#include "builtin-dump.h"
#include "builtin-lock.h"
#include "util/cli/error.h"
#include "util/cli/output.h"
#include "util/cli/pager.h"
#include "util/session/warnings.h"
#include "util/view/draw.h"

const struct option_def lock_input_options[] = {
	OPT_STRING('i', "input", struct lock_input, path, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_STRING(0, "output", struct lock_input, output, "file",
		   "write the text to this file (default: standard error)"),
	OPT_FLAG('D', "dump-raw-trace", struct lock_input, dump, "print all records of the file"),
	OPT_FLAG('f', "force", struct lock_input, force,
		 "read a recording that belongs to another user"),
	OPT_END
};

static int add_models(struct lock_reading *r, const struct lock_opts *opts, size_t n)
{
	struct session *s = &r->s;

	for (size_t i = 0; i < n; i++) {
		r->models[i] = lock_new(&opts[i], s->source->events, s->source->swap, &s->err);
		if (!r->models[i])
			return -1;
		r->sinks[i] = lock_sink(r->models[i]);
	}
	return session_run(s, r->sinks, n);
}

int lock_reading_run(struct lock_reading *r, const struct lock_input *in,
		     const struct lock_opts *opts, size_t n)
{
	struct session *s = &r->s;
	const struct stream_opts stream = { .symbols = in->symbols, .no_inline = true };
	const int ret = open_for_events(s, &(struct session_opts){
						.path = in->path, .force = in->force,
						.quiet = in->common.quiet },
					in->dump, lock_need_events, &stream);

	return ret ? ret : add_models(r, opts, n);
}

int lock_reading_close(struct lock_reading *r, int ret)
{
	const u64 n_bad = r->models[0] ? lock_get_stats(r->models[0])->n_bad : 0;

	session_warn_analysis(&r->s, n_bad, ret);
	for (size_t i = 0; i < ARRAY_SIZE(r->models); i++)
		lock_free(r->models[i]);
	return session_close(&r->s, ret);
}

int lock_write(const struct lock_input *in, const struct str *text, bool data, struct err *err)
{
	struct cli_output out = { 0 };
	int ret = 0;

	if (data && !in->output) {
		cli_page(text);
		return 0;
	}
	ret = cli_output_open(&out, in->output, 0, err);
	if (ret)
		return ret;
	cli_output_write(&out, text);
	ret = cli_output_check(&out, err);
	cli_output_close(&out);
	return ret;
}

void lock_draw(const struct lock_cmd *c, struct lock_model *m, bool contention, struct str *out)
{
	struct table t = { 0 };

	lock_table(m, &t);
	if (table_output_data(&c->data))
		draw_only_table(out, &t, &c->data);
	else if (contention)
		lock_add_contention(out, &t, &c->view);
	else
		lock_add_report(out, &t, &c->view);
	table_release(&t);
}

void lock_tell_lost_sums(u64 n, u64 ns)
{
	if (n)
		cli_warn("%llu waits of %.3f ms are missing: there are more different ones than "
			 "there is room for (a larger -M helps)", (unsigned long long)n,
			 (double)ns / 1e6);
}

void lock_tell_unseen(u64 n_unwatched, u64 n_unended)
{
	if (n_unwatched)
		cli_warn("%llu threads were not watched: there are too many",
			 (unsigned long long)n_unwatched);
	if (n_unended)
		cli_warn("%llu waits go on: they are not counted", (unsigned long long)n_unended);
}
