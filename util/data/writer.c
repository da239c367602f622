// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing a recording. The file is a valid one from the moment data_writer_events() returns: its
 * header says "data size 0", which readers take as "up to the end of the file"; finish() fills in
 * the size and adds the features. file_bytes counts what really reached the file, so that after a
 * failed write the header can still be made true.
 */
#include "util/data/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/outfile.h"
#include "util/data/backup.h"
#include "util/data/data-priv.h"

#define BUFFER_BYTES	(64 << 10)
/* raw bytes in a COMPRESSED record: even when they do not shrink it stays below 64 KB */
#define PACK_BYTES	(60 << 10)
#define STUCK_TICK_MS	100
#define STUCK_TICKS	30	/* a reader that looks for symbols may stop for a while */
/* what readers reserve for unpacking a piece: upstream perf's default */
#define COMP_MMAP_BYTES	0x81000

struct data_writer_priv {
	u8 *buf;
	size_t used;
	int failed;			/* errno of the first failed write */
	int comp_level;
	bool comp2;
	struct data_zstd *zstd;
	struct str raw, packed;
	struct str tracing;
	struct data_section attrs;
	u64 id_bytes;			/* of all events, before the attrs */
	bool renamed;			/* FILE.old is the one that was here */
	bool created, finished;
	unsigned n_sharers;
	bool wants_async;		/* once the file is a valid one */
	struct data_async_writer *async;	/* NULL: each write is waited for */
	u64 async_from;		/* offset in the file of its first byte */
};

static int write_failed(struct data_writer *w, struct err *err)
{
	const char *where = w->pipe && !strcmp(w->path, "-") ? "standard output" : w->path;
	int code = w->priv->failed;

	if (code == EINTR)
		return err_set(err, code, "%s did not get the whole recording: its reader takes "
					  "nothing, and a signal came", where);
	err_sys(err, code, "failed to write to %s at offset %llu", where,
		(unsigned long long)w->file_bytes);
	if (code == ENOSPC || code == EDQUOT)
		err_hint(err, w->pipe ? "the disk is full: send the output elsewhere" :
			 "the disk is full; what was written is readable. Make room on it, or name "
			 "a file elsewhere: -o FILE");
	return -code;
}

/* From here on no write waits for a disk, where that was asked for. */
static void begin_async(struct data_writer *w)
{
	if (!w->priv->wants_async)
		return;
	w->priv->async_from = w->file_bytes;
	w->priv->async = data_async_new(w->fd, w->priv->n_sharers);
}

/* What became of the bytes that were put. */
static int async_status(struct data_writer *w, int ret, u64 written, struct err *err)
{
	w->file_bytes = w->priv->async_from + written;
	w->priv->failed = -ret;
	return ret ? write_failed(w, err) : 0;
}

/* From here on each write is waited for again. */
static int end_async(struct data_writer *w, struct err *err)
{
	struct data_async_writer *b = w->priv->async;
	u64 written = 0;
	int ret;

	if (!b)
		return 0;
	ret = data_async_drain(b, &written);
	w->priv->async = NULL;
	data_async_free(b);
	return async_status(w, ret, written, err);
}

/* false, and errno: the reader has taken nothing for a while, and a signal asks us to end. */
static bool wait_for_reader(const struct data_writer *w)
{
	struct pollfd p = { .fd = w->fd, .events = POLLOUT };

	for (int stuck = 0; stuck < STUCK_TICKS; stuck += io_end_asked())
		if (poll(&p, 1, STUCK_TICK_MS) > 0)
			return true;
	errno = EINTR;
	return false;
}

static int write_out(struct data_writer *w, const void *bytes, size_t n, struct err *err)
{
	const u8 *p = bytes;
	u64 written = 0;

	if (w->priv->failed)
		return write_failed(w, err);
	if (w->priv->async) {
		int ret = data_async_put(w->priv->async, bytes, n, &written);

		return async_status(w, ret, written, err);
	}
	while (n) {
		ssize_t done = write(w->fd, p, n);

		if (done < 0 && (errno == EINTR || (errno == EAGAIN && wait_for_reader(w))))
			continue;
		if (done <= 0) {
			w->priv->failed = done ? errno : EIO;
			return write_failed(w, err);
		}
		p += done;
		n -= (size_t)done;
		w->file_bytes += (u64)done;
	}
	return 0;
}

