// SPDX-License-Identifier: GPL-2.0-or-later
// /tmp/perf-PID.map: "START SIZE NAME" in hex, written by JIT compilers. Anyone may write to
// /tmp: the file counts only when it is the process's user's own, or root's;
// and only the machine that was
// recorded has that process. Within it a later line replaces what it overlaps, as code memory is
// reused.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/hash.h"
#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/elf/symfs.h"
#include "util/os/procfs.h"
#include "util/symbols/dso-priv.h"
#include "util/symbols/jitdump.h"
#include "util/symbols/perf-map.h"

#define MAX_MAP_BYTES (1u << 30)

static char *map_name(pid_t pid)
{
	return xasprintf("/tmp/perf-%d.map", (int)pid);
}

static bool parse_hex_field(char **p, char *end, u64 *out)
{
	int digits = 0;
	u64 v = 0;

	if (end - *p > 2 && (*p)[0] == '0' && ((*p)[1] | 0x20) == 'x')
		*p += 2;
	for (; *p < end; ++*p, digits++) {
		char c = **p | 0x20;
		int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;

		if ((**p < '0' || d < 0) || digits > 16)
			break;
		v = v << 4 | (u64)d;
	}
	if (!digits || digits > 16 || *p == end || (**p != ' ' && **p != '\t'))
		return false;
	while (*p < end && (**p == ' ' || **p == '\t'))
		++*p;
	*out = v;
	return true;
}

int perf_map_parse(char *text, size_t len, int (*fn)(void *ctx, const struct perf_map_entry *e),
		   void *ctx, u64 *n_bad)
{
	char *end = text + len;

	while (text < end) {
		char *nl = memchr(text, '\n', end - text), *stop = nl ? nl : end, *p = text;
		struct perf_map_entry e = { 0 };

		if (stop > text && stop[-1] == '\r')
			stop--;
		*stop = 0;
		if (parse_hex_field(&p, stop, &e.start_va) && parse_hex_field(&p, stop, &e.bytes) &&
		    *p &&
		    e.start_va + MAX(e.bytes, (u64)1) > e.start_va) {
			e.name = p;
			e.bytes = MAX(e.bytes, (u64)1);		/* stubs of .NET have no size */
			int ret = fn(ctx, &e);

			if (ret)
				return ret;
		} else if (n_bad && stop > text) {
			++*n_bad;
		}
		text = (nl ? nl : end) + 1;
	}
	return 0;
}

/* Entries as read, to be cut by later ones. JIT compilers write millions: what is not needed of
 * the text goes, and names stay in it, moved together. So a name's place tells an entry's age,
 * too. */
/* bytes: HUGE_BYTES: to be looked for in huge */
struct entry { u64 start; u32 name_off, bytes; };
#define HUGE_BYTES UINT32_MAX
struct huge { u64 bytes; u32 name_off; };

struct entries {
	VEC(struct entry) v;
	VEC(struct huge) huge;	/* oldest first */
	char *names;
	size_t used;
};

static int collect(void *ctx, const struct perf_map_entry *e)
{
	struct entries *es = ctx;
	const size_t n = strlen(e->name) + 1;
	const u32 off = (u32)es->used, bytes = (u32)MIN(e->bytes, (u64)HUGE_BYTES);

	memmove(es->names + off, e->name, n);	/* never over what was not read yet */
	es->used += n;
	if (bytes == HUGE_BYTES)
		vec_push(&es->huge, ((struct huge){ e->bytes, off }));
	vec_push(&es->v, ((struct entry){ e->start_va, off, bytes }));
	return 0;
}

static u64 entry_end(const struct entries *es, const struct entry *e)
{
	size_t lo = 0, hi = es->huge.n;

	if (e->bytes != HUGE_BYTES)
		return e->start + e->bytes;
	while (hi - lo > 1) {
		size_t mid = (lo + hi) / 2;

		*(es->huge.v[mid].name_off <= e->name_off ? &lo : &hi) = mid;
	}
	return e->start + es->huge.v[lo].bytes;
}

static int by_start_then_age(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->name_off < b->name_off ? -1 : 1;
}

