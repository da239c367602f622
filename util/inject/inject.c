// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Invariants: 1. Each record of the input is written once, in its place. 2. An added mapping of
 * time t stands before the first record whose time is t or later; all before it are older, so no
 * reader has passed t yet. 3. Pipe-mode input gives pipe-mode output.
 */
#include "util/inject/inject.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "util/base/xalloc.h"
#include "util/inject/inject-priv.h"
#include "util/machine/machine.h"
#include "util/symbols/jitdump.h"
#include "util/wire/user.h"

/* --- what is written in --- */

static int put_added(struct inject *in, const struct added *a, struct err *err)
{
	const struct event *e = in->r->events.events.v[0];
	const struct sample_id id = { .present = PERF_SAMPLE_TIME | PERF_SAMPLE_TID,
				      .time_ns = a->time_ns, .pid = a->pid,
				      .tid = a->tid, .id = e->n_ids ? e->ids[0] : 0,
				      .stream_id = e->n_ids ? e->ids[0] : 0 };
	struct wire_mmap m = {
		.pid = a->pid, .tid = a->tid, .start_va = a->va, .bytes = a->bytes, .off = a->off,
			.maj = a->maj, .min = a->min,
		.ino = a->ino, .prot = 1 | 4, .flags = 2, .build_id_bytes = a->id.n,
		.path = a->path,
	};
	u64 buf[1024];
	int n;

	memcpy(m.build_id, a->id.bytes, sizeof(m.build_id));
	n = wire_encode_mmap2(&e->attr, &m, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID,
			      &id, buf, sizeof(buf));
	return n < 0 ? err_set(err, -n, "the name '%s' is too long for a record", a->path) :
		data_write(&in->w, buf, (size_t)n, err);
}

static int put_added_upto(struct inject *in, u64 ns, struct err *err)
{
	int ret = 0;

	for (; !ret && in->n_written < in->added.n && in->added.v[in->n_written].time_ns <= ns;
	     in->n_written++)
		ret = put_added(in, &in->added.v[in->n_written], err);
	return ret;
}

static int put_build_ids(struct inject *in, struct err *err)
{
	struct str s = STR_INIT;
	int ret;

	for vec_each(b, &in->r->feat.build_ids)
		wire_add_build_id(&s, b->id, b->bytes, b->misc, b->pid, b->path);
	ret = data_write(&in->w, str_cstr(&s), s.len, err);
	str_release(&s);
	return ret;
}

/* A stream passes once: what is hit is not known yet when its mapping comes. */
static int put_build_id_of(struct inject *in, const struct wire_mmap *m, bool kernel,
			   struct err *err)
{
	const struct build_id *id;
	const char *path = kernel && str_has_prefix(m->path, "[kernel.kallsyms]") ?
		"[kernel.kallsyms]" : m->path;
	struct str s = STR_INIT;
	int ret;

	if (m->build_id_bytes || strmap_get(&in->known, m->path))
		return 0;
	id = inject_build_id(in, m->path, m->ino, (pid_t)m->pid, kernel);
	if (!id)
		return 0;
	wire_add_build_id(&s, id->bytes, id->n, kernel ? PERF_RECORD_MISC_KERNEL :
			  PERF_RECORD_MISC_USER, -1, path);
	ret = data_write(&in->w, str_cstr(&s), s.len, err);
	str_release(&s);
	in->res->n_build_ids++;
	return ret;
}

/* The mapping with its build-id; 1: written. */
static int put_with_id(struct inject *in, const struct perf_event_header *hdr, struct wire_mmap *m,
		       bool kernel, struct err *err)
{
	const struct event *e = event_of_record(&in->r->events, hdr);
	const struct build_id *id = e && !m->data && !m->build_id_bytes ?
				    inject_build_id(in, m->path, m->ino, (pid_t)m->pid, kernel) :
				    NULL;
	struct sample_id sid = { 0 };
	const char *reason;
	u64 buf[1024];
	int n;

	if (!id || wire_decode_id(&e->attr, hdr, &sid, &reason))
		return 0;
	memcpy(m->build_id, id->bytes, sizeof(m->build_id));
	m->build_id_bytes = id->n;
	n = wire_encode_mmap2(&e->attr, m, hdr->misc | PERF_RECORD_MISC_MMAP_BUILD_ID, &sid, buf,
			      sizeof(buf));
	if (n < 0)
		return 0;
	n = data_write(&in->w, buf, (size_t)n, err);
	in->res->n_build_ids += !n;
	return n ? n : 1;
}

/* No sample needs this mapping. What is asked for data, finds other files or may be code made at
 * run time stays. */
static bool is_unused(const struct inject *in, const struct wire_mmap *m, bool kernel)
{
	return in->o->mmap2_ids && !in->o->mmap2_all && !in->r->stream && !kernel && !m->data &&
		m->path[0] == '/' &&
	       !machine_is_anon(m->path) && !jitdump_is_name(m->path) &&
	       !strmap_get(&in->used, m->path);
}

/* --- copying --- */

