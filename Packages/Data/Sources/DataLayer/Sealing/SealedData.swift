// SPDX-License-Identifier: MIT

public import Diagnostics
public import Domain
import FoundationEssentials
import Persistence
public import Security

/// A person's databases and typed lines, which the app lock seals in their places.
///
/// While the lock is closed, programs add questions and answers to an inbox; the next program with the passphrase moves
/// them into the history. The inbox carries the lock's header.
public struct SealedData: LockableStore {
    /// The files in the folder.
    public struct Files: Sendable {
        let conversations: String
        let databases: [String]
        let lines: @Sendable (_ change: ([UInt8]) throws -> [UInt8]) throws -> Void

        /// - Parameters:
        ///   - conversations: The database of conversations.
        ///   - databases: All other databases.
        ///   - lines: Replaces each typed line.
        public init(
            conversations: String, databases: [String],
            lines: @escaping @Sendable (_ change: ([UInt8]) throws -> [UInt8]) throws -> Void
        ) {
            (self.conversations, self.databases, self.lines) = (conversations, databases, lines)
        }
    }

    private let folder: String
    private let files: Files
    private let lock: AppLock
    private let inbox: SealedInbox
    private let report: @Sendable (String) -> Void
    private let logger: Logger

    /// Makes the value for a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder of the files, of the inbox `inbox`, and of old files with `.damaged-` in their names.
    ///   - report: Called with a sentence about each file that stays unchanged.
    public init(
        folder: String, files: Files, lock: AppLock, logger: Logger = .disabled,
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.folder, self.files, self.lock, self.logger, self.report) = (folder, files, lock, logger, report)
        inbox = SealedInbox(folder: folder + "/inbox")
    }

    /// See `LockableStore`.
    public func lockedHeader() async throws -> AppLockHeader? { await lock.locked(try inbox.header()) }

    /// The seal; nil without a lock.
    ///
    /// - Throws: `SecurityError` with the code `locked`.
    public func key() async throws -> DataSeal? {
        try await lock.entry(of: try inbox.header()).map { try DataSeal($0.key) }
    }

    /// Seals every file that is not sealed yet. A file that cannot be sealed now, such as a database that a program has
    /// open, is reported and stays unchanged until the next time.
    public func seal() async throws {
        guard let (key, header) = try await lock.entry(of: try inbox.header()) else { return }
        // The inbox is first: a file whose key cannot be found would be lost.
        try inbox.adopt(key, header)
        let seal = try DataSeal(key)
        for path in [files.conversations] + files.databases {
            try await attempt(path) {
                try await Database.removeCopies(of: path, timeout: .seconds(2))
                guard try await Database.isSealed(path) == false else { return }
                try await Database.reseal(path, from: nil, to: seal.pages, timeout: .seconds(2))
            }
        }
        try await attempt("What was typed at prompts") {
            try files.lines { seal.open(line: $0) == nil ? try seal.seal(line: $0) : $0 }
        }
        for path in try asides() where FileManager.default.fileExists(atPath: path) {
            try await attempt(path) {
                if try await Database.isSealed(path) != true { try await AsideFile.seal(path, with: key) }
            }
        }
    }

    /// Reports a failure to seal, which must not keep a person from the other data.
    private func attempt(_ what: String, _ body: () async throws -> Void) async throws {
        do {
            try await domainErrors { try await body() }
        } catch let error as DomainError {
            report("\(what) is not sealed yet. \(error.detail ?? error.code)")
        }
    }

    /// See `LockableStore`. The inbox's messages move into the history.
    ///
    /// - Throws: `DomainError.storage` while another program has a database open; then the lock can be opened as
    ///   before.
    public func unseal() async throws {
        guard let (key, _) = try await lock.entry(of: try inbox.header()) else { return }
        try await domainErrors {
            let seal = try DataSeal(key)
            for path in [files.conversations] + files.databases { try await Database.removeCopies(of: path) }
            for path in files.databases where try await Database.isSealed(path) == true {
                try await Database.reseal(path, from: seal.pages, to: nil)
            }
            try files.lines { seal.open(line: $0) ?? $0 }
            for path in try asides() {
                if path.hasSuffix(AsideFile.suffix) {
                    try await AsideFile.unseal(path, with: key)
                } else if try await Database.isSealed(path) == true {
                    do { try await Database.reseal(path, from: seal.pages, to: nil) } catch let error as DatabaseError {
                        report("\(path) is damaged, and its pages can no longer be opened. \(error.message)")
                    }
                }
            }
            if try await Database.isSealed(files.conversations) == true {
                try await Database.reseal(files.conversations, from: seal.pages, to: nil)
            }
            // The inbox is last: it has the header of the key that the rest needs. No program adds to it between its
            // last item and its end.
            try await merge(seal, isLast: true)
        }
    }

    /// The conversations for reading, with the messages that programs added while the lock was closed.
    ///
    /// - Throws: `DomainError.storage`; `SecurityError` with the code `locked`.
    public func conversations(
        damage: DamagePolicy
    ) async throws -> SQLiteConversationRepository {
        let seal = try await key()
        let repository = try await SQLiteConversationRepository(
            path: files.conversations, damage: damage, seal: seal, logger: logger)
        if let seal { try await domainErrors { try await merge(seal, into: repository) } }
        return repository
    }

    /// The conversations for new questions and answers; while the lock is closed, these enter the inbox and reading
    /// throws.
    public func openForAppending(
        damage: DamagePolicy
    ) async throws -> any ConversationRepository & TurnStatistics {
        guard try await isLocked() else { return try await conversations(damage: damage) }
        // A lock from before inboxes existed: the next program with the passphrase seals the history.
        guard try inbox.header() != nil else {
            return try await SQLiteConversationRepository(path: files.conversations, damage: damage, logger: logger)
        }
        return InboxConversations(inbox: inbox) { [self] in try await openForAppending(damage: damage) }
    }

    /// True if the passphrase is needed before anything can be read.
    ///
    /// - Throws: `DomainError`.
    public func isLocked() async throws -> Bool {
        try await domainErrors {
            if try await lock.isLocked() { return true }
            return try await lockedHeader() != nil
        }
    }

    private func merge(
        _ seal: DataSeal, isLast: Bool = false, into repository: SQLiteConversationRepository? = nil
    ) async throws {
        var opened = repository
        let damaged = try await inbox.takeAll(with: seal.key, isLast: isLast) { item in
            let history: SQLiteConversationRepository
            if let opened {
                history = opened
            } else {
                history = try await SQLiteConversationRepository(
                    path: files.conversations, damage: .refuse, seal: isLast ? nil : seal, logger: logger)
                opened = history
            }
            try await InboxConversations.move(item, to: history)
        }
        if repository == nil { await opened?.close() }
        for path in damaged { report("\(path) was damaged while the app was locked: its messages are lost.") }
    }

    /// Databases that were damaged and set aside, sealed or not.
    private func asides() throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.contains(".damaged-") }.sorted().map { "\(folder)/\($0)" }
    }
}
