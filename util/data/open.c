// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening a recording: header, attrs with their ids, features. What is damaged after the attrs
 * costs a warning, not the recording.
 */
#include "util/data/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/infile.h"
#include "util/base/io.h"
#include "util/data/data-priv.h"

#define ATTR_SECTION_MAX	(64 << 20)	/* attrs or ids beyond this many bytes are a lie */
#define FEATURE_MAX		(256 << 20)

static int fail_open(const char *path, int code, struct err *err)
{
	err_set(err, code, "failed to open %s: %s", path, strerror(code));
	if (code == ENOENT)
		err_hint(err, "record something first: perf record COMMAND; or name the file: -i "
			      "FILE");
	else if (code == EACCES)
		err_hint(err, "recordings are readable for their owner only: run as the one who "
			      "recorded, or as root");
	return -code;
}

static int check_owner(const char *path, const struct stat *st, unsigned flags, struct err *err)
{
	struct stat link;

	if (flags & DATA_FORCE)
		return 0;
	if (!lstat(path, &link) && S_ISLNK(link.st_mode) && !infile_is_trusted(&link)) {
		err_set(err, EPERM, "'%s' is a link of user %u, who chose what it leads to", path,
			(unsigned)link.st_uid);
		err_hint(err, "-f reads it all the same");
		return -EPERM;
	}
	if (infile_is_trusted(st))
		return 0;
	err_set(err, EPERM, "'%s' belongs to user %u, neither to you nor to root", path,
		(unsigned)st->st_uid);
	err_hint(err, "-f reads it all the same");
	return -EPERM;
}

/* With the messages of recordings. */
static int open_file(const char *path, unsigned flags, struct err *err)
{
	struct err reason = ERR_INIT;
	int fd = infile_open(path, flags, &reason);

	if (fd == -EINVAL || fd == -EINTR)
		err_set(err, -fd, "%s", reason.msg);
	else if (fd < 0)
		fail_open(path, -fd, err);
	err_release(&reason);
	return fd;
}

/* --- the file header --- */

struct file_header {
	u64 header_bytes, attr_bytes;
	struct data_section attrs, data;
	u64 features[FEAT_MAX / 64];
	bool v1;
};

static struct data_section take_section(struct rd *h)
{
	u64 off = rd_u64(h);

	return (struct data_section){ off, rd_u64(h) };
}

static bool bit(const u64 *bits, int i)
{
	return bits[i / 64] >> (i % 64) & 1;
}

/* The bitmap is made of longs: on a 32-bit machine of the other byte order two halves change
 * places. */
static void take_features(struct rd *h, u64 *out)
{
	bool known = false;

	for (int i = 0; i < FEAT_MAX / 64; i++)
		out[i] = rd_u64(h);
	for (int i = 1; i < FEAT_KNOWN_NR; i++)
		known = known || bit(out, i);
	if (!h->swap || known)
		return;
	for (int i = 0; i < FEAT_MAX / 64; i++)
		out[i] = out[i] << 32 | out[i] >> 32;
}

/* 0 and r->swap, r->pipe_mode; bytes: the first n bytes of the file. */
static int parse_header(struct data_reader *r, const u8 *bytes, size_t n, struct file_header *h,
			struct err *err)
{
	struct rd rd;

