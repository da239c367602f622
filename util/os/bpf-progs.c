// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/bpf-progs.h"

#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/rd.h"
#include "util/base/str.h"
#include "util/base/xalloc.h"

#define MAX_FUNCS 4096
#define MAX_BTF_BYTES (16u << 20)

static int bpf_call(int cmd, union bpf_attr *a)
{
	return (int)syscall(SYS_bpf, cmd, a, sizeof(*a));
}

static int fd_by_id(int cmd, u32 id)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.prog_id = id;		/* btf_id lies at the same place */
	return bpf_call(cmd, &a);
}

static int get_info(int fd, void *info, u32 bytes)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.info.bpf_fd = (u32)fd;
	a.info.info_len = bytes;
	a.info.info = (uintptr_t)info;
	return bpf_call(BPF_OBJ_GET_INFO_BY_FD, &a);
}

/* --- names of functions: in the program's BTF */

/* What follows a type, by its kind. */
static u64 btf_tail_bytes(u32 info)
{
	const u32 n = BTF_INFO_VLEN(info);

	switch (BTF_INFO_KIND(info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return 12;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case BTF_KIND_ENUM64:
		return 12 * (u64)n;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return 8 * (u64)n;
	default:
		return 0;
	}
}

const char *os_btf_name(struct span btf, u32 type, bool swap)
{
	struct rd r, strings;
	struct btf_header h;
	u32 name = 0;

	if (btf.len < sizeof(h))
		return NULL;
	memcpy(&h, btf.ptr, sizeof(h));
	if (swap) {
		h.magic = __builtin_bswap16(h.magic);
		h.hdr_len = __builtin_bswap32(h.hdr_len);
		h.type_off = __builtin_bswap32(h.type_off);
		h.str_off = __builtin_bswap32(h.str_off);
	}
	if (h.magic != BTF_MAGIC || h.hdr_len > btf.len)
		return NULL;
	rd_init(&r, btf.ptr + h.hdr_len, btf.len - h.hdr_len, swap);
	strings = r;
	rd_skip(&r, h.type_off);
	for (u32 id = 1; id <= type && !rd_failed(&r); id++) {
		u32 info;

		name = rd_u32(&r);
		info = rd_u32(&r);
		rd_skip(&r, 4 + btf_tail_bytes(info));
	}
	rd_skip(&strings, (u64)h.str_off + name);
	{
		const char *text = rd_cstr(&strings);

		return type && name && !rd_failed(&r) && !rd_failed(&strings) ? text : NULL;
	}
}

static void read_btf(u32 id, struct str *out)
{
	struct bpf_btf_info info = { 0 };
	const int fd = fd_by_id(BPF_BTF_GET_FD_BY_ID, id);

	if (fd < 0)
		return;
	if (!get_info(fd, &info, sizeof(info)) && info.btf_size && info.btf_size <= MAX_BTF_BYTES) {
		const u32 n = info.btf_size;

		str_reserve(out, n);
		info = (struct bpf_btf_info){ .btf = (uintptr_t)out->buf, .btf_size = n };
		if (!get_info(fd, &info, sizeof(info)))
			out->len = MIN(n, info.btf_size);
	}
	close(fd);
}

/* --- programs */

struct prog {
	struct bpf_prog_info info;
	u32 n;			/* functions */
	u64 *va;
	u32 *bytes;
	u8 (*tags)[BPF_TAG_SIZE];
	u8 *func_info;
};

static void prog_release(struct prog *p)
{
	free(p->va);
	free(p->bytes);
	free(p->tags);
	free(p->func_info);
}

static int prog_read(int fd, struct prog *p)
{
	struct bpf_prog_info *i = &p->info, counts;

	if (get_info(fd, i, sizeof(*i)))
		return -1;
	counts = *i;
	p->n = counts.nr_jited_ksyms;
	if (!p->n || p->n > MAX_FUNCS || counts.nr_jited_func_lens != p->n)
		return -1;
	memset(i, 0, sizeof(*i));
	p->va = xcalloc(p->n, sizeof(*p->va));
	p->bytes = xcalloc(p->n, sizeof(*p->bytes));
	i->nr_jited_ksyms = i->nr_jited_func_lens = p->n;
	i->jited_ksyms = (uintptr_t)p->va;
	i->jited_func_lens = (uintptr_t)p->bytes;
	if (counts.nr_prog_tags == p->n) {
		p->tags = xcalloc(p->n, sizeof(*p->tags));
		i->nr_prog_tags = p->n;
		i->prog_tags = (uintptr_t)p->tags;
	}
	if (counts.nr_func_info == p->n && counts.func_info_rec_size >= 8 &&
	    counts.func_info_rec_size <= 64) {
		p->func_info = xcalloc(p->n, counts.func_info_rec_size);
		i->nr_func_info = p->n;
		i->func_info_rec_size = counts.func_info_rec_size;
		i->func_info = (uintptr_t)p->func_info;
	}
	return get_info(fd, i, sizeof(*i));
}

static void name_function(const struct prog *p, u32 k, const struct str *btf, struct str *out)
{
	const u8 *tag = p->tags ? p->tags[k] : p->info.tag;
	const char *name = p->n == 1 && p->info.name[0] ? p->info.name : NULL;

	if (p->func_info) {
		u32 type;
		const char *full;

		memcpy(&type, p->func_info + (size_t)k * p->info.func_info_rec_size + 4,
		       sizeof(type));
		full = os_btf_name((struct span){ (const u8 *)btf->buf, btf->len }, type, false);
		name = full ? full : name;
	}
	str_reset(out);
	str_add(out, "bpf_prog_");
	for (int i = 0; i < BPF_TAG_SIZE; i++)
		str_add_hex(out, tag[i], 2);
	if (name)
		str_addf(out, "_%.*s", name == p->info.name ? (int)sizeof(p->info.name) : 400,
			 name);
}

static int tell(const struct prog *p, int (*fn)(void *ctx, const struct os_bpf_function *f),
		void *ctx)
{
	struct str btf = STR_INIT, name = STR_INIT;
	int ret = 0;

	if (p->func_info)
		read_btf(p->info.btf_id, &btf);
	for (u32 k = 0; k < p->n && !ret; k++) {
		struct os_bpf_function f = { p->va[k], p->bytes[k], NULL };

		name_function(p, k, &btf, &name);
		f.name = str_cstr(&name);
		if (f.va && f.bytes)	/* 0: addresses are hidden from us */
			ret = fn(ctx, &f);
	}
	str_release(&btf);
	str_release(&name);
	return ret;
}

int os_bpf_functions(const struct os *os, int (*fn)(void *ctx, const struct os_bpf_function *f),
		     void *ctx)
{
	union bpf_attr a;
	u32 id = 0;
	int ret = 0;

	while (!os->fake && !ret) {
		struct prog p = { .n = 0 };
		int fd;

		memset(&a, 0, sizeof(a));
		a.start_id = id;
		if (bpf_call(BPF_PROG_GET_NEXT_ID, &a))
			break;
		id = a.next_id;
		fd = fd_by_id(BPF_PROG_GET_FD_BY_ID, id);
		if (fd < 0)
			continue;	/* unloaded meanwhile */
		if (!prog_read(fd, &p))
			ret = tell(&p, fn, ctx);
		close(fd);
		prog_release(&p);
	}
	return ret;
}