static int flush_buffer(struct data_writer *w, struct err *err)
{
	size_t n = w->priv->used;

	w->priv->used = 0;
	return n ? write_out(w, w->priv->buf, n, err) : w->priv->failed ? write_failed(w, err) : 0;
}

static int put(struct data_writer *w, const void *bytes, size_t n, struct err *err)
{
	struct data_writer_priv *p = w->priv;

	if (n > BUFFER_BYTES - p->used) {
		int ret = flush_buffer(w, err);

		if (ret)
			return ret;
	}
	if (n >= BUFFER_BYTES / 2)
		return p->used && flush_buffer(w, err) ? -p->failed : write_out(w, bytes, n, err);
	memcpy(p->buf + p->used, bytes, n);
	p->used += n;
	return 0;
}

/* --- life --- */

static int keep_old(struct data_writer *w, struct err *err)
{
	int ret = data_move_to_backup(w->path, err);

	w->priv->renamed = !ret;
	return ret;
}

/* A recording that stands there becomes the backup, and so does a link to nothing: the new file is
 * not made where it leads. *there: something is left to be written over. */
static int clear_name(struct data_writer *w, const struct data_writer_opts *opts, bool *there,
		      struct err *err)
{
	int ret = outfile_check_link(w->path, err);
	bool backup = false;
	struct stat st;

	*there = !stat(w->path, &st);
	if (*there)
		backup = S_ISDIR(st.st_mode) ? data_is_dir_recording(w->path) :
		S_ISREG(st.st_mode) && st.st_size;
	else
		backup = errno == ENOENT && !lstat(w->path, &st);
	if (ret || !backup || !opts->keep_old || outfile_is_descriptor(w->path))
		return ret;
	ret = keep_old(w, err);
	*there = ret != 0;
	return ret;
}

/* Writes that do not block: a signal that ends perf must end the waiting for a reader, too. The
 * flag is one of the open file, which others may share: so it is opened anew. */
static void open_own_end(struct data_writer *w)
{
	char path[64];
	struct stat st;
	int fd;

	if (fstat(w->fd, &st) || !S_ISFIFO(st.st_mode))
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", w->fd);
	fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	close(w->fd);
	w->fd = fd;
}

static int create(struct data_writer *w, const struct data_writer_opts *opts, struct err *err)
{
	struct outfile_opts o = { .how = OUTFILE_LIVE, .named = !opts->by_default, .mode = 0600,
				  .input_fd = opts->input_fd };
	struct outfile f;
	struct stat st;
	bool there = false;
	int ret = strcmp(w->path, "-") ? clear_name(w, opts, &there, err) : 0;

	if (!ret)
		ret = outfile_open(&f, w->path, &o, err);
	if (ret) {
		if (ret == -EACCES || ret == -EROFS)
			err_hint(err, "name a file that can be written: -o FILE");
		return ret;
	}
	w->fd = f.fd;
	w->priv->created = f.regular && !there;
	f.open = false;
	outfile_release(&f);
	if (!fstat(w->fd, &st) && S_ISFIFO(st.st_mode))
		w->pipe = true;
	return 0;
}

int data_writer_open(struct data_writer *w, const char *path, const struct data_writer_opts *opts,
		     struct err *err)
{
	int ret;

	*w = (struct data_writer){ .path = xstrdup(path ? path : "perf.data"), .fd = -1,
				   .priv = xnew(struct data_writer_priv) };
	w->priv->comp_level = opts->comp_level;
	w->priv->comp2 = opts->comp2;
	w->pipe = opts->pipe || !strcmp(w->path, "-");
	if (opts->comp_level && !data_zstd_built()) {
		err_set(err, ENOTSUP, "this perf was built without zstd: it cannot compress");
		err_hint(err, "install libzstd-dev and build again, or record without -z");
		return -ENOTSUP;
	}
	ret = create(w, opts, err);
	if (ret)
		return ret;
	if (w->pipe)
		open_own_end(w);
	w->priv->buf = xmalloc(BUFFER_BYTES);
	w->priv->wants_async = opts->async && !w->pipe;
	w->priv->n_sharers = MAX(opts->n_sharers, 1u);
	if (opts->comp_level)
		w->priv->zstd = data_zstd_new();
	if (opts->records)
		begin_async(w);
	return 0;
}

