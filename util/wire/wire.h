/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H
/*
 * Record bytes to structs and back. Pure functions: no allocation, no I/O, any thread. Every
 * decoder checks all lengths against the record's size and gives -EINVAL with a short reason in
 * *why when they lie (a fixed string, never NULL then). Sources: perf_event_open(2),
 * linux/perf_event.h; user record types: Documentation/perf.data-format.txt.
 */
#include "util/wire/sample.h"

/* Record types of the file format, made by user space. */
enum wire_user_type {
	WIRE_HEADER_ATTR = 64, WIRE_HEADER_EVENT_TYPE = 65, WIRE_HEADER_TRACING_DATA = 66,
		WIRE_HEADER_BUILD_ID = 67,
	WIRE_FINISHED_ROUND = 68, WIRE_ID_INDEX = 69, WIRE_AUXTRACE_INFO = 70, WIRE_AUXTRACE = 71,
	WIRE_AUXTRACE_ERROR = 72, WIRE_THREAD_MAP = 73, WIRE_CPU_MAP = 74, WIRE_STAT_CONFIG = 75,
	WIRE_STAT = 76,
	WIRE_STAT_ROUND = 77, WIRE_EVENT_UPDATE = 78, WIRE_TIME_CONV = 79, WIRE_HEADER_FEATURE = 80,
	WIRE_COMPRESSED = 81, WIRE_FINISHED_INIT = 82, WIRE_COMPRESSED2 = 83,
	WIRE_BPF_METADATA = 84,
	WIRE_SCHEDSTAT_CPU = 85, WIRE_SCHEDSTAT_DOMAIN = 86,
};
#define WIRE_MAX_RECORD_BYTES 65535

const char *wire_type_name(u32 type);		/* "PERF_RECORD_MMAP2"...; NULL when unknown */

/* A sample of an event with this attr. rec: the whole record, rec->size bytes readable, host
 * order. */
int wire_decode_sample(const struct perf_event_attr *attr, const struct perf_event_header *rec,
		       struct sample *out,
		       const char **reason);
/* Samples may be flat: some words that all have, then at most raw data, as tracepoints have
 * them. The number of 64-bit words that such a sample has at least, its header included; 0: samples
 * of this type are not flat. */
unsigned wire_flat_words(u64 sample_type);
/* wire_decode_sample() for those, many times faster: words is wire_flat_words() of the type; out
 * must be zeroed, or hold what this function decoded for the same type. */
int wire_decode_flat(u64 sample_type, unsigned words, const struct perf_event_header *rec,
		     struct sample *out,
		     const char **reason);
/* The trailing identity of a non-sample record. 0 with present == 0 when attr->sample_id_all is
 * off. */
int wire_decode_id(const struct perf_event_attr *attr, const struct perf_event_header *rec,
		   struct sample_id *out,
		   const char **reason);
/* A record whose time was looked up. */
struct wire_timed { const struct perf_event_header *hdr; u64 time_ns; };

/* Where the id stands: in a sample body, in u64 words after the header; in other records, in
 * words from the end (1: the last); -1: nowhere. */
int wire_sample_id_pos(const struct perf_event_attr *attr);
int wire_record_id_pos(const struct perf_event_attr *attr);
/* And where the time does (perf_event_open(2), PERF_RECORD_SAMPLE and struct sample_id). */
int wire_sample_time_pos(const struct perf_event_attr *attr);
int wire_record_time_pos(const struct perf_event_attr *attr);

/* PERF_SAMPLE_READ and read(2) of a counter. Yields up to max values; *n the number present. */
struct wire_value { u64 value, id, lost; };
int wire_read_values(u64 read_format, struct span bytes, struct wire_value *out, u64 max, u64 *n,
		     u64 *enabled_ns,
		     u64 *running_ns);

/* Side-band records as plain structs; strings borrowed from the record and checked to end inside
 * it. */
