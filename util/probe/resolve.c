// SPDX-License-Identifier: GPL-2.0-or-later
// From a specification to addresses: by DWARF when there is some (inlined copies, lines,
// variables), else by symbols.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/elf/demangle.h"
#include "util/probe/places-priv.h"
#include "util/symbols/dso.h"

/* --- functions by name */

static bool by_address(struct job *j, u64 addr)
{
	struct punit *u = pobj_unit_at(j->p, addr);
	die_vec scopes = { 0 };
	bool ok = false;

	if (u)
		unit_scopes(u, addr, &scopes);
	if (scopes.n) {
		struct pinst i = { .die = *vec_last(&scopes), .fn = *vec_last(&scopes), .unit = u };

		if (die_entry(&i.die, &i.entry)) {
			if (i.entry != addr)
				i.entry = addr;
			vec_push(&j->insts, i);
			ok = true;
		}
	}
	vec_free(&scopes);
	return ok;
}

/* "name" is the last component of "a::b::name<T>", "pkg.(*T).name". */
static bool ends_in(const char *plain, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = plain; (at = strstr(at, name)); at++) {
		char before = at > plain ? at[-1] : 0, after = at[n];

		if ((before == ':' || before == '.') &&
		    (!after || after == '<' || after == '(' || after == '[' ||
		    (after == ':' && at[n + 1] == ':' && (at[n + 2] == 'h' || at[n + 2] == '<'))))
			return true;
	}
	return false;
}

typedef VEC(const struct psym *) sym_vec;

static bool versioned(const char *sym, const char *name, const char *at)
{
	size_t n = strlen(name);

	return !strncmp(sym, name, n) && str_has_prefix(sym + n, at);
}

static void symbols_named(struct job *j, const char *name, bool glob, sym_vec *out)
{
	struct probe_obj *p = j->p;

	pobj_symbols(p, NULL);
	for (int pass = 0; pass < 4 && !out->n; pass++)
		for vec_each(s, &p->names.all) {
			bool ok;

			if (s->data || str_has_suffix(s->name, "@plt"))
				continue;
			if (pass == 0)
				ok = glob ? glob_match(s->name, name) : !strcmp(s->name, name) ||
				versioned(s->name, name, "@@");
			else if (pass == 1)
				ok = !glob && versioned(s->name, name, "@");
			else if (pass == 2)
				ok = glob ? glob_match(psym_plain(p, s), name) :
				!strcmp(psym_plain(p, s), name);
			else
				ok = !glob && strstr(s->name, name) &&
				ends_in(psym_plain(p, s), name);
			if (ok && (!out->n || (*vec_last(out))->addr != s->addr))
				vec_push(out, s);
		}
}

static char *unescape(const char *s)
{
	struct str t = STR_INIT;

	for (; *s; s++)
		if (*s != '\\')
			str_addch(&t, *s);
	return str_detach(&t);
}

/* Go writes stars into names: a name that is there as it stands is no pattern. */
static char *plain_name(struct job *j, bool *glob)
{
	char *bare = unescape(j->s->func);

	*glob = is_glob(j->s->func) && !pobj_symbol(j->p, bare);
	if (*glob) {
		free(bare);
		return xstrdup(j->s->func);
	}
	return bare;
}

static bool is_start_file_symbol(const char *s)
{
	static const char *const skip[] = { "_start", "_init", "_fini", "deregister_tm_clones",
					    "register_tm_clones", "frame_dummy",
					    "__do_global_dtors_aux", "_dl_relocate_static_pie" };

	for (size_t i = 0; i < ARRAY_SIZE(skip); i++)
		if (!strcmp(s, skip[i]))
			return true;
	return false;
}

static int no_such_function(struct job *j, const char *name)
{
	err_set(j->err, ENOENT, "probe point '%s' not found: no function '%s' in %s%s%s",
		j->s->point, name,
		pobj_name(j->p), j->s->file ? " from file " : "", j->s->file ? j->s->file : "");
	hint_nearest(j->p, name, j->err);
	return -ENOENT;
}

/* --- definitions */

