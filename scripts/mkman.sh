#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# mkman.sh PERF OUT-DIR [PAGE.txt...]	makes OUT-DIR/PAGE.1 (or .5) from Documentation/PAGE.txt, with {options} and {options SUB}
# filled in by "PERF CMD [SUB] --list-opts=doc". PERF may be a command of more words ("qemu-aarch64-static build/perf").

set -eu
[ $# -ge 2 ] || { echo "usage: mkman.sh PERF OUT-DIR [PAGE.txt...]" >&2; exit 129; }
perf=$1 out=$2 date=2026-11-28
top=$(cd "$(dirname "$0")/.." && pwd)
shift 2
[ $# -gt 0 ] || set -- "$top"/Documentation/perf*.txt
version=$(sed -n 's/^#define PERF_RELEASE "\(.*\)"$/perf \1/p' "$top/builtin.h")
case $perf in *" "*) ;; *) perf=$(realpath "$perf") ;; esac
mkdir -p "$out"
for txt; do
	page=$(basename "$txt" .txt)
	nr=$(sed -n '1s/^perf[a-z0-9-]*(\([15]\))$/\1/p' "$txt")
	[ -n "$nr" ] || continue
	cmd=${page#perf} cmd=${cmd#-}
	# Each {options...} line becomes what the command's own table says: "{options: NAME...}" those, "{options SUB}" all of a
	# sub-command's, "{options}" all that were not named before.
	named=
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		"{options: "*"}") some=${line#"{options: "} some=${some%\}}
			$perf ${cmd:+"$cmd"} --list-opts="doc:$some"
			named="${named:-!}$some " ;;
		"{options}") $perf ${cmd:+"$cmd"} --list-opts="doc:$named" ;;
		"{options "*"}") sub=${line#"{options "}; $perf "$cmd" ${sub%\}} --list-opts=doc ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$txt" | awk -v date="$date" -v version="$version" -f "$top/scripts/mkman.awk" >"$out/$page.$nr.new"
	mv -f "$out/$page.$nr.new" "$out/$page.$nr"
done
