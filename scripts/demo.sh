#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# demo.sh	from a fresh tree to a first profile: packages, build, a program with some threads, perf stat, perf record -g,
# perf report. Everything it makes lies in build/.

set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"
perf=$top/build/perf
say () { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say () { printf '\n%s\n' "$*"; }

say "1. Packages and build"
scripts/deps.sh
make -s -j"$(nproc)" all build/workloads/threads
"$perf" version

mkdir -p build/demo
cd build/demo
say '2. Counting: perf stat ./threads'
"$perf" stat "$top/build/workloads/threads"

say '3. Sampling with call graphs: perf record -g ./threads'
"$perf" record -g -o perf.data "$top/build/workloads/threads"

say '4. Where the time went: perf report'
"$perf" --no-pager report --stdio -i perf.data 2>&1 | head -n 60

cat <<X

Where to go next:
  $perf report -i $PWD/perf.data		the same in a pager
  $perf report --stdio --no-children -i $PWD/perf.data
  $perf script -i $PWD/perf.data | less		every sample
  $perf trace ls			system calls, as strace but cheap
  $perf list			what can be counted
  sudo make install			README.md has the tour
X
