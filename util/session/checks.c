// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/session/checks.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/cli/build-options.h"
#include "util/elf/elf.h"
#include "util/event/event.h"
#include "util/os/kernel.h"
#include "util/os/rights.h"

#define DEFAULT_HZ 4000		/* of perf record */
#define DEFAULT_RING_KB 516	/* rings of perf record: 128 pages, and one */
#define ENOUGH_FDS 4096
#define DEFAULT_MAX_STACK 127
#define MOUNT_SYSFS "sudo mount -t sysfs sysfs /sys"
#define OTHER_KERNEL \
	"sudo apt-get install linux-image-$(dpkg --print-architecture) && sudo reboot"

/* What one run looks at, and where findings go. */
struct checks {
	struct table *out;
	struct os *os;
	const char *debuginfod_urls;
};

static const char *number(char buf[24], s64 n)
{
	snprintf(buf, 24, "%lld", (long long)n);
	return buf;
}

static void add(const struct checks *c, enum finding_state state, const char *check,
		const char *value, const char *what, const char *fix)
{
	finding_add(c->out, state, check, value, what, fix);
}

/* sysctl as the caller has to type it */
static char *sysctl(const struct checks *c, const char *settings)
{
	return xasprintf("%ssysctl -w %s%s", geteuid() ? "sudo " : "", settings,
			 os_sysctl_where(c->os));
}

static bool may_measure(const struct os *os)
{
	return os_may(os, CAP_PERFMON) || os_may(os, CAP_SYS_ADMIN);
}

/* 0, or as event_list_open() says. */
static int try_open(struct os *os, const char *event, struct err *err)
{
	int any = -1, self = getpid();
	const struct target target = { .tids = { &self, 1, 1 }, .cpus = { &any, 1, 1 } };
	const struct open_policy policy = { .use = OPEN_COUNT, .target = &target };
	struct open_report report = { 0 };
	struct event_list l;
	int ret;

	event_list_init(&l);
	ret = event_parse(&l, event, os, NULL, err);
	if (!ret)
		ret = event_list_open(&l, &policy, os, &report, err);
	open_report_release(&report);
	event_list_release(&l);
	return ret;
}

/* Levels above 2 are those of kernels that Debian and others patched; elsewhere they are 2. */
static int paranoid(const struct checks *c)
{
	const int level = os_paranoid(c->os);
	struct err err = ERR_INIT;
	const bool opens = level > 2 && !c->os->fake && !try_open(c->os, "cpu-clock:u", &err);

	err_release(&err);
	return opens ? 2 : level;
}

/* A hint's step alone, which can be pasted: from "sudo" or "sysctl" to the end of its line. The
 * caller frees. */
static char *command_of(const char *hint)
{
	const char *at = strstr(hint, "sudo ");

	if (!at)
		at = strstr(hint, "sysctl ");
	return at ? xstrndup(at, strcspn(at, "\n")) : xstrdup(hint);
}

static void check_paranoid(const struct checks *c)
{
	static const char *const lost[] = {
		"tracepoints cannot be recorded",
		"the whole system (-a) cannot be measured, nor can tracepoints be recorded",
		"the kernel cannot be sampled, nor the whole system (-a)",
		"no event can be opened",
	};
	const int level = paranoid(c);
	char value[24], *fix;

	number(value, os_paranoid(c->os));
	if (level < 0 || may_measure(c->os)) {
		add(c, FINDING_OK, "perf_event_paranoid", value, NULL, NULL);
		return;
	}
	fix = sysctl(c, "kernel.perf_event_paranoid=-1");
	add(c, level > 1 ? FINDING_BAD : FINDING_NOTE, "perf_event_paranoid", value,
	    lost[MIN(level, 3)], fix);
	free(fix);
}

/* Whether names of kernel functions can be had: their addresses are shown to the caller. */
static void check_kptr(const struct checks *c)
{
	const int hidden = os_kptr_restrict(c->os);
	const bool shown = hidden < 2 && os_may(c->os, CAP_SYSLOG);
	char value[24], *hint, *fix;

	number(value, hidden);
	if (shown || (!hidden && os_paranoid(c->os) <= 1)) {
		add(c, FINDING_OK, "kptr_restrict", value, NULL, NULL);
		return;
	}
	hint = os_addresses_hint(c->os);
	fix = command_of(hint);
	free(hint);
	add(c, FINDING_BAD, "kptr_restrict", value,
	    "addresses of the kernel are hidden: its functions have no names", fix);
	free(fix);
}

