// SPDX-License-Identifier: GPL-2.0-or-later
// libunwind over the same memory, for comparison. It knows the host's instruction set only, and
// needs .eh_frame_hdr.
#include <libunwind.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/unwind/unwind-priv.h"

extern int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t as, unw_word_t ip,
					      unw_dyn_info_t *di, unw_proc_info_t *pi,
					      int need_unwind_info, void *arg);

/* What it asks for to begin with. On arm64 UNW_REG_IP is the link register, which a leaf's caller
 * is found by. */
#ifdef __aarch64__
#define PC_REG UNW_AARCH64_PC
#else
#define PC_REG UNW_REG_IP
#endif

#define MAX_READS 100000u	/* that one step may need */

struct lu_state {
	unw_addr_space_t as;
	u64 space_key;		/* that the address space's cache is of */
	struct unwinding *u;
	struct dso *dso;	/* whose tables are being read, and where it lies */
	u64 bias;
	bool missing;		/* no table for the last address */
	unsigned n_reads;	/* in this step */
	enum unwind_end reason;
};

static int find_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi, int need,
			  void *arg)
{
	struct lu_state *st = arg;
	const struct mapping *map = unwind_code(st->u, ip);
	unw_dyn_info_t di = { .format = UNW_INFO_FORMAT_REMOTE_TABLE };
	u64 hdr;
	u8 h[12];
	u32 n;

	st->missing = true;
	if (!map || (map->dso->kind != DSO_FILE && map->dso->kind != DSO_VDSO))
		return -UNW_ENOINFO;
	st->dso = map->dso;
	st->bias = ip - mapping_rva(map, ip);
	/* the usual encodings: pc-relative pointer to .eh_frame, count of 4 bytes, sorted table
	 * of 4-byte pairs */
	if (!dso_eh_frame_hdr(map->dso, &hdr) || dso_read(map->dso, hdr, h, sizeof(h)) !=
	    sizeof(h) || h[0] != 1 || h[2] != 3 ||
	    h[3] != 0x3b) {
		st->reason = UNWIND_NO_CFI;
		return -UNW_ENOINFO;
	}
	memcpy(&n, h + 8, sizeof(n));
	st->missing = false;
	di.start_ip = map->start_va;
	di.end_ip = map->end_va;
	di.u.rti.segbase = hdr + st->bias;
	di.u.rti.table_data = hdr + st->bias + sizeof(h);
	di.u.rti.table_len = (unw_word_t)n * 8 / sizeof(unw_word_t);
	return UNW_OBJ(dwarf_search_unwind_table)(as, ip, &di, pi, need, arg);
}

static void put_unwind_info(unw_addr_space_t as UNUSED, unw_proc_info_t *pi UNUSED,
			    void *arg UNUSED)
{
}

static int get_dyn_info_list_addr(unw_addr_space_t as UNUSED, unw_word_t *addr UNUSED,
				  void *arg UNUSED)
{
	return -UNW_ENOINFO;
}

static int access_mem(unw_addr_space_t as UNUSED, unw_word_t addr, unw_word_t *val, int write,
		      void *arg)
{
	struct lu_state *st = arg;
	struct unwinding *u = st->u;
	u64 v;

	/* its evaluation of expressions follows jumps for ever, but reads each operation anew */
	if (write || ++st->n_reads > MAX_READS)
		return -UNW_EINVAL;
	if (addr >= u->stack_va && addr < u->stack_end_va + (1 << 20)) {
		enum unwind_end reason = unwind_read(u, addr, &v);

		if (reason) {
			st->reason = reason;
			return -UNW_EINVAL;
		}
		*val = v;
		return 0;
	}
	/* tables, of which the recording maps only the code beside them */
	*val = 0;
	return st->dso && dso_read(st->dso, addr - st->bias, val, sizeof(*val)) ? 0 : -UNW_EINVAL;
}

