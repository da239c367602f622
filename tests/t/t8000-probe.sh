#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe: definitions, lines, variables, functions, messages (nothing is written to the kernel)'
. "$(dirname "$0")/lib.sh"

test_require CC
cp "$TOP/tests/workloads/probed.c" probed.c
cc -g -O1 -o o1 probed.c && cc -g -O0 -o o0 probed.c && cc -O1 -o plain probed.c && cp o1 stripped && strip stripped || exit 1

# The address of a symbol in a file, and its offset in the file as perf must write it.
entry () { nm "$1" | awk -v n="$2" '$3 == n { sub(/^0+/, "", $1); print "0x" $1 }'; }

test_expect_success 'a function: its entry as offset in the file' '
	perf probe -x ./o1 -D leaf >out &&
	echo "p:probe_o1/leaf $TRASH/o1:$(entry o1 leaf)" >expect && test_cmp expect out &&
	perf probe -x ./o1 -D leaf+4 >out &&
	test_grep "^p:probe_o1/leaf $TRASH/o1:0x[0-9a-f]+$" out &&
	perf probe -x ./o1 -D "g1:ev=leaf%return \$retval" >out &&
	echo "r:g1/ev__return $TRASH/o1:$(entry o1 leaf) \$retval" >expect && test_cmp expect out
'

test_expect_success 'without symbols of its own only what is exported can be found; without DWARF the functions still are' '
	perf probe -x ./plain -D leaf >out &&
	echo "p:probe_plain/leaf $TRASH/plain:$(entry plain leaf)" >expect && test_cmp expect out &&
	test_must_fail perf probe -x ./plain -D "leaf n" 2>err &&
	test_grep "has no debug information" err && test_grep "^Hint: .*-g" err &&
	test_must_fail perf probe -x ./stripped -D leaf 2>err &&
	test_grep "no function .leaf. in" err
'

test_expect_success 'a separate debug file by its build-id' '
	test_have OBJDUMP || { test_skip "$test_missing"; return; }
	id=$(readelf -n o1 | awk "/Build ID/ { print \$3 }") && test -n "$id" || { test_skip "the linker writes no build-id"; return; }
	mkdir -p ".home/.debug/.build-id/${id:0:2}/${id:2}" &&
	objcopy --only-keep-debug o1 ".home/.debug/.build-id/${id:0:2}/${id:2}/debug" &&
	perf probe -x ./stripped -D "ev=leaf n" >out &&
	perf probe -x ./o1 -D "ev=leaf n" | sed "s,/o1:,/stripped:,; s,probe_o1,probe_stripped," >expect &&
	test_cmp expect out && test_grep "^p:probe_stripped/ev .* n=" out && rm -r .home/.debug
'

test_expect_success X86_64 'arguments at the entry are in the registers of the ABI' '
	perf probe -x ./o1 -D "leaf n s:string np c np->arr[2] np->in.a" >out &&
	sed "s/^[^ ]* [^ ]* //" out >args &&
	echo "n=%di:s32 s_string=+0(%si):string np=%dx:x64 c=%cx:x8 arr=+44(%dx):s16 a=+8(%dx):s32" >expect && test_cmp expect args &&
	perf probe -x ./o1 -D "leaf np->in.bits np->in.more np->grid[1][2] np->next->in.a" | sed "s/^[^ ]* [^ ]* //" >args &&
	echo "bits=+12(%dx):b5@0/32 more=+12(%dx):b7@5/32 grid=+57(%dx):x8 a=+8(+0(%dx)):s32" >expect && test_cmp expect args
'

test_expect_success 'an inlined function: one event at all its copies' '
	perf probe -x ./o1 -D twice >out &&
	test "$(wc -l <out)" -ge 2 && test "$(cut -d" " -f1 out | sort -u)" = p:probe_o1/twice &&
	test_must_fail perf probe -x ./o1 -D twice --no-inlines 2>err &&
	test_must_fail perf probe -x ./o1 -D "twice%return" 2>err && test_grep "only inlined copies" err
'

test_expect_success 'globs make an event for each function' '
	perf probe -x ./o1 --no-inlines -D "*o*" | sed "s/ .*//" | sort >out &&
	printf "p:probe_o1/one\np:probe_o1/two\n" >expect && test_cmp expect out
