/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_USER_H
#define WIRE_USER_H
/*
 * The record types that user space makes (64 and up): whole records appended to a struct str, and
 * decoding. Host byte order; decoders check all lengths and give -EINVAL with a reason in *why. Any
 * thread. Layouts: Documentation/perf.data-format.txt.
 */
#include "util/base/num.h"
#include "util/wire/wire.h"

/* --- writing: appends one (or, beyond 64 KB, several) records --- */
void wire_add_finished_round(struct str *out);
void wire_add_finished_init(struct str *out);
struct wire_id_index { u64 id, idx; s64 cpu, tid; };
void wire_add_id_index(struct str *out, const struct wire_id_index *v, size_t n);
struct wire_thread { s64 tid; const char *comm; };	/* tid -1: all */
void wire_add_thread_map(struct str *out, const struct wire_thread *v, size_t n);
void wire_add_cpu_map(struct str *out, const int *cpus, size_t n);	/* { -1 }: any cpu */
struct wire_time_conv { u64 shift, mult, zero, cycles, mask; bool cap_zero, cap_short; };
void wire_add_time_conv(struct str *out, const struct wire_time_conv *t);
enum wire_event_update { WIRE_UPDATE_UNIT, WIRE_UPDATE_SCALE, WIRE_UPDATE_NAME, WIRE_UPDATE_CPUS };
void wire_add_event_update_text(struct str *out, enum wire_event_update what, u64 id,
				const char *text);
void wire_add_event_update_scale(struct str *out, u64 id, double scale);
void wire_add_event_update_cpus(struct str *out, u64 id, const int *cpus, size_t n);
void wire_add_attr(struct str *out, const struct perf_event_attr *attr, const u64 *ids, size_t n);
void wire_add_feature(struct str *out, u64 feature, struct span bytes);
/* with the section after it, padded */
void wire_add_tracing_data(struct str *out, struct span section);
void wire_add_build_id(struct str *out, const u8 *id, size_t bytes, u16 misc, s32 pid,
		       const char *path);
/* perf stat record */
struct wire_stat { u64 id; u32 cpu, thread; u64 value, enabled_ns, running_ns; };
void wire_add_stat(struct str *out, const struct wire_stat *s);
/* type 0: interval, 1: final */
void wire_add_stat_round(struct str *out, u64 type, u64 time_ns);
/* STAT_CONFIG: 0 aggr mode, 1 interval, 2 scale, 3 aggr level */
struct wire_tag { u64 tag, value; };
void wire_add_stat_config(struct str *out, const struct wire_tag *v, size_t n);

/* --- reading --- */
/* n entries; fills at most max of them. */
int wire_decode_id_index(const struct perf_event_header *rec, struct wire_id_index *out, size_t max,
			 size_t *n,
			 const char **reason);
int wire_decode_thread_map(const struct perf_event_header *rec, struct wire_thread *out, size_t max,
			   size_t *n,
			   const char **reason);
/* Their ids alone, in the place of what is in out; none where it is damaged. */
void wire_thread_map_tids(const struct perf_event_header *rec, int_vec *out);
/* all three encodings */
int wire_decode_cpu_map(const struct perf_event_header *rec, int_vec *out, const char **reason);
int wire_decode_time_conv(const struct perf_event_header *rec, struct wire_time_conv *out,
			  const char **reason);
/* free cpus */
struct wire_update { enum wire_event_update what; u64 id; const char *text; double scale;
		     int_vec cpus; };
int wire_decode_event_update(const struct perf_event_header *rec, struct wire_update *out,
			     const char **reason);
/* attr is padded or cut to this program's size; ids are borrowed (unaligned is possible:
 * memcpy). */
int wire_decode_attr(const struct perf_event_header *rec, struct perf_event_attr *attr,
		     struct span *ids, const char **reason);
struct wire_build_id { s32 pid; u16 misc; u8 id[20], bytes; const char *path; };
int wire_decode_build_id(const struct perf_event_header *rec, struct wire_build_id *out,
			 const char **reason);
int wire_decode_stat(const struct perf_event_header *rec, struct wire_stat *out,
		     const char **reason);
int wire_decode_stat_round(const struct perf_event_header *rec, u64 *type, u64 *time_ns,
			   const char **reason);
int wire_decode_stat_config(const struct perf_event_header *rec, struct wire_tag *out, size_t max,
			    size_t *n,
			    const char **reason);
struct wire_auxtrace { u64 bytes, off, ref; u32 idx, tid, cpu; };
int wire_decode_auxtrace(const struct perf_event_header *rec, struct wire_auxtrace *out,
			 const char **reason);

#endif
