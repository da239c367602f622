// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/syscapture.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/sys.skel.h"
#include "util/base/log.h"

#define DEFAULT_RING (32 << 20)	/* 110 ms of two million calls a second; 16 MB lost some when four programs made calls at once */
#define FIRST_PIDNS_INO 0xEFFFFFFCU
enum { TARGET_TID = 1, TARGET_TGID = 2, TARGET_HELD = 4 };	/* as in sys.bpf.c */

/* The reader's side of BPF_MAP_TYPE_RINGBUF. libbpf's would map the data twice, to have no record in two pieces: for tens of
 * megabytes that takes longer than loading the programs. */
struct bpf_ring {
	int epoll_fd;		/* has an edge at each wake-up; the ring itself is readable whenever something is in it */
	size_t page_bytes, bytes;
	u64 *consumer;		/* a page that we write */
	const u8 *producer;	/* a page with the kernel's position, then the data */
	struct str split;	/* a record in two pieces */
};

struct syscapture {
	struct sys_bpf *skel;
	struct bpf_ring ring;
};

static int print_log(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	struct str s = STR_INIT;

	if (level == LIBBPF_DEBUG && !log_on(LOG_BPF, 3))
		return 0;
	if (!log_on(LOG_BPF, 2))
		return 0;
	str_addv(&s, fmt, ap);
	log_printf(LOG_BPF, 2, "%s", str_cstr(&s));
	str_release(&s);
	return 0;
}

static int fail_open(int code, const struct os *os, struct err *err)
{
	char *btf = os_path(os, "/sys/kernel/btf/vmlinux");

	err_sys(err, code, "cannot load the BPF programs that watch system calls");
	if (access(btf, R_OK))
		err_hint(err, "they need the kernel's type information, which is not there: %s (CONFIG_DEBUG_INFO_BTF)", btf);
	else if (geteuid())
		err_hint(err, "run as root, or with CAP_BPF and CAP_PERFMON");
	else if (code == EPERM)
		err_hint(err, "a container or kernel lockdown may forbid bpf(2)");
	free(btf);
	return -code;
}

static void set_pidns(struct sys_bpf *s)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) || st.st_ino == FIRST_PIDNS_INO)
		return;
	s->rodata->pidns_dev = st.st_dev;
	s->rodata->pidns_ino = st.st_ino;
}

static size_t ring_size(size_t want)
{
	size_t bytes = 1 << 20;

	while (bytes < want)
		bytes *= 2;
	return bytes;
}

static void set_sizes(struct sys_bpf *s, const struct syscapture_opts *o, size_t ring_bytes)
{
	bpf_map__set_max_entries(s->maps.ring, o->records ? ring_bytes : 4096);
	bpf_map__set_max_entries(s->maps.named, o->records ? 16384 : 1);
	bpf_map__set_max_entries(s->maps.sums, o->sums ? 1 << 18 : 1);
	bpf_map__set_max_entries(s->maps.sum_errnos, o->errno_sums ? 1 << 18 : 1);
	bpf_map__set_max_entries(s->maps.sum_tasks, o->sums ? 1 << 16 : 1);
	bpf_map__set_max_entries(s->maps.stacks, o->user_stacks || o->kernel_stacks ? 1 << 14 : 1);
}

/* With calls that nobody asks for: the others that programs must see pass, too. Without names of files no descriptor matters. */
static void set_passing(struct sys_bpf *s, const struct syscapture_opts *o)
{
	const u8 needed = SYSPLAN_WANTED | SYSPLAN_EXEC | SYSPLAN_FORK | (o->records ? SYSPLAN_FDS : 0);

	for (size_t i = 0; i < 2 * SYSPLAN_NRS; i++) {
		size_t nr = i % SYSPLAN_NRS;

		/* the last one stands for numbers beyond, too: those always pass */
		if (o->plans[i].flags & needed)
			s->rodata->passing[nr / 64] |= 1ULL << nr % 64;
		else
			s->rodata->few_calls = true;
	}
}

static void set_options(struct sys_bpf *s, const struct syscapture_opts *o)
{
	size_t ring_bytes = ring_size(o->ring_bytes ? o->ring_bytes : DEFAULT_RING);

	set_sizes(s, o, ring_bytes);
	s->rodata->mark_bytes = ring_bytes / 8;
	s->rodata->self_tgid = getpid();
	s->rodata->all_tasks = o->all;
	s->rodata->inherit = !o->no_inherit;
	s->rodata->fds_are_ours = o->all || (o->held && !o->no_inherit);
	s->rodata->any_excluded = o->all;
	s->rodata->by_uid = o->by_uid;
	s->rodata->uid = o->uid;
	s->rodata->by_cgroup = o->cgroup_fd >= 0;
	s->rodata->ring_on = o->records;
	s->rodata->sum_on = o->sums;
	s->rodata->sum_errno_on = o->errno_sums;
	s->rodata->sum_cgroup = o->cgroup_sums;
	s->rodata->min_ns = o->min_ns;
	s->rodata->only_failed = o->only_failed;
	s->rodata->user_stacks = o->user_stacks;
	s->rodata->kernel_stacks = o->kernel_stacks;
	s->bss->paused = o->paused;
	for (size_t i = 0; o->cpus && i < o->cpus->n; i++) {
		s->rodata->by_cpu = true;
		if (o->cpus->v[i] >= 0 && o->cpus->v[i] < 1024)
			s->rodata->cpus[o->cpus->v[i] / 64] |= 1ULL << o->cpus->v[i] % 64;
	}
	memcpy(s->bss->plans, o->plans, sizeof(s->bss->plans));
	set_passing(s, o);
	set_pidns(s);
	if (!o->records || !o->entered || o->min_ns || o->only_failed)
		bpf_program__set_autoload(s->progs.sched_switch, false);
	if (o->no_inherit || o->all)
		bpf_program__set_autoload(s->progs.sched_fork, o->all);
}

