/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H
/*
 * Configuration files: /etc/perfconfig, then ~/.perfconfig; PERF_CONFIG (set by perf --config)
 * names the only one to be read. Later settings win. Git's format: [section], [section "sub"], key
 * = value, key alone is true, # and ; begin comments, "quoted", \n \t \" \\ escapes, a backslash at
 * the end of a line continues it. Names are section.key or section.sub.key; section and key without
 * regard to case. One owner.
 */
#include "util/base/err.h"
#include "util/base/str.h"
#include "util/base/vec.h"

struct config_item {
	char *name, *value;	/* owned */
	const char *file;	/* as opened; owned by the config */
	int line;
};

struct config {
	/* in the order of reading; a name may appear more than once */
	VEC(struct config_item) items;
	VEC(char *) files;
};

/* The usual files; missing ones are fine. One that is neither root's nor the caller's, or cannot
 * be read, is ignored with a warning. An error names file and line ("bad config line 3 in
 * /root/.perfconfig"). */
int config_load(struct config *c, struct err *err);
/* One file; -ENOENT when it is missing, -EPERM when it is neither root's nor the caller's. */
int config_load_file(struct config *c, const char *path, struct err *err);
/* The configuration of this process, which main() reads once, before the command: the usual
 * files. Borrowed until config_stop(); empty when none was read (help and version work with a file
 * that cannot be understood, too; config reads for itself). */
int config_start(struct err *err);
const struct config *config_used(void);
void config_stop(void);
/* What config_used() says of the build-id cache, debuginfod and the pager of this command: the
 * first two into the environment, where the rooms below look, and perf's children. */
void config_apply(const char *command);
int config_parse(struct config *c, const char *text, const char *file, struct err *err);
void config_release(struct config *c);

/* "true", "yes", "on", "1" and their opposites; false: none of these. */
bool config_bool(const char *text, bool *out);
/* Borrowed; NULL when unset. */
const char *config_get(const struct config *c, const char *name);
/* dflt when unset; a value of another kind is an error that names file and line. */
int config_get_bool(const struct config *c, const char *name, bool dflt, bool *out,
		    struct err *err);
int config_get_int(const struct config *c, const char *name, int dflt, int *out, struct err *err);

/* The file that "perf config name=value" writes: $PERF_CONFIG, or ~/.perfconfig, or
 * /etc/perfconfig (system). */
int config_path(bool system, struct str *out, struct err *err);
/* text with name set to value (NULL: removed), everything else kept; out is the new file.
 * -ENOENT: nothing to remove. */
int config_edit(const char *text, const char *name, const char *value, struct str *out,
		struct err *err);

#endif
