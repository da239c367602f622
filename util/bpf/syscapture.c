// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/syscapture.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "bpf/sys.skel.h"
#include "bpf/sysraw.skel.h"
#include "util/base/log.h"
#include "util/bpf/progload.h"
#include "util/os/kernel.h"
#include "util/os/rights.h"

/* 110 ms of two million calls a second; 16 MB lost some when four programs made calls at once */
#define DEFAULT_RING (32 << 20)
enum { TARGET_TID = 1, TARGET_TGID = 2, TARGET_HELD = 4 };	/* as in sys.bpf.c */

/* The reader's side of the ring (wire/sysrec.h), and of the bell that the programs ring when it
 * fills up. */
struct bpf_ring {
	int epoll_fd;		/* has an edge at each wake-up */
	size_t page_bytes, bytes;	/* bytes: of records, without the room after the segments */
	u64 secret, pos;
	__u64 *tail;		/* where the programs see how far we are */
	const u8 *segments;	/* room for all of them, */
	/* of which so many are mapped. Most traces never see the end of the ring */
	size_t n_mapped;
	int fd;			/* the map's, borrowed */
	u64 *bell_consumer;
	const u64 *bell_producer;
};

#define MAX_LINKS 9

/* The programs of either object: they have the same variables, and maps and programs by the same
 * names. */
struct syscapture {
	struct sys_bpf *skel;
	struct sysraw_bpf *raw;
	struct bpf_object *obj;		/* of one of them */
	struct sys_bpf__rodata *rodata;
	struct sys_bpf__bss *bss;
	struct progload *progs;		/* with type information */
	int links[MAX_LINKS];		/* descriptors, 0: none; with type information */
	struct bpf_link *raw_links[MAX_LINKS];	/* else */
	struct bpf_ring ring;
};
_Static_assert(sizeof(struct sys_bpf__rodata) == sizeof(struct sysraw_bpf__rodata),
	       "the same source");
_Static_assert(sizeof(struct sys_bpf__bss) == sizeof(struct sysraw_bpf__bss), "the same source");

static struct bpf_map *map_of(const struct syscapture *c, const char *name)
{
	return bpf_object__find_map_by_name(c->obj, name);
}

static int map_fd(const struct syscapture *c, const char *name)
{
	return bpf_map__fd(map_of(c, name));
}

static void leave_out(const struct syscapture *c, const char *program)
{
	bpf_program__set_autoload(bpf_object__find_program_by_name(c->obj, program), false);
}

static bool has_btf(const struct os *os)
{
	char *btf = os_path(os, OS_BTF);
	bool yes = !access(btf, R_OK);

	free(btf);
	return yes;
}

static int fail_open(int code, enum syscapture_engine engine, const struct os *os, struct err *err)
{
	err_sys(err, code, "cannot load the BPF programs that watch system calls");
	if ((engine == SYSCAPTURE_BTF || code == EPERM || code == EACCES) &&
	    os_bpf_hint(os, code, err))
		return -code;
	if (code == EINVAL)
		/* found on 5.10: "BPF_STX uses reserved fields", and no
		 * BPF_MAP_TYPE_TASK_STORAGE (5.11) */
		err_hint(err, "kernels before 5.12 do not know the atomic instructions by which "
			      "the CPUs share the ring of these programs");
	return -code;
}

/* The programs need an atomic addition that gives the old value (5.12). The whole program is not
 * offered to kernels without it: that of 5.10 says "verifier bug" of it in its log. */
static bool knows_atomics(void)
{
	static const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_1, .imm = 1 },
		{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .src_reg = BPF_REG_1,
		  .off = -8 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = BPF_REG_10,
		  .src_reg = BPF_REG_1, .off = -8, .imm = BPF_ADD | BPF_FETCH },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, NULL, "GPL", code, ARRAY_SIZE(code),
			       NULL);
	bool yes = fd >= 0 || errno != EINVAL;

	if (fd >= 0)
		close(fd);
	return yes;
}

