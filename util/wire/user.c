// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/wire/user.h"

#include "util/base/rd.h"
#include "util/wire/synthrec.h"
#include "util/wire/wire-priv.h"

/* --- writing --- */

static size_t begin(struct str *out, u32 type, u16 misc)
{
	struct perf_event_header h = { .type = type, .misc = misc };
	size_t at = out->len;

	str_addn(out, &h, sizeof(h));
	return at;
}

static void add_u64(struct str *out, u64 v) { str_addn(out, &v, 8); }
static void add_u32(struct str *out, u32 v) { str_addn(out, &v, 4); }
static void add_u16(struct str *out, u16 v) { str_addn(out, &v, 2); }

static void finish(struct str *out, size_t at)
{
	str_addchn(out, 0, -(out->len - at) & 7);

	u16 size = (u16)(out->len - at);

	memcpy(out->buf + at + offsetof(struct perf_event_header, size), &size, 2);
}

void wire_add_finished_round(struct str *out)
{
	finish(out, begin(out, WIRE_FINISHED_ROUND, 0));
}

void wire_add_finished_init(struct str *out)
{
	finish(out, begin(out, WIRE_FINISHED_INIT, 0));
}

/* How many entries of that size one record holds after head bytes. */
static size_t per_record(size_t head, size_t each)
{
	return (WIRE_MAX_RECORD_BYTES - 7 - head) / each;
}

void wire_add_id_index(struct str *out, const struct wire_id_index *v, size_t n)
{
	const size_t max = per_record(16, sizeof(*v));

	do {
		size_t now = MIN(n, max), at = begin(out, WIRE_ID_INDEX, 0);

		add_u64(out, now);
		str_addn(out, v, now * sizeof(*v));
		finish(out, at);
		v += now;
		n -= now;
	} while (n);
}

void wire_add_thread_map(struct str *out, const struct wire_thread *v, size_t n)
{
	const size_t max = per_record(16, 24);

	do {
		size_t now = MIN(n, max), at = begin(out, WIRE_THREAD_MAP, 0);

		add_u64(out, now);
		for (size_t i = 0; i < now; i++) {
			char comm[16] = "";
			const char *c = v[i].comm ? v[i].comm : "";

			memcpy(comm, c, strnlen(c, sizeof(comm) - 1));
			add_u64(out, (u64)v[i].tid);
			str_addn(out, comm, sizeof(comm));
		}
		finish(out, at);
		v += now;
		n -= now;
	} while (n);
}

static void add_cpu_map_body(struct str *out, const int *cpus, size_t n)
{
	add_u16(out, WIRE_CPU_LIST);
	add_u16(out, (u16)n);
	for (size_t i = 0; i < n; i++)
		add_u16(out, (u16)cpus[i]);
}

void wire_add_cpu_map(struct str *out, const int *cpus, size_t n)
{
	size_t at = begin(out, WIRE_CPU_MAP, 0);

	add_cpu_map_body(out, cpus, MIN(n, per_record(12, 2)));
	finish(out, at);
}

void wire_add_time_conv(struct str *out, const struct wire_time_conv *t)
{
	size_t at = begin(out, WIRE_TIME_CONV, 0);

	add_u64(out, t->shift);
	add_u64(out, t->mult);
	add_u64(out, t->zero);
	add_u64(out, t->cycles);
	add_u64(out, t->mask);
	str_addch(out, t->cap_zero);
	str_addch(out, t->cap_short);
	finish(out, at);
}

void wire_add_event_update_text(struct str *out, enum wire_event_update what, u64 id,
				const char *text)
{
	size_t at = begin(out, WIRE_EVENT_UPDATE, 0);

	add_u64(out, what);
	add_u64(out, id);
	str_addn(out, text, MIN(strlen(text), (size_t)WIRE_MAX_RECORD_BYTES - 40));
	str_addch(out, 0);
	finish(out, at);
}

void wire_add_event_update_scale(struct str *out, u64 id, double scale)
{
	size_t at = begin(out, WIRE_EVENT_UPDATE, 0);

	add_u64(out, WIRE_UPDATE_SCALE);
	add_u64(out, id);
	str_addn(out, &scale, 8);
	finish(out, at);
}

void wire_add_event_update_cpus(struct str *out, u64 id, const int *cpus, size_t n)
{
	size_t at = begin(out, WIRE_EVENT_UPDATE, 0);

	add_u64(out, WIRE_UPDATE_CPUS);
	add_u64(out, id);
	add_cpu_map_body(out, cpus, MIN(n, per_record(28, 2)));
	finish(out, at);
}