static bool in_order(const struct entries *es)
{
	for (size_t i = 1; i < es->v.n; i++)
		if (es->v.v[i - 1].start > es->v.v[i].start)
			return false;
	return true;
}

/* A sweep with a heap of open entries, the youngest on top: each range of addresses goes to
 * the youngest that covers it. */
struct heap { struct entry **v; size_t n; };

static void heap_push(struct heap *h, struct entry *e)
{
	size_t i = h->n++;

	while (i && h->v[(i - 1) / 2]->name_off < e->name_off) {
		h->v[i] = h->v[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	h->v[i] = e;
}

static void heap_pop(struct heap *h)
{
	struct entry *e = h->v[--h->n];
	size_t i = 0, c;

	while ((c = 2 * i + 1) < h->n) {
		if (c + 1 < h->n && h->v[c + 1]->name_off > h->v[c]->name_off)
			c++;
		if (h->v[c]->name_off <= e->name_off)
			break;
		h->v[i] = h->v[c];
		i = c;
	}
	h->v[i] = e;
}

static void add_range(struct symtab *t, u64 from, u64 to, const char *name)
{
	struct symbol *last = t->n ? &t->sym[t->n - 1] : NULL;

	if (last && last->mangled == name && last->end_rva == from)
		last->end_rva = to;
	else
		symtab_add(t, from, to, name, STB_GLOBAL, STT_FUNC);
}

static void sweep(struct entries *es, struct symtab *t)
{
	struct heap h = { xcalloc(es->v.n + 1, sizeof(struct entry *)), 0 };
	u64 at = 0;

	if (!in_order(es))	/* it takes as much memory again */
		qsort(es->v.v, es->v.n, sizeof(*es->v.v), by_start_then_age);
	for (size_t i = 0; i <= es->v.n; i++) {
		u64 upto = i < es->v.n ? es->v.v[i].start : UINT64_MAX;

		while (h.n && at < upto) {
			const struct entry *e = h.v[0];
			const u64 end = entry_end(es, e);

			if (end <= at) {
				heap_pop(&h);
				continue;
			}
			u64 to = MIN(end, upto);

			add_range(t, at, to, es->names + e->name_off);
			at = to;
		}
		at = upto;
		if (i < es->v.n)
			heap_push(&h, &es->v.v[i]);
	}
	free(h.v);
}

/* Fills and finishes a table: of overlapping entries the last one wins. -ENOENT: none. The table
 * keeps the names in the text's memory: text is empty afterwards. */
static int load_text(struct str *text, struct symtab *t, u64 *n_bad)
{
	struct entries es = { 0 };

	str_reserve(text, 1);
	text->buf[text->len] = '\0';
	es.names = text->buf;
	perf_map_parse(text->buf, text->len, collect, &es, n_bad);
	*text = (struct str)STR_INIT;
	free(t->names);		/* of a map that had nothing */
	es.names = t->names = xrealloc(es.names, es.used + 1);
	sweep(&es, t);
	vec_free(&es.v);
	vec_free(&es.huge);
	symtab_finish(t);
	return t->n ? 0 : -ENOENT;
}

/* Checks the owner of an open map; why is filled when it is refused. */
static bool owner_is_trusted(struct dso *d, int fd, const char *path,
			     const struct procfs_status *st)
{
	struct stat s;

	if (fstat(fd, &s) || !S_ISREG(s.st_mode)) {
		dso_add_reason(d, "'%s' is not a regular file", path);
		return false;
	}
	if (s.st_uid == 0 || s.st_uid == (st ? st->uid : geteuid()))
		return true;
	if (st)
		dso_add_reason(d, "'%s' belongs to user %u, neither to root nor to user %u of "
				  "process %d: not used", path,
			    s.st_uid, st->uid, d->pid);
	else
		dso_add_reason(d, "'%s' belongs to user %u, and process %d is gone, so that "
				  "nothing vouches for it: not used "
			    "(chown it to root when you trust it)", path, s.st_uid, d->pid);
	return false;
}

static int try_map(struct dso *d, int fd, const char *path, const struct procfs_status *st,
		   struct symtab *t)
{
	struct str text = STR_INIT;
	u64 n_bad = 0;
	int ret = -EPERM;

	if (fd < 0) {
		if (fd != -ENOENT)
			dso_add_reason(d, "cannot open '%s': %s", path, strerror(-fd));
		return fd;
	}
	if (owner_is_trusted(d, fd, path, st)) {
		ret = io_read_fd(fd, path, MAX_MAP_BYTES, &text, NULL);
		if (!ret)
			ret = load_text(&text, t, &n_bad);
		if (ret)
			dso_add_reason(d, "'%s' has no entries", path);
		else if (n_bad)
			dso_add_reason(d, "%llu lines of '%s' are no map entries",
				       (unsigned long long)n_bad, path);
		str_release(&text);
	}
	close(fd);
	return ret;
}

/* The same directory: one root and no other /tmp mounted in it. */
static bool same_tmp(const struct os *os, pid_t pid)
{
	struct stat a, b;
	int fd = procfs_open_in_root(os, pid, "/tmp");
	bool same = fd >= 0 && !fstat(fd, &a) && !stat("/tmp", &b) && a.st_dev == b.st_dev &&
		a.st_ino == b.st_ino;

	if (fd >= 0)
		close(fd);
	return same;
}

int perf_map_open_foreign(const struct os *os, pid_t pid)
{
	struct procfs_status status;
	struct stat st;
	char *path;
	int fd;

	if (procfs_status(os, pid, &status, NULL))
		return -ESRCH;
	if (same_tmp(os, pid))
		return -EEXIST;
	path = map_name(status.ns_pid > 0 ? status.ns_pid : pid);
	fd = procfs_open_in_root(os, pid, path);
	free(path);
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) ||
			(st.st_uid && st.st_uid != status.uid))) {
		close(fd);
		return -EPERM;
	}
	return fd;
}