static char *event_text(struct job *j, const char *name)
{
	const struct probe_spec *s = j->s;
	char *plain = NULL, *base, *out;

	if (name[0] == '_' && !j->p->opts->no_demangle)
		plain = demangle(name);
	base = probe_event_name(plain ? plain : name);
	/* found by its line: nobody asked for a shorter name */
	if (!s->func && !plain && name[0] == '_') {
		out = xasprintf("%.*s%s", (int)strspn(name, "_"), name, base);
		free(base);
		base = out;
	}
	free(plain);
	out = s->ret ? xasprintf("%s__return", base) : s->func && s->has_line && s->line ?
		xasprintf("%s_L%u", base, s->line) :
		       xstrdup(base);
	free(base);
	return out;
}

static const char *function_at(struct job *j, u64 addr)
{
	const struct psym *s = pobj_symbol_at(j->p, addr);

	return s ? psym_plain(j->p, s) : "line";
}

/* Names mean what they mean in the function that was asked for, also where other functions are
 * inlined at the same address: its own scopes come first. The last one stays the subprogram. */
static void scopes_of(struct place *pl, die_vec *out)
{
	die_vec all = { 0 };
	size_t k = 0, inner = 0;

	if (pl->inst && !pl->inst->inlined)
		die_scopes(&pl->inst->die, pl->addr, &all);
	else
		unit_scopes(pl->unit, pl->addr, &all);
	while (pl->inst && k < all.n && dwarf_dieoffset(&all.v[k]) !=
	       dwarf_dieoffset(&pl->inst->die))
		k++;
	if (!pl->inst || k == all.n) {
		/* the entry of an inlined copy may stand before the ranges of its block */
		if (pl->inst && pl->inst->inlined)
			vec_push(out, pl->inst->die);
		for vec_each(d, &all)
			vec_push(out, *d);
		vec_free(&all);
		return;
	}
	for (size_t i = 0; i < k; i++)
		if (dwarf_tag(&all.v[i]) == DW_TAG_inlined_subroutine)
			inner = i + 1;
	for (size_t i = inner; i <= k; i++)
		vec_push(out, all.v[i]);
	for (size_t i = 0; i < inner; i++)
		vec_push(out, all.v[i]);
	for (size_t i = k + 1; i < all.n; i++)
		vec_push(out, all.v[i]);
	if (inner && k + 1 == all.n)
		vec_push(out, all.v[k]);
	vec_free(&all);
}

static int define_place(struct job *j, struct place *pl, bool lenient, bool *arg_failed)
{
	struct pctx c = { .obj = j->p, .unit = pl->unit, .addr = pl->addr, .notes = lenient ? NULL :
			  j->notes };
	probe_fetches args = { 0 };
	bool glob = j->s->func && is_glob(j->s->func) && !pobj_symbol(j->p, j->s->func);
	const char *name = j->s->func && !glob ? j->s->func : pl->name ? pl->name :
		function_at(j, pl->addr);
	char *event;
	int ret = 0, ok = 0;

	if (args_need_dwarf(j->s) && !j->s->ret)
		scopes_of(pl, &c.scopes);
	ret = compile_args(&c, j->s, lenient, &args, &ok, j->err);
	j->n_args += ok;
	if (ret)
		*arg_failed = true;
	if (!ret) {
		event = event_text(j, name);
		add_def(j->p, j->s, j->index, &(struct def_place){ .addr = pl->addr, .event = event,
								   .func = pl->name },
			&args, j->out);
		if (pl->inst && !pl->unit->split && vec_last(j->out)->addr == pl->addr)
			vec_last(j->out)->inst = dwarf_dieoffset(&pl->inst->die);
		free(event);
	}
	fetches_release(&args);
	vec_free(&c.scopes);
	return ret;
}

static int check_max(struct job *j)
{
	size_t max = j->p->opts->max_probes > 0 ? (size_t)j->p->opts->max_probes : 128;
	bool glob = j->s->func && is_glob(j->s->func);

	if (j->places.n <= max || (glob && j->p->opts->max_probes <= 0))
		return 0;
	err_set(j->err, E2BIG, "'%s' is at %zu places, more than %zu", j->s->point, j->places.n,
		max);
	err_hint(j->err, "--max-probes=%zu allows them (each one costs about a microsecond or more "
			 "when it is hit)", j->places.n);
	return -E2BIG;
}

