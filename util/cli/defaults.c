// SPDX-License-Identifier: GPL-2.0-or-later
// Options' defaults out of the configuration files: "[report] sort = comm" is perf report --sort comm.
#include <errno.h>
#include <stdlib.h>

#include "util/cli/config.h"
#include "util/cli/options-priv.h"

/* Keys that are known by another name than the option's. */
static const struct { const char *section, *key, *option; } other_names[] = {
	{ "report.", "sort-order", "sort" },
};

static const char *option_name(const char *name, const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(other_names); i++)
		if (str_has_prefix(name, other_names[i].section) && !strcmp(key, other_names[i].key))
			return other_names[i].option;
	return key;
}

static const char *set_default(const struct option_table *t, const struct option_def *d, const u64 *own, const char *value,
			       struct err *err)
{
	void *field = (char *)t->base + d->off;
	struct opt_use use = { d, t->base, field, d->arg ? value : NULL, false };
	bool on;

	if (!d->arg || (d->flags & OPT_OPTARG)) {
		if (config_bool(value, &on)) {
			use.arg = NULL;
			use.unset = !on;
		} else if (!d->arg) {
			return "neither true nor false";
		}
	}
	if (!use.arg && d->arg && !use.unset)
		use.arg = d->dflt;
	if (use.unset && d->kind == OPT_KIND_CALL && !opt_negatable(d))
		return "it cannot be switched off";
	if (d->kind == OPT_KIND_CALL)
		return d->call(&use, err) < 0 ? "not accepted" : NULL;
	if (use.unset)
		opt_clear(d, field, own);
	else if (!d->arg)
		opt_set(d, field);
	else if (use.arg)
		return opt_store(d, field, use.arg);
	return NULL;
}

static int apply_item(const struct cli_cmd *cmd, const opt_saved *saved, const struct config_item *it, const char *key,
		      struct err *err)
{
	const char *want = option_name(it->name, key);

	for opt_each(t, d, cmd) {
		struct err why = ERR_INIT;
		const char *wrong;

		if (!d->name || strcmp(d->name, want))
			continue;
		wrong = set_default(t, d, opt_saved_of(cmd, saved, t, d), it->value, &why);
		if (wrong)
			err_set(err, EINVAL, "bad value '%s' of '%s' at line %d of '%s': %s", it->value, it->name, it->line, it->file,
				why.msg ? why.msg : wrong);
		err_release(&why);
		return wrong ? -EINVAL : 0;
	}
	return 0;
}

int opt_defaults(const struct cli_cmd *cmd, const opt_saved *saved, struct err *err)
{
	char *section = xstrndup(cmd->name, strcspn(cmd->name, " "));
	size_t len = strlen(section);
	const struct config *config = config_used();
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < config->items.n; i++) {
		const struct config_item *it = &config->items.v[i];
		char *key;

		if (strncmp(it->name, section, len) || it->name[len] != '.' || strchr(it->name + len + 1, '.'))
			continue;
		key = xstrdup(it->name + len + 1);
		for (char *c = key; *c; c++)
			if (*c == '_')
				*c = '-';
		ret = apply_item(cmd, saved, it, key, err);
		free(key);
	}
	free(section);
	return ret;
}
