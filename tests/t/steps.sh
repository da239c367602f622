# SPDX-License-Identifier: GPL-2.0-or-later
# For scripts that run a program p step by step (tests/helper/steps) and make the trace of these steps, as a CPU would have written it.
test_lazy_prereq X86 'the programs are those of x86-64' '[ "$(uname -m)" = x86_64 ]'
test_require X86,CC,PYTHON,OBJDUMP
[ -x "$BUILD/helper/steps" ] || make -s -C "$TOP" O="$BUILD" "$BUILD/helper/steps" >/dev/null 2>&1 ||
	test_skip_all 'needs build/helper/steps (make tests)'
"$BUILD/helper/steps" /bin/true >steps.true && [ -s steps.true ] || test_skip_all 'needs ptrace'
# encode FILE [OPTION...] <STEPS
encode () { local out=$1; shift; python3 "$TEST_DIR/pttrace.py" "$out" "$PWD/p" "$@"; }
