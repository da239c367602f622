// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/stackprog.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "bpf/stack.skel.h"
#include "util/base/log.h"
#include "util/base/xalloc.h"
#include "util/bpf/progload.h"
#include "util/os/event-fd.h"
#include "util/os/rights.h"

#define MAX_MAPS 8
#define PROCS_BYTES (STACK_PROCS * sizeof(struct stack_proc))
#define RULES_BYTES (STACK_MAX_RULES * sizeof(struct stack_rule))

struct stackprog {
	struct stack_bpf *skel;
	struct progload *types;
	/* tables, as memory of this process */
	struct stack_slot *slots;
	struct stack_proc *procs;
	struct stack_rule *rules;
	size_t slots_bytes;
	struct bpf_program *prog;	/* the one of skel that is loaded */
	bool detachable;
	int_vec links;
	u32 prog_id, map_ids[MAX_MAPS];
	size_t n_maps;
};

/* ---- others ---- */

static bool is_tracing(const struct bpf_prog_info *i, bool at_clock)
{
	if (i->type == BPF_PROG_TYPE_PERF_EVENT)
		return !at_clock || strcmp(i->name, "unwind_at_clock");
	return i->type == BPF_PROG_TYPE_KPROBE || i->type == BPF_PROG_TYPE_TRACEPOINT;
}

/* Of a recorder like this one, which uses them before and after it records; what libbpf tries
 * out when it loads something, which nobody uses, and which is there a little longer than that
 * takes; rings, which are read as memory: this process has one of modules; those of --off-cpu,
 * which are read when events are off. */
static bool is_harmless(const struct bpf_map_info *i)
{
	return i->type == BPF_MAP_TYPE_RINGBUF || !strncmp(i->name, "unwind_", 7) ||
		!strncmp(i->name, "stack_bp.", 9) || !strncmp(i->name, "offcpu_", 7) ||
	       !strncmp(i->name, "libbpf_", 7);
}

static bool is_own_map(const struct stackprog *own, u32 id)
{
	for (size_t i = 0; own && i < own->n_maps; i++)
		if (own->map_ids[i] == id)
			return true;
	return false;
}

static bool prog_matters(u32 id, bool at_clock)
{
	struct bpf_prog_info info = { 0 };
	u32 bytes = sizeof(info);
	const int fd = bpf_prog_get_fd_by_id(id);
	bool yes;

	if (fd < 0)		/* it is gone */
		return false;
	yes = !bpf_obj_get_info_by_fd(fd, &info, &bytes) && is_tracing(&info, at_clock);
	close(fd);
	return yes;
}

static bool map_matters(u32 id)
{
	struct bpf_map_info info = { 0 };
	u32 bytes = sizeof(info);
	const int fd = bpf_map_get_fd_by_id(id);
	bool yes;

	if (fd < 0)
		return false;
	yes = !bpf_obj_get_info_by_fd(fd, &info, &bytes) && !is_harmless(&info);
	if (yes)
		log_printf(LOG_BPF, 1, "BPF map %u '%.16s', type %u", id, info.name, info.type);
	close(fd);
	return yes;
}

const char *stackprog_others(struct stackprog_seen *seen, const struct stackprog *own,
			     bool at_clock)
{
	const char *what = NULL;
	u32 id;

	while (!bpf_prog_get_next_id(seen->prog, &id)) {
		seen->prog = id;
		if (!(own && own->prog_id == id) && prog_matters(id, at_clock))
			what = "BPF programs of others trace the kernel";
	}
	if (errno == EPERM)
		return "it may not be known here whether BPF programs of others trace the kernel";
	while (!bpf_map_get_next_id(seen->map, &id)) {
		seen->map = id;
		if (!what && !is_own_map(own, id) && map_matters(id))
			what = "there are BPF maps of others";
	}
	return what;
}

/* ---- opening ---- */

static int fail(int code, const struct os *os, struct err *err)
{
	err_sys(err, code, "cannot load the BPF program that unwinds stacks");
	os_bpf_hint(os, code, err);
	return -code;
}

static void set_options(struct stackprog *p, const struct stackprog_opts *o)
{
	struct stack_bpf *s = p->skel;
	const int cpus = libbpf_num_possible_cpus();

	bpf_map__set_max_entries(s->maps.unwind_slots, o->n_slots);
	bpf_map__set_max_entries(s->maps.unwind_buffers, cpus > 0 ? (u32)cpus : 1);
	bpf_map__set_max_entries(s->maps.unwind_outputs, cpus > 0 ? (u32)cpus : 1);
	s->rodata->slot_mask = o->n_slots - 1;
	s->rodata->kernel_chain = o->kernel_chain;
	s->rodata->keep_sample = o->keep_sample;
	p->prog = o->at_clock ? s->progs.unwind_at_clock : s->progs.unwind_at_event;
	bpf_program__set_autoload(o->at_clock ? s->progs.unwind_at_event : s->progs.unwind_at_clock,
				  false);
	p->detachable = o->detachable;
	if (getrandom((void *)&s->rodata->secret, sizeof(s->rodata->secret), GRND_NONBLOCK) < 0)
		s->rodata->secret = os_now_ns();
}

