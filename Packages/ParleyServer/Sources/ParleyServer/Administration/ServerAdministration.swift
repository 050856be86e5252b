// SPDX-License-Identifier: MIT

public import AuthServer
import DataLayer
public import Diagnostics
import Domain
import FoundationEssentials
import Security

/// The operator's work on a server's data, by a process beside the server or without one. Each act is in the audit log.
public struct ServerAdministration: Sendable {
    private let lock: HomeLock
    let keys: ServerKeys
    let storage: ServerStorage
    let service: AuthService
    let stores: PracticeStores
    let accounts: SQLAuthStore
    let policy: AuthPolicy
    let clock: AuthClock
    let auditStore: AuditStore
    private let audit: AuditLog
    private let logger: Logger
    private let signing: SigningKeys
    /// Nil before the first start of a server: then nobody can be invited. Only an invitation needs the templates.
    private let mail: Result<MailIntake, any Error>?

    /// Opens the data of a server.
    ///
    /// - Throws: ``ServerSetupError`` for a folder that is no server's home, and the errors of the databases.
    public static func open(
        _ options: ServerOptions, logger: Logger = .disabled
    ) async throws -> ServerAdministration {
        guard options.database != nil || DiskSpace.size(of: options.home + "/server.sqlite") > 0 else {
            throw ServerSetupError.noHome(options.home)
        }
        // New keys would match no row.
        guard DiskSpace.size(of: options.home + "/secrets") > 0 else { throw ServerSetupError.noHome(options.home) }
        let lock = try HomeLock(options.home, for: .command)
        try ServerRestore.checkFinished(options.home)
        let secrets = try await Self.secrets(of: options.home)
        let storage = try await ServerStorage.open(options, logger: logger)
        do {
            let keys = try await ServerKeys(in: secrets, root: options.rootKey, database: storage.accounts)
            var options = options
            options.clock = try await DatabaseClock.clock(of: storage, options)
            return try await ServerAdministration(options, lock, storage, keys, logger)
        } catch {
            await storage.close()
            throw error
        }
    }

    private init(
        _ options: ServerOptions, _ lock: HomeLock, _ storage: ServerStorage, _ keys: ServerKeys, _ logger: Logger
    ) async throws {
        (self.lock, self.keys, self.storage, self.logger, clock) = (lock, keys, storage, logger, options.clock)
        stores = try await PracticeStores(storage, home: options.home, bucket: options.objects.bucket())
        auditStore = AuditStore(database: storage.accounts)
        audit = AuditLog(logger, store: auditStore, clock: options.clock)
        var policy = options.policy
        let identity = try await MailIdentity.stored(in: stores.settings)
        mail = identity.map { identity in
            Result {
                MailIntake(
                    store: DeliveryStore(
                        database: storage.mails, capacity: identity.mailQueue ?? options.mailQueue,
                        instance: storage.instance),
                    seal: keys.mailSeal(options.clock),
                    composer: MailComposer(
                        sender: try EmailAddress(identity.sender), address: identity.address,
                        templates: try identity.templates.map { try MailTemplates(folder: $0) } ?? MailTemplates(),
                        languages: ServerLanguages(options.catalogues, logger: logger)),
                    status: MailStatus(), clock: options.clock, logger: logger)
            }
        }
        if let identity {
            policy.linkLifetime = .seconds(identity.linkSeconds)
            policy.codeLifetime = .seconds(identity.codeSeconds)
            policy.sessionIdleLifetime = identity.idleSeconds.map { .seconds($0) } ?? policy.sessionIdleLifetime
            policy.sessionLifetime = identity.sessionSeconds.map { .seconds($0) } ?? policy.sessionLifetime
        }
        self.policy = policy
        accounts = SQLAuthStore(database: storage.accounts)
        let now = options.clock.now()
        signing = try await keys.signing(at: now).keys(at: now)
        service = AuthService(
            store: accounts, mailer: (try? mail?.get()) ?? NoMailer() as any SignInMailer,
            keys: { [clock] in try keys.auth(at: clock.now()) }, signing: { [signing] in signing },
            issuer: identity?.address ?? "", policy: policy, clock: options.clock)
    }

    /// Refuses every mail.
    private struct NoMailer: SignInMailer {
        func enqueue(_ mail: SignInMail) -> Bool { false }
    }

    private static func secrets(of home: String) async throws -> FileSecretStore {
        try await FileSecretStore.open(home + "/secrets", protection: .keyFile(home + "/secrets.key"))
    }

    /// Stores the audit events, and closes the databases.
    public func close() async {
        // Not in this task, which may be cancelled.
        let record = Task { await audit.flush() }
        await record.value
        await storage.close()
        lock.release()
    }

    func record(_ action: String, account: String? = nil, receipt: String? = nil) {
        audit.record(.administered(action: action, account: account, receipt: receipt))
    }