static int access_reg(unw_addr_space_t as UNUSED, unw_regnum_t reg, unw_word_t *val, int write,
		      void *arg)
{
	const struct unwinding *u = ((struct lu_state *)arg)->u;

	if (write || reg < 0 || reg >= CFI_MAX_REGS)
		return -UNW_EREADONLYREG;
	*val = reg == PC_REG ? u->ip : u->regs[reg];	/* its numbers are DWARF's */
	return 0;
}

static int access_fpreg(unw_addr_space_t as UNUSED, unw_regnum_t reg UNUSED,
			unw_fpreg_t *val UNUSED, int write UNUSED,
			void *arg UNUSED)
{
	return -UNW_EBADREG;
}

static int resume(unw_addr_space_t as UNUSED, unw_cursor_t *c UNUSED, void *arg UNUSED)
{
	return -UNW_EINVAL;
}

static int get_proc_name(unw_addr_space_t as UNUSED, unw_word_t ip UNUSED, char *name UNUSED,
			 size_t n UNUSED,
			 unw_word_t *off UNUSED, void *arg UNUSED)
{
	return -UNW_EINVAL;
}

static void *lu_init(struct unwind_ctx *c UNUSED)
{
	unw_accessors_t acc = {
		.find_proc_info = find_proc_info,
		.put_unwind_info = put_unwind_info,
		.get_dyn_info_list_addr = get_dyn_info_list_addr,
		.access_mem = access_mem,
		.access_reg = access_reg,
		.access_fpreg = access_fpreg,
		.resume = resume,
		.get_proc_name = get_proc_name,
	};
	struct lu_state *st = xnew(struct lu_state);

	st->as = unw_create_addr_space(&acc, 0);
	if (st->as)
		unw_set_caching_policy(st->as, UNW_CACHE_GLOBAL);
	return st;
}

static void lu_release(void *state)
{
	struct lu_state *st = state;

	if (st->as)
		unw_destroy_addr_space(st->as);
	free(st);
}

/* Where the tables of ip lie, for what is read of them from libunwind's cache; is it a signal's
 * trampoline? Its own answer to that comes only with the step. */
static bool enter_frame(struct lu_state *st, u64 ip)
{
	const struct mapping *map = unwind_code(st->u, ip);
	struct cfi_rule rule;

	st->missing = false;
	if (!map || (map->dso->kind != DSO_FILE && map->dso->kind != DSO_VDSO))
		return false;
	st->dso = map->dso;
	st->bias = ip - mapping_rva(map, ip);
	return !dso_cfi(map->dso, mapping_rva(map, ip), &rule) && rule.signal_frame;
}

static enum unwind_end lu_run(struct unwinding *u, void *state)
{
	struct lu_state *st = state;
	unw_cursor_t c;
	unw_word_t ip;
	int ret;

	if (!st->as || u->arch->elf_machine != arch_host()->elf_machine ||
	    u->arch->addr_bytes != sizeof(unw_word_t))
		return UNWIND_NO_CFI;
	if (st->space_key != u->space_key)
		unw_flush_cache(st->as, 0, 0);
	st->space_key = u->space_key;
	st->u = u;
	st->dso = NULL;
	st->reason = UNWIND_NO_CFI;
	if (unw_init_remote(&c, st->as, st))
		return UNWIND_NO_CFI;
	do {
		if (unw_get_reg(&c, UNW_REG_IP, &ip) || !ip)
			return ip ? UNWIND_BAD_FRAME : UNWIND_COMPLETE;
		if (u->n && !space_find(u->space, ip - 1, u->t_ns))
			return UNWIND_BAD_FRAME;
		if (!unwind_push(u, ip, enter_frame(st, ip)))
			return UNWIND_MAX_FRAMES;
		st->n_reads = 0;
		ret = unw_step(&c);
	} while (ret > 0);
	return ret == 0 && !st->missing ? UNWIND_COMPLETE : st->reason;
}

const struct engine engine_libunwind =
	{ .name = "libunwind", .init = lu_init, .release = lu_release, .run = lu_run };
