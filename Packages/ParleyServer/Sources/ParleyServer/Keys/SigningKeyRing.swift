// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics

/// The signing keys of a server that runs; they may be exchanged at any time.
final class SigningKeyRing: Sendable {
    private let current: Guarded<SigningKeys>

    init(_ keys: SigningKeys) {
        current = Guarded(keys)
    }

    var keys: SigningKeys {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}
