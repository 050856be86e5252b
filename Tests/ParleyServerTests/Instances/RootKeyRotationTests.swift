// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Diagnostics
import Foundation
import Security
import TestKit
import Testing

@testable import ParleyServer

/// Another root key takes over on instances that share a database.
@Suite(.timeLimit(.minutes(5))) struct RootKeyRotationTests: RootKeySuite {
    /// The keys of one instance, with the rules of sign-in over them.
    private struct Instance: Sendable {
        let keys: ServerKeys
        let service: AuthService

        init(
            _ database: any ServerDatabase, _ file: ServerRootKey, _ clock: VirtualAuthClock,
            _ mailer: CollectingMailer, readsSigning: Bool = true
        ) async throws {
            let home = try TemporaryFolder()
            let secrets = try await FileSecretStore.open(
                home.path + "/secrets", protection: .keyFile(home.path + "/secrets.key"))
            let keys = try await ServerKeys(in: secrets, root: file, database: database)
            self.keys = keys
            let signing =
                readsSigning
                ? try await keys.signing(at: clock.now).present : SigningKeys(current: try SigningKey())
            service = AuthService(
                store: SQLAuthStore(database: database), mailer: mailer, keys: { try keys.auth(at: clock.now) },
                signing: { signing }, issuer: "https://auth.example.org", clock: clock.clock)
        }
    }

    private let clock = VirtualAuthClock()
    private let mailer = CollectingMailer()
    private let prefix = NetworkPrefix(address: "192.0.2.1")

    private func signIn(_ instance: Instance) async throws -> String {
        let address = try EmailAddress("ada@example.org")
        try await instance.service.requestSignIn(SignInRequest(address: address, prefix: prefix))
        let code = try #require(mailer.mails.last?.code?.withExposed { $0 })
        return try await instance.service.verify(code: code, of: address, from: prefix, device: "").refreshToken
    }

    private func refresh(_ token: String, _ instance: Instance) async throws -> String {
        try await instance.service.refresh(token, from: prefix).refreshToken
    }

    private func word(_ keys: ServerKeys) async throws -> String? {
        do {
            try await keys.check(at: clock.now)
            return nil
        } catch let warning as Readiness.Warning {
            return warning.word
        }
    }

    private func database() async throws -> any ServerDatabase {
        try await PostgresServerDatabase.open(DatabaseKind.newPostgresURL(), logger: .disabled)
    }

    /// One instance has read the new file, the other gets it a minute later and in another order. People refresh at both
    /// by turns, before, during and after the change.
    @Test func `nobody is signed out while instances change one by one`() async throws {
        let database = try await database()
        let one = try await Instance(database, file(Self.old), clock, mailer)
        let two = try await Instance(database, file(Self.old), clock, mailer)
        for instance in [one, two] { #expect(try await instance.keys.announceRoot(at: clock.now) == nil) }
        var token = try await signIn(one)
        let start = clock.now
        let entry = try #require(try await one.keys.replaceRoots(file(Self.new, Self.old), at: start))
        #expect(entry.from == start + SharedKeys.notice && entry.key == one.keys.roots.inFile[0].id)
        #expect(try await word(two.keys) == "behind")
        #expect(try await word(one.keys) == nil)
        for second in stride(from: 0, through: 600, by: 10) {
            if second == 60 {
                #expect(try await two.keys.replaceRoots(file(Self.old, Self.new), at: clock.now) == nil)
                #expect(try await word(two.keys) == nil)
            }
            // Each instance looks at the rows once in half a minute.
            if second % 30 == 0 { _ = try await one.keys.signing(at: clock.now) }
            if second % 30 == 20 { _ = try await two.keys.signing(at: clock.now) }
            token = try await refresh(token, second % 20 == 0 ? one : two)
            clock.advance(by: .seconds(10))
        }
        for instance in [one, two] { #expect(try instance.keys.roots.keys(at: clock.now)[0].id == entry.key) }
        // The new key is enough, and the old one is nothing.
        let late = try await Instance(database, file(Self.new), clock, mailer)
        token = try await refresh(token, late)
        await #expect(throws: ServerSetupError.otherRootKey) {
            _ = try await Instance(database, file(Self.old), clock, mailer)
        }
        await database.close()
    }

    @Test func `an instance without the key in use is not ready`() async throws {
        let database = try await database()
        let one = try await Instance(database, file(Self.old), clock, mailer)
        let two = try await Instance(database, file(Self.old), clock, mailer)
        _ = try await one.keys.announceRoot(at: clock.now)
        _ = try await one.keys.replaceRoots(file(Self.new, Self.old), at: clock.now)
        clock.advance(by: SharedKeys.notice)
        _ = try await one.keys.signing(at: clock.now)
        let token = try await signIn(one)
        let lacks = ServerSetupError.lacksRootKey(one.keys.roots.inFile[0].id)
        await #expect(throws: lacks) { try await two.keys.check(at: clock.now) }
        // Else it would refuse a valid token, or make one that outlives the old key.
        await #expect(throws: lacks) { try await refresh(token, two) }
        await #expect(throws: lacks) { try await signIn(two) }
        await #expect(throws: ServerSetupError.otherRootKey) {
            _ = try await Instance(database, file(Self.old), clock, mailer)
        }
        // Signing keys rotate on under the new root key, and the other instance comes back with its file.
        try await one.keys.rotate(at: clock.now, tokenLifetime: .seconds(900))
        _ = try await two.keys.replaceRoots(file(Self.new, Self.old), at: clock.now)
        #expect(try await word(two.keys) == nil)
        #expect(try await two.keys.signing(at: clock.now).next != nil)
        await database.close()
    }

    @Test func `a file without the key in use changes nothing`() async throws {
        let database = try await database()
        let one = try await Instance(database, file(Self.old), clock, mailer)
        _ = try await one.keys.announceRoot(at: clock.now)
        let used = one.keys.roots.inFile[0].id
        await #expect(throws: ServerSetupError.lacksRootKey(used)) {
            _ = try await one.keys.replaceRoots(file(Self.new), at: clock.now)
        }
        #expect(one.keys.roots.inFile.map(\.id) == [used])
        // A key that is announced may not be taken out again, either.
        let next = try #require(try await one.keys.replaceRoots(file(Self.new, Self.old), at: clock.now))
        await #expect(throws: ServerSetupError.lacksRootKey(next.key)) {
            _ = try await one.keys.replaceRoots(file(Self.old), at: clock.now)
        }
        // Another one may replace it, while the file still has it.
        let other = try #require(
            try await one.keys.replaceRoots(file(Self.third, Self.new, Self.old), at: clock.now))
        #expect(one.keys.roots.use.entries.map(\.key) == [used, other.key])
        _ = try await one.keys.replaceRoots(file(Self.third, Self.old), at: clock.now)
        // Shortly before its use, some instances would not read of the replacement in time.
        clock.advance(by: .seconds(61))
        let last = try #require(
            try await one.keys.replaceRoots(file(Self.new, Self.third, Self.old), at: clock.now))
        #expect(one.keys.roots.use.entries.map(\.key) == [used, other.key, last.key])
        await database.close()
    }

    @Test func `a queue opens what the old key has sealed`() async throws {
        let database = try await database()
        let one = try await Instance(database, file(Self.old), clock, mailer)
        _ = try await one.keys.announceRoot(at: clock.now)
        let (mails, events) = (one.keys.mailSeal(clock.clock), one.keys.hookSeal(clock.clock))
        let before = [try mails.seal("mail", id: "1"), try events.seal("event", id: "1")]
        _ = try await one.keys.replaceRoots(file(Self.new, Self.old), at: clock.now)
        clock.advance(by: SharedKeys.notice)
        _ = try await one.keys.signing(at: clock.now)
        let after = [try mails.seal("mail", id: "1"), try events.seal("event", id: "1")]
        #expect(mails.open(before[0], id: "1", as: String.self) == "mail")
        #expect(events.open(before[1], id: "1", as: String.self) == "event")
        let late = try await Instance(database, file(Self.new), clock, mailer)
        let (lateMails, lateEvents) = (late.keys.mailSeal(clock.clock), late.keys.hookSeal(clock.clock))
        #expect(lateMails.open(after[0], id: "1", as: String.self) == "mail")
        #expect(lateEvents.open(after[1], id: "1", as: String.self) == "event")
        #expect(lateMails.open(before[0], id: "1", as: String.self) == nil)
        #expect(lateMails.open(after[1], id: "1", as: String.self) == nil)
        await database.close()
    }

    /// The process ends between the two rows of the database.
    @Test func `a change that was cut off goes on`() async throws {
        let database = try await database()
        let one = try await Instance(database, file(Self.old), clock, mailer)
        _ = try await one.keys.announceRoot(at: clock.now)
        let token = try await signIn(one)
        _ = try await one.keys.replaceRoots(file(Self.new, Self.old), at: clock.now)
        clock.advance(by: SharedKeys.notice)
        // The signing keys are still sealed by the old key.
        let cold = try await Instance(database, file(Self.old), clock, mailer, readsSigning: false)
        await #expect(throws: ServerSetupError.self) { _ = try await cold.keys.announceRoot(at: clock.now) }
        let two = try await Instance(database, file(Self.new, Self.old), clock, mailer)
        let next = try await refresh(token, two)
        _ = try await refresh(next, try await Instance(database, file(Self.new), clock, mailer))
        await database.close()
    }
}