static int copy_map(struct inject *in, const struct perf_event_header *hdr, struct err *err)
{
	const struct inject_opts *o = in->o;
	const bool kernel = (hdr->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	struct wire_mmap m;
	const char *reason;
	int ret = 0;

	if (wire_decode_mmap(hdr, &m, &reason))
		return data_write(&in->w, hdr, hdr->size, err);
	if (is_unused(in, &m, kernel))
		return 0;
	if (o->mmap2_ids || o->mmap2_all)
		ret = put_with_id(in, hdr, &m, kernel, err);
	else if (in->r->stream && (o->build_ids || o->buildid_all) && !m.data)
		ret = put_build_id_of(in, &m, kernel, err);
	if (ret)
		return ret < 0 ? ret : 0;
	return data_write(&in->w, hdr, hdr->size, err);
}

static int copy_tracing(struct inject *in, struct err *err)
{
	const struct str *t = &in->r->feat.tracing_data;
	struct str s = STR_INIT;
	int ret;

	wire_add_tracing_data(&s, (struct span){ (const u8 *)str_cstr(t), t->len });
	ret = data_write(&in->w, str_cstr(&s), s.len, err);
	str_release(&s);
	return ret;
}

/* A trace as it is. Where it stands now goes into the index of the file. */
static int copy_trace(struct inject *in, const struct data_record *rec, struct err *err)
{
	const struct data_aux_entry e = { in->w.data_off + in->w.data_bytes, rec->hdr->size };
	struct str bytes = STR_INIT;
	int ret = data_read_payload(in->r, rec, &bytes, err);

	if (!ret && !in->w.pipe)
		vec_push(&in->r->feat.auxtrace, e);
	if (!ret)
		ret = data_write(&in->w, rec->hdr, rec->hdr->size, err);
	if (!ret)
		ret = data_write(&in->w, bytes.buf, bytes.len, err);
	str_release(&bytes);
	return ret;
}

static bool is_comp_feature(const struct perf_event_header *hdr)
{
	u64 feature = 0;

	if (hdr->type != WIRE_HEADER_FEATURE || hdr->size < sizeof(*hdr) + sizeof(feature))
		return false;
	memcpy(&feature, hdr + 1, sizeof(feature));
	return feature == FEAT_COMPRESSED;	/* what is copied is no longer compressed */
}

/* What was added of that time stands before the record, what was decoded of it behind. */
static int put_others(struct inject *in, const struct perf_event_header *hdr, struct err *err)
{
	u64 ns;
	int ret = 0;

	if (in->n_written >= in->added.n && !in->decoded)
		return 0;
	/* nothing may come late for a reader that sorts by rounds */
	if (in->decoded && hdr->type == WIRE_FINISHED_ROUND && in->latest_ns)
		return inject_put_decoded(in, in->latest_ns + 1, err);
	if (!inject_record_time(in, hdr, &ns))
		return 0;
	in->latest_ns = MAX(in->latest_ns, ns);
	if (in->n_written < in->added.n)
		ret = put_added_upto(in, ns, err);
	return ret || !in->decoded ? ret : inject_put_decoded(in, ns, err);
}

static int copy_record(struct inject *in, const struct data_record *rec, struct err *err)
{
	const struct perf_event_header *hdr = rec->hdr;
	int ret = put_others(in, hdr, err);

	if (ret || is_comp_feature(hdr) || inject_is_replaced(in, hdr))
		return ret;
	in->res->n_records++;
	switch (hdr->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return copy_map(in, hdr, err);
	case PERF_RECORD_SAMPLE:
		return inject_copy_sample(in, hdr, rec->off, err);
	case WIRE_HEADER_TRACING_DATA:
		return copy_tracing(in, err);
	case WIRE_AUXTRACE:
		return copy_trace(in, rec, err);
	default:
		return data_write(&in->w, hdr, hdr->size, err);
	}
}

/* In pipe mode events stand before their samples; those of the recording come as they are. */
static int put_made_events(struct inject *in, struct err *err)
{
	struct str s = STR_INIT;
	int ret;

	for vec_each(v, &in->r->events.events) {
		const struct event *e = *v;

		if (!e->decoded)
			continue;
		wire_add_attr(&s, &e->attr, e->ids, e->n_ids);
		if (e->name)
			wire_add_event_update_text(&s, WIRE_UPDATE_NAME, e->ids[0], e->name);
	}
	ret = data_write(&in->w, str_cstr(&s), s.len, err);
	str_release(&s);
	return ret;
}

static int copy_all(struct inject *in, struct err *err)
{
	const bool ids_first = in->w.pipe && !in->r->stream && in->r->feat.build_ids.n;
	bool begun = false;
	struct data_cursor c;
	struct data_record rec;
	int ret, r = 0;

	data_cursor_init(&c, in->r);
	while ((ret = data_cursor_next(&c, &rec, err)) > 0 && !r) {
		if (in->r->files.v[rec.file].decoded)
			break;		/* and so is all that follows */
		if (!in->counted && in->o->stats)
			stream_stats_count(in->o->stats, rec.hdr, rec.off);
		/* a reader in one pass needs them before the samples */
		if (!begun && rec.hdr->type < 64) {
			begun = true;
			if (ids_first)
				r = put_build_ids(in, err);
			if (!r && in->decoded && in->r->pipe_mode)
				r = put_made_events(in, err);
		}
		if (!r)
			r = copy_record(in, &rec, err);
	}
	data_cursor_release(&c);
	ret = r ? r : MIN(ret, 0);
	if (!ret)
		ret = put_added_upto(in, UINT64_MAX, err);
	return ret ? ret : inject_put_decoded(in, UINT64_MAX, err);
}

/* --- beginning and end --- */

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return strcmp(a, "-") && strcmp(b, "-") && !stat(a, &x) && !stat(b, &y) && x.st_dev ==
		y.st_dev && x.st_ino == y.st_ino;
}

