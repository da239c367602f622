#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes util/syscalls/uapi.in, tables of flags in the form of flags.in, from the uapi headers (linux-libc-dev, best the newest:
# INCLUDE=.../usr/include). Run it when newer headers are there; a name that they lost stays known by the old file.
# A table is a line of the list below: bits or values, its name, the prefix, the header, and which names it takes and does not take
# (extended regular expressions of what follows the prefix), then lines of its own: zero, unknown (see flags.in).
set -e
cd "$(dirname "$0")/.."
out=util/syscalls/uapi.in
inc=${INCLUDE:-/usr/include}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
. scripts/uapi-values.inc

list () {
	cat <<'LIST'
bits fan_init FAN_ linux/fanotify.h (CLOEXEC|NONBLOCK|CLASS_(PRE_)?CONTENT|UNLIMITED_.*|ENABLE_AUDIT|REPORT_.*) REPORT_DFID.* : zero CLASS_NOTIF 0xc
bits fan_mark FAN_MARK_ linux/fanotify.h [A-Z_]+ (INODE|IGNORE_SURV|TYPE_MASK)
bits fan_event FAN_ linux/fanotify.h (ACCESS|MODIFY|ATTRIB|CLOSE_(NO)?WRITE|OPEN|MOVED?_.*|CREATE|DELETE.*|OPEN_.*|Q_OVERFLOW|FS_ERROR|ACCESS_PERM|RENAME|ONDIR|EVENT_ON_CHILD|PRE_ACCESS|MNT_.*) MOVE
values mpol MPOL_ linux/mempolicy.h [A-Z_]+ (MAX|F_.*|MF_.*|.*FLAGS)
bits mpol_get MPOL_F_ linux/mempolicy.h (NODE|ADDR|MEMS_ALLOWED) - : unknown MPOL_???
bits mpol_move MPOL_MF_ linux/mempolicy.h [A-Z_]+ (VALID|LAZY|INTERNAL) : unknown MPOL_???
values keyctl KEYCTL_ linux/keyctl.h [A-Z_]+ (CAPS.*|SUPPORTS_.*|MOVE_EXCL)
values key_spec KEY_SPEC_ linux/keyctl.h [A-Z_]+ -
values ioprio_who IOPRIO_WHO_ linux/ioprio.h [A-Z]+ -
values ioprio_class IOPRIO_CLASS_ linux/ioprio.h [A-Z]+ (MASK|SHIFT|INVALID)
values kcmp KCMP_ linux/kcmp.h [A-Z_]+ TYPES
values reboot_magic LINUX_REBOOT_ linux/reboot.h MAGIC[0-9][A-C]? - : unknown LINUX_REBOOT_MAGIC_???
values reboot_cmd LINUX_REBOOT_CMD_ linux/reboot.h [A-Z_0-9]+ -
values uring_register IORING_ linux/io_uring.h (UN)?REGISTER_[A-Z_0-9]+ (REGISTER_LAST|REGISTER_USE_.*|REGISTER_FILES_SKIP|REGISTER_SRC.*|REGISTER_DST.*) : unknown IORING_REGISTER_???
bits uring_enter IORING_ENTER_ linux/io_uring.h [A-Z_]+ -
bits uring_setup IORING_SETUP_ linux/io_uring.h [A-Z_0-9]+ -
bits uring_feat IORING_FEAT_ linux/io_uring.h [A-Z_]+ -
values fsconfig FSCONFIG_ linux/mount.h [A-Z_]+ -
bits fsopen FSOPEN_ linux/mount.h [A-Z_]+ -
bits fsmount FSMOUNT_ linux/mount.h [A-Z_]+ -
bits fspick FSPICK_ linux/mount.h [A-Z_]+ -
bits move_mount MOVE_MOUNT_ linux/mount.h [A-Z_]+ _MASK
bits mount_attr MOUNT_ATTR_ linux/mount.h [A-Z_]+ (RELATIME|_ATIME|SIZE.*)
bits statmount STATMOUNT_ linux/mount.h [A-Z_]+ -
bits listmount LISTMOUNT_ linux/mount.h [A-Z_]+ -
bits landlock_create LANDLOCK_CREATE_RULESET_ linux/landlock.h [A-Z_]+ -
bits landlock_fs LANDLOCK_ACCESS_FS_ linux/landlock.h [A-Z_]+ -
bits landlock_net LANDLOCK_ACCESS_NET_ linux/landlock.h [A-Z_]+ -
bits landlock_restrict LANDLOCK_RESTRICT_SELF_ linux/landlock.h [A-Z_]+ -
bits pkey PKEY_ asm-generic/mman-common.h DISABLE_[A-Z]+ -
bits sync_range SYNC_FILE_RANGE_ linux/fs.h [A-Z_]+ WRITE_AND_WAIT
bits module_init MODULE_INIT_ linux/module.h [A-Z_]+ -
bits kexec KEXEC_ linux/kexec.h [A-Z_]+ (ARCH.*|FILE_.*|SEGMENT_MAX)
bits kexec_file KEXEC_FILE_ linux/kexec.h [A-Z_]+ -
bits statx_attr STATX_ATTR_ linux/stat.h [A-Z_]+ -
bits statx_mask STATX_ linux/stat.h [A-Z_]+ (ATTR_.*|_RESERVED|ALL|BASIC_STATS)
bits falloc FALLOC_FL_ linux/falloc.h [A-Z_]+ -
bits rwf RWF_ linux/fs.h [A-Z_]+ SUPPORTED
bits sched_flag SCHED_FLAG_ linux/sched.h [A-Z_]+ (KEEP_ALL|UTIL_CLAMP|ALL)
values membarrier MEMBARRIER_CMD_ linux/membarrier.h [A-Z_]+ (SHARED|FLAG_.*)
bits membarrier_flag MEMBARRIER_CMD_FLAG_ linux/membarrier.h [A-Z_]+ - : unknown MEMBARRIER_CMD_FLAG_???
values bpf_map BPF_MAP_TYPE_ linux/bpf.h [A-Z_0-9]+ .*_DEPRECATED
values bpf_prog BPF_PROG_TYPE_ linux/bpf.h [A-Z_0-9]+ -
values arch_prctl ARCH_ asm/prctl.h [A-Z0-9_]+ (MAP_.*|SHSTK_(SHSTK|WRSS)|XCOMP_.*)
values madvise MADV_[A-Z_]+ asm-generic/mman-common.h - - : unknown MADV_???
values so SO_ asm-generic/socket.h [A-Z_0-9]+ (GET_FILTER|TIMESTAMP(NS|ING)?_(OLD|NEW)|(RCV|SND)TIMEO_(OLD|NEW)|SECURITY_.*)
values ip IP_ linux/in.h [A-Z_0-9]+ (PMTUDISC_.*|DEFAULT_.*|RECVRETOPTS)
values ipv6 IPV6_ linux/in6.h [A-Z_0-9]+ (PRIORITY_.*|FL_.*|TLV_.*|OPT_.*|PMTUDISC_.*|FLOWINFO_.*|PREFER_.*|(ADD|DROP)_MEMBERSHIP)
values tcp TCP_ linux/tcp.h [A-Z_0-9]+ (FLAG_.*|CA_.*|MSS_.*|RTO_DELTA.*|REPAIR_(ON|OFF).*|NLA_.*|FASTOPEN_CLIENT_.*|S_.*|MD5SIG_.*|RECEIVE_.*|AO_(MAX|KEYF)_.*|ACCECN_.*|AO_MAXKEYLEN|RESERVED_BITS|DATA_OFFSET|NO_QUEUE|RECV_QUEUE|SEND_QUEUE|QUEUES_NR)
values udp UDP_ linux/udp.h [A-Z_0-9]+ ENCAP_.+
values packet PACKET_ linux/if_packet.h [A-Z_0-9]+ (HOST|BROADCAST|MULTICAST|OTHERHOST|OUTGOING|LOOPBACK|USER|KERNEL|FASTROUTE|FANOUT_.+|MR_.*)
values netlink_opt NETLINK_ linux/netlink.h (ADD_MEMBERSHIP|DROP_MEMBERSHIP|PKTINFO|BROADCAST_ERROR|NO_ENOBUFS|[RT]X_RING|LISTEN_ALL_NSID|LIST_MEMBERSHIPS|CAP_ACK|EXT_ACK|GET_STRICT_CHK) -
bits futex2 FUTEX2_ linux/futex.h [A-Z_0-9]+ (SIZE_MASK|SIZE_U8)
values lsm_attr LSM_ATTR_ linux/lsm.h [A-Z_]+ -
values quota_type (USR|GRP|PRJ)QUOTA linux/quota.h - -
values segv_code SEGV_ asm-generic/siginfo.h [A-Z]+ -
values bus_code BUS_ asm-generic/siginfo.h [A-Z_]+ -
values ill_code ILL_ asm-generic/siginfo.h [A-Z]+ -
values fpe_code FPE_ asm-generic/siginfo.h [A-Z]+ -
values trap_code TRAP_ asm-generic/siginfo.h [A-Z]+ (PERF_.*)
values sys_code SYS_ asm-generic/siginfo.h [A-Z_]+ -
values poll_code POLL_ asm-generic/siginfo.h [A-Z]+ -
values cap CAP_ linux/capability.h [A-Z_]+ LAST_CAP
values prctl PR_ linux/prctl.h (GET|SET|CAPBSET|MCE_KILL|TASK_PERF|CAP_AMBIENT|SCHED_CORE|SVE|SME|PAC|RISCV|PPC|LOCK|TIMER_CREATE|RSEQ|THREAD|FUTEX|CFI|GET_CFI|SET_CFI)[A-Z_0-9]* (MCE_KILL_(SET|CLEAR|LATE|EARLY|DEFAULT)|SET_MM_.*|SET_VMA_.*|CAP_AMBIENT_.+|SCHED_CORE_.+|(SVE|SME)_(VL_.*|SET_VL_ONEXEC)|PAC_(AP|SET_ENABLED|GET_ENABLED).*KEY|PAC_AP.*|RISCV_(V_VSTATE|CTX|SCOPE).*|FUTEX_HASH_.+|PPC_DEXCR_.*|TIMER_CREATE_RESTORE_IDS_.*|THP_.*|SET_PTRACER_ANY|RSEQ_SLICE_EXT(ENSION)?_.*|CFI_(ENABLE|DISABLE|LOCK|BRANCH).*|LOCK_SHADOW_STACK.*STATUS.+)
LIST
}

