# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced after lib.sh. What each command can do with which rights, in which place: the cells of Documentation/RIGHTS.md.
# Needs ./dockerlike and ./burn beside the caller, which is root.

rights_places='host container userns readonly nosys'
rights_list='none syslog bpf perfmon perfmon+syslog bpf+perfmon root'
rights_levels='-1 0 1 2 3 4'
rights_commands='stat stat-a record record-a record-g trace trace-a probe probe-l top sched list off-cpu'
# What Docker leaves to the root of a container
rights_docker=-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot
rights_docker=$rights_docker,+mknod,+audit_write,+setfcap

# The filter, the program that is watched (some 50 ms, most of it in the kernel), and who may come to them
rights_prepare () {
	cat >burn.c <<-\END &&
	#include <sys/syscall.h>
	#include <unistd.h>
	int main(void)
	{
		for (int i = 0; i < 300000; i++)
			syscall(SYS_getppid);
		return 0;
	}
	END
	cc -O1 -o burn burn.c && cc -D_GNU_SOURCE -o dockerlike "$TEST_DIR/../workloads/dockerlike.c" && chmod 755 . && chmod 755 burn dockerlike
}

# Run in the place, with the rights: all commands, or those that are named; each leaves NAME.out, NAME.err and NAME.status in $1
cat >rights-cell.sh <<'END'
cd "$1" || exit 1
work=$2 readonly=$3
shift 3
plain=
[ -z "$readonly" ] || plain=/tmp
one () {
	local name=$1
	shift
	( cd "${plain:-.}" && exec timeout -k 2 20 "$@" ) >$name.out 2>$name.err
	echo $? >$name.status
}
for c; do
	here=$PWD data=$PWD/$c.data
	case $c in
	stat) one $c perf stat -e task-clock,context-switches -o $here/$c.text -- true ;;
	stat-a) one $c perf stat -a -e context-switches -o $here/$c.text -- true ;;
	record) if [ -n "$readonly" ]; then one $c perf record -F 999 -- $work; else one $c perf record -F 999 -o $data -- $work; fi ;;
	record-a) one $c perf record -a -F 999 -o $data -- $work ;;
	record-g) one $c perf record -g -F 999 -o $data -- $work ;;
	trace) one $c perf trace -e openat -o $here/$c.text -- cat /dev/null ;;
	trace-a) one $c perf trace -a -e openat -o $here/$c.text -- cat /dev/null ;;
	probe) one $c perf probe -q -x $work rights=main
		[ "$(cat $c.status)" != 0 ] || perf probe -q -d "probe_*:rights*" >/dev/null 2>&1 ;;
	probe-l) one $c perf probe -l ;;
	top) one $c sh -c 'perf top --stdio -d 0.1 | head -n 4' ;;
	sched) one $c perf sched record -o $data -- true ;;
	list) one $c perf list --no-desc 'sched:sched_sw*' ;;
	off-cpu) one $c perf record -e dummy --off-cpu -o $data -- sleep 0.02 ;;
	esac
done
END

# rights_as PLACE RIGHTS: the words that give them to a command, in the array as
rights_as () {
	local caps
	caps=+${2//+/,+}
	as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	case $1:$2 in
	container:none) as=(./dockerlike "${as[@]}" --bounding-set "$rights_docker" --inh-caps=-all --) ;;
	container:root) as=(./dockerlike setpriv --bounding-set "$rights_docker" --inh-caps=-all --) ;;
	container:*) as=(./dockerlike ${caps//,/ } setpriv --bounding-set "$rights_docker,$caps" --inh-caps=-all --) ;;
	userns:none) as+=(--inh-caps=-all -- unshare -U --map-current-user --) ;;
	userns:root) as+=(--inh-caps=-all -- unshare -U -r --) ;;
	userns:*) as+=(--inh-caps=-all -- unshare -U --map-current-user --keep-caps -- setpriv --inh-caps="-all,$caps" --ambient-caps="-all,$caps" --) ;;
	*:none) as+=(--inh-caps=-all --) ;;
	*:root) as=(env) ;;
	*) as+=(--inh-caps="-all,$caps" --ambient-caps="-all,$caps" --) ;;
	esac
}

# Inside of a mount namespace of its own: what the place changes
rights_place () {
	case $1 in
	container)
		mount -t proc proc /proc && umount -lR /sys && mount -t sysfs -o ro sysfs /sys && mount --bind /proc/sys /proc/sys &&
			mount -o remount,bind,ro /proc/sys ;;
	readonly)
		mount --bind "$2" "$2" &&
		for m in / /sys /sys/kernel/tracing /sys/kernel/debug /sys/fs/bpf /tmp /run /var /home; do
			! mountpoint -q $m || mount -o remount,bind,ro $m || return 1
		done ;;
	nosys) mount -t tmpfs -o ro none /sys ;;
	esac
}

# rights_cell PLACE RIGHTS DIR [COMMAND...]: DIR is made; nothing is judged.
rights_cell () (
	place=$1 dir=$3
	[ $place = container ] && pids=-pf || pids=
	rights_as $1 $2
	mkdir -p "$dir" && chmod 777 "$dir"
	dir=$(cd "$dir" && pwd)
	[ $place = readonly ] && ro=yes || ro=
	shift 3
	[ $# != 0 ] || set -- $rights_commands
	export HOME=$dir
	case $place in host|userns) exec "${as[@]}" sh ./rights-cell.sh "$dir" "$PWD/burn" "$ro" "$@" ;; esac
	export -f rights_place
	exec unshare -m $pids bash -c 'rights_place "$1" "$2" || exit 1; shift 2; exec "$@"' - $place "$dir" "${as[@]}" \
		sh ./rights-cell.sh "$dir" "$PWD/burn" "$ro" "$@"
)

# rights_run LEVEL "PLACES" "RIGHTS" OUT [COMMAND...]: those cells, as lines of OUT: level, place, rights, command, then what came of
# it, by tabs. The level is put back by rights_restore.
rights_found=$(cat /proc/sys/kernel/perf_event_paranoid)
rights_restore () { echo "$rights_found" >/proc/sys/kernel/perf_event_paranoid; }
rights_run () {
	local level=$1 places=$2 list=$3 out=$4 p r ret=0
	shift 4
	echo $level >/proc/sys/kernel/perf_event_paranoid || return 1
	for p in $places; do
		for r in $list; do
			rights_cell $p $r cells/$level/$p/$r "$@" || { echo "the cell $p, $r cannot be made"; ret=1; break 2; }
		done
	done
	rights_restore
	[ $ret = 0 ] && python3 "$TEST_DIR/rights.py" judge cells/$level $level ${*:-$rights_commands} >>"$out"
}
