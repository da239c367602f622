/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DATA_FEATURES_H
#define DATA_FEATURES_H
/*
 * The feature sections of perf.data: what is known about the machine and the recording. One struct
 * for both directions: the reader fills it, the writer writes what it holds, "report --header"
 * prints it. Format: Documentation/perf.data-format.txt. All strings are owned by the struct;
 * zeroed memory holds nothing. One owner.
 */
#include "util/base/vec.h"
#include "util/event/event.h"

#define DATA_DIR_VERSION 1	/* of DIR_FORMAT: DIR/data, and records in DIR/data.0 and so on */

enum data_feature {
	FEAT_TRACING_DATA = 1, FEAT_BUILD_ID = 2, FEAT_HOSTNAME = 3, FEAT_OSRELEASE = 4,
		FEAT_VERSION = 5, FEAT_ARCH = 6,
	FEAT_NRCPUS = 7, FEAT_CPUDESC = 8, FEAT_CPUID = 9, FEAT_TOTAL_MEM = 10, FEAT_CMDLINE = 11,
	FEAT_EVENT_DESC = 12,
	FEAT_CPU_TOPOLOGY = 13, FEAT_NUMA_TOPOLOGY = 14, FEAT_BRANCH_STACK = 15,
	FEAT_PMU_MAPPINGS = 16,
	FEAT_GROUP_DESC = 17, FEAT_AUXTRACE = 18, FEAT_STAT = 19, FEAT_CACHE = 20,
	FEAT_SAMPLE_TIME = 21,
	FEAT_MEM_TOPOLOGY = 22, FEAT_CLOCKID = 23, FEAT_DIR_FORMAT = 24, FEAT_BPF_PROG_INFO = 25,
	FEAT_BPF_BTF = 26,
	FEAT_COMPRESSED = 27, FEAT_CPU_PMU_CAPS = 28, FEAT_CLOCK_DATA = 29,
	FEAT_HYBRID_TOPOLOGY = 30, FEAT_PMU_CAPS = 31,
	FEAT_CPU_DOMAIN_INFO = 32, FEAT_E_MACHINE = 33, FEAT_CLN_SIZE = 34,
	FEAT_KNOWN_NR = 35,	/* names are known below this one */
	/* ours: names that the recording brings with it (symbols/embedded.h). Readers that do not
	 * know a bit step over its section; simpleperf has those from 128 on */
	FEAT_EMBEDDED = 192,
	/* ours: what counts are of and the metrics made of them (count/section.h) */
	FEAT_COUNTS = 193,
	FEAT_MAX = 256,		/* bits in the file header */
};

typedef VEC(char *) data_strs;

struct data_build_id {
	u8 id[20];
	u8 bytes;		/* 1..20 */
	u16 misc;		/* cpumode of the file: PERF_RECORD_MISC_KERNEL, _USER ... */
	s32 pid;		/* -1: the host; else a guest's pid */
	char *path;
};
struct data_numa_node { u32 node; u64 total_kb, free_kb; char *cpus; };
struct data_cache { u32 level, line_bytes, sets, ways; char *type, *size, *cpus; };
struct data_pmu { u32 type; char *name; };
struct data_cap { char *name, *value; };
/* pmu NULL: of CPU_PMU_CAPS */
struct data_pmu_caps { char *pmu; VEC(struct data_cap) caps; };
struct data_hybrid { char *pmu, *cpus; };
#define DATA_NO_GROUP_NAME "{anon_group}"
/* leader: index of the event */
struct data_group { char *name; u32 leader, n_members; };
/* map: bit per memory block */
struct data_mem_node { u64 node, bits; VEC(u64) map; };
struct data_cpu { s32 core, die, socket; };				/* index: cpu number */
/* as in the file */
struct data_bpf_prog { u32 info_bytes, data_bytes; u64 arrays; struct str info, data; };
/* AUXTRACE: index entries as in the file */
struct data_aux_entry { u64 off, bytes; };
struct data_btf { u32 id; struct str bytes; };
struct data_schedstat_domain { u32 domain; char *name, *mask, *cpus; };	/* name NULL in old files */
struct data_cpu_domains { u32 cpu; VEC(struct data_schedstat_domain) domains; };
/* A section that is kept as bytes: simpleperf's, or newer than this program. */
struct data_raw_feature { int feature; struct str bytes; };

