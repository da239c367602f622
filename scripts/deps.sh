#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# deps.sh [--test] [--cross ARCH] [--list]	installs the Debian packages that are missing for building perf; with --test also what
# the tests use; with --cross arm64 (riscv64, ...: Debian's name) also the compiler and the libraries for building it for that
# machine, and what runs it here. Needs root or sudo only if something is missing. --list: only prints what is missing.
#
# A package of the second and third list that cannot be had is no error: perf is built without that feature, or the tests
# that need it are skipped, and both say so.

set -u
required="gcc make pkg-config libc6-dev libelf-dev libdw-dev libunwind-dev libtraceevent-dev zlib1g-dev"
optional="libzstd-dev liblzma-dev libcapstone-dev libiberty-dev libbpf-dev clang llvm bpftool libslang2-dev libdebuginfod-dev libpython3-dev libsqlite3-dev libpfm4-dev
	binutils"
for_tests="linux-perf dwz linux-libc-dev strace libc6-dbg g++ bzip2 systemtap-sdt-dev elfutils python3 nodejs golang-go protobuf-compiler sqlite3 gdb man-db
	xz-utils zstd procps bsdutils lld gcc-aarch64-linux-gnu libc6-dev-arm64-cross musl-tools libjemalloc2 libtcmalloc-minimal4 valgrind tmux chromium babeltrace2 mandoc zsh fish lintian debhelper
	libbz2-dev"
# a nodejs that is not Debian's own brings npm with it, and refuses the package
command -v npm >/dev/null || for_tests="$for_tests npm"

want_tests= list= cross=
usage () { echo "usage: deps.sh [--test] [--cross ARCH] [--list]" >&2; exit 129; }
while [ $# != 0 ]; do
	case $1 in
	--test) want_tests=1 ;;
	--list) list=1 ;;
	--cross) [ $# -ge 2 ] || usage; cross=$2; shift ;;
	*) usage ;;
	esac
	shift
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	echo "deps.sh: this is no Debian; install the equivalents of: $required" >&2
	echo "and for all features: $(echo $optional)" >&2
	exit 0
fi

# What is linked, for the other machine; the tools are those of this one.
cross_packages () {
	local triplet p
	triplet=$(dpkg-architecture -a "$cross" -q DEB_HOST_GNU_TYPE 2>/dev/null)
	[ -n "$triplet" ] || { echo "deps.sh: Debian knows no machine '$cross' (arm64, riscv64, ...), or dpkg-dev is missing" >&2; exit 1; }
	echo "gcc-$(echo "$triplet" | tr _ -) qemu-user-static libc6-dev:$cross"
	for p in $required $optional; do
		case $p in libc6-dev|libpython3-dev|libdebuginfod-dev) ;; lib*-dev|zlib1g-dev) echo "$p:$cross" ;; esac
	done
}

missing () {
	local p
	for p; do
		dpkg-query -W -f '${db:Status-Abbrev}\n' "$p" 2>/dev/null | grep -q '^.i' || printf '%s ' "$p"
	done
}

others=
if [ -n "$cross" ]; then others=$(cross_packages) || exit 1; fi
must=$(missing $required)
may=$(missing $optional ${want_tests:+$for_tests} $others)
if [ -n "$list" ]; then
	printf '%s\n' $must $may
	exit 0
fi
if [ -z "$must$may" ]; then
	echo "deps: all packages are installed"
	exit 0
fi

as_root=
if [ "$(id -u)" != 0 ]; then
	if command -v sudo >/dev/null; then
		as_root="sudo"
	elif [ -z "$must" ]; then
		echo "deps: not installed (neither root nor sudo): $may"
		exit 0
	else
		echo "deps.sh: missing: $must; install them as root (or install sudo)" >&2
		exit 1
	fi
fi

apt () { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" </dev/null; }

if [ -n "$cross" ] && ! dpkg --print-foreign-architectures | grep -qx "$cross"; then
	$as_root dpkg --add-architecture "$cross" || exit 1
fi
echo "deps: installing $must$may"
apt update || echo "deps: the package lists could not be updated; trying with the present ones"
# What this archive does not have at all must not hinder the rest.
known=
for p in $may; do
	if apt-cache show "$p" >/dev/null 2>&1; then known="$known $p"; else echo "deps: no package $p here"; fi
done
if ! apt install -y --no-install-recommends $must $known >/dev/null; then
	echo "deps: all at once failed; trying one by one"
	if [ -n "$must" ] && ! apt install -y --no-install-recommends $must >/dev/null; then
		echo "deps.sh: could not install: $must" >&2
		exit 1
	fi
	for p in $known; do
		apt install -y --no-install-recommends "$p" >/dev/null || echo "deps: could not install $p"
	done
fi
left=$(missing $required)
if [ -n "$left" ]; then
	echo "deps.sh: still missing: $left" >&2
	exit 1
fi
echo "deps: ready"