/* The one that was kept when it was recorded: the container that had it may be gone, or the pid
 * be another process's. */
static int try_kept(struct dso *d, struct symtab *t)
{
	const char *dir = d->priv->store->cache_dir;
	struct str text = STR_INIT;
	struct build_id its;
	int ret = -ENOENT;

	if (!dir || d->id.n < 2)
		return ret;
	char *path = build_id_path(dir, &d->id, "/elf");

	if (!io_read_file(path, MAX_MAP_BYTES, &text, NULL)) {
		build_id_of_text(text.buf, text.len, &its);
		if (build_id_equal(&its, &d->id))
			ret = load_text(&text, t, NULL);
	}
	str_release(&text);
	free(path);
	return ret;
}

/* --- the unwind tables of that code, which a jitdump file may tell */

#define JITDUMP_HEAD_BYTES (256u << 10)

void dso_note_jitdump(struct dso_store *s, pid_t pid, const char *path)
{
	char name[48];
	struct dso_key key = { .kind = DSO_PERF_MAP, .path = name, .pid = pid };
	struct dso *d;

	if (!s->opts->live)
		return;
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)pid);
	d = dso_get(s, &key);
	pthread_mutex_lock(&d->priv->lock);
	d->priv->jit.file = intern_str(s->names, path);
	d->priv->jit.has_tables = false;
	d->priv->jit.n_asked = 0;
	pthread_mutex_unlock(&d->priv->lock);
}

/* -EAGAIN also when it cannot be read now: the recording keeps it, or perf inject finds it. */
static int ask_jitdump(const struct dso *d)
{
	int fd = procfs_open_in_root(d->priv->store->os, d->pid, d->priv->jit.file), ret = -EAGAIN;
	u8 *head = xmalloc(JITDUMP_HEAD_BYTES);
	struct jitdump dump;
	struct stat st;

	if (fd < 0)	/* the process has ended */
		fd = open(d->priv->jit.file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode)) {
		ssize_t n = io_pread(fd, head, JITDUMP_HEAD_BYTES, 0);

		if (n > 0 && !jitdump_init(&dump, head, (size_t)n, NULL))
			ret = jitdump_tells_unwinding(dump);
	}
	if (fd >= 0)
		close(fd);
	free(head);
	return ret;
}

