// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walking over records. Invariants:
 * 1. buf[at..have) are bytes of files[file] that begin at offset buf_off + at; nothing beyond "end"
 * is ever in it.
 * 2. A record is handed out only when all its bytes are in buf (or in z), 8-byte aligned, and in
 * host order.
 * 3. Handed-out records move or die only in a step that was called with may_move.
 * 4. Unpacked bytes (z) come before anything that stands after their COMPRESSED record; a record
 * may continue in the next one.
 * 5. Of a mapped file buf is the mapping itself: buf_off is 0 and "have" its end. What it cannot do
 * (records that are not
 *    aligned, or cut off) is done as ever: leave_map().
 * 6. The walk ends at the first record that cannot be one (size below 8, or beyond the end): with a
 * warning, as if the file
 *    ended there.
 */
#include "util/data/reader.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/progress.h"
#include "util/data/data-priv.h"

struct data_cursor_priv {
	u8 *buf;
	size_t at, have;
	u64 buf_off, end;
	bool mapped;
	u64 dropped;		/* the mapping is not needed below */
	u32 file;
	u64 pos;
	bool whole;		/* all files, in order */
	bool noting;		/* marks for data_split() */
	bool keep_packed;	/* the walk for headers or boundaries: COMPRESSED is stepped over */
	bool ended;
	u64 skip;		/* payload after the last record, to be stepped over */
	u64 last_mark;
	struct data_zstd *zstd;
	struct str z;
	size_t z_at;
	u64 z_off;		/* of the COMPRESSED record that z came from */
	u64 tell_at;		/* bytes_done at which to tell how far it is */
};

enum { STEP_END = 0, STEP_RECORD = 1, STEP_MOVE = 2, STEP_AGAIN = 3 };

static struct data_cursor_priv *cursor_priv(struct data_cursor *c, struct data_reader *r)
{
	*c = (struct data_cursor){ .r = r, .want_kernel = ~0ULL, .want_user = ~0ULL,
				   .priv = xnew(struct data_cursor_priv) };
	return c->priv;
}

static void advance(struct data_cursor *c, u64 bytes)
{
	c->bytes_done += bytes;
	if (c->what && c->bytes_done >= c->priv->tell_at) {
		/* what comes through a pipe comes when it likes */
		c->priv->tell_at = c->bytes_done + (c->r->stream ? 0 : DATA_BATCH_BYTES);
		progress_step(c->what, c->bytes_done, c->r->stream ? 0 : c->r->data_bytes);
	}
}

/* The mapping is left, or its last pages are not needed: the next bytes go into a buffer. */
static void leave_map(struct data_cursor *c)
{
	struct data_cursor_priv *p = c->priv;

	if (p->mapped) {
		p->buf_off = p->at;
		p->at = p->have = 0;
		p->mapped = false;
		p->buf = NULL;
	}
	if (!p->buf)
		p->buf = xmalloc(DATA_BUFFER_BYTES);
}

static bool much_behind(const struct data_cursor *c)
{
	const struct data_cursor_priv *p = c->priv;

	return p->mapped && p->at - p->dropped >= c->keep_bytes + DATA_DROP_BYTES;
}

/* The records handed out before are not looked at any more, except those that wait for their
 * turn. */
static void drop_behind(struct data_cursor *c)
{
	struct data_cursor_priv *p = c->priv;

	if (!much_behind(c))
		return;
	data_map_drop(&c->r->files.v[p->file], p->dropped, p->at - c->keep_bytes);
	p->dropped = p->at - c->keep_bytes;
}