void wire_add_attr(struct str *out, const struct perf_event_attr *attr, const u64 *ids, size_t n)
{
	size_t at = begin(out, WIRE_HEADER_ATTR, 0);
	struct perf_event_attr a = *attr;

	a.size = sizeof(a);
	str_addn(out, &a, sizeof(a));
	str_addn(out, ids, MIN(n, per_record(8 + sizeof(a), 8)) * 8);
	finish(out, at);
}

void wire_add_feature(struct str *out, u64 feature, struct span bytes)
{
	size_t at = begin(out, WIRE_HEADER_FEATURE, 0);

	add_u64(out, feature);
	str_addn(out, bytes.ptr, MIN(bytes.len, (size_t)WIRE_MAX_RECORD_BYTES - 24));
	finish(out, at);
}

void wire_add_tracing_data(struct str *out, struct span section)
{
	/* The only record whose size is no multiple of 8: 12 bytes; then the section, padded to
	 * 8 and counted as padded. */
	struct perf_event_header h = { WIRE_HEADER_TRACING_DATA, 0, 12 };
	u32 padded = (u32)ALIGN_UP(section.len, 8);

	str_addn(out, &h, sizeof(h));
	add_u32(out, padded);
	str_addn(out, section.ptr, section.len);
	str_addchn(out, 0, padded - section.len);
}

void wire_add_build_id(struct str *out, const u8 *id, size_t bytes, u16 misc, s32 pid,
		       const char *path)
{
	size_t at = begin(out, WIRE_HEADER_BUILD_ID, misc | ABI_RECORD_MISC_BUILD_ID_SIZE);
	u8 field[24] = { 0 };
	size_t len = strlen(path) + 1;

	memcpy(field, id, MIN(bytes, (size_t)20));
	field[20] = (u8)MIN(bytes, (size_t)20);
	add_u32(out, (u32)pid);
	str_addn(out, field, sizeof(field));
	str_addn(out, path, MIN(len - 1, (size_t)4096));
	/* older readers expect the name padded to 64 bytes */
	str_addchn(out, 0, ALIGN_UP(MIN(len, (size_t)4097), 64) - MIN(len - 1, (size_t)4096));
	finish(out, at);
}

void wire_add_stat(struct str *out, const struct wire_stat *s)
{
	size_t at = begin(out, WIRE_STAT, 0);

	add_u64(out, s->id);
	add_u32(out, s->cpu);
	add_u32(out, s->thread);
	add_u64(out, s->value);
	add_u64(out, s->enabled_ns);
	add_u64(out, s->running_ns);
	finish(out, at);
}

void wire_add_stat_round(struct str *out, u64 type, u64 time_ns)
{
	size_t at = begin(out, WIRE_STAT_ROUND, 0);

	add_u64(out, type);
	add_u64(out, time_ns);
	finish(out, at);
}

void wire_add_stat_config(struct str *out, const struct wire_tag *v, size_t n)
{
	size_t at = begin(out, WIRE_STAT_CONFIG, 0);

	n = MIN(n, per_record(16, sizeof(*v)));
	add_u64(out, n);
	str_addn(out, v, n * sizeof(*v));
	finish(out, at);
}

/* --- reading --- */

static struct rd body(const struct perf_event_header *rec)
{
	struct rd r;

	rd_init(&r, rec + 1, rec->size >= sizeof(*rec) ? rec->size - sizeof(*rec) : 0, false);
	return r;
}

static const char short_record[] = "the record is too short";
static const char too_many[] = "it counts more entries than it holds";
static const char no_nul[] = "its string does not end inside the record";

int wire_decode_id_index(const struct perf_event_header *rec, struct wire_id_index *out, size_t max,
			 size_t *n,
			 const char **reason)
{
	struct rd r = body(rec);
	u64 nr = rd_u64(&r);

	if (nr > rd_left(&r) / sizeof(*out))
		return wire_bad(reason, too_many);
	for (u64 i = 0; i < nr && i < max; i++) {
		out[i].id = rd_u64(&r);
		out[i].idx = rd_u64(&r);
		out[i].cpu = (s64)rd_u64(&r);
		out[i].tid = (s64)rd_u64(&r);
	}
	*n = nr;
	return rd_failed(&r) ? wire_bad(reason, short_record) : 0;
}

int wire_decode_thread_map(const struct perf_event_header *rec, struct wire_thread *out, size_t max,
			   size_t *n,
			   const char **reason)
{
	struct rd r = body(rec);
	u64 nr = rd_u64(&r);

	if (nr > rd_left(&r) / 24)
		return wire_bad(reason, too_many);
	for (u64 i = 0; i < nr && i < max; i++) {
		out[i].tid = (s64)rd_u64(&r);
		out[i].comm = rd_strn(&r, 16);
		if (!out[i].comm)
			return wire_bad(reason, no_nul);
	}
	*n = nr;
	return rd_failed(&r) ? wire_bad(reason, short_record) : 0;
}

