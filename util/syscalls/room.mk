# SPDX-License-Identifier: GPL-2.0-or-later
# The tables of calls and flags are made from calls.in and flags.in.
$(O)/util/syscalls/tables.inc: util/syscalls/flags.in util/syscalls/calls.in util/syscalls/tables.awk
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)awk -f util/syscalls/tables.awk util/syscalls/flags.in util/syscalls/calls.in > $@.tmp && mv -f $@.tmp $@
$(O)/util/syscalls/tables.o: $(O)/util/syscalls/tables.inc