bool dso_awaits_tables(struct dso *d)
{
	struct dso_priv *p = d->priv;
	bool awaits;
	int tells;

	if (d->kind != DSO_PERF_MAP)
		return false;
	pthread_mutex_lock(&p->lock);
	/* compilers write megabytes at once: until something is there it is asked for at the
	 * 1st, 2nd, 4th, 8th ... time */
	if (p->jit.file && !p->jit.has_tables &&
	    !(p->jit.n_asked & (p->jit.n_asked + 1))) {
		tells = ask_jitdump(d);
		if (!tells)
			p->jit.file = NULL;
		p->jit.has_tables = tells > 0;
	}
	p->jit.n_asked++;
	awaits = p->jit.file;
	pthread_mutex_unlock(&p->lock);
	return awaits;
}

static bool perf_map_probe(const struct dso *d)
{
	return d->kind == DSO_PERF_MAP;
}

/* The place that --symfs names has the files of the recorded machine. */
static int try_symfs(struct dso *d, struct symtab *t)
{
	const char *symfs = d->priv->store->opts->symfs;
	char *name, *path;
	int fd, ret;

	if (!symfs_given(symfs))
		return -ENOENT;
	name = map_name(d->pid);
	path = symfs_path(symfs, name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	ret = try_map(d, fd < 0 ? -errno : fd, path, NULL, t);
	free(path);
	free(name);
	return ret;
}

/* Pids are reused: by other machines, other boots, and processes that began later. st NULL: no
 * process has the pid now. */
static bool is_recorded_process(const struct dso_store *s, const struct procfs_status *st,
				const struct stat *map)
{
	enum { SLACK_S = 2 };		/* clocks are set */
	const u64 until = s->opts->recorded_until_s;

	if (!store_is_this_machine(s))
		return false;
	if (!until || s->opts->live)
		return true;
	if (st)
		return procfs_started_s(s->os, st) <= until + SLACK_S;
	return !map || (u64)map->st_mtime <= until || procfs_booted_s(s->os) <= until + SLACK_S;
}

static void add_other_process(struct dso *d, const char *path)
{
	const struct dso_store *s = d->priv->store;
	const char *host = atomic_load(&s->host);

	if (store_is_this_machine(s))
		dso_add_reason(d, "'%s' is that of a process that began after the recording: not "
			       "used", path);
	else if (host)
		dso_add_reason(d, "'%s' is of this machine, and the recording of '%s': not used "
			       "(--symfs / takes files by name)", path, host);
	else
		dso_add_reason(d, "'%s' is of this machine, and the recording does not say of "
			       "which it is: not used (--symfs / takes files by name)", path);
}

/* On this machine, where the process is or was. */
static int try_here(struct dso *d, struct symtab *t)
{
	const struct os *os = d->priv->store->os;
	struct procfs_status status, *st = procfs_status(os, d->pid, &status, NULL) ? NULL :
		&status;
	char *path = map_name(d->pid), *inner = map_name(st && st->ns_pid > 0 ? st->ns_pid :
							 d->pid);
	char *shown = procfs_root_name(d->pid, inner);
	struct stat map;
	const bool there = !os->fake && !stat(path, &map);
	const bool ours = is_recorded_process(d->priv->store, st, there ? &map : NULL);
	int ret = -ENOENT;

	if (ours && st)
		ret = try_map(d, procfs_open_in_root(os, d->pid, inner), shown, st, t);
	if (ret && there && !ours) {
		add_other_process(d, path);
	} else if (ret && !os->fake) {
		int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);

		ret = try_map(d, fd < 0 ? -errno : fd, path, st, t);
		if (ret == -ENOENT)
			dso_add_reason(d, "'%s' does not exist: the program's JIT compiler wrote "
					  "no map", path);
	}
	free(shown);
	free(inner);
	free(path);
	return ret;
}

static int perf_map_load(struct dso *d, struct symtab *t)
{
	int ret = try_kept(d, t);

	ret = ret ? try_symfs(d, t) : ret;
	ret = ret ? try_here(d, t) : ret;
	if (ret && !d->priv->reason.len)
		dso_add_reason(d, "no perf map of process %d was found", d->pid);
	return ret;
}

const struct loader loader_perf_map = { "perf-map", perf_map_probe, perf_map_load };