static int define_all(struct job *j)
{
	bool glob = j->s->func && is_glob(j->s->func), several = j->places.n > 1 && !glob,
		failed = false;
	size_t left_out = 0;
	struct err first = ERR_INIT, *save = j->err;
	size_t before = j->out->n;
	int ret = check_max(j);

	if (ret)
		return ret;
	/* with several places, those that can give all arguments decide; the rest gets marks */
	if (several && args_need_dwarf(j->s)) {
		size_t good = 0;

		for vec_each(pl, &j->places) {
			probe_defs try = { 0 };
			probe_defs *out = j->out;
			struct err e = ERR_INIT;

			j->out = &try;
			j->err = &e;
			good += !define_place(j, pl, false, &failed);
			if (e.code && !first.code) {
				first = e;
				e = (struct err)ERR_INIT;
			}
			err_release(&e);
			probe_defs_release(&try);
			j->out = out;
		}
		j->err = save;
		if (!good && first.code != ENOENT) {
			return hand_error(save, &first);
		}
	}
	j->n_args = 0;
	for vec_each(pl, &j->places) {
		struct err e = ERR_INIT;

		if (!glob) {
			ret = define_place(j, pl, several, &failed);
			if (ret)
				break;
			continue;
		}
		/* of many functions, those that have such variables */
		j->err = &e;
		ret = define_place(j, pl, false, &failed);
		j->err = save;
		left_out += ret == -ENOENT;
		if (ret == -ENOENT && !first.code)
			first = e;
		else if (ret != -ENOENT && ret)
			hand_error(save, &e);
		else
			err_release(&e);
		if (ret && ret != -ENOENT)
			break;
		ret = 0;
	}
	if (left_out && j->out->n > before)
		add_note(j->notes, "%zu function%s without what the arguments name %s left out",
			 left_out, left_out > 1 ? "s" : "",
			 left_out > 1 ? "are" : "is");
	/* marks at all places would be an event that never tells anything */
	if (!ret && several && !j->n_args && first.code)
		defs_cut(j->out, before);
	if (!ret && j->out->n == before && first.code)
		return hand_error(save, &first);
	err_release(&first);
	return ret;
}

static int by_symbols(struct job *j, const char *name, bool glob)
{
	sym_vec syms = { 0 };
	probe_fetches args = { 0 };
	int ret = 0;

	symbols_named(j, name, glob, &syms);
	for (size_t k = 0; k < syms.n && !ret; k++) {
		const struct psym *s = syms.v[k];
		char *event;

		if (glob && (is_start_file_symbol(s->name) || s->size == 0))
			continue;
		if (j->s->off && s->size && j->s->off >= s->size) {
			ret = offset_error(j->s, s->name, s->size, j->err);
			break;
		}
		fetches_release(&args);
		ret = raw_args(j->s, &args, j->err);
		event = event_text(j, glob ? psym_plain(j->p, s) : name);
		if (!ret && s->indirect)
			add_note(j->notes, "'%s' is an indirect function: the probe is on its "
					   "resolver, which runs once; "
				 "probe the variant that it chooses (perf probe -F -x %s --filter "
				 "'*%s*')", s->name, j->p->path, name);
		if (!ret)
			add_def(j->p, j->s, j->index, &(struct def_place){ .addr =
									   s->addr + j->s->off,
									   .event = event, .func =
									   s->name },
				&args, j->out);
		free(event);
	}
	if (!ret && !syms.n)
		ret = no_such_function(j, name);
	vec_free(&syms);
	fetches_release(&args);
	return ret;
}

/* Functions that DWARF calls otherwise (aliases, Go's and Rust's short names): by the address of
 * their symbol. */
static void insts_by_symbols(struct job *j, const char *name, bool glob)
{
	sym_vec syms = { 0 };

	symbols_named(j, name, glob, &syms);
	for vec_each(s, &syms)
		by_address(j, (*s)->addr);
	vec_free(&syms);
}

static bool is_part(struct probe_obj *p, const struct pinst *i)
{
	const struct psym *s = pobj_symbol_at(p, i->entry);

	return s && strstr(s->name, ".part.");
}

/* Returns of whole functions only. A part that was split off returns where the whole one does:
 * each call would count twice. */
static void drop_return_copies(struct job *j, const char *name)
{
	bool whole = false;
	size_t n = 0, before = j->insts.n;

	for vec_each(i, &j->insts)
		whole = whole || (!i->inlined && !is_part(j->p, i));
	for vec_each(i, &j->insts)
		if (!i->inlined && !(whole && is_part(j->p, i)))
			j->insts.v[n++] = *i;
	if (!n)
		return;
	j->insts.n = n;
	if (n < before)
		add_note(j->notes, "'%s' is inlined at %zu more place%s, which have no return to "
				   "probe: calls there are not seen", name,
			 before - n, before - n > 1 ? "s" : "");
}

