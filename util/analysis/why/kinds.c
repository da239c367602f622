// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * For what a task sleeps, by the functions that it is in (the innermost one that is known decides),
 * or by its system call; and who woke it, by the functions of the wake-up.
 */
#include <string.h>

#include "util/analysis/why/why-priv.h"
#include "util/event/tracepoint.h"
#include "util/stream/frame.h"

const char *const why_wait_names[WAIT_N] = {
	[WAIT_UNKNOWN] = "something", [WAIT_LOCK] = "a lock of the kernel",
	[WAIT_FUTEX] = "a futex", [WAIT_CONDITION] = "a condition variable",
	[WAIT_PIPE] = "a pipe", [WAIT_SOCKET] = "a socket", [WAIT_POLL] = "files (poll)",
	[WAIT_TIMER] = "a timer", [WAIT_DISK] = "I/O", [WAIT_CHILD] = "a child process",
	[WAIT_SIGNAL] = "a signal", [WAIT_TERMINAL] = "a terminal", [WAIT_WORK] = "work to do",
	[WAIT_MEMORY] = "memory", [WAIT_EVENT] = "an event", [WAIT_STOP] = "SIGCONT",
};

struct function { const char *name; u8 kind; bool prefix; };

static const struct function waits[] = {
	{ "pthread_cond_", WAIT_CONDITION, true }, { "__pthread_cond_", WAIT_CONDITION, true },
	{ "___pthread_cond_", WAIT_CONDITION, true },
	{ "__pthread_clockjoin", WAIT_CONDITION, true }, { "pthread_join", WAIT_CONDITION, true },
	{ "pthread_barrier_wait", WAIT_CONDITION, true }, { "sem_wait", WAIT_CONDITION, true },
	{ "__new_sem_wait", WAIT_CONDITION, true },
	{ "futex_", WAIT_FUTEX, true }, { "__futex_", WAIT_FUTEX, true },
	{ "do_futex", WAIT_FUTEX, false },
	{ "pipe_", WAIT_PIPE, true }, { "anon_pipe_", WAIT_PIPE, true },
	{ "fifo_", WAIT_PIPE, true }, { "wait_for_partner", WAIT_PIPE, false },
	{ "io_schedule", WAIT_DISK, true }, { "folio_wait_", WAIT_DISK, true },
	{ "wait_on_page_", WAIT_DISK, true }, { "__wait_on_buffer", WAIT_DISK, false },
	{ "blk_mq_get_tag", WAIT_DISK, false }, { "rq_qos_wait", WAIT_DISK, false },
	{ "submit_bio_wait", WAIT_DISK, false }, { "blk_execute_rq", WAIT_DISK, false },
	{ "jbd2_log_wait_commit", WAIT_DISK, false }, { "__iomap_dio_rw", WAIT_DISK, false },
	{ "blkdev_direct_", WAIT_DISK, true }, { "__blkdev_direct_", WAIT_DISK, true },
	{ "balance_dirty_pages", WAIT_DISK, false },
	{ "__mutex_lock", WAIT_LOCK, true }, { "mutex_lock", WAIT_LOCK, true },
	{ "rwsem_down_", WAIT_LOCK, true }, { "down_read", WAIT_LOCK, true },
	{ "down_write", WAIT_LOCK, true }, { "__down", WAIT_LOCK, true },
	{ "percpu_rwsem_wait", WAIT_LOCK, false }, { "rt_mutex_", WAIT_LOCK, true },
	{ "__rt_mutex_", WAIT_LOCK, true },
	{ "do_nanosleep", WAIT_TIMER, false }, { "hrtimer_nanosleep", WAIT_TIMER, false },
	{ "msleep", WAIT_TIMER, true }, { "usleep_range", WAIT_TIMER, true },
	{ "ep_poll", WAIT_POLL, false }, { "do_poll", WAIT_POLL, true },
	{ "do_sys_poll", WAIT_POLL, false }, { "do_select", WAIT_POLL, false },
	{ "io_cqring_wait", WAIT_POLL, false },
	{ "unix_stream_", WAIT_SOCKET, true }, { "unix_dgram_", WAIT_SOCKET, true },
	{ "unix_wait_", WAIT_SOCKET, true }, { "tcp_", WAIT_SOCKET, true },
	{ "sk_wait_data", WAIT_SOCKET, false }, { "sk_stream_wait_", WAIT_SOCKET, true },
	{ "inet_csk_accept", WAIT_SOCKET, false }, { "sock_alloc_send_", WAIT_SOCKET, true },
	{ "__skb_wait_", WAIT_SOCKET, true },
	{ "do_wait", WAIT_CHILD, false }, { "kernel_wait4", WAIT_CHILD, false },
	{ "sigsuspend", WAIT_SIGNAL, false }, { "do_sigtimedwait", WAIT_SIGNAL, false },
	{ "__do_sys_pause", WAIT_SIGNAL, false }, { "__x64_sys_pause", WAIT_SIGNAL, false },
	{ "do_signal_stop", WAIT_STOP, false }, { "ptrace_stop", WAIT_STOP, false },
	{ "n_tty_read", WAIT_TERMINAL, false }, { "n_tty_write", WAIT_TERMINAL, false },
	{ "eventfd_", WAIT_EVENT, true }, { "worker_thread", WAIT_WORK, false },
	{ "smpboot_thread_fn", WAIT_WORK, false }, { "rescuer_thread", WAIT_WORK, false },
	{ "kthread", WAIT_WORK, false }, { "rcu_gp_", WAIT_WORK, true },
	{ "try_to_free_", WAIT_MEMORY, true }, { "reclaim_throttle", WAIT_MEMORY, false },
	{ "mem_cgroup_handle_over_high", WAIT_MEMORY, false },
};