static void check_mlock(const struct checks *c)
{
	const u64 kb = os_mlock_kb(c->os);
	char value[24], *fix;

	number(value, (s64)kb);
	if (kb >= DEFAULT_RING_KB || os_may(c->os, CAP_IPC_LOCK)) {
		add(c, FINDING_OK, "perf_event_mlock_kb", value, NULL, NULL);
		return;
	}
	fix = sysctl(c, "kernel.perf_event_mlock_kb=516");
	add(c, FINDING_BAD, "perf_event_mlock_kb", value,
	    "buffers are smaller than usual: samples are lost, or record fails to map them", fix);
	free(fix);
}

/* The kernel lowers the rate by itself when an interrupt of a sample takes too long; unless it is
 * set not to, and then nobody may set it. */
static void check_rate(const struct checks *c)
{
	const u64 hz = os_max_sample_rate(c->os);
	u64 share = 25;
	char value[24], *fix;

	number(value, (s64)hz);
	if (hz >= DEFAULT_HZ) {
		add(c, FINDING_OK, "perf_event_max_sample_rate", value, NULL, NULL);
		return;
	}
	os_read_u64(c->os, "/proc/sys/kernel/perf_cpu_time_max_percent", &share, NULL);
	fix = sysctl(c, share && share < 100 ? "kernel.perf_event_max_sample_rate=100000" :
		     "kernel.perf_cpu_time_max_percent=25 "
		     "kernel.perf_event_max_sample_rate=100000");
	add(c, FINDING_BAD, "perf_event_max_sample_rate", value,
	    "fewer samples a second than record asks for (4000): they are throttled", fix);
	free(fix);
}

static void check_max_stack(const struct checks *c)
{
	u64 frames = DEFAULT_MAX_STACK;
	char value[24], *fix;

	if (os_read_u64(c->os, "/proc/sys/kernel/perf_event_max_stack", &frames, NULL))
		return;
	number(value, (s64)frames);
	fix = sysctl(c, "kernel.perf_event_max_stack=127");
	if (frames >= DEFAULT_MAX_STACK)
		add(c, FINDING_OK, "perf_event_max_stack", value, NULL, NULL);
	else
		add(c, FINDING_NOTE, "perf_event_max_stack", value, "call chains are cut early",
		    fix);
	free(fix);
}

static void check_watchdog(const struct checks *c)
{
	u64 on = 0;
	char *fix;

	if (os_read_u64(c->os, "/proc/sys/kernel/nmi_watchdog", &on, NULL) || !on)
		return;
	fix = sysctl(c, "kernel.nmi_watchdog=0");
	add(c, FINDING_NOTE, "nmi_watchdog", "1",
	    "it takes one of the hardware counters of each CPU: groups may not fit", fix);
	free(fix);
}

static void check_lockdown(const struct checks *c)
{
	struct str s = STR_INIT;

	if (!os_read_file(c->os, "/sys/kernel/security/lockdown", &s, NULL) &&
	    strstr(str_cstr(&s), "[confidentiality]"))
		add(c, FINDING_BAD, "lockdown", "confidentiality",
		    "the kernel allows nobody to sample it, to probe it or to read its memory",
		    "boot with lockdown=integrity on the kernel's command line");
	str_release(&s);
}

static void check_fds(const struct checks *c)
{
	u64 soft, hard;
	char value[24];

	if (!os_fd_limits(c->os, &soft, &hard))
		return;
	number(value, (s64)hard);
	if (hard >= ENOUGH_FDS || os_may(c->os, CAP_SYS_RESOURCE))
		add(c, FINDING_OK, "ulimit -n", hard == UINT64_MAX ? "unlimited" : value, NULL,
		    NULL);
	else
		add(c, FINDING_NOTE, "ulimit -n", value,
		    "each event needs a descriptor per CPU and thread: many events or CPUs do not "
		    "fit", "sudo prlimit --nofile=65536 --pid $$");
}

