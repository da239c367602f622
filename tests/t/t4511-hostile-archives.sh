#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='archives that would write elsewhere, or all over: nothing leaves the build-id cache, no half stays'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq TAR 'needs tar' 'tar --version'
test_require TAR,PYTHON
test_lazy_prereq TMPFS 'needs a tmpfs of its own' 'mkdir -p probe && mount -t tmpfs -o size=64k none probe && umount probe'

cat >make.py <<'EOT'
import io, os, tarfile
FILE, LINK, HARD, DIR, FIFO = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE
outside = os.path.abspath('outside')

def make(name, *entries):
    with tarfile.open(name + '.tar.gz', 'w:gz') as f:
        for path, kind, text, mode in entries:
            i = tarfile.TarInfo(path)
            i.type, i.mode = kind, mode
            if kind == FILE:
                i.size = len(text)
                f.addfile(i, io.BytesIO(text))
            else:
                i.linkname = text
                f.addfile(i)

make('absolute', (outside + '/absolute', FILE, b'x', 0o644))
make('dots', ('../outside/dots', FILE, b'x', 0o644), ('a/../../outside/dots2', FILE, b'x', 0o644), ('fine', FILE, b'x', 0o644))
make('link-abs', ('way', LINK, outside, 0o777))
make('link-up', ('way', LINK, '../outside', 0o777))
make('link-deep', ('a/way', LINK, '../b/../../outside', 0o777))
make('through', ('way/through', FILE, b'x', 0o644), ('a/way/through', FILE, b'x', 0o644))
make('hard', ('h', HARD, outside + '/secret', 0o644), ('h2', HARD, '../outside/secret', 0o644))
make('odd', ('pipe', FIFO, '', 0o666), ('suid', FILE, b'x', 0o6777), ('directory', DIR, '', 0o777), ('a\x1b[31m', FIFO, '', 0o666))
make('good', ('.build-id/ab/cdef', LINK, '../../prog/abcdef', 0o777), ('prog/abcdef/elf', FILE, b'elf', 0o755))
make('big', ('first', FILE, b'x', 0o644), ('zeros', FILE, bytes(1 << 20), 0o644))
make('deep', ('d/' * 200 + 'end', FILE, b'x', 0o644))
good = open('good.tar.gz', 'rb').read()
make('perf.all-link', ('perf.data', LINK, outside + '/new', 0o777), ('perf.data.tar.gz', FILE, good, 0o644))
make('perf.all-more', ('perf.data', FILE, b'PERFILE2', 0o644), ('perf.data.tar.gz', FILE, good, 0o644), ('Makefile', FILE, b'all:', 0o644),
     ('.profile', FILE, b'x', 0o644))
EOT

unpack () { perf --buildid-dir "$PWD/cache" archive --unpack "$1" >out 2>err; }

test_expect_success 'the archives' '
	mkdir outside && echo secret >outside/secret && python3 make.py && [ -s good.tar.gz ]
'

test_expect_success 'nothing is written outside' '
	for a in absolute dots link-abs through link-up through link-deep through hard; do
		unpack $a.tar.gz; rc=$?
		[ $rc = 0 ] || { [ $rc = 1 ] && test_grep "^Error: tar failed" err && test_grep "^Hint: .*nothing was unpacked" err; } || return 1
		[ "$(ls -A outside)" = secret ] && [ "$(stat -c %h outside/secret)" = 1 ] || { ls -lA outside; return 1; }
	done && [ ! -e cache/fine ]
'

test_expect_success 'what has no place in the cache is left out, counted and named' '
	unpack link-abs.tar.gz && [ ! -L cache/way ] && test_grep "^Warning: 1 entries of the archive are left out: .*first is .way.$" err &&
	unpack odd.tar.gz && test_grep "^Warning: 2 entries of the archive are left out" err &&
	[ "$(stat -c %a cache/suid)" = 755 ] && [ ! -e cache/pipe ] && ! find cache -type p | grep . &&
	! grep -q "$(printf "\033")" err &&
	unpack deep.tar.gz && test_grep "^Warning: 1 entries" err
'

test_expect_success 'a link that is in the cache already is not followed' '
	rm -rf cache && mkdir cache && ln -s ../outside cache/way && unpack through.tar.gz && test_grep "^Warning: 1 entries" err &&
	[ "$(ls -A outside)" = secret ] && [ "$(cat cache/a/way/through)" = x ]
'

test_expect_success 'a good one is unpacked, and again' '
	unpack good.tar.gz && [ ! -s err ] && [ "$(cat cache/.build-id/ab/cdef/elf)" = elf ] &&
	echo mine >cache/prog/abcdef/elf && unpack good.tar.gz && [ ! -s err ] && [ "$(cat cache/.build-id/ab/cdef/elf)" = mine ] &&
	! ls -A cache | grep unpack
'

test_expect_success 'cut off: nothing stays' '
	rm -rf cache && head -c 900 big.tar.gz >cut.tar.gz && test_status 1 unpack cut.tar.gz && test_grep "^Error: tar failed" err &&
	[ -z "$(ls -A cache)" ]
'

test_expect_success TMPFS 'a full disk: nothing stays' '
	rm -rf cache && mkdir cache && mount -t tmpfs -o size=256k none cache && { unpack big.tar.gz; rc=$?; left=$(ls -A cache); umount cache; } &&
	[ $rc = 1 ] && test_grep "^Hint: .*room" err && [ -z "$left" ]
'

test_expect_success 'of --all: the recording must be one, and comes alone' '
	mkdir here && cd here && test_status 1 unpack ../perf.all-link.tar.gz && test_grep "^Error: .*perf.data. is not a recording" err &&
	rm -f out err && [ -z "$(ls -A)" ] &&
	unpack ../perf.all-more.tar.gz && test_grep "^Warning: 2 entries of the archive are left out" err &&
	[ "$(ls -A | sort | tr "\n" " ")" = "cache err out perf.data " ] && [ "$(cat cache/.build-id/ab/cdef/elf)" = elf ]
'
test_done