void data_writer_release(struct data_writer *w)
{
	if (!w->priv)
		return;
	if (!w->priv->finished && w->priv->used)
		flush_buffer(w, NULL);
	end_async(w, NULL);
	if (w->fd >= 0)
		close(w->fd);
	data_zstd_free(w->priv->zstd);
	str_release(&w->priv->raw);
	str_release(&w->priv->packed);
	str_release(&w->priv->tracing);
	free(w->priv->buf);
	free(w->priv);
	free(w->path);
	*w = (struct data_writer){ .fd = -1 };
}

void data_writer_abort(struct data_writer *w)
{
	if (!w->priv)
		return;
	w->priv->used = 0;
	if (w->priv->created && !w->pipe)
		unlink(w->path);
	if (w->priv->renamed) {
		char *old = xasprintf("%s.old", w->path);

		rename(old, w->path);
		free(old);
		w->priv->renamed = false;
	}
	data_writer_release(w);
}

/* --- header and attrs --- */

static void add_section(struct str *out, struct data_section s)
{
	str_addn(out, &s.off, 8);
	str_addn(out, &s.bytes, 8);
}

static void add_u64(struct str *out, u64 v)
{
	str_addn(out, &v, 8);
}

static void add_header(struct str *out, struct data_section attrs, struct data_section data,
		       const u64 *features)
{
	str_addn(out, "PERFILE2", 8);
	add_u64(out, DATA_HEADER_BYTES);
	add_u64(out, sizeof(struct perf_event_attr) + 16);
	add_section(out, attrs);
	add_section(out, data);
	add_section(out, (struct data_section){ 0, 0 });
	str_addn(out, features, FEAT_MAX / 8);
}

static int file_events(struct data_writer *w, const struct event_list *l, struct err *err)
{
	static const u64 none[FEAT_MAX / 64];
	struct str s = STR_INIT;
	u64 off = DATA_HEADER_BYTES;
	int ret;

	for vec_each(e, &l->events)
		off += (*e)->n_ids * 8;
	w->priv->id_bytes = off - DATA_HEADER_BYTES;
	w->priv->attrs = (struct data_section){ off, l->events.n *
						(sizeof(struct perf_event_attr) + 16) };
	w->data_off = off + w->priv->attrs.bytes;
	add_header(&s, w->priv->attrs, (struct data_section){ w->data_off, 0 }, none);
	for vec_each(e, &l->events)
		str_addn(&s, (*e)->ids, (*e)->n_ids * 8);
	off = DATA_HEADER_BYTES;
	for vec_each(e, &l->events) {
		struct perf_event_attr attr = (*e)->attr;

		attr.size = sizeof(attr);
		str_addn(&s, &attr, sizeof(attr));
		add_section(&s, (struct data_section){ off, (*e)->n_ids * 8 });
		off += (*e)->n_ids * 8;
	}
	ret = write_out(w, str_cstr(&s), s.len, err);
	str_release(&s);
	return ret;
}

/* The names in it are borrowed; the caller frees the vector. */
static void groups_of(const struct event_list *l, struct data_features *g)
{
	memset(&g->groups, 0, sizeof(g->groups));
	for vec_each(e, &l->events)
		if ((*e)->leader == *e && (*e)->n_members > 1) {
			const char *name = (*e)->group_name ? (*e)->group_name : DATA_NO_GROUP_NAME;
			struct data_group group = { (char *)(uintptr_t)name, (u32)(*e)->index,
						    (u32)(*e)->n_members };

			vec_push(&g->groups, group);
		}
}

static void add_feature_record(struct str *out, const struct data_features *f, int feature,
			       const struct event_list *l)
{
	struct str bytes = STR_INIT;

	data_feature_encode(f, feature, l, &bytes);
	if (bytes.len < WIRE_MAX_RECORD_BYTES - 32)
		wire_add_feature(out, feature, (struct span){ (const u8 *)bytes.buf, bytes.len });
	str_release(&bytes);
}

static int pipe_events(struct data_writer *w, const struct event_list *l, struct span tracing,
		       struct err *err)
{
	struct data_features f = { 0 };
	struct str s = STR_INIT;
	int ret;