static void enter_file(struct data_cursor *c, u32 file, u64 from, u64 to)
{
	struct data_cursor_priv *p = c->priv;
	const struct data_file *f = &c->r->files.v[file];

	if (p->mapped) {
		data_map_drop(&c->r->files.v[p->file], p->dropped, p->at);
		p->buf = NULL;
	}
	p->mapped = f->map && from % 8 == 0;
	if (p->mapped)
		free(p->buf);
	p->file = file;
	p->end = to;
	p->last_mark = p->dropped = from;
	p->buf_off = p->mapped ? 0 : from;
	p->at = p->mapped ? from : 0;
	p->have = p->mapped ? to : 0;
	if (p->mapped)
		/* nobody writes: records of the host's order only */
		p->buf = (u8 *)(uintptr_t)f->map;
	else
		leave_map(c);
}

static void note_mark(struct data_cursor_priv *p, struct data_reader *r)
{
	struct data_mark m = { p->file, p->buf_off + p->at, p->pos };

	vec_push(&r->priv->marks, m);
	p->last_mark = m.off;
}

void data_cursor_init(struct data_cursor *c, struct data_reader *r)
{
	struct data_cursor_priv *p = cursor_priv(c, r);

	p->whole = true;
	c->what = "Reading the recording";
	data_map(r);
	if (!r->files.n) {
		p->ended = true;
		return;
	}
	enter_file(c, 0, r->files.v[0].from, r->files.v[0].to);
	if (r->stream) {
		struct str *head = &r->priv->head;

		p->ended = r->priv->stream_taken;
		r->priv->stream_taken = true;
		/* the head may be longer than the buffer: its buffer becomes this one */
		if (!p->ended && head->len > DATA_BUFFER_BYTES)
			p->buf = xrealloc(p->buf, head->len);
		if (!p->ended) {
			memcpy(p->buf, str_cstr(head), head->len);
			p->have = head->len;
		}
		str_release(head);
	} else if (!r->priv->marks_done) {
		p->noting = true;
		vec_clear(&r->priv->marks);
		note_mark(p, r);
	}
}

void data_cursor_chunk(struct data_cursor *c, struct data_reader *r, const struct data_chunk *chunk)
{
	struct data_cursor_priv *p = cursor_priv(c, r);

	enter_file(c, chunk->file, chunk->from, chunk->to);
	p->pos = chunk->pos;
}

void data_cursor_release(struct data_cursor *c)
{
	if (!c->priv)
		return;
	if (c->what)
		progress_end();
	if (c->priv->mapped)
		data_map_drop(&c->r->files.v[c->priv->file], c->priv->dropped, c->priv->at);
	else
		free(c->priv->buf);
	str_release(&c->priv->z);
	data_zstd_free(c->priv->zstd);
	free(c->priv);
	c->priv = NULL;
}

/* need bytes from at on, the first of them 8-byte aligned. 1, or 0 when the data ends before, or
 * an error. */
static int fill(struct data_cursor *c, size_t need, struct err *err)
{
	struct data_cursor_priv *p = c->priv;
	const struct data_file *f = &c->r->files.v[p->file];

	if (p->mapped)
		leave_map(c);
	if (p->at) {
		memmove(p->buf, p->buf + p->at, p->have - p->at);
		p->buf_off += p->at;
		p->have -= p->at;
		p->at = 0;
	}
	while (p->have < need) {
		size_t n = (size_t)MIN((u64)(DATA_BUFFER_BYTES - p->have),
				       p->end - (p->buf_off + p->have));
		struct pollfd wait = { .fd = f->fd, .events = POLLIN };
		ssize_t got;

		if (!n)
			return 0;
		if (c->r->stream && c->r->on_wait && !poll(&wait, 1, 0))
			c->r->on_wait(c->r->on_wait_ctx);
		do {
			u8 *to = p->buf + p->have;

			got = c->r->stream ? read(f->fd, to, n) :
				pread(f->fd, to, n, (off_t)(p->buf_off + p->have));
		} while (got < 0 && errno == EINTR);
		if (got < 0)
			return err_sys(err, errno, "%s: cannot read at offset 0x%llx", f->path,
				       (unsigned long long)(p->buf_off + p->have));
		if (!got)
			return 0;
		p->have += (size_t)got;
	}
	return 1;
}

