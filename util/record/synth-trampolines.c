// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Code that the kernel made for itself before the recording began: trampolines of the function
 * tracer and of BPF, copied instructions of kprobes. The kernel tells of each that it makes later;
 * of the others only kallsyms knows, which takes 50 ms to read. So that is done only where
 * something is traced or probed.
 */
#include <stdlib.h>
#include <string.h>

#include "util/os/kernel.h"
#include "util/record/synth-priv.h"
#include "util/symbols/kallsyms.h"

struct trampoline { u64 va; const char *name, *by; };
typedef VEC(struct trampoline) trampoline_vec;

/* They have names of modules that are none. */
static int collect(void *ctx, const struct kallsym *k)
{
	trampoline_vec *l = ctx;

	if (k->va && k->module && (!strcmp(k->module, "bpf") ||
				   str_has_prefix(k->module, "__builtin__")))
		vec_push(l, ((struct trampoline){ k->va, k->name, k->module }));
	return 0;
}

static int cmp_trampolines(const void *a, const void *b)
{
	const struct trampoline *x = a, *y = b;

	return x->va < y->va ? -1 : x->va > y->va;
}

/* No size is reported: each has pages of its own, or shares one with the next. BPF programs were
 * written with their sizes already. */
static int put_trampoline(struct synth *s, const trampoline_vec *l)
{
	const u64 page = s->os->page_bytes;
	int ret = 0;

	for (size_t i = 0; i < l->n && !ret; i++) {
		const struct trampoline *m = &l->v[i];
		u64 end = (m->va / page + 1) * page;

		if (i + 1 < l->n)
			end = MIN(end, l->v[i + 1].va);
		if (end > m->va && !str_has_prefix(m->name, "bpf_prog_"))
			ret = synth_put_ksymbol(s, m->va, end - m->va, strcmp(m->by, "bpf") ?
						PERF_RECORD_KSYMBOL_TYPE_OOL :
						PERF_RECORD_KSYMBOL_TYPE_BPF, m->name);
	}
	return ret;
}

int synth_trampolines(struct synth *s)
{
	struct str text = STR_INIT;
	trampoline_vec l = { 0 };
	int ret = 0;

	if (os_kernel_is_traced(s->os) && os_read_kallsyms(s->os, &text, NULL) == 0) {
		kallsyms_parse(text.buf, text.len, collect, &l, NULL);
		if (l.n)
			qsort(l.v, l.n, sizeof(*l.v), cmp_trampolines);
		ret = put_trampoline(s, &l);
	}
	vec_free(&l);
	str_release(&text);
	return ret;
}
