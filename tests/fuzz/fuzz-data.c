// SPDX-License-Identifier: GPL-2.0-or-later
/* A whole recording: opened, walked, split, each record decoded, its header printed. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/libraries.h"
#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/data/reader.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

static void decode(const struct data_reader *r, const struct perf_event_header *rec)
{
	const struct event *e = event_of_record(&r->events, rec);
	const char *reason;
	struct sample s;
	struct sample_id id;
	struct wire_mmap m;
	struct wire_comm c;
	struct wire_namespaces ns;

	if (!e)
		return;
	if (rec->type == PERF_RECORD_SAMPLE)
		wire_decode_sample(&e->attr, rec, &s, &reason);
	else if (rec->type < WIRE_HEADER_ATTR)
		wire_decode_id(&e->attr, rec, &id, &reason);
	wire_decode_mmap(rec, &m, &reason);
	wire_decode_comm(rec, &c, &reason);
	wire_decode_namespaces(rec, &ns, &reason);
}

static void read_all(struct data_reader *r)
{
	struct data_cursor c;
	struct data_record rec, recs[8];
	struct str text = STR_INIT;
	data_chunks ch = { 0 };

	data_cursor_init(&c, r);
	while (data_cursor_next(&c, &rec, NULL) > 0) {
		decode(r, rec.hdr);
		if (rec.payload_off)
			data_read_payload(r, &rec, &text, NULL);
		str_reset(&text);
	}
	data_cursor_release(&c);
	if (!data_split(r, 2, &ch, NULL))
		for vec_each(chunk, &ch) {
			int got;

			data_cursor_chunk(&c, r, chunk);
			while ((got = data_cursor_batch(&c, recs, 8, NULL)) > 0)
				for (int i = 0; i < got; i++)
					decode(r, recs[i].hdr);
			data_cursor_release(&c);
		}
	data_print_header(r, true, &text);
	str_release(&text);
	vec_free(&ch);
}

#define FILE_HEADER_BYTES 104
#define FEATURES_OFF 72

/* Formats of tracepoints are libtraceevent's: without it a file has none, and a pipe, which may
 * tell of them anywhere, is no input. */
static bool drop_formats(u8 *data, size_t n)
{
	if (n < FILE_HEADER_BYTES || data[8] != FILE_HEADER_BYTES)
		return false;
	for (int i = 0; i < 8; i++)
		data[FEATURES_OFF + i] &= (u8)~(1 << FEAT_TRACING_DATA);
	return true;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	u8 *copy = n ? xmemdup(data, n) : NULL;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	struct data_reader r;
	char path[64];

	if (fd < 0 || (WITHOUT_LIBRARIES && !drop_formats(copy, n)))
		goto out;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!io_write(fd, copy, n)) {
		if (!data_open(&r, path, DATA_FORCE, &err))
			read_all(&r);
		data_close(&r);
	}
	err_release(&err);
out:
	free(copy);
	if (fd >= 0)
		close(fd);
	return 0;
}
