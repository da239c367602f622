// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A virtual machine that leaves its guest as often as it is told, by ports and device memory:
 *	kvmguest WRITES MMIO_WRITES MMIO_READS SLOW SLOW_MS
 * does WRITES writes to port 0x10, writes and reads at address 0x8000, where there is no memory,
 * and SLOW writes to port 0x11, each of which takes the host SLOW_MS; then it halts.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define CODE_AT 0x1000

static int number(const char *text)
{
	char *end;
	const long n = strtol(text, &end, 10);

	if (*end || n < 0 || n > 65535)
		errx(1, "%s is not a number up to 65535", text);
	return (int)n;
}

static unsigned char *put_loop(unsigned char *p, int n, const unsigned char *op, int bytes)
{
	if (!n)
		return p;
	*p++ = 0xb9; *p++ = n & 0xff; *p++ = n >> 8;		/* mov $n, %cx */
	memcpy(p, op, bytes);
	p += bytes;
	*p++ = 0xe2; *p++ = (unsigned char)(-2 - bytes);	/* loop to op */
	return p;
}

static void write_code(unsigned char *p, char **argv)
{
	static const unsigned char out_10[] = { 0xe6, 0x10 }, out_11[] = { 0xe6, 0x11 },
				   store[] = { 0xa2, 0x00, 0x80 }, load[] = { 0xa0, 0x00, 0x80 };

	p = put_loop(p, number(argv[1]), out_10, sizeof(out_10));
	p = put_loop(p, number(argv[2]), store, sizeof(store));
	p = put_loop(p, number(argv[3]), load, sizeof(load));
	p = put_loop(p, number(argv[4]), out_11, sizeof(out_11));
	*p = 0xf4;						/* hlt */
}

/* Real mode, from address 0 of its memory's segment. */
static void set_registers(int cpu)
{
	struct kvm_regs regs = { .rip = CODE_AT, .rflags = 2 };
	struct kvm_sregs sregs;

	if (ioctl(cpu, KVM_GET_SREGS, &sregs) < 0)
		err(1, "KVM_GET_SREGS");
	sregs.cs.base = sregs.cs.selector = 0;
	if (ioctl(cpu, KVM_SET_SREGS, &sregs) < 0 || ioctl(cpu, KVM_SET_REGS, &regs) < 0)
		err(1, "KVM_SET_REGS");
}

static void run(int cpu, const struct kvm_run *run, useconds_t slow_us)
{
	for (;;) {
		if (ioctl(cpu, KVM_RUN, 0) < 0)
			err(1, "KVM_RUN");
		switch (run->exit_reason) {
		case KVM_EXIT_IO:
			if (run->io.port == 0x11)
				usleep(slow_us);
			break;
		case KVM_EXIT_MMIO: break;
		case KVM_EXIT_HLT: return;
		default: errx(1, "the guest was left because of %u", run->exit_reason);
		}
	}
}

int main(int argc, char **argv)
{
	const int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	struct kvm_userspace_memory_region region = { .guest_phys_addr = CODE_AT,
						      .memory_size = 4096 };
	struct kvm_run *shared;
	int vm, cpu, bytes;
	void *memory;

	if (argc != 6)
		errx(1, "usage: kvmguest WRITES MMIO_WRITES MMIO_READS SLOW SLOW_MS");
	if (kvm < 0 || (vm = ioctl(kvm, KVM_CREATE_VM, 0)) < 0)
		err(1, "no virtual machine");
	memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	write_code(memory, argv);
	region.userspace_addr = (unsigned long)memory;
	if (ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region) < 0)
		err(1, "KVM_SET_USER_MEMORY_REGION");
	cpu = ioctl(vm, KVM_CREATE_VCPU, 0);
	bytes = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	if (cpu < 0 || bytes < 0)
		err(1, "no virtual CPU");
	shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, cpu, 0);
	set_registers(cpu);
	run(cpu, shared, 1000 * number(argv[5]));
	return 0;
}
