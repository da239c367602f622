// SPDX-License-Identifier: GPL-2.0-or-later
// Structs that are a list of fields, in the layouts of both ABIs.
#include "util/syscalls/syscalls-priv.h"

#include <sched.h>
#include <signal.h>

enum how {
	L_DEC, L_UDEC, L_HEX, L_PTR, L_OCT, L_BITS, L_VALUE, L_STR, L_HANDLER, L_SIGNAL, L_SIGSET,
		L_LIMIT,
	L_SUB,		/* a struct inside */
	L_UDEC3,	/* an array of three */
};

struct field {
	const char *name;
	u8 how;
	u16 off, bytes;		/* of the 64-bit ABI */
	u16 off32, bytes32;
	const struct sysx *table;
	const struct layout *sub;
	u8 when;		/* enum when */
};
enum when { ALWAYS, STRACE_ONLY, NOT_ZERO, WITH_PIDFD };

struct layout {
	const struct field *fields;
	u8 n;
	u16 bytes, bytes32;	/* 0: no such layout for 32 bits */
	bool more;		/* there is more in the struct than fields are listed */
};
#define F(name, how, off, bytes, off32, bytes32) \
	{ name, how, off, bytes, off32, bytes32, .when = ALWAYS }
#define LAYOUT(name, b64, b32, has_more) \
	static const struct layout name = { name##_fields, ARRAY_SIZE(name##_fields), b64, b32, \
					    has_more }

static const struct field timespec_fields[] =
	{ F("tv_sec", L_DEC, 0, 8, 0, 4), F("tv_nsec", L_DEC, 8, 8, 4, 4) };
LAYOUT(timespec, 16, 8, false);
static const struct field timeval_fields[] =
	{ F("tv_sec", L_DEC, 0, 8, 0, 4), F("tv_usec", L_DEC, 8, 8, 4, 4) };
LAYOUT(timeval, 16, 8, false);
static const struct field itimerspec_fields[] = {
	{ "it_interval", L_SUB, 0, 16, 0, 8, .sub = &timespec },
		{ "it_value", L_SUB, 16, 16, 8, 8, .sub = &timespec },
};
LAYOUT(itimerspec, 32, 16, false);
static const struct field itimerval_fields[] = {
	{ "it_interval", L_SUB, 0, 16, 0, 8, .sub = &timeval },
		{ "it_value", L_SUB, 16, 16, 8, 8, .sub = &timeval },
};
LAYOUT(itimerval, 32, 16, false);
static const struct field rlimit_fields[] =
	{ F("rlim_cur", L_LIMIT, 0, 8, 0, 4), F("rlim_max", L_LIMIT, 8, 8, 4, 4) };
LAYOUT(rlimit, 16, 8, false);
static const struct field rusage_fields[] = {
	{ "ru_utime", L_SUB, 0, 16, 0, 8, .sub = &timeval },
		{ "ru_stime", L_SUB, 16, 16, 8, 8, .sub = &timeval },
};
LAYOUT(rusage, 32, 16, true);
static const struct field utsname_fields[] =
	{ F("sysname", L_STR, 0, 65, 0, 65), F("nodename", L_STR, 65, 65, 65, 65) };
