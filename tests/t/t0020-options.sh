#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='every option of every command: alone, with --no-, without its argument, with an empty and with a huge one'
. "$(dirname "$0")/lib.sh"

test_require PYTHON
small=$TOP/tests/data/small

# options_of COMMAND [words before] [words after]
commands=
options_of () {
	name=$1 before="$1 ${2:-}" behind=${3:-}
	commands="$commands $name"
	test_expect_success "perf $name" '
		mkdir -p sandbox && (cd sandbox && python3 "$TOP/tests/t/options.py" "$name" "$before" "$behind")
	'
}

for c in config version list buildid-cache; do options_of $c; done
options_of test '' '-w noploop 0'
options_of check '' 'feature libelf'
options_of kallsyms '' schedule
for c in annotate buildid-list evlist report script trace; do SKIP=--no-input options_of $c "-i $small/sched.data"; done
options_of archive '' '-i nosuch'
options_of inject "-b -i $small/fp.data -o out.data"
options_of data '' 'convert -i nosuch'
options_of 'data convert' "-f -i $small/fp.data --to-json out.json"
options_of sched '' 'latency -i nosuch'
for c in latency map timehist script; do options_of "sched $c" "-i $small/sched.data"; done
options_of 'sched replay' '' '-i nosuch'
options_of daemon
for c in start signal ping stop; do options_of "daemon $c"; done
options_of timechart "-i $small/sched.data -o out.svg"
options_of 'stat report' "-i $small/stat.data"
options_of export "-f --format folded -i $small/fp.data -o out.folded"
cp "$small/fp.data" kept.data && options_of sql "-i kept.data" 'select'
options_of diff '' "$small/fp.data $small/fp.data"
options_of doctor "-i $small/fp.data"
options_of probe -n '-x /nonexistent -F'

test_have PERF_SW && {
	options_of record '-N -e dummy:u -o out.data' '-- true'
	options_of stat '-e dummy:u' '-- true'
	options_of heatmap '-f -N -e dummy:u -o map.html --recording out.data' '-- true'
	options_of flame '-f -N -e dummy:u -o out.html --recording out.data' '-- true'
	options_of 'stat record' '-e dummy:u -o out.data' '-- true'
}
# top goes on until it is told to end: after its first table.
test_have PERF_SW && {
	mkdir until && cat >until/perf <<-EOF && chmod +x until/perf
	#!/bin/sh
	case "\$1 \$*" in
	*--list-opts*|[!t]*|t[!o]*) exec "$BUILD/perf" "\$@" ;;
	esac
	"$BUILD/perf" "\$@" >out 2>err & top=\$!
	while kill -0 \$top 2>/dev/null && ! grep -q PerfTop out; do sleep 0.02; done
	kill -INT \$top 2>/dev/null
	wait \$top
	status=\$?
	cat out
	cat err >&2
	exit \$status
	EOF
	PATH=$PWD/until:$PATH options_of top "--stdio -d 0.01 -e cpu-clock:u -p $$"
}
# Up to the program that cannot be run.
test_have ROOT,TRACEFS && for c in 'sched record' 'timechart record' 'trace record'; do
	options_of "$c" '-o out.data' '-- /nonexistent'
done

test_expect_success PERF_SW 'no command is forgotten' '
	all=$(perf --list-cmds) && test "$(echo $all | wc -w)" -ge 20 &&
	for c in $all; do
		[ "$c" = help ] || case "$commands " in *" $c "*) ;; *) echo "$c"; return 1 ;; esac
	done
'

test_done