'

test_expect_success 'names that are there twice get numbers, arguments too' '
	perf probe -x ./o1 -D "leaf n n" >out && test_grep " n=[^ ]* n_1=" out
'

test_expect_success 'lines: -L, with source and without, and the probe on a line it shows' '
	perf probe -x ./o0 -L leaf >out &&
	head -n 2 out >head &&
	printf "<leaf@%s:0>\n      0  %s\n" "$TRASH/probed.c" "$(grep "long leaf" probed.c)" >expect && test_cmp expect head &&
	test_grep "^      4  .sum \+= strlen" out && test_grep "^         \{$" out &&
	perf probe -x ./o0 -L leaf:4-5 >out && test "$(wc -l <out)" = 3 &&
	perf probe -x ./o0 -L probed.c:31-40 >out && test_grep "^<$TRASH/probed.c:31>$" out &&
	perf probe -x ./o0 -D leaf:4 >out && test_grep "^p:probe_o0/leaf_L4 " out &&
	perf probe -x ./o0 -D "leaf;sum+=np*" >out && test_grep "^p:probe_o0/leaf " out &&
	mv probed.c hidden.c &&
	perf probe -x ./o0 -L leaf >out 2>err; mv hidden.c probed.c &&
	test_grep "cannot open .*probed.c" err && test_grep "^      4  $" out
'

test_expect_success 'variables: -V' '
	perf probe -x ./o0 -V leaf:4 >out &&
	test_grep "^Available variables at leaf:4$" out && test_grep "^	@<leaf\+[0-9]+>$" out &&
	test_grep "^		char\*	s$" out && test_grep "^		struct node\*	np$" out && test_grep "^		unsigned char	c$" out &&
	perf probe -x ./o0 -V leaf:4 --externs >out && test_grep "^		int	global_count$" out &&
	perf probe -x ./o1 -V leaf --range >out && test_grep "^		\[VAL\]	int	n	@<leaf\+\[0-" out
'

test_expect_success 'functions: -F, filters, and a file behind it' '
	perf probe -F -x ./o1 >out &&
	for f in leaf main one two; do grep -qx $f out || return 1; done &&
	! grep -qx "_start\|global_count" out &&
	perf probe -F --filter "o* | two" -x ./o1 >out && printf "one\ntwo\n" >expect && test_cmp expect out &&
	perf probe -F ./o1 >out && grep -qx leaf out
'

test_expect_success 'messages name the place and the next step' '
	test_must_fail perf probe -x ./o1 -D "leaf:x" 2>err && test_grep "^ *\^$" err &&
	test_must_fail perf probe -x ./o1 -D laef 2>err && test_grep "did you mean .leaf." err &&
	test_must_fail perf probe -x ./o1 -D "leaf zzz" 2>err && test_grep "no variable .zzz." err && test_grep "n, s, np, c" err &&
	test_must_fail perf probe -x ./o1 -D "leaf np->nxet" 2>err && test_grep "did you mean .next." err &&
	test_must_fail perf probe -x ./o1 -D "leaf np.next" 2>err && test_grep "must be written with .->." err &&
	test_must_fail perf probe -x ./o1 -D "leaf n:string" 2>err && test_grep "cannot be shown as a string" err &&
	test_must_fail perf probe -x ./o1 -D "leaf+100000" 2>err && test_grep "past the end of .leaf." err &&
	test_must_fail perf probe -x ./o1 -D "leaf:500" 2>err && test_grep "no code at this line" err &&
	test_must_fail perf probe -x ./o1 -D "leaf \$retval" 2>err && test_grep "%return" err &&
	test_must_fail perf probe -x ./nosuch -D leaf 2>err && test_grep "nosuch" err &&
	test_must_fail perf probe -x ./probed.c -D leaf 2>err && test_grep "no ELF file" err &&
	test_must_fail perf probe -x ./o1 -D "%no:marker" 2>err && test_grep "no SDT markers" err &&
	test_must_fail perf probe -m no_such_module -D f 2>err && test_grep "module .no_such_module. is not loaded" err &&
	test_must_fail perf probe -k ./nosuch -L f 2>err && test_grep "nosuch" err &&
	test_status 129 perf probe -D leaf -a leaf 2>err
'

