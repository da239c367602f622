#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='where names, lines and inlined calls come from: forms of DWARF, files of its own for it, servers'
. "$(dirname "$0")/lib.sh"

[ -x "$BUILD/helper/address-data" ] || make -s -C "$TOP" O="$BUILD" "$BUILD/helper/address-data" >/dev/null 2>&1 ||
	test_skip_all 'needs build/helper/address-data (make tests)'
test_require X86_64,CC,OBJDUMP

cat >src.c <<\END
volatile int sink;
struct shared { int a, b; long c[4]; struct shared *next; } here;
static inline __attribute__((always_inline)) void inner(int n)
{
	sink += n;
}
static inline __attribute__((always_inline)) void middle(struct shared *s)
{
	inner(s->a + 1);
}
__attribute__((noinline)) static void outer(int n)
{
	here.a = n; middle(&here);
}
int main(int argc, char **argv)
{
	(void)argv;
	outer(argc);
	return 0;
}
END
cc -O1 -g -Wl,--build-id=sha1 -o plain src.c || test_skip_all 'the compiler makes no program'
symbol () { nm "$1" | awk -v n="$2" '$3 == n { print $1 }'; }
# The last byte of outer(): within inner()'s code or after it, the same in each form of one program
at=$(symbol plain outer)
sum=$(objdump -d --no-show-raw-insn plain | awk '/<outer>:/ { f = 1 } f && /sink/ { print $1; exit }'); sum=${sum%:}

# frames FILE [--build-id] [OPTION...]: of the instruction that adds
frames () {
	local file=$1 id=
	shift
	if [ "$1" = --build-id ]; then id=$1; shift; fi
	echo "$sum" | "$BUILD/helper/address-data" x.data "$file" $id &&
	# without a line there is "  FILE[ADDRESS]"
	perf script -i x.data -F ip,sym,srcline "$@" 2>err | sed 's/^\t *[0-9a-f]* //' | sed '/^$/d; /^  [^ :]*\[[0-9a-f]*\]$/d'
}
cat >whole <<\END
inner
  src.c:5 (inlined)
middle
  src.c:9 (inlined)
outer
  src.c:13
END
printf 'outer\n' >name_only
printf '[unknown]\n' >nothing

test_expect_success 'the plain program' 'frames plain >out && test_cmp whole out'

for how in zlib zlib-gnu zstd; do
	test_expect_success "debug sections packed: $how" "
		if ! objcopy --compress-debug-sections=$how plain packed 2>err; then test_skip 'objcopy cannot do it'; return; fi
		readelf -SW packed | grep -E 'z?debug_info' &&
		if [ $how = zstd ] && ! perf version --build-options | grep -q 'zstd: \[ on'; then test_skip 'perf was built without libzstd'; return; fi
		frames packed >out && test_cmp whole out
	"
done

