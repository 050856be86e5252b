// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Glibc
import Persistence
import Security
import TestKit
import Testing

@testable import DataLayer

@Suite struct ErasureTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

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

    private enum Place: CaseIterable {
        case files, practice, conversations, secrets
    }

    private func subject(_ place: Place) -> PersonalDataStoreSubject {
        let (folder, secrets) = (folder, InMemorySecretStore())
        let path = folder.file("\(place).sqlite")
        return switch place {
        case .files:
            PersonalDataStoreSubject(
                store: PersonalFolder(path: folder.file("files"), count: "files"),
                fill: {
                    try FileManager.default.createDirectory(
                        atPath: folder.file("files/below"), withIntermediateDirectories: true)
                    for name in ["files/a", "files/b", "files/below/c"] {
                        try Data("secret".utf8).write(to: URL(filePath: folder.file(name)))
                    }
                    return ["files": 3]
                },
                failing: [
                    "file": {
                        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
                        try Data().write(to: URL(filePath: folder.file("file")))
                        return PersonalFolder(path: folder.file("file"), count: "files")
                    }
                ])
        case .practice:
            PersonalDataStoreSubject(
                store: StoredRows.practice(path: path), fill: { try await Self.fillPractice(path) })
        case .conversations:
            PersonalDataStoreSubject(
                store: StoredRows.conversations(path: path), fill: { try await Self.fillConversations(path) })
        case .secrets:
            PersonalDataStoreSubject(
                store: StoredSecrets(secrets),
                fill: {
                    for account in ["a", "b"] {
                        try await secrets.set(Sensitive([1]), for: SecretName(service: "parley", account: account))
                    }
                    return ["secrets": 2]
                },
                failing: ["storage": { StoredSecrets(FailingStore(code: .locked)) }])
        }
    }

    private static func fillPractice(_ path: String) async throws -> [String: Int] {
        let database = try await PracticeDatabase(path: path)
        let results = try (0..<3).map { _ in try PracticeSamples.result() }
        try await SQLitePracticeRepository(database, owner: "ada").store(results)
        try await SQLiteEvaluationStore(database, owner: nil).store(PracticeSamples.evaluation(), of: .init())
        await database.close()
        return ["results": 3, "evaluations": 1]
    }

    private static func fillConversations(_ path: String) async throws -> [String: Int] {
        let repository = try await SQLiteConversationRepository(path: path, damage: .refuse)
        let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 0))
        let messages = [Message.Role.user, .assistant].map { role in
            Message(
                conversation: conversation.id, turn: .init(), role: role, modality: .text, text: "Texas",
                createdAt: Date(timeIntervalSince1970: 0))
        }
        try await repository.append(messages, to: conversation)
        for turn in [messages[0].turn, TurnID()] {
            try await repository.note(
                TurnMeasurement(turn: turn, startedAt: .now, modality: .text, outcome: .stopped), at: .now)
        }
        await repository.close()
        return ["messages": 2, "measurements": 2]
    }

    @Test(.timeLimit(.minutes(5)), arguments: PersonalDataStoreContract.checks, Place.allCases)
    private func `every place keeps the contract`(
        _ check: ContractCheck<PersonalDataStoreSubject>, _ place: Place
    ) async throws {
        try await check.run(subject(place))
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

    @Test func `a damaged or missing file has no rows`() async throws {
        try plant("practice.sqlite")
        #expect(try await StoredRows.practice(path: folder.file("practice.sqlite")).erase() == [:])
        #expect(try await StoredRows.practice(path: folder.file("none.sqlite")).erase() == [:])
        #expect(try listing() == ["practice.sqlite"], "nothing is made anew")
    }

    /// Fails each deletion in the file.
    private func refuseDeletion(_ path: String, table: SQL) async throws {
        let database = try await Database(at: path)
        try await database.write {
            try $0.execute(
                """
                CREATE TRIGGER refused BEFORE DELETE ON \(sql: table)
                BEGIN SELECT RAISE(ABORT, 'The disk is broken.'); END
                """)
        }
        await database.close()
    }

    @Test func `rows that cannot be deleted are an error`() async throws {
        let (practice, conversations) = (folder.file("practice.sqlite"), folder.file("conversations.sqlite"))
        _ = try await Self.fillPractice(practice)
        _ = try await Self.fillConversations(conversations)
        let places: [(path: String, table: SQL, store: StoredRows, counts: [String: Int])] = [
            (practice, "practice_result", .practice(path: practice), ["results": 3, "evaluations": 1]),
            (
                conversations, "message", .conversations(path: conversations), ["messages": 2, "measurements": 2]
            ),
        ]
        for (path, table, store, counts) in places {
            try await refuseDeletion(path, table: table)
            let error = await #expect(throws: DomainError.self) { try await store.erase() }
            guard case .storage(let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            let text = reason.english
            #expect(text.contains("No row of \(path) was deleted") && text.contains("broken"), "\(text)")
            #expect(!openFiles().contains(path), "the database is closed")
            let database = try await Database(at: path)
            try await database.write { try $0.execute("DROP TRIGGER refused") }
            await database.close()
            #expect(try await store.erase().filter { $0.value > 0 } == counts, "nothing was deleted before")
            #expect(!openFiles().contains(path), "the database is closed")
        }
    }

    private func openFiles() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
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
        await #expect(throws: DomainError.unusable(.lockedKeyring)) {
            try await StoredSecrets(FailingStore(code: .locked)).erase()
        }
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
