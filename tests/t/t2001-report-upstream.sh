#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report: rows and call graphs equal those of upstream perf on the same file'
. "$(dirname "$0")/lib.sh"

# Compared is what falls into the workload's own file: there each address has one name. (In libraries and the kernel several
# names may share an address, and a caller is named by its call, not by where it returns to.) Equal rows may be in another order, so lines are sorted.
rows () {
	sed -e 's/\[[.k]\] /[x] /' -e 's/ *$//' | grep -v '^#' | grep -E '^ +[0-9]+\.[0-9]+%' |
		grep -v -e '@' -e '0x' -e 'unknown' -e '\.so' -e '\[kernel' -e '\[vdso' | grep -E " $own( |\$)" | sort
}
# Branches of graphs without the lines that lead to them.
branches () {
	grep -v '^#' | grep -v '^ *[0-9.]*% ' | sed -e 's/^[ |]*//' -e '/^$/d' | grep -v -e '@' -e '0x' -e 'unknown' | sort
}
chains () { grep -E '^[0-9.]+%? [^ ]*;' | grep -v -e '@' -e '0x' -e 'unknown' | sort; }

record () { perf record -q -e cpu-clock -F 499 "$@"; }

compare () {	# compare PERF FILE OPTIONS...: rows, or what $what says
	local other=$1 file=$2
	shift 2
	"$other" report --stdio --no-inline -i "$file" "$@" 2>err.upstream | "${what:-rows}" >expect &&
	perf report --stdio --no-inline -i "$file" "$@" 2>err.ours | "${what:-rows}" >actual &&
	[ -s expect ] &&
	test_cmp expect actual
}

test_workload threads
own=threads

test_expect_success 'recordings' '
	record -g -o threads.data ./threads 3 600 >/dev/null &&
	record -o flat.data ./threads 2 300 >/dev/null &&
	record -g -o forks.data sh -c "./threads 1 200 & ./threads 2 200 | cat; wait" >/dev/null
'
for which in UPSTREAM NEWEST; do
	test_expect_success UPSTREAM,$which "$which: rows" '
		compare "${!which}" flat.data &&
		compare "${!which}" flat.data -s sym,dso &&
		compare "${!which}" flat.data -s comm,dso &&
		compare "${!which}" flat.data -s pid,dso,sym -n &&
		compare "${!which}" threads.data --children -g none &&
		compare "${!which}" threads.data --no-children -g none &&
		compare "${!which}" forks.data --children -g none
	'
done
# The 6.1 filters whole rows by the first task that it saw in them; the newest filters samples, as we do.
for which in NEWEST; do
	test_expect_success UPSTREAM,$which "$which: filters" '
		compare "${!which}" threads.data -g none --comm worker-1 -s dso,sym &&
		compare "${!which}" threads.data -g none --comm worker-1 -s dso,sym --percentage relative &&
		compare "${!which}" threads.data -g none -S hot,cold &&
		compare "${!which}" threads.data -g none --percent-limit 20
	'
	test_expect_success UPSTREAM,$which "$which: chains" '
		what=chains &&
		compare "${!which}" threads.data --no-children -g folded,callee -d threads &&
		compare "${!which}" threads.data --no-children -g folded,caller,count -d threads &&
		compare "${!which}" threads.data --children -g folded,0 -d threads -S hot,cold &&
		compare "${!which}" forks.data --no-children -g folded,0 -d threads
	'
	test_expect_success UPSTREAM,$which "$which: graphs" '
		what=branches &&
		compare "${!which}" threads.data --children -g graph,2 -d threads --percent-limit 2 &&
		compare "${!which}" threads.data --children -g graph,2,callee -d threads --percent-limit 2 &&
		compare "${!which}" threads.data --no-children -g graph,2,callee -d threads --percent-limit 2 &&
		compare "${!which}" threads.data --no-children -g fractal,2,caller -s comm,sym -d threads --percent-limit 5
	'
	what=
done
test_done
