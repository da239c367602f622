#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# mkman.sh PERF OUT-DIR [PAGE.txt...]	makes OUT-DIR/PAGE.1 from Documentation/PAGE.txt, with {options} and {options SUB} filled
# in by "PERF CMD [SUB] --list-opts=doc".

set -eu
[ $# -ge 2 ] || { echo "usage: mkman.sh PERF OUT-DIR [PAGE.txt...]" >&2; exit 129; }
perf=$(realpath "$1") out=$2
top=$(cd "$(dirname "$0")/.." && pwd)
shift 2
[ $# -gt 0 ] || set -- "$top"/Documentation/perf*.txt
mkdir -p "$out"
for txt; do
	page=$(basename "$txt" .txt)
	head -n 1 "$txt" | grep -q '^perf[a-z0-9-]*(1)$' || continue
	cmd=${page#perf} cmd=${cmd#-}
	# Each {options...} line becomes what the command's own table says: "{options: NAME...}" those, "{options SUB}" all of a
	# sub-command's, "{options}" all that were not named before.
	named=
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		"{options: "*"}") some=${line#"{options: "} some=${some%\}}
			"$perf" ${cmd:+"$cmd"} --list-opts="doc:$some"
			named="${named:-!}$some " ;;
		"{options}") "$perf" ${cmd:+"$cmd"} --list-opts="doc:$named" ;;
		"{options "*"}") sub=${line#"{options "}; "$perf" "$cmd" ${sub%\}} --list-opts=doc ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$txt" | awk -f "$top/scripts/mkman.awk" >"$out/$page.1.new"
	mv -f "$out/$page.1.new" "$out/$page.1"
done