	if (!n)
		return err_set(err, EINVAL, "zero-sized data (%s), nothing to do", r->path);
	if (n < 16) {
		err_set(err, EINVAL, "%s: incompatible file format: %zu bytes are no perf.data",
			r->path, n);
		return -EINVAL;
	}
	*h = (struct file_header){ .v1 = !memcmp(bytes, "PERFFILE", 8) };
	r->swap = !memcmp(bytes, "2ELIFREP", 8);
	if (!h->v1 && !r->swap && memcmp(bytes, "PERFILE2", 8) != 0) {
		struct str s = STR_INIT;

		str_add_safen(&s, (const char *)bytes, 8);
		err_set(err, EINVAL, "%s: incompatible file format: it begins with \"%s\", not "
				     "with PERFILE2", r->path,
			str_cstr(&s));
		str_release(&s);
		return -EINVAL;
	}
	rd_init(&rd, bytes, n, r->swap);
	rd_skip(&rd, 8);
	h->header_bytes = rd_u64(&rd);
	if (h->v1 && h->header_bytes >> 32) {	/* version 1 has one magic for both orders */
		h->header_bytes = __builtin_bswap64(h->header_bytes);
		rd.swap = r->swap = true;
	}
	r->pipe_mode = !h->v1 && h->header_bytes == DATA_PIPE_HEADER_BYTES;
	if (r->pipe_mode)
		return 0;
	if (r->stream) {
		err_set(err, ESPIPE, "%s: a perf.data file cannot be read through a pipe", r->path);
		err_hint(err, "name the file, or write it with \"perf record -o -\"");
		return -ESPIPE;
	}
	h->attr_bytes = rd_u64(&rd);
	h->attrs = take_section(&rd);
	h->data = take_section(&rd);
	take_section(&rd);			/* event types, unused since Linux 3.6 */
	if (rd_failed(&rd))
		return err_set(err, EINVAL, "%s: cut off inside its header: %zu of %d bytes",
			       r->path, n, DATA_HEADER_BYTES);
	if (h->header_bytes >= DATA_HEADER_BYTES)
		take_features(&rd, h->features);
	return 0;
}

/* --- attrs --- */

static int read_section(struct data_reader *r, const char *what, struct data_section s,
			struct str *out, struct err *err)
{
	if (s.off > r->file_bytes || s.bytes > r->file_bytes - s.off || s.bytes > ATTR_SECTION_MAX)
		return err_set(err, EINVAL, "%s: the %s at offset 0x%llx (%llu bytes) end beyond "
					    "the file (%llu bytes)",
			       r->path, what, (unsigned long long)s.off,
			       (unsigned long long)s.bytes,
			       (unsigned long long)r->file_bytes);
	str_reset(out);
	str_reserve(out, s.bytes);

	ssize_t n = io_pread(r->files.v[0].fd, out->buf, s.bytes, s.off);

	if (n < 0)
		return err_sys(err, (int)-n, "%s: cannot read at offset 0x%llx", r->path,
			       (unsigned long long)s.off);
	if ((size_t)n < s.bytes)
		return err_set(err, EINVAL, "%s: the file shrank while it was read", r->path);
	out->len = s.bytes;
	out->buf[out->len] = 0;
	return 0;
}

static int read_ids(struct data_reader *r, struct event *e, struct data_section s, struct err *err)
{
	struct str ids = STR_INIT;
	struct rd rd;
	int ret;

	/* Each event has its own: no more than the file holds. */
	r->priv->ids_bytes += MIN(s.bytes, (u64)ATTR_SECTION_MAX);
	if (s.bytes && r->priv->ids_bytes > r->file_bytes)
		return err_set(err, EINVAL, "%s: the event ids at offset 0x%llx (%llu bytes) are "
					    "those of other events", r->path,
			       (unsigned long long)s.off, (unsigned long long)s.bytes);
	ret = s.bytes ? read_section(r, "event ids", s, &ids, err) : 0;
	if (!ret && s.bytes) {
		u64 *v = xcalloc(s.bytes / 8 + 1, 8);

		rd_init(&rd, ids.buf, ids.len, r->swap);
		for (size_t i = 0; i < s.bytes / 8; i++)
			v[i] = rd_u64(&rd);
		event_add_ids(e, v, s.bytes / 8);
		free(v);
	}
	str_release(&ids);
	return ret;
}

static int read_attrs(struct data_reader *r, const struct file_header *h, struct err *err)
{
	struct str bytes = STR_INIT, name = STR_INIT;
	struct rd rd;
	int ret = -EINVAL;

	if (h->attr_bytes < PERF_ATTR_SIZE_VER0 + 16 || h->attr_bytes > 4096 || h->attr_bytes % 8) {
		err_set(err, EINVAL, "%s: offset 0x10: an attr size of %llu is not possible",
			r->path,
			(unsigned long long)h->attr_bytes);
		goto out;
	}
	ret = read_section(r, "event attrs", h->attrs, &bytes, err);
	if (ret)
		goto out;
	rd_init(&rd, bytes.buf, bytes.len, r->swap);
	while (rd_left(&rd) >= h->attr_bytes) {
		struct perf_event_attr attr;

		data_take_attr(&rd, (u32)h->attr_bytes - 16, &attr);

		struct data_section ids = take_section(&rd);

		str_reset(&name);
		event_attr_name(&attr, &name);

		struct event *e = event_list_add(&r->events, &attr, str_cstr(&name));

		ret = read_ids(r, e, ids, err);
		if (ret)
			goto out;
	}
out:
	str_release(&bytes);
	str_release(&name);
	return ret;
}

