// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/session/diagnosis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/cli/error.h"
#include "util/os/packages.h"
#include "util/unwind/unwind.h"

#define MAX_UNKNOWN 5		/* binaries with a finding of their own */
#define NOTABLE_PCT 1.0
#define BAD_PCT 10.0
#define SLOW 0.8		/* of the asked frequency */

static const struct cell *cell_of(const struct table *t, const struct table_row *row,
				  const char *key)
{
	return table_cell(t, row, key);
}

static double share(u64 n, u64 of)
{
	return of ? 100.0 * (double)n / (double)of : 0;
}

static enum finding_state state_of(double pct)
{
	return pct >= BAD_PCT ? FINDING_BAD : FINDING_NOTE;
}

/* ---- packages ---- */

static bool is_in_package(const struct dso *d)
{
	return d && (d->kind == DSO_FILE || d->kind == DSO_MODULE) && d->path[0] == '/';
}

static char *debug_package(const struct session *s, const struct dso *d, const char *package)
{
	const struct data_features *env = s->source->env;

	if (d && (d->kind == DSO_KERNEL || d->kind == DSO_MODULE))
		return env && env->osrelease ? os_kernel_debug_package(env->osrelease) : NULL;
	return package ? os_debug_package(package) : NULL;
}

static void set_text(struct table *t, struct table_row *row, const char *key, const char *text)
{
	if (text)
		*(struct cell *)(uintptr_t)table_cell(t, row, key) =
			cell_text(table_text(t, text));
}

static void fill_packages(const struct session *s, const struct quality *q, const struct os *os,
			  struct table *t)
{
	const size_t n = t->rows.n;
	const char **paths = xcalloc(n + 1, sizeof(*paths));
	char **names = xcalloc(n + 1, sizeof(*names));

	for (size_t i = 0; i < n; i++)
		if (is_in_package(quality_unknown(q, i)))
			paths[i] = quality_unknown(q, i)->path;
	os_package_owners(os, paths, names, n);
	for (size_t i = 0; i < n; i++) {
		char *debug = debug_package(s, quality_unknown(q, i), names[i]);

		set_text(t, &t->rows.v[i], "package", names[i]);
		set_text(t, &t->rows.v[i], "debug_package", debug);
		free(names[i]);
		free(debug);
	}
	free(names);
	free(paths);
}

/* ---- findings ---- */

static void find_lost(const struct stream_stats *st, struct table *out)
{
	const u64 lost = st->n_lost + st->n_lost_samples;
	const double pct = share(lost, st->n_samples + lost);
	char value[64];

	if (!lost)
		return;
	snprintf(value, sizeof(value), "%llu (%.1f%%)", (unsigned long long)lost, pct);
	finding_add(out, FINDING_BAD, "lost", value,
		    "the recorder was too slow: records are missing, and shares may be wrong",
		    "record with larger buffers (perf record -m 8M), or less often (-F)");
}

static void find_throttled(const struct stream_stats *st, struct table *out)
{
	char value[32];

	if (!st->n_throttled)
		return;
	snprintf(value, sizeof(value), "%llu", (unsigned long long)st->n_throttled);
	finding_add(out, FINDING_NOTE, "throttled", value,
		    "the kernel stopped events until the next tick: there are gaps",
		    "record less often (-F), or on the recorded machine: "
		    "sudo sysctl -w kernel.perf_event_max_sample_rate=100000");
}

static void find_disorder(const struct stream_stats *st, struct table *out)
{
	char value[32];

	if (!st->n_unordered)
		return;
	snprintf(value, sizeof(value), "%llu", (unsigned long long)st->n_unordered);
	finding_add(out, FINDING_NOTE, "out of order", value,
		    "records came later than others of a later time",
		    "record on fewer CPUs (-C), or with larger buffers (-m)");
}

