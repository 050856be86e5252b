// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// The contract of ``EvaluationStore``, checked on an empty store.
public enum EvaluationStoreContract {
    /// Every promise.
    public static let checks: [ContractCheck<any EvaluationStore>] = [
        .init("nothing is there at first") { store in
            try await require(store.evaluations(of: .init()).isEmpty, "evaluations out of nothing")
        },
        .init("an evaluation is read back unchanged, by recording and source") { store in
            let (one, two) = (Identifier<Recording>(), Identifier<Recording>())
            try await store.store(PracticeSamples.evaluation(), of: one)
            try await store.store(PracticeSamples.bareEvaluation, of: one)
            try await store.store(PracticeSamples.evaluation(right: 9), of: two)
            let expected = [
                Evaluation.Source.device: PracticeSamples.evaluation(), .server: PracticeSamples.bareEvaluation,
            ]
            try await require(store.evaluations(of: one) == expected, "changed or mixed")
            try await require(store.evaluations(of: two) == [.device: PracticeSamples.evaluation(right: 9)], "mixed")
        },
        .init("a later evaluation of the same source replaces the one before") { store in
            let id = Identifier<Recording>()
            try await store.store(PracticeSamples.evaluation(right: 1), of: id)
            try await store.store(PracticeSamples.evaluation(right: 2), of: id)
            try await require(
                store.evaluations(of: id) == [.device: PracticeSamples.evaluation(right: 2)], "not replaced")
        },
        .init("evaluations stored at the same time are all there") { store in
            let ids = (0..<10).map { _ in Identifier<Recording>() }
            try await concurrently(20) { number in
                let source: Evaluation.Source = number < 10 ? .device : .server
                try await store.store(PracticeSamples.evaluation(right: number, source: source), of: ids[number % 10])
            }
            for (number, id) in ids.enumerated() {
                let made = try await store.evaluations(of: id)
                try require(
                    made[.device]?.count(.right) == number && made[.server]?.count(.right) == number + 10,
                    "lost or mixed")
            }
        },
        .init("a cancelled store stores nothing and says so") { store in
            let id = Identifier<Recording>()
            try await requireCancelled { try await store.store(PracticeSamples.evaluation(), of: id) }
            try await require(store.evaluations(of: id).isEmpty, "stored all the same")
        },
    ]
}

/// The contract of ``RuntimeConfigStore``, checked on an empty store.
public enum RuntimeConfigStoreContract {
    /// Every promise.
    public static let checks: [ContractCheck<any RuntimeConfigStore>] = [
        .init("nothing is there at first, and the installation keeps its name") { store in
            try await require(store.config(for: nil) == nil, "a configuration out of nothing")
            try await require(store.config(for: "a") == nil, "a configuration out of nothing")
            let name = try await store.installation()
            try require(!name.isEmpty, "a name without letters")
            try await require(store.installation() == name, "the name changed")
        },
        .init("the last configuration of each account is kept") { store in
            let rules: [String: RuntimeConfig.Rule] = [
                "a": .init(
                    value: .boolean(true), rollout: 2_500, expiresAt: Date(timeIntervalSince1970: 1_800_000_000)),
                "b": .init(value: .integer(-3)), "c": .init(value: .number(0.25)), "d": .init(value: .text("ü \"")),
            ]
            let config = RuntimeConfig(rules: rules, fetchedAt: Date(timeIntervalSince1970: 1_700_000_000.5))
            let empty = RuntimeConfig(rules: [:], fetchedAt: Date(timeIntervalSince1970: 1_700_000_001))
            try await store.store(empty, for: "one")
            try await store.store(config, for: "one")
            try await store.store(empty, for: nil)
            try await require(store.config(for: "one") == config, "not the last one, or changed")
            try await require(store.config(for: nil) == empty, "accounts are mixed")
            try await require(store.config(for: "two") == nil, "accounts are mixed")
        },
        .init("whoever asks for the installation at the same time gets one name") { store in
            let names = Collected<String>()
            try await concurrently(8) { _ in await names.add(try await store.installation()) }
            try await require(Set(names.all).count == 1, "several names")
        },
        .init("of configurations stored at the same time one holds, whole") { store in
            let configs = (0..<8).map { number in
                RuntimeConfig(
                    rules: ["a": .init(value: .integer(number)), "b": .init(value: .integer(number))],
                    fetchedAt: Date(timeIntervalSince1970: Double(number)))
            }
            try await concurrently(8) { try await store.store(configs[$0], for: "one") }
            try await require(store.config(for: "one").map(configs.contains) == true, "mixed or lost")
        },
        .init("a cancelled store stores nothing and says so") { store in
            let config = RuntimeConfig(rules: [:], fetchedAt: Date(timeIntervalSince1970: 1))
            try await requireCancelled { try await store.store(config, for: "one") }
            try await require(store.config(for: "one") == nil, "stored all the same")
        },
    ]
}

/// An ``EvaluationStore`` that forgets everything when it is released.
public actor InMemoryEvaluationStore: EvaluationStore {
    private var evaluations: [Identifier<Recording>: [Evaluation.Source: Evaluation]] = [:]

    /// Makes an empty store.
    public init() {}

    /// See ``EvaluationStore``.
    public func store(_ evaluation: Evaluation, of recording: Identifier<Recording>) throws {
        try Task.checkCancellation()
        evaluations[recording, default: [:]][evaluation.source] = evaluation
    }

    /// See ``EvaluationStore``.
    public func evaluations(of recording: Identifier<Recording>) -> [Evaluation.Source: Evaluation] {
        evaluations[recording] ?? [:]
    }
}

/// A ``RuntimeConfigStore`` that forgets everything when it is released.
public actor InMemoryRuntimeConfigStore: RuntimeConfigStore {
    private var configs: [String?: RuntimeConfig] = [:]
    private let name = Identifier<InMemoryRuntimeConfigStore>().description

    /// Makes an empty store.
    public init() {}

    /// See ``RuntimeConfigStore``.
    public func store(_ config: RuntimeConfig, for account: String?) throws {
        try Task.checkCancellation()
        configs[account] = config
    }

    /// See ``RuntimeConfigStore``.
    public func config(for account: String?) -> RuntimeConfig? { configs[account] }

    /// See ``RuntimeConfigStore``.
    public func installation() -> String { name }
}