void wire_thread_map_tids(const struct perf_event_header *rec, int_vec *out)
{
	size_t n = 0, max = rec->size / 24 + 1;
	struct wire_thread *v = xcalloc(max, sizeof(*v));
	const char *reason;
	const int ret = wire_decode_thread_map(rec, v, max, &n, &reason);

	vec_clear(out);
	for (size_t i = 0; !ret && i < n; i++)
		vec_push(out, (int)v[i].tid);
	free(v);
}

static void add_mask(u64 word, unsigned bits, unsigned from, int_vec *out)
{
	for (unsigned b = 0; b < bits; b++)
		if (word >> b & 1)
			vec_push(out, (int)(from + b));
}

static int decode_cpus(struct rd *r, int_vec *out, const char **reason)
{
	u16 type = rd_u16(r);

	vec_clear(out);
	if (type == WIRE_CPU_LIST) {
		u16 n = rd_u16(r);

		for (u16 i = 0; i < n && !rd_failed(r); i++) {
			u16 cpu = rd_u16(r);

			vec_push(out, cpu == 0xffff ? -1 : (int)cpu);
		}
	} else if (type == WIRE_CPU_MASK) {
		u16 n = rd_u16(r), word_bytes = rd_u16(r);

		/* where the compiler of the first writers put the words: after padding when they
		 * are long */
		if (word_bytes == 8)
			rd_skip(r, 4);
		else if (word_bytes != 4)
			return wire_bad(reason, "its cpu mask has words of a strange size");
		for (unsigned i = 0; i < n && !rd_failed(r); i++)
			add_mask(word_bytes == 8 ? rd_u64(r) : rd_u32(r), word_bytes * 8U,
				 i * word_bytes * 8U, out);
	} else if (type == WIRE_CPU_RANGE) {
		u8 any = rd_u8(r);

		rd_skip(r, 1);

		u16 from = rd_u16(r), to = rd_u16(r);

		if (any)
			vec_push(out, -1);
		for (int cpu = from; cpu <= to && !rd_failed(r); cpu++)
			vec_push(out, cpu);
	} else {
		return wire_bad(reason, "an unknown kind of cpu map");
	}
	return rd_failed(r) ? wire_bad(reason, too_many) : 0;
}

int wire_decode_cpu_map(const struct perf_event_header *rec, int_vec *out, const char **reason)
{
	struct rd r = body(rec);

	return decode_cpus(&r, out, reason);
}

int wire_decode_time_conv(const struct perf_event_header *rec, struct wire_time_conv *out,
			  const char **reason)
{
	struct rd r = body(rec);

	*out = (struct wire_time_conv){ .shift = rd_u64(&r), .mult = rd_u64(&r),
					.zero = rd_u64(&r) };
	if (rd_failed(&r))
		return wire_bad(reason, short_record);
	out->cap_zero = true;
	if (rd_left(&r) >= 18) {	/* since Linux 5.10 */
		out->cycles = rd_u64(&r);
		out->mask = rd_u64(&r);
		out->cap_zero = rd_u8(&r);
		out->cap_short = rd_u8(&r);
	}
	return 0;
}

int wire_decode_event_update(const struct perf_event_header *rec, struct wire_update *out,
			     const char **reason)
{
	struct rd r = body(rec);
	u64 type = rd_u64(&r);

	*out = (struct wire_update){ .what = (enum wire_event_update)type, .id = rd_u64(&r) };
	switch (type) {
	case WIRE_UPDATE_UNIT: case WIRE_UPDATE_NAME:
		out->text = rd_strn(&r, rd_left(&r));
		return out->text ? 0 : wire_bad(reason, no_nul);
	case WIRE_UPDATE_SCALE: {
		u64 bits = rd_u64(&r);

		memcpy(&out->scale, &bits, 8);
		return rd_failed(&r) ? wire_bad(reason, short_record) : 0;
	}
	case WIRE_UPDATE_CPUS:
		return decode_cpus(&r, &out->cpus, reason);
	default:
		return wire_bad(reason, "an unknown kind of update");
	}
}

int wire_decode_attr(const struct perf_event_header *rec, struct perf_event_attr *attr,
		     struct span *ids, const char **reason)
{
	struct rd r = body(rec);
	u32 bytes = PERF_ATTR_SIZE_VER0;

