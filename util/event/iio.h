/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_IIO_H
#define EVENT_IIO_H
/*
 * PCIe root ports of Intel servers, and the counters of what goes through them. Each stack of the
 * integrated I/O has a PMU of its own, uncore_iio_N, which is there once in each die; its file dieM
 * says which root port that is, as "segment:bus" (Linux, Documentation/ABI/testing/
 * sysfs-devices-mapping). The events are those of Intel's uncore manuals, which count 4 bytes each:
 * DATA_REQ_OF_CPU (0x83), the devices' requests, and DATA_REQ_BY_CPU (0xc0), those of the CPUs.
 */
#include "util/event/event.h"

struct iio_port {
	char *pmu;		/* "uncore_iio_2"; owned */
	int die;
	int cpu;		/* that counts for its die; -1: the PMU does not say */
	u32 segment, bus;
	char name[16];		/* "0000:3a" */
};
typedef VEC(struct iio_port) iio_port_vec;

/* Of each port, in this order; a group. */
enum iio_count { IIO_IN_READ, IIO_IN_WRITE, IIO_OUT_READ, IIO_OUT_WRITE, IIO_COUNTS };

/* The root ports of this machine, by PMU and die. -ENOTSUP: it has no such PMUs, or its kernel does
 * not say what they are of. Freed by iio_ports_release(), also after an error. */
int iio_ports(struct os *os, struct pmu_db *db, iio_port_vec *out, struct err *err);
void iio_ports_release(iio_port_vec *v);
/* Keeps of all ports those of a list "0000:17,0:3a", in its order and once each; what there is not
 * stays in missing (", " between), which the caller frees. -EINVAL: it is no such list; -ENOENT:
 * none of them is there. */
int iio_ports_choose(iio_port_vec *v, const char *list, char **missing, struct err *err);
/* Appends IIO_COUNTS events, whose unit is MB (2^20 bytes), counted on the port's CPU alone. */
int iio_port_add_events(const struct iio_port *p, struct event_list *l, struct os *os,
			struct pmu_db *db, struct err *err);

#endif
