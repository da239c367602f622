// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/kernel-unwind.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "arch/arch.h"
#include "util/base/log.h"
#include "util/bpf/stackprog.h"
#include "util/record/stacktab.h"
#include "util/symbols/cfi.h"

#define N_SLOTS (1u << 18)	/* 16 MB: 16 MB of code that ran; cc1 has half of that */
#define LEAST_SAMPLES 16	/* of a process, before it is worth to teach */
/* that are taught with one, on each side; they begin less than so many bytes away */
#define ROWS_AROUND 12
#define BYTES_AROUND 2048
#define MOST_REPLACED 2
#define MOST_PROCS 65536
#define NEWEST_NS (UINT64_MAX - 1)
#define EM_X86_64 62
#define PROT_EXEC_BIT 4

/* Code that rules were taught of. */
struct taught { u64 start_va, end_va; const struct dso *dso; u64 off; u32 owner; };
/* Something else is there since. */
struct replaced { u64 start_va, end_va, from_ns; u32 owner; };

struct proc {
	u32 pid;
	struct stack_proc known;	/* what the program was reported; owner 0: nothing */
	unsigned n_samples, n_replaced;
	VEC(struct taught) taught;
	VEC(struct replaced) replaced;
};

struct kernel_unwind {
	struct stackprog *prog;
	struct stacktab tab;
	struct unwind_ctx *ctx;
	const struct event *event;
	/* of the sampling event as it was opened, but for what live-unwind.c has changed */
	const struct perf_event_attr *attr;
	struct perf_event_attr out_attr;
	VEC(u64) ids, out_ids, cpus;	/* by slot: of the sampling event, of the program's */
	int_vec fds;			/* of the program's events */
	/* what the file has where the raw data's size is */
	enum { OVER_NOTHING, OVER_PERIOD, OVER_CPU } over;
	size_t raw_off;			/* of that in a record */
	u64 secret;
	bool compares;
	bool any_replaced;		/* of any process */
	bool watches, at_clock;		/* others: they may make the kernel drop samples */
	struct stackprog_seen seen;
	u64 last_look_ns;
	const char *others;		/* that came; NULL: none */
	/* for so long they were there before that was seen, at most */
	u64 others_ns;
	struct hmap procs;		/* pid -> struct proc * */
	struct proc *last;
	u32 n_owners;
	u64 n_reason[STACKREC_WHY_NR], n_cut, n_equal, n_other, n_longer;
};

/* ---- opening ---- */

#define KNOWN_FIELDS (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
		      PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | \
		      PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CALLCHAIN | \
		      PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

static bool is_counter(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_SOFTWARE ||
		a->type == PERF_TYPE_HW_CACHE || a->type == PERF_TYPE_RAW;
}

