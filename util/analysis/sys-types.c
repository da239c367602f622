// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sys-types.h"

static const char *fd_name(void *ctx, u64 key, u32 tgid UNUSED, int fd UNUSED)
{
	const struct sys_types *t = ctx;

	return key ? sys_lines_file(t->lines, key) : NULL;
}

static const char *pid_comm(void *ctx, int pid)
{
	const struct sys_types *t = ctx;

	return sys_lines_comm(t->lines, (u32)pid);
}

static bool load(struct sys_types *t)
{
	struct str text = STR_INIT;

	if (!t->tried && t->load && t->load(t->ctx, &text))
		t->btf = sys_btf_new(&text);
	t->tried = true;
	str_release(&text);
	return t->btf != NULL;
}

/* A struct by the type information of the kernel; without it (another machine's recording) it
 * stays a pointer. */
static bool add_type(void *ctx, const char *type, struct span bytes, struct str *out)
{
	struct sys_types *t = ctx;

	return load(t) && sys_btf_add(t->btf, type, bytes, t->style, out);
}

static const char *enumerator(void *ctx, const char *type, u64 value)
{
	struct sys_types *t = ctx;

	return load(t) ? sys_btf_enum(t->btf, type, value) : NULL;
}

void sys_types_init(struct sys_types *t, const struct sys_lines *lines, struct syscall_style *style,
		    bool file_names)
{
	t->lines = lines;
	t->style = style;
	style->fd_name = file_names ? fd_name : NULL;
	style->comm = pid_comm;
	style->add_type = add_type;
	style->enumerator = enumerator;
	style->ctx = t;
}

void sys_types_release(struct sys_types *t)
{
	sys_btf_free(t->btf);
	t->btf = NULL;
}
