// SPDX-License-Identifier: MIT

import Concurrency

/// An optional passphrase before secrets and stored data: it opens the key that they are sealed with.
///
/// The key is random. The lock's file and each store hold it, sealed under the passphrase (``AppLockHeader``), so that
/// it holds whatever file is removed and wherever a store is found. Wrong passphrases in a row cost time: nothing for
/// two, then 5 s, 15 s, 1 min, 5 min, 15 min and 1 h. The file holds the count, so it survives the end of the program
/// and a restart of the machine. An attempt is counted before the passphrase is checked, and setting the clock back
/// does not shorten the wait. Removing the file removes the wait, not the seal: each guess then still costs an scrypt.
///
/// Calls run one after another on a queue of the lock's own.
public actor AppLock {
    private let executor = QueueExecutor(label: "parley.security.app-lock")
    private let path: String
    private let parameters: ScryptParameters
    private let now: @Sendable () -> AppLockTime
    /// The opened keys with their headers, by the key's id.
    private var open: [[UInt8]: (key: AppLockKey, header: AppLockHeader)] = [:]
    /// The key of the lock's own file.
    private var own: [UInt8]?

    /// The queue that the calls run on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A lock that keeps its state in a file, locked if it is enabled.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - parameters: The work that a new passphrase costs.
    ///   - now: The machine's clocks.
    public init(
        path: String, parameters: ScryptParameters = .standard,
        now: @escaping @Sendable () -> AppLockTime = AppLockTime.now
    ) {
        self.path = path
        self.parameters = parameters
        self.now = now
    }

    /// True if a passphrase is set.
    ///
    /// - Throws: ``SecurityError``: `damaged`, `insecureFile`. The lock then counts as closed.
    public func isEnabled() throws -> Bool { try AppLockRecord.load(from: path).map { $0.gate != .none } ?? false }

    /// The time before the next attempt; zero if it may be made now.
    public func remainingDelay() throws -> Duration {
        try PrivateFile.withLock(on: path, exclusively: true) {
            guard let record = try settledRecord() else { return .zero }
            return .seconds(record.failures.remaining(at: now()))
        }
    }

    /// Sets a passphrase; the lock is open afterwards. An earlier passphrase can be replaced while the lock is open.
    /// The key stays, and with it everything that it seals; without one, the key of an open store is taken, or a new
    /// one.
    ///
    /// - Throws: ``SecurityError``: `locked`, `invalidParameter` for an empty passphrase, and the errors of writing a
    ///   file.
    public func enable(passphrase: Sensitive<[UInt8]>) throws {
        try PrivateFile.withLock(on: path, exclusively: true) {
            let record = try AppLockRecord.load(from: path)
            guard try isOpen(record) else { throw Self.locked }
            let known = own.flatMap { open[$0] } ?? open.values.min { $0.key.id.lexicographicallyPrecedes($1.key.id) }
            let key = try known?.key ?? AppLockKey()
            // Each open key gets the passphrase, so that stores with different passphrases now open together.
            for (id, entry) in open where id != key.id { open[id] = (entry.key, try renewed(entry, passphrase)) }
            let header = try AppLockHeader(
                key: key, generation: known.map { $0.header.generation + 1 } ?? 1, passphrase: passphrase,
                parameters: parameters)
            try AppLockRecord(.header(header)).save(to: path)
            open[key.id] = (key, header)
            own = key.id
        }
    }

    /// Removes the passphrase. The lock must be open, and no store may still be sealed with its key.
    public func disable() throws {
        try PrivateFile.withLock(on: path, exclusively: true) {
            guard try isOpen(AppLockRecord.load(from: path)) else { throw Self.locked }
            try PrivateFile.remove(path)
        }
        lock()
    }

    /// Opens the lock, and a store's header if that has another key. If the two have different passphrases, only the
    /// one that the given passphrase fits opens.
    ///
    /// - Throws: ``SecurityError``: `wrongPassphrase`, `tooManyFailures` without a check of the passphrase, `damaged`.
    public func unlock(passphrase: Sensitive<[UInt8]>, for store: AppLockHeader? = nil) throws {
        try PrivateFile.withLock(on: path, exclusively: true) {
            guard var record = try settledRecord() ?? store.map({ _ in AppLockRecord(.none) }) else { return }
            let wait = record.failures.remaining(at: now())
            guard wait == 0 else {
                throw SecurityError(
                    code: .tooManyFailures,
                    message: "Too many wrong passphrases. Try again in \(Int(wait.rounded(.up))) seconds.")
            }
            record.failures.begin(at: now())
            try record.save(to: path)
            try admit(passphrase, &record, store)
            record.failures.succeed()
            try record.save(to: path)
        }
    }

    /// Closes the lock until the passphrase is given again.
    public func lock() {
        open = [:]
        own = nil
    }

    /// True if the passphrase must be given first.
    public func isLocked() throws -> Bool { try own == nil && isEnabled() }

    /// Throws unless the lock is open or has no passphrase.
    public func requireUnlocked() throws {
        if try isLocked() { throw Self.locked }
    }

    /// The header that must be unlocked before a place is read: its own; nil if that is open or missing.
    public func locked(_ header: AppLockHeader?) -> AppLockHeader? { header.flatMap { open[$0.id] == nil ? $0 : nil } }

    /// The key that a place with this header is sealed with, or, without a header, the lock's own, and the newest
    /// header of that key. Nil if there is no lock, or no more: another program may have removed it.
    ///
    /// - Throws: ``SecurityError`` with the code `locked`.
    public func entry(of header: AppLockHeader?) throws -> (key: AppLockKey, header: AppLockHeader)? {
        try requireUnlocked()
        guard let header else {
            if own != nil, try !isEnabled() { own = nil }
            return own.flatMap { open[$0] }
        }
        guard let entry = open[header.id] else { throw Self.locked }
        return entry
    }

    /// The open key with that id.
    func opened(id: [UInt8]) -> AppLockKey? { open[id]?.key }

    private func isOpen(_ record: AppLockRecord?) throws -> Bool {
        own != nil || (record.map { $0.gate == .none } ?? true)
    }

    private func renewed(
        _ entry: (key: AppLockKey, header: AppLockHeader), _ passphrase: Sensitive<[UInt8]>
    ) throws -> AppLockHeader {
        try AppLockHeader(
            key: entry.key, generation: entry.header.generation + 1, passphrase: passphrase, parameters: parameters)
    }

    /// Opens everything that the passphrase fits, and updates the record: a version 1 lock gets a key, and of two
    /// headers of one key the newer one counts, since a crash may interrupt a change of the passphrase between two of
    /// them.
    private func admit(
        _ passphrase: Sensitive<[UInt8]>, _ record: inout AppLockRecord, _ store: AppLockHeader?
    ) throws {
        var isRight = false
        switch record.gate {
        case .none: break
        case .verifier(let verifier):
            guard try verifier.accepts(passphrase) else { break }
            let key = try AppLockKey()
            let header = try AppLockHeader(
                key: key, generation: 1, passphrase: passphrase, parameters: verifier.parameters)
            record.gate = .header(header)
            (open[key.id], own, isRight) = ((key, header), key.id, true)
        case .header(let header):
            let newest = store.flatMap { $0.id == header.id && $0.generation > header.generation ? $0 : nil } ?? header
            guard let key = try newest.key(ifOpenedBy: passphrase) else { break }
            record.gate = .header(newest)
            (open[header.id], own, isRight) = ((key, newest), header.id, true)
        }
        // A store that was locked under another home may have another passphrase.
        if let store, open[store.id] == nil, let key = try store.key(ifOpenedBy: passphrase) {
            (open[store.id], isRight) = ((key, store), true)
        }
        guard isRight else {
            throw SecurityError(code: .wrongPassphrase, message: "This is not the passphrase of the app lock.")
        }
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