static void set_pidns(struct syscapture *s)
{
	u64 dev, ino;

	if (!os_inner_pids(&dev, &ino))
		return;
	s->rodata->pidns_dev = dev;
	s->rodata->pidns_ino = ino;
}

static size_t ring_size(size_t want)
{
	size_t bytes = 1 << 20;

	while (bytes < want)
		bytes *= 2;
	return bytes;
}

static u64 ring_margin(void)
{
	int cpus = libbpf_num_possible_cpus();

	return (u64)MAX(cpus, 1) * SYSRING_MAX_RECORD;
}

static size_t wanted_ring(const struct syscapture_opts *o)
{
	size_t want = o->ring_bytes ? o->ring_bytes : DEFAULT_RING;

	return o->records ? ring_size(MAX(want, 4 * ring_margin())) : SYSRING_SEG_BYTES;
}

static size_t ring_segments(const struct syscapture_opts *o)
{
	return wanted_ring(o) / SYSRING_SEG_BYTES;
}

#define SPARE_TARGETS 4096	/* children for whose state there was no memory */

static void set_sizes(struct syscapture *c, const struct syscapture_opts *o)
{
	/* or see make_ring() */
	bpf_map__set_max_entries(map_of(c, "ring"), c->skel ? 1 : ring_segments(o));
	bpf_map__set_max_entries(map_of(c, "targets"), (o->tgids ? o->tgids->n : 0) +
				 (o->tids ? o->tids->n : 0) + SPARE_TARGETS);
	bpf_map__set_max_entries(map_of(c, "named"), o->records ? 16384 : 1);
	bpf_map__set_max_entries(map_of(c, "sums"), o->sums ? 1 << 18 : 1);
	bpf_map__set_max_entries(map_of(c, "sum_errnos"), o->errno_sums ? 1 << 18 : 1);
	bpf_map__set_max_entries(map_of(c, "sum_tasks"), o->sums ? 1 << 16 : 1);
	bpf_map__set_max_entries(map_of(c, "stacks"), o->user_stacks || o->kernel_stacks ? 1 << 14 :
				 1);
}

static void set_ops(struct syscapture *s, const struct sysplan *plans)
{
	for (size_t i = 0; i < 2 * SYSPLAN_NRS; i++)
		for (int k = 0; plans[i].flags & SYSPLAN_WANTED &&
		     k < plans[i].n_in + plans[i].n_out; k++)
			s->rodata->ops_used |= 1u << plans[i].ops[k].op;
}

/* A short list is distinguished by the first instructions of programs that see all calls; what
 * these cost is what two programs cost that do nothing: 1.6 times a program's own time if it does
 * nothing but calls. Programs on the tracepoints of single calls (syscalls:sys_enter_accept) would
 * cost it 1.3 times; but those tracepoints do not know calls of 32 bits, which any program may
 * begin to make, and a trace that lacks them would be one that lies. With calls that nobody asks
 * for: the others that programs must see pass, too. Without names of files no descriptor matters.
 */
static void set_passing(struct syscapture *s, const struct syscapture_opts *o)
{
	const u8 needed = SYSPLAN_WANTED | SYSPLAN_EXEC | SYSPLAN_FORK |
		(o->records ? SYSPLAN_FDS : 0);

	for (size_t i = 0; i < 2 * SYSPLAN_NRS; i++) {
		size_t nr = i % SYSPLAN_NRS;

		/* the last one stands for numbers beyond, too: those always pass */
		if (o->plans[i].flags & needed)
			s->rodata->passing[nr / 64] |= 1ULL << nr % 64;
		else
			s->rodata->few_calls = true;
	}
}

