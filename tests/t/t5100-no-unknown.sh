#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='code that has symbols anywhere on the machine has its name, also when the file is gone at report time'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/named.sh"

test_require PERF_SW,CC
test_workload counted
test_workload agent

# Dumps of all stacks at once, while the recorder does not run: what is lost is named nowhere. Others may not lock so much memory.
room=; test_have ROOT && room='-m 16M'

# The recorder holds the open file FILE (its data file may have a name that begins like it)
holds () { ls -l /proc/$recorder/fd 2>/dev/null | sed "s/.* -> //" | grep -qxF -e "$1" -e "$1 (deleted)"; }

# record MODE DATA FILE HOOK COMMAND...: the command waits; when the recorder has FILE open, HOOK is evaluated, then it goes on
record () {
	local mode=$1 data=$2 file=$3 hook=$4
	shift 4
	rm -f in out && mkfifo in &&
	{ perf record -q --call-graph $mode $room -e page-faults:u -c 1 -o $data -- "$@" <in >out & } &&
	recorder=$! && test_kill_at_end $recorder && exec 5>in &&
	test_wait_for 60 'grep -q ready out && holds "$file"' && eval "$hook" && echo go >&5 && exec 5>&- && wait $recorder
}

both () { local mode; for mode in fp dwarf; do eval "$1" || { echo "with $mode"; return 1; }; done; }

# A root directory with a C library of its own, and ./boxed, which is another program here than there.
make_root () {
	local lib
	mkdir -p root/tmp root/proc root"$TRASH" &&
	for lib in $(ldd counted | grep -o '/[^ )]*'); do mkdir -p root/"${lib%/*}" && cp -L "$lib" root/"$lib" || return 1; done
	cp agent root/ && cp counted root"$TRASH/" && cp counted root"$TRASH/boxed" && cp agent boxed
}
test_lazy_prereq NAMESPACE 'needs root, unshare, chroot and mount namespaces' 'test_have ROOT && unshare -m chroot / true'
test_have NAMESPACE && make_root

test_expect_success NAMESPACE 'a program in a mount namespace of its own, with its own C library, gone with it; another one is at its path here' '
	both "record \$mode ns.data $TRASH/root$TRASH/boxed : unshare -m chroot root $TRASH/boxed depth 3 wait faults 40 &&
		named ns.data touch_pages 40 $TRASH/boxed && row ns.data touch_pages boxed && rm -rf .home/.debug"
'

test_expect_success NAMESPACE 'a tmpfs that only the namespace had' '
	both "mkdir -p box && record \$mode tmpfs.data $TRASH/box/boxed : unshare -m sh -c \"mount -t tmpfs none box && cp counted box/boxed &&
		exec $TRASH/box/boxed depth 3 wait faults 40\" &&
		named tmpfs.data touch_pages 40 $TRASH/box/boxed && row tmpfs.data touch_pages boxed && rm -rf .home/.debug"
'

test_expect_success 'deleted while it runs' '
	both "cp counted gone && record \$mode gone.data $TRASH/gone \"rm gone\" ./gone depth 3 wait faults 40 &&
		named gone.data touch_pages 40 $TRASH/gone && row gone.data touch_pages gone && rm -rf .home/.debug"
'

test_expect_success 'replaced while it runs, by a program that has other functions at these places' '
	both "cp counted gone && record \$mode gone.data $TRASH/gone \"rm gone && cp agent gone\" ./gone depth 3 wait faults 40 &&
		named gone.data touch_pages 40 $TRASH/gone && row gone.data touch_pages gone && rm -rf .home/.debug"
'

# ---- without build-ids (programs in Go, of small C libraries)

