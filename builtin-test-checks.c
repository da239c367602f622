// SPDX-License-Identifier: GPL-2.0-or-later
// The checks of perf test. Each records a workload that predicts its own profile and looks for
// that in the report.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-test.h"
#include "util/base/io.h"
#include "util/base/num.h"
#include "util/base/outfile.h"
#include "util/os/os.h"
#include "util/os/run.h"
#include "util/symbols/dso.h"

#define OUTPUT_MAX (64u << 20)
#define WORDS_MAX 24

static enum check_status failed(struct check_run *r, const char *text)
{
	str_addf(&r->reason, "%s", text);
	return CHECK_FAILED;
}

/* Runs this perf with these words (separated by blanks); what it prints goes to r->out and the
 * log. Its exit status. */
static int perf(struct check_run *r, const char *words)
{
	const struct outfile_opts log = { .how = OUTFILE_LIVE, .mode = 0600 };
	char *text = xstrdup(words), *rest = text, *word;
	const char *argv[WORDS_MAX + 1] = { "perf" };
	const int out = outfile_fd("output", &log, NULL);
	int n = 1, status = -1;

	while ((word = strsep(&rest, " ")) && n < WORDS_MAX)
		argv[n++] = word;
	str_addf(&r->log, "$ perf %s\n", words);
	if (out >= 0)
		status = run_program(&(struct run_opts){ .argv = argv, .file = r->perf,
							 .out_fd = out, .err_fd = out }, NULL);
	if (out >= 0)
		close(out);
	free(text);
	str_reset(&r->out);
	io_read_file("output", OUTPUT_MAX, &r->out, NULL);
	str_add(&r->log, str_cstr(&r->out));
	return status < 0 ? 126 : status;
}

/* The first line that tells why: the reason of a skip where this user may not, of a failure
 * otherwise. */
static enum check_status refused(struct check_run *r)
{
	const char *out = str_cstr(&r->out);
	bool may_not = strcasestr(out, "permission") || strcasestr(out, "root") ||
		strcasestr(out, "not permitted");

	str_addn(&r->reason, out, strcspn(out, "\n"));
	return may_not ? CHECK_SKIP : CHECK_FAILED;
}

static bool says(const struct check_run *r, const char *text)
{
	return strstr(str_cstr(&r->out), text) != NULL;
}

static enum check_status check_symbols(struct check_run *r)
{
	struct symbols_opts opts = { .buildid_dir = "" };
	struct os os;
	struct dso_store *store;
	const struct symbol *sym;
	struct dso *d;
	size_t n, bad = 0;

	os_init(&os);
	store = dso_store_new(&os, &opts);
	d = dso_get(store, &(struct dso_key){ .kind = DSO_FILE, .path = r->dso ? r->dso :
					      r->perf });
	n = dso_symbols(d, &sym);
	for (size_t i = 0; i < n; i++) {
		dso_find(d, sym[i].start_rva);		/* its name is final then */
		str_addf(&r->log, " %llx-%llx %s\n", (unsigned long long)sym[i].start_rva,
			 (unsigned long long)sym[i].end_rva,
			 sym[i].name);
		bad += sym[i].start_rva >= sym[i].end_rva ||
			(i && sym[i].start_rva < sym[i - 1].start_rva);
	}
	if (!n)
		str_addf(&r->reason, "no symbols: %s", dso_reason(d) ? dso_reason(d) :
			 "none in the file");
	else if (bad)
		str_addf(&r->reason, "%zu of %zu symbols are empty or out of order", bad, n);
	dso_store_free(store);
	os_release(&os);
	return !n || bad ? CHECK_FAILED : CHECK_OK;
}

static enum check_status check_util(struct check_run *r)
{
	int_vec cpus = { 0 };
	struct str list = STR_INIT;
	u64 bytes, ns;
	bool ok = parse_size("16M", &bytes) && bytes == 16 << 20 &&
		parse_duration("1.5ms", 1, &ns) && ns == 1500000 &&
		  !parse_int_list("7,0-3,2", &cpus, NULL);

