// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/progload.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/log.h"
#include "util/base/pool.h"
#include "util/base/vec.h"
#include "util/bpf/kbtf.h"

#define SECTION "tp_btf/"
#define VERIFY_THREADS 2	/* there are two large programs, the others are small */
#define LOG_BYTES (1 << 20)

struct prog {
	char *name, *type;	/* the kernel's typedef of what it attaches to */
	struct bpf_insn *insns;
	size_t n_insns;
	void *func_info;
	u32 n_func_info, func_info_bytes;	/* bytes: of each */
	int btf_fd;		/* of the object */
	u32 attach_id;
	int fd, ret;
};

struct progload {
	int types_fd, handler;
	char path[32];
	VEC(struct kbtf_typedef) attach;
	VEC(struct prog) progs;
};

static int print_log(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	struct str s = STR_INIT;

	if (!log_on(LOG_BPF, level == LIBBPF_DEBUG ? 3 : 2))
		return 0;
	str_addv(&s, fmt, ap);
	log_printf(LOG_BPF, 2, "%s", str_cstr(&s));
	str_release(&s);
	return 0;
}

void progload_log(void)
{
	libbpf_set_print(print_log);
}

/* Programs of tracepoints attach to the typedef of a function that their arguments have. */
static char *type_name(const char *section)
{
	return xasprintf("btf_trace_%s", section + strlen(SECTION));
}

/* libbpf calls this before it loads a program. */
static int take_program(struct bpf_program *from, struct bpf_prog_load_opts *opts, long cookie)
{
	const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	struct progload *p = (struct progload *)cookie;
	struct prog *to = vec_add(&p->progs);

	*to = (struct prog){
		.name = xstrdup(bpf_program__name(from)),
		.type = type_name(bpf_program__section_name(from)),
		.n_insns = bpf_program__insn_cnt(from), .btf_fd = opts->prog_btf_fd,
		.n_func_info = opts->func_info_cnt, .func_info_bytes = opts->func_info_rec_size,
		.fd = -1,
	};
	to->insns = xmemdup(bpf_program__insns(from), to->n_insns * sizeof(*to->insns));
	to->func_info = xmemdup(opts->func_info, (size_t)to->n_func_info * to->func_info_bytes);
	opts->func_info_cnt = opts->line_info_cnt = 0;
	return bpf_program__set_insns(from, (struct bpf_insn *)nothing, ARRAY_SIZE(nothing));
}

struct progload *progload_new_types(void)
{
	struct progload *p = xnew(struct progload);

	p->handler = -1;
	p->types_fd = memfd_create("perf-types", MFD_CLOEXEC);
	snprintf(p->path, sizeof(p->path), "/proc/self/fd/%d", p->types_fd);
	if (p->types_fd >= 0)
		return p;
	free(p);
	return NULL;
}

struct progload *progload_new(void)
{
	struct progload *p = progload_new_types();
	LIBBPF_OPTS(libbpf_prog_handler_opts, handler, .cookie = (long)p, .prog_prepare_load_fn =
		    take_program);

	if (!p)
		return NULL;
	/* of a type for which libbpf does not look for what programs attach to */
	p->handler = libbpf_register_prog_handler(SECTION, BPF_PROG_TYPE_RAW_TRACEPOINT, 0,
						  &handler);
	if (p->handler < 0) {
		const int code = -p->handler;

		progload_free(p);
		errno = code;
		return NULL;
	}
	return p;
}

static void release_prog(struct prog *g)
{
	free(g->name);
	free(g->type);
	free(g->insns);
	free(g->func_info);
	if (g->fd >= 0)
		close(g->fd);
}

static void no_handler(struct progload *p)
{
	if (p->handler >= 0)
		libbpf_unregister_prog_handler(p->handler);
	p->handler = -1;
}

void progload_free(struct progload *p)
{
	if (!p)
		return;
	no_handler(p);
	if (p->types_fd >= 0)
		close(p->types_fd);
	for vec_each(g, &p->progs)
		release_prog(g);
	vec_free(&p->progs);
	for vec_each(d, &p->attach)
		free((char *)d->name);
	vec_free(&p->attach);
	free(p);
}

const char *progload_btf_path(const struct progload *p)
{
	return p->path;
}

static void add_attach_types(struct progload *p, const struct bpf_object *obj)
{
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, obj) {
		const char *section = bpf_program__section_name(prog);

		if (bpf_program__autoload(prog) && !strncmp(section, SECTION, strlen(SECTION)))
			vec_push(&p->attach, ((struct kbtf_typedef){ type_name(section), 0 }));
	}
}

