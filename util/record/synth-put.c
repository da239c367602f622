// SPDX-License-Identifier: GPL-2.0-or-later
// Records of the kernel: of its mappings and of code that has a name each.
#include <string.h>

#include "util/record/synth-priv.h"

#define KERNEL_PID ((u32)-1)

int synth_put_kernel_map(struct synth *s, u64 start, u64 end, const char *path,
			 const struct build_id *id)
{
	const struct sample_id sid = {
		.present = s->attr && s->attr->sample_id_all ?
			s->attr->sample_type & SYNTH_ID_BITS : 0, .time_ns = s->time_ns,
	};
	struct wire_mmap m = { .pid = KERNEL_PID, .tid = 0, .start_va = start, .bytes = end - start,
			       .off = start, .path = path };
	u64 buf[1024];

	if (id && id->n) {
		memcpy(m.build_id, id->bytes, sizeof(m.build_id));
		m.build_id_bytes = id->n;
	}
	return synth_put(s, buf, wire_encode_mmap2(s->attr, &m, PERF_RECORD_MISC_KERNEL, &sid, buf,
						   sizeof(buf)));
}

#define MAX_SYMBOL 512		/* bytes, as the kernel has it: KSYM_NAME_LEN */

int synth_put_ksymbol(struct synth *s, u64 va, u64 bytes, unsigned type, const char *name)
{
	const struct sample_id sid = {
		.present = s->attr && s->attr->sample_id_all ?
			s->attr->sample_type & SYNTH_ID_BITS : 0, .time_ns = s->time_ns,
	};
	const struct wire_ksymbol k = { .va = va, .bytes = (u32)bytes, .type = (u16)type,
					.name = name };
	u64 buf[128];

	if (strlen(name) >= MAX_SYMBOL || bytes > UINT32_MAX)
		return 0;
	return synth_put(s, buf, wire_encode_ksymbol(s->attr, &k, &sid, buf, sizeof(buf)));
}
