// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why a CPU left its guest: the codes of VMX and SVM, by the kernel's <asm/vmx.h> and <asm/svm.h>,
 * and those of kvm_exit on arm64, with the classes of exceptions of the architecture (ESR_EL2.EC).
 */
#include "util/analysis/kvm.h"

struct exit_name { u64 code; const char *name; };

static const struct exit_name vmx[] = {
	{ 0, "EXCEPTION_NMI" }, { 1, "EXTERNAL_INTERRUPT" }, { 2, "TRIPLE_FAULT" },
	{ 3, "INIT_SIGNAL" }, { 4, "SIPI_SIGNAL" }, { 7, "INTERRUPT_WINDOW" },
	{ 8, "NMI_WINDOW" }, { 9, "TASK_SWITCH" }, { 0xa, "CPUID" }, { 0xc, "HLT" },
	{ 0xd, "INVD" }, { 0xe, "INVLPG" }, { 0xf, "RDPMC" }, { 0x10, "RDTSC" },
	{ 0x12, "VMCALL" }, { 0x13, "VMCLEAR" }, { 0x14, "VMLAUNCH" }, { 0x15, "VMPTRLD" },
	{ 0x16, "VMPTRST" }, { 0x17, "VMREAD" }, { 0x18, "VMRESUME" }, { 0x19, "VMWRITE" },
	{ 0x1a, "VMOFF" }, { 0x1b, "VMON" }, { 0x1c, "CR_ACCESS" }, { 0x1d, "DR_ACCESS" },
	{ 0x1e, "IO_INSTRUCTION" }, { 0x1f, "MSR_READ" }, { 0x20, "MSR_WRITE" },
	{ 0x21, "INVALID_STATE" }, { 0x22, "MSR_LOAD_FAIL" }, { 0x24, "MWAIT_INSTRUCTION" },
	{ 0x25, "MONITOR_TRAP_FLAG" }, { 0x27, "MONITOR_INSTRUCTION" },
	{ 0x28, "PAUSE_INSTRUCTION" }, { 0x29, "MCE_DURING_VMENTRY" },
	{ 0x2b, "TPR_BELOW_THRESHOLD" }, { 0x2c, "APIC_ACCESS" }, { 0x2d, "EOI_INDUCED" },
	{ 0x2e, "GDTR_IDTR" }, { 0x2f, "LDTR_TR" }, { 0x30, "EPT_VIOLATION" },
	{ 0x31, "EPT_MISCONFIG" }, { 0x32, "INVEPT" }, { 0x33, "RDTSCP" },
	{ 0x34, "PREEMPTION_TIMER" }, { 0x35, "INVVPID" }, { 0x36, "WBINVD" }, { 0x37, "XSETBV" },
	{ 0x38, "APIC_WRITE" }, { 0x39, "RDRAND" }, { 0x3a, "INVPCID" }, { 0x3b, "VMFUNC" },
	{ 0x3c, "ENCLS" }, { 0x3d, "RDSEED" }, { 0x3e, "PML_FULL" }, { 0x3f, "XSAVES" },
	{ 0x40, "XRSTORS" }, { 0x43, "UMWAIT" }, { 0x44, "TPAUSE" }, { 0x4a, "BUS_LOCK" },
	{ 0x4b, "NOTIFY" },
};

