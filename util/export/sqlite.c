// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A database of SQLite: samples, and what they refer to, in tables of their own (sqlite-schema.c,
 * perf-sql(1)). Samples are inserted as they come, frames and stacks at the end, indexes last.
 */
#include "util/export/exporter.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "util/analysis/hist/hist.h"
#include "util/analysis/hist/stacks.h"
#include "util/base/hash.h"
#include "util/base/xalloc.h"
#include "util/event/tracepoint.h"
#include "util/export/sqlite-fd.h"
#include "util/export/sqlite-schema.h"
#include "util/export/unit.h"

struct sqlite {
	struct sink sink;
	struct export_job job;
	struct stacks *stacks;
	struct sqlite_fd *file;
	sqlite3 *db;
	sqlite3_stmt *sample, *comm, *field;
	struct hmap comm_ids, dso_ids;	/* interned name, dso -> id */
	u64 n_comms, n_dsos, n;
	bool failed;			/* sqlite3_errmsg() says why */
	struct str text;
};

static void run(struct sqlite *s, const char *sql)
{
	if (!s->failed && sqlite3_exec(s->db, sql, NULL, NULL, NULL))
		s->failed = true;
}

static sqlite3_stmt *prepare(struct sqlite *s, const char *sql)
{
	sqlite3_stmt *st = NULL;

	if (!s->failed && sqlite3_prepare_v2(s->db, sql, -1, &st, NULL))
		s->failed = true;
	return st;
}

static void step(struct sqlite *s, sqlite3_stmt *st)
{
	if (!s->failed && sqlite3_step(st) != SQLITE_DONE)
		s->failed = true;
	sqlite3_reset(st);
	sqlite3_clear_bindings(st);
}

static void bind_u64(sqlite3_stmt *st, int i, bool known, u64 v)
{
	if (known)
		sqlite3_bind_int64(st, i, (sqlite3_int64)v);
}

static void bind_text(sqlite3_stmt *st, int i, const char *text)
{
	if (text)
		sqlite3_bind_text(st, i, text, -1, SQLITE_TRANSIENT);
}

/* ---- as they come ---- */

static u64 comm_id(struct sqlite *s, const char *name)
{
	uintptr_t id = (uintptr_t)hmap_get(&s->comm_ids, (uintptr_t)name);

	if (!id) {
		id = ++s->n_comms;
		hmap_put(&s->comm_ids, (uintptr_t)name, (void *)id);
		bind_u64(s->comm, 1, true, id);
		bind_text(s->comm, 2, name);
		step(s, s->comm);
	}
	return id;
}

static void bind_field(struct sqlite *s, int i, const struct tp_field *f, struct span raw)
{
	size_t n = 0;
	const void *p;

	if (f->is_string) {
		p = tp_read_str(f, raw, s->job.swap, &n);
		sqlite3_bind_text(s->field, i, p ? p : "", p ? (int)n : 0, SQLITE_TRANSIENT);
	} else if (f->is_array || f->is_dynamic) {
		p = tp_read_bytes(f, raw, s->job.swap, &n);
		sqlite3_bind_blob(s->field, i, p ? p : "", p ? (int)n : 0, SQLITE_TRANSIENT);
	} else {
		bind_u64(s->field, i, true, tp_read_u64(f, raw, s->job.swap));
	}
}

static void add_fields(struct sqlite *s, const struct sample *sample)
{
	const struct tp_format *f = sample->event ? sample->event->format : NULL;

	for (size_t i = 0; f && sample->raw.len && i < tp_n_fields(f); i++) {
		const struct tp_field *field = tp_field_at(f, i);

		if (str_has_prefix(field->name, "common_"))
			continue;
		bind_u64(s->field, 1, true, s->n);
		bind_text(s->field, 2, field->name);
		bind_field(s, 3, field, sample->raw);
		step(s, s->field);
	}
}

