/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_CONFIG_PRIV_H
#define CLI_CONFIG_PRIV_H
// What config.c and config-edit.c share.
#include "util/cli/config.h"

/* A [section] or a setting in the text. */
struct config_part {
	char *name;		/* "record." of a section, "record.build-id" of a setting; owned */
	/* bytes; to: of a section after the ']', of a setting its end with a comment, but
	 * without the newline */
	size_t from, to;
};
typedef VEC(struct config_part) config_parts;

/* As config_parse(); appends what the text consists of, in its order. */
int config_parse_parts(struct config *c, const char *text, const char *file, config_parts *parts,
		       struct err *err);
/* Section and key without regard to case, a subsection with. Both have a dot. */
bool config_same_name(const char *item, const char *name);
bool config_is_key_char(char c);

#endif