static void put_target(struct sys_bpf *s, int id, u8 how)
{
	u32 key = id;

	bpf_map_update_elem(bpf_map__fd(s->maps.targets), &key, &how, BPF_ANY);
}

static void set_targets(struct sys_bpf *s, const struct syscapture_opts *o)
{
	u8 one = 1;

	for (size_t i = 0; o->tgids && i < o->tgids->n; i++)
		put_target(s, o->tgids->v[i], TARGET_TGID);
	for (size_t i = 0; o->tids && i < o->tids->n; i++)
		put_target(s, o->tids->v[i], TARGET_TID);
	if (o->held)
		put_target(s, o->held, TARGET_TGID | TARGET_HELD);
	for (size_t i = 0; o->excluded && i < o->excluded->n; i++) {
		u32 key = o->excluded->v[i];

		bpf_map_update_elem(bpf_map__fd(s->maps.excluded), &key, &one, BPF_ANY);
	}
	if (o->cgroup_fd >= 0) {
		u32 zero = 0;
		int fd = o->cgroup_fd;

		bpf_map_update_elem(bpf_map__fd(s->maps.cgroups), &zero, &fd, BPF_ANY);
	}
}

/* ---- the ring ---- */

static int ring_open(struct bpf_ring *r, int fd, size_t bytes, size_t page_bytes)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET };
	void *p = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	*r = (struct bpf_ring){ .epoll_fd = epoll_create1(EPOLL_CLOEXEC), .page_bytes = page_bytes, .bytes = bytes };
	if (p == MAP_FAILED || r->epoll_fd < 0 || epoll_ctl(r->epoll_fd, EPOLL_CTL_ADD, fd, &ev))
		return -errno;
	r->consumer = p;
	p = mmap(NULL, page_bytes + bytes, PROT_READ, MAP_SHARED, fd, (off_t)page_bytes);
	if (p == MAP_FAILED)
		return -errno;
	r->producer = p;
	return 0;
}

static void ring_close(struct bpf_ring *r)
{
	if (r->consumer)
		munmap(r->consumer, r->page_bytes);
	if (r->producer)
		munmap((void *)r->producer, r->page_bytes + r->bytes);
	if (r->epoll_fd > 0)
		close(r->epoll_fd);
	str_release(&r->split);
	*r = (struct bpf_ring){ .epoll_fd = -1 };
}

/* The bytes at a position, in one piece. */
static const void *ring_at(struct bpf_ring *r, u64 pos, size_t bytes)
{
	const u8 *data = r->producer + r->page_bytes;
	const size_t at = pos & (r->bytes - 1), first = r->bytes - at;

	if (bytes <= first)
		return data + at;
	str_reset(&r->split);
	str_addn(&r->split, data + at, first);
	str_addn(&r->split, data, bytes - first);
	return r->split.buf;
}

#define FREE_BYTES (64 << 10)	/* so much is read before the kernel may write there again */

static int ring_read(struct bpf_ring *r, syscapture_fn fn, void *ctx)
{
	u64 pos = *r->consumer, freed = pos;
	int ret = 0;

	while (!ret && pos < __atomic_load_n((const u64 *)r->producer, __ATOMIC_ACQUIRE)) {
		/* a record begins at a multiple of 8, and its header is 8 bytes long */
		const u32 *head = (const u32 *)(r->producer + r->page_bytes + (pos & (r->bytes - 1)));
		u32 len = __atomic_load_n(head, __ATOMIC_ACQUIRE), bytes = len & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

		if (len & BPF_RINGBUF_BUSY_BIT)
			break;
		if (!(len & BPF_RINGBUF_DISCARD_BIT))
			ret = fn(ctx, ring_at(r, pos + BPF_RINGBUF_HDR_SZ, bytes), bytes);
		pos += ALIGN_UP((u64)bytes + BPF_RINGBUF_HDR_SZ, 8ULL);
		if (pos - freed >= FREE_BYTES) {
			freed = pos;
			__atomic_store_n(r->consumer, pos, __ATOMIC_RELEASE);
		}
	}
	__atomic_store_n(r->consumer, pos, __ATOMIC_RELEASE);
	return ret;
}