static void add_sample(struct sqlite *s, const struct sink_item *it)
{
	const struct sample *sample = it->sample;
	const u64 node = stacks_add(s->stacks, it);
	const u64 comm = it->res->comm ? comm_id(s, it->res->comm->name) : 0;
	sqlite3_stmt *st = s->sample;

	bind_u64(st, 1, true, ++s->n);
	bind_u64(st, 2, sample->present & PERF_SAMPLE_TIME, sample->time_ns);
	bind_u64(st, 3, true, sample->event ? (u64)sample->event->index + 1 : 0);
	bind_u64(st, 4, comm, comm);
	bind_u64(st, 5, true, (u64)(s64)(s32)sample->pid);
	bind_u64(st, 6, true, (u64)(s64)(s32)sample->tid);
	bind_u64(st, 7, sample->present & PERF_SAMPLE_CPU, sample->cpu);
	bind_u64(st, 8, true, hist_period(sample));
	bind_u64(st, 9, sample->present & PERF_SAMPLE_ADDR, sample->addr);
	bind_u64(st, 10, true, node);
	step(s, st);
	add_fields(s, sample);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct sqlite *s = sink->ctx;

	for (size_t i = 0; !s->failed && i < n; i++)
		add_sample(s, &items[i]);
	sink->stop = s->failed;
}

/* ---- at the end ---- */

static u64 dso_id(struct sqlite *s, const struct dso *d, sqlite3_stmt *insert)
{
	uintptr_t id = d ? (uintptr_t)hmap_get(&s->dso_ids, (uintptr_t)d) : 0;

	if (id || !d)
		return id;
	id = ++s->n_dsos;
	hmap_put(&s->dso_ids, (uintptr_t)d, (void *)id);
	str_reset(&s->text);
	build_id_add(&s->text, &d->id);
	bind_u64(insert, 1, true, id);
	bind_text(insert, 2, d->path ? d->path : "");
	bind_text(insert, 3, s->text.len ? s->text.buf : NULL);
	step(s, insert);
	return id;
}

static const char *mode_name(u8 cpumode)
{
	static const char *const names[] = { "unknown", "kernel", "user", "hypervisor",
					     "guest kernel", "guest user" };

	return cpumode < sizeof(names) / sizeof(*names) ? names[cpumode] : "unknown";
}

static void add_frames(struct sqlite *s)
{
	sqlite3_stmt *st = prepare(s, "INSERT INTO frames VALUES (?,?,?,?,?,?,?,?,?)");
	sqlite3_stmt *dso = prepare(s, "INSERT INTO dsos VALUES (?,?,?)");
	const struct stack_frame *f = stacks_frames(s->stacks);

	for (size_t i = 0; !s->failed && i < stacks_n_frames(s->stacks); i++, f++) {
		const u64 id = dso_id(s, f->dso, dso);

		bind_u64(st, 1, true, i + 1);
		bind_text(st, 2, f->unnamed ? NULL : f->name);
		bind_u64(st, 3, id, id);
		bind_u64(st, 4, true, f->rva);
		bind_u64(st, 5, f->func_rva, f->func_rva);
		bind_text(st, 6, f->file);
		bind_u64(st, 7, f->file, f->line);
		bind_u64(st, 8, true, f->inlined);
		bind_text(st, 9, mode_name(f->cpumode));
		step(s, st);
	}
	sqlite3_finalize(st);
	sqlite3_finalize(dso);
}

static void add_stacks(struct sqlite *s)
{
	sqlite3_stmt *st = prepare(s, "INSERT INTO stacks VALUES (?,?,?,?)");
	const struct stack_node *nodes = stacks_nodes(s->stacks);
	const size_t n = stacks_n_nodes(s->stacks);
	u32 *depth = xcalloc(n + 1, sizeof(*depth));

	for (size_t i = 1; !s->failed && i < n; i++) {
		const u32 parent = nodes[i].parent;

		if (!parent)
			continue;
		depth[i] = depth[parent] + 1;
		bind_u64(st, 1, true, i);
		bind_u64(st, 2, nodes[parent].parent, parent);
		bind_u64(st, 3, true, nodes[i].what + 1);
		bind_u64(st, 4, true, depth[i]);
		step(s, st);
	}
	free(depth);
	sqlite3_finalize(st);
}

static void add_events(struct sqlite *s)
{
	sqlite3_stmt *st = prepare(s, "INSERT INTO events VALUES (?,?,?,?,?,?,?)");

	for vec_each(e, &s->job.events->events) {
		const struct perf_event_attr *a = &(*e)->attr;

		bind_u64(st, 1, true, (u64)(*e)->index + 1);
		bind_text(st, 2, (*e)->name);
		bind_text(st, 3, export_unit(*e));
		bind_u64(st, 4, true, a->type);
		bind_u64(st, 5, true, a->config);
		bind_u64(st, 6, a->freq, a->sample_freq);
		bind_u64(st, 7, !a->freq, a->sample_period);
		step(s, st);
	}
	sqlite3_finalize(st);
}

