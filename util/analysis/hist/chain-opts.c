// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "util/analysis/hist/hist.h"
#include "util/base/num.h"

struct word { const char *text; enum { MODE, ORDER, KEY, VALUE, NOTHING } what; int value; };

static const struct word words[] = {
	{ "graph", MODE, CHAIN_GRAPH }, { "fractal", MODE, CHAIN_FRACTAL },
		{ "flat", MODE, CHAIN_FLAT },
	{ "folded", MODE, CHAIN_FOLDED }, { "none", MODE, CHAIN_NONE }, { "caller", ORDER, true },
	{ "callee", ORDER, false },
	{ "function", KEY, CHAIN_KEY_FUNCTION }, { "address", KEY, CHAIN_KEY_ADDRESS },
	{ "srcline", KEY, CHAIN_KEY_SRCLINE },
	{ "percent", VALUE, CHAIN_PERCENT }, { "period", VALUE, CHAIN_PERIOD },
	{ "count", VALUE, CHAIN_COUNT },
	{ "branch", NOTHING, 0 },
};

static const struct word *find_word(const char *text)
{
	size_t n = strlen(text);

	/* "fun", "addr" and other beginnings are fine, as long as they are of one word */
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i].text, text))
			return &words[i];
	for (size_t i = 0; n >= 3 && i < ARRAY_SIZE(words); i++)
		if (!strncmp(words[i].text, text, n))
			return &words[i];
	return NULL;
}

const char *chain_opts_word(size_t i)
{
	return i < ARRAY_SIZE(words) ? words[i].text : NULL;
}

static void apply(struct chain_opts *o, const struct word *w)
{
	switch (w->what) {
	case MODE:
		o->mode = (enum chain_mode)w->value;
		break;
	case ORDER:
		o->caller = w->value;
		o->order_set = true;
		break;
	case KEY:
		o->key = (enum chain_key)w->value;
		break;
	case VALUE:
		o->value = (enum chain_value)w->value;
		break;
	case NOTHING:
		break;
	}
}

int chain_opts_parse(struct chain_opts *o, const char *text, struct err *err)
{
	char *copy = xstrdup(text), *save = NULL;
	unsigned numbers = 0;
	int rc = 0;

	for (char *p = strtok_r(copy, ", ", &save); p && !rc; p = strtok_r(NULL, ", ", &save)) {
		const struct word *w = find_word(p);
		double d;
		u64 u;

		if (w)
			apply(o, w);
		else if (!numbers && parse_double(p, &d) && d >= 0 && d <= 100)
			o->min_pct = d, numbers = 1;
		else if (numbers == 1 && parse_u64(p, &u) && u <= UINT32_MAX)
			o->print_limit = (unsigned)u, numbers = 2;
		else
			rc = err_set(err, EINVAL, "call graph '%s': '%s' is not a style, "
						  "threshold, limit, order, key or value", text, p);
	}
	if (rc)
		err_hint(err, "graph|fractal|flat|folded|none, percent, maximum of entries, "
			      "caller|callee, "
			 "function|address|srcline, percent|period|count");
	free(copy);
	return rc;
}
