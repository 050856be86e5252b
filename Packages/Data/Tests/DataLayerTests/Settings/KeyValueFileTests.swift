// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Persistence
import Security
import TestKit
import Testing

@testable import DataLayer

@Suite struct KeyValueFileTests {
    private let folder: TemporaryFolder
    private let name = KeyValueKey<String>("name", in: "some")

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.file("values.sqlite") }

    @Test func `reading a missing file makes none`() async throws {
        let file = KeyValueFile(path: path)
        #expect(try await file.read { try $0.value(for: name) } == nil)
        #expect(try await file.export(to: InMemoryExportArchive()) == [:])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `values are kept for the owner alone`() async throws {
        let file = KeyValueFile(path: path)
        try await file.write { try $0.set("a", for: name) }
        #expect(try await KeyValueFile(path: path).read { try $0.value(for: name) } == "a")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        await #expect(throws: DomainError.notFound("it")) {
            try await file.write { settings in
                try settings.set("b", for: name)
                throw DomainError.notFound("it")
            }
        }
        #expect(try await file.read { try $0.value(for: name) } == "a", "all or nothing")
    }

    @Test(arguments: PersonalDataSourceContract.checks)
    func `its export keeps the contract`(_ check: ContractCheck<PersonalDataSourceSubject>) async throws {
        let file = KeyValueFile(path: path)
        try await file.write { settings in
            try settings.set("a \"quoted\"\n漢", for: name)
            try settings.set(7, for: KeyValueKey<Int>("number", in: "some"))
        }
        try await check.run(
            PersonalDataSourceSubject(source: file, counts: ["settings": 2], names: ["settings.jsonl"]))
    }

    @Test func `with a seal no text is in the file`() async throws {
        let lock = AppLock(path: folder.file("lock"), parameters: try ScryptParameters(costExponent: 14))
        try await lock.enable(passphrase: Sensitive(utf8: "open sesame"))
        let data = SealedData(
            folder: folder.path,
            files: .init(conversations: folder.file("c.sqlite"), databases: [path], lines: { _ in }), lock: lock,
            report: { _ in })
        let file = KeyValueFile(path: path, seal: try await data.key())
        try await file.write { try $0.set("planted", for: name) }
        #expect(try await file.read { try $0.value(for: name) } == "planted")
        #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data("planted".utf8)) == nil)
        await #expect(throws: DomainError.self) { try await KeyValueFile(path: path).read { try $0.value(for: name) } }
    }
}
