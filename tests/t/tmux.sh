# SPDX-License-Identifier: GPL-2.0-or-later
# Programs on a terminal: a tmux of the script's own. Sourced after test_require TMUX.

tm () { tmux -u -L "perf-test-$$" -f /dev/null "$@"; }
test_background="$test_background $(tm new-session -d -s keep 'sleep 600'; tm display-message -p '#{pid}')"

# on COLSxROWS COMMAND: on a terminal of this size; its exit status comes into the file status.
on () {
	rm -f status
	gone
	tm new-session -d -s it -x "${1%x*}" -y "${1#*x}" "env -u LC_ALL LANG=C.UTF-8 PATH='$PATH' $2; echo \$? >status; sleep 60"
}
gone () { tm kill-session -t it 2>/dev/null || :; }
screen () { tm capture-pane -p -t it | sed 's/◆$//; s/▒$//; s/ *$//'; }
shows () { test_wait_for 15 "screen | grep -qE -- '$1'" || { screen; return 1; }; }
press () { tm send-keys -t it "$@"; }
ended () { test_wait_for 15 "test -s status" && test "$(cat status)" = "${1:-0}"; }
# ended_by SIGNAL STATUS COMMAND: a browser that gets the signal. The modes of the terminal are those of before, and the screen is the old one.
ended_by () {
	rm -f status modes after pid
	gone
	cat >sh.it <<-EOF
		stty -a >modes; echo here we are
		LC_ALL=C.UTF-8 sh -c "echo \\\$\\\$ >pid; exec $3" 2>/dev/null; s=\$?
		sleep 0.3; stty -a >after; echo \$s >status; sleep 60
	EOF
	tm new-session -d -s it -x 90 -y 24 "PATH='$PATH' sh sh.it" && shows "^Samples:" && kill -$1 "$(cat pid)" && ended $2 &&
	test_cmp modes after && shows "^here we are" && ! screen | grep Samples:
}
# goes_on COMMAND: stopped by Ctrl-Z it leaves the screen to the shell, with fg it is back, and q ends it.
goes_on () {
	gone && tm new-session -d -s it -x 90 -y 24 "PATH='$PATH' LC_ALL=C.UTF-8 PS1=prompt: bash --norc --noprofile -i" && shows "^prompt:" &&
	press "$1" Enter && shows "^Samples:" && press C-z && shows "Stopped" && ! screen | grep Samples: && press fg Enter && shows "^Samples:" &&
	press q && shows "^prompt:$"
}
# closes COMMAND: it ends when its terminal is closed.
closes () {
	rm -f pid && on 90x24 "sh -c 'echo \$\$ >pid; exec $1'" && shows "^Samples:" && gone && test_wait_for 15 "! kill -0 $(cat pid) 2>/dev/null"
}