static void set_options(struct syscapture *s, const struct syscapture_opts *o)
{
	set_sizes(s, o);
	s->rodata->mark_bytes = wanted_ring(o) / 8;
	s->rodata->ring_bytes = wanted_ring(o);
	s->rodata->ring_margin = o->records ? ring_margin() : 0;
	if (getrandom((void *)&s->rodata->ring_secret, sizeof(s->rodata->ring_secret),
		      GRND_NONBLOCK) < 0)
		s->rodata->ring_secret = os_now_ns();
	s->rodata->self_tgid = getpid();
	s->rodata->all_tasks = o->all;
	s->rodata->inherit = !o->no_inherit;
	s->rodata->fds_are_ours = o->all || (o->held && !o->no_inherit);
	s->rodata->any_excluded = o->all || (o->excluded && o->excluded->n);
	s->rodata->by_uid = o->by_uid;
	s->rodata->uid = o->uid;
	s->rodata->by_cgroup = o->cgroup_fd >= 0;
	s->rodata->ring_on = o->records;
	s->rodata->sum_on = o->sums;
	s->rodata->sum_errno_on = o->errno_sums;
	s->rodata->sum_cgroup = o->cgroup_sums;
	s->rodata->min_ns = o->min_ns;
	s->rodata->only_failed = o->only_failed;
	s->rodata->lifecycle_on = o->lifecycle && o->records;
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
	set_ops(s, o->plans);
	set_pidns(s);
	if (!o->records || !o->entered || o->min_ns || o->only_failed)
		leave_out(s, "sched_switch");
	if (!o->lifecycle || !o->records)
		leave_out(s, "signalled");
	if (o->no_inherit && !o->all)
		leave_out(s, "sched_fork");
}

static void put_target(const struct syscapture *s, int id, u8 how)
{
	u32 key = id;

	bpf_map_update_elem(map_fd(s, "targets"), &key, &how, BPF_ANY);
}

static void set_targets(const struct syscapture *s, const struct syscapture_opts *o)
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

		bpf_map_update_elem(map_fd(s, "excluded"), &key, &one, BPF_ANY);
	}
	if (o->cgroup_fd >= 0) {
		u32 zero = 0;
		int fd = o->cgroup_fd;

		bpf_map_update_elem(map_fd(s, "cgroups"), &zero, &fd, BPF_ANY);
	}
}

/* ---- the ring ---- */

static size_t ring_map_bytes(const struct bpf_ring *r)
{
	return r->bytes / SYSRING_SEG_BYTES * SYSRING_STRIDE;
}

static int ring_open(struct bpf_ring *r, const struct syscapture *c, size_t page_bytes)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET };
	int bell = map_fd(c, "bell");
	void *p;

	*r = (struct bpf_ring){ .fd = map_fd(c, "ring"), .epoll_fd = epoll_create1(EPOLL_CLOEXEC),
				.page_bytes = page_bytes,
				.bytes = c->rodata->ring_bytes, .secret = c->rodata->ring_secret,
				.tail = &c->bss->ring_tail.pos };
	if (r->epoll_fd < 0 || epoll_ctl(r->epoll_fd, EPOLL_CTL_ADD, bell, &ev))
		return -errno;
	p = mmap(NULL, ring_map_bytes(r), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		 -1, 0);
	if (p == MAP_FAILED)
		return -errno;
	r->segments = p;
	p = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, bell, 0);
	if (p == MAP_FAILED)
		return -errno;
	r->bell_consumer = p;
	p = mmap(NULL, page_bytes, PROT_READ, MAP_SHARED, bell, (off_t)page_bytes);
	if (p == MAP_FAILED)
		return -errno;
	r->bell_producer = p;
	return 0;
}

static void ring_close(struct bpf_ring *r)
{
	if (r->segments)
		munmap((void *)r->segments, ring_map_bytes(r));
	if (r->bell_consumer)
		munmap(r->bell_consumer, r->page_bytes);
	if (r->bell_producer)
		munmap((void *)r->bell_producer, r->page_bytes);
	if (r->epoll_fd > 0)
		close(r->epoll_fd);
	*r = (struct bpf_ring){ .epoll_fd = -1 };
}

/* The segments up to this one can be read: 0 or -errno. */
static int ring_map(struct bpf_ring *r, size_t segment)
{
	for (; r->n_mapped <= segment; r->n_mapped++) {
		const size_t at = r->n_mapped * SYSRING_STRIDE;

		if (mmap((u8 *)r->segments + at, SYSRING_STRIDE, PROT_READ, MAP_SHARED | MAP_FIXED,
			 r->fd, (off_t)at) == MAP_FAILED)
			return -errno;
	}
	return 0;
}

