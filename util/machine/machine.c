// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Side-band records applied to tasks and spaces, in the order of their times.
 */
#include "util/machine/machine-priv.h"
#include "util/symbols/jitdump.h"
#include "util/symbols/vdso.h"

#include <errno.h>
#include <stdio.h>

#define VSYSCALL_START 0xffffffffff600000ULL
#define VSYSCALL_END 0xffffffffff601000ULL

#define KERNEL_IMAGE_BYTES (1ULL << 30)

enum { KSYM_UNREGISTER = 1 };

struct machine *machine_new(struct dso_store *store, const struct machine_opts *opts)
{
	struct machine *m = xnew(struct machine);

	m->dsos = store;
	if (opts)
		m->opts = *opts;
	m->arch = m->opts.arch ? m->opts.arch : arch_host();
	m->names = intern_new();
	m->kernel = space_new(m);
	pthread_mutex_init(&m->late_lock, NULL);
	thread_now(m, 0, 0, 0);
	return m;
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
	tasks_free(m);
	space_free(m->kernel);
	hmap_release(&m->cgroups);
	running_free(m->running);
	intern_free(m->names);
	free(m->vsyscall);
	pthread_mutex_destroy(&m->late_lock);
	free(m);
}

struct space *machine_kernel_space(struct machine *m)
{
	return m->kernel;
}

const struct arch_info *machine_arch(const struct machine *m)
{
	return m->arch;
}

void machine_set_arch(struct machine *m, const struct arch_info *arch)
{
	m->arch = arch;
}

bool machine_swapped(const struct machine *m)
{
	return m->opts.swap;
}

bool machine_is_kernel_va(const struct machine *m, u64 va)
{
	return va >= m->arch->kernel_start_va;
}

const char *machine_cgroup(const struct machine *m, u64 id)
{
	return hmap_get(&m->cgroups, id);
}

void machine_get_stats(const struct machine *m, struct machine_stats *out)
{
	*out = m->stats;
	out->threads = m->threads.n;
}

const struct mapping *machine_kernel_map(const struct machine *m)
{
	return m->kernel_map.dso ? &m->kernel_map : NULL;
}

const struct mapping *machine_vsyscall(struct machine *m, u64 va)
{
	struct dso_key key = { .kind = DSO_ANON, .path = "[vsyscall]" };
	struct mapping *map;

	if (va < VSYSCALL_START || va >= VSYSCALL_END)
		return NULL;
	pthread_mutex_lock(&m->late_lock);
	map = m->vsyscall;
	if (!map) {
		map = m->vsyscall = xnew(struct mapping);
		map->start_va = map->off = VSYSCALL_START;
		map->end_va = VSYSCALL_END;
		map->to_ns = UINT64_MAX;
		map->dso = dso_get(m->dsos, &key);
		map->index = m->next_mapping++;
	}
	pthread_mutex_unlock(&m->late_lock);
	return map;
}

void machine_freeze(struct machine *m)
{
	space_freeze(m->kernel);
	tasks_freeze(m);
	m->frozen = true;
}

/* ---- mappings ---- */

bool machine_is_anon(const char *path)
{
	return strcmp(path, "//anon") == 0 || str_has_prefix(path, "/dev/zero") ||
		str_has_prefix(path, "/anon_hugepage") ||
	       str_has_prefix(path, "[anon:");
}

static struct dso *user_dso(struct machine *m, const struct wire_mmap *mm, bool *by_va)
{
	struct dso_key key = { .kind = DSO_FILE, .path = mm->path, .maj = mm->maj, .min = mm->min,
			       .ino = mm->ino,
			       .ino_generation = mm->ino_generation, .pid = mm->pid };
	char map_path[48];

	if (mm->build_id_bytes && mm->build_id_bytes <= sizeof(key.id.bytes)) {
		key.id.n = mm->build_id_bytes;
		memcpy(key.id.bytes, mm->build_id, mm->build_id_bytes);
	}
	*by_va = true;
	if (machine_is_anon(mm->path) && mm->data) {
		key = (struct dso_key){ .kind = DSO_ANON, .path = mm->path };
	} else if (machine_is_anon(mm->path)) {
		snprintf(map_path, sizeof(map_path), "/tmp/perf-%d.map", (int)mm->pid);
		key = (struct dso_key){ .kind = DSO_PERF_MAP, .path = map_path, .pid = mm->pid };
	} else if (str_has_prefix(mm->path, "[vdso")) {
		key.kind = DSO_VDSO;
		if (m->arch->addr_bytes == 8)
			key.path = vdso_name(mm->start_va, mm->bytes);
		*by_va = false;
	} else if (mm->path[0] == '[' || str_has_prefix(mm->path, "/SYSV")) {
		key.kind = DSO_ANON;		/* [heap], [stack], [vsyscall], [uprobes] */
	} else {
		*by_va = false;
	}
	return dso_get(m->dsos, &key);
}

