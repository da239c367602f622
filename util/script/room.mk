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
$(O)/util/script/module.inc: util/script/modules.sh util/script/module.py
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)sh util/script/modules.sh util/script/module.py > $@.tmp && mv -f $@.tmp $@
$(O)/util/script/module.o: $(O)/util/script/module.inc

# "import perf": one file for any Python from 3.8 on, since it has only the stable ABI. Its objects are another set of the same
# sources: those of a shared object.
PYTHON_CFLAGS := -O2 -fPIC -fvisibility=hidden
.PHONY: python
python:
	$(MAKE) O=build-python CFLAGS="$(PYTHON_CFLAGS)" build-python/perf.abi3.so
$(O)/perf.abi3.so: $(O)/libperf.a util/script/perf.pyi
	$(call say,LINK,$@)
	@echo '{ global: PyInit_perf; local: *; };' > $@.exports
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -pthread -Wl,--as-needed -Wl,-z,defs -Wl,-u,PyInit_perf -Wl,--version-script=$@.exports \
		-o $@ $(O)/libperf.a $(LIBS)
	$(Q)cp util/script/perf.pyi $(@D)/perf.pyi