/* Marks of the chain that are no wait themselves. */
enum { IN_FAULT = WAIT_N + 1, FROM_SENDER };

static const struct function faults[] = {
	{ "handle_mm_fault", IN_FAULT, false }, { "do_user_addr_fault", IN_FAULT, false },
	{ "exc_page_fault", IN_FAULT, false }, { "asm_exc_page_fault", IN_FAULT, false },
	{ "do_page_fault", IN_FAULT, false }, { "do_mem_abort", IN_FAULT, false },
};

static const struct function wakers[] = {
	{ "hrtimer_", HOW_TIMER, true }, { "__hrtimer_", HOW_TIMER, true },
	{ "process_timeout", HOW_TIMER, false }, { "call_timer_fn", HOW_TIMER, false },
	{ "run_timer_", HOW_TIMER, true },
	{ "blk_", HOW_DISK, true }, { "bio_endio", HOW_DISK, false },
	{ "virtblk_done", HOW_DISK, false }, { "nvme_", HOW_DISK, true },
	{ "scsi_", HOW_DISK, true }, { "folio_end_", HOW_DISK, true },
	{ "end_bio_", HOW_DISK, true }, { "end_buffer_", HOW_DISK, true },
	{ "tcp_sendmsg", FROM_SENDER, true }, { "udp_sendmsg", FROM_SENDER, true },
	{ "sock_sendmsg", FROM_SENDER, true }, { "__sys_send", FROM_SENDER, true },
	{ "inet_stream_connect", FROM_SENDER, true },
	{ "net_rx_action", HOW_NETWORK, false }, { "__netif_receive_", HOW_NETWORK, true },
	{ "napi_", HOW_NETWORK, true },
};

static int look_up(const struct function *v, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].prefix ? str_has_prefix(name, v[i].name) : !strcmp(name, v[i].name))
			return v[i].kind;
	return -1;
}

/* Of a function; known: by its symbol. -1: none of them. */
static int kind_of(struct hmap *known, const struct location *f, const struct function *v,
		   size_t n)
{
	const u64 key = f->inl ? (u64)(uintptr_t)f->inl : (u64)(uintptr_t)f->sym;
	const char *name = frame_function(f);
	void *had = key ? hmap_get(known, key) : NULL;
	int kind;

	if (!name)
		return -1;
	if (had)
		return (int)(uintptr_t)had - 2;
	kind = look_up(v, n, name);
	if (kind < 0 && v == waits)
		kind = look_up(faults, ARRAY_SIZE(faults), name);
	hmap_put(known, key, (void *)(uintptr_t)(kind + 2));
	return kind;
}

