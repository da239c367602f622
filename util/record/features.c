// SPDX-License-Identifier: GPL-2.0-or-later
// What the file says about the machine, the command and the binaries that were mapped.
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "util/base/io.h"
#include "util/os/procfs.h"
#include "util/record/output.h"
#include "util/symbols/jitdump.h"
#include "util/symbols/mapped.h"
#include "util/symbols/perf-map.h"

#define MAX_MAP_BYTES (256u << 20)

/* The name leads to no file, or to another one. */
static bool is_not_here(const struct output_dso *d)
{
	struct stat here, its;

	return d->fd >= 0 && !d->kernel && !fstat(d->fd, &its) &&
	       (stat(d->path, &here) || here.st_dev != its.st_dev || here.st_ino != its.st_ino);
}

/* perf inject will look for a dump by its name. */
static bool is_lost_dump(const struct output_dso *d)
{
	return jitdump_is_name(d->path) && is_not_here(d);
}

/* Another file of this name whose mappings tell no build-id, so that readers go by the name;
 * NULL: none. */
static const struct output_dso *namesake(const struct output *out, const struct output_dso *d)
{
	for vec_each(other, &out->scan.dsos)
		if (*other != d && (!(*other)->id.n || (*other)->is_bare) &&
		    !strcmp((*other)->path, d->path))
			return *other;
	return NULL;
}

/* Programs in Go and of some small C libraries have no build-id: once their container is gone
 * nothing would find them. The id of what they consist of goes by their name, so no other one of
 * them may have it. Where the name leads to the file it gets none, which readers that know no such
 * ids would miss in it. */
static bool is_lost_bare(const struct output *out, const struct output_dso *d)
{
	struct build_id id;

	return d->hit && !d->id.n && is_not_here(d) && !build_id_of_fd(d->fd, &id) &&
		!namesake(out, d);
}

/* The texts as they are now: those of containers may be gone when somebody reads the recording. */
static void read_maps(struct output *out)
{
	for vec_each(p, &out->scan.dsos) {
		struct output_dso *d = *p;
		char *name;

		d->is_dump = !d->is_map && is_lost_dump(d);
		d->hit |= d->is_dump;		/* its mapping is a mark, no code */
		d->is_bare = !d->is_map && !d->is_dump && is_lost_bare(out, d);
		if (!(d->is_map || d->is_dump || d->is_bare) || d->fd < 0 || !d->hit)
			continue;
		str_reset(&d->map);
		name = procfs_fd_name(d->fd);
		if (!io_read_file(name, MAX_MAP_BYTES, &d->map, NULL) && d->map.len)
			build_id_of_text(d->map.buf, d->map.len, &d->id);
		free(name);
	}
}

/* The id is in the mappings' records already; by the name it would be given to another file,
 * too. */
static bool is_ambiguous(const struct output *out, const struct output_dso *d,
			 const struct build_id *id)
{
	const struct output_dso *other = d->id.n && !d->kernel && !d->is_map && !d->is_dump &&
		!d->is_bare ? namesake(out, d) : NULL;
	struct build_id its;

	return other && (!output_build_id(out, other, &its) || !build_id_equal(&its, id));
}

static void add_build_ids(struct output *out, struct data_features *f)
{
	if (out->held && !out->w.pipe) {
		output_scan_hits(&out->scan);
		read_maps(out);
	}
	for (size_t i = 0; i < out->scan.dsos.n; i++) {
		const struct output_dso *d = out->scan.dsos.v[i];
		bool kallsyms = d->kernel && str_has_prefix(d->path, "[kernel.kallsyms]");
		struct build_id id;
		char *name;

		if (!output_build_id(out, d, &id) || is_ambiguous(out, d, &id))
			continue;
		name = output_dso_name(d);
		data_add_build_id(f, id.bytes, id.n, d->kernel ? PERF_RECORD_MISC_KERNEL :
				  PERF_RECORD_MISC_USER, -1,
				  kallsyms ? "[kernel.kallsyms]" : name);
		free(name);
	}
}

static u64 clock_res_ns(int clockid)
{
	struct timespec ts = { 0, 1 };

	clock_getres(clockid, &ts);
	return (u64)ts.tv_sec * NSEC_PER_SEC + (u64)ts.tv_nsec;
}

void output_features(struct output *out, struct data_features *f)
{
	const struct record_output *o = out->o;

	data_features_collect(f, out->os);
	data_set_str(f, FEAT_VERSION, o->version);
	data_set_cmdline(f, o->argc, o->argv);
	if (out->scan.first_ns != UINT64_MAX)
		data_set_sample_time(f, out->scan.first_ns, out->scan.last_ns);
	else
		data_set_sample_time(f, 0, 0);
	if (!o->no_buildid)
		add_build_ids(out, f);
	if (o->chains)
		data_feature_decode(f, FEAT_CALL_CHAINS,
				    (struct span){ (const u8 *)o->chains, strlen(o->chains) },
				    false, NULL, NULL);
	if (o->in_dir) {
		f->dir_version = DATA_DIR_VERSION;
		data_set(f, FEAT_DIR_FORMAT);
	}
	if (event_list_samples(out->list, PERF_SAMPLE_BRANCH_STACK))
		data_set(f, FEAT_BRANCH_STACK);
	if (out->clockid != RECORD_NO_CLOCKID) {
		f->clockid_res_ns = clock_res_ns(out->clockid);
		f->clockid = (u32)out->clockid;
		f->clock_tod_ns = out->clock_tod_ns;
		f->clock_ns = out->clock_ns;
		data_set(f, FEAT_CLOCKID);
		data_set(f, FEAT_CLOCK_DATA);
	}
}
