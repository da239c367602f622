// SPDX-License-Identifier: GPL-2.0-or-later
// The tasks that run already: FORK, COMM, NAMESPACES and mappings out of /proc.
#include "util/record/synth.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/os/procfs.h"
#include "util/record/synth-priv.h"
#include "util/symbols/mapped.h"

int synth_put(struct synth *s, const void *rec, int size)
{
	int ret;

	if (size < 0)
		return size;
	ret = s->emit(s->ctx, rec);
	s->n_records++;
	return ret;
}

static struct sample_id task_id(const struct synth *s, pid_t pid, pid_t tid)
{
	struct sample_id id = { .pid = (u32)pid, .tid = (u32)tid };

	id.present = s->attr && s->attr->sample_id_all ? s->attr->sample_type & SYNTH_ID_BITS : 0;
	return id;
}

static int put_comm(struct synth *s, pid_t pid, pid_t tid, const char *comm)
{
	const struct wire_comm c = { .pid = (u32)pid, .tid = (u32)tid, .comm = comm };
	const struct sample_id id = task_id(s, pid, tid);
	u64 buf[64];

	return synth_put(s, buf, wire_encode_comm(s->attr, &c, &id, buf, sizeof(buf)));
}

int synth_comm(struct synth *s, pid_t pid, const char *comm)
{
	return put_comm(s, pid, pid, comm);
}

/* ppid and ptid as the kernel fills them: the parent's process, or the own process's leader for
 * its threads. */
static int put_fork(struct synth *s, pid_t pid, pid_t tid, pid_t ppid)
{
	const struct wire_task t = { .pid = (u32)pid, .tid = (u32)tid, .ppid = (u32)ppid,
				     .ptid = (u32)ppid };
	const struct sample_id id = task_id(s, pid, tid);
	u64 buf[64];

	return synth_put(s, buf, wire_encode_task(s->attr, PERF_RECORD_FORK, &t, &id, buf,
						  sizeof(buf)));
}

/* Links of /proc/TID/ns in the order of the uapi's NET_NS_INDEX.. */
static int put_namespaces(struct synth *s, pid_t pid, pid_t tid)
{
	static const char *const names[NR_NAMESPACES] = {
		[NET_NS_INDEX] = "net", [UTS_NS_INDEX] = "uts", [IPC_NS_INDEX] = "ipc",
			[PID_NS_INDEX] = "pid",
		[USER_NS_INDEX] = "user", [MNT_NS_INDEX] = "mnt", [CGROUP_NS_INDEX] = "cgroup",
	};
	struct perf_ns_link_info links[NR_NAMESPACES] = { { 0, 0 } };
	const struct wire_namespaces n = { .pid = (u32)pid, .tid = (u32)tid, .n = NR_NAMESPACES,
					   .links = links };
	const struct sample_id id = task_id(s, pid, tid);
	u64 buf[64];

	for (int i = 0; i < NR_NAMESPACES; i++) {
		u64 dev, ino;

		if (procfs_namespace(s->os, tid, names[i], &dev, &ino))
			links[i] = (struct perf_ns_link_info){ .dev = dev, .ino = ino };
	}
	return synth_put(s, buf, wire_encode_namespaces(s->attr, &n, &id, buf, sizeof(buf)));
}

struct file_id { u32 maj, min; u64 ino; struct build_id id; };

void synth_release(struct synth *s)
{
	for hmap_each(i, &s->ids)
		free(s->ids.vals[i]);
	hmap_release(&s->ids);
	str_release(&s->modules_dir);
	str_release(&s->modules_dep);
}

/* The kernel's records of new mappings tell the file's build-id in the place of its inode; so do
 * these, or one file would have two identities in one recording. */
static void add_file_id(struct synth *s, pid_t pid, const struct procfs_map *pm,
			struct wire_mmap *m)
{
	const u64 key = hash_u64(pm->ino ^ (u64)pm->maj << 52 ^ (u64)pm->min << 32);
	struct file_id *f;

	if (!s->file_ids || s->os->fake || !pm->ino || pm->path[0] != '/')
		return;
	f = hmap_get(&s->ids, key);
	if (!f || f->ino != pm->ino || f->maj != pm->maj || f->min != pm->min) {
		const struct mapped at = { .path = pm->path, .ino = pm->ino, .pid = pid,
					   .start_va = pm->start_va, .end_va = pm->end_va };
		int fd = mapped_open(s->os, &at, NULL, NULL);

		free(f);
		f = xnew(struct file_id);
		f->maj = pm->maj;
		f->min = pm->min;
		f->ino = pm->ino;
		if (fd >= 0) {
			build_id_of_fd(fd, &f->id);
			close(fd);
		}
		hmap_put(&s->ids, key, f);
	}
	memcpy(m->build_id, f->id.bytes, sizeof(m->build_id));
	m->build_id_bytes = f->id.n;
}

