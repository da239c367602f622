#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace shows every call that strace -f shows: usual programs'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/syscmp.sh"

mkdir -p tree/a/b tree/c && echo hello >tree/a/f && echo x >tree/c/g && ln -s g tree/c/l && ln -s /nowhere tree/dangling
echo 'int main(void) { return 0; }' >m.c
before='rm -f m.o o t.tar; : >o; : >t.tar'
if git --version >/dev/null 2>&1; then
	git init -q repo && for i in 1 2 3; do
		echo $i >repo/f && git -C repo add f && git -C repo -c user.name=a -c user.email=b commit -q -m "$i"
	done
fi

test_lazy_prereq GIT 'needs git' 'git --version'
test_lazy_prereq TOOLS 'needs dd, tar, find and ls' 'dd --version && tar --version && find --version && ls --version'

test_expect_success TOOLS 'ls -lR' 'same_as_strace - - ls -lR tree'
test_expect_success TOOLS 'dd' 'same_as_strace - - dd if=/dev/zero of=o bs=512 count=20 status=none'
test_expect_success TOOLS 'tar' 'same_as_strace - - tar cf t.tar tree'
test_expect_success TOOLS 'find' 'same_as_strace - - find tree -type f'
test_expect_success GIT 'git log' 'same_as_strace - - git -C repo --no-pager log --stat'

# A few differ: a shared library that the kernel knows by another name, what clone3 wrote and rt_sigreturn restored.
strace_how="-f -yy" lines=95
test_expect_success TOOLS 'the lines of ls, dd, tar, find and cc are those of strace -yy' '
	same_as_strace - - ls -lR tree && same_as_strace - - dd if=/dev/zero of=o bs=512 count=20 status=none &&
	same_as_strace - - tar cf t.tar tree && same_as_strace - - find tree -type f &&
	same_as_strace brk,munmap - cc -c m.c
'
unset strace_how
lines=

# The compiler asks for memory in steps that depend on the addresses it gets (brk, munmap).
test_expect_success 'cc -c' 'same_as_strace brk,munmap - cc -c m.c'

# Its hash of strings has no seed here; addresses may still decide when memory is returned.
test_expect_success 'python' 'same_as_strace munmap,brk - python3 -I -S -B -c "import json; print(json.dumps([1]))"'

# When a shell hears of the ends of its children (SIGCHLD, wait4), and how much a pipe holds when it is read, is a matter of time.
in_time=rt_sigprocmask,rt_sigaction,rt_sigreturn,wait4
test_expect_success 'a pipeline' 'same_as_strace $in_time read sh -c "ls tree | cat | wc -l"'
test_expect_success 'a shell with files' 'same_as_strace $in_time - sh -c "echo a >x; cat x; rm x; cd /; (true); false"'

# Which calls of the same programs a set has.
names () { sed -E 's/^[0-9]+ +//; /^[<+-]/d; s/\(.*//; s/^syscall_.*/unknown/' "$1" | sort -u; }
test_workload syspredict
test_expect_success 'the sets of strace: %file, %desc, %stat ...' '
	printf "%s\n" "for p in files stats times inet polls signals limits memory fcntls descriptors; do" \
		"rm -rf pd; mkdir pd; ./syspredict \$p pd; done" >all.sh &&
	for set in %file %network %process %signal %memory %desc %stat %lstat %fstat %%stat %statfs %%statfs %creds %clock %pure; do
		strace -f -qq --signal=none -e "trace=$set" -o strace.out sh all.sh >/dev/null 2>&1 &&
		perf trace --style=strace -e "trace=$set" -o perf.out sh all.sh >/dev/null 2>&1 &&
		names strace.out >want && names perf.out >got && test_cmp want got || { echo "$set differs"; return 1; }
	done
'

test_done
