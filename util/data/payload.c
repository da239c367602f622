// SPDX-License-Identifier: GPL-2.0-or-later
// What stands after a record, and is no record: trace data, AUX data.
#include "util/data/reader.h"

#include <errno.h>

#include "util/base/io.h"

#define PAYLOAD_MAX (1ULL << 30)

int data_read_payload(const struct data_reader *r, const struct data_record *rec, struct str *out,
		      struct err *err)
{
	const struct data_file *f = &r->files.v[rec->file];

	if (r->stream || !rec->payload_off)
		return err_set(err, ENOTSUP, "%s: what stands after the record cannot be read "
					     "again from a stream", r->path);
	if (rec->payload_off > f->to || rec->payload_bytes > f->to - rec->payload_off)
		return err_set(err, EINVAL, "%s: the payload at offset 0x%llx (%llu bytes) ends "
					    "beyond the data", f->path,
			       (unsigned long long)rec->payload_off,
			       (unsigned long long)rec->payload_bytes);
	if (rec->payload_bytes > PAYLOAD_MAX)
		return err_set(err, E2BIG, "%s: the payload at offset 0x%llx is too long (%llu "
					   "bytes)", f->path,
			       (unsigned long long)rec->payload_off,
			       (unsigned long long)rec->payload_bytes);
	str_reserve(out, rec->payload_bytes);

	ssize_t n = io_pread(f->fd, out->buf + out->len, rec->payload_bytes, rec->payload_off);

	if (n < 0 || (u64)n < rec->payload_bytes)
		return err_sys(err, n < 0 ? (int)-n : EIO, "%s: cannot read at offset 0x%llx",
			       f->path,
			       (unsigned long long)rec->payload_off);
	out->len += rec->payload_bytes;
	out->buf[out->len] = 0;
	return 0;
}
