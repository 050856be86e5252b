// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import TestKit
import Testing

@testable import Security

@Suite struct FileSecretStoreTests {
    private let folder: TemporaryFolder
    private let name: SecretName

    init() throws {
        folder = try TemporaryFolder()
        name = try SecretName(service: "elevenlabs", account: "default")
    }

    private var path: String { folder.file("secrets") }

    private func open(key: String = "key") async throws -> FileSecretStore {
        try await FileSecretStore.open(path, protection: .keyFile(folder.file(key)))
    }

    private func open(passphrase: String) async throws -> FileSecretStore {
        let cheap = try ScryptParameters(costExponent: 14)
        return try await FileSecretStore.open(path, protection: .passphrase(Sensitive(utf8: passphrase), cheap))
    }

    private func text(_ store: FileSecretStore) async throws -> String? {
        try await store.value(for: name)?.withExposed { String(decoding: $0, as: UTF8.self) }
    }

    private func storeCode(of body: () async throws -> Void) async -> SecretStoreError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SecretStoreError)?.code
        }
    }

    @Test func whatIsStoredIsThereAfterwardsPrivateAndUnreadable() async throws {
        try await open().set(Sensitive(utf8: "sk-planted-secret"), for: name)
        #expect(try await text(open()) == "sk-planted-secret")
        for file in try folder.names() {
            #expect(try folder.mode(file) == 0o600, "\(file)")
            let content = Data(try folder.bytes(file))
            for word in ["sk-planted-secret", "elevenlabs", "default"] {
                #expect(content.range(of: Data(word.utf8)) == nil, "\(word) in \(file)")
            }
        }
        #expect(try folder.names() == ["key", "key.lock", "secrets", "secrets.lock"])
        // The same content looks different after each write.
        let before = try folder.bytes("secrets")
        try await open().set(Sensitive(utf8: "sk-planted-secret"), for: name)
        let after = try folder.bytes("secrets")
        #expect(zip(before, after).dropFirst(32).filter { $0 == $1 }.count < 30)
    }

    @Test func foldersAreMadeForTheUserOnly() async throws {
        let store = try await FileSecretStore.open(
            folder.file("new/deep/secrets"), protection: .keyFile(folder.file("key")))
        try await store.set(Sensitive(utf8: "a"), for: name)
        #expect(try folder.mode("new") == 0o700)
        #expect(try folder.mode("new/deep") == 0o700)
    }

    @Test func aWrongPassphraseIsNotDamage() async throws {
        try await open(passphrase: "right").set(Sensitive(utf8: "value"), for: name)
        let before = try folder.bytes("secrets")
        #expect(await storeCode { _ = try await open(passphrase: "wrong") } == .wrongKey)
        #expect(await storeCode { _ = try await open(passphrase: "") } == .invalidParameter)
        #expect(await storeCode { _ = try await open() } == .wrongKey)
        #expect(try folder.bytes("secrets") == before)
        #expect(try await text(open(passphrase: "right")) == "value")
    }

    @Test func `a new store takes no empty passphrase`() async throws {
        #expect(await storeCode { _ = try await open(passphrase: "") } == .invalidParameter)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aKeyFileIsNeverMadeAnewForAStoreThatIsThere() async throws {
        try await open().set(Sensitive(utf8: "value"), for: name)
        let key = try folder.bytes("key")
        try FileManager.default.removeItem(atPath: folder.file("key"))
        #expect(await storeCode { _ = try await open() } == .keyMissing)
        #expect(!FileManager.default.fileExists(atPath: folder.file("key")))
        try folder.write([UInt8](repeating: 1, count: 32), to: "key")
        #expect(await storeCode { _ = try await open() } == .wrongKey)
        try folder.write(key + [0], to: "key")
        #expect(await storeCode { _ = try await open() } == .wrongKey)
        #expect(await storeCode { _ = try await open(passphrase: "x") } == .wrongKey)
        try folder.write(key, to: "key")
        #expect(try await text(open()) == "value")
    }

    @Test func everyFlippedBitAndEveryCutIsDamageAndChangesNothing() async throws {
        try await open().set(Sensitive(utf8: "value"), for: name)
        let whole = try folder.bytes("secrets")
        for bit in 0..<whole.count * 8 where bit < 96 * 8 || bit % 3 == 0 {
            var changed = whole
            changed[bit / 8] ^= 1 << (bit % 8)
            try folder.write(changed, to: "secrets")
            let result = await storeCode { _ = try await open() }
            #expect(result == (bit / 8 == 8 ? .newer : .damaged), "bit \(bit)")
            #expect(try folder.bytes("secrets") == changed)
        }
        for count in 0..<whole.count {
            try folder.write(Array(whole.prefix(count)), to: "secrets")
            #expect(await storeCode { _ = try await open() } == .damaged, "\(count) bytes")
        }
        try folder.write(whole + [0], to: "secrets")
        #expect(await storeCode { _ = try await open() } == .damaged)
    }

    @Test func damageWhileTheStoreIsOpenIsReportedAndNotOverwritten() async throws {
        let store = try await open()
        try await store.set(Sensitive(utf8: "value"), for: name)
        var bytes = try folder.bytes("secrets")
        bytes[bytes.count - 1] ^= 1
        try folder.write(bytes, to: "secrets")
        #expect(await storeCode { _ = try await store.value(for: name) } == .damaged)
        #expect(await storeCode { try await store.set(Sensitive(utf8: "new"), for: name) } == .damaged)
        #expect(try folder.bytes("secrets") == bytes)
        try FileManager.default.removeItem(atPath: path)
        #expect(await storeCode { try await store.set(Sensitive(utf8: "new"), for: name) } == .damaged)
    }

    @Test(arguments: ["secrets", "key", "secrets.lock"])
    func filesThatOthersCouldReachAreRefused(file: String) async throws {
        try await open().set(Sensitive(utf8: "value"), for: name)
        for mode in [0o640, 0o604, 0o660, 0o606, 0o610] {
            try folder.setMode(mode, of: file)
            #expect(await storeCode { _ = try await open() } == .insecureFile, "\(String(mode, radix: 8))")
        }
        try folder.setMode(0o600, of: file)
        try FileManager.default.moveItem(atPath: folder.file(file), toPath: folder.file("elsewhere"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(file), withDestinationPath: folder.file("elsewhere"))
        #expect(await storeCode { _ = try await open() } == .insecureFile)
        try FileManager.default.removeItem(atPath: folder.file(file))
        try FileManager.default.moveItem(atPath: folder.file("elsewhere"), toPath: folder.file(file))
        #expect(try await text(open()) == "value")
        if geteuid() == 0 {
            // Only root can give a file away.
            #expect(chown(folder.file(file), 12_345, 12_345) == 0)
            #expect(await storeCode { _ = try await open() } == .insecureFile)
        }
    }

    @Test func aPlantedHeaderCannotAskForMuchWork() async throws {
        _ = try await open(passphrase: "right")
        let whole = try folder.bytes("secrets")
        for (cost, block, parallel) in [(63, 8, 1), (18, 255, 1), (14, 8, 255), (0, 0, 0)] as [(UInt8, UInt8, UInt8)] {
            var planted = Array(whole[..<80])
            planted.replaceSubrange(10..<13, with: [cost, block, parallel])
            planted += try SHA256.hash(planted).prefix(16)
            try folder.write(planted + whole[96...], to: "secrets")
            #expect(await storeCode { _ = try await open(passphrase: "right") } == .damaged)
        }
    }

    @Test func aPassphraseCanBeChangedAndOthersNoticeIt() async throws {
        let (store, other) = (try await open(), try await open())
        try await store.set(Sensitive(utf8: "value"), for: name)
        let cheap = try ScryptParameters(costExponent: 14)
        try await store.changeProtection(to: .passphrase(Sensitive(utf8: "new"), cheap))
        #expect(try await text(store) == "value")
        #expect(await storeCode { _ = try await other.value(for: name) } == .wrongKey)
        #expect(await storeCode { try await other.set(Sensitive(utf8: "x"), for: name) } == .wrongKey)
        #expect(await storeCode { _ = try await open() } == .wrongKey)
        #expect(try await text(open(passphrase: "new")) == "value")
        try await store.changeProtection(to: .passphrase(Sensitive(utf8: "newer"), cheap))
        #expect(await storeCode { _ = try await open(passphrase: "new") } == .wrongKey)
        #expect(try await text(open(passphrase: "newer")) == "value")
    }

    @Test func aLockThatIsNotGivenBackIsBusyInTheEnd() async throws {
        let result = await code {
            try PrivateFile.withLock(on: path, exclusively: true) {
                try PrivateFile.withLock(on: path, exclusively: true, tries: 3) {}
            }
        }
        #expect(result == .busy)
        let shared = await code {
            try PrivateFile.withLock(on: path, exclusively: false) {
                try PrivateFile.withLock(on: path, exclusively: false, tries: 3) {}
            }
        }
        #expect(shared == nil)
    }

    @Test func randomBytesAreAnErrorAndNeverACrash() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        _ = try await open()
        for round in 0..<300 {
            let bytes = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            try folder.write(bytes, to: "secrets")
            #expect(await storeCode { _ = try await open() } == .damaged, "seed \(seed), round \(round)")
            // The list of secrets itself, as if somebody had the key.
            let entries = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0...(round % 2 == 0 ? 255 : 3), using: &generator)
            }
            _ = entries.withUnsafeBytes { try? SecretEntries(parsing: $0) }
        }
    }

    @Test func entriesComeBackAndTheirCutsAreDamage() async throws {
        var entries = SecretEntries()
        for index in 0..<5 {
            let name = try SecretName(service: "s\(index)", account: "é")
            entries.values[name] = Sensitive([UInt8](repeating: UInt8(index), count: index * 7))
        }
        let encoded = try entries.encoded().exposed
        let read = try encoded.withUnsafeBytes { try SecretEntries(parsing: $0) }
        #expect(read.values.keys.sorted() == entries.values.keys.sorted())
        for (name, value) in read.values {
            #expect(value.withExposed { $0 } == entries.values[name]?.withExposed { $0 })
        }
        for count in 0..<encoded.count {
            let result = await code {
                _ = try encoded.prefix(count).withUnsafeBytes { try SecretEntries(parsing: $0) }
            }
            #expect(result == .damaged, "\(count)")
        }
    }
}
