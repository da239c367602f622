#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the stubs of linkage tables have the names of what they call, whichever linker made them'
. "$(dirname "$0")/lib.sh"

[ -x "$BUILD/helper/address-data" ] || make -s -C "$TOP" O="$BUILD" "$BUILD/helper/address-data" >/dev/null 2>&1
test_lazy_prereq OBJDUMP 'needs objdump' 'objdump --version'
test_require X86_64,CC,OBJDUMP

cat >p.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int (*at_start)(const char *) = atoi;
int main(void)
{
	void *(*volatile called)(size_t) = malloc;
	char *p = malloc(10);
	int (*also)(void) = getpid;
	puts(p ? "x" : "y");
	free(p);
	return at_start("0") + also() + getppid() + !called(1);
}
END

# stubs NAME OPTION...: ./NAME, linked so, and the names of its stubs in ./out, each once. All code of these sections has a name;
# a word in the middle of a stub has the name of its beginning, and that is objdump's, where it knows any.
stubs () {
	local n=$1 s a z i
	shift
	cc -O1 "$@" -o "$n" p.c && objdump -h "$n" | awk '$2 ~ /^\.i?plt/ { print $2, $4, $3 }' >secs && [ -s secs ] && strip "$n" || return 1
	while read -r s a z; do for ((i = 0; i < 16#$z; i += 4)); do printf "%x\n" $((16#$a + i)); done; done <secs >at
	"$BUILD/helper/address-data" x.data "$n" <at && perf script --no-inline -i x.data -F ip,sym 2>err | awk 'NF { print $2 }' >names &&
	[ "$(wc -l <names)" = "$(wc -l <at)" ] && ! grep -F '[unknown]' names || return 1
	objdump -d $(sed 's/^/-j /; s/ .*//' secs) "$n" | awk '/^[0-9a-f]+ <.*@plt>:/ { gsub(/[<>:]/, "", $2); sub(/^0*/, "", $1); print $1, $2 }' | sort >want
	paste -d" " at names | sort | join - want | awk '$2 != $3 { print; bad = 1 } END { exit bad }' || return 1
	grep '@plt$' names | sort -u >out && printf '%s@plt\n' free getppid malloc puts | comm -23 - out | { ! grep .; }
}
stub_link () { echo 'int main(void) { return 0; }' | cc -xc "$@" -o probe -; }
test_lazy_prereq LLD 'needs lld' 'stub_link -fuse-ld=lld'
test_lazy_prereq GOLD 'needs gold' 'stub_link -fuse-ld=gold'
test_lazy_prereq MOLD 'needs mold' 'stub_link -B/usr/libexec/mold && readelf -p .comment probe | grep mold'

test_expect_success 'GNU ld' 'stubs lazy -Wl,-z,lazy && stubs now -Wl,-z,now && stubs nopie -no-pie -fno-pie -Wl,-z,lazy'
test_expect_success 'with endbr64 (.plt.sec)' '
	stubs ibt -fcf-protection=full -Wl,-z,lazy,-z,ibtplt && test_grep plt.sec secs && stubs ibtnow -fcf-protection=full -Wl,-z,now,-z,ibtplt
'
test_expect_success GOLD 'gold' 'stubs gold -fuse-ld=gold -Wl,-z,lazy && stubs goldnow -fuse-ld=gold -Wl,-z,now'
test_expect_success LLD 'lld, also with retpolines' '
	stubs lld -fuse-ld=lld -Wl,-z,lazy && stubs lldibt -fuse-ld=lld -fcf-protection=full -Wl,-z,force-ibt &&
	stubs lldretpoline -fuse-ld=lld -Wl,-z,retpolineplt
'
test_expect_success MOLD 'mold, without its own symbols for them' 'stubs mold -B/usr/libexec/mold && stubs moldnow -B/usr/libexec/mold -Wl,-z,now'
test_expect_success 'a static program: what chooses an implementation, and stubs without a name' '
	cc -static-pie -o static p.c 2>/dev/null || { test_skip "no static C library"; return; }
	objdump -h static | awk "\$2 ~ /^\.i?plt/ { print \$4, \$3 }" | while read -r a z; do seq -f %.0f $((16#$a)) 4 $((16#$a + 16#$z - 4)); done | xargs printf "%x\n" >at &&
	"$BUILD/helper/address-data" x.data static <at && perf script --no-inline -i x.data -F ip,sym 2>err >out && test_grep "@plt" out && ! grep unknown out
'

test_done
