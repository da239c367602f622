/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TIMECHART_PAGE_H
#define VIEW_TIMECHART_PAGE_H
/* The constant parts of a timechart's page: its colours, and the script that zooms. They name
 * what timechart-svg.c writes. */

extern const char timechart_style[];
/* Works on the root's data-w (px of the chart at zoom 1), data-ns, data-t0, data-left, the
 * groups "chart", "axis", "labels" and "tip", and the descriptions "t<task>" with the tasks'
 * names. */
extern const char timechart_script[];

#endif
