// SPDX-License-Identifier: GPL-2.0-or-later
// Fprobe events (Linux 6.5): entries and returns of kernel functions by the function tracer,
// cheaper than breakpoints, and there
// without CONFIG_KPROBES. They are written to dynamic_events as "f:GROUP/EVENT FUNCTION[%return]
// ARGS"; registers
// cannot be read, only the arguments of the function ($arg1...), so what DWARF tells of
// registers is put into these.
// Syntax: the kernel's Documentation/trace/fprobetrace.rst.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "util/base/xalloc.h"
#include "util/probe/probe.h"

/* Registers of the first arguments of a kernel function, as kprobe_events spells them. */
static const struct { const char *arch, *regs[9]; } arg_regs[] = {
	{ "x86_64", { "%di", "%si", "%dx", "%cx", "%r8", "%r9" } },
	{ "aarch64", { "%x0", "%x1", "%x2", "%x3", "%x4", "%x5", "%x6", "%x7" } },
};

/* The kernel's own short help lists what it was built with. */
bool probe_has_fprobe(const struct os *os)
{
	struct str s = STR_INIT;
	bool has = os->tracefs && !os_read_file(os, "tracing:README", &s, NULL) &&
		strstr(str_cstr(&s), "<func-name>[%return]");

	str_release(&s);
	return has;
}

bool probe_needs_fprobe(const struct os *os)
{
	char *path = os->tracefs ? os_path(os, "tracing:kprobe_events") : NULL;
	bool needs = path && access(path, F_OK) && errno == ENOENT && probe_has_fprobe(os);

	free(path);
	return needs;
}

/* Number of the argument that is in this register; 0: none. */
static int arg_of_reg(const char *arch, const char *reg)
{
	for (size_t a = 0; a < ARRAY_SIZE(arg_regs); a++)
		for (int k = 0; !strcmp(arg_regs[a].arch, arch) && arg_regs[a].regs[k]; k++)
			if (!strcmp(arg_regs[a].regs[k], reg))
				return k + 1;
	return 0;
}

static int check_args(const struct probe_def *d, const char *arch, struct err *err)
{
	for vec_each(f, &d->args) {
		struct str text = STR_INIT;

		if (f->base[0] != '%' || (!d->at.ret && arg_of_reg(arch, f->base)))
			continue;
		probe_def_text(d, &text);
		err_set(err, EINVAL, "event '%s:%s': %s cannot be read by an fprobe event, which "
				     "knows %s only", d->group, d->event,
			f->base, d->at.ret ? "$retval and $argN" : "the arguments of the function");
		err_hint(err, "leave out what is there (the kprobe definition is '%s')",
			 str_cstr(&text));
		str_release(&text);
		return -EINVAL;
	}
	return 0;
}

int probe_def_to_fprobe(struct probe_def *d, const char *arch, struct err *err)
{
	int ret;

	if (d->fprobe)
		return 0;
	if (!d->kernel)
		return err_set(err, EINVAL, "event '%s:%s': fprobe events are for functions of the "
					    "kernel; this is one of a program",
			       d->group, d->event);
	if (!d->at.symbol || d->at.off) {
		err_set(err, EINVAL, "event '%s:%s': '%s' is not an entry or return of a function "
				     "that one name stands for; fprobe events "
			"know no other places", d->group, d->event, d->where);
		err_hint(err, "a kprobe event can stand there, on a kernel with "
			      "CONFIG_KPROBE_EVENTS=y");
		return -EINVAL;
	}
	ret = check_args(d, arch, err);
	if (ret)
		return ret;
	for vec_each(f, &d->args) {
		char *arg = f->base[0] == '%' ? xasprintf("$arg%d", arg_of_reg(arch, f->base)) :
			NULL;

		if (arg) {
			free(f->base);
			f->base = arg;
		}
	}
	d->fprobe = true;
	return 0;
}