/* Steps over n bytes, which may reach beyond the buffer. */
static int discard(struct data_cursor *c, u64 n, struct err *err)
{
	struct data_cursor_priv *p = c->priv;

	if (n <= p->have - p->at) {
		p->at += n;
		return 1;
	}
	if (!c->r->stream) {
		leave_map(c);
		p->buf_off += p->at + n;
		p->at = p->have = 0;
		return 1;
	}
	while (n) {
		size_t now = (size_t)MIN(n, (u64)(p->have - p->at));
		int ret;

		p->at += now;
		n -= now;
		ret = n ? fill(c, 1, err) : 1;
		if (ret <= 0)
			return ret;
	}
	return 1;
}

static bool wanted(const struct data_cursor *c, u32 type)
{
	if (type < 64)
		return c->want_kernel >> type & 1;
	if (type < 128)
		return c->want_user >> (type - 64) & 1;
	return c->want_user == ~0ULL;
}

static void warn_bad(struct data_cursor *c, u64 off, u32 type, u32 size)
{
	struct data_cursor_priv *p = c->priv;
	const char *path = c->r->files.v[p->file].path;
	unsigned long long left = p->end == ~0ULL ? 0 : p->end - off;

	if (size < 8)
		data_warn(c->r, "the recording is damaged, or was still being written",
			  "%s: no record at offset 0x%llx (type %u, size %u): the %llu bytes from "
			  "there on are left out", path,
			  (unsigned long long)off, type, size, left);
	else if (!c->r->priv->cut_reported || p->file)
		data_warn(c->r, NULL, "%s: the last record, at offset 0x%llx (type %u, size %u), "
				      "is cut off: left out", path,
			  (unsigned long long)off, type, size);
}

/* The data of this file is used up. */
static int leave_file(struct data_cursor *c)
{
	struct data_cursor_priv *p = c->priv;
	struct data_reader *r = c->r;

	if (p->z.len > p->z_at && (!r->priv->cut_reported || p->file))
		data_warn(r, NULL, "%s: the compressed data (offset 0x%llx) ends inside a record: "
				   "left out",
			  r->files.v[p->file].path, (unsigned long long)p->z_off);
	p->z.len = p->z_at = 0;		/* its bytes stay: records handed out may lie in them */
	if (p->whole && p->file + 1 < r->files.n) {
		const struct data_file *f = &r->files.v[p->file + 1];

		enter_file(c, p->file + 1, f->from, f->to);
		data_zstd_free(p->zstd);
		p->zstd = NULL;
		if (p->noting)
			note_mark(p, r);
		return STEP_AGAIN;
	}
	p->ended = true;
	if (p->noting)
		r->priv->marks_done = true;
	return STEP_END;
}

/* Swaps, applies header records of a stream; STEP_AGAIN for a record that cannot be used. */
static int hand_out(struct data_cursor *c, struct perf_event_header *hdr, u32 type, u16 size,
		    struct data_record *out,
		    u64 off)
{
	struct data_reader *r = c->r;
	const char *reason = NULL;

	if (r->swap) {
		const struct event *e = event_of_raw(&r->events, hdr, type, size, true);

		if (wire_swap(hdr, e ? &e->attr : NULL, &reason)) {
			data_warn(r, NULL, "%s: the record at offset 0x%llx (type %u) cannot be "
					   "decoded: %s",
				  r->files.v[c->priv->file].path, (unsigned long long)off, type,
				  reason);
			return STEP_AGAIN;
		}
	}
	out->hdr = hdr;
	out->off = off;
	out->pos = c->priv->pos;
	out->file = c->priv->file;
	out->stays = c->priv->mapped && !c->priv->z.len;
	c->n_records++;
	return STEP_RECORD;
}

static u32 get_u32(const u8 *p, bool swap)
{
	u32 v;

	memcpy(&v, p, 4);
	return swap ? __builtin_bswap32(v) : v;
}

