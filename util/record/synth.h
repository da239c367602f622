/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_SYNTH_H
#define RECORD_SYNTH_H
/*
 * What was there before the recording began, as the records that the kernel would have written: the
 * kernel's and the modules' mappings, every task's FORK, COMM, NAMESPACES, its executable mappings,
 * and the cgroups. All have time 0, pid and tid of the task in their trailing id. A task that ends
 * while it is read is counted and left out from there on.
 */
#include "util/base/hash.h"
#include "util/os/os.h"
#include "util/symbols/module-file.h"
#include "util/wire/wire.h"

/* rec is borrowed for the call. Non-zero stops the synthesis and is returned. */
typedef int (*synth_emit)(void *ctx, const struct perf_event_header *rec);

struct synth {
	const struct os *os;
	/* whose sample_id_all layout the records get; NULL: without trailing id */
	const struct perf_event_attr *attr;
	synth_emit emit;
	void *ctx;
	unsigned maps_timeout_ms;		/* for one process's maps; 0: none */
	bool data_maps;				/* mappings that are not executable, too (-d) */
	bool no_maps;				/* only tasks */
	bool namespaces;
	/* the kernel's and modules' build-ids in their mappings */
	bool build_ids;
	/* files' build-ids in executable mappings, as the kernel writes them */
	bool file_ids;

	/* results */
	u64 n_records, n_tasks;
	u64 n_gone;				/* tasks that ended meanwhile */
	u64 n_timeouts;				/* maps that were cut by the time limit */
	pid_t timeout_pid;			/* the first of those */
	bool kernel_hidden;			/* kernel addresses read as 0: kptr_restrict */

	u64 time_ns;				/* of modules' mappings: from when on they hold */
	/* where modules' files are; dep has a length once it was looked for */
	struct str modules_dir, modules_dep;
	/* of files by device and inode: each is read once; see synth_release() */
	struct hmap ids;
};

/* What /proc/modules tells: va 0 where addresses are hidden. The end is clipped to the next
 * module's start: since 6.4 the size counts data that lies elsewhere. */
struct module_place { char *name; u64 start_va, end_va; bool loading; };
typedef VEC(struct module_place) module_list;
/* -errno: this kernel has no modules. */
int module_list_read(const struct os *os, module_list *out);
void module_list_release(module_list *l);

void synth_release(struct synth *s);
/* Kernel and modules. Hidden addresses are no error: kernel_hidden tells. */
int synth_kernel(struct synth *s);
/* One module. */
int synth_module(struct synth *s, const struct module_place *p);
/* The code that it runs only while it is loaded, which lies apart and is freed then, but reported
 * by /sys as long as the module is there. false: it has none, or nobody tells. */
struct synth_init { u64 start_va; struct module_init code; struct build_id id; };
bool synth_init_read(struct synth *s, const struct module_place *p, struct synth_init *out);
void synth_init_release(struct synth_init *in);
/* A mapping named "[NAME.init.text]", and a KSYMBOL for each function. */
int synth_init_put(struct synth *s, const struct module_place *p, const struct synth_init *in);
/* BPF programs that are loaded already, as KSYMBOL records. */
int synth_bpf(struct synth *s);
/* The same of the kernel's other code that it made itself: trampolines, the pages of kprobes. */
int synth_trampolines(struct synth *s);
/* One process with all its threads; -ESRCH when it is gone before anything was read. */
int synth_process(struct synth *s, pid_t pid, struct err *err);
/* All processes. */
int synth_tasks(struct synth *s, struct err *err);
/* A COMM for a task that waits for its exec, so that what it does before has a name. */
int synth_comm(struct synth *s, pid_t pid, const char *comm);
/* Every cgroup of the hierarchy that perf_event uses (--all-cgroups). */
int synth_cgroups(struct synth *s, struct err *err);

/* "relative/path/of/module.ko.xz" of modules.dep text by module name ('-' and '_' are the same);
 * false: not in it. */
bool synth_module_path(const char *modules_dep, const char *name, struct str *out);

#endif
