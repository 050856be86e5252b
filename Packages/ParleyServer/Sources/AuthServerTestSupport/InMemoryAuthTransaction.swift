// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

/// All rows, or those that one transaction has written.
struct InMemoryAuthRows: Sendable {
    /// A record that was removed is nil.
    var addresses: [Data: AddressRecord?] = [:]
    var links: [Data: Data] = [:]
    var accounts: [String: Account] = [:]
    var owners: [EmailAddress: String] = [:]
    var limits: [NetworkPrefix: PrefixLimits] = [:]
    var sessions: [String: Session] = [:]
    /// A code that was taken out is nil.
    var codes: [Data: AuthorizationCode?] = [:]
    var erasures: [String: Erasure] = [:]
}

/// The writes of one transaction.
struct InMemoryAuthChanges: Sendable {
    fileprivate var written = InMemoryAuthRows()
    fileprivate var removed: [String] = []
    fileprivate var forgotten: (session: AuthTime, rest: AuthTime)?

    func commit(to rows: inout InMemoryAuthRows) {
        for account in removed { rows.remove(account: account) }
        for (key, record) in written.addresses {
            for proof in rows.addresses[key]??.proofs ?? [] { rows.links[proof.link] = nil }
            rows.addresses[key] = record == nil ? nil : .some(record)
        }
        rows.links.merge(written.links) { $1 }
        rows.accounts.merge(written.accounts) { $1 }
        rows.owners.merge(written.owners) { $1 }
        rows.limits.merge(written.limits) { $1 }
        rows.sessions.merge(written.sessions) { $1 }
        rows.erasures.merge(written.erasures) { $1 }
        for (key, code) in written.codes { rows.codes[key] = code == .some(nil) ? nil : code }
        if let forgotten { rows.forget(sessionsBefore: forgotten.session, restBefore: forgotten.rest) }
    }
}

/// Writes beside the rows; the store puts the writes into them if the transaction succeeds.
final class InMemoryAuthTransaction: AuthTransaction {
    private var base: InMemoryAuthRows
    private var new = InMemoryAuthChanges()

    init(on rows: InMemoryAuthRows) {
        base = rows
    }

    /// The writes, at the end: otherwise the commit would copy the rows that both refer to.
    func changes() -> InMemoryAuthChanges {
        base = InMemoryAuthRows()
        return new
    }

    func address(key: Data) -> AddressRecord? {
        let found = new.written.addresses[key] ?? base.addresses[key]
        return found ?? nil
    }

    func address(link: Data) -> AddressRecord? {
        guard let key = new.written.links[link] ?? base.links[link], let record = address(key: key) else { return nil }
        return record.proofs.contains { $0.link == link } ? record : nil
    }

    func put(_ record: AddressRecord) {
        new.written.addresses[record.key] = .some(record)
        for proof in record.proofs { new.written.links[proof.link] = record.key }
    }

    func remove(address key: Data) { new.written.addresses[key] = .some(nil) }

    func account(id: String) -> Account? { new.written.accounts[id] ?? base.accounts[id] }

    func add(_ account: Account) throws {
        let owner = new.written.owners[account.address] ?? base.owners[account.address]
        guard owner == nil, self.account(id: account.id) == nil else { throw AuthStoreConflict() }
        new.written.accounts[account.id] = account
        new.written.owners[account.address] = account.id
    }

    func put(_ account: Account) throws {
        guard let old = self.account(id: account.id) else { throw AuthStoreConflict() }
        new.written.accounts[account.id] = Account(
            id: old.id, address: old.address, createdAt: old.createdAt, metadata: account.metadata,
            confirmedAt: account.confirmedAt, invitedAt: account.invitedAt, bannedUntil: account.bannedUntil)
    }

    func accounts(matching part: String?, offset: Int, limit: Int) -> [Account] {
        Array(matches(part).sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }.dropFirst(offset).prefix(limit))
    }

    func accountCount(matching part: String?) -> Int { matches(part).count }

    private func matches(_ part: String?) -> [Account] {
        base.accounts.merging(new.written.accounts) { $1 }.values.filter { account in
            part.map { account.id == $0 || account.address.value.contains($0) } ?? true
        }
    }

    func account(address: EmailAddress) -> Account? {
        (new.written.owners[address] ?? base.owners[address]).flatMap { account(id: $0) }
    }

    func limits(of prefix: NetworkPrefix) -> PrefixLimits? { new.written.limits[prefix] ?? base.limits[prefix] }

    func put(_ limits: PrefixLimits, for prefix: NetworkPrefix) { new.written.limits[prefix] = limits }

    func session(id: String) -> Session? { new.written.sessions[id] ?? base.sessions[id] }

    func sessions(of account: String) -> [Session] {
        base.sessions.merging(new.written.sessions) { $1 }.values.filter { $0.account == account }
            .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
    }

    func put(_ session: Session) { new.written.sessions[session.id] = session }

    func takeAuthorizationCode(_ code: Data) -> AuthorizationCode? {
        let found = new.written.codes[code] ?? base.codes[code]
        new.written.codes[code] = .some(nil)
        return found ?? nil
    }

    func add(_ code: AuthorizationCode) { new.written.codes[code.code] = code }

    func remove(account: String) {
        base.remove(account: account)
        new.written.remove(account: account)
        new.removed.append(account)
    }

    func erasure(of account: String) -> Erasure? { new.written.erasures[account] ?? base.erasures[account] }

    func erasures() -> [Erasure] {
        base.erasures.merging(new.written.erasures) { $1 }.values.sorted { ($0.askedAt, $0.id) < ($1.askedAt, $1.id) }
    }

    func put(_ erasure: Erasure) { new.written.erasures[erasure.account] = erasure }

    func forget(sessionsBefore session: AuthTime, restBefore rest: AuthTime) { new.forgotten = (session, rest) }
}

extension InMemoryAuthRows {
    fileprivate mutating func forget(sessionsBefore session: AuthTime, restBefore rest: AuthTime) {
        sessions = sessions.filter { $0.value.createdAt >= session }
        codes = codes.filter { ($0.value?.createdAt ?? rest) >= rest }
        limits = limits.filter { max($0.value.sends.emptyAt, $0.value.attempts.emptyAt) >= rest }
        addresses = addresses.filter { $1?.account != nil || $1?.proofs.contains { $0.createdAt >= rest } == true }
        links = links.filter { addresses[$1] != nil }
        erasures = erasures.filter { ($0.value.doneAt ?? rest) >= rest }
    }

    fileprivate mutating func remove(account: String) {
        addresses = addresses.filter { $0.value?.account != account }
        links = links.filter { addresses[$1] != nil }
        sessions = sessions.filter { $0.value.account != account }
        codes = codes.filter { $0.value?.account != account }
        owners = owners.filter { $0.value != account }
        accounts[account] = nil
    }
}

/// An added row exists already, or a changed one is missing.
struct AuthStoreConflict: Error {}
