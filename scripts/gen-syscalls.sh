#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes arch/*/syscalls.inc from the uapi headers of this system (linux-libc-dev), plus the calls of newer kernels listed
# in arch/syscalls-newer.txt. Run by hand when either changes; the results are kept in the tree, so that a build needs no
# headers of other instruction sets. Those of the cross-development packages (linux-libc-dev-ARCH-cross for s390x, ppc64el,
# riscv64 and armhf) are read where they are installed, or where FOREIGN names the directory they were unpacked to; without them
# these tables stay as they are.
set -eu
cd "$(dirname "$0")/.."
cc=${CC:-gcc}

# numbers of one header: "N name" per line
numbers()
{
	printf '#include <%s>\n' "$1" | $cc -E -dM $2 -x c - | sed -n 's/^#define __NR_\([a-z0-9_]*\) \(.*\)$/\1 \2/p' |
		grep -v -e '^syscalls ' -e '^arch_specific_syscall ' >"$tmp/defs"
	# values may name __NR3264_*, and be sums
	{ printf '#include <%s>\n' "$1"; sed 's/^\([^ ]*\) .*/NR \1 = __NR_\1 ;/' "$tmp/defs"; } |
		$cc -E -P $2 -x c - | sed -n 's/^NR \([a-z0-9_]*\) = \([0-9 ()+x]*\) ;$/\1 \2/p' |
		while read -r name value; do echo "$(($value)) $name"; done
}

table()	# isa header flags
{
	{ numbers "$2" "$3"; sed -n "s/^\([0-9]*\) \([a-z0-9_]*\)\( .*\)*\b\(all\|$1\)\b.*/\1 \2/p" arch/syscalls-newer.txt; } |
		sort -n -u -k1,1 >"$tmp/list"
	{
		echo "/* SPDX-License-Identifier: GPL-2.0-or-later */"
		echo "/* made by scripts/gen-syscalls.sh: do not edit */"
		sed 's/^\([0-9]*\) \(.*\)$/[\1] = "\2",/' "$tmp/list"
	} >"arch/$1/syscalls.inc"
}

foreign ()	# isa triplet header flags
{
	inc=${FOREIGN:-}/usr/$2/include
	if [ -d "$inc" ]; then
		table "$1" "$3" "-nostdinc -isystem $inc $4"
	else
		echo "gen-syscalls.sh: no $inc: arch/$1/syscalls.inc stays as it is" >&2
	fi
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
table x86_64 asm/unistd_64.h ""
table i386 asm/unistd_32.h ""
generic="-D__ARCH_WANT_NEW_STAT -D__ARCH_WANT_SET_GET_RLIMIT -D__ARCH_WANT_SYS_CLONE3 -D__ARCH_WANT_MEMFD_SECRET"
table aarch64 asm-generic/unistd.h "-D__ARCH_WANT_RENAMEAT $generic"
# kernels from 6.11 on have its fstat and newfstatat, too
table loongarch64 asm-generic/unistd.h "$generic"
foreign s390x s390x-linux-gnu asm/unistd_64.h ""
foreign ppc64 powerpc64le-linux-gnu asm/unistd_64.h ""
foreign riscv64 riscv64-linux-gnu asm/unistd.h "-D__LP64__=1 -D__riscv_xlen=64"
foreign arm arm-linux-gnueabihf asm/unistd.h "-D__ARM_EABI__"
