// SPDX-License-Identifier: MIT

public import AuthServer
import Concurrency
import Diagnostics

/// Signing keys that a test exchanges while a service uses them.
public final class HeldSigningKeys: Sendable {
    private let held: Guarded<SigningKeys>

    /// Keys to begin with.
    public init(_ keys: SigningKeys) {
        held = Guarded(keys)
    }

    /// The keys of the moment.
    public var keys: SigningKeys {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