LAYOUT(utsname, 325, 325, true);
static const struct field sysinfo_fields[] = {
	F("uptime", L_DEC, 0, 8, 0, 4), F("loads", L_UDEC3, 8, 8, 4, 4),
		F("totalram", L_UDEC, 32, 8, 16, 4),
	F("freeram", L_UDEC, 40, 8, 20, 4), F("sharedram", L_UDEC, 48, 8, 24, 4),
	F("bufferram", L_UDEC, 56, 8, 28, 4), F("totalswap", L_UDEC, 64, 8, 32, 4),
	F("freeswap", L_UDEC, 72, 8, 36, 4), F("procs", L_UDEC, 80, 2, 40, 2),
	F("totalhigh", L_UDEC, 88, 8, 44, 4), F("freehigh", L_UDEC, 96, 8, 48, 4),
	F("mem_unit", L_UDEC, 104, 4, 52, 4),
};
LAYOUT(sysinfo, 108, 56, false);
static const struct field statfs_fields[] = {
	{ "f_type", L_VALUE, 0, 8, 0, 4, .table = &sysx_fstype }, F("f_bsize", L_DEC, 8, 8, 4, 4),
	F("f_blocks", L_UDEC, 16, 8, 8, 8), F("f_bfree", L_UDEC, 24, 8, 16, 8),
	F("f_bavail", L_UDEC, 32, 8, 24, 8), F("f_files", L_UDEC, 40, 8, 32, 8),
	F("f_ffree", L_UDEC, 48, 8, 40, 8), F("f_namelen", L_DEC, 64, 8, 56, 4),
	F("f_frsize", L_DEC, 72, 8, 60, 4), { "f_flags", L_BITS, 80, 8, 64, 4,
					      .table = &sysx_statvfs },
};
LAYOUT(statfs, 88, 68, false);
static const struct layout statfs_old = { statfs_fields, ARRAY_SIZE(statfs_fields), 88, 0, false };
static const struct field sigact_fields[] = {
	F("sa_handler", L_HANDLER, 0, 8, 0, 4), F("sa_mask", L_SIGSET, 24, 8, 12, 8),
	{ "sa_flags", L_BITS, 8, 8, 4, 4, .table = &sysx_sa },
	{ "sa_restorer", L_PTR, 16, 8, 8, 4, .when = STRACE_ONLY },
};
LAYOUT(sigact, 32, 20, false);
static const struct field stack_fields[] = {
	F("ss_sp", L_PTR, 0, 8, 0, 4), { "ss_flags", L_BITS, 8, 4, 4, 4, .table = &sysx_ss },
		F("ss_size", L_UDEC, 16, 8, 8, 4),
};
LAYOUT(stack, 24, 12, false);
static const struct field flock_fields[] = {
	{ "l_type", L_VALUE, 0, 2, 0, 2, .table = &sysx_lock },
		{ "l_whence", L_VALUE, 2, 2, 2, 2, .table = &sysx_whence },
	F("l_start", L_DEC, 8, 8, 4, 4), F("l_len", L_DEC, 16, 8, 8, 4),
};
LAYOUT(flock, 32, 16, false);
static const struct field open_how_fields[] = {
	{ "flags", L_BITS, 0, 8, 0, 8, .table = &sysx_open }, F("mode", L_OCT, 8, 8, 8, 8),
	{ "resolve", L_BITS, 16, 8, 16, 8, .table = &sysx_resolve },
};
LAYOUT(open_how, 24, 24, false);
static const struct field clone_args_fields[] = {
	{ "flags", L_BITS, 0, 8, 0, 8, .table = &sysx_clone },
		{ "pidfd", L_PTR, 8, 8, 8, 8, .when = WITH_PIDFD },
	{ "child_tid", L_PTR, 16, 8, 16, 8, .when = NOT_ZERO },
	{ "parent_tid", L_PTR, 24, 8, 24, 8, .when = NOT_ZERO },
	F("exit_signal", L_SIGNAL, 32, 8, 32, 8), F("stack", L_PTR, 40, 8, 40, 8),
	F("stack_size", L_HEX, 48, 8, 48, 8), { "tls", L_PTR, 56, 8, 56, 8, .when = NOT_ZERO },
};
LAYOUT(clone_args, 64, 64, false);
static const struct field utimbuf_fields[] =
	{ F("actime", L_DEC, 0, 8, 0, 4), F("modtime", L_DEC, 8, 8, 4, 4) };
LAYOUT(utimbuf, 16, 8, false);
static const struct field tms_fields[] = {
	F("tms_utime", L_UDEC, 0, 8, 0, 4), F("tms_stime", L_UDEC, 8, 8, 4, 4),
	F("tms_cutime", L_UDEC, 16, 8, 8, 4), F("tms_cstime", L_UDEC, 24, 8, 12, 4),
};
LAYOUT(tms, 32, 16, false);
static const struct field perf_attr_fields[] = {
	{ "type", L_VALUE, 0, 4, 0, 4, .table = &sysx_perf_type }, F("size", L_UDEC, 4, 4, 4, 4),
	F("config", L_HEX, 8, 8, 8, 8), F("sample_period", L_UDEC, 16, 8, 16, 8),
	{ "sample_type", L_BITS, 24, 8, 24, 8, .table = &sysx_perf_sample },
	{ "read_format", L_BITS, 32, 8, 32, 8, .table = &sysx_perf_read },
	{ "flags", L_BITS, 40, 8, 40, 8, .table = &sysx_perf_attr },
};
LAYOUT(perf_attr, 64, 64, true);
static const struct field uring_fields[] = {
	F("sq_entries", L_UDEC, 0, 4, 0, 4), F("cq_entries", L_UDEC, 4, 4, 4, 4),
	{ "flags", L_BITS, 8, 4, 8, 4, .table = &sysx_uring_setup },
	F("sq_thread_cpu", L_UDEC, 12, 4, 12, 4),
	F("sq_thread_idle", L_UDEC, 16, 4, 16, 4), F("features", L_HEX, 20, 4, 20, 4),
};
LAYOUT(uring, 40, 40, true);
static const struct field sched_attr_fields[] = {
	F("size", L_UDEC, 0, 4, 0, 4), { "sched_policy", L_VALUE, 4, 4, 4, 4,
					 .table = &sysx_sched },
	F("sched_flags", L_HEX, 8, 8, 8, 8), F("sched_nice", L_DEC, 16, 4, 16, 4),
	F("sched_priority", L_UDEC, 20, 4, 20, 4), F("sched_runtime", L_UDEC, 24, 8, 24, 8),
	F("sched_deadline", L_UDEC, 32, 8, 32, 8), F("sched_period", L_UDEC, 40, 8, 40, 8),
};
LAYOUT(sched_attr, 48, 48, false);

