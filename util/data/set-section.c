// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A feature section put into a finished file. Nothing but what follows the data changes: table and
 * sections, and ids of events that came late, whose offsets stand in the attrs. While these are
 * written the header says that there are no features, so that the samples can be read at any time.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/data/data-priv.h"
#include "util/data/writer.h"

#define TAIL_MAX (1u << 30)
enum { AT_ATTRS = 24, AT_DATA = 40, AT_FEATURES = 72, FEATURE_BYTES = FEAT_MAX / 8 };

struct tail {
	const struct data_reader *r;
	int fd;
	u8 header[DATA_HEADER_BYTES];
	u64 features[FEAT_MAX / 64];
	u64 attr_bytes, data_end;
	struct data_section attrs;
	struct str old, fresh;
	/* the attrs of events whose ids follow the features */
	struct str attr_table, fresh_attrs;
};

static struct data_section section_at(const void *bytes)
{
	struct rd rd;

	rd_init(&rd, bytes, 16, false);

	const u64 off = rd_u64(&rd);

	return (struct data_section){ off, rd_u64(&rd) };
}

static void add_section(struct str *out, u64 off, u64 bytes)
{
	str_addn(out, &off, 8);
	str_addn(out, &bytes, 8);
}

/* For writing, the file that is read. */
static int open_same(struct tail *t, struct err *err)
{
	const struct data_file *f = &t->r->files.v[0];
	struct stat a, b;

	t->fd = open(f->path, O_RDWR | O_CLOEXEC);
	if (t->fd < 0)
		return err_sys(err, errno, "cannot write to %s", f->path);
	if (fstat(t->fd, &a) || fstat(f->fd, &b) || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return err_set(err, EINVAL, "%s was replaced meanwhile", f->path);
	return 0;
}

static int read_part(const struct tail *t, u64 off, u64 bytes, struct str *out, struct err *err)
{
	ssize_t n;

	str_reserve(out, bytes);
	n = io_pread(t->fd, out->buf, bytes, off);
	if (n < 0)
		return err_sys(err, (int)-n, "cannot read %s", t->r->path);
	if ((u64)n < bytes)
		return err_set(err, EINVAL, "%s: the file shrank while it was read", t->r->path);
	out->len = bytes;
	return 0;
}

static int read_ends(struct tail *t, struct err *err)
{
	struct data_section data;
	struct stat st;
	int ret;

	if (io_pread(t->fd, t->header, sizeof(t->header), 0) != sizeof(t->header) ||
	    fstat(t->fd, &st))
		return err_set(err, EINVAL, "%s: the header cannot be read", t->r->path);
	memcpy(&t->attr_bytes, t->header + 16, 8);
	t->attrs = section_at(t->header + AT_ATTRS);
	data = section_at(t->header + AT_DATA);
	memcpy(t->features, t->header + AT_FEATURES, FEATURE_BYTES);
	t->data_end = data.off + data.bytes;
	if (!data.bytes || t->data_end > (u64)st.st_size || t->data_end < data.off ||
	    (u64)st.st_size - t->data_end > TAIL_MAX) {
		err_set(err, EINVAL, "%s was not finished, or is damaged: nothing can be added",
			t->r->path);
		return -EINVAL;
	}
	ret = read_part(t, t->data_end, (u64)st.st_size - t->data_end, &t->old, err);
	return ret ? ret : read_part(t, t->attrs.off, t->attrs.bytes, &t->attr_table, err);
}

static bool bit(const u64 *bits, int i) { return bits[i / 64] >> (i % 64) & 1; }

/* What follows the data, of the old file; NULL: it does not. */
static const char *old_bytes(const struct tail *t, struct data_section s)
{
	if (s.off < t->data_end || s.off - t->data_end > t->old.len ||
	    s.bytes > t->old.len - (s.off - t->data_end))
		return NULL;
	return str_cstr(&t->old) + (s.off - t->data_end);
}

/* Table and sections. */
static int build(struct tail *t, int feature, struct span bytes, struct err *err)
{
	struct str body = STR_INIT;
	size_t n = 0, at = 0;
	int ret = 0;

	for (int i = 0; i < FEAT_MAX; i++)
		n += i == feature || bit(t->features, i);
	for (int i = 0; i < FEAT_MAX && !ret; i++) {
		const u64 off = t->data_end + n * 16 + body.len;
		struct data_section s = { 0, 0 };
		const char *old = NULL;

		if (bit(t->features, i) && at + 16 <= t->old.len) {
			s = section_at(str_cstr(&t->old) + at);
			old = old_bytes(t, s);
		}
		at += bit(t->features, i) ? 16 : 0;
		if (i == feature) {
			str_addn(&body, bytes.ptr, bytes.len);
		} else if (!bit(t->features, i)) {
			continue;
		} else if (old) {
			str_addn(&body, old, s.bytes);
		} else {
			ret = err_set(err, EINVAL, "%s: its features are damaged: nothing can be "
						   "added", t->r->path);
		}
		add_section(&t->fresh, off, t->data_end + n * 16 + body.len - off);
	}
	str_addn(&t->fresh, str_cstr(&body), body.len);
	str_release(&body);
	t->features[feature / 64] |= 1ULL << (feature % 64);
	return ret;
}

/* Ids of events go after them as they did before. */
static void move_ids(struct tail *t)
{
	str_addn(&t->fresh_attrs, str_cstr(&t->attr_table), t->attr_table.len);
	for (u64 at = t->attr_bytes - 16; at + 16 <= t->attr_table.len; at += t->attr_bytes) {
		const struct data_section s = section_at(str_cstr(&t->attr_table) + at);
		const char *old = s.bytes ? old_bytes(t, s) : NULL;
		const u64 off = t->data_end + t->fresh.len;

		if (!old)
			continue;
		str_addn(&t->fresh, old, s.bytes);
		memcpy(t->fresh_attrs.buf + at, &off, 8);
	}
}

static int put(const struct tail *t, const u64 *features, const struct str *attrs,
	       const struct str *tail)
{
	static const u8 none[FEATURE_BYTES];
	int ret = io_pwrite(t->fd, none, FEATURE_BYTES, AT_FEATURES);

	if (!ret)
		ret = io_pwrite(t->fd, tail->buf, tail->len, t->data_end);
	if (!ret && ftruncate(t->fd, (off_t)(t->data_end + tail->len)))
		ret = -errno;
	if (!ret)
		ret = io_pwrite(t->fd, attrs->buf, attrs->len, t->attrs.off);
	return ret ? ret : io_pwrite(t->fd, features, FEATURE_BYTES, AT_FEATURES);
}

static int write_both(struct tail *t, struct err *err)
{
	u64 before[FEAT_MAX / 64];
	int ret = put(t, t->features, &t->fresh_attrs, &t->fresh);

	if (!ret)
		return 0;
	memcpy(before, t->header + AT_FEATURES, FEATURE_BYTES);
	put(t, before, &t->attr_table, &t->old);
	return err_sys(err, -ret, "failed to write to %s", t->r->path);
}

int data_set_section(const struct data_reader *r, int feature, struct span bytes, struct err *err)
{
	struct tail t = { .r = r, .fd = -1 };
	int ret;

	if (r->pipe_mode || r->stream || r->swap || r->version1 ||
	    r->header_bytes != DATA_HEADER_BYTES)
		return err_set(err, ENOTSUP, "%s: only a file of this machine's byte order, and "
					     "not in pipe mode, takes a new section", r->path);
	ret = open_same(&t, err);
	if (!ret)
		ret = read_ends(&t, err);
	if (!ret)
		ret = build(&t, feature, bytes, err);
	if (!ret) {
		move_ids(&t);
		ret = write_both(&t, err);
	}
	if (t.fd >= 0 && close(t.fd) && !ret)
		ret = err_sys(err, errno, "failed to write to %s", r->path);
	str_release(&t.old);
	str_release(&t.fresh);
	str_release(&t.attr_table);
	str_release(&t.fresh_attrs);
	return ret;
}
