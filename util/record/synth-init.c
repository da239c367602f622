// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The code that a module runs only while it is loaded. It lies apart and is freed afterwards, and
 * then no kallsyms has its names. So they are written with its mapping: whoever reads the recording
 * needs no file for them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/os/kernel.h"
#include "util/record/synth-priv.h"
#include "util/symbols/kallsyms.h"

#define MAX_INIT_BYTES (16u << 20)	/* of one module */

struct init_names { const struct module_place *p; u64 va, end_va; struct module_init *mi; };

/* While the init function runs, kallsyms has those that it is about to forget. */
static int take_init_name(void *ctx, const struct kallsym *k)
{
	const struct init_names *n = ctx;

	if (!k->module || strcmp(k->module, n->p->name) || !strchr("tT", k->type) ||
	    k->va < n->va || k->va >= n->end_va)
		return 0;
	vec_push(&n->mi->functions, ((struct module_function){ xstrdup(k->name), k->va - n->va,
							       0 }));
	return 0;
}

static int cmp_function(const void *a, const void *b)
{
	const struct module_function *x = a, *y = b;

	return x->off < y->off ? -1 : x->off > y->off;
}

static void swap_names(struct module_function *a, struct module_function *b)
{
	char *name = a->name;

	a->name = b->name;
	b->name = name;
}

/* Each up to the next one; of those that share an address the first stays, but for the name that
 * all modules have. */
static void end_functions(struct module_init *mi)
{
	size_t n = 0;

	if (mi->functions.n)
		qsort(mi->functions.v, mi->functions.n, sizeof(*mi->functions.v), cmp_function);
	for vec_each(f, &mi->functions) {
		struct module_function *last = n ? &mi->functions.v[n - 1] : NULL;

		if (last && last->off == f->off) {
			if (!strcmp(last->name, "init_module"))
				swap_names(last, f);
			free(f->name);
			continue;
		}
		mi->functions.v[n++] = *f;
	}
	mi->functions.n = n;
	for (size_t i = 0; i < n; i++)
		mi->functions.v[i].bytes = (i + 1 < n ? mi->functions.v[i + 1].off : mi->bytes) -
		mi->functions.v[i].off;
}

static void init_by_kallsyms(const struct os *os, const struct module_place *p, u64 va,
			     struct module_init *mi)
{
	const u64 page = os->page_bytes;
	struct init_names n = { .p = p, .va = va, .end_va = va + MAX_INIT_BYTES, .mi = mi };
	const u64 bytes = os_module_init_bytes(os, p->name);
	struct str text = STR_INIT;
	u64 last = 0;

	if (bytes && os_read_kallsyms(os, &text, NULL) == 0) {
		n.end_va = va + MIN(bytes, MAX_INIT_BYTES);
		kallsyms_parse(text.buf, text.len, take_init_name, &n, NULL);
	}
	for vec_each(f, &mi->functions)
		last = MAX(last, f->off);
	/* to the end of its last page: that is surely its own */
	mi->bytes = ((va + last) / page + 1) * page - va;
	end_functions(mi);
	str_release(&text);
}

/* One that is gone already (its init function failed) has no build-id any more: then its name
 * alone tells the file. */
static bool init_by_file(const struct synth *s, const struct module_place *p, const char *path,
			 struct synth_init *out)
{
	if (!out->id.n && os_module_section_va(s->os, p->name, ".init.text"))
		return false;
	return !module_init_read(path, &out->id, &out->code) && out->code.bytes;
}

bool synth_init_read(struct synth *s, const struct module_place *p, struct synth_init *out)
{
	struct str path = STR_INIT;

	*out = (struct synth_init){ 0 };
	out->start_va = os_module_section_va(s->os, p->name, ".init.text");
	if (!out->start_va)
		return false;
	if (!synth_module_identity(s, p->name, &path, &out->id) ||
	    !init_by_file(s, p, str_cstr(&path), out))
		init_by_kallsyms(s->os, p, out->start_va, &out->code);
	str_release(&path);
	if (out->start_va + out->code.bytes > out->start_va)
		return true;
	synth_init_release(out);
	return false;
}

void synth_init_release(struct synth_init *in)
{
	module_init_release(&in->code);
}

int synth_init_put(struct synth *s, const struct module_place *p, const struct synth_init *in)
{
	char *name = xasprintf("[%s.init.text]", p->name);
	int ret = synth_put_kernel_map(s, in->start_va, in->start_va + in->code.bytes, name,
				       &in->id);

	for (size_t i = 0; i < in->code.functions.n && !ret; i++) {
		const struct module_function *f = &in->code.functions.v[i];

		ret = synth_put_ksymbol(s, in->start_va + f->off, f->bytes,
					PERF_RECORD_KSYMBOL_TYPE_OOL, f->name);
	}
	free(name);
	return ret;
}
