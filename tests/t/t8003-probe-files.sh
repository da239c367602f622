#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe: wherever debug information stands: split, shared, in type units, behind a server, in another root'
. "$(dirname "$0")/lib.sh"

test_require CC,X86_64
cp "$TOP/tests/workloads/probed.c" . || exit 1
S='leaf n s:string c np->in.bits np->arr[2] np->pin->name:string global_count'

# definition FILE: without what names the file and its addresses.
definition () { perf probe -x "$1" -D "$S" | sed 's|^p:[^ ]* [^ ]* ||; s|@+0x[0-9a-f]*|@|'; }

test_expect_success 'what the plain program has' '
	cc -g -O1 -o plain probed.c && definition ./plain >expect &&
	echo "n=%di:s32 s_string=+0(%si):string c=%cx:x8 bits=+12(%dx):b5@0/32 arr=+44(%dx):s16 name=+6(+32(%dx)):string global_count=@:s32" >want &&
	test_cmp want expect
'

for flags in -gdwarf-2 -gdwarf-3 -gdwarf-4 -gdwarf-5 '-g -gz=zlib' '-gdwarf-4 -fdebug-types-section' '-gdwarf-5 -fdebug-types-section' \
	'-g -gsplit-dwarf' '-gdwarf-4 -gsplit-dwarf' '-g -flto'; do
	test_expect_success "$flags" '
		rm -f p *.dwo && cc $flags -O1 -o p probed.c && definition ./p >out && test_cmp expect out && [ -s out ]
	'
done

test_lazy_prereq DWZ 'needs dwz' 'dwz --version'
for how in zlib-gnu zstd; do
	test_expect_success OBJDUMP "sections packed with $how" '
		objcopy --compress-debug-sections=$how plain p 2>err || { test_skip "objcopy cannot do it"; return; }
		if [ $how = zstd ] && ! perf version --build-options | grep -q "zstd: \[ on"; then test_skip "perf was built without libzstd"; return; fi
		readelf -SW p | grep -E "z?debug_info" && definition ./p >out && test_cmp expect out &&
		objcopy --only-keep-debug p p.debug && strip -g p && objcopy --add-gnu-debuglink=p.debug p && definition ./p >out && test_cmp expect out && [ -s out ]
	'
done

test_expect_success DWZ 'what dwz has moved out, found below --symfs' '
	cc -g -O1 -o a probed.c && cc -g -O1 -DOTHER -o b probed.c && mkdir -p moved && dwz -m "$PWD/moved/common" -M /gone/common a b &&
	test_must_fail perf probe -x ./a -D "$S" 2>err && test_grep "stand in ./gone/common., which is missing" err &&
	mkdir -p alt/gone && mv moved/common alt/gone/ && perf probe --symfs "$PWD/alt" -x ./a -D "$S" | sed "s|^p:[^ ]* [^ ]* ||; s|@+0x[0-9a-f]*|@|" >out && test_cmp expect out
'

test_expect_success 'split debug information that is gone is named, and what goes without works' '
	rm -f *.dwo && cc -g -gsplit-dwarf -O1 -o split probed.c && dwo=$(echo *.dwo) && mv "$dwo" away &&
	test_must_fail perf probe -x ./split -D "$S" 2>err &&
	test_grep "debug information of .leaf. stands in .$TRASH/$dwo., which is missing" err && test_grep "int: put the file back" err &&
	perf probe -x ./split -D leaf >out && test "$(wc -l <out)" = 1 &&
	mv away "$dwo" && definition ./split >out && test_cmp expect out
'

test_expect_success DWZ 'what dwz has moved out; and when that is gone' '
	cc -g -O1 -o a probed.c && cc -g -O1 -DOTHER -o b probed.c && dwz -m common a b &&
	definition ./a >out && test_cmp expect out && mv common away &&
	test_must_fail perf probe -x ./a -D "$S" 2>err && test_grep "types stand in .common., which is missing" err
'

