// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/groups.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/num.h"
#include "util/elf/symfs.h"

static const struct option_def target_options[] = {
	OPT_FLAG('a', "all-cpus", struct target, system_wide,
		 "watch all processes on all CPUs"),
	OPT_STRING('C', "cpu", struct target, cpu_list, "cpu", "watch only these CPUs (0-3,8)"),
	OPT_STRING('p', "pid", struct target, pid, "pid", "watch these processes, by id"),
	OPT_STRING('t', "tid", struct target, tid, "tid", "watch these threads, by id"),
	OPT_STRING('u', "uid", struct target, user, "user", "watch the processes of this user"),
	OPT_FLAG(0, "per-thread", struct target, per_thread,
	     "count each thread, in buffers of its own"),
	OPT_END
};

struct option_table cli_target_group(struct target *t)
{
	return (struct option_table){ target_options, t };
}

const char *cli_debuginfod_urls(const struct opt_use *u)
{
	const char *urls = u->arg && strcmp(u->arg, "system") ? u->arg : NULL;

	if (u->unset)
		return NULL;
	if (urls)
		setenv("DEBUGINFOD_URLS", urls, 1);	/* the only way to tell libdebuginfod */
	return urls ? urls : getenv("DEBUGINFOD_URLS");
}

static int set_debuginfod(const struct opt_use *u, struct err *err)
{
	struct symbols_opts *o = u->base;

	(void)err;
	o->debuginfod_urls = cli_debuginfod_urls(u);
	return 0;
}

/* Modules are always read where the kernel is: old recipes still say -m. */
static int accept_only(const struct opt_use *u, struct err *err)
{
	(void)u;
	(void)err;
	return 0;
}

static int set_symfs(const struct opt_use *u, struct err *err)
{
	struct symbols_opts *o = u->base;

	o->symfs = u->unset ? NULL : u->arg;
	return o->symfs ? symfs_check(o->symfs, err) : 0;
}

/* Without the file there would be no names, or worse ones, without a word. */
static int set_names_file(const struct opt_use *u, const char **to, struct err *err)
{
	struct stat st;

	*to = u->unset ? NULL : u->arg;
	if (u->unset)
		return 0;
	if (stat(u->arg, &st) < 0)
		return err_set(err, errno, "cannot read the kernel's symbols from '%s': %s", u->arg,
			       strerror(errno));
	if (S_ISDIR(st.st_mode))	/* all else is meant: /dev/null for none, <(...) */
		return err_set(err, EISDIR, "cannot read the kernel's symbols from '%s': %s",
			       u->arg, strerror(EISDIR));
	return 0;
}

static int set_vmlinux(const struct opt_use *u, struct err *err)
{
	return set_names_file(u, &((struct symbols_opts *)u->base)->vmlinux, err);
}

static int set_kallsyms(const struct opt_use *u, struct err *err)
{
	return set_names_file(u, &((struct symbols_opts *)u->base)->kallsyms, err);
}

static const struct option_def symbols_options[] = {
	OPT_CALL_NO('k', "vmlinux", "file", set_vmlinux,
	     "read the kernel's symbols from this vmlinux file"),
	OPT_CALL_NO(0, "kallsyms", "file", set_kallsyms,
	     "read the kernel's symbols from this copy of /proc/kallsyms"),
	OPT_CALL_NO(0, "symfs", "directory[,layout]", set_symfs,
		    "look for files below this directory, by path (or by name: DIR,flat)"),
	OPT_FLAG(0, "ignore-vmlinux", struct symbols_opts, ignore_vmlinux,
		 "do not read a vmlinux file, even if there is one"),
	OPT_FLAG(0, "no-demangle", struct symbols_opts, no_demangle,
		 "show C++ and Rust names as the file has them"),
	OPT_CALL_OPTARG_NO(0, "debuginfod", "urls", NULL, set_debuginfod,
			"fetch missing files from these servers (default: DEBUGINFOD_URLS)"),
	OPT_CALL_NO('m', "modules", NULL, accept_only, "read the symbols of modules (always on)"),
	OPT_CALL_NO(0, "addr2line", "path", accept_only,
		    "accepted: source lines are read without it"),
	OPT_CALL_NO(0, "addr2line-style", "style", accept_only, "accepted: see --addr2line"),
	OPT_CALL_NO(0, "demangle-kernel", NULL, accept_only,
		    "accepted: the kernel's symbols are demangled as all others"),
	OPT_END
};