static int apply_user_mmap(struct machine *m, const struct wire_mmap *mm, u64 t_ns,
			   const char **reason)
{
	struct mapping map = { .start_va = mm->start_va, .end_va = mm->start_va + mm->bytes,
			       .off = mm->off, .prot = mm->prot,
			       .flags = mm->flags, .ino = mm->ino };
	bool by_va;

	if (map.end_va < map.start_va) {
		*reason = "mapping wraps around the address space";
		return -EINVAL;
	}
	map.dso = user_dso(m, mm, &by_va);
	if (by_va)
		map.off = map.start_va;
	if (jitdump_is_name(mm->path))
		dso_note_jitdump(m->dsos, (pid_t)mm->pid, mm->path);
	space_add(process_space_now(process_now(m, mm->pid)), &map, t_ns);
	return 0;
}

/* "[kernel.kallsyms]_text": the name of the kernel's dso, and the symbol whose run-time address
 * stands in the offset. */
static bool kernel_path(const char *path, struct str *name, const char **ref)
{
	const char *end;

	if ((!str_has_prefix(path, "[kernel.") && !str_has_prefix(path, "[guest.kernel.")) ||
	    !(end = strchr(path, ']')))
		return false;
	str_addn(name, path, end + 1 - path);
	*ref = end[1] ? end + 1 : NULL;
	return true;
}

#define INIT_TAIL ".init.text]"

bool machine_is_module_init(const char *path)
{
	return path[0] == '[' && str_has_suffix(path, INIT_TAIL) &&
		strlen(path) > sizeof(INIT_TAIL);
}

/* Of a module's init code: "[NAME]" is what the module's dso is called. */
static bool init_path(const char *path, struct str *module)
{
	if (!machine_is_module_init(path))
		return false;
	str_addn(module, path, strlen(path) - strlen(INIT_TAIL));
	str_addch(module, ']');
	return true;
}

/* The newest that was mapped by that name, and with that build-id if one is given. */
static struct dso *mapped_module(const struct machine *m, const char *name,
				 const struct build_id *id)
{
	const struct space *s = m->kernel;

	for (size_t i = s->all.n; i-- > 0;) {
		struct dso *d = s->all.v[i]->m.dso;

		if (d->kind == DSO_MODULE && !strcmp(d->short_name, name) &&
		    (!id->n || !d->id.n || build_id_equal(&d->id, id)))
			return d;
	}
	return NULL;
}

/* Code that a module ran while it was loaded. It is the module's, though it lay apart. */
static void apply_module_init(struct machine *m, struct mapping *map, const struct dso_key *key,
			      u64 t_ns)
{
	map->dso = mapped_module(m, key->path, &key->id);
	if (!map->dso)
		map->dso = dso_get(m->dsos, key);
	map->off = dso_set_module_init(map->dso, map->start_va, map->end_va - map->start_va);
	space_add(m->kernel, map, t_ns);
	m->init_map = *map;
	m->init_map.from_ns = t_ns;
}

static void apply_kernel_mmap(struct machine *m, const struct wire_mmap *mm, u64 t_ns)
{
	struct mapping map = { .start_va = mm->start_va, .end_va = mm->start_va + mm->bytes,
			       .off = mm->start_va,
			       .prot = mm->prot, .flags = mm->flags, .kernel = true };
	struct dso_key key = { .kind = DSO_MODULE };
	struct str name = STR_INIT;
	const char *ref = NULL;
	const bool init = init_path(mm->path, &name);

	if (map.end_va < map.start_va)
		map.end_va = UINT64_MAX;
	if (!init && kernel_path(mm->path, &name, &ref))
		key.kind = DSO_KERNEL;
	else if (!init)
		str_add(&name, mm->path);
	if (mm->build_id_bytes && mm->build_id_bytes <= sizeof(key.id.bytes)) {
		key.id.n = mm->build_id_bytes;
		memcpy(key.id.bytes, mm->build_id, mm->build_id_bytes);
	}
	key.path = str_cstr(&name);
	if (init) {
		apply_module_init(m, &map, &key, t_ns);
		goto out;
	}
	map.dso = dso_get(m->dsos, &key);
	if (ref)
		dso_set_kernel_reloc(map.dso, mm->off, ref);
	else if (key.kind == DSO_MODULE)
		map.off = dso_set_module_reloc(map.dso, mm->start_va);
	space_add(m->kernel, &map, t_ns);
	if (key.kind == DSO_KERNEL && !m->kernel_map.dso) {
		m->kernel_map = map;
		m->kernel_map.to_ns = UINT64_MAX;
		m->kernel_map.end_va = MAX(map.end_va, map.start_va + KERNEL_IMAGE_BYTES);
		m->kernel_map.index = m->next_mapping++;
	}
out:
	str_release(&name);
}

static int apply_mmap(struct machine *m, const struct perf_event_header *rec, u64 t_ns,
		      const char **reason)
{
	struct wire_mmap mm;
	int ret = wire_decode_mmap(rec, &mm, reason);

	if (ret < 0)
		return ret;
	m->stats.mmaps++;
	switch (rec->misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL:
		apply_kernel_mmap(m, &mm, t_ns);
		return 0;
	case PERF_RECORD_MISC_GUEST_KERNEL:
	case PERF_RECORD_MISC_GUEST_USER:
	case PERF_RECORD_MISC_HYPERVISOR:
		m->stats.guest_records++;
		return 0;
	default:
		if (mm.bytes == 0)
			return 0;
		return apply_user_mmap(m, &mm, t_ns, reason);
	}
}

