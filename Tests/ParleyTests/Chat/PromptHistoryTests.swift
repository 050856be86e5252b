// SPDX-License-Identifier: MIT

import DataLayer
import DomainTestSupport
import Foundation
import Security
import TestKit
import Testing

@testable import parley

@Suite struct PromptHistoryTests {
    private let folder: TemporaryFolder
    private let history: PromptHistory

    init() throws {
        folder = try TemporaryFolder()
        history = PromptHistory(path: folder.file("inputs"))
    }

    @Test func whatWasTypedIsFoundAgainByItsOwnerAlone() async throws {
        #expect(try history.load().isEmpty)
        for line in ["one", "two\nlines \"quoted\" 漢", "two\nlines \"quoted\" 漢", ""] { try history.add(line) }
        #expect(try history.load() == ["one", "two\nlines \"quoted\" 漢"])
        let attributes = try FileManager.default.attributesOfItem(atPath: history.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: PersonalDataSourceContract.checks)
    func `its export keeps the contract`(_ check: ContractCheck<PersonalDataSourceSubject>) async throws {
        for line in ["one", "two"] { try history.add(line) }
        try await check.run(
            PersonalDataSourceSubject(source: history, counts: ["chatInputs": 2], names: ["chat-inputs.jsonl"]))
    }

    @Test func `with a seal no line is in the file, and lines from before stay`() async throws {
        let lock = AppLock(
            path: folder.file("lock"), parameters: try ScryptParameters(costExponent: 14))
        try await lock.enable(passphrase: Sensitive(utf8: "open sesame"))
        let data = SealedData(
            folder: folder.path,
            files: .init(conversations: history.path + ".sqlite", databases: [], lines: { _ in }),
            lock: lock, report: { _ in })
        let seal = try #require(try await data.key())
        try history.add("planted before")
        try history.rewrite { try seal.seal(line: $0) }
        let sealed = PromptHistory(path: history.path, seal: seal)
        try sealed.add("planted after")
        try sealed.add("planted after")
        let bytes = try Data(contentsOf: URL(filePath: history.path))
        #expect(bytes.range(of: Data("planted".utf8)) == nil)
        #expect(try sealed.load() == ["planted before", "planted after"])
        #expect(try sealed.content() == Array("\"planted before\"\n\"planted after\"\n".utf8))
        #expect(try history.load() == [], "without the key there is nothing")
        try history.rewrite { seal.open(line: $0) ?? $0 }
        #expect(try history.load() == ["planted before", "planted after"])
    }

    @Test func itIsBoundedAndPassesOverDamage() async throws {
        try Data("\"good\"\nbroken\n\"half".utf8).write(to: URL(filePath: history.path))
        #expect(try history.load() == ["good"])
        try history.add("new")
        #expect(try history.load() == ["good", "new"])
        try FileManager.default.removeItem(atPath: history.path)
        for number in 0..<(2 * PromptHistory.limit + 5) { try history.add("line \(number)") }
        let lines = try history.load()
        #expect(lines.count <= PromptHistory.limit)
        #expect(lines.last == "line \(2 * PromptHistory.limit + 4)")
        try history.add(String(repeating: "a", count: PromptHistory.longest + 1))
        #expect(try history.load().last == lines.last)
    }

    @Test func `what a killed program left beside it goes with a change and with a removal`() throws {
        try history.add("one")
        for change in [{ try history.rewrite { $0 + [0x20] } }, history.remove, history.remove] {
            try folder.write(Array("planted".utf8), to: "inputs.part-1")
            try change()
            #expect(try !folder.names().contains("inputs.part-1"))
        }
        #expect(try folder.names() == [])
    }

    @Test func writersAtOnceLoseNothing() async throws {
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<100 { try? PromptHistory(path: history.path).add("\(writer) \(number)") }
                }
            }
        }
        let lines = try history.load()
        #expect(lines.count == 400)
        for writer in 0..<4 {
            #expect(lines.filter { $0.hasPrefix("\(writer) ") } == (0..<100).map { "\(writer) \($0)" })
        }
    }
}