#define FREE_BYTES (64 << 10)	/* so much is read before the kernel may write there again */
/* what another processor wrote takes its time to come: it is asked for early */
#define AHEAD_BYTES 1024

static int ring_read(struct bpf_ring *r, syscapture_fn fn, void *ctx)
{
	u64 freed = r->pos;
	int ret = 0;

	while (!ret) {
		const size_t segment = (r->pos & (r->bytes - 1)) / SYSRING_SEG_BYTES;
		const u8 *at = r->segments + segment * SYSRING_STRIDE +
			(r->pos & (SYSRING_SEG_BYTES - 1));
		u64 word, other;
		size_t bytes;

		if (segment >= r->n_mapped && (ret = ring_map(r, segment)) < 0)
			break;
		word = __atomic_load_n((const u64 *)at, __ATOMIC_ACQUIRE);
		other = word ^ SYSRING_WORD(r->pos, r->secret);
		bytes = other * 8;
		if (other > SYSRING_MAX_RECORD / 8 || bytes < 16)	/* not written yet */
			break;
		for (size_t i = 0; i < bytes; i += 64)
			__builtin_prefetch(at + AHEAD_BYTES + i);
		ret = fn(ctx, at + 8, bytes - 8);
		r->pos += bytes;
		if (r->pos - freed >= FREE_BYTES) {
			freed = r->pos;
			__atomic_store_n(r->tail, r->pos, __ATOMIC_RELEASE);
		}
	}
	__atomic_store_n(r->tail, r->pos, __ATOMIC_RELEASE);
	return ret;
}

/* The pages of a large ring take 10 ms, in which other things can be done. */
struct ring_maker {
	pthread_t thread;
	size_t segments;
	bool started;
	int fd;		/* or -errno */
};

static void *make_ring(void *arg)
{
	struct ring_maker *m = arg;

	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);

	m->fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "ring", sizeof(u32), SYSRING_STRIDE, m->segments,
			       &opts);
	if (m->fd < 0)
		m->fd = -errno;
	return NULL;
}

static void ring_maker_start(struct ring_maker *m, size_t segments)
{
	*m = (struct ring_maker){ .segments = segments, .fd = -1 };
	m->started = !pthread_create(&m->thread, NULL, make_ring, m);
	if (!m->started)
		make_ring(m);
}

/* The descriptor of the ring, for the caller to close, or -errno. */
static int ring_maker_end(struct ring_maker *m)
{
	if (m->started)
		pthread_join(m->thread, NULL);
	m->started = false;
	return m->fd;
}

/* The number of the small ring that libbpf has made is in the programs: it becomes the large
 * one's. */