test_workload counted -Wl,--build-id=none && mv counted nameless
test_workload counted
test_expect_success 'no build-id, deleted or replaced while it runs: the recorder keeps it by its contents' '
	both "cp nameless gone && record \$mode gone.data $TRASH/gone \"rm gone\" ./gone depth 3 wait faults 40 &&
		named gone.data touch_pages 40 $TRASH/gone && rm -rf .home/.debug && cp nameless gone &&
		record \$mode gone.data $TRASH/gone \"cp agent new && mv new gone\" ./gone depth 3 wait faults 40 &&
		named gone.data touch_pages 40 $TRASH/gone && row gone.data touch_pages gone" &&
	id=$(perf buildid-list -i gone.data | sed -n "s| $TRASH/gone\$||p") && cp agent .home/.debug/.build-id/${id%${id#??}}/${id#??}/elf &&
	perf script --no-inline -i gone.data -F sym 2>/dev/null >out && ! grep touch_pages out; status=$?
	rm -rf .home/.debug; return $status
'

test_expect_success NAMESPACE 'no build-id, in a container, and another program with one at its path outside: each has its own names' '
	mkdir -p box && cat >plain.c <<-\EOF &&
	#include <sys/mman.h>
	__attribute__((noinline)) void touch_plain(volatile char *p) { for (int i = 0; i < 50; i++) p[i * 4096L] = 1; }
	int main(void) { touch_plain(mmap(0, 50 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)); return 0; }
	EOF
	cc -O1 -Wl,--build-id=sha1 -o plain plain.c &&
	both "rm -f box/app && record \$mode two.data $TRASH/box/app : sh -c \"unshare -m sh -c \\\"mount -t tmpfs none box && cp nameless box/app &&
		$TRASH/box/app depth 3 wait faults 40\\\" && cp plain box/app && $TRASH/box/app\" &&
		row two.data touch_pages app && row two.data touch_plain app && rm -rf .home/.debug"
'

# only a file that can be the same one counts

for name in wanted other; do
	cat >$name.c <<-EOF
	#include <sys/mman.h>
	__attribute__((noinline)) void touch_$name(volatile char *p) { for (int i = 0; i < 50; i++) p[i * 4096L] = 1; }
	int main(void) { touch_$name(mmap(0, 50 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)); return 0; }
	EOF
	cc -O1 -Wl,--build-id=none -o $name $name.c || test_skip_all 'the compiler makes no program'
done
# touched DATA: "wanted", "other" or nothing, by the names that the report shows
touched () { perf report -i $1 --stdio -g none -s sym 2>err | sed -n "s/.* touch_\\(wanted\\|other\\) *$/\\1/p" >out; cat out; }
bare () { perf record -q -N -e page-faults:u -c 1 -o bare.data -- "$@"; }

test_expect_success 'no build-id: another file at the path, the same file written over, and the next file with its inode number' '
	cp wanted app && bare ./app && [ "$(touched bare.data)" = wanted ] &&
	cp other new && mv new app && [ "$(touched bare.data)" = "" ] && test_grep "app. is not the recorded file: its inode is" err &&
	cp wanted app2 && mv app2 app && bare ./app && cat other >app && touch -d "1 hour" app &&
	[ "$(touched bare.data)" = "" ] && test_grep "app. is not the recorded file: it was written to since" err &&
	cp wanted app && bare ./app && i=$(stat -c %i app) && for n in 1 2 3 4 5 6 7 8 9; do
		rm -f app && cp other app && [ "$(stat -c %i app)" = $i ] && break
	done
	touch -d "1 hour ago" app && perf script -i bare.data --show-mmap-events 2>/dev/null | grep "MMAP2.*/app$" >maps &&
	{ grep -q " 0\]" maps || test "$(touched bare.data)" != other; }	# 0: the file system does not count its generations
'

test_lazy_prereq OVERLAY 'needs root and overlayfs' 'test_have ROOT && mkdir -p lo up wo mnt && mount -t overlay none -o lowerdir=lo,upperdir=up,workdir=wo mnt && umount mnt'
test_expect_success OVERLAY 'no build-id, in the overlay of a container: the file, another one at its path, nothing' '
	cp wanted lo/app && mount -t overlay none -o lowerdir=lo,upperdir=up,workdir=wo mnt && {
		bare mnt/app && touched bare.data >first && perf script -i bare.data --show-mmap-events 2>/dev/null | grep "MMAP2.*mnt/app" >maps
		i=$(stat -c %i mnt/app); cp other mnt/new && mv mnt/new mnt/app && touch -d "1 hour ago" mnt/app && touched bare.data >second; umount mnt || umount -l mnt; } &&
	echo wanted >want && test_cmp want first && [ "$(touched bare.data)" = "" ] || return 1
	grep -q " $i [0-9]*\]" maps || { test_skip "this kernel shows no inodes of the overlay"; return; }
	test_cmp /dev/null second
'

# running MODE DATA HOOK COMMAND...: it runs and waits, HOOK is evaluated, then it is recorded by its pid, then it ends
running () {
	local mode=$1 data=$2 hook=$3
	shift 3
	rm -f in out ctl ack && mkfifo in ctl ack && { "$@" <in >out & } && pid=$! && test_kill_at_end $pid && exec 5>in &&
	test_wait_for 60 'grep -q ready out' && eval "$hook" && exec 7<>ctl 8<>ack &&
	{ perf record -q --control fifo:ctl,ack --call-graph $mode -m 4M -e page-faults:u -c 1 -p $pid -o $data & } &&
	recorder=$! && test_kill_at_end $recorder && echo ping >&7 && read -r -t 60 x <&8 && echo go >&5 && exec 5>&- && wait $recorder
}

test_expect_success ROOT 'deleted before the recording began, of a process that ran already' '
	both "cp counted old && running \$mode old.data \"rm old\" ./old depth 3 wait faults 40 &&
		named old.data touch_pages 40 $TRASH/old && row old.data touch_pages old && rm -rf .home/.debug"
'

test_expect_success PYTHON,ROOT 'in a memfd' '
	cat >memfd.py <<-\EOF &&
	import os, sys
	fd = os.memfd_create("secret", 0)
	os.write(fd, open(sys.argv[1], "rb").read())
	os.execve(fd, sys.argv[1:], os.environ)
	EOF
	both "record \$mode memfd.data /memfd:secret : python3 memfd.py ./counted depth 3 wait faults 40 &&
		named memfd.data touch_pages 40 memfd:secret && row memfd.data touch_pages memfd:secret && rm -rf .home/.debug"
'

test_expect_success 'libraries that were loaded, closed and deleted, the second at the place of the first' '
	cat >plug.c <<-\EOF &&
	#include <sys/mman.h>
	void NAME(long n)
	{
		volatile char *p = mmap(0, n * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		madvise((void *)p, n * 4096, MADV_NOHUGEPAGE);
		for (long i = 0; i < n; i++)
			p[i * 4096] = 1;
	}
	EOF
	cat >load.c <<-\EOF &&
	#include <dlfcn.h>
	#include <stdio.h>
	#include <unistd.h>
	int main(int argc, char **argv)
	{
		char line[9];
		for (int i = 1; i < argc; i += 3) {
			void *h = dlopen(argv[i], RTLD_NOW);
			void (*fn)(long) = (void (*)(long))dlsym(h, argv[i + 1]);
			printf("ready\n");
			fflush(stdout);
			if (!fgets(line, sizeof(line), stdin))
				return 1;
			fn(*argv[i + 2]);
			dlclose(h);
			unlink(argv[i]);
		}
		return 0;
	}
	EOF
	cc -g -O1 -fno-omit-frame-pointer -o load load.c -ldl &&
	cc -g -O1 -fno-omit-frame-pointer -shared -fPIC -D_GNU_SOURCE -DNAME=first_touch -o one.so plug.c && cp one.so one.keep &&
	cc -g -O1 -fno-omit-frame-pointer -shared -fPIC -D_GNU_SOURCE -DNAME=other_touch -o two.so plug.c && cp two.so two.keep &&
	both "cp one.keep one.so && cp two.keep two.so &&
		record \$mode so.data $TRASH/one.so \"echo 1 >&5; test_wait_for 60 \\\"holds $TRASH/two.so\\\"\" \
			./load ./one.so first_touch 2 ./two.so other_touch F &&
		named so.data first_touch 50 one.so && named so.data other_touch 70 two.so && rm -rf .home/.debug"
'

test_expect_success SYSCALLS,ROOT 'programs that execute each other, in a process of short life, under -a' '
	both "perf record -q -a --call-graph \$mode -e syscalls:sys_enter_getppid -o exec.data -- \
			sh -c \"exec env X=1 sh -c \\\"exec ./counted depth 2 getppid 33\\\"\" &&
		named exec.data down some counted"
'

test_done
