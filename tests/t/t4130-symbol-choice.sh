#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='which symbol an address has: aliases, overlaps, sizes of zero, marks, versions'
. "$(dirname "$0")/lib.sh"

[ -x "$BUILD/helper/address-data" ] || make -s -C "$TOP" O="$BUILD" "$BUILD/helper/address-data" >/dev/null 2>&1 ||
	test_skip_all 'needs build/helper/address-data (make tests)'
test_require X86_64,CC,OBJDUMP

# A place is a comment line "# at EXPECTED [OTHER]": the next byte but one is asked for; OTHER is what 7.2 says there, where
# it differs: it takes any of the symbols that hold an address, and a label without size before a function with one.
cat >places <<\END
# at a_global
	def a_global globl 16
	def a_local_longer local 16
	.skip 16, 0x90
# at b_globl
	def b_weak_longer weak 16
	def b_globl globl 16
	.skip 16, 0x90
# at c_local_long
	def c_local_long local 16
	def c_weak weak 16
	.skip 16, 0x90
# at d_g
	def __d_globl globl 16
	def d_g globl 16
	.skip 16, 0x90
# at e_sized e_zero
	def e_zero globl 0
	def e_sized local 16
	.skip 16, 0x90
# at f_zero
	def f_zero globl 0
	.skip 16, 0x90
# at g_outer
	def g_outer globl 32
	.skip 8, 0x90
# at g_inner
	def g_inner globl 8
	.skip 8, 0x90
# at g_outer [unknown]
	.skip 16, 0x90
# at h_fn
	def h_fn globl 16
	def h_fn.localalias local 16
	.skip 16, 0x90
# at i_fn.cold
	def i_fn.cold local 16
	.skip 16, 0x90
# at j_short_long
	def j_short globl 16
	def j_short_long globl 16
	.skip 16, 0x90
# at k_fn
	def k_fn globl 8
	.skip 8, 0x90
# at [unknown]
	.skip 8, 0x90
# at l_ifunc
	def l_ifunc globl 16 STT_GNU_IFUNC
	.skip 16, 0x90
# at m_notype
	.globl m_notype
m_notype: .skip 16, 0x90
# at _n_x
	def _n_x globl 16
	def n_weak weak 16
	.skip 16, 0x90
# at o.part.0
	def o.part.0 local 16
	def o_part local 16
	.skip 16, 0x90
# at p_fn@@V2
	def p_impl globl 16
	.symver p_impl, p_fn@@V2
	.skip 16, 0x90
# at q_after_mark
	def $x local 0 STT_NOTYPE
	def q_after_mark local 16
	.skip 16, 0x90
# at r_fn
	def __r_longer globl 16
	def r_fn globl 16
	.skip 16, 0x90
# at s_object
	def s_object local 16 STT_OBJECT
	.skip 16, 0x90
# at [unknown]
	def .Lhidden local 16
	.skip 16, 0x90
# at t_fn.isra.0
	def t_fn.isra.0 local 16
	.skip 16, 0x90
# at u_sz
	def u_zero local 0
	def u_sz local 16
	.skip 16, 0x90
# at v_sz
	def v_zero weak 0
	def v_sz local 16
	.skip 16, 0x90
# at w_overlaps
	def w_overlaps globl 32
	.skip 16, 0x90
# at w_second w_overlaps
	def w_second globl 32
	.skip 16, 0x90
# at w_second
	.skip 16, 0x90
# at y::f(int)
	def _ZN1y1fEi globl 16
	.skip 16, 0x90
# at y::f(int)[clone_.cold]
	def _ZN1y1fEi.cold local 16
	.skip 16, 0x90
# at alloc::vec::Vec<T>::push
	def _ZN5alloc3vec12Vec$LT$T$GT$4push17h0123456789abcdefE local 16
	.skip 16, 0x90
# at alloc::vec::Vec<T>::grow.cold
	def _ZN5alloc3vec12Vec$LT$T$GT$4grow17h0123456789abcdefE.cold local 16
	.skip 16, 0x90
# at global_constructors_keyed_to_fn()
	def _GLOBAL__I__Z2fnv local 16
	.skip 16, 0x90
# at main.(*T).Run
	def "main.(*T).Run" local 16
	.skip 16, 0x90
# at w_within
	def w_within globl 48
	.skip 8, 0x90
w_label: .skip 8, 0x90
# at w_within w_label2
	def w_label2 globl 0
	.skip 16, 0x90
# at w_nested
	def w_nested local 8
	.skip 8, 0x90
	def w_behind local 0
# at w_within w_behind
	.skip 8, 0x90
# at w_after
	def w_after local 0
	.skip 16, 0x90
# at z_end
	def z_end local 16
	.skip 16, 0x90
END
awk 'BEGIN { print "\t.macro def name, bind, size, type=STT_FUNC\n\t.\\bind \"\\name\"\n\t.type \"\\name\", \\type\n\t\"\\name\":\n\t.size \"\\name\", \\size\n\t.endm\n\t.text" }
	/^# at/ { printf "at%d:\n", ++n; next }
	{ gsub(/"/, "") } /def main\.\(/ { sub(/main[^ ]*/, "\"&\"") } { print }
	END { print "\t.section .note.GNU-stack,\"\",@progbits" }' places >s.s
awk '/^# at/ { print $3 }' places >expect
awk '/^# at/ { print (NF > 3) ? $4 : $3 }' places >expect.upstream
echo 'V1 { }; V2 { global: *; } V1;' >ver.map

# names PERF: of the places, blanks as _
names () {
	"$1" script --no-inline -i x.data -F ip,sym 2>err | awk 'NF { sub(/^[ \t]*[0-9a-f]+ /, ""); sub(/ \[clone/, "[clone"); gsub(/ /, "_"); print }'
}

test_expect_success 'each address has the symbol that people mean' '
	cc -shared -nostdlib -Wl,--version-script=ver.map -o s s.s &&
	n=$(wc -l <expect) && nm s | awk "\$3 ~ /^at[0-9]+\$/ { print substr(\$3, 3), \$1 }" | sort -n | cut -d" " -f2 >at && [ "$(wc -l <at)" = "$n" ] &&
	objcopy $(seq -f "--strip-symbol=at%g" "$n") s s2 &&
	while read -r a; do printf "%x\n" $((0x$a + 1)); done <at | "$BUILD/helper/address-data" x.data s2 &&
	names perf >out && test_cmp expect out
'

test_expect_success NEWEST 'the newest upstream perf says the same, but for listed places' '
	names "$NEWEST" >out && test_cmp expect.upstream out
'

test_expect_success 'names as they are in the file: --no-demangle' '
	perf script --no-demangle --no-inline -i x.data -F ip,sym >out &&
	test_grep " _ZN1y1fEi\$" out && test_grep " _ZN1y1fEi.cold\$" out && test_grep "Vec.LT.T.GT.4push17h0123456789abcdefE\$" out
'

test_expect_success 'the same of a file with dynamic symbols only, as far as it has them' '
	strip s2 && names perf >out &&
	paste -d" " expect out | awk "\$2 != \"[unknown]\" { n++; if (\$1 != \$2) print } END { print n }" >differ &&
	printf "%s\n" "c_local_long c_weak" "e_sized e_zero" "p_fn@@V2 p_impl" "v_sz v_zero" "w_nested w_within" 26 >expect.differ && test_cmp expect.differ differ
'

test_done