test_expect_success 'debug information of another root; the definition is for the program itself' '
	mkdir -p root/opt/nowhere && cp plain root/opt/nowhere/prog &&
	perf probe --symfs root -x /opt/nowhere/prog -D "leaf n" >out &&
	sed "s|0x[0-9a-f]*|OFF|" out >out2 && echo "p:probe_prog/leaf /opt/nowhere/prog:OFF n=%di:s32" >expect2 && test_cmp expect2 out2
'

cat >serve.py <<\EOF
import http.server, sys
class H(http.server.SimpleHTTPRequestHandler):
	def log_message(self, *a):
		sys.stderr.write(self.path + "\n")
		sys.stderr.flush()
s = http.server.HTTPServer(("127.0.0.1", 0), H)
print(s.server_address[1], flush=True)
s.serve_forever()
EOF
test_lazy_prereq DEBUGINFOD 'needs a perf built with libdebuginfod' '"$BUILD/perf" version --build-options | grep -q "debuginfod: \[ on"'
test_expect_success DEBUGINFOD,PYTHON,OBJDUMP 'a server is asked once, and only if one is set' '
	cp plain served && id=$(readelf -n served | sed -n "s/.*Build ID: //p") && mkdir -p "srv/buildid/$id" &&
	objcopy --only-keep-debug served "srv/buildid/$id/debuginfo" && strip -g served &&
	{ (cd srv && exec python3 ../serve.py >../port 2>../asked) & } && server=$! &&
	for i in $(seq 100); do test -s port && break; sleep 0.1; done && test -s port &&
	export DEBUGINFOD_CACHE_PATH="$TRASH/dcache" && unset DEBUGINFOD_URLS &&
	test_must_fail perf probe -x ./served -D "$S" 2>err && test_grep "DEBUGINFOD_URLS" err && ! test -s asked &&
	export DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) &&
	definition ./served >out && test_cmp expect out && definition ./served >out && test_cmp expect out &&
	echo "/buildid/$id/debuginfo" >expect3 && test_cmp expect3 asked; status=$?
	kill $server; unset DEBUGINFOD_URLS; test $status = 0
'

# says SPEC TEXT: one message, with the next step.
says () {
	test_must_fail perf probe -x ./plain -n "$1" 2>err && printf "$2" >want && test_cmp want err
}
test_expect_success 'messages: what is wrong, and the next step' '
	says "leaf np->zz" "Error: '\''np->zz'\'': no member '\''zz'\'' in struct node\nHint: its members: next, in, pin, arr, grid, str\n" &&
	says "leaf n:string" "Error: '\''n'\'' cannot be shown as a string: int is neither array of nor pointer to char\nHint: write '\''n'\'' without '\'':string'\'': its type says how it is shown\n" &&
	says "leaf n:u65" "'\''u65'\'' is not a type\n  leaf n:u65\n         ^\nHint: types: u8 to u64, s8 to s64, x8 to x64, char, string, ustring, symbol, b<bits>@<offset>/<size>, and <type>[<number>]\n" &&
	says "leaf%return n" "Error: '\''n'\'': variables cannot be read at a function'\''s return\nHint: use \$retval here, or probe the entry for '\''n'\'' in an event of its own\n" &&
	says probed.c:1 "Error: probe point '\''probed.c:1'\'' not found: there is no code at this line\nHint: the nearest line with code of its own is probed.c:28; -L probed.c shows all\n" &&
	says probd.c:30 "Error: no source file '\''probd.c'\'' in the debug information of $TRASH/plain\nHint: did you mean '\''probed.c'\''?\n" &&
	says leaf@other.c "Error: '\''leaf'\'' is not in '\''other.c'\''\nHint: it is in '\''$TRASH/probed.c'\''\n" &&
	says 0xffffff "Error: the address 0xffffff is not in the code of $TRASH/plain\nHint: addresses are those of the file ('\''nm $TRASH/plain'\'' shows them), not of a running process\n" &&
	test_must_fail perf probe -x ./plain -n leaf+1000 2>err && test_grep "^Hint: .*objdump -d --disassemble=leaf" err &&
	test_must_fail perf probe -x ./plain -L probed.c:500 2>err && test_grep "^Hint: -L probed.c shows the whole file" err &&
	test_must_fail perf probe -x ./plain -L probd.c 2>err && test_grep "^Hint: did you mean .probed.c." err &&
	test_must_fail perf probe -x ./probed.c leaf 2>err && test_grep "^Hint: name a program or library; of a script, its interpreter" err &&
	test_must_fail perf probe -k ./probed.c -L leaf 2>err && test_grep "^Hint: a vmlinux or a module" err
