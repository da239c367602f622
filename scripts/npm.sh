#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# npm.sh	installs the npm packages that tests use into ~/.cache/perf-npm (PERF_NPM names another place): playwright-core, which
# drives Debian's chromium, axe-core, which checks pages, DuckDB, which reads Parquet, and speedscope. Without them those tests are
# skipped, and say so.
set -eu
to=${PERF_NPM:-${XDG_CACHE_HOME:-$HOME/.cache}/perf-npm}
command -v npm >/dev/null || { echo "npm.sh: there is no npm (package npm)" >&2; exit 1; }
mkdir -p "$to"
cd "$to"
npm install --silent --no-audit --no-fund playwright-core axe-core @duckdb/node-api speedscope
echo "npm.sh: packages are in $to/node_modules"
