// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import DomainTestSupport
import Foundation
import Persistence
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct KeyValueSpeechEnginesTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("settings.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: SpeechEngineRepositoryContract.checks)
    func `it keeps the contract`(_ check: ContractCheck<SpeechEngineRepositorySubject>) async throws {
        let path = path
        let damaged = folder.file("damaged.sqlite")
        try Data("This is no database, and never was one.".utf8).write(to: URL(filePath: damaged))
        try await check.run(
            SpeechEngineRepositorySubject(
                repository: KeyValueSpeechEngines(KeyValueFile(path: path)),
                again: { KeyValueSpeechEngines(KeyValueFile(path: path)) },
                failing: ["storage": { KeyValueSpeechEngines(KeyValueFile(path: damaged)) }]))
    }

    @Test func `a question about nothing makes no file`() async throws {
        let engines = KeyValueSpeechEngines(KeyValueFile(path: path))
        #expect(try await engines.list() == SpeechEngineList())
        try await engines.use(SpeechEngine.local, for: [.recognition, .synthesis])
        await #expect(throws: DomainError.self) { try await engines.remove("a") }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `an engine of a newer program is passed over`() async throws {
        let file = KeyValueFile(path: path)
        let engines = KeyValueSpeechEngines(file)
        let known = SpeechEngine(name: "known", kind: .wyoming, address: "tcp://127.0.0.1:10200")
        try await engines.add(known)
        try await file.write { settings in
            try settings.setBytes(
                Array(#"{"kind": "telepathy", "address": "x:"}"#.utf8), for: "new", in: "speech engines")
            try settings.set("new", for: KeyValueKey<String>("speech recognition", in: "in use"))
        }
        #expect(try await engines.list() == SpeechEngineList([known]))
    }

    @Test func `the export has the engine and no key`() async throws {
        let file = KeyValueFile(path: path)
        var engine = SpeechEngine(name: "eleven", kind: .elevenlabs, address: "https://api.elevenlabs.io")
        engine.secret = "elevenlabs"
        try await KeyValueSpeechEngines(file).add(engine)
        try await PersonalDataSourceContract.checks[0].run(
            PersonalDataSourceSubject(source: file, counts: ["settings": 1], names: ["settings.jsonl"]))
    }
}
