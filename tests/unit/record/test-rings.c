// SPDX-License-Identifier: GPL-2.0-or-later
// A ring without a kernel behind it: the control page and the data in plain memory.
#include <sys/mman.h>

#include "tests/unit/unit.h"
#include "util/record/rings.h"

#define DATA_BYTES 4096

static struct rings_slot made_slot(void)
{
	struct rings_slot s = { .ring = { .data_bytes = DATA_BYTES, .fd = -1 } };
	struct perf_event_mmap_page *p;

	s.ring.base = mmap(NULL, 4096 + DATA_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(s.ring.base != MAP_FAILED);
	p = s.ring.base;
	p->data_offset = 4096;
	s.data = (const u8 *)p + 4096;
	return s;
}

TEST(bytes_that_wrap_are_two_spans)
{
	struct rings_slot s = made_slot();
	const struct perf_event_mmap_page *p = s.ring.base;
	const u8 *data = (const u8 *)s.ring.base + 4096;
	struct span out[2];

	CHECK_EQ(rings_span(&s, 0, 0, out), 0);
	CHECK_EQ(rings_span(&s, 0, 4000, out), 1);
	CHECK(out[0].ptr == data && out[0].len == 4000);
	CHECK_EQ(p->data_tail, 0);
	rings_free_to(&s, 4000);
	CHECK_EQ(p->data_tail, 4000);
	CHECK_EQ(rings_span(&s, 4000, 4200, out), 2);	/* 96 bytes before the end, 104 after */
	CHECK(out[0].ptr == data + 4000 && out[0].len == 96);
	CHECK(out[1].ptr == data && out[1].len == 104);
	CHECK_EQ(rings_span(&s, 4000, 4000 + DATA_BYTES, out), 2);	/* full */
	CHECK_EQ(out[0].len + out[1].len, DATA_BYTES);
	CHECK_EQ(rings_span(&s, DATA_BYTES, 2 * DATA_BYTES, out), 1);
	rings_free_to(&s, 2 * DATA_BYTES);
	CHECK_EQ(p->data_tail, 2 * DATA_BYTES);
	ring_unmap(&s.ring);
}
