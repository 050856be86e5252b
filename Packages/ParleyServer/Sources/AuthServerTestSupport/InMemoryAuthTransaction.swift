// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

/// All rows, or those that one transaction has written.
struct InMemoryAuthRows: Sendable {
    var addresses: [Data: AddressRecord] = [:]
    var links: [Data: Data] = [:]
    var accounts: [String: Account] = [:]
    var owners: [EmailAddress: String] = [:]
    var limits: [NetworkPrefix: PrefixLimits] = [:]
    var sessions: [String: Session] = [:]
    /// A code that was taken out is nil.
    var codes: [Data: AuthorizationCode?] = [:]
    var erasures: [String: Erasure] = [:]
}

/// Writes beside the rows, and into them if the transaction succeeds.
final class InMemoryAuthTransaction: AuthTransaction {
    private var base: InMemoryAuthRows
    private var written = InMemoryAuthRows()
    private var removed: [String] = []
    private var forgotten: (session: AuthTime, rest: AuthTime)?

    init(on rows: InMemoryAuthRows) {
        base = rows
    }

    func commit(to rows: inout InMemoryAuthRows) {
        // Otherwise the merge would copy the rows that both refer to.
        base = InMemoryAuthRows()
        for account in removed { rows.remove(account: account) }
        for record in written.addresses.values {
            for proof in rows.addresses[record.key]?.proofs ?? [] { rows.links[proof.link] = nil }
        }
        rows.addresses.merge(written.addresses) { $1 }
        rows.links.merge(written.links) { $1 }
        rows.accounts.merge(written.accounts) { $1 }
        rows.owners.merge(written.owners) { $1 }
        rows.limits.merge(written.limits) { $1 }
        rows.sessions.merge(written.sessions) { $1 }
        rows.erasures.merge(written.erasures) { $1 }
        for (key, code) in written.codes { rows.codes[key] = code == .some(nil) ? nil : code }
        if let forgotten { rows.forget(sessionsBefore: forgotten.session, restBefore: forgotten.rest) }
    }

    func address(key: Data) -> AddressRecord? { written.addresses[key] ?? base.addresses[key] }

    func address(link: Data) -> AddressRecord? {
        guard let key = written.links[link] ?? base.links[link], let record = address(key: key) else { return nil }
        return record.proofs.contains { $0.link == link } ? record : nil
    }

    func put(_ record: AddressRecord) {
        written.addresses[record.key] = record
        for proof in record.proofs { written.links[proof.link] = record.key }
    }

    func account(id: String) -> Account? { written.accounts[id] ?? base.accounts[id] }

    func add(_ account: Account) throws {
        let owner = written.owners[account.address] ?? base.owners[account.address]
        guard owner == nil, self.account(id: account.id) == nil else { throw AuthStoreConflict() }
        written.accounts[account.id] = account
        written.owners[account.address] = account.id
    }

    func put(_ metadata: AccountMetadata, of account: String) throws {
        guard let old = self.account(id: account) else { throw AuthStoreConflict() }
        written.accounts[account] = Account(
            id: old.id, address: old.address, createdAt: old.createdAt, metadata: metadata)
    }

    func account(address: EmailAddress) -> Account? {
        (written.owners[address] ?? base.owners[address]).flatMap { account(id: $0) }
    }

    func limits(of prefix: NetworkPrefix) -> PrefixLimits? { written.limits[prefix] ?? base.limits[prefix] }

    func put(_ limits: PrefixLimits, for prefix: NetworkPrefix) { written.limits[prefix] = limits }

    func session(id: String) -> Session? { written.sessions[id] ?? base.sessions[id] }

    func sessions(of account: String) -> [Session] {
        base.sessions.merging(written.sessions) { $1 }.values.filter { $0.account == account }
            .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
    }

    func put(_ session: Session) { written.sessions[session.id] = session }

    func takeAuthorizationCode(_ code: Data) -> AuthorizationCode? {
        let found = written.codes[code] ?? base.codes[code]
        written.codes[code] = .some(nil)
        return found ?? nil
    }

    func add(_ code: AuthorizationCode) { written.codes[code.code] = code }

    func remove(account: String) {
        base.remove(account: account)
        written.remove(account: account)
        removed.append(account)
    }

    func erasure(of account: String) -> Erasure? { written.erasures[account] ?? base.erasures[account] }

    func erasures() -> [Erasure] {
        base.erasures.merging(written.erasures) { $1 }.values.sorted { ($0.askedAt, $0.id) < ($1.askedAt, $1.id) }
    }

    func put(_ erasure: Erasure) { written.erasures[erasure.account] = erasure }

    func forget(sessionsBefore session: AuthTime, restBefore rest: AuthTime) { forgotten = (session, rest) }
}

extension InMemoryAuthRows {
    fileprivate mutating func forget(sessionsBefore session: AuthTime, restBefore rest: AuthTime) {
        sessions = sessions.filter { $0.value.createdAt >= session }
        codes = codes.filter { ($0.value?.createdAt ?? rest) >= rest }
        limits = limits.filter { max($0.value.sends.emptyAt, $0.value.attempts.emptyAt) >= rest }
        addresses = addresses.filter { $1.account != nil || ($1.proofs.map(\.createdAt).max() ?? rest) >= rest }
        links = links.filter { addresses[$1] != nil }
        erasures = erasures.filter { ($0.value.doneAt ?? rest) >= rest }
    }

    fileprivate mutating func remove(account: String) {
        addresses = addresses.filter { $0.value.account != account }
        links = links.filter { addresses[$1] != nil }
        sessions = sessions.filter { $0.value.account != account }
        codes = codes.filter { $0.value?.account != account }
        owners = owners.filter { $0.value != account }
        accounts[account] = nil
    }
}

/// An added row exists already, or a changed one is missing.
struct AuthStoreConflict: Error {}
