# SPDX-License-Identifier: GPL-2.0-or-later
# The tables of calls and flags are made from calls.in, flags.in and uapi.in.
SYSCALL_FLAGS := util/syscalls/flags.in util/syscalls/uapi.in
$(O)/util/syscalls/tables.inc: $(SYSCALL_FLAGS) util/syscalls/calls.in util/syscalls/tables.awk
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)awk -f util/syscalls/tables.awk $(SYSCALL_FLAGS) util/syscalls/calls.in > $@.tmp && mv -f $@.tmp $@
$(O)/util/syscalls/tables.o: $(O)/util/syscalls/tables.inc