enum why_wait why_wait_of(struct why *w, const struct sink_item *item, bool *in_fault)
{
	const struct resolved *r = item ? item->res : NULL;
	enum why_wait wait = WAIT_UNKNOWN;

	*in_fault = false;
	for (u32 i = 0; r && i < r->n_frames; i++) {
		const int kind = kind_of(&w->kinds, &r->frames[i], waits, ARRAY_SIZE(waits));

		if (kind == IN_FAULT)
			*in_fault = true;
		else if (kind > 0 && (wait == WAIT_UNKNOWN ||
				      (wait == WAIT_FUTEX && kind == WAIT_CONDITION)))
			wait = (enum why_wait)kind;
	}
	return wait;
}

enum why_wait why_wait_of_call(const struct why *w, u32 nr)
{
	static const struct function calls[] = {
		{ "futex", WAIT_FUTEX, true }, { "nanosleep", WAIT_TIMER, false },
		{ "clock_nanosleep", WAIT_TIMER, false }, { "poll", WAIT_POLL, false },
		{ "ppoll", WAIT_POLL, false }, { "select", WAIT_POLL, false },
		{ "pselect6", WAIT_POLL, false }, { "epoll_", WAIT_POLL, true },
		{ "wait4", WAIT_CHILD, false }, { "waitid", WAIT_CHILD, false },
		{ "fsync", WAIT_DISK, false }, { "fdatasync", WAIT_DISK, false },
		{ "sync", WAIT_DISK, true }, { "pause", WAIT_SIGNAL, false },
		{ "rt_sigsuspend", WAIT_SIGNAL, false }, { "rt_sigtimedwait", WAIT_SIGNAL, false },
		{ "accept", WAIT_SOCKET, true }, { "recv", WAIT_SOCKET, true },
		{ "send", WAIT_SOCKET, true }, { "connect", WAIT_SOCKET, false },
	};
	const char *name = nr < w->opts.n_syscalls ? w->opts.syscalls[nr] : NULL;
	const int kind = name ? look_up(calls, ARRAY_SIZE(calls), name) : -1;

	return kind > 0 ? (enum why_wait)kind : WAIT_UNKNOWN;
}

/* --- who woke it */

/* The bits of common_flags, in all kernels. */
enum { FLAG_HARD_INTERRUPT = 8, FLAG_SOFT_INTERRUPT = 16, FLAG_NMI = 64 };

static unsigned flags_of(struct why *w, const struct sink_item *item)
{
	const struct sample *s = item->sample;
	const struct tp_field *const *f = per_event(&w->flags, s->event);

	return *f ? (unsigned)tp_read_u64(*f, s->raw, w->opts.swap) : 0;
}

enum why_how why_how_of(struct why *w, const struct sink_item *item, bool waker_idle)
{
	const struct resolved *r = item ? item->res : NULL;
	const unsigned flags = item && item->sample->event ? flags_of(w, item) : 0;
	enum why_how how = HOW_INTERRUPT;

	if (!waker_idle && !(flags & (FLAG_HARD_INTERRUPT | FLAG_SOFT_INTERRUPT | FLAG_NMI)))
		return HOW_TASK;
	for (u32 i = 0; r && i < r->n_frames; i++) {
		const int kind = kind_of(&w->hows, &r->frames[i], wakers, ARRAY_SIZE(wakers));

		/* who sends through the loopback device delivers it, too */
		if (kind == FROM_SENDER && !waker_idle && !(flags & FLAG_HARD_INTERRUPT))
			return HOW_TASK;
		if (kind > 0 && kind < WAIT_N && how == HOW_INTERRUPT)
			how = (enum why_how)kind;
	}
	return how;
}
