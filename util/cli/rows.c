// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/rows.h"

#include <errno.h>

#include "util/base/num.h"

int cli_parse_pct(const char *text, double *pct, struct err *err)
{
	if (!parse_double(text, pct) || *pct < 0 || *pct > 100)
		return err_set(err, EINVAL, "not a percentage: '%s'", text);
	return 0;
}

int cli_set_chain_min_pct(const struct opt_use *u, double *pct, struct err *err)
{
	*pct = CLI_CHAIN_MIN_PCT;
	return u->unset ? 0 : cli_parse_pct(u->arg, pct, err);
}

int cli_set_delay(const struct opt_use *u, double dflt_s, u64 *ns, struct err *err)
{
	double s = dflt_s;

	if (!u->unset && (!parse_double(u->arg, &s) || s < 0.01 || s > 86400)) {
		err_set(err, EINVAL, "'%s' is not a delay between refreshes", u->arg);
		err_hint(err, "give seconds, 0.01 to 86400");
		return -EINVAL;
	}
	*ns = (u64)(s * 1e9);
	return 0;
}

int cli_parse_relative(const char *text, bool *relative, struct err *err)
{
	if (strcmp(text, "relative") && strcmp(text, "absolute"))
		return err_set(err, EINVAL, "--percentage is relative or absolute, not '%s'", text);
	*relative = !strcmp(text, "relative");
	return 0;
}

int cli_parse_widths(const char *text, cli_widths *to, struct err *err)
{
	char *copy = xstrdup(text ? text : ""), *save = NULL;
	int rc = 0, v;

	vec_clear(to);
	for (char *p = strtok_r(copy, ",", &save); p && !rc; p = strtok_r(NULL, ",", &save)) {
		if (parse_int(p, &v) && v >= 0 && v < 1000)
			vec_push(to, (u16)v);
		else
			rc = err_set(err, EINVAL, "not a list of column widths: '%s'", text);
	}
	free(copy);
	return rc;
}

/* The words are those that def->arg lists. */
static int set_chain_word(const struct opt_use *u, struct err *err)
{
	const char *w = u->def->arg;

	for (size_t n = strcspn(w, "|"), len = strlen(u->arg); *w; w += n + (w[n] == '|'),
	     n = strcspn(w, "|"))
		if (n == len && !strncmp(w, u->arg, n))
			return chain_opts_parse(u->base, u->arg, err);
	return err_set(err, EINVAL, "it is one of %s", u->def->arg);
}

static int set_chain_threshold(const struct opt_use *u, struct err *err)
{
	return cli_parse_pct(u->arg, &((struct chain_opts *)u->base)->min_pct, err);
}

static int set_chain_limit(const struct opt_use *u, struct err *err)
{
	u64 n;

	if (!parse_u64(u->arg, &n) || n > UINT32_MAX)
		return err_set(err, EINVAL, "not a number of entries");
	((struct chain_opts *)u->base)->print_limit = (unsigned)n;
	return 0;
}

static const struct option_def chain_settings[] = {
	OPT_SETTING("call-graph.print-type", "graph|fractal|flat|folded|none", set_chain_word),
	OPT_SETTING("call-graph.order", "caller|callee", set_chain_word),
	OPT_SETTING("call-graph.sort-key", "function|address|srcline", set_chain_word),
	OPT_SETTING("call-graph.threshold", "percent", set_chain_threshold),
	OPT_SETTING("call-graph.print-limit", "n", set_chain_limit),
	OPT_END
};

struct option_table cli_chain_settings(struct chain_opts *o)
{
	return (struct option_table){ chain_settings, o };
}