	w->data_off = DATA_PIPE_HEADER_BYTES;
	str_addn(&s, "PERFILE2", 8);
	add_u64(&s, DATA_PIPE_HEADER_BYTES);
	for vec_each(e, &l->events)
		wire_add_attr(&s, &(*e)->attr, (*e)->ids, (*e)->n_ids);
	if (l->events.n)
		add_feature_record(&s, &f, FEAT_EVENT_DESC, l);
	groups_of(l, &f);
	if (f.groups.n)
		add_feature_record(&s, &f, FEAT_GROUP_DESC, l);
	vec_free(&f.groups);
	for vec_each(e, &l->events) {
		u64 id = (*e)->n_ids ? (*e)->ids[0] : 0;

		if (id)		/* older readers do not take names out of EVENT_DESC here */
			wire_add_event_update_text(&s, WIRE_UPDATE_NAME, id, (*e)->name);
		if ((*e)->unit && *(*e)->unit)
			wire_add_event_update_text(&s, WIRE_UPDATE_UNIT, id, (*e)->unit);
		if ((*e)->scale != 0 && (*e)->scale != 1)
			wire_add_event_update_scale(&s, id, (*e)->scale);
	}
	if (tracing.len)
		wire_add_tracing_data(&s, tracing);
	ret = write_out(w, s.buf, s.len, err);
	str_release(&s);
	return ret;
}

int data_writer_events(struct data_writer *w, const struct event_list *l, struct span tracing,
		       struct err *err)
{
	int ret;

	if (w->pipe)
		return pipe_events(w, l, tracing, err);
	str_reset(&w->priv->tracing);
	str_addn(&w->priv->tracing, tracing.ptr, tracing.len);
	ret = file_events(w, l, err);
	if (!ret)
		begin_async(w);
	return ret;
}

/* --- records --- */

/* One COMPRESSED record of what has gathered. */
static int pack(struct data_writer *w, struct err *err)
{
	struct data_writer_priv *p = w->priv;
	struct perf_event_header h = { p->comp2 ? WIRE_COMPRESSED2 : WIRE_COMPRESSED, 0, 0 };
	int ret;

	if (!p->raw.len)
		return 0;
	str_reset(&p->packed);
	str_addn(&p->packed, &h, sizeof(h));
	if (p->comp2)
		add_u64(&p->packed, 0);

	size_t head = p->packed.len;

	ret = data_zstd_pack(p->zstd, p->comp_level,
			     (struct span){ (const u8 *)p->raw.buf, p->raw.len }, &p->packed, err);
	if (ret)
		return ret;
	if (p->comp2) {
		u64 n = p->packed.len - head;

		memcpy(p->packed.buf + 8, &n, 8);
		str_addchn(&p->packed, 0, -p->packed.len & 7);
	}
	h.size = (u16)p->packed.len;
	memcpy(p->packed.buf, &h, sizeof(h));
	str_reset(&p->raw);
	w->data_bytes += p->packed.len;
	return put(w, p->packed.buf, p->packed.len, err);
}

static int put_packed(struct data_writer *w, const u8 *bytes, size_t n, struct err *err)
{
	struct data_writer_priv *p = w->priv;

	while (n) {
		size_t now = MIN(n, PACK_BYTES - p->raw.len);

		str_addn(&p->raw, bytes, now);
		bytes += now;
		n -= now;
		if (p->raw.len == PACK_BYTES) {
			int ret = pack(w, err);

			if (ret)
				return ret;
		}
	}
	return 0;
}

int data_write(struct data_writer *w, const void *bytes, size_t n, struct err *err)
{
	if (w->priv->failed)
		return write_failed(w, err);
	w->raw_bytes += n;
	if (w->priv->zstd)
		return put_packed(w, bytes, n, err);
	w->data_bytes += n;
	return put(w, bytes, n, err);
}

int data_writev(struct data_writer *w, struct span a, struct span b, struct err *err)
{
	int ret = a.len ? data_write(w, a.ptr, a.len, err) : 0;

	return !ret && b.len ? data_write(w, b.ptr, b.len, err) : ret;
}

int data_write_round(struct data_writer *w, struct err *err)
{
	struct perf_event_header h = { WIRE_FINISHED_ROUND, 0, sizeof(h) };

	return data_write(w, &h, sizeof(h), err);
}

/* All that is held here goes on; behind: what becomes of it where it is written behind. */
static int pass_on(struct data_writer *w, int (*async)(struct data_async_writer *b, u64 *written),
		   struct err *err)
{
	int ret = w->priv->zstd ? pack(w, err) : 0;
	u64 written = 0;

