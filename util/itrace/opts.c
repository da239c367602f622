// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/itrace/opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PERIOD_NS = 100000, CHAIN = 16, LAST = 64, MAX_CHAIN = 1024 };

static void set_all(struct itrace_opts *o)
{
	o->period = PERIOD_NS;
	o->unit = ITRACE_NS;
	o->chain_max = CHAIN;
	o->last_max = LAST;
}

void itrace_opts_default(struct itrace_opts *o, bool report)
{
	set_all(o);
	o->transactions = o->ptwrites = o->power = o->errors = o->extra.interrupts = true;
	o->access = (struct itrace_accesses){ true, true, true, true, true };
	o->all = true;
	o->insns = o->cycles = o->chain = o->extra.chain_all = report;
	o->calls = !report;
}

/* Of histograms also the branches, and no chains. */
static void set_bare(struct itrace_opts *o, bool report)
{
	itrace_opts_default(o, report);
	o->branches = report;
	o->chain = o->extra.chain_all = false;
}

static u64 number(const char **p)
{
	char *end;
	u64 v = strtoull(*p, &end, 10);

	*p = end;
	return v;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "100us" behind i or y */
static int take_period(struct itrace_opts *o, const char **p, struct err *err)
{
	static const struct { const char *name; enum itrace_unit unit; u64 times; } units[] = {
		{ "ns", ITRACE_NS, 1 }, { "us", ITRACE_NS, 1000 }, { "ms", ITRACE_NS, 1000000 },
		{ "i", ITRACE_INSNS, 1 }, { "t", ITRACE_TICKS, 1 },
	};

	while (**p == ' ' || **p == ',')
		(*p)++;
	if (!is_digit(**p))
		return 0;
	o->period = number(p);
	o->unit = ITRACE_NS;
	o->unit_typed = true;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		const size_t n = strlen(units[i].name);

		if (strncmp(*p, units[i].name, n))
			continue;
		*p += n;
		o->unit = units[i].unit;
		if (__builtin_mul_overflow(o->period, units[i].times, &o->period))
			return err_set(err, EINVAL, "--itrace: the period is too long");
		return 0;
	}
	return 0;
}

static int take_size(unsigned *out, const char **p, struct err *err)
{
	u64 v;

	if (!is_digit(**p))
		return 0;
	v = number(p);
	if (!v || v > MAX_CHAIN)
		return err_set(err, EINVAL, "--itrace: a size is from 1 to %d", MAX_CHAIN);
	*out = (unsigned)v;
	return 0;
}

/* "-o", "+l" behind e: */
static int take_flags(struct itrace_opts *o, const char **p, struct err *err)
{
	while (**p == '+' || **p == '-') {
		const bool off = **p == '-';
		const unsigned bit = (*p)[1] == 'o' ? ITRACE_QUIET_OVERFLOW :
			(*p)[1] == 'l' ? ITRACE_QUIET_LOST : 0;

		if (!bit)
			return err_set(err, EINVAL, "--itrace: behind e stand +o, -o, +l or -l");
		o->quiet = off ? o->quiet | bit : o->quiet & ~bit;
		*p += 2;
	}
	return 0;
}

/* "+e", "+o" behind d; -a is what it is anyway. */
static int take_log_flags(struct itrace_opts *o, const char **p, struct err *err)
{
	for (; **p == '+' || **p == '-'; *p += 2) {
		const bool on = **p == '+';
		const char c = (*p)[1];

		if (c == 'e') {
			o->extra.log_errors = on;
		} else if (c == 'o') {
			o->extra.log_stdout = on;
		} else if (c == 'a' && on) {
			err_set(err, ENOTSUP, "--itrace=d+a: the log has no records of the kernel");
			err_hint(err, "perf script -D --no-itrace shows them, with their times");
			return -ENOTSUP;
		} else if (c != 'a') {
			return err_set(err, EINVAL, "--itrace: behind d stand +e, +o or -a");
		}
	}
	return 0;
}

