// SPDX-License-Identifier: MIT

import Sync
