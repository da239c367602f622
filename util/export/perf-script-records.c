// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records that are no samples, as perf script shows them on request.
 */
#include "util/export/perf-script-priv.h"

#include <stdio.h>
#include <sys/mman.h>

static const struct { u32 type; unsigned show; } shown[] = {
	{ PERF_RECORD_FORK, SHOW_TASK }, { PERF_RECORD_EXIT, SHOW_TASK },
		{ PERF_RECORD_COMM, SHOW_TASK },
	{ PERF_RECORD_MMAP, SHOW_MMAP }, { PERF_RECORD_MMAP2, SHOW_MMAP },
	{ PERF_RECORD_LOST, SHOW_LOST },
	/* LOST_SAMPLES are totals of the recorder's end: they are in the warnings */
	{ PERF_RECORD_SWITCH, SHOW_SWITCH },
	{ PERF_RECORD_SWITCH_CPU_WIDE, SHOW_SWITCH }, { PERF_RECORD_NAMESPACES, SHOW_NAMESPACES },
	{ PERF_RECORD_CGROUP, SHOW_CGROUP }, { PERF_RECORD_KSYMBOL, SHOW_BPF },
	{ PERF_RECORD_BPF_EVENT, SHOW_BPF },
	{ WIRE_FINISHED_ROUND, SHOW_ROUND }, { PERF_RECORD_TEXT_POKE, SHOW_TEXT_POKE },
};

bool is_shown(unsigned show, u32 type)
{
	for (size_t i = 0; i < ARRAY_SIZE(shown); i++) {
		if (shown[i].type == type)
			return show & shown[i].show;
	}
	return false;
}

void record_task(const struct perf_event_header *rec, u32 *pid, u32 *tid)
{
	struct wire_namespaces n;
	const char *reason;
	struct wire_comm c;
	struct wire_task t;
	struct wire_mmap m;

	if (rec->type == PERF_RECORD_COMM && wire_decode_comm(rec, &c, &reason) == 0) {
		*pid = c.pid;
		*tid = c.tid;
	} else if ((rec->type == PERF_RECORD_FORK || rec->type == PERF_RECORD_EXIT) &&
		   wire_decode_task(rec, &t, &reason) == 0) {
		*pid = t.pid;
		*tid = t.tid;
	} else if ((rec->type == PERF_RECORD_MMAP || rec->type == PERF_RECORD_MMAP2) &&
		   wire_decode_mmap(rec, &m, &reason) == 0 &&
		   (s32)m.pid >= 0) {
		*pid = m.pid;
		*tid = m.tid;
	} else if (rec->type == PERF_RECORD_NAMESPACES &&
		   wire_decode_namespaces(rec, &n, &reason) == 0) {
		*pid = n.pid;
		*tid = n.tid;
	}
}

static void add_mmap(struct str *out, const struct perf_event_header *rec)
{
	struct wire_mmap m;
	const char *reason;

	if (wire_decode_mmap(rec, &m, &reason) < 0)
		return;
	str_addf(out, "%s %d/%d: [%#llx(%#llx) @ ", wire_type_name(rec->type), (int)m.pid,
		 (int)m.tid,
		 (unsigned long long)m.start_va, (unsigned long long)m.bytes);
	if (m.off)
		str_addf(out, "%#llx", (unsigned long long)m.off);
	else
		str_addch(out, '0');
	if (rec->type == PERF_RECORD_MMAP) {
		str_addf(out, "]: %c ", m.data ? 'r' : 'x');
	} else {
		if (m.build_id_bytes) {
			str_add(out, " <");
			for (int i = 0; i < m.build_id_bytes && i < 20; i++)
				str_add_hex(out, m.build_id[i], 2);
			str_add(out, ">");
		} else {
			str_addf(out, " %02x:%02x %llu %llu", m.maj, m.min,
				 (unsigned long long)m.ino,
				 (unsigned long long)m.ino_generation);
		}
		str_addf(out, "]: %c%c%c%c ", m.prot & PROT_READ ? 'r' : '-', m.prot & PROT_WRITE ?
			 'w' : '-',
			 m.prot & PROT_EXEC ? 'x' : '-', m.flags & MAP_SHARED ? 's' : 'p');
	}
	str_add_safe(out, m.path);
}

