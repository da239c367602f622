// SPDX-License-Identifier: GPL-2.0-or-later
// The arguments of record's options that are little languages.
#include <errno.h>
#include <strings.h>
#include <time.h>

#include "arch/arch.h"
#include "include/abi/perf_event.h"
#include "util/base/num.h"
#include "util/record/record.h"

/* Calls fn for each comma-separated word; stops at the first failure. */
static int each_word(const char *text, int (*fn)(void *ctx, const char *word, struct err *err),
		     void *ctx, struct err *err)
{
	int ret = 0;

	for (const char *p = text; !ret;) {
		const char *end = strchrnul(p, ',');
		char *word = xstrndup(p, (size_t)(end - p));

		ret = fn(ctx, word, err);
		free(word);
		if (!*end)
			break;
		p = end + 1;
	}
	return ret;
}

int record_parse_freq(struct record_sampling *o, const char *text, const struct os *os,
		      struct err *err)
{
	o->freq_max = !strcmp(text, "max");
	if (o->freq_max)
		o->freq_hz = os_max_sample_rate(os);
	else if (!parse_u64(text, &o->freq_hz) || !o->freq_hz)
		return err_set(err, EINVAL, "'%s' is not a frequency: give samples per second, or "
					    "max", text);
	return 0;
}

int record_parse_period(struct record_sampling *o, const char *text, struct err *err)
{
	o->period = 0;
	if (text && (!parse_u64(text, &o->period) || !o->period))
		return err_set(err, EINVAL, "'%s' is not a period: give the number of events from "
					    "one sample to the next", text);
	return 0;
}

bool record_limit_freq(struct record_sampling *o, const struct os *os)
{
	const u64 max = os_max_sample_rate(os);

	if (o->period || !max || (o->freq_hz ? o->freq_hz : RECORD_DEFAULT_HZ) <= max)
		return false;
	o->freq_hz = max;
	return true;
}

int record_parse_pages(struct record_buffers *o, const char *text, const struct os *os,
		       struct err *err)
{
	u64 n, pages = 1;

	if (strchr(text, ',')) {
		err_set(err, ENOTSUP, "'%s': buffers for AUX area tracing are not supported", text);
		return -ENOTSUP;
	}
	if (!parse_u64(text, &n)) {
		if (!parse_size(text, &n))
			n = 0;
		n = (n + os->page_bytes - 1) / os->page_bytes;
	}
	if (!n || n > 1 << 20) {
		err_set(err, EINVAL, "'%s' is not a size of a ring buffer", text);
		err_hint(err, "give a number of pages (512) or bytes with a unit (16M)");
		return -EINVAL;
	}
	while (pages < n)
		pages *= 2;
	o->ring_pages = (unsigned)pages;
	return 0;
}

int record_parse_delay(struct record_when *o, const char *text, struct err *err)
{
	vec_clear(&o->windows);
	o->start_disabled = !strcmp(text, "-1");
	return o->start_disabled ? 0 : windows_parse(&o->windows, text, err);
}

