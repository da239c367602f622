// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/session/warnings.h"

#include <errno.h>
#include <string.h>

#include "util/base/log.h"
#include "util/cli/error.h"

/* Of this run of perf: there is one exit status. */
static struct { bool damaged, tolerant; } recording;

#define R __typeof__(recording)
static const struct option_def recording_options[] = {
	OPT_FLAG(0, "tolerant", R, tolerant,
		 "end with status 0 although the recording is damaged"),
	OPT_END
};
#undef R

struct option_table session_group(void)
{
	return (struct option_table){ recording_options, &recording };
}

int session_status(int status)
{
	struct err err = ERR_INIT;

	if (status || !recording.damaged || recording.tolerant)
		return status;
	if (!cli_error_printed()) {
		err_set(&err, EINVAL, "the recording is damaged: what is shown is what could be "
				      "read");
		err_hint(&err, "with --tolerant that is no failure");
		cli_error(&err);
		err_release(&err);
	}
	return CLI_FAILED;
}

/* Of an unfinished pass the numbers say nothing. */
static void collect(const struct session *s, data_warnings *out)
{
	if (s->stream && !s->err.msg)
		stream_warnings(stream_get_stats(s->stream), out);
	stream_warnings(&s->counted, out);
}

static void tell(const struct data_warning *w)
{
	struct err e = ERR_INIT;

	err_set(&e, EINVAL, "%s", w->text);
	if (w->hint)
		err_hint(&e, "%s", w->hint);
	cli_warn_err(&e);
	err_release(&e);
}

static void warn_all(const struct session *s, const data_warnings *v)
{
	for vec_each(w, v) {
		if (w->damage)
			recording.damaged = true;
		if (!s->quiet)
			tell(w);
	}
}

/* Its code is shown by addresses. */
static void warn_arch(const struct session *s)
{
	const struct data_features *f = s->source->env;
	struct str name = STR_INIT;

	if (s->quiet || !s->stream || !f ||
	    !arch_is_unknown(machine_arch(stream_machine(s->stream))))
		return;
	str_add(&name, "recorded on a machine ");
	if (f->arch) {
		str_add(&name, "of the kind '");
		str_add_safe(&name, f->arch);
		str_addch(&name, '\'');
	} else {
		str_add(&name, "of an unknown kind");
	}
	cli_warn("%s: its registers, system calls and stack copies are shown as numbers or not at "
		 "all", str_cstr(&name));
	str_release(&name);
}

void session_warn(struct session *s)
{
	data_warnings of_stream = { 0 };

	if (s->warned)
		return;
	s->warned = true;
	collect(s, &of_stream);
	if (s->source->reader && !s->stream)
		data_count_aux(s->source->reader);
	if (s->source->reader)
		warn_all(s, &s->source->reader->warnings);
	warn_all(s, &of_stream);
	data_warnings_release(&of_stream);
	if (s->trace_errors && !s->quiet)
		cli_warn("%llu instruction trace errors", (unsigned long long)s->trace_errors);
	warn_arch(s);
}

/* Those that a user can do something about. */
static bool is_notable(struct dso *d)
{
	return d->kind == DSO_KERNEL || d->kind == DSO_PERF_MAP ||
		(d->kind == DSO_FILE && dso_troubles(d));
}

void session_symbol_warnings(const struct session *session, bool all)
{
	struct dso_store *s = stream_dsos(session->stream);
	size_t shown = 0, more = 0;

	if (dso_store_cache_reason(s))
		cli_warn("%s", dso_store_cache_reason(s));
	for (size_t i = 0; i < dso_count(s); i++) {
		struct dso *d = dso_at(s, i);
		const char *reason = dso_tried(d) ? dso_reason(d) : NULL;
		struct str text = STR_INIT;

		if (!reason || dso_has_symbols(d) || (!all && !is_notable(d)))
			continue;
		if (!all && shown == 3) {
			more++;
			continue;
		}
		str_add_safe(&text, d->path);
		str_add(&text, ": ");
		str_add_safe(&text, reason);
		cli_warn("no symbols for %s", str_cstr(&text));
		str_release(&text);
		shown++;
	}
	if (more)
		cli_warn("no symbols for %zu more; -v lists them", more);
	if (dso_store_unopened(s))
		cli_warn("names and lines are missing: %llu times a file could not be opened, "
			 "since too "
			 "many were open; raise the limit (ulimit -n)",
			 (unsigned long long)dso_store_unopened(s));
}

void session_warn_analysis(struct session *s, u64 n_bad, int ret)
{
	session_warn(s);
	if (!ret && s->stream && !s->quiet)
		session_symbol_warnings(s, log_on(LOG_CLI, 1));
	if (ret || !n_bad)
		return;
	recording.damaged = true;
	cli_warn("%llu events without the needed fields were left out: their formats in the "
		 "recording are damaged", (unsigned long long)n_bad);
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

void session_broken_chains(const struct session *s)
{
	const struct stream_stats *st = stream_get_stats(s->stream);
	const struct broken_at *most = most_broken(st);
	struct str text = STR_INIT;

	if (st->n_broken_chains * 10 < st->n_user_chains || st->n_broken_chains < 10)
		return;
	str_addf(&text, "%s%.0f%% of the user stacks break", st->n_unsure_chains ? "at least " : "",
		 100.0 * (double)st->n_broken_chains / (double)st->n_user_chains);
	if (most) {
		str_add(&text, most->n == st->n_broken_chains ? ", all in " :
			2 * most->n > st->n_broken_chains ? ", most of them in " :
			", most often in ");
		str_add_safe(&text, most->dso->short_name);
	}
	cli_warn("%s: that code has no frame pointers (record with --call-graph dwarf)",
		 str_cstr(&text));
	str_release(&text);
}

void session_sched_unseen(const struct sched *model, const struct sched_selection *sel)
{
	sched_texts texts = { 0 };

	sched_unseen(model, sel, &texts);
	for vec_each(text, &texts)
		cli_warn("%s", *text);
	sched_texts_release(&texts);
}

/* A comm that no task had: say so, and which ones there are. */
static void explain_no_comm(struct stream *st, const char *wanted)
{
	struct thread *const *threads;
	size_t n = machine_threads(stream_machine(st), &threads);
	const char *names[12];
	size_t n_names = 0;
	struct str s = STR_INIT;

	for (size_t i = 0; i < n && n_names < ARRAY_SIZE(names); i++) {
		const char *name = thread_comm_at(threads[i], UINT64_MAX)->name;
		bool known = name[0] == ':';

		for (size_t k = 0; k < n_names && !known; k++)
			known = strcmp(names[k], name) == 0;
		if (!known)
			names[n_names++] = name;
	}
	for (size_t i = 0; i < n_names; i++) {
		str_add(&s, i ? ", " : "");
		str_add_safe(&s, names[i]);
	}
	cli_warn("no sample of a task named '%s'; tasks here: %s%s", wanted, str_cstr(&s),
		 n_names == ARRAY_SIZE(names) ? ", ..." : "");
	str_release(&s);
}

void session_nothing_left(const struct session *s, const struct stream_filter *f)
{
	const struct stream_stats *st = stream_get_stats(s->stream);

	if (!st->n_samples || st->n_filtered < st->n_samples)
		return;
	if (f->comms)
		explain_no_comm(s->stream, f->comms);
	else
		cli_warn("none of the %llu samples passes the filter",
			 (unsigned long long)st->n_filtered);
}