for opts in '-gdwarf-5' '-gdwarf-4' '-gdwarf-4 -gstrict-dwarf'; do
	test_expect_success "cc -gsplit-dwarf $opts: the other half in a .dwo file" "
		mkdir -p split && ( cd split && cc -O1 -g -gsplit-dwarf $opts -o prog ../src.c ) && ls split/*.dwo &&
		sed 's|^  |  |' whole >expect &&
		(sum=\$(objdump -d --no-show-raw-insn split/prog | awk '/<outer>:/ { f = 1 } f && /sink/ { print \$1; exit }'); sum=\${sum%:}
		frames split/prog) >out && test_cmp expect out && rm -r split
	"
done

# Types in units of their own (DW_FORM_ref_sig8), an index of names (.debug_names), 64-bit DWARF, link-time optimization
while read -r how; do
	test_expect_success "$how" "
		mkdir -p split && if ! ( cd split && $how -O1 -g -o prog ../src.c ) 2>err; then cat err; test_skip 'the compiler does not do it'; return; fi
		(sum=\$(objdump -d --no-show-raw-insn split/prog | awk '/<outer>:/ { f = 1 } f && /sink/ { print \$1; exit }'); sum=\${sum%:}
		frames split/prog) >out && test_cmp whole out && rm -r split
	"
done <<\END
cc -gdwarf-5 -fdebug-types-section
cc -gdwarf-4 -fdebug-types-section
cc -gdwarf-5 -gdwarf64
cc -gsplit-dwarf -gdwarf-4 -fdebug-types-section
cc -flto
clang -gdwarf-5 -fdebug-types-section
clang -gsplit-dwarf -gdwarf-5 -fdebug-types-section
clang -gdwarf-5 -glldb
clang -gdwarf-5 -glldb -gsplit-dwarf
clang -flto -fuse-ld=lld
END

test_expect_success 'split DWARF without its .dwo file: names and lines are still there' '
	mkdir -p split && ( cd split && cc -O1 -g -gsplit-dwarf -o prog ../src.c && rm ./*.dwo ) &&
	(sum=$(objdump -d --no-show-raw-insn split/prog | awk "/<outer>:/ { f = 1 } f && /sink/ { print \$1; exit }"); sum=${sum%:}
	frames split/prog) >out && printf "outer\n  src.c:5\n" >expect && test_cmp expect out && rm -r split
'

test_lazy_prereq DWZ 'needs dwz' 'command -v dwz'
test_expect_success DWZ 'DWARF shared by two programs in a supplementary file (dwz -m)' '
	mkdir -p shared && cp plain shared/a && sed "s/argv/arguments/" src.c >other.c && cc -O1 -g -Wl,--build-id=sha1 -o shared/b other.c &&
	( cd shared && dwz -m common.dbg a b ) && readelf -SW shared/a | grep gnu_debugaltlink &&
	frames shared/a >out && test_cmp whole out
'

test_expect_success DWZ 'of a debug file in the cache: by build-id, and beside the program' '
	id=$(perf buildid-list -i shared/a 2>/dev/null || readelf -n shared/a | awk "/Build ID/ { print \$3 }") && id=${id%% *} &&
	d=$HOME/.debug/.build-id/${id:0:2}/${id:2} && mkdir -p "$d" && objcopy --only-keep-debug shared/a "$d/debug" && cp shared/a stripped &&
	strip stripped && mkdir -p elsewhere && mv shared/common.dbg elsewhere/ &&
	frames stripped --build-id >out && grep -v inlined out && ! grep -q "^inner" out &&
	alt=$(readelf -n elsewhere/common.dbg | awk "/Build ID/ { print \$3 }") && e=$HOME/.debug/.build-id/${alt:0:2}/${alt:2} &&
	mkdir -p "$e" && mv elsewhere/common.dbg "$e/debug" &&
	frames stripped --build-id >out && test_cmp whole out && rm -r "$HOME/.debug"
'

test_expect_success 'MiniDebugInfo: names of a stripped program (.gnu_debugdata)' '
	xz --version >/dev/null 2>&1 || { test_skip "needs xz"; return; }
	if ! perf version --build-options | grep -q "lzma: \[ on"; then test_skip "perf was built without liblzma"; return; fi
	objcopy --only-keep-debug plain mini && objcopy --strip-debug mini mini2 && xz -k mini2 && cp plain small && strip small &&
	frames small >out && test_cmp nothing out &&
	objcopy --add-section .gnu_debugdata=mini2.xz small && frames small >out && test_cmp name_only out
'

test_expect_success 'a debug file below --symfs, by build-id and by debug link' '
	id=$(readelf -n plain | awk "/Build ID/ { print \$3 }") && cp plain bare && strip bare && echo "$PWD" >pwd &&
	mkdir -p "sys$PWD" "sys/usr/lib/debug/.build-id/${id:0:2}" && cp bare "sys$PWD/bare" &&
	objcopy --only-keep-debug plain "sys/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" &&
	frames bare --build-id --symfs "$PWD/sys" >out && test_cmp whole out &&
	rm -r sys/usr && frames bare --build-id --symfs "$PWD/sys" >out && test_cmp nothing out &&
	objcopy --only-keep-debug plain bare.debug && objcopy --add-gnu-debuglink=bare.debug "sys$PWD/bare" &&
	mkdir -p "sys$PWD/.debug" && mv bare.debug "sys$PWD/.debug/" &&
	frames bare --build-id --symfs "$PWD/sys" >out && test_cmp whole out
'

# frames() takes the file away when it asks
test_expect_success 'files below --symfs by their names alone: layout flat' '
	id=$(readelf -n plain | awk "/Build ID/ { print \$3 }") && cp plain bare && strip bare && mkdir flat "odd,name" && cp bare flat/ &&
	objcopy --only-keep-debug plain "flat/${id:2}.debug" && frames bare --build-id --symfs "$PWD/flat,flat" >out && test_cmp whole out &&
	frames bare --build-id --symfs "$PWD/flat" >out && test_cmp nothing out &&
	frames bare --build-id --symfs "$PWD/flat,hierarchy" >out && test_cmp nothing out &&
	rm "flat/${id:2}.debug" && objcopy --only-keep-debug plain flat/bare.debug && objcopy --add-gnu-debuglink=flat/bare.debug flat/bare &&
	frames bare --build-id --symfs "$PWD/flat,flat" >out && test_cmp whole out && mv flat/* "odd,name/" &&
	frames bare --build-id --symfs "$PWD/odd,name,flat" >out && test_cmp whole out &&
	frames bare --build-id --symfs "$PWD/odd,name" >out && test_cmp nothing out &&
	! perf script -i x.data --symfs "$PWD/odd,other" 2>err && test_grep "^Error: invalid layout .other. of --symfs" err &&
	test_grep "hierarchy.*flat" err
'

# ---- debuginfod: a server of our own, with a log of what it was asked for

cat >server.py <<\END
import http.server, os, sys, threading, time
together = threading.Barrier(4)		# with the file "together" the first four are answered when the fourth has come
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open("asked", "a") as log: log.write(self.path + "\n")
        if os.path.exists("together"):
            try: together.wait(15)
            except threading.BrokenBarrierError:
                self.send_response(404); self.end_headers(); return
        if os.path.exists("hang"):
            while os.path.exists("hang"): time.sleep(0.1)
            return
        name = os.path.join("served", self.path.strip("/").replace("/", "_"))
        if not os.path.exists(name):
            self.send_response(404); self.end_headers(); return
        data = open(name, "rb").read()
        self.send_response(200); self.send_header("Content-Length", str(len(data))); self.end_headers(); self.wfile.write(data)
    def log_message(self, *args): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open("port.new", "w") as f: f.write(str(server.server_address[1]))
os.rename("port.new", "port")
server.serve_forever()
END
test_lazy_prereq DEBUGINFOD 'needs python3 and libdebuginfod' \
	'python3 --version && python3 -c "import ctypes; ctypes.CDLL(\"libdebuginfod.so.1\")"'

test_expect_success DEBUGINFOD 'debuginfod: what the server has is used' '
	mkdir -p served && { python3 server.py >/dev/null 2>&1 & test_kill_at_end $!; } &&
	test_wait_for 20 "[ -s port ]" && id=$(readelf -n plain | awk "/Build ID/ { print \$3 }") &&
	objcopy --only-keep-debug plain "served/buildid_${id}_debuginfo" && cp plain "served/buildid_${id}_executable" &&
	export DEBUGINFOD_CACHE_PATH=$PWD/dcache && cp plain naked && strip naked && : >asked &&
	DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) frames naked --build-id >out && test_cmp whole out &&
	test_grep "/buildid/$id/debuginfo" asked
'

test_expect_success DEBUGINFOD 'it is asked once: then the client has it' '
	: >asked && DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) frames naked --build-id >out && test_cmp whole out &&
	test_cmp /dev/null asked
'

test_expect_success DEBUGINFOD 'it is not asked without DEBUGINFOD_URLS or --debuginfod, nor with --no-debuginfod' '
	rm -rf dcache && : >asked && frames naked --build-id >out && test_cmp nothing out &&
	DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) frames naked --build-id --no-debuginfod >out && test_cmp nothing out &&
	test_cmp /dev/null asked && frames naked --build-id --debuginfod=http://127.0.0.1:$(cat port) >out && test_cmp whole out
'

test_expect_success DEBUGINFOD 'a program that is gone comes from the server, too' '
	rm -rf dcache && : >asked && echo "$sum" | "$BUILD/helper/address-data" x.data naked --build-id && mv naked kept &&
	DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) perf script -i x.data -F ip,sym,srcline | sed "s/^\t *[0-9a-f]* //; /^\$/d" >out &&
	mv kept naked && test_cmp whole out && test_grep "/executable" asked
'

test_expect_success DEBUGINFOD 'an answer "not known" is remembered' '
	rm -rf dcache served/* && : >asked && DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) frames naked --build-id >out &&
	test_cmp nothing out && [ "$(grep -c debuginfo asked)" = 1 ] && : >asked &&
	DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) frames naked --build-id >out && test_cmp nothing out && test_cmp /dev/null asked
'

test_expect_success DEBUGINFOD 'a server that is not there is no error' '
	rm -rf dcache && DEBUGINFOD_URLS=http://127.0.0.1:1 frames naked --build-id >out && test_cmp nothing out
'

test_expect_success DEBUGINFOD 'files of four programs are asked for at the same time, each once' '
	rm -rf dcache served && mkdir served && : >asked && : >four && : >input && : >whole4 &&
	for i in 0 1 2 3; do
		cc -O1 -g -Wl,--build-id=0x0123456789abcdef0123456789abcdef0123456$i -o four$i src.c &&
		objcopy --only-keep-debug four$i served/buildid_0123456789abcdef0123456789abcdef0123456${i}_debuginfo &&
		strip four$i && echo $PWD/four$i >>four && echo "$sum $i" >>input && cat whole >>whole4 || return 1
	done && cat input input input >>input3 &&
	"$BUILD/helper/address-data" x.data --ids four <input3 && : >together &&
	DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) perf script -i x.data -F ip,sym,srcline >script 2>err; rm together &&
	sed "s/^\t *[0-9a-f]* //; /^\$/d" script >out && cat whole4 whole4 whole4 >want && test_cmp want out &&
	[ $(grep -c /debuginfo asked) = 4 ] && [ $(sort -u asked | wc -l) = $(wc -l <asked) ] && test_cmp /dev/null err
'

test_expect_success DEBUGINFOD 'a server that hangs is waited for once, and it is said how to go without' '
	rm -rf dcache && : >asked && : >hang && url=http://127.0.0.1:$(cat port) &&
	DEBUGINFOD_RETRY_LIMIT=1 DEBUGINFOD_TIMEOUT=1 DEBUGINFOD_URLS=$url perf script -i x.data -F ip,sym,srcline >script 2>err; rm hang &&
	[ $(grep -c "\[unknown\]" script) = 12 ] && [ $(sort -u asked | wc -l) -le 4 ] &&
	sed "s/in [0-9]* s/in N s/" err | grep debuginfod >said &&
	echo "debuginfod: no answer from $url in N s: not asked again (--no-debuginfod does without)" >want && test_cmp want said
'

cat >terminal.py <<'END'
import os, pty, sys
out, tty = pty.openpty()
pid = os.fork()
if not pid:
    os.dup2(tty, 2); os.close(out); os.execvp(sys.argv[1], sys.argv[1:])
os.close(tty)
try:
    while True: sys.stdout.buffer.write(os.read(out, 4096))
except OSError: pass
os.waitpid(pid, 0)
END
test_expect_success DEBUGINFOD 'on a terminal a line tells how far it is' '
	rm -rf dcache && : >asked && : >hang && url=http://127.0.0.1:$(cat port) &&
	TERM=xterm DEBUGINFOD_RETRY_LIMIT=1 DEBUGINFOD_TIMEOUT=3 DEBUGINFOD_URLS=$url python3 terminal.py sh -c \
		"perf script -i x.data -F ip,sym,srcline >script" >seen; rm hang &&
	tr "\r" "\n" <seen >lines && test_grep "debuginfod: 0 of [1-4] files, 0 KB, [0-9]+ s" lines && test_grep "not asked again" seen
'

test_expect_success DEBUGINFOD,PERF_SW 'record --debuginfod and buildid-cache --debuginfod keep debug files: later no server is needed' '
	url=http://127.0.0.1:$(cat port) && printf "%s\n" "int main(void)" "{" "	volatile long x = 0;" "	for (long i = 0; i < 100000000; i++)" "		x += i;" "	return 0;" "}" >turns.c &&
	${CC:-cc} -g -O1 -Wl,--build-id -o turns.full turns.c && turns=$(readelf -n turns.full | awk "/Build ID/ { print \$3 }") && objcopy --only-keep-debug turns.full "served/buildid_${turns}_debuginfo" &&
	cp turns.full turns && strip turns && rm -rf dcache && : >asked &&
	perf --buildid-dir "$PWD/kept" record -q -e task-clock:u --debuginfod=$url -o turns.data ./turns && test_grep "^/buildid/$turns/debuginfo$" asked && ! grep "$turns/executable" asked &&
	cmp "$(find kept -path "*$turns/debug")" "served/buildid_${turns}_debuginfo" && rm -rf dcache && : >asked &&
	perf --buildid-dir "$PWD/kept" script --no-debuginfod -i turns.data -F ip,sym,srcline 2>/dev/null | grep -q "turns.c:[45]" && test_cmp /dev/null asked &&
	perf --buildid-dir "$PWD/alone" buildid-cache -a turns && [ -z "$(find alone -name debug)" ] && test_cmp /dev/null asked &&
	perf --buildid-dir "$PWD/alone" buildid-cache -v -u turns --debuginfod=$url >out && test_grep "^Added the debug file of $turns turns$" out && [ -n "$(find alone -path "*$turns/debug")" ] &&
	: >asked && perf --buildid-dir "$PWD/none" record -q -e task-clock:u -o turns.data ./turns && DEBUGINFOD_URLS=$url perf --buildid-dir "$PWD/none" record -q -e task-clock:u -o turns.data ./turns && test_cmp /dev/null asked &&
	perf --buildid-dir "$PWD/none" record -q -e task-clock:u --debuginfod=http://127.0.0.1:1 -o turns.data ./turns
'

test_expect_success PERF_SW 'record --vmlinux: only that of the running kernel' '
	test_status 1 perf record -q -e task-clock --vmlinux nosuch -o v.data true 2>err && test_grep "nosuch" err && ! [ -e v.data ] &&
	if [ -r /sys/kernel/notes ]; then test_status 1 perf record -q -e task-clock --vmlinux /bin/true -o v.data true 2>err && test_grep "^Error: ./bin/true. is of another kernel than the one that runs: it has another build-id$" err; fi
'

# ---- only what samples hit is opened

test_expect_success STRACE 'of 1,000 libraries that a process maps only the two that were hit are opened' '
	mkdir -p libs && cp plain libs/l0 && seq -f libs/l%g 1 999 | xargs -n 1 ln libs/l0 &&
	seq -f "$PWD/libs/l%g" 0 999 >maps &&
	printf "%s 7\n%s 930\n%s 7\n" "$sum" "$sum" "$sum" | "$BUILD/helper/address-data" many.data --maps maps &&
	strace -f -e trace=open,openat,openat2 -o trace perf script -i many.data -F ip,sym,srcline >out 2>err &&
	[ "$(grep -c "^inner\|[0-9a-f] inner" out)" = 3 ] &&
	grep -o "libs/l[0-9]*\"" trace | sort -u >opened && printf "libs/l930\"\nlibs/l7\"\n" | sort >expect && test_cmp expect opened &&
	strace -f -e trace=open,openat,openat2 -o trace perf report -i many.data --stdio >out 2>err &&
	grep -o "libs/l[0-9]*\"" trace | sort -u >opened && test_cmp expect opened
'

test_done
