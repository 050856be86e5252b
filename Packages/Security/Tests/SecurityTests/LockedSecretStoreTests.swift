// SPDX-License-Identifier: MIT

import Foundation
import SecurityTestSupport
import TestKit
import Testing

@testable import Security

@Suite struct LockedSecretStoreTests {
    private let folder: TemporaryFolder
    private let cheap: ScryptParameters
    private let passphrase = Sensitive(utf8: "open sesame")
    private let name: SecretName

    init() throws {
        folder = try TemporaryFolder()
        cheap = try ScryptParameters(costExponent: 14)
        name = try SecretName(service: "openai", account: "default")
    }

    /// A program's lock under one home folder.
    private func makeLock(_ home: String = "home") -> AppLock { AppLock(path: folder.file(home), parameters: cheap) }

    /// A lock that is set and open, and a sealed store with one value behind it.
    private func sealed(_ store: any SecretStore) async throws -> (AppLock, LockedSecretStore) {
        try await store.set(Sensitive(utf8: "planted"), for: name)
        let lock = makeLock()
        try await lock.enable(passphrase: passphrase)
        let locked = LockedSecretStore(store, lock: lock)
        try await locked.seal()
        return (lock, locked)
    }

    private func text(_ store: any SecretStore) async throws -> String? {
        try await store.value(for: name)?.withExposed { String(decoding: $0, as: UTF8.self) }
    }

    private func code(_ body: () async throws -> Void) async -> SecretStoreError.Code? {
        do {
            try await body()
            return nil
        } catch { return (error as? SecretStoreError)?.code }
    }

    @Test(arguments: SecretStoreContract.checks)
    func `a sealed store keeps the contract`(_ check: SecretStoreContract.Check) async throws {
        let lock = makeLock()
        try await lock.enable(passphrase: passphrase)
        try await check.run(LockedSecretStore(InMemorySecretStore(), lock: lock))
        let file = try await FileSecretStore.open(folder.file("s"), protection: .keyFile(folder.file("k")))
        try await check.run(LockedSecretStore(file, lock: lock))
    }