/* A timer's interrupt takes the samples. */
static bool is_clock(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE &&
		(a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* Why not; NULL: it can. *e: the event whose stacks are unwound. */
static const char *cannot(const struct event_list *l, const struct record_stacks *o,
			  struct event **e)
{
	const struct perf_event_attr *a;
	int n = 0;

	for (size_t i = 0; i < l->events.n; i++)
		if (l->events.v[i]->attr.sample_type & PERF_SAMPLE_STACK_USER && ++n)
			*e = l->events.v[i];
	if (n != 1)
		return "there are several events with stacks";
	a = &(*e)->attr;
	if (arch_host()->elf_machine != EM_X86_64)
		return "it knows x86-64 only";
	if (!l->cpus.n || l->cpus.v[0] < 0)
		return "rings of threads are not of one CPU";
	if ((*e)->filter)
		return "the event has a filter of samples";
	if (!is_counter(a))
		return "the event is none of a counter";
	if (a->sample_type & ~(u64)KNOWN_FIELDS ||
	    a->sample_regs_user != arch_host()->user_regs_mask)
		return "samples have fields that it does not know";
	if (a->sample_max_stack || !(a->sample_type & PERF_SAMPLE_CALLCHAIN) ||
	    o->kernel_callchains)
		return "chains are limited";
	return NULL;
}

/* Where the raw data begins: before it are only fields that both events have, and that the
 * kernel fills in the same way. */
static void set_attr(struct kernel_unwind *k)
{
	u64 common = k->attr->sample_type & (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					     PERF_SAMPLE_CPU |
					     PERF_SAMPLE_IDENTIFIER);

	k->over = k->attr->sample_type & PERF_SAMPLE_PERIOD ? OVER_PERIOD :
		common & PERF_SAMPLE_CPU ? OVER_CPU : OVER_NOTHING;
	if (k->over == OVER_CPU)
		common &= ~(u64)PERF_SAMPLE_CPU;
	k->raw_off = sizeof(struct perf_event_header) + 8 * (size_t)__builtin_popcountll(common);
	k->out_attr = (struct perf_event_attr){
		.size = sizeof(k->out_attr), .type = PERF_TYPE_SOFTWARE,
			.config = PERF_COUNT_SW_BPF_OUTPUT, .sample_period = 1,
		.sample_type = common | PERF_SAMPLE_RAW, .sample_id_all = 1,
		.use_clockid = k->attr->use_clockid,
		.clockid = k->attr->clockid,
	};
}

static int first_fd(const struct event *e, const struct event_list *l, int cpu)
{
	for (int c = 0; c < e->n_cpus; c++)
		for (int t = 0; t < e->n_threads && l->cpus.v[c] == cpu; t++)
			if (e->fds[t * e->n_cpus + c] >= 0)
				return e->fds[t * e->n_cpus + c];
	return -1;
}

/* What the program writes to for the slot nr. */
static int open_output(struct kernel_unwind *k, const struct event *e, const struct event_list *l,
		       const struct rings_slot *slot,
		       size_t nr, const struct os *os)
{
	const int like = first_fd(e, l, slot->ring.cpu);
	u64 id = 0, out_id = 0;
	int fd, ret = 0;

	if (slot->backward || slot->ring.cpu < 0)
		return -EINVAL;
	fd = os->perf_event_open(&k->out_attr, -1, slot->ring.cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return fd;
	if (nr < k->fds.n) {
		close(k->fds.v[nr]);
	} else {
		vec_push(&k->fds, -1);
		vec_push(&k->ids, 0);
		vec_push(&k->out_ids, 0);
		vec_push(&k->cpus, (u64)slot->ring.cpu);
	}
	k->fds.v[nr] = fd;
	ret = ring_redirect(fd, slot->ring.fd);
	if (!ret)
		ret = ring_event_id(fd, &out_id);
	if (!ret && like >= 0)
		ret = ring_event_id(like, &id);
	k->ids.v[nr] = id;
	k->out_ids.v[nr] = out_id;
	return ret ? ret : stackprog_output(k->prog, slot->ring.cpu, fd);
}

static int attach(struct kernel_unwind *k, const struct event *e)
{
	int ret = 0;

	for (int i = 0; i < e->n_threads * e->n_cpus && !ret; i++)
		if (e->fds[i] >= 0)
			ret = stackprog_attach(k->prog, e->fds[i]);
	return ret;
}

static int open_all(struct kernel_unwind *k, struct event *e, struct event_list *l,
		    const struct rings *r, const struct os *os,
		    struct err *err)
{
	const struct stackprog_opts so = { .n_slots = N_SLOTS, .kernel_chain =
					   !e->attr.exclude_kernel && !e->attr.precise_ip,
					   .keep_sample = k->compares, .at_clock = k->at_clock,
					   .detachable = k->watches };
	int ret = stackprog_open(&k->prog, &so, os, err);

	if (ret)
		return ret;
	k->secret = stackprog_secret(k->prog);
	stacktab_init(&k->tab, stackprog_slots(k->prog), N_SLOTS, stackprog_procs(k->prog),
		      stackprog_rules(k->prog));
	for (size_t i = 0; i < r->slots.n && !ret; i++)
		ret = open_output(k, e, l, &r->slots.v[i], i, os);
	if (ret)
		return err_sys(err, -ret, "cannot open an event for the records of BPF programs");
	ret = attach(k, e);
	return ret ? err_sys(err, -ret, "the event takes no BPF program") : 0;
}

/* An event that counts nothing has no samples that might be dropped: what off-CPU time shows is of
 * programs of its own. */
static bool samples_kernel(const struct event *e)
{
	return !e->attr.exclude_kernel && !(e->attr.type == PERF_TYPE_SOFTWARE &&
					    e->attr.config == PERF_COUNT_SW_DUMMY);
}

int kernel_unwind_new(struct kernel_unwind **out, struct event_list *list, const struct rings *r,
		      const struct record_stacks *o,
		      const struct os *os, struct unwind_ctx *ctx, struct err *err)
{
	struct event *e = NULL;
	const char *reason = cannot(list, o, &e);
	struct kernel_unwind *k;
	int ret;

	*out = NULL;
	if (reason)
		return err_set(err, ENOTSUP, "%s", reason);
	k = xnew(struct kernel_unwind);
	k->attr = &e->attr;
	k->event = e;
	k->ctx = ctx;
	k->compares = o->compare_unwinding;
	set_attr(k);
	k->at_clock = is_clock(k->attr);
	/* where only user code is sampled nothing is dropped: no BPF program and no call of
	 * bpf(2) runs there */
	k->watches = samples_kernel(e) &&
		!(o->unwind_engine && !strcmp(o->unwind_engine, "bpf"));
	k->last_look_ns = os_now_ns();
	reason = k->watches ? stackprog_others(&k->seen, NULL, k->at_clock) : NULL;
	ret = reason ? err_set(err, EBUSY, "%s", reason) : open_all(k, e, list, r, os, err);
	if (ret)
		kernel_unwind_free(k, NULL);
	else
		*out = k;
	return ret;
}

int kernel_unwind_follow_cpu(struct kernel_unwind *k, const struct event_list *list,
			     const struct rings *r, const struct os *os,
			     int cpu, struct err *err)
{
	const struct event *e = k->event;
	int ret = 0;

	for (size_t i = 0; i < r->slots.n && !ret; i++)
		if (r->slots.v[i].ring.cpu == cpu)
			ret = open_output(k, e, list, &r->slots.v[i], i, os);
	for (int c = 0; c < e->n_cpus && !ret; c++)
		for (int t = 0; t < e->n_threads && list->cpus.v[c] == cpu && !k->others && !ret;
		     t++)
			if (e->fds[t * e->n_cpus + c] >= 0)
				ret = stackprog_attach(k->prog, e->fds[t * e->n_cpus + c]);
	return ret ? err_sys(err, -ret, "cannot unwind in the kernel on cpu %d again", cpu) : 0;
}

void kernel_unwind_watch(struct kernel_unwind *k)
{
	const u64 now = k->watches ? os_now_ns() : 0;

	if (!k->watches)
		return;
	k->others = stackprog_others(&k->seen, k->prog, k->at_clock);
	if (k->others) {
		k->watches = false;
		k->others_ns = now - k->last_look_ns;
		stackprog_detach(k->prog);
	}
	k->last_look_ns = now;
}

static void free_proc(struct proc *p)
{
	vec_free(&p->taught);
	vec_free(&p->replaced);
	free(p);
}

void kernel_unwind_free(struct kernel_unwind *k, struct record_unwound *res)
{
	if (res) {
		_Static_assert(ARRAY_SIZE(res->kernel_reason) >= STACKREC_WHY_NR,
			       "a counter for each");
		memcpy(res->kernel_reason, k->n_reason, sizeof(k->n_reason));
		res->in_kernel = true;
		res->kernel_cut = k->n_cut;
		res->kernel_equal = k->n_equal;
		res->kernel_other = k->n_other;
		res->bpf_others = k->others;
		res->bpf_others_ns = k->others_ns;
		res->bpf_inherited = k->others && k->attr->inherit;
		res->kernel_longer = k->n_longer;
		log_printf(LOG_BPF, 1, "rules: %u kinds, %llu rows taught, %llu slots replaced, "
				       "%llu rows without room",
			   k->tab.n_rules, (unsigned long long)k->tab.n_taught,
			   (unsigned long long)k->tab.n_replaced,
			   (unsigned long long)k->tab.n_full);
	}
	for vec_each(fd, &k->fds)
		close(*fd);
	for hmap_each(i, &k->procs)
		free_proc(k->procs.vals[i]);
	hmap_release(&k->procs);
	vec_free(&k->fds);
	vec_free(&k->ids);
	vec_free(&k->out_ids);
	vec_free(&k->cpus);
	stacktab_release(&k->tab);
	stackprog_close(k->prog);
	free(k);
}

/* ---- processes ---- */

static struct proc *find_proc(struct kernel_unwind *k, u32 pid)
{
	struct proc *p = k->last;

	if (p && p->pid == pid)
		return p;
	p = hmap_get(&k->procs, pid);
	if (p)
		k->last = p;
	return p;
}

static struct proc *get_proc(struct kernel_unwind *k, u32 pid)
{
	struct proc *p = find_proc(k, pid);

	if (p || k->procs.n >= MOST_PROCS)
		return p;
	p = xnew(struct proc);
	p->pid = pid;
	hmap_put(&k->procs, pid, p);
	return p;
}

/* The program does not know it any more. */
static void forget(struct kernel_unwind *k, struct proc *p)
{
	if (p->known.owner)
		stacktab_forget_proc(&k->tab, p->known.tgid);
	p->known.owner = 0;
}

static void drop_proc(struct kernel_unwind *k, u32 pid)
{
	struct proc *p = find_proc(k, pid);

	if (!p)
		return;
	forget(k, p);
	k->last = NULL;
	hmap_del(&k->procs, pid);
	free_proc(p);
}

/* Its code and what it was are of no use any more, but chains that are under way may still be
 * too old. */
static void renew(struct kernel_unwind *k, struct proc *p)
{
	forget(k, p);
	vec_clear(&p->taught);
	p->n_samples = 0;
}

static bool is_same(const struct taught *t, const struct mapping *map)
{
	return map && map->dso == t->dso && map->off - map->start_va == t->off - t->start_va;
}

/* [start, end) of p's memory is mapped anew. */
static void on_mapping(struct kernel_unwind *k, struct machine *m, struct proc *p, u64 start_va,
		       u64 end_va, u64 t)
{
	const struct space *space = thread_space_at(machine_thread_at(m, p->pid, p->pid, NEWEST_NS),
						    NEWEST_NS);
	bool gone = false;

	for vec_each(x, &p->taught) {
		const u64 from = MAX(start_va, x->start_va), to = MIN(end_va, x->end_va);

		if (from >= to || is_same(x, space_find(space, from, NEWEST_NS)))
			continue;
		vec_push(&p->replaced, ((struct replaced){ from, to, t, x->owner }));
		k->any_replaced = true;
		gone |= x->owner == p->known.owner;
	}
	if (!gone)
		return;
	p->n_replaced++;
	forget(k, p);
}

static void on_map(struct kernel_unwind *k, struct machine *m, const struct perf_event_header *rec,
		   u64 t)
{
	struct wire_mmap map;
	struct proc *p;
	const char *reason;

	if (wire_decode_mmap(rec, &map, &reason) || map.data ||
	    (map.prot && !(map.prot & PROT_EXEC_BIT)))
		return;
	p = find_proc(k, map.pid);
	if (p && p->taught.n)
		on_mapping(k, m, p, map.start_va, map.start_va + map.bytes, t);
}

static void on_comm(struct kernel_unwind *k, const struct perf_event_header *rec)
{
	struct wire_comm c;
	struct proc *p;
	const char *reason;

	if (wire_decode_comm(rec, &c, &reason) || !c.exec)
		return;
	p = find_proc(k, c.pid);
	if (p)
		renew(k, p);
}

static void on_task(struct kernel_unwind *k, const struct perf_event_header *rec)
{
	struct wire_task t;
	struct proc *p;
	const char *reason;

	if (wire_decode_task(rec, &t, &reason) || t.pid != t.tid)
		return;
	p = find_proc(k, t.pid);
	if (!p)
		return;
	if (rec->type == PERF_RECORD_FORK || !p->replaced.n)
		drop_proc(k, t.pid);
	else
		renew(k, p);
}

void kernel_unwind_sideband(struct kernel_unwind *k, struct machine *m,
			    const struct perf_event_header *rec, u64 time_ns)
{
	switch (rec->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		on_map(k, m, rec, time_ns);
		break;
	case PERF_RECORD_COMM:
		on_comm(k, rec);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		on_task(k, rec);
		break;
	default:
		break;
	}
}

/* ---- records of the program ---- */

#define HEAD_WORDS 1	/* of the raw data: its size and half of the period */
#define TAIL_WORDS 2

static u64 word_at(const struct perf_event_header *rec, size_t off)
{
	u64 v;

	memcpy(&v, (const u8 *)rec + off, sizeof(v));
	return v;
}

bool kernel_unwind_record(const struct kernel_unwind *k, const struct perf_event_header *rec,
			  struct stackrec *out)
{
	size_t n;
	u64 head, about;

	if (rec->size < k->raw_off + (HEAD_WORDS + 1 + TAIL_WORDS) * 8 ||
	    word_at(rec, rec->size - 8u) != k->secret)
		return false;
	head = word_at(rec, k->raw_off);
	about = word_at(rec, rec->size - 16u);
	n = (rec->size - k->raw_off) / 8 - HEAD_WORDS - TAIL_WORDS;
	*out = (struct stackrec){
		.what = STACKREC_WHAT(about), .reason = STACKREC_WHY(about),
			.owner = STACKREC_OWNER(about),
		.period = head >> 32 | about >> 32 << 32,
		.words = (const void *)((const u8 *)rec + k->raw_off + HEAD_WORDS * 8), .n = n,
	};
	if (out->reason >= STACKREC_WHY_NR)
		out->reason = STACKREC_FRAME;
	if (out->what == STACKREC_NOTICE)
		return n * 8 == sizeof(struct stackrec_notice);
	out->n--;
	return *out->words++ == out->n;
}

/* How many words of the chain are sure; *cut: what follows, or that nothing does, is not. */
static size_t sure_words(struct kernel_unwind *k, u32 pid, u64 time_ns, const struct stackrec *r,
			 bool *cut)
{
	const struct proc *p;
	size_t n = r->n, user = 0;

	*cut = false;
	if (!k->any_replaced)
		return n;
	p = find_proc(k, pid);
	if (!p || !p->replaced.n)
		return n;
	while (user < n && r->words[user] != PERF_CONTEXT_USER)
		user++;
	for vec_each(x, &p->replaced)
		for (size_t i = user + 1; x->owner == r->owner && time_ns >= x->from_ns && i < n;
		     i++)
			if (r->words[i] >= x->start_va && r->words[i] < x->end_va) {
				n = i + 1;
				*cut = true;
			}
	return n;
}

static size_t sure_of_record(struct kernel_unwind *k, const struct perf_event_header *rec,
			     const struct stackrec *r, bool *cut)
{
	/* after the address */
	const size_t at = sizeof(*rec) + (k->attr->sample_type & PERF_SAMPLE_IDENTIFIER ? 8 : 0) +
		8;

	return sure_words(k, (u32)word_at(rec, at), word_at(rec, at + 8), r, cut);
}

static u64 over_head(const struct kernel_unwind *k, size_t nr, const struct stackrec *r)
{
	return k->over == OVER_PERIOD ? r->period : k->cpus.v[nr];
}

static u8 *put(u8 *to, u64 v)
{
	memcpy(to, &v, sizeof(v));
	return to + sizeof(v);
}

size_t kernel_unwind_write(struct kernel_unwind *k, size_t nr, const struct perf_event_header *rec,
			   const struct stackrec *r, u8 *to,
			   size_t bytes)
{
	struct perf_event_header *h = (void *)to;
	u8 *at = to + k->raw_off;
	bool cut;
	const size_t n = sure_of_record(k, rec, r, &cut);

	if (k->raw_off + (n + 4) * 8 > bytes)
		return 0;
	memcpy(to, rec, k->raw_off);
	if (k->attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		put(to + sizeof(*rec), k->ids.v[nr]);
	if (k->over != OVER_NOTHING)
		at = put(at, over_head(k, nr, r));
	at = put(at, n);
	memcpy(at, r->words, n * 8);
	at += n * 8;
	if (k->attr->sample_type & PERF_SAMPLE_REGS_USER) {
		at = put(at, PERF_SAMPLE_REGS_ABI_NONE);
		at = put(at, 0);
	}
	h->size = (u16)(at - to);
	k->n_cut += cut;
	k->n_reason[r->reason]++;
	return h->size;
}

void kernel_unwind_mend(const struct kernel_unwind *k, size_t nr, u8 *rec)
{
	struct perf_event_header *h = (void *)rec;
	u64 id;

	if (h->type != PERF_RECORD_LOST && h->type != PERF_RECORD_LOST_SAMPLES)
		return;
	if (k->attr->sample_type & PERF_SAMPLE_IDENTIFIER && h->size >= 16) {
		memcpy(&id, rec + h->size - 8, sizeof(id));
		if (id == k->out_ids.v[nr])
			put(rec + h->size - 8, k->ids.v[nr]);
	}
	if (h->type != PERF_RECORD_LOST || h->size < 24)
		return;
	memcpy(&id, rec + sizeof(*h), sizeof(id));
	if (id == k->out_ids.v[nr])
		put(rec + sizeof(*h), k->ids.v[nr]);
}

/* ---- teaching ---- */

/* What the program is to know p by; false: it is not worth it. */
static bool introduce(struct kernel_unwind *k, struct proc *p, const struct stackrec_notice *n)
{
	struct stack_proc now = { .mm = n->mm, .exec_pages = n->exec_pages, .tgid = n->tgid,
				  .exec_id = n->exec_id };
	const struct stack_proc *old = &p->known;

	if (p->n_replaced >= MOST_REPLACED || ++p->n_samples < LEAST_SAMPLES)
		return false;
	now.owner = old->mm == now.mm && old->exec_id == now.exec_id && old->tgid == now.tgid ?
		old->owner : 0;
	if (!now.owner) {
		if (k->n_owners + 1 >= STACK_MAX_OWNERS)
			return false;
		now.owner = ++k->n_owners;
	}
	if (now.owner != old->owner || now.exec_pages != old->exec_pages)
		stacktab_set_proc(&k->tab, &now);
	p->known = now;
	return true;
}

static void note_taught(struct proc *p, const struct mapping *map)
{
	for vec_each(t, &p->taught)
		if (t->owner == p->known.owner && t->start_va == map->start_va && t->end_va ==
		    map->end_va && t->dso == map->dso)
			return;
	vec_push(&p->taught, ((struct taught){ map->start_va, map->end_va, map->dso, map->off,
					       p->known.owner }));
}

/* The code of a process as it was at a sample. */
struct code { struct proc *p; struct thread *th; const struct space *space; u64 t_ns; };

/* The row at va; false: it is known, or there is none that was so at the time. */
static bool teach_row(struct kernel_unwind *k, const struct code *c, u64 va, bool any,
		      struct unwind_row *row)
{
	const u32 owner = c->p->known.owner;

	if (stacktab_find(&k->tab, owner, va) || !unwind_row(k->ctx, c->th, va, row))
		return false;
	if (row->map != space_find(c->space, va, c->t_ns))	/* it is not what ran then */
		return false;
	if (!any && (row->alone || row->rule.kind == STACK_RULE_REFUSED ||
		     row->rule.kind == STACK_RULE_START))
		return false;
	note_taught(c->p, row->map);
	stacktab_teach(&k->tab, owner, row->start_va, row->end_va, &row->rule);
	return true;
}

/* With the rest of the function: else each row of it would cost a copied stack. */
static void teach(struct kernel_unwind *k, const struct code *c, u64 va)
{
	struct unwind_row at, row;
	u64 start, end, base;

	if (!teach_row(k, c, va, true, &at))
		return;
	if (at.alone)
		return;
	base = at.map->start_va - mapping_rva(at.map, at.map->start_va);
	if (!at.map->dso || !dso_function_range(at.map->dso, at.start_va - base, &start, &end))
		return;
	start = MAX(start + base, at.map->start_va);
	end = MIN(end + base, at.map->end_va);
	row = at;
	for (int i = 0; i < ROWS_AROUND && row.end_va < end && row.end_va - at.end_va <
	     BYTES_AROUND; i++)
		if (!teach_row(k, c, row.end_va, false, &row))
			break;
	row = at;
	for (int i = 0; i < ROWS_AROUND && row.start_va > start && at.start_va - row.start_va <
	     BYTES_AROUND; i++)
		if (!teach_row(k, c, row.start_va - 1, false, &row))
			break;
}

u64 kernel_unwind_stop_va(const struct stackrec *r)
{
	struct stackrec_notice notice;

	if (r->what != STACKREC_NOTICE || r->reason != STACKREC_NEW_CODE)
		return 0;
	memcpy(&notice, r->words, sizeof(notice));
	return notice.va;
}

void kernel_unwind_learn(struct kernel_unwind *k, const struct stackrec *r, const struct sample *s,
			 struct thread *th,
			 const struct unwind_frame *frames, int n)
{
	struct space *space = th ? thread_space_at(th, s->time_ns) : NULL;
	struct stackrec_notice notice;
	struct proc *p;
	bool exact = true;

	k->n_reason[r->reason]++;
	if (r->reason != STACKREC_NEW_CODE && r->reason != STACKREC_NEW_PROCESS)
		return;
	if (!th || space != thread_space_at(th, NEWEST_NS))	/* it has called execve since */
		return;
	memcpy(&notice, r->words, sizeof(notice));
	p = get_proc(k, s->pid);
	if (!p || !introduce(k, p, &notice))
		return;

	const struct code code = { p, th, space, s->time_ns };

	for (int i = 0; i < n; i++) {
		teach(k, &code, exact ? frames[i].va : frames[i].va - 1);
		exact = frames[i].signal;
	}
	if (kernel_unwind_stop_va(r))		/* perhaps beyond what the copy holds */
		teach(k, &code, notice.va);
}

const struct stackprog *kernel_unwind_program(const struct kernel_unwind *k) { return k->prog; }

u64 kernel_unwind_taught(const struct kernel_unwind *k)
{
	return k->tab.n_taught;
}

/* ---- comparing ---- */

bool kernel_unwind_compares(const struct kernel_unwind *k)
{
	return k->compares;
}

void kernel_unwind_compare(struct kernel_unwind *k, const struct stackrec *r,
			   const struct sample *s, enum unwind_end reason)
{
	const u64 *chain = r->words;
	bool cut;
	const size_t n = sure_words(k, s->pid, s->time_ns, r, &cut),
		same = MIN(n, (size_t)s->chain_n);

	k->n_reason[r->reason]++;
	k->n_cut += cut;
	if (n == s->chain_n && !memcmp(chain, s->chain, n * 8)) {
		k->n_equal++;
		return;
	}
	if (cut && n < s->chain_n && !memcmp(chain, s->chain, same * 8))	/* counted */
		return;
	if (n > s->chain_n && (reason == UNWIND_STACK_CUT || reason == UNWIND_NO_COPY ||
				 reason == UNWIND_OTHER_STACK) &&
	    !memcmp(chain, s->chain, same * 8)) {
		k->n_longer++;
		return;
	}
	if (k->n_other++ >= 5)
		return;
	log_printf(LOG_UNWIND, 1, "pid %u, time %llu: the program has %zu frames, the recorder "
				  "%llu (%s)", s->pid,
		   (unsigned long long)s->time_ns, n, (unsigned long long)s->chain_n,
		   unwind_end_text(reason));
	for (size_t i = 0; i < MAX(n, (size_t)s->chain_n); i++)
		log_printf(LOG_UNWIND, 1, "%3zu %16llx %16llx", i,
			   i < n ? (unsigned long long)chain[i] : 0,
			   i < s->chain_n ? (unsigned long long)s->chain[i] : 0);
}