static const struct { const char *name; u64 bit; } branch_modes[] = {
	{ "u", PERF_SAMPLE_BRANCH_USER }, { "k", PERF_SAMPLE_BRANCH_KERNEL },
		{ "hv", PERF_SAMPLE_BRANCH_HV },
	{ "any", PERF_SAMPLE_BRANCH_ANY }, { "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },
	{ "any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN }, { "ind_call", PERF_SAMPLE_BRANCH_IND_CALL },
	{ "ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP }, { "abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX },
	{ "in_tx", PERF_SAMPLE_BRANCH_IN_TX }, { "no_tx", PERF_SAMPLE_BRANCH_NO_TX },
	{ "cond", PERF_SAMPLE_BRANCH_COND },
	{ "call", PERF_SAMPLE_BRANCH_CALL }, { "no_flags", PERF_SAMPLE_BRANCH_NO_FLAGS },
	{ "no_cycles", PERF_SAMPLE_BRANCH_NO_CYCLES },
	{ "save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE },
	{ "stack", PERF_SAMPLE_BRANCH_CALL_STACK }, { "hw_index", PERF_SAMPLE_BRANCH_HW_INDEX },
	{ "priv", PERF_SAMPLE_BRANCH_PRIV_SAVE }, { "counter", ABI_SAMPLE_BRANCH_COUNTERS },
};

const char *record_branch_word(size_t i)
{
	return i < ARRAY_SIZE(branch_modes) ? branch_modes[i].name : NULL;
}

static int add_branch(void *ctx, const char *word, struct err *err)
{
	const char *names[ARRAY_SIZE(branch_modes)], *near;

	for (size_t i = 0; i < ARRAY_SIZE(branch_modes); i++) {
		if (!strcasecmp(word, branch_modes[i].name)) {
			*(u64 *)ctx |= branch_modes[i].bit;
			return 0;
		}
		names[i] = branch_modes[i].name;
	}
	err_set(err, EINVAL, "'%s' is not a branch filter", word);
	near = nearest_name(word, names, ARRAY_SIZE(names));
	err_hint(err, near ? "did you mean '%s'?" :
		 "the filters are any, any_call, any_ret, ind_call, ind_jmp, call, cond, stack, "
		 "u, k, hv, in_tx, no_tx, abort_tx, no_flags, no_cycles, save_type, hw_index, "
		 "priv, counter%s", near ? near : "");
	return -EINVAL;
}

int record_parse_branch(const char *text, u64 *mask, struct err *err)
{
	const u64 privilege = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL |
		PERF_SAMPLE_BRANCH_HV;
	int ret;

	*mask = 0;
	ret = each_word(text, add_branch, mask, err);
	/* a level alone: any branch at the levels of the event, which the kernel takes where
	 * none is given */
	if (!ret && !(*mask & ~privilege))
		*mask = PERF_SAMPLE_BRANCH_ANY;
	return ret;
}

static int add_reg(void *ctx, const char *word, struct err *err)
{
	const struct arch_info *a = arch_host();
	struct str all = STR_INIT;

	for (int i = 0; i < a->n_perf_regs; i++) {
		if (!a->perf_reg_names[i])
			continue;
		if (!strcasecmp(word, a->perf_reg_names[i])) {
			*(u64 *)ctx |= 1ULL << i;
			return 0;
		}
		str_addf(&all, " %s", a->perf_reg_names[i]);
	}
	err_set(err, EINVAL, strcmp(word, "?") ? "'%s' is not a register" :
		"registers of this machine are asked for by name%.0s", word);
	err_hint(err, "available registers:%s", str_cstr(&all));
	str_release(&all);
	return -EINVAL;
}

int record_parse_regs(const char *text, u64 *mask, struct err *err)
{
	const struct arch_info *a = arch_host();

	*mask = 0;
	if (text)
		return each_word(text, add_reg, mask, err);
	*mask = a->user_regs_mask;
	return 0;
}

static const struct { const char *name; int id; } clocks[] = {
	{ "monotonic", CLOCK_MONOTONIC }, { "mono", CLOCK_MONOTONIC },
		{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
	{ "raw", CLOCK_MONOTONIC_RAW }, { "realtime", CLOCK_REALTIME }, { "real", CLOCK_REALTIME },
	{ "boottime", CLOCK_BOOTTIME }, { "boot", CLOCK_BOOTTIME }, { "tai", CLOCK_TAI },
};

const char *record_clock_word(size_t i)
{
	return i < ARRAY_SIZE(clocks) ? clocks[i].name : NULL;
}

int record_parse_clockid(const char *text, int *clockid, struct err *err)
{
	const char *name = strncasecmp(text, "clock_", 6) ? text : text + 6;
	int n;

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if (!strcasecmp(name, clocks[i].name)) {
			*clockid = clocks[i].id;
			return 0;
		}
	if (parse_int(text, &n) && n >= 0) {
		*clockid = n;
		return 0;
	}
	err_set(err, EINVAL, "'%s' is not a clock", text);
	err_hint(err, "use mono, raw, real, boot or tai, or a number of clock_gettime(2)");
	return -EINVAL;
}

static int parse_dwarf(struct record_stacks *o, const char *arg, struct err *err)
{
	u64 bytes;
	const char *end = strchrnul(arg, ',');
	char *size = xstrndup(arg, (size_t)(end - arg));
	int ret = 0;

	if (!strcmp(size, "raw")) {
		o->raw_dumps = true;
	} else if (!parse_size(size, &bytes) || !bytes || bytes > RECORD_MAX_DUMP) {
		ret = err_set(err, EINVAL, "'%s' is not a size of a stack dump", size);
		err_hint(err, "it may have up to %d bytes: dwarf,16384", RECORD_MAX_DUMP);
	} else {
		o->dump_bytes = (u32)ALIGN_UP(bytes, (u64)8);
		o->dump_given = true;
	}
	free(size);
	return ret || !*end ? ret : parse_dwarf(o, end + 1, err);
}

int record_parse_callgraph(struct record_stacks *o, const char *text, struct err *err)
{
	const char *comma = strchrnul(text, ',');
	size_t n = (size_t)(comma - text);

	o->deferred = false;
	if (n == 2 && !strncmp(text, "fp", n) && (!*comma || !strcmp(comma, ",defer"))) {
		o->callgraph = RECORD_CHAIN_FP;
		o->deferred = *comma;
	} else if (n == 3 && !strncmp(text, "lbr", n) && !*comma) {
		o->callgraph = RECORD_CHAIN_LBR;
	} else if (n == 4 && !strncmp(text, "auto", n) && !*comma) {
		o->callgraph = RECORD_CHAIN_AUTO;
		o->dump_given = false;
	} else if (n == 5 && !strncmp(text, "dwarf", n)) {
		o->callgraph = RECORD_CHAIN_DWARF;
		o->dump_bytes = RECORD_DEFAULT_DUMP;
		o->dump_given = false;
		return *comma ? parse_dwarf(o, comma + 1, err) : 0;
	} else {
		err_set(err, EINVAL, "'%s' is not a way to record call graphs", text);
		err_hint(err, "use auto, fp, dwarf[,bytes of stack][,raw], lbr or fp,defer");
		return -EINVAL;
	}
	return 0;
}
