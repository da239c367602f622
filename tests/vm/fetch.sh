#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fetch.sh [dbg|fprobe]	downloads what the VM tests boot (about 30 MB of Debian packages: a kernel, a static busybox) and unpacks it
# below PERF_VMDIR (default: perf-vm in the user's cache folder); nothing is installed. With dbg also the kernel's debug
# information (285 MB, 1.7 GB unpacked), that makes the tests of source lines and variables run; with fprobe a second kernel, of
# Debian trixie (35 MB), that has fprobe events.

set -euo pipefail
dir=${PERF_VMDIR:-${XDG_CACHE_HOME:-$HOME/.cache}/perf-vm}
mkdir -p "$dir/x86" "$dir/deb/partial"
cd "$dir"
[ "$(dpkg --print-architecture)" = amd64 ] || { echo "fetch.sh: the VM tests are for amd64" >&2; exit 1; }

# get PACKAGE FOLDER: downloads and unpacks; the folder is there only when it is complete.
get () {
	rm -rf "$2.new" deb/"$1"_*.deb
	( cd deb && apt-get -qq -o APT::Sandbox::User=root -o Acquire::Retries=3 download "$1" )
	mkdir -p "$2.new"
	dpkg -x deb/"$1"_*.deb "$2.new"
	rm -rf "$2" deb/"$1"_*.deb
	mv "$2.new" "$2"
}

newest_kernel () {
	apt-cache pkgnames linux-image-6 | grep -E '^linux-image-6\.[0-9.]+.*-cloud-amd64$' | sort -V | tail -n 1
}

[ -x x86/bb/bin/busybox ] || [ -x x86/bb/usr/bin/busybox ] || get busybox-static x86/bb
if [ ! -d x86/kcloud/boot ]; then
	kernel=$(newest_kernel)
	[ -n "$kernel" ] || { echo "fetch.sh: no cloud kernel in the package lists (apt-get update?)" >&2; exit 1; }
	get "$kernel" x86/kcloud
fi
kv=$(ls x86/kcloud/lib/modules 2>/dev/null || ls x86/kcloud/usr/lib/modules)
if [ "${1:-}" = dbg ] && [ ! -f "dbgpkg/usr/lib/debug/boot/vmlinux-$kv" ]; then
	get "linux-image-$kv-dbg" dbgpkg
fi
if [ "${1:-}" = fprobe ] && [ ! -d x86/kfprobe ]; then
	# with package lists of its own: the system's stay as they are
	mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -v '^#' | grep -oE 'https?://[^ ]*/debian/?( |$)' |
		head -n 1 | tr -d ' ') || true	# not all of these files are there
	mkdir -p apt-trixie/partial
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian} trixie main" \
		>apt-trixie.list
	APT_CONFIG=$dir/apt-trixie.conf
	export APT_CONFIG
	cat >"$APT_CONFIG" <<X
Dir::Etc::SourceList "$dir/apt-trixie.list"; Dir::Etc::SourceParts "/dev/null"; Dir::State::Lists "$dir/apt-trixie";
Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache ""; APT::Sandbox::User "root";
X
	apt-get -qq update
	get "$(newest_kernel)" x86/kfprobe
	[ -e x86/kfprobe/lib ] || ln -s usr/lib x86/kfprobe/lib
fi
echo "fetch.sh: $kv is in $dir"
