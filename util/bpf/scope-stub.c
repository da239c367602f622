// SPDX-License-Identifier: GPL-2.0-or-later
// Without libbpf there are no programs.
#include "util/bpf/scope.h"