static u64 get_u64(const u8 *p, bool swap)
{
	u64 v;

	memcpy(&v, p, 8);
	return swap ? __builtin_bswap64(v) : v;
}

static u16 get_u16(const u8 *p, bool swap)
{
	u16 v;

	memcpy(&v, p, 2);
	return swap ? __builtin_bswap16(v) : v;
}

/* The next record of z. STEP_AGAIN: none whole in it. */
static int step_unpacked(struct data_cursor *c, struct data_record *out, bool may_move)
{
	struct data_cursor_priv *p = c->priv;

	while (p->z.len - p->z_at >= 8) {
		u8 *rec = (u8 *)p->z.buf + p->z_at;
		u32 type = get_u32(rec, c->r->swap);
		u16 size = get_u16(rec + 6, c->r->swap);
		int ret;

		if (size < 8) {
			warn_bad(c, p->z_off, type, size);
			p->z_at = p->z.len;
			return STEP_AGAIN;
		}
		if (size > p->z.len - p->z_at)
			return STEP_AGAIN;
		if (!wanted(c, type)) {
			p->z_at += size;
			p->pos += size;
			c->n_skipped++;
			continue;
		}
		if (p->z_at & 7) {
			if (!may_move)
				return STEP_MOVE;
			memmove(p->z.buf, rec, p->z.len - p->z_at);
			p->z.len -= p->z_at;
			p->z_at = 0;
			rec = (u8 *)p->z.buf;
		}
		out->payload_off = out->payload_bytes = 0;
		ret = hand_out(c, (struct perf_event_header *)(void *)rec, type, size, out,
			       p->z_off);
		p->z_at += size;
		p->pos += size;
		if (ret == STEP_RECORD)
			return ret;
	}
	return STEP_AGAIN;
}

/* A COMPRESSED record, whole in buf at "at". */
static int unpack(struct data_cursor *c, const u8 *rec, u32 type, u16 size, u64 off,
		  struct err *err)
{
	struct data_cursor_priv *p = c->priv;
	struct span in = { rec + 8, size - 8U };
	struct err e = ERR_INIT;

	if (type == WIRE_COMPRESSED2) {
		u64 n = size >= 16 ? get_u64(rec + 8, c->r->swap) : ~0ULL;

		if (n > size - 16U)
			return err_set(err, EINVAL, "%s: the compressed record at offset 0x%llx "
						    "counts more bytes than it has",
				       c->r->files.v[p->file].path, (unsigned long long)off);
		in = (struct span){ rec + 16, n };
	}
	if (!p->zstd)
		p->zstd = data_zstd_new();
	if (p->z_at) {
		memmove(p->z.buf, p->z.buf + p->z_at, p->z.len - p->z_at);
		p->z.len -= p->z_at;
		p->z_at = 0;
	}
	p->z_off = off;
	if (!data_zstd_unpack(p->zstd, in, &p->z, &e))
		return 0;

	int ret = err_set(err, e.code, "%s: the compressed record at offset 0x%llx: %s",
			  c->r->files.v[p->file].path,
			  (unsigned long long)off, e.msg);

	if (e.hint)
		err_hint(err, "%s", e.hint);
	err_release(&e);
	return ret;
}

/* Bytes after a record that its size does not count. */
static u64 payload_of(const struct data_cursor *c, const u8 *rec, u32 type, u16 size)
{
	if (type == WIRE_AUXTRACE && size >= 16)
		return get_u64(rec + 8, c->r->swap);
	if (type == WIRE_HEADER_TRACING_DATA && c->r->pipe_mode && size >= 12)
		return get_u32(rec + 8, c->r->swap);
	return 0;
}

