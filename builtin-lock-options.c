// SPDX-License-Identifier: GPL-2.0-or-later
// The options of perf lock contention, those that lock futex has too, and which go together.
#include <errno.h>

#include "builtin-lock.h"
#include "util/cli/error.h"
#include "util/cli/options.h"

static int refuse_delay(const struct opt_use *u UNUSED, struct err *err)
{
	return err_set(err, ENOTSUP, "delays are not injected: who holds a lock of the kernel is "
		       "not held up by a tool that only looks");
}

#define F struct lock_live
const struct option_def lock_live_options[] = {
	OPT_FLAG('a', "all-cpus", F, target.system_wide,
		 "of what happens now: all tasks (default without a command, -p and --tid)"),
	OPT_STRING('C', "cpu", F, target.cpu_list, "cpu",
		   "of what happens now: only waits that begin on these CPUs"),
	OPT_STRING('p', "pid", F, target.pid, "pid", "of what happens now: these processes"),
	OPT_STRING(0, "tid", F, target.tid, "tid", "of what happens now: these threads"),
	OPT_STRING('G', "cgroup-filter", F, cgroups, "cgroup[,cgroup...]",
		   "of what happens now: only tasks in these cgroups, and in those below them"),
	OPT_U64('M', "map-nr-entries", F, n_entries, "n",
		"of what happens now: room for so many different waits (default: 16384)"),
	OPT_END
};
#undef F

const struct option_def lock_choice_options[] = {
	OPT_STRING('k', "key", struct lock_choice, key, "field",
		   "sort rows by one of: " LOCK_FIELDS " (default: wait_total)"),
	OPT_STRING('F', "field", struct lock_choice, fields, "field[,field...]",
		   "show these columns: " LOCK_FIELDS),
	OPT_END
};

#define F struct lock_cmd
const struct option_def lock_contention_options[] = {
	OPT_FLAG('b', "use-bpf", F, live.use_bpf,
		 "have BPF programs sum up in the kernel what happens now, while the command\n"
		 "runs, or until Ctrl-C, instead of reading a recording"),
	OPT_FLAG('t', "threads", F, by_task, "a row for each thread that waited"),
	OPT_FLAG('l', "lock-addr", F, by_lock, "a row for each lock"),
	OPT_FLAG('o', "lock-owner", F, by_owner,
		 "with -b: a row for each thread that had the lock when others began to wait\n"
		 "for it (of mutexes, and of rwsems and rt-mutexes that are held for writing);\n"
		 "with -v instead a row for each call chain that these threads had then"),
	OPT_FLAG(0, "lock-cgroup", F, by_cgroup,
		 "with -b: a row for each cgroup whose tasks waited"),
	OPT_FLAG(0, "percentiles", F, opts.percentiles,
		 "also the times that 50, 95 and 99% of the waits are not above (of a recording)"),
	OPT_INT('E', "entries", F, view.n_rows, "n", "show at most so many rows"),
	OPT_STRING('Y', "type-filter", F, opts.types, "type[,type...]",
		   "only locks of these types: spinlock, rwlock, rwlock:R, rwlock:W, mutex,\n"
		   "rt-mutex, rwsem, rwsem:R, rwsem:W, pcpu-sem, pcpu-sem:R, pcpu-sem:W,\n"
		   "semaphore"),
	OPT_STRING('L', "lock-filter", F, opts.locks, "lock[,lock...]",
		   "only these locks, by address or symbol"),
	OPT_STRING('S', "callstack-filter", F, opts.callers, "name[,name...]",
		   "only waits with a function in the call chain whose name has one of these"),
	OPT_INT(0, "max-stack", F, opts.max_stack, "n",
		"frames of the call chain that tell callers apart (default: 8)"),
	OPT_INT(0, "stack-skip", F, opts.stack_skip, "n",
		"frames to skip before the caller is looked for (default: 0: the functions\n"
		"of the locks themselves are skipped in any case)"),
	OPT_STRING('x', "field-separator", F, sep, "separator",
		   "print lines of values with this separator between them"),
	OPT_CALL('J', "inject-delay", "time@function", refuse_delay,
		 "of other versions: delays in the kernel (not supported)"),
	OPT_END
};
#undef F

static int refuse(const char *what, const char *hint)
{
	struct err err = ERR_INIT;
	int ret;

	err_set(&err, EINVAL, "%s", what);
	err_hint(&err, "%s", hint);
	ret = cli_error(&err);
	err_release(&err);
	return ret;
}

int lock_check_live(const struct lock_cmd *c, int n)
{
	const struct lock_live *v = &c->live;
	const struct { const char *name; bool given; } only[] = {
		{ "-a", v->target.system_wide }, { "-C", v->target.cpu_list },
		{ "-p", v->target.pid }, { "--tid", v->target.tid }, { "-G", v->cgroups },
		{ "-M", v->n_entries }, { "--lock-owner", c->by_owner },
		{ "--lock-cgroup", c->by_cgroup }, { "a command", n > 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(only) && !v->use_bpf; i++)
		if (only[i].given) {
			struct str what = STR_INIT;
			int ret;

			str_addf(&what, "%s is for what happens now, not for a recording",
				 only[i].name);
			ret = refuse(str_cstr(&what), "add -b; or record what you look for with "
						      "perf lock record");
			str_release(&what);
			return ret;
		}
	if (v->use_bpf && c->in.path)
		return refuse("-b watches what happens now, -i reads a recording",
			      "leave one of them out");
	if (v->n_entries > LOCK_MAX_ENTRIES)
		return refuse("-M: there is no room for so many waits", "at most 16777216");
	return 0;
}
