#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The screens of the browsers as text: Documentation/SCREENS.md, made with a terminal of tmux. Run it in the top directory, after make.
#	sh scripts/screens.sh >Documentation/SCREENS.md
set -eu
top=$PWD
perf=${BUILD:-$PWD/build}/perf
dir=$(mktemp -d)
tm () { tmux -u -L "screens-$$" -f /dev/null "$@"; }
finish () { tm kill-server 2>/dev/null || :; rm -rf "$dir"; }
trap finish EXIT
cd "$dir"
cc -g -O0 -fno-inline -fno-omit-frame-pointer -D_GNU_SOURCE -o calltree "$top/tests/workloads/calltree.c"
cat >mix.sh <<\EOF
./calltree 2000
seq 300000 | sort -n | md5sum
EOF
"$perf" record -q -N -g -e cpu-clock:u -F 997 -o perf.data ./calltree 4000 >out
"$perf" record -q -N -g -e cpu-clock:u -F 997 -o mix.data sh mix.sh >out

tm new-session -d -s keep 'sleep 600'	# else the server may be gone when the next screen begins

# screen WxH COMMAND WAIT-FOR KEY...: what is on the terminal then
screen () {
	local size=$1 command=$2 seen=$3 key
	shift 3
	tm new-session -d -s it -x "${size%x*}" -y "${size#*x}" "env -u LC_ALL LANG=C.UTF-8 PATH='${perf%/*}:$PATH' $command"
	for _ in $(seq 60); do tm capture-pane -p -t it | grep -qE -- "$seen" && break; sleep 0.25; done
	for key; do tm send-keys -t it "$key"; sleep 0.3; done
	sleep 0.7
	tm capture-pane -p -t it | sed "s/ *\$//; s,$dir,/tmp," | cat -s | sed 's/./    &/'
	tm kill-session -t it
}
# part TITLE TEXT SCREEN...
part () {
	printf '\n## %s\n\n%s\n\n' "$1" "$2"
	shift 2
	screen "$@"
}

cat <<\EOF
# The browsers on a terminal

What is shown, as text; `scripts/screens.sh` makes this page. The keys are listed by `h` in each of them, and explained in the pages
of `perf report`, `perf annotate` and `perf top`.
EOF
part "perf report" "Rows, the most frequent first." 84x11 "perf report -i perf.data" '^Samples:'
part "A call tree, open" 'Keys: `e` opens all of a row, `+` one level.' 84x14 "perf report --no-children -i perf.data" '^Samples:' e
part "Rows as a tree" '`perf report --hierarchy`, or `T`: a level for each sort key; `+` opens.' 84x14 \
	"perf report --hierarchy --no-children -g none --percent-limit 1 -i mix.data" '^Samples:' + Down +
part "What can be done with a row" 'Enter, or `m`.' 84x16 "perf report --no-children -i perf.data" '^Samples:' m
part "perf annotate" '`a` on a row of the report, or `perf annotate SYMBOL`: the code with the share of each instruction. `j` is for
the arrow of the jump at the cursor, `o` for addresses.' 84x24 "perf annotate -i perf.data leaf" '^leaf  ' Home s Home Down Down Down Down
part "Call stacks" '`l` in the report, or `perf report --flame`: each frame is as wide as its share.' 84x12 \
	"perf report --flame -i perf.data" '^ user' End
part "perf top" "What runs right now; here one program alone." 100x8 \
	"sh -c './calltree 400000 >/dev/null & p=\$!; trap \"kill \$p\" EXIT; perf top -e cpu-clock:u -p \$p'" '[0-9]%.*leaf'
part "perf top, rows as a tree" '`perf top --hierarchy`, or `T`: what is open stays open with each refresh.' 100x9 \
	"sh -c './calltree 400000 >/dev/null & p=\$!; trap \"kill \$p\" EXIT; perf top --hierarchy -e cpu-clock:u -p \$p'" '[0-9]% *calltree' Home +