int progload_types(struct progload *p, const struct bpf_object *obj, const char *const *only,
		   size_t n_only, const struct os *os,
		   struct err *err)
{
	const struct btf *btf = bpf_object__btf(obj);
	struct kbtf_wants wants = { .records = only, .n_records = n_only, .first = only != NULL };
	VEC(const char *) records = { NULL, 0, 0 };
	struct str types = STR_INIT;
	int ret;

	/* all that the object knows: of those that the kernel has, too, it may read members */
	for (u32 i = 1; btf && !only && i < btf__type_cnt(btf); i++) {
		const struct btf_type *t = btf__type_by_id(btf, i);

		if (btf_is_composite(t) && t->name_off)
			vec_push(&records, btf__name_by_offset(btf, t->name_off));
	}
	add_attach_types(p, obj);
	wants.typedefs = p->attach.v;
	wants.n_typedefs = p->attach.n;
	if (!only) {
		wants.records = records.v;
		wants.n_records = records.n;
	}
	ret = kbtf_cut_running(os, &wants, &types, err);
	if (!ret) {
		ret = -io_write(p->types_fd, types.buf, types.len);
		if (ret)
			err_sys(err, -ret, "cannot write the types that BPF programs need");
	}
	str_release(&types);
	vec_free(&records);
	return ret;
}

static void log_refusal(const struct prog *g, struct bpf_prog_load_opts *opts)
{
	int fd;

	log_printf(LOG_BPF, 1, "program %s: %s", g->name, strerror(-g->ret));
	if (!log_on(LOG_BPF, 2))
		return;
	opts->log_buf = xmalloc(LOG_BYTES);
	opts->log_size = LOG_BYTES;
	opts->log_level = 1;
	opts->log_buf[0] = '\0';
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, g->name, "GPL", g->insns, g->n_insns, opts);
	if (fd >= 0)
		close(fd);
	log_printf(LOG_BPF, 2, "%s", opts->log_buf);
	free(opts->log_buf);
}

/* Any thread. */
static void load_one(void *ctx, size_t i, unsigned worker)
{
	struct progload *p = ctx;
	struct prog *g = &p->progs.v[i];
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_RAW_TP,
		    .prog_btf_fd = g->btf_fd,
		    .func_info = g->func_info, .func_info_cnt = g->n_func_info,
		    .func_info_rec_size = g->func_info_bytes);

	(void)worker;
	for vec_each(d, &p->attach)
		if (!strcmp(d->name, g->type))
			opts.attach_btf_id = d->id;
	g->fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, g->name, "GPL", g->insns, g->n_insns, &opts);
	if (g->fd >= 0)
		return;
	g->ret = -errno;
	log_refusal(g, &opts);
}

int progload_run(struct progload *p)
{
	struct pool *pool = pool_new(VERIFY_THREADS);
	int ret = 0;

	no_handler(p);
	pool_run(pool, p->progs.n, load_one, p);
	pool_free(pool);
	for vec_each(g, &p->progs)
		ret = ret ? ret : g->ret;
	return ret;
}

int progload_attach(const struct progload *p, const char *program)
{
	for vec_each(g, &p->progs) {
		int fd;

		if (strcmp(g->name, program))
			continue;
		fd = bpf_raw_tracepoint_open(NULL, g->fd);
		return fd < 0 ? -errno : fd;
	}
	return -ENOENT;
}

int progload_attach_all(const struct progload *p, const char *const *programs, int n, int *links)
{
	for (int i = 0; i < n; i++) {
		const int fd = progload_attach(p, programs[i]);

		if (fd < 0 && fd != -ENOENT)
			return fd;
		links[i] = fd > 0 ? fd : 0;
	}
	return 0;
}

void progload_detach_all(int *links, int n)
{
	while (n-- > 0) {
		if (links[n])
			close(links[n]);
		links[n] = 0;
	}
}

u64 progload_missed(const struct progload *p)
{
	u64 n = 0;

	for vec_each(g, &p->progs) {
		struct bpf_prog_info info = { 0 };
		u32 bytes = sizeof(info);

		if (g->fd >= 0 && !bpf_obj_get_info_by_fd(g->fd, &info, &bytes))
			n += info.recursion_misses;
	}
	return n;
}

bool progload_reason(int ret, struct err *reason, struct err *err)
{
	const bool known = ret != -EPERM && ret != -EACCES && reason->msg;

	if (known)
		err_set(err, reason->code, "%s", reason->msg);
	if (known && reason->hint)
		err_hint(err, "%s", reason->hint);
	err_release(reason);
	return known;
}
