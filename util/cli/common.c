// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/common.h"

#include <errno.h>

#include "util/base/log.h"
#include "util/cli/progress.h"

static int set_verbose(const struct opt_use *u, struct err *err)
{
	struct cli_common *c = u->base;

	cli_progress_off();	/* it would run through the text */
	if (u->unset) {
		c->verbose = 0;
		log_set_level(0);
	} else if (!u->arg) {
		log_set_level(++c->verbose);
	} else if (!log_set_domain(u->arg)) {
		return err_set(err, EINVAL, "no such debug domain: '%s'", u->arg);
	}
	return 0;
}

static int set_quiet(const struct opt_use *u, struct err *err UNUSED)
{
	((struct cli_common *)u->base)->quiet = !u->unset;
	cli_progress_off();
	return 0;
}

static bool is_domain(const char *word)
{
	size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyz");

	return n && word[n] == '=' && word[n + 1] >= '0' && word[n + 1] <= '9' && !word[n + 2];
}

static const struct option_def common_options[] = {
	{ .name = "verbose", .short_name = 'v', .kind = OPT_KIND_CALL,
	  .flags = OPT_OPTARG | OPT_BARE | OPT_UNSETS, .arg = "domain=level",
	  .call = set_verbose, .takes_next = is_domain,
	  .help = "print more messages (repeat for more; symbols=2: of one part of perf)" },
	OPT_CALL('q', "quiet", NULL, set_quiet, "print no warnings or messages"),
	OPT_END
};

struct option_table cli_common_group(struct cli_common *c)
{
	return (struct option_table){ common_options, c };
}
