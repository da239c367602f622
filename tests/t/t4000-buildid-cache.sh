#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf buildid-cache: adding, listing, removing, and the layout that upstream perf reads'
. "$(dirname "$0")/lib.sh"

export PERF_BUILDID_DIR=$TRASH/cache
file=$(readlink -f /bin/ls)
id=$(perf buildid-list -i "$file")

test_expect_success 'without a task it says what to do' '
	test_status 129 perf buildid-cache 2>err &&
	test_grep "nothing to do" err
'

test_expect_success 'an empty cache lists nothing' '
	perf buildid-cache -l >out &&
	test -f out && ! test -s out
'

test_expect_success 'a file is added under its real path, with a link by build-id' '
	perf buildid-cache -v -a /bin/ls >out &&
	echo "Added $id /bin/ls" >expect &&
	test_cmp expect out &&
	cmp "$file" "cache$file/$id/elf" &&
	test "$(readlink "cache/.build-id/${id:0:2}/${id:2}")" = "../..$file/$id"
'

test_expect_success 'it is listed once, also when it is added again' '
	perf buildid-cache -a "$file" &&
	perf buildid-cache -l >out &&
	echo "$id $file" >expect &&
	test_cmp expect out
'

test_expect_success 'files without a build-id are refused, the others still added' '
	echo text >plain &&
	test_status 1 perf buildid-cache -a "plain,/nonexistent,/bin/cat" 2>err &&
	test_grep "plain. is not a usable ELF file" err &&
	test_grep "/nonexistent" err &&
	perf buildid-cache -l >out &&
	test "$(wc -l <out)" = 2
'

test_expect_success 'removing by file' '
	perf buildid-cache -r /bin/ls &&
	! perf buildid-cache -l | grep -w ls &&
	test ! -e "cache$file/$id" &&
	test_status 1 perf buildid-cache -r /bin/ls 2>err &&
	test_grep "is not in the cache" err
'

test_expect_success 'purging by path, and all' '
	perf buildid-cache -a /bin/ls &&
	perf buildid-cache -p /bin/cat &&
	perf buildid-cache -l >out && test "$(wc -l <out)" = 1 &&
	perf buildid-cache -u /bin/ls &&
	perf buildid-cache -P &&
	perf buildid-cache -l >out && ! test -s out &&
	test_status 1 perf buildid-cache -p /bin/cat
'

# A file of our own: what is in the cache may be a hard link to what was added
test_expect_success 'what is damaged in there is made good by adding it again, and removed' '
	cp "$file" mine && e=cache$PWD/mine/$id && l=cache/.build-id/${id:0:2}/${id:2} && other=$(readlink -f /bin/cat) || return 1
	for damage in "rm -r $e" "rm $e/elf; mkdir $e/elf" "rm $e/elf; mkfifo $e/elf" "rm $e/elf; ln -s /dev/zero $e/elf" \
		"rm $e/elf; : >$e/elf" "rm $e/elf; cp $other $e/elf" "rm $l; ln -s ${id:2} $l" "rm $l; ln -s /etc $l"; do
		rm -rf cache && perf buildid-cache -a mine && eval "$damage" && case $damage in *mkdir*) rmdir "$e/elf" ;; esac &&
		timeout 20 perf buildid-cache -a mine && cmp mine "$l/elf" && eval "$damage" && timeout 20 perf buildid-cache -r mine &&
		test ! -L "$l" || { echo "$damage"; return 1; }
	done
'

test_expect_success UPSTREAM 'upstream perf and we read each other' '
	perf buildid-cache -a /bin/ls &&
	"$UPSTREAM" --buildid-dir "$TRASH/cache" buildid-cache -l >out &&
	test_grep "^$id $file" out &&
	"$UPSTREAM" --buildid-dir "$TRASH/cache" buildid-cache -r /bin/ls &&
	perf buildid-cache -l >out && ! test -s out &&
	"$UPSTREAM" --buildid-dir "$TRASH/cache" buildid-cache -a /bin/ls &&
	perf buildid-cache -l >out &&
	test_grep "^$id $file" out &&
	perf buildid-cache -r /bin/ls
'

test_expect_success KALLSYMS 'buildid-list -m: the kernel and its modules, with their places' '
	perf buildid-list -m >out && kernel=$(perf buildid-list -k) &&
	test_grep "^$kernel [0-9a-f]+ [0-9a-f]+ .kernel.kallsyms.\$" out &&
	awk "{ if (NF != 4 || \$2 >= \$3) { print; bad = 1 } } END { exit bad }" out
'

# HOME of somebody else, as after su -m: nothing is written there, and nothing is believed that is there.
test_expect_success ROOT,PERF_SW 'the cache of another user is not used, and named once' '
	told=": the build-id cache .$PWD/theirs/.debug. is not used: it belongs to user 12345, neither to you nor to root$" &&
	(unset PERF_BUILDID_DIR && HOME=$PWD/theirs && mkdir -p theirs/.debug && chown -R 12345 theirs &&
	test_status 1 perf buildid-cache -a /bin/ls 2>err && test_grep "$told" err && test_grep "^Hint: .*--buildid-dir $PWD/theirs/.debug" err &&
	perf record -e page-faults:u -c 1 -o o.data ls / >/dev/null 2>err && test_grep "$told" err && [ -z "$(ls -A theirs/.debug)" ] &&
	perf report --stdio -i o.data >out 2>err && test_grep "^Warning$told" err && [ "$(grep -c "is not used" err)" = 1 ] &&
	perf --buildid-dir "$PWD/theirs/.debug" buildid-cache -a /bin/ls && [ -n "$(ls -A theirs/.debug)" ])
'

test_expect_success 'a link within the cache is not followed when it is written' '
	rm -rf linked elsewhere && mkdir linked elsewhere && ln -s "$PWD/elsewhere" linked/usr && ln -s "$PWD/elsewhere" linked/bin &&
	test_status 1 perf --buildid-dir "$PWD/linked" buildid-cache -a /usr/bin/env 2>err && test_grep "nothing is written below .*linked/usr.: it is no directory, or a link" err &&
	[ -z "$(ls -A elsewhere)" ] && ln -s linked outer && rm linked/usr && perf --buildid-dir "$PWD/outer" buildid-cache -a /usr/bin/env
'

test_done