/* There is debug information, but not of this function. */
static int no_unit(struct job *j, const char *name)
{
	char *part = pobj_missing_part(j->p);

	if (!part && j->s->file) {
		pinst_vec all = { 0 };
		const char *file;
		int line;

		pobj_find_funcs(j->p, name, NULL, false, &all);
		if (all.n && inst_decl(&all.v[0], &file, &line)) {
			err_set(j->err, ENOENT, "'%s' is not in '%s'", name, j->s->file);
			err_hint(j->err, "it is in '%s'", file);
			vec_free(&all);
			return -ENOENT;
		}
		vec_free(&all);
	}
	if (!part)
		return err_set(j->err, ENOENT, "'%s' comes from a source that was built without "
					       "debug information", name);
	err_set(j->err, ENOENT, "debug information of '%s' stands in '%s', which is missing", name,
		part);
	if (str_has_suffix(part, ".dwo"))
		err_hint(j->err, "put the file back there, or the package of all of them beside "
				 "the program as '%s.dwp', or build "
			 "without -gsplit-dwarf", j->p->file ? j->p->file : pobj_name(j->p));
	else
		err_hint(j->err, "put the file back there, or build without -gsplit-dwarf");
	free(part);
	return -ENOENT;
}

static int by_dwarf(struct job *j, const char *name, bool glob)
{
	bool need = args_need_dwarf(j->s) || (j->s->has_line && j->s->line) || j->s->pattern ||
		j->s->file;
	struct err last = ERR_INIT;
	int ret = pobj_dwarf(j->p, need ? j->err : NULL);

	if (ret && need)
		for vec_each(a, &j->s->args)
			if (hint_function(j->p, a->expr, j->err))
				break;
	if (ret)
		return need ? ret : by_symbols(j, name, glob);
	pobj_find_funcs(j->p, name, j->s->file, glob, &j->insts);
	if (!j->insts.n && !j->s->file)
		insts_by_symbols(j, name, glob);
	if (!j->insts.n)
		return need && pobj_symbol(j->p, name) ? no_unit(j, name) :
			by_symbols(j, name, glob);
	if (j->s->ret)
		drop_return_copies(j, name);
	for (int pass = 0; pass < 2 && !j->places.n; pass++) {
		if (pass && !j->n_shared)
			break;
		j->take_shared = pass;
		for vec_each(i, &j->insts) {
			struct err e = ERR_INIT;

			if (places_of_inst(j, i)) {
				err_release(&last);
				last = e;
			}
		}
	}
	if (!j->places.n) {
		if (last.code && j->err) {
			err_release(j->err);
			*j->err = last;
			return -last.code;
		}
		err_release(&last);
		return j->err && j->err->code ? -j->err->code : no_places(j);
	}
	err_release(&last);
	if (j->err)
		err_release(j->err);
	return define_all(j);
}

int find_insts(struct probe_obj *p, const struct probe_spec *s, pinst_vec *out, struct err *err)
{
	struct job j = { .p = p, .s = s, .err = err };
	bool glob;
	char *name = plain_name(&j, &glob);
	int ret = 0;

	pobj_find_funcs(p, name, s->file, glob, &j.insts);
	if (!j.insts.n && !s->file)
		insts_by_symbols(&j, name, glob);
	if (!j.insts.n)
		ret = no_such_function(&j, name);
	*out = j.insts;
	free(name);
	return ret;
}

static int by_addr(struct job *j)
{
	struct place pl = { .addr = j->s->addr };
	char name[40];
	probe_fetches args = { 0 };
	bool failed;
	int ret;

	if (!j->p->kernel && !j->p->opts->force && !pobj_is_code(j->p, j->s->addr)) {
		err_set(j->err, EINVAL, "the address 0x%llx is not in the code of %s",
			(unsigned long long)j->s->addr, pobj_name(j->p));
		err_hint(j->err, "addresses are those of the file ('nm %s' shows them), not of a "
				 "running process", pobj_name(j->p));
		return -EINVAL;
	}
	snprintf(name, sizeof(name), "abs_%llx", (unsigned long long)j->s->addr);
	if (!args_need_dwarf(j->s)) {
		ret = raw_args(j->s, &args, j->err);
		if (!ret)
			add_def(j->p, j->s, j->index, &(struct def_place){ .addr = j->s->addr,
									   .event = name }, &args,
									   j->out);
		fetches_release(&args);
		return ret;
	}
	ret = pobj_dwarf(j->p, j->err);
	if (ret)
		return ret;
	pl.unit = pobj_unit_at(j->p, j->s->addr);
	pl.name = name;
	if (!pl.unit)
		return err_set(j->err, ENOENT, "no debug information covers the address 0x%llx",
			       (unsigned long long)j->s->addr);
	return define_place(j, &pl, false, &failed);
}

