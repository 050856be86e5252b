// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Glibc
import Security
import Testing

@testable import DataLayer

@Suite struct ErasureTests {
    private let folder = TestFolder()

    private func plant(_ names: String...) throws {
        for name in names {
            let path = folder.file(name)
            try FileManager.default.createDirectory(
                atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), withIntermediateDirectories: true)
            try Data("secret".utf8).write(to: URL(filePath: path))
        }
    }

    private func listing() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `every file goes whatever it is called`() async throws {
        try plant(
            "recordings/a.sealed", "recordings/b.sealed.part-1", "practice.sqlite.damaged-2026", "uploads/ada/x.json",
            ".hidden", "chat-inputs", "session.lock")
        let erase = PersonalFolder(path: folder.path, count: "files") { !$0.hasSuffix(".lock") }
        #expect(try await erase.erase() == ["files": 6])
        #expect(try listing() == ["session.lock"])
        #expect(try await erase.erase() == [:], "a second run finds nothing")
    }

    @Test func `a link is removed and what it leads to stays`() async throws {
        try plant("outside/kept", "inside/gone")
        let link = folder.file("inside/link")
        #expect(symlink(folder.file("outside"), link) == 0)
        #expect(try await PersonalFolder(path: folder.file("inside"), count: "files").erase() == ["files": 2])
        #expect(try listing() == ["inside", "outside", "outside/kept"])
    }

    @Test func `a missing folder is empty`() async throws {
        #expect(try await PersonalFolder(path: folder.file("nowhere"), count: "files").erase() == [:])
    }

    /// A file in its place fails as a folder without permission does, for root too.
    @Test func `a folder that cannot be read is not empty`() async throws {
        try plant("file")
        let error = await #expect(throws: DomainError.self) {
            try await PersonalFolder(path: folder.file("file"), count: "files").erase()
        }
        #expect(error?.code == "file")
    }

    @Test func `rows of all accounts go before the file`() async throws {
        let path = folder.file("practice.sqlite")
        let open = try await PracticeDatabase(path: path)
        for owner in ["ada", "bob", nil] {
            let queue = owner.map { OutboxSyncQueue(open, account: $0) }
            try await SQLitePracticeRepository(open, owner: owner, queue: queue).store([PracticeSamples.result()])
        }
        let counts = try await StoredRows.practice(path: path).erase()
        #expect(counts["results"] == 3 && counts["held"] == 2, "\(counts)")
        // Another program that has the file open sees nothing of it any more.
        #expect(
            try await SQLitePracticeRepository(open, owner: "ada").page(PracticeQuery(), after: nil).results.isEmpty)
        #expect(try await SQLiteUploadConsentStore(open).held(of: "bob") == HeldUploads())
    }

    @Test func `a damaged file is left to who removes it`() async throws {
        try plant("practice.sqlite")
        #expect(try await StoredRows.practice(path: folder.file("practice.sqlite")).erase() == [:])
        #expect(try await StoredRows.practice(path: folder.file("none.sqlite")).erase() == [:])
        #expect(try listing() == ["practice.sqlite"], "nothing is made anew")
    }

    @Test func `all secrets of a store go`() async throws {
        let store = InMemorySecretStore()
        for account in ["a", "b"] {
            try await store.set(Sensitive([1]), for: try SecretName(service: "parley", account: account))
        }
        #expect(try await StoredSecrets(store).erase() == ["secrets": 2])
        #expect(try await StoredSecrets(store).erase() == [:])
    }

    @Test func `a locked keyring is named and a missing one is empty`() async throws {
        await #expect {
            try await StoredSecrets(FailingStore(code: .locked)).erase()
        } throws: { ($0 as? DomainError)?.detail?.contains("keyring is locked") == true }
        #expect(try await StoredSecrets(FailingStore(code: .unavailable)).erase() == [:])
    }

    private struct FailingStore: SecretStore {
        let code: SecretStoreError.Code
        private var error: SecretStoreError { SecretStoreError(code: code, message: "It cannot be read.") }

        init(code: SecretStoreError.Code) { self.code = code }

        func set(_ value: Sensitive<[UInt8]>, for name: SecretName) async throws { throw error }
        func value(for name: SecretName) async throws -> Sensitive<[UInt8]>? { throw error }
        func delete(_ name: SecretName) async throws -> Bool { throw error }
        func names(service: String?) async throws -> [SecretName] { throw error }
    }
}