/* Without a terminal only what the user should know: that names may be missing, and how to go
 * without. */
void cli_show_fetching(const struct fetch_state *st)
{
	const char *term = getenv("TERM");
	const bool line = isatty(STDERR_FILENO) && term && strcmp(term, "dumb");
	struct str s = STR_INIT;

	if (line)
		str_add(&s, "\r\033[K");
	if (st->just_gave_up)
		str_addf(&s, "debuginfod: no answer from %s in %u s: not asked again "
			     "(--no-debuginfod does without)\n", st->urls,
			 st->seconds);
	else if (line && st->n_answered < st->n_asked && st->seconds)
		str_addf(&s, "debuginfod: %u of %u files, %llu KB, %u s", st->n_answered,
			 st->n_asked,
			 (unsigned long long)(st->bytes >> 10), st->seconds);
	if (s.len)
		fputs(str_cstr(&s), stderr);
	str_release(&s);
}

struct option_table cli_symbols_group(struct symbols_opts *o)
{
	o->fetching = cli_show_fetching;
	if (!o->debuginfod_urls)	/* whoever sets it wants it, as in gdb */
		o->debuginfod_urls = getenv("DEBUGINFOD_URLS");
	return (struct option_table){ symbols_options, o };
}

static const struct option_def guests_options[] = {
	OPT_STRING(0, "guestkallsyms", struct stream_guests, kallsyms, "file",
		   "the symbols of guests' kernels: a guest's /proc/kallsyms"),
	OPT_STRING(0, "guestmodules", struct stream_guests, modules, "file",
		   "where the modules of guests are: a guest's /proc/modules"),
	OPT_STRING(0, "guestmount", struct stream_guests, mount, "directory",
		   "the root directories of guests, each as the number of its hypervisor's "
		   "process"),
	OPT_STRING(0, "guestvmlinux", struct stream_guests, vmlinux, "file",
		   "the kernel of guests"),
	OPT_END
};

struct option_table cli_guests_group(struct stream_guests *o)
{
	return (struct option_table){ guests_options, o };
}

static const struct option_def filter_options[] = {
	OPT_STRING('c', "comms", struct stream_filter, comms, "comm[,comm...]",
		   "only samples of tasks with these names"),
	OPT_STRING('C', "cpu", struct stream_filter, cpus, "cpu",
	     "only samples of these CPUs (0-3,8)"),
	OPT_STRING('S', "symbols", struct stream_filter, symbols, "symbol[,symbol...]",
		   "only samples in these functions"),
	OPT_STRING(0, "dsos", struct stream_filter, dsos, "dso[,dso...]",
		   "only samples in these files"),
	OPT_STRING(0, "pid", struct stream_filter, pids, "pid[,pid...]",
		   "only samples of these processes"),
	OPT_STRING(0, "tid", struct stream_filter, tids, "tid[,tid...]",
		   "only samples of these threads"),
	OPT_STRING(0, "time", struct stream_filter, time, "str",
		   "only this span of time: start,stop (in s; or percentages: 10%-20%)"),
	OPT_STRING(0, "symbol-filter", struct stream_filter, symbol_substr, "filter",
		   "only rows of functions whose names contain this text"),
	OPT_WHERE(struct stream_filter, where),
	OPT_END
};

struct option_table cli_filter_group(struct stream_filter *f)
{
	return (struct option_table){ filter_options, f };
}

static int set_itrace(const struct opt_use *u, bool report, struct err *err)
{
	struct itrace_opts *o = u->base;

	if (u->unset) {
		*o = (struct itrace_opts){ .none = true };
		return 0;
	}
	return itrace_opts_parse(o, u->arg, report, err);
}