static const struct {
	u8 kind, out, count;
	const struct layout *layout;
	const char *type;	/* in the kernel */
} kinds[] = {
	{ SYS_TIMESPEC, 0, 1, &timespec, "__kernel_timespec" },
		{ SYS_OTIMESPEC, 1, 1, &timespec, "__kernel_timespec" },
	{ SYS_TIMESPEC2, 0, 2, &timespec, NULL },
	{ SYS_TIMEVAL, 0, 1, &timeval, "__kernel_old_timeval" },
	{ SYS_OTIMEVAL, 1, 1, &timeval, "__kernel_old_timeval" },
	{ SYS_TIMEVAL2, 0, 2, &timeval, NULL },
	{ SYS_ITIMERVAL, 0, 1, &itimerval, "__kernel_old_itimerval" },
	{ SYS_OITIMERVAL, 1, 1, &itimerval, "__kernel_old_itimerval" },
	{ SYS_ITIMERSPEC, 0, 1, &itimerspec, "__kernel_itimerspec" },
	{ SYS_OITIMERSPEC, 1, 1, &itimerspec, "__kernel_itimerspec" },
	{ SYS_RLIMIT, 0, 1, &rlimit, "rlimit" },
	{ SYS_ORLIMIT, 1, 1, &rlimit, "rlimit" }, { SYS_ORUSAGE, 1, 1, &rusage, "rusage" },
	{ SYS_OUTSNAME, 1, 1, &utsname, "new_utsname" },
	{ SYS_OSYSINFO, 1, 1, &sysinfo, "sysinfo" },
	{ SYS_OSTATFS, 1, 1, &statfs_old, "statfs" }, { SYS_OSTATFS64, 1, 1, &statfs, NULL },
	{ SYS_SIGACTION, 0, 1, &sigact, "sigaction" },
	{ SYS_OSIGACTION, 1, 1, &sigact, "sigaction" },
	{ SYS_STACK, 0, 1, &stack, "sigaltstack" }, { SYS_OSTACK, 1, 1, &stack, "sigaltstack" },
	{ SYS_FCNTLARG, 0, 1, &flock, NULL }, { SYS_OPEN_HOW, 0, 1, &open_how, "open_how" },
	{ SYS_CLONE_ARGS, 0, 1, &clone_args, "clone_args" },
	{ SYS_UTIMBUF, 0, 1, &utimbuf, "utimbuf" },
	{ SYS_OTMS, 1, 1, &tms, "tms" }, { SYS_PERF_ATTR, 0, 1, &perf_attr, "perf_event_attr" },
	{ SYS_OURING, 1, 1, &uring, "io_uring_params" },
	{ SYS_SCHED_ATTR, 0, 1, &sched_attr, "sched_attr" },
	{ SYS_OSCHED_ATTR, 1, 1, &sched_attr, "sched_attr" },
	{ SYS_FUTEXTIME, 0, 1, &timespec, NULL },
};

/* Calls that have the 64-bit layout in the 32-bit ABI, too. */
static bool is_wide(const struct syscall_info *info)
{
	return info && (strstr(info->name, "time64") || !strcmp(info->base, "prlimit64"));
}

unsigned sys_layout_bytes(const struct syscall_info *info, u8 kind, bool compat, bool *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const struct layout *l = kinds[i].layout;

		if (kinds[i].kind != kind)
			continue;
		*out = kinds[i].out;
		return (compat && !is_wide(info) ? l->bytes32 : l->bytes) * kinds[i].count;
	}
	return 0;
}

