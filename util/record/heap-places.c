// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Invariants:
 * 1. What is known of files and processes is under the lock: records come in the recorder's thread,
 *    executed programs in that of the gate. Nothing is executed, and no probe taken away, while it
 *    is held: the one would wait for the gate, the other takes the kernel 20 ms and more.
 * 2. A process is probed in all files that its parent is, when its FORK comes, or when it executes
 *    a program, whichever is first; so what it executes is probed from its beginning on, if it maps
 *    these files.
 */
#include "util/record/heap-places.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/pool.h"
#include "util/base/rd.h"
#include "util/os/exec-gate.h"
#include "util/os/procfs.h"
#include "util/os/run.h"
#include "util/record/heap-procs.h"
#include "util/symbols/allocator.h"

#define MAX_SCRIPTS 4		/* that are the interpreters of each other */
#define PROT_EXEC_BIT 4
#define MAX_ANCESTORS 4		/* whose FORK has not come yet */
#define CLOSE_THREADS 16	/* the kernel waits for all of them at the same time */
#define CLOSE_AT_ONCE 64

/* One binary; n 0: it allocates nothing. path: of one of the processes, which ends, perhaps, before
 * another one begins; so it is held open. */
struct place {
	char *path;
	int fd;			/* -1: n is 0 */
	u64 *offs, *cookies;
	size_t n;
};

struct heap_places {
	struct heapprog *programs;
	const struct os *os;
	bool all, began;
	struct strmap ids;		/* identity -> place + 1 */
	VEC(struct place) files;
	VEC(u32) early;			/* files that all are probed in, whether they map them */
	struct heap_procs procs;	/* with all: 0 */
	struct exec_gate *gate;		/* NULL: programs are probed after they began */
	int_vec closing;		/* probes of processes that have ended */
	pthread_mutex_t lock;
	struct err failure;
	u64 n_probed, n_late;
	char *late;
};

/* Of an ended process there are no calls any more, but each probe of a function costs all that call
 * it. */
static void close_one(void *ctx, size_t i, unsigned worker UNUSED)
{
	close(((const int_vec *)ctx)->v[i]);
}

static void close_all(int_vec *fds)
{
	struct pool *pool = pool_new((unsigned)MIN(fds->n, (size_t)CLOSE_THREADS));

	pool_run(pool, fds->n, close_one, fds);
	pool_free(pool);
	vec_free(fds);
}