/* A function of a module's init code: the mapping around it was reported just before, with the same
 * time. Whatever comes later is something else in memory that was freed. */
static bool name_in_init(const struct machine *m, const struct wire_ksymbol *k, u64 t_ns)
{
	const struct mapping *map = &m->init_map;
	const u64 rva = k->va - map->start_va + map->off;

	if (k->type != PERF_RECORD_KSYMBOL_TYPE_OOL || !map->dso || map->from_ns != t_ns ||
	    k->va < map->start_va ||
	    k->va + k->bytes > map->end_va)
		return false;
	dso_add_symbol(map->dso, rva, rva + k->bytes, k->name);
	return true;
}

static int apply_ksymbol(struct machine *m, const struct perf_event_header *rec, u64 t_ns,
			 const char **reason)
{
	struct wire_ksymbol k;
	int ret = wire_decode_ksymbol(rec, &k, reason);
	struct dso_key key = { .kind = DSO_BPF };
	struct mapping map = { .kernel = true };

	if (ret < 0)
		return ret;
	if (k.va + k.bytes < k.va || !k.bytes)
		return 0;
	if (k.flags & KSYM_UNREGISTER) {
		space_cut(m->kernel, k.va, k.va + k.bytes, t_ns);
		return 0;
	}
	if (name_in_init(m, &k, t_ns))
		return 0;
	key.path = k.name;
	map.start_va = k.va;
	map.end_va = k.va + k.bytes;
	map.dso = dso_get(m->dsos, &key);	/* off 0: the program's own addresses */
	dso_add_symbol(map.dso, 0, k.bytes, k.name);
	space_add(m->kernel, &map, t_ns);
	return 0;
}

/* ---- tasks ---- */

static int apply_comm(struct machine *m, const struct perf_event_header *rec, u64 t_ns,
		      const char **reason)
{
	struct wire_comm c;
	int ret = wire_decode_comm(rec, &c, reason);

	if (ret < 0)
		return ret;
	m->stats.comms++;
	thread_set_comm(m, thread_now(m, c.pid, c.tid, t_ns), c.comm, t_ns, c.exec);
	if (c.exec)
		task_exec(m, c.pid, t_ns);
	return 0;
}

static int apply_task(struct machine *m, const struct perf_event_header *rec, u64 t_ns,
		      const char **reason)
{
	struct wire_task t;
	int ret = wire_decode_task(rec, &t, reason);

	if (ret < 0)
		return ret;
	if (!t_ns)
		t_ns = t.time_ns;
	if (rec->type == PERF_RECORD_EXIT) {
		m->stats.exits++;
		task_exit(m, &t, t_ns);
		return 0;
	}
	m->stats.forks++;
	/* the bit in a synthesized FORK says that the task's own mappings follow */
	task_fork(m, &t, t_ns, rec->misc & PERF_RECORD_MISC_COMM_EXEC);
	return 0;
}

static int apply_namespaces(struct machine *m, const struct perf_event_header *rec, u64 t_ns,
			    const char **reason)
{
	struct wire_namespaces n;
	int ret = wire_decode_namespaces(rec, &n, reason);

	if (!ret && n.n > CGROUP_NS_INDEX)
		thread_set_cgroup_ns(thread_now(m, n.pid, n.tid, t_ns),
				     n.links[CGROUP_NS_INDEX].dev, n.links[CGROUP_NS_INDEX].ino,
				     t_ns);
	return ret;
}

static int apply_cgroup(struct machine *m, const struct perf_event_header *rec, const char **reason)
{
	struct wire_cgroup c;
	int ret = wire_decode_cgroup(rec, &c, reason);

	if (ret < 0)
		return ret;
	hmap_put(&m->cgroups, c.id, (char *)intern_str(m->names, c.path));
	return 0;
}

int machine_apply(struct machine *m, const struct perf_event_header *rec, u64 t_ns,
		  const char **reason)
{
	int ret = 0;

	if (m->frozen)
		return 0;
	switch (rec->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		ret = apply_mmap(m, rec, t_ns, reason);
		break;
	case PERF_RECORD_COMM:
		ret = apply_comm(m, rec, t_ns, reason);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		ret = apply_task(m, rec, t_ns, reason);
		break;
	case PERF_RECORD_KSYMBOL:
		ret = apply_ksymbol(m, rec, t_ns, reason);
		break;
	case PERF_RECORD_NAMESPACES:
		ret = apply_namespaces(m, rec, t_ns, reason);
		break;
	case PERF_RECORD_CGROUP:
		ret = apply_cgroup(m, rec, reason);
		break;
	}
	if (ret < 0)
		m->stats.bad_records++;
	return ret;
}