static int put_ring(struct syscapture *c, struct ring_maker *m)
{
	int fd = ring_maker_end(m), ret = 0;

	if (fd < 0)
		return fd;
	if (dup3(fd, map_fd(c, "ring"), O_CLOEXEC) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

static int attach_one(struct syscapture *c, int i, const char *name)
{
	struct bpf_program *p = bpf_object__find_program_by_name(c->obj, name);

	if (!p || !bpf_program__autoload(p))
		return 0;
	if (c->progs) {
		int fd = progload_attach(c->progs, name);

		if (fd > 0)
			c->links[i] = fd;
		return fd < 0 ? fd : 0;
	}
	c->raw_links[i] = bpf_program__attach(p);
	return c->raw_links[i] ? 0 : -errno;
}

/* What tells of a thread's changes comes before what first sees it. */
static int attach(struct syscapture *c)
{
	static const char *const order[MAX_LINKS] =
		{ "renamed", "sched_exec", "sched_exit", "sched_fork", "sched_switch", "sys_enter",
						      "sys_exit", "signalled" };
	int ret = 0;

	for (int i = 0; i < MAX_LINKS && order[i] && !ret; i++)
		ret = attach_one(c, i, order[i]);
	return ret;
}

/* Where a tracepoint has a field; some moved when names became dynamic. */
static int find_field(const struct os *os, const char *tracepoint, const char *field, u32 *to,
		      struct err *err)
{
	char *path = xasprintf("tracing:events/sched/%s/format", tracepoint),
		*want = xasprintf(" %s;", field);
	struct str text = STR_INIT;
	int ret = os_read_file(os, path, &text, err);
	const char *at = ret ? NULL : strstr(str_cstr(&text), want);
	unsigned off;

	if (!ret && (!at || sscanf(at + strlen(want), " offset:%u;", &off) != 1))
		ret = err_set(err, EINVAL, "the tracepoint sched:%s has no %s", tracepoint, field);
	if (!ret)
		*to = off;
	str_release(&text);
	free(path);
	free(want);
	return ret;
}

static int find_fields(struct syscapture *c, const struct os *os, struct err *err)
{
	int ret = find_field(os, "sched_process_fork", "child_pid", &c->rodata->child_off, err);

	if (!ret)
		ret = find_field(os, "sched_process_exec", "filename", &c->rodata->exec_name_off,
				 err);
	return ret ? ret : find_field(os, "sched_process_exec", "old_pid", &c->rodata->exec_old_off,
				      err);
}

static int open_btf(struct syscapture *c)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);

	c->progs = progload_new();
	if (!c->progs)
		return -errno;
	opts.btf_custom_path = progload_btf_path(c->progs);
	c->skel = sys_bpf__open_opts(&opts);
	if (!c->skel)
		return -errno;
	c->obj = c->skel->obj;
	c->rodata = c->skel->rodata;
	c->bss = c->skel->bss;
	return 0;
}

static int open_raw(struct syscapture *c, const struct os *os, struct err *err)
{
	c->raw = sysraw_bpf__open();
	if (!c->raw)
		return err_sys(err, errno, "cannot open the BPF programs that watch system calls");
	c->obj = c->raw->obj;
	c->rodata = (struct sys_bpf__rodata *)c->raw->rodata;
	c->bss = (struct sys_bpf__bss *)c->raw->bss;
	return find_fields(c, os, err);
}

static int load_btf(struct syscapture *c, const struct syscapture_opts *o, const struct os *os,
		    struct err *err)
{
	struct ring_maker ring;
	int ret;

	ring_maker_start(&ring, ring_segments(o));
	ret = open_btf(c);
	if (!ret) {
		set_options(c, o);
		ret = progload_types(c->progs, c->obj, NULL, 0, os, has_btf(os) ? err : NULL);
	}
	if (!ret)
		ret = sys_bpf__load(c->skel);
	if (!ret)
		ret = put_ring(c, &ring);
	else if (ring_maker_end(&ring) >= 0)
		close(ring.fd);
	if (ret)
		return ret;
	c->bss = c->skel->bss;		/* loading maps it anew */
	return progload_run(c->progs);
}

static int load_raw(struct syscapture *c, const struct syscapture_opts *o, const struct os *os,
		    struct err *err)
{
	int ret = open_raw(c, os, err);

	if (ret)
		return ret;
	set_options(c, o);
	ret = sysraw_bpf__load(c->raw);
	c->bss = (struct sys_bpf__bss *)c->raw->bss;
	return ret;
}

static int open_engine(struct syscapture **out, const struct syscapture_opts *o,
		       enum syscapture_engine engine, const struct os *os,
		       struct err *err)
{
	struct syscapture *c = xnew(struct syscapture);
	struct err reason = ERR_INIT;
	int ret = engine == SYSCAPTURE_BTF ? load_btf(c, o, os, &reason) :
		load_raw(c, o, os, &reason);

