// SPDX-License-Identifier: GPL-2.0-or-later
// The AUX data of a recording whose records nobody reads.
#include "util/base/io.h"
#include "util/data/data-priv.h"

#define RECORDS_BEFORE_INFO	4096	/* those of kernel, modules and tasks that may come first */

/* An AUXTRACE record where the index says that one is. */
static void note_indexed(struct data_reader *r, u64 off)
{
	const struct data_file *f = &r->files.v[0];
	u8 head[16];
	struct rd rd;

	if (off < f->from || off >= f->to || io_pread(f->fd, head, sizeof(head), off) !=
	    (ssize_t)sizeof(head))
		return;
	rd_init(&rd, head, sizeof(head), r->swap);

	const u32 type = rd_u32(&rd);

	rd_skip(&rd, 2);

	const u16 size = rd_u16(&rd);
	const u64 bytes = rd_u64(&rd);

	if (type == WIRE_AUXTRACE && size >= sizeof(head) && size <= f->to - off &&
	    bytes <= f->to - off - size)
		data_note_aux(r, 0, off, type, bytes);
}

/* The cursor itself notes what it comes by. */
static void find_info(struct data_reader *r)
{
	struct data_cursor c;
	struct data_record rec;
	struct err err = ERR_INIT;

	data_cursor_init(&c, r);
	for (int i = 0; i < RECORDS_BEFORE_INFO && !r->priv->aux.reported; i++)
		if (data_cursor_next(&c, &rec, &err) <= 0)
			break;
	data_cursor_release(&c);
	err_release(&err);
}

void data_count_aux(struct data_reader *r)
{
	if (r->stream || (!r->feat.auxtrace.n && !data_has_aux_samples(r)))
		return;
	find_info(r);
	for vec_each(e, &r->feat.auxtrace)
		note_indexed(r, e->off);
}
