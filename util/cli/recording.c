// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/recording.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/cli/error.h"
#include "util/unwind/unwind.h"

/* Of this run of perf: there is one exit status. */
static struct { bool damaged, tolerant; } recording;

#define R __typeof__(recording)
static const struct option_def recording_options[] = {
	OPT_FLAG(0, "tolerant", R, tolerant, "status 0 although the recording is damaged, if it could be read at all"),
	OPT_END
};
#undef R

struct option_table cli_recording_group(void)
{
	return (struct option_table){ recording_options, &recording };
}

void cli_recording_damaged(void)
{
	recording.damaged = true;
}

int cli_recording_status(int status)
{
	struct err err = ERR_INIT;

	if (status || !recording.damaged || recording.tolerant)
		return status;
	if (!cli_error_printed()) {
		err_set(&err, EINVAL, "the recording is damaged: what is shown is what could be read");
		err_hint(&err, "with --tolerant that is no failure");
		cli_error(&err);
		err_release(&err);
	}
	return CLI_FAILED;
}

static void stream_lines(const struct stream *s)
{
	struct str w = STR_INIT;

	stream_warnings(s, &w);
	for (char *line = w.buf, *end; line && *line; line = end + (*end != '\0')) {
		end = strchrnul(line, '\n');
		if (end > line)
			cli_warn("%.*s", (int)(end - line), line);
	}
	str_release(&w);
}

void cli_recording_end(const struct data_reader *r, const struct stream *s, bool quiet)
{
	for vec_each(w, &r->warnings)
		if (w->damage)
			cli_recording_damaged();
	if (s && (stream_get_stats(s)->n_undecodable || stream_get_stats(s)->n_unknown_id))
		cli_recording_damaged();
	if (quiet)
		return;
	fflush(stdout);
	for vec_each(w, &r->warnings) {
		struct err e = ERR_INIT;

		err_set(&e, EINVAL, "%s", w->text);
		if (w->hint)
			err_hint(&e, "%s", w->hint);
		cli_warn_err(&e);
		err_release(&e);
	}
	if (s)
		stream_lines(s);
}

/* Those that a user can do something about. */
static bool is_notable(const struct dso *d, const char *why)
{
	const char *const notable[] = { "is not the recorded file", "lie outside of the file", "damaged", strerror(EACCES) };

	for (size_t i = 0; d->kind == DSO_FILE && i < ARRAY_SIZE(notable); i++)
		if (strstr(why, notable[i]))
			return true;
	return d->kind == DSO_KERNEL || d->kind == DSO_PERF_MAP;
}

void cli_symbol_warnings(struct dso_store *s, bool all)
{
	size_t shown = 0, more = 0;

	if (dso_store_cache_why(s))
		cli_warn("%s", dso_store_cache_why(s));
	for (size_t i = 0; i < dso_count(s); i++) {
		struct dso *d = dso_at(s, i);
		const struct symbol *sym;
		const char *why = dso_tried(d) ? dso_why(d) : NULL;
		struct str text = STR_INIT;

		if (!why || dso_symbols(d, &sym) || (!all && !is_notable(d, why)))
			continue;
		if (!all && shown == 3) {
			more++;
			continue;
		}
		str_add_safe(&text, d->path);
		str_add(&text, ": ");
		str_add_safe(&text, why);
		cli_warn("no symbols for %s", str_cstr(&text));
		str_release(&text);
		shown++;
	}
	if (more)
		cli_warn("no symbols for %zu more; -v lists them", more);
	if (dso_store_unopened(s))
		cli_warn("names and lines are missing: %llu times a file could not be opened, since too many were open; raise the "
			 "limit (ulimit -n)", (unsigned long long)dso_store_unopened(s));
}

void cli_unwind_ends(const u64 *ended)
{
	u64 all = 0;

	for (int i = 0; i < UNWIND_END_NR; i++)
		all += ended[i];
	for (int i = 0; i < UNWIND_END_NR; i++)
		if (ended[i])
			fprintf(stderr, "unwound stacks: %llu of %llu: %s\n", (unsigned long long)ended[i], (unsigned long long)all,
				unwind_end_text(i));
}

void cli_unwind_stats(const struct stream_stats *st)
{
	cli_unwind_ends(st->unwind_ended);
	if (st->n_user_chains)
		fprintf(stderr, "recorded call chains: %llu of %llu break in code without frame pointers\n",
			(unsigned long long)st->n_broken_chains, (unsigned long long)st->n_user_chains);
	if (st->n_unsure_chains)
		fprintf(stderr, "recorded call chains: %llu more are one frame in code without symbols: whole or broken\n",
			(unsigned long long)st->n_unsure_chains);
}

static void add_share(struct str *out, const char *what, u64 n, u64 all)
{
	str_addf(out, "%20llu  (%5.1f%%)  %s\n", (unsigned long long)n, 100.0 * (double)n / (double)all, what);
}

void cli_stack_stats(const struct stream_stats *st, struct str *out)
{
	u64 all = 0;

	for (int i = 0; i < UNWIND_END_NR; i++)
		all += st->unwind_ended[i];
	if (all)
		str_add(out, "User stacks, unwound from copies:\n");
	for (int i = 0; i < UNWIND_END_NR; i++)
		if (st->unwind_ended[i])
			add_share(out, unwind_end_text(i), st->unwind_ended[i], all);
	if (st->n_user_chains) {
		str_add(out, "User stacks, recorded as call chains:\n");
		add_share(out, "without a visible break", st->n_user_chains - st->n_broken_chains - st->n_unsure_chains, st->n_user_chains);
		add_share(out, "broken: code without frame pointers", st->n_broken_chains, st->n_user_chains);
		if (st->n_unsure_chains)
			add_share(out, "one frame in code without symbols: whole or broken", st->n_unsure_chains, st->n_user_chains);
	}
}

/* NULL: they are spread over more objects than were counted. */
static const struct broken_at *most_broken(const struct stream_stats *st)
{
	const struct broken_at *most = st->broken_at;

	for (size_t i = 1; i < ARRAY_SIZE(st->broken_at); i++)
		if (st->broken_at[i].n > most->n)
			most = &st->broken_at[i];
	return most->dso ? most : NULL;
}

void cli_broken_chains(const struct stream_stats *st)
{
	const struct broken_at *most = most_broken(st);
	struct str text = STR_INIT;

	if (st->n_broken_chains * 10 < st->n_user_chains || st->n_broken_chains < 10)
		return;
	str_addf(&text, "%s%.0f%% of the user stacks break", st->n_unsure_chains ? "at least " : "",
		 100.0 * (double)st->n_broken_chains / (double)st->n_user_chains);
	if (most) {
		str_add(&text, most->n == st->n_broken_chains ? ", all in " : 2 * most->n > st->n_broken_chains ? ", most of them in " :
			", most often in ");
		str_add_safe(&text, most->dso->short_name);
	}
	cli_warn("%s: that code has no frame pointers (record with --call-graph dwarf)", str_cstr(&text));
	str_release(&text);
}

void cli_sched_unseen(const struct sched *model, const struct sched_selection *sel)
{
	sched_texts texts = { 0 };

	fflush(stdout);
	sched_unseen(model, sel, &texts);
	for vec_each(text, &texts)
		cli_warn("%s", *text);
	sched_texts_release(&texts);
}
