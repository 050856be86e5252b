// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Concurrency
import Diagnostics
import Foundation
import Security
import TestKit
import Testing

@testable import ParleyServer

/// For an address that has an account and one that has none, the server does the same, step by step. What it takes in time is
/// measured by `Scripts/bench auth-timing`; here it is counted, so that nothing depends on the machine's mood.
@Suite(.timeLimit(.minutes(5))) struct SameWorkTests {
    private enum Person: CaseIterable {
        /// Signed in days ago.
        case member
        /// Never heard of.
        case stranger
        /// Asked for a mail days ago, and never used it.
        case visitor
    }

    private struct Work: Equatable, CustomStringConvertible {
        var calls: [String]
        var mails: Int
        var answer: String

        var description: String { "\(answer), \(mails) mails: " + calls.joined(separator: ", ") }
    }

    private func work(
        for person: Person, allowsSignUp: Bool, queueIsFull: Bool = false,
        _ request: @Sendable (AuthService, EmailAddress) async throws -> Void
    ) async throws -> Work {
        let home = try TemporaryFolder()
        let store = CountingStore(
            SQLAuthStore(
                database: try await SQLiteServerDatabase.open(
                    home.path + "/server.sqlite", AuthSchema.migrations, clock: .system)))
        let (clock, mailer) = (VirtualAuthClock(), CollectingMailer(capacity: 2))
        var policy = AuthPolicy()
        policy.allowsSignUp = true
        // As while a root key changes: an earlier one is accepted.
        let keys = try AuthKeys(root: SymmetricKey(), others: [SymmetricKey()])
        let signing = SigningKeys(current: try SigningKey())
        func service() -> AuthService {
            AuthService(
                store: store, mailer: mailer, keys: { keys }, signing: { signing }, issuer: "https://auth.example.org",
                policy: policy, clock: clock.clock)
        }
        let (address, prefix) = (try EmailAddress("ada@example.org"), NetworkPrefix(address: "192.0.2.1"))
        if person != .stranger { try await service().requestSignIn(SignInRequest(address: address, prefix: prefix)) }
        if person == .member {
            let code = try #require(mailer.mails.last?.code?.withExposed { $0 })
            _ = try await service().verify(code: code, of: address, from: prefix, device: "")
        }
        clock.advance(by: .seconds(3 * 86_400))
        // Whoever measures has been here before: what is counted for a network is there already.
        let other = SignInRequest(
            address: try EmailAddress("eve@example.org"), prefix: NetworkPrefix(address: "203.0.113.1"))
        try await service().requestSignIn(other)
        policy.allowsSignUp = allowsSignUp
        mailer.clear()
        if queueIsFull { for _ in 0..<2 { try await service().requestSignIn(other) } }
        store.calls.withLock { $0 = [] }
        let answer: String
        do {
            try await request(service(), address)
            answer = "fine"
        } catch let error as AuthServerError {
            answer = "\(error), \(error.attemptsLeft.map(String.init) ?? "-")"
        }
        await store.store.database.close()
        return Work(calls: store.calls.withLock { $0 }, mails: mailer.mails.count, answer: answer)
    }

    /// What is left, pages of the database that are split for a new row, is hidden by when the answer is sent.
    @Test func answersComeAtWholeSteps() async throws {
        let grid = AnswerGrid(step: .milliseconds(25))
        let waits = [0, 1, 24, 25, 26, 50, 51, 1_000, 1_001].map { grid.rest(after: .milliseconds($0)) }
        #expect(waits == [25, 24, 1, 0, 24, 0, 24, 0, 24].map { .milliseconds($0) })
        #expect(AnswerGrid(step: .zero).rest(after: .seconds(1)) == .zero)
        #expect(ServerOptions(home: "", mail: .folder("")).answerStep == .milliseconds(25))
        let clock = ContinuousClock()
        for fails in [false, true] {
            let took = await clock.measure {
                let result: Void? = try? await grid.run { if fails { throw CancellationError() } }
                #expect((result == nil) == fails)
            }
            #expect(took >= .milliseconds(25), "never sooner; how much later is the machine's affair")
        }
        let long = AnswerGrid(step: .seconds(3_600))
        #expect(try await long.run(onlyErrors: true) { 1 } == 1, "what goes well does not wait an hour")
    }

    @Test(arguments: [true, false]) func askingForAMailIsTheSameWork(allowsSignUp: Bool) async throws {
        var works: [Work] = []
        for person in Person.allCases {
            works.append(
                try await work(for: person, allowsSignUp: allowsSignUp) { service, address in
                    try await service.requestSignIn(
                        SignInRequest(address: address, prefix: NetworkPrefix(address: "203.0.113.1")))
                })
        }
        #expect(works.allSatisfy { $0 == works[0] }, "\(works)")
        #expect(works[0].mails == 1 && works[0].answer == "fine" && !works[0].calls.isEmpty)
    }

    @Test(arguments: [true, false]) func `a full queue is the same work`(allowsSignUp: Bool) async throws {
        var works: [Work] = []
        for person in Person.allCases {
            works.append(
                try await work(for: person, allowsSignUp: allowsSignUp, queueIsFull: true) { service, address in
                    try await service.requestSignIn(
                        SignInRequest(address: address, prefix: NetworkPrefix(address: "203.0.113.1")))
                })
        }
        #expect(works.allSatisfy { $0 == works[0] }, "\(works)")
        #expect(works[0].mails == 2 && works[0].answer.hasPrefix("over_request_rate_limit"), "\(works[0])")
    }

    @Test(arguments: [true, false], [true, false])
    func tryingACodeIsTheSameWork(allowsSignUp: Bool, asksFirst: Bool) async throws {
        var works: [Work] = []
        for person in Person.allCases {
            works.append(
                try await work(for: person, allowsSignUp: allowsSignUp) { service, address in
                    let prefix = NetworkPrefix(address: "203.0.113.1")
                    if asksFirst { try await service.requestSignIn(SignInRequest(address: address, prefix: prefix)) }
                    _ = try await service.verify(code: "none", of: address, from: prefix, device: "")
                })
        }
        #expect(works.allSatisfy { $0 == works[0] }, "\(works)")
        #expect(works[0].answer.hasPrefix("otp_expired"), "\(works[0])")
    }
}