static const struct exit_name svm[] = {
	{ 0, "read_cr0" }, { 2, "read_cr2" }, { 3, "read_cr3" }, { 4, "read_cr4" },
	{ 8, "read_cr8" }, { 0x10, "write_cr0" }, { 0x12, "write_cr2" }, { 0x13, "write_cr3" },
	{ 0x14, "write_cr4" }, { 0x18, "write_cr8" }, { 0x20, "read_dr0" }, { 0x21, "read_dr1" },
	{ 0x22, "read_dr2" }, { 0x23, "read_dr3" }, { 0x24, "read_dr4" }, { 0x25, "read_dr5" },
	{ 0x26, "read_dr6" }, { 0x27, "read_dr7" }, { 0x30, "write_dr0" }, { 0x31, "write_dr1" },
	{ 0x32, "write_dr2" }, { 0x33, "write_dr3" }, { 0x34, "write_dr4" },
	{ 0x35, "write_dr5" }, { 0x36, "write_dr6" }, { 0x37, "write_dr7" }, { 0x40, "DE excp" },
	{ 0x41, "DB excp" }, { 0x43, "BP excp" }, { 0x44, "OF excp" }, { 0x45, "BR excp" },
	{ 0x46, "UD excp" }, { 0x47, "NM excp" }, { 0x48, "DF excp" }, { 0x4a, "TS excp" },
	{ 0x4b, "NP excp" }, { 0x4c, "SS excp" }, { 0x4d, "GP excp" }, { 0x4e, "PF excp" },
	{ 0x50, "MF excp" }, { 0x51, "AC excp" }, { 0x52, "MC excp" }, { 0x53, "XF excp" },
	{ 0x60, "interrupt" }, { 0x61, "nmi" }, { 0x62, "smi" }, { 0x63, "init" },
	{ 0x64, "vintr" }, { 0x65, "cr0_sel_write" }, { 0x66, "read_idtr" },
	{ 0x67, "read_gdtr" }, { 0x68, "read_ldtr" }, { 0x69, "read_rt" }, { 0x6a, "write_idtr" },
	{ 0x6b, "write_gdtr" }, { 0x6c, "write_ldtr" }, { 0x6d, "write_rt" }, { 0x6e, "rdtsc" },
	{ 0x6f, "rdpmc" }, { 0x70, "pushf" }, { 0x71, "popf" }, { 0x72, "cpuid" },
	{ 0x73, "rsm" }, { 0x74, "iret" }, { 0x75, "swint" }, { 0x76, "invd" }, { 0x77, "pause" },
	{ 0x78, "hlt" }, { 0x79, "invlpg" }, { 0x7a, "invlpga" }, { 0x7b, "io" }, { 0x7c, "msr" },
	{ 0x7d, "task_switch" }, { 0x7e, "ferr_freeze" }, { 0x7f, "shutdown" }, { 0x80, "vmrun" },
	{ 0x81, "hypercall" }, { 0x82, "vmload" }, { 0x83, "vmsave" }, { 0x84, "stgi" },
	{ 0x85, "clgi" }, { 0x86, "skinit" }, { 0x87, "rdtscp" }, { 0x88, "icebp" },
	{ 0x89, "wbinvd" }, { 0x8a, "monitor" }, { 0x8b, "mwait" }, { 0x8d, "xsetbv" },
	{ 0x8f, "write_efer_trap" }, { 0x90, "write_cr0_trap" }, { 0x94, "write_cr4_trap" },
	{ 0x98, "write_cr8_trap" }, { 0xa2, "invpcid" }, { 0x400, "npf" },
	{ 0x401, "avic_incomplete_ipi" }, { 0x402, "avic_unaccelerated_access" },
	{ 0x403, "vmgexit" }, { 0x80000001, "vmgexit_mmio_read" },
	{ 0x80000002, "vmgexit_mmio_write" }, { 0x80000003, "vmgexit_nmi_complete" },
	{ 0x80000004, "vmgexit_ap_hlt_loop" }, { 0x80000005, "vmgexit_ap_jump_table" },
	{ 0x80000010, "vmgexit_page_state_change" }, { 0x80000011, "vmgexit_guest_request" },
	{ 0x80000012, "vmgexit_ext_guest_request" }, { 0x80000013, "vmgexit_ap_creation" },
	{ 0x8000fffd, "vmgexit_hypervisor_feature" }, { 0xffffffff, "invalid_guest_state" },
};

static const struct exit_name arm64[] = {
	{ 0, "IRQ" }, { 1, "SERROR" }, { 2, "TRAP" }, { 3, "IL" }, { 4, "HYP_GONE" },
};

static const struct exit_name arm64_traps[] = {
	{ 0, "UNKNOWN" }, { 1, "WFx" }, { 3, "CP15_32" }, { 4, "CP15_64" }, { 5, "CP14_MR" },
	{ 6, "CP14_LS" }, { 7, "FP_ASIMD" }, { 8, "CP10_ID" }, { 9, "PAC" }, { 0xc, "CP14_64" },
	{ 0x11, "SVC32" }, { 0x12, "HVC32" }, { 0x13, "SMC32" }, { 0x15, "SVC64" },
	{ 0x16, "HVC64" }, { 0x17, "SMC64" }, { 0x18, "SYS64" }, { 0x19, "SVE" },
	{ 0x1f, "IMP_DEF" }, { 0x20, "IABT_LOW" }, { 0x21, "IABT_CUR" }, { 0x22, "PC_ALIGN" },
	{ 0x24, "DABT_LOW" }, { 0x25, "DABT_CUR" }, { 0x26, "SP_ALIGN" }, { 0x28, "FP_EXC32" },
	{ 0x2c, "FP_EXC64" }, { 0x2f, "SERROR" }, { 0x30, "BREAKPT_LOW" },
	{ 0x31, "BREAKPT_CUR" }, { 0x32, "SOFTSTP_LOW" }, { 0x33, "SOFTSTP_CUR" },
	{ 0x34, "WATCHPT_LOW" }, { 0x35, "WATCHPT_CUR" }, { 0x38, "BKPT32" },
	{ 0x3a, "VECTOR32" }, { 0x3c, "BRK64" },
};

static const char *find(const struct exit_name *t, size_t n, u64 code)
{
	for (size_t i = 0; i < n; i++)
		if (t[i].code == code)
			return t[i].name;
	return NULL;
}

const char *kvm_vmx_exit(u64 code) { return find(vmx, ARRAY_SIZE(vmx), code); }

const char *kvm_svm_exit(u64 code) { return find(svm, ARRAY_SIZE(svm), code); }

const char *kvm_arm64_exit(u64 code) { return find(arm64, ARRAY_SIZE(arm64), code); }

const char *kvm_arm64_trap(u64 ec) { return find(arm64_traps, ARRAY_SIZE(arm64_traps), ec); }
