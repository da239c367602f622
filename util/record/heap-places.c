// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/heap-places.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/hash.h"
#include "util/base/rd.h"
#include "util/os/procfs.h"
#include "util/os/run.h"
#include "util/symbols/allocator.h"

#define MAX_SCRIPTS 4		/* that are the interpreters of each other */
#define PROT_EXEC_BIT 4

/* One binary; n 0: it allocates nothing. path: of one of the processes. */
struct place {
	char *path;
	u64 *offs, *cookies;
	size_t n;
};

struct proc {
	VEC(u32) files;		/* of the list of all */
	int_vec fds;
};

struct heap_places {
	struct heapprog *programs;
	const struct os *os;
	bool all;
	struct strmap ids;		/* identity -> place + 1 */
	VEC(struct place) files;
	struct hmap procs;		/* pid -> struct proc *, owned; with all: 0 */
	struct err failure;
	u64 n_probed;
};

struct heap_places *heap_places_new(struct heapprog *programs, const struct os *os, bool all)
{
	struct heap_places *p = xnew(struct heap_places);

	*p = (struct heap_places){ .programs = programs, .os = os, .all = all };
	return p;
}

static void free_proc(struct proc *pr)
{
	for vec_each(fd, &pr->fds)
		close(*fd);
	vec_free(&pr->fds);
	vec_free(&pr->files);
	free(pr);
}

void heap_places_free(struct heap_places *p)
{
	if (!p)
		return;
	for hmap_each(i, &p->procs)
		free_proc(p->procs.vals[i]);
	hmap_release(&p->procs);
	for vec_each(f, &p->files) {
		free(f->path);
		free(f->offs);
		free(f->cookies);
	}
	vec_free(&p->files);
	strmap_release(&p->ids);
	err_release(&p->failure);
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
	vec_free(&found);
	return (u32)p->files.n - 1;
}

/* ---- processes ---- */

static struct proc *proc_of(struct heap_places *p, u32 pid)
{
	struct proc *pr = hmap_get(&p->procs, pid);

	if (!pr) {
		pr = xnew(struct proc);
		hmap_put(&p->procs, pid, pr);
	}
	return pr;
}

static bool has_file(const struct proc *pr, u32 file)
{
	for vec_each(f, &pr->files)
		if (*f == file)
			return true;
	return false;
}

static int probe(struct heap_places *p, u32 pid, const char *path, u32 file)
{
	struct proc *pr = proc_of(p, pid);
	struct heapprog_place at = { .path = path, .pid = (pid_t)pid };
	struct err err = ERR_INIT;
	int ret;

	if (file == UINT32_MAX || !p->files.v[file].n || has_file(pr, file))
		return 0;
	at.offs = p->files.v[file].offs;
	at.cookies = p->files.v[file].cookies;
	at.n = p->files.v[file].n;
	ret = heapprog_attach(p->programs, &at, p->os, &pr->fds, &err);
	if (!ret) {
		vec_push(&pr->files, file);
		p->n_probed++;
	} else if (ret != -ESRCH && ret != -ENOENT && !p->failure.msg) {
		p->failure = err;
		return ret;
	}
	err_release(&err);
	return ret;
}

static void on_map(struct heap_places *p, const struct perf_event_header *rec)
{
	struct wire_mmap m;
	const char *reason;
	char *path;
	u32 file;

	if (wire_decode_mmap(rec, &m, &reason) || m.data || m.path[0] != '/' || (s32)m.pid <= 0 ||
	    (m.prot && !(m.prot & PROT_EXEC_BIT)))
		return;
	path = procfs_root_name((pid_t)m.pid, m.path);
	file = file_of(p, path);
	probe(p, p->all ? 0 : m.pid, path, file);
	free(path);
}

/* A child has the memory of its parent, and the breakpoints that are in it. */
static void on_fork(struct heap_places *p, const struct perf_event_header *rec)
{
	struct wire_task t;
	const struct proc *parent;
	const char *reason;

	if (p->all || wire_decode_task(rec, &t, &reason) || t.pid == t.ppid)
		return;
	parent = hmap_get(&p->procs, t.ppid);
	for (size_t i = 0; parent && i < parent->files.n; i++) {
		const u32 file = parent->files.v[i];

		probe(p, t.pid, p->files.v[file].path, file);
	}
}

static void on_exit_of(struct heap_places *p, const struct perf_event_header *rec)
{
	struct wire_task t;
	struct proc *pr;
	const char *reason;

	if (p->all || wire_decode_task(rec, &t, &reason) || t.pid != t.tid)
		return;
	pr = hmap_del(&p->procs, t.pid);
	if (pr)
		free_proc(pr);
}

void heap_places_record(struct heap_places *p, const struct perf_event_header *rec)
{
	if (rec->type == PERF_RECORD_MMAP || rec->type == PERF_RECORD_MMAP2)
		on_map(p, rec);
	else if (rec->type == PERF_RECORD_FORK)
		on_fork(p, rec);
	else if (rec->type == PERF_RECORD_EXIT)
		on_exit_of(p, rec);
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
static int probe_listed(struct heap_places *p, u32 pid, const char *loader, const char *program)
{
	const char *const argv[] = { loader, "--list", program, NULL };
	struct str out = STR_INIT;
	struct err err = ERR_INIT;
	int ret = 0;

	run_output(&(struct run_opts){ .argv = argv, .file = loader, .no_input = true }, &out,
		   &err);
	for (const char *line = str_cstr(&out); *line && !ret; line += strcspn(line, "\n"),
	     line += *line == '\n') {
		const struct span at = path_in(line, strcspn(line, "\n"));
		char *path = at.len ? xasprintf("%.*s", (int)at.len, (const char *)at.ptr) : NULL;

		if (path)
			ret = probe(p, pid, path, file_of(p, path));
		free(path);
	}
	str_release(&out);
	err_release(&err);
	return ret;
}

int heap_places_add_command(struct heap_places *p, pid_t pid, const char *const *argv,
			    struct err *err)
{
	char *path = find_command(argv[0]), *loader, *of_script;
	const u32 of = p->all ? 0 : (u32)pid;
	int ret;

	for (int i = 0; i < MAX_SCRIPTS && (of_script = interpreter_of(path)); i++) {
		free(path);
		path = of_script;
	}
	ret = probe(p, of, path, file_of(p, path));
	loader = allocator_loader(path);
	if (loader && !ret)
		ret = probe_listed(p, of, loader, path);
	free(loader);
	free(path);
	if (ret && p->failure.msg) {
		err_set(err, p->failure.code, "%s", p->failure.msg);
		if (p->failure.hint)
			err_hint(err, "%s", p->failure.hint);
		return ret;
	}
	return 0;
}