/* What tells of a thread's changes comes before what first sees it. */
static int attach(struct sys_bpf *s)
{
	if (bpf_program__autoload(s->progs.renamed))
		s->links.renamed = bpf_program__attach(s->progs.renamed);
	if (bpf_program__autoload(s->progs.sched_exit))
		s->links.sched_exit = bpf_program__attach(s->progs.sched_exit);
	if (bpf_program__autoload(s->progs.sched_fork))
		s->links.sched_fork = bpf_program__attach(s->progs.sched_fork);
	return sys_bpf__attach(s);	/* those that failed again, with their error */
}

int syscapture_open(struct syscapture **out, const struct syscapture_opts *o, const struct os *os, struct err *err)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	struct syscapture *c = xnew(struct syscapture);
	int ret;

	libbpf_set_print(print_log);
	setrlimit(RLIMIT_MEMLOCK, &unlimited);	/* kernels before 5.11 */
	c->skel = sys_bpf__open();
	if (!c->skel) {
		ret = -errno;
		goto fail;
	}
	set_options(c->skel, o);
	ret = sys_bpf__load(c->skel);
	if (ret)
		goto fail;
	set_targets(c->skel, o);
	ret = ring_open(&c->ring, bpf_map__fd(c->skel->maps.ring), bpf_map__max_entries(c->skel->maps.ring), os->page_bytes);
	if (ret)
		goto fail;
	ret = attach(c->skel);
	if (ret)
		goto fail;
	*out = c;
	return 0;
fail:
	syscapture_close(c);
	return fail_open(ret < 0 ? -ret : EINVAL, os, err);
}

void syscapture_stop(struct syscapture *c)
{
	sys_bpf__detach(c->skel);
}

void syscapture_close(struct syscapture *c)
{
	if (!c)
		return;
	ring_close(&c->ring);
	sys_bpf__destroy(c->skel);
	free(c);
}

void syscapture_pause(struct syscapture *c, bool paused)
{
	__atomic_store_n(&c->skel->bss->paused, paused, __ATOMIC_RELEASE);
}

void syscapture_exclude(struct syscapture *c, pid_t pid)
{
	u32 key = pid;
	u8 one = 1;

	bpf_map_update_elem(bpf_map__fd(c->skel->maps.excluded), &key, &one, BPF_ANY);
}

int syscapture_fd(const struct syscapture *c)
{
	return c->ring.epoll_fd;
}

int syscapture_drain(struct syscapture *c, syscapture_fn fn, void *ctx)
{
	struct epoll_event ev;

	epoll_wait(c->ring.epoll_fd, &ev, 1, 0);
	/* from here on the kernel may wake us again */
	__atomic_store_n(&c->skel->bss->woken, 0, __ATOMIC_SEQ_CST);
	return ring_read(&c->ring, fn, ctx);
}

u64 syscapture_lost(const struct syscapture *c)
{
	return __atomic_load_n(&c->skel->bss->lost, __ATOMIC_RELAXED);
}

u64 syscapture_sums_lost(const struct syscapture *c)
{
	return __atomic_load_n(&c->skel->bss->sum_lost, __ATOMIC_RELAXED);
}

int syscapture_sums(struct syscapture *c, void (*fn)(void *ctx, const struct syssum_key *k, const struct syssum *s), void *ctx)
{
	int fd = bpf_map__fd(c->skel->maps.sums);
	struct syssum_key key, next;
	void *prev = NULL;
	struct syssum s;

	while (!bpf_map_get_next_key(fd, prev, &next)) {
		if (!bpf_map_lookup_elem(fd, &next, &s))
			fn(ctx, &next, &s);
		key = next;
		prev = &key;
	}
	return 0;
}

int syscapture_errnos(struct syscapture *c, void (*fn)(void *ctx, const struct syssum_errno_key *k, u64 n), void *ctx)
{
	int fd = bpf_map__fd(c->skel->maps.sum_errnos);
	struct syssum_errno_key key, next;
	void *prev = NULL;
	u64 n;

	while (!bpf_map_get_next_key(fd, prev, &next)) {
		if (!bpf_map_lookup_elem(fd, &next, &n))
			fn(ctx, &next, n);
		key = next;
		prev = &key;
	}
	return 0;
}

bool syscapture_task(struct syscapture *c, u32 tid, struct syssum_task *out)
{
	return !bpf_map_lookup_elem(bpf_map__fd(c->skel->maps.sum_tasks), &tid, out);
}

int syscapture_stack(struct syscapture *c, s32 id, u64 *ips, int max)
{
	u64 all[127];
	int n = 0;

	if (id < 0 || bpf_map_lookup_elem(bpf_map__fd(c->skel->maps.stacks), &id, all))
		return 0;
	while (n < max && n < 127 && all[n]) {
		ips[n] = all[n];
		n++;
	}
	return n;
}
