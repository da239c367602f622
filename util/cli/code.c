// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/code.h"

static int set_percent_type(const struct opt_use *u, struct err *err)
{
	struct code_opts *o = u->base;

	o->percent = ANNOTATE_LOCAL_PERIOD;
	return u->unset ? 0 : annotate_percent_parse(u->arg, &o->percent, err);
}

/* hide_src_code */
static int set_hide_source(const struct opt_use *u, struct err *err UNUSED)
{
	((struct code_opts *)u->base)->source = u->unset;
	return 0;
}

/* jump_arrows */
static int set_jump_arrows(const struct opt_use *u, struct err *err UNUSED)
{
	((struct code_opts *)u->base)->no_arrows = u->unset;
	return 0;
}

/* use_offset: of addresses, what is left from the beginning of the function */
static int set_use_offset(const struct opt_use *u, struct err *err UNUSED)
{
	((struct code_opts *)u->base)->plain = u->unset;
	return 0;
}

#define C struct code_opts
static const struct option_def code_options[] = {
	OPT_CALL_NO(0, "percent-type", "local-period", set_percent_type,
		    "what 100% of a listing is, and of what: local-period, local-hits, "
		    "global-period or global-hits"),
	OPT_FLAG(0, "source", C, source,
		 "show lines of source between instructions (default; --no-source disables)"),
	OPT_STRING(0, "prefix", C, prefix, "prefix",
		   "look for source files below this directory"),
	OPT_UINT(0, "prefix-strip", C, prefix_strip, "N",
		 "with --prefix: drop the first N directories of their paths"),
	OPT_FLAG(0, "asm-raw", C, raw, "show the bytes of instructions"),
	OPT_STRING('M', "disassembler-style", C, style, "style",
		   "the syntax of x86 instructions: att or intel"),
	OPT_STRING(0, "objdump", C, objdump, "path",
		   "disassemble by this objdump (default: in process)"),
	OPT_SETTING("annotate.hide-src-code", NULL, set_hide_source),
	OPT_SETTING("annotate.jump-arrows", NULL, set_jump_arrows),
	OPT_SETTING("annotate.use-offset", NULL, set_use_offset),
	OPT_SETTING_FIELD("annotate.show-linenr", OPT_KIND_FLAG, C, line_numbers, NULL),
	OPT_SETTING_FIELD("annotate.show-nr-jumps", OPT_KIND_FLAG, C, jumps, NULL),
	OPT_END
};
#undef C

struct option_table cli_code_group(struct code_opts *o)
{
	return (struct option_table){ code_options, o };
}
