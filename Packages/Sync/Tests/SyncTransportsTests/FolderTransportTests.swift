// SPDX-License-Identifier: MIT

import Testing

@testable import SyncTransports

struct FolderTransportTests {}