	if (!ret)
		ret = flush_buffer(w, err);
	if (!ret && w->priv->async) {
		ret = async(w->priv->async, &written);
		ret = async_status(w, ret, written, err);
	}
	return ret;
}

int data_writer_push(struct data_writer *w, struct err *err)
{
	return pass_on(w, data_async_push, err);
}

int data_writer_flush(struct data_writer *w, struct err *err)
{
	return pass_on(w, data_async_drain, err);
}

int data_write_feature(struct data_writer *w, const struct data_features *f, int feature,
		       const struct event_list *l,
		       struct err *err)
{
	struct str bytes = STR_INIT, rec = STR_INIT;
	int ret = 0;

	data_feature_encode(f, feature, l, &bytes);
	/* longer ones do not fit in a record: readers do without */
	if (bytes.len < WIRE_MAX_RECORD_BYTES - 32) {
		wire_add_feature(&rec, (u64)feature,
				 (struct span){ (const u8 *)str_cstr(&bytes), bytes.len });
		ret = data_write(w, rec.buf, rec.len, err);
	}
	str_release(&bytes);
	str_release(&rec);
	return ret;
}

/* --- the end --- */

/* The features as they will be written: those of the caller, and what the writer knows itself.
 * g's vectors stay borrowed, but groups, which the caller frees. */
static void final_features(const struct data_features *f, const struct event_list *l,
			   struct span tracing,
			   struct data_features *g)
{
	*g = *f;
	groups_of(l, g);
	if (l->events.n)		/* readers take an empty one for damaged */
		data_set(g, FEAT_EVENT_DESC);
	data_unset(g, FEAT_GROUP_DESC);
	if (g->groups.n)
		data_set(g, FEAT_GROUP_DESC);
	data_unset(g, FEAT_TRACING_DATA);
	if (tracing.len) {
		g->tracing_data = (struct str){ (char *)(uintptr_t)tracing.ptr, tracing.len, 0 };
		data_set(g, FEAT_TRACING_DATA);
	}
}

/* Table and sections for a file position; present gets the bits of what could be encoded. */
static void add_features(const struct data_features *g, const struct event_list *l, u64 off,
			 u64 *present, struct str *out)
{
	struct str table = STR_INIT, body = STR_INIT;
	u64 n = 0;

	memset(present, 0, FEAT_MAX / 8);
	for (int i = 0; i < FEAT_MAX; i++)
		n += data_has(g, i);
	for (int i = 0; i < FEAT_MAX; i++) {
		struct data_section s = { off + n * 16 + body.len, body.len };

		if (!data_has(g, i))
			continue;
		data_feature_encode(g, i, l, &body);
		s.bytes = body.len - s.bytes;
		add_section(&table, s);
		present[i / 64] |= 1ULL << (i % 64);
	}
	str_addn(out, str_cstr(&table), table.len);
	str_addn(out, str_cstr(&body), body.len);
	str_release(&table);
	str_release(&body);
}

static int pipe_finish(struct data_writer *w, const struct data_features *f, struct err *err)
{
	struct str s = STR_INIT;
	int ret;

	for vec_each(b, &f->build_ids)
		wire_add_build_id(&s, b->id, b->bytes, b->misc, b->pid, b->path);
	ret = data_write(w, str_cstr(&s), s.len, err);
	str_release(&s);
	return ret ? ret : data_writer_flush(w, err);
}

/* After a failed write the last record may be cut: ends the file at a record's end, at or before
 * max (a file offset). */
static void cut_to_records(struct data_writer *w, u64 max)
{
	u64 at = w->data_off;
	struct perf_event_header h;

	while (at + sizeof(h) <= max && io_pread(w->fd, &h, sizeof(h), at) == (ssize_t)sizeof(h) &&
	       h.size >= sizeof(h) &&
	       at + h.size <= max)
		at += h.size;
	if (!ftruncate(w->fd, (off_t)at))
		w->file_bytes = at;
}

/* The last records go, so that there is room for something else. */
static void give_up(struct data_writer *w, u64 bytes)
{
	cut_to_records(w, w->file_bytes - bytes);
	lseek(w->fd, (off_t)w->file_bytes, SEEK_SET);
	w->data_bytes = w->file_bytes - w->data_off;
}

