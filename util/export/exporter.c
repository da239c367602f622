// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/exporter.h"

#define EXPORTER_LINE(name) &export_##name,

const struct exporter *const exporters[] = { EXPORTERS(EXPORTER_LINE) NULL };