static int check(const struct inject *in, struct err *err)
{
	const struct data_reader *r = in->r;

	if (r->swap && (r->pipe_mode || r->events.tracepoints))
		return err_set(err, ENOTSUP, "%s: a recording with tracepoints, or in pipe mode, "
					     "of a machine of the other byte order "
			       "cannot be rewritten", r->path);
	if (in->o->jit && r->stream) {
		err_set(err, ENOTSUP, "-j reads the recording twice, which a pipe does not allow");
		err_hint(err, "write it to a file first: perf record -k mono -o perf.data ...; "
			      "perf inject -j -i perf.data -o out.data");
		return -ENOTSUP;
	}
	return 0;
}

static int open_output(struct inject *in, struct err *err)
{
	const struct data_writer_opts wo = { .pipe = in->r->pipe_mode ||
					     !strcmp(in->o->output, "-"),
					     .input_fd = in->r->files.v[0].fd };
	const struct str *t = &in->r->feat.tracing_data;
	const struct event_list none = { .last_from = 0 };
	int ret = data_writer_open(&in->w, in->o->output, &wo, err);

	if (!ret && in->r->pipe_mode)	/* its header records are copied as they come */
		return data_writer_events(&in->w, &none, (struct span){ NULL, 0 }, err);
	if (ret)
		return ret;
	data_unset(&in->r->feat, FEAT_COMPRESSED);
	data_unset(&in->r->feat, FEAT_DIR_FORMAT);
	if (in->decoded)
		data_unset(&in->r->feat, FEAT_AUXTRACE);
	vec_clear(&in->r->feat.auxtrace);	/* each has another place now */
	ret = data_writer_events(&in->w, &in->r->events,
				 (struct span){ (const u8 *)str_cstr(t), t->len }, err);
	for (int i = 1; in->w.pipe && i < FEAT_KNOWN_NR && !ret; i++)
		if (data_has(&in->r->feat, i) && i != FEAT_BUILD_ID && i != FEAT_TRACING_DATA)
			ret = data_write_feature(&in->w, &in->r->feat, i, &in->r->events, err);
	return ret;
}

static int collect(struct inject *in, struct err *err)
{
	const struct inject_opts *o = in->o;
	int ret = check(in, err);

	if (!ret && (o->build_ids || o->buildid_all) && !in->r->stream)
		ret = inject_collect_build_ids(in, err);
	if (!ret && o->mmap2_ids && !o->mmap2_all && !in->r->stream)
		ret = inject_collect_used(in, err);
	if (!ret && o->jit)
		ret = inject_collect_jit(in, err);
	if (!ret && o->chains)
		ret = inject_collect_stacks(in, err);
	if (!ret && o->decoded)
		inject_open_decoded(in);
	if (!ret && in->added.n && !in->r->events.events.n)
		ret = err_set(err, EINVAL, "%s: there is no event in it", in->r->path);
	if (!in->r->stream)
		in->res->n_build_ids = in->r->feat.build_ids.n;
	return ret;
}

static int rewrite(struct inject *in, struct err *err)
{
	int ret = open_output(in, err), r;

	if (ret) {
		data_writer_release(&in->w);
		return ret;
	}
	ret = copy_all(in, err);
	if (!ret || !in->w.pipe) {
		r = data_writer_finish(&in->w, &in->r->feat, &in->r->events, ret ? NULL : err);
		ret = ret ? ret : r;
	}
	in->res->bytes = in->w.data_bytes;
	data_writer_release(&in->w);
	return ret;
}

int inject_run(const struct inject_opts *o, const struct source *src, const struct os *os,
	       struct inject_result *res, struct err *err)
{
	struct inject in = { .o = o, .os = os, .res = res, .r = src->reader };
	int ret;

	*res = (struct inject_result){ 0 };
	if (same_file(o->input, o->output)) {
		err_set(err, EINVAL, "'%s' cannot be read and written at the same time", o->input);
		err_hint(err, "name another file with -o");
		return -EINVAL;
	}
	ret = collect(&in, err);
	if (!ret)
		ret = rewrite(&in, err);
	for vec_each(a, &in.added)
		free(a->path);
	vec_free(&in.added);
	inject_release_build_ids(&in);
	inject_release_stacks(&in);
	inject_release_decoded(&in);
	return ret;
}
