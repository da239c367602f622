// SPDX-License-Identifier: GPL-2.0-or-later
// Which file a loaded module is of.
#include <stdlib.h>
#include <string.h>

#include "util/base/io.h"
#include "util/os/kernel.h"
#include "util/record/synth-priv.h"

/* Equal but for - and _, which modules' files and names mix. */
static bool same_module(const char *a, size_t n, const char *b)
{
	for (size_t i = 0; i < n; i++) {
		if (!b[i] || (a[i] == '-' ? '_' : a[i]) != (b[i] == '-' ? '_' : b[i]))
			return false;
	}
	return !b[n];
}

bool synth_module_path(const char *modules_dep, const char *name, struct str *out)
{
	for (const char *p = modules_dep; *p;) {
		const char *nl = strchrnul(p, '\n'), *colon = memchr(p, ':', (size_t)(nl - p));
		const char *slash = colon ? memrchr(p, '/', (size_t)(colon - p)) : NULL;
		const char *base = slash ? slash + 1 : p;
		const char *ko = colon ? memmem(base, (size_t)(colon - base), ".ko", 3) : NULL;

		if (ko && same_module(base, (size_t)(ko - base), name)) {
			str_addn(out, p, (size_t)(colon - p));
			return true;
		}
		p = *nl ? nl + 1 : nl;
	}
	return false;
}

static void read_modules_dep(struct synth *s)
{
	struct os_release_text release;
	struct err e = ERR_INIT;
	char *path;

	if (s->modules_dep.len || !os_kernel_release(s->os, &release))
		return;
	str_reset(&s->modules_dir);
	str_addf(&s->modules_dir, "/lib/modules/%s/", release.text);
	path = xasprintf("%smodules.dep", str_cstr(&s->modules_dir));
	if (io_read_file(path, 16 << 20, &s->modules_dep, &e) || !s->modules_dep.len) {
		str_reset(&s->modules_dep);
		str_addch(&s->modules_dep, '\n');
	}
	free(path);
	err_release(&e);
}

bool synth_module_identity(struct synth *s, const char *name, struct str *path, struct build_id *id)
{
	struct err e = ERR_INIT;

	read_modules_dep(s);
	id->n = 0;
	if (s->build_ids && build_id_of_module(s->os, name, id, &e))
		id->n = 0;
	err_release(&e);
	str_reset(path);
	str_add(path, str_cstr(&s->modules_dir));
	return synth_module_path(str_cstr(&s->modules_dep), name, path);
}