/* In a stream, TRACING_DATA after the head: its payload comes now or never. */
static int apply_in_stream(struct data_cursor *c, const struct perf_event_header *hdr, u64 off,
			   u64 payload, struct err *err)
{
	struct data_cursor_priv *p = c->priv;
	struct str bytes = STR_INIT;
	struct perf_event_header *copy;
	int ret = 0;

	if (off < c->r->priv->applied_to || !data_is_header(hdr->type))
		return 0;
	if (!payload)
		return data_apply_header(c->r, hdr, (struct span){ NULL, 0 }, err);
	copy = xmemdup(hdr, hdr->size);
	p->at += hdr->size;
	while (payload && ret >= 0) {
		size_t now = (size_t)MIN(payload, (u64)(p->have - p->at));

		str_addn(&bytes, p->buf + p->at, now);
		p->at += now;
		payload -= now;
		ret = payload ? fill(c, 1, err) : 1;
		if (!ret)
			break;
	}
	if (ret >= 0)
		ret = data_apply_header(c->r, copy, (struct span){ (const u8 *)str_cstr(&bytes),
								   bytes.len }, err);
	free(copy);
	str_release(&bytes);
	return ret < 0 ? ret : 1;	/* 1: the record is gone */
}

static int take_record(struct data_cursor *c, u32 type, u16 size, struct data_record *out,
		       struct err *err)
{
	struct data_cursor_priv *p = c->priv;
	u8 *rec = p->buf + p->at;
	u64 off = p->buf_off + p->at, payload = payload_of(c, rec, type, size);
	bool want = wanted(c, type);
	int ret = STEP_AGAIN;

	if (payload > p->end - off - size) {
		warn_bad(c, off, type, size);
		return leave_file(c);
	}
	if (type == WIRE_AUXTRACE || (type == WIRE_AUXTRACE_INFO && size >= 12))
		data_note_aux(c->r, p->file, off, type, type == WIRE_AUXTRACE ? payload :
			      get_u32(rec + 8, c->r->swap));
	if (want)
		ret = hand_out(c, (struct perf_event_header *)(void *)rec, type, size, out, off);
	else
		c->n_skipped++;
	out->payload_off = payload ? off + size : 0;
	out->payload_bytes = payload;
	p->pos += size + payload;
	advance(c, size + payload);
	if (c->r->stream && ret == STEP_RECORD) {
		int done = apply_in_stream(c, out->hdr, off, payload, err);

		if (done)
			return done < 0 ? done : STEP_AGAIN;
	}
	p->at += size;
	p->skip = payload;	/* not now: it may move the buffer under the record */
	return ret;
}

static bool needs_body(u32 type)
{
	return type == WIRE_AUXTRACE || type == WIRE_AUXTRACE_INFO ||
		type == WIRE_HEADER_TRACING_DATA;
}

/* One record forward in the file. */
static int step_file(struct data_cursor *c, struct data_record *out, bool may_move, struct err *err)
{
	struct data_cursor_priv *p = c->priv;
	int ret;

	if (p->skip) {
		if (!may_move)
			return STEP_MOVE;
		ret = discard(c, p->skip, err);
		p->skip = 0;
		if (ret <= 0)
			return ret < 0 ? ret : leave_file(c);
	}
	if (p->have - p->at < 8) {
		if (!may_move)
			return STEP_MOVE;
		ret = fill(c, 8, err);
		if (ret < 0)
			return ret;
		if (!ret) {
			if (p->have > p->at && (!c->r->priv->cut_reported || p->file))
				data_warn(c->r, NULL, "%s: %zu stray bytes at the end of the data "
						      "(offset 0x%llx)",
					  c->r->files.v[p->file].path, p->have - p->at,
					  (unsigned long long)(p->buf_off + p->at));
			return leave_file(c);
		}
	}

	const u8 *rec = p->buf + p->at;
	const u32 type = get_u32(rec, c->r->swap);
	const u16 size = get_u16(rec + 6, c->r->swap);
	const u64 off = p->buf_off + p->at;
	const bool packed = type == WIRE_COMPRESSED || type == WIRE_COMPRESSED2;

	if (size < 8 || size > p->end - off) {
		warn_bad(c, off, type, size);
		return leave_file(c);
	}
	if (p->noting && off - p->last_mark >= DATA_MARK_BYTES)
		note_mark(p, c->r);
	if (packed && p->whole)
		c->r->compressed = true;
	if (packed ? p->keep_packed : !wanted(c, type) && !needs_body(type) && !c->r->stream) {
		if (!may_move && much_behind(c))
			/* what this batch has so far is still to be looked at */
			return STEP_MOVE;
		p->pos += size;
		advance(c, size);
		c->n_skipped++;
		drop_behind(c);		/* all of it may be stepped over in one call */
		ret = discard(c, size, err);
		return ret < 0 ? ret : STEP_AGAIN;
	}
	if (p->have - p->at < size || (p->at & 7 && !packed)) {
		if (!may_move)
			return STEP_MOVE;
		ret = fill(c, size, err);
		if (ret < 0)
			return ret;
		if (!ret) {
			warn_bad(c, off, type, size);
			return leave_file(c);
		}
	}
	if (!packed)
		return take_record(c, type, size, out, err);
	if (!may_move)
		return STEP_MOVE;
	ret = unpack(c, p->buf + p->at, type, size, off, err);
	*(type == WIRE_COMPRESSED ? &c->n_compressed : &c->n_compressed2) += 1;
	advance(c, size);
	p->at += size;
	return ret < 0 ? ret : STEP_AGAIN;
}