static void check_tracefs(const struct checks *c)
{
	struct err err = ERR_INIT;
	char *fix;

	if (!os_tracefs(c->os, &err)) {
		add(c, FINDING_OK, "tracefs", OS_TRACEFS, NULL, NULL);
		return;
	}
	fix = command_of(err.hint ? err.hint : "sudo mount -t tracefs nodev " OS_TRACEFS);
	add(c, FINDING_BAD, "tracefs", NULL, err.msg, fix);
	free(fix);
	err_release(&err);
}

/* Said where it is not for want of rights: root of a container has the same finding. */
static void check_bpf(const struct checks *c)
{
	struct err err = { .code = EPERM };

	if (!os_call_is_filtered(c->os, OS_BPF))
		return;
	os_filter_hint(OS_BPF, &err);
	add(c, FINDING_NOTE, "bpf", NULL,
	    "no BPF programs: the fast capture of trace, record --off-cpu", err.hint);
	err_release(&err);
}

static void check_btf(const struct checks *c)
{
	struct str s = STR_INIT;

	if (!os_kernel_btf(c->os, &s, NULL) && s.len)
		add(c, FINDING_OK, "BTF", OS_BTF, NULL, NULL);
	else
		add(c, FINDING_NOTE, "BTF", NULL,
		    "no types of the kernel: trace cannot use its fast capture, nor record "
		    "--off-cpu", os_without_sysfs(c->os) ? MOUNT_SYSFS :
		    OTHER_KERNEL " (Debian's have CONFIG_DEBUG_INFO_BTF=y)");
	str_release(&s);
}

static void check_debuginfod(const struct checks *c)
{
	const struct build_option *o = build_option_find("debuginfod", NULL);

	if (!build_option_is_on(o))
		return;		/* said with what this perf was built without */
	if (c->debuginfod_urls && *c->debuginfod_urls)
		add(c, FINDING_OK, "debuginfod", c->debuginfod_urls, NULL, NULL);
	else
		add(c, FINDING_NOTE, "debuginfod", NULL,
		    "debug symbols that are not installed are asked for nowhere",
		    "export DEBUGINFOD_URLS=https://debuginfod.debian.net");
}

/* ---- opening events ---- */

static void check_open(const struct checks *c)
{
	struct err err = ERR_INIT;
	char *fix;

	if (c->os->fake && !os_call_is_filtered(c->os, OS_PERF_EVENT_OPEN))
		return;
	if (!try_open(c->os, "cpu-clock:u", &err)) {
		add(c, FINDING_OK, "perf_event_open", NULL, NULL, NULL);
		return;
	}
	fix = err.hint ? command_of(err.hint) : NULL;
	add(c, FINDING_BAD, "perf_event_open", NULL, err.msg, fix);
	free(fix);
	err_release(&err);
}

/* The PMUs of CPUs are called cpu, cpu_core, armv8_pmuv3_0 ...; all have type files. */
static bool is_cpu_pmu(const char *name)
{
	return !strcmp(name, "cpu") || str_has_prefix(name, "cpu_") ||
		str_has_prefix(name, "armv");
}

static void check_pmu(const struct checks *c)
{
	struct str found = STR_INIT;
	os_names names = { 0 };

	os_list_dir(c->os, "/sys/bus/event_source/devices", &names, NULL);
	for vec_each(name, &names) {
		if (!is_cpu_pmu(*name))
			continue;
		str_add(&found, found.len ? "," : "");
		str_add(&found, *name);
	}
	os_names_release(&names);
	if (found.len && (c->os->fake || !try_open(c->os, "instructions:u", NULL)))
		add(c, FINDING_OK, "PMU", str_cstr(&found), NULL, NULL);
	else
		add(c, FINDING_NOTE, "PMU", found.len ? str_cstr(&found) : NULL,
		    "no hardware counters: cycles, instructions and cache events cannot be counted",
		    os_without_sysfs(c->os) ? MOUNT_SYSFS :
		    "virtual machine: let its host pass the PMU (qemu -cpu host,pmu=on); until "
		    "then: perf record -e cpu-clock");
	str_release(&found);
}

