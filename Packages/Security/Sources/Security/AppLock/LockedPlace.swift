// SPDX-License-Identifier: MIT

/// A place whose content an ``AppLock`` seals: a store of secrets, or files. It carries the lock's ``AppLockHeader``, so that the
/// passphrase opens it wherever it is found.
public protocol LockedPlace: Sendable {
    /// The place's header while its key is not open: give it to ``AppLock/unlock(passphrase:for:)``. Nil where nothing is
    /// locked.
    func lockedHeader() async throws -> AppLockHeader?

    /// Seals all that is not sealed yet. It can be broken off at any point and called again. Does nothing while there is no
    /// passphrase.
    func seal() async throws

    /// Stores everything as it was before the lock, and removes the header last. It can be broken off at any point and called
    /// again.
    func unseal() async throws
}
