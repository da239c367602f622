#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# deps.sh [--test] [--list]	installs the Debian packages that are missing for building perf; with --test also what the tests
# use. Needs root or sudo only if something is missing. --list: only prints what is missing.
#
# A package of the second and third list that cannot be had is no error: perf is built without that feature, or the tests
# that need it are skipped, and both say so.

set -u
required="gcc make pkg-config libc6-dev libelf-dev libdw-dev libunwind-dev libtraceevent-dev zlib1g-dev"
optional="libzstd-dev liblzma-dev libcapstone-dev libiberty-dev libbpf-dev clang llvm bpftool libslang2-dev libdebuginfod-dev libpython3-dev libsqlite3-dev libpfm4-dev
	binutils"
for_tests="linux-perf dwz linux-libc-dev strace libc6-dbg g++ bzip2 systemtap-sdt-dev elfutils python3 nodejs golang-go protobuf-compiler sqlite3 gdb man-db
	xz-utils zstd procps bsdutils lld gcc-aarch64-linux-gnu musl-tools valgrind tmux chromium babeltrace2"
# a nodejs that is not Debian's own brings npm with it, and refuses the package
command -v npm >/dev/null || for_tests="$for_tests npm"

want_tests= list=
for arg; do
	case $arg in
	--test) want_tests=1 ;;
	--list) list=1 ;;
	*) echo "usage: deps.sh [--test] [--list]" >&2; exit 129 ;;
	esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	echo "deps.sh: this is no Debian; install the equivalents of: $required" >&2
	echo "and for all features: $(echo $optional)" >&2
	exit 0
fi

missing () {
	local p
	for p; do
		dpkg-query -W -f '${db:Status-Abbrev}\n' "$p" 2>/dev/null | grep -q '^.i' || printf '%s ' "$p"
	done
}

must=$(missing $required)
may=$(missing $optional ${want_tests:+$for_tests})
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