test_expect_success 'a second probe written as an argument of the first, or after another option' '
	H="Hint: '\''one'\'' is a function, and words after a definition are its arguments: each further probe wants an -a of its own (-a one)" &&
	test_status 1 perf probe -x ./o1 -n leaf one 2>err && test_grep "^Error: no variable .one. is in scope" err && grep -qxF "$H" err &&
	test_status 1 perf probe -x ./plain -n leaf one 2>err && test_grep "has no debug information" err && grep -qxF "$H" err &&
	test_status 1 perf probe -x ./o1 -n laef one 2>err && test_grep "^Hint: did you mean .leaf." err &&
	perf probe -x ./o1 -n -a leaf -a one 2>err && test_grep "^Would add new events:$" err &&
	for o in D L V; do
		test_status 129 perf probe -x ./o1 -$o leaf one 2>err &&
		test_grep "^ *Error: .one. belongs to no option: quote an argument that has blanks, or give each one its own -$o$" err || return 1
	done
'

test_expect_success 'the cache: kept by build-id, listed, used without debug information, deleted' '
	readelf -n o1 | grep -q "Build ID" || { test_skip "the linker writes no build-id"; return; }
	perf probe --cache -x ./o1 -D "cg:lf=leaf n" >expect &&
	id=$(readelf -n o1 | awk "/Build ID/ { print \$3 }") &&
	perf probe --cache -l >out && printf "%s/o1 (%s):\ncg:lf=leaf n\n" "$TRASH" "$id" >list && test_cmp list out &&
	perf probe -x ./o1 -D %cg:lf >out && test_cmp expect out &&
	perf probe -x ./o1 -D %lf >out && test_cmp expect out &&
	perf probe --cache -d "cg:*" 2>err && echo "Removed cached event: cg:lf=leaf n" >expect && test_cmp expect err &&
	test_must_fail perf probe -x ./o1 -D %cg:lf 2>err &&
	test_must_fail perf probe --cache -d "cg:*" 2>err && test_grep "does not hit any cached event" err &&
	rm -r .home/.debug
'

test_expect_success 'the boot configuration has no user probes' '
	test_must_fail perf probe --bootconfig -x ./o1 -D "g:ev=leaf" 2>err && test_grep "kernel only" err
'

test_expect_success 'damaged files do not hurt' '
	size=$(stat -c %s o1) &&
	for cut in 3 4 7; do
		head -c $((size * cut / 8)) o1 >bad &&
		perf probe -x ./bad -D "leaf n" >out 2>err; s=$?
		test $s = 0 && test -s out || { test $s = 1 && grep -q "^Error: " err; } || { echo "status $s"; cat err; return 1; }
		perf probe -x ./bad -L leaf >out 2>err; s=$?
		test $s = 0 && test -s out || { test $s = 1 && grep -q "^Error: " err; } || { echo "status $s"; cat err; return 1; }
	done
'

test_expect_success X86_64 'an image of a kernel: places by symbols, arguments and variables as ever' '
	perf probe -k ./o1 -D "leaf n np->in.a" >out &&
	echo "p:probe/leaf leaf+0 n=%di:s32 a=+8(%dx):s32" >expect && test_cmp expect out &&
	perf probe -k ./o1 -D "leaf%return ret=\$retval" >out && echo "r:probe/leaf__return leaf+0 ret=\$retval" >expect && test_cmp expect out &&
	perf probe -k ./o1 -D "leaf global_count" >out && test_grep "global_count=@global_count\+0:s32$" out &&
	perf probe -k ./o1 --bootconfig -D "one x" >out &&
	echo "ftrace.event.kprobes.one.probes = '"'"'one+0 x=%di:s32'"'"'" >expect && test_cmp expect out &&
	perf probe -k ./o1 -V leaf >out && test_grep "^	@<leaf\+0>$" out &&
	perf probe -k ./o1 -L one >out && test_grep "^      0  .*int one" out
'

