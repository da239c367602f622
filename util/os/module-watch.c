// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The programs are so small that they are written here as the kernel takes them; no library, no
 * type information. What they read is the beginning of struct module (state, list, name), which has
 * been the same since Linux 2.6.
 */
#include "util/os/module-watch.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/xalloc.h"

#define NAME_OFF (sizeof(long) + 2 * sizeof(void *))	/* an enum and padding, two pointers */
#define RING_PAGES 4		/* some 200 events: thousands of modules do not come at once */

/* What a program writes. */
struct module_record { u64 time_ns, gone; char name[56]; };

struct os_module_watch {
	int ring_fd, prog_fds[2], link_fds[2];
	size_t page_bytes;
	u64 *consumer;			/* the first page, ours */
	/* a page, then the ring twice: records that wrap are in one piece */
	const u8 *producer;
};

static int bpf_call(int cmd, union bpf_attr *a)
{
	return (int)syscall(SYS_bpf, cmd, a, sizeof(*a));
}

#define INSN(op, dst, src, o, i) \
	((struct bpf_insn){ .code = (op), .dst_reg = (dst), .src_reg = (src), .off = (o), \
			    .imm = (i) })
#define MOV_REG(dst, src) INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define MOV_IMM(dst, i) INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, i)
#define ADD_IMM(dst, i) INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, i)
#define LOAD(dst, src, o) INSN(BPF_LDX | BPF_MEM | BPF_DW, dst, src, o, 0)
#define STORE(dst, o, src) INSN(BPF_STX | BPF_MEM | BPF_DW, dst, src, o, 0)
#define CALL(helper) INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##helper)

/* args[0] of both tracepoints is the struct module. */
static int load_program(int ring_fd, bool gone)
{
	const struct bpf_insn insns[] = {
		LOAD(6, 1, 0),
		INSN(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, ring_fd),
		INSN(0, 0, 0, 0, 0),
		MOV_IMM(2, sizeof(struct module_record)), MOV_IMM(3, 0), CALL(ringbuf_reserve),
		INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 14, 0),	/* no room: to the end */
		MOV_REG(7, 0),
		CALL(ktime_get_ns), STORE(7, offsetof(struct module_record, time_ns), 0),
		MOV_IMM(1, gone), STORE(7, offsetof(struct module_record, gone), 1),
		MOV_REG(1, 7), ADD_IMM(1, offsetof(struct module_record, name)),
		MOV_IMM(2, sizeof(((struct module_record *)0)->name)),
		MOV_REG(3, 6), ADD_IMM(3, NAME_OFF), CALL(probe_read_kernel),
		MOV_REG(1, 7), MOV_IMM(2, 0), CALL(ringbuf_submit),
		MOV_IMM(0, 0), INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	a.insns = (uintptr_t)insns;
	a.insn_cnt = ARRAY_SIZE(insns);
	a.license = (uintptr_t)"GPL";
	memcpy(a.prog_name, gone ? "perf_mod_free" : "perf_mod_load", 14);
	return bpf_call(BPF_PROG_LOAD, &a);
}

static int attach(int prog_fd, const char *tracepoint)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.raw_tracepoint.name = (uintptr_t)tracepoint;
	a.raw_tracepoint.prog_fd = (u32)prog_fd;
	return bpf_call(BPF_RAW_TRACEPOINT_OPEN, &a);
}

static int make_ring(u32 bytes)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.map_type = BPF_MAP_TYPE_RINGBUF;
	a.max_entries = bytes;
	memcpy(a.map_name, "perf_modules", 13);
	return bpf_call(BPF_MAP_CREATE, &a);
}

static bool map_ring(struct os_module_watch *w)
{
	const size_t page = w->page_bytes;
	void *p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, w->ring_fd, 0);

	if (p == MAP_FAILED)
		return false;
	w->consumer = p;
	p = mmap(NULL, page + 2 * RING_PAGES * page, PROT_READ, MAP_SHARED, w->ring_fd,
		 (off_t)page);
	if (p == MAP_FAILED)
		return false;
	w->producer = p;
	return true;
}

struct os_module_watch *os_module_watch_open(const struct os *os)
{
	static const char *const tracepoints[] = { "module_load", "module_free" };
	struct os_module_watch *w;
	bool ok;

	if (os->fake)
		return NULL;
	w = xnew(struct os_module_watch);
	*w = (struct os_module_watch){ .prog_fds = { -1, -1 }, .link_fds = { -1, -1 },
				       .page_bytes = os->page_bytes };
	w->ring_fd = make_ring((u32)(RING_PAGES * w->page_bytes));
	ok = w->ring_fd >= 0 && map_ring(w);
	for (size_t i = 0; i < ARRAY_SIZE(tracepoints) && ok; i++) {
		w->prog_fds[i] = load_program(w->ring_fd, i == 1);
		w->link_fds[i] = w->prog_fds[i] < 0 ? -1 : attach(w->prog_fds[i], tracepoints[i]);
		ok = w->link_fds[i] >= 0;
	}
	if (ok)
		return w;
	os_module_watch_close(w);
	return NULL;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void os_module_watch_close(struct os_module_watch *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(w->link_fds); i++) {
		close_fd(w->link_fds[i]);
		close_fd(w->prog_fds[i]);
	}
	if (w->producer)
		munmap((void *)w->producer, w->page_bytes + 2 * RING_PAGES * w->page_bytes);
	if (w->consumer)
		munmap(w->consumer, w->page_bytes);
	close_fd(w->ring_fd);
	free(w);
}

int os_module_watch_fd(const struct os_module_watch *w)
{
	return w->ring_fd;
}

bool os_module_watch_pending(const struct os_module_watch *w)
{
	return __atomic_load_n((const u64 *)w->producer, __ATOMIC_ACQUIRE) > *w->consumer;
}

/* A record has a word of 8 bytes in front: length, with two flags on top, and a page number. */
bool os_module_watch_next(struct os_module_watch *w, struct os_module_event *out)
{
	const u64 end = __atomic_load_n((const u64 *)w->producer, __ATOMIC_ACQUIRE);
	const size_t ring_bytes = RING_PAGES * w->page_bytes;
	bool got = false;
	u64 at = *w->consumer;

	while (at < end && !got) {
		const u8 *p = w->producer + w->page_bytes + (at & (ring_bytes - 1));
		const u32 len = __atomic_load_n((const u32 *)p, __ATOMIC_ACQUIRE);
		const u32 bytes = len & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
		struct module_record rec;

		if (len & BPF_RINGBUF_BUSY_BIT)
			break;
		if (!(len & BPF_RINGBUF_DISCARD_BIT) && bytes >= sizeof(rec)) {
			memcpy(&rec, p + BPF_RINGBUF_HDR_SZ, sizeof(rec));
			*out = (struct os_module_event){ .time_ns = rec.time_ns, .gone = rec.gone };
			memcpy(out->name, rec.name, sizeof(out->name) - 1);
			got = true;
		}
		at += (bytes + BPF_RINGBUF_HDR_SZ + 7) & ~7ULL;
		__atomic_store_n(w->consumer, at, __ATOMIC_RELEASE);
	}
	return got;
}
