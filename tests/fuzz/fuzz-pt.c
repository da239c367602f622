// SPDX-License-Identifier: GPL-2.0-or-later
/* Traces of Intel PT: the first byte says how it is decoded and how much of the rest is the code,
 * at address 0, that packets lead to. */
#include <errno.h>
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/itrace/opts.h"
#include "util/itrace/pt.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

struct code { const u8 *p; size_t n; struct pt_insn insn; u64 n_events; };

static int insn_at(void *ctx, u64 ip, unsigned bits, const struct pt_insn **out)
{
	struct code *c = ctx;

	ip &= 0xff;
	if (ip >= c->n || !pt_insn_get(c->p + ip, c->n - ip, bits, &c->insn))
		return ip & 1 ? -ENOENT : -ENODATA;
	if (!c->insn.bytes)
		abort();
	*out = &c->insn;
	return 0;
}

static void at(void *code UNUSED, u64 tsc UNUSED)
{
}

/* Loops that the trace does not show are limited by max_jumps, each. */
static int take(void *ctx, const struct pt_event *e)
{
	struct code *c = ctx;

	if (e->what == PT_IS_ERROR && !pt_error_text((int)e->v)[0])
		abort();
	return ++c->n_events > 100000 ? -ECANCELED : 0;
}

static void parse_opts(const u8 *data, size_t n)
{
	char *text = xstrndup((const char *)data, n);
	struct itrace_opts o;
	struct err err = ERR_INIT;

	if (!itrace_opts_parse(&o, text, data[0] & 1, &err) && !o.period)
		abort();
	err_release(&err);
	free(text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	struct pt_setup setup = { .ctc_num = 2, .ctc_den = 1, .mtc_shift = 3, .max_ratio = 20,
				  .max_jumps = 100 };
	struct code code = { 0 };
	const struct pt_env env = { insn_at, at, take, &code, &code, NULL, NULL };
	struct pt_decoder *d;

	if (n < 2)
		return 0;
	parse_opts(data, n);
	setup.every_insn = data[0] & 1;
	setup.quick = data[0] & 2;
	code.n = MIN((size_t)data[0] & 0xfc, n - 1);
	code.p = data + 1;
	d = pt_decoder_new(&setup, &env);
	pt_decode(d, code.p + code.n, n - 1 - code.n, 0);
	pt_decoder_free(d);
	return 0;
}