test_expect_success 'without the debug information of the kernel it is said where none was found' '
	mkdir -p empty && r=$(uname -r) &&
	for how in "-L vfs_read" "-V vfs_read" "-D vfs_read:2"; do
		test_status 1 perf probe --symfs "$TRASH/empty" $how >out 2>err && ! test -s out &&
		test_grep "^Error: there is no debug information of the kernel $r: its vmlinux was not found$" err &&
		test_grep "linux-image-$r-dbg;" err && test_grep "^ *It is none of $TRASH/empty/usr/lib/debug/boot/vmlinux-$r, " err &&
		test_grep ", $TRASH/empty/usr/lib/debug/.build-id/../.*.debug$" err || return 1
	done &&
	mkdir -p empty/boot && cp plain "empty/boot/vmlinux-$r" && test_status 1 perf probe --symfs "$TRASH/empty" -L vfs_read 2>err &&
	test_grep ", $TRASH/empty/boot/vmlinux-$r .of another kernel., " err && rm -r empty &&
	test_status 1 perf probe -k ./plain -L leaf 2>err && test_grep "^Error: ../plain. has no debug information$" err &&
	test_grep "CONFIG_DEBUG_INFO=y" err && test_grep "^ *-k FILE names another file$" err
'

test_expect_success X86_64 'a module in a file: its addresses need relocation' '
	printf "static int other(int a) { return a; }\nint mod_one(int x, char *s) { return x + s[0]; }\nint mod_two(int y) { return mod_one(y, \"a\") + other(y); }\n" >mod.c &&
	cc -g -O1 -fno-inline -c -o mod-x.ko mod.c &&
	perf probe -m "$TRASH/mod-x.ko" -D "mod_two y" >out &&
	echo "p:probe/mod_two mod_x:mod_two+0 y=%di:s32" >expect && test_cmp expect out &&
	perf probe -m "$TRASH/mod-x.ko" -D "mod_one x s:string" >out &&
	echo "p:probe/mod_one mod_x:mod_one+0 x=%di:s32 s_string=+0(%si):string" >expect && test_cmp expect out &&
	perf probe -m "$TRASH/mod-x.ko" -V mod_two >out && test_grep "^	@<mod_two\+0>$" out &&
	perf probe -m "$TRASH/mod-x.ko" -F >out && grep -qx mod_one out
'

test_expect_success KALLSYMS,ROOT 'kernel functions have a definition on any kernel' '
	name=$(awk "\$2 == \"T\" && \$3 ~ /^vfs_[a-z]+$/ { print \$3; exit }" /proc/kallsyms) && test -n "$name" || { test_skip "no vfs_ function"; return; }
	perf probe -D "$name" >out 2>err || { test_grep "cannot be probed" err && test_skip "it may not be probed"; return; }
	test_grep "^p:probe/$name (_text|$name)\+[0-9]+$" out
'

test_expect_success ROOT,!KPROBES 'a kernel without kprobes says so, with the name of the setting' '
	test_must_fail perf probe vfs_read 2>err && test_grep "kprobe_events|tracefs" err &&
	{ test_grep "CONFIG_KPROBE_EVENTS=y" err || test_grep "tracefs|permission" err; }
'

cat >specs <<\EOF
leaf
leaf+4
leaf%return
leaf%return $retval
leaf n s np c
leaf s:string
leaf np->arr[2] np->in.a b=np->next->in.a np->ui
leaf np->in.name:string
leaf np->str:string np->pin->a
leaf np->str@user
leaf n:u8 m=n:x16
leaf x=%di y=+0(%si):u8 $stack2
one x
two x
twice
main argc argv
leaf@probed.c
ev=leaf n
gg:ev=leaf n
0x1200
EOF
test_expect_success NEWEST,X86_64 'the same definitions as the newest upstream perf one' '
	for f in o0 o1; do
		while IFS= read -r s; do
			"$NEWEST" probe -x ./$f -D "$s" 2>/dev/null | grep "^[pr]:" >expect &&
			perf probe -x ./$f -D "$s" >out 2>err || { echo "$f: $s"; cat err; return 1; }
			test_cmp expect out || { echo "$f: $s"; return 1; }
		done <specs
	done
'

test_expect_success NEWEST 'the same lines and variables as the newest upstream perf one' '
	for f in o0 o1; do
		for a in "-L leaf" "-L main" "-L one" "-V leaf" "-V one" "-V main"; do
			"$NEWEST" probe -x ./$f $a >expect 2>/dev/null && perf probe -x ./$f $a >out || return 1
			test_cmp expect out || { echo "$f: $a"; return 1; }
		done
	done
'

test_done
