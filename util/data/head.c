// SPDX-License-Identifier: GPL-2.0-or-later
// The beginning of a stream: header records are taken in before somebody asks for samples. A stream
// that has to be read twice is kept in a file.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/outfile.h"
#include "util/data/data-priv.h"

enum {
	HEAD_BYTES = 64 << 20,		/* read while opening in search of the first event */
	READ_BYTES = 64 << 10,
};

static u32 u32_at(const struct data_reader *r, size_t at)
{
	struct rd rd;

	rd_init(&rd, r->priv->head.buf + at, 4, r->swap);
	return rd_u32(&rd);
}

static u16 u16_at(const struct data_reader *r, size_t at)
{
	struct rd rd;

	rd_init(&rd, r->priv->head.buf + at, 2, r->swap);
	return rd_u16(&rd);
}

/* Reads until the bytes from "at" on hold n; 0 at the end of the stream. */
static int fill(struct data_reader *r, size_t at, u64 n, struct err *err)
{
	struct str *h = &r->priv->head;

	while (h->len - at < n) {
		ssize_t got;

		str_reserve(h, READ_BYTES);
		do {
			got = read(r->files.v[0].fd, h->buf + h->len, READ_BYTES);
		} while (got < 0 && errno == EINTR);
		if (got < 0)
			return err_sys(err, errno, "%s: cannot read", r->path);
		if (!got)
			return 0;
		h->len += (size_t)got;
	}
	return 1;
}

/* What a report looks like is decided by its events: where others than samples come first, they
 * are read on for. */
static bool before_events(const struct data_reader *r, u32 type)
{
	return !r->events.events.n && type != PERF_RECORD_SAMPLE && type != WIRE_AUXTRACE &&
		type != WIRE_COMPRESSED &&
	       type != WIRE_COMPRESSED2 && type != WIRE_STAT && r->priv->head.len < HEAD_BYTES;
}

/* Bytes behind a header record. */
static u64 payload_at(const struct data_reader *r, size_t at, u32 type, u16 size)
{
	return type == WIRE_HEADER_TRACING_DATA && size >= 12 ? u32_at(r, at + 8) : 0;
}

static void apply(struct data_reader *r, size_t at, u16 size, u64 payload)
{
	const char *bytes = r->priv->head.buf + at, *reason;
	/* aligned, and swapped apart: the cursor hands it out again */
	struct perf_event_header *rec = xmemdup(bytes, size);
	struct err e = ERR_INIT;

	if (r->swap && wire_swap(rec, NULL, &reason))
		err_set(&e, EINVAL, "%s", reason);
	else
		data_apply_header(r, rec, (struct span){ (const u8 *)bytes + size, payload }, &e);
	if (e.code)
		data_warn(r, NULL, "%s: offset 0x%zx: %s", r->path, at + DATA_PIPE_HEADER_BYTES,
			  e.msg);
	err_release(&e);
	free(rec);
}

/* The record at *at; 0: none that belongs to the head. */
static int step(struct data_reader *r, size_t *at, struct err *err)
{
	int ret = fill(r, *at, 8, err);
	u64 payload;
	u32 type;
	u16 size;

	if (ret <= 0)
		return ret;
	type = u32_at(r, *at);
	size = u16_at(r, *at + 6);
	if (size < 8 || (!data_is_header(type) && !before_events(r, type)))
		return 0;
	ret = fill(r, *at, size, err);
	if (ret <= 0)
		return ret;
	payload = payload_at(r, *at, type, size);
	ret = payload ? fill(r, *at, size + payload, err) : 1;
	if (ret <= 0)
		return ret;
	if (data_is_header(type))
		apply(r, *at, size, payload);
	*at += size + payload;
	return 1;
}

int data_stream_head(struct data_reader *r, struct err *err)
{
	size_t at = 0;
	int ret;

	while ((ret = step(r, &at, err)) > 0)
		;
	r->priv->applied_to = DATA_PIPE_HEADER_BYTES + at;
	data_settle_events(r);
	return ret;
}

bool data_head_has_trace(struct data_reader *r)
{
	size_t at = 0;

	/* the records of tasks and mappings, which come then, end the search */
	while (fill(r, at, 8, NULL) > 0 && r->priv->head.len < HEAD_BYTES) {
		const u32 type = u32_at(r, at);
		const u16 size = u16_at(r, at + 6);

		if (type == WIRE_AUXTRACE_INFO || type == WIRE_AUXTRACE)
			return true;
		if (type < 64 || size < 8 || type == WIRE_STAT || type == WIRE_COMPRESSED ||
		    type == WIRE_COMPRESSED2 || fill(r, at, size, NULL) <= 0 ||
		    fill(r, at, size + payload_at(r, at, type, size), NULL) <= 0)
			return false;
		at += size + payload_at(r, at, type, size);
	}
	return false;
}

static int copy_stream(struct data_reader *r, int to, u64 *bytes, struct err *err)
{
	struct str *h = &r->priv->head;
	u64 header[2] = { 0x32454c4946524550ULL /* PERFILE2 */, DATA_PIPE_HEADER_BYTES };
	int ret, fill_ret = 1;

	if (r->swap)
		for (int i = 0; i < 2; i++)
			header[i] = __builtin_bswap64(header[i]);
	ret = io_write(to, header, sizeof(header));
	*bytes = sizeof(header);
	while (!ret && fill_ret > 0) {
		ret = io_write(to, h->buf, h->len);
		*bytes += h->len;
		str_reset(h);
		fill_ret = ret ? 0 : fill(r, 0, 1, err);
	}
	if (ret)
		return err_sys(err, -ret, "%s: cannot keep what comes through the pipe", r->path);
	return MIN(fill_ret, 0);
}

int data_head_to_file(struct data_reader *r, struct err *err)
{
	struct outfile f = { 0 };
	int fd, ret = outfile_open_scratch(&f, "perf-pipe", err);

	if (ret)
		err_hint(err, "a trace that comes through a pipe goes into a file in TMPDIR, as "
			      "it is read twice");
	if (!ret)
		ret = copy_stream(r, f.fd, &r->file_bytes, err);
	fd = ret ? -1 : fcntl(f.fd, F_DUPFD_CLOEXEC, 3);
	if (!ret && fd < 0)
		ret = err_sys(err, errno, "%s: cannot read what came through the pipe", r->path);
	if (!ret) {
		close(r->files.v[0].fd);
		r->files.v[0].fd = fd;
	}
	outfile_release(&f);
	return ret;
}