/* --- features --- */

static bool section_inside(const struct data_reader *r, struct data_section s)
{
	return s.off <= r->file_bytes && s.bytes <= r->file_bytes - s.off;
}

/* The table after the data: false when it does not look like one. */
static bool take_table(struct data_reader *r, const struct file_header *h, u64 off,
		       struct data_section *out, bool *cut)
{
	u8 buf[16];
	struct rd rd;
	bool all_inside = true;

	*cut = false;
	for (int i = 0; i < FEAT_MAX; i++) {
		out[i] = (struct data_section){ 0, 0 };
		if (!bit(h->features, i))
			continue;
		if (io_pread(r->files.v[0].fd, buf, 16, off) < 16) {
			*cut = true;
			return all_inside;
		}
		rd_init(&rd, buf, 16, r->swap);
		out[i] = take_section(&rd);
		if (!section_inside(r, out[i]) || (out[i].off && out[i].off < off))
			all_inside = false;
		off += 16;
	}
	return all_inside;
}

static void read_feature(struct data_reader *r, int feature, struct data_section s)
{
	struct err err = ERR_INIT;
	struct str bytes = STR_INIT;
	const char *name = data_feature_name(feature);
	char number[24];

	if (!name) {
		snprintf(number, sizeof(number), "feature %d", feature);
		name = number;
	}
	if (!section_inside(r, s)) {
		data_warn(r, NULL, "%s: the %s section at offset 0x%llx (%llu bytes) ends beyond "
				   "the file (%llu bytes)", r->path,
			  name, (unsigned long long)s.off, (unsigned long long)s.bytes,
			  (unsigned long long)r->file_bytes);
		return;
	}
	if (s.bytes > FEATURE_MAX) {	/* a file with holes is as long as it likes */
		data_warn(r, NULL, "%s: the %s section at offset 0x%llx is too long (%llu bytes): "
				   "left out", r->path, name,
			  (unsigned long long)s.off, (unsigned long long)s.bytes);
		return;
	}
	str_reserve(&bytes, s.bytes);

	ssize_t n = io_pread(r->files.v[0].fd, bytes.buf, s.bytes, s.off);

	if (n < 0 || (size_t)n < s.bytes) {
		data_warn(r, NULL, "%s: the %s section at offset 0x%llx cannot be read", r->path,
			  name,
			  (unsigned long long)s.off);
	} else if (data_feature_decode(&r->feat, feature,
				       (struct span){ (const u8 *)bytes.buf, s.bytes }, r->swap,
				       &r->events, &err)) {
		data_warn(r, NULL, "%s: offset 0x%llx: %s", r->path, (unsigned long long)s.off,
			  err.msg);
	}
	err_release(&err);
	str_release(&bytes);
}

static void read_features(struct data_reader *r, const struct file_header *h)
{
	struct data_section *s = r->priv->sections;
	bool cut, any = false;

	for (int i = 0; i < FEAT_MAX; i++)
		any = any || bit(h->features, i);
	r->feat_off = r->data_off + r->data_bytes;
	if (!any)
		return;
	take_table(r, h, r->feat_off, s, &cut);
	if (cut)
		data_warn(r, NULL, "%s: the file ends inside the table of its header sections "
				   "(offset 0x%llx)", r->path,
			  (unsigned long long)r->feat_off);
	for (int i = 0; i < FEAT_MAX; i++)
		if (bit(h->features, i) && s[i].off)
			read_feature(r, i, s[i]);
	data_settle_tracing(r);
}

static const char killed_hint[] = "the recorder was killed, or is still running; names of machine "
				  "and command are missing then";

