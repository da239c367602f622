# SPDX-License-Identifier: GPL-2.0-or-later
# For scripts that compare what is shown of recordings of many kinds: branch stacks, accesses to memory, and those of the corpus,
# where it is there, under short names.
py () { PYTHONDONTWRITEBYTECODE=1 python3 "$TEST_DIR/$@"; }
gcc -no-pie -o loop "$TEST_DIR/branchloop.s" && py branches.py loop loop.data 8 10,2,12/10 5,8,4 10,2,20 &&
	py branches.py loop far.data 4 10,2,12/10 8,0,1 10,2,12345,m && py memdata.py plain.data && py memdata.py bare.data bare || exit 1
ln -s "$TOP/tests/data/small/sched.data" sched.data
for name in branch-3.8:br38 branch-4.14:br414 callgraph_and_branch:both raw_callgraph_branch:raw group_desc:group systemwide.5:system busy.0:busy; do
	ln -s "$CORPUS"/perf_data_converter-perf.data."${name%:*}"*/perf.data "${name#*:}.data" 2>/dev/null
done
ln -s "$CORPUS"/perfparser-probe.data.stream-*/perf.data probe.data 2>/dev/null
ln -s "$CORPUS"/autofdo-*/perf.data autofdo.data 2>/dev/null
ln -s "$CORPUS"/perfparser-cpp-inlining*/perf.data hybrid.data 2>/dev/null

# Upstream ends with a tip, also in a file.
rows () { grep -v "Tip:" | sed -e :a -e '/^[#\n]*$/{$d;N;ba' -e '}'; }
# same_report RECORDING OPTION...: report prints the same as the newest upstream perf. Of the corpus no file is here, whatever it is called.
same_report () {
	local file=$1 away=
	shift
	case $(readlink $file) in */corpus/*) away="--symfs /nonexistent" ;; esac
	"$NEWEST" report --stdio -i $file $away "$@" 2>err.upstream | rows >expect
	[ -s expect ] || { echo "upstream has nothing: $file $*"; return 1; }
	perf report --stdio -i $file $away "$@" 2>err | rows >actual && cmp -s expect actual && return
	echo "$file $*"
	cat err
	diff expect actual | head -n 20
	return 1
}
# all N <<EOF: each line a recording and options for "same", which the script has; how many.
all () {
	local file options bad=0 n=0
	while read -r file options; do
		n=$((n + 1))
		[ -e $file ] || continue	# the corpus is not here
		same $file $options || bad=$((bad + 1))
	done
	[ $bad = 0 ] && [ $n = "$1" ]
}
