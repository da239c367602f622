// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The memory of a kernel as an ELF core file: /proc/kcore of the running one, or a copy of its code
 * that was kept with the kallsyms (and modules) of that boot, in the layout of upstream perf:
 * CACHE/[kernel.kcore]/BUILD-ID/TIME/{kcore,kallsyms,modules}. It has the code as it ran, patched
 * by alternatives, static calls and tracers, where a vmlinux file has what was linked.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/os/kernel.h"
#include "util/symbols/dso-priv.h"

/* The loaded bytes at va; n_read of them. */
size_t elf_read_loaded(struct elf *e, u64 va, void *buf, size_t n)
{
	size_t done = 0;

	while (done < n) {
		const struct elf_seg *seg = NULL;
		u64 at = va + done;

		for (u32 i = 0; i < e->n_segs && !seg; i++)
			if (e->segs[i].type == PT_LOAD && at >= e->segs[i].va &&
			    at - e->segs[i].va < e->segs[i].mem_bytes)
				seg = &e->segs[i];
		if (!seg)
			break;
		u64 in = at - seg->va, want = MIN((u64)(n - done), seg->mem_bytes - in), have = 0;

		if (in < seg->file_bytes)
			have = elf_pread(e, seg->off + in, (u8 *)buf + done,
					 MIN(want, seg->file_bytes - in));
		if (have < want && in + have < seg->file_bytes)
			return done + have;	/* the file is shorter than it says */
		memset((u8 *)buf + done + have, 0, want - have);
		done += want;
	}
	return done;
}

size_t kcore_read(struct dso_store *s, u64 va, void *buf, size_t n)
{
	struct err err = ERR_INIT;

	pthread_mutex_lock(&s->kallsyms_lock);
	if (!s->kcore_tried) {
		char *path = os_path(s->os, OS_KCORE);

		s->has_kcore = elf_open(&s->kcore, path, &err) == 0 && s->kcore.type == ET_CORE;
		s->kcore_tried = true;
		free(path);
	}
	pthread_mutex_unlock(&s->kallsyms_lock);
	err_release(&err);
	return s->has_kcore ? elf_read_loaded(&s->kcore, va, buf, n) : 0;
}

static char *in_same_dir(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	return xasprintf("%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
}

void kcore_attach(struct dso *d, const char *kallsyms, u64 delta)
{
	struct dso_priv *p = d->priv;
	char *path = in_same_dir(kallsyms, "kcore");
	struct elf e;

	if (!p->has_main && elf_open(&e, path, NULL) == 0) {
		if (e.type == ET_CORE) {
			p->main = e;
			p->delta = delta;
			p->has_main = true;
			atomic_store_explicit(&p->main_tried, true, memory_order_release);
		} else {
			elf_close(&e);
		}
	}
	free(path);
}

char *kcore_kallsyms(const char *kcore)
{
	return in_same_dir(kcore, "kallsyms");
}

static int newest_first(const void *pa, const void *pb)
{
	return -strcmp(*(char *const *)pa, *(char *const *)pb);
}

int kcore_each_cached(struct dso_store *s, const struct build_id *id,
		      int (*fn)(void *ctx, const char *kallsyms), void *ctx)
{
	struct str hex = STR_INIT;
	VEC(char *) names = { 0 };
	struct dirent *ent;
	int ret = -ENOENT;

	if (!s->cache_dir || id->n < 2)
		return ret;
	build_id_add(&hex, id);
	char *top = xasprintf("%s/[kernel.kcore]/%s", s->cache_dir, str_cstr(&hex));
	DIR *dir = opendir(top);

	while (dir && (ent = readdir(dir)) && names.n < 10000)
		if (ent->d_name[0] != '.')
			vec_push(&names, xstrdup(ent->d_name));
	if (dir)
		closedir(dir);
	if (names.n)
		qsort(names.v, names.n, sizeof(*names.v), newest_first);
	for (size_t i = 0; i < names.n; i++) {
		char *path = xasprintf("%s/%s/kallsyms", top, names.v[i]);

		if (ret)
			ret = fn(ctx, path);
		free(path);
		free(names.v[i]);
	}
	vec_free(&names);
	free(top);
	str_release(&hex);
	return ret;
}