static const char *const end_fixes[UNWIND_END_NR] = {
	[UNWIND_STACK_CUT] = "perf record --call-graph dwarf,65528",
	[UNWIND_MAX_FRAMES] = "perf report --max-stack 1024; for recorded chains: "
			      "sudo sysctl -w kernel.perf_event_max_stack=1024",
	[UNWIND_NO_CFI] = "perf record --call-graph fp, or build that code with "
			  "-fasynchronous-unwind-tables",
	[UNWIND_NO_BINARY] = "on the recorded machine: perf archive; here: unpack it as it says, "
			     "or --symfs DIRECTORY",
};

static const char *stack_fix(const char *reason)
{
	for (int i = 0; i < UNWIND_END_NR; i++)
		if (end_fixes[i] && !strcmp(unwind_end_text(i), reason))
			return end_fixes[i];
	return strcmp(reason, QUALITY_BROKEN) && strcmp(reason, QUALITY_UNSURE) ?
		"perf record --call-graph fp" : "perf record --call-graph dwarf";
}

/* One finding a reason; rows of a reason follow each other, the largest first. */
static void find_stacks(const struct table *t, struct table *out)
{
	for (size_t i = 0, k; i < t->rows.n; i = k) {
		const struct table_row *row = &t->rows.v[i];
		const char *state = row->cells[0].text, *reason = row->cells[1].text;
		const struct cell *dso = &row->cells[2];
		struct str what = STR_INIT;
		double pct = 0;
		char value[32];

		for (k = i; k < t->rows.n && t->rows.v[k].cells[1].text == reason; k++)
			pct += t->rows.v[k].cells[4].d;
		if (!strcmp(state, "whole") || !strcmp(state, "recorded") || pct < NOTABLE_PCT)
			continue;
		snprintf(value, sizeof(value), "%.1f%% %s", pct, state);
		str_add(&what, reason);
		if (dso->kind == CELL_TEXT)
			str_addf(&what, k > i + 1 ? ", most in %s" : ", in %s", dso->text);
		finding_add(out, state_of(pct), "stacks", value, str_cstr(&what),
			    stack_fix(reason));
		str_release(&what);
	}
}

static char *package_fix(const struct os *os, const char *debug)
{
	if (os_package_installed(os, debug))
		return xasprintf("sudo apt-get install --only-upgrade %.*s %s (both are there, but "
				 "not of one version)", (int)(strrchr(debug, '-') - debug), debug,
				 debug);
	if (str_has_suffix(debug, "-dbg"))
		return xasprintf("sudo apt-get install %s", debug);
	return xasprintf("sudo apt-get install %s (archive debian-debug); or "
			 "export DEBUGINFOD_URLS=https://debuginfod.debian.net", debug);
}

static char *unknown_fix(const struct session *s, const struct os *packages, struct dso *d,
			 const char *debug)
{
	if (!d)
		return xstrdup("record longer buffers of side-band (-m), or the whole run from its "
			       "start: nothing is known to be mapped there");
	switch (d->kind) {
	case DSO_PERF_MAP:
	case DSO_JIT:
	case DSO_ANON:
		return xstrdup("code made at run time: let its compiler write a perf map (node "
			       "--perf-basic-prof, java -XX:+DumpPerfMapAtExit)");
	case DSO_BPF:
		return xstrdup("BPF program: record as root, so that its name is known");
	case DSO_KERNEL:
	case DSO_MODULE:
		if (!debug)
			return os_addresses_hint(&s->os);
		return xasprintf("record as root; or sudo apt-get install %s", debug);
	default:
		return debug ? package_fix(packages, debug) :
			xstrdup("of no Debian package: build it with -g and do not strip it, or "
				"name a copy of its files with --symfs");
	}
}