struct maps_ctx {
	struct synth *s;
	pid_t pid;
	u64 *buf;
	size_t cap;
};

static int put_map(void *ctx, const struct procfs_map *pm)
{
	struct maps_ctx *c = ctx;
	struct synth *s = c->s;
	const bool exec = pm->prot & PROT_EXEC;
	const struct sample_id id = task_id(s, c->pid, c->pid);
	struct wire_mmap m = {
		.pid = (u32)c->pid, .tid = (u32)c->pid, .start_va = pm->start_va,
			.bytes = pm->end_va - pm->start_va,
		.off = pm->off, .maj = pm->maj, .min = pm->min, .ino = pm->ino, .prot = pm->prot,
		.flags = pm->flags,
		.path = pm->path, .data = !exec,
	};
	u16 misc = PERF_RECORD_MISC_USER;

	if (!exec && !s->data_maps)
		return 0;
	if (!exec)
		misc |= PERF_RECORD_MISC_MMAP_DATA;
	add_file_id(c->s, c->pid, pm, &m);
	return synth_put(c->s, c->buf, wire_encode_mmap2(s->attr, &m, misc, &id, c->buf, c->cap));
}

static int put_maps(struct synth *s, pid_t pid, struct err *err)
{
	struct maps_ctx c = { .s = s, .pid = pid, .cap = 16384 };
	struct err e = ERR_INIT;
	int ret;

	c.buf = xmalloc(c.cap);
	ret = procfs_maps(s->os, pid, s->maps_timeout_ms, put_map, &c, &e);
	free(c.buf);
	if (ret == -ETIMEDOUT) {
		if (!s->n_timeouts++)
			s->timeout_pid = pid;
		ret = 0;
	} else if (ret == -ESRCH || ret == -ENOENT || ret == -EACCES || ret == -EPERM) {
		/* it ended, or it is not ours to look at: the task's name is there already */
		ret = 0;
	}
	if (ret && e.code)
		err_set(err, e.code, "%s", e.msg);
	err_release(&e);
	return ret;
}

static int put_thread_comm(struct synth *s, pid_t pid, pid_t tid, struct str *text)
{
	int ret;

	if (procfs_comm(s->os, pid, tid, text)) {
		s->n_gone++;
		return 0;
	}
	ret = put_fork(s, pid, tid, pid);
	if (!ret && s->namespaces)
		ret = put_namespaces(s, pid, tid);
	if (!ret)
		ret = put_comm(s, pid, tid, str_cstr(text));
	s->n_tasks++;
	return ret;
}

static int put_threads(struct synth *s, pid_t pid)
{
	int_vec tids = { NULL, 0, 0 };
	struct str text = STR_INIT;
	struct err e = ERR_INIT;
	int ret = procfs_tasks(s->os, pid, &tids, &e);

	if (ret)
		ret = 0;	/* it ended */
	for (size_t i = 0; i < tids.n && !ret; i++)
		if (tids.v[i] != pid)
			ret = put_thread_comm(s, pid, tids.v[i], &text);
	str_release(&text);
	vec_free(&tids);
	err_release(&e);
	return ret;
}

int synth_process(struct synth *s, pid_t pid, struct err *err)
{
	struct procfs_status st;
	int ret = procfs_status(s->os, pid, &st, err);

	if (ret)
		return ret;
	s->n_tasks++;
	ret = put_fork(s, pid, pid, st.ppid);
	if (!ret && s->namespaces)
		ret = put_namespaces(s, pid, pid);
	if (!ret)
		ret = put_comm(s, pid, pid, st.comm);
	if (!ret && !s->no_maps)
		ret = put_maps(s, pid, err);
	if (!ret)
		ret = put_threads(s, pid);
	return ret;
}

int synth_tasks(struct synth *s, struct err *err)
{
	int_vec pids = { NULL, 0, 0 };
	int ret = procfs_pids(s->os, &pids, err);

	for (size_t i = 0; i < pids.n && !ret; i++) {
		struct err e = ERR_INIT;

		ret = synth_process(s, pids.v[i], &e);
		if (ret == -ESRCH || ret == -ENOENT) {
			s->n_gone++;
			ret = 0;
		} else if (ret && e.code) {
			err_set(err, e.code, "%s", e.msg);
		}
		err_release(&e);
	}
	vec_free(&pids);
	return ret;
}