static int step(struct data_cursor *c, struct data_record *out, bool may_move, struct err *err)
{
	struct data_cursor_priv *p = c->priv;
	int ret = STEP_AGAIN;

	while (ret == STEP_AGAIN) {
		if (p->ended)
			return STEP_END;
		if (p->z.len > p->z_at) {
			ret = step_unpacked(c, out, may_move);
			if (ret != STEP_AGAIN)
				return ret;
		}
		ret = step_file(c, out, may_move, err);
	}
	return ret;
}

int data_cursor_next(struct data_cursor *c, struct data_record *out, struct err *err)
{
	drop_behind(c);
	return step(c, out, true, err);
}

/* Up to where records are in the buffer that may be plain ones of the host's order, aligned;
 * "at" when none is. */
static u64 plain_end(const struct data_cursor *c)
{
	const struct data_cursor_priv *p = c->priv;
	u64 end = MIN((u64)p->have, p->end - p->buf_off);

	if (c->r->swap || c->r->stream || p->ended || p->skip || p->z.len > p->z_at || p->at & 7)
		return p->at;
	return p->mapped ? MIN(end, (u64)p->at + DATA_BATCH_BYTES) : end;
}

struct span data_cursor_peek(struct data_cursor *c, u64 *off)
{
	const struct data_cursor_priv *p = c->priv;
	u64 end = plain_end(c);

	*off = p->buf_off + p->at;
	if (p->noting)
		end = MIN(end, p->last_mark + DATA_MARK_BYTES - p->buf_off);
	if (end <= p->at || !wanted(c, PERF_RECORD_SAMPLE))
		return (struct span){ NULL, 0 };
	return (struct span){ p->buf + p->at, (size_t)end - p->at };
}

void data_cursor_skip(struct data_cursor *c, size_t bytes, u64 n_records)
{
	c->priv->pos += bytes;
	c->priv->at += bytes;
	advance(c, bytes);
	c->n_records += n_records;
}

/* The usual case in a tight loop: plain records of the host's order that are whole and aligned
 * in the buffer. */
static int plain_run(struct data_cursor *c, struct data_record *out, int max)
{
	struct data_cursor_priv *p = c->priv;
	size_t at = p->at, from = p->at;
	const u64 end = plain_end(c);
	int n = 0;

	while (n < max && end - at >= sizeof(struct perf_event_header)) {
		const struct perf_event_header *hdr = (const void *)(p->buf + at);

		if (hdr->size < 8 || hdr->size & 7 || hdr->size > end - at || hdr->type >= 64 ||
		    !wanted(c, hdr->type) ||
		    (p->noting && p->buf_off + at - p->last_mark >= DATA_MARK_BYTES))
			break;
		out[n++] = (struct data_record){ .hdr = hdr, .off = p->buf_off + at,
						 .pos = p->pos + (at - from), .file = p->file,
						.stays = p->mapped };
		at += hdr->size;
	}
	data_cursor_skip(c, at - from, (u64)n);
	return n;
}