static void add_fact(struct sqlite *s, sqlite3_stmt *st, const char *key, const char *value)
{
	if (!value)
		return;
	bind_text(st, 1, key);
	bind_text(st, 2, value);
	step(s, st);
}

static void add_meta(struct sqlite *s)
{
	sqlite3_stmt *st = prepare(s, "INSERT INTO meta VALUES (?,?)");
	const struct export_facts *f = &s->job.facts;

	add_fact(s, st, "schema", SQLITE_SCHEMA_VERSION);
	add_fact(s, st, "recording", s->job.path);
	add_fact(s, st, "command", f->command);
	add_fact(s, st, "made_from", f->made_from);
	add_fact(s, st, "hostname", f->host);
	add_fact(s, st, "arch", f->arch);
	add_fact(s, st, "os_release", f->os_release);
	add_fact(s, st, "cpu", f->cpu);
	if (f->captured_s) {
		bind_text(st, 1, "captured");
		bind_u64(st, 2, true, f->captured_s);
		step(s, st);
	}
	sqlite3_finalize(st);
}

static int report(struct sqlite *s, struct err *err)
{
	const int code = sqlite_fd_errno(s->file);

	if (code)
		return err_sys(err, code, "cannot write '%s'", s->job.out_path);
	return err_set(err, EIO, "cannot write '%s': %s", s->job.out_path,
		       sqlite3_errmsg(s->db));
}

static void finish_statements(struct sqlite *s)
{
	sqlite3_finalize(s->sample);
	sqlite3_finalize(s->comm);
	sqlite3_finalize(s->field);
	s->sample = s->comm = s->field = NULL;
}

static int end_sqlite(void *state, u64 *n, struct err *err)
{
	struct sqlite *s = state;

	stacks_finish(s->stacks);
	add_events(s);
	add_frames(s);
	add_stacks(s);
	add_meta(s);
	for (const char *const *sql = sqlite_indexes; *sql; sql++)
		run(s, *sql);
	run(s, "COMMIT");
	*n = s->n;
	return s->failed ? report(s, err) : 0;
}

static void free_sqlite(void *state)
{
	struct sqlite *s = state;

	finish_statements(s);
	sqlite_fd_close(s->file);
	hmap_release(&s->comm_ids);
	hmap_release(&s->dso_ids);
	str_release(&s->text);
	stacks_free(s->stacks);
	free(s);
}

static void begin_database(struct sqlite *s)
{
	run(s, "PRAGMA journal_mode=OFF");
	run(s, "PRAGMA synchronous=OFF");
	run(s, "PRAGMA locking_mode=EXCLUSIVE");
	run(s, "PRAGMA cache_size=-65536");
	run(s, "BEGIN");
	for (const char *const *sql = sqlite_tables; *sql; sql++)
		run(s, *sql);
	s->sample = prepare(s, "INSERT INTO samples VALUES (?,?,?,?,?,?,?,?,?,?)");
	s->comm = prepare(s, "INSERT INTO comms VALUES (?,?)");
	s->field = prepare(s, "INSERT INTO fields VALUES (?,?,?)");
}

static void *begin_sqlite(const struct export_job *job, struct sink **sink, struct err *err)
{
	struct stacks_opts o = { .events = job->events, .no_inline = job->no_inline,
				 .detail = STACKS_ADDRESSES, .lines = true };
	struct sqlite *s = xnew(struct sqlite);

	s->job = *job;
	s->stacks = stacks_new(&o);
	s->file = sqlite_fd_open(fileno(job->fp), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
				 &s->db);
	if (s->file)
		begin_database(s);
	if (!s->file || s->failed) {
		if (s->file)
			report(s, err);
		else
			err_set(err, ENOMEM, "cannot open a database in '%s'", job->out_path);
		free_sqlite(s);
		return NULL;
	}
	s->sink = (struct sink){ .wants = SINK_ORDER | stacks_sink(s->stacks)->wants, .ctx = s,
				 .samples = on_samples };
	*sink = &s->sink;
	return s;
}

const struct exporter export_sqlite = {
	.format = "sqlite", .help = "a database of SQLite: see perf-sql(1)",
	.items = "samples", .binary = true, .own_file = true, .begin = begin_sqlite,
	.end = end_sqlite, .free = free_sqlite,
};
