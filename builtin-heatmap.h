/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_HEATMAP_H
#define BUILTIN_HEATMAP_H
/*
 * perf heatmap: builtin-heatmap-options.c has its options, builtin-heatmap.c is what is done with
 * them.
 */
#include "builtin-picture.h"
#include "util/analysis/heatmap/pairs.h"
#include "util/cli/common.h"
#include "util/stream/stream.h"

/* What is written; none: a page. */
struct heatmap_form { bool text, json; };

struct heatmap_cmd {
	const char *input, *output, *recording, *title;
	bool force, open;
	struct heatmap_form form;
	int width, rows;
	const char *preset_name, *start, *end, *keys;
	const struct pairs_preset *preset;	/* NULL: none */
	struct heat_axes axes;
	struct stream_opts stream;
	struct cli_common common;
	struct picture_record record;
};

/* The command's tables, ended by { 0 }; room for 8. c is borrowed. */
void heatmap_option_tables(struct heatmap_cmd *c, struct option_table *out);

#endif