void heap_places_free(struct heap_places *p)
{
	if (!p)
		return;
	exec_gate_free(p->gate);
	heap_procs_take(&p->procs, &p->closing);
	if (p->closing.n)
		close_all(&p->closing);
	heap_procs_release(&p->procs);
	for vec_each(f, &p->files) {
		if (f->fd >= 0)
			close(f->fd);
		free(f->path);
		free(f->offs);
		free(f->cookies);
	}
	vec_free(&p->files);
	vec_free(&p->early);
	free(p->late);
	strmap_release(&p->ids);
	err_release(&p->failure);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

const struct err *heap_places_failure(const struct heap_places *p)
{
	return p->failure.msg ? &p->failure : NULL;
}

u64 heap_places_probed(const struct heap_places *p)
{
	return p->n_probed;
}

u64 heap_places_late(const struct heap_places *p, const char **name)
{
	*name = p->late;
	return p->n_late;
}

void heap_places_begin(struct heap_places *p)
{
	p->began = true;
}

/* ---- files ---- */

static u64 cookie_of(const struct allocator_function *f)
{
	static const u8 what[] = {
		[ALLOCATOR_ALLOC] = HEAP_ALLOC, [ALLOCATOR_CALLOC] = HEAP_CALLOC,
		[ALLOCATOR_REALLOC] = HEAP_REALLOC, [ALLOCATOR_MEMALIGN] = HEAP_MEMALIGN,
		[ALLOCATOR_POSIX_MEMALIGN] = HEAP_POSIX_MEMALIGN, [ALLOCATOR_FREE] = HEAP_FREE,
	};

	return what[f->what] | (f->nests ? HEAP_NESTS : 0u);
}

/* Who executes what is loaded by it waits for its probes. */
static void watch_loader(struct heap_places *p, const char *path)
{
	char *loader = p->gate ? allocator_loader(path) : NULL;

	if (loader)
		exec_gate_add(p->gate, loader);
	free(loader);
}

/* One inode is one file, whatever its names are: a function must not be probed twice. What cannot
 * be read allocates nothing: maps of fonts and the like are no ELF files.
 * UINT32_MAX: it is gone. */
static u32 file_of(struct heap_places *p, const char *path)
{
	allocator_functions found = { NULL, 0, 0 };
	struct place *f;
	struct stat st;
	char id[64];
	uintptr_t known;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return UINT32_MAX;
	snprintf(id, sizeof(id), "%llx:%llx", (unsigned long long)st.st_dev,
		 (unsigned long long)st.st_ino);
	known = (uintptr_t)strmap_get(&p->ids, id);
	if (known)
		return (u32)known - 1;
	f = vec_add(&p->files);
	strmap_put(&p->ids, id, (void *)p->files.n);
	if (allocator_find(&found, path, NULL))
		vec_clear(&found);
	f->n = found.n;
	f->offs = xcalloc(found.n + 1, sizeof(*f->offs));
	f->cookies = xcalloc(found.n + 1, sizeof(*f->cookies));
	for (size_t i = 0; i < found.n; i++) {
		f->offs[i] = found.v[i].off;
		f->cookies[i] = cookie_of(&found.v[i]);
	}
	f->path = xstrdup(path);
	f->fd = found.n ? open(path, O_PATH | O_CLOEXEC) : -1;
	vec_free(&found);
	watch_loader(p, path);
	return (u32)p->files.n - 1;
}

/* ---- processes ---- */

/* A process that has ended counts as probed: its children are to be. */
static int probe(struct heap_places *p, u32 pid, u32 file)
{
	struct heap_proc *pr = heap_procs_make(&p->procs, pid);
	const struct place *f = file == UINT32_MAX ? NULL : &p->files.v[file];
	struct err err = ERR_INIT;
	char *path;
	int ret;

	if (!f || f->fd < 0 || heap_proc_has(pr, file))
		return 0;
	path = procfs_fd_name(f->fd);
	ret = heapprog_attach(p->programs, &(struct heapprog_place){
		.name = f->path, .path = path, .pid = (pid_t)pid,
		.offs = f->offs, .cookies = f->cookies, .n = f->n }, p->os, &pr->fds, &err);
	free(path);
	if (!ret || ret == -ESRCH)
		heap_proc_add(pr, file);
	if (!ret) {
		p->n_probed++;
	} else if (ret != -ESRCH && ret != -ENOENT && !p->failure.msg) {
		p->failure = err;
		return ret;
	}
	err_release(&err);
	return ret;
}

static int probe_early(struct heap_places *p, u32 pid)
{
	int ret = 0;

	for (size_t i = 0; i < p->early.n && !ret; i++)
		ret = probe(p, pid, p->early.v[i]);
	return ret;
}

/* What is mapped while programs run has run itself before its probes come. */
static void note_late(struct heap_places *p, const char *name)
{
	if (!p->n_late++)
		p->late = xstrdup(name);
}

static void on_map(struct heap_places *p, const struct perf_event_header *rec)
{
	struct wire_mmap m;
	const char *reason;
	u64 before;
	char *path;
	u32 pid;

	if (wire_decode_mmap(rec, &m, &reason) || m.data || m.path[0] != '/' || (s32)m.pid <= 0 ||
	    (m.prot && !(m.prot & PROT_EXEC_BIT)))
		return;
	path = procfs_root_name((pid_t)m.pid, m.path);
	pid = p->all ? 0 : m.pid;
	probe_early(p, pid);
	before = p->n_probed;
	probe(p, pid, file_of(p, path));
	if (p->began && p->n_probed > before)
		note_late(p, m.path);
	free(path);
}

/* A child has the memory of its parent, and the breakpoints that are in it. Of a child that has
 * ended it is only known where its own children are to be probed. */
static void probe_child(struct heap_places *p, u32 pid, u32 ppid)
{
	const struct heap_proc *parent = heap_procs_get(&p->procs, ppid);
	struct heap_proc *pr = heap_procs_get(&p->procs, pid);

	for (size_t i = 0; parent && i < parent->files.n; i++) {
		const u32 file = parent->files.v[i];

		if (pr && pr->ended)
			heap_proc_add(pr, file);
		else
			probe(p, pid, file);
	}
}

static void on_fork(struct heap_places *p, const struct perf_event_header *rec)
{
	heap_pids pids = { NULL, 0, 0 };
	struct wire_task t;
	const char *reason;

	if (wire_decode_task(rec, &t, &reason) || t.pid == t.ppid)
		return;
	heap_procs_fork(&p->procs, &t, &pids);
	for vec_each(pid, &pids)
		probe_child(p, *pid, heap_procs_get(&p->procs, *pid)->ppid);
	vec_free(&pids);
}

static bool is_known(const struct heap_places *p, u32 pid, bool lives)
{
	const struct heap_proc *pr = heap_procs_get(&p->procs, pid);

	return pr && !(lives && pr->ended);
}

/* Before its FORK has come, perhaps. */
static void on_exec(void *ctx, pid_t pid)
{
	struct heap_places *p = ctx;
	struct procfs_status st;
	pid_t at = pid;

	pthread_mutex_lock(&p->lock);
	for (int i = 0; i < MAX_ANCESTORS && !is_known(p, (u32)at, at == pid); i++)
		at = procfs_status(p->os, at, &st, NULL) ? 0 : st.ppid;
	if (at != pid && at > 0)
		probe_child(p, (u32)pid, (u32)at);
	pthread_mutex_unlock(&p->lock);
}

static void on_exit_of(struct heap_places *p, const struct perf_event_header *rec)
{
	struct wire_task t;
	const char *reason;

	if (!wire_decode_task(rec, &t, &reason) && t.pid == t.tid)
		heap_procs_exit(&p->procs, &t, &p->closing);
}

void heap_places_record(struct heap_places *p, const struct perf_event_header *rec)
{
	int_vec due = { NULL, 0, 0 };

	pthread_mutex_lock(&p->lock);
	if (rec->type == PERF_RECORD_MMAP || rec->type == PERF_RECORD_MMAP2)
		on_map(p, rec);
	else if (rec->type == PERF_RECORD_FORK && !p->all)
		on_fork(p, rec);
	else if (rec->type == PERF_RECORD_EXIT && !p->all)
		on_exit_of(p, rec);
	if (p->closing.n >= CLOSE_AT_ONCE) {
		due = p->closing;
		p->closing = (int_vec){ NULL, 0, 0 };
	}
	pthread_mutex_unlock(&p->lock);
	if (due.n)
		close_all(&due);
}

/* An allocator may be waited for only where who waits is answered. */
struct heap_places *heap_places_new(struct heapprog *programs, const struct os *os, bool all)
{
	struct heap_places *p = xnew(struct heap_places);

	*p = (struct heap_places){ .programs = programs, .os = os, .all = all };
	pthread_mutex_init(&p->lock, NULL);
	if (!all && exec_gate_new(&p->gate, on_exec, p, NULL))
		p->gate = NULL;
	return p;
}

int heap_places_add_library(struct heap_places *p, const char *path, struct err *err)
{
	const u32 file = file_of(p, path);

	if (file == UINT32_MAX || access(path, R_OK))
		return err_sys(err, file == UINT32_MAX ? ENOENT : EACCES,
			       "cannot read '%s', which is to be probed", path);
	if (!p->files.v[file].n) {
		err_set(err, ENOENT, "'%s' has no function that allocates memory, by its symbols",
			path);
		err_hint(err, "such are malloc, free, operator new and the like");
		return -ENOENT;
	}
	vec_push(&p->early, file);
	return 0;
}

/* ---- a command that does not run yet ---- */

/* As execvp(3) finds it; the caller frees. */
static char *find_command(const char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/'))
		return xstrdup(name);
	while (path && *path) {
		const size_t len = strcspn(path, ":");
		char *file = xasprintf("%.*s/%s", (int)len, path, name);

		if (len && !access(file, X_OK))
			return file;
		free(file);
		path += len + (path[len] == ':');
	}
	return xstrdup(name);
}

/* "#!/bin/sh -e": what runs a script; NULL: it is none. The caller frees. */
static char *interpreter_of(const char *path)
{
	char line[256] = "";
	FILE *f = fopen(path, "re");
	const char *p = line + 2;
	const char *got = f ? fgets(line, sizeof(line), f) : NULL;

	if (f)
		fclose(f);
	if (!got || line[0] != '#' || line[1] != '!')
		return NULL;
	p += strspn(p, " \t");
	return xasprintf("%.*s", (int)strcspn(p, " \t\n"), p);
}

/* "\tlibc.so.6 => /lib/libc.so.6 (0x7f00)" or "\t/lib/ld.so (0x7f00)": the path, within the line;
 * n 0: none. */
static struct span path_in(const char *line, size_t len)
{
	const char *arrow = memmem(line, len, "=> ", 3);
	const char *p = arrow ? arrow + 3 : line + (len > 0);
	const char *end = memmem(p, (size_t)(line + len - p), " (0x", 4);

	return end && *p == '/' ? (struct span){ (const u8 *)p, (size_t)(end - p) } :
		(struct span){ NULL, 0 };
}

/* What the loader says that it will map. Where it cannot say so, that is seen when it does. */
static int probe_listed(struct heap_places *p, u32 pid, const char *list)
{
	int ret = 0;

	for (const char *line = list; *line && !ret; line += strcspn(line, "\n"),
	     line += *line == '\n') {
		const struct span at = path_in(line, strcspn(line, "\n"));
		char *path = at.len ? xasprintf("%.*s", (int)at.len, (const char *)at.ptr) : NULL;

		if (path)
			ret = probe(p, pid, file_of(p, path));
		free(path);
	}
	return ret;
}

/* Empty: there is nothing to list. */
static void list_files(const char *program, struct str *out)
{
	char *loader = allocator_loader(program);
	const char *const argv[] = { loader, "--list", program, NULL };
	struct err err = ERR_INIT;

	if (loader)
		run_output(&(struct run_opts){ .argv = argv, .file = loader, .no_input = true },
			   out, &err);
	err_release(&err);
	free(loader);
}

/* The program of a command: of a script, what runs it. The caller frees. */
static char *program_of(const char *name)
{
	char *path = find_command(name), *of_script;

	for (int i = 0; i < MAX_SCRIPTS && (of_script = interpreter_of(path)); i++) {
		free(path);
		path = of_script;
	}
	return path;
}

int heap_places_add_command(struct heap_places *p, pid_t pid, const char *const *argv,
			    struct err *err)
{
	char *path = program_of(argv[0]);
	const u32 of = p->all ? 0 : (u32)pid;
	struct str list = STR_INIT;
	int ret;

	list_files(path, &list);
	pthread_mutex_lock(&p->lock);
	ret = probe_early(p, of);
	if (!ret)
		ret = probe(p, of, file_of(p, path));
	if (!ret)
		ret = probe_listed(p, of, str_cstr(&list));
	pthread_mutex_unlock(&p->lock);
	str_release(&list);
	free(path);
	if (!ret || !p->failure.msg)
		return 0;
	err_set(err, p->failure.code, "%s", p->failure.msg);
	if (p->failure.hint)
		err_hint(err, "%s", p->failure.hint);
	return ret;
}