/// Writes down what is done with a store.
private final class CountingStore: AuthStore {
    let store: SQLAuthStore
    let calls = Guarded([String]())

    init(_ store: SQLAuthStore) {
        self.store = store
    }

    func transaction<Result: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any AuthTransaction) async throws -> Result
    ) async throws -> Result {
        try await store.transaction { transaction in
            self.note("transaction")
            return try await body(CountingTransaction(rows: transaction, note: self.note))
        }
    }

    func read<Result: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any AuthReading) async throws -> Result
    ) async throws -> Result {
        note("read")
        return try await store.read(body)
    }

    @Sendable private func note(_ call: String) {
        calls.withLock { $0.append(call) }
    }
}

private struct CountingTransaction: AuthTransaction {
    let rows: any AuthTransaction
    let note: @Sendable (String) -> Void

    nonisolated(nonsending) private func counted<Value>(
        _ name: String = #function, _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        note(name)
        return try await body()
    }

    nonisolated(nonsending) func address(key: Data) async throws -> AddressRecord? {
        try await counted { try await rows.address(key: key) }
    }
    nonisolated(nonsending) func address(link: Data) async throws -> AddressRecord? {
        try await counted { try await rows.address(link: link) }
    }
    nonisolated(nonsending) func account(id: String) async throws -> Account? {
        try await counted { try await rows.account(id: id) }
    }
    nonisolated(nonsending) func account(address: EmailAddress) async throws -> Account? {
        try await counted { try await rows.account(address: address) }
    }
    nonisolated(nonsending) func limits(of prefix: NetworkPrefix) async throws -> PrefixLimits? {
        try await counted { try await rows.limits(of: prefix) }
    }
    nonisolated(nonsending) func session(id: String) async throws -> Session? {
        try await counted { try await rows.session(id: id) }
    }
    nonisolated(nonsending) func sessions(of account: String) async throws -> [Session] {
        try await counted { try await rows.sessions(of: account) }
    }
    /// Each mail is a statement.
    nonisolated(nonsending) func put(_ record: AddressRecord) async throws {
        try await counted("put(address, \(record.proofs.count) mails)") { try await rows.put(record) }
    }
    nonisolated(nonsending) func remove(address key: Data) async throws {
        try await counted("remove(address)") { try await rows.remove(address: key) }
    }
    nonisolated(nonsending) func put(_ account: Account) async throws {
        try await counted("put(account)") { try await rows.put(account) }
    }
    nonisolated(nonsending) func accounts(matching part: String?, offset: Int, limit: Int) async throws -> [Account] {
        try await counted { try await rows.accounts(matching: part, offset: offset, limit: limit) }
    }
    nonisolated(nonsending) func accountCount(matching part: String?) async throws -> Int {
        try await counted { try await rows.accountCount(matching: part) }
    }
    nonisolated(nonsending) func add(_ account: Account) async throws {
        try await counted("add(account)") { try await rows.add(account) }
    }
    nonisolated(nonsending) func put(_ limits: PrefixLimits, for prefix: NetworkPrefix) async throws {
        try await counted("put(limits)") { try await rows.put(limits, for: prefix) }
    }
    nonisolated(nonsending) func put(_ session: Session) async throws {
        try await counted("put(session)") { try await rows.put(session) }
    }
    nonisolated(nonsending) func takeAuthorizationCode(_ code: Data) async throws -> AuthorizationCode? {
        try await counted { try await rows.takeAuthorizationCode(code) }
    }
    nonisolated(nonsending) func add(_ code: AuthorizationCode) async throws {
        try await counted("add(code)") { try await rows.add(code) }
    }
    nonisolated(nonsending) func erasure(of account: String) async throws -> Erasure? {
        try await counted { try await rows.erasure(of: account) }
    }
    nonisolated(nonsending) func erasures() async throws -> [Erasure] {
        try await counted { try await rows.erasures() }
    }
    nonisolated(nonsending) func remove(account: String) async throws {
        try await counted { try await rows.remove(account: account) }
    }
    nonisolated(nonsending) func put(_ erasure: Erasure) async throws {
        try await counted("put(erasure)") { try await rows.put(erasure) }
    }
    nonisolated(nonsending) func forget(sessionsBefore session: AuthTime, restBefore rest: AuthTime) async throws {
        try await counted { try await rows.forget(sessionsBefore: session, restBefore: rest) }
    }
}