static int set_itrace_report(const struct opt_use *u, struct err *err)
{
	return set_itrace(u, true, err);
}

static int set_itrace_text(const struct opt_use *u, struct err *err)
{
	return set_itrace(u, false, err);
}

#define ITRACE_HELP(defaults) \
	"what is made of a trace of Intel PT: i[PERIOD] instructions, y cycles, b branches, " \
	"c calls, r returns, x transactions, w ptwrite, p power, e errors; of ARM SPE: i, b, " \
	"f L1, m LLC, t TLB, a remote, M memory; with g, l, q, A, s; G, L: g and l of all " \
	"other events; d: a log " \
	"(default: " defaults "); --no-itrace: nothing"

static const struct option_def itrace_report_options[] = {
	OPT_CALL_OPTARG_NO(0, "itrace", "opts", NULL, set_itrace_report, ITRACE_HELP("iygGxwpe")),
	OPT_END
}, itrace_text_options[] = {
	OPT_CALL_OPTARG_NO(0, "itrace", "opts", NULL, set_itrace_text, ITRACE_HELP("cepwx")),
	OPT_END
};

struct option_table cli_itrace_group(struct itrace_opts *o, bool report)
{
	itrace_opts_default(o, report);
	return (struct option_table){ report ? itrace_report_options : itrace_text_options, o };
}

static int set_threads(const struct opt_use *u, struct err *err)
{
	struct stream_opts *o = u->base;
	int n = 0;

	if (u->arg && (!parse_int(u->arg, &n) || n < 0 || n > 1024))
		return err_set(err, EINVAL, "not a number of threads (0 to 1024): '%s'", u->arg);
	o->threads = (unsigned)n;
	return 0;
}

static const struct option_def stream_options[] = {
	OPT_INT(0, "max-stack", struct stream_opts, max_frames, "n",
		"show at most n functions of a call chain"),
	OPT_FLAG(0, "no-inline", struct stream_opts, no_inline, "do not show inlined functions"),
	OPT_STRING(0, "unwind", struct stream_opts, unwind_engine, "cfi|fp|libdw|libunwind",
		   "how to unwind recorded stacks (default: cfi)"),
	/* as upstream spells it */
	{ .name = "unwind-style", .kind = OPT_KIND_STRING, .flags = OPT_HIDDEN,
	  .off = offsetof(struct stream_opts, unwind_engine),
	  .arg = "libdw,libunwind", .help = "" },
	OPT_CALL_NO(0, "jobs", "n", set_threads,
		    "worker threads for reading the file (default: one per CPU)"),
	OPT_END
};

struct option_table cli_stream_group(struct stream_opts *o)
{
	return (struct option_table){ stream_options, o };
}

const char *cli_separator(const char *text) { return text && !strcmp(text, "\\t") ? "\t" : text; }

static int check_output(const struct table_output *o, struct err *err)
{
	return o->sep && o->json ? err_set(err, EINVAL,
					   "CSV (-x, --field-separator) and --json exclude each "
					   "other") : 0;
}

static int set_separator(const struct opt_use *u, struct err *err)
{
	struct table_output *o = u->base;

	if (u->arg && !*u->arg)
		return err_set(err, EINVAL, "a separator is one character or more");
	o->sep = cli_separator(u->arg);
	return check_output(o, err);
}

static int set_json(const struct opt_use *u, struct err *err)
{
	struct table_output *o = u->base;

	o->json = !u->unset;
	return check_output(o, err);
}

static const struct option_def output_options[] = {
	OPT_CALL_NO('x', "field-separator", "separator", set_separator,
		    "print CSV, with this separator (\\t: a tab)"),
	OPT_CALL_NO(0, "json", NULL, set_json, "print JSON"),
	OPT_END
};

struct option_table cli_output_group(struct table_output *o)
{
	return (struct option_table){ output_options, o };
}