'
# hint PATH TEXT: what is said of a program that is not there.
hint () { test_status 1 perf probe -x "$1" -D leaf 2>err && printf "Error: cannot open '%s': No such file or directory\n%b" "$1" "$2" >want && test_cmp want err; }
test_expect_success 'a program that is not there: the nearest name, or what is missing; nothing of containers' '
	mkdir -p binaries && cp plain binaries/spelled &&
	hint ./plian "Hint: did you mean '\''./plain'\''?\n" && hint plian "Hint: did you mean '\''plain'\''?\n" &&
	hint "$TRASH/binaires/spelled" "Hint: did you mean '\''$TRASH/binaries/spelled'\''?\n" &&
	hint binaries/speled "Hint: did you mean '\''binaries/spelled'\''?\n" &&
	hint binaires/unlike "Hint: there is no directory '\''binaires'\''\n" && hint binaries/unlike "" &&
	PATH="$TRASH/binaries:$PATH" hint speled "Hint: did you mean '\''spelled'\''?\n" &&
	hint xxyyzzxxyyzz "Hint: it is neither in this directory nor in one of PATH\n"
'
test_expect_success 'below another root, what is near is named as it is there' '
	mkdir -p elsewhere/only && cp plain elsewhere/only/prog &&
	test_status 1 perf probe --symfs "$TRASH/elsewhere" -x /only/porg -D leaf 2>err && test_grep "^Hint: did you mean ./only/prog.[?]$" err
'

test_expect_success 'an element outside of the array is fetched, and told' '
	perf probe -x ./plain -D "leaf np->arr[9]" >out 2>err && test_grep "arr=[+]58.%dx.:s16" out &&
	echo "Warning: '\''np->arr[9]'\'': element 9 is outside of the array, which has 4" >want && test_cmp want err
'

test_lazy_prereq MOUNTNS 'needs mount namespaces' 'unshare -m true && command -v nsenter'
G=pf$$x$RANDOM
trap 'perf probe -q -d "$G:*" >/dev/null 2>&1; test_at_exit' EXIT
test_expect_success UPROBES,PERF_SW,MOUNTNS 'a program of a container, by one of its processes' '
	mkdir -p ns && mkfifo go &&
	{ unshare -m sh -c "mount -t tmpfs none ns && cp plain ns/prog && echo \$\$ >nspid && read x <go" & } && keeper=$! &&
	for i in $(seq 100); do test -s nspid && break; sleep 0.1; done && pid=$(cat nspid) &&
	test_must_fail perf probe -x "$TRASH/ns/prog" leaf 2>err &&
	test_grep "^Hint: process $pid has it, in a root of its own .a container.: --target-ns $pid -x $TRASH/ns/prog$" err &&
	perf probe -q --target-ns $pid -x "$TRASH/ns/prog" "$G:leaf=leaf n s:string" &&
	perf record -q -e "$G:leaf" -o ns.data nsenter -t $pid -m "$TRASH/ns/prog" 3 >said && perf probe -q -d "$G:*" &&
	perf script -F trace -i ns.data | sed "s/^ *([0-9a-f]*) *//; s/ *$//" >out &&
	sed -n "s/^leaf \(n=[0-9]* s_string=\"[^\"]*\"\).*/\1/p" said >expect4 && test "$(wc -l <expect4)" = 3 && test_cmp expect4 out; status=$?
	echo >go; wait $keeper; test $status = 0
'

test_done