static void add_comm_record(struct str *out, const struct perf_event_header *rec)
{
	struct wire_comm c;
	const char *reason;

	if (wire_decode_comm(rec, &c, &reason) < 0)
		return;
	str_addf(out, "PERF_RECORD_COMM%s: ", c.exec ? " exec" : "");
	str_add_safe(out, c.comm);
	str_addf(out, ":%d/%d", (int)c.pid, (int)c.tid);
}

static void add_task(struct str *out, const struct perf_event_header *rec)
{
	struct wire_task t;
	const char *reason;

	if (wire_decode_task(rec, &t, &reason) == 0)
		str_addf(out, "%s(%d:%d):(%d:%d)", wire_type_name(rec->type), (int)t.pid,
			 (int)t.tid, (int)t.ppid, (int)t.ptid);
}

static void add_switch(struct str *out, const struct perf_event_header *rec)
{
	struct wire_switch w;
	const char *reason;

	if (wire_decode_switch(rec, &w, &reason) < 0)
		return;
	str_addf(out, "%s %s", wire_type_name(rec->type), !w.out ? "IN         " : w.preempt ?
		 "OUT preempt" : "OUT        ");
	if (rec->type == PERF_RECORD_SWITCH_CPU_WIDE)
		str_addf(out, "  %s pid/tid: %5d/%-5d", w.out ? "next" : "prev",
			 (int)w.next_prev_pid, (int)w.next_prev_tid);
}

static void add_namespaces(struct str *out, const struct perf_event_header *rec)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	struct wire_namespaces n;
	const char *reason;

	if (wire_decode_namespaces(rec, &n, &reason) < 0)
		return;
	str_addf(out, "PERF_RECORD_NAMESPACES %d/%d - nr_namespaces: %llu\n\t\t[", (int)n.pid,
		 (int)n.tid, (unsigned long long)n.n);
	for (u64 i = 0; i < n.n; i++) {
		struct perf_ns_link_info link;

		memcpy(&link, &n.links[i], sizeof(link));
		if (i && i % 4 == 0)
			str_add(out, "\n\t\t ");
		str_addf(out, "%llu/%s: %llu/%#llx%s", (unsigned long long)i,
			 i < ARRAY_SIZE(names) ? names[i] : "unknown",
			 (unsigned long long)link.dev, (unsigned long long)link.ino, i + 1 < n.n ?
			 ", " : "]");
	}
}

static void add_lost(struct str *out, const struct perf_event_header *rec)
{
	struct wire_lost l;
	const char *reason;

	if (wire_decode_lost(rec, &l, &reason) < 0)
		return;
	if (rec->type == PERF_RECORD_LOST)
		str_addf(out, "PERF_RECORD_LOST lost %llu", (unsigned long long)l.lost);
	else
		str_addf(out, "PERF_RECORD_LOST_SAMPLES lost %llu%s", (unsigned long long)l.lost,
			 wire_is_dropped(rec) ? " (BPF)" : "");
}

static void add_ksymbol(struct str *out, const struct perf_event_header *rec)
{
	struct wire_ksymbol k;
	const char *reason;

	if (wire_decode_ksymbol(rec, &k, &reason) < 0)
		return;
	str_addf(out, "PERF_RECORD_KSYMBOL addr %llx len %u type %u flags 0x%x name ",
		 (unsigned long long)k.va, k.bytes, k.type, k.flags);
	str_add_safe(out, k.name);
}

bool add_record(struct str *out, const struct perf_event_header *rec, u16 misc UNUSED)
{
	struct wire_cgroup cg;
	const char *reason;

	switch (rec->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		add_mmap(out, rec);
		return true;
	case PERF_RECORD_COMM:
		add_comm_record(out, rec);
		return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		add_task(out, rec);
		return true;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		add_switch(out, rec);
		return true;
	case PERF_RECORD_NAMESPACES:
		add_namespaces(out, rec);
		return true;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		add_lost(out, rec);
		return true;
	case PERF_RECORD_KSYMBOL:
		add_ksymbol(out, rec);
		return true;
	case PERF_RECORD_CGROUP:
		if (wire_decode_cgroup(rec, &cg, &reason) == 0) {
			str_addf(out, "PERF_RECORD_CGROUP cgroup: %llu ",
				 (unsigned long long)cg.id);
			str_add_safe(out, cg.path);
		}
		return true;
	default:
		str_add(out, wire_type_name(rec->type) ? wire_type_name(rec->type) :
			"PERF_RECORD_UNKNOWN");
		return true;
	}
}