static void find_unknown(const struct session *s, const struct quality *q,
			 const struct os *packages, const struct table *t, struct table *out)
{
	for (size_t i = 0; i < MIN(t->rows.n, (size_t)MAX_UNKNOWN); i++) {
		const struct table_row *row = &t->rows.v[i];
		const double pct = cell_of(t, row, "share_pct")->d;
		const struct cell *reason = cell_of(t, row, "reason");
		struct str what = STR_INIT;
		char value[32], *fix;

		if (pct < NOTABLE_PCT)
			break;
		snprintf(value, sizeof(value), "%.1f%%", pct);
		str_add(&what, row->cells[0].text);
		if (reason->text)
			str_addf(&what, ": %s", reason->text);
		fix = unknown_fix(s, packages, quality_unknown(q, i),
				  cell_of(t, row, "debug_package")->text);
		finding_add(out, state_of(pct), "[unknown]", value, str_cstr(&what), fix);
		free(fix);
		str_release(&what);
	}
}

static void find_rate(const struct table_row *row, struct table *out)
{
	const struct cell *asked = &row->cells[2], *got = &row->cells[3];
	struct str what = STR_INIT;
	char value[64], fix[128];

	if (asked->kind != CELL_NUM || got->kind != CELL_NUM || got->d >= SLOW * asked->d)
		return;
	snprintf(value, sizeof(value), "%.0f Hz", got->d);
	str_addf(&what, "%s: %.0f Hz were asked for", row->cells[0].text, asked->d);
	snprintf(fix, sizeof(fix), "perf record -F %.0f, or on the recorded machine: sudo sysctl "
		 "-w kernel.perf_event_max_sample_rate=100000", got->d);
	finding_add(out, FINDING_NOTE, "frequency", value, str_cstr(&what), fix);
	str_release(&what);
}

static void find_shared(const struct table_row *row, struct table *out)
{
	const struct cell *running = &row->cells[4];
	struct str what = STR_INIT;
	char value[32];

	if (running->kind != CELL_PCT || running->d > 99.9)
		return;
	snprintf(value, sizeof(value), "%.1f%%", running->d);
	str_addf(&what, "%s: it shared its counter, and counted only so much of the time",
		 row->cells[0].text);
	finding_add(out, FINDING_NOTE, "multiplexed", value, str_cstr(&what),
		    "fewer hardware events at a time (-e), and sudo sysctl -w "
		    "kernel.nmi_watchdog=0");
	str_release(&what);
}

static void find_own(u64 own, u64 all, struct table *out)
{
	const double pct = share(own, all);
	char value[32];

	if (pct < NOTABLE_PCT)
		return;
	snprintf(value, sizeof(value), "%.1f%%", pct);
	finding_add(out, state_of(pct), "overhead", value, "of the samples are of perf itself",
		    "record less often (-F), or --call-graph fp instead of copies of stacks");
}

static void find_time(const struct event_list *l, struct table *out)
{
	for vec_each(e, &l->events) {
		if ((*e)->dummy || (*e)->attr.sample_type & PERF_SAMPLE_TIME)
			continue;
		finding_add(out, FINDING_NOTE, "clock", NULL,
			    "samples have no time: names may be those of a later program",
			    "record without --no-timestamp, and events without time=0");
		return;
	}
}

static void fill_findings(const struct session *s, const struct quality *q,
			  const struct os *packages, struct diagnosis *d)
{
	const struct stream_stats *st = stream_get_stats(s->stream);
	struct table *out = &d->findings;

	findings_init(out);
	if (!st->n_samples)
		finding_add(out, FINDING_BAD, "samples", "0", "nothing was sampled",
			    "check the machine: perf doctor; watch all processes: perf record -a");
	find_lost(st, out);
	find_throttled(st, out);
	find_disorder(st, out);
	find_stacks(&d->quality.stacks, out);
	find_unknown(s, q, packages, &d->quality.unknown, out);
	for vec_each(row, &d->quality.events.rows) {
		find_rate(row, out);
		find_shared(row, out);
	}
	find_own(quality_own_samples(q), st->n_samples, out);
	find_time(s->source->events, out);
}

/* ---- facts ---- */