struct wire_mmap {
	u32 pid, tid;
	u64 start_va, bytes, off;
	u32 maj, min, prot, flags;	/* prot, flags as recorded; 0 in MMAP (1) */
	u64 ino, ino_generation;
	u8 build_id[20];
	u8 build_id_bytes;		/* 0: none */
	bool data;			/* PERF_RECORD_MISC_MMAP_DATA: not executable */
	const char *path;
};
/* MMAP and MMAP2 */
int wire_decode_mmap(const struct perf_event_header *rec, struct wire_mmap *out,
		     const char **reason);
struct wire_comm { u32 pid, tid; bool exec; const char *comm; };
int wire_decode_comm(const struct perf_event_header *rec, struct wire_comm *out,
		     const char **reason);
struct wire_task { u32 pid, ppid, tid, ptid; u64 time_ns; };
/* FORK and EXIT */
int wire_decode_task(const struct perf_event_header *rec, struct wire_task *out,
		     const char **reason);
struct wire_ksymbol { u64 va; u32 bytes; u16 type, flags; const char *name; };
int wire_decode_ksymbol(const struct perf_event_header *rec, struct wire_ksymbol *out,
			const char **reason);
struct wire_namespaces { u32 pid, tid; u64 n; const struct perf_ns_link_info *links; };
int wire_decode_namespaces(const struct perf_event_header *rec, struct wire_namespaces *out,
			   const char **reason);
struct wire_cgroup { u64 id; const char *path; };
int wire_decode_cgroup(const struct perf_event_header *rec, struct wire_cgroup *out,
		       const char **reason);
struct wire_lost { u64 id, lost; };	/* LOST; LOST_SAMPLES has no id (0) */
/* header.misc of LOST_SAMPLES: a filter has dropped them (record --filter), which is no loss */
#define WIRE_MISC_LOST_BPF (1 << 15)
static inline bool wire_is_dropped(const struct perf_event_header *rec)
{
	return rec->type == PERF_RECORD_LOST_SAMPLES && rec->misc & WIRE_MISC_LOST_BPF;
}
int wire_decode_lost(const struct perf_event_header *rec, struct wire_lost *out,
		     const char **reason);
struct wire_switch { bool out, preempt, cpu_wide; u32 next_prev_pid, next_prev_tid; };
int wire_decode_switch(const struct perf_event_header *rec, struct wire_switch *out,
		       const char **reason);

/* Turns a record of the other byte order into host order, in place (bounds-checked; after
 * -EINVAL it is unusable). attr is needed for samples and trailing ids (NULL: only the fixed part
 * is swapped). */
int wire_swap(struct perf_event_header *rec, const struct perf_event_attr *attr,
	      const char **reason);
void wire_swap_attr(struct perf_event_attr *attr);

/* Encoding, for synthesis and tests: writes a record into buf (8-byte aligned, cap bytes); its
 * size, or -ENOSPC. id holds the trailing identity, written as attr asks (attr NULL or without
 * sample_id_all: none). */
int wire_encode_sample(const struct perf_event_attr *attr, const struct sample *s, void *buf,
		       size_t cap);
int wire_encode_mmap2(const struct perf_event_attr *attr, const struct wire_mmap *m, u16 misc,
		      const struct sample_id *id,
		      void *buf, size_t cap);
int wire_encode_comm(const struct perf_event_attr *attr, const struct wire_comm *c,
		     const struct sample_id *id, void *buf,
		     size_t cap);
int wire_encode_task(const struct perf_event_attr *attr, u32 type, const struct wire_task *t,
		     const struct sample_id *id,
		     void *buf, size_t cap);
int wire_encode_lost(const struct perf_event_attr *attr, const struct wire_lost *l,
		     const struct sample_id *id, void *buf,
		     size_t cap);
int wire_encode_cgroup(const struct perf_event_attr *attr, const struct wire_cgroup *c,
		       const struct sample_id *id, void *buf,
		       size_t cap);
int wire_encode_namespaces(const struct perf_event_attr *attr, const struct wire_namespaces *n,
			   const struct sample_id *id,
			   void *buf, size_t cap);
int wire_encode_ksymbol(const struct perf_event_attr *attr, const struct wire_ksymbol *k,
			const struct sample_id *id,
			void *buf, size_t cap);

#endif
