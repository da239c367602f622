// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/wire/wire.h"

#include "util/wire/wire-priv.h"

/* The rest of the record as a string: NULL when its NUL is missing. */
static const char *tail_str(const struct words *w, const struct perf_event_header *rec)
{
	const char *s = (const char *)w->p;
	const char *end = (const char *)rec + rec->size;

	if (w->failed || s >= end || !memchr(s, 0, (size_t)(end - s)))
		return NULL;
	return s;
}

static const char short_record[] = "the record is too short";
static const char no_nul[] = "its string does not end inside the record";

/*
 * The kernel sets the mark of build-ids for all readers of a mapping once one of them asked for
 * ids: so while another perf runs with them, records of ours may have the mark over a device and
 * inode. A device number in the place of the length and the reserved bytes, and one below 256 in
 * that of the first four bytes, give them away.
 */
static bool is_build_id(const u8 *p)
{
	return p[0] && p[0] <= 20 && !(p[1] | p[2] | p[3]) && (p[5] | p[6] | p[7]);
}

int wire_decode_mmap(const struct perf_event_header *rec, struct wire_mmap *out,
		     const char **reason)
{
	struct words w = words_of(rec);

	*out = (struct wire_mmap){ .data = rec->misc & PERF_RECORD_MISC_MMAP_DATA };
	words_u32x2(&w, &out->pid, &out->tid);
	out->start_va = words_u64(&w);
	out->bytes = words_u64(&w);
	out->off = words_u64(&w);
	if (rec->type == PERF_RECORD_MMAP2) {
		const u8 *p = (const u8 *)words_take(&w, 3);

		if (!p)
			return wire_bad(reason, short_record);
		if (rec->misc & PERF_RECORD_MISC_MMAP_BUILD_ID && is_build_id(p)) {
			out->build_id_bytes = MIN(p[0], sizeof(out->build_id));
			memcpy(out->build_id, p + 4, out->build_id_bytes);
		} else {
			memcpy(&out->maj, p, 4);
			memcpy(&out->min, p + 4, 4);
			memcpy(&out->ino, p + 8, 8);
			memcpy(&out->ino_generation, p + 16, 8);
		}
		words_u32x2(&w, &out->prot, &out->flags);
	}
	if (w.failed)
		return wire_bad(reason, short_record);
	out->path = tail_str(&w, rec);
	return out->path ? 0 : wire_bad(reason, no_nul);
}

int wire_decode_comm(const struct perf_event_header *rec, struct wire_comm *out,
		     const char **reason)
{
	struct words w = words_of(rec);

	*out = (struct wire_comm){ .exec = rec->misc & PERF_RECORD_MISC_COMM_EXEC };
	words_u32x2(&w, &out->pid, &out->tid);
	if (w.failed)
		return wire_bad(reason, short_record);
	out->comm = tail_str(&w, rec);
	return out->comm ? 0 : wire_bad(reason, no_nul);
}

int wire_decode_task(const struct perf_event_header *rec, struct wire_task *out,
		     const char **reason)
{
	struct words w = words_of(rec);

	*out = (struct wire_task){ 0 };
	words_u32x2(&w, &out->pid, &out->ppid);
	words_u32x2(&w, &out->tid, &out->ptid);
	out->time_ns = words_u64(&w);
	return w.failed ? wire_bad(reason, short_record) : 0;
}

int wire_decode_ksymbol(const struct perf_event_header *rec, struct wire_ksymbol *out,
			const char **reason)
{
	struct words w = words_of(rec);

	*out = (struct wire_ksymbol){ .va = words_u64(&w) };

	const u8 *p = (const u8 *)words_take(&w, 1);

	if (!p)
		return wire_bad(reason, short_record);
	memcpy(&out->bytes, p, 4);
	memcpy(&out->type, p + 4, 2);
	memcpy(&out->flags, p + 6, 2);
	out->name = tail_str(&w, rec);
	return out->name ? 0 : wire_bad(reason, no_nul);
}

int wire_decode_namespaces(const struct perf_event_header *rec, struct wire_namespaces *out,
			   const char **reason)
{
	struct words w = words_of(rec);

	*out = (struct wire_namespaces){ 0 };
	words_u32x2(&w, &out->pid, &out->tid);
	out->n = words_u64(&w);
	if (w.failed)
		return wire_bad(reason, short_record);
	if (out->n > words_left(&w) / 2)
		return wire_bad(reason, "it counts more namespaces than it holds");
	out->links = (const struct perf_ns_link_info *)words_take(&w, out->n * 2);
	return 0;
}

int wire_decode_cgroup(const struct perf_event_header *rec, struct wire_cgroup *out,
		       const char **reason)
{
	struct words w = words_of(rec);

	*out = (struct wire_cgroup){ .id = words_u64(&w) };
	if (w.failed)
		return wire_bad(reason, short_record);
	out->path = tail_str(&w, rec);
	return out->path ? 0 : wire_bad(reason, no_nul);
}

int wire_decode_lost(const struct perf_event_header *rec, struct wire_lost *out,
		     const char **reason)
{
	struct words w = words_of(rec);

	*out = (struct wire_lost){ 0 };
	if (rec->type == PERF_RECORD_LOST)
		out->id = words_u64(&w);
	out->lost = words_u64(&w);
	return w.failed ? wire_bad(reason, short_record) : 0;
}

int wire_decode_switch(const struct perf_event_header *rec, struct wire_switch *out,
		       const char **reason)
{
	struct words w = words_of(rec);

	*out = (struct wire_switch){
		.out = rec->misc & PERF_RECORD_MISC_SWITCH_OUT,
		.preempt = rec->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT,
		.cpu_wide = rec->type == PERF_RECORD_SWITCH_CPU_WIDE,
	};
	if (out->cpu_wide)
		words_u32x2(&w, &out->next_prev_pid, &out->next_prev_tid);
	return w.failed ? wire_bad(reason, short_record) : 0;
}
