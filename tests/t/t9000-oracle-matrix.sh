#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='recorder and reader crossed: ours and upstream perf, on threads, forks, execs, dlopen, a pipeline, the whole system'
. "$(dirname "$0")/lib.sh"

test_require UPSTREAM
test_require NEWEST
test_workload threads
test_workload story

test_lazy_prereq PARANOID 'needs the right to record the whole system' 'perf record -q -a -e cpu-clock -o probe.data -- true'

record_ours () { perf record -q -e cpu-clock -F 1999 -g "$@"; }
record_upstream () { upstream_record -q -e cpu-clock -F 1999 -g "$@"; }

# Differences that are meant: the caller of a call at the very end of a function (by the call, not by where it would return to), a
# task's name after it has exited (upstream perf: its number), and names of the vdso, which upstream perf only has from its own cache.
names_out () {
	sed -E -e 's/_dl_start_user\+0x0|_start\+0x8/_start/' -e 's/[^ ]+ \(\[vdso\]\)/[vdso]/' \
		-e 's/(__pfx_clear_bss|x86_64_start_reservations)\+0x[0-9a-f]+/start_kernel_caller/' -e 's/^ *[^ ].* +(-?[0-9]+) +([0-9]+\.[0-9]+:)/\1 \2/'
}

same_script () {	# RECORDING: each sample, each frame
	"$NEWEST" script --no-inline -i "$1" 2>upstream.err | names_out >expect &&
	perf script --no-inline -i "$1" 2>ours.err | names_out >actual &&
	[ "$(wc -l <expect)" -gt 100 ] && test_cmp expect actual
}

# Rows by address range and file: percent, file, symbol; names that are reported otherwise are left out.
rows () {
	grep -v '^#' | grep -E '^ +[0-9]+\.[0-9]+%' | sed -e 's/\[[.k]\] /[x] /' -e 's/ *$//' -e 's/  */ /g' |
		grep -v -e unknown -e vdso -e '0x' -e '@' -e "$but" | sort
}
same_report () {	# RECORDING [OPTIONS]
	local file=$1
	shift
	but=${but:-_dl_start}
	"$NEWEST" report --stdio --no-inline -g none -s dso,sym -i "$file" "$@" 2>upstream.err | rows >expect &&
	perf report --stdio --no-inline -g none -s dso,sym -i "$file" "$@" 2>ours.err | rows >actual &&
	[ -s expect ] && test_cmp expect actual
}
same_with_threads () {	# RECORDING [OPTIONS]
	local file=$1
	shift
	for jobs in 1 2 3; do
		perf report --stdio --jobs $jobs -i "$file" "$@" 2>/dev/null | grep -v '^# (Tip' >report.$jobs || return 1
		perf script --jobs $jobs -i "$file" "$@" >script.$jobs 2>/dev/null || return 1
	done
	cmp report.1 report.2 && cmp report.1 report.3 && cmp script.1 script.2 && cmp script.1 script.3
}

for recorder in ours upstream; do
	test_expect_success "$recorder: threads" '
		record_$recorder -o threads.$recorder ./threads 3 300 >/dev/null &&
		same_script threads.$recorder && same_report threads.$recorder --no-children
	'
	test_expect_success "$recorder: forks, execs, dlopen" '
		record_$recorder -o story.$recorder ./story 2000 >/dev/null &&
		same_script story.$recorder && same_report story.$recorder --no-children
	'
	test_expect_success "$recorder: a pipeline" '
		record_$recorder -o pipe.$recorder sh -c "ls -lR /usr/include | sort -k5 | awk \"{ n += \\\$5 } END { print n }\"; ./threads 1 100" \
			>/dev/null 2>&1 &&
		same_report pipe.$recorder --no-children
	'
	test_expect_success PARANOID "$recorder: the whole system" '
		record_$recorder -a -o all.$recorder ./threads 2 300 >/dev/null 2>&1 &&
		same_report all.$recorder --no-children -d threads &&
		same_report all.$recorder --children -s sym -d threads
	'
	test_expect_success PARANOID "$recorder: any number of threads prints the same bytes" '
		same_with_threads threads.$recorder && same_with_threads story.$recorder && same_with_threads pipe.$recorder &&
		same_with_threads all.$recorder --comms threads	# files of other programs may be replaced meanwhile
	'
	test_expect_success "$recorder: upstream perf reads it without a word" '
		for f in threads story pipe; do
			"$UPSTREAM" script --no-inline -i $f.$recorder >/dev/null 2>err || return 1
			! grep -v -e "^$" -e "addr2line" err || return 1
		done
	'
done
test_done
