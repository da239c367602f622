#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the compiler had to say when the objects that are linked now were made (the Makefile keeps it beside them).
. tests/lint/sources.inc
for o in $(make -s objs unit-objs); do
	[ ! -s "${o%.o}.warn" ] || cat "${o%.o}.warn"
done | verdict "warnings: the compiler has none"