static void add_limit(const struct fmt *f, u64 v, unsigned bytes)
{
	if (v == ~0ULL || (bytes == 4 && v == UINT32_MAX))
		str_add(f->s, f->style->strace ? bytes == 4 ? "RLIM_INFINITY" : "RLIM64_INFINITY" :
			"INFINITY");
	else if (f->style->strace && v > 1024 && v % 1024 == 0)
		str_addf(f->s, "%llu*1024", (unsigned long long)v / 1024);
	else
		str_add_u64(f->s, v);
}

static void add_handler(const struct fmt *f, u64 v)
{
	if (v == (u64)(uintptr_t)SIG_DFL)
		str_add(f->s, "SIG_DFL");
	else if (v == (u64)(uintptr_t)SIG_IGN)
		str_add(f->s, "SIG_IGN");
	else
		fmt_ptr(f, v);
}

static u64 number(const u8 *p, unsigned bytes, bool is_signed)
{
	u64 v = 0;

	memcpy(&v, p, MIN(bytes, (unsigned)sizeof(v)));
	if (is_signed && bytes < 8)
		v = (u64)((s64)(v << (64 - 8 * bytes)) >> (64 - 8 * bytes));
	return v;
}

static void add_layout(const struct fmt *f, const struct layout *l, const u8 *p, bool narrow);

static void add_field(const struct fmt *f, const struct field *d, const u8 *p, unsigned bytes,
		      bool narrow)
{
	u64 v = number(p, bytes, d->how == L_DEC);
	enum sysx_how st = fmt_how(f);

	switch (d->how) {
	case L_DEC: fmt_s64(f->s, (s64)v); break;
	case L_HEX: fmt_hex(f->s, v); break;
	case L_PTR: fmt_ptr(f, v); break;
	case L_OCT: fmt_oct(f->s, v); break;
	case L_BITS: sysx_add_bits(f->s, d->table, v, st); break;
	case L_VALUE: sysx_add_value(f->s, d->table, v, st); break;
	case L_STR: syscall_add_quoted(f->s, (struct span){ p, strnlen((const char *)p, bytes) },
				       false); break;
	case L_HANDLER: add_handler(f, v); break;
	case L_SIGNAL: fmt_signal(f->s, v, true); break;
	case L_SIGSET: fmt_sigset(f->s, (struct span){ p, 8 }, st); break;
	case L_LIMIT: add_limit(f, v, bytes); break;
	case L_SUB: add_layout(f, d->sub, p, narrow); break;
	case L_UDEC3:
		str_addf(f->s, "[%llu, %llu, %llu]", (unsigned long long)v,
			 (unsigned long long)number(p + bytes, bytes, false),
			 (unsigned long long)number(p + 2 * bytes, bytes, false));
		break;
	default: str_add_u64(f->s, v);
	}
}

static void add_layout(const struct fmt *f, const struct layout *l, const u8 *p, bool narrow)
{
	bool any = false;

	fmt_open(f);
	for (unsigned i = 0; i < l->n; i++) {
		const struct field *d = &l->fields[i];
		unsigned bytes = narrow ? d->bytes32 : d->bytes;
		const u8 *at = p + (narrow ? d->off32 : d->off);

		if ((d->when == STRACE_ONLY && (!f->style->strace || !number(at, bytes, false))) ||
		    (d->when == NOT_ZERO && !number(at, bytes, false)) ||
		    (d->when == WITH_PIDFD && !(number(p, 8, false) & CLONE_PIDFD)))
			continue;
		fmt_field(f, d->name, !any);
		add_field(f, d, at, bytes, narrow);
		any = true;
	}
	if (l->more)
		str_add(f->s, ", ...");
	fmt_close(f);
}

bool fmt_layout(const struct fmt *f, u8 kind, struct span bytes)
{
	bool narrow = f->v->compat && !is_wide(f->v->info);

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const struct layout *l = kinds[i].layout;
		unsigned each = narrow ? l->bytes32 : l->bytes;

		if (kinds[i].kind != kind)
			continue;
		if (!each || bytes.len < each * kinds[i].count)
			return false;
		if (f->style->force_types && f->style->add_type && kinds[i].type && !f->v->compat &&
		    f->style->add_type(f->style->ctx, kinds[i].type, bytes, f->s))
			return true;
		if (kinds[i].count > 1)
			str_addch(f->s, '[');
		for (unsigned k = 0; k < kinds[i].count; k++) {
			if (k)
				str_add(f->s, ", ");
			add_layout(f, l, bytes.ptr + k * each, narrow);
		}
		if (kinds[i].count > 1)
			str_addch(f->s, ']');
		return true;
	}
	return false;
}
