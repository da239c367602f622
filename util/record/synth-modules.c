// SPDX-License-Identifier: GPL-2.0-or-later
// The mappings of the modules that are loaded.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/os/kernel.h"
#include "util/record/synth-priv.h"

void module_list_release(module_list *l)
{
	for vec_each(p, l)
		free(p->name);
	vec_free(l);
}

static void clip_ends(module_list *l)
{
	for vec_each(p, l)
		for vec_each(q, l)
			if (q->start_va > p->start_va && q->start_va < p->end_va)
				p->end_va = q->start_va;
}

/* While a module is being loaded its size counts the init part, which lies elsewhere. */
static u64 core_bytes(const struct os *os, const char *name, u64 bytes)
{
	const u64 core = os_module_core_bytes(os, name);

	return core && core <= bytes ? core : bytes;
}

/* Lines like "ext4 933888 1 - Live 0xffffffffc0a00000". */
int module_list_read(const struct os *os, module_list *out)
{
	struct str text = STR_INIT;
	struct err e = ERR_INIT;
	int ret = os_read_modules(os, &text, &e);

	for (char *p = text.buf, *nl; !ret && p && (nl = strchr(p, '\n')); p = nl + 1) {
		char name[128], state[16];
		unsigned long long bytes, va;

		*nl = '\0';
		if (sscanf(p, "%127s %llu %*s %*s %15s %llx", name, &bytes, state, &va) != 4)
			continue;
		const bool loading = !strcmp(state, "Loading");

		if (loading)
			bytes = core_bytes(os, name, bytes);
		if (va + bytes >= va)
			vec_push(out, ((struct module_place){ xstrdup(name), va, va + bytes,
							      loading }));
	}
	clip_ends(out);
	err_release(&e);
	str_release(&text);
	return ret;
}

int synth_module(struct synth *s, const struct module_place *p)
{
	struct str path = STR_INIT;
	struct build_id id;
	int ret;

	if (!synth_module_identity(s, p->name, &path, &id)) {
		str_reset(&path);
		str_addf(&path, "[%s]", p->name);
	}
	ret = synth_put_kernel_map(s, p->start_va, p->end_va, str_cstr(&path), &id);
	str_release(&path);
	return ret;
}

static int put_loading(struct synth *s, const struct module_place *p)
{
	struct synth_init in;
	int ret = 0;

	if (p->loading && synth_init_read(s, p, &in)) {
		ret = synth_init_put(s, p, &in);
		synth_init_release(&in);
	}
	return ret;
}

int synth_modules(struct synth *s)
{
	module_list l = { 0 };
	int ret = 0;

	if (!module_list_read(s->os, &l))	/* else: a kernel without modules */
		for (size_t i = 0; i < l.n && !ret; i++) {
			if (!l.v[i].start_va) {
				s->kernel_hidden = true;
				continue;
			}
			ret = synth_module(s, &l.v[i]);
			if (!ret)
				ret = put_loading(s, &l.v[i]);
		}
	module_list_release(&l);
	return ret;
}
