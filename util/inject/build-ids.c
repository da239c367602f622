// SPDX-License-Identifier: GPL-2.0-or-later
// Build-ids: which binaries were hit, and what is known of them.
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/inject/inject-priv.h"
#include "util/stream/stream.h"
#include "util/symbols/mapped.h"

const struct build_id *inject_build_id(struct inject *in, const char *path, u64 ino, pid_t pid,
				       bool kernel)
{
	const struct mapped m = { .path = path, .ino = ino, .pid = pid, .kernel = kernel };
	struct build_id *id = strmap_get(&in->known, path);

	if (!id) {
		id = xnew(struct build_id);
		mapped_build_id(in->os, &m, id);
		strmap_put(&in->known, path, id);
	}
	return id->n ? id : NULL;
}

void inject_release_build_ids(struct inject *in)
{
	for strmap_each(i, &in->known)
		free(in->known.vals[i]);
	strmap_release(&in->known);
	strmap_release(&in->used);
}

static void note(struct inject *in, const char *path, bool kernel, const struct build_id *id)
{
	struct data_features *f = in->hits ? in->hits : &in->r->feat;

	if (kernel && str_has_prefix(path, "[kernel.kallsyms]"))
		path = "[kernel.kallsyms]";
	if (data_find_build_id(f, path))
		return;
	data_add_build_id(f, id->bytes, id->n, kernel ? PERF_RECORD_MISC_KERNEL :
			  PERF_RECORD_MISC_USER, -1, path);
	inject_say(in, INJECT_DETAIL, "build-id of %s", path);
}

/* --- all mapped files --- */

static int note_all(struct inject *in, struct err *err)
{
	struct data_cursor c;
	struct data_record rec;
	struct wire_mmap m;
	const char *reason;
	int ret;

	data_cursor_init(&c, in->r);
	c.want_kernel = 1ULL << PERF_RECORD_MMAP | 1ULL << PERF_RECORD_MMAP2;
	c.want_user = 0;
	while ((ret = data_cursor_next(&c, &rec, err)) > 0) {
		const bool kernel = (rec.hdr->misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
			PERF_RECORD_MISC_KERNEL;
		const struct build_id *id;
		struct build_id its;

		if (wire_decode_mmap(rec.hdr, &m, &reason) || m.data)
			continue;
		its.n = m.build_id_bytes;
		memcpy(its.bytes, m.build_id, sizeof(its.bytes));
		id = its.n ? &its : inject_build_id(in, m.path, m.ino, (pid_t)m.pid, kernel);
		if (id)
			note(in, m.path, kernel, id);
	}
	data_cursor_release(&c);
	return ret;
}

/* --- those with samples --- */

struct hits { u8 *seen; size_t n; };	/* by dso index */

static void mark(struct hits *h, const struct dso *d)
{
	if (!d || d->index < 0)
		return;
	if ((size_t)d->index >= h->n) {
		const size_t more = (size_t)d->index * 2 + 64;

		h->seen = xrealloc(h->seen, more);
		memset(h->seen + h->n, 0, more - h->n);
		h->n = more;
	}
	h->seen[d->index] = 1;
}

static void mark_samples(struct sink *s, const struct sink_item *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		mark(s->ctx, items[i].res->leaf.dso);
		for (u32 k = 0; k < items[i].res->n_frames; k++)
			mark(s->ctx, items[i].res->frames[k].dso);
	}
}

/* Runs over the samples; the stream stays for its dsos, the caller frees both. NULL: it could
 * not be read. */
static struct stream *find_hits(struct inject *in, struct hits *h, struct err *err)
{
	const struct stream_opts opts = { .threads = 1, .no_inline = true,
					  .symbols = in->o->symbols };
	struct sink sink = { .wants = SINK_SYMBOLS | SINK_CHAIN, .ctx = h,
			     .samples = mark_samples };
	struct sink *sinks[] = { &sink };
	const struct source src = source_of_reader(in->r);
	struct stream *s = stream_new(&src, in->os, &opts, err);

	if (s && stream_run(s, sinks, 1, err)) {
		stream_free(s);
		return NULL;
	}
	if (s && !in->counted)
		stream_move_stats(s, in->o->stats);
	in->counted = true;
	return s;
}

static void note_dso(struct inject *in, const struct dso *d)
{
	const bool kernel = d->kind == DSO_KERNEL || d->kind == DSO_MODULE;
	const struct build_id *id;

	id = d->id.n && !d->id_from_file ? &d->id :
		inject_build_id(in, d->path, d->ino, d->pid, kernel);
	if (id)
		note(in, d->path, kernel, id);
	else
		inject_say(in, INJECT_DETAIL, "no build-id is known of %s", d->path);
}

static void use_dso(struct inject *in, const struct dso *d)
{
	strmap_put(&in->used, d->path, in);
}

/* fn for each dso that a sample hits. */
static int each_hit(struct inject *in, void (*fn)(struct inject *, const struct dso *),
		    struct err *err)
{
	struct hits h = { NULL, 0 };
	struct stream *s = find_hits(in, &h, err);

	for (size_t i = 0; s && i < dso_count(stream_dsos(s)) && i < h.n; i++)
		if (h.seen[i])
			fn(in, dso_at(stream_dsos(s), i));
	free(h.seen);
	if (!s)
		return -1;
	stream_free(s);
	return 0;
}

static int note_hits(struct inject *in, struct err *err)
{
	return each_hit(in, note_dso, err);
}

int inject_collect_used(struct inject *in, struct err *err)
{
	return each_hit(in, use_dso, err);
}

int inject_hits(const struct inject_opts *o, const struct source *src, const struct os *os,
		struct data_features *out, struct err *err)
{
	struct inject_opts quiet = *o;
	struct inject_result res = { 0 };
	struct inject in = { .o = &quiet, .os = os, .res = &res, .hits = out, .r = src->reader };
	int ret;

	quiet.say = NULL;
	ret = note_hits(&in, err);
	inject_release_build_ids(&in);
	return ret;
}

int inject_collect_build_ids(struct inject *in, struct err *err)
{
	return in->o->buildid_all ? note_all(in, err) : note_hits(in, err);
}