    // MARK: Accounts

    /// A page of accounts, the newest first.
    ///
    /// - Parameter part: A part of the address, or the whole id; nil for every account.
    public func page(
        matching part: String? = nil, offset: Int = 0, limit: Int
    ) async throws -> AccountPage {
        let (accounts, total) = try await service.accounts(matching: part, offset: offset, limit: limit)
        record(part == nil ? "list" : "find")
        return AccountPage(accounts: accounts.map { AccountReport($0, at: clock.now()) }, total: total)
    }

    /// The id of the account that a text identifies: its id, or its whole address. A part is not enough, since acts
    /// follow that cannot be undone.
    ///
    /// - Throws: `AuthServerError` with the code `userNotFound`.
    public func account(_ text: String) async throws -> String {
        if text.contains("@"), let account = try await service.account(address: EmailAddress(text)) {
            return account.id
        }
        return try await service.account(id: text).id
    }

    /// An account with its sessions and the extent of its data.
    public func details(of id: String) async throws -> AccountDetails {
        let account = try await service.account(id: id)
        let sessions = try await service.sessions(of: id)
        let sound = try await stores.recordings.usage(of: id)
        let details = AccountDetails(
            account: AccountReport(account, at: clock.now()), sessions: sessions.map { SessionReport($0) },
            lastSeenAt: try await stores.presence.lastSeen(id)?.reportText, recordings: sound.count, bytes: sound.bytes,
            results: try await stores.practice.extent(of: id).results,
            objects: try await stores.sync.usage(of: id).objects)
        record("show", account: id)
        return details
    }

    /// Makes an account and queues a mail to its owner, which the server sends.
    ///
    /// - Throws: ``AdministrationError``, ``MailTemplateError``, or `AuthServerError` with the code `emailExists`.
    public func invite(_ address: EmailAddress) async throws -> AccountReport {
        guard let mail else { throw AdministrationError.neverServed }
        _ = try mail.get()
        let account = try await service.invite(address)
        record("invite", account: account.id)
        return AccountReport(account, at: clock.now())
    }

    /// Blocks an account, or lifts its block.
    public func change(_ block: AccountBlock, of id: String) async throws -> AccountReport {
        let account = try await service.change(account: id, block: block)
        record(block == .lifted ? "unblock" : "block", account: id)
        return AccountReport(account, at: clock.now())
    }

    /// Ends all sessions of an account, and returns the number of those that had not ended.
    public func signOut(_ id: String) async throws -> Int {
        let count = try await service.signOut(account: id)
        record("sign-out", account: id)
        return count
    }

    /// Deletes an account with all of its data, as its owner's own request does.
    ///
    /// - Returns: The receipt.
    public func delete(_ id: String) async throws -> DeletionReport {
        // Not in this task: cancellation must not part the account from the rest of it.
        let deletion = Task { try await deleted(id) }
        return try await deletion.value
    }

    private func deleted(_ id: String) async throws -> DeletionReport {
        let queue = DeletionQueue()
        let erasure = AccountErasure(stores, accounts: accounts, queue: queue, clock: clock, logger: logger)
        async let work: Void = queue.work()
        let result: Result<DeletionReport, any Error>
        do {
            let receipt = try await erasure.run(account: id, service)
            record("delete", receipt: receipt.id)
            result = .success(DeletionReport(receipt: receipt.id, counts: receipt.counts))
        } catch {
            result = .failure(error)
        }
        queue.finish()
        await work
        return try result.get()
    }

    // MARK: Service tokens

    /// Makes a service token with the server's signing key. A running server accepts it at once.
    public func issueToken(lifetime: Duration) throws -> ServiceTokenReport {
        let (token, claims) = try ServiceToken.issue(lifetime: lifetime, at: clock.now(), with: signing)
        audit.record(.administered(action: "issue-token", account: nil, token: claims.id))
        return ServiceTokenReport(
            token: token, id: claims.id, expiresAt: AuthTime(seconds: claims.expiresAt)?.reportText ?? "")
    }

    /// Revokes a service token by its id; a running server refuses it at once.
    public func revokeToken(_ id: String) async throws {
        try await ServiceTokens(settings: stores.settings).revoke(id, at: clock.now())
        audit.record(.administered(action: "revoke-token", account: nil, token: id))
    }
}

/// The reason why an operator's act is impossible.
public enum AdministrationError: Error, Equatable, CustomStringConvertible {
    /// No server has run on this data, so that nobody knows what its mails look like.
    case neverServed
    /// There is no failed job with this number.
    case noFailedJob(Int64)

    /// The reason and the remedy.
    public var description: String {
        switch self {
        case .neverServed: "Start the server once: mails need its public address and its sender."
        case .noFailedJob(let number): "There is no failed job \(number). Run: parley-server jobs"
        }
    }
}
