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
$(O)/util/script/module.inc $(O)/util/script/module-live.inc: $(O)/util/script/%.inc: util/script/modules.sh util/script/%.py
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)sh util/script/modules.sh util/script/$*.py > $@.tmp && mv -f $@.tmp $@
$(O)/util/script/module.o: $(O)/util/script/module.inc $(O)/util/script/module-live.inc

# "import perf": one file for any Python from 3.8 on, since it has only the stable ABI. Its objects are those of a shared object:
# another set of the sources that it needs, which the linker tells of the first set.
PYTHON_CFLAGS := $(if $(filter file,$(origin CFLAGS)),$(OPT) -g,$(CFLAGS)) -fPIC -fvisibility=hidden
$(O)/python-objects: $(O)/libperf.a $(O)/link-flags
	$(Q)echo 'int main(void) { return 0; }' | $(CC) -x c - -x none -o $(O)/python-main -Wl,-t \
		-Wl,-u,PyInit_perf $(O)/libperf.a $(LIBS) -pthread > $@.trace
	$(Q)sed -n 's,.*$(O)/\([^()]*\.o\))*$$,\1,p' $@.trace | LC_ALL=C sort -u > $@
.PHONY: python
python: $(O)/python-objects
	$(Q)+$(MAKE) O=$(O)-python CFLAGS="$(PYTHON_CFLAGS)" PYTHON_OBJECTS="$$(tr '\n' ' ' < $<)" \
		$(O)-python/perf.abi3.so
$(O)/perf.abi3.so: $(addprefix $(O)/,$(PYTHON_OBJECTS)) util/script/perf.pyi
	$(call say,LINK,$@)
	@echo '{ global: PyInit_perf; local: *; };' > $@.exports
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -pthread -Wl,--as-needed -Wl,-z,defs -Wl,--version-script=$@.exports -o $@ \
		$(filter %.o,$^) $(LIBS)
	$(Q)cp util/script/perf.pyi $(@D)/perf.pyi
