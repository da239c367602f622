# SPDX-License-Identifier: GPL-2.0-or-later
# Pages of HTML are files of their own, with style and script; the program has them as arrays.
FLAME_PAGE := $(addprefix util/view/flame-page/,page.html style.css script.js)
$(O)/util/view/flame-page.inc: $(FLAME_PAGE) util/view/page.sh
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)sh util/view/page.sh $(FLAME_PAGE) > $@.tmp && mv -f $@.tmp $@
$(O)/util/view/flame-html.o: $(O)/util/view/flame-page.inc
HEAT_PAGE := util/view/heat-page/page.html util/view/flame-page/style.css util/view/heat-page/script.js
$(O)/util/view/heatmap-page.inc: $(HEAT_PAGE) util/view/page.sh
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)sh util/view/page.sh $(HEAT_PAGE) > $@.tmp && mv -f $@.tmp $@
$(O)/util/view/heatmap-html.o: $(O)/util/view/heatmap-page.inc
FLAME_DRAWING := util/view/flame-page/drawing.txt
$(O)/util/view/flame-drawing.inc: $(FLAME_DRAWING) util/view/page.sh
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)sh util/view/page.sh $(FLAME_DRAWING) > $@.tmp && mv -f $@.tmp $@
$(O)/util/view/flame-svg.o: $(O)/util/view/flame-drawing.inc