static void note_ids(struct stackprog *p)
{
	struct bpf_prog_info prog = { 0 };
	struct bpf_map_info map;
	u32 bytes = sizeof(prog);
	struct bpf_map *m;

	if (!bpf_obj_get_info_by_fd(bpf_program__fd(p->prog), &prog, &bytes))
		p->prog_id = prog.id;
	bpf_object__for_each_map(m, p->skel->obj) {
		map = (struct bpf_map_info){ 0 };
		bytes = sizeof(map);
		if (p->n_maps < MAX_MAPS && !bpf_obj_get_info_by_fd(bpf_map__fd(m), &map, &bytes))
			p->map_ids[p->n_maps++] = map.id;
	}
}

/* NULL: errno says why. */
static void *map_table(const struct bpf_map *m, size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(m), 0);

	return at == MAP_FAILED ? NULL : at;
}

static int load(struct stackprog *p, const struct stackprog_opts *o, const struct os *os,
		struct err *err)
{
	static const char *const of_kernel[] = { "task_struct", "mm_struct" };
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	int ret;

	p->types = progload_new_types();
	if (!p->types)
		return -errno;
	opts.btf_custom_path = progload_btf_path(p->types);
	p->skel = stack_bpf__open_opts(&opts);
	if (!p->skel)
		return -errno;
	set_options(p, o);
	ret = progload_types(p->types, p->skel->obj, of_kernel, ARRAY_SIZE(of_kernel), os, err);
	if (!ret)
		ret = stack_bpf__load(p->skel);
	if (ret)
		return ret;
	p->slots_bytes = (size_t)o->n_slots * sizeof(*p->slots);
	p->slots = map_table(p->skel->maps.unwind_slots, p->slots_bytes);
	p->procs = map_table(p->skel->maps.unwind_procs, PROCS_BYTES);
	p->rules = map_table(p->skel->maps.unwind_rules, RULES_BYTES);
	if (!p->slots || !p->procs || !p->rules)
		return -errno;
	if (p->detachable)
		note_ids(p);
	return 0;
}

int stackprog_open(struct stackprog **out, const struct stackprog_opts *o, const struct os *os,
		   struct err *err)
{
	struct stackprog *p = xnew(struct stackprog);
	struct err reason = ERR_INIT;
	int ret;

	*out = NULL;
	progload_log();
	os_want_locked_memory();
	ret = load(p, o, os, &reason);
	if (!ret) {
		*out = p;
		return 0;
	}
	stackprog_close(p);
	if (reason.msg)
		err_set(err, reason.code, "%s", reason.msg);
	else
		fail(-ret, os, err);
	err_release(&reason);
	return ret;
}

/* Events that have the program keep it: from now on it says nothing, and the kernel writes their
 * samples. */
static void silence(struct stackprog *p)
{
	const int fd = p->skel && p->skel->maps.unwind_outputs ?
		bpf_map__fd(p->skel->maps.unwind_outputs) : -1;
	const u32 n = fd >= 0 ? bpf_map__max_entries(p->skel->maps.unwind_outputs) : 0;

	for (u32 cpu = 0; cpu < n; cpu++)
		bpf_map_delete_elem(fd, &cpu);
}

void stackprog_close(struct stackprog *p)
{
	if (!p)
		return;
	silence(p);
	stackprog_detach(p);
	vec_free(&p->links);
	if (p->slots)
		munmap(p->slots, p->slots_bytes);
	if (p->procs)
		munmap(p->procs, PROCS_BYTES);
	if (p->rules)
		munmap(p->rules, RULES_BYTES);
	if (p->skel)
		stack_bpf__destroy(p->skel);
	progload_free(p->types);
	free(p);
}

int stackprog_output(struct stackprog *p, int cpu, int fd)
{
	const u32 key = (u32)cpu;

	return bpf_map_update_elem(bpf_map__fd(p->skel->maps.unwind_outputs), &key, &fd, BPF_ANY) ?
		-errno : 0;
}

int stackprog_attach(struct stackprog *p, int fd)
{
	int link;

	if (!p->detachable)
		return event_fd_bpf(fd, bpf_program__fd(p->prog));
	link = bpf_link_create(bpf_program__fd(p->prog), fd, BPF_PERF_EVENT, NULL);
	if (link < 0)
		return link;
	vec_push(&p->links, link);
	return 0;
}

void stackprog_detach(struct stackprog *p)
{
	for vec_each(fd, &p->links)
		close(*fd);
	vec_clear(&p->links);
}

u32 stackprog_tables(const struct stackprog *p, int fds[STACKPROG_TABLES])
{
	fds[STACKPROG_SLOTS] = bpf_map__fd(p->skel->maps.unwind_slots);
	fds[STACKPROG_PROCS] = bpf_map__fd(p->skel->maps.unwind_procs);
	fds[STACKPROG_RULES] = bpf_map__fd(p->skel->maps.unwind_rules);
	return p->skel->rodata->slot_mask + 1;
}

u64 stackprog_secret(const struct stackprog *p)
{
	return p->skel->rodata->secret;
}

struct stack_slot *stackprog_slots(struct stackprog *p)
{
	return p->slots;
}

struct stack_proc *stackprog_procs(struct stackprog *p)
{
	return p->procs;
}

struct stack_rule *stackprog_rules(struct stackprog *p)
{
	return p->rules;
}
