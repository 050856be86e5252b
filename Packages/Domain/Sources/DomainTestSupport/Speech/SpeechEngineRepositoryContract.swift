// SPDX-License-Identifier: MIT

public import Domain

/// An empty repository; `again` opens the same one a second time, as another process does.
public struct SpeechEngineRepositorySubject: Sendable {
    let repository: any SpeechEngineRepository
    let again: @Sendable () async throws -> any SpeechEngineRepository
    let failing: Failing<any SpeechEngineRepository>

    /// A subject.
    ///
    /// - Parameter failing: Repositories that fail with `storage`.
    public init(
        repository: any SpeechEngineRepository,
        again: @escaping @Sendable () async throws -> any SpeechEngineRepository,
        failing: Failing<any SpeechEngineRepository>
    ) {
        self.repository = repository
        self.again = again
        self.failing = failing
    }
}

/// The contract of `SpeechEngineRepository`.
public enum SpeechEngineRepositoryContract {
    /// An engine with every option.
    private static var full: SpeechEngine {
        var engine = SpeechEngine(name: "eleven", kind: .openai, address: "https://api.example.org/v1")
        engine.recognitionModel = "whisper-1 \"large\""
        engine.synthesisModel = "tts-1"
        engine.voice = "21m00Tcm4TlvDq8ikWAM"
        engine.language = "en"
        engine.stability = 0.75
        engine.similarity = 0.5
        engine.streams = true
        engine.secret = "eleven/work"
        engine.allowsPlainText = true
        engine.sampleRate = 22_050
        engine.patience = [.recognition: .milliseconds(2_500), .synthesis: .milliseconds(900)]
        return engine
    }

    private static func engine(_ name: String, _ kind: SpeechEngine.Kind = .wyoming) -> SpeechEngine {
        SpeechEngine(name: name, kind: kind, address: "tcp://127.0.0.1:10300")
    }

    /// Every promise.
    public static let checks: [ContractCheck<SpeechEngineRepositorySubject>] = [
        .init("without engines there is nothing to list or to remove") { subject in
            try await require(subject.repository.list() == SpeechEngineList(), "engines out of nothing")
            try await requireError(code: "notFound") { try await subject.repository.remove("eleven") }
            try await requireError(code: "notFound") { try await subject.repository.update(full) }
            try await requireError(code: "notFound") { try await subject.repository.use("eleven", for: [.synthesis]) }
        },
        .init("what is added is read back by every process, unchanged and by name") { subject in
            try await subject.repository.add(full)
            try await subject.again().add(engine("b"))
            try await subject.again().add(engine("B"))
            for repository in [subject.repository, try await subject.again()] {
                let found = try await repository.list()
                try require(found.engines == [engine("B"), engine("b"), full] && found.used.isEmpty, "\(found)")
            }
        },
        .init("a taken name, an invalid one and local are refused") { subject in
            try await subject.repository.add(full)
            for name in ["eleven", "local", "", "a b", "a/b", "ä", String(repeating: "a", count: 65)] {
                try await requireError(code: "invalidInput") { try await subject.again().add(engine(name)) }
            }
            try await require(subject.repository.list().engines == [full], "another one is stored")
        },
        .init("an update replaces the options and keeps the use") { subject in
            try await subject.repository.add(engine("a"))
            try await subject.repository.use("a", for: [.synthesis])
            var changed = engine("a")
            changed.voice = "amy"
            try await subject.again().update(changed)
            let found = try await subject.repository.list()
            try require(found == SpeechEngineList([changed], used: [.synthesis: "a"]), "\(found)")
        },
        .init("each purpose has its engine, and local is this machine") { subject in
            try await subject.repository.add(engine("a"))
            try await subject.repository.add(engine("b"))
            try await subject.repository.use("a", for: [.recognition, .synthesis])
            try await subject.again().use("b", for: [.synthesis])
            let both = try await subject.repository.list()
            try require(both.used == [.recognition: "a", .synthesis: "b"], "\(both.used)")
            try require(both.engine(for: .synthesis) == engine("b"), "\(both)")
            try await subject.repository.use(SpeechEngine.local, for: [.recognition])
            try await require(subject.again().list().used == [.synthesis: "b"], "recognition is not local")
        },
        .init("a protocol without the purpose is refused") { subject in
            try await subject.repository.add(engine("w", .whispercpp))
            try await requireError(code: "invalidInput") {
                try await subject.repository.use("w", for: [.recognition, .synthesis])
            }
            try await require(subject.repository.list().used.isEmpty, "used for a part")
            try await subject.repository.use("w", for: [.recognition])
        },
        .init("a removed engine is not in use any more") { subject in
            try await subject.repository.add(engine("a"))
            try await subject.repository.add(engine("b"))
            try await subject.repository.use("a", for: [.recognition])
            try await require(subject.again().remove("b").isEmpty, "b was not in use")
            try await require(subject.again().remove("a") == [.recognition], "a was in use")
            try await require(subject.repository.list() == SpeechEngineList(), "something is left")
            try await subject.repository.add(engine("a"))
            try await require(subject.repository.list().used.isEmpty, "an engine of the same name is in use")
        },
        .init("additions at once are all kept") { subject in
            try await concurrently(6) { number in
                try await (number.isMultiple(of: 2) ? subject.repository : subject.again()).add(engine("e\(number)"))
            }
            let count = try await subject.repository.list().engines.count
            try require(count == 6, "\(count) of 6 engines")
        },
        .init("its errors are documented ones") { subject in
            try await requireErrors(of: subject.failing, documented: ["storage"]) { try await $0.add(engine("a")) }
        },
        .init("a cancelled call throws CancellationError and adds nothing") { subject in
            try await requireCancelled { try await subject.repository.add(engine("a")) }
            try await require(subject.repository.list().engines.isEmpty, "added all the same")
        },
    ]
}