struct data_features {
	/* sections that the file has (reader) or shall get (writer): data_has() */
	u64 present[FEAT_MAX / 64];
	char *hostname, *osrelease, *version, *arch, *cpudesc, *cpuid;
	u32 nrcpus_online, nrcpus_avail;
	u64 total_mem_kb;
	data_strs cmdline;
	data_strs core_siblings, die_siblings, thread_siblings;	/* CPU_TOPOLOGY: cpu lists, "0-1" */
	bool has_dies, has_core_ids;
	VEC(struct data_cpu) cpus;		/* by cpu number, nrcpus_avail of them */
	VEC(struct data_numa_node) numa;
	VEC(struct data_pmu) pmus;
	VEC(struct data_group) groups;
	VEC(struct data_cache) caches;
	VEC(struct data_build_id) build_ids;
	u64 first_sample_ns, last_sample_ns;
	u64 mem_block_bytes;
	VEC(struct data_mem_node) mem_nodes;
	u64 clockid_res_ns;
	u32 clockid;				/* CLOCK_DATA: CLOCK_* number of the recording */
	/* CLOCK_DATA: the same moment on the wall clock and on clockid */
	u64 clock_tod_ns, clock_ns;
	u64 dir_version;			/* DIR_FORMAT: DATA_DIR_VERSION */
	u32 comp_version, comp_type, comp_level, comp_ratio, comp_mmap_bytes;
	VEC(struct data_pmu_caps) pmu_caps;	/* CPU_PMU_CAPS (pmu NULL) and PMU_CAPS */
	VEC(struct data_hybrid) hybrid;
	VEC(struct data_bpf_prog) bpf_progs;
	VEC(struct data_btf) btfs;
	u32 schedstat_version;
	VEC(struct data_cpu_domains) domains;
	u32 e_machine, e_flags;			/* of the recorded programs; 0 when not known */
	u32 cacheline_bytes;
	VEC(struct data_aux_entry) auxtrace;
	/* the section's bytes; parsed into the event list's table as well */
	struct str tracing_data;
	VEC(struct data_raw_feature) raw;
};

void data_features_init(struct data_features *f);
void data_features_release(struct data_features *f);
static inline bool data_has(const struct data_features *f, int feature)
{
	return feature >= 0 && feature < FEAT_MAX &&
		(f->present[feature / 64] >> (feature % 64) & 1);
}
static inline void data_set(struct data_features *f,
			    int feature) { f->present[feature / 64] |= 1ULL << (feature % 64); }
static inline void data_unset(struct data_features *f,
			      int feature) { f->present[feature / 64] &= ~(1ULL << (feature % 64));
					     }
/* Sections that are kept as bytes; empty: there is none. The setter takes bytes. */
void data_set_raw(struct data_features *f, int feature, struct str *bytes);
struct span data_raw_section(const struct data_features *f, int feature);
const char *data_feature_name(int feature);	/* "HOSTNAME", ...; NULL when unknown */

/* "monotonic", of CLOCK_MONOTONIC; "unknown". */
const char *data_clock_name(u32 clockid);

/* Setters that free an older value and set the present bit. */
void data_set_str(struct data_features *f, enum data_feature feature, const char *value);
void data_set_cmdline(struct data_features *f, int argc, const char *const *argv);
void data_add_build_id(struct data_features *f, const u8 *id, size_t bytes, u16 misc, s32 pid,
		       const char *path);
void data_set_sample_time(struct data_features *f, u64 first_ns, u64 last_ns);
const struct data_build_id *data_find_build_id(const struct data_features *f, const char *path);

/* What a recording on this machine says: HOSTNAME, OSRELEASE, ARCH, NRCPUS, CPUDESC, CPUID,
 * TOTAL_MEM, CPU_TOPOLOGY, NUMA_TOPOLOGY, PMU_MAPPINGS, CACHE, MEM_TOPOLOGY, CPU_PMU_CAPS where
 * there are any. A part that cannot be read is left out. The caller adds VERSION, CMDLINE,
 * SAMPLE_TIME, BUILD_ID, CLOCKID and what else it knows; EVENT_DESC, GROUP_DESC and TRACING_DATA
 * are made by the writer from the event list. */
void data_features_collect(struct data_features *f, const struct os *os);
/* CPU_DOMAIN_INFO: names and CPUs of the scheduling domains, from /proc/schedstat of that
 * version (names: since 17). Without such a file nothing is set. */
void data_features_collect_domains(struct data_features *f, const struct os *os, unsigned version);

/* One section's bytes to members and back; swap: the other byte order. events gives and takes
 * names and ids (EVENT_DESC, GROUP_DESC); may be NULL. Decoding never trusts a length; -EINVAL says
 * what is wrong in it (feature's name included). */
int data_feature_decode(struct data_features *f, int feature, struct span bytes, bool swap,
			struct event_list *events,
			struct err *err);
int data_feature_encode(const struct data_features *f, int feature, const struct event_list *events,
			struct str *out);

#endif