    @Test func `a locked secret cannot be read under another home`() async throws {
        let store: any SecretStore = InMemorySecretStore()
        _ = try await sealed(store)
        #expect(try await text(store)?.contains("planted") == false)
        // Another home has no lock of its own; after that, this one's file is gone, too.
        for home in ["other", "home"] {
            if home == "home" { try FileManager.default.removeItem(atPath: folder.file("home")) }
            let lock = makeLock(home)
            let elsewhere = LockedSecretStore(store, lock: lock)
            #expect(await code { _ = try await elsewhere.value(for: name) } == .locked)
            #expect(await code { try await elsewhere.set(Sensitive(utf8: "x"), for: name) } == .locked)
            #expect(await code { try await elsewhere.delete(name) } == .locked)
            #expect(await code { _ = try await elsewhere.names(service: nil) } == .locked)
            let header = try #require(try await elsewhere.lockedHeader())
            await #expect(throws: SecurityError.self) {
                try await lock.unlock(passphrase: Sensitive(utf8: "guess"), for: header)
            }
            try await lock.unlock(passphrase: passphrase, for: header)
            #expect(try await text(elsewhere) == "planted")
        }
    }

    @Test func `without its header a sealed value stays sealed`() async throws {
        let store: any SecretStore = InMemorySecretStore()
        let (lock, _) = try await sealed(store)
        try await store.delete(LockedSecretStore.headerName)
        #expect(try await text(LockedSecretStore(store, lock: makeLock("other")))?.contains("planted") == false)
        // Nothing is lost: the lock's own file has the header, too, and the store gets it again.
        let again = LockedSecretStore(store, lock: lock)
        try await again.seal()
        #expect(try await text(again) == "planted")
        #expect(try await again.lockedHeader() == nil)
    }

    @Test func `a value opens under its own name only`() async throws {
        let store: any SecretStore = InMemorySecretStore()
        let (_, locked) = try await sealed(store)
        let other = try SecretName(service: "mistral", account: "default")
        try await store.set(try #require(try await store.value(for: name)), for: other)
        #expect(await code { _ = try await locked.value(for: other) } == .damaged)
    }

    @Test func `a changed passphrase reaches every store after a break`() async throws {
        let (first, second) = (InMemorySecretStore(), InMemorySecretStore())
        let (lock, one) = try await sealed(first)
        let two = LockedSecretStore(second, lock: lock)
        try await two.set(Sensitive(utf8: "planted"), for: name)
        let changed = Sensitive(utf8: "open barley")
        try await lock.enable(passphrase: changed)
        // The program ends here: the first store has the new header, the second one the old one.
        try await one.seal()
        // A home without the file, which met the newer header first, or the older one first.
        let fresh = makeLock("other")
        let (freshOne, freshTwo) = (LockedSecretStore(first, lock: fresh), LockedSecretStore(second, lock: fresh))
        try await fresh.unlock(passphrase: changed, for: try await freshOne.lockedHeader())
        #expect(try await freshTwo.lockedHeader() == nil)
        try await freshTwo.seal()
        let last = makeLock("last")
        let lastTwo = LockedSecretStore(second, lock: last)
        let header = try #require(try await lastTwo.lockedHeader())
        await #expect(throws: SecurityError.self) { try await last.unlock(passphrase: passphrase, for: header) }
        try await last.unlock(passphrase: changed, for: header)
        #expect(try await text(lastTwo) == "planted")
    }

    @Test func `a store's newer header turns the old passphrase down`() async throws {
        let store: any SecretStore = InMemorySecretStore()
        let (lock, locked) = try await sealed(store)
        let before = try folder.bytes("home")
        let changed = Sensitive(utf8: "open barley")
        try await lock.enable(passphrase: changed)
        try await locked.seal()
        // The lock's file is an older one again.
        try folder.write(before, to: "home")
        let restored = makeLock()
        let header = try await LockedSecretStore(store, lock: restored).lockedHeader()
        await #expect(throws: SecurityError.self) { try await restored.unlock(passphrase: passphrase, for: header) }
        try await restored.unlock(passphrase: changed, for: header)
    }

    @Test func `a program that knows the old passphrase keeps a store's newer header`() async throws {
        let store: any SecretStore = InMemorySecretStore()
        let (old, _) = try await sealed(store)
        let lock = makeLock()
        try await lock.unlock(passphrase: passphrase)
        try await lock.enable(passphrase: Sensitive(utf8: "open barley"))
        try await LockedSecretStore(store, lock: lock).seal()
        try await LockedSecretStore(store, lock: old).seal()
        // The old passphrase must not open the store without the lock's file.
        let elsewhere = makeLock("other")
        let header = try await LockedSecretStore(store, lock: elsewhere).lockedHeader()
        await #expect(throws: SecurityError.self) { try await elsewhere.unlock(passphrase: passphrase, for: header) }
    }

    @Test func `two locks with two passphrases open one after the other`() async throws {
        let store: any SecretStore = InMemorySecretStore()
        _ = try await sealed(store)
        let (lock, other) = (makeLock("other"), Sensitive(utf8: "another one"))
        try await lock.enable(passphrase: other)
        await lock.lock()
        let locked = LockedSecretStore(store, lock: lock)
        try await lock.unlock(passphrase: passphrase, for: try await locked.lockedHeader())
        #expect(try await lock.isLocked())
        try await lock.unlock(passphrase: other, for: try await locked.lockedHeader())
        #expect(try await text(locked) == "planted")
        // From now on there is one passphrase for both.
        try await lock.enable(passphrase: other)
        try await locked.seal()
        let next = makeLock("other")
        try await next.unlock(passphrase: other, for: try await LockedSecretStore(store, lock: next).lockedHeader())
        #expect(try await text(LockedSecretStore(store, lock: next)) == "planted")
    }

    @Test func `a lock that another program removed does not come back`() async throws {
        let store: any SecretStore = InMemorySecretStore()
        let (lock, locked) = try await sealed(store)
        let other = makeLock()
        try await other.unlock(passphrase: passphrase)
        try await LockedSecretStore(store, lock: other).unseal()
        try await other.disable()
        // The first program has the key in memory still.
        try await locked.set(Sensitive(utf8: "later"), for: name)
        #expect(try await text(store) == "later")
        #expect(try await store.names(service: nil) == [name])
        #expect(try await lock.entry(of: nil) == nil)
    }

    @Test func `unsealing gives every value back`() async throws {
        let store: any SecretStore = InMemorySecretStore()
        let (_, locked) = try await sealed(store)
        try await locked.unseal()
        #expect(try await text(store) == "planted")
        #expect(try await store.names(service: nil) == [name])
    }

    /// A store that fails after so many writes, as a killed program does.
    private struct Failing: SecretStore {
        let store: any SecretStore
        let left: Counter

        actor Counter {
            var left: Int
            init(_ left: Int) { self.left = left }
            func use() throws {
                guard left > 0 else { throw CancellationError() }
                left -= 1
            }
        }

        func set(_ value: Sensitive<[UInt8]>, for name: SecretName) async throws {
            try await left.use()
            try await store.set(value, for: name)
        }
        func value(for name: SecretName) async throws -> Sensitive<[UInt8]>? { try await store.value(for: name) }
        func delete(_ name: SecretName) async throws -> Bool {
            try await left.use()
            return try await store.delete(name)
        }
        func names(service: String?) async throws -> [SecretName] { try await store.names(service: service) }
    }

    @Test(arguments: 0..<6)
    func `sealing and unsealing can break off anywhere`(writes: Int) async throws {
        let store: any SecretStore = InMemorySecretStore()
        let names = try (0..<4).map { try SecretName(service: "service", account: "\($0)") }
        // One of them looks like a sealed value.
        let values = [[1, 2], [], AppLockKey.envelope + [UInt8](repeating: 7, count: 99), [0]] as [[UInt8]]
        for (name, value) in zip(names, values) { try await store.set(Sensitive(value), for: name) }
        let lock = makeLock()
        try await lock.enable(passphrase: passphrase)
        func check() async throws {
            let locked = LockedSecretStore(store, lock: lock)
            try await locked.seal()
            for (name, value) in zip(names, values) {
                #expect(try await locked.value(for: name)?.withExposed { $0 } == value)
                #expect(try await store.value(for: name)?.withExposed { $0 } != value)
            }
        }
        _ = try? await LockedSecretStore(Failing(store: store, left: .init(writes)), lock: lock).seal()
        try await check()
        _ = try? await LockedSecretStore(Failing(store: store, left: .init(writes)), lock: lock).unseal()
        try await check()
        try await LockedSecretStore(store, lock: lock).unseal()
        for (name, value) in zip(names, values) {
            #expect(try await store.value(for: name)?.withExposed { $0 } == value)
        }
    }

    @Test func `a running program cannot write into a locked store`() async throws {
        let store: any SecretStore = InMemorySecretStore()
        let running = LockedSecretStore(store, lock: makeLock("other"))
        try await running.set(Sensitive(utf8: "before"), for: name)
        _ = try await sealed(store)
        #expect(await code { try await running.set(Sensitive(utf8: "after"), for: name) } == .locked)
    }

    @Test func `a version 1 lock gets a key at its passphrase`() async throws {
        let salt = Data(try SecureRandom.bytes(Scrypt.saltByteCount))
        let derived = try passphrase.withExposed { try Scrypt.key(passphrase: $0, salt: salt, parameters: cheap) }
        let verifier = try HKDF.key(from: derived, salt: salt, info: Array("parley app lock".utf8))
            .withUnsafeBytes { Data($0) }
        let record = AppLockRecord.Verifier(
            salt: salt, costExponent: cheap.costExponent, blockSize: cheap.blockSize,
            parallelization: cheap.parallelization, verifier: verifier)
        try AppLockRecord(.verifier(record)).save(to: folder.file("home"))
        #expect(try String(decoding: folder.bytes("home"), as: UTF8.self).contains(#""version":1"#))
        let store: any SecretStore = InMemorySecretStore()
        try await store.set(Sensitive(utf8: "planted"), for: name)
        let lock = makeLock()
        #expect(await code { _ = try await LockedSecretStore(store, lock: lock).value(for: name) } == .locked)
        await #expect(throws: SecurityError.self) { try await lock.unlock(passphrase: Sensitive(utf8: "guess")) }
        try await lock.unlock(passphrase: passphrase)
        let locked = LockedSecretStore(store, lock: lock)
        try await locked.seal()
        #expect(try await text(locked) == "planted")
        #expect(try await text(store)?.contains("planted") == false)
        let next = makeLock()
        try await next.unlock(passphrase: passphrase)
        #expect(try await text(LockedSecretStore(store, lock: next)) == "planted")
    }

    @Test func `any changed byte of a header is noticed`() async throws {
        let header = try AppLockHeader(key: AppLockKey(), generation: 3, passphrase: passphrase, parameters: cheap)
        #expect(try AppLockHeader(parsing: header.bytes) == header && header.generation == 3)
        // Not the scrypt parameters, which would only make it slow.
        for index in header.bytes.indices where !(9..<12).contains(index) {
            var bytes = header.bytes
            bytes[index] ^= 1
            #expect((try? AppLockHeader(parsing: bytes).key(ifOpenedBy: passphrase)) == nil, "byte \(index)")
        }
        for count in 0..<header.bytes.count {
            #expect(throws: SecurityError.self) { try AppLockHeader(parsing: Array(header.bytes.prefix(count))) }
        }
    }
}
