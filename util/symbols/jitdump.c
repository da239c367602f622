// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbols/jitdump.h"

#include <errno.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/os/procfs.h"

#define HEADER_BYTES 40
#define RECORD_BYTES 16
#define FLAG_ARCH_TIME 1

int jitdump_init(struct jitdump *d, const void *bytes, size_t n, struct err *err)
{
	struct rd r;
	u32 magic, version, size;

	*d = (struct jitdump){ 0 };
	rd_init(&r, bytes, n, false);
	magic = rd_u32(&r);
	if (magic != JITDUMP_MAGIC && magic != __builtin_bswap32(JITDUMP_MAGIC))
		return err_set(err, EINVAL, "it is no jitdump file");
	r.swap = d->swap = magic != JITDUMP_MAGIC;
	version = rd_u32(&r);
	size = rd_u32(&r);
	d->machine = rd_u32(&r);
	rd_skip(&r, 4);
	d->pid = rd_u32(&r);
	d->time_ns = rd_u64(&r);
	d->arch_time = rd_u64(&r) & FLAG_ARCH_TIME;
	if (rd_failed(&r) || size < HEADER_BYTES || size > n)
		return err_set(err, EINVAL, "its header is damaged");
	if (version != 1)
		return err_set(err, EINVAL, "it is of version %u, only 1 is known", version);
	rd_seek(&r, size);
	d->r = r;
	return 0;
}

static void read_load(struct rd *b, struct jit_record *out)
{
	out->pid = rd_u32(b);
	out->tid = rd_u32(b);
	rd_skip(b, 8);		/* vma: the same as the address */
	out->va = rd_u64(b);
	out->bytes = rd_u64(b);
	out->index = rd_u64(b);
	out->name = rd_cstr(b);
	if (rd_failed(b))
		return;
	out->code = (struct span){ b->base + b->pos, rd_left(b) };
	if (out->code.len > out->bytes)
		out->code.len = out->bytes;
	if (out->code.len < out->bytes && out->code.len)	/* all or nothing */
		b->failed = true;
}

static void read_move(struct rd *b, struct jit_record *out)
{
	out->pid = rd_u32(b);
	out->tid = rd_u32(b);
	rd_skip(b, 8);
	out->old_va = rd_u64(b);
	out->va = rd_u64(b);
	out->bytes = rd_u64(b);
	out->index = rd_u64(b);
}

static void read_debug(struct rd *b, struct jit_record *out)
{
	out->va = rd_u64(b);
	out->n_lines = rd_u64(b);
	out->lines = *b;
}

static void read_unwind(struct rd *b, struct jit_record *out)
{
	u64 n = rd_u64(b);

	out->unwind_hdr_bytes = rd_u64(b);
	out->unwind_mapped_bytes = rd_u64(b);
	if (n > rd_left(b) || out->unwind_hdr_bytes > n) {
		b->failed = true;
		return;
	}
	out->unwind = (struct span){ rd_bytes(b, n), n };
}

/* Addresses that wrap, or code larger than any: such a mapping would hide everything else. */
static bool is_sane(const struct jit_record *rec)
{
	if (rec->id != JIT_CODE_LOAD && rec->id != JIT_CODE_MOVE)
		return true;
	return rec->bytes && rec->bytes < 1ULL << 32 && rec->va + rec->bytes > rec->va;
}

static void read_body(struct rd *b, struct jit_record *out)
{
	switch (out->id) {
	case JIT_CODE_LOAD:
		read_load(b, out);
		break;
	case JIT_CODE_MOVE:
		read_move(b, out);
		break;
	case JIT_CODE_DEBUG:
		read_debug(b, out);
		break;
	case JIT_CODE_UNWIND:
		read_unwind(b, out);
		break;
	default:	/* CLOSE has no body */
		break;
	}
}

int jitdump_next(struct jitdump *d, struct jit_record *out)
{
	while (rd_left(&d->r)) {
		struct rd body;
		u32 size;

		*out = (struct jit_record){ .id = rd_u32(&d->r) };
		size = rd_u32(&d->r);
		out->time = rd_u64(&d->r);
		if (rd_failed(&d->r) || size < RECORD_BYTES ||
		    size - RECORD_BYTES > rd_left(&d->r)) {
			d->cut = true;
			d->r.pos = d->r.len;
			return 0;
		}
		body = rd_sub(&d->r, size - RECORD_BYTES);
		read_body(&body, out);
		if (out->id <= JIT_CODE_UNWIND && !rd_failed(&body) && is_sane(out))
			return 1;
		d->n_bad++;
	}
	return 0;
}

int jitdump_tells_unwinding(struct jitdump d)
{
	struct jit_record rec;

	while (jitdump_next(&d, &rec) > 0) {
		/* it stands before the code that it is of */
		if (rec.id == JIT_CODE_UNWIND)
			return 1;
		if (rec.id == JIT_CODE_LOAD)
			return 0;
	}
	return -EAGAIN;
}

bool jitdump_line(struct rd *lines, const char **prev, struct jit_line *out)
{
	out->va = rd_u64(lines);
	out->line = rd_u32(lines);
	out->discriminator = rd_u32(lines);
	out->file = rd_cstr(lines);
	if (rd_failed(lines) || !out->file)
		return false;
	if (!strcmp(out->file, "\xff"))	/* as before */
		out->file = *prev;
	*prev = out->file;
	return true;
}

bool jitdump_is_name(const char *path)
{
	const char *base = strrchr(path, '/');
	size_t digits;

	if (!base || !str_has_prefix(base, "/jit-"))
		return false;
	digits = strspn(base + 5, "0123456789");
	return digits && !strcmp(base + 5 + digits, ".dump");
}

char *jitdump_kept_name(u32 pid, const char *path)
{
	return procfs_root_name((pid_t)pid, path);
}