/* The data section's real range. */
static void repair_data(struct data_reader *r, struct file_header *h)
{
	struct data_section table[FEAT_MAX];
	bool cut;

	r->data_off = h->data.off;
	r->data_bytes = h->data.bytes;
	if (r->data_off > r->file_bytes) {
		data_warn(r, killed_hint, "%s: the data at offset 0x%llx begins beyond the file "
					  "(%llu bytes)", r->path,
			  (unsigned long long)r->data_off, (unsigned long long)r->file_bytes);
		r->data_bytes = 0;
		memset(h->features, 0, sizeof(h->features));
	} else if (!r->data_bytes && r->file_bytes > r->data_off &&
		   (!h->features[0] || !take_table(r, h, r->data_off, table, &cut) || cut)) {
		r->data_bytes = r->file_bytes - r->data_off;
		memset(h->features, 0, sizeof(h->features));
		r->priv->cut_reported = true;
		data_warn(r, killed_hint, "%s: its header was never completed; reading what there "
					  "is", r->path);
	} else if (r->data_bytes > r->file_bytes - r->data_off) {
		r->priv->cut_reported = true;
		data_warn(r, "it was cut off: the rest and the header sections after it are "
			     "missing",
			  "%s: %llu of %llu bytes of its data are there", r->path,
			  (unsigned long long)(r->file_bytes - r->data_off),
			  (unsigned long long)r->data_bytes);
		r->data_bytes = r->file_bytes - r->data_off;
		memset(h->features, 0, sizeof(h->features));
	}
}

/* --- kinds of input --- */

static void add_file(struct data_reader *r, char *path, int fd, u64 from, u64 to)
{
	struct data_file f = { .path = path, .fd = fd, .from = from, .to = to };

	vec_push(&r->files, f);
}

/* data.0, data.1 ... of a directory: records only. */
static int add_dir_files(struct data_reader *r, const char *dir, unsigned flags, struct err *err)
{
	for (int i = 0;; i++) {
		char *path = xasprintf("%s/data.%d", dir, i);
		struct err reason = ERR_INIT;
		int fd = open_file(path, 0, &reason), ret = fd < 0 ? fd : 0;
		struct stat st;

		if (!ret && fstat(fd, &st))
			ret = err_sys(&reason, errno, "%s: cannot open", path);
		if (!ret)
			ret = check_owner(path, &st, flags, &reason);
		if (!ret) {
			add_file(r, path, fd, 0, (u64)st.st_size);
			continue;
		}
		if (fd >= 0)
			close(fd);
		free(path);
		if (ret != -ENOENT)
			err_set(err, reason.code, "%s", reason.msg);
		err_release(&reason);
		return ret == -ENOENT ? 0 : ret;
	}
}

static int open_regular(struct data_reader *r, unsigned flags, struct err *err)
{
	u8 bytes[DATA_HEADER_BYTES];
	struct file_header h;
	ssize_t n = io_pread(r->files.v[0].fd, bytes, sizeof(bytes), 0);
	int ret;

	if (n < 0)
		return err_sys(err, (int)-n, "%s: cannot read", r->path);
	ret = parse_header(r, bytes, (size_t)n, &h, err);
	if (ret)
		return ret;
	r->header_bytes = h.header_bytes;
	if (r->pipe_mode) {
		r->data_off = DATA_PIPE_HEADER_BYTES;
		r->data_bytes = r->file_bytes - r->data_off;
		r->files.v[0].from = r->data_off;
		r->files.v[0].to = r->file_bytes;
		return data_walk_headers(r, err);
	}
	r->attr_bytes = h.attr_bytes;
	r->version1 = h.v1;
	ret = read_attrs(r, &h, err);
	if (ret)
		return ret;
	repair_data(r, &h);
	r->files.v[0].from = r->data_off;
	r->files.v[0].to = r->data_off + r->data_bytes;
	read_features(r, &h);
	data_settle_events(r);
	if (!(flags & DATA_HEADER_ONLY))
		r->compressed = data_has(&r->feat, FEAT_COMPRESSED);
	return 0;
}