/* ---- what was built ---- */

static const struct { const char *name, *what; } wanted[] = {
	{ "PERF_EVENTS", "nothing can be measured" },
	{ "KALLSYMS", "functions of the kernel have no names" },
	{ "FTRACE_SYSCALLS", "system calls have no events: trace, syscalls:*" },
	{ "KPROBE_EVENTS", "no probes in the kernel: probe" },
	{ "UPROBE_EVENTS", "no probes in programs: probe -x" },
	{ "BPF_SYSCALL", "no BPF programs: the fast capture of trace, record --off-cpu" },
	{ "DEBUG_INFO_BTF", "no types of the kernel for BPF programs" },
	{ "SCHEDSTATS", "no statistics of the scheduler: sched stats" },
	{ "PROC_KCORE", "the kernel's code cannot be annotated as it runs" },
};

static int read_config(const struct os *os, struct str *out)
{
	struct str raw = STR_INIT;
	bool packed = false;
	size_t n = 0;
	u8 *text = NULL;
	int ret = os_kernel_config(os, &raw, &packed, NULL);

	if (!ret && packed)
		ret = inflate_gz(raw.buf, raw.len, &text, &n);
	if (!ret)
		str_addn(out, packed ? (char *)text : raw.buf, packed ? n : raw.len);
	free(text);
	str_release(&raw);
	return ret;
}

static bool config_has(const struct str *config, const char *option)
{
	char *line = xasprintf("\nCONFIG_%s=", option);
	const char *at = strstr(str_cstr(config), line);
	const bool has = at || str_has_prefix(str_cstr(config), line + 1);

	free(line);
	return has;
}

static void check_config(const struct checks *c)
{
	struct str config = STR_INIT;
	bool all = true;

	if (read_config(c->os, &config)) {
		add(c, FINDING_NOTE, "kernel config", NULL,
		    "not known: neither /boot nor /proc/config.gz has it",
		    "sudo modprobe configs || sudo apt-get install linux-image-$(uname -r)");
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		char *name = xasprintf("CONFIG_%s", wanted[i].name);
		char *fix = xasprintf(OTHER_KERNEL " (Debian's have %s=y)", name);

		if (!config_has(&config, wanted[i].name)) {
			add(c, i ? FINDING_NOTE : FINDING_BAD, name, "n", wanted[i].what, fix);
			all = false;
		}
		free(name);
		free(fix);
	}
	if (all)
		add(c, FINDING_OK, "kernel config", NULL, NULL, NULL);
	str_release(&config);
}

/* One finding a library, with the names of "perf check feature" that it brings. */
static void check_built(const struct checks *c)
{
	size_t n, missing = 0;
	const struct build_option *o = build_options(&n);

	for (size_t i = 0; i < n; i++) {
		const char *package = build_option_package(&o[i]);
		bool first = package && !build_option_is_on(&o[i]);
		struct str names = STR_INIT;
		char *fix;

		for (size_t k = 0; k < i && first; k++)
			first = !o[k].library || strcmp(o[k].library, o[i].library);
		if (!first)
			continue;
		for (size_t k = i; k < n; k++)
			if (o[k].library && !strcmp(o[k].library, o[i].library))
				str_addf(&names, "%s%s", names.len ? "," : "", o[k].name);
		fix = xasprintf("install %s and build perf again", package);
		add(c, FINDING_NOTE, "perf check feature", str_cstr(&names),
		    "this perf was built without", fix);
		free(fix);
		str_release(&names);
		missing++;
	}
	if (!missing)
		add(c, FINDING_OK, "perf check feature", "all", NULL, NULL);
}

static void (*const all_checks[])(const struct checks *c) = {
	check_open, check_paranoid, check_kptr, check_mlock, check_rate, check_max_stack,
	check_pmu, check_watchdog, check_lockdown, check_tracefs, check_bpf, check_btf,
	check_config, check_fds, check_debuginfod, check_built,
};

void checks_run(struct table *findings, struct os *os, const char *debuginfod_urls)
{
	const struct checks c = { findings, os, debuginfod_urls };

	for (size_t i = 0; i < ARRAY_SIZE(all_checks); i++)
		all_checks[i](&c);
}
