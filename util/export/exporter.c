// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/exporter.h"

const struct exporter *const exporters[] = {
	&export_samples_json,
	&export_trace_json,
	NULL
};