static void tell(struct job *j)
{
	if (j->skipped_prologue)
		add_note(j->notes, "nothing says that '%s' was compiled with optimization: the "
				   "probe stands after its prologue, where the "
			 "arguments are in place (without arguments it stands at the entry)",
			 j->s->point);
	if (j->take_shared && j->places.n)
		add_note(j->notes, "'%s' has no code of its own: the probe stands where line %u of "
				   "%s begins as well", j->s->point,
			 j->shared_with, j->shared_file ? j->shared_file : "its file");
	else if (j->n_shared && j->places.n)
		add_note(j->notes, "%zu more place%s of '%s' share%s the address with line %u and "
				   "%s left out", j->n_shared,
			 j->n_shared > 1 ? "s" : "", j->s->point, j->n_shared > 1 ? "" : "s",
			 j->shared_with,
			 j->n_shared > 1 ? "are" : "is");
}

static bool is_go(struct elf *e)
{
	return elf_find(e, ".gopclntab") || elf_find(e, ".data.rel.ro.gopclntab");
}

/* What must not be probed is an error; of a glob the other functions remain. */
static int drop_forbidden(struct job *j, size_t before, bool glob)
{
	names_vec names = { 0 };
	size_t n = before;
	int ret = 0;

	for (size_t k = before; k < j->out->n && !ret; k++) {
		struct probe_def d = j->out->v[k];
		const struct psym *sym = pobj_symbol_at(j->p, d.addr);
		bool others = glob && (n > before || k + 1 < j->out->n);

		d.of_glob = glob;
		ret = kernel_check(j->p, sym ? sym->name : NULL, d.addr, others ? NULL : j->err);
		if (!ret) {
			j->out->v[k] = j->out->v[n];
			j->out->v[n++] = d;
		} else if (others) {
			vec_push(&names, (char *)(sym ? sym->name : "?"));
			ret = 0;
		}
	}
	if (!ret)
		defs_cut(j->out, n);
	note_left_out(j->notes, &names, "needed by the kernel to handle probes");
	vec_free(&names);
	return ret;
}

static int resolve(struct probe_obj *p, const struct probe_spec *s, int index, probe_defs *out,
		   probe_notes *notes, struct err *err)
{
	struct job j = { .p = p, .s = s, .index = index, .out = out, .notes = notes, .err = err };
	size_t before = out->n;
	char *name = NULL;
	bool glob = false;
	int ret;

	if (s->sdt)
		return resolve_sdt(p, s, index, out, notes, err);
	if (s->ret && !p->kernel && !p->opts->force && is_go(&p->elf)) {
		err_set(err, EPERM, "'%s' is a Go program: a return probe puts an address of the "
				    "kernel's on a stack that the Go "
			"runtime walks and moves, and the program dies of it", pobj_name(p));
		err_hint(err, "probe the lines with 'return' (-L %s shows them), or use -f where "
			      "the stack cannot grow", s->func);
		return -EPERM;
	}
	if (s->has_addr) {
		ret = by_addr(&j);
	} else if (!s->func) {
		ret = places_of_file(&j);
		ret = ret ? ret : define_all(&j);
	} else {
		name = plain_name(&j, &glob);
		ret = by_dwarf(&j, name, glob);
	}
	if (!ret && p->kernel)
		ret = drop_forbidden(&j, before, glob);
	if (!ret && out->n == before)
		ret = err_set(err, ENOENT, "probe point '%s' not found", s->point);
	if (!ret)
		tell(&j);
	free(name);
	vec_free(&j.insts);
	vec_free(&j.places);
	return ret;
}

int probe_resolve(struct probe_obj *p, const struct probe_spec *s, int index, probe_defs *out,
		  probe_notes *notes, struct err *err)
{
	size_t before = out->n;
	int ret = resolve(p, s, index, out, notes, err);

	for (size_t i = before; i < out->n && !ret; i++)
		ret = def_check_place(p, &out->v[i], err);
	return ret;
}
