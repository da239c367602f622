// SPDX-License-Identifier: GPL-2.0-or-later
// libdw's unwinder over the same memory: slower, and an oracle for ours. One Dwfl per address
// space version; modules are
// reported as frames fall into them.
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/unwind/unwind-priv.h"

struct one {			/* of one address space version */
	Dwfl *dwfl;
	struct unwinding *u;	/* being unwound now */
	bool attached, was_exact;
	enum unwind_end reason;
};

struct dw_state { struct hmap by_space; };

/* The file that the other engines use. libdwfl's own search would open whatever has the name, a
 * pipe, too, and wait. */
static int find_debuginfo(Dwfl_Module *mod UNUSED, void **userdata, const char *name UNUSED,
			  Dwarf_Addr base UNUSED, const char *file,
			  const char *link, GElf_Word crc, char **found)
{
	const char *debug = *userdata ? dso_debug_file(*userdata) : NULL;
	int fd;

	/* that asks for a file shared out by dwz: it has no tables */
	if (!debug || (file && !strcmp(debug, file)) || (link && !crc))
		return -1;
	fd = open(debug, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		*found = strdup(debug);
	return fd;
}

static const Dwfl_Callbacks file_callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static void *dw_init(struct unwind_ctx *c UNUSED)
{
	return xnew(struct dw_state);
}

static void dw_release(void *state)
{
	struct dw_state *st = state;

	for hmap_each(i, &st->by_space) {
		struct one *o = st->by_space.vals[i];

		dwfl_end(o->dwfl);
		free(o);
	}
	hmap_release(&st->by_space);
	free(st);
}

/* An image that is no file (the vdso), as an anonymous one. */
static int image_fd(struct dso *d)
{
	u8 buf[4096];
	u64 rva = 0;
	size_t n;
	int fd = memfd_create("image", MFD_CLOEXEC);

	while (fd >= 0 && rva < (1 << 20) && (n = dso_read(d, rva, buf, sizeof(buf))) > 0) {
		if (io_write(fd, buf, n))
			break;
		rva += n;
	}
	return fd;
}

static bool report(struct one *o, u64 va)
{
	struct unwinding *u = o->u;
	const struct mapping *map;
	void **userdata;

	if (dwfl_addrmodule(o->dwfl, va))
		return true;
	map = space_find(u->space, va, u->t_ns);
	if (!map || !map->dso || (map->dso->kind != DSO_FILE && map->dso->kind != DSO_VDSO))
		return false;
	const char *file = dso_file(map->dso);
	int fd = file ? -1 : image_fd(map->dso);

	if (!file && fd < 0)
		return false;
	dwfl_report_begin_add(o->dwfl);
	Dwfl_Module *mod = dwfl_report_elf(o->dwfl, map->dso->short_name, file ? file : "[vdso]",
					   fd,
					   va - mapping_rva(map, va), true);
	dwfl_report_end(o->dwfl, NULL, NULL);
	if (!mod && fd >= 0)
		close(fd);
	if (mod && dwfl_module_info(mod, &userdata, NULL, NULL, NULL, NULL, NULL, NULL))
		*userdata = map->dso;
	return mod != NULL;
}

static pid_t next_thread(Dwfl *dwfl UNUSED, void *arg, void **thread_arg)
{
	struct one *o = arg;

	if (*thread_arg)
		return 0;
	*thread_arg = arg;
	return o->u->sample->tid ? o->u->sample->tid : 1;
}

static bool get_thread(Dwfl *dwfl UNUSED, pid_t tid UNUSED, void *arg, void **thread_arg)
{
	*thread_arg = arg;
	return true;
}

static bool memory_read(Dwfl *dwfl UNUSED, Dwarf_Addr addr, Dwarf_Word *result, void *arg)
{
	struct one *o = arg;
	u64 v;

	o->reason = unwind_read(o->u, addr, &v);
	*result = v;
	return !o->reason;
}

static bool initial_registers(Dwfl_Thread *thread, void *arg)
{
	struct one *o = arg;
	const struct unwinding *u = o->u;
	Dwarf_Word regs[CFI_MAX_REGS];
	unsigned n = MIN(u->arch->n_dwarf_regs, CFI_RA_BEYOND);

	for (unsigned i = 0; i < n; i++)
		regs[i] = u->regs[i];
	if (!u->arch->calls.has_lr)
		regs[u->arch->dwarf_ra] = u->ip;
	else
		dwfl_thread_state_register_pc(thread, u->ip);
	return dwfl_thread_state_registers(thread, 0, n, regs);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = memory_read,
	.set_initial_registers = initial_registers,
};

/* What libdw 0.188 dies of: a division of the smallest number by -1, a read of no bytes. No
 * compiler writes either in unwind tables; an operand that looks like one ends the stack here, and
 * only here. */
static bool expr_is_harmless(struct span expr)
{
	for (size_t i = 0; i < expr.len; i++)
		if (expr.ptr[i] == DW_OP_div || expr.ptr[i] == DW_OP_mod || expr.ptr[i] ==
		    DW_OP_deref_size)
			return false;
	return true;
}

static bool rule_is_harmless(const struct unwinding *u, u64 va)
{
	const struct mapping *map = space_find(u->space, va, u->t_ns);
	struct cfi_rule rule;
	int ret = map && map->dso ? dso_cfi(map->dso, mapping_rva(map, va), &rule) : -ENOENT;

	if (ret)
		return ret == -ENOENT;	/* what is damaged can also be endless */
	if (rule.cfa_how == CFI_EXPR && !expr_is_harmless(dso_cfi_expr(map->dso, rule.cfa_expr)))
		return false;
	for (int i = 0; i < rule.n_regs; i++)
		if ((rule.regs[i].how == CFI_EXPR || rule.regs[i].how == CFI_VAL_EXPR) &&
		    !expr_is_harmless(dso_cfi_expr(map->dso, rule.regs[i].expr)))
			return false;
	return true;
}

static int frame(Dwfl_Frame *state, void *arg)
{
	struct one *o = arg;
	Dwarf_Addr pc;
	bool exact;

	if (!dwfl_frame_pc(state, &pc, NULL))
		return DWARF_CB_ABORT;
	report(o, pc);		/* a trampoline is exact, which its tables tell */
	report(o, pc - 1);
	/* to ask whether it is exact is to unwind */
	if (!rule_is_harmless(o->u, pc) || !rule_is_harmless(o->u, pc - 1)) {
		unwind_push(o->u, pc, false);
		o->reason = UNWIND_BAD_FRAME;
		return DWARF_CB_ABORT;
	}
	if (!dwfl_frame_pc(state, &pc, &exact))
		return DWARF_CB_ABORT;
	/* of a signal both the trampoline and what it interrupted are exact */
	if (exact && o->was_exact && o->u->n > 0)
		o->u->out[o->u->n - 1].signal = true;
	o->was_exact = exact;
	if (!pc || !unwind_push(o->u, pc, false)) {
		o->reason = pc ? UNWIND_MAX_FRAMES : UNWIND_COMPLETE;
		return DWARF_CB_ABORT;
	}
	o->reason = UNWIND_NO_CFI;		/* unless reading the next one says else */
	return DWARF_CB_OK;
}

static enum unwind_end dw_run(struct unwinding *u, void *state)
{
	struct dw_state *st = state;
	struct one *o = hmap_get(&st->by_space, hash_u64(u->space_key) | 1);

	if (!o) {
		o = xnew(struct one);
		o->dwfl = dwfl_begin(&file_callbacks);
		hmap_put(&st->by_space, hash_u64(u->space_key) | 1, o);
	}
	o->u = u;
	o->reason = UNWIND_COMPLETE;
	o->was_exact = false;
	if (!report(o, u->ip) && !o->attached) {
		unwind_push(u, u->ip, false);
		return UNWIND_NO_BINARY;
	}
	if (!o->attached) {
		/* by a file of its own: what libdwfl takes from a module is freed when a later
		 * one overlaps that */
		GElf_Addr bias;
		Dwfl_Module *mod = dwfl_addrmodule(o->dwfl, u->ip);
		Elf *elf = mod ? dwfl_module_getelf(mod, &bias) : NULL;

		if (!elf || !dwfl_attach_state(o->dwfl, elf, u->sample->pid ? u->sample->pid : 1,
					       &thread_callbacks, o)) {
			unwind_push(u, u->ip, false);
			return UNWIND_NO_BINARY;
		}
		o->attached = true;
	}
	int ret = dwfl_getthread_frames(o->dwfl, u->sample->tid ? u->sample->tid : 1, frame, o);

	return ret == 0 ? UNWIND_COMPLETE : o->reason;
}

const struct engine engine_libdw = { .name = "libdw", .init = dw_init, .release = dw_release,
				     .run = dw_run };
