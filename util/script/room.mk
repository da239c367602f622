# The modules for scripts in Python, and what looks at scripts, as bytes of one text each.
SCRIPT_MODULES := $(wildcard util/script/modules/*.py)
$(O)/util/script/modules.inc: util/script/modules.sh util/script/modules.py $(SCRIPT_MODULES)
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)sh util/script/modules.sh util/script/modules.py $(SCRIPT_MODULES) > $@.tmp && mv -f $@.tmp $@
$(O)/util/script/python.o: $(O)/util/script/modules.inc
$(O)/util/script/uses.inc: util/script/modules.sh util/script/uses.py
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)sh util/script/modules.sh util/script/uses.py > $@.tmp && mv -f $@.tmp $@
$(O)/util/script/python-uses.o: $(O)/util/script/uses.inc
