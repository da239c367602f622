// SPDX-License-Identifier: GPL-2.0-or-later
// What a mapped file is called, and its build-id.
#include "util/record/output.h"
#include "util/symbols/jitdump.h"
#include "util/symbols/mapped.h"

bool output_build_id(const struct output *out, const struct output_dso *d, struct build_id *id)
{
	const struct mapped m = { .path = d->path, .ino = d->ino, .pid = d->pid,
				  .kernel = d->kernel };

	*id = d->id;
	if (d->is_map || d->is_dump || d->is_bare)
		return id->n;
	return id->n || (d->fd >= 0 && build_id_of_fd(d->fd, id)) ||
		mapped_build_id(out->os, &m, id);
}

char *output_dso_name(const struct output_dso *d)
{
	return d->is_dump ? jitdump_kept_name((u32)d->pid, d->path) : xstrdup(d->path);
}