int data_cursor_batch(struct data_cursor *c, struct data_record *out, int max, struct err *err)
{
	const u64 from = c->priv->at;
	int n = 0;

	drop_behind(c);
	while (n < max && (!n || !c->priv->mapped || c->priv->at - from < DATA_BATCH_BYTES)) {
		int ret = plain_run(c, out + n, max - n);

		n += ret;
		if (n == max)
			break;
		ret = step(c, &out[n], n == 0, err);

		if (ret < 0)
			return ret;
		if (ret != STEP_RECORD)
			break;
		n++;
	}
	return n;
}

int data_split(struct data_reader *r, unsigned n, data_chunks *out, struct err *err)
{
	struct data_reader_priv *p = r->priv;

	if (r->stream)
		return err_set(err, ESPIPE, "%s: a stream cannot be read in parts", r->path);
	if (!p->marks_done) {
		struct data_cursor c;
		struct data_record rec;

		data_cursor_init(&c, r);
		c.want_kernel = c.want_user = 0;
		c.priv->keep_packed = true;

		int ret = data_cursor_next(&c, &rec, err);

		data_cursor_release(&c);
		if (ret < 0)
			return ret;
	}

	u64 total = 0, per;

	for vec_each(f, &r->files)
		total += f->to - f->from;
	per = total / (n ? n : 1) + 1;
	for (size_t i = 0; i < p->marks.n; i++) {
		const struct data_mark *m = &p->marks.v[i];
		struct data_chunk *last = out->n ? vec_last(out) : NULL;
		struct data_chunk add = { m->file, m->off, r->files.v[m->file].to, m->pos };

		if (last && last->file == m->file) {
			if (r->compressed || m->off - last->from < per)
				continue;
			last->to = m->off;
		}
		vec_push(out, add);
	}
	return 0;
}

static void headers_cursor(struct data_cursor *c, struct data_reader *r)
{
	data_cursor_init(c, r);
	c->want_kernel = 0;
	c->want_user = 1ULL << (WIRE_HEADER_ATTR - 64) | 1ULL << (WIRE_HEADER_TRACING_DATA - 64) |
		       1ULL << (WIRE_HEADER_BUILD_ID - 64) | 1ULL << (WIRE_EVENT_UPDATE - 64) |
		       1ULL << (WIRE_HEADER_FEATURE - 64);
	c->priv->keep_packed = true;
}

int data_read_headers(struct data_reader *r, struct err *err)
{
	struct data_cursor c;
	struct data_record rec;
	int ret;

	if (!r->stream)
		return 0;
	headers_cursor(&c, r);
	while ((ret = data_cursor_next(&c, &rec, err)) > 0)
		;
	data_cursor_release(&c);
	return ret;
}

int data_walk_headers(struct data_reader *r, struct err *err)
{
	struct data_cursor c;
	struct data_record rec;
	int ret;

	headers_cursor(&c, r);
	while ((ret = data_cursor_next(&c, &rec, err)) > 0) {
		struct str payload = STR_INIT;
		struct err e = ERR_INIT;

		if (!rec.payload_bytes || !data_read_payload(r, &rec, &payload, &e))
			data_apply_header(r, rec.hdr, (struct span){ (const u8 *)str_cstr(&payload),
								     payload.len }, &e);
		if (e.code)
			data_warn(r, NULL, "%s: offset 0x%llx: %s", r->path,
				  (unsigned long long)rec.off, e.msg);
		err_release(&e);
		str_release(&payload);
	}
	data_cursor_release(&c);
	data_settle_events(r);
	return ret;
}
