# SPDX-License-Identifier: GPL-2.0-or-later
# For scripts that compare what the newest upstream perf and ours print. Other problems of a command are not looked at.
theirs_are_ours () { test_cmp theirs ours >diff || { echo "$*"; head -20 diff; return 1; }; }
# alike ARGUMENT...: the same command of both, which may print nothing.
alike () {
	"$NEWEST" "$@" >theirs 2>err; perf "$@" >ours 2>err
	theirs_are_ours "$@"
}
# alike_results COMMAND...: one command on both results, theirs.data and ours.data, which prints something.
alike_results () {
	"$@" -i theirs.data 2>err | sed s/theirs/ours/ >theirs; "$@" -i ours.data >ours 2>err
	test -s theirs && theirs_are_ours "$@"
}
