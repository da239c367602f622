// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/ctf-priv.h"

#include "util/wire/wire.h"

#define FIRST_ID 0x80000000u

static const char task_fields[] =
	"		s32 _pid;\n		s32 _ppid;\n		s32 _tid;\n"
	"		s32 _ptid;\n		u64 _time;\n";
static const char mmap_fields[] =
	"		s32 _pid;\n		s32 _tid;\n		x64 _start;\n"
	"		string _filename;\n";

static const struct record_event { u32 type; const char *name, *fields; } record_events[] = {
	{ PERF_RECORD_COMM, "perf_comm",
	  "		s32 _pid;\n		s32 _tid;\n		string _comm;\n" },
	{ PERF_RECORD_EXIT, "perf_exit", task_fields },
	{ PERF_RECORD_FORK, "perf_fork", task_fields },
	{ PERF_RECORD_MMAP, "perf_mmap", mmap_fields },
	{ PERF_RECORD_MMAP2, "perf_mmap2", mmap_fields },
};

void ctf_add_u32(struct str *out, u32 v) { str_addn(out, &v, sizeof(v)); }
void ctf_add_u64(struct str *out, u64 v) { str_addn(out, &v, sizeof(v)); }

void ctf_add_text(struct str *out, const char *text)
{
	str_add_utf8(out, text);
	str_addch(out, 0);
}

static bool add_comm(const struct perf_event_header *rec, struct str *out)
{
	const char *reason;
	struct wire_comm c;

	if (wire_decode_comm(rec, &c, &reason))
		return false;
	ctf_add_u32(out, c.pid);
	ctf_add_u32(out, c.tid);
	ctf_add_text(out, c.comm);
	return true;
}

static bool add_task(const struct perf_event_header *rec, struct str *out)
{
	const char *reason;
	struct wire_task t;

	if (wire_decode_task(rec, &t, &reason))
		return false;
	ctf_add_u32(out, t.pid);
	ctf_add_u32(out, t.ppid);
	ctf_add_u32(out, t.tid);
	ctf_add_u32(out, t.ptid);
	ctf_add_u64(out, t.time_ns);
	return true;
}

static bool add_mmap(const struct perf_event_header *rec, struct str *out)
{
	const char *reason;
	struct wire_mmap m;

	if (wire_decode_mmap(rec, &m, &reason))
		return false;
	ctf_add_u32(out, m.pid);
	ctf_add_u32(out, m.tid);
	ctf_add_u64(out, m.start_va);
	ctf_add_text(out, m.path);
	return true;
}

u32 ctf_add_record(const struct perf_event_header *rec, struct str *out)
{
	bool added = false;
	u32 id = 0;

	while (id < ARRAY_SIZE(record_events) && record_events[id].type != rec->type)
		id++;
	if (rec->type == PERF_RECORD_COMM)
		added = add_comm(rec, out);
	else if (rec->type == PERF_RECORD_EXIT || rec->type == PERF_RECORD_FORK)
		added = add_task(rec, out);
	else if (rec->type == PERF_RECORD_MMAP || rec->type == PERF_RECORD_MMAP2)
		added = add_mmap(rec, out);
	return added ? FIRST_ID + id : 0;
}

void ctf_add_record_events(struct str *out)
{
	for (u32 i = 0; i < ARRAY_SIZE(record_events); i++)
		str_addf(out, "event {\n\tname = \"%s\";\n\tid = %u;\n\tstream_id = 0;\n"
			 "\tfields := struct {\n%s\t};\n};\n\n",
			 record_events[i].name, FIRST_ID + i, record_events[i].fields);
}
