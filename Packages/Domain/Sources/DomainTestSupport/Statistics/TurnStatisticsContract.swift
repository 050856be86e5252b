// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials

/// Empty statistics with the conversations that they lie beside; `again` opens the same statistics as another process
/// does.
public struct TurnStatisticsSubject: Sendable {
    let statistics: any TurnStatistics
    let conversations: any ConversationRepository
    let again: @Sendable () async throws -> any TurnStatistics
    let failing: Failing<any TurnStatistics>

    /// A subject.
    ///
    /// - Parameter failing: Statistics that fail with `storage`.
    public init(
        _ store: some ConversationRepository & TurnStatistics,
        again: @escaping @Sendable () async throws -> any TurnStatistics, failing: Failing<any TurnStatistics>
    ) {
        (statistics, conversations, self.again, self.failing) = (store, store, again, failing)
    }
}

/// The contract of `TurnStatistics`.
public enum TurnStatisticsContract {
    /// Every promise.
    public static let checks: [ContractCheck<TurnStatisticsSubject>] = keepingChecks + answerChecks

    private static let keepingChecks: [ContractCheck<TurnStatisticsSubject>] = [
        .init("without a measurement there is no turn") { subject in
            try await require(subject.statistics.turns(in: always).isEmpty, "turns out of nothing")
        },
        .init("what is noted is read back by every process, the earliest first, unchanged") { subject in
            let outcomes: [TurnOutcome] = [
                .answered, .refused("invalidQuery"), .failed("offline"), .kept, .stopped,
            ]
            let latencies = Dictionary(
                uniqueKeysWithValues: TurnLatency.allCases.enumerated().map { ($1, Duration.microseconds($0 * 1_500)) })
            let noted = outcomes.enumerated().map { number, outcome in
                TurnMeasurement(
                    turn: TurnID(), startedAt: at(Double(number) + 0.25), modality: number % 2 == 0 ? .text : .voice,
                    outcome: outcome, latencies: number == 1 ? [:] : latencies, sentences: number,
                    cachedSentences: number / 2)
            }
            for measurement in noted.reversed() { try await subject.statistics.note(measurement, at: at(9)) }
            for statistics in [subject.statistics, try await subject.again()] {
                let found = try await statistics.turns(in: always)
                try require(found.map(\.measurement) == noted, "\(found)")
                try require(found.allSatisfy { $0.source == nil && $0.usage == nil }, "an answer out of nothing")
            }
        },
        .init("a second measurement of a turn takes the place of the first") { subject in
            var measurement = measured(at: 0, .kept)
            try await subject.statistics.note(measurement, at: at(0))
            measurement.outcome = .answered
            measurement.latencies = [.answer: .milliseconds(7)]
            try await subject.again().note(measurement, at: at(1))
            try await require(
                subject.statistics.turns(in: always).map(\.measurement) == [measurement], "not the second one alone")
        },
        .init("a range has its beginning and not its end") { subject in
            let noted = (0..<3).map { measured(at: Double($0)) }
            for measurement in noted { try await subject.statistics.note(measurement, at: at(3)) }
            let found = try await subject.statistics.turns(in: at(0)..<at(2))
            try require(found.map(\.measurement) == Array(noted.prefix(2)), "\(found)")
        },
        .init("the next note removes what has expired and what a wrong clock dated ahead") { subject in
            let day = 86_400.0
            let old = measured(at: 0)
            let ahead = measured(at: 500 * day)
            try await subject.statistics.note(old, at: at(0))
            try await subject.statistics.note(ahead, at: at(500 * day))
            try await require(subject.statistics.turns(in: always).count == 1, "the expired one stays")
            // The clock is set back: what is there now is kept, and goes on.
            let back = measured(at: 90 * day)
            try await subject.statistics.note(back, at: at(90 * day))
            let late = measured(at: 90 * day - 60)
            try await subject.statistics.note(late, at: at(90 * day - 60))
            let found = try await subject.statistics.turns(in: always).map(\.measurement)
            try require(found == [late, back], "\(found)")
        },
        .init("many notes at once are all kept") { subject in
            try await concurrently(40) { number in
                let statistics = number % 2 == 0 ? subject.statistics : try await subject.again()
                try await statistics.note(measured(at: Double(number)), at: at(40))
            }
            try await require(subject.statistics.turns(in: always).count == 40, "some are missing")
        },
        .init("a cancelled call throws and stores nothing") { subject in
            try await requireCancelled { try await subject.statistics.note(measured(at: 0), at: at(0)) }
            try await requireCancelled { _ = try await subject.statistics.turns(in: always) }
            try await require(subject.statistics.turns(in: always).isEmpty, "stored all the same")
        },
        .init("what cannot be stored or read is an error") { subject in
            try await requireErrors(of: subject.failing, documented: ["storage"]) {
                try await $0.note(measured(at: 0), at: at(0))
            }
            try await requireErrors(of: subject.failing, documented: ["storage"]) { _ = try await $0.turns(in: always) }
        },
    ]