	if (ok) {
		str_add_int_list(&list, cpus.v, cpus.n);
		ok = !strcmp(str_cstr(&list), "0-3,7");
	}
	vec_free(&cpus);
	str_release(&list);
	return ok ? CHECK_OK : failed(r, "sizes, durations or lists are not read as they are "
					 "written");
}

static enum check_status check_kallsyms(struct check_run *r)
{
	if (perf(r, "kallsyms schedule"))
		return refused(r);
	return says(r, "schedule: [kernel] ") ? CHECK_OK :
		failed(r, "the kernel's function schedule is not found");
}

static enum check_status check_stat(struct check_run *r)
{
	if (perf(r, "stat -x, -e task-clock:u,page-faults:u -- true"))
		return refused(r);
	return says(r, ",task-clock:u,") && says(r, ",page-faults:u,") && !says(r, "<not ") ?
		CHECK_OK :
		failed(r, "software events are not counted");
}

static enum check_status check_record(struct check_run *r)
{
	if (perf(r, "record -o data -e cpu-clock:u -F 1000 -- perf-self test -w noploop 0.2"))
		return refused(r);
	if (perf(r, "report -i data --stdio --percent-limit 50"))
		return refused(r);
	return says(r, "[.] noploop") ? CHECK_OK :
		failed(r, "noploop has less than half of its own samples");
}

static enum check_status chains(struct check_run *r, const char *record)
{
	if (perf(r, record))
		return refused(r);
	if (perf(r, "report -i data --stdio --no-children -g folded,0.5,caller --percent-limit 50"))
		return refused(r);
	return says(r, "leafloop;parent;leaf") ? CHECK_OK :
		failed(r, "the call chain leafloop;parent;leaf is not whole");
}

static enum check_status check_fp_chains(struct check_run *r)
{
	return chains(r, "record -o data -g -e cpu-clock:u -F 1000 -- perf-self test -w leafloop "
			 "0.2");
}

static enum check_status check_dwarf_chains(struct check_run *r)
{
	return chains(r, "record -o data --call-graph dwarf -e cpu-clock:u -F 1000 -- perf-self "
			 "test -w leafloop 0.2");
}

static enum check_status check_tracepoints(struct check_run *r)
{
	if (perf(r, "stat -x, -e syscalls:sys_enter_landlock_add_rule -- perf-self test -w "
		    "landlock")) {
		if (!says(r, "from Linux 5.13 on"))
			return refused(r);
		str_add(&r->reason, "this kernel has no landlock, which is what is counted");
		return CHECK_SKIP;
	}
	return !strncmp(str_cstr(&r->out), "2,", 2) ? CHECK_OK :
		failed(r, "2 system calls are not counted as 2");
}

static enum check_status check_trace(struct check_run *r)
{
	if (perf(r, "trace -e landlock_add_rule -- perf-self test -w landlock"))
		return refused(r);
	return says(r, "landlock_add_rule(") ? CHECK_OK : failed(r, "a system call is not traced");
}

static enum check_status check_sched(struct check_run *r)
{
	if (perf(r, "sched record -o data -- perf-self test -w context_switch_loop 50"))
		return refused(r);
	if (perf(r, "sched latency -i data"))
		return refused(r);
	return says(r, "proc1:") && says(r, "proc2:") ? CHECK_OK :
		failed(r, "two tasks that wake each other are not seen");
}

const struct machine_check machine_checks[] = {
	{ "Symbols", check_symbols },
	{ "Numbers and lists (util)", check_util },
	{ "Kernel symbols", check_kallsyms },
	{ "Counting software events", check_stat },
	{ "Sampling, and the report of it", check_record },
	{ "Call chains by frame pointers", check_fp_chains },
	{ "Call chains by DWARF", check_dwarf_chains },
	{ "Counting a tracepoint", check_tracepoints },
	{ "Tracing system calls", check_trace },
	{ "Recording the scheduler", check_sched },
	{ NULL, NULL }
};