/* What a letter switches on. */
static const struct letter { char c; size_t at; } letters[] = {
	{ 'b', offsetof(struct itrace_opts, branches) },
	{ 'c', offsetof(struct itrace_opts, calls) },
	{ 'r', offsetof(struct itrace_opts, returns) },
	{ 'x', offsetof(struct itrace_opts, transactions) },
	{ 'w', offsetof(struct itrace_opts, ptwrites) },
	{ 'p', offsetof(struct itrace_opts, power) },
	{ 'e', offsetof(struct itrace_opts, errors) },
	{ 'i', offsetof(struct itrace_opts, insns) },
	{ 'y', offsetof(struct itrace_opts, cycles) },
	{ 'g', offsetof(struct itrace_opts, chain) },
	{ 'G', offsetof(struct itrace_opts, extra.chain_all) },
	{ 'L', offsetof(struct itrace_opts, extra.last_all) },
	{ 'I', offsetof(struct itrace_opts, extra.interrupts) },
	{ 'A', offsetof(struct itrace_opts, approx_ipc) },
	{ 'd', offsetof(struct itrace_opts, extra.log) },
	{ 'l', offsetof(struct itrace_opts, last) },
	{ 'f', offsetof(struct itrace_opts, access.l1) },
	{ 'm', offsetof(struct itrace_opts, access.llc) },
	{ 't', offsetof(struct itrace_opts, access.tlb) },
	{ 'a', offsetof(struct itrace_opts, access.remote) },
	{ 'M', offsetof(struct itrace_opts, access.memory) },
};

/* Letters of what no trace that is decoded has: other events in it, CoreSight's clock. */
static const char ignored[] = "oT";

/* What is not made of traces, and what to do instead. */
static const struct { char c; const char *hint; } absent[] = {
	{ 'Z', "times are needed for who ran" },
};

static int take_letter(struct itrace_opts *o, char c, const char **p, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(letters); i++)
		if (letters[i].c == c)
			*((bool *)o + letters[i].at) = true;
	switch (c) {
	case 'i': case 'y':
		return take_period(o, p, err);
	case 'g': case 'G':
		return take_size(&o->chain_max, p, err);
	case 'l': case 'L':
		return take_size(&o->last_max, p, err);
	case 'e':
		return take_flags(o, p, err);
	case 'd':
		return take_log_flags(o, p, err);
	case 's':
		o->skip = number(p);
		return 0;
	case 'q':
		o->quick++;
		return 0;
	}
	return 0;
}

static bool is_letter(char c)
{
	for (size_t i = 0; i < ARRAY_SIZE(letters); i++)
		if (letters[i].c == c)
			return true;
	return c == 's' || c == 'q';
}

static int refuse(char c, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(absent); i++) {
		if (absent[i].c != c)
			continue;
		err_set(err, ENOTSUP, "--itrace: '%c' is not made of traces here", c);
		err_hint(err, "%s", absent[i].hint);
		return -ENOTSUP;
	}
	err_set(err, EINVAL, "--itrace: there is no letter '%c'", c);
	err_hint(err, "--itrace=i100us: an instruction each 100 us; b: branches; c, r: calls and "
		      "returns; e: errors");
	return -EINVAL;
}

int itrace_opts_parse(struct itrace_opts *o, const char *text, bool report, struct err *err)
{
	const char *p = text;
	int ret = 0;

	*o = (struct itrace_opts){ .set = true };
	if (!text || !*text) {
		set_bare(o, report);
		return 0;
	}
	set_all(o);
	while (*p && !ret) {
		const char c = *p++;

		if (c == ' ' || c == ',' || strchr(ignored, c))
			continue;
		ret = is_letter(c) ? take_letter(o, c, &p, err) : refuse(c, err);
	}
	/* as often as possible */
	if (!o->period) {
		o->period = 1;
		o->unit = ITRACE_INSNS;
	}
	return ret;
}
