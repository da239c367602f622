#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each header compiles alone, without a warning.
. tests/lint/sources.inc
out=$(make -s hdr-check 2>&1) && out=
printf '%s' "$out" | verdict "hdr-check: each header compiles alone"
