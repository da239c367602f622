#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes util/syscalls/ioctls.inc from the installed uapi headers (linux-libc-dev): each request of ioctl(2) by its number, as
# 64-bit processes have it, sorted. Run it when newer headers are there; what only older ones had stays known by the old file.
# Requests of the same number are joined by " or ", in the order of names; those of terminals are distinguished by the program.
set -e
cd "$(dirname "$0")/.."
out=util/syscalls/ioctls.inc
inc=${INCLUDE:-/usr/include}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
. scripts/uapi-values.inc

# HEADER NAME of whatever looks like a request: made by _IO*(), or a plain number in the headers that have such.
cd "$inc"
grep -HE '^[ 	]*#[ 	]*define[ 	]+[A-Za-z_0-9]+[ 	]+\(?([A-Z0-9]+_)*_?IO(R|W|RW|WR|C|WC)?(_[A-Z]+|_BAD)?[ 	]*\(' -r linux asm-generic sound mtd rdma misc scsi xen video --include='*.h' |
	sed -E 's/^([^:]+):[ 	]*#[ 	]*define[ 	]+([A-Za-z_0-9]+).*/\1 \2/' >"$tmp/names"
grep -HE '^#[ 	]*define[ 	]+((TC|TIO|FIO|SIOC|BLK|FIB|FIG|LOOP_|VT_|KD|GIO_|PIO_|RND|HDIO_|CDROM|FD|SCSI_|SG_|RTC_|NBD_|FUNCTIONFS_)[A-Z0-9_]+)[ 	]+0x[0-9A-Fa-f]+' \
	asm-generic/ioctls.h linux/{sockios,fs,loop,vt,kd,hdreg,cdrom,wireless}.h scsi/{sg,scsi_ioctl}.h 2>/dev/null |
	sed -E 's/^([^:]+):#[ 	]*define[ 	]+([A-Za-z_0-9]+).*/\1 \2/' >>"$tmp/names"
cd - >/dev/null
grep -vE ' (_|.*_(BASE|MAGIC|TYPE|MAX|MASK|NR|SIZE|VERSION)$|KVM_(ARM|S390|PPC|RISCV)_|SNDRV_CTL_POWER|SNDCTL_|SOUND_|SIOCPROTOPRIVATE|SIOCDEVPRIVATE|SIOCIWFIRST|SIOCIWLAST|SIOCIWFIRSTPRIV|SIOCIWLASTPRIV)' \
	"$tmp/names" | sort -u >"$tmp/list"

# Headers that want others before them have a second try.
values_of ()	# HEADER PREAMBLE...
{
	local h=$1
	shift
	grep "^$h " "$tmp/list" | cut -d' ' -f2 >"$tmp/some"
	uapi_values "$tmp/some" unsigned stdint.h "$@" "$h" >"$tmp/of-one" && awk '{ print $2, $1 }' "$tmp/of-one" >>"$tmp/values"
}
for h in $(cut -d' ' -f1 "$tmp/list" | sort -u); do
	values_of "$h" linux/types.h asm/ioctl.h || values_of "$h" sys/socket.h net/if.h sys/time.h asm/ioctl.h linux/types.h ||
		values_of "$h" sys/socket.h linux/if.h linux/ioctl.h linux/types.h || values_of "$h" signal.h sys/types.h termios.h linux/types.h ||
		echo "left out: $h" >&2
done
[ -s "$tmp/values" ]
# Structs that libc and the kernel's headers both define hide these.
printf '%d %s\n' 0x802c542a TCGETS2 0x402c542b TCSETS2 0x402c542c TCSETSW2 0x402c542d TCSETSF2 0xc020660b FS_IOC_FIEMAP >>"$tmp/values"
# What the old file knew besides.
sed -nE 's/^\{ (0x[0-9a-f]+), "([^"]*)" \},$/\1 \2/p' "$out" 2>/dev/null | while read -r value names; do
	for name in $names; do
		[ "$name" = or ] || grep -qE " $name\$" "$tmp/values" || echo "$((value)) $name"
	done
done >"$tmp/old"
sort -k1,1n -k2,2 -u "$tmp/values" "$tmp/old" | awk '
function put() { if (n) printf "{ 0x%x, \"%s\" },\n", value, names }
BEGIN { print "/* Made by scripts/gen-ioctls.sh from the uapi headers; sorted by number. */" }
$1 < 256 && $2 !~ /^FI/ { next }	# no request: an index
$1 != value { put(); value = $1; names = $2; n = 1; next }
n < 3 { names = names " or " $2; n++ }
END { put() }' >"$tmp/inc"
mv "$tmp/inc" "$out"
wc -l "$out"