{
	echo "# SPDX-License-Identifier: GPL-2.0-or-later"
	echo "# Made by scripts/gen-flags.sh from the uapi headers, in the form of flags.in."
	list | while read -r kind table prefix header take leave rest; do
		file=$inc/$header
		[ -e "$file" ] || file=$inc/$(uname -m)-linux-gnu/$header
		[ -e "$file" ] || { echo "gen-flags.sh: no $header here: $table stays as it was" >&2; file=/dev/null; }
		names=$prefix
		[ "$take" = - ] && prefix= take= || names=$prefix$take
		[ "$leave" = - ] && leave='^$'
		grep -oE "^[ 	]*(#[ 	]*define[ 	]+)?[A-Z][A-Za-z0-9_]+" "$file" | sed -E 's/.*[ 	]//' | grep -xE "$names" |
			grep -vxE "$prefix$leave" | sort -u >"$tmp/names" || true
		: >"$tmp/values"
		[ ! -s "$tmp/names" ] || uapi_values "$tmp/names" 'unsigned long' linux/types.h "$header" >"$tmp/values"
		# what the old file knew besides
		awk -v t="$table" '$1 == "bits" || $1 == "values" { on = $2 == t; next }
			on && /=/ { for (i = 1; i <= NF; i++) { split($i, p, "="); print p[1], p[2] } }' "$out" 2>/dev/null |
			while read -r name value; do
				echo "$prefix$name" | grep -qxE "$prefix$leave" || grep -q "^$prefix$name " "$tmp/values" || echo "$prefix$name $((value))" >>"$tmp/values"
			done
		echo "$kind $table $prefix"
		[ -z "$rest" ] || echo "${rest#: }"
		[ "$table" != statx_mask ] || echo "ALL=0xfff BASIC_STATS=0x7ff"	# what the kernel hands out as sums
		# Names of several bits go first; of names of one number, the first is taken.
		sort -k2,2n -k1,1 "$tmp/values" | awk '!seen[$2]++' | while read -r name value; do
			if [ "$kind" = values ]; then
				echo "0 ${name#"$prefix"}=$value"
			elif [ $((value)) != 0 ]; then
				printf '%d %s=%#x\n' $(((value & (value - 1)) == 0)) "${name#"$prefix"}" "$value"
			fi
		done | sort -s -k1,1n | cut -d' ' -f2 | paste -sd' '
	done
} >"$tmp/in"
mv "$tmp/in" "$out"
wc -l "$out"
