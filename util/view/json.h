/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_JSON_H
#define VIEW_JSON_H
/*
 * Tables as JSON: an array of one object a row, columns by their keys; hidden rows are left out. Values are plain numbers in the
 * units of the cells (percent, ns, bytes), addresses are numbers, names are strings.
 */
#include "util/base/json.h"
#include "util/base/table.h"

void json_table(struct json *j, const struct table *t);

#endif