    private static let answerChecks: [ContractCheck<TurnStatisticsSubject>] = [
        .init("a turn comes with the source, the tokens and the end of its answers") { subject in
            let (conversation, measurement, other) = (Conversation(startedAt: at(0)), measured(at: 0), measured(at: 1))
            let usage = AnswerUsage(inputTokens: 10, outputTokens: 2, cost: 0.25)
            let answers = [
                message(.assistant, of: measurement.turn, in: conversation, .model("small"), usage),
                message(.tool, of: measurement.turn, in: conversation, .tool("add"), nil),
                message(.assistant, of: measurement.turn, in: conversation, .model("large"), usage, isCut: true),
                message(.assistant, of: other.turn, in: conversation, .states, nil),
            ]
            for measurement in [measurement, other] { try await subject.statistics.note(measurement, at: at(1)) }
            try await subject.conversations.append(
                [message(.user, of: measurement.turn, in: conversation, nil, nil)] + answers, to: conversation)
            let found = try await subject.statistics.turns(in: always)
            try require(found.map(\.measurement) == [measurement, other], "\(found)")
            try require(found.map(\.source) == [.model("large"), .states], "\(found.map(\.source))")
            try require(
                found[0].usage == AnswerUsage(inputTokens: 20, outputTokens: 4, cost: 0.5) && found[1].usage == nil,
                "\(found.map(\.usage))")
            try require(found.map(\.isInterrupted) == [true, false], "\(found.map(\.isInterrupted))")
        },
        .init("a measurement goes with the last message of its turn") { subject in
            let (one, two) = (Conversation(startedAt: at(0)), Conversation(startedAt: at(1)))
            let measurements = (0..<4).map { measured(at: Double($0)) }
            for measurement in measurements { try await subject.statistics.note(measurement, at: at(4)) }
            // The third turn has no message.
            for (measurement, conversation) in [(measurements[0], one), (measurements[1], two), (measurements[3], two)]
            {
                for role in [Message.Role.user, .assistant] {
                    try await subject.conversations.append(
                        [message(role, of: measurement.turn, in: conversation, nil, nil)], to: conversation)
                }
            }
            func kept() async throws -> [TurnMeasurement] {
                try await subject.statistics.turns(in: always).map(\.measurement)
            }
            _ = try await subject.conversations.delete(one.id)
            try await require(kept() == Array(measurements.dropFirst()), "a deleted conversation leaves its turn")
            _ = try await subject.conversations.delete([measurements[3].turn])
            try await require(kept() == Array(measurements[1...2]), "a deleted turn leaves its measurement")
            _ = try await subject.conversations.deleteAll()
            try await require(kept().isEmpty, "something stays when all conversations go")
        },
    ]

    private static let always = Date.distantPast..<Date.distantFuture

    @Sendable private static func at(_ seconds: Double) -> Date {
        Date(timeIntervalSince1970: 1_800_000_000 + seconds)
    }

    @Sendable private static func measured(at seconds: Double, _ outcome: TurnOutcome = .answered) -> TurnMeasurement {
        TurnMeasurement(turn: TurnID(), startedAt: at(seconds), modality: .text, outcome: outcome)
    }

    @Sendable private static func message(
        _ role: Message.Role, of turn: TurnID, in conversation: Conversation, _ source: AnswerSource?,
        _ usage: AnswerUsage?, isCut: Bool = false
    ) -> Message {
        Message(
            conversation: conversation.id, turn: turn, role: role, modality: .text, text: "Texas", createdAt: at(0),
            state: isCut ? .interrupted(heard: 2) : .whole, source: source, usage: usage)
    }
}

/// Statistics that fail.
public struct FailingTurnStatistics: TurnStatistics {
    private let failure: DomainError

    /// Statistics whose every use throws an error.
    public init(_ failure: DomainError) { self.failure = failure }

    /// See `TurnStatistics`.
    public func note(_ measurement: TurnMeasurement, at now: Date) async throws { throw failure }

    /// See `TurnStatistics`.
    public func turns(in range: Range<Date>) async throws -> [CountedTurn] { throw failure }
}
