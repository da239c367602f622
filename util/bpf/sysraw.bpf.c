// SPDX-License-Identifier: GPL-2.0-or-later
// The capture of system calls for kernels without type information (CONFIG_DEBUG_INFO_BTF): no
// names of files, else the same.
#define NO_BTF
#include "util/bpf/sys.bpf.c"