/* A full disk: without the features the records are worth less than the last of them are. */
static void make_room(struct data_writer *w, size_t feature_bytes)
{
	const u64 data = w->file_bytes - w->data_off;

	give_up(w, data / 4 > feature_bytes ? feature_bytes : 0);
}

int data_writer_end(struct data_writer *w, u64 spare_bytes, struct err *err)
{
	struct data_writer_priv *p = w->priv;
	int ret = data_writer_flush(w, err);

	p->finished = true;
	end_async(w, NULL);
	if (p->failed)
		give_up(w, MIN(spare_bytes, (w->file_bytes - w->data_off) / 4));
	return ret;
}

/* Counters that were opened while the recording ran have ids for which there is no room before
 * the data: all go after it. */
static int late_ids(struct data_writer *w, const struct event_list *l, struct err *err)
{
	struct str ids = STR_INIT;
	u64 off = w->file_bytes;
	int ret;

	for vec_each(e, &l->events)
		str_addn(&ids, (*e)->ids, (*e)->n_ids * 8);
	ret = ids.len == w->priv->id_bytes ? 0 : write_out(w, ids.buf, ids.len, err);
	for (size_t i = 0; i < l->events.n && !ret && ids.len != w->priv->id_bytes; i++) {
		const u64 at = w->priv->attrs.off + i * (sizeof(struct perf_event_attr) + 16) +
			sizeof(struct perf_event_attr);
		struct str section = STR_INIT;

		add_section(&section, (struct data_section){ off, l->events.v[i]->n_ids * 8 });
		ret = io_pwrite(w->fd, section.buf, section.len, at);
		if (ret)
			err_sys(err, -ret, "failed to write the ids of events of %s", w->path);
		off += l->events.v[i]->n_ids * 8;
		str_release(&section);
	}
	str_release(&ids);
	return ret;
}

int data_writer_finish(struct data_writer *w, const struct data_features *f,
		       const struct event_list *l, struct err *err)
{
	struct data_writer_priv *p = w->priv;
	struct data_features g;
	struct str feats = STR_INIT, header = STR_INIT;
	u64 present[FEAT_MAX / 64] = { 0 };
	int ret;

	p->finished = true;
	if (w->pipe)
		return pipe_finish(w, f, err);
	ret = data_writer_flush(w, err);
	end_async(w, NULL);
	if (w->file_bytes < w->data_off)	/* not even the attrs are there */
		return ret ? ret : err_set(err, EIO, "%s was not begun", w->path);
	w->data_bytes = w->file_bytes - w->data_off;
	final_features(f, l, (struct span){ (const u8 *)str_cstr(&p->tracing), p->tracing.len },
		       &g);
	if (p->zstd) {
		g.comp_version = 0;
		g.comp_type = 1;
		g.comp_level = (u32)p->comp_level;
		g.comp_ratio = w->data_bytes ? (u32)((w->raw_bytes + w->data_bytes / 2) /
						     w->data_bytes) : 1;
		g.comp_mmap_bytes = COMP_MMAP_BYTES;
		data_set(&g, FEAT_COMPRESSED);
	}
	for (int tries = 0; tries < 2; tries++) {
		u64 data_end;

		if (p->failed) {
			add_features(&g, l, 0, present, &feats);
			make_room(w, feats.len);
			str_reset(&feats);
			p->failed = 0;
		}
		data_end = w->file_bytes;
		add_features(&g, l, data_end, present, &feats);
		int r = write_out(w, feats.buf, feats.len, ret ? NULL : err);

		if (!r)
			break;
		ret = ret ? ret : r;
		str_reset(&feats);
		memset(present, 0, sizeof(present));	/* no room for them: without */
		if (!ftruncate(w->fd, (off_t)data_end))
			w->file_bytes = data_end;
	}
	if (!ret)
		ret = late_ids(w, l, err);
	add_header(&header, p->attrs, (struct data_section){ w->data_off, w->data_bytes }, present);

	int bad = io_pwrite(w->fd, header.buf, header.len, 0);

	if (bad && bad != -ESPIPE && !ret)
		ret = err_sys(err, -bad, "failed to write the header of %s", w->path);
	vec_free(&g.groups);
	str_release(&feats);
	str_release(&header);
	return ret;
}
