// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials
import Persistence

/// Measurements of turns, in the file of the conversations.
extension SQLiteConversationRepository: TurnStatistics {
    /// See `TurnStatistics`. It waits for no disk: the next message does.
    public func note(_ measurement: TurnMeasurement, at now: Date) async throws {
        let window = TurnMeasurement.window(at: now)
        try await domainErrors(damage: UnusableData.conversations) {
            try await database.write(durability: .normal) { connection in
                try connection.execute(
                    """
                    INSERT OR REPLACE INTO turn_measurement (\(sql: StoredMeasurement.columns))
                    VALUES (\(sql: StoredMeasurement.values(measurement)))
                    """)
                try connection.execute(
                    """
                    DELETE FROM turn_measurement
                    WHERE started_at < \(window.lowerBound) OR started_at >= \(window.upperBound)
                    """)
            }
        }
    }

    /// See `TurnStatistics`.
    public func turns(in range: Range<Date>) async throws -> [CountedTurn] {
        try await read { connection in
            var turns: [CountedTurn] = []
            try connection.forEach(
                """
                SELECT \(sql: StoredMeasurement.columns), source, input_tokens, output_tokens, cost, state, heard
                FROM turn_measurement LEFT JOIN (
                    SELECT turn AS of_turn, number, source, input_tokens, output_tokens, cost, state, heard
                    FROM message WHERE role = 'assistant'
                ) ON of_turn = turn
                WHERE started_at >= \(range.lowerBound) AND started_at < \(range.upperBound)
                ORDER BY started_at, turn, number
                """
            ) { row in
                let measurement = try StoredMeasurement.measurement(row)
                if turns.last?.measurement.turn != measurement.turn { turns.append(CountedTurn(measurement)) }
                let (state, heard): (String?, Int?) = (try row["state"], try row["heard"])
                guard let state else { return }
                guard let state = Message.State(stored: state, heard: heard) else {
                    throw DomainError.unusable(.row("message"))
                }
                let source: String? = try row["source"]
                turns[turns.count - 1].add(
                    source: source.flatMap(AnswerSource.init), usage: try StoredMessage.usage(row), state: state)
            }
            return turns
        }
    }
}

/// A measurement as a row of the table `turn_measurement`.
private enum StoredMeasurement {
    static let columns: SQL = """
        turn, started_at, modality, outcome, code, endpoint, recognition, answer, whole_answer, synthesis, playback, reply,
        sentences, cached_sentences
        """

    /// The values of a measurement, in the order of ``columns``.
    static func values(_ measurement: TurnMeasurement) -> SQL {
        func microseconds(_ latency: TurnLatency) -> Int64? {
            measurement.latencies[latency].map { Int64($0 / .microseconds(1)) }
        }
        return """
            \(measurement.turn.description), \(measurement.startedAt), \(measurement.modality.rawValue),
            \(measurement.outcome.name), \(measurement.outcome.code), \(microseconds(.endpoint)),
            \(microseconds(.recognition)), \(microseconds(.answer)), \(microseconds(.wholeAnswer)),
            \(microseconds(.synthesis)), \(microseconds(.playback)), \(microseconds(.reply)), \(measurement.sentences),
            \(measurement.cachedSentences)
            """
    }

    /// The measurement in a row of ``columns``.
    static func measurement(_ row: borrowing Row) throws -> TurnMeasurement {
        let code: String? = try row["code"]
        guard let turn = TurnID(try row["turn"]), let modality = Message.Modality(rawValue: try row["modality"]),
            let outcome = TurnOutcome(name: try row["outcome"], code: code)
        else { throw DomainError.unusable(.row("measurement")) }
        let stored: [(TurnLatency, Int64?)] = [
            (.endpoint, try row["endpoint"]), (.recognition, try row["recognition"]), (.answer, try row["answer"]),
            (.wholeAnswer, try row["whole_answer"]), (.synthesis, try row["synthesis"]),
            (.playback, try row["playback"]), (.reply, try row["reply"]),
        ]
        let latencies = stored.compactMap { latency, time in time.map { (latency, Duration.microseconds($0)) } }
        return TurnMeasurement(
            turn: turn, startedAt: try row["started_at"], modality: modality, outcome: outcome,
            latencies: Dictionary(uniqueKeysWithValues: latencies), sentences: try row["sentences"],
            cachedSentences: try row["cached_sentences"])
    }
}