	if (rd_left(&r) < PERF_ATTR_SIZE_VER0)
		return wire_bad(reason, short_record);
	memcpy(&bytes, r.base + offsetof(struct perf_event_attr, size), 4);
	if (!bytes)
		bytes = PERF_ATTR_SIZE_VER0;
	if (bytes < PERF_ATTR_SIZE_VER0 || bytes > rd_left(&r))
		return wire_bad(reason, "the attr's size is not possible");
	memset(attr, 0, sizeof(*attr));
	memcpy(attr, rd_bytes(&r, bytes), MIN(bytes, (u32)sizeof(*attr)));
	ids->len = rd_left(&r) & ~7UL;
	ids->ptr = rd_bytes(&r, ids->len);
	return 0;
}

int wire_decode_build_id(const struct perf_event_header *rec, struct wire_build_id *out,
			 const char **reason)
{
	struct rd r = body(rec);

	*out = (struct wire_build_id){ .pid = (s32)rd_u32(&r), .misc = rec->misc,
				       .bytes = sizeof(out->id) };

	const u8 *id = rd_bytes(&r, 24);

	if (!id)
		return wire_bad(reason, short_record);
	if (rec->misc & ABI_RECORD_MISC_BUILD_ID_SIZE && id[20] <= sizeof(out->id))
		out->bytes = id[20];
	memcpy(out->id, id, out->bytes);
	out->path = rd_strn(&r, rd_left(&r));
	return out->path ? 0 : wire_bad(reason, no_nul);
}

int wire_decode_stat(const struct perf_event_header *rec, struct wire_stat *out,
		     const char **reason)
{
	struct rd r = body(rec);

	*out = (struct wire_stat){ .id = rd_u64(&r) };
	out->cpu = rd_u32(&r);
	out->thread = rd_u32(&r);
	out->value = rd_u64(&r);
	out->enabled_ns = rd_u64(&r);
	out->running_ns = rd_u64(&r);
	return rd_failed(&r) ? wire_bad(reason, short_record) : 0;
}

int wire_decode_stat_round(const struct perf_event_header *rec, u64 *type, u64 *time_ns,
			   const char **reason)
{
	struct rd r = body(rec);

	*type = rd_u64(&r);
	*time_ns = rd_u64(&r);
	return rd_failed(&r) ? wire_bad(reason, short_record) : 0;
}

int wire_decode_stat_config(const struct perf_event_header *rec, struct wire_tag *out, size_t max,
			    size_t *n,
			    const char **reason)
{
	struct rd r = body(rec);
	u64 nr = rd_u64(&r);

	if (rd_failed(&r) || nr > rd_left(&r) / sizeof(*out))
		return wire_bad(reason, too_many);
	for (u64 i = 0; i < nr && i < max; i++) {
		out[i].tag = rd_u64(&r);
		out[i].value = rd_u64(&r);
	}
	*n = nr;
	return 0;
}

int wire_decode_trace_error(const struct perf_event_header *rec, struct wire_trace_error *out,
			    const char **reason)
{
	struct rd r = body(rec);

	*out = (struct wire_trace_error){ .type = rd_u32(&r) };
	out->code = rd_u32(&r);
	out->cpu = rd_u32(&r);
	out->pid = rd_u32(&r);
	out->tid = rd_u32(&r);
	out->format = rd_u32(&r);
	out->ip = rd_u64(&r);
	if (out->format)
		out->time_ns = rd_u64(&r);
	if (rd_failed(&r))
		return wire_bad(reason, short_record);
	for (size_t i = 0; i + 1 < sizeof(out->text) && rd_left(&r); i++)
		out->text[i] = (char)rd_u8(&r);
	return 0;
}

int wire_encode_trace_error(const struct wire_trace_error *e, void *buf, size_t cap)
{
	const struct perf_event_header h = { .type = WIRE_AUXTRACE_ERROR,
					     .size = sizeof(h) + sizeof(*e) };

	if (cap < h.size)
		return -ENOSPC;
	memcpy(buf, &h, sizeof(h));
	memcpy((u8 *)buf + sizeof(h), e, sizeof(*e));
	return h.size;
}

int wire_decode_auxtrace(const struct perf_event_header *rec, struct wire_auxtrace *out,
			 const char **reason)
{
	struct rd r = body(rec);

	*out = (struct wire_auxtrace){ .bytes = rd_u64(&r) };
	out->off = rd_u64(&r);
	out->ref = rd_u64(&r);
	out->idx = rd_u32(&r);
	out->tid = rd_u32(&r);
	out->cpu = rd_u32(&r);
	return rd_failed(&r) ? wire_bad(reason, short_record) : 0;
}
