// SPDX-License-Identifier: MIT

import Domain
import Foundation
import Security
import TestKit
import Testing

@testable import DataVoice

@Suite struct RecordingKeyCustodyTests {
    private let folder: TemporaryFolder
    private let keyring = InMemorySecretStore()
    private let file = InMemorySecretStore()

    init() throws { folder = try TemporaryFolder() }

    private func custody(_ stores: [any SecretStore]) -> RecordingKeyCustody {
        RecordingKeyCustody(
            folder: folder.file("recordings"), lock: folder.file("lock"), stores: stores.map { store in { store } })
    }

    private func key(_ folder: SealedRecordingFolder) -> [UInt8] { folder.key.withUnsafeBytes { Array($0) } }

    @Test func `a new key goes to the first store`() async throws {
        let made = try await custody([keyring, file]).open()
        #expect(await keyring.names(service: "parley").count == 1)
        #expect(await file.names(service: nil).isEmpty)
        #expect(key(try await custody([keyring, file]).open()) == key(made))
    }

    @Test func `a key in any store is found, and none is made`() async throws {
        let made = try await custody([file]).open()
        #expect(key(try await custody([keyring, file]).open()) == key(made))
        #expect(await keyring.names(service: nil).isEmpty)
    }

    @Test func `recordings without their key get no other one`() async throws {
        try FileManager.default.createDirectory(atPath: folder.file("recordings"), withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: folder.file("recordings/a.sealed")))
        let error = await #expect(throws: DomainError.self) { try await custody([keyring]).open() }
        #expect(error?.code == "storage")
        #expect(await keyring.names(service: nil).isEmpty)
    }

    @Test func `programs that come at once get one key`() async throws {
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 { group.addTask { key(try await custody([keyring]).open()) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
    }

    @Test func `a store that cannot be opened is no missing key`() async throws {
        struct Locked: Error {}
        let custody = RecordingKeyCustody(
            folder: folder.file("recordings"), lock: folder.file("lock"), stores: [{ throw Locked() }, { self.file }])
        await #expect(throws: Locked.self) { try await custody.open() }
        #expect(await file.names(service: nil).isEmpty)
    }
}
