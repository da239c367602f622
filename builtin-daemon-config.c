// SPDX-License-Identifier: GPL-2.0-or-later
// perf daemon: which sessions the configuration has, and which base.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-daemon.h"
#include "util/base/xalloc.h"

static int make_absolute(const char *path, char **out, struct err *err)
{
	char *cwd = *path == '/' ? NULL : getcwd(NULL, 0);

	if (*path != '/' && !cwd)
		return err_sys(err, errno, "cannot tell where '%s' is", path);
	*out = cwd ? xasprintf("%s/%s", cwd, path) : xstrdup(path);
	free(cwd);
	return 0;
}

/* A file that is not there yet can be watched, if its directory is there. */
static bool may_come(const char *path)
{
	char *dir = xstrndup(path, (size_t)(strrchr(path, '/') - path) + 1);
	const bool may = !access(dir, R_OK | X_OK);

	free(dir);
	return may;
}

static int add_usual(struct daemon_config *c, bool system, struct err *err)
{
	struct str path = STR_INIT;
	char *absolute = NULL;
	int ret = config_path(system, &path, err);

	if (!ret)
		ret = make_absolute(str_cstr(&path), &absolute, err);
	if (!ret && may_come(absolute))
		vec_push(&c->files, absolute);
	else
		free(absolute);
	str_release(&path);
	return ret;
}

/* What is run later runs in other directories. */
static int pin_environment(struct err *err)
{
	const char *only = getenv("PERF_CONFIG");
	char *absolute;
	int ret;

	if (!only || !*only)
		return 0;
	ret = make_absolute(only, &absolute, err);
	if (ret)
		return ret;
	setenv("PERF_CONFIG", absolute, 1);
	free(absolute);
	return 0;
}

int daemon_config_init(struct daemon_config *c, const char *named, struct err *err)
{
	const char *only = getenv("PERF_CONFIG");
	int ret = pin_environment(err);

	if (!ret && named) {
		ret = make_absolute(named, &c->named, err);
		if (!ret)
			vec_push(&c->files, xstrdup(c->named));
	} else if (!ret) {
		ret = add_usual(c, false, err);
		if (!ret && (!only || !*only))
			ret = add_usual(c, true, err);
	}
	vec_push(&c->files, NULL);
	return ret;
}

void daemon_config_release(struct daemon_config *c)
{
	for vec_each(f, &c->files)
		free(*f);
	vec_free(&c->files);
	free(c->named);
}

static int read_files(const struct daemon_config *c, struct config *out, struct err *err)
{
	return c->named ? config_load_file(out, c->named, err) : config_load(out, err);
}

static int unknown_setting(const char *what, const char *key, const char *known, struct err *err)
{
	err_set(err, EINVAL, "%s has no setting '%s'", what, key);
	err_hint(err, "the only one is '%s'", known);
	return -EINVAL;
}

/* "session-NAME.run"; other sections are those of other commands. */
static int add_item(const struct config_item *it, struct daemon_plan *plan, struct err *err)
{
	const char *dot = strrchr(it->name, '.');
	char *section = xstrndup(it->name, (size_t)(dot - it->name));
	int ret = 0;

	if (!strcmp(section, "daemon") && strcmp(dot, ".base"))
		ret = unknown_setting("[daemon]", dot + 1, "base", err);
	else if (str_has_prefix(section, "session-"))
		ret = strcmp(dot, ".run") ? unknown_setting("a session", dot + 1, "run", err) :
			daemon_plan_add(plan, section + strlen("session-"), it->value, err);
	if (ret)
		err_prefix(err, "bad config line %d in '%s'", it->line, it->file);
	free(section);
	return ret;
}

int daemon_config_load(void *ctx, struct daemon_plan *plan, struct err *err)
{
	struct config config = { 0 };
	int ret = read_files(ctx, &config, err);

	for (size_t i = 0; i < config.items.n && ret >= 0; i++)
		ret = add_item(&config.items.v[i], plan, err);
	config_release(&config);
	return MIN(ret, 0);
}

int daemon_config_base(const struct daemon_config *c, const struct daemon_cmd *cmd, char **out,
		       struct err *err)
{
	struct config config = { 0 };
	const char *base = cmd->base;
	int ret = 0;

	if (!base && c->named) {
		ret = MIN(config_load_file(&config, c->named, err), 0);
		base = ret ? NULL : config_get(&config, "daemon.base");
	} else if (!base) {
		base = cmd->base_of_files;
	}
	if (!ret && (!base || !*base)) {
		ret = err_set(err, EINVAL, "no base directory is given%s%s",
			      c->named ? " in " : "", c->named ? c->named : "");
		err_hint(err, "write 'base = DIRECTORY' below [daemon] into the configuration "
			      "file, or use --base DIRECTORY");
	}
	*out = ret ? NULL : xstrdup(base);
	config_release(&config);
	return ret;
}
