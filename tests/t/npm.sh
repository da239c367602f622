# SPDX-License-Identifier: GPL-2.0-or-later
# What tests use of node: packages that scripts/npm.sh installs. Sourced after lib.sh.

NPM=${PERF_NPM:-$test_real_cache/perf-npm}

test_lazy_prereq BROWSER 'needs node, chromium and playwright-core (scripts/npm.sh)' '
	command -v node && command -v chromium && [ -d "$NPM/node_modules/playwright-core" ]'
test_lazy_prereq AXE 'needs axe-core (scripts/npm.sh)' '[ -d "$NPM/node_modules/axe-core" ]'
# browser WHAT PAGE [ARG]: what flame-page.js finds in a page
browser () { HOME=$test_real_home timeout 120 node "$TEST_DIR/flame-page.js" "$NPM/node_modules" "$@" | grep -v "^console: Canvas2D"; [ "${PIPESTATUS[0]}" = 0 ]; }

test_lazy_prereq DUCKDB 'needs node and the npm package @duckdb/node-api (scripts/npm.sh)' '[ "$(duckdb "select 42")" = 42 ]'
duckdb () { node "$TEST_DIR/duckdb.js" "$NPM/node_modules" "$@"; }

test_lazy_prereq SPEEDSCOPE 'needs node and the npm package speedscope (scripts/npm.sh)' 'node --version && ls $NPM/node_modules/speedscope/dist/release/speedscope-*.js'
speedscope () { node "$TEST_DIR/speedscope-import.js" $NPM/node_modules/speedscope/dist/release/speedscope-*.js "$@"; }
