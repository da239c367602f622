#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='every option of the other half of the commands: as t0020-options.sh'
options_part=1
. "$(dirname "$0")/t0020-options.sh"