/* From the beginning again, of a file. */
static int reopen_kept(struct data_reader *r, unsigned flags, struct err *err)
{
	int ret = data_head_to_file(r, err);

	if (ret)
		return ret;
	event_list_release(&r->events);
	event_list_init(&r->events);
	data_features_release(&r->feat);
	data_features_init(&r->feat);
	data_warnings_release(&r->warnings);
	r->stream = false;
	return open_regular(r, flags, err);
}

static int open_stream(struct data_reader *r, unsigned flags, struct err *err)
{
	u8 bytes[DATA_PIPE_HEADER_BYTES];
	struct file_header h;
	ssize_t n = io_read(r->files.v[0].fd, bytes, sizeof(bytes));
	int ret;

	if (n < 0)
		return err_sys(err, (int)-n, "%s: cannot read", r->path);
	r->stream = true;
	ret = parse_header(r, bytes, (size_t)n, &h, err);
	if (ret)
		return ret;
	r->header_bytes = h.header_bytes;
	r->data_off = DATA_PIPE_HEADER_BYTES;
	r->files.v[0].from = DATA_PIPE_HEADER_BYTES;
	r->files.v[0].to = ~0ULL;
	ret = data_stream_head(r, err);
	if (!ret && flags & DATA_KEEP_TRACES && data_head_has_trace(r))
		ret = reopen_kept(r, flags, err);
	return ret;
}

static int open_path(struct data_reader *r, const char *path, bool named, unsigned flags,
		     struct err *err)
{
	bool is_stdin = !strcmp(path, "-");
	int fd = is_stdin ? fcntl(0, F_DUPFD_CLOEXEC, 3) :
		open_file(path, named ? INFILE_NAMED : 0, err);
	struct stat st;

	if (fd < 0)
		return is_stdin ? fail_open("standard input", errno, err) : fd;
	if (fstat(fd, &st)) {
		int code = errno;

		close(fd);
		return fail_open(is_stdin ? "standard input" : path, code, err);
	}
	add_file(r, xstrdup(path), fd, 0, 0);
	r->file_bytes = (u64)st.st_size;
	r->mtime_s = (u64)st.st_mtime;
	if (!is_stdin) {
		int ret = check_owner(path, &st, flags, err);

		if (ret)
			return ret;
	}
	if (S_ISREG(st.st_mode) && (!is_stdin || lseek(fd, 0, SEEK_CUR) == 0))
		return open_regular(r, flags, err);
	if (S_ISDIR(st.st_mode))
		return err_set(err, EISDIR, "%s: a directory without a recording: it has no file "
					    "\"data\"", path);
	r->mtime_s = 0;
	return open_stream(r, flags, err);
}

static void init_reader(struct data_reader *r, const char *path)
{
	*r = (struct data_reader){ .path = xstrdup(path), .priv = xnew(struct data_reader_priv) };
	pthread_mutex_init(&r->priv->lock, NULL);
	event_list_init(&r->events);
	data_features_init(&r->feat);
}

int data_open(struct data_reader *r, const char *path, unsigned flags, struct err *err)
{
	struct stat st;
	int ret;

	init_reader(r, path ? path : "perf.data");
	r->dir = strcmp(r->path, "-") != 0 && !stat(r->path, &st) && S_ISDIR(st.st_mode);
	if (!r->dir)
		return open_path(r, r->path, path != NULL, flags, err);

	char *main_file = xasprintf("%s/data", r->path);

	if (access(main_file, F_OK))
		ret = err_set(err, ENOENT, "%s: a directory without a recording: it has no file "
					   "\"data\"", r->path);
	else
		ret = open_path(r, main_file, false, flags, err);
	free(main_file);
	return ret ? ret : add_dir_files(r, r->path, flags, err);
}

void data_close(struct data_reader *r)
{
	for vec_each(f, &r->files) {
		data_unmap(f);
		close(f->fd);
		free(f->path);
	}
	vec_free(&r->files);
	data_warnings_release(&r->warnings);
	event_list_release(&r->events);
	data_features_release(&r->feat);
	free(r->path);
	if (r->priv) {
		str_release(&r->priv->head);
		vec_free(&r->priv->marks);
		hmap_release(&r->priv->aux.seen);
		pthread_mutex_destroy(&r->priv->lock);
		free(r->priv);
	}
	*r = (struct data_reader){ 0 };
}
