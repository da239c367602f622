/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_XML_H
#define VIEW_XML_H
/*
 * Text as it may stand in XML and HTML, between tags or in quotes.
 */
#include "util/base/str.h"

/* Untrusted: control characters become \xNN, as by str_add_safe(). */
void xml_add(struct str *out, const char *text);

#endif
