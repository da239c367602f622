// SPDX-License-Identifier: GPL-2.0-or-later
// What perf kvm stat report and live have in common.
#include <errno.h>
#include <string.h>

#include "builtin-kvm.h"
#include "util/event/tracepoint-names.h"
#include "util/view/draw.h"
#include "util/view/kvm-text.h"

/* Those that there are: which depends on the architecture. */
int kvm_stat_events(word_list *out, struct err *err)
{
	static const char *const events[] = { "kvm_entry", "kvm_exit", "kvm_mmio", "kvm_pio" };
	struct os os;
	int ret;

	os_init(&os);
	ret = os_tracefs(&os, err);
	for (size_t i = 0; i < ARRAY_SIZE(events) && ret >= 0; i++)
		os_add_tracepoint(&os, "kvm", events[i], out);
	if (ret >= 0 && !out->n) {
		ret = err_set(err, ENOENT, "no tracepoints of virtual machines below "
					   "%s/events/kvm", os.tracefs);
		err_hint(err, "the kernel's module kvm has them: 'modprobe kvm' on a host of "
			      "virtual machines");
	}
	vec_push(out, NULL);
	os_release(&os);
	return ret;
}

static int parse_word(const char *option, const char *text, const char *const *names, int n,
		      struct err *err)
{
	const int k = word_index(names, n, text, strlen(text));
	struct str all = STR_INIT;

	if (k >= 0)
		return k;
	for (int i = 0; i < n; i++)
		str_addf(&all, "%s%s", i ? ", " : "", names[i]);
	err_set(err, EINVAL, "%s: there is no '%s'", option, text);
	err_hint(err, "there are: %s", str_cstr(&all));
	str_release(&all);
	return -EINVAL;
}

int kvm_stat_parse(struct kvm_stat_opts *o, struct err *err)
{
	static const char *const events[KVM_N_KINDS] = { "vmexit", "mmio", "ioport" };
	static const char *const keys[] = { "sample", "time" };
	int ret = 0;

	if (o->event) {
		ret = parse_word("--event", o->event, events, KVM_N_KINDS, err);
		o->model.kind = ret < 0 ? KVM_VMEXIT : (enum kvm_kind)ret;
	}
	if (ret >= 0 && o->key) {
		ret = parse_word("--key", o->key, keys, ARRAY_SIZE(keys), err);
		o->model.key = ret < 0 ? KVM_BY_SAMPLES : (enum kvm_key)ret;
	}
	if (ret >= 0 && o->pids) {
		ret = parse_int_list(o->pids, &o->pid_list, err);
		o->model.pids = &o->pid_list;
	}
	return ret < 0 ? ret : 0;
}

bool kvm_is_amd(const char *cpuid)
{
	return cpuid && (str_has_prefix(cpuid, "AuthenticAMD") ||
			 str_has_prefix(cpuid, "HygonGenuine"));
}

void kvm_stat_add(const struct kvm_stat_opts *o, struct kvm *k, struct str *out)
{
	struct table t = { 0 };

	kvm_table(k, &t);
	if (table_output_data(&o->data))
		draw_only_table(out, &t, &o->data);
	else
		kvm_add_table(out, &t, kvm_totals(k), &o->model, o->pids);
	table_release(&t);
}