	if (!ret) {
		set_targets(c, o);
		ret = ring_open(&c->ring, c, os->page_bytes);
	}
	if (!ret)
		ret = attach(c);
	if (!ret) {
		*out = c;
		return 0;
	}
	syscapture_close(c);
	if (reason.msg)
		err_set(err, reason.code, "%s", reason.msg);
	else
		fail_open(ret < 0 ? -ret : EINVAL, engine, os, err);
	err_release(&reason);
	return ret;
}

int syscapture_open(struct syscapture **out, const struct syscapture_opts *o, const struct os *os,
		    struct err *err)
{
	enum syscapture_engine engine = o->engine;
	struct err first = ERR_INIT;
	int ret = -EINVAL;

	progload_log();
	os_want_locked_memory();
	if (!knows_atomics())
		return fail_open(EINVAL, SYSCAPTURE_RAW, os, err);
	if (engine == SYSCAPTURE_ANY && !has_btf(os))
		engine = SYSCAPTURE_RAW;
	if (engine != SYSCAPTURE_RAW)
		ret = open_engine(out, o, SYSCAPTURE_BTF, os, engine == SYSCAPTURE_ANY ? &first :
				  err);
	if (engine == SYSCAPTURE_RAW || (ret && engine == SYSCAPTURE_ANY && ret != -EPERM)) {
		if (first.msg)
			log_printf(LOG_BPF, 1, "%s: trying without type information", first.msg);
		ret = open_engine(out, o, SYSCAPTURE_RAW, os, err);
	} else if (ret && first.msg) {
		err_set(err, first.code, "%s", first.msg);
		if (first.hint)
			err_hint(err, "%s", first.hint);
	}
	err_release(&first);
	return ret;
}

enum syscapture_engine syscapture_engine(const struct syscapture *c)
{
	return c->skel ? SYSCAPTURE_BTF : SYSCAPTURE_RAW;
}

void syscapture_stop(struct syscapture *c)
{
	for (int i = 0; i < MAX_LINKS; i++) {
		if (c->links[i])
			close(c->links[i]);
		c->links[i] = 0;
		bpf_link__destroy(c->raw_links[i]);
		c->raw_links[i] = NULL;
	}
}

void syscapture_close(struct syscapture *c)
{
	if (!c)
		return;
	syscapture_stop(c);
	ring_close(&c->ring);
	progload_free(c->progs);
	if (c->skel)
		sys_bpf__destroy(c->skel);
	if (c->raw)
		sysraw_bpf__destroy(c->raw);
	free(c);
}

void syscapture_pause(struct syscapture *c, bool paused)
{
	__atomic_store_n(&c->bss->paused, paused, __ATOMIC_RELEASE);
}

int syscapture_fd(const struct syscapture *c)
{
	return c->ring.epoll_fd;
}

int syscapture_drain(struct syscapture *c, syscapture_fn fn, void *ctx)
{
	struct epoll_event ev;

	epoll_wait(c->ring.epoll_fd, &ev, 1, 0);
	__atomic_store_n(c->ring.bell_consumer,
			 __atomic_load_n(c->ring.bell_producer, __ATOMIC_ACQUIRE),
			 __ATOMIC_RELEASE);
	/* from here on the kernel may wake us again */
	__atomic_store_n(&c->bss->woken, 0, __ATOMIC_SEQ_CST);
	return ring_read(&c->ring, fn, ctx);
}

u64 syscapture_lost(const struct syscapture *c)
{
	return __atomic_load_n(&c->bss->lost, __ATOMIC_RELAXED);
}

u64 syscapture_sums_lost(const struct syscapture *c)
{
	return __atomic_load_n(&c->bss->sum_lost, __ATOMIC_RELAXED);
}

int syscapture_sums(struct syscapture *c, void (*fn)(void *ctx, const struct syssum_key *k,
						     const struct syssum *s), void *ctx)
{
	int fd = map_fd(c, "sums");
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

int syscapture_errnos(struct syscapture *c,
		      void (*fn)(void *ctx, const struct syssum_errno_key *k, u64 n), void *ctx)
{
	int fd = map_fd(c, "sum_errnos");
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
	return !bpf_map_lookup_elem(map_fd(c, "sum_tasks"), &tid, out);
}
