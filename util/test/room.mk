# SPDX-License-Identifier: GPL-2.0-or-later
# Workloads predict their own profile: each function is there, with its frame.
$(call obj,$(wildcard util/test/*.c)): EXTRA_CFLAGS += -O0 -fno-math-errno -fno-omit-frame-pointer -fno-optimize-sibling-calls