static const char *clock_of(const struct session *s)
{
	for vec_each(e, &s->source->events->events)
		if ((*e)->attr.use_clockid)
			return data_clock_name((u32)(*e)->attr.clockid);
	return "perf";
}

static void fill_facts(const struct session *s, const struct quality *q, struct table *t)
{
	static const char *const keys[] = {
		"file", "host", "release", "samples", "duration_ns", "bytes", "bytes_per_sample",
		"bytes_per_second", "clock", "wall_clock", "perf_samples", "perf_pct" };
	const struct stream_stats *st = stream_get_stats(s->stream);
	const struct data_features *env = s->source->env;
	const u64 ns = st->last_ns > st->first_ns && st->n_samples ? st->last_ns - st->first_ns : 0,
		bytes = s->source->reader ? s->source->reader->file_bytes : 0;
	struct table_row *row;

	t->key = "facts";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(t, keys[i], keys[i]);
	row = table_add_row(t);
	row->cells[0] = cell_text(table_text(t, s->source->name));
	row->cells[1] = cell_text(env && env->hostname ? table_text(t, env->hostname) : NULL);
	row->cells[2] = cell_text(env && env->osrelease ? table_text(t, env->osrelease) : NULL);
	row->cells[3] = cell_count(st->n_samples);
	row->cells[4] = cell_count(ns);
	row->cells[5] = cell_bytes(bytes);
	row->cells[6] = cell_bytes(st->n_samples ? bytes / st->n_samples : 0);
	row->cells[7] = cell_bytes(ns ? (u64)((double)bytes * 1e9 / (double)ns) : 0);
	row->cells[8] = cell_text(clock_of(s));
	row->cells[9] = cell_bool(env && data_has(env, FEAT_CLOCK_DATA));
	row->cells[10] = cell_count(quality_own_samples(q));
	row->cells[11] = cell_pct(share(quality_own_samples(q), st->n_samples));
}

void diagnose(const struct session *s, struct quality *q, const struct os *packages,
	      struct diagnosis *out)
{
	quality_tables(q, s->source->events, stream_get_stats(s->stream), &out->quality);
	fill_packages(s, q, packages, &out->quality.unknown);
	fill_facts(s, q, &out->facts);
	fill_findings(s, q, packages, out);
}

void diagnosis_release(struct diagnosis *d)
{
	quality_tables_release(&d->quality);
	table_release(&d->facts);
	table_release(&d->findings);
}

/* ---- one line ---- */

static void add_part(struct str *out, double pct, const char *what)
{
	if (pct >= NOTABLE_PCT)
		str_addf(out, "%s%.1f%% %s", out->len ? ", " : "", pct, what);
}

void session_quality_line(const struct session *s)
{
	const struct stream_stats *st = stream_get_stats(s->stream);
	const u64 lost = st->n_lost + st->n_lost_samples;
	u64 copies = 0, cut = st->unwind_ended[UNWIND_STACK_CUT];
	struct str text = STR_INIT;

	for (int i = 0; i < UNWIND_END_NR; i++)
		copies += st->unwind_ended[i];
	add_part(&text, share(lost, st->n_samples + lost), "of the records lost");
	add_part(&text, share(st->n_broken_chains, st->n_user_chains), "of the stacks broken");
	add_part(&text, share(cut, copies), "of the stacks cut");
	add_part(&text, share(copies - cut - st->unwind_ended[UNWIND_COMPLETE] -
			      st->unwind_ended[UNWIND_MAX_FRAMES], copies),
		 "of the stacks not whole");
	if (st->n_throttled)
		str_addf(&text, "%s%llu times throttled", text.len ? ", " : "",
			 (unsigned long long)st->n_throttled);
	if (text.len && !s->source->once && isatty(STDERR_FILENO))
		cli_warn("%s: 'perf doctor -i %s' says what helps", str_cstr(&text),
			 s->source->name);
	str_release(&text);
}
