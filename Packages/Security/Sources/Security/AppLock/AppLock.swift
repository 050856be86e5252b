// SPDX-License-Identifier: MIT

/// An optional passphrase that must be given before secrets can be used: the counterpart of a biometric gate.
///
/// Wrong passphrases in a row cost time: nothing for two, then 5 s, 15 s, 1 min, 5 min, 15 min and 1 h. The count lies in
/// a file, so it survives the end of the program and a restart of the machine; an attempt is counted before it is looked at,
/// and setting the clock back does not shorten the wait.
///
/// This is a gate, not encryption: who can change the person's files can remove the lock's. ``SealedFileStore`` with a
/// passphrase is what encrypts. Calls run one after another on a queue of the lock's own.
public actor AppLock {
    private let executor = QueueExecutor(label: "parley.security.app-lock")
    private let path: String
    private let now: @Sendable () -> AppLockTime
    private var isOpen = false

    /// The queue that the calls run on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A lock that keeps its state in a file, locked if it is enabled.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must be there.
    ///   - now: The machine's clocks.
    public init(path: String, now: @escaping @Sendable () -> AppLockTime = AppLockTime.now) {
        self.path = path
        self.now = now
    }

    /// Whether there is a passphrase.
    ///
    /// - Throws: ``SecurityError``: `damaged`, `insecureFile`. The lock counts as closed then.
    public func isEnabled() throws -> Bool { try AppLockRecord.load(from: path) != nil }

    /// How long the next attempt has to wait; zero if it may be made now.
    public func remainingDelay() throws -> Duration {
        try PrivateFile.withLock(on: path, exclusively: true) {
            guard let record = try settledRecord() else { return .zero }
            return .seconds(record.failures.remaining(at: now()))
        }
    }

    /// Sets a passphrase; the lock is open afterwards. A passphrase that was set before can be replaced while it is open.
    ///
    /// - Throws: ``SecurityError``: `locked`, `invalidParameter` for an empty passphrase, and those of writing a file.
    public func enable(passphrase: Sensitive<[UInt8]>, parameters: ScryptParameters = .standard) throws {
        try PrivateFile.withLock(on: path, exclusively: true) {
            guard try isOpen || AppLockRecord.load(from: path) == nil else { throw Self.locked }
            try AppLockRecord(passphrase: passphrase, parameters: parameters).save(to: path)
        }
        isOpen = true
    }

    /// Removes the passphrase. The lock must be open.
    public func disable() throws {
        try PrivateFile.withLock(on: path, exclusively: true) {
            guard try isOpen || AppLockRecord.load(from: path) == nil else { throw Self.locked }
            try PrivateFile.remove(path)
        }
        isOpen = false
    }

    /// Opens the lock.
    ///
    /// - Throws: ``SecurityError``: `wrongPassphrase`, `tooManyFailures` without having looked at the passphrase, `damaged`.
    public func unlock(passphrase: Sensitive<[UInt8]>) throws {
        try PrivateFile.withLock(on: path, exclusively: true) {
            guard var record = try settledRecord() else { return }
            let wait = record.failures.remaining(at: now())
            guard wait == 0 else {
                throw SecurityError(
                    code: .tooManyFailures,
                    message: "Too many wrong passphrases. Try again in \(Int(wait.rounded(.up))) seconds.")
            }
            record.failures.begin(at: now())
            try record.save(to: path)
            guard try record.accepts(passphrase) else {
                throw SecurityError(code: .wrongPassphrase, message: "This is not the passphrase of the app lock.")
            }
            record.failures.succeed()
            try record.save(to: path)
        }
        isOpen = true
    }

    /// Closes the lock until the passphrase is given again.
    public func lock() {
        isOpen = false
    }

    /// Throws unless the lock is open or there is none.
    public func requireUnlocked() throws {
        if isOpen { return }
        guard try !isEnabled() else { throw Self.locked }
    }

    private func settledRecord() throws -> AppLockRecord? {
        guard var record = try AppLockRecord.load(from: path) else { return nil }
        let before = record
        record.failures.settle(at: now())
        if record != before { try record.save(to: path) }
        return record
    }

    private static let locked = SecurityError(
        code: .locked, message: "The app is locked. Give the passphrase first.")
}
